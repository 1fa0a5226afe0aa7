#include "gen/stages_preview.h"
#include "biome/recipe.h"
#include "gen/entity.h"
#include "gen/names.h"
#include "gen/objects.h"
#include "gen/outputs.h"
#include "gen/preview.h"
#include "gen/world.h"

#include <string.h>

static bool has_entities(const struct world *world) {
    return outputs_tool_on(world, TOOL_BIOMES) && gen_layer_info(world, "entities");
}

static enum status preview_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg, (void)err;
    stage_reads(inputs, "height", PREVIEW_REACH + 1);
    stage_reads(inputs, "ground_color", 1);
    if (gen_layer_info(world, "occlusion"))
        stage_reads(inputs, "occlusion", 1);
    if (has_entities(world))
        stage_reads(inputs, "entities", PREVIEW_REACH);
    return STATUS_OK;
}

/* What a crown looks like beyond what its entity says. */
static void preview_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct recipe *recipe = has_entities(world) ? world->recipe : NULL;
    for (int32_t i = 0; recipe && i < recipe->species_count; i++) {
        const struct recipe_species *s = &recipe->species[i];
        hash_u64(h, (uint64_t)s->crown);
        hash_f64(h, (double)s->crown_radius_m);
        hash_f64(h, (double)s->height_full_m);
        hash_u64(h, (uint64_t)s->size_count);
        for (int32_t k = 0; k < s->size_count; k++) {
            hash_u64(h, s->sizes[k].object_id);
            hash_text(h, s->sizes[k].asset);
            hash_f64(h, (double)s->sizes[k].height_m);
        }
    }
}

/* ---- entities to crowns ---- */

struct crowns {
    const struct world *world;
    struct object_table objects;
    struct rect cells;           /* what may stand where: the section grown by the reach */
    struct preview_crown *items; /* NULL while counting */
    size_t count;
};

static bool shape_of(enum recipe_crown crown, enum preview_shape *shape) {
    switch (crown) {
    case CROWN_CONE:
        *shape = SHAPE_CONE;
        return true;
    case CROWN_BLOB:
        *shape = SHAPE_BLOB;
        return true;
    case CROWN_FLAT:
        *shape = SHAPE_FLAT;
        return true;
    case CROWN_ROCK:
        *shape = SHAPE_ROCK;
        return true;
    case CROWN_NONE:
    case CROWN_COUNT:
        break;
    }
    return false;
}

/* False: not drawn. */
static bool crown_of(const struct crowns *crowns, const struct entity *e, struct preview_crown *out) {
    double per_m = 1 / crowns->world->extent.cell_m;
    double x = entity_metres(e->x) * per_m, y = entity_metres(e->y) * per_m;
    struct rect r = crowns->cells;
    const struct object *object = objects_find(&crowns->objects, e->object_id);
    enum preview_shape shape;
    if (!object || !(x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1))
        return false;
    const struct recipe_species *s = &crowns->world->recipe->species[object->species];
    if (!shape_of(s->crown, &shape))
        return false;
    float height_m = s->sizes[object->size].height_m * e->scale;
    *out = (struct preview_crown){
        x, y, height_m, recipe_crown_radius_m(s, height_m), shape, {e->r, e->g, e->b}, e->id};
    return true;
}

static enum status add_part(struct crowns *crowns, const unsigned char *bytes, size_t size,
                            struct error *err) {
    struct entity_part part;
    enum status status = size ? entity_part_open(bytes, size, &part, err) : STATUS_OK;
    if (size == 0 || status != STATUS_OK)
        return status;
    if (!crowns->items) {
        crowns->count += part.count;
        return STATUS_OK;
    }
    size_t stride = entity_stride(&part.schema);
    for (size_t i = 0; i < part.count; i++) {
        struct entity e;
        entity_decode(&part.schema, part.records + i * stride, &e);
        crowns->count += crown_of(crowns, &e, &crowns->items[crowns->count]);
    }
    return STATUS_OK;
}

/* Sections row by row from the south-west, sectors likewise, entities by id: of any two the order is the same
 * in every picture. */
