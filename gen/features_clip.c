/* Features that reach out of the world, cut off at its margin. Lines keep their curves: what is cut becomes
 * points along them, close enough that a curve through these is the one that was drawn. */
#include "gen/features_own.h"

#include "terrain/math.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_PART = 1 << 16, SAMPLES_MAX = 1 << 20 };

/* Points with what is written at each: x, y, then one column for each attribute that is an array. */
struct rows {
    double *v;
    size_t count, columns, room; /* room: of doubles */
};

struct cut {
    struct features *into;
    const struct feature *f;
    struct box box;
    double spacing_m;
    struct rows rows, kept, next;
    size_t pieces;
};

/* A new row at the end, to be filled; NULL: out of memory. */
static double *new_row(struct rows *rows) {
    if ((rows->count + 1) * rows->columns > rows->room) {
        size_t room = 2 * rows->room + 64 * rows->columns;
        double *grown = realloc(rows->v, room * sizeof *grown);
        if (!grown)
            return NULL;
        rows->v = grown;
        rows->room = room;
    }
    return rows->v + rows->count++ * rows->columns;
}

/* A row between two of other rows; at both ends the very same. */
static bool add_row(struct rows *rows, const double *a, const double *b, double share) {
    double *to = new_row(rows);
    for (size_t k = 0; to && k < rows->columns; k++)
        to[k] = share <= 0 ? a[k] : share >= 1 ? b[k] : a[k] + (b[k] - a[k]) * share;
    return to != NULL;
}

static size_t columns_of(const struct feature *f) {
    size_t n = 2;
    for (size_t i = 0; i < f->attribute_count; i++)
        n += f->attributes[i].type == ATTRIBUTE_NUMBERS;
    return n;
}

/* A place of a run that begins at the feature's point `first`. */
static bool take_place(struct cut *c, const struct curve *curve, size_t first, const struct curve_sample *s) {
    double *row = new_row(&c->rows);
    size_t n = 2;
    if (!row)
        return false;
    row[0] = s->x;
    row[1] = s->y;
    for (size_t k = 0; k < c->f->attribute_count; k++)
        if (c->f->attributes[k].type == ATTRIBUTE_NUMBERS)
            row[n++] = curve_attribute(curve, c->f->attributes[k].numbers + first, s);
    return true;
}

/* A run's own points. */
static bool take_points(struct cut *c, const struct curve *curve, size_t first) {
    bool ok = true;
    size_t last = curve_segments(curve) - 1;
    for (size_t i = 0; ok && i < curve->count; i++) {
        struct curve_sample s = {.x = curve->xy[2 * i], .y = curve->xy[2 * i + 1]};
        s.segment = (uint32_t)(i > last ? last : i);
        s.share = i > last ? 1 : 0;
        ok = take_place(c, curve, first, &s);
    }
    return ok;
}

/* Points along a run's curve. */
static bool take_samples(struct cut *c, const struct curve *curve, size_t first) {
    double *lengths = malloc(curve_segments(curve) * sizeof *lengths);
    struct curve_sample *s = NULL;
    bool ok = false;
    if (!lengths)
        goto done;
    double spacing = math_max(c->spacing_m, terrain_curve_measure(curve, lengths) / SAMPLES_MAX);
    s = malloc((terrain_curve_sample_count(curve, lengths, spacing, CURVE_THROUGH) + 1) * sizeof *s);
    if (!s)
        goto done;
    size_t count = terrain_curve_sample(curve, lengths, spacing, CURVE_THROUGH, s);
    ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = take_place(c, curve, first, &s[i]);
done:
    free(lengths);
    free(s);
    return ok;
}

static bool take_run(struct cut *c, size_t run) {
    struct curve curve = feature_curve(c->f, run);
    size_t first = run > 0 ? c->f->ring_end[run - 1] : 0;
    c->rows.count = 0;
    return c->f->smooth ? take_samples(c, &curve, first) : take_points(c, &curve, first);
}

/* ---- pieces ---- */

