/* Patches, ages and ramps against slow references. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/patch.h"
#include "biome_kit.h"
#include "gen/stages_ground.h"
#include "terrain/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

enum { SIDE = 200, BLOCKS = SIDE / 2, WEST = -64, SOUTH = 30 };

static const char text[] =
    "recipe: 1\nbiomes: {wood: {}, field: {}}\nspecies:\n"
    "  oak: {biomes: wood, priority: 5, density_per_ha: 300, viability_radius_m: 1, height_m: [4, 9], "
    "age: {max_m: 13, over: 0.3, ramp: [[0, 0.1], [0.5, 0.8], [1, 1]]}, "
    "viability: [{layer: latitude, weight: 1.2}, {layer: slope, under: 40, soft: 20}]}\n"
    "  elm: {biomes: all, priority: 5, density_per_ha: 300, viability_radius_m: 1, height_m: [4, 9], "
    "age: {max_m: 40}, viability: [{layer: longitude}, {layer: latitude, over: 0.45, soft: 0.1}]}\n";

static struct grid_u8 grid(int32_t x0, int32_t y0, int32_t width, int32_t height) {
    struct grid_u8 g = {calloc((size_t)width * (size_t)height, 1), x0, y0, width, height, width};
    return g;
}

static void make_patch(const struct recipe *recipe, int32_t s, const struct kit_ground *ground,
                       const struct grid_u8 *out) {
    struct arena arena = {malloc(biome_patch_scratch(recipe)), biome_patch_scratch(recipe), 0};
    assert_int_equal(
        biome_patch(recipe, &recipe->species[s], &ground->biome_id, ground->layers, out, &arena, NULL),
        STATUS_OK);
    free(arena.base);
}

static void make_age(const struct recipe *recipe, int32_t s, const struct grid_u8 *patch,
                     const struct grid_u8 *out) {
    enum { ROOM = 1 << 22 };
    struct arena arena = {malloc(ROOM), ROOM, 0};
    assert_int_equal(biome_age(&recipe->species[s], 1.0, patch, out, &arena, NULL), STATUS_OK);
    free(arena.base);
}

/* Metres from the middle of block a to the nearest point of block b. */
static double block_distance(int32_t ax, int32_t ay, int32_t bx, int32_t by) {
    double dx = fmax(0, 2.0 * abs(ax - bx) - 1), dy = fmax(0, 2.0 * abs(ay - by) - 1);
    return sqrt(dx * dx + dy * dy);
}

static void patches_and_ages_equal_slow_references(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    kit_ground_make(&ground, recipe, WEST, SOUTH, SIDE);
    for (int32_t s = 0; s < 2; s++) {
        const struct recipe_species *species = &recipe->species[s];
        struct grid_u8 patch = grid(WEST / 2, SOUTH / 2, BLOCKS, BLOCKS), age = patch;
        int32_t inside = 0, young = 0, old = 0;
        age.cells = calloc(BLOCKS * BLOCKS, 1);
        make_patch(recipe, s, &ground, &patch);
        make_age(recipe, s, &patch, &age);
        for (int32_t by = patch.y0; by < patch.y0 + BLOCKS; by++)
            for (int32_t bx = patch.x0; bx < patch.x0 + BLOCKS; bx++) {
                float values[RECIPE_LAYERS_MAX];
                struct biome_trace trace[8];
                for (int32_t l = 0; l < recipe->layer_count; l++)
                    values[l] = kit_value(recipe->layers[l], 2 * bx, 2 * by);
                float v =
                    biome_viability_trace(recipe, species->step_first, species->step_end, values, trace);
                bool in = v > species->age.over && (s == 1 || kit_biome(2, 2 * bx, 2 * by) == 0);
                assert_int_equal(*grid_u8_at(&patch, bx, by), in ? 255 : 0);
                double nearest = 1e9;
                for (int32_t y = patch.y0; in && y < patch.y0 + BLOCKS; y++)
                    for (int32_t x = patch.x0; x < patch.x0 + BLOCKS; x++)
                        if (!*grid_u8_at(&patch, x, y))
                            nearest = fmin(nearest, block_distance(bx, by, x, y));
                double share = fmin(1.0, nearest / (double)species->age.max_m);
                double expected = s == 1        ? share
                                  : share < 0.5 ? 0.1 + 1.4 * share
                                                : 0.8 + 0.4 * (share - 0.5);
                double got = *grid_u8_at(&age, bx, by);
                assert_true(fabs(got - (in ? 255.0 * expected : 0.0)) < 1.6);
                inside += in;
                young += in && share < 0.3;
                old += in && share == 1.0;
            }
        assert_true(inside > 1000 && inside < BLOCKS * BLOCKS - 1000 && young > 100 && (s == 1 || old > 100));
        free(patch.cells);
        free(age.cells);
    }
    kit_ground_free(&ground);
    recipe_free(recipe);
}

