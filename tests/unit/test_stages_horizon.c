/* The adapters of light and wind: run section by section on windows of tiles, they give the codes of the
 * kernels on the undivided world, at section borders, at the world's edge and with far relief. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "gen/hasher.h"
#include "gen/stages_horizon.h"
#include "gen/stages_wind.h"
#include "gen/window.h"
#include "gen/world.h"
#include "terrain/light.h"
#include "terrain/math.h"
#include "terrain/relief.h"
#include "terrain/wind.h"
#include "tests/unit/ground_help.h"
#include <stdlib.h>
#include <string.h>

enum { SCRATCH = 64 << 20 };

static const struct rect edge = {-300, -70, 223, 249}; /* 4 x 2 sections, partial, part blocks at the edge */
static const struct layer_info altitude_layer = {
    .name = "altitude", .type = LAYER_F32, .edge = EDGE_CLAMP, .scale = 1};

static struct world world_of(double far_radius_m) {
    return (struct world){.latitude_deg = 47,
                          .extent = {.cell_m = 0.5, .cells = edge},
                          .survey = {.horizon_radius_m = 24,
                                     .horizon_directions = 16,
                                     .far_radius_m = far_radius_m,
                                     .wind_from_deg = 250,
                                     .wind_scale_m = 16,
                                     .wind_slope_weight = 0.58,
                                     .wind_curvature_weight = 0.42,
                                     .wind_shelter_m = 20}};
}

/* All tiles of one layer, row by row over the world's sections. */
struct tiles {
    const struct layer_info *layer;
    struct rect sections;
    struct tile *tile[16];
};
static struct tiles tiles_of(const struct layer_info *layer) {
    struct extent extent = {.cell_m = 0.5, .cells = edge};
    struct tiles t = {.layer = layer, .sections = rect_blocks(edge, SECTION_CELLS)};
    int32_t n = 0;
    for (int32_t y = t.sections.y0; y < t.sections.y1; y++)
        for (int32_t x = t.sections.x0; x < t.sections.x1; x++) {
            t.tile[n] = tile_new(layer, false, extent_block(&extent, x, y, SECTION_CELLS));
            assert_non_null(t.tile[n++]);
        }
    return t;
}
static void tiles_free(struct tiles *t) {
    for (size_t i = 0; i < 16; i++)
        tile_unref(t->tile[i]);
}

/* A window on the tiles over cells grown by reach. */
static struct window look(const struct tiles *t, struct rect cells, int32_t reach, struct arena *scratch) {
    struct extent extent = {.cell_m = 0.5, .cells = edge};
    struct window window;
    const struct tile **near = arena_alloc(scratch, 16, sizeof *near); /* the window shows them */
    struct rect reads = rect_grow(cells, reach);
    struct rect s = rect_intersect(rect_blocks(rect_intersect(reads, edge), SECTION_CELLS), t->sections);
    int32_t n = 0;
    assert_non_null(near);
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++)
            near[n++] =
                t->tile[(y - t->sections.y0) * (t->sections.x1 - t->sections.x0) + x - t->sections.x0];
    assert_true(window_make(t->layer, false, reads, &extent, s, near, scratch, &window));
    return window;
}

static void run_all(const struct stage *stage, const struct world *world, const struct tiles *const *sources,
                    struct tiles *outputs) {
    struct arena scratch = {.base = aligned_alloc(64, SCRATCH), .size = SCRATCH};
    struct stage_inputs inputs = {0};
    struct error err = {0};
    assert_non_null(scratch.base);
    assert_int_equal(stage->inputs(world, "", &inputs, &err), STATUS_OK);
    int32_t outputs_count = 0;
    while (outputs_count < STAGE_OUTPUTS_MAX && stage->outputs[outputs_count].name)
        outputs_count++;
    for (size_t i = 0; i < 16 && outputs[0].tile[i]; i++) {
        struct window windows[2];
        struct tile *made[STAGE_OUTPUTS_MAX];
        scratch.used = 0;
        for (int32_t k = 0; k < inputs.count; k++) {
            assert_string_equal(inputs.input[k].layer, sources[k]->layer->name);
            windows[k] = look(sources[k], outputs[0].tile[i]->cells, inputs.input[k].reach, &scratch);
        }
        for (int32_t o = 0; o < outputs_count; o++)
            made[o] = outputs[o].tile[i];
        struct stage_run run = {.world = world,
                                .arg = "",
                                .cells = made[0]->cells,
                                .inputs = windows,
                                .outputs = made,
                                .sections = outputs[0].sections,
                                .scratch = &scratch};
        if (stage->run(&run, &err) != STATUS_OK)
            fail_msg("%s", err.message);
    }
    free(scratch.base);
}

