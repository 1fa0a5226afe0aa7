#include "gen/stages_preview.h"

#include "biome/recipe.h"
#include "gen/entity.h"
#include "gen/hasher.h"
#include "gen/objects.h"
#include "gen/preview.h"
#include "gen/world.h"
#include "terrain/extend.h"

#include <math.h>
#include <string.h>

static enum status preview_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg;
    (void)err;
    stage_reads(inputs, "height", PREVIEW_REACH + 1);
    stage_reads(inputs, "ground_color", 1);
    stage_reads(inputs, "occlusion", 1);
    if (world->recipe) { /* a sector's may stand beyond its border, by their offsets */
        double moved_m = (double)recipe_offset_most_m(world->recipe, false);
        stage_reads(inputs, "entities", PREVIEW_REACH + (int32_t)ceil(moved_m / world->extent.cell_m));
    }
    if (world_has_tool(world, TOOL_CLIFFS))
        stage_reads(inputs, "cliff_rise", PREVIEW_REACH + 2);
    return STATUS_OK;
}

/* How assets look: kinds of crown and their sizes. */
static void preview_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct recipe *recipe = world->recipe;
    for (int32_t i = 0; recipe && i < recipe->species_count; i++) {
        const struct recipe_species *s = &recipe->species[i];
        hash_u64(h, (uint64_t)s->crown);
        hash_f64(h, (double)s->crown_radius_m);
        hash_f64(h, (double)s->height_full_m);
        for (int32_t c = 0; c < s->size_count; c++) {
            hash_text(h, s->sizes[c].asset);
            hash_f64(h, (double)s->sizes[c].height_m);
        }
    }
}

/* False: what shows nothing from above. */
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

static bool crown_of(const struct recipe *recipe, const struct object_table *objects, const struct entity *e,
                     double cell_m, struct preview_crown *crown) {
    const struct object *object = objects_find(objects, e->object_id);
    if (!object)
        return false;
    const struct recipe_species *species = &recipe->species[object->species];
    if (!shape_of(species->crown, &crown->shape))
        return false;
    crown->x = entity_metres(e->x) / cell_m;
    crown->y = entity_metres(e->y) / cell_m;
    crown->height_m = e->scale * species->sizes[object->size].height_m;
    crown->radius_m = recipe_crown_radius_m(species, crown->height_m);
    crown->rgb[0] = e->r;
    crown->rgb[1] = e->g;
    crown->rgb[2] = e->b;
    crown->id = e->id;
    return crown->radius_m > 0.0f && crown->height_m > 0.0f;
}

static struct rect sector_of(const struct extent *extent, const struct tile *section, int32_t i) {
    int32_t x = floor_div(section->cells.x0, SECTION_CELLS) * SECTION_SECTORS + i % SECTION_SECTORS;
    int32_t y = floor_div(section->cells.y0, SECTION_CELLS) * SECTION_SECTORS + i / SECTION_SECTORS;
    return extent_block(extent, x, y, SECTOR_CELLS);
}

/* All crowns of the window's tiles that can show in the section, tile by tile, sector by sector: the same
 * order from wherever it is seen (rows of sections from the south, sectors and ids within). */
static enum status take_crowns(const struct stage_run *run, const struct window *entities,
                               const struct object_table *objects, struct preview_crown *crowns,
                               size_t *count, struct error *err) {
    struct rect s = entities->sections;
    size_t tiles = (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0);
    *count = 0;
    for (size_t t = 0; t < tiles; t++)
        for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
            const struct tile *tile = entities->tiles[t];
            struct entity_part part;
            struct rect sector = sector_of(&run->world->extent, tile, i);
            if (rect_empty(rect_intersect(sector, preview_ground(run->cells))))
                continue;
            enum status status = entity_part_open(tile->bytes + tile->part_at[i],
                                                  tile->part_at[i + 1] - tile->part_at[i], &part, err);
            if (status != STATUS_OK)
                return status;
            for (size_t k = 0; k < part.count; k++) {
                struct entity e;
                entity_decode(&part.schema, part.records + k * entity_stride(&part.schema), &e);
                struct preview_crown *crown = &crowns[*count];
                double cell_m = run->world->extent.cell_m;
                *count += crown_of(run->world->recipe, objects, &e, cell_m, crown) &&
                          preview_shows(crown, cell_m, run->cells);
            }
        }
    return STATUS_OK;
}

static size_t crown_room(const struct window *entities) {
    struct rect s = entities->sections;
    size_t tiles = (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0), bytes = 0;
    for (size_t t = 0; t < tiles; t++)
        bytes += entities->tiles[t]->size;
    return bytes / ENTITY_BYTES + 1;
}

/* A copy of the heights, to be changed. */
static bool own_heights(struct grid_f32 *heights, struct arena *scratch) {
    size_t width = (size_t)heights->width;
    float *cells = arena_alloc(scratch, width * (size_t)heights->height, sizeof *cells);
    for (int32_t y = 0; cells && y < heights->height; y++)
        memcpy(cells + (size_t)y * width, heights->cells + (ptrdiff_t)y * heights->stride,
               width * sizeof *cells);
    heights->cells = cells;
    heights->stride = heights->width;
    return cells != NULL;
}

