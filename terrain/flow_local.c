#include "terrain/flow_local.h"

#include "terrain/clones.h"
#include "terrain/flow_net.h"

#include <stdbool.h>
#include <string.h>

/* All of it is laid out as a flow_net: one cell of ring, in which z holds heights too. */
struct local {
    struct flow_section at;
    struct flow_net net;
    const int32_t *z; /* (width + 4) x (height + 4) */
    int32_t *outlet;  /* [lakes] first neighbour at the lake's level that is no lake cell; INT32_MAX: none */
    uint8_t *open;    /* [lakes] it goes on beyond the section */
    uint64_t *area;
    int32_t *link;  /* [cells] where water ends up: FLOW_OUT, a terminal, or FLOW_NONE: not known yet */
    int32_t *local; /* [lakes] number among the open ones */
    uint8_t *row;   /* scratch for a row of cells, as is list */
    int32_t *list;
    int32_t perimeter, lakes, exits;
};

static size_t padded_cells(int32_t width, int32_t height) {
    return ((size_t)width + 2) * ((size_t)height + 2);
}

size_t terrain_flow_local_scratch(int32_t width, int32_t height) {
    size_t cells = padded_cells(width, height), wide = padded_cells(width + 2, height + 2);
    size_t perimeter = (size_t)flow_perimeter_count(width, height);
    return arena_need(3 + 8 * perimeter, sizeof(int32_t)) + arena_need(wide, sizeof(int32_t)) +
           arena_need(cells, 1) + arena_need(cells, sizeof(uint64_t)) +
           4 * arena_need(cells, sizeof(int32_t)) + 3 * arena_need((size_t)width + 2, sizeof(uint32_t)) +
           flow_net_scratch(width, height);
}

static int32_t height_at(const struct local *s, int32_t i) {
    int32_t y = i / s->net.stride, x = i % s->net.stride;
    return s->z[(ptrdiff_t)(y + 1) * (s->net.stride + 2) + x + 1];
}

/* The padded index of a perimeter cell. */
static int32_t perimeter_at(const struct local *s, int32_t p) {
    int32_t x, y;
    flow_perimeter_cell(s->net.width, s->net.height, p, &x, &y);
    return (y + 1) * s->net.stride + x + 1;
}

/* Which cells of a row are outlets: no lake cells, and beside a lake cell of their height. */
TERRAIN_CLONES static void outlets_of_row(const uint8_t *code, ptrdiff_t stride, const int32_t *z,
                                          ptrdiff_t z_stride, int32_t width, uint8_t *restrict outlet) {
    for (int32_t x = 0; x < width; x++) {
        int32_t here = z[x], beside = 0;
#define BESIDE(dx, dy) (code[x + (dx) + (dy)*stride] == FLOW_LAKE) & (z[x + (dx) + (dy)*z_stride] == here)
        beside |= BESIDE(-1, -1);
        beside |= BESIDE(0, -1);
        beside |= BESIDE(1, -1);
        beside |= BESIDE(-1, 0);
        beside |= BESIDE(1, 0);
        beside |= BESIDE(-1, 1);
        beside |= BESIDE(0, 1);
        beside |= BESIDE(1, 1);
#undef BESIDE
        outlet[x] = (uint8_t)(beside & (code[x] != FLOW_LAKE));
    }
}

/* The first outlets of lakes among the section's cells. */
static void find_outlets(struct local *s) {
    const struct flow_net *net = &s->net;
    uint8_t *row = s->row;
    int32_t *list = s->list;
    for (int32_t y = 1; y <= net->height; y++) {
        int32_t first = y * net->stride + 1, found = 0;
        const int32_t *z = s->z + (ptrdiff_t)(y + 1) * (net->stride + 2) + 2;
        outlets_of_row(net->code + first, net->stride, z, net->stride + 2, net->width, row);
        for (int32_t x = 0; x < net->width; x++) {
            list[found] = x;
            found += row[x];
        }
        for (int32_t n = 0; n < found; n++)
            for (int d = 0; d < 8; d++) {
                int32_t i = first + list[n], lake = net->lake[i + net->step[d]];
                if (lake >= 0 && i < s->outlet[lake] &&
                    z[list[n]] == z[list[n] + flow_dx[d] + flow_dy[d] * (net->stride + 2)])
                    s->outlet[lake] = i;
            }
    }
}

