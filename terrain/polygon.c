#include "terrain/polygon.h"

#include "terrain/segment_grid.h"
#include <math.h>
#include <string.h>

/* The least whole number i >= lo with (i + 0.5) * cell_m >= v, at most hi. */
static int32_t first_centre(double v, double cell_m, int32_t lo, int32_t hi) {
    double guess = ceil(v / cell_m - 0.5);
    if (!(guess > (double)lo))
        guess = lo;
    if (guess > (double)hi)
        guess = hi;
    int32_t i = (int32_t)guess;
    while (i < hi && ((double)i + 0.5) * cell_m < v)
        i++;
    while (i > lo && ((double)i - 0.5) * cell_m >= v)
        i--;
    return i;
}

/* The part of a grid that a box may reach. */
struct part {
    int32_t x0, y0, x1, y1;
};
static struct part part_of(const struct grid_u8 *g, double x0, double y0, double x1, double y1,
                           double cell_m) {
    int32_t gx1 = g->x0 + g->width, gy1 = g->y0 + g->height;
    struct part p = {first_centre(x0, cell_m, g->x0, gx1), first_centre(y0, cell_m, g->y0, gy1), gx1, gy1};
    /* one cell of reserve: a centre exactly on the east or north end counts */
    p.x1 = first_centre(x1, cell_m, g->x0, gx1);
    p.x1 += p.x1 < gx1;
    p.y1 = first_centre(y1, cell_m, g->y0, gy1);
    p.y1 += p.y1 < gy1;
    return p;
}

static size_t next_in_ring(const struct polygon *p, size_t ring, size_t i) {
    return i + 1 < p->ring_end[ring] ? i + 1 : (ring ? p->ring_end[ring - 1] : 0);
}

/* Flips the parity of every cell of a row from an edge's crossing eastwards: a mark where it begins. */
static void mark_edge(const double *a, const double *b, double cell_m, struct part part,
                      unsigned char *parity) {
    if (a[1] > b[1]) {
        const double *t = a;
        a = b;
        b = t;
    }
    ptrdiff_t width = part.x1 - part.x0;
    int32_t y1 = first_centre(b[1], cell_m, part.y0, part.y1);
    for (int32_t y = first_centre(a[1], cell_m, part.y0, part.y1); y < y1; y++) {
        double centre = ((double)y + 0.5) * cell_m;
        double x = a[0] + (centre - a[1]) * (b[0] - a[0]) / (b[1] - a[1]);
        int32_t column = first_centre(x, cell_m, part.x0, part.x1);
        if (column < part.x1)
            parity[(y - part.y0) * width + (column - part.x0)] ^= 1;
    }
}

enum status terrain_polygon_fill(const struct polygon *p, double cell_m, uint8_t value, struct grid_u8 *out,
                                 struct arena *scratch, struct error *err) {
    size_t points = p->ring_count ? p->ring_end[p->ring_count - 1] : 0;
    if (points == 0)
        return STATUS_OK;
    double x0 = p->xy[0], y0 = p->xy[1], x1 = x0, y1 = y0;
    for (size_t i = 1; i < points; i++) {
        x0 = p->xy[2 * i] < x0 ? p->xy[2 * i] : x0;
        x1 = p->xy[2 * i] > x1 ? p->xy[2 * i] : x1;
        y0 = p->xy[2 * i + 1] < y0 ? p->xy[2 * i + 1] : y0;
        y1 = p->xy[2 * i + 1] > y1 ? p->xy[2 * i + 1] : y1;
    }
    struct part part = part_of(out, x0, y0, x1, y1, cell_m);
    if (part.x0 >= part.x1 || part.y0 >= part.y1)
        return STATUS_OK;
    size_t mark = arena_mark(scratch), width = (size_t)(part.x1 - part.x0);
    unsigned char *parity = arena_alloc(scratch, width, (size_t)(part.y1 - part.y0));
    if (!parity)
        return error_set(err, STATUS_LIMIT, "too little scratch to fill a polygon");
    memset(parity, 0, width * (size_t)(part.y1 - part.y0));
    for (size_t r = 0, i = 0; r < p->ring_count; r++)
        for (; i < p->ring_end[r]; i++)
            mark_edge(p->xy + 2 * i, p->xy + 2 * next_in_ring(p, r, i), cell_m, part, parity);
    for (int32_t y = part.y0; y < part.y1; y++) {
        const unsigned char *marks = parity + (size_t)(y - part.y0) * width;
        uint8_t *row = grid_u8_at(out, part.x0, y);
        unsigned inside = 0;
        for (size_t i = 0; i < width; i++) {
            inside ^= marks[i];
            row[i] = inside ? value : row[i];
        }
    }
    arena_release(scratch, mark);
    return STATUS_OK;
}

void terrain_disk_fill(double x, double y, double radius_m, double cell_m, uint8_t value,
                       struct grid_u8 *out) {
    struct part part = part_of(out, x - radius_m, y - radius_m, x + radius_m, y + radius_m, cell_m);
    for (int32_t cy = part.y0; cy < part.y1; cy++)
        for (int32_t cx = part.x0; cx < part.x1; cx++) {
            double dx = ((double)cx + 0.5) * cell_m - x, dy = ((double)cy + 0.5) * cell_m - y;
            if (dx * dx + dy * dy <= radius_m * radius_m)
                *grid_u8_at(out, cx, cy) = value;
        }
}

static void segment_fill(struct segment s, double ra, double rb, double cell_m, uint8_t value,
                         struct grid_u8 *out) {
    /* from the lesser end, so that the line turned around gives the same bits */
    if (s.x1 < s.x0 || (s.x1 == s.x0 && s.y1 < s.y0)) {
        s = (struct segment){s.x1, s.y1, s.x0, s.y0};
        double t = ra;
        ra = rb;
        rb = t;
    }
    double r = ra > rb ? ra : rb;
    double south = s.y0 < s.y1 ? s.y0 : s.y1, north = s.y0 < s.y1 ? s.y1 : s.y0;
    struct part part = part_of(out, s.x0 - r, south - r, s.x1 + r, north + r, cell_m);
    for (int32_t cy = part.y0; cy < part.y1; cy++)
        for (int32_t cx = part.x0; cx < part.x1; cx++) {
            double ax, ay, d2;
            double t = terrain_segment_nearest(&s, ((double)cx + 0.5) * cell_m, ((double)cy + 0.5) * cell_m,
                                               &ax, &ay, &d2);
            double here = ra + t * (rb - ra);
            if (d2 <= here * here)
                *grid_u8_at(out, cx, cy) = value;
        }
}

void terrain_line_fill(const double *xy, const double *radius_m, size_t count, bool closed, double cell_m,
                       uint8_t value, struct grid_u8 *out) {
    if (count == 1)
        terrain_disk_fill(xy[0], xy[1], radius_m[0], cell_m, value, out);
    for (size_t i = 0; i + 1 < count + (closed && count > 1); i++) {
        size_t k = i + 1 < count ? i + 1 : 0;
        struct segment s = {xy[2 * i], xy[2 * i + 1], xy[2 * k], xy[2 * k + 1]};
        segment_fill(s, radius_m[i], radius_m[k], cell_m, value, out);
    }
}
