/* Chances: bounds that no candidate passes, and that leave out what cannot stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/chances.h"
#include "biome_kit.h"
#include "gen/stages_ground.h"

#include <stdlib.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, NULL};

static const char text[] =
    "recipe: 1\n"
    "biomes: {forest: {id: 3, color: \"#556b2f\"}, meadow: {id: 7, color: \"#8bb84f\"}}\n"
    "default_biome: forest\n"
    "species:\n"
    "  spruce: {biomes: [forest], priority: 1, viability: [{layer: slope, range: [0, 40]}],\n"
    "    viability_radius_m: 2, density_per_ha: 300, height_m: [20, 20]}\n"
    "  lily: {biomes: [meadow], priority: 1, viability: [{layer: altitude, range: [9000, 9900]}],\n"
    "    viability_radius_m: 2, density_per_ha: 300, height_m: [1, 1]}\n";

/* A biome whose species cannot stand here has no candidates; one whose species can has them, as many as the
 * limit lets pass and no more. */
static void bounds(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(text);
    struct kit_ground ground;
    kit_ground_make(&ground, r, 0, 0, 256);
    struct biome_candidates_params p = {.recipe = r,
                                        .seed = 5,
                                        .cell_m = 1.0,
                                        .x1 = 256,
                                        .y1 = 256,
                                        .biome_id = &ground.biome_id,
                                        .layers = ground.layers};
    struct biome_chances chances;
    struct arena arena = {.size = biome_chances_scratch(&p)};
    arena.base = malloc(arena.size);
    assert_true(biome_chances_make(&chances, &p, &arena));
    assert_true(chances.possible[0] && !chances.possible[1]);
    assert_true(chances.present[0] && chances.present[1]);
    assert_true(chances.limit[3] > 0 && chances.limit[3] == chances.most && chances.limit[7] == 0);
    for (int32_t id = 0; id < 256; id++)
        assert_true(id == 3 || chances.limit[id] == 0);
    size_t count;
    struct biome_candidate *c = kit_candidates(r, 0, 5, &ground, 0, 0, 256, 256, &count);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++)
        assert_true(c[i].species == 0);
    arena.used = 0;
    arena.size /= 4;
    assert_false(biome_chances_make(&chances, &p, &arena));
    free(c);
    free(arena.base);
    kit_ground_free(&ground);
    recipe_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