/* A world may begin at odd cells: its first blocks reach over the edge, and nothing out there is read. */
static void blocks_over_the_edge_are_known_by_their_cells_inside(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    kit_ground_make(&ground, recipe, WEST + 1, SOUTH + 1, SIDE - 1);
    struct grid_u8 patch = grid(WEST / 2, SOUTH / 2, BLOCKS, BLOCKS);
    int32_t inside = 0, outside = 0;
    make_patch(recipe, 1, &ground, &patch);
    for (int32_t i = 0; i < 2 * BLOCKS; i++) { /* the west edge, then the south edge */
        int32_t bx = i < BLOCKS ? patch.x0 : patch.x0 + i - BLOCKS, by = i < BLOCKS ? patch.y0 + i : patch.y0;
        int32_t x = 2 * bx < WEST + 1 ? WEST + 1 : 2 * bx, y = 2 * by < SOUTH + 1 ? SOUTH + 1 : 2 * by;
        const struct recipe_species *species = &recipe->species[1];
        float values[RECIPE_LAYERS_MAX];
        struct biome_trace trace[8];
        for (int32_t l = 0; l < recipe->layer_count; l++)
            values[l] = kit_value(recipe->layers[l], x, y);
        bool in = biome_viability_trace(recipe, species->step_first, species->step_end, values, trace) >
                  species->age.over;
        assert_int_equal(*grid_u8_at(&patch, bx, by), in ? 255 : 0);
        inside += in;
        outside += !in;
    }
    assert_true(inside > 20 && outside > 20);
    free(patch.cells);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

static void any_window_gives_the_same_age(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    kit_ground_make(&ground, recipe, WEST, SOUTH, SIDE);
    struct grid_u8 patch = grid(WEST / 2, SOUTH / 2, BLOCKS, BLOCKS), whole = patch;
    whole.cells = calloc(BLOCKS * BLOCKS, 1);
    make_patch(recipe, 0, &ground, &patch);
    make_age(recipe, 0, &patch, &whole);
    int32_t reach = biome_age_reach(&recipe->species[0], 1.0);
    struct grid_u8 part = grid(patch.x0 + 30, patch.y0 + 40, 25, 19);
    struct grid_u8 near = grid(part.x0 - reach, part.y0 - reach, 25 + 2 * reach, 19 + 2 * reach);
    make_patch(recipe, 0, &ground, &near);
    make_age(recipe, 0, &near, &part);
    for (int32_t y = part.y0; y < part.y0 + part.height; y++)
        for (int32_t x = part.x0; x < part.x0 + part.width; x++)
            assert_int_equal(*grid_u8_at(&part, x, y), *grid_u8_at(&whole, x, y));
    free(part.cells);
    free(near.cells);
    free(whole.cells);
    free(patch.cells);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

static void ramps_go_through_their_points_and_jump_where_two_share_an_x(void **state) {
    (void)state;
    struct biome_ramp none = {0}, jump = {4, {0, 1, 1, 3}, {0, 0.5f, 2, 1}};
    assert_true(biome_ramp_at(&none, 0.37f) == 0.37f);
    assert_true(biome_ramp_at(&jump, -5) == 0 && biome_ramp_at(&jump, 0.5f) == 0.25f);
    assert_true(biome_ramp_at(&jump, 1) == 2 && biome_ramp_at(&jump, 2) == 1.5f);
    assert_true(biome_ramp_at(&jump, 3) == 1 && biome_ramp_at(&jump, HUGE_VALF) == 1);
    assert_true(biome_ramp_most(&jump, 0, 0.5f) == 0.25f && biome_ramp_most(&jump, 0, HUGE_VALF) == 2);
    assert_true(biome_ramp_most(&jump, 2, 9) == 1.5f);
    for (int i = 0; i < 20000; i++) {
        struct biome_ramp r = {.count = 5};
        float x = 0;
        for (int k = 0; k < 5; k++) {
            r.x[k] = x += hash_unit(hash_place(1, 2, i, k, 0));
            r.y[k] = hash_unit(hash_place(1, 2, i, k, 1));
        }
        float a = 6 * hash_unit(hash_place(1, 2, i, 0, 2)) - 0.5f,
              b = a + 2 * hash_unit(hash_place(1, 2, i, 0, 3));
        float most = biome_ramp_most(&r, a, b), at = a + (b - a) * hash_unit(hash_place(1, 2, i, 0, 4));
        at = at > b ? b : at;
        assert_true(biome_ramp_at(&r, at) <= most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_and_ages_equal_slow_references),
        cmocka_unit_test(blocks_over_the_edge_are_known_by_their_cells_inside),
        cmocka_unit_test(any_window_gives_the_same_age),
        cmocka_unit_test(ramps_go_through_their_points_and_jump_where_two_share_an_x),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
