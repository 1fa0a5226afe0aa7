#include "cliff/support.h"

#include <math.h>
#include <string.h>

static const double hold_m = 4.0, thin_m = 2.5, stands_m = 2.0;
enum { THIN_MOST = 4 /* columns */ };
enum { OTHER = 0, HELD = 1 /* then by steps */, LOOSE = 255 };

/* Columns over which rock is held from the side. */
static int32_t hold_steps(const struct cliff_params *p) {
    int32_t n = (int32_t)ceil(hold_m / p->step_m);
    return n > 32 ? 32 : n;
}

int32_t cliff_support_reach(const struct cliff_params *p) {
    return 2 * hold_steps(p) + THIN_MOST + 1; /* of rock, then of air, on what is left of fins */
}

struct run {
    int32_t i, j, from, to; /* samples from .. to - 1 of the column */
    bool held;
};

static bool is_solid(const struct lattice *l, const struct lattice_column *c, int32_t k) {
    return l->samples[c->at + (size_t)k].f < 0;
}

/* The end of the run that begins at sample k. */
static int32_t run_end(const struct cliff_sample *s, int32_t k, int32_t count) {
    bool solid = s[k].f < 0;
    while (++k < count && (s[k].f < 0) == solid) {
    }
    return k;
}

/* Whether a run of samples hangs in the air, or is a hollow in the rock: solid ones that do not reach the
 * ground, or air that does not reach the sky. */
static bool is_loose(bool solid, int32_t from, int32_t end, int32_t count) {
    return solid ? from > 0 : end < count;
}

/* Marks the samples, and counts the loose runs, also by column. */
static size_t mark_runs(const struct lattice *l, bool solid, uint8_t *mark, uint16_t *in_column) {
    size_t count = 0;
    for (int32_t j = l->y0; j < l->y0 + l->height; j++)
        for (int32_t i = l->x0; i < l->x0 + l->width; i++) {
            const struct lattice_column *c = lattice_at(l, i, j);
            const struct cliff_sample *s = l->samples + c->at;
            size_t before = count;
            for (int32_t k = 0, end; k < c->count; k = end) {
                bool here = s[k].f < 0;
                end = run_end(s, k, c->count);
                bool loose = here == solid && is_loose(solid, k, end, c->count);
                memset(mark + c->at + k, here != solid ? OTHER : loose ? LOOSE : HELD, (size_t)(end - k));
                count += loose;
            }
            *in_column++ = (uint16_t)(count - before > UINT16_MAX ? UINT16_MAX : count - before);
        }
    return count;
}

static void list_loose(const struct lattice *l, bool solid, const uint16_t *in_column, struct run *runs) {
    for (int32_t j = l->y0; j < l->y0 + l->height; j++)
        for (int32_t i = l->x0; i < l->x0 + l->width; i++) {
            const struct lattice_column *c = lattice_at(l, i, j);
            const struct cliff_sample *s = l->samples + c->at;
            for (int32_t k = 0, end, some = *in_column++; some && k < c->count; k = end) {
                end = run_end(s, k, c->count);
                if ((s[k].f < 0) == solid && is_loose(solid, k, end, c->count))
                    *runs++ = (struct run){i, j, k, end, false};
            }
        }
}

/* Whether sample k of a column is missing because the sky is there. */
static bool is_sky(const struct lattice_column *c, int32_t k) {
    return c->count == 0 || k >= c->k0 + c->count;
}

static bool beside(const struct lattice *l, const uint8_t *mark, const struct run *r, bool solid,
                   uint8_t wanted) {
    static const int8_t sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int32_t k0 = lattice_at(l, r->i, r->j)->k0;
    for (int32_t s = 0; s < 4; s++) {
        int32_t a = r->i + sides[s][0], b = r->j + sides[s][1];
        if (a < l->x0 || b < l->y0 || a >= l->x0 + l->width || b >= l->y0 + l->height)
            continue;
        const struct lattice_column *c = lattice_at(l, a, b);
        for (int32_t k = k0 + r->from; k < k0 + r->to; k++)
            if (lattice_has(c, k) ? mark[c->at + (size_t)(k - c->k0)] == wanted
                                  : !solid && wanted == HELD && is_sky(c, k))
                return true;
    }
    return false;
}

/* What a run that nothing holds turns into: air, or the rock under the hollow. */
static void turn(struct lattice *l, const struct run *r, bool solid) {
    struct cliff_sample *s = l->samples + lattice_at(l, r->i, r->j)->at;
    struct cliff_sample other = {0.25f, CLIFF_BASE};
    if (!solid)
        other = (struct cliff_sample){-0.25f, r->from > 0 ? s[r->from - 1].block : CLIFF_BASE};
    for (int32_t k = r->from; k < r->to; k++)
        s[k] = other;
}

