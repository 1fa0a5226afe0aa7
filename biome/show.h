/* Owns what an entity shows: which of its size class's assets, and in what colour. Pure functions of the
 * candidate's id and of what was decided about it. */
#ifndef BIOME_SHOW_H
#define BIOME_SHOW_H
#include "biome/candidates.h"
#include "biome/recipe.h"

struct biome_shown {
    int32_t variation; /* of its size class, -1: the class's own asset */
    uint32_t object_id;
    uint8_t rgb[3]; /* tint, sRGB */
};

/* stack: what the tint's stack gives at the entity's cell, where the species has one (TINT_STACK).
 *     variation: the class's own asset takes [0, 1) of 1 + the weights' sum, the variations what follows
 *     tint: colours by x + jitter * (2 u - 1), linear in sRGB; then brightness * (1 + color_jitter * (2 u -
 * 1)) */
struct biome_shown biome_show(const struct recipe *recipe, const struct biome_candidate *c, float stack);

#endif
