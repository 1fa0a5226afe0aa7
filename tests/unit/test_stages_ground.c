/* The adapters of the ground layers: run section by section on windows, they give the bits of the kernel on
 * the undivided world, at section borders and at the world's edge, on cells and on posts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/stages_ground.h"
#include "gen/window.h"
#include "terrain/altitude.h"
#include "terrain/curvature.h"
#include "terrain/slope.h"
#include "tests/unit/ground_help.h"
#include <stdlib.h>
#include <string.h>

enum { SCRATCH = 8 << 20 };

static const struct rect edge = {-300, -70, 260, 300}; /* 4 x 3 sections, most of them partial */
static char names[][8] = {"still", "twin", "warped", "wrong"};
static struct noise_def noises[] = {
    {.name = names[0], .scale_m = 12, .octaves = 4, .gain = 0.5, .lacunarity = 2, .offset_m = {3, 4}},
    {.name = names[1], .scale_m = 12, .octaves = 4, .gain = 0.5, .lacunarity = 2, .offset_m = {3, 4}},
    {.name = names[2], .scale_m = 12, .octaves = 4, .gain = 0.5, .lacunarity = 2, .normal_influence = 5},
    {.name = names[3], .scale_m = -1, .octaves = 4, .gain = 0.5, .lacunarity = 2}};

static struct world world_of(bool posts) {
    return (struct world){.seed = 7,
                          .extent = {.cell_m = 0.5, .cells = edge},
                          .height.samples = posts ? SAMPLES_POSTS : SAMPLES_CELLS,
                          .noises = noises,
                          .noise_count = 4,
                          .survey.curvature_scale_m = 8};
}

static const struct layer_info source_layer = {
    .name = "source", .type = LAYER_F32, .edge = EDGE_CLAMP, .scale = 1};
static bool source_posts;

/* rough ground that goes on flat beyond the world's edge */
static int32_t clamp(int32_t v, int32_t low, int32_t high) {
    return v < low ? low : v > high ? high : v;
}
static float source(int32_t x, int32_t y) {
    int32_t last = source_posts ? 0 : 1;
    return rough_ground(clamp(x, edge.x0, edge.x1 - last), clamp(y, edge.y0, edge.y1 - last));
}

