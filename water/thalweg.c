/* Fits a line to the valley floor: of the offsets within a corridor, at each point, those that together make
 * the cheapest path (Viterbi 1967). Keeps the drawn meanders: a wide corridor would cut their corners. */
#include "terrain/math.h"
#include "water/river.h"

#include <math.h>

enum { STEPS_MAX = 12, OFFSETS_MAX = 2 * STEPS_MAX + 1, TURN_MAX = 2 };

struct fit {
    double step_m, reach_m;
    int32_t steps, offsets;
    double *height; /* points x offsets */
    double *cost, *next;
    int8_t *from; /* points x offsets */
};

static double place(const struct fit *f, int32_t k) {
    return (k - f->steps) * f->step_m;
}

/* Heights of all offsets. Offsets towards the inside of a bend stay clear of its centre. */
static void look(const struct water_river *river, const struct water_station *p, size_t count,
                 const struct fit *f) {
    for (size_t i = 0; i < count; i++) {
        const struct water_station *a = &p[i > 2 ? i - 3 : 0], *b = &p[i + 3 < count ? i + 3 : count - 1];
        double ds = math_max(b->s_m - a->s_m, 1e-3);
        double bend = (a->tx * b->ty - a->ty * b->tx) / ds; /* 1 / radius, left is positive */
        for (int32_t k = 0; k < f->offsets; k++) {
            double o = place(f, k);
            double z = water_height_at(river->heights, p[i].x - o * p[i].ty, p[i].y + o * p[i].tx);
            f->height[i * (size_t)f->offsets + (size_t)k] = o * bend > 0.6 || !(z == z) ? 1e9 : z;
        }
    }
}

static double local_cost(const struct fit *f, const double *row, double lowest, int32_t k, double ds) {
    double o = place(f, k) / f->reach_m, above = math_min(row[k] - lowest, 4);
    return row[k] > 1e8 ? 1e9 : ds * (0.3 + above + 0.1 * o * o);
}

static double lowest_of(const double *row, int32_t n) {
    double z = row[0];
    for (int32_t k = 1; k < n; k++)
        z = math_min(z, row[k]);
    return z;
}

static void advance(const struct fit *f, size_t i, double ds) {
    const double *row = f->height + i * (size_t)f->offsets, *before = row - f->offsets;
    double lowest = lowest_of(row, f->offsets);
    for (int32_t k = 0; k < f->offsets; k++) {
        double best = (double)INFINITY;
        for (int32_t j = k - TURN_MAX; j <= k + TURN_MAX; j++) {
            if (j < 0 || j >= f->offsets)
                continue;
            double side = (k - j) * f->step_m, climb = math_max(0, row[k] - before[j]);
            double c = f->cost[j] + 20 * math_min(climb, 1e6) + 0.3 * (sqrt(ds * ds + side * side) - ds);
            if (c < best) {
                best = c;
                f->from[i * (size_t)f->offsets + (size_t)k] = (int8_t)j;
            }
        }
        f->next[k] = best + local_cost(f, row, lowest, k, ds);
    }
}

static void smooth(double *offset, double *scratch, size_t count) {
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            size_t a = i > 2 ? i - 3 : 0, b = i + 3 < count ? i + 3 : count - 1;
            double sum = 0;
            for (size_t j = a; j <= b; j++)
                sum += offset[j];
            scratch[i] = sum / (double)(b - a + 1);
        }
        for (size_t i = 0; i < count; i++)
            offset[i] = scratch[i];
    }
}

enum status water_fit_line(struct water_river *river, size_t line, struct arena *arena, struct error *err) {
    struct water_station *p = river->points + river->point_first[line];
    size_t count = river->point_first[line + 1] - river->point_first[line];
    double width = 0;
    for (size_t i = 0; i < count; i++)
        width = math_max(width, p[i].left + p[i].right);
    struct fit f = {.reach_m = water_fit_m(width, river->params.cell_m)};
    f.step_m = math_max(1, 0.5 * river->params.cell_m);
    f.steps = (int32_t)math_min(STEPS_MAX, floor(f.reach_m / f.step_m));
    f.offsets = 2 * f.steps + 1;
    size_t cells = count * (size_t)f.offsets, mark = arena_mark(arena);
    f.height = arena_alloc(arena, cells, sizeof *f.height);
    f.from = arena_alloc(arena, cells, 1);
    f.cost = arena_alloc(arena, OFFSETS_MAX, sizeof *f.cost);
    f.next = arena_alloc(arena, OFFSETS_MAX, sizeof *f.next);
    double *offset = arena_alloc(arena, 2 * count, sizeof *offset);
    if (!f.height || !f.from || !f.cost || !f.next || !offset)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    look(river, p, count, &f);
    double lowest = lowest_of(f.height, f.offsets);
    for (int32_t k = 0; k < f.offsets; k++)
        f.cost[k] = local_cost(&f, f.height, lowest, k, 1);
    for (size_t i = 1; i < count; i++) {
        advance(&f, i, math_max(p[i].s_m - p[i - 1].s_m, 1e-3));
        double *swap = f.cost;
        f.cost = f.next;
        f.next = swap;
    }
    int32_t k = f.steps; /* of equal ones the middle, then the right */
    for (int32_t j = 0; j < f.offsets; j++)
        if (f.cost[j] < f.cost[k])
            k = j;
    for (size_t i = count; i-- > 0;) {
        offset[i] = place(&f, k);
        k = i ? f.from[i * (size_t)f.offsets + (size_t)k] : k;
    }
    smooth(offset, offset + count, count);
    for (size_t i = 0; i < count; i++) {
        p[i].x = p[i].drawn_x - offset[i] * p[i].ty;
        p[i].y = p[i].drawn_y + offset[i] * p[i].tx;
    }
    water_tangents(p, count);
    arena_release(arena, mark);
    return STATUS_OK;
}
