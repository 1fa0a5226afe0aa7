/* Owns the filling of voids (NaN) in a height raster: a smooth membrane over each void, spanned between the
 * known samples at its rim, found on a pyramid of blocks (pull-push of Gortler et al. 1996, "The Lumigraph",
 * with rounds of relaxation at each level as in a multigrid's descent). Known samples are never changed.
 *
 * Blocks are anchored at world (0, 0): a block of level L covers 2^L x 2^L samples; the extra row and column
 * of posts at the world's north and east edge belong to the blocks beside them. A block's height is the mean
 * of its four parts of one level less, those without any known sample left out; NaN when none has one. Coarse
 * to fine, a block that is NaN takes its height from the level above, bilinearly, and is then relaxed against
 * its neighbours; beyond the world's edge the edge block is repeated.
 *
 * From level TERRAIN_VOIDS_SPLIT up this is one small task for the whole world (terrain_voids_solve), below
 * it is local (terrain_voids_fill). Every value is a function of its place and of the heights around it:
 * any window gives the same bits. */
#ifndef TERRAIN_VOIDS_H
#define TERRAIN_VOIDS_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TERRAIN_VOIDS_SPLIT = 5, /* blocks of 32 samples are shared by the whole world */
    /* samples read beyond a window that starts and ends on multiples of 32 or at the world's edge */
    TERRAIN_VOIDS_REACH = 144
};

/* The world: cells x0 <= x < x1; posts: samples 0 .. one more. */
struct terrain_voids_world {
    int32_t x0, y0, x1, y1;
    bool posts;
};

/* Sets the place and size of the blocks of a level that touch samples x0 .. x1 - 1 and lie in the world. */
void terrain_voids_blocks(const struct terrain_voids_world *world, int32_t level, int32_t x0, int32_t y0,
                          int32_t x1, int32_t y1, struct grid_f32 *blocks);

/* Heights of the blocks of level TERRAIN_VOIDS_SPLIT in out's window from the samples `in`, which cover the
 * blocks (as far as the world goes). scratch: terrain_voids_summary_scratch. False: scratch is too small. */
bool terrain_voids_summary(const struct terrain_voids_world *world, const struct grid_f32 *in,
                           struct grid_f32 *out, struct arena *scratch);
size_t terrain_voids_summary_scratch(const struct grid_f32 *out);

enum terrain_voids_result { VOIDS_FILLED, VOIDS_ALL_VOID, VOIDS_NO_SCRATCH };
/* Fills the NaN among all blocks of level TERRAIN_VOIDS_SPLIT of the world, in place. scratch: at most
 * terrain_voids_solve_scratch bytes. */
enum terrain_voids_result terrain_voids_solve(const struct terrain_voids_world *world,
                                              struct grid_f32 *blocks, struct arena *scratch);
size_t terrain_voids_solve_scratch(const struct grid_f32 *blocks);

/* The window of solved blocks that terrain_voids_fill needs for out's window. */
void terrain_voids_fill_blocks(const struct terrain_voids_world *world, const struct grid_f32 *out,
                               struct grid_f32 *blocks);
/* out: heights without NaN. in: the samples of out's window and TERRAIN_VOIDS_REACH beyond it, inside the
 * world; blocks: solved, terrain_voids_fill_blocks. scratch: terrain_voids_fill_scratch bytes. False: scratch
 * is too small. */
bool terrain_voids_fill(const struct terrain_voids_world *world, const struct grid_f32 *in,
                        const struct grid_f32 *blocks, struct grid_f32 *out, struct arena *scratch);
size_t terrain_voids_fill_scratch(const struct grid_f32 *out);

#endif
