#include "terrain/voids.h"

#include <math.h>
#include <string.h>

enum { LOCAL_ROUNDS = 4, WORLD_ROUNDS = 16, LEVELS_MAX = 32 };

static int32_t low(int32_t a, int32_t b) {
    return a < b ? a : b;
}
static int32_t high(int32_t a, int32_t b) {
    return a > b ? a : b;
}
/* floor(a / 2^k), also of negative numbers. */
static int32_t shift(int32_t a, int32_t k) {
    int32_t block = (int32_t)1 << k, q = a / block;
    return q - (a % block < 0);
}

/* First and one behind the last block of a level (0: samples) along an axis of cells a0 .. a1 - 1. */
static int32_t lattice_first(int32_t a0, int32_t level) {
    return shift(a0, level);
}
static int32_t lattice_end(int32_t a1, int32_t level, bool posts) {
    return level ? shift(a1 - 1, level) + 1 : a1 + posts;
}

/* A window of blocks (no cells yet) cut to the lattice of its level. */
static struct grid_f32 cut(const struct terrain_voids_world *w, int32_t level, int32_t x0, int32_t y0,
                           int32_t x1, int32_t y1) {
    x0 = high(x0, lattice_first(w->x0, level));
    y0 = high(y0, lattice_first(w->y0, level));
    x1 = low(x1, lattice_end(w->x1, level, w->posts));
    y1 = low(y1, lattice_end(w->y1, level, w->posts));
    return (struct grid_f32){NULL, x0, y0, high(x1 - x0, 0), high(y1 - y0, 0), high(x1 - x0, 0)};
}

void terrain_voids_blocks(const struct terrain_voids_world *world, int32_t level, int32_t x0, int32_t y0,
                          int32_t x1, int32_t y1, struct grid_f32 *blocks) {
    float *cells = blocks->cells;
    int32_t last_x = high(low(x1, world->x1) - 1, world->x0),
            last_y = high(low(y1, world->y1) - 1, world->y0);
    *blocks = cut(world, level, shift(low(x0, world->x1 - 1), level), shift(low(y0, world->y1 - 1), level),
                  shift(last_x, level) + 1, shift(last_y, level) + 1);
    blocks->cells = cells;
}

static bool take(struct grid_f32 *g, struct arena *arena) {
    g->cells = arena_alloc(arena, (size_t)g->width * (size_t)g->height, sizeof(float));
    return g->cells != NULL;
}

/* The samples or blocks of `level` that make up block i of level + 1 along an axis. */
static void parts(int32_t i, int32_t a0, int32_t a1, int32_t level, bool posts, int32_t *first,
                  int32_t *end) {
    int32_t lattice_last = lattice_end(a1, level, posts);
    *first = high(2 * i, lattice_first(a0, level));
    *end = low(2 * i + 2, lattice_last);
    if (i + 1 == lattice_end(a1, level + 1, posts))
        *end = lattice_last; /* with the post on the world's edge */
}

/* Means of level + 1 in out's window from `in` of level. */
static void push(const struct terrain_voids_world *w, int32_t level, const struct grid_f32 *in,
                 struct grid_f32 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        int32_t j0, j1;
        parts(y, w->y0, w->y1, level, w->posts, &j0, &j1);
        for (int32_t x = out->x0; x < out->x0 + out->width; x++) {
            int32_t i0, i1, known = 0;
            double sum = 0;
            parts(x, w->x0, w->x1, level, w->posts, &i0, &i1);
            for (int32_t j = j0; j < j1; j++)
                for (int32_t i = i0; i < i1; i++) {
                    float v = *grid_f32_at(in, i, j);
                    if (!isnan(v)) {
                        sum += (double)v;
                        known++;
                    }
                }
            *grid_f32_at(out, x, y) = known ? (float)(sum / known) : NAN;
        }
    }
}

