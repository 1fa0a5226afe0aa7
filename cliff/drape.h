/* Owns what the unsimplified surface leaves on the ground: for each cell what lies on top at its centre,
 * looked at straight from above (a z-buffer, so overhangs count), and which faces are ledges. */
#ifndef CLIFF_DRAPE_H
#define CLIFF_DRAPE_H
#include "cliff/surface.h"

/* One sector's cells, or a part of them. */
struct cliff_drape {
    struct grid_i32 top;  /* quanta: height of the surface; CLIFF_NO_TOP: none */
    struct grid_u16 bed;  /* strata_bed.id of the topmost face; 0 none */
    struct grid_u8 level; /* 1: that face looks up (within 25 degrees) */
};
enum { CLIFF_NO_TOP = INT32_MIN };

/* Fills drape over its window (one window for all three). origin: the cell whose south-west corner is the
 * mesh's origin. Of two faces at one height the one with the larger bed id counts. */
void cliff_drape(const struct cliff_mesh *mesh, const int32_t origin[2], double cell_m,
                 const struct cliff_drape *drape);

/* Ledges: cells of level faces that rise 0.3 m or more over the ground, in 4-connected patches of at least
 * min_cells whose tops differ by no more than 0.4 m from cell to cell, judged inside top's window. out: 255
 * or 0. ground_m and out cover the same window. stack: width * height of it. */
void cliff_ledges(const struct cliff_drape *drape, const struct grid_f32 *ground_m, int32_t min_cells,
                  struct grid_u8 *out, int32_t *stack);

#endif
