/* Owns the relief beyond the horizon's radius: block heights, and the far horizon that they raise. Knows
 * nothing of light. Blocks are 16 x 16 cells, numbered from world (0,0). */
#ifndef TERRAIN_RELIEF_H
#define TERRAIN_RELIEF_H
#include "terrain/grid.h"
#include <stddef.h>
#include <stdint.h>

enum { RELIEF_CELLS = 16, RELIEF_STEPS = 8 };

/* Block heights: the mean of the block's cells, m, in steps of 1/RELIEF_STEPS m, which turn a horizon 96 m
 * away by less than the sun table's steps: an edit of a few cells leaves most of them as they are, and with
 * them all light beyond the horizon's radius. The mean is right on slopes and cuts ridges off by a few
 * metres; a block's highest cell raises slopes, which errs more (on an alpine valley, illumination came out
 * 0.0004 too bright with means and 0.0024 too dark with highest cells, against full relief). Blocks are
 * counted from the cells that altitude has (part blocks at the world's edge); blocks' window says which
 * blocks, each with at least one cell in altitude's window. */
void relief_blocks(const struct grid_f32 *altitude, const struct grid_f32 *blocks);

struct relief_far {
    double block_m;       /* [m] width of a block */
    double near_m, far_m; /* [m] block centres at this distance or farther, up to that */
};

/* Blocks that a window must hold beyond the nodes. */
int32_t relief_far_reach(const struct relief_far *params);

/* The far horizon in the direction of the unit vector (east, north) as seen from block centres ("nodes"):
 * a place at height z near the node sees the tangent base - z * per_m, at most; 0 when negative. From a
 * node's own height that is max (block height - own height) / distance over the blocks on the ray, heights
 * linear between the two block centres where the ray crosses a row (or column); for another height the block
 * that won there is kept. blocks holds the nodes grown by the reach; base and per_m have the nodes' window.
 */
void relief_far_towards(const struct relief_far *params, const struct grid_f32 *blocks, double east,
                        double north, const struct grid_f32 *base, const struct grid_f32 *per_m);

#endif
