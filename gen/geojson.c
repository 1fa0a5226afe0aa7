#include "gen/geojson_own.h"

#include "gen/os.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 64 << 20, SHOWN_BYTES_MAX = 4 << 20 };

static void show_source(struct reading *r) {
    if (!r->shown && r->text.size <= SHOWN_BYTES_MAX)
        report_source(r->report, r->file, r->text.text, r->text.size);
    r->shown = true;
}

void geojson_complain(struct reading *r, size_t at, const char *format, ...) {
    char message[ERROR_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    int32_t line = 0, column = 0;
    if (r->report->count < REPORT_ITEMS_MAX)
        json_line_column(&r->text, at == JSON_NOWHERE ? r->feature_at : at, &line, &column);
    show_source(r);
    r->mistakes++;
    report_add(r->report, REPORT_ERROR, STATUS_INPUT, r->file, line, column, "features[%u]: %s",
               (unsigned)r->index, message);
}

size_t geojson_point_place(const struct reading *r, size_t n) {
    size_t geometry = json_member(&r->text, r->feature_at, "geometry");
    return json_position(&r->text, json_member(&r->text, geometry, "coordinates"), n);
}

size_t geojson_property_place(const struct reading *r, const char *key) {
    return json_member(&r->text, json_member(&r->text, r->feature_at, "properties"), key);
}

/* A mistake of the file as a whole. */
static void complain_file(struct reading *r, size_t at, const char *format, ...) PRINTF_LIKE(3, 4);
static void complain_file(struct reading *r, size_t at, const char *format, ...) {
    char message[ERROR_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    int32_t line, column;
    json_line_column(&r->text, at, &line, &column);
    show_source(r);
    report_add(r->report, REPORT_ERROR, STATUS_INPUT, r->file, line, column, "%s", message);
}

static json_t *parse(struct reading *r) {
    json_error_t problem;
    size_t bom = json_root(&r->text) != JSON_NOWHERE && r->text.text[0] == '\xef' ? 3 : 0;
    json_t *root = json_loadb(r->text.text + bom, r->text.size - bom, JSON_REJECT_DUPLICATES, &problem);
    if (root)
        return root;
    if (json_error_code(&problem) == json_error_out_of_memory) {
        r->no_memory = true;
        return NULL;
    }
    show_source(r);
    report_add(r->report, REPORT_ERROR, STATUS_INPUT, r->file, problem.line > 0 ? problem.line : 1,
               problem.column > 0 ? problem.column : 1, "no valid JSON: %s", problem.text);
    return NULL;
}

static void read_feature(struct reading *r, const json_t *feature) {
    r->mistakes = 0;
    const char *type = json_string_value(json_object_get(feature, "type"));
    const json_t *properties = json_object_get(feature, "properties");
    if (!type || strcmp(type, "Feature") != 0) {
        geojson_complain(r, JSON_NOWHERE, "an object with \"type\": \"Feature\" is expected here");
        return;
    }
    if (properties && !json_is_object(properties) && !json_is_null(properties))
        geojson_complain(r, json_member(&r->text, r->feature_at, "properties"),
                         "\"properties\" is no object");
    if (geojson_draw(r, json_object_get(feature, "geometry")) && r->mistakes == 0)
        geojson_add(r, feature);
}

static void read_features(struct reading *r, const json_t *root) {
    size_t root_at = json_root(&r->text);
    const char *type = json_string_value(json_object_get(root, "type"));
    if (!type || strcmp(type, "FeatureCollection") != 0) {
        complain_file(r, root_at, "a GeoJSON FeatureCollection is expected, this is %s%s",
                      type ? "a " : "something else", type ? type : "");
        return;
    }
    const json_t *features = json_object_get(root, "features");
    size_t features_at = json_member(&r->text, root_at, "features");
    if (!json_is_array(features)) {
        complain_file(r, features_at != JSON_NOWHERE ? features_at : root_at,
                      "\"features\" is missing or no array");
        return;
    }
    r->feature_at = json_first(&r->text, features_at);
    for (size_t i = 0; i < json_array_size(features) && !r->no_memory; i++) {
        r->index = (uint32_t)i;
        json_mark(&r->text, r->feature_at);
        read_feature(r, json_array_get(features, i));
        r->feature_at = json_next(&r->text, r->feature_at);
    }
}

/* What would be too many warnings one by one. */
static void warn(struct reading *r) {
    int32_t line, column;
    if (r->repeated) {
        json_line_column(&r->text, r->repeated_at, &line, &column);
        show_source(r);
        report_add(r->report, REPORT_WARNING, STATUS_INPUT, r->file, line, column,
                   "%zu %s the one before and %s left out; the first is features[%zu], point %zu",
                   r->repeated, r->repeated == 1 ? "point repeats" : "points repeat",
                   r->repeated == 1 ? "is" : "are", r->first_repeated_feature, r->first_repeated_point);
    }
    if (r->objects) {
        json_line_column(&r->text, r->objects_at, &line, &column);
        show_source(r);
        report_add(r->report, REPORT_WARNING, STATUS_INPUT, r->file, line, column,
                   "%zu %s ignored: a property is a number, a text, or an array of numbers; the first is "
                   "\"%s\"",
                   r->objects, r->objects == 1 ? "object is" : "objects are", r->object_name);
    }
}

enum status features_parse(const char *file, const char *text, size_t size, const struct extent *extent,
                           struct features *into, struct report *report) {
    struct reading r = {.text = {.text = text, .size = size},
                        .extent = extent,
                        .into = into,
                        .report = report,
                        .file = features_text(into, file)};
    size_t before = report->errors;
    json_t *root = NULL;
    if (!r.file) {
        r.no_memory = true;
        goto done;
    }
    root = parse(&r);
    if (root) {
        read_features(&r, root);
        warn(&r);
    }
done:
    json_decref(root);
    free(r.drawn.xyz);
    free(r.drawn.run_end);
    free(r.drawn.part_end);
    if (r.no_memory) {
        report_add(report, REPORT_ERROR, STATUS_LIMIT, file, 0, 0, "no memory to read it");
        return STATUS_LIMIT;
    }
    return report->errors > before ? STATUS_INPUT : STATUS_OK;
}

enum status features_read(const char *path, const struct extent *extent, struct features *into,
                          struct report *report) {
    unsigned char *bytes = NULL;
    size_t size;
    struct error err = {0};
    if (os_read_file(path, FILE_BYTES_MAX, &bytes, &size, &err)) {
        report_error(report, &err);
        return err.status;
    }
    enum status status = features_parse(path, (const char *)bytes, size, extent, into, report);
    free(bytes);
    return status;
}