/* Puts the rock on the ground; posts take the mean of the cells around them. */
static void add_rock(const struct window *rise, const struct grid_f32 *heights, bool posts) {
    for (int32_t y = heights->y0; y < heights->y0 + heights->height; y++)
        for (int32_t x = heights->x0; x < heights->x0 + heights->width; x++) {
            float rock = *grid_f32_at(&rise->f32, x, y);
            if (posts)
                rock = 0.25f * (rock + *grid_f32_at(&rise->f32, x - 1, y) +
                                *grid_f32_at(&rise->f32, x, y - 1) + *grid_f32_at(&rise->f32, x - 1, y - 1));
            *grid_f32_at(heights, x, y) += rock;
        }
}

enum { STRAIGHT_CELLS = 2 }; /* what a pixel's light is taken from */

/* Beyond the world's edge, `inside`, the ground goes on straight, or slopes along the edge would be lit as if
 * they ended there. */
static void extend_heights(const struct grid_f32 *heights, struct rect inside) {
    int32_t x = inside.x0 - heights->x0, y = inside.y0 - heights->y0;
    for (int32_t v = y; v < inside.y1 - heights->y0; v++)
        terrain_extend_line(heights->cells + (ptrdiff_t)v * heights->stride, 1, x,
                            inside.x1 - 1 - heights->x0, heights->width, STRAIGHT_CELLS);
    for (int32_t u = 0; u < heights->width; u++)
        terrain_extend_line(heights->cells + u, heights->stride, y, inside.y1 - 1 - heights->y0,
                            heights->height, STRAIGHT_CELLS);
}

/* heights: the window's, as they are to be drawn. */
static bool heights_to_draw(const struct stage_run *run, const struct window *rise,
                            struct grid_f32 *heights) {
    bool posts = run->inputs[0].posts;
    struct rect window = {heights->x0, heights->y0, heights->x0 + heights->width,
                          heights->y0 + heights->height};
    struct rect inside = run->world->extent.cells;
    inside.x1 += posts, inside.y1 += posts;
    inside = rect_intersect(inside, window);
    bool beyond = memcmp(&inside, &window, sizeof inside) != 0;
    if ((rise || beyond) && !own_heights(heights, run->scratch))
        return false;
    if (rise)
        add_rock(rise, heights, posts);
    if (beyond)
        extend_heights(heights, inside);
    return true;
}

/* The pixels of each sector for itself. */
static enum status publish_pixels(struct stage_run *run, const uint8_t *rgb, struct error *err) {
    const void *parts[16] = {NULL};
    size_t sizes[16] = {0};
    struct rect all = run->cells;
    size_t row = (size_t)(all.x1 - all.x0) * PREVIEW_FINE * 3;
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        struct rect c = rect_intersect(sector_of(&run->world->extent, run->outputs[0], i), all);
        if (rect_empty(c))
            continue;
        size_t width = (size_t)(c.x1 - c.x0) * PREVIEW_FINE * 3,
               height = (size_t)(c.y1 - c.y0) * PREVIEW_FINE;
        uint8_t *part = arena_alloc(run->scratch, width * height, 1);
        if (!part)
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        const uint8_t *from =
            rgb + (size_t)(c.y0 - all.y0) * PREVIEW_FINE * row + (size_t)(c.x0 - all.x0) * PREVIEW_FINE * 3;
        for (size_t y = 0; y < height; y++)
            memcpy(part + y * width, from + y * row, width);
        parts[i] = part;
        sizes[i] = width * height;
    }
    return tile_set_parts(run->outputs[0], parts, sizes) ? STATUS_OK
                                                         : error_set(err, STATUS_LIMIT, "out of memory");
}

static enum status preview_run(struct stage_run *run, struct error *err) {
    struct grid_f32 heights = run->inputs[0].f32;
    const struct window *rise = &run->inputs[run->world->recipe ? 4 : 3];
    bool rocks = world_has_tool(run->world, TOOL_CLIFFS);
    if (!heights_to_draw(run, rocks ? rise : NULL, &heights))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    struct object_table objects = {0};
    struct preview_input input = {.cell_m = run->world->extent.cell_m,
                                  .posts = run->inputs[0].posts,
                                  .height_m = &heights,
                                  .ground_color = &run->inputs[1].u8,
                                  .occlusion = &run->inputs[2],
                                  .rock_m = rocks ? &rise->f32 : NULL};
    enum status status = STATUS_OK;
    if (run->world->recipe) {
        struct preview_crown *crowns = arena_alloc(run->scratch, crown_room(&run->inputs[3]), sizeof *crowns);
        status = crowns ? objects_of(run->world->recipe, &objects, err)
                        : error_set(err, STATUS_LIMIT, "out of scratch memory");
        if (status == STATUS_OK)
            status = take_crowns(run, &run->inputs[3], &objects, crowns, &input.crown_count, err);
        input.crowns = crowns;
    }
    size_t size = (size_t)(run->cells.x1 - run->cells.x0) * (size_t)(run->cells.y1 - run->cells.y0) *
                  PREVIEW_FINE * PREVIEW_FINE * 3;
    uint8_t *rgb = arena_alloc(run->scratch, size, 1);
    if (status == STATUS_OK && !rgb)
        status = error_set(err, STATUS_LIMIT, "out of scratch memory");
    if (status == STATUS_OK)
        status = preview_draw(&input, run->cells, rgb, run->scratch, err);
    if (status == STATUS_OK)
        status = publish_pixels(run, rgb, err);
    objects_free(&objects);
    return status;
}

const struct stage stage_preview = {
    .name = "preview",
    .version = 10,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs =
        {{.name = "aerial", .type = LAYER_BLOB, .by_sector = true, .what = "the aerial picture's pixels"}},
    .inputs = preview_inputs,
    .settings = preview_settings,
    .run = preview_run,
};
