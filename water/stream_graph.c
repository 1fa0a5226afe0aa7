/* The graph of all cells that carry enough: flats joined over sections, what flows where, and what of it
 * nobody drew. */
#include "water/stream_own.h"

#include "terrain/flow_receivers.h"
#include "terrain/sort.h"
#include <string.h>

/* ---- places ---- */

static const struct stream_section *section_at(const struct stream_graph *g, int32_t x, int32_t y) {
    const struct flow_layout *l = g->layout;
    if (x < l->x0 || y < l->y0 || x >= l->x1 || y >= l->y1)
        return NULL;
    int32_t i = flow_floor_div(x, l->side) - flow_floor_div(l->x0, l->side);
    int32_t j = flow_floor_div(y, l->side) - flow_floor_div(l->y0, l->side);
    return &g->sections[j * g->columns + i];
}

int32_t stream_find_cell(const struct stream_graph *g, int32_t x, int32_t y) {
    const struct stream_section *s = section_at(g, x, y);
    uint32_t a = 0, b = s ? s->cell_count : 0;
    while (a < b) {
        uint32_t m = a + (b - a) / 2;
        const struct stream_cell *c = &s->cells[m];
        if (c->y < y || (c->y == y && c->x < x))
            a = m + 1;
        else
            b = m;
    }
    return s && a < s->cell_count && s->cells[a].x == x && s->cells[a].y == y ? (int32_t)(s->first_cell + a)
                                                                              : NODE_NONE;
}

int32_t stream_find_run(const struct stream_graph *g, int32_t x, int32_t y) {
    const struct stream_section *s = section_at(g, x, y);
    uint32_t a = 0, b = s ? s->run_count : 0;
    while (a < b) {
        uint32_t m = a + (b - a) / 2;
        const struct stream_run *r = &s->runs[m];
        if (r->y < y || (r->y == y && r->x1 <= x))
            a = m + 1;
        else
            b = m;
    }
    return s && a < s->run_count && s->runs[a].y == y && s->runs[a].x0 <= x ? (int32_t)(s->first_run + a)
                                                                            : NODE_NONE;
}

/* ---- records ---- */

static bool view(const struct flow_record *record, struct stream_section *s) {
    uint32_t counts[2];
    *s = (struct stream_section){.cell_count = 0};
    if (record->size == 0)
        return true;
    if (record->size < sizeof counts)
        return false;
    memcpy(counts, record->bytes, sizeof counts);
    size_t cells = (size_t)counts[0] * sizeof *s->cells, runs = (size_t)counts[1] * sizeof *s->runs;
    if (record->size != sizeof counts + cells + runs)
        return false;
    const unsigned char *at = (const unsigned char *)record->bytes + sizeof counts;
    s->cells = (const void *)at;
    s->runs = (const void *)(at + cells);
    s->cell_count = counts[0];
    s->run_count = counts[1];
    return true;
}

static enum status read_records(struct stream_graph *g, const struct flow_record *records,
                                struct arena *arena, struct error *err) {
    int32_t count = g->columns * g->rows;
    for (int32_t i = 0; i < count; i++) {
        struct stream_section *s = &g->sections[i];
        if (!view(&records[i], s))
            return error_set(err, STATUS_FAULT, "a section's record of streams is damaged");
        s->first_cell = g->cell_count;
        s->first_run = g->run_count;
        g->cell_count += s->cell_count;
        g->run_count += s->run_count;
    }
    g->cells = arena_alloc(arena, g->cell_count + 1, sizeof *g->cells);
    g->runs = arena_alloc(arena, g->run_count + 1, sizeof *g->runs);
    if (!g->cells || !g->runs)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (int32_t i = 0; i < count; i++) {
        const struct stream_section *s = &g->sections[i];
        for (uint32_t k = 0; k < s->cell_count; k++)
            g->cells[s->first_cell + k] = &s->cells[k];
        for (uint32_t k = 0; k < s->run_count; k++)
            g->runs[s->first_run + k] = &s->runs[k];
    }
    return STATUS_OK;
}

/* ---- flats ---- */

static uint32_t root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(uint32_t *parent, uint32_t a, int32_t b) {
    if (b == NODE_NONE)
        return;
    uint32_t p = root(parent, a), q = root(parent, (uint32_t)b);
    parent[p > q ? p : q] = p > q ? q : p;
}

static void join_runs(const struct stream_graph *g, uint32_t *parent) {
    for (uint32_t i = 0; i < g->run_count; i++)
        parent[i] = i;
    for (uint32_t i = 0; i < g->run_count; i++) {
        const struct stream_run *r = g->runs[i];
        join(parent, i, stream_find_run(g, r->x1, r->y));
        for (int32_t x = r->x0 - 1; x <= r->x1;) {
            int32_t below = stream_find_run(g, x, r->y - 1);
            join(parent, i, below);
            x = below == NODE_NONE ? x + 1 : g->runs[below]->x1;
        }
    }
}

