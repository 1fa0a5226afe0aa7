#include "water/field.h"

#include "terrain/clones.h"
#include "terrain/math.h"

#include <math.h>
#include <string.h>

static const double ROUND_M = 3;   /* smooth minimum of two lines */
static const double APART_M = 0.8; /* levels farther apart do not blend */
static const float NOWHERE = 1e30f;
static const int32_t NOTHING = INT32_MIN;

/* What the first pass finds at a sample: the nearest water, and the nearest of another line. */
struct nearest {
    float sd, other_sd;
    double level, other_level;
    uint32_t line;
    int32_t index; /* a piece; -1 - l: lake l; NOTHING */
};

/* A piece made ready. */
struct ready {
    const struct water_piece *p;
    double dx, dy, per_l2, per_l, reach, widest;
    float tx, ty; /* unit, downstream; set where it is asked for */
};

struct place {
    double t, d, half;
    double
        side; /* 1 left .. -1 right; between them in the middle, so that what follows from it is continuous */
};

/* Wide water more than in proportion: at its bends much of it is as near. */
static inline double band_of_width(double width) {
    return 0.2 * width + 0.3 * math_max(0, width - 8);
}

static struct ready ready_of(const struct water_piece *p, double near_m) {
    struct ready r = {.p = p, .dx = p->x1 - p->x0, .dy = p->y1 - p->y0};
    r.per_l2 = 1 / (r.dx * r.dx + r.dy * r.dy);
    r.per_l = sqrt(r.per_l2);
    r.widest = (double)math_maxf(math_maxf(p->left0, p->left1), math_maxf(p->right0, p->right1));
    r.reach = r.widest + math_min(WATER_REACH_M, 1.25 * near_m + 0.6 + band_of_width(2 * r.widest));
    return r;
}

static inline double mix(float a, float b, double t) {
    return (double)a + t * ((double)b - (double)a);
}

/* A row's samples against a piece: where along it the nearest point lies, and the square of the distance. */
struct feet {
    double *t, *d2;
};

struct row_of_samples {
    int32_t first, step, count;
    double shift, cell_m, y;
};

TERRAIN_CLONES static void find_feet(const struct ready *r, const struct row_of_samples *row,
                                     double *restrict t_out, double *restrict d2_out) {
    double px = r->p->x0, dx = r->dx, dy = r->dy, per = r->per_l2, ey = row->y - r->p->y0, eydy = ey * dy;
    double shift = row->shift, cell_m = row->cell_m;
    int32_t first = row->first, step = row->step;
    for (int32_t k = 0; k < row->count; k++) {
        double ex = (first + k * step + shift) * cell_m - px;
        double t = (ex * dx + eydy) * per;
        t = t > 0 ? t : 0;
        t = t < 1 ? t : 1;
        double fx = ex - t * dx, fy = ey - t * dy;
        t_out[k] = t;
        d2_out[k] = fx * fx + fy * fy;
    }
}

static inline struct place place_of(const struct ready *r, double x, double y, double t, double d2) {
    struct place at;
    at.t = t;
    at.d = sqrt(d2);
    double left = mix(r->p->left0, r->p->left1, at.t), right = mix(r->p->right0, r->p->right1, at.t);
    double off = (r->dx * (y - r->p->y0) - r->dy * (x - r->p->x0)) * r->per_l, half = 0.5 * (left + right);
    at.side = math_max(-1, math_min(1, 2 * off / half));
    at.half = half + 0.5 * at.side * (left - right);
    return at;
}

struct sum {
    float weight, level, flow_x, flow_y;
    float dig; /* m, how far the bed lies under the level */
};

struct span {
    int32_t x0, y0, x1, y1; /* samples, half open */
};

static int32_t first_sample(double m, int32_t origin, const struct water_grid *g, int32_t count) {
    double v = ceil((m / g->cell_m - g->shift - origin) / g->step);
    return v < 0 ? 0 : v > count ? count : (int32_t)v;
}