/* A stage's outputs in one section; its inputs are windows on `source`. Freed by the caller. */
static void run_section(const struct stage *stage, const struct world *world, const char *arg, int32_t sx,
                        int32_t sy, struct tile **outputs) {
    struct stage_inputs inputs = {0};
    struct error err = {0};
    struct window window = {0};
    struct rect all = rect_blocks(edge, SECTION_CELLS),
                cells = extent_block(&world->extent, sx, sy, SECTION_CELLS);
    struct arena scratch = {.base = malloc(SCRATCH), .size = SCRATCH};
    struct tile *tiles[16] = {0};
    size_t count = 0;
    assert_int_equal(stage->inputs(world, arg, &inputs, &err), STATUS_OK);
    assert_true(inputs.count <= 1);
    if (inputs.count == 1) {
        struct rect reads = rect_grow(cells, inputs.input[0].reach);
        struct rect near = rect_intersect(rect_blocks(rect_intersect(reads, edge), SECTION_CELLS), all);
        for (int32_t y = near.y0; y < near.y1; y++)
            for (int32_t x = near.x0; x < near.x1; x++) {
                struct rect part = extent_block(&world->extent, x, y, SECTION_CELLS);
                struct tile *t = tile_new(&source_layer, source_posts, part);
                struct grid_f32 g = tile_f32(t);
                grid_fill(&g, source);
                tiles[count++] = t;
            }
        assert_true(window_make(&source_layer, source_posts, reads, &world->extent, near,
                                (const struct tile *const *)tiles, &scratch, &window));
    }
    for (int32_t o = 0; o < STAGE_OUTPUTS_MAX && stage->outputs[o].name; o++)
        outputs[o] = tile_new(&stage->outputs[o], false, cells);
    struct stage_run run = {.world = world,
                            .arg = arg,
                            .section_x = sx,
                            .section_y = sy,
                            .cells = cells,
                            .inputs = &window,
                            .outputs = outputs,
                            .sections = all,
                            .scratch = &scratch};
    if (stage->run(&run, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < count; i++)
        tile_unref(tiles[i]);
    free(scratch.base);
}

/* Whole-world grids that the sections are compared with; NULL for outputs that are not. */
static void check_against(const struct stage *stage, const struct world *world,
                          const struct grid_f32 *const *whole) {
    struct rect all = rect_blocks(edge, SECTION_CELLS);
    for (int32_t sy = all.y0; sy < all.y1; sy++)
        for (int32_t sx = all.x0; sx < all.x1; sx++) {
            struct tile *outputs[STAGE_OUTPUTS_MAX] = {0};
            run_section(stage, world, "", sx, sy, outputs);
            for (int32_t o = 0; outputs[o]; o++) {
                struct grid_f32 part = tile_f32(outputs[o]);
                assert_same_bits(&part, whole[o]);
                tile_unref(outputs[o]);
            }
        }
}

static struct grid_f32 world_grid(void) {
    return grid_make(edge.x0, edge.y0, edge.x1 - edge.x0, edge.y1 - edge.y0);
}
static struct grid_f32 source_grid(int32_t reach) {
    struct grid_f32 g = grid_make(edge.x0 - reach, edge.y0 - reach, edge.x1 - edge.x0 + 2 * reach + 1,
                                  edge.y1 - edge.y0 + 2 * reach + 1);
    grid_fill(&g, source);
    return g;
}

static void slope_and_altitude_in_sections_are_those_of_the_whole(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        source_posts = posts != 0;
        struct world world = world_of(source_posts);
        struct grid_f32 height = source_grid(1), slope = world_grid(), aspect = world_grid();
        struct slope_params params = {.cell_m = 0.5f, .posts = source_posts};
        if (!posts) /* beyond the edge it goes on straight for the gradient, flat for the rest */
            terrain_slope_rim(&height, edge.x0, edge.y0, edge.x1, edge.y1);
        terrain_slope(&params, &height, &slope, &aspect);
        check_against(&stage_slope, &world, (const struct grid_f32 *const[]){&slope, &aspect});
        terrain_altitude(source_posts, &height, &slope);
        check_against(&stage_altitude, &world, (const struct grid_f32 *const[]){&slope});
        check_against(&stage_altitude_in, &world, (const struct grid_f32 *const[]){&slope});
        grid_free(&height);
        grid_free(&slope);
        grid_free(&aspect);
    }
}

static void curvature_in_sections_is_that_of_the_whole(void **state) {
    (void)state;
    source_posts = false; /* altitude is at cell centres in every world */
    struct world world = world_of(true);
    struct curvature_params params = {.cell_m = 0.5, .scale_m = 8};
    struct grid_f32 altitude = source_grid(curvature_reach(&params));
    struct grid_f32 all = world_grid(), profile = world_grid(), plan = world_grid();
    size_t size = curvature_scratch(&params, all.width, all.height);
    struct arena scratch = {.base = malloc(size), .size = size};
    assert_true(terrain_curvature(&params, &altitude, &all, &profile, &plan, &scratch));
    check_against(&stage_curvature, &world, (const struct grid_f32 *const[]){&all, &profile, &plan});
    free(scratch.base);
    grid_free(&altitude);
    grid_free(&all);
    grid_free(&profile);
    grid_free(&plan);
}

static void latitude_and_longitude_run_from_edge_to_edge(void **state) {
    (void)state;
    struct world world = world_of(false);
    struct grid_f32 latitude = world_grid(), longitude = world_grid();
    for (int32_t y = edge.y0; y < edge.y1; y++)
        for (int32_t x = edge.x0; x < edge.x1; x++) {
            *grid_f32_at(&latitude, x, y) = (float)((y - edge.y0 + 0.5) / (edge.y1 - edge.y0));
            *grid_f32_at(&longitude, x, y) = (float)((x - edge.x0 + 0.5) / (edge.x1 - edge.x0));
        }
    check_against(&stage_latlong, &world, (const struct grid_f32 *const[]){&latitude, &longitude});
    grid_free(&latitude);
    grid_free(&longitude);
}

