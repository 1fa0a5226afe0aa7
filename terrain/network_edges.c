/* From places that meet to nodes, edges and components, in their canonical order. */
#include "terrain/network_own.h"
#include "terrain/sets.h"
#include "terrain/sort.h"

/* Whether a member says where its group's node lies better than the other: inside before end, then west,
 * then south. */
static bool places_better(const struct network_member *a, const struct network_member *than) {
    if (a->end != than->end)
        return !a->end;
    return a->x != than->x ? a->x < than->x : a->y < than->y;
}

static bool by_place(const void *context, uint32_t i, uint32_t k) {
    const struct network_member *a = (const struct network_member *)context + i,
                                *c = (const struct network_member *)context + k;
    if (a->x != c->x)
        return a->x < c->x;
    return a->y != c->y ? a->y < c->y : i < k;
}

static bool by_line(const void *context, uint32_t i, uint32_t k) {
    const struct network_member *a = (const struct network_member *)context + i,
                                *c = (const struct network_member *)context + k;
    if (a->line != c->line)
        return a->line < c->line;
    if (a->place.point != c->place.point)
        return a->place.point < c->place.point;
    return a->place.share != c->place.share ? a->place.share < c->place.share : i < k;
}

/* Cuts of two lines can be made at one place exactly: that is one node. */
static void join_equal_places(struct network_building *b) {
    for (size_t i = 0; i < b->member_count; i++)
        b->index[i] = (uint32_t)i;
    sort_indices(b->index, b->spare, b->member_count, by_place, b->members);
    for (size_t i = 0; i + 1 < b->member_count; i++) {
        const struct network_member *m = &b->members[b->index[i]], *n = &b->members[b->index[i + 1]];
        if (m->x == n->x && m->y == n->y)
            terrain_sets_join(b->parent, b->index[i], b->index[i + 1]);
    }
}

/* Makes the nodes; node_of[member] is its node's number. */
static void make_nodes(struct network_building *b, uint32_t *best, uint32_t *node_of, struct network *out) {
    size_t groups = 0;
    for (uint32_t i = 0; i < b->member_count; i++)
        best[i] = i;
    for (uint32_t i = 0; i < b->member_count; i++) {
        uint32_t root = terrain_sets_root(b->parent, i);
        if (places_better(&b->members[i], &b->members[best[root]]))
            best[root] = i;
    }
    for (uint32_t i = 0; i < b->member_count; i++)
        if (terrain_sets_root(b->parent, i) == i)
            b->index[groups++] = best[i];
    sort_indices(b->index, b->spare, groups, by_place, b->members);
    for (uint32_t n = 0; n < groups; n++) {
        const struct network_member *m = &b->members[b->index[n]];
        out->nodes[n] = (struct network_node){m->x, m->y, 0, 0};
        node_of[terrain_sets_root(b->parent, b->index[n])] = n;
    }
    out->node_count = groups;
    for (uint32_t i = 0; i < b->member_count; i++)
        if (terrain_sets_root(b->parent, i) != i)
            node_of[i] = node_of[terrain_sets_root(b->parent, i)];
}

static void make_edges(struct network_building *b, const uint32_t *node_of, struct network *out) {
    for (size_t i = 0; i < b->member_count; i++)
        b->index[i] = (uint32_t)i;
    sort_indices(b->index, b->spare, b->member_count, by_line, b->members);
    for (size_t i = 0; i + 1 < b->member_count; i++) {
        uint32_t from = b->index[i], to = b->index[i + 1];
        const struct network_member *m = &b->members[from], *n = &b->members[to];
        if (m->line != n->line)
            continue;
        if (node_of[from] == node_of[to] && n->s_m - m->s_m <= 2 * b->snap_m) {
            out->vanished++;
            continue;
        }
        out->edges[out->edge_count++] =
            (struct network_edge){m->line, m->place, n->place, node_of[from], node_of[to], 0};
    }
}

size_t terrain_network_points(const struct network *network, const struct network_edge *e) {
    (void)network;
    uint32_t behind = e->to.share > 0 ? e->to.point + 1 : e->to.point;
    return 2 + (behind > e->from.point + 1 ? behind - e->from.point - 1 : 0);
}

void terrain_network_point(const struct network *network, const struct network_line *lines,
                           const struct network_edge *e, size_t i, double xy[2]) {
    size_t last = terrain_network_points(network, e) - 1;
    if (i > 0 && i < last) {
        const double *p = lines[e->line].xy + 2 * (e->from.point + i);
        xy[0] = p[0];
        xy[1] = p[1];
        return;
    }
    const struct network_node *node = &network->nodes[i == 0 ? e->from_node : e->to_node];
    xy[0] = node->x;
    xy[1] = node->y;
}

/* An edge read from its lesser node, or a loop from its lesser side. */
struct walk {
    const struct network *network;
    const struct network_line *lines;
    const struct network_edge *edge;
    size_t count;
    bool turned;
};

static void walk_point(const struct walk *w, size_t i, double xy[2]) {
    terrain_network_point(w->network, w->lines, w->edge, w->turned ? w->count - 1 - i : i, xy);
}

/* Below 0, 0, above 0: by points, then by their number. */
static int compare_walks(const struct walk *a, const struct walk *b) {
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        double p[2], q[2];
        walk_point(a, i, p);
        walk_point(b, i, q);
        for (int k = 0; k < 2; k++)
            if (p[k] != q[k])
                return p[k] < q[k] ? -1 : 1;
    }
    return a->count < b->count ? -1 : a->count > b->count;
}

struct ordering {
    const struct network *network;
    const struct network_line *lines;
};

