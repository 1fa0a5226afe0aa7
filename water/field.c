#include "water/field.h"

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

static struct ready ready_of(const struct water_piece *p, double near_m) {
    struct ready r = {.p = p, .dx = p->x1 - p->x0, .dy = p->y1 - p->y0};
    double length = sqrt(r.dx * r.dx + r.dy * r.dy);
    r.per_l2 = 1 / (r.dx * r.dx + r.dy * r.dy);
    r.per_l = sqrt(r.per_l2);
    r.widest = (double)math_maxf(math_maxf(p->left0, p->left1), math_maxf(p->right0, p->right1));
    r.reach = r.widest + math_min(WATER_REACH_M, 1.25 * near_m + 0.6 + band_of_width(2 * r.widest));
    r.tx = (float)(r.dx / length);
    r.ty = (float)(r.dy / length);
    return r;
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

/* A piece that reaches samples x0 .. x1 of the row that is worked on. */
struct hit {
    uint32_t piece;
    int32_t x0, x1;
};

/* What is known of the row that is worked on, and of all. */
struct work {
    const struct water_set *set;
    const struct water_grid *g;
    double near_m;
    bool over;               /* water here could lie beside lower water */
    struct ready *ready;     /* a piece each */
    bool falls;              /* some line here does, somewhere */
    uint32_t *first, *items; /* row j: pieces items[first[j]] .. items[first[j + 1] - 1], about */
    struct lake_field *lakes;
    struct hit *hits;
    size_t hit_count;
    struct nearest *near;
    struct sum *sums;
    struct water_side *sides; /* SIDES a sample */
    float *sd, *band;         /* of near; how much farther other water counts, but for its width */
    struct feet feet;
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

/* Lists the pieces of each row. */
static bool list_rows(struct work *w, struct arena *scratch) {
    const struct water_grid *g = w->g;
    uint32_t n = w->set->piece_count;
    struct span *spans = arena_alloc(scratch, n + 1, sizeof *spans);
    w->ready = arena_alloc(scratch, n + 1, sizeof *w->ready);
    w->hits = arena_alloc(scratch, n + 1, sizeof *w->hits);
    w->first = arena_alloc(scratch, (size_t)g->height + 2, sizeof *w->first);
    if (!spans || !w->ready || !w->hits || !w->first)
        return false;
    memset(w->first, 0, ((size_t)g->height + 2) * sizeof *w->first);
    for (uint32_t i = 0; i < n; i++) {
        const struct water_piece *p = &w->set->pieces[i];
        struct ready r = w->ready[i] = ready_of(p, w->near_m);
        spans[i] = span_of(g, math_min(p->x0, p->x1) - r.reach, math_min(p->y0, p->y1) - r.reach,
                           math_max(p->x0, p->x1) + r.reach, math_max(p->y0, p->y1) + r.reach);
        for (int32_t j = spans[i].y0; spans[i].x0 < spans[i].x1 && j < spans[i].y1; j++)
            w->first[j + 2]++;
    }
    for (int32_t j = 2; j < g->height + 2; j++)
        w->first[j] += w->first[j - 1];
    w->items = arena_alloc(scratch, (size_t)w->first[g->height + 1] + 1, sizeof *w->items);
    for (uint32_t i = 0; w->items && i < n; i++)
        for (int32_t j = spans[i].y0; spans[i].x0 < spans[i].x1 && j < spans[i].y1; j++)
            w->items[w->first[j + 1]++] = i;
    return w->items != NULL;
}

static struct water_extent find_hits(struct work *w, int32_t j) {
    struct water_extent all = {0, 0};
    w->hit_count = 0;
    for (uint32_t k = w->first[j]; k < w->first[j + 1]; k++) {
        struct water_extent e = range_of(&w->ready[w->items[k]], w->g, sample_m(w->g, w->g->y0, j));
        if (e.x0 < e.x1)
            w->hits[w->hit_count++] = (struct hit){w->items[k], e.x0, e.x1};
        widen(&all, e.x0, e.x1);
    }
    for (uint32_t l = 0; l < w->set->lake_count; l++)
        if (j >= w->lakes[l].span.y0 && j < w->lakes[l].span.y1)
            widen(&all, w->lakes[l].span.x0, w->lakes[l].span.x1);
    return all;
}

static const struct feet *feet_of(const struct work *w, const struct hit *hit, int32_t j) {
    const struct water_grid *g = w->g;
    struct row_of_samples row = {g->x0 + hit->x0 * g->step, g->step, hit->x1 - hit->x0, g->shift, g->cell_m,
                                 sample_m(g, g->y0, j)};
    field_find_feet(&w->ready[hit->piece], &row, &w->feet);
    return &w->feet;
}

/* ---- what is nearest ---- */

static inline bool beyond_fall(const struct work *w, int32_t k, const struct water_piece *p) {
    return w->falls && water_beyond_fall(w->set, w->sides + SIDES * k, p);
}

static void find_sides(const struct work *w, int32_t j) {
    for (size_t h = 0; h < w->hit_count; h++) {
        const struct hit *hit = &w->hits[h];
        if (!(w->set->pieces[hit->piece].flags & PIECE_OF_FALLS))
            continue;
        const struct feet *f = feet_of(w, hit, j);
        float reach = (float)w->ready[hit->piece].reach;
        for (int32_t k = 0; k < hit->x1 - hit->x0; k++)
            if (f->d[k] < reach)
                water_sides_offer(w->set, w->sides + SIDES * (hit->x0 + k), hit->piece, f->d[k] * f->d[k]);
    }
}

static void find_pieces(const struct work *w, int32_t j) {
    float near_m = (float)w->near_m;
    for (size_t h = 0; h < w->hit_count; h++) {
        const struct hit *hit = &w->hits[h];
        const struct water_piece *p = &w->set->pieces[hit->piece];
        const struct feet *f = feet_of(w, hit, j);
        uint32_t surface = surface_of(p);
        for (int32_t k = 0; k < hit->x1 - hit->x0; k++) {
            struct nearest *n = &w->near[hit->x0 + k];
            float sd = f->sd[k];
            /* no nearer than what is known already: most are */
            float known = n->line == p->line && n->surface == surface ? n->sd : n->other_sd;
            if ((sd >= known && sd >= n->sd) || sd >= near_m)
                continue;
            double level = p->level0 + (double)f->t[k] * (p->level1 - p->level0);
            if (beyond_fall(w, hit->x0 + k, p))
                offer_other(n, sd, level, p->line, surface);
            else
                offer(n, sd, level, p->line, surface, (int32_t)hit->piece);
        }
    }
}

/* The row's part of a lake's distances, of samples *x0 .. *x1; NULL: none. */
static const float *lake_row(const struct lake_field *f, int32_t j, int32_t *x0, int32_t *x1) {
    *x0 = f->span.x0;
    *x1 = f->span.x1;
    if (j < f->span.y0 || j >= f->span.y1 || *x0 >= *x1)
        return NULL;
    return f->sd + (size_t)(j - f->span.y0) * (size_t)(*x1 - *x0);
}

static void find_lakes(const struct work *w, int32_t j) {
    for (uint32_t l = 0; l < w->set->lake_count; l++) {
        const struct water_pool *lake = &w->set->lakes[l];
        int32_t x0, x1;
        const float *sd = lake_row(&w->lakes[l], j, &x0, &x1);
        for (int32_t k = x0; sd && k < x1; k++)
            if ((double)sd[k - x0] < w->near_m)
                offer(&w->near[k], sd[k - x0], lake->level, lake->line, 0, -1 - (int32_t)l);
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

/* Other water beside that of the sample, where their border is near. */
static inline void look_over(const struct nearest *n, double sd, double level, bool falls, struct sum *sum) {
    if (!falls && sd < BRINK_M && sd - (double)n->sd < BRINK_M)
        sum->low = math_minf(sum->low, (float)level);
}

/* One sample: what piece i adds to it, k samples along the feet. */
static inline void blend(const struct work *w, uint32_t i, int32_t c, int32_t k, float weight, float level,
                         struct water_sample *s) {
    const struct water_piece *p = &w->set->pieces[i];
    const struct ready *r = &w->ready[i];
    const struct feet *f = &w->feet;
    struct sum *sum = &w->sums[c];
    sum->weight += weight;
    sum->level += weight * level;
    sum->flow_x += weight * f->speed[k] * r->tx;
    sum->flow_y += weight * f->speed[k] * r->ty;
    sum->dig = math_maxf(sum->dig, f->dig[k]);
    if (w->near[c].index == (int32_t)i) {
        double t = (double)f->t[k], e = math_min(1, (double)(f->d[k] / f->half[k]));
        s->depth = (float)mix(p->depth0, p->depth1, t);
        s->bend = (float)(mix(p->bend0, p->bend1, t) * (double)f->side[k] * e);
        s->along = (float)(p->along0 + t * (p->along1 - p->along0));
        s->kind = (uint8_t)p->kind;
        s->flags = (uint8_t)p->flags;
        s->width_cm = (uint16_t)math_min(65535, 100 * (double)f->width[k]);
    }
}

static void set_bands(const struct work *w, struct water_extent row) {
    for (int32_t k = row.x0; k < row.x1; k++) {
        float sd = w->near[k].sd;
        w->sd[k] = (double)sd < w->near_m ? sd : -NOWHERE;
        w->band[k] = (float)band_of(&w->near[k], 0);
    }
}

/* Whether any water here could lie beside lower water; for sure if it does, by roundings of levels to floats.
 */
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
    return many && high - low > (double)BRINK_DROP_M - 0.01;
}

/* What piece i adds to a sample, k samples along the feet, if it does: falls blend with falls only, and so
 * does what lies on the other side of them; other water where it lies at about the same height. */
static inline void add_piece(const struct work *w, uint32_t i, int32_t c, int32_t k, struct water_sample *s) {
    const struct water_piece *q = &w->set->pieces[i];
    const struct nearest *n = &w->near[c];
    const struct feet *f = &w->feet;
    const struct water_piece *p = n->index >= 0 ? &w->set->pieces[n->index] : NULL;
    bool fall = p && ((p->flags ^ q->flags) & PIECE_FALL);
    bool same = p && p->line == q->line && p->reach == q->reach;
    if (n->index == NOTHING || (fall && same))
        return;
    double level = q->level0 + (double)f->t[k] * (q->level1 - q->level0);
    float weight = f->weight[k], above = (float)(level - n->level);
    if (!same) {
        look_over(n, (double)f->sd[k], level, q->flags & PIECE_FALL, &w->sums[c]);
        if (fall || beyond_fall(w, c, q))
            return;
        weight *= 1 - fabsf(above) / (float)APART_M;
    }
    if (weight > 0)
        blend(w, i, c, k, weight, above, s);
}

static void blend_pieces(const struct work *w, int32_t j, struct water_sample *samples) {
    for (size_t h = 0; h < w->hit_count; h++) {
        const struct hit *hit = &w->hits[h];
        const struct feet *f = feet_of(w, hit, j);
        field_weigh(&w->ready[hit->piece], hit->x1 - hit->x0, w->sd + hit->x0, w->band + hit->x0, f);
        for (int32_t k = 0; k < hit->x1 - hit->x0; k++)
            if (f->weight[k] > 0 || (w->over && f->sd[k] - w->sd[hit->x0 + k] < (float)BRINK_M))
                add_piece(w, hit->piece, hit->x0 + k, k, &samples[hit->x0 + k]);
    }
}

static void blend_lake(const struct work *w, uint32_t l, int32_t j, struct water_sample *samples) {
    const struct water_pool *lake = &w->set->lakes[l];
    int32_t x0, x1, index = -1 - (int32_t)l;
    const float *row = lake_row(&w->lakes[l], j, &x0, &x1);
    double shelf = 4 * lake->depth;
    for (int32_t k = x0; row && k < x1; k++) {
        const struct nearest *n = &w->near[k];
        struct sum *sum = &w->sums[k];
        double sd = (double)row[k - x0];
        if (n->index == NOTHING || sd >= WATER_REACH_M)
            continue;
        float weight = n->index == index ? weight_of(n, sd, 8) : other_weight(n, sd, lake->level, 8);
        if (n->index != index)
            look_over(n, sd, lake->level, false, sum);
        if (weight > 0) {
            sum->weight += weight;
            sum->level += weight * (float)(lake->level - n->level);
        }
        if (sd < 0 && fabs(lake->level - n->level) < APART_M) {
            double u = 1 - math_min(1, -sd / shelf);
            sum->dig = math_maxf(sum->dig, (float)(lake->depth * (1 - u * u)));
        }
        if (n->index == index) {
            samples[k].depth = (float)lake->depth;
            samples[k].kind = WATER_LAKE;
            samples[k].width_cm = 65535;
            samples[k].flags = (uint8_t)lake->flags;
        }
    }
}

/* Water on the other side of a fall, where the border of the two sides is near. */
static void look_down(const struct work *w, int32_t k, int32_t j) {
    const struct nearest *n = &w->near[k];
    const struct water_side *side = n->index >= 0 ? water_side_of(w->sides + SIDES * k, n->line) : NULL;
    if (!side || side->second < 0 || sqrtf(side->second_d2) - sqrtf(side->first_d2) >= (float)BRINK_M)
        return;
    const struct water_piece *p = &w->set->pieces[side->second];
    struct water_foot f =
        water_foot_of(p->x0, p->y0, p->x1, p->y1, sample_m(w->g, w->g->x0, k), sample_m(w->g, w->g->y0, j));
    double half = f.left ? mix(p->left0, p->left1, f.t) : mix(p->right0, p->right1, f.t);
    if (n->other_line == n->line && (double)n->other_sd < BRINK_M)
        w->sums[k].low = math_minf(w->sums[k].low, (float)n->other_level);
    if (f.away - half < BRINK_M)
        w->sums[k].low = math_minf(w->sums[k].low, (float)water_foot_mix(&f, p->level0, p->level1));
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

static void fill_row(struct work *w, int32_t j, struct water_extent row, struct water_sample *samples) {
    for (int32_t k = row.x0; k < row.x1; k++) {
        samples[k] = nothing;
        w->near[k] = (struct nearest){.sd = NOWHERE, .other_sd = NOWHERE, .index = NOTHING};
        w->sums[k] = (struct sum){0, 0, 0, 0, 0, NOWHERE};
        if (w->falls)
            water_sides_clear(w->sides + SIDES * k);
    }
    if (w->falls)
        find_sides(w, j);
    find_pieces(w, j);
    find_lakes(w, j);
    set_bands(w, row);
    blend_pieces(w, j, samples);
    for (uint32_t l = 0; l < w->set->lake_count; l++)
        blend_lake(w, l, j, samples);
    for (int32_t k = row.x0; k < row.x1; k++) {
        if (w->falls)
            look_down(w, k, j);
        finish(&w->near[k], &w->sums[k], &samples[k]);
    }
}

static bool take_rows(struct work *w, struct arena *scratch) {
    size_t width = (size_t)w->g->width + LANES;
    w->near = arena_alloc(scratch, width, sizeof *w->near);
    w->sums = arena_alloc(scratch, width, sizeof *w->sums);
    w->sides = arena_alloc(scratch, width, SIDES * sizeof *w->sides);
    float *rows = arena_alloc(scratch, 11 * width, sizeof *rows);
    if (!w->near || !w->sums || !w->sides || !rows)
        return false;
    float **const of[11] = {&w->feet.t,     &w->feet.d,     &w->feet.sd,     &w->feet.side,
                            &w->feet.half,  &w->feet.width, &w->feet.weight, &w->feet.dig,
                            &w->feet.speed, &w->sd,         &w->band};
    for (size_t i = 0; i < 11; i++)
        *of[i] = rows + i * width;
    for (size_t i = 0; i < 11 * width; i++)
        rows[i] = 1; /* the lanes beyond a row are worked on, and not read */
    for (uint32_t i = 0; i < w->set->piece_count; i++)
        w->falls |= (w->set->pieces[i].flags & PIECE_OF_FALLS) != 0;
    return true;
}

static enum status prepare(struct work *w, struct arena *scratch, struct error *err) {
    const struct water_set *set = w->set;
    w->lakes = arena_alloc(scratch, set->lake_count + 1, sizeof *w->lakes);
    if (!w->lakes || !take_rows(w, scratch) || !list_rows(w, scratch))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    w->over = levels_differ(set);
    for (uint32_t l = 0; l < set->lake_count; l++) {
        w->lakes[l].span = field_lake_span(set, l, w->g);
        enum status status = field_find_lake(set, l, w->g, &w->lakes[l], scratch, err);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status water_field(const struct water_set *set, const struct water_grid *g, struct water_sample *samples,
                        struct water_extent *rows, struct arena *scratch, struct error *err) {
    size_t mark = arena_mark(scratch);
    struct work w = {.set = set, .g = g, .near_m = g->near_m > 0 ? g->near_m : WATER_REACH_M};
    bool any = set->piece_count || set->lake_count;
    enum status status = any ? prepare(&w, scratch, err) : STATUS_OK;
    for (int32_t j = 0; status == STATUS_OK && j < g->height; j++) {
        struct water_sample *row = samples + (size_t)j * (size_t)g->width;
        struct water_extent e = any ? find_hits(&w, j) : (struct water_extent){0, 0};
        if (e.x0 < e.x1)
            fill_row(&w, j, e, row);
        for (int32_t k = 0; !rows && k < e.x0; k++)
            row[k] = nothing;
        for (int32_t k = e.x1; !rows && k < g->width; k++)
            row[k] = nothing;
        if (rows)
            rows[j] = e;
    }
    arena_release(scratch, mark);
    return status;
}
