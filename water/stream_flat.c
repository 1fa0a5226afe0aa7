/* Ways through flats: from each inlet the shortest over the flat's cells to its mouth, or to drawn water in
 * it. */
#include "water/stream_own.h"

#include "terrain/flow_receivers.h"
#include "terrain/sort.h"
#include <string.h>

enum { STRAIGHT = 5, ACROSS = 7, FAR = INT32_MAX / 2 };

/* The cells of one flat, one more all around. */
struct field {
    int32_t x0, y0, width, height;
    int32_t *far;       /* to where ways end, in fifths of a cell; -1 outside the flat */
    int32_t *path, *at; /* of ways so far: number + 1, and the place in it */
};

static size_t index_of(const struct field *f, int32_t x, int32_t y) {
    return (size_t)(y - f->y0) * (size_t)f->width + (size_t)(x - f->x0);
}

static bool open_field(const struct stream_graph *g, const struct stream_flat *flat, struct field *f,
                       struct arena *arena) {
    *f = (struct field){flat->x0 - 1, flat->y0 - 1, flat->x1 - flat->x0 + 2, flat->y1 - flat->y0 + 2, NULL,
                        NULL,         NULL};
    size_t count = (size_t)f->width * (size_t)f->height;
    f->far = arena_alloc(arena, count, sizeof *f->far);
    f->path = arena_alloc(arena, count, sizeof *f->path);
    f->at = arena_alloc(arena, count, sizeof *f->at);
    if (!f->far || !f->path || !f->at)
        return false;
    for (size_t i = 0; i < count; i++) {
        f->far[i] = -1;
        f->path[i] = 0;
    }
    bool through = stream_runs_through(flat);
    for (uint32_t k = 0; k < flat->run_count; k++) {
        const struct stream_run *r = g->runs[g->flat_runs[flat->first_run + k]];
        for (int32_t x = r->x0; x < r->x1; x++)
            f->far[index_of(f, x, r->y)] = !through && r->how != STREAM_FREE ? 0 : FAR;
    }
    if (through && !flat->open)
        f->far[index_of(f, flat->mouth_x, flat->mouth_y)] = 0;
    return true;
}

static bool nearer(struct field *f, size_t i, const int8_t *dx, const int8_t *dy, const int *ways) {
    bool changed = false;
    for (int k = 0; k < 4; k++) {
        int d = ways[k];
        int32_t o = f->far[(ptrdiff_t)i + dy[d] * (ptrdiff_t)f->width + dx[d]];
        if (o < 0 || o + (d < 4 ? STRAIGHT : ACROSS) >= f->far[i])
            continue;
        f->far[i] = o + (d < 4 ? STRAIGHT : ACROSS);
        changed = true;
    }
    return changed;
}

/* Distances over the flat's cells: sweeps to and fro until nothing changes. */
static void spread(struct field *f) {
    static const int before[4] = {2, 3, 6, 7}, after[4] = {0, 1, 4, 5};
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t y = 1; y < f->height - 1; y++)
            for (int32_t x = 1; x < f->width - 1; x++) {
                size_t i = (size_t)y * (size_t)f->width + (size_t)x;
                if (f->far[i] > 0)
                    changed |= nearer(f, i, flow_dx, flow_dy, before);
            }
        for (int32_t y = f->height - 2; y > 0; y--)
            for (int32_t x = f->width - 2; x > 0; x--) {
                size_t i = (size_t)y * (size_t)f->width + (size_t)x;
                if (f->far[i] > 0)
                    changed |= nearer(f, i, flow_dx, flow_dy, after);
            }
    }
}

static bool downhill(const struct field *f, int32_t *x, int32_t *y) {
    int32_t best = f->far[index_of(f, *x, *y)];
    int way = -1;
    for (int d = 0; d < 8; d++) {
        int32_t o = f->far[index_of(f, *x + flow_dx[d], *y + flow_dy[d])];
        if (o >= 0 && o < best) {
            best = o;
            way = d;
        }
    }
    if (way < 0)
        return false;
    *x += flow_dx[way];
    *y += flow_dy[way];
    return true;
}

/* One inlet's way: cells until it meets where ways end, or an earlier way. With no arrays it counts. */
static uint32_t walk(struct stream_graph *g, const struct field *f, int32_t path, bool fill) {
    struct stream_path *p = &g->paths[path];
    const struct stream_cell *c = g->cells[p->inlet];
    int32_t x = c->x + flow_dx[c->code], y = c->y + flow_dy[c->code];
    uint32_t count = 0;
    for (;;) {
        size_t i = index_of(f, x, y);
        if (f->path[i]) {
            p->joint_path = f->path[i] - 1;
            p->joint_at = (uint32_t)f->at[i];
            break;
        }
        if (fill) {
            p->cells[2 * count] = x;
            p->cells[2 * count + 1] = y;
        }
        count++;
        if (!downhill(f, &x, &y))
            break;
    }
    return count;
}

