/* Owns heights at cell centres: what recipes call `altitude`. */
#ifndef TERRAIN_ALTITUDE_H
#define TERRAIN_ALTITUDE_H
#include "terrain/grid.h"
#include <stdbool.h>

/* height_m (metres) covers the output's window, with posts also the corner posts on the east and north.
 * From posts: the mean of a cell's corners, ((sw + se) + (nw + ne)) / 4; from cells: a copy. */
void terrain_altitude(bool posts, const struct grid_f32 *height_m, struct grid_f32 *altitude_m);

/* How far along an axis each cell centre lies: (x - first + 0.5) / count, 0..1 for first <= x < first +
 * count; towards east (longitude), or towards north (latitude). */
void terrain_longitude(int32_t first, int32_t count, struct grid_f32 *out);
void terrain_latitude(int32_t first, int32_t count, struct grid_f32 *out);

#endif
