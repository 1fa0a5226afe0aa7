/* The lines of streams: from each place where one ends up along the greatest stream to its source. */
#include "water/stream_own.h"

#include "terrain/flow_receivers.h"
#include "terrain/sort.h"
#include <math.h>

enum { MEAN_CELLS = 3, EVERY_CELLS = 4, LEAST_CELLS = 12, TAIL_CELLS = 64 };
static const double LAKE_INTO_M = 4;

/* A point on the way of a line. */
struct item {
    double x, y; /* m */
    uint64_t area;
    double *to;   /* where its meaned place goes, NULL: nobody asks */
    bool *joint;  /* whether another line ends there */
    double *from; /* the last item of a line that ends at a joint: its place */
};

struct way {
    struct item *items;
    size_t count;
    int32_t x, y; /* the cell of the first stream node */
    bool still, joins;
};

struct tracer {
    struct stream_graph *g;
    struct item *pool;
    size_t used, room;
    struct way *ways;
    size_t way_count;
};

static double centre(const struct tracer *t, int32_t cell) {
    return (cell + 0.5) * t->g->cell_m;
}

static struct item *push(struct tracer *t, double x, double y, uint64_t area) {
    struct item *item = &t->pool[t->used++];
    *item = (struct item){x, y, area, NULL, NULL, NULL};
    return item;
}

static void push_node(struct tracer *t, int32_t i) {
    struct stream_node *n = &t->g->nodes[i];
    const struct stream_cell *c = t->g->cells[i];
    struct item *item = push(t, centre(t, c->x), centre(t, c->y), n->area);
    item->to = &n->x;
    item->joint = &n->joint;
}

static void push_path_cell(struct tracer *t, struct stream_path *p, uint32_t k, uint64_t area) {
    struct item *item = push(t, centre(t, p->cells[2 * k]), centre(t, p->cells[2 * k + 1]), area);
    item->to = &p->xy[2 * k];
    item->joint = &p->joint[k];
}

/* From node i upstream, the greatest first: in the pool from the mouth to the source. */
static void climb(struct tracer *t, int32_t i, struct way *w) {
    struct stream_graph *g = t->g;
    for (;;) {
        push_node(t, i);
        w->x = g->cells[i]->x;
        w->y = g->cells[i]->y;
        int32_t up = g->nodes[i].main;
        if (up == NODE_NONE)
            return;
        if (stream_is_flat(g, up)) {
            struct stream_path *p = &g->paths[stream_flat_at(g, up)->first_path];
            for (uint32_t k = p->count; k-- > 0;)
                push_path_cell(t, p, k, g->nodes[up].area);
            up = p->inlet;
        }
        i = up;
    }
}

/* Where it begins anew: below a lake, a flat, or the end of a drawn line. */
static void begin_in_water(struct tracer *t, const struct way *w) {
    struct stream_graph *g = t->g;
    int32_t best = NODE_NONE;
    for (int d = 0; d < 8; d++) {
        int32_t x = w->x + flow_dx[d], y = w->y + flow_dy[d], i = stream_find_cell(g, x, y);
        int32_t run = stream_find_run(g, x, y);
        if (run != NODE_NONE) {
            const struct stream_flat *f = &g->flats[g->flat_of_run[run]];
            int32_t down = g->nodes[g->cell_count + g->flat_of_run[run]].down;
            bool here = down != NODE_NONE && g->cells[down]->x == w->x && g->cells[down]->y == w->y;
            if (here && (f->lake || f->wide) && f->mouth_x == x && f->mouth_y == y) {
                push(t, centre(t, x), centre(t, y), g->cells[down]->area);
                return;
            }
            continue;
        }
        if (i == NODE_NONE || g->nodes[i].down == NODE_NONE || stream_is_flat(g, g->nodes[i].down))
            continue;
        const struct stream_cell *down = g->cells[g->nodes[i].down];
        uint32_t how = g->cells[i]->near.how;
        if ((how == STREAM_LAKE || how == STREAM_END) && down->x == w->x && down->y == w->y &&
            (best == NODE_NONE || stream_before(g, i, best)))
            best = i;
    }
    if (best != NODE_NONE)
        push(t, g->cells[best]->near.x, g->cells[best]->near.y, g->cells[best]->area);
}

