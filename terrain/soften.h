/* Owns the softening of rasters of codes: a tent filter in whole numbers, the same bits however a raster is
 * divided. Pure. */
#ifndef TERRAIN_SOFTEN_H
#define TERRAIN_SOFTEN_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>

enum { SOFTEN_RADIUS_MAX = 31, SOFTEN_STEPS = 256 };

/* Cells that are read beyond the output on every side: a tent is two boxes of 2 radius + 1 cells. */
static inline int32_t terrain_soften_reach(int32_t radius) {
    return 2 * radius;
}

/* out = SOFTEN_STEPS x the weighted mean of `in` over the tent, to nearest, cut to 65535. in: covers out
 * grown by the reach. radius: 1..SOFTEN_RADIUS_MAX cells. Takes terrain_soften_scratch bytes of the arena;
 * false: it is too small. */
bool terrain_soften(int32_t radius, const struct grid_u8 *in, const struct grid_u16 *out,
                    struct arena *arena);
size_t terrain_soften_scratch(int32_t radius, int32_t width, int32_t height);

#endif