static struct tiles altitudes(void) {
    struct tiles t = tiles_of(&altitude_layer);
    for (size_t i = 0; i < 16 && t.tile[i]; i++) {
        struct grid_f32 g = tile_f32(t.tile[i]);
        grid_fill(&g, rough_ground);
    }
    return t;
}

static void assert_tiles_are(const struct tiles *tiles, const struct grid_u8 *whole) {
    for (size_t i = 0; i < 16 && tiles->tile[i]; i++) {
        struct grid_u8 part = tile_u8(tiles->tile[i]);
        for (int32_t y = part.y0; y < part.y0 + part.height; y++)
            assert_memory_equal(grid_u8_at(&part, part.x0, y), grid_u8_at(whole, part.x0, y),
                                (size_t)part.width);
    }
}
static struct grid_u8 world_codes(void) {
    struct grid_u8 g = {NULL, edge.x0, edge.y0, edge.x1 - edge.x0, edge.y1 - edge.y0, edge.x1 - edge.x0};
    g.cells = malloc((size_t)g.width * (size_t)g.height);
    assert_non_null(g.cells);
    return g;
}

static void check_light(double far_radius_m) {
    struct world world = world_of(far_radius_m);
    struct light_params params = {.cell_m = 0.5,
                                  .radius_m = 24,
                                  .far_radius_m = far_radius_m,
                                  .latitude_rad = 47 * MATH_RAD,
                                  .directions = 16};
    struct tiles altitude = altitudes(), relief = tiles_of(&stage_relief_coarse.outputs[0]);
    struct tiles out[2] = {tiles_of(&stage_horizon.outputs[0]), tiles_of(&stage_horizon.outputs[1])};
    run_all(&stage_relief_coarse, &world, (const struct tiles *const[]){&altitude}, &relief);
    struct tiles far_tiles = tiles_of(&stage_far_horizon.outputs[0]);
    run_all(&stage_far_horizon, &world, (const struct tiles *const[]){&relief}, &far_tiles);
    run_all(&stage_horizon, &world, (const struct tiles *const[]){&altitude, &far_tiles}, out);

    struct arena arena = {.base = aligned_alloc(64, SCRATCH), .size = SCRATCH};
    struct grid_u8 occlusion = world_codes(), illumination = world_codes();
    struct window heights = look(&altitude, edge, light_reach(&params), &arena);
    struct window blocks = look(&relief, edge, light_far_reach(&params), &arena);
    struct grid_u8 w = occlusion;
    float *far = malloc((light_far_count(&params, w.x0, w.y0, w.width, w.height) + 1) * sizeof *far);
    assert_non_null(far);
    light_far(&params, &blocks.f32, w.x0, w.y0, w.width, w.height, far);
    assert_true(light_make(&params, &heights.f32, far, &occlusion, &illumination, &arena));
    free(far);
    tiles_free(&far_tiles);
    assert_tiles_are(&out[0], &occlusion);
    assert_tiles_are(&out[1], &illumination);
    free(arena.base);
    free(occlusion.cells);
    free(illumination.cells);
    tiles_free(&altitude);
    tiles_free(&relief);
    tiles_free(&out[0]);
    tiles_free(&out[1]);
}
static void light_in_sections_is_that_of_the_whole(void **state) {
    (void)state;
    check_light(150);
    check_light(0);
}