/* On along the flow while what is drawn comes nearer; then to it. */
static void end_at_drawn(struct tracer *t, int32_t i, uint64_t area) {
    struct stream_graph *g = t->g;
    int32_t into = (int32_t)ceil(LAKE_INTO_M / g->cell_m) + 1;
    for (int32_t cells = 1;; cells++) {
        const struct stream_cell *c = g->cells[i];
        int32_t down = g->nodes[i].down;
        const struct stream_cell *n = down == NODE_NONE || stream_is_flat(g, down) ? NULL : g->cells[down];
        bool lake = c->near.how == STREAM_LAKE;
        bool on =
            n && (lake ? n->near.how == STREAM_LAKE && --into > 0
                       : n->near.how != STREAM_FREE && (n->near.m < c->near.m || n->near.how == STREAM_LAKE));
        if (!on || cells == TAIL_CELLS) {
            push(t, c->near.x, c->near.y, area);
            return;
        }
        push(t, centre(t, c->x), centre(t, c->y), area);
        i = down;
    }
}

static void end_at_node(struct tracer *t, int32_t down, uint64_t area, struct way *w) {
    struct stream_graph *g = t->g;
    if (!g->nodes[down].active) {
        end_at_drawn(t, down, area);
        return;
    }
    push(t, centre(t, g->cells[down]->x), centre(t, g->cells[down]->y), area)->from = &g->nodes[down].x;
    g->nodes[down].joint = w->joins = true;
}

static void end_in_flat(struct tracer *t, int32_t inlet, struct way *w) {
    struct stream_graph *g = t->g;
    uint64_t area = g->nodes[inlet].area;
    const struct stream_cell *c = g->cells[inlet];
    int32_t k = g->path_of_inlet[inlet];
    if (k == NODE_NONE) {
        push(t, centre(t, c->x + flow_dx[c->code]), centre(t, c->y + flow_dy[c->code]), area);
        w->still = true;
        return;
    }
    struct stream_path *p = &g->paths[k];
    for (uint32_t i = 0; i < p->count; i++)
        push_path_cell(t, p, i, area);
    if (p->joint_path >= 0) {
        struct stream_path *o = &g->paths[p->joint_path];
        uint32_t at = p->joint_at;
        push(t, centre(t, o->cells[2 * at]), centre(t, o->cells[2 * at + 1]), area)->from = &o->xy[2 * at];
        o->joint[at] = w->joins = true;
    } else if (p->ends_drawn) {
        if (p->drawn != NODE_NONE)
            push(t, g->cells[p->drawn]->near.x, g->cells[p->drawn]->near.y, area);
    } else if (g->nodes[g->nodes[inlet].down].down != NODE_NONE) {
        end_at_node(t, g->nodes[g->nodes[inlet].down].down, area, w);
    }
}

static void end_line(struct tracer *t, int32_t i, struct way *w) {
    struct stream_graph *g = t->g;
    const struct stream_cell *c = g->cells[i];
    int32_t down = g->nodes[i].down;
    if (down == NODE_NONE) { /* two cells out of the world, by its nearest edge */
        const struct flow_layout *l = g->layout;
        int32_t way[4] = {c->x - l->x0, l->x1 - 1 - c->x, c->y - l->y0, l->y1 - 1 - c->y}, best = 0;
        for (int32_t k = 1; k < 4; k++)
            best = way[k] < way[best] ? k : best;
        int32_t dx = best == 0 ? -2 : best == 1 ? 2 : 0, dy = best == 2 ? -2 : best == 3 ? 2 : 0;
        push(t, centre(t, c->x + dx), centre(t, c->y + dy), c->area);
    } else if (stream_is_flat(g, down)) {
        end_in_flat(t, i, w);
    } else {
        end_at_node(t, down, c->area, w);
    }
}

/* Whether a line ends below node i: nothing goes on there as the same. */
static bool is_last(const struct stream_graph *g, int32_t i) {
    int32_t down = g->nodes[i].down;
    if (!g->nodes[i].active)
        return false;
    if (down == NODE_NONE || !g->nodes[down].active || g->nodes[down].main != i)
        return true;
    return stream_is_flat(g, down) && is_last(g, down);
}

static void trace(struct tracer *t, int32_t i) {
    struct way *w = &t->ways[t->way_count];
    *w = (struct way){.items = t->pool + t->used};
    climb(t, i, w);
    begin_in_water(t, w);
    for (struct item *a = w->items, *b = t->pool + t->used - 1; a < b; a++, b--) {
        struct item swap = *a;
        *a = *b;
        *b = swap;
    }
    end_line(t, i, w);
    w->count = (size_t)(t->pool + t->used - w->items);
    t->way_count++;
}