static bool settle(const struct cliff_params *p, struct lattice *l, bool solid, struct arena *scratch) {
    size_t begin = arena_mark(scratch);
    uint8_t *mark = arena_alloc(scratch, l->sample_count + 1, 1);
    uint16_t *in_column = arena_alloc(scratch, (size_t)l->width * (size_t)l->height, sizeof *in_column);
    size_t count = mark && in_column ? mark_runs(l, solid, mark, in_column) : 0;
    struct run *runs = arena_alloc(scratch, count + 1, sizeof *runs);
    if (!mark || !in_column || !runs)
        return false;
    list_loose(l, solid, in_column, runs);
    for (int32_t step = 0; step < hold_steps(p); step++)
        for (size_t r = 0; r < count; r++) {
            const struct lattice_column *c = lattice_at(l, runs[r].i, runs[r].j);
            if (runs[r].held || !beside(l, mark, &runs[r], solid, (uint8_t)(HELD + step)))
                continue;
            runs[r].held = true;
            memset(mark + c->at + runs[r].from, HELD + step + 1, (size_t)(runs[r].to - runs[r].from));
        }
    for (size_t r = 0; r < count; r++)
        if (!runs[r].held)
            turn(l, &runs[r], solid);
    arena_release(scratch, begin);
    return true;
}

/* ---- fins ---- */

static bool solid_at(const struct lattice *l, int32_t i, int32_t j, int32_t k) {
    if (i < l->x0 || j < l->y0 || i >= l->x0 + l->width || j >= l->y0 + l->height)
        return false;
    const struct lattice_column *c = lattice_at(l, i, j);
    return lattice_has(c, k) ? is_solid(l, c, k - c->k0) : c->count > 0 && k < c->k0;
}

/* Whether no more than `most` solid samples hang together in a row through (i, j), along x or along y. */
static bool thin_along(const struct lattice *l, int32_t i, int32_t j, int32_t k, bool x, int32_t most) {
    int32_t count = 1;
    for (int32_t side = -1; side <= 1; side += 2)
        for (int32_t n = side; solid_at(l, x ? i + n : i, x ? j : j + n, k); n += side)
            if (++count > most)
                return false;
    return true;
}

/* Thin along both, or along one and so are the rows beside it: not the corner of something thick. */
static bool thin(const struct lattice *l, int32_t i, int32_t j, int32_t k, int32_t most) {
    bool x = thin_along(l, i, j, k, true, most), y = thin_along(l, i, j, k, false, most);
    if (x == y)
        return x;
    int32_t di = x ? 0 : 1, dj = x ? 1 : 0;
    for (int32_t side = -1; side <= 1; side += 2)
        if (solid_at(l, i + side * di, j + side * dj, k) &&
            !thin_along(l, i + side * di, j + side * dj, k, x, most))
            return false;
    return true;
}

/* Marks what is thin below the top of each run, where that is high. */
static void mark_fins(const struct cliff_params *p, const struct lattice *l, uint8_t *mark) {
    double wide = floor(thin_m / p->step_m), high = ceil(stands_m / p->step_z_m);
    int32_t most = wide < 1 ? 1 : wide > THIN_MOST ? THIN_MOST : (int32_t)wide;
    for (int32_t j = l->y0; j < l->y0 + l->height; j++)
        for (int32_t i = l->x0; i < l->x0 + l->width; i++) {
            const struct lattice_column *c = lattice_at(l, i, j);
            for (int32_t k = c->count - 1; k >= 0; k--) {
                if (!is_solid(l, c, k) || (k + 1 < c->count && is_solid(l, c, k + 1)))
                    continue;
                int32_t end = k;
                while (end >= 0 && c->k0 + end > c->base && is_solid(l, c, end) &&
                       thin(l, i, j, c->k0 + end, most))
                    end--;
                if (k - end >= high)
                    memset(mark + c->at + end + 1, 1, (size_t)(k - end));
            }
        }
}

static bool pare(const struct cliff_params *p, struct lattice *l, struct arena *scratch) {
    size_t begin = arena_mark(scratch);
    uint8_t *mark = arena_alloc(scratch, l->sample_count + 1, 1);
    if (!mark)
        return false;
    memset(mark, 0, l->sample_count + 1);
    mark_fins(p, l, mark);
    for (size_t n = 0; n < l->sample_count; n++)
        if (mark[n])
            l->samples[n] = (struct cliff_sample){0.25f, CLIFF_BASE};
    arena_release(scratch, begin);
    return true;
}

bool cliff_support(const struct cliff_params *p, struct lattice *l, struct arena *scratch) {
    return pare(p, l, scratch) && settle(p, l, true, scratch) && settle(p, l, false, scratch);
}
