#include "gen/stages_ground.h"

#include "terrain/altitude.h"
#include "terrain/curvature.h"
#include "terrain/hash.h"
#include "terrain/slope.h"
#include <string.h>

static bool world_posts(const struct world *world) {
    return world->height.samples == SAMPLES_POSTS;
}

/* ---- altitude ---- */

static enum status altitude_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                   struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "ground", 0);
    return STATUS_OK;
}

static enum status altitude_in_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                      struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "height_in", 0);
    return STATUS_OK;
}

static enum status altitude_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_f32 out = tile_f32(run->outputs[0]);
    terrain_altitude(run->inputs[0].posts, &run->inputs[0].f32, &out);
    return STATUS_OK;
}

const struct stage stage_altitude = {
    .name = "altitude",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "altitude",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "m",
                 .what = "height of the ground at the cell's centre, after rivers and roads shaped it"}},
    .inputs = altitude_inputs,
    .run = altitude_run,
};

const struct stage stage_altitude_in = {
    .name = "altitude_in",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "altitude_in",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "m",
                 .what = "height of the input ground at the cell's centre"}},
    .inputs = altitude_in_inputs,
    .run = altitude_run,
};

/* ---- latitude, longitude ---- */

static enum status latlong_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)world, (void)arg, (void)inputs, (void)err;
    return STATUS_OK;
}

static enum status latlong_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct rect world = run->world->extent.cells;
    struct grid_f32 latitude = tile_f32(run->outputs[0]), longitude = tile_f32(run->outputs[1]);
    terrain_latitude(world.y0, world.y1 - world.y0, &latitude);
    terrain_longitude(world.x0, world.x1 - world.x0, &longitude);
    return STATUS_OK;
}

const struct stage stage_latlong = {
    .name = "latlong",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "latitude",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "",
                 .min = 0.0,
                 .max = 1.0,
                 .what = "0 at the world's south edge .. 1 at its north edge"},
                {.name = "longitude",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "",
                 .min = 0.0,
                 .max = 1.0,
                 .what = "0 at the world's west edge .. 1 at its east edge"}},
    .inputs = latlong_inputs,
    .run = latlong_run,
};

/* ---- slope, aspect ---- */

static enum status slope_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    (void)arg, (void)err;
    stage_reads(inputs, "ground", slope_reach(world_posts(world)));
    return STATUS_OK;
}

/* The window of heights for a gradient: at the world's edge a copy in the arena whose rim goes on straight.
 * False: too little scratch. */
static bool gradient_ground(const struct stage_run *run, const struct window *window, struct grid_f32 *out) {
    struct rect w = run->world->extent.cells;
    *out = window->f32;
    if (window->posts ||
        (out->x0 >= w.x0 && out->y0 >= w.y0 && out->x0 + out->width <= w.x1 && out->y0 + out->height <= w.y1))
        return true;
    size_t width = (size_t)out->width, height = (size_t)out->height;
    float *cells = arena_alloc(run->scratch, width * height, sizeof *cells);
    if (!cells)
        return false;
    for (size_t y = 0; y < height; y++)
        memcpy(cells + y * width, grid_f32_at(out, out->x0, out->y0 + (int32_t)y), width * sizeof *cells);
    *out = (struct grid_f32){cells, out->x0, out->y0, out->width, out->height, out->width};
    terrain_slope_rim(out, w.x0, w.y0, w.x1, w.y1);
    return true;
}

static enum status slope_run(struct stage_run *run, struct error *err) {
    struct grid_f32 slope = tile_f32(run->outputs[0]), aspect = tile_f32(run->outputs[1]), ground;
    struct slope_params params = {.cell_m = (float)run->world->extent.cell_m, .posts = run->inputs[0].posts};
    if (!gradient_ground(run, &run->inputs[0], &ground))
        return error_set(err, STATUS_LIMIT, "slope: too little scratch memory");
    terrain_slope(&params, &ground, &slope, &aspect);
    return STATUS_OK;
}

const struct stage stage_slope = {
    .name = "slope",
    .version = 2,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "slope",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "degrees",
                 .min = 0.0,
                 .max = 90.0,
                 .what = "steepness of the ground, 0 flat .. 90"},
                {.name = "aspect",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "degrees",
                 .min = -1.0,
                 .max = 360.0,
                 .what = "where the ground falls to, clockwise from north; flat: -1"}},
    .inputs = slope_inputs,
    .run = slope_run,
};

/* ---- curvature ---- */

static struct curvature_params curvature_of(const struct world *world) {
    return (struct curvature_params){.cell_m = world->extent.cell_m,
                                     .scale_m = world->survey.curvature_scale_m};
}

static enum status curvature_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                    struct error *err) {
    (void)arg, (void)err;
    struct curvature_params params = curvature_of(world);
    stage_reads(inputs, "altitude", curvature_reach(&params));
    return STATUS_OK;
}

static void curvature_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_f64(h, world->survey.curvature_scale_m);
}