static double at_clamped(const struct grid_f32 *g, int32_t x, int32_t y) {
    return (double)*grid_f32_at(g, low(high(x, g->x0), g->x0 + g->width - 1),
                                low(high(y, g->y0), g->y0 + g->height - 1));
}

/* Height at the centre of block (x, y) from the four blocks of the level above around it. */
static float pull(const struct grid_f32 *above, int32_t x, int32_t y) {
    int32_t i = shift(x - 1, 1), j = shift(y - 1, 1);
    double tx = x & 1 ? 0.25 : 0.75, ty = y & 1 ? 0.25 : 0.75;
    double south = at_clamped(above, i, j) * (1 - tx) + at_clamped(above, i + 1, j) * tx;
    double north = at_clamped(above, i, j + 1) * (1 - tx) + at_clamped(above, i + 1, j + 1) * tx;
    return (float)(south * (1 - ty) + north * ty);
}

/* The nine-point Laplacian's mean of the neighbours: it damps every pattern finer than the level. */
static float relaxed(const struct grid_f32 *g, int32_t x, int32_t y) {
    double near =
        at_clamped(g, x - 1, y) + at_clamped(g, x + 1, y) + at_clamped(g, x, y - 1) + at_clamped(g, x, y + 1);
    double far = at_clamped(g, x - 1, y - 1) + at_clamped(g, x + 1, y - 1) + at_clamped(g, x - 1, y + 1) +
                 at_clamped(g, x + 1, y + 1);
    return (float)((4 * near + far) / 20);
}

/* Fills the NaN of one level: `known` and `out` have the same window. What lies fewer than `rounds` from an
 * edge of the window that is not the world's edge is not final. `other` is a copy's room. */
static void refine(const struct grid_f32 *known, const struct grid_f32 *above, int32_t rounds,
                   struct grid_f32 *out, struct grid_f32 *other) {
    bool any = false;
    for (int32_t y = known->y0; y < known->y0 + known->height; y++)
        for (int32_t x = known->x0; x < known->x0 + known->width; x++) {
            float v = *grid_f32_at(known, x, y);
            any = any || isnan(v);
            v = isnan(v) ? pull(above, x, y) : v;
            *grid_f32_at(out, x, y) = *grid_f32_at(other, x, y) = v;
        }
    for (int32_t round = 0; any && round < rounds; round++) {
        const struct grid_f32 *from = round % 2 ? other : out;
        struct grid_f32 *to = round % 2 ? out : other;
        for (int32_t y = known->y0; y < known->y0 + known->height; y++)
            for (int32_t x = known->x0; x < known->x0 + known->width; x++)
                if (isnan(*grid_f32_at(known, x, y)))
                    *grid_f32_at(to, x, y) = relaxed(from, x, y);
    }
}
_Static_assert(LOCAL_ROUNDS % 2 == 0 && WORLD_ROUNDS % 2 == 0, "refine ends in `out`");

/* Means of levels first .. last into levels[], whose windows are set; `in` is of level first - 1. */
static bool push_up(const struct terrain_voids_world *w, const struct grid_f32 *in, struct grid_f32 *levels,
                    int32_t first, int32_t last, struct arena *scratch) {
    const struct grid_f32 *below = in;
    for (int32_t level = first; level <= last; level++) {
        if (!levels[level].cells && !take(&levels[level], scratch))
            return false;
        push(w, level - 1, below, &levels[level]);
        below = &levels[level];
    }
    return true;
}

/* Sets the windows of levels last - 1 .. 1 to what makes up that of level `last`. */
static void windows_below(const struct terrain_voids_world *w, struct grid_f32 *levels, int32_t last) {
    for (int32_t level = last; level > 1; level--) {
        const struct grid_f32 *g = &levels[level];
        levels[level - 1] =
            cut(w, level - 1, 2 * g->x0, 2 * g->y0, 2 * (g->x0 + g->width), 2 * (g->y0 + g->height));
    }
}

