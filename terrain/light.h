/* Owns how much sky and sun reaches the ground: occlusion and illumination, from the horizons in 16 or 32
 * directions (terrain/horizon.h), the suns of a year (terrain/sun.h) and far ridges (terrain/relief.h).
 *
 * Occlusion = 1 - sky-view factor = the mean over directions of sin^2 of the horizon's elevation: the share
 * of an overcast sky's light on a level surface that near relief takes away (Dozier & Frew 1990, Rapid
 * calculation of terrain parameters for radiation modeling, IEEE TGRS 28(5), horizontal form). Far relief
 * does not count.
 *
 * Illumination = direct sun over a year on the ground's own plane, as a share of what the best orientation of
 * an open plane gets at this latitude. In each direction the horizon is the highest of the near relief's, the
 * far relief's and the plane's own; what stands above it lights the plane by the cosine of incidence. The
 * plane is by Horn 1981 (3 x 3). */
#ifndef TERRAIN_LIGHT_H
#define TERRAIN_LIGHT_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct light_params {
    double cell_m;       /* [m] > 0 */
    double radius_m;     /* [m] near relief, 8..512, 96 */
    double far_radius_m; /* [m] far relief, 0..8192, 2048; at most radius_m: none */
    double latitude_rad; /* -pi/2..pi/2, north positive */
    int32_t directions;  /* 16 or 32, 16 */
};

bool light_uses_far(const struct light_params *params);
/* Cells of altitude that are read beyond the cells made, on every side. */
int32_t light_reach(const struct light_params *params);
/* Cells of the block heights likewise: blocks that touch the made cells grown by this. 0 without far relief.
 */
int32_t light_far_reach(const struct light_params *params);

size_t light_scratch(const struct light_params *params, int32_t width, int32_t height);
/* The far horizons of a window of cells, for light_make: floats (base, then per_m of relief_far_towards at
 * the block centres around the cells, direction by direction), and how many. They change only where a far
 * block that stands highest in some direction does. blocks (relief_blocks) holds the cells' blocks grown by
 * light_far_reach. Without far relief: none. */
size_t light_far_count(const struct light_params *params, int32_t x0, int32_t y0, int32_t width,
                       int32_t height);
void light_far(const struct light_params *params, const struct grid_f32 *blocks, int32_t x0, int32_t y0,
               int32_t width, int32_t height, float *far);

/* The far horizons of a part of a window, of those of the whole: what light_far gives for the part. whole,
 * part: windows of cells, without values. */
void light_far_part(const struct light_params *params, const struct grid_f32 *whole, const float *far,
                    const struct grid_f32 *part, float *out);

/* Codes of occlusion (0 open .. 255 shut) and illumination (0..255, 255: 1), rounded to nearest, for the
 * cells of occlusion's window; illumination has the same window. altitude [m] holds them grown by
 * light_reach; far is light_far of the same cells, read only, and not read without far relief. False: the
 * arena is too small. */
bool light_make(const struct light_params *params, const struct grid_f32 *altitude, float *far,
                const struct grid_u8 *occlusion, const struct grid_u8 *illumination, struct arena *arena);

#endif