/* Where lakes end: their first outlets, and whether they go on. */
static void look_around(struct local *s) {
    const struct flow_net *net = &s->net;
    for (int32_t k = 0; k < net->lakes; k++) {
        s->outlet[k] = INT32_MAX;
        s->open[k] = 0;
    }
    find_outlets(s);
    for (int32_t p = 0; p < s->perimeter; p++) { /* what lies in the ring */
        int32_t i = perimeter_at(s, p), lake = net->lake[i];
        for (int d = 0; lake >= 0 && d < 8; d++) {
            int32_t to = i + net->step[d];
            if (net->lake[to] >= 0 || net->code[to] == FLOW_VOID)
                continue;
            if (net->code[to] == FLOW_LAKE)
                s->open[lake] = 1;
            else if (to < s->outlet[lake] && height_at(s, to) == height_at(s, i))
                s->outlet[lake] = to;
        }
    }
}

/* Closed lakes get their mouths. */
static enum status set_mouths(struct local *s, struct error *err) {
    static const int8_t by_index[8] = {6, 3, 7, 2, 0, 5, 1, 4}; /* directions, to the first neighbour first */
    struct flow_net *net = &s->net;
    for (int32_t k = 0; k < net->lakes; k++) {
        if (s->open[k])
            continue;
        if (s->outlet[k] == INT32_MAX)
            return error_set(err, STATUS_FAULT, "a lake has no outlet: the surface is not filled");
        for (int n = 0; n < 8; n++) {
            int32_t from = s->outlet[k] + net->step[by_index[n]];
            /* the outlet may be in the ring, and its neighbour beyond the block */
            if (from < 0 || from >= (int32_t)padded_cells(net->width, net->height) || net->lake[from] != k)
                continue;
            for (int d = 0; d < 8; d++)
                if (from + net->step[d] == s->outlet[k])
                    net->code[from] = (uint8_t)(FLOW_MOUTH + d);
            break;
        }
    }
    return STATUS_OK;
}

static void clear_ring(struct local *s) {
    const struct flow_net *net = &s->net;
    size_t row = (size_t)net->stride;
    memset(net->code, FLOW_VOID, row);
    memset(net->code + (size_t)(net->height + 1) * row, FLOW_VOID, row);
    for (int32_t y = 1; y <= net->height; y++)
        net->code[y * net->stride] = net->code[y * net->stride + net->width + 1] = FLOW_VOID;
}

static bool in_ring(const struct flow_net *net, int32_t i) {
    int32_t x = i % net->stride, y = i / net->stride;
    return x == 0 || y == 0 || x > net->width || y > net->height;
}

/* Numbers open lakes and exits, and writes the exits. Only perimeter cells can be exits. */
static void find_terminals(struct local *s, struct flow_exit *exits) {
    const struct flow_net *net = &s->net;
    for (size_t i = 0; i < padded_cells(net->width, net->height); i++)
        s->link[i] = FLOW_NONE;
    for (int32_t k = 0; k < net->lakes; k++) {
        s->local[k] = s->lakes;
        if (s->open[k])
            s->link[net->root[k]] = s->lakes++;
    }
    for (int32_t p = 0; p < s->perimeter; p++) {
        int32_t i = perimeter_at(s, p), direction = net->code[i] & 15;
        if (direction >= 8 || !in_ring(net, i + net->step[direction]))
            continue;
        exits[s->exits] = (struct flow_exit){p, direction, (int32_t)s->area[i]};
        s->link[i] = s->lakes + s->exits++;
    }
}

/* Where water in cell i ends up; remembers it for all cells on the way. */
static int32_t follow(struct local *s, int32_t i) {
    int32_t at = i, found;
    while (s->link[at] == FLOW_NONE) {
        int32_t to = flow_net_next(&s->net, at);
        if (to < 0)
            break;
        at = to;
    }
    found = s->link[at] == FLOW_NONE ? FLOW_OUT : s->link[at];
    for (int32_t to = i; to >= 0 && s->link[to] == FLOW_NONE; to = at) {
        at = flow_net_next(&s->net, to);
        s->link[to] = found;
    }
    return found;
}

static void write_links(struct local *s, int32_t *link) {
    for (int32_t p = 0; p < s->perimeter; p++) {
        int32_t i = perimeter_at(s, p), lake = s->net.lake[i];
        link[p] = follow(s, i) | (lake >= 0 && s->open[lake] ? FLOW_MEMBER : 0);
    }
}

static void write_lakes(struct local *s, struct flow_open_lake *out) {
    const struct flow_net *net = &s->net;
    for (int32_t k = 0; k < net->lakes; k++) {
        if (!s->open[k])
            continue;
        struct flow_open_lake *lake = out++;
        int32_t outlet = s->outlet[k];
        *lake = (struct flow_open_lake){(int32_t)s->area[net->root[k]], FLOW_NONE, FLOW_NONE, FLOW_NONE};
        if (outlet == INT32_MAX)
            continue;
        lake->outlet_x = outlet % net->stride - 1;
        lake->outlet_y = outlet / net->stride - 1;
        if (!in_ring(net, outlet))
            lake->link = follow(s, outlet);
    }
}

