/* Zones: rules against a slow reference, windows, patches, painted zones, moved borders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/zones.h"
#include "biome_kit.h"
#include "gen/stages_biome.h"
#include "gen/stages_compose.h"
#include "gen/stages_ground.h"
#include "terrain/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

enum { SIDE = 256, X0 = -37, Y0 = -90 };

#define SPECIES                                                                                              \
    "species:\n  a: {biomes: all, priority: 5, density_per_ha: 100, viability_radius_m: 1, height_m: [1, "   \
    "2], viability: [{value: 1}]}\n"

static const char text[] =
    "recipe: 1\n"
    "biomes:\n"
    "  wood:\n"
    "    id: 40\n"
    "    patch_m: 25\n"
    "    zones:\n"
    "      old: {rules: [{slope: [0, 35]}]}\n"
    "      young: {rules: [{slope: \"<=35\"}, {slope: \">20\", latitude: \"<0.5\"}]}\n"
    "      wet: {id: 99, rules: [{slope: [0, 35], latitude: \">=0.6\"}, {longitude: \">0.9\", weight: 2}]}\n"
    "      drive: {texture_only: true, texture_id: 9}\n"
    "  field:\n"
    "    zones:\n"
    "      high: {rules: [{altitude: \">1500\"}]}\n"
    "      rest: {rules: [{}]}\n"
    "  bare: {}\n" SPECIES;

static struct biome_zones_params params_of(const struct recipe *recipe) {
    struct biome_zones_params p = {recipe, 11, 1.0, X0, Y0, X0 + SIDE, Y0 + SIDE, {0}};
    for (int32_t i = 0; i < 256; i++)
        p.codes[i] = (uint8_t)i; /* tests paint ids */
    return p;
}

/* Paints the main biomes in patches, and a few cells as zones. */
static struct grid_u8 paint_ids(const struct recipe *recipe) {
    struct grid_u8 g = {malloc((size_t)SIDE * SIDE), X0, Y0, SIDE, SIDE, SIDE};
    for (int32_t y = Y0; y < Y0 + SIDE; y++)
        for (int32_t x = X0; x < X0 + SIDE; x++) {
            int32_t b = kit_biome(recipe->main_count, x, y);
            if (hash_place(3, 4, x >> 3, y >> 3, 0) % 11 == 0 && recipe->biome_count > recipe->main_count)
                b = recipe->main_count + (int32_t)(hash_place(3, 5, x >> 3, y >> 3, 0) %
                                                   (uint64_t)(recipe->biome_count - recipe->main_count));
            *grid_u8_at(&g, x, y) = recipe->biomes[b].id;
        }
    return g;
}

static void split(const struct biome_zones_params *p, const struct kit_ground *ground,
                  const struct grid_u8 *ids) {
    size_t need = biome_zones_scratch(p->recipe);
    struct arena arena = {malloc(need), need, 0};
    assert_int_equal(biome_zones(p, ground->layers, ids, &arena, NULL), STATUS_OK);
    free(arena.base);
}

static float patch(const char *zone, double scale_m, int32_t x, int32_t y) {
    struct noise_params params = {.scale_cells = scale_m,
                                  .octaves = 2,
                                  .gain = 0.5,
                                  .lacunarity = 2,
                                  .seed = 11 + hash_name("patch") + hash_name(zone)};
    struct noise noise;
    assert_true(noise_prepare(&params, &noise));
    return noise_at(&noise, (int64_t)x * 1024 + 512, (int64_t)y * 1024 + 512);
}

/* The rules of `text` once more, written by hand. */
static const char *expected(const char *painted, int32_t x, int32_t y) {
    double slope = (double)kit_value("slope", x, y), latitude = (double)kit_value("latitude", x, y);
    if (strcmp(painted, "field") == 0)
        return (double)kit_value("altitude", x, y) > 1500.0 ? "high" : "rest";
    if (strcmp(painted, "wood") != 0)
        return painted;
    if ((double)kit_value("longitude", x, y) > 0.9)
        return "wet"; /* weight */
    bool wet = slope <= 35 && latitude >= 0.6, young = slope > 20 && latitude < 0.5;
    if (wet)
        return "wet";
    if (young)
        return "young"; /* two criteria; never together with wet's two */
    if (slope > 35)
        return "wood";
    return patch("young", 25, x, y) > patch("old", 25, x, y) ? "young" : "old";
}

