/* Owns changing the spacing of a height raster: fine to coarse by means, coarse to fine by cubic convolution.
 * NaN stands for a void sample. Every value is a function of the place and of the samples around it: any
 * window gives the same bits. Means of samples are taken in double, in a fixed order; flat ground stays flat
 * to the bit and a ramp stays a ramp. */
#ifndef TERRAIN_RESAMPLE_H
#define TERRAIN_RESAMPLE_H
#include "terrain/grid.h"
#include <stdbool.h>
#include <stdint.h>

/* Samples at centres: out cell (x, y) is the mean of the 2^log2 x 2^log2 samples of in from (x, y) << log2,
 * void ones left out; void when more than half of them are. log2: 0..6. `in` covers out's window << log2. */
void terrain_resample_box(int32_t log2, const struct grid_f32 *in, struct grid_f32 *out);

/* Posts: out post (x, y) is in's post (x, y) << log2, low-passed by the tent that reaches the next out post
 * (weights 1 2 1 / 4 at log2 1: half a cell to each side), so that detail finer than out's spacing does not
 * alias. Void posts are left out of the mean; out is void where in's post at that very place is. `in` covers
 * out's window << log2, grown by 2^log2 - 1 on every side. */
void terrain_resample_tent(int32_t log2, const struct grid_f32 *in, struct grid_f32 *out);

/* in has one sample for 2^log2 x 2^log2 of out's, log2 1..10. Post (x, y) of in stands on out's post
 * (origin_x, origin_y) + (x, y) << log2; a cell of in covers out's cells from there on. */
struct resample_lattice {
    int32_t log2;
    int32_t origin_x, origin_y;
    bool posts;
};
/* The samples of in that out sample numbers x0 .. x1 - 1 need along an axis, reach included. */
void terrain_resample_bicubic_reach(const struct resample_lattice *lattice, int32_t origin, int32_t x0,
                                    int32_t x1, int32_t *in0, int32_t *in1);

/* Cubic convolution (Keys 1981, a = -0.5: Catmull-Rom), exact at in's places. out is void where a void sample
 * is among the (up to) four that surround the place; a void sample of the outer ring counts as the mean of
 * its known neighbours, so that the ground is smooth up to the rim of a void. `in` covers
 * terrain_resample_bicubic_reach of out's window; the caller continues it beyond the world's edge. */
void terrain_resample_bicubic(const struct resample_lattice *lattice, const struct grid_f32 *in,
                              struct grid_f32 *out);

#endif
