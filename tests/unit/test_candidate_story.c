/* The story of each lattice cell says what the candidates are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/candidate_story.h"
#include "biome_kit.h"
#include "gen/stages_ground.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

#define STACK(low)                                                                                           \
    "viability: [{layer: latitude, over: " low ", soft: 0.5}, {layer: slope, under: 60, soft: 20}]"
static const char recipe_text[] =
    "recipe: 1\nbiomes: {wood: {}, field: {}, heath: {texture_only: true}}\nspecies:\n"
    "  oak: {biomes: all, priority: 5, density_per_ha: 900, viability_radius_m: 2, height_m: [4, 20], "
    "density_ramp: [[0.9, 0], [1, 1]], " STACK(
        "0.6") "}\n"
               "  elm: {biomes: all, priority: 5, density_per_ha: 700, viability_radius_m: 3, height_m: [5, "
               "25], "
               "density_over: height, density_ramp: [[5, 1], [25, 0.3]], density_stack: [{layer: "
               "latitude}], " STACK(
                   "0.3") "}\n"
                          "  ash: {biomes: field, priority: 5, density_per_ha: 400, viability_radius_m: 1.5, "
                          "height_m: [3, 9], " STACK("0.9") "}\n"
                                                            "factors: {density: 0.9, size: 1.1, biomes: "
                                                            "{field: {density: 0.7, size: 0.8}}}\n";

enum { SIDE = 48, SEED = 11 };

static const struct biome_candidate *find(const struct biome_candidate *c, size_t count, uint64_t id) {
    for (size_t n = 0; n < count; n++)
        if (c[n].id == id)
            return &c[n];
    return NULL;
}

static void stories_and_candidates_agree(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(recipe_text);
    struct kit_ground ground;
    size_t count, kept = 0, dropped = 0, nobody = 0;
    kit_ground_make(&ground, r, -SIDE, -SIDE, 2 * SIDE);
    struct biome_candidate *c = kit_candidates(r, 0, SEED, &ground, -SIDE, -SIDE, SIDE, SIDE, &count);
    struct biome_candidates_params p = {
        r, 0, SEED, 1.0, -SIDE, -SIDE, SIDE, SIDE, &ground.biome_id, ground.layers};
    size_t bytes = biome_story_scratch(r);
    struct arena arena = {malloc(bytes), bytes, 0};
    int32_t cells = SIDE * 1024 / r->tiers[0].cell_q + 2;
    for (int32_t j = -cells; j <= cells; j++)
        for (int32_t i = -cells; i <= cells; i++) {
            struct biome_story story, again;
            biome_story_cell(&r->tiers[0], SEED, 1.0, i, j, &story);
            biome_story_place(&r->tiers[0], SEED, 1.0, story.x_q, story.y_q, &again);
            assert_memory_equal(&story, &again, sizeof story);
            if (story.x < -SIDE || story.x >= SIDE || story.y < -SIDE || story.y >= SIDE)
                continue;
            assert_int_equal(biome_story_tell(&p, 0, &story, &arena, NULL), STATUS_OK);
            const struct biome_candidate *there =
                story.winner >= 0 ? find(c, count, story.candidate.id) : NULL;
            assert_int_equal(story.kept, there != NULL);
            if (there)
                assert_memory_equal(there, &story.candidate, sizeof *there);
            kept += story.kept;
            dropped += story.winner >= 0 && !story.kept;
            nobody += story.winner < 0;
        }
    assert_int_equal(kept, count);
    assert_true(kept > 100 && dropped > 100 && nobody > 20);
    free(arena.base);
    free(c);
    kit_ground_free(&ground);
    recipe_free(r);
}

/* Who draws is a matter of the place alone: a species with a density of 0 all over a window draws there too.
 */
static void windows_without_density_draw_alike(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(recipe_text);
    struct kit_ground ground;
    size_t count, sum = 0;
    kit_ground_make(&ground, r, -SIDE, -SIDE, 2 * SIDE);
    struct biome_candidate *c = kit_candidates(r, 0, SEED, &ground, -SIDE, -SIDE, SIDE, SIDE, &count);
    for (int32_t y = -SIDE; y < SIDE; y += 3)
        for (int32_t x = -SIDE; x < SIDE; x += 3) {
            size_t few;
            struct biome_candidate *part = kit_candidates(r, 0, SEED, &ground, x, y, x + 3, y + 3, &few);
            for (size_t n = 0; n < few; n++)
                assert_non_null(find(c, count, part[n].id));
            sum += few;
            free(part);
        }
    assert_int_equal(sum, count);
    free(c);
    kit_ground_free(&ground);
    recipe_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stories_and_candidates_agree),
        cmocka_unit_test(windows_without_density_draw_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
