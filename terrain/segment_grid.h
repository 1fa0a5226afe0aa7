/* Owns a search structure over straight segments: a uniform grid of buckets, each listing the segments that
 * may touch it. What is found never depends on the grid: it only narrows down who is asked. */
#ifndef TERRAIN_SEGMENT_GRID_H
#define TERRAIN_SEGMENT_GRID_H
#include "terrain/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct segment {
    double x0, y0, x1, y1;
};

struct segment_grid {
    const struct segment *segments;
    size_t count;
    double x0, y0, bucket_m; /* south-west corner; edge of a bucket */
    int32_t columns, rows;
    uint32_t *start; /* bucket b lists items[start[b]] .. items[start[b + 1] - 1], ascending */
    uint32_t *items;
};

/* Half-open rectangle of buckets. */
struct bucket_range {
    int32_t column0, row0, column1, row1;
};

/* Bytes of scratch for `count` segments, at most: about 160 each. */
size_t terrain_segment_grid_scratch(size_t count);
/* Builds the grid over finite segments (count < 2^26; 0 is fine). The segments stay the caller's and must
 * outlive the grid. False: the arena is too small. About 2 buckets a segment; where long segments would be
 * listed more than 32 times on average, buckets are made larger. */
bool terrain_segment_grid_build(const struct segment *segments, size_t count, struct arena *arena,
                                struct segment_grid *grid);
/* The buckets that a closed box touches: every segment that touches the box is listed in one of them. */
struct bucket_range terrain_segment_grid_range(const struct segment_grid *grid, double x0, double y0,
                                               double x1, double y1);

/* The point of a segment nearest to (x, y), as a share 0..1 of the way from its first end; *distance2 is the
 * square of the distance. The same point, to the last bit, for the segment turned around (then 1 - share up
 * to rounding). */
double terrain_segment_nearest(const struct segment *segment, double x, double y, double *at_x, double *at_y,
                               double *distance2);

#endif