static const char *name_of(const struct recipe *recipe, uint8_t id) {
    return recipe->biomes[recipe->biome_by_id[id]].name;
}

static void rules_equal_a_slow_reference(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    struct biome_zones_params p = params_of(recipe);
    struct grid_u8 ids = paint_ids(recipe), before = paint_ids(recipe);
    size_t count[256] = {0};
    kit_ground_make(&ground, recipe, X0, Y0, SIDE);
    split(&p, &ground, &ids);
    for (int32_t y = Y0; y < Y0 + SIDE; y++)
        for (int32_t x = X0; x < X0 + SIDE; x++) {
            const char *painted = name_of(recipe, *grid_u8_at(&before, x, y));
            assert_string_equal(name_of(recipe, *grid_u8_at(&ids, x, y)), expected(painted, x, y));
            count[*grid_u8_at(&ids, x, y)]++;
        }
    for (int32_t b = 0; b < recipe->biome_count; b++) /* all but field, whose rest takes what is left */
        assert_true((count[recipe->biomes[b].id] > 50) == (strcmp(recipe->biomes[b].name, "field") != 0));
    kit_ground_free(&ground);
    free(ids.cells);
    free(before.cells);
    recipe_free(recipe);
}

static void windows_make_no_difference(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    struct biome_zones_params p = params_of(recipe);
    struct grid_u8 whole = paint_ids(recipe), parts = paint_ids(recipe);
    kit_ground_make(&ground, recipe, X0, Y0, SIDE);
    split(&p, &ground, &whole);
    for (int32_t y = Y0; y < Y0 + SIDE; y += 83)
        for (int32_t x = X0; x < X0 + SIDE; x += 59) {
            int32_t w = X0 + SIDE - x < 59 ? X0 + SIDE - x : 59, h = Y0 + SIDE - y < 83 ? Y0 + SIDE - y : 83;
            struct grid_u8 window = {grid_u8_at(&parts, x, y), x, y, w, h, SIDE};
            split(&p, &ground, &window);
        }
    assert_memory_equal(whole.cells, parts.cells, (size_t)SIDE * SIDE);
    kit_ground_free(&ground);
    free(whole.cells);
    free(parts.cells);
    recipe_free(recipe);
}

/* Four zones with the same criteria have a quarter each; a fifth leaves every cell with its old zone or takes
 * it for itself. */
static void equal_rules_share_the_ground(void **state) {
    (void)state;
    static const char head[] = "recipe: 1\nbiomes:\n  wood:\n    patch_m: 6\n    zones:\n"
                               "      a: {rules: [{}]}\n      b: {rules: [{}]}\n      c: {rules: [{}]}\n"
                               "      d: {rules: [{}]}\n";
    struct recipe *four = kit_recipe(strcat(strcpy((char[2048]){0}, head), SPECIES));
    struct recipe *five =
        kit_recipe(strcat(strcat(strcpy((char[2048]){0}, head), "      e: {rules: [{}]}\n"), SPECIES));
    struct kit_ground ground;
    struct grid_u8 a = {malloc((size_t)SIDE * SIDE), X0, Y0, SIDE, SIDE, SIDE}, b = a;
    b.cells = malloc((size_t)SIDE * SIDE);
    memset(a.cells, 1, (size_t)SIDE * SIDE);
    memset(b.cells, 1, (size_t)SIDE * SIDE);
    struct biome_zones_params p = params_of(four), q = params_of(five);
    kit_ground_make(&ground, four, X0, Y0, SIDE);
    split(&p, &ground, &a);
    split(&q, &ground, &b);
    double count[7] = {0}, taken = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        count[a.cells[i]]++;
        taken += b.cells[i] == 6;
        assert_true(b.cells[i] == a.cells[i] || b.cells[i] == 6);
    }
    for (int32_t z = 2; z < 6; z++)
        assert_true(fabs(count[z] / (SIDE * SIDE) - 0.25) < 0.04);
    assert_true(fabs(taken / (SIDE * SIDE) - 0.2) < 0.04);
    kit_ground_free(&ground);
    free(a.cells);
    free(b.cells);
    recipe_free(four);
    recipe_free(five);
}