static struct span span_of(const struct water_grid *g, double x0, double y0, double x1, double y1) {
    return (struct span){first_sample(x0, g->x0, g, g->width), first_sample(y0, g->y0, g, g->height),
                         first_sample(x1, g->x0, g, g->width), first_sample(y1, g->y0, g, g->height)};
}

static inline double sample_m(const struct water_grid *g, int32_t origin, int32_t i) {
    return (origin + i * g->step + g->shift) * g->cell_m;
}

static void offer(struct nearest *n, double sd, double level, uint32_t line, int32_t index) {
    float f = (float)sd;
    if (f < n->sd) {
        if (line != n->line) {
            n->other_sd = n->sd;
            n->other_level = n->level;
        }
        n->sd = f;
        n->level = level;
        n->line = line;
        n->index = index;
    } else if (line != n->line && f < n->other_sd) {
        n->other_sd = f;
        n->other_level = level;
    }
}

/* ---- which samples a piece reaches ---- */

/* Rows y0 <= j < y1 of a piece; those of row j are ranges[first + j - y0]. */
struct reached {
    int32_t y0, y1;
    size_t first;
};

struct work {
    const struct water_set *set;
    const struct water_grid *g;
    double near_m;
    struct reached *reached; /* a piece each */
    struct water_extent *ranges;
    struct water_extent *rows; /* all pieces' and lakes' */
    struct nearest *near;
    struct sum *sums;
    struct water_sample *samples;
    float *limits;    /* a sample each */
    struct feet feet; /* a row of them */
};

/* The row's samples within reach of the piece: of its part that lies as near in y, and as far to both sides
 * as a circle around the nearest of it. A hair more. */
static struct water_extent range_of(const struct ready *r, const struct water_grid *g, double y) {
    const struct water_piece *p = r->p;
    double reach = r->reach + 1e-6, a = 0, b = 1;
    if (r->dy != 0) {
        double u = (y - reach - p->y0) / r->dy, v = (y + reach - p->y0) / r->dy;
        a = math_max(0, math_min(u, v));
        b = math_min(1, math_max(u, v));
    }
    double low = math_min(p->y0, p->y1), high = math_max(p->y0, p->y1);
    double off = y < low ? low - y : y > high ? y - high : 0, side2 = reach * reach - off * off;
    if (side2 <= 0 || a > b)
        return (struct water_extent){0, 0};
    double side = sqrt(side2), xa = p->x0 + a * r->dx, xb = p->x0 + b * r->dx;
    return (struct water_extent){first_sample(math_min(xa, xb) - side, g->x0, g, g->width),
                                 first_sample(math_max(xa, xb) + side, g->x0, g, g->width)};
}

static void widen(struct water_extent *row, int32_t x0, int32_t x1) {
    if (x0 >= x1)
        return;
    bool none = row->x0 >= row->x1;
    row->x0 = none || x0 < row->x0 ? x0 : row->x0;
    row->x1 = none || x1 > row->x1 ? x1 : row->x1;
}

static bool find_ranges(struct work *w, struct arena *scratch) {
    size_t count = 0;
    w->reached = arena_alloc(scratch, w->set->piece_count + 1, sizeof *w->reached);
    if (!w->reached)
        return false;
    for (uint32_t i = 0; i < w->set->piece_count; i++) {
        const struct water_piece *p = &w->set->pieces[i];
        struct ready r = ready_of(p, w->near_m);
        struct span s = span_of(w->g, math_min(p->x0, p->x1), math_min(p->y0, p->y1) - r.reach,
                                math_max(p->x0, p->x1), math_max(p->y0, p->y1) + r.reach);
        w->reached[i] = (struct reached){s.y0, s.y1 > s.y0 ? s.y1 : s.y0, count};
        count += (size_t)(w->reached[i].y1 - s.y0);
    }
    w->ranges = arena_alloc(scratch, count + 1, sizeof *w->ranges);
    if (!w->ranges)
        return false;
    for (uint32_t i = 0; i < w->set->piece_count; i++) {
        struct ready r = ready_of(&w->set->pieces[i], w->near_m);
        for (int32_t j = w->reached[i].y0; j < w->reached[i].y1; j++) {
            struct water_extent e = range_of(&r, w->g, sample_m(w->g, w->g->y0, j));
            w->ranges[w->reached[i].first + (size_t)(j - w->reached[i].y0)] = e;
            widen(&w->rows[j], e.x0, e.x1);
        }
    }
    return true;
}

