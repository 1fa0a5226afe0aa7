/* Owns the ground's curvatures at a chosen scale.
 *
 * Zevenbergen & Thorne 1987, "Quantitative analysis of land surface topography", on smoothed altitudes. Their
 * surface through the 3 x 3 neighbours has, with cell width L and neighbours named by compass points,
 *     D = ((w + e) / 2 - c) / L^2,  E = ((n + s) / 2 - c) / L^2,  F = (ne - nw - se + sw) / 4 L^2,
 *     G = (e - w) / 2 L,            H = (n - s) / 2 L.
 * Results in 1/m, all positive where the ground bulges (ridges, knobs), negative in hollows, 0 on planes:
 *     curvature = -2 (D + E)
 *     profile   = -2 (D G^2 + E H^2 + F G H) / (G^2 + H^2)   along the line of fall
 *     plan      = -2 (D H^2 + E G^2 - F G H) / (G^2 + H^2)   across it
 * so that curvature = profile + plan. Where the gradient is below 1e-6 there is no line of fall: both are
 * half the curvature, the mean over all directions. These are second derivatives: multiply by the cosines of
 * slope for the curvature of the surface itself.
 *
 * Smoothing: three box means, `box` cells wide, along x and three along y; the standard deviation is near
 * half the scale. Sums are taken in double by doubling (2, 4, 8 ... neighbours) from the cell itself, so that
 * each cell's bits are the same in any window. */
#ifndef TERRAIN_CURVATURE_H
#define TERRAIN_CURVATURE_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>
#include <stddef.h>

struct curvature_params {
    double cell_m;  /* [m] > 0 */
    double scale_m; /* [m] 1..64, default 8: detail smaller than this is smoothed away */
};

/* Width of the boxes: the odd number 2 floor(scale / 2 cell) + 1. */
int32_t curvature_box(const struct curvature_params *params);
/* Cells read around the output: 3 (box - 1) / 2 + 1. */
int32_t curvature_reach(const struct curvature_params *params);

/* altitude_m: metres at cell centres, finite, over the outputs' window grown by the reach. Outputs share one
 * window and alias nothing. False: scratch is too small. */
bool terrain_curvature(const struct curvature_params *params, const struct grid_f32 *altitude_m,
                       struct grid_f32 *curvature, struct grid_f32 *profile, struct grid_f32 *plan,
                       struct arena *scratch);
size_t curvature_scratch(const struct curvature_params *params, int32_t width, int32_t height); /* bytes */

#endif