bool terrain_voids_summary(const struct terrain_voids_world *world, const struct grid_f32 *in,
                           struct grid_f32 *out, struct arena *scratch) {
    struct grid_f32 levels[TERRAIN_VOIDS_SPLIT + 1];
    size_t mark = arena_mark(scratch);
    levels[TERRAIN_VOIDS_SPLIT] = *out;
    windows_below(world, levels, TERRAIN_VOIDS_SPLIT);
    bool done = push_up(world, in, levels, 1, TERRAIN_VOIDS_SPLIT, scratch);
    arena_release(scratch, mark);
    return done;
}

size_t terrain_voids_summary_scratch(const struct grid_f32 *out) {
    size_t blocks = (size_t)out->width * (size_t)out->height, size = 0;
    for (int32_t level = TERRAIN_VOIDS_SPLIT - 1; level > 0; level--)
        size += arena_need(blocks <<= 2, sizeof(float));
    return size;
}

/* The top: the mean of what is known there. */
static bool fill_top(struct grid_f32 *top) {
    double sum = 0;
    int32_t known = 0;
    for (int32_t i = 0; i < top->width * top->height; i++)
        if (!isnan(top->cells[i])) {
            sum += (double)top->cells[i];
            known++;
        }
    for (int32_t i = 0; i < top->width * top->height; i++)
        if (isnan(top->cells[i]))
            top->cells[i] = (float)(sum / known);
    return known > 0;
}

/* levels[level] becomes its own filled copy, the copy's window being that of `known`. */
static bool refine_in(const struct grid_f32 *known, const struct grid_f32 *above, int32_t rounds,
                      struct grid_f32 *out, struct arena *scratch) {
    out->stride = out->width;
    struct grid_f32 other = *out;
    return take(out, scratch) && take(&other, scratch) && (refine(known, above, rounds, out, &other), true);
}

enum terrain_voids_result terrain_voids_solve(const struct terrain_voids_world *world,
                                              struct grid_f32 *blocks, struct arena *scratch) {
    struct grid_f32 levels[LEVELS_MAX];
    int32_t top = TERRAIN_VOIDS_SPLIT;
    enum terrain_voids_result result = VOIDS_NO_SCRATCH;
    size_t mark = arena_mark(scratch);
    levels[top] = *blocks;
    while (levels[top].width > 2 || levels[top].height > 2) { /* two blocks may straddle zero for ever */
        top++;
        levels[top] = cut(world, top, INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX);
    }
    if (!push_up(world, blocks, levels, TERRAIN_VOIDS_SPLIT + 1, top, scratch))
        goto done;
    if (!fill_top(&levels[top])) {
        result = VOIDS_ALL_VOID;
        goto done;
    }
    for (int32_t level = top - 1; level >= TERRAIN_VOIDS_SPLIT; level--) {
        struct grid_f32 known = levels[level];
        if (!refine_in(&known, &levels[level + 1], WORLD_ROUNDS, &levels[level], scratch))
            goto done;
    }
    for (int32_t row = 0; row < blocks->height; row++)
        memmove(blocks->cells + row * blocks->stride,
                levels[TERRAIN_VOIDS_SPLIT].cells + row * levels[TERRAIN_VOIDS_SPLIT].stride,
                (size_t)blocks->width * sizeof(float));
    result = VOIDS_FILLED;
done:
    arena_release(scratch, mark);
    return result;
}

size_t terrain_voids_solve_scratch(const struct grid_f32 *blocks) {
    size_t width = (size_t)blocks->width, height = (size_t)blocks->height, size = 0;
    for (;;) { /* each level: its means and two copies */
        size += 3 * arena_need(width * height, sizeof(float));
        if (width <= 2 && height <= 2)
            return size;
        width = width / 2 + 1;
        height = height / 2 + 1;
    }
}

/* Where the blocks of each level that are filled for out's window lie: final[level] is what the finer level
 * needs, wide[level] grows it by the rounds of relaxation. */
