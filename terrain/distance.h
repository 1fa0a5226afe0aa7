/* Owns distance fields: how far each cell's centre is from a mask's edge.
 *
 * A cell is inside where the mask is above 127. The mask's edge is every point on the border line between a
 * cell inside and a cell outside (8-connected: corners count), so the distance is the one to the nearest
 * point of the nearest cell of the other kind, and a cell next to the edge has half a cell. Exact: squares of
 * half cells in integers until the root (two passes, Felzenszwalb & Huttenlocher 2012; the second as steps of
 * a parabola, Huang & Mitchell 1994). Cells beyond the window count as neither kind: the world's edge is no
 * edge of a mask. */
#ifndef TERRAIN_DISTANCE_H
#define TERRAIN_DISTANCE_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include "terrain/status.h"
#include <stdint.h>

/* A code is DISTANCE_ZERO + sign * round(DISTANCE_STEPS * metres): steps of 1/32 m, negative inside. */
enum { DISTANCE_ZERO = 32768, DISTANCE_STEPS = 32 };

struct distance_params {
    double cell_m; /* [m] [1/64..64] */
    double max_m;  /* [m] [cell_m..1023] farther is max_m; max_m / cell_m at most 4096 */
};

/* Cells that must be known beyond the output on every side (as far as the world goes). What lies farther
 * changes nothing. */
int32_t terrain_distance_reach(const struct distance_params *params);

/* mask: covers `out` grown by the reach and cut at the world's edge; may be larger. out: the codes. */
enum status terrain_distance(const struct distance_params *params, const struct grid_u8 *mask,
                             struct grid_u16 *out, struct arena *arena, struct error *err);

/* What it takes from the arena at most for an output of this size. */
size_t terrain_distance_scratch(const struct distance_params *params, int32_t width, int32_t height);

#endif