static enum status add_parts(struct crowns *crowns, const struct window *window, struct error *err) {
    struct rect s = window->sections;
    const struct tile *const *tile = window->tiles;
    for (int32_t sy = s.y0; sy < s.y1; sy++)
        for (int32_t sx = s.x0; sx < s.x1; sx++, tile++)
            for (int32_t i = 0; *tile && i < SECTORS_PER_SECTION; i++) {
                int32_t x = (sx * SECTION_SECTORS + i % SECTION_SECTORS) * SECTOR_CELLS;
                int32_t y = (sy * SECTION_SECTORS + i / SECTION_SECTORS) * SECTOR_CELLS;
                struct rect sector = {x, y, x + SECTOR_CELLS, y + SECTOR_CELLS};
                if (rect_empty(rect_intersect(sector, crowns->cells)))
                    continue;
                size_t at = (*tile)->part_at[i];
                enum status status = add_part(crowns, (*tile)->bytes + at, (*tile)->part_at[i + 1] - at, err);
                if (status != STATUS_OK)
                    return status;
            }
    return STATUS_OK;
}

static enum status gather(struct crowns *crowns, const struct window *window, struct arena *scratch,
                          struct error *err) {
    enum status status = objects_of(crowns->world->recipe, &crowns->objects, err);
    if (status == STATUS_OK)
        status = add_parts(crowns, window, err);
    if (status == STATUS_OK) {
        crowns->items = arena_alloc(scratch, crowns->count + 1, sizeof *crowns->items);
        crowns->count = 0;
        status = crowns->items ? add_parts(crowns, window, err)
                               : error_set(err, STATUS_LIMIT, "out of scratch memory");
    }
    objects_free(&crowns->objects);
    return status;
}

/* ---- the stage ---- */

static enum status preview_run(struct stage_run *run, struct error *err) {
    const struct window *next = run->inputs;
    struct crowns crowns = {.world = run->world, .cells = rect_grow(run->cells, PREVIEW_REACH)};
    struct preview_input in = {.cell_m = run->world->extent.cell_m, .posts = next[0].posts};
    in.height_m = &next[0].f32;
    in.ground_color = &next[1].u8;
    next += 2;
    if (gen_layer_info(run->world, "occlusion"))
        in.occlusion = next++;
    if (has_entities(run->world)) {
        enum status status = gather(&crowns, next, run->scratch, err);
        if (status != STATUS_OK)
            return status;
    }
    in.crowns = crowns.items;
    in.crown_count = crowns.count;
    const void *parts[16] = {NULL};
    size_t sizes[16] = {0};
    sizes[0] = (size_t)(run->cells.x1 - run->cells.x0) * PREVIEW_FINE *
               (size_t)(run->cells.y1 - run->cells.y0) * PREVIEW_FINE * 3;
    uint8_t *rgb = arena_alloc(run->scratch, sizes[0], 1);
    if (!rgb)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    parts[0] = rgb;
    enum status status = preview_draw(&in, run->cells, rgb, run->scratch, err);
    if (status == STATUS_OK && !tile_set_parts(run->outputs[0], parts, sizes))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    return status;
}

const struct stage stage_preview = {
    .name = "preview",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "preview",
                 .type = LAYER_BLOB,
                 .what = "the aerial picture's pixels: lit ground, crowns and shadows"}},
    .inputs = preview_inputs,
    .settings = preview_settings,
    .run = preview_run,
};

enum status preview_assemble(const struct window *window, struct rect cells, struct raster *image,
                             struct error *err) {
    enum status status = raster_new(KIND_RGB8, (cells.x1 - cells.x0) * PREVIEW_FINE,
                                    (cells.y1 - cells.y0) * PREVIEW_FINE, image, err);
    if (status != STATUS_OK)
        return status;
    struct rect s = window->sections;
    const struct tile *const *tile = window->tiles;
    for (int32_t i = 0; i < (s.x1 - s.x0) * (s.y1 - s.y0); i++, tile++) {
        if (!*tile)
            continue;
        struct rect c = (*tile)->cells, part = rect_intersect(c, cells);
        if (rect_empty(part))
            continue;
        size_t row = (size_t)(c.x1 - c.x0) * PREVIEW_FINE * 3, rows = (size_t)(c.y1 - c.y0) * PREVIEW_FINE;
        if (memcmp(&part, &c, sizeof c) != 0 || (*tile)->part_at[1] - (*tile)->part_at[0] != row * rows) {
            raster_free(image);
            return error_set(err, STATUS_FAULT, "a section's preview has another size than its cells");
        }
        unsigned char *to = image->samples +
                            (size_t)(c.y0 - cells.y0) * PREVIEW_FINE * raster_row_size(image) +
                            (size_t)(c.x0 - cells.x0) * PREVIEW_FINE * 3;
        for (size_t y = 0; y < rows; y++)
            memcpy(to + y * raster_row_size(image), (*tile)->bytes + (*tile)->part_at[0] + y * row, row);
    }
    return STATUS_OK;
}
