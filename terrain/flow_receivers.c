#include "terrain/flow_receivers.h"

#include "terrain/clones.h"
#include "terrain/hash.h"

#include <string.h>

/* One row of heights: a cell and its neighbours' rows. */
struct rows {
    const int32_t *south, *here, *north;
};

static int32_t max_i32(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* A drop and its direction in one number: equal drops are ordered by (direction ^ tie). Directions 0..3. */
static int32_t rank_of(int32_t here, int32_t there, uint32_t direction, uint32_t tie) {
    return (here - there) * 4 + (int32_t)(direction ^ tie);
}

/* Drops are at most 2^28, so that products with 2^17 are exact in double. */
TERRAIN_CLONES static void codes_of_row(struct rows z, int32_t n, const uint32_t *hash,
                                        uint8_t *restrict code) {
    for (int32_t i = 0; i < n; i++) {
        uint32_t h = hash[i], tie_c = h >> 16 & 3, tie_d = h >> 18 & 3;
        int32_t here = z.here[i];
        int32_t east = rank_of(here, z.here[i + 1], 0, tie_c), north = rank_of(here, z.north[i], 1, tie_c);
        int32_t west = rank_of(here, z.here[i - 1], 2, tie_c), south = rank_of(here, z.south[i], 3, tie_c);
        int32_t ne = rank_of(here, z.north[i + 1], 0, tie_d), nw = rank_of(here, z.north[i - 1], 1, tie_d);
        int32_t sw = rank_of(here, z.south[i - 1], 2, tie_d), se = rank_of(here, z.south[i + 1], 3, tie_d);
        int32_t c = max_i32(max_i32(east, north), max_i32(west, south));
        int32_t d = max_i32(max_i32(ne, nw), max_i32(sw, se));
        int32_t drop_c = c >> 2, drop_d = d >> 2;
        int32_t to_c = (int32_t)(((uint32_t)c & 3) ^ tie_c), to_d = 4 + (int32_t)(((uint32_t)d & 3) ^ tie_d);
        double weight = (double)(int32_t)(131072 - (h & 65535));
        int32_t to = (double)drop_d * 65536.0 > (double)drop_c * weight ? to_d : to_c;
        /* no positive drop: neither can win rightly */
        code[i] = (uint8_t)(max_i32(drop_c, drop_d) > 0 ? to : FLOW_LAKE);
    }
}

/* The part of a block of cells (x0, y0, width, height) that the world has, as x and y ranges in the block. */
static void inside_world(const struct flow_layout *l, int32_t x0, int32_t y0, int32_t width, int32_t height,
                         int32_t from[2], int32_t to[2]) {
    from[0] = l->x0 > x0 ? l->x0 - x0 : 0;
    from[1] = l->y0 > y0 ? l->y0 - y0 : 0;
    to[0] = l->x1 - x0 < width ? l->x1 - x0 : width;
    to[1] = l->y1 - y0 < height ? l->y1 - y0 : height;
}

static void copy_heights(const struct flow_layout *l, struct flow_section at, const struct grid_i32 *filled,
                         int32_t *z) {
    int32_t width = at.width + 4, height = at.height + 4, from[2], to[2];
    inside_world(l, at.x0 - 2, at.y0 - 2, width, height, from, to);
    for (int32_t y = 0; y < height; y++) {
        int32_t *row = z + (ptrdiff_t)y * width;
        for (int32_t x = 0; x < width; x++)
            row[x] = FLOW_NO_HEIGHT;
        if (y >= from[1] && y < to[1])
            memcpy(row + from[0], grid_i32_at(filled, at.x0 - 2 + from[0], at.y0 - 2 + y),
                   (size_t)(to[0] - from[0]) * sizeof *row);
    }
}

/* What is beyond the world, and what leaves it. */
static void mark_edges(const struct flow_layout *l, struct flow_section at, uint8_t *code) {
    int32_t width = at.width + 2, height = at.height + 2, from[2], to[2];
    inside_world(l, at.x0 - 1, at.y0 - 1, width, height, from, to);
    for (int32_t y = 0; y < height; y++) {
        uint8_t *row = code + (ptrdiff_t)y * width;
        int32_t wy = at.y0 - 1 + y;
        if (y < from[1] || y >= to[1]) {
            memset(row, FLOW_VOID, (size_t)width);
            continue;
        }
        for (int32_t x = 0; x < width; x++) {
            int32_t wx = at.x0 - 1 + x;
            if (x < from[0] || x >= to[0])
                row[x] = FLOW_VOID;
            else if (row[x] == FLOW_LAKE && flow_on_edge(l, wx, wy))
                row[x] = FLOW_LEAVES;
        }
    }
}

enum status flow_receivers(const struct flow_layout *layout, struct flow_section at, uint64_t seed,
                           const struct grid_i32 *filled, int32_t *z, uint8_t *code, struct arena *arena,
                           struct error *err) {
    size_t mark = arena_mark(arena);
    int32_t width = at.width + 2, stride = at.width + 4;
    uint32_t *hash = arena_alloc(arena, (size_t)width, sizeof *hash);
    if (!hash)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for flow");
    uint64_t salt = hash_name("flow_rho8");
    copy_heights(layout, at, filled, z);
    for (int32_t y = 0; y < at.height + 2; y++) {
        for (int32_t x = 0; x < width; x++)
            hash[x] = (uint32_t)hash_place(seed, salt, at.x0 - 1 + x, at.y0 - 1 + y, 0);
        const int32_t *here = z + (ptrdiff_t)(y + 1) * stride + 1;
        codes_of_row((struct rows){here - stride, here, here + stride}, width, hash,
                     code + (ptrdiff_t)y * width);
    }
    mark_edges(layout, at, code);
    arena_release(arena, mark);
    return STATUS_OK;
}
