/* Owns horizons: how steeply one looks up, from every cell of a window, to the ground that hides the sky in
 * one direction, out to a radius. Knows nothing of light or wind (terrain/light.h, terrain/wind.h).
 *
 * What is computed. A direction (east, north) has a family of parallel lines, one a cell, that cross the rows
 * (when |north| >= |east|; else the columns, with x and y exchanged). Line k meets row Y at x = k + m Y, with
 * m = east / north and Y the row's number in the world, so lines do not depend on the window. A line's height
 * on a row is linear between the two cell centres beside it. The horizon at a line's point on row Y is
 *     max(least, max over t of (height on row Y +- t - height on row Y) / distance),
 *     distance = t cell_m / |north|, t = 1, 2, .. while distance <= radius_m,
 * and a cell's is linear between its two lines'. On a plane this is the plane's own slope, exactly in any
 * direction. Each value is a maximum of single-precision quotients (difference times a rounded reciprocal),
 * so neither the order of work nor what is skipped can change a bit. */
#ifndef TERRAIN_HORIZON_H
#define TERRAIN_HORIZON_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HORIZON_CELLS_MAX = 4096 };

struct horizon_params {
    double cell_m;   /* [m] > 0 */
    double radius_m; /* [m] > 0; at most HORIZON_CELLS_MAX cells */
    float least;     /* tangent that open ground gets: 0 for the level horizon, below 0 for exposed crests */
};

/* Cells that a window must hold beyond the cells that are made, on every side. */
int32_t horizon_reach(const struct horizon_params *params);

/* A window made ready for sweeps. The arena and the altitudes must outlive it. */
struct horizon {
    struct horizon_params params;
    int32_t x0, y0, width, height; /* the cells to make */
    struct grid_f32 rows, columns; /* the altitudes, and their transpose */
    int32_t *starts;
    float *lines, *highest, *reciprocals, *found, *turned;
};

/* Bytes that horizon_begin takes for width x height cells. */
size_t horizon_scratch(const struct horizon_params *params, int32_t width, int32_t height);
/* Makes ready for the cells x0 <= x < x0 + width, y0 <= y < y0 + height; altitude [m] must hold them grown by
 * the reach, finite. False: the arena is too small. */
bool horizon_begin(struct horizon *horizon, const struct horizon_params *params,
                   const struct grid_f32 *altitude, const struct grid_f32 *cells, struct arena *arena);
/* Tangents of the horizon elevation in the direction of the unit vector (east, north), width x height row by
 * row from the south. */
void horizon_towards(const struct horizon *horizon, double east, double north, float *tangent);

/* Unit vector of compass direction i of count (16 or 32): i turns of 360 / count degrees, clockwise from
 * north. The same bits for the same angle. */
void horizon_direction(int32_t i, int32_t count, double *east, double *north);

#endif