/* A new feature from the kept rows; ring_end: NULL for lines. */
static bool add_piece(struct cut *c, const size_t *ring_end, size_t ring_count, double whole_m2) {
    const struct feature *f = c->f;
    size_t count = c->kept.count, columns = c->kept.columns, column = 2;
    double *xy = features_alloc(c->into, 2 * count, sizeof *xy);
    size_t *ends = ring_count ? features_alloc(c->into, ring_count, sizeof *ends) : NULL;
    struct feature_attribute *a = features_alloc(c->into, f->attribute_count, sizeof *a);
    struct feature *piece = xy && a && (ends || !ring_count) ? features_add(c->into) : NULL;
    if (!piece)
        return false;
    *piece = *f;
    for (size_t i = 0; i < count; i++)
        memcpy(xy + 2 * i, c->kept.v + i * columns, 2 * sizeof *xy);
    for (size_t i = 0; i < ring_count; i++)
        ends[i] = ring_end[i];
    for (size_t k = 0; k < f->attribute_count; k++) {
        a[k] = f->attributes[k];
        if (a[k].type != ATTRIBUTE_NUMBERS)
            continue;
        double *numbers = features_alloc(c->into, count, sizeof *numbers);
        if (!numbers)
            return false;
        for (size_t i = 0; i < count; i++)
            numbers[i] = c->kept.v[i * columns + column];
        a[k].numbers = numbers;
        column++;
    }
    piece->xy = xy;
    piece->count = count;
    piece->ring_end = ends;
    piece->ring_count = ring_count;
    piece->attributes = a;
    piece->part = f->part + (int32_t)(c->pieces++ * PIECE_PART);
    piece->smooth = f->smooth && f->shape == FEATURE_LINE;
    piece->cut = true;
    piece->whole_m2 = whole_m2;
    feature_seal(piece);
    return true;
}

/* ---- lines ---- */

/* The share of a -> b inside the box (Liang & Barsky 1984); false: none. */
static bool inside_part(const struct box *box, const double *a, const double *b, double *from, double *to) {
    const double lo[2] = {box->x0, box->y0}, hi[2] = {box->x1, box->y1};
    *from = 0;
    *to = 1;
    for (int k = 0; k < 2; k++) {
        double d = b[k] - a[k];
        if (d == 0) {
            if (a[k] < lo[k] || a[k] > hi[k])
                return false;
            continue;
        }
        double enter = ((d > 0 ? lo[k] : hi[k]) - a[k]) / d, leave = ((d > 0 ? hi[k] : lo[k]) - a[k]) / d;
        *from = enter > *from ? enter : *from;
        *to = leave < *to ? leave : *to;
    }
    return *from < *to;
}

static bool end_piece(struct cut *c) {
    bool ok = c->kept.count < 2 || add_piece(c, NULL, 0, 0);
    c->kept.count = 0;
    return ok;
}

static bool cut_line(struct cut *c) {
    if (!take_run(c, 0))
        return false;
    c->kept.count = 0;
    for (size_t i = 0; i + 1 < c->rows.count; i++) {
        const double *a = c->rows.v + i * c->rows.columns, *b = a + c->rows.columns;
        double from, to;
        bool inside = inside_part(&c->box, a, b, &from, &to);
        if ((!inside || from > 0) && !end_piece(c))
            return false;
        if (!inside)
            continue;
        if (c->kept.count == 0 && !add_row(&c->kept, a, b, from))
            return false;
        const double *last = c->kept.v + (c->kept.count - 1) * c->kept.columns;
        double x = to >= 1 ? b[0] : a[0] + (b[0] - a[0]) * to, y = to >= 1 ? b[1] : a[1] + (b[1] - a[1]) * to;
        if ((x != last[0] || y != last[1]) && !add_row(&c->kept, a, b, to))
            return false;
    }
    return end_piece(c);
}

/* ---- polygons ---- */

static double doubled_area(const double *v, size_t columns, size_t count) {
    double area = 0;
    for (size_t i = 1; i + 1 < count; i++) {
        const double *p = v + i * columns, *q = p + columns;
        area += (p[0] - v[0]) * (q[1] - v[1]) - (q[0] - v[0]) * (p[1] - v[1]);
    }
    return area;
}

/* c->rows within one side of the box (Sutherland & Hodgman 1974). axis 0: x, 1: y. */
static bool cut_side(struct cut *c, int axis, double edge, double sign) {
    c->next.count = 0;
    for (size_t i = 0; i < c->rows.count; i++) {
        const double *a = c->rows.v + (i ? i - 1 : c->rows.count - 1) * c->rows.columns;
        const double *b = c->rows.v + i * c->rows.columns;
        double da = sign * (a[axis] - edge), db = sign * (b[axis] - edge);
        if ((da < 0) != (db < 0)) {
            /* from the same end whichever way the ring runs */
            bool swap = da > db;
            const double *p = swap ? b : a, *q = swap ? a : b;
            double dp = swap ? db : da, dq = swap ? da : db;
            if (!add_row(&c->next, p, q, dp / (dp - dq)))
                return false;
            c->next.v[(c->next.count - 1) * c->next.columns + (size_t)axis] = edge;
        }
        if (db >= 0 && !add_row(&c->next, b, b, 0))
            return false;
    }
    struct rows was = c->rows;
    c->rows = c->next;
    c->next = was;
    return true;
}

