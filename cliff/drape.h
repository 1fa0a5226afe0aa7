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

/* A mesh's faces by the cells of a sector that they lie over, for rays from above. */
struct cliff_bins {
    const struct cliff_mesh *mesh;
    double cell_m;
    uint32_t *first, *list; /* cell (x, y) of the sector: quads list[first[i]] .. list[first[i + 1] - 1] */
    int32_t side;           /* cells */
};
/* side x side cells from the mesh's origin. False: too little scratch. */
bool cliff_bins_make(const struct cliff_mesh *mesh, double cell_m, int32_t side, struct arena *scratch,
                     struct cliff_bins *out);
/* What a ray straight from above meets first at a place, metres from the mesh's origin: its height [m].
 * False: nothing, or a place outside the cells. */
bool cliff_ray_down(const struct cliff_bins *bins, double x_m, double y_m, double *z_m);
/* A place on a ledge for something that shall stand at x_m, y_m of a ledge cell: the nearest of five on the
 * way to the cell's centre whose ray ends within 0.3 m of where the centre's does, so that nothing hangs over
 * it there. False: no ray meets anything. */
bool cliff_stand(const struct cliff_bins *bins, double *x_m, double *y_m, double *z_m);

#endif