static void grow(struct stream_flat *f, const struct stream_run *r) {
    f->x0 = f->size && f->x0 < r->x0 ? f->x0 : r->x0;
    f->x1 = f->size && f->x1 > r->x1 ? f->x1 : r->x1;
    f->y0 = f->size && f->y0 < r->y ? f->y0 : r->y;
    f->y1 = f->size && f->y1 > r->y + 1 ? f->y1 : r->y + 1;
    f->size += (uint64_t)(r->x1 - r->x0);
    f->beside |= r->how == STREAM_BESIDE;
    f->lake |= r->how == STREAM_LAKE || r->how == STREAM_END;
    f->run_count++;
}

static enum status make_flats(struct stream_graph *g, struct arena *arena, struct error *err) {
    uint32_t *parent = arena_alloc(arena, g->run_count + 1, sizeof *parent);
    g->flat_of_run = arena_alloc(arena, g->run_count + 1, sizeof *g->flat_of_run);
    g->flat_runs = arena_alloc(arena, g->run_count + 1, sizeof *g->flat_runs);
    if (!parent || !g->flat_of_run || !g->flat_runs)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    join_runs(g, parent);
    for (uint32_t i = 0; i < g->run_count; i++)
        g->flat_of_run[i] = root(parent, i) == i ? g->flat_count++ : g->flat_of_run[root(parent, i)];
    g->flats = arena_alloc(arena, g->flat_count + 1, sizeof *g->flats);
    if (!g->flats)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (uint32_t f = 0; f < g->flat_count; f++)
        g->flats[f] = (struct stream_flat){.open = true};
    for (uint32_t i = 0; i < g->run_count; i++)
        grow(&g->flats[g->flat_of_run[i]], g->runs[i]);
    for (uint32_t f = 0, at = 0; f < g->flat_count; f++) {
        struct stream_flat *flat = &g->flats[f];
        double box = (double)(flat->x1 - flat->x0) * (double)(flat->y1 - flat->y0);
        flat->wide = (double)flat->size * g->cell_m * g->cell_m > STREAM_FLAT_M2 || box > 1 << 20;
        flat->first_run = at;
        at += flat->run_count;
        flat->run_count = 0;
    }
    for (uint32_t i = 0; i < g->run_count; i++) {
        struct stream_flat *flat = &g->flats[g->flat_of_run[i]];
        g->flat_runs[flat->first_run + flat->run_count++] = i;
    }
    return STATUS_OK;
}

/* ---- what flows where ---- */

/* The node at a place: its cell, or the flat that holds it. */
static int32_t node_at(const struct stream_graph *g, int32_t x, int32_t y) {
    int32_t run = stream_find_run(g, x, y);
    return run == NODE_NONE ? stream_find_cell(g, x, y) : (int32_t)(g->cell_count + g->flat_of_run[run]);
}

static void set_mouth(struct stream_graph *g, uint32_t flat, int32_t x, int32_t y, int32_t down) {
    struct stream_flat *f = &g->flats[flat];
    if (f->open || y < f->mouth_y || (y == f->mouth_y && x < f->mouth_x)) {
        f->mouth_x = x;
        f->mouth_y = y;
    }
    f->open = false;
    g->nodes[g->cell_count + flat].down = down;
}

/* What flows into a cell from its neighbours in the records. */
static uint64_t inflow(const struct stream_graph *g, const struct stream_cell *c) {
    uint64_t sum = 0;
    for (int d = 0; d < 8; d++) {
        int32_t i = stream_find_cell(g, c->x + flow_dx[d], c->y + flow_dy[d]);
        if (i == NODE_NONE)
            continue;
        uint32_t way = g->cells[i]->code >= FLOW_MOUTH ? g->cells[i]->code - FLOW_MOUTH : g->cells[i]->code;
        if (way < 8 && flow_dx[way] == -flow_dx[d] && flow_dy[way] == -flow_dy[d])
            sum += g->cells[i]->area;
    }
    return sum;
}

/* Flats that section borders cut have no mouth in the records: all of one pours into the first cell beside
 * it, by y then x, that carries so much more than what flows into it from its neighbours. */
static void find_outlets(struct stream_graph *g, uint32_t i) {
    const struct stream_cell *c = g->cells[i];
    if (c->code > FLOW_LEAVES || c->code == FLOW_LAKE)
        return;
    for (int d = 0; d < 8; d++) {
        int32_t x = c->x + flow_dx[d], y = c->y + flow_dy[d], run = stream_find_run(g, x, y);
        if (run == NODE_NONE)
            continue;
        uint32_t flat = g->flat_of_run[run];
        struct stream_flat *f = &g->flats[flat];
        const struct stream_node *n = &g->nodes[g->cell_count + flat];
        if (!f->cut || c->area <= n->area)
            continue;
        if (n->down != (int32_t)i) {
            const struct stream_cell *now = n->down == NODE_NONE ? NULL : g->cells[n->down];
            bool before = !now || c->y < now->y || (c->y == now->y && c->x < now->x);
            if (!before || inflow(g, c) + n->area > c->area)
                continue;
            f->open = true;
        }
        set_mouth(g, flat, x, y, (int32_t)i);
    }
}