static enum status take(struct local *s, struct arena *arena, struct error *err) {
    size_t cells = padded_cells(s->at.width, s->at.height), lakes = (size_t)s->net.lakes;
    s->outlet = arena_alloc(arena, lakes, sizeof *s->outlet);
    s->open = arena_alloc(arena, lakes, 1);
    s->local = arena_alloc(arena, lakes, sizeof *s->local);
    s->area = arena_alloc(arena, cells, sizeof *s->area);
    s->link = arena_alloc(arena, cells, sizeof *s->link);
    s->row = arena_alloc(arena, (size_t)s->at.width, 1);
    s->list = arena_alloc(arena, (size_t)s->at.width, sizeof *s->list);
    if (!s->outlet || !s->open || !s->local || !s->area || !s->link || !s->row || !s->list)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for flow");
    memset(s->area, 0, cells * sizeof *s->area);
    for (int32_t y = 1; y <= s->net.height; y++)
        for (int32_t x = 1; x <= s->net.width; x++)
            s->area[y * s->net.stride + x] = 1;
    return STATUS_OK;
}

/* The record has room for every perimeter cell to be an exit and an open lake. */
static void write_summary(struct local *s, int32_t *record, struct flow_record *out) {
    int32_t *link = record + 3;
    find_terminals(s, (struct flow_exit *)(void *)(link + s->perimeter));
    write_links(s, link);
    write_lakes(s, (struct flow_open_lake *)(void *)(link + s->perimeter + 3 * s->exits));
    record[0] = s->perimeter;
    record[1] = s->lakes;
    record[2] = s->exits;
    size_t words = 3 + (size_t)s->perimeter + 3 * (size_t)s->exits + 4 * (size_t)s->lakes;
    *out = (struct flow_record){record, words * sizeof *record};
}

enum status terrain_flow_local(const struct flow_layout *layout, struct flow_section at, uint64_t seed,
                               const struct grid_i32 *filled, struct grid_u8 *receivers,
                               struct flow_record *summary, struct arena *arena, struct error *err) {
    struct local s = {.at = at, .perimeter = flow_perimeter_count(at.width, at.height)};
    int32_t *record = arena_alloc(arena, 3 + 8 * (size_t)s.perimeter, sizeof *record);
    size_t mark = arena_mark(arena);
    int32_t *z = arena_alloc(arena, padded_cells(at.width + 2, at.height + 2), sizeof *z);
    uint8_t *code = arena_alloc(arena, padded_cells(at.width, at.height), 1);
    if (!record || !z || !code)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for flow");
    s.z = z;
    enum status status = flow_receivers(layout, at, seed, filled, z, code, arena, err);
    if (status == STATUS_OK)
        status = flow_net_lakes(&s.net, at.width, at.height, code, arena, err);
    if (status == STATUS_OK)
        status = take(&s, arena, err);
    if (status != STATUS_OK)
        return status;
    look_around(&s);
    status = set_mouths(&s, err);
    if (status != STATUS_OK)
        return status;
    clear_ring(&s);
    flow_net_link(&s.net);
    status = flow_net_accumulate(&s.net, s.area, arena, err);
    if (status != STATUS_OK)
        return status;
    write_summary(&s, record, summary);
    for (int32_t y = 0; y < at.height; y++)
        memcpy(receivers->cells + y * receivers->stride, code + (ptrdiff_t)(y + 1) * s.net.stride + 1,
               (size_t)at.width);
    arena_release(arena, mark);
    return STATUS_OK;
}

enum status flow_summary_read(struct flow_record record, int32_t perimeter, struct flow_summary *out,
                              struct error *err) {
    const int32_t *r = record.bytes;
    size_t words = record.size / sizeof *r;
    if (words < 3 || r[0] != perimeter || r[1] < 0 || r[1] > perimeter || r[2] < 0 || r[2] > perimeter ||
        words != 3 + (size_t)perimeter + 4 * (size_t)r[1] + 3 * (size_t)r[2])
        return error_set(err, STATUS_FAULT, "a section's summary of flow is malformed");
    const int32_t *exits = r + 3 + perimeter;
    *out = (struct flow_summary){r[0],
                                 r[1],
                                 r[2],
                                 r + 3,
                                 (const struct flow_exit *)(const void *)exits,
                                 (const struct flow_open_lake *)(const void *)(exits + 3 * r[2])};
    return STATUS_OK;
}
