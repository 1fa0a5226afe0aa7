/* Recipes from text and synthetic ground for the tests of biomes. A test that uses it has its own stage_table
 * with the layers that its recipes name. */
#ifndef TESTS_BIOME_KIT_H
#define TESTS_BIOME_KIT_H
#include "biome/candidates.h"
#include "gen/report.h"
#include "gen/world.h"

/* The recipe of a text; fails the test with the first message when it is wrong. */
struct recipe *kit_recipe(const char *text);
/* Fails the test unless these are all messages of a recipe, "line:column: message\n" each; "": it is right.
 */
void kit_complains(const char *text, const struct world *world, const char *expected);
#define assert_complaints(text, expected) kit_complains(text, NULL, expected)

/* Ground around 0,0: layers by name, each a hash-made smooth field over its natural range. */
struct kit_ground {
    struct biome_layer layers[RECIPE_LAYERS_MAX];
    float *fields[RECIPE_LAYERS_MAX];
    struct grid_u8 biome_id;
    int32_t x0, y0, size; /* cells covered */
};
float kit_value(const char *layer, int32_t x, int32_t y);
/* Index of the biome painted at a cell. */
int32_t kit_biome(int32_t biome_count, int32_t x, int32_t y);
void kit_ground_make(struct kit_ground *ground, const struct recipe *recipe, int32_t x0, int32_t y0,
                     int32_t size);
void kit_ground_free(struct kit_ground *ground);

/* Candidates of a tier over cells [x0, x1) x [y0, y1); malloc'ed. */
struct biome_candidate *kit_candidates(const struct recipe *recipe, int32_t tier, uint64_t seed,
                                       const struct kit_ground *ground, int32_t x0, int32_t y0, int32_t x1,
                                       int32_t y1, size_t *count);
/* What stands of every tier, one after the other, on an undivided field: stand[t], counts[t]. */
struct kit_stand {
    struct biome_candidate *items[RECIPE_TIERS_MAX];
    size_t count[RECIPE_TIERS_MAX], candidates[RECIPE_TIERS_MAX], undecided[RECIPE_TIERS_MAX];
    int32_t rounds[RECIPE_TIERS_MAX]; /* played */
};
void kit_stand_make(struct kit_stand *stand, const struct recipe *recipe, uint64_t seed,
                    const struct kit_ground *ground);
void kit_stand_free(struct kit_stand *stand, const struct recipe *recipe);
/* XXH3 of records. */
uint64_t kit_hash(const void *bytes, size_t size);

#endif
