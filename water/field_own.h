/* The parts of water_field: what is known of a sample, and lakes. Only field*.c include it. */
#ifndef WATER_FIELD_OWN_H
#define WATER_FIELD_OWN_H
#include "terrain/math.h"
#include "water/field.h"

#include <math.h>

#define NOTHING INT32_MIN
#define NOWHERE 1e30f

/* What the first pass finds at a sample: the nearest water, and the nearest of another surface. */
struct nearest {
    float sd, other_sd;
    double level, other_level;
    uint32_t line, surface, other_line, other_surface;
    int32_t index; /* a piece; -1 - l: lake l; NOTHING */
};

struct span {
    int32_t x0, y0, x1, y1; /* samples, half open */
};

static inline int32_t first_sample(double m, int32_t origin, const struct water_grid *g, int32_t count) {
    double v = ceil((m / g->cell_m - g->shift - origin) / g->step);
    return v < 0 ? 0 : v > count ? count : (int32_t)v;
}

static inline struct span span_of(const struct water_grid *g, double x0, double y0, double x1, double y1) {
    return (struct span){first_sample(x0, g->x0, g, g->width), first_sample(y0, g->y0, g, g->height),
                         first_sample(x1, g->x0, g, g->width), first_sample(y1, g->y0, g, g->height)};
}

static inline double sample_m(const struct water_grid *g, int32_t origin, int32_t i) {
    return (origin + i * g->step + g->shift) * g->cell_m;
}

static inline void offer_other(struct nearest *n, float sd, double level, uint32_t line, uint32_t surface) {
    bool own_fall = line == n->line && (surface & PIECE_FALL);
    if (sd < n->other_sd && !own_fall) {
        n->other_sd = sd;
        n->other_level = level;
        n->other_line = line;
        n->other_surface = surface;
    }
}

static inline void offer(struct nearest *n, float sd, double level, uint32_t line, uint32_t surface,
                         int32_t index) {
    bool same = line == n->line && surface == n->surface;
    if (!(sd < n->sd)) {
        if (!same)
            offer_other(n, sd, level, line, surface);
        return;
    }
    struct nearest old = *n;
    n->sd = sd;
    n->level = level;
    n->line = line;
    n->surface = surface;
    n->index = index;
    if (line == old.other_line && surface == old.other_surface) /* it is the sample's own now */
        n->other_sd = NOWHERE;
    if (!same && old.index != NOTHING)
        offer_other(n, old.sd, old.level, old.line, old.surface);
}

struct lake_field {
    struct span span;
    float *sd; /* of the span's samples */
};

/* The samples that a lake reaches: WATER_REACH_M, and as far as its bed slopes. */
struct span field_lake_span(const struct water_set *set, uint32_t lake, const struct water_grid *g);
/* f: its span is set; distances are made. */
enum status field_find_lake(const struct water_set *set, uint32_t lake, const struct water_grid *g,
                            struct lake_field *f, struct arena *scratch, struct error *err);

/* A piece made ready. */
struct ready {
    const struct water_piece *p;
    double dx, dy, per_l2, per_l, reach, widest;
    float tx, ty; /* unit, downstream */
};

static inline double mix(float a, float b, double t) {
    return (double)a + t * ((double)b - (double)a);
}

/* Wide water more than in proportion: at its bends much of it is as near. */
static inline double band_of_width(double width) {
    return 0.2 * width + 0.3 * math_max(0, width - 8);
}

/* A row's samples against a piece. Arrays of a row and 8 more. */
struct feet {
    float *t;      /* where along the piece the nearest point lies, 0 .. 1 */
    float *d, *sd; /* m to it; m to the water's edge */
    float *side;   /* 1 left .. -1 right; between them in the middle, so that what follows is continuous */
    float *half, *width;
    float *weight, *dig, *speed; /* set by field_weigh */
};

struct row_of_samples {
    int32_t first, step, count;
    double shift, cell_m, y;
};

enum { LANES = 8 }; /* rows are worked on in steps of so many */

/* All but what field_weigh sets. */
void field_find_feet(const struct ready *r, const struct row_of_samples *row, const struct feet *out);
/* A piece's weight as of the surface that is nearest (near_sd: how far that is; band: how much farther other
 * water counts, but for its width); how far its bed lies under the level, 0 outside; its speed. */
void field_weigh(const struct ready *r, int32_t samples, const float *near_sd, const float *band,
                 const struct feet *f);

#endif
