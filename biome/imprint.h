/* Owns what entities write around themselves: masks, for now. Integer codes, largest wins: independent of the
 * order of entities and of how the world is divided. */
#ifndef BIOME_IMPRINT_H
#define BIOME_IMPRINT_H
#include "biome/candidates.h"
#include "biome/recipe.h"
#include "terrain/grid.h"

/* How far an entity's mask reaches from its place, m: over all species of the tier that write it; -1: none.
 */
float biome_imprint_reach_m(const struct recipe *recipe, int32_t tier, int32_t mask);
/* Raises out (codes 0..255 for 0..1) to the mask of each of count candidates: 255 within the radius, grown
 * with the height, falling to 0 over the falloff; measured at cell centres. */
void biome_imprint_mask(const struct recipe *recipe, int32_t mask, double cell_m,
                        const struct biome_candidate *standing, size_t count, const struct grid_u8 *out);

#endif
