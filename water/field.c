#include "water/field.h"

#include "terrain/clones.h"
#include "terrain/math.h"
#include "water/field_own.h"
#include "water/foot.h"
#include "water/sides.h"

#include <math.h>
#include <string.h>

static const double ROUND_M = 3;   /* smooth minimum of two lines */
static const double APART_M = 0.8; /* levels farther apart do not blend */
static const double BRINK_M = 2;   /* water beside lower water falls into it */
static const float BRINK_DROP_M = 1;
static const float NOWHERE = 1e30f;

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
    float low; /* m, of the lowest other water right beside */
};

/* Of a line: which of its surfaces. */
static inline uint32_t surface_of(const struct water_piece *p) {
    return 2 * p->reach + (p->flags & PIECE_FALL);
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
    float *limits;            /* a sample each */
    struct water_side *sides; /* SIDES a sample; NULL: nothing falls */
    struct feet feet;         /* a row of them */
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

static inline bool beyond_fall(const struct work *w, size_t c, const struct water_piece *p) {
    return water_beyond_fall(w->set, w->sides + SIDES * c, p);
}

static bool find_sides(struct work *w, struct arena *scratch) {
    const struct water_grid *g = w->g;
    size_t count = (size_t)g->width * (size_t)g->height;
    uint8_t *falls = arena_alloc(scratch, w->set->piece_count + 1, 1);
    if (!falls)
        return false;
    if (!water_find_falling(w->set, falls))
        return true;
    if (!(w->sides = arena_alloc(scratch, count, SIDES * sizeof *w->sides)))
        return false;
    for (size_t c = 0; c < count; c++)
        water_sides_clear(w->sides + SIDES * c);
    for (uint32_t i = 0; i < w->set->piece_count; i++) {
        struct ready r = ready_of(&w->set->pieces[i], w->near_m);
        const struct reached *reached = &w->reached[i];
        for (int32_t j = reached->y0; falls[i] && j < reached->y1; j++) {
            struct water_extent e = w->ranges[reached->first + (size_t)(j - reached->y0)];
            const struct feet *f = e.x0 < e.x1 ? feet_of(w, &r, j, e) : NULL;
            struct water_side *row = w->sides + SIDES * (size_t)j * (size_t)g->width;
            for (int32_t k = e.x0; k < e.x1; k++)
                if (f->d2[k - e.x0] < r.reach * r.reach)
                    water_sides_offer(w->set, row + SIDES * k, i, (float)f->d2[k - e.x0]);
        }
    }
    return true;
}

static void find_pieces(const struct work *w) {
    const struct water_grid *g = w->g;
    for (uint32_t i = 0; i < w->set->piece_count; i++) {
        struct ready r = ready_of(&w->set->pieces[i], w->near_m);
        const struct reached *reached = &w->reached[i];
        for (int32_t j = reached->y0; j < reached->y1; j++) {
            struct water_extent e = w->ranges[reached->first + (size_t)(j - reached->y0)];
            uint32_t surface = surface_of(r.p);
            struct nearest *row = w->near + (size_t)j * (size_t)g->width;
            double y = sample_m(g, g->y0, j);
            const struct feet *f = e.x0 < e.x1 ? feet_of(w, &r, j, e) : NULL;
            for (int32_t k = e.x0; k < e.x1; k++) {
                struct nearest *n = &row[k];
                double d2 = f->d2[k - e.x0];
                /* no nearer than what is known already: most are */
                float known = n->line == r.p->line && n->surface == surface ? n->sd : n->other_sd;
                double most = math_min((double)known, w->near_m) + r.widest;
                if (most <= 0 || d2 >= most * most)
                    continue;
                struct place at = place_of(&r, sample_m(g, g->x0, k), y, f->t[k - e.x0], d2);
                double sd = at.d - at.half, level = r.p->level0 + at.t * (r.p->level1 - r.p->level0);
                if (sd >= w->near_m)
                    continue;
                if (w->sides && beyond_fall(w, (size_t)j * (size_t)g->width + (size_t)k, r.p))
                    offer_other(n, (float)sd, level, r.p->line, surface);
                else
                    offer(n, sd, level, r.p->line, surface, (int32_t)i);
            }
        }
    }
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

/* Other water beside that of the sample, where their border is near. */
static inline void look_over(const struct nearest *n, double sd, double level, bool falls, struct sum *sum) {
    if (!falls && sd < BRINK_M && sd - (double)n->sd < BRINK_M)
        sum->low = math_minf(sum->low, (float)level);
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
    if (!same)
        look_over(n, sd, level, p->flags & PIECE_FALL, sum);
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

/* Whether any water here could lie beside lower water. */
static bool levels_differ(const struct water_set *set) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    bool many = set->lake_count > 1;
    for (uint32_t i = 0; i < set->piece_count; i++) {
        const struct water_piece *p = &set->pieces[i];
        low = math_min(low, math_min(p->level0, p->level1));
        high = math_max(high, math_max(p->level0, p->level1));
        many |= set->lake_count > 0 || p->line != set->pieces[0].line || p->reach != set->pieces[0].reach;
    }
    for (uint32_t l = 0; l < set->lake_count; l++) {
        low = math_min(low, set->lakes[l].level);
        high = math_max(high, set->lakes[l].level);
    }
    return many && high - low > (double)BRINK_DROP_M;
}

static void blend_pieces(const struct work *w) {
    const struct water_grid *g = w->g;
    double over = levels_differ(w->set) ? BRINK_M - 0.6 : 0; /* what blends reaches 0.6 m by itself */
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
                double most = (double)w->limits[c] + r.widest + math_max(over, band_of_width(2 * r.widest)),
                       d2 = f->d2[k - e.x0];
                if (most <= 0 || d2 >= most * most)
                    continue;
                const struct water_piece *p = n->index >= 0 ? &w->set->pieces[n->index] : NULL;
                bool fall = p && ((p->flags ^ r.p->flags) & PIECE_FALL);
                bool same = p && p->line == r.p->line && p->reach == r.p->reach;
                if (fall && same)
                    continue;
                struct place at = place_of(&r, sample_m(g, g->x0, k), y, f->t[k - e.x0], d2);
                if (fall || (w->sides && beyond_fall(w, c, r.p)))
                    look_over(n, at.d - at.half, r.p->level0 + at.t * (r.p->level1 - r.p->level0),
                              r.p->flags & PIECE_FALL, &w->sums[c]);
                else
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
            if (n->index != index)
                look_over(n, sd, lake->level, false, &sums[c]);
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

/* Water on the other side of a fall, where the border of the two sides is near. */
static void look_down(const struct work *w, size_t c, int32_t k, int32_t j) {
    const struct nearest *n = &w->near[c];
    const struct water_side *side =
        w->sides && n->index >= 0 ? water_side_of(w->sides + SIDES * c, n->line) : NULL;
    if (!side || side->second < 0 || sqrtf(side->second_d2) - sqrtf(side->first_d2) >= (float)BRINK_M)
        return;
    const struct water_piece *p = &w->set->pieces[side->second];
    struct water_foot f =
        water_foot_of(p->x0, p->y0, p->x1, p->y1, sample_m(w->g, w->g->x0, k), sample_m(w->g, w->g->y0, j));
    double half = f.left ? mix(p->left0, p->left1, f.t) : mix(p->right0, p->right1, f.t);
    if (n->other_line == n->line && (double)n->other_sd < BRINK_M)
        w->sums[c].low = math_minf(w->sums[c].low, (float)n->other_level);
    if (f.away - half < BRINK_M)
        w->sums[c].low = math_minf(w->sums[c].low, (float)water_foot_mix(&f, p->level0, p->level1));
}

static void finish(const struct nearest *n, const struct sum *sum, struct water_sample *s) {
    if (n->index == NOTHING)
        return;
    double sd = (double)n->sd;
    if (n->other_sd < NOWHERE && n->other_line != n->line && fabs(n->level - n->other_level) < APART_M) {
        double h = math_max(0, ROUND_M - fabs((double)n->other_sd - sd)) / ROUND_M;
        sd -= 0.25 * h * h * ROUND_M;
    }
    s->sd = (float)sd;
    s->bank = n->other_sd < NOWHERE ? (float)n->other_level - 3 * math_maxf(0, n->other_sd - 1) : -NOWHERE;
    s->level = (float)(n->level + (sum->weight > 0 ? (double)(sum->level / sum->weight) : 0));
    if (sum->weight > 0) {
        s->flow_x = sum->flow_x / sum->weight;
        s->flow_y = sum->flow_y / sum->weight;
    }
    s->bed = s->level - sum->dig;
    if (s->sd < 0 && !(s->flags & PIECE_FALL) && s->level - sum->low > BRINK_DROP_M)
        s->kind = WATER_FALL; /* it falls sideways */
}

static const struct water_sample nothing = {.sd = (float)INFINITY, .bed = NOWHERE, .bank = -NOWHERE};

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
            w->near[c] = (struct nearest){NOWHERE, NOWHERE, 0, 0, 0, 0, 0, NOTHING};
            w->sums[c] = (struct sum){0, 0, 0, 0, 0, NOWHERE};
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
        lakes[l].span = field_lake_span(set, l, w->g);
        for (int32_t j = lakes[l].span.y0; j < lakes[l].span.y1; j++)
            widen(&w->rows[j], lakes[l].span.x0, lakes[l].span.x1);
    }
    start_rows(w);
    if (!find_sides(w, scratch))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    find_pieces(w);
    for (uint32_t l = 0; l < set->lake_count; l++) {
        enum status status = field_find_lake(set, l, w->g, w->near_m, &lakes[l], w->near, scratch, err);
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
            look_down(w, c, k, j);
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
