/* Clearance: the share of ground on which somebody can walk between trunks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/clearance.h"
#include "biome_kit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char recipe_text[] =
    "recipe: 1\nbiomes: {wood: {}}\nspecies:\n"
    "  oak: {biomes: all, priority: 5, density_per_ha: 300, viability_radius_m: 3, height_m: [4, 20], "
    "trunk_radius_m: 0.6, viability: [{value: 1}]}\n"
    "  elm: {biomes: all, priority: 5, density_per_ha: 100, viability_radius_m: 3, height_m: [5, 25], "
    "viability: [{value: 1}]}\n"
    "  rock: {biomes: all, priority: 4, density_per_ha: 90, viability_radius_m: 2, height_m: [1, 2], "
    "crown: rock, crown_radius_m: 1.5, viability: [{value: 1}]}\n"
    "  fern: {biomes: all, priority: 3, density_per_ha: 3000, viability_radius_m: 1, height_m: [0.5, 1], "
    "viability: [{value: 1}]}\n";

enum { SIDE = 24, WIDE = SIDE * CLEARANCE_FINE };

static void usual_trunks(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(recipe_text);
    assert_true(r->species[0].trunk_radius_m == 0.6f);
    assert_true(r->species[1].trunk_radius_m == 0.012f * 25.0f);
    assert_true(r->species[2].trunk_radius_m == 1.5f);
    assert_true(r->species[3].trunk_radius_m == 0.0f);
    assert_true(biome_clearance_reach_m(r, 0, 2.0f) == 2.6f);
    assert_true(biome_clearance_reach_m(r, 2, 2.0f) == -1.0f);
    recipe_free(r);
}

/* One place, all candidates. */
static bool is_free(const struct recipe *r, const struct biome_candidate *c, size_t count, double x, double y,
                    double agent_m) {
    for (size_t i = 0; i < count; i++) {
        double trunk = (double)biome_trunk_m(r, &c[i]), dx = x - c[i].x_q / 1024.0,
               dy = y - c[i].y_q / 1024.0;
        if (trunk > 0.0 && dx * dx + dy * dy < (trunk + agent_m) * (trunk + agent_m))
            return false;
    }
    return true;
}

static void every_place_is_asked(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(recipe_text);
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, r, -40, -40, 80);
    kit_stand_make(&stand, r, 3, &ground);
    struct biome_clearance_params p = {.recipe = r,
                                       .cell_m = 1.0,
                                       .x0 = -SIDE / 2,
                                       .y0 = -SIDE / 2,
                                       .x1 = SIDE / 2,
                                       .y1 = SIDE / 2,
                                       .agent_m = {0.0f, 0.5f, 1.5f},
                                       .agents = 3};
    uint8_t *blocked = calloc(biome_clearance_places(&p), 1);
    assert_int_equal(biome_clearance_places(&p), WIDE * WIDE);
    for (int32_t t = 0; t < r->tier_count; t++)
        biome_clearance_mark(&p, stand.items[t], stand.count[t], blocked);
    uint32_t expected[CLEARANCE_AGENTS_MAX] = {0}, got[CLEARANCE_AGENTS_MAX];
    for (int32_t a = 0; a < p.agents; a++)
        for (int32_t i = 0; i < WIDE * WIDE; i++) {
            double x = p.x0 + (i % WIDE + 0.5) / CLEARANCE_FINE, y = p.y0 + (i / WIDE + 0.5) / CLEARANCE_FINE;
            bool clear = true;
            for (int32_t t = 0; t < r->tier_count; t++)
                clear = clear && is_free(r, stand.items[t], stand.count[t], x, y, (double)p.agent_m[a]);
            assert_int_equal(blocked[i] >> a & 1, !clear);
            expected[a] += clear;
        }
    biome_clearance_count(&p, blocked, got);
    assert_memory_equal(got, expected, sizeof got);
    assert_true(got[0] > got[1] && got[1] > got[2] && got[2] > 0 && got[0] < WIDE * WIDE);

    /* the parts of a field say together what the field says */
    uint32_t sum = 0;
    for (int32_t part = 0; part < 4; part++) {
        struct biome_clearance_params q = p;
        q.x0 += part % 2 * SIDE / 2;
        q.y0 += part / 2 * SIDE / 2;
        q.x1 = q.x0 + SIDE / 2;
        q.y1 = q.y0 + SIDE / 2;
        memset(blocked, 0, biome_clearance_places(&q));
        for (int32_t t = 0; t < r->tier_count; t++)
            biome_clearance_mark(&q, stand.items[t], stand.count[t], blocked);
        biome_clearance_count(&q, blocked, got);
        sum += got[2];
    }
    assert_int_equal(sum, expected[2]);
    free(blocked);
    kit_stand_free(&stand, r);
    kit_ground_free(&ground);
    recipe_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_trunks),
        cmocka_unit_test(every_place_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