/* The ring's rows behind those kept, without repetitions; nothing when it encloses nothing. */
static bool keep_ring(struct cut *c) {
    size_t start = c->kept.count, columns = c->kept.columns;
    for (size_t i = 0; i < c->rows.count; i++) {
        const double *p = c->rows.v + i * columns;
        const double *q = c->kept.count > start ? c->kept.v + (c->kept.count - 1) * columns : NULL;
        if ((!q || p[0] != q[0] || p[1] != q[1]) && !add_row(&c->kept, p, p, 0))
            return false;
    }
    const double *first = c->kept.v + start * columns;
    while (c->kept.count > start + 1 && first[0] == c->kept.v[(c->kept.count - 1) * columns] &&
           first[1] == c->kept.v[(c->kept.count - 1) * columns + 1])
        c->kept.count--;
    if (c->kept.count < start + 3 || doubled_area(first, columns, c->kept.count - start) == 0)
        c->kept.count = start;
    return true;
}

static bool cut_polygon(struct cut *c) {
    size_t *ends = malloc(c->f->ring_count * sizeof *ends), rings = 0;
    double whole = 0;
    bool ok = ends != NULL;
    c->kept.count = 0;
    for (size_t r = 0; ok && r < c->f->ring_count; r++) {
        ok = take_run(c, r);
        if (ok && r == 0)
            whole = fabs(0.5 * doubled_area(c->rows.v, c->rows.columns, c->rows.count));
        ok = ok && cut_side(c, 0, c->box.x0, 1) && cut_side(c, 0, c->box.x1, -1) &&
             cut_side(c, 1, c->box.y0, 1) && cut_side(c, 1, c->box.y1, -1);
        size_t before = c->kept.count;
        ok = ok && keep_ring(c);
        if (ok && c->kept.count > before)
            ends[rings++] = c->kept.count;
        else if (r == 0)
            break; /* nothing of it */
    }
    ok = ok && (rings == 0 || add_piece(c, ends, rings, whole));
    free(ends);
    return ok;
}

/* ---- features ---- */

static bool keep_whole(struct cut *c) {
    struct feature *same = features_add(c->into);
    if (same)
        *same = *c->f;
    return same != NULL;
}

static bool cut_one(struct cut *c, const struct extent *extent, bool *cut) {
    const struct feature *f = c->f;
    double m = extent->cell_m, margin = FEATURES_MARGIN_M + feature_reach_m(f);
    struct rect w = extent->cells;
    struct box b = {w.x0 * m - margin, w.y0 * m - margin, w.x1 * m + margin, w.y1 * m + margin};
    if (f->x0 >= b.x0 && f->x1 <= b.x1 && f->y0 >= b.y0 && f->y1 <= b.y1)
        return keep_whole(c);
    *cut = true;
    if (f->x1 < b.x0 || f->x0 > b.x1 || f->y1 < b.y0 || f->y0 > b.y1 || f->shape == FEATURE_POINT)
        return true;
    c->box = b;
    c->pieces = 0;
    c->rows.columns = c->kept.columns = c->next.columns = columns_of(f);
    return f->shape == FEATURE_LINE ? cut_line(c) : cut_polygon(c);
}

bool features_clip(struct features *f, size_t first, const struct extent *extent, bool *cut) {
    size_t count = f->count - first;
    struct feature *whole = malloc((count + 1) * sizeof *whole);
    struct cut c = {.into = f, .spacing_m = math_max(2, extent->cell_m)};
    bool ok = whole != NULL;
    if (ok && count)
        memcpy(whole, f->items + first, count * sizeof *whole);
    f->count = first;
    *cut = false;
    for (size_t i = 0; ok && i < count; i++) {
        c.f = &whole[i];
        ok = cut_one(&c, extent, cut);
    }
    free(c.rows.v);
    free(c.kept.v);
    free(c.next.v);
    free(whole);
    return ok;
}
