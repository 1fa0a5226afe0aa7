/* Owns the wind over the ground: how strong it blows at a place relative to the open prevailing wind, and
 * where it comes from. Knows nothing of weather: one prevailing direction.
 *
 * Three effects, each on fixed scales (nothing is normalised by what a window holds):
 * - Speed over relief, MicroMet (Liston & Elder 2006, A meteorological distribution system for
 * high-resolution terrestrial modeling, J. Hydrometeorology 7, eq. 15-17): W = 1 + slope_weight S +
 * curvature_weight C. S is the slope's angle along the wind, rising downwind positive: 45 degrees make 0.5,
 * the limit. C is how far the ground stands above the mean of opposite points scale_m away (1.41 scale_m on
 * the diagonals), over twice that distance, mean of the four axes: 0.25 makes 0.5, the limit.
 * - Direction, Ryan 1977 (A mathematical model for diagnosis and prediction of surface winds in mountainous
 *   terrain, J. Appl. Meteorology 16): turned by -0.225 degrees for each percent of slope along the wind
 *   (at most 100), times sin(2 (aspect - direction)).
 * - Shelter in the lee, Winstral & Marks 2002 (Simulating wind fields and snow redistribution using terrain-
 *   based parameters, Hydrological Processes 16): Sx, the steepest look upwind to the ground within
 * shelter_m, mean of five azimuths over 30 degrees. W is multiplied by 1 - 0.8 Sx / 30 degrees, at least 0.2.
 * Slopes and curvature are of the ground smoothed over about half of scale_m: two box means in fixed point (1
 * / 256 m), so that they are exact in any window. Sx sees the ground as it is. */
#ifndef TERRAIN_WIND_H
#define TERRAIN_WIND_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wind_params {
    double cell_m;           /* [m] > 0 */
    double from_rad;         /* where the prevailing wind comes from, clockwise from north */
    double scale_m;          /* [m] > 0: about half the distance from ridge to ridge, 64 */
    double slope_weight;     /* [0..1] 0.58 */
    double curvature_weight; /* [0..1] 0.42 */
    double shelter_m;        /* [m] reach of the lee shelter, 100; 0: none */
};

enum { WIND_CELLS_MAX = 4096 }; /* scale_m and shelter_m in cells are at most this */

/* Cells that a window must hold beyond the cells that are made. */
int32_t wind_reach(const struct wind_params *params);
size_t wind_scratch(const struct wind_params *params, int32_t width, int32_t height);

/* strength: codes in 1/128 of the open wind, at most 255; direction: where it comes from, 256 to a turn,
 * clockwise from north, 0 north; both to nearest, one window. altitude [m] holds it grown by the reach,
 * finite, within +-8 000 000 m. False: the arena is too small. */
bool wind_make(const struct wind_params *params, const struct grid_f32 *altitude,
               const struct grid_u8 *strength, const struct grid_u8 *direction, struct arena *arena);

#endif
