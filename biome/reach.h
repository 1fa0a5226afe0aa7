/* Owns how far what stands of a recipe's tiers can depend on the ground: the sum of what its candidates'
 * masks, the tiers above it and its own rounds of competition read. */
#ifndef BIOME_REACH_H
#define BIOME_REACH_H
#include "biome/recipe.h"

/* Metres from an entity of the tier to the farthest place that can decide about it. Rounds seldom go as far:
 * most of the reach is the bound of 24 rounds, of which 4 to 8 settle nearly all. */
float biome_reach_m(const struct recipe *recipe, int32_t tier);
/* The largest over the recipe's tiers. */
float biome_reach_max_m(const struct recipe *recipe);

#endif