static struct walk walk_of(const struct ordering *o, uint32_t i) {
    const struct network_edge *e = &o->network->edges[i];
    struct walk w = {o->network, o->lines, e, terrain_network_points(o->network, e),
                     e->to_node < e->from_node};
    if (e->to_node == e->from_node) {
        struct walk other = w;
        other.turned = true;
        w.turned = compare_walks(&other, &w) < 0;
    }
    return w;
}

static bool edge_before(const void *context, uint32_t i, uint32_t k) {
    const struct ordering *o = context;
    const struct network_edge *a = &o->network->edges[i], *b = &o->network->edges[k];
    uint32_t a0 = a->from_node < a->to_node ? a->from_node : a->to_node, a1 = a->from_node ^ a->to_node ^ a0;
    uint32_t b0 = b->from_node < b->to_node ? b->from_node : b->to_node, b1 = b->from_node ^ b->to_node ^ b0;
    if (a0 != b0)
        return a0 < b0;
    if (a1 != b1)
        return a1 < b1;
    struct walk v = walk_of(o, i), w = walk_of(o, k);
    int order = compare_walks(&v, &w);
    return order ? order < 0 : i < k; /* edges were made by line and place */
}

static bool sort_edges(struct network_building *b, struct arena *arena, struct network *out) {
    struct network_edge *copy = arena_alloc(arena, out->edge_count, sizeof *copy);
    if (!copy)
        return false;
    struct ordering ordering = {out, b->lines};
    for (size_t i = 0; i < out->edge_count; i++)
        b->index[i] = (uint32_t)i;
    sort_indices(b->index, b->spare, out->edge_count, edge_before, &ordering);
    for (size_t i = 0; i < out->edge_count; i++)
        copy[i] = out->edges[b->index[i]];
    for (size_t i = 0; i < out->edge_count; i++)
        out->edges[i] = copy[i];
    return true;
}

/* The least node of a component is its root: joining keeps the lesser. */
static void make_components(struct network_building *b, struct network *out) {
    uint32_t *parent = b->parent;
    for (uint32_t n = 0; n < out->node_count; n++)
        parent[n] = n;
    for (size_t i = 0; i < out->edge_count; i++) {
        const struct network_edge *e = &out->edges[i];
        out->nodes[e->from_node].degree++;
        out->nodes[e->to_node].degree++;
        terrain_sets_join(parent, e->from_node, e->to_node);
    }
    for (uint32_t n = 0; n < out->node_count; n++) {
        uint32_t root = terrain_sets_root(parent, n);
        if (root == n) {
            out->nodes[n].component = (uint32_t)out->component_count;
            out->components[out->component_count++] = (struct network_component){0, 0, 0};
        }
        out->nodes[n].component = out->nodes[root].component;
        out->components[out->nodes[n].component].nodes++;
    }
    for (size_t i = 0; i < out->edge_count; i++) {
        out->edges[i].component = out->nodes[out->edges[i].from_node].component;
        out->components[out->edges[i].component].edges++;
    }
    for (size_t i = 0; i < out->component_count; i++)
        out->components[i].cycles = out->components[i].edges - out->components[i].nodes + 1;
}

enum status network_assemble(struct network_building *b, struct arena *arena, struct network *out,
                             struct error *err) {
    uint32_t *best = arena_alloc(arena, b->member_count, sizeof *best);
    uint32_t *node_of = arena_alloc(arena, b->member_count, sizeof *node_of);
    if (!best || !node_of)
        return error_set(err, STATUS_LIMIT, "too little scratch");
    join_equal_places(b);
    make_nodes(b, best, node_of, out);
    make_edges(b, node_of, out);
    if (!sort_edges(b, arena, out))
        return error_set(err, STATUS_LIMIT, "too little scratch");
    make_components(b, out);
    return STATUS_OK;
}

struct levels {
    const uint32_t *level;
};
static bool by_level(const void *context, uint32_t i, uint32_t k) {
    const uint32_t *level = ((const struct levels *)context)->level;
    return level[i] != level[k] ? level[i] < level[k] : i < k;
}

/* Kahn 1962, wave by wave. */
enum status terrain_network_order(const struct network *n, uint32_t *order, size_t *count,
                                  struct arena *scratch, struct error *err) {
    size_t mark = arena_mark(scratch);
    uint32_t *waiting = arena_alloc(scratch, n->node_count, sizeof *waiting);
    uint32_t *level = arena_alloc(scratch, n->node_count, sizeof *level);
    uint32_t *next = arena_alloc(scratch, n->edge_count, sizeof *next);
    uint32_t *first = arena_alloc(scratch, n->node_count, sizeof *first);
    enum status status = STATUS_LIMIT;
    *count = 0;
    if (!waiting || !level || !next || !first)
        goto done;
    status = STATUS_OK;
    for (size_t i = 0; i < n->node_count; i++) {
        waiting[i] = level[i] = 0;
        first[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < n->edge_count; i++) { /* edges by the node they leave, as linked lists */
        waiting[n->edges[i].to_node]++;
        next[i] = first[n->edges[i].from_node];
        first[n->edges[i].from_node] = i;
    }
    size_t made = 0;
    for (uint32_t i = 0; i < n->node_count; i++)
        if (waiting[i] == 0)
            order[made++] = i;
    for (size_t at = 0; at < made; at++)
        for (uint32_t e = first[order[at]]; e != UINT32_MAX; e = next[e]) {
            uint32_t to = n->edges[e].to_node, reached = level[order[at]] + 1;
            level[to] = level[to] > reached ? level[to] : reached;
            if (--waiting[to] == 0)
                order[made++] = to;
        }
    struct levels levels = {level};
    sort_indices(order, waiting, made, by_level, &levels);
    *count = made;
done:
    arena_release(scratch, mark);
    return status
               ? error_set(err, status, "too little scratch to order a network of %zu nodes", n->node_count)
               : status;
}
