/* Owns the first derivatives of the ground: gradient, slope and aspect at cell centres.
 *
 * Two samplings. Cells (samples at cell centres): the 3 x 3 stencil of Horn 1981, "Hill shading and the
 * reflectance map", which reads one cell around. Posts (samples on cell corners): the differences of a cell's
 * four corners, east = ((se - sw) + (ne - nw)) / 2 cell_m,   north = ((nw - sw) + (ne - se)) / 2 cell_m,
 * which read nothing around. */
#ifndef TERRAIN_SLOPE_H
#define TERRAIN_SLOPE_H
#include "terrain/grid.h"
#include <stdbool.h>

struct slope_params {
    float cell_m; /* [m] > 0: width of a cell */
    bool posts;   /* how the heights are sampled */
};

/* Heights in metres, finite. They cover the output's window grown by slope_reach cells; with posts also the
 * corner posts on the east and north. Outputs share one window; none may alias the heights. */
int32_t slope_reach(bool posts); /* 1 for cells, 0 for posts */

/* With cells, the stencil of an outermost cell reads one cell beyond the ground. There the ground goes on in
 * a straight line: this sets the samples of the window one cell outside [x0, x1) x [y0, y1), where the window
 * has them. A ground that is one cell wide goes on flat. */
void terrain_slope_rim(struct grid_f32 *height_m, int32_t x0, int32_t y0, int32_t x1, int32_t y1);

/* slope_deg: 0 (flat) .. 90. aspect_deg: where the ground falls to, clockwise from north, 0 <= a < 360; -1
 * where the gradient is zero. */
void terrain_slope(const struct slope_params *params, const struct grid_f32 *height_m,
                   struct grid_f32 *slope_deg, struct grid_f32 *aspect_deg);

/* Rise in metres per metre towards east and towards north. */
void terrain_gradient(const struct slope_params *params, const struct grid_f32 *height_m,
                      struct grid_f32 *east, struct grid_f32 *north);

#endif
