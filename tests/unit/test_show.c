/* What entities show: variations by weight, tints against a slow reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/show.h"
#include "biome_kit.h"
#include "gen/stages_ground.h"
#include "terrain/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

#define HEAD "recipe: 1\nbiomes: {wood: {}}\nspecies:\n"
#define COMMON                                                                                               \
    "biomes: all, priority: 5, density_per_ha: 300, viability_radius_m: 1, viability: [{layer: latitude}], "

static struct biome_candidate candidate(int32_t i, uint32_t size) {
    return (struct biome_candidate){.id = hash_place(9, 9, i, 0, 0),
                                    .viability = 2 * hash_unit(hash_place(9, 9, i, 0, 1)),
                                    .scale = 0.5f + hash_unit(hash_place(9, 9, i, 0, 2)),
                                    .size = size & 0xf,
                                    .age = (uint32_t)(hash_place(9, 9, i, 0, 3) & 0xff)};
}

/* Shares of 1 + 0.5 + 0.1, whatever else is said of the species; a dead one keeps its colour. */
static void variations_follow_their_weights_and_keep_their_ids(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(
        HEAD "  a: {" COMMON
             "color_jitter: 0, color: \"#204060\", ground_tint: 0.4, sizes: [{from: 0, height_m: 3, "
             "asset: young}, {from: 0.5, height_m: 9, asset: old, object_id: 7, variations: [{asset: old_b, "
             "weight: "
             "0.5, object_id: 8}, {asset: dead, weight: 0.1, color: \"#a0a0a0\", ground_tint: 0}]}]}\n");
    enum { N = 40000 };
    int32_t count[3] = {0};
    const uint32_t ids[3] = {7, 8, recipe_object_id("dead")};
    for (int32_t i = 0; i < N; i++) {
        struct biome_candidate c = candidate(i, 1);
        struct biome_shown shown = biome_show(recipe, &c, 0);
        count[shown.variation + 1]++;
        assert_int_equal(shown.object_id, ids[shown.variation + 1]);
        assert_int_equal(shown.rgb[0], shown.variation == 1 ? 0xa0 : 0x20);
        c.size = 0;
        assert_int_equal(biome_show(recipe, &c, 0).object_id, recipe_object_id("young"));
    }
    const double share[3] = {1 / 1.6, 0.5 / 1.6, 0.1 / 1.6};
    for (int k = 0; k < 3; k++)
        assert_true(fabs(count[k] / (double)N - share[k]) < 0.01);
    assert_true(recipe->species[0].sizes[0].ground_tint == 0.4f &&
                recipe->variations[0].ground_tint == 0.4f && recipe->variations[1].ground_tint == 0);
    recipe_free(recipe);
}

static double slow_channel(const struct recipe_tint *t, double x, int k) {
    if (x <= (double)t->x[0])
        return t->rgb[0][k];
    for (int32_t i = 1; i < t->count; i++)
        if (x < (double)t->x[i])
            return t->rgb[i - 1][k] + (t->rgb[i][k] - t->rgb[i - 1][k]) * (x - (double)t->x[i - 1]) /
                                          ((double)t->x[i] - (double)t->x[i - 1]);
    return t->rgb[t->count - 1][k];
}

static void tints_equal_a_slow_reference(void **state) {
    (void)state;
    static const char *const overs[4] = {"over: viability", "over: age", "over: height",
                                         "stack: [{value: 1}]"};
    for (int o = 0; o < 4; o++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "  a: {" COMMON
                      "age: {max_m: 9}, height_m: [1, 2], color_jitter: 0.2, tint: {%s, jitter: 0.1, "
                      "colors: [[0.2, \"#102030\"], [0.9, \"#f0e080\"], [1.4, \"#804020\"]]}}\n",
                 overs[o]);
        struct recipe *recipe = kit_recipe(text);
        for (int32_t i = 0; i < 5000; i++) {
            struct biome_candidate c = candidate(i, 0);
            float stack = 2 * hash_unit(hash_place(9, 9, i, 0, 7));
            struct biome_shown shown = biome_show(recipe, &c, stack);
            const double by[4] = {(double)c.viability, c.age / 255.0, 2.0 * (double)c.scale, (double)stack};
            double u = 2 * (double)hash_unit(candidate_hash(c.id, DRAW_TINT)) - 1;
            double b = 2 * (double)hash_unit(candidate_hash(c.id, DRAW_COLOR)) - 1;
            for (int k = 0; k < 3; k++) {
                double want = slow_channel(&recipe->species[0].tint, by[o] + 0.1 * u, k) * (1 + 0.2 * b);
                assert_true(fabs(fmin(255, want) - shown.rgb[k]) < 0.51);
            }
        }
        recipe_free(recipe);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variations_follow_their_weights_and_keep_their_ids),
        cmocka_unit_test(tints_equal_a_slow_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
