#include "terrain/flow_world.h"

#include "terrain/flow_graph.h"
#include "terrain/flow_local.h"

#include <stdbool.h>
#include <string.h>

struct section {
    struct flow_section at;
    struct flow_summary sum;
    int32_t first; /* node of its open lake 0; exits follow */
    int32_t slot;  /* of its perimeter cell 0 */
};

/* Nodes are the sections' open lakes and exits; lakes that touch across a border are one node, their root. */
struct solver {
    const struct flow_layout *layout;
    int32_t columns, rows;
    struct section *section;
    int32_t nodes, slots;
    int32_t *parent;
    int32_t *next;                /* node that the water of a root goes to; -1: out of the world */
    int32_t *into;                /* slot of the perimeter cell that it enters; -1: none */
    int32_t *outlet;              /* [nodes] of lakes: the part whose section holds the outlet; -1 */
    int32_t *outlet_x, *outlet_y; /* [nodes] of lakes: the world cell; outlet_y INT32_MAX: none yet */
    int32_t *upstream;
    uint64_t *area;     /* [nodes] */
    uint64_t *entering; /* [slots] */
};

static struct section *section_at(const struct solver *s, int32_t x, int32_t y) {
    int32_t side = s->layout->side;
    int32_t i = flow_floor_div(x, side) - flow_floor_div(s->layout->x0, side);
    int32_t j = flow_floor_div(y, side) - flow_floor_div(s->layout->y0, side);
    return s->section + (ptrdiff_t)j * s->columns + i;
}

static int32_t perimeter_of(const struct section *t, int32_t x, int32_t y) {
    return flow_perimeter_index(t->at.width, t->at.height, x - t->at.x0, y - t->at.y0);
}

static enum status read_all(struct solver *s, const struct flow_record *summaries, struct error *err) {
    size_t nodes = 0, slots = 0;
    for (int32_t j = 0; j < s->rows; j++)
        for (int32_t i = 0; i < s->columns; i++) {
            struct section *t = s->section + (ptrdiff_t)j * s->columns + i;
            t->at = flow_section_of(s->layout, i, j);
            enum status status =
                flow_summary_read(summaries[(ptrdiff_t)j * s->columns + i],
                                  flow_perimeter_count(t->at.width, t->at.height), &t->sum, err);
            if (status != STATUS_OK)
                return error_context(err, "section %d,%d", flow_floor_div(t->at.x0, s->layout->side),
                                     flow_floor_div(t->at.y0, s->layout->side));
            t->first = (int32_t)nodes;
            t->slot = (int32_t)slots;
            nodes += (size_t)t->sum.lakes + (size_t)t->sum.exits;
            slots += (size_t)t->sum.perimeter;
            if (nodes > INT32_MAX || slots > INT32_MAX)
                return error_set(err, STATUS_LIMIT, "the world has too many sections for flow");
        }
    s->nodes = (int32_t)nodes;
    s->slots = (int32_t)slots;
    return STATUS_OK;
}

static enum status take(struct solver *s, struct arena *arena, struct error *err) {
    size_t n = (size_t)s->nodes;
    s->parent = arena_alloc(arena, n, sizeof(int32_t));
    s->next = arena_alloc(arena, n, sizeof(int32_t));
    s->into = arena_alloc(arena, n, sizeof(int32_t));
    s->outlet = arena_alloc(arena, n, sizeof(int32_t));
    s->outlet_x = arena_alloc(arena, n, sizeof(int32_t));
    s->outlet_y = arena_alloc(arena, n, sizeof(int32_t));
    s->upstream = arena_alloc(arena, n, sizeof(int32_t));
    s->area = arena_alloc(arena, n, sizeof(uint64_t));
    s->entering = arena_alloc(arena, (size_t)s->slots, sizeof(uint64_t));
    if (!s->parent || !s->next || !s->into || !s->outlet || !s->outlet_x || !s->outlet_y || !s->upstream ||
        !s->area || !s->entering)
        return error_set(err, STATUS_LIMIT, "out of memory for the flow of %d x %d sections", s->columns,
                         s->rows);
    memset(s->entering, 0, (size_t)s->slots * sizeof *s->entering);
    for (int32_t i = 0; i < s->nodes; i++) {
        s->parent[i] = i;
        s->next[i] = s->into[i] = s->outlet[i] = -1;
        s->outlet_x[i] = s->outlet_y[i] = INT32_MAX;
        s->upstream[i] = 0;
        s->area[i] = 0;
    }
    return STATUS_OK;
}