static const struct feet *feet_of(const struct work *w, const struct ready *r, int32_t j,
                                  struct water_extent e) {
    const struct water_grid *g = w->g;
    struct row_of_samples row = {g->x0 + e.x0 * g->step, g->step, e.x1 - e.x0, g->shift, g->cell_m,
                                 sample_m(g, g->y0, j)};
    find_feet(r, &row, w->feet.t, w->feet.d2);
    return &w->feet;
}

static void find_pieces(const struct work *w) {
    const struct water_grid *g = w->g;
    for (uint32_t i = 0; i < w->set->piece_count; i++) {
        struct ready r = ready_of(&w->set->pieces[i], w->near_m);
        const struct reached *reached = &w->reached[i];
        for (int32_t j = reached->y0; j < reached->y1; j++) {
            struct water_extent e = w->ranges[reached->first + (size_t)(j - reached->y0)];
            struct nearest *row = w->near + (size_t)j * (size_t)g->width;
            double y = sample_m(g, g->y0, j);
            const struct feet *f = e.x0 < e.x1 ? feet_of(w, &r, j, e) : NULL;
            for (int32_t k = e.x0; k < e.x1; k++) {
                struct nearest *n = &row[k];
                double d2 = f->d2[k - e.x0];
                /* no nearer than what is known already: most are */
                float known = n->line == r.p->line ? n->sd : n->other_sd;
                double most = math_min((double)known, w->near_m) + r.widest;
                if (most <= 0 || d2 >= most * most)
                    continue;
                struct place at = place_of(&r, sample_m(g, g->x0, k), y, f->t[k - e.x0], d2);
                double sd = at.d - at.half;
                if (sd < w->near_m)
                    offer(n, sd, r.p->level0 + at.t * (r.p->level1 - r.p->level0), r.p->line, (int32_t)i);
            }
        }
    }
}

/* ---- lakes ---- */

struct lake_field {
    struct span span;
    float *sd; /* of the span's samples */
};

static double lake_reach(const struct water_pool *lake) {
    return math_max(WATER_REACH_M, 4 * lake->depth + 1);
}

/* Squares of the distances to the shore. */
static void shore_distance(const struct water_set *set, const struct water_pool *lake,
                           const struct water_grid *g, struct lake_field *f) {
    double reach = lake_reach(lake);
    int32_t width = f->span.x1 - f->span.x0;
    for (uint32_t r = 0; r < lake->ring_count; r++) {
        uint32_t ring = lake->first_ring + r;
        uint32_t first = ring ? set->ring_end[ring - 1] : 0, end = set->ring_end[ring];
        for (uint32_t i = first, j = end - 1; i < end; j = i++) {
            const double *a = set->xy + 2 * (size_t)j, *b = set->xy + 2 * (size_t)i;
            double dx = b[0] - a[0], dy = b[1] - a[1], l2 = dx * dx + dy * dy, per = l2 > 0 ? 1 / l2 : 0;
            struct span s = span_of(g, math_min(a[0], b[0]) - reach, math_min(a[1], b[1]) - reach,
                                    math_max(a[0], b[0]) + reach, math_max(a[1], b[1]) + reach);
            for (int32_t y = s.y0; y < s.y1; y++)
                for (int32_t x = s.x0; x < s.x1; x++) {
                    double ex = sample_m(g, g->x0, x) - a[0], ey = sample_m(g, g->y0, y) - a[1];
                    double t = (ex * dx + ey * dy) * per;
                    t = t < 0 ? 0 : t > 1 ? 1 : t;
                    double fx = ex - t * dx, fy = ey - t * dy;
                    float d2 = (float)(fx * fx + fy * fy);
                    float *at = &f->sd[(size_t)(y - f->span.y0) * (size_t)width + (size_t)(x - f->span.x0)];
                    *at = d2 < *at ? d2 : *at;
                }
        }
    }
}