static enum status cross(struct stream_graph *g, const struct stream_flat *flat, struct arena *arena,
                         struct arena *scratch, struct error *err) {
    struct field f;
    if (!open_field(g, flat, &f, scratch))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    spread(&f);
    for (uint32_t k = 0; k < flat->path_count; k++) {
        int32_t path = (int32_t)(flat->first_path + k);
        struct stream_path *p = &g->paths[path];
        p->count = walk(g, &f, path, false);
        p->cells = arena_alloc(arena, p->count + 1, 2 * sizeof *p->cells);
        p->xy = arena_alloc(arena, p->count + 1, 2 * sizeof *p->xy);
        p->joint = arena_alloc(arena, p->count + 1, sizeof *p->joint);
        if (!p->cells || !p->xy || !p->joint)
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        walk(g, &f, path, true);
        for (uint32_t i = 0; i < p->count; i++) {
            size_t at = index_of(&f, p->cells[2 * i], p->cells[2 * i + 1]);
            f.path[at] = path + 1;
            f.at[at] = (int32_t)i;
            p->joint[i] = false;
        }
        p->ends_drawn = p->joint_path < 0 && !stream_runs_through(flat);
        if (p->ends_drawn && p->count)
            p->drawn = stream_find_cell(g, p->cells[2 * p->count - 2], p->cells[2 * p->count - 1]);
    }
    return STATUS_OK;
}

/* ---- inlets ---- */

static bool inlet_before(const void *context, uint32_t a, uint32_t b) {
    const struct stream_graph *g = context;
    int32_t i = g->paths[a].inlet, k = g->paths[b].inlet;
    if (g->nodes[i].down != g->nodes[k].down)
        return g->nodes[i].down < g->nodes[k].down;
    return stream_before(g, i, k);
}

static bool is_inlet(const struct stream_graph *g, uint32_t i) {
    const struct stream_node *n = &g->nodes[i];
    return n->active && n->down != NODE_NONE && stream_is_flat(g, n->down) &&
           !stream_flat_at(g, n->down)->wide;
}

static enum status find_inlets(struct stream_graph *g, struct arena *arena, struct error *err) {
    for (uint32_t i = 0; i < g->cell_count; i++)
        g->path_count += is_inlet(g, i);
    uint32_t count = g->path_count, n = 0;
    struct stream_path *sorted = arena_alloc(arena, count + 1, sizeof *sorted);
    g->path_of_inlet = arena_alloc(arena, g->cell_count + 1, sizeof *g->path_of_inlet);
    g->paths = arena_alloc(arena, count + 1, sizeof *g->paths);
    uint32_t *order = arena_alloc(arena, count + 1, sizeof *order);
    uint32_t *spare = arena_alloc(arena, count + 1, sizeof *spare);
    if (!sorted || !g->path_of_inlet || !g->paths || !order || !spare)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (uint32_t i = 0; i < g->cell_count; i++) {
        g->path_of_inlet[i] = NODE_NONE;
        if (is_inlet(g, i)) {
            order[n] = n;
            g->paths[n++] = (struct stream_path){.inlet = (int32_t)i, .joint_path = -1, .drawn = NODE_NONE};
        }
    }
    sort_indices(order, spare, count, inlet_before, g);
    for (uint32_t k = 0; k < count; k++) {
        sorted[k] = g->paths[order[k]];
        g->path_of_inlet[sorted[k].inlet] = (int32_t)k;
        struct stream_flat *f = stream_flat_at(g, g->nodes[sorted[k].inlet].down);
        f->first_path = f->path_count++ ? f->first_path : k;
    }
    g->paths = sorted;
    return STATUS_OK;
}

enum status stream_cross_flats(struct stream_graph *g, struct arena *arena, struct error *err) {
    enum status status = find_inlets(g, arena, err);
    /* what stays comes from the arena's front, fields from its back half */
    for (uint32_t k = 0; status == STATUS_OK && k < g->flat_count; k++) {
        if (!g->flats[k].path_count)
            continue;
        size_t half = (arena->size - arena->used) / 2 / ARENA_ALIGN * ARENA_ALIGN;
        struct arena back = {arena->base + arena->size - half, half, 0};
        arena->size -= half;
        status = cross(g, &g->flats[k], arena, &back, err);
        arena->size += half;
    }
    return status;
}