static enum status link_nodes(struct stream_graph *g, struct arena *arena, struct error *err) {
    uint32_t count = g->cell_count + g->flat_count;
    g->nodes = arena_alloc(arena, count + 1, sizeof *g->nodes);
    if (!g->nodes)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (uint32_t i = 0; i < count; i++)
        g->nodes[i] = (struct stream_node){.down = NODE_NONE, .main = NODE_NONE};
    for (uint32_t i = 0; i < g->cell_count; i++) {
        const struct stream_cell *c = g->cells[i];
        g->nodes[i].area = c->area;
        if (c->code < 8)
            g->nodes[i].down = node_at(g, c->x + flow_dx[c->code], c->y + flow_dy[c->code]);
        if (c->code < FLOW_MOUTH)
            continue;
        int32_t run = stream_find_run(g, c->x, c->y), way = (int32_t)c->code - FLOW_MOUTH;
        if (run == NODE_NONE || way >= 8)
            return error_set(err, STATUS_FAULT, "a section's record of streams is damaged");
        set_mouth(g, g->flat_of_run[run], c->x, c->y, node_at(g, c->x + flow_dx[way], c->y + flow_dy[way]));
    }
    for (uint32_t i = 0; i < g->run_count; i++)
        g->nodes[g->cell_count + g->flat_of_run[i]].area = g->runs[i]->area;
    for (uint32_t f = 0; f < g->flat_count; f++)
        g->flats[f].cut = g->flats[f].open;
    for (uint32_t i = 0; i < g->cell_count; i++)
        find_outlets(g, i);
    return STATUS_OK;
}

static bool upstream_first(const void *context, uint32_t a, uint32_t b) {
    const struct stream_graph *g = context;
    return g->nodes[a].area < g->nodes[b].area || (g->nodes[a].area == g->nodes[b].area && a < b);
}

bool stream_before(const struct stream_graph *g, int32_t a, int32_t b) {
    uint64_t own_a = g->nodes[a].area - g->nodes[a].passed, own_b = g->nodes[b].area - g->nodes[b].passed;
    if (own_a != own_b)
        return own_a > own_b;
    int32_t at[2][2];
    for (int k = 0; k < 2; k++) {
        int32_t n = k ? b : a;
        bool flat = stream_is_flat(g, n);
        at[k][0] = flat ? stream_flat_at(g, n)->y0 : g->cells[n]->y;
        at[k][1] = flat ? stream_flat_at(g, n)->x0 : g->cells[n]->x;
    }
    return at[0][0] < at[1][0] || (at[0][0] == at[1][0] && at[0][1] < at[1][1]);
}

/* A node hands on what it carries; of the active ones above a node the greatest goes on there. */
static void pass_on(struct stream_graph *g, int32_t i) {
    struct stream_node *n = &g->nodes[i];
    bool flat = stream_is_flat(g, i), goes_on;
    uint64_t passed = n->passed < n->area ? n->passed : n->area;
    n->passed = passed;
    if (flat) {
        const struct stream_flat *f = stream_flat_at(g, i);
        goes_on = n->active = stream_runs_through(f) && n->main != NODE_NONE && n->area - passed >= g->least;
        passed = f->lake || f->wide ? 0 : f->beside ? n->area : passed;
    } else {
        const struct stream_cell *c = g->cells[i];
        goes_on = n->active = c->near.how == STREAM_FREE && c->code <= FLOW_LEAVES && c->code != FLOW_LAKE &&
                              n->area - passed >= g->least;
        passed = c->near.how == STREAM_FREE ? passed : c->near.how == STREAM_BESIDE ? n->area : 0;
        if (c->code == FLOW_LAKE || c->code >= FLOW_MOUTH)
            return; /* its flat is the node that flows */
    }
    if (n->down == NODE_NONE)
        return;
    struct stream_node *below = &g->nodes[n->down];
    below->passed += passed;
    if (goes_on && (below->main == NODE_NONE || stream_before(g, i, below->main)))
        below->main = i;
}

enum status stream_graph_make(struct stream_graph *g, const struct flow_record *records, struct arena *arena,
                              struct error *err) {
    g->columns = flow_columns(g->layout);
    g->rows = flow_rows(g->layout);
    g->sections = arena_alloc(arena, (size_t)g->columns * (size_t)g->rows, sizeof *g->sections);
    if (!g->sections)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    enum status status = read_records(g, records, arena, err);
    if (status == STATUS_OK)
        status = make_flats(g, arena, err);
    if (status == STATUS_OK)
        status = link_nodes(g, arena, err);
    if (status != STATUS_OK)
        return status;
    uint32_t count = g->cell_count + g->flat_count;
    size_t mark = arena_mark(arena);
    uint32_t *order = arena_alloc(arena, count + 1, sizeof *order);
    uint32_t *spare = arena_alloc(arena, count + 1, sizeof *spare);
    if (!order || !spare)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_indices(order, spare, count, upstream_first, g);
    for (uint32_t i = 0; i < count; i++)
        pass_on(g, (int32_t)order[i]);
    arena_release(arena, mark);
    return STATUS_OK;
}