/* Joins the lakes of two perimeter cells (world coordinates) that touch across a border. */
static void touch(struct solver *s, const struct section *a, int32_t ax, int32_t ay, const struct section *b,
                  int32_t bx, int32_t by) {
    int32_t p = a->sum.link[perimeter_of(a, ax, ay)], q = b->sum.link[perimeter_of(b, bx, by)];
    if (p >= FLOW_MEMBER && q >= FLOW_MEMBER)
        flow_union(s->parent, a->first + (p & ~FLOW_MEMBER), b->first + (q & ~FLOW_MEMBER));
}

static void join_lakes(struct solver *s, int32_t i, int32_t j) {
    const struct section *a = s->section + (ptrdiff_t)j * s->columns + i;
    int32_t x0 = a->at.x0, y0 = a->at.y0, x1 = x0 + a->at.width, y1 = y0 + a->at.height;
    bool east = i + 1 < s->columns, north = j + 1 < s->rows;
    for (int32_t y = y0; east && y < y1; y++)
        for (int32_t v = y > y0 ? y - 1 : y; v <= y + 1 && v < y1; v++)
            touch(s, a, x1 - 1, y, a + 1, x1, v);
    for (int32_t x = x0; north && x < x1; x++)
        for (int32_t u = x > x0 ? x - 1 : x; u <= x + 1 && u < x1; u++)
            touch(s, a, x, y1 - 1, a + s->columns, u, y1);
    if (east && north)
        touch(s, a, x1 - 1, y1 - 1, a + s->columns + 1, x1, y1);
    if (i > 0 && north)
        touch(s, a, x0, y1 - 1, a + s->columns - 1, x0 - 1, y1);
}

/* The water of node n goes where water in this section with this link goes. */
static void go_on(struct solver *s, int32_t n, const struct section *t, int32_t link) {
    s->next[n] = link == FLOW_OUT ? -1 : flow_find(s->parent, t->first + (link & ~FLOW_MEMBER));
}

/* The same for a perimeter cell (x, y) of the world. What enters an open lake needs no entry: the lake's
 * total has it. */
static void enter(struct solver *s, int32_t n, int32_t x, int32_t y) {
    const struct section *t = section_at(s, x, y);
    int32_t p = perimeter_of(t, x, y), link = t->sum.link[p];
    go_on(s, n, t, link);
    if (link < FLOW_MEMBER)
        s->into[n] = t->slot + p;
}

static void link_exits(struct solver *s, const struct section *t) {
    for (int32_t e = 0; e < t->sum.exits; e++) {
        const struct flow_exit *exit = &t->sum.exit[e];
        int32_t n = t->first + t->sum.lakes + e, x, y;
        flow_perimeter_cell(t->at.width, t->at.height, exit->perimeter, &x, &y);
        s->area[n] = (uint64_t)exit->area;
        enter(s, n, t->at.x0 + x + flow_dx[exit->direction], t->at.y0 + y + flow_dy[exit->direction]);
    }
}

/* The lake's first outlet in index order over its parts; a part whose section holds it speaks for it. */
static void find_outlets(struct solver *s, const struct section *t) {
    for (int32_t k = 0; k < t->sum.lakes; k++) {
        const struct flow_open_lake *lake = &t->sum.lake[k];
        int32_t root = flow_find(s->parent, t->first + k);
        s->area[root] += (uint64_t)lake->area;
        if (lake->outlet_x == FLOW_NONE)
            continue;
        int32_t x = t->at.x0 + lake->outlet_x, y = t->at.y0 + lake->outlet_y;
        bool first = y < s->outlet_y[root] || (y == s->outlet_y[root] && x < s->outlet_x[root]);
        bool same = y == s->outlet_y[root] && x == s->outlet_x[root];
        if (first) {
            s->outlet_x[root] = x;
            s->outlet_y[root] = y;
            s->outlet[root] = -1;
        }
        if ((first || (same && s->outlet[root] < 0)) && lake->link != FLOW_NONE)
            s->outlet[root] = t->first + k;
    }
}