/* Even-odd along a row: a crossing turns every sample west of it. turn: width + 1 zeros. */
static void row_inside(const struct water_set *set, const struct water_pool *lake, const struct water_grid *g,
                       const struct span *span, int32_t row, uint8_t *turn) {
    int32_t width = span->x1 - span->x0;
    double y = sample_m(g, g->y0, row);
    memset(turn, 0, (size_t)width + 1);
    for (uint32_t r = 0; r < lake->ring_count; r++) {
        uint32_t ring = lake->first_ring + r;
        uint32_t first = ring ? set->ring_end[ring - 1] : 0, end = set->ring_end[ring];
        for (uint32_t i = first, j = end - 1; i < end; j = i++) {
            const double *a = set->xy + 2 * (size_t)i, *b = set->xy + 2 * (size_t)j;
            if ((a[1] > y) == (b[1] > y))
                continue;
            double x = (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0];
            int32_t k = first_sample(x, g->x0, g, g->width); /* about the first not west of it */
            while (k > span->x0 && sample_m(g, g->x0, k - 1) >= x)
                k--;
            while (k < span->x1 && sample_m(g, g->x0, k) < x)
                k++;
            k = k < span->x0 ? span->x0 : k > span->x1 ? span->x1 : k;
            turn[k - span->x0] ^= 1; /* samples below k */
        }
    }
    for (int32_t k = width - 1; k >= 0; k--)
        turn[k] ^= turn[k + 1];
    memmove(turn, turn + 1, (size_t)width); /* sample k is turned by crossings above k */
}

static struct span lake_span(const struct water_set *set, uint32_t l, const struct water_grid *g) {
    const struct water_pool *lake = &set->lakes[l];
    uint32_t first = lake->first_ring ? set->ring_end[lake->first_ring - 1] : 0;
    uint32_t end = set->ring_end[lake->first_ring + lake->ring_count - 1];
    double x0 = set->xy[2 * (size_t)first], x1 = x0, y0 = set->xy[2 * (size_t)first + 1], y1 = y0;
    for (size_t i = first; i < end; i++) {
        x0 = math_min(x0, set->xy[2 * i]), x1 = math_max(x1, set->xy[2 * i]);
        y0 = math_min(y0, set->xy[2 * i + 1]), y1 = math_max(y1, set->xy[2 * i + 1]);
    }
    double reach = lake_reach(lake);
    return span_of(g, x0 - reach, y0 - reach, x1 + reach, y1 + reach);
}

/* f: its span is set. */
static enum status find_lake(const struct work *w, uint32_t l, struct lake_field *f, struct arena *scratch,
                             struct error *err) {
    const struct water_set *set = w->set;
    const struct water_grid *g = w->g;
    struct nearest *near = w->near;
    double near_m = w->near_m;
    const struct water_pool *lake = &set->lakes[l];
    double reach = lake_reach(lake);
    int32_t width = f->span.x1 - f->span.x0, height = f->span.y1 - f->span.y0;
    size_t count = width > 0 && height > 0 ? (size_t)width * (size_t)height : 0;
    f->sd = arena_alloc(scratch, count + 1, sizeof *f->sd);
    uint8_t *turn = arena_alloc(scratch, (size_t)(width > 0 ? width : 0) + 2, 1);
    if (!f->sd || !turn)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; i < count; i++)
        f->sd[i] = (float)(reach * reach);
    if (count)
        shore_distance(set, lake, g, f);
    for (int32_t y = f->span.y0; count && y < f->span.y1; y++) {
        row_inside(set, lake, g, &f->span, y, turn);
        for (int32_t x = f->span.x0; x < f->span.x1; x++) {
            float *sd = &f->sd[(size_t)(y - f->span.y0) * (size_t)width + (size_t)(x - f->span.x0)];
            *sd = turn[x - f->span.x0] ? -sqrtf(*sd) : sqrtf(*sd);
            if ((double)*sd < near_m)
                offer(&near[(size_t)y * (size_t)g->width + (size_t)x], (double)*sd, lake->level, lake->line,
                      -1 - (int32_t)l);
        }
    }
    return STATUS_OK;
}

