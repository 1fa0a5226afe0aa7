#include "terrain/flow_basins.h"

#include "terrain/clones.h"
#include <stdbool.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static size_t padded_cells(int32_t width, int32_t height) {
    return ((size_t)width + 2) * ((size_t)height + 2);
}

size_t flow_basins_scratch(int32_t width, int32_t height) {
    size_t cells = padded_cells(width, height);
    /* an edge takes 12 bytes; the tables double up to 4 slots an edge, and the halves before them are kept */
    return 3 * arena_need(cells, sizeof(int32_t)) + 2 * arena_need((size_t)width, sizeof(int32_t)) +
           arena_need(5 * cells, sizeof(struct flow_edge)) + arena_need(33 * cells, sizeof(int32_t)) +
           32 * ARENA_ALIGN + (1 << 16);
}

static void copy_padded(const struct grid_i32 *g, int32_t *z, int32_t stride) {
    for (int32_t x = 0; x < stride; x++)
        z[x] = z[(ptrdiff_t)(g->height + 1) * stride + x] = INT32_MAX;
    for (int32_t y = 0; y < g->height; y++) {
        int32_t *row = z + (ptrdiff_t)(y + 1) * stride;
        row[0] = row[stride - 1] = INT32_MAX;
        memcpy(row + 1, g->cells + y * g->stride, (size_t)g->width * sizeof *row);
    }
}

/* The step to the first lowest of a cell and its neighbours in index order. The padding is never lowest. */
TERRAIN_CLONES static void steps_of_row(const int32_t *z, int32_t stride, int32_t width,
                                        int32_t *restrict step) {
    const int32_t *south = z - stride, *north = z + stride;
    for (int32_t x = 0; x < width; x++) {
        int32_t low = south[x - 1], to = -stride - 1;
#define TRY(value, offset)                                                                                   \
    do {                                                                                                     \
        int32_t v = (value);                                                                                 \
        to = v < low ? (offset) : to;                                                                        \
        low = v < low ? v : low;                                                                             \
    } while (0)
        TRY(south[x], -stride);
        TRY(south[x + 1], -stride + 1);
        TRY(z[x - 1], -1);
        TRY(z[x], 0);
        TRY(z[x + 1], 1);
        TRY(north[x - 1], stride - 1);
        TRY(north[x], stride);
        TRY(north[x + 1], stride + 1);
#undef TRY
        step[x] = to;
    }
}

/* Gives every cell the basin of the pit that its steps lead to. */
static void label_cells(struct flow_basins *b, const int32_t *step) {
    for (int32_t y = 0; y < b->height; y++) {
        int32_t first = (y + 1) * b->stride + 1;
        for (int32_t i = first; i < first + b->width; i++)
            b->basin[i] = step[i] == 0 ? b->count++ : -1;
    }
    for (int32_t y = 0; y < b->height; y++) {
        int32_t first = (y + 1) * b->stride + 1;
        for (int32_t i = first; i < first + b->width; i++) {
            int32_t at = i;
            while (b->basin[at] < 0)
                at += step[at];
            int32_t found = b->basin[at];
            for (at = i; b->basin[at] < 0; at += step[at])
                b->basin[at] = found;
        }
    }
}

enum status flow_basins(const struct grid_i32 *height, struct flow_basins *out, struct arena *arena,
                        struct error *err) {
    size_t cells = padded_cells(height->width, height->height);
    *out =
        (struct flow_basins){.width = height->width, .height = height->height, .stride = height->width + 2};
    out->z = arena_alloc(arena, cells, sizeof *out->z);
    out->basin = arena_alloc(arena, cells, sizeof *out->basin);
    size_t mark = arena_mark(arena);
    int32_t *step = arena_alloc(arena, cells, sizeof *step);
    if (!out->z || !out->basin || !step)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for %d x %d heights", out->width,
                         out->height);
    copy_padded(height, out->z, out->stride);
    for (int32_t y = 0; y < out->height; y++) {
        ptrdiff_t first = (ptrdiff_t)(y + 1) * out->stride + 1;
        steps_of_row(out->z + first, out->stride, out->width, step + first);
    }
    memset(out->basin, -1, cells * sizeof *out->basin);
    label_cells(out, step);
    arena_release(arena, mark);
    return STATUS_OK;
}

/* Edges in the order in which they were found, and a hash table of them by their pair of basins. */
struct edge_set {
    struct flow_edge *edges;
    int32_t count;
    int32_t *slots; /* 1 + edge, or 0 */
    uint32_t slot_count;
    struct arena *arena;
};

static uint32_t slot_of(const struct edge_set *s, int32_t a, int32_t b) {
    uint32_t h = (uint32_t)a * 0x9e3779b1u ^ (uint32_t)b * 0x85ebca77u;
    return (h ^ h >> 15) & (s->slot_count - 1);
}

static bool grow(struct edge_set *s) {
    s->slot_count = s->slot_count ? 2 * s->slot_count : 4096;
    s->slots = arena_alloc(s->arena, s->slot_count, sizeof *s->slots);
    if (!s->slots)
        return false;
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
    for (int32_t i = 0; i < s->count; i++) {
        uint32_t at = slot_of(s, s->edges[i].a, s->edges[i].b);
        while (s->slots[at])
            at = (at + 1) & (s->slot_count - 1);
        s->slots[at] = i + 1;
    }
    return true;
}