static enum status link_lakes(struct solver *s, const struct section *t, struct error *err) {
    for (int32_t k = 0; k < t->sum.lakes; k++) {
        int32_t n = t->first + k;
        if (s->parent[n] != n)
            continue;
        int32_t x = s->outlet_x[n], y = s->outlet_y[n];
        if (y == INT32_MAX)
            return error_set(err, STATUS_FAULT, "a lake in section %d,%d has no outlet",
                             flow_floor_div(t->at.x0, s->layout->side),
                             flow_floor_div(t->at.y0, s->layout->side));
        if (s->outlet[n] < 0) {
            enter(s, n, x, y);
        } else {
            const struct section *holder = section_at(s, x, y);
            go_on(s, n, holder, holder->sum.lake[s->outlet[n] - holder->first].link);
        }
    }
    return STATUS_OK;
}

/* Adds up areas downstream. Each root is passed on once all that flow into it have been. */
static void accumulate(struct solver *s) {
    for (int32_t n = 0; n < s->nodes; n++)
        if (s->parent[n] == n && s->next[n] >= 0)
            s->upstream[s->next[n]]++;
    for (int32_t i = 0; i < s->nodes; i++) {
        if (s->parent[i] != i || s->upstream[i] != 0)
            continue;
        for (int32_t n = i, to;; n = to) {
            s->upstream[n] = -1; /* done */
            if (s->into[n] >= 0)
                s->entering[s->into[n]] += s->area[n];
            to = s->next[n];
            if (to < 0)
                break;
            s->area[to] += s->area[n];
            if (--s->upstream[to] > 0)
                break;
        }
    }
}

static enum status write_all(const struct solver *s, struct flow_record *inflows, struct arena *arena,
                             struct error *err) {
    for (int32_t c = 0; c < s->columns * s->rows; c++) {
        const struct section *t = &s->section[c];
        uint64_t entries = 0;
        for (int32_t p = 0; p < t->sum.perimeter; p++)
            entries += s->entering[t->slot + p] > 0;
        size_t words = 2 + 2 * (size_t)entries + 2 * (size_t)t->sum.lakes;
        uint64_t *out = arena_alloc(arena, words, sizeof *out);
        if (!out)
            return error_set(err, STATUS_LIMIT, "out of memory for the flow of %d x %d sections", s->columns,
                             s->rows);
        inflows[c] = (struct flow_record){out, words * sizeof *out};
        *out++ = entries;
        *out++ = (uint64_t)t->sum.lakes;
        for (int32_t p = 0; p < t->sum.perimeter; p++)
            if (s->entering[t->slot + p] > 0) {
                *out++ = (uint64_t)p;
                *out++ = s->entering[t->slot + p];
            }
        for (int32_t k = 0; k < t->sum.lakes; k++) {
            int32_t root = flow_find(s->parent, t->first + k);
            int32_t x = s->outlet_x[root] - t->at.x0, y = s->outlet_y[root] - t->at.y0;
            *out++ = s->area[root];
            *out++ =
                s->outlet[root] == t->first + k ? 1 + (uint64_t)y * (uint64_t)t->at.width + (uint64_t)x : 0;
        }
    }
    return STATUS_OK;
}

enum status terrain_flow_world(const struct flow_layout *layout, const struct flow_record *summaries,
                               struct flow_record *inflows, struct arena *arena, struct error *err) {
    struct solver s = {.layout = layout, .columns = flow_columns(layout), .rows = flow_rows(layout)};
    size_t sections = (size_t)s.columns * (size_t)s.rows;
    s.section = arena_alloc(arena, sections, sizeof *s.section);
    if (!s.section)
        return error_set(err, STATUS_LIMIT, "out of memory for the flow of %zu sections", sections);
    enum status status = read_all(&s, summaries, err);
    if (status == STATUS_OK)
        status = take(&s, arena, err);
    if (status != STATUS_OK)
        return status;
    for (int32_t j = 0; j < s.rows; j++)
        for (int32_t i = 0; i < s.columns; i++)
            join_lakes(&s, i, j);
    for (size_t c = 0; c < sections; c++)
        find_outlets(&s, &s.section[c]);
    for (size_t c = 0; status == STATUS_OK && c < sections; c++) {
        link_exits(&s, &s.section[c]);
        status = link_lakes(&s, &s.section[c], err);
    }
    if (status != STATUS_OK)
        return status;
    accumulate(&s);
    return write_all(&s, inflows, arena, err);
}
