#include "terrain/segment_grid.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BUCKETS_PER_SEGMENT = 2, LISTED_MAX = 32 };

size_t terrain_segment_grid_scratch(size_t count) {
    /* start: at most 3 * BUCKETS_PER_SEGMENT * count + 3 buckets (see shape), and one behind the end */
    size_t start = arena_need(3 * BUCKETS_PER_SEGMENT * count + 4, sizeof(uint32_t));
    return start + arena_need(LISTED_MAX * count + 1, sizeof(uint32_t));
}

/* Square buckets, about `target` of them over a box of w x h. The bucket is never below the longer side by
 * target, so there are at most (w / b + 1)(h / b + 1) <= 3 target + 1. */
static void shape(struct segment_grid *g, double w, double h, size_t target) {
    double n = (double)target, longer = w > h ? w : h;
    double b = sqrt(w * h / n);
    if (b < longer / n)
        b = longer / n;
    if (!(b > 0))
        b = 1;
    g->bucket_m = b;
    g->columns = (int32_t)floor(w / b) + 1;
    g->rows = (int32_t)floor(h / b) + 1;
}

static int32_t clamp_index(double v, int32_t count) {
    if (!(v > 0))
        return 0;
    return v >= (double)count ? count - 1 : (int32_t)v;
}

struct bucket_range terrain_segment_grid_range(const struct segment_grid *g, double x0, double y0, double x1,
                                               double y1) {
    /* a margin far above rounding, far below a bucket */
    double b = g->bucket_m, slack = 1e-6;
    struct bucket_range r = {clamp_index((x0 - g->x0) / b - slack, g->columns),
                             clamp_index((y0 - g->y0) / b - slack, g->rows),
                             clamp_index((x1 - g->x0) / b + slack, g->columns) + 1,
                             clamp_index((y1 - g->y0) / b + slack, g->rows) + 1};
    return r;
}

/* Rows of column c that the segment (x0 <= x1) may touch. */
static struct bucket_range column_rows(const struct segment_grid *g, const struct segment *s, int32_t c) {
    double west = g->x0 + (c - 1e-6) * g->bucket_m, east = g->x0 + (c + 1 + 1e-6) * g->bucket_m;
    double ya = s->y0, yb = s->y1;
    if (s->x1 > s->x0) {
        double slope = (s->y1 - s->y0) / (s->x1 - s->x0);
        if (s->x0 < west)
            ya = s->y0 + (west - s->x0) * slope;
        if (s->x1 > east)
            yb = s->y0 + (east - s->x0) * slope;
    }
    return terrain_segment_grid_range(g, west, ya < yb ? ya : yb, east, ya < yb ? yb : ya);
}

/* Visits the buckets of every segment: counts them into start[b + 1] (items NULL), or lists them at
 * start[b]++. Stops when more than `most` were visited; returns how many. */
static size_t visit(struct segment_grid *g, uint32_t *items, size_t most) {
    size_t visited = 0;
    for (size_t i = 0; i < g->count && visited <= most; i++) {
        struct segment s = g->segments[i];
        if (s.x1 < s.x0)
            s = (struct segment){s.x1, s.y1, s.x0, s.y0};
        struct bucket_range all = terrain_segment_grid_range(g, s.x0, s.y0, s.x1, s.y1);
        for (int32_t c = all.column0; c < all.column1 && visited <= most; c++) {
            struct bucket_range rows = column_rows(g, &s, c);
            for (int32_t r = rows.row0; r < rows.row1; r++) {
                size_t b = (size_t)r * (size_t)g->columns + (size_t)c;
                if (items)
                    items[g->start[b]++] = (uint32_t)i;
                else
                    g->start[b + 1]++;
                visited++;
            }
        }
    }
    return visited;
}

bool terrain_segment_grid_build(const struct segment *segments, size_t count, struct arena *arena,
                                struct segment_grid *g) {
    *g = (struct segment_grid){.segments = segments, .count = count};
    double x1 = 0, y1 = 0;
    for (size_t i = 0; i < count; i++) {
        const struct segment *s = &segments[i];
        double west = s->x0 < s->x1 ? s->x0 : s->x1, east = s->x0 < s->x1 ? s->x1 : s->x0;
        double south = s->y0 < s->y1 ? s->y0 : s->y1, north = s->y0 < s->y1 ? s->y1 : s->y0;
        g->x0 = i == 0 || west < g->x0 ? west : g->x0;
        g->y0 = i == 0 || south < g->y0 ? south : g->y0;
        x1 = i == 0 || east > x1 ? east : x1;
        y1 = i == 0 || north > y1 ? north : y1;
    }
    size_t most = LISTED_MAX * count, target = BUCKETS_PER_SEGMENT * count + 1;
    g->start = arena_alloc(arena, 3 * BUCKETS_PER_SEGMENT * count + 4, sizeof *g->start);
    g->items = arena_alloc(arena, most + 1, sizeof *g->items);
    if (!g->start || !g->items)
        return false;
    size_t buckets;
    for (;; target = target / 4 + 1) {
        shape(g, x1 - g->x0, y1 - g->y0, target);
        buckets = (size_t)g->columns * (size_t)g->rows;
        memset(g->start, 0, (buckets + 1) * sizeof *g->start);
        if (visit(g, NULL, most) <= most)
            break;
        assert(target > 1); /* up to four buckets list a segment at most 4 times */
    }
    for (size_t b = 0; b < buckets; b++)
        g->start[b + 1] += g->start[b];
    visit(g, g->items, most);
    /* listing moved every start to its end: shift back */
    for (size_t b = buckets; b > 0; b--)
        g->start[b] = g->start[b - 1];
    g->start[0] = 0;
    return true;
}

double terrain_segment_nearest(const struct segment *segment, double x, double y, double *at_x, double *at_y,
                               double *distance2) {
    struct segment s = *segment;
    bool turn = s.x1 < s.x0 || (s.x1 == s.x0 && s.y1 < s.y0);
    if (turn)
        s = (struct segment){s.x1, s.y1, s.x0, s.y0};
    double dx = s.x1 - s.x0, dy = s.y1 - s.y0, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((x - s.x0) * dx + (y - s.y0) * dy) / length2 : 0;
    t = t > 0 ? t : 0;
    *at_x = t < 1 ? s.x0 + t * dx : s.x1;
    *at_y = t < 1 ? s.y0 + t * dy : s.y1;
    t = t < 1 ? t : 1;
    double ex = x - *at_x, ey = y - *at_y;
    *distance2 = ex * ex + ey * ey;
    return turn ? 1 - t : t;
}
