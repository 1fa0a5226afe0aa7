#include "gen/world_build.h"

#include "gen/image.h"
#include "gen/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names beside those in the stage table that a mask would hide or be taken for. */
static const char *const reserved_names[] = {"ground", "height", "noise", "distance", "mask", "viability"};

static bool is_layer(const char *name) {
    int32_t output;
    char arg[STAGE_ARG_MAX];
    for (size_t i = 0; i < sizeof reserved_names / sizeof *reserved_names; i++)
        if (strcmp(name, reserved_names[i]) == 0)
            return true;
    return stage_find(name, &output, arg) != NULL;
}

static bool mask_name_good(struct world_build *b, const struct yaml_node *key) {
    if (!build_name_good(key->text)) {
        yaml_complain(key, b->report, "mask '%s' must be named with letters, digits and _, a letter first",
                      key->text);
        return false;
    }
    if (is_layer(key->text)) {
        yaml_complain(key, b->report, "mask '%s' is named like a layer that the program makes", key->text);
        return false;
    }
    return world_find_mask(b->world, key->text) == NULL; /* a duplicate key has its own message */
}

static void read_mask(struct world_build *b, struct yaml_node *map, const char *name) {
    static const char *const missing_words[] = {"error", "void"};
    struct world *w = b->world;
    struct world_mask *mask = w->masks + w->mask_count++;
    char what[96];
    int32_t missing = MISSING_ERROR;
    snprintf(what, sizeof what, "masks.%s", name);
    build_source(b, name, map, &mask->source);
    yaml_get_enum(map, "missing", missing_words, 2, &missing, b->report);
    mask->missing = (enum missing_policy)missing;
    yaml_get(map, "legend");
    yaml_get(map, "unpainted");
    yaml_unknown_keys(map, what, b->report);
}

void build_masks(struct world_build *b) {
    struct world *w = b->world;
    struct yaml_node *masks = yaml_get_map(b->yaml, "masks", b->report);
    if (!masks || !(w->masks = build_alloc(b, masks->count, sizeof *w->masks)))
        return;
    for (size_t i = 0; i < masks->count; i++) {
        const char *name = masks->keys[i]->text;
        if (b->no_memory)
            return;
        if (!mask_name_good(b, masks->keys[i]))
            continue;
        struct yaml_node *map = yaml_get(masks, name);
        if (map && map->kind == YAML_SCALAR && !yaml_null(map))
            yaml_complain(map, b->report, "'%s' must be a map, as in {files: %s}", name, map->text);
        else if ((map = yaml_get_map(masks, name, b->report)) != NULL)
            read_mask(b, map, name);
    }
}

/* `unpainted:` is a code, or a colour's name. */
static void read_unpainted(struct world_build *b, const struct yaml_node *at, struct world_mask *mask) {
    int64_t code = 0;
    for (size_t i = 0; at->kind == YAML_SCALAR && i < mask->legend_count; i++)
        if (strcmp(mask->legend[i].name, at->text) == 0) {
            mask->unpainted = mask->legend[i].code;
            return;
        }
    double number;
    if (mask->legend_count == 0 || yaml_number(at, &number) || at->kind != YAML_SCALAR) {
        if (yaml_as_i64(at, "unpainted", 0, 255, &code, b->report))
            mask->unpainted = (int32_t)code;
        return;
    }
    const char **names = build_alloc(b, mask->legend_count, sizeof *names);
    if (!names)
        return;
    for (size_t i = 0; i < mask->legend_count; i++)
        names[i] = mask->legend[i].name;
    const char *near = report_suggest(at->text, names, mask->legend_count);
    if (near)
        yaml_complain(at, b->report,
                      "'unpainted' is '%s', which the legend does not name: did you mean '%s'?", at->text,
                      near);
    else
        yaml_complain(at, b->report, "'unpainted' is '%s', which the legend does not name", at->text);
    free(names);
}

static void check_size(struct world_build *b, struct source *s, const struct source_file *file,
                       bool *decided) {
    struct rect cells = build_file_cells(b->world, file);
    int32_t w = cells.x1 - cells.x0, h = cells.y1 - cells.y0;
    for (int32_t k = -SOURCE_LOG2_MAX; k <= SOURCE_LOG2_MAX; k++) {
        if (build_scaled(w, k) != file->width_px || build_scaled(h, k) != file->height_px)
            continue;
        if (*decided && s->fine_log2 != k)
            build_file_error(b, s, file, STATUS_INPUT,
                             "is %d x %d px for %d x %d cells: the files before have another resolution",
                             (int)file->width_px, (int)file->height_px, (int)w, (int)h);
        else
            s->fine_log2 = k;
        *decided = true;
        return;
    }
    bool posts = file->width_px == w + 1 && file->height_px == h + 1;
    build_file_error(b, s, file, STATUS_INPUT,
                     "is %d x %d px, but %d x %d cells take %d x %d px, or a half, a quarter ... or twice, "
                     "four times ... of both%s",
                     (int)file->width_px, (int)file->height_px, (int)w, (int)h, (int)w, (int)h,
                     posts ? "; masks hold cells, not posts" : "");
}

static void warn_jpeg(struct world_build *b, const struct source *s, const struct source_file *file) {
    report_add(b->report, REPORT_WARNING, STATUS_INPUT, s->yaml_file, s->line, s->column,
               "%s: a JPEG changes colours, which a legend needs exact: save it as PNG", file->name);
}

static void read_file(struct world_build *b, struct world_mask *mask, struct source_file *file,
                      bool *decided) {
    struct image_info info;
    struct error err;
    enum status status = image_probe(file->path, &info, &err);
    if (status == STATUS_OK)
        status = image_check_mask(file->path, &info, &err);
    if (status == STATUS_OK)
        status = image_file_id(file->path, &file->id, &err);
    if (status != STATUS_OK) {
        build_file_error(b, &mask->source, file, status, "%s", err.message);
        return;
    }
    file->width_px = info.width_px;
    file->height_px = info.height_px;
    mask->source.format = info.kind == IMAGE_PNG ? RASTER_PNG : RASTER_STB;
    if (mask->has_legend && info.kind == IMAGE_JPEG)
        warn_jpeg(b, &mask->source, file);
    if (b->extent_known)
        check_size(b, &mask->source, file, decided);
}

void build_mask_files(struct world_build *b) {
    struct world *w = b->world;
    struct yaml_node *masks = yaml_get(b->yaml, "masks");
    for (size_t i = 0; i < w->mask_count; i++) {
        struct world_mask *mask = w->masks + i;
        struct yaml_node *map = mask->source.name ? yaml_get(masks, mask->source.name) : NULL;
        const struct yaml_node *legend = yaml_get(map, "legend"), *unpainted = yaml_get(map, "unpainted");
        bool decided = false;
        mask->has_legend = legend != NULL;
        size_t errors = b->report->errors;
        if (legend)
            build_legend(b, legend, mask);
        mask->legend_wrong = b->report->errors > errors;
        if (unpainted)
            read_unpainted(b, unpainted, mask);
        for (size_t e = 0; e < mask->legend_count; e++)
            if (mask->legend[e].unpainted)
                mask->legend[e].code = mask->unpainted;
        build_source_presence(b, &mask->source, mask->missing);
        for (size_t f = 0; f < mask->source.file_count; f++)
            if (mask->source.files[f].present)
                read_file(b, mask, mask->source.files + f, &decided);
    }
}
