#include "gen/stages_ground.h"

#include "gen/world.h"
#include "terrain/altitude.h"
#include "terrain/slope.h"

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

static enum status slope_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_f32 slope = tile_f32(run->outputs[0]), aspect = tile_f32(run->outputs[1]);
    struct slope_params params = {.cell_m = (float)run->world->extent.cell_m, .posts = run->inputs[0].posts};
    terrain_slope(&params, &run->inputs[0].f32, &slope, &aspect);
    return STATUS_OK;
}

const struct stage stage_slope = {
    .name = "slope",
    .version = 1,
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