static void borders_move_by_at_most_the_jitter_and_not_those_of_drives(void **state) {
    (void)state;
    char soft[sizeof text + 64];
    snprintf(soft, sizeof soft, "%sborder: {jitter_m: 5, scale_m: 20}\n", text);
    struct recipe *recipe = kit_recipe(soft), *hard = kit_recipe(text);
    struct biome_zones_params p = params_of(recipe), still = params_of(hard);
    struct grid_u8 paint = paint_ids(recipe), out = paint_ids(recipe), same = paint_ids(recipe);
    int32_t reach = biome_painted_reach(recipe, 1.0), moved = 0, drives = 0;
    uint8_t drive = recipe->biomes[recipe->main_count + 3].id;
    assert_true(recipe->biomes[recipe->main_count + 3].texture_only);
    assert_int_equal(reach, 5);
    assert_int_equal(biome_painted_reach(hard, 1.0), 0);
    biome_painted(&p, &paint, &out);
    biome_painted(&still, &paint, &same);
    assert_memory_equal(same.cells, paint.cells, (size_t)SIDE * SIDE);
    for (int32_t y = Y0; y < Y0 + SIDE; y++)
        for (int32_t x = X0; x < X0 + SIDE; x++) {
            uint8_t was = *grid_u8_at(&paint, x, y), is = *grid_u8_at(&out, x, y);
            bool near = false;
            for (int32_t dy = -reach; dy <= reach; dy++)
                for (int32_t dx = -reach; dx <= reach; dx++)
                    if (x + dx >= X0 && x + dx < X0 + SIDE && y + dy >= Y0 && y + dy < Y0 + SIDE)
                        near |= *grid_u8_at(&paint, x + dx, y + dy) == is;
            assert_true(near);
            assert_true((was == drive) == (is == drive));
            moved += was != is;
            drives += was == drive;
        }
    assert_true(moved > SIDE * SIDE / 50 && drives > 100);
    /* the same in a window that sees no more than the reach */
    struct grid_u8 part = {malloc((size_t)40 * 30), X0 + 60, Y0 + 70, 40, 30, 40};
    struct grid_u8 seen = {grid_u8_at(&paint, X0 + 55, Y0 + 65), X0 + 55, Y0 + 65, 50, 40, SIDE};
    biome_painted(&p, &seen, &part);
    for (int32_t y = part.y0; y < part.y0 + 30; y++)
        assert_memory_equal(grid_u8_at(&part, part.x0, y), grid_u8_at(&out, part.x0, y), 40);
    free(part.cells);
    free(paint.cells);
    free(out.cells);
    free(same.cells);
    recipe_free(recipe);
    recipe_free(hard);
}

static void zones_become_their_main_biomes(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    uint8_t cells[] = {40, 99, 2, 3, 4, 5, 6, 7};
    struct grid_u8 ids = {cells, 0, 0, 8, 1, 8};
    assert_int_equal(recipe->main_count, 3);
    assert_int_equal(recipe->biome_count, 9);
    biome_main_ids(recipe, &ids);
    assert_memory_equal(cells, ((uint8_t[]){40, 40, 2, 3, 40, 40, 6, 40}), 8);
    recipe_free(recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_equal_a_slow_reference),
        cmocka_unit_test(windows_make_no_difference),
        cmocka_unit_test(equal_rules_share_the_ground),
        cmocka_unit_test(borders_move_by_at_most_the_jitter_and_not_those_of_drives),
        cmocka_unit_test(zones_become_their_main_biomes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