/* a < b; returns the edge's number, or -1: out of memory. */
static int32_t add_edge(struct edge_set *s, int32_t a, int32_t b, int32_t level) {
    uint32_t at = slot_of(s, a, b);
    for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1)) {
        struct flow_edge *e = &s->edges[s->slots[at] - 1];
        if (e->a == a && e->b == b) {
            e->level = level < e->level ? level : e->level;
            return s->slots[at] - 1;
        }
    }
    s->edges[s->count] = (struct flow_edge){a, b, level};
    s->slots[at] = ++s->count;
    if ((uint32_t)s->count * 2 > s->slot_count && !grow(s))
        return -1;
    return s->count - 1;
}

/* Neighbours of a cell that come later in index order, and the one to the north-west: bits of a row's masks.
 */
enum { EAST = 1, NORTH_WEST = 2, NORTH = 4, NORTH_EAST = 8 };

/* To which of its neighbours each cell of a row has an edge that counts: the basins differ, and no other way
 * is as good. Of three cells that touch each other, in the order of (height, index), the edge between the two
 * higher ones is never better than the way over the lowest; so the edges of four cells in a square that count
 * lead to the lowest of them (the cycle property of smallest spanning trees: levels of basins do not change).
 */
TERRAIN_CLONES static void edges_of_row(const int32_t *z, const int32_t *basin, ptrdiff_t stride,
                                        int32_t width, uint8_t *restrict mask) {
    const int32_t *z_south = z - stride, *z_north = z + stride, *b_north = basin + stride;
    for (int32_t x = 0; x < width; x++) {
        int32_t here = z[x], w = z[x - 1], e = z[x + 1], nw = z_north[x - 1], n = z_north[x],
                ne = z_north[x + 1], b = basin[x];
        int32_t flat = MIN(here, e), steep = MIN(here, n), falling = MIN(here, nw), rising = MIN(here, ne);
        int32_t east = MIN(e, ne), west = MIN(w, nw), other_nw = MIN(w, n), other_ne = MIN(e, n);
        int keep_e = (flat <= MIN(n, ne)) & (flat < MIN(z_south[x], z_south[x + 1]));
        int keep_n = ((steep < east) | ((steep == east) & ((here == steep) | (e > steep)))) &
                     ((steep < west) | ((steep == west) & (w > steep) & (here == steep)));
        int keep_nw = (falling < other_nw) | ((falling == other_nw) & (w != falling));
        int keep_ne = (rising < other_ne) | ((rising == other_ne) & (here == rising));
        int32_t to_e = basin[x + 1], to_nw = b_north[x - 1], to_n = b_north[x], to_ne = b_north[x + 1];
        mask[x] = (uint8_t)((keep_e & (to_e != b) & (to_e >= 0)) * EAST |
                            (keep_nw & (to_nw != b) & (to_nw >= 0)) * NORTH_WEST |
                            (keep_n & (to_n != b) & (to_n >= 0)) * NORTH |
                            (keep_ne & (to_ne != b) & (to_ne >= 0)) * NORTH_EAST);
    }
}

/* Adds the edges of a mask. */
static bool add_cell(const struct flow_basins *b, int32_t i, uint32_t mask, struct edge_set *s,
                     int32_t *last) {
    const int32_t to[4] = {i + 1, i + b->stride - 1, i + b->stride, i + b->stride + 1};
    for (; mask; mask &= mask - 1) {
        int32_t other = to[__builtin_ctz(mask)], p = b->basin[i], q = b->basin[other];
        int32_t low = p < q ? p : q, high = p < q ? q : p;
        int32_t level = b->z[i] > b->z[other] ? b->z[i] : b->z[other];
        struct flow_edge *e = &s->edges[*last];
        if (s->count && e->a == low && e->b == high)
            e->level = level < e->level ? level : e->level;
        else if ((*last = add_edge(s, low, high, level)) < 0)
            return false;
    }
    return true;
}

enum status flow_basin_edges(const struct flow_basins *b, struct flow_edge **edges, int32_t *count,
                             struct arena *arena, struct error *err) {
    size_t cells = (size_t)b->width * (size_t)b->height;
    struct edge_set set = {.arena = arena};
    set.edges = arena_alloc(arena, 4 * cells + (size_t)b->count, sizeof *set.edges);
    size_t before = arena_mark(arena);
    uint8_t *mask = arena_alloc(arena, (size_t)b->width, 1);
    int32_t *touching = arena_alloc(arena, (size_t)b->width, sizeof *touching);
    bool ok = set.edges && mask && touching && grow(&set);
    int32_t last = 0;
    for (int32_t y = 0; ok && y < b->height; y++) {
        int32_t first = (y + 1) * b->stride + 1, found = 0;
        edges_of_row(b->z + first, b->basin + first, b->stride, b->width, mask);
        for (int32_t x = 0; x < b->width; x++) {
            touching[found] = x;
            found += mask[x] != 0;
        }
        for (int32_t n = 0; ok && n < found; n++)
            ok = add_cell(b, first + touching[n], mask[touching[n]], &set, &last);
    }
    if (!ok)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for the edges of %d basins", b->count);
    arena_release(arena, before);
    *edges = set.edges;
    *count = set.count;
    return STATUS_OK;
}
