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

void geojson_complain_file(struct reading *r, size_t at, const char *format, ...) {
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

void geojson_warn(struct reading *r, size_t at, const char *format, ...) {
    char message[ERROR_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    int32_t line, column;
    json_line_column(&r->text, at, &line, &column);
    show_source(r);
    report_add(r->report, REPORT_WARNING, STATUS_INPUT, r->file, line, column, "%s", message);
}

/* UTF-16 and UTF-32, with a byte order mark or, as every JSON text begins with an ASCII character, without.
 */
static bool is_wide(const struct json_text *t) {
    return t->size >= 2 && (memcmp(t->text, "\xff\xfe", 2) == 0 || memcmp(t->text, "\xfe\xff", 2) == 0 ||
                            !t->text[0] || !t->text[1]);
}

static json_t *parse(struct reading *r) {
    if (is_wide(&r->text)) {
        report_add(r->report, REPORT_ERROR, STATUS_INPUT, r->file, 1, 1,
                   "the text is UTF-16 or UTF-32: save it as UTF-8");
        return NULL;
    }
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
    bool large = json_error_code(&problem) == json_error_numeric_overflow;
    report_add(r->report, REPORT_ERROR, STATUS_INPUT, r->file, problem.line > 0 ? problem.line : 1,
               problem.column > 0 ? problem.column : 1, "%s: %s",
               large ? "a number is too large" : "no valid JSON", problem.text);
    return NULL;
}

static void read_feature(struct reading *r, json_t *feature) {
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
        geojson_complain_file(r, root_at, "a GeoJSON FeatureCollection is expected, this is %s%s",
                              type ? "a " : "something else", type ? type : "");
        return;
    }
    const json_t *features = json_object_get(root, "features");
    size_t features_at = json_member(&r->text, root_at, "features");
    if (!json_is_array(features)) {
        geojson_complain_file(r, features_at != JSON_NOWHERE ? features_at : root_at,
                              "\"features\" is missing or no array");
        return;
    }
    r->features = json_array_size(features);
    if (!geojson_in_metres(r, root))
        return;
    r->feature_at = json_first(&r->text, features_at);
    for (size_t i = 0; i < json_array_size(features) && !r->no_memory; i++) {
        r->index = (uint32_t)i;
        json_mark(&r->text, r->feature_at);
        read_feature(r, json_array_get(features, i));
        r->feature_at = json_next(&r->text, r->feature_at);
    }
}

/* What would be too many messages one by one: features outside the world. */
static void tell_outside(struct reading *r) {
    const struct rect c = r->extent->cells;
    const struct spread *s = &r->spread;
    double m = r->extent->cell_m;
    size_t more = r->outside > OUTSIDE_SHOWN ? r->outside - OUTSIDE_SHOWN : 0;
    if (more)
        geojson_complain_file(
            r, r->outside_at,
            "features[%u] and %zu more lie outside the world as well, %zu of %zu in all: the file's "
            "coordinates "
            "run from (%.10g, %.10g) to (%.10g, %.10g), the world from (%.10g, %.10g) to (%.10g, %.10g)",
            (unsigned)r->outside_index, more - 1, r->outside, r->features, s->x0, s->y0, s->x1, s->y1,
            c.x0 * m, c.y0 * m, c.x1 * m, c.y1 * m);
    if (r->left_out + r->cut == 0)
        return;
    report_add(
        r->report, r->left_out == r->features ? REPORT_WARNING : REPORT_NOTE, STATUS_INPUT, r->file, 0, 0,
        "of %zu features %zu lie%s outside the world and %zu reach%s out of it: cut off (outside: clip)",
        r->features, r->left_out, r->left_out == 1 ? "s" : "", r->cut, r->cut == 1 ? "es" : "");
}

/* What would be too many warnings one by one. */
static void warn(struct reading *r) {
    if (r->repeated)
        geojson_warn(r, r->repeated_at,
                     "%zu %s the one before and %s left out; the first is features[%zu], point %zu",
                     r->repeated, r->repeated == 1 ? "point repeats" : "points repeat",
                     r->repeated == 1 ? "is" : "are", r->first_repeated_feature, r->first_repeated_point);
    if (r->objects)
        geojson_warn(r, r->objects_at,
                     "%zu %s ignored: a property is a number, a text, or an array of numbers; the first is "
                     "\"%s\"",
                     r->objects, r->objects == 1 ? "object is" : "objects are", r->object_name);
    geojson_tell_slips(r);
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
        tell_outside(&r);
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
