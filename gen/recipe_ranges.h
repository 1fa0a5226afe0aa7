/* Owns what layers can be in this world, and what follows for stacks and rules: for gen/recipe_chances.c and
 * gen/recipe_nowhere.c alone. */
#ifndef GEN_RECIPE_RANGES_H
#define GEN_RECIPE_RANGES_H
#include "biome/viability.h"
#include "gen/recipe_reading.h"

/* By recipe layer: what its maker promises; with in_world, altitudes as the heights' codes allow. malloc'ed,
 * one more than there are layers; NULL without memory. */
struct biome_interval *recipe_layer_ranges(const struct recipe_reading *r, bool in_world);
/* The most that a stack can give. */
float recipe_most(const struct recipe *recipe, int32_t first, int32_t end,
                  const struct biome_interval *layers);
/* The layers where a rule holds, in `narrow`. False: it can hold nowhere. */
bool recipe_narrowed(const struct recipe *recipe, const struct recipe_rule *rule,
                     const struct biome_interval *layers, struct biome_interval *narrow);
/* Another rule of the biome that wins wherever this one holds; NULL: there is none. */
const struct recipe_rule *recipe_stronger(const struct recipe *recipe, const struct recipe_biome *biome,
                                          const struct recipe_rule *rule,
                                          const struct biome_interval *layers);
/* Whether the ground can be of biome or zone b by paint or by being the default. */
bool recipe_by_hand(const struct recipe_reading *r, int32_t b);
/* The step that brings a stack to 0 for good, wherever its layers are within `layers`; -1: none does. */
int32_t recipe_zero_step(const struct recipe *recipe, int32_t first, int32_t end,
                         const struct biome_interval *layers);
/* The first step up to which a stack or group can reach more than a float holds, whatever follows; -1: none.
 */
int32_t recipe_endless_step(const struct recipe *recipe, int32_t first, int32_t end);

#endif
