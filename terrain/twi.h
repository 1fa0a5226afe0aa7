/* Owns the topographic wetness index, ln(a / tan b) (Beven & Kirkby 1979): a, the contributing area per metre
 * of contour, from published flow codes; b, the ground's slope. */
#ifndef TERRAIN_TWI_H
#define TERRAIN_TWI_H
#include "terrain/grid.h"
#include <stdint.h>

/* Slopes below TWI_SLOPE_MIN_DEG count as that (flats would be infinitely wet), slopes above
 * TWI_SLOPE_MAX_DEG as that. A code is (index - TWI_MIN) * TWI_STEPS to the nearest, cut to 0 .. 255: steps
 * of 1/8, -4 .. 27.875. */
#define TWI_SLOPE_MIN_DEG 0.1f
#define TWI_SLOPE_MAX_DEG 89.9f
enum { TWI_MIN = -4, TWI_STEPS = 8 };

/* flow: codes of terrain/flow_finish.h; slope: degrees, 0 .. 90; both cover `out`. cell_m: 1/64 .. 64; a
 * contour is a cell wide. Within 1e-4 of the formula before it is rounded. */
void terrain_twi(double cell_m, const struct grid_u16 *flow, const struct grid_f32 *slope,
                 struct grid_u8 *out);

#endif