static void relief_is_the_mean_of_a_blocks_cells(void **state) {
    (void)state;
    struct world world = world_of(150);
    struct tiles altitude = altitudes(), relief = tiles_of(&stage_relief_coarse.outputs[0]);
    run_all(&stage_relief_coarse, &world, (const struct tiles *const[]){&altitude}, &relief);
    struct rect blocks = rect_blocks(edge, 16);
    for (size_t i = 0; i < 16 && relief.tile[i]; i++) {
        struct grid_f32 g = tile_f32(relief.tile[i]);
        for (int32_t by = g.y0; by < g.y0 + g.height; by++)
            for (int32_t bx = g.x0; bx < g.x0 + g.width; bx++) {
                assert_in_range(bx - blocks.x0, 0, blocks.x1 - blocks.x0 - 1);
                struct rect cells =
                    rect_intersect((struct rect){bx * 16, by * 16, bx * 16 + 16, by * 16 + 16}, edge);
                double sum = 0, count = 0;
                for (int32_t y = cells.y0; y < cells.y1; y++)
                    for (int32_t x = cells.x0; x < cells.x1; x++) {
                        sum += (double)rough_ground(x, y);
                        count++;
                    }
                double height_m = (double)*grid_f32_at(&g, bx, by), steps = height_m * RELIEF_STEPS;
                assert_true(fabs(height_m - sum / count) < 0.5 / RELIEF_STEPS + 1e-3);
                assert_true(steps == floor(steps));
            }
    }
    tiles_free(&altitude);
    tiles_free(&relief);
}

static void wind_in_sections_is_that_of_the_whole(void **state) {
    (void)state;
    struct world world = world_of(0);
    struct wind_params params = {.cell_m = 0.5,
                                 .from_rad = 250 * MATH_RAD,
                                 .scale_m = 16,
                                 .slope_weight = 0.58,
                                 .curvature_weight = 0.42,
                                 .shelter_m = 20};
    struct tiles altitude = altitudes();
    struct tiles out[2] = {tiles_of(&stage_wind.outputs[0]), tiles_of(&stage_wind.outputs[1])};
    run_all(&stage_wind, &world, (const struct tiles *const[]){&altitude}, out);
    struct arena arena = {.base = aligned_alloc(64, SCRATCH), .size = SCRATCH};
    struct grid_u8 strength = world_codes(), direction = world_codes();
    struct window heights = look(&altitude, edge, wind_reach(&params), &arena);
    assert_true(wind_make(&params, &heights.f32, &strength, &direction, &arena));
    assert_tiles_are(&out[0], &strength);
    assert_tiles_are(&out[1], &direction);
    free(arena.base);
    free(strength.cells);
    free(direction.cells);
    tiles_free(&altitude);
    tiles_free(&out[0]);
    tiles_free(&out[1]);
}

static uint64_t key_of(const struct stage *stage, const struct world *world) {
    struct hasher h;
    hasher_reset(&h);
    stage->settings(world, "", &h);
    return hasher_digest(&h).lo;
}
static void every_setting_is_in_the_key(void **state) {
    (void)state;
    struct world usual = world_of(150);
    uint64_t light = key_of(&stage_horizon, &usual), wind = key_of(&stage_wind, &usual);
    for (int32_t k = 0; k < 9; k++) {
        struct world w = usual;
        double *settings[] = {&w.latitude_deg,
                              &w.survey.horizon_radius_m,
                              &w.survey.far_radius_m,
                              &w.survey.wind_from_deg,
                              &w.survey.wind_scale_m,
                              &w.survey.wind_slope_weight,
                              &w.survey.wind_curvature_weight,
                              &w.survey.wind_shelter_m};
        if (k < 8)
            *settings[k] += 0.25;
        else
            w.survey.horizon_directions = 32;
        bool of_wind = k >= 3 && k < 8;
        assert_int_equal(key_of(&stage_horizon, &w) == light, of_wind);
        assert_int_equal(key_of(&stage_wind, &w) == wind, !of_wind);
    }
}

static void too_many_cells_are_refused(void **state) {
    (void)state;
    struct world world = world_of(0);
    struct stage_inputs inputs = {0};
    struct error err;
    world.extent.cell_m = 0.004;
    assert_int_equal(stage_horizon.inputs(&world, "", &inputs, &err), STATUS_LIMIT);
    assert_string_equal(err.message, "the horizon's radius of 24 m is more than 4096 cells of 0.004 m");
    assert_int_equal(stage_wind.inputs(&world, "", &inputs, &err), STATUS_LIMIT);
    assert_string_equal(err.message, "the wind's reach of 20 m is more than 4096 cells of 0.004 m");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_in_sections_is_that_of_the_whole),
        cmocka_unit_test(relief_is_the_mean_of_a_blocks_cells),
        cmocka_unit_test(wind_in_sections_is_that_of_the_whole),
        cmocka_unit_test(every_setting_is_in_the_key),
        cmocka_unit_test(too_many_cells_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