/* ---- blending ---- */

/* How much farther than the nearest water other water counts. */
static inline double band_of(const struct nearest *n, double width) {
    return 0.6 + band_of_width(width) + (n->sd > 0 ? 0.25 * (double)n->sd : 0);
}

/* The weight of water at sd where the nearest is at *n: of the same surface, or of another whose level is
 * `level`. What it is made of is continuous in one surface, and so is its level. */
static inline float weight_of(const struct nearest *n, double sd, double width) {
    double u = 1 - (sd - (double)n->sd) / band_of(n, width);
    return u > 0 ? (float)(u * u * u) : 0;
}

static inline float other_weight(const struct nearest *n, double sd, double level, double width) {
    double v = 1 - fabs(level - n->level) / APART_M;
    return v > 0 ? (float)v * weight_of(n, sd, width) : 0;
}

/* How far a piece's bed lies under the water's level. */
static float dig_of(const struct water_piece *p, const struct place *at) {
    double e = at->half > 0 ? at->d / at->half : 1;
    double depth = mix(p->depth0, p->depth1, at->t), inner = mix(p->bend0, p->bend1, at->t) * at->side * e;
    double width = mix(p->left0, p->left1, at->t) + mix(p->right0, p->right1, at->t);
    double bar = math_max(0, math_min(1, (inner - 0.35) / 0.3)) * math_max(0, math_min(1, (width - 3) / 4));
    if (p->flags & PIECE_POOL)
        bar = 0;
    double d = depth * (1 - e * e * (0.4 + 0.6 * e)) * (1 - 0.75 * inner);
    return (float)(d * (1 - bar) - 0.3 * bar * math_min(1, 4 * (1 - e)));
}

/* One sample: what piece i adds to it. */
static inline void blend(const struct work *w, const struct ready *r, uint32_t i, size_t c,
                         const struct place *at, bool same) {
    const struct water_piece *p = r->p;
    const struct nearest *n = &w->near[c];
    struct water_sample *s = &w->samples[c];
    struct sum *sum = &w->sums[c];
    double sd = at->d - at->half, level = p->level0 + at->t * (p->level1 - p->level0);
    double width = mix(p->left0, p->left1, at->t) + mix(p->right0, p->right1, at->t);
    float weight = sd >= WATER_REACH_M ? 0
                   : same              ? weight_of(n, sd, width)
                                       : other_weight(n, sd, level, width);
    if (weight <= 0)
        return;
    double e = at->half > 0 ? math_min(1, at->d / at->half) : 1;
    float speed = (float)(mix(p->speed0, p->speed1, at->t) * (1 - 0.7 * e * e));
    sum->weight += weight;
    sum->level += weight * (float)(level - n->level);
    sum->flow_x += weight * speed * r->tx;
    sum->flow_y += weight * speed * r->ty;
    if (sd < 0)
        sum->dig = math_maxf(sum->dig, dig_of(p, at));
    if (n->index == (int32_t)i) {
        s->depth = (float)mix(p->depth0, p->depth1, at->t);
        s->bend = (float)(mix(p->bend0, p->bend1, at->t) * at->side * e);
        s->along = (float)(p->along0 + at->t * (p->along1 - p->along0));
        s->kind = (uint8_t)p->kind;
        s->flags = (uint8_t)p->flags;
        s->width_cm = (uint16_t)math_min(65535, 100 * width);
    }
}

/* What of a piece's distance that still counts at a sample depends on the sample: sd + band_of without the
 * width's part, a hair more. */
static void set_limits(const struct work *w) {
    for (int32_t j = 0; j < w->g->height; j++)
        for (int32_t k = w->rows[j].x0; k < w->rows[j].x1; k++) {
            size_t c = (size_t)j * (size_t)w->g->width + (size_t)k;
            float sd = w->near[c].sd;
            w->limits[c] = (double)sd < w->near_m ? sd + (float)band_of(&w->near[c], 0) + 1e-3f : -NOWHERE;
        }
}