/* Means of the cells' centres, fewer towards both ends. */
static void place_joints(const struct way *w) {
    for (size_t i = 0; i < w->count; i++) {
        size_t r = i < w->count - 1 - i ? i : w->count - 1 - i;
        r = r < MEAN_CELLS ? r : MEAN_CELLS;
        double x = 0, y = 0;
        for (size_t k = i - r; k <= i + r; k++) {
            x += w->items[k].x;
            y += w->items[k].y;
        }
        if (w->items[i].to) {
            w->items[i].to[0] = x / (double)(2 * r + 1);
            w->items[i].to[1] = y / (double)(2 * r + 1);
        }
    }
}

/* No more than a notch beside another line. */
static bool is_notch(const struct way *w) {
    for (size_t i = 0; i < w->count; i++)
        if (w->items[i].joint && *w->items[i].joint)
            return false;
    return w->joins && w->count <= LEAST_CELLS;
}

static void put(struct stream_line *line, double x, double y, double area_m2) {
    size_t n = line->count;
    if (n && line->xy[2 * n - 2] == x && line->xy[2 * n - 1] == y)
        return;
    line->xy[2 * n] = x;
    line->xy[2 * n + 1] = y;
    line->area_m2[line->count++] = area_m2;
}

static bool draw(const struct tracer *t, const struct way *w, struct stream_line *line, struct arena *arena) {
    double cell = t->g->cell_m * t->g->cell_m;
    *line = (struct stream_line){.xy = arena_alloc(arena, w->count + 1, 2 * sizeof *line->xy),
                                 .area_m2 = arena_alloc(arena, w->count + 1, sizeof *line->area_m2),
                                 .x = w->x,
                                 .y = w->y,
                                 .still = w->still};
    if (!line->xy || !line->area_m2)
        return false;
    size_t last = 0;
    for (size_t i = 0; i < w->count; i++) {
        const struct item *item = &w->items[i];
        bool tip = i == 0 || i + 1 == w->count, joint = item->joint && *item->joint;
        bool due = i - last >= EVERY_CELLS && i + 2 < w->count;
        for (size_t k = 1; due && k < EVERY_CELLS / 2 && i + k < w->count; k++)
            due = !(w->items[i + k].joint && *w->items[i + k].joint);
        if (!tip && !joint && !due)
            continue;
        last = i;
        const double *at = item->from ? item->from : item->to;
        if (at)
            put(line, at[0], at[1], (double)item->area * cell);
        else
            put(line, item->x, item->y, (double)item->area * cell);
    }
    return true;
}

static bool above(const void *context, uint32_t a, uint32_t b) {
    const struct way *w = context;
    return w[a].y < w[b].y || (w[a].y == w[b].y && w[a].x < w[b].x);
}

enum status water_stream_lines(const struct flow_layout *layout, const struct flow_record *records,
                               double cell_m, uint64_t least, struct stream_line **lines, size_t *count,
                               struct arena *arena, struct error *err) {
    struct stream_graph g = {.layout = layout, .cell_m = cell_m, .least = least};
    *count = 0;
    enum status status = stream_graph_make(&g, records, arena, err);
    if (status == STATUS_OK)
        status = stream_cross_flats(&g, arena, err);
    if (status != STATUS_OK)
        return status;
    struct tracer t = {.g = &g};
    size_t last = 0;
    for (uint32_t k = 0; k < g.path_count; k++)
        t.room += g.paths[k].count;
    for (uint32_t i = 0; i < g.cell_count; i++)
        last += is_last(&g, (int32_t)i);
    t.room += 2 * (size_t)g.cell_count + (TAIL_CELLS + 4) * last + 16;
    t.pool = arena_alloc(arena, t.room, sizeof *t.pool);
    t.ways = arena_alloc(arena, last + 1, sizeof *t.ways);
    uint32_t *order = arena_alloc(arena, last + 1, sizeof *order);
    uint32_t *spare = arena_alloc(arena, last + 1, sizeof *spare);
    *lines = arena_alloc(arena, last + 1, sizeof **lines);
    if (!t.pool || !t.ways || !order || !spare || !*lines)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (uint32_t i = 0; i < g.cell_count; i++)
        if (is_last(&g, (int32_t)i))
            trace(&t, (int32_t)i);
    size_t kept = 0;
    for (size_t k = 0; k < t.way_count; k++) {
        place_joints(&t.ways[k]);
        if (!is_notch(&t.ways[k]))
            order[kept++] = (uint32_t)k;
    }
    sort_indices(order, spare, kept, above, t.ways);
    for (size_t k = 0; k < kept; k++) {
        if (!draw(&t, &t.ways[order[k]], &(*lines)[*count], arena))
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        *count += (*lines)[*count].count >= 2;
    }
    return STATUS_OK;
}
