/* The displacement images of cliffs: which files, how wide, how deep; decoded when the world is loaded. */
#include "gen/image.h"
#include "gen/world_build.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 2048 };
static const double depth_most_m = 1.5;

static void read_one(struct world_build *b, struct yaml_node *one) {
    struct cliff_settings *s = &b->world->cliffs;
    const char *file = NULL;
    struct cliff_picture *p = &s->images[s->image_count];
    *p = (struct cliff_picture){.tile_m = 16, .depth_m = 0.4};
    bool has = yaml_get_text(one, "file", &file, b->report);
    yaml_get_f64(one, "tile_m", 1, 1000, "m", &p->tile_m, b->report);
    yaml_get_f64(one, "depth_m", 0, 1, "m", &p->depth_m, b->report);
    yaml_unknown_keys(one, "cliffs.displacement", b->report);
    if (!has) {
        if (!yaml_get(one, "file"))
            yaml_complain(one, b->report, "'file' is missing in cliffs.displacement");
        return;
    }
    struct yaml_node *at = yaml_get(one, "file");
    p->line = at->line;
    p->column = at->column;
    p->written = build_copy(b, file);
    p->path = build_path(b, at, file);
    s->image_count++;
}

void build_cliff_images(struct world_build *b, struct yaml_node *map) {
    struct cliff_settings *s = &b->world->cliffs;
    struct yaml_node *list = map ? yaml_get_list(map, "displacement", b->report) : NULL;
    double depth = 0;
    if (list && list->count > CLIFF_IMAGES_MAX) {
        yaml_complain(list, b->report, "cliffs.displacement has at most %d images, not %zu", CLIFF_IMAGES_MAX,
                      list->count);
        return;
    }
    for (size_t i = 0; list && i < list->count; i++) {
        if (list->items[i]->kind != YAML_MAP)
            yaml_complain(
                list->items[i], b->report,
                "cliffs.displacement holds maps, as in {file: art/cracks.png, tile_m: 16, depth_m: 0.4}");
        else
            read_one(b, list->items[i]);
    }
    for (size_t i = 0; i < s->image_count; i++)
        depth += s->images[i].depth_m;
    if (depth > depth_most_m)
        yaml_complain(list, b->report, "the depths of cliffs.displacement add up to %g m, more than %g m",
                      depth, depth_most_m);
}

static enum status take_row(void *context, int32_t row, const void *samples, struct error *err) {
    struct cliff_picture *p = context;
    const uint8_t *rgba = samples;
    (void)err;
    for (int32_t x = 0; x < p->width_px; x++)
        p->pixels[(size_t)row * (size_t)p->width_px + (size_t)x] = rgba[4 * x];
    return STATUS_OK;
}

static enum status decode(struct world_build *b, struct cliff_picture *p, struct error *err) {
    struct image_request request = {.form = IMAGE_RGBA8, .id = &p->id};
    enum status status = image_probe(p->path, &request.info, err);
    if (status == STATUS_OK)
        status = image_check_mask(p->path, &request.info, err);
    if (status == STATUS_OK)
        status = image_file_id(p->path, &p->id, err);
    if (status != STATUS_OK)
        return status;
    if (request.info.channels >= 3 || request.info.palette)
        return error_set(err, STATUS_INPUT, "is a colour image: save it as grey");
    if (request.info.width_px > SIDE_MAX || request.info.height_px > SIDE_MAX)
        return error_set(err, STATUS_INPUT, "is %d x %d px; displacement images have at most %d x %d",
                         (int)request.info.width_px, (int)request.info.height_px, SIDE_MAX, SIDE_MAX);
    p->width_px = request.info.width_px;
    p->height_px = request.info.height_px;
    p->pixels = build_alloc(b, (size_t)p->width_px * (size_t)p->height_px, 1);
    if (!p->pixels)
        return error_set(err, STATUS_LIMIT, "out of memory");
    struct image_rows rows = {take_row, p};
    return image_read(p->path, &request, &rows, err);
}

void build_cliff_image_files(struct world_build *b) {
    struct cliff_settings *s = &b->world->cliffs;
    for (size_t i = 0; i < s->image_count && world_has_tool(b->world, TOOL_CLIFFS); i++) {
        struct error err;
        struct cliff_picture *p = &s->images[i];
        enum status status = p->path ? decode(b, p, &err) : STATUS_OK;
        if (status != STATUS_OK)
            report_add(b->report, REPORT_ERROR, status, b->world->path, p->line, p->column, "%s: %s",
                       p->written ? p->written : "", err.message);
    }
}

void build_cliff_images_free(struct cliff_settings *s) {
    for (size_t i = 0; i < s->image_count; i++) {
        free(s->images[i].written);
        free(s->images[i].path);
        free(s->images[i].pixels);
    }
}
