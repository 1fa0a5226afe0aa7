/* The self-crossing test of terrain/polygon.h. */
#include "terrain/polygon.h"
#include "terrain/segment_grid.h"

/* Which side of the line a-b c lies on: 1 left, -1 right, 0 on it or too close to tell. The bound is
 * Shewchuk's (1997) for the determinant in doubles. */
static int side(const double *a, const double *b, const double *c) {
    double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    double size = (left < 0 ? -left : left) + (right < 0 ? -right : right);
    double det = left - right, bound = 3.3306690738754716e-16 * size;
    return det > bound ? 1 : det < -bound ? -1 : 0;
}

static bool strictly_between(double v, double a, double b) {
    return (a < v && v < b) || (b < v && v < a);
}

/* The rings' edges: edge i runs from point i to point next[i]; before[i] is the point before. */
struct edges {
    const double *xy;
    const struct segment *segments;
    const uint32_t *next, *before;
};

/* Whether the corner at point v passes through the inside of edge e. */
static bool corner_through(const struct edges *g, size_t v, size_t e) {
    const double *a = g->xy + 2 * e, *b = g->xy + 2 * (size_t)g->next[e], *c = g->xy + 2 * v;
    if (side(a, b, c) != 0)
        return false;
    bool inside = a[0] != b[0] ? strictly_between(c[0], a[0], b[0]) : strictly_between(c[1], a[1], b[1]);
    return inside &&
           side(a, b, g->xy + 2 * (size_t)g->before[v]) * side(a, b, g->xy + 2 * (size_t)g->next[v]) < 0;
}

static bool edges_cross(const struct edges *g, size_t i, size_t k, struct polygon_crossing *where) {
    const double *a = g->xy + 2 * i, *b = g->xy + 2 * (size_t)g->next[i];
    const double *c = g->xy + 2 * k, *d = g->xy + 2 * (size_t)g->next[k];
    int abc = side(a, b, c), abd = side(a, b, d), cda = side(c, d, a), cdb = side(c, d, b);
    *where = (struct polygon_crossing){i < k ? i : k, i < k ? k : i, 0, 0};
    if (abc * abd < 0 && cda * cdb < 0) {
        double rx = b[0] - a[0], ry = b[1] - a[1], sx = d[0] - c[0], sy = d[1] - c[1];
        double t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / (rx * sy - ry * sx);
        where->x = a[0] + t * rx;
        where->y = a[1] + t * ry;
        return true;
    }
    size_t corner = corner_through(g, i, k) ? i : corner_through(g, k, i) ? k : SIZE_MAX;
    if (corner == SIZE_MAX)
        return false;
    where->x = g->xy[2 * corner];
    where->y = g->xy[2 * corner + 1];
    return true;
}

size_t terrain_polygon_crossing_scratch(size_t points) {
    return terrain_segment_grid_scratch(points) + arena_need(points, sizeof(struct segment)) +
           2 * arena_need(points, sizeof(uint32_t));
}

static bool boxes_apart(const struct segment *s, const struct segment *t) {
    double sw = s->x0 < s->x1 ? s->x0 : s->x1, se = s->x0 < s->x1 ? s->x1 : s->x0;
    double tw = t->x0 < t->x1 ? t->x0 : t->x1, te = t->x0 < t->x1 ? t->x1 : t->x0;
    double ss = s->y0 < s->y1 ? s->y0 : s->y1, sn = s->y0 < s->y1 ? s->y1 : s->y0;
    double ts = t->y0 < t->y1 ? t->y0 : t->y1, tn = t->y0 < t->y1 ? t->y1 : t->y0;
    return se < tw || te < sw || sn < ts || tn < ss;
}

static bool search(const struct edges *g, const struct segment_grid *grid, struct polygon_crossing *where) {
    size_t buckets = (size_t)grid->columns * (size_t)grid->rows;
    for (size_t b = 0; b < buckets; b++)
        for (uint32_t i = grid->start[b]; i < grid->start[b + 1]; i++)
            for (uint32_t k = i + 1; k < grid->start[b + 1]; k++) {
                size_t e = grid->items[i], f = grid->items[k];
                if (!boxes_apart(&g->segments[e], &g->segments[f]) && edges_cross(g, e, f, where))
                    return true;
            }
    return false;
}

enum status terrain_polygon_crosses(const struct polygon *p, struct arena *scratch, bool *crosses,
                                    struct polygon_crossing *where, struct error *err) {
    size_t points = p->ring_count ? p->ring_end[p->ring_count - 1] : 0, mark = arena_mark(scratch);
    *crosses = false;
    struct segment *segments = arena_alloc(scratch, points, sizeof *segments);
    uint32_t *next = arena_alloc(scratch, points, sizeof *next);
    uint32_t *before = arena_alloc(scratch, points, sizeof *before);
    enum status status = STATUS_OK;
    struct segment_grid grid;
    if (!segments || !next || !before)
        goto too_little;
    for (size_t r = 0, first = 0; r < p->ring_count; first = p->ring_end[r++])
        for (size_t i = first; i < p->ring_end[r]; i++) {
            size_t k = i + 1 < p->ring_end[r] ? i + 1 : first;
            next[i] = (uint32_t)k;
            before[k] = (uint32_t)i;
            segments[i] = (struct segment){p->xy[2 * i], p->xy[2 * i + 1], p->xy[2 * k], p->xy[2 * k + 1]};
        }
    if (!terrain_segment_grid_build(segments, points, scratch, &grid))
        goto too_little;
    struct edges edges = {p->xy, segments, next, before};
    *crosses = search(&edges, &grid, where);
    goto done;
too_little:
    status = error_set(err, STATUS_LIMIT, "too little scratch to test a polygon of %zu points", points);
done:
    arena_release(scratch, mark);
    return status;
}