static void fill_windows(const struct terrain_voids_world *w, const struct grid_f32 *out,
                         struct grid_f32 final[TERRAIN_VOIDS_SPLIT + 1],
                         struct grid_f32 wide[TERRAIN_VOIDS_SPLIT]) {
    final[0] = cut(w, 0, out->x0, out->y0, out->x0 + out->width, out->y0 + out->height);
    for (int32_t level = 0; level < TERRAIN_VOIDS_SPLIT; level++) {
        const struct grid_f32 *f = &final[level];
        int32_t x0 = f->x0 - LOCAL_ROUNDS, x1 = f->x0 + f->width + LOCAL_ROUNDS;
        int32_t y0 = f->y0 - LOCAL_ROUNDS, y1 = f->y0 + f->height + LOCAL_ROUNDS;
        wide[level] = cut(w, level, x0, y0, x1, y1);
        /* the block on the edge stands for those beyond: it must be there */
        int32_t last_x = lattice_end(w->x1, level + 1, false) - 1;
        int32_t last_y = lattice_end(w->y1, level + 1, false) - 1;
        final[level + 1] = cut(w, level + 1, low(shift(x0 - 1, 1), last_x), low(shift(y0 - 1, 1), last_y),
                               shift(x1, 1) + 1, shift(y1, 1) + 1);
    }
}

void terrain_voids_fill_blocks(const struct terrain_voids_world *world, const struct grid_f32 *out,
                               struct grid_f32 *blocks) {
    struct grid_f32 final[TERRAIN_VOIDS_SPLIT + 1], wide[TERRAIN_VOIDS_SPLIT];
    fill_windows(world, out, final, wide);
    float *cells = blocks->cells;
    *blocks = final[TERRAIN_VOIDS_SPLIT];
    blocks->cells = cells;
}

/* The part of g that has the window `w`. */
static struct grid_f32 part(const struct grid_f32 *g, const struct grid_f32 *w) {
    return (struct grid_f32){grid_f32_at(g, w->x0, w->y0), w->x0, w->y0, w->width, w->height, g->stride};
}

bool terrain_voids_fill(const struct terrain_voids_world *world, const struct grid_f32 *in,
                        const struct grid_f32 *blocks, struct grid_f32 *out, struct arena *scratch) {
    struct grid_f32 final[TERRAIN_VOIDS_SPLIT + 1], wide[TERRAIN_VOIDS_SPLIT], known[TERRAIN_VOIDS_SPLIT];
    size_t mark = arena_mark(scratch);
    fill_windows(world, out, final, wide);
    known[TERRAIN_VOIDS_SPLIT - 1] = wide[TERRAIN_VOIDS_SPLIT - 1];
    windows_below(world, known, TERRAIN_VOIDS_SPLIT - 1);
    bool done = push_up(world, in, known, 1, TERRAIN_VOIDS_SPLIT - 1, scratch);
    const struct grid_f32 *above = blocks;
    for (int32_t level = TERRAIN_VOIDS_SPLIT - 1; done && level >= 0; level--) {
        struct grid_f32 here = part(level ? &known[level] : in, &wide[level]);
        done = refine_in(&here, above, LOCAL_ROUNDS, &wide[level], scratch);
        above = &wide[level];
    }
    for (int32_t y = out->y0; done && y < out->y0 + out->height; y++)
        memcpy(grid_f32_at(out, out->x0, y), grid_f32_at(&wide[0], out->x0, y),
               (size_t)out->width * sizeof(float));
    arena_release(scratch, mark);
    return done;
}

size_t terrain_voids_fill_scratch(const struct grid_f32 *out) {
    size_t width = (size_t)out->width + 2 * TERRAIN_VOIDS_REACH + 64;
    size_t height = (size_t)out->height + 2 * TERRAIN_VOIDS_REACH + 64, size = 0;
    for (int32_t level = 0; level < TERRAIN_VOIDS_SPLIT; level++) { /* its means and two copies */
        size += 3 * arena_need(width * height, sizeof(float));
        width = width / 2 + 2;
        height = height / 2 + 2;
    }
    return size;
}
