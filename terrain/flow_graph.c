#include "terrain/flow_graph.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

struct sort_item {
    uint32_t key;
    int32_t edge;
};

size_t flow_flood_scratch(size_t nodes, size_t edges) {
    return 4 * arena_need(nodes, sizeof(int32_t)) + arena_need(nodes, sizeof(struct flow_edge)) +
           2 * arena_need(edges, sizeof(struct sort_item));
}

static uint32_t digit_of(uint32_t key, int pass) {
    return (key >> (pass * DIGIT_BITS)) & (DIGITS - 1);
}

/* Stable radix sort by key; both arrays hold count items; returns the one with the result. */
static struct sort_item *sort_items(struct sort_item *from, struct sort_item *to, int32_t count) {
    for (int pass = 0; pass < 3; pass++) {
        uint32_t at[DIGITS] = {0};
        for (int32_t i = 0; i < count; i++)
            at[digit_of(from[i].key, pass)]++;
        if (count > 0 && at[digit_of(from[0].key, pass)] == (uint32_t)count)
            continue;
        uint32_t sum = 0;
        for (int d = 0; d < DIGITS; d++) {
            uint32_t n = at[d];
            at[d] = sum;
            sum += n;
        }
        for (int32_t i = 0; i < count; i++)
            to[at[digit_of(from[i].key, pass)]++] = from[i];
        struct sort_item *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Components of nodes joined so far; the nodes of one component form a ring. Nodes of a component that water
 * leaves have label >= 0. */
struct components {
    int32_t *parent, *ring;
    struct flow_flood *out;
};

/* The water of i's component, so far enclosed, leaves at this level through this label's outlet. */
static void drain(struct components *c, int32_t i, int32_t level, int32_t label) {
    int32_t at = i;
    do {
        c->out->level[at] = level;
        c->out->label[at] = label;
        at = c->ring[at];
    } while (at != i);
}

static void join(struct components *c, const struct flow_edge *e) {
    int32_t a = flow_find(c->parent, e->a), b = flow_find(c->parent, e->b);
    if (a == b)
        return;
    int32_t label_a = c->out->label[e->a], label_b = c->out->label[e->b];
    if (label_a >= 0 && label_b >= 0)
        c->out->spill[c->out->spills++] = (struct flow_edge){label_a, label_b, e->level};
    else if (label_a >= 0)
        drain(c, e->b, e->level, label_a);
    else if (label_b >= 0)
        drain(c, e->a, e->level, label_b);
    c->parent[a < b ? b : a] = a < b ? a : b;
    int32_t swap = c->ring[a];
    c->ring[a] = c->ring[b];
    c->ring[b] = swap;
}

enum status flow_flood(int32_t nodes, const struct flow_edge *edges, int32_t count, struct flow_flood *out,
                       struct arena *arena, struct error *err) {
    size_t n = (size_t)nodes, m = (size_t)count;
    out->labels = out->spills = 0;
    out->level = arena_alloc(arena, n, sizeof *out->level);
    out->label = arena_alloc(arena, n, sizeof *out->label);
    out->spill = arena_alloc(arena, n, sizeof *out->spill);
    size_t mark = arena_mark(arena);
    struct components c = {arena_alloc(arena, n, sizeof(int32_t)), arena_alloc(arena, n, sizeof(int32_t)),
                           out};
    struct sort_item *items = arena_alloc(arena, m, sizeof *items),
                     *spare = arena_alloc(arena, m, sizeof *items);
    if (!out->level || !out->label || !out->spill || !c.parent || !c.ring || !items || !spare)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for a graph of %d basins", nodes);
    for (int32_t i = 0; i < nodes; i++) {
        c.parent[i] = c.ring[i] = i;
        out->label[i] = -1;
    }
    for (int32_t i = 0; i < count; i++)
        items[i] = (struct sort_item){(uint32_t)edges[i].level ^ 0x80000000u, i};
    items = sort_items(items, spare, count);
    for (int32_t i = 0; i < count; i++) {
        const struct flow_edge *e = &edges[items[i].edge];
        if (e->b >= 0)
            join(&c, e);
        else if (out->label[e->a] < 0)
            drain(&c, e->a, e->level, out->labels++);
    }
    for (int32_t i = 0; i < nodes; i++)
        if (out->label[i] < 0)
            return error_set(err, STATUS_FAULT, "basin %d of %d has no outlet", i, nodes);
    arena_release(arena, mark);
    return STATUS_OK;
}