static void blend_pieces(const struct work *w) {
    const struct water_grid *g = w->g;
    for (uint32_t i = 0; i < w->set->piece_count; i++) {
        struct ready r = ready_of(&w->set->pieces[i], w->near_m);
        const struct reached *reached = &w->reached[i];
        double length = sqrt(r.dx * r.dx + r.dy * r.dy);
        r.tx = (float)(r.dx / length);
        r.ty = (float)(r.dy / length);
        for (int32_t j = reached->y0; j < reached->y1; j++) {
            struct water_extent e = w->ranges[reached->first + (size_t)(j - reached->y0)];
            double y = sample_m(g, g->y0, j);
            const struct feet *f = e.x0 < e.x1 ? feet_of(w, &r, j, e) : NULL;
            for (int32_t k = e.x0; k < e.x1; k++) {
                size_t c = (size_t)j * (size_t)g->width + (size_t)k;
                const struct nearest *n = &w->near[c];
                double most = (double)w->limits[c] + r.widest + band_of_width(2 * r.widest),
                       d2 = f->d2[k - e.x0];
                if (most <= 0 || d2 >= most * most)
                    continue;
                const struct water_piece *p = n->index >= 0 ? &w->set->pieces[n->index] : NULL;
                if (p && ((p->flags ^ r.p->flags) & PIECE_FALL))
                    continue;
                bool same = p && p->line == r.p->line && p->reach == r.p->reach;
                struct place at = place_of(&r, sample_m(g, g->x0, k), y, f->t[k - e.x0], d2);
                blend(w, &r, i, c, &at, same);
            }
        }
    }
}

static void blend_lake(const struct water_pool *lake, int32_t index, const struct lake_field *f,
                       const struct water_grid *g, const struct nearest *near, struct sum *sums,
                       struct water_sample *samples) {
    int32_t width = f->span.x1 - f->span.x0;
    double shelf = 4 * lake->depth;
    for (int32_t y = f->span.y0; y < f->span.y1; y++)
        for (int32_t x = f->span.x0; x < f->span.x1; x++) {
            size_t c = (size_t)y * (size_t)g->width + (size_t)x;
            const struct nearest *n = &near[c];
            double sd = (double)f->sd[(size_t)(y - f->span.y0) * (size_t)width + (size_t)(x - f->span.x0)];
            if (n->index == NOTHING || sd >= WATER_REACH_M)
                continue;
            float w = n->index == index ? weight_of(n, sd, 8) : other_weight(n, sd, lake->level, 8);
            if (w > 0) {
                sums[c].weight += w;
                sums[c].level += w * (float)(lake->level - n->level);
            }
            if (sd < 0 && fabs(lake->level - n->level) < APART_M) {
                double u = 1 - math_min(1, -sd / shelf);
                sums[c].dig = math_maxf(sums[c].dig, (float)(lake->depth * (1 - u * u)));
            }
            if (n->index == index) {
                samples[c].depth = (float)lake->depth;
                samples[c].kind = WATER_LAKE;
                samples[c].width_cm = 65535;
                samples[c].flags = (uint8_t)lake->flags;
            }
        }
}

static void finish(const struct nearest *n, const struct sum *sum, struct water_sample *s) {
    if (n->index == NOTHING)
        return;
    double sd = (double)n->sd;
    if (n->other_sd < NOWHERE && fabs(n->level - n->other_level) < APART_M) {
        double h = math_max(0, ROUND_M - fabs((double)n->other_sd - sd)) / ROUND_M;
        sd -= 0.25 * h * h * ROUND_M;
    }
    s->sd = (float)sd;
    s->level = (float)(n->level + (sum->weight > 0 ? (double)(sum->level / sum->weight) : 0));
    if (sum->weight > 0) {
        s->flow_x = sum->flow_x / sum->weight;
        s->flow_y = sum->flow_y / sum->weight;
    }
    s->bed = s->level - sum->dig;
}

static const struct water_sample nothing = {.sd = (float)INFINITY, .bed = NOWHERE};

