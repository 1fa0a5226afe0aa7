/* Masks that species write, against every cell's distance to every entity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/imprint.h"
#include "biome_kit.h"
#include "gen/stages_ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

enum { SIDE = 90 };
static const char text[] =
    "recipe: 1\nbiomes: {all: {}}\nspecies:\n"
    "  oak: {biomes: all, priority: 9, density_per_ha: 150, viability_radius_m: 3, height_m: [4, 20], "
    "crown_radius_m: 4, "
    "writes: [{mask: crowns}, {mask: seeds, radius_m: 2, falloff_m: 7}], viability: [{layer: latitude}]}\n"
    "  elm: {biomes: all, priority: 9, density_per_ha: 150, viability_radius_m: 3, height_m: [4, 20], "
    "writes: [{mask: "
    "seeds, radius_m: 1, falloff_m: 3}], viability: [{layer: longitude}]}\n";

static double slowly(const struct recipe *recipe, int32_t mask, double cell_m,
                     const struct biome_candidate *c, size_t count, int32_t x, int32_t y) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct recipe_species *s = candidate_species(recipe, &c[i]);
        for (int32_t w = 0; w < s->write_count; w++) {
            if (s->writes[w].mask != mask)
                continue;
            double grown = pow((double)(biome_height_m(recipe, &c[i]) / s->height_full_m), 0.75);
            double r = (double)s->writes[w].radius_m * grown, fall = (double)s->writes[w].falloff_m;
            double d = hypot((x + 0.5) * cell_m - c[i].x_q / 1024.0, (y + 0.5) * cell_m - c[i].y_q / 1024.0);
            double v = d <= r ? 1 : fall > 0 && d < r + fall ? (r + fall - d) / fall : 0;
            most = v > most ? v : most;
        }
    }
    return most;
}

static void equals_every_distance(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, recipe, -20, -20, SIDE);
    kit_stand_make(&stand, recipe, 3, &ground);
    assert_true(stand.count[0] > 40);
    const double cells_m[] = {1.0, 0.5};
    for (int k = 0; k < 2; k++)
        for (int32_t mask = 0; mask < recipe->mask_count; mask++) {
            uint8_t cells[60 * 50] = {0};
            struct grid_u8 out = {cells, -5, -10, 60, 50, 60};
            size_t some = 0;
            biome_imprint_mask(recipe, mask, cells_m[k], stand.items[0], stand.count[0], &out);
            for (int32_t y = -10; y < 40; y++)
                for (int32_t x = -5; x < 55; x++) {
                    double slow =
                        255 * slowly(recipe, mask, cells_m[k], stand.items[0], stand.count[0], x, y);
                    uint8_t code = *grid_u8_at(&out, x, y);
                    some += code > 0 && code < 255;
                    if (fabs(slow - code) > 0.51) /* at a crown's very edge floats may differ */
                        assert_true(mask == 0 && (code == 0 || code == 255) &&
                                    slowly(recipe, mask, cells_m[k], stand.items[0], stand.count[0], x, y) >
                                        0.99);
                }
            assert_true(mask == 0 || some > 300);
        }
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

static void any_window_and_order_give_the_same(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, recipe, -20, -20, SIDE);
    kit_stand_make(&stand, recipe, 3, &ground);
    uint8_t whole[60 * 60] = {0}, part[20 * 60] = {0};
    struct grid_u8 a = {whole, 0, 0, 60, 60, 60}, b = {part, 20, 0, 20, 60, 20};
    biome_imprint_mask(recipe, 1, 1.0, stand.items[0], stand.count[0], &a);
    for (size_t i = stand.count[0]; i-- > 0;)
        biome_imprint_mask(recipe, 1, 1.0, &stand.items[0][i], 1, &b);
    for (int32_t y = 0; y < 60; y++)
        assert_memory_equal(grid_u8_at(&a, 20, y), grid_u8_at(&b, 20, y), 20);
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

/* Nothing lies beyond the reach that the stage reads. */
static void reach_is_enough(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    const struct recipe_species *oak = &recipe->species[0];
    assert_true(fabsf(biome_imprint_reach_m(recipe, 0, 1) - 9.0f) < 1e-5f);
    assert_true(fabsf(biome_imprint_reach_m(recipe, 0, 0) - 4.0f) < 1e-5f);
    struct biome_candidate c = {.x_q = 30 * 1024, .y_q = 30 * 1024, .size = 0, .scale = 1.0f};
    assert_true(biome_height_m(recipe, &c) == oak->height_full_m);
    uint8_t cells[60 * 60] = {0};
    struct grid_u8 out = {cells, 0, 0, 60, 60, 60};
    biome_imprint_mask(recipe, 1, 1.0, &c, 1, &out);
    for (int32_t y = 0; y < 60; y++)
        for (int32_t x = 0; x < 60; x++)
            assert_true((*grid_u8_at(&out, x, y) == 0) ==
                        (hypot(x + 0.5 - 30, y + 0.5 - 30) > 9 - 7 * 0.5 / 255));
    recipe_free(recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_every_distance),
        cmocka_unit_test(any_window_and_order_give_the_same),
        cmocka_unit_test(reach_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
