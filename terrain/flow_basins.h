/* Owns the basins of a block of heights: the cells that run down to one pit, and where neighbouring basins
 * touch. Knows nothing of sections. */
#ifndef TERRAIN_FLOW_BASINS_H
#define TERRAIN_FLOW_BASINS_H
#include "terrain/arena.h"
#include "terrain/flow_graph.h"
#include "terrain/grid.h"
#include "terrain/status.h"
#include <stdint.h>

/* Cell (x, y), counted from the block's south-west, is at (y + 1) * stride + x + 1: one cell of padding all
 * around, with heights INT32_MAX and basins -1. */
struct flow_basins {
    int32_t width, height, stride;
    int32_t count;  /* of basins, numbered by their pits in index order */
    int32_t *z;     /* the heights */
    int32_t *basin; /* which basin each cell runs down to */
};

/* From each cell a path of never rising heights leads to its basin's pit: to the lowest neighbour, the first
 * in index order among equals, as long as it comes before the cell in the order of (height, index). Results
 * lie in the arena. */
enum status flow_basins(const struct grid_i32 *height, struct flow_basins *out, struct arena *arena,
                        struct error *err);

/* Edges between basins that touch (8-connected), one at most for each pair, at its lowest pass: the smallest,
 * over touching cells, of the higher of the two. Passes that are no lower than a way over other basins may be
 * left out. *edges has room for one more edge a basin behind its *count edges. */
enum status flow_basin_edges(const struct flow_basins *basins, struct flow_edge **edges, int32_t *count,
                             struct arena *arena, struct error *err);

/* What both take from the arena at most. */
size_t flow_basins_scratch(int32_t width, int32_t height);

#endif