/* Fails unless a section of noise is the point noise at its cells, as codes. */
static void check_noise_section(const struct world *world, size_t index, int32_t sx, int32_t sy) {
    struct tile *outputs[STAGE_OUTPUTS_MAX] = {0};
    struct noise noise;
    assert_true(gen_noise_prepare(world, &noises[index], &noise));
    run_section(&stage_noise, world, noises[index].name, sx, sy, outputs);
    struct grid_u16 g = tile_u16(outputs[0]);
    for (int32_t y = g.y0; y < g.y0 + g.height; y += 3)
        for (int32_t x = g.x0; x < g.x0 + g.width; x++) {
            float v = noise_at(&noise, (int64_t)x * NOISE_CELL + NOISE_CELL / 2,
                               (int64_t)y * NOISE_CELL + NOISE_CELL / 2);
            assert_int_equal(*grid_u16_at(&g, x, y), (int32_t)(v * 65535.0f + 0.5f));
        }
    tile_unref(outputs[0]);
}

static void noise_is_the_point_noise_in_codes(void **state) {
    (void)state;
    source_posts = false;
    struct world world = world_of(false);
    check_noise_section(&world, 0, -2, -1);
    check_noise_section(&world, 0, 1, 1);
}

static double mean_difference(const struct tile *a, const struct tile *b) {
    struct grid_u16 p = tile_u16(a), q = tile_u16(b);
    double sum = 0;
    for (int32_t y = p.y0; y < p.y0 + p.height; y++)
        for (int32_t x = p.x0; x < p.x0 + p.width; x++)
            sum += abs(*grid_u16_at(&p, x, y) - *grid_u16_at(&q, x, y)) / 65535.0;
    return sum / p.width / p.height;
}

static void noises_differ_by_name_and_by_warp(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        source_posts = posts != 0;
        struct world world = world_of(source_posts);
        struct tile *still[STAGE_OUTPUTS_MAX], *twin[STAGE_OUTPUTS_MAX], *warped[STAGE_OUTPUTS_MAX];
        struct tile *again[STAGE_OUTPUTS_MAX];
        run_section(&stage_noise, &world, "still", -1, 0, still);
        run_section(&stage_noise, &world, "twin", -1, 0, twin);
        run_section(&stage_noise, &world, "warped", -1, 0, warped);
        double influence = noises[2].normal_influence;
        noises[2].normal_influence = 0.0;
        run_section(&stage_noise, &world, "warped", -1, 0, again);
        noises[2].normal_influence = influence;
        assert_true(mean_difference(still[0], twin[0]) > 0.2);
        assert_true(mean_difference(warped[0], again[0]) > 0.05);
        tile_unref(still[0]);
        tile_unref(twin[0]);
        tile_unref(warped[0]);
        tile_unref(again[0]);
    }
}

static void a_noise_that_is_not_there_is_an_input_error(void **state) {
    (void)state;
    struct world world = world_of(false);
    struct stage_inputs inputs = {0};
    struct error err = {0};
    struct noise noise;
    assert_int_equal(stage_noise.inputs(&world, "absent", &inputs, &err), STATUS_INPUT);
    assert_string_equal(err.message, "no noise is named 'absent'");
    assert_false(gen_noise_prepare(&world, &noises[3], &noise));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slope_and_altitude_in_sections_are_those_of_the_whole),
        cmocka_unit_test(curvature_in_sections_is_that_of_the_whole),
        cmocka_unit_test(latitude_and_longitude_run_from_edge_to_edge),
        cmocka_unit_test(noise_is_the_point_noise_in_codes),
        cmocka_unit_test(noises_differ_by_name_and_by_warp),
        cmocka_unit_test(a_noise_that_is_not_there_is_an_input_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
