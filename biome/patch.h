/* Owns a species' patch, where its viability is above a threshold, and its age: how deep inside the patch a
 * place lies. Both are rasters of blocks of 2 x 2 cells, pure functions of layers and place. */
#ifndef BIOME_PATCH_H
#define BIOME_PATCH_H
#include "biome/recipe.h"
#include "biome/viability.h"
#include "terrain/arena.h"
#include "terrain/grid.h"

enum { PATCH_LOG2 = 1 }; /* a sample is a block of 2^PATCH_LOG2 cells square */

/* out (samples of blocks): 255 where the species lives in the biome of the block's south-west cell and its
 * viability there is above its age's threshold, else 0. biome_id and layers (by recipe layer; those of the
 * species' stack are given) cover those cells. Takes biome_patch_scratch bytes of the arena at most. */
enum status biome_patch(const struct recipe *recipe, const struct recipe_species *species,
                        const struct grid_u8 *biome_id, const struct biome_layer *layers,
                        const struct grid_u8 *out, struct arena *arena, struct error *err);
size_t biome_patch_scratch(const struct recipe *recipe);

/* Blocks that must be known beyond the output on every side. */
int32_t biome_age_reach(const struct recipe_species *species, double cell_m);
/* out: age in 1/255: 0 outside the patch and at its edge, by the species' ramp over the share of max_m that
 * the block's centre lies from the edge. patch: covers out grown by the reach, cut at the world's edge, which
 * is no edge of a patch. */
enum status biome_age(const struct recipe_species *species, double cell_m, const struct grid_u8 *patch,
                      const struct grid_u8 *out, struct arena *arena, struct error *err);

#endif
