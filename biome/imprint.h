/* Owns what entities write around themselves: masks, heights, ground textures and tints. Each write of a
 * species first becomes codes 0..255 for 0..1 over the ground, the largest where several of its entities
 * reach: integers, independent of the order of entities and of how the world is divided. Codes of different
 * writes meet in the recipe's order. */
#ifndef BIOME_IMPRINT_H
#define BIOME_IMPRINT_H
#include "biome/candidates.h"
#include "biome/recipe.h"
#include "biome/viability.h"
#include "terrain/arena.h"
#include "terrain/grid.h"

/* How far from its place an entity of the species can write, m. */
float biome_write_reach_m(const struct recipe_species *species, const struct recipe_write *write);
/* The same over all writes of a kind (of one mask, for WRITE_MASK) in a tier; below 0: there are none. */
float biome_imprint_reach_m(const struct recipe *recipe, int32_t tier, enum recipe_write_kind kind,
                            int32_t mask);

/* Where an imprint is measured: at the cells' centres, or their south-west corners (posts). */
struct biome_imprint_grid {
    double cell_m;
    bool posts;
};

/* Raises out to each of the candidates' codes: 255 within the radius, grown with the height, falling to 0
 * over the falloff; heights less for what is smaller than at full height. Only candidates of `species` (an
 * index into their tier's) count. False: nothing of it reaches out. */
bool biome_imprint_codes(const struct recipe *recipe, const struct recipe_write *write, uint32_t species,
                         const struct biome_imprint_grid *grid, const struct biome_candidate *standing,
                         size_t count, const struct grid_u8 *out);
/* Codes x the write's stack at the same cell, cut to 0..1; nothing without a stack. layers: by recipe layer,
 * those of the stack cover the codes' cells. */
enum status biome_imprint_where(const struct recipe *recipe, const struct recipe_write *write,
                                const struct biome_layer *layers, const struct grid_u8 *codes,
                                struct arena *arena, struct error *err);
size_t biome_imprint_where_scratch(const struct recipe *recipe);

/* Raises out (codes) to a mask of each of count candidates, over all their writes of it that have no stack.
 */
void biome_imprint_mask(const struct recipe *recipe, int32_t mask, double cell_m,
                        const struct biome_candidate *standing, size_t count, const struct grid_u8 *out);

/* out [m] += raise_m x v^2 (3 - 2 v), v = code / 255: no crease at either end of the falloff. */
void biome_imprint_height(const struct recipe_write *write, const struct grid_u8 *codes,
                          const struct grid_f32 *out);
/* out = the id of the highest threshold that the code reaches, where it does and the code is above best's,
 * which becomes the code. */
void biome_imprint_texture(const struct recipe_write *write, const struct grid_u8 *codes,
                           const struct grid_u8 *best, const struct grid_u8 *out);
/* Moves out (RGB, width and stride in bytes) towards the write's colour by code / 255. */
void biome_imprint_tint(const struct recipe_write *write, const struct grid_u8 *codes,
                        const struct grid_u8 *out);

#endif
