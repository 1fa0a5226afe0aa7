#include "gen/stages_horizon.h"

#include "gen/world.h"
#include "terrain/horizon.h"
#include "terrain/light.h"
#include "terrain/math.h"
#include "terrain/relief.h"

/* ---- relief_coarse ---- */

static enum status relief_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                 struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "altitude", 0);
    return STATUS_OK;
}

static enum status relief_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_f32 blocks = tile_f32(run->outputs[0]);
    relief_blocks(&run->inputs[0].f32, &blocks);
    return STATUS_OK;
}

const struct stage stage_relief_coarse = {
    .name = "relief_coarse",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true, /* sections kilometres away need it, and little else of this one */
    .outputs = {{.name = "relief_coarse",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .coarse_log2 = 4,
                 .scale = 1.0,
                 .unit = "m",
                 .what = "mean height of 16 x 16 cells: the far relief that casts shadows"}},
    .inputs = relief_inputs,
    .run = relief_run,
};

/* ---- occlusion, illumination ---- */

static struct light_params light_params(const struct world *world) {
    return (struct light_params){.cell_m = world->extent.cell_m,
                                 .radius_m = world->survey.horizon_radius_m,
                                 .far_radius_m = world->survey.far_radius_m,
                                 .latitude_rad = world->latitude_deg * MATH_RAD,
                                 .directions = world->survey.horizon_directions};
}

/* ---- far_horizon ---- */

static void horizon_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_f64(h, world->survey.horizon_radius_m);
    hash_f64(h, world->survey.far_radius_m);
    hash_u64(h, (uint64_t)world->survey.horizon_directions);
    hash_f64(h, world->latitude_deg);
}

static enum status far_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                              struct error *err) {
    (void)arg, (void)err;
    struct light_params params = light_params(world);
    if (light_uses_far(&params))
        stage_reads(inputs, "relief_coarse", light_far_reach(&params));
    return STATUS_OK;
}

static enum status far_run(struct stage_run *run, struct error *err) {
    struct light_params params = light_params(run->world);
    struct rect c = run->cells;
    size_t count = light_far_count(&params, c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0);
    float *far = arena_alloc(run->scratch, count, sizeof *far);
    if (!far)
        return error_set(err, STATUS_LIMIT, "far_horizon: not enough scratch memory");
    if (count)
        light_far(&params, &run->inputs[0].f32, c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0, far);
    const void *parts[16] = {far};
    size_t sizes[16] = {count * sizeof *far};
    return tile_set_parts(run->outputs[0], parts, sizes) ? STATUS_OK
                                                         : error_set(err, STATUS_LIMIT, "out of memory");
}

const struct stage stage_far_horizon = {
    .name = "far_horizon",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "far_horizon", .type = LAYER_BLOB, .what = "the horizons that far relief raises"}},
    .inputs = far_inputs,
    .settings = horizon_settings,
    .run = far_run,
};

/* ---- horizon ---- */

static enum status horizon_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg;
    struct light_params params = light_params(world);
    if (params.radius_m / params.cell_m > HORIZON_CELLS_MAX)
        return error_set(err, STATUS_LIMIT, "the horizon's radius of %g m is more than %d cells of %g m",
                         params.radius_m, HORIZON_CELLS_MAX, params.cell_m);
    stage_reads(inputs, "altitude", light_reach(&params));
    stage_reads(inputs, "far_horizon", 0);
    return STATUS_OK;
}

static struct grid_f32 window_of(struct rect c) {
    return (struct grid_f32){NULL, c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0, c.x1 - c.x0};
}

/* The far horizons of the cells asked for, of those of the section. */
static float *far_of(const struct stage_run *run, const struct light_params *params) {
    const struct tile *section = run->inputs[1].tiles[0];
    float *far = (float *)(void *)section->bytes; /* malloc'ed: aligned for floats */
    struct grid_f32 whole = window_of(section->cells), part = window_of(run->cells);
    if (part.width == whole.width && part.height == whole.height)
        return far;
    size_t count = light_far_count(params, part.x0, part.y0, part.width, part.height);
    float *out = arena_alloc(run->scratch, count, sizeof *out);
    if (out)
        light_far_part(params, &whole, far, &part, out);
    return out;
}

static enum status horizon_run(struct stage_run *run, struct error *err) {
    struct light_params params = light_params(run->world);
    struct grid_u8 occlusion = tile_u8(run->outputs[0]), illumination = tile_u8(run->outputs[1]);
    float *far = far_of(run, &params);
    if (!far || !light_make(&params, &run->inputs[0].f32, far, &occlusion, &illumination, run->scratch))
        return error_set(err, STATUS_LIMIT, "horizon: not enough scratch memory");
    return STATUS_OK;
}

const struct stage stage_horizon = {
    .name = "horizon",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "occlusion",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0 / 255.0,
                 .unit = "",
                 .min = 0.0,
                 .max = 1.0,
                 .what = "how much of the sky near relief hides: 0 open .. 1 shut (1 - sky-view factor)"},
                {.name = "illumination",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0 / 255.0,
                 .unit = "",
                 .min = 0.0,
                 .max = 1.0,
                 .what = "the year's direct sun, 1: what the best open slope gets at this latitude"}},
    .inputs = horizon_inputs,
    .settings = horizon_settings,
    .run = horizon_run,
};
