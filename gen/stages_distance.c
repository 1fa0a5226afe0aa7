#include "gen/stages_distance.h"

#include "gen/names.h"
#include "gen/world.h"
#include "terrain/distance.h"
#include <string.h>

static struct distance_params params_of(const struct world *world) {
    double cell_m = world->extent.cell_m, max_m = world->survey.distance_max_m;
    return (struct distance_params){.cell_m = cell_m, .max_m = max_m > cell_m ? max_m : cell_m};
}

static enum status distance_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                   struct error *err) {
    struct distance_params params = params_of(world);
    if (!arg[0])
        return error_set(err, STATUS_INPUT, "distance needs a mask: distance.<mask>");
    /* whether a mask is there that something grown or carved writes, the graph tells later */
    const struct layer_info *mask = strncmp(arg, "mask_", 5) == 0 ? NULL : gen_layer_info(world, arg);
    if (strncmp(arg, "mask_", 5) != 0 && (!mask || mask->type != LAYER_U8))
        return error_set(err, STATUS_INPUT, "distance.%s: there is no mask '%s'", arg, arg);
    if (params.max_m > 4096 * params.cell_m)
        return error_set(err, STATUS_INPUT, "survey.distance_max_m: %g m are more than 4096 cells of %g m",
                         params.max_m, params.cell_m);
    stage_reads(inputs, arg, terrain_distance_reach(&params));
    return STATUS_OK;
}

static bool has_legend(const struct world *world, const char *arg) {
    const struct world_mask *mask = world_find_mask(world, arg);
    return mask && mask->legend_count > 0;
}

static void distance_settings(const struct world *world, const char *arg, struct hasher *h) {
    if (has_legend(world, arg))
        hash_text(h, "ids");
    hash_f64(h, world->survey.distance_max_m);
}

/* The window's cells inside the world: the mask that a layer continues beyond it is not drawn by anybody. */
static struct grid_u8 inside_world(const struct world *world, const struct grid_u8 *window) {
    struct rect r = {window->x0, window->y0, window->x0 + window->width, window->y0 + window->height};
    r = rect_intersect(r, world->extent.cells);
    return (struct grid_u8){
        grid_u8_at(window, r.x0, r.y0), r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0, window->stride};
}

/* Ids as a mask: inside is what has one. */
static bool ids_as_mask(struct grid_u8 *mask, struct arena *scratch) {
    struct grid_u8 ids = *mask;
    mask->stride = ids.width;
    mask->cells = arena_alloc(scratch, (size_t)ids.width * (size_t)ids.height, 1);
    for (int32_t y = ids.y0; mask->cells && y < ids.y0 + ids.height; y++)
        for (int32_t x = ids.x0; x < ids.x0 + ids.width; x++)
            *grid_u8_at(mask, x, y) = *grid_u8_at(&ids, x, y) ? 255 : 0;
    return mask->cells != NULL;
}

static enum status distance_run(struct stage_run *run, struct error *err) {
    struct distance_params params = params_of(run->world);
    struct grid_u8 mask = inside_world(run->world, &run->inputs[0].u8);
    struct grid_u16 out = tile_u16(run->outputs[0]);
    if (has_legend(run->world, run->arg) && !ids_as_mask(&mask, run->scratch))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    return terrain_distance(&params, &mask, &out, run->scratch, err);
}

const struct stage stage_distance = {
    .name = "distance",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "distance.*",
                 .type = LAYER_U16,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0 / DISTANCE_STEPS,
                 .offset = -(double)DISTANCE_ZERO / DISTANCE_STEPS,
                 .unit = "m",
                 .what = "distance to a mask's edge, negative inside, up to survey.distance_max_m"}},
    .inputs = distance_inputs,
    .settings = distance_settings,
    .run = distance_run,
};
