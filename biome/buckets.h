/* Owns buckets: points sorted into squares, row by row, so that neighbours are runs. For the kernels of
 * competition alone. */
#ifndef BIOME_BUCKETS_H
#define BIOME_BUCKETS_H
#include "biome/candidates.h"
#include <math.h>
#include <string.h>

struct buckets {
    int32_t x0, y0; /* of bucket (0, 0), in 1/1024 m */
    double inverse; /* 1 / side of a bucket: no pair farther apart than a side is asked for */
    int32_t wide, high;
    uint32_t *start; /* wide * high + 1 */
};

static inline int32_t bucket_column(const struct buckets *b, int32_t x_q) {
    int32_t c = (int32_t)((double)(x_q - b->x0) * b->inverse);
    return c < 0 ? 0 : c >= b->wide ? b->wide - 1 : c;
}
static inline int32_t bucket_row(const struct buckets *b, int32_t y_q) {
    int32_t r = (int32_t)((double)(y_q - b->y0) * b->inverse);
    return r < 0 ? 0 : r >= b->high ? b->high - 1 : r;
}

/* At most 4 buckets a point. */
static inline void buckets_fit(struct buckets *b, const struct biome_candidate *points, size_t count,
                               int32_t side_q) {
    int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = INT32_MIN, y1 = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        x0 = points[i].x_q < x0 ? points[i].x_q : x0;
        x1 = points[i].x_q > x1 ? points[i].x_q : x1;
        y0 = points[i].y_q < y0 ? points[i].y_q : y0;
        y1 = points[i].y_q > y1 ? points[i].y_q : y1;
    }
    double dx = (double)x1 - (double)x0 + 1.0, dy = (double)y1 - (double)y0 + 1.0;
    double side = side_q < 64 ? 64.0 : (double)side_q;
    while ((floor(dx / side) + 1.0) * (floor(dy / side) + 1.0) > 4.0 * (double)count + 16.0)
        side *= 2.0;
    b->x0 = x0;
    b->y0 = y0;
    b->inverse = 1.0 / side;
    b->wide = (int32_t)floor(dx / side) + 1;
    b->high = (int32_t)floor(dy / side) + 1;
}

/* Sizes the grid over the points and sorts: order[] holds the points' indices, bucket by bucket. */
static inline bool buckets_make(struct buckets *b, const struct biome_candidate *points, size_t count,
                                int32_t side_q, uint32_t *order, struct arena *arena) {
    buckets_fit(b, points, count, side_q);
    size_t cells = (size_t)b->wide * (size_t)b->high;
    b->start = arena_alloc(arena, cells + 2, sizeof *b->start);
    uint32_t *bucket = arena_alloc(arena, count, sizeof *bucket);
    if (!b->start || !bucket)
        return false;
    memset(b->start, 0, (cells + 2) * sizeof *b->start);
    uint32_t *next = b->start + 1;
    for (size_t i = 0; i < count; i++) {
        bucket[i] = (uint32_t)bucket_row(b, points[i].y_q) * (uint32_t)b->wide +
                    (uint32_t)bucket_column(b, points[i].x_q);
        next[bucket[i] + 1]++;
    }
    for (size_t c = 1; c <= cells; c++)
        next[c] += next[c - 1];
    for (size_t i = 0; i < count; i++)
        order[next[bucket[i]]++] = (uint32_t)i;
    return true;
}

/* The up to 3 x 3 buckets around a place: in each of its rows the points are one run. */
struct bucket_block {
    int32_t column0, column1, row0, row1; /* inclusive */
};

static inline struct bucket_block bucket_block_around(const struct buckets *b, int32_t x_q, int32_t y_q) {
    int32_t column = bucket_column(b, x_q), row = bucket_row(b, y_q);
    return (struct bucket_block){column > 0 ? column - 1 : 0, column + 1 < b->wide ? column + 1 : column,
                                 row > 0 ? row - 1 : 0, row + 1 < b->high ? row + 1 : row};
}
static inline uint32_t bucket_run_start(const struct buckets *b, struct bucket_block block, int32_t row) {
    return b->start[(size_t)row * (size_t)b->wide + (size_t)block.column0];
}
static inline uint32_t bucket_run_end(const struct buckets *b, struct bucket_block block, int32_t row) {
    return b->start[(size_t)row * (size_t)b->wide + (size_t)block.column1 + 1];
}

static inline size_t buckets_scratch(size_t count) {
    return arena_need(4 * count + 32, sizeof(uint32_t)) + arena_need(count, sizeof(uint32_t));
}

#endif
