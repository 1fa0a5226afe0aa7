#include "gen/stages_wind.h"

#include "gen/world.h"
#include "terrain/math.h"
#include "terrain/wind.h"

static struct wind_params wind_params(const struct world *world) {
    const struct survey_settings *s = &world->survey;
    return (struct wind_params){.cell_m = world->extent.cell_m,
                                .from_rad = s->wind_from_deg * MATH_RAD,
                                .scale_m = s->wind_scale_m,
                                .slope_weight = s->wind_slope_weight,
                                .curvature_weight = s->wind_curvature_weight,
                                .shelter_m = s->wind_shelter_m};
}

static enum status wind_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    (void)arg;
    struct wind_params params = wind_params(world);
    double longest = params.scale_m > params.shelter_m ? params.scale_m : params.shelter_m;
    if (longest / params.cell_m > WIND_CELLS_MAX)
        return error_set(err, STATUS_LIMIT, "the wind's reach of %g m is more than %d cells of %g m", longest,
                         WIND_CELLS_MAX, params.cell_m);
    stage_reads(inputs, "altitude", wind_reach(&params));
    return STATUS_OK;
}

static void wind_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct survey_settings *s = &world->survey;
    hash_f64(h, s->wind_from_deg);
    hash_f64(h, s->wind_scale_m);
    hash_f64(h, s->wind_slope_weight);
    hash_f64(h, s->wind_curvature_weight);
    hash_f64(h, s->wind_shelter_m);
}

static enum status wind_run(struct stage_run *run, struct error *err) {
    struct wind_params params = wind_params(run->world);
    struct grid_u8 strength = tile_u8(run->outputs[0]), direction = tile_u8(run->outputs[1]);
    if (!wind_make(&params, &run->inputs[0].f32, &strength, &direction, run->scratch))
        return error_set(err, STATUS_LIMIT, "wind: not enough scratch memory");
    return STATUS_OK;
}

const struct stage stage_wind = {
    .name = "wind",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "wind",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0 / 128.0,
                 .unit = "",
                 .min = 0.0,
                 .max = 255.0 / 128.0,
                 .what = "strength of the wind, 1: the open prevailing wind"},
                {.name = "wind_dir",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 360.0 / 256.0,
                 .unit = "degrees",
                 .min = 0.0,
                 .max = 360.0,
                 .what = "where the wind comes from, clockwise from north"}},
    .inputs = wind_inputs,
    .settings = wind_settings,
    .run = wind_run,
};