/* What lies outside the rows of what is in reach. */
static void blank(const struct water_grid *g, const struct water_extent *rows, struct water_sample *samples) {
    for (int32_t j = 0; j < g->height; j++) {
        struct water_sample *row = samples + (size_t)j * (size_t)g->width;
        struct water_extent e = rows[j].x0 < rows[j].x1 ? rows[j] : (struct water_extent){0, 0};
        for (int32_t k = 0; k < e.x0; k++)
            row[k] = nothing;
        for (int32_t k = e.x1; k < g->width; k++)
            row[k] = nothing;
    }
}

static void start_rows(const struct work *w) {
    for (int32_t j = 0; j < w->g->height; j++)
        for (int32_t k = w->rows[j].x0; k < w->rows[j].x1; k++) {
            size_t c = (size_t)j * (size_t)w->g->width + (size_t)k;
            w->samples[c] = nothing;
            w->near[c] = (struct nearest){NOWHERE, NOWHERE, 0, 0, 0, NOTHING};
            w->sums[c] = (struct sum){0, 0, 0, 0, 0};
        }
}

static bool take_room(struct work *w, struct arena *scratch) {
    size_t count = (size_t)w->g->width * (size_t)w->g->height, width = (size_t)w->g->width;
    w->near = arena_alloc(scratch, count, sizeof *w->near);
    w->sums = arena_alloc(scratch, count, sizeof *w->sums);
    w->limits = arena_alloc(scratch, count, sizeof *w->limits);
    w->feet = (struct feet){arena_alloc(scratch, width, sizeof(double)),
                            arena_alloc(scratch, width, sizeof(double))};
    return w->near && w->sums && w->limits && w->feet.t && w->feet.d2 && find_ranges(w, scratch);
}

static enum status fill(struct work *w, struct arena *scratch, struct error *err) {
    const struct water_set *set = w->set;
    struct lake_field *lakes = arena_alloc(scratch, set->lake_count + 1, sizeof *lakes);
    if (!lakes || !take_room(w, scratch))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (uint32_t l = 0; l < set->lake_count; l++) {
        lakes[l].span = lake_span(set, l, w->g);
        for (int32_t j = lakes[l].span.y0; j < lakes[l].span.y1; j++)
            widen(&w->rows[j], lakes[l].span.x0, lakes[l].span.x1);
    }
    start_rows(w);
    find_pieces(w);
    for (uint32_t l = 0; l < set->lake_count; l++) {
        enum status status = find_lake(w, l, &lakes[l], scratch, err);
        if (status != STATUS_OK)
            return status;
    }
    set_limits(w);
    blend_pieces(w);
    for (uint32_t l = 0; l < set->lake_count; l++)
        blend_lake(&set->lakes[l], -1 - (int32_t)l, &lakes[l], w->g, w->near, w->sums, w->samples);
    for (int32_t j = 0; j < w->g->height; j++)
        for (int32_t k = w->rows[j].x0; k < w->rows[j].x1; k++) {
            size_t c = (size_t)j * (size_t)w->g->width + (size_t)k;
            finish(&w->near[c], &w->sums[c], &w->samples[c]);
        }
    return STATUS_OK;
}

enum status water_field(const struct water_set *set, const struct water_grid *g, struct water_sample *samples,
                        struct water_extent *rows, struct arena *scratch, struct error *err) {
    size_t mark = arena_mark(scratch);
    struct work w = {.set = set, .g = g, .rows = rows, .samples = samples};
    w.near_m = g->near_m > 0 ? g->near_m : WATER_REACH_M;
    if (!rows && !(w.rows = arena_alloc(scratch, (size_t)g->height, sizeof *w.rows)))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (int32_t j = 0; j < g->height; j++)
        w.rows[j] = (struct water_extent){0, 0};
    enum status status = set->piece_count || set->lake_count ? fill(&w, scratch, err) : STATUS_OK;
    if (status == STATUS_OK && !rows)
        blank(g, w.rows, samples);
    arena_release(scratch, mark);
    return status;
}