static enum status curvature_run(struct stage_run *run, struct error *err) {
    struct grid_f32 all = tile_f32(run->outputs[0]), profile = tile_f32(run->outputs[1]);
    struct grid_f32 plan = tile_f32(run->outputs[2]);
    struct curvature_params params = curvature_of(run->world);
    if (!terrain_curvature(&params, &run->inputs[0].f32, &all, &profile, &plan, run->scratch))
        return error_set(err, STATUS_LIMIT, "curvature: too little scratch memory");
    return STATUS_OK;
}

#define CURVATURE_LAYER(layer, text)                                                                         \
    { .name = layer, .type = LAYER_F32, .edge = EDGE_CLAMP, .scale = 1.0, .unit = "1/m", .what = text }

const struct stage stage_curvature = {
    .name = "curvature",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {CURVATURE_LAYER("curvature", "bulging (ridges, above 0) or hollow (below 0) ground"),
                CURVATURE_LAYER("curvature_profile", "the part of curvature along the line of fall"),
                CURVATURE_LAYER("curvature_plan", "the part of curvature across the line of fall")},
    .inputs = curvature_inputs,
    .settings = curvature_settings,
    .run = curvature_run,
};

/* ---- noise ---- */

bool gen_noise_prepare(const struct world *world, const struct noise_def *def, struct noise *noise) {
    double cell_m = world->extent.cell_m;
    struct noise_params params = {.scale_cells = def->scale_m / cell_m,
                                  .octaves = def->octaves,
                                  .gain = def->gain,
                                  .lacunarity = def->lacunarity,
                                  .offset_cells = {def->offset_m[0] / cell_m, def->offset_m[1] / cell_m},
                                  .seed = hash_mix(world->seed + def->seed) + hash_name(def->name)};
    return noise_prepare(&params, noise);
}

static enum status noise_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    const struct noise_def *def = world_find_noise(world, arg);
    if (!def)
        return error_set(err, STATUS_INPUT, "no noise is named '%s'", arg);
    if (def->normal_influence != 0.0)
        stage_reads(inputs, "ground", slope_reach(world_posts(world)));
    return STATUS_OK;
}

static void noise_settings(const struct world *world, const char *arg, struct hasher *h) {
    const struct noise_def *def = world_find_noise(world, arg);
    if (!def)
        return; /* noise_inputs has said so */
    hash_text(h, def->name);
    hash_f64(h, def->scale_m);
    hash_u64(h, (uint64_t)def->octaves);
    hash_f64(h, def->gain);
    hash_f64(h, def->lacunarity);
    hash_f64(h, def->offset_m[0]);
    hash_f64(h, def->offset_m[1]);
    hash_u64(h, def->seed);
    hash_f64(h, def->normal_influence);
}

/* A grid over the section's cells in the arena; no cells when it is too small. */
static struct grid_f32 scratch_grid(const struct stage_run *run) {
    struct rect r = run->cells;
    struct grid_f32 g = {NULL, r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0, r.x1 - r.x0};
    g.cells = arena_alloc(run->scratch, (size_t)g.width * (size_t)g.height, sizeof *g.cells);
    return g;
}

static bool noise_values(const struct stage_run *run, const struct noise_def *def, const struct noise *noise,
                         struct grid_f32 *out) {
    if (def->normal_influence == 0.0)
        return noise_grid(noise, out, run->scratch);
    double cell_m = run->world->extent.cell_m;
    struct grid_f32 east = scratch_grid(run), north = scratch_grid(run), ground;
    if (!east.cells || !north.cells || !gradient_ground(run, &run->inputs[0], &ground))
        return false;
    struct slope_params params = {.cell_m = (float)cell_m, .posts = run->inputs[0].posts};
    terrain_gradient(&params, &ground, &east, &north);
    return noise_grid_warped(noise, (float)(def->normal_influence / cell_m), &east, &north, out,
                             run->scratch);
}

static enum status noise_run(struct stage_run *run, struct error *err) {
    const struct noise_def *def = world_find_noise(run->world, run->arg);
    struct noise noise;
    if (!def || !gen_noise_prepare(run->world, def, &noise))
        return error_set(err, STATUS_INPUT, "noise.%s: a setting is out of range", run->arg);
    struct grid_f32 values = scratch_grid(run);
    if (!values.cells || !noise_values(run, def, &noise, &values))
        return error_set(err, STATUS_LIMIT, "noise.%s: too little scratch memory", run->arg);
    struct grid_u16 out = tile_u16(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++) {
        const float *from = grid_f32_at(&values, out.x0, y);
        uint16_t *to = grid_u16_at(&out, out.x0, y);
        for (int32_t x = 0; x < out.width; x++)
            to[x] = (uint16_t)(int32_t)(from[x] * 65535.0f + 0.5f);
    }
    return STATUS_OK;
}

const struct stage stage_noise = {
    .name = "noise",
    .version = 2,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "noise.*",
                 .type = LAYER_U16,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0 / 65535.0,
                 .unit = "",
                 .min = 0.0,
                 .max = 1.0,
                 .what = "gradient noise of the world's `noise` settings, spread evenly over 0..1"}},
    .inputs = noise_inputs,
    .settings = noise_settings,
    .run = noise_run,
};
