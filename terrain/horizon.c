#include "terrain/horizon.h"
#include "terrain/clones.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Lines are swept in strips of this many, so that a strip's rows within the radius stay in the first cache.
 */
enum { STRIP = 128, LANES = 8, STEPS = 8, BURST = 16 };

/* One family of lines in a frame whose rows they cross. */
struct family {
    int64_t shear;            /* m * 2^32 */
    int32_t upward;           /* +1: looking towards higher row numbers */
    int32_t steps;            /* rows within the radius */
    const float *reciprocals; /* of the distances, negated */
};

/* Rows r0 <= r < r1, x0 <= x < x1 of heights on lines: at(r, i) lies at x = i + part(r). */
struct sheared {
    float *cells;
    int32_t x0, x1, r0, r1;
    ptrdiff_t stride;
    int32_t *starts; /* of each row: line k lies at cells[starts[r - r0] + k] */
};

/* Eight lanes: the compilers split them where registers are shorter. */
typedef float lanes8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t mask8 __attribute__((vector_size(32), aligned(4), may_alias));

static int32_t whole(const struct family *f, int32_t row) {
    return (int32_t)((f->shear * row) >> 32); /* arithmetic shift: floor */
}
static float part(const struct family *f, int32_t row) {
    return (float)(((uint64_t)f->shear * (uint64_t)(int64_t)row & 0xffffffffu) >> 8) * 0x1p-24f;
}
static const float *sheared_at(const struct sheared *s, int32_t row, int32_t i) {
    return s->cells + (ptrdiff_t)(row - s->r0) * s->stride + (i - s->x0);
}

static int32_t radius_cells(const struct horizon_params *p) {
    return (int32_t)floor(p->radius_m / p->cell_m);
}

/* Straight on: the radius; aslant: at most 0.71 of it sideways, and two cells beside the line. */
int32_t horizon_reach(const struct horizon_params *params) {
    assert(params->cell_m > 0 && params->radius_m > 0 &&
           params->radius_m / params->cell_m <= HORIZON_CELLS_MAX);
    return radius_cells(params) + 3;
}

/* The largest sheared copy: all rows within reach, wide enough for the diagonal, and a burst's spare lanes.
 */
static size_t lines_count(int32_t reach, int32_t width, int32_t height) {
    int32_t longer = width > height ? width : height;
    return ((size_t)longer + 2 * (size_t)reach + LANES) * ((size_t)longer + (size_t)reach) + LANES;
}

size_t horizon_scratch(const struct horizon_params *params, int32_t width, int32_t height) {
    int32_t reach = horizon_reach(params);
    size_t padded = ((size_t)width + 2 * (size_t)reach) * ((size_t)height + 2 * (size_t)reach);
    size_t longer = (size_t)(width > height ? width : height);
    return arena_need(padded, sizeof(float)) + arena_need(lines_count(reach, width, height), sizeof(float)) +
           2 * arena_need(longer + (size_t)reach, sizeof(float)) +
           arena_need((size_t)reach + BURST, sizeof(float)) +
           arena_need((longer + 1) * longer, sizeof(float)) +
           arena_need((size_t)width * (size_t)height, sizeof(float));
}

/* to[y * to_stride + x] = from[x * from_stride + y], in blocks that fit the first cache. */
static void transpose(const float *from, ptrdiff_t from_stride, float *to, ptrdiff_t to_stride, int32_t width,
                      int32_t height) {
    enum { BLOCK = 16 };
    for (int32_t by = 0; by < height; by += BLOCK)
        for (int32_t bx = 0; bx < width; bx += BLOCK) {
            int32_t y1 = by + BLOCK < height ? by + BLOCK : height;
            int32_t x1 = bx + BLOCK < width ? bx + BLOCK : width;
            for (int32_t y = by; y < y1; y++)
                for (int32_t x = bx; x < x1; x++)
                    to[y * to_stride + x] = from[x * from_stride + y];
        }
}

bool horizon_begin(struct horizon *h, const struct horizon_params *params, const struct grid_f32 *altitude,
                   const struct grid_f32 *cells, struct arena *arena) {
    int32_t reach = horizon_reach(params), width = cells->width, height = cells->height;
    assert(altitude->x0 <= cells->x0 - reach && altitude->y0 <= cells->y0 - reach);
    assert(altitude->x0 + altitude->width >= cells->x0 + width + reach);
    assert(altitude->y0 + altitude->height >= cells->y0 + height + reach);
    *h = (struct horizon){
        .params = *params, .x0 = cells->x0, .y0 = cells->y0, .width = width, .height = height};
    h->rows = *altitude;
    struct grid_f32 *c = &h->columns;
    *c = (struct grid_f32){.x0 = cells->y0 - reach,
                           .y0 = cells->x0 - reach,
                           .width = height + 2 * reach,
                           .height = width + 2 * reach,
                           .stride = height + 2 * reach};
    c->cells = arena_alloc(arena, (size_t)c->width * (size_t)c->height, sizeof(float));
    int32_t longer = width > height ? width : height;
    h->lines = arena_alloc(arena, lines_count(reach, width, height), sizeof(float));
    h->highest = arena_alloc(arena, (size_t)longer + (size_t)reach, sizeof(float));
    h->starts = arena_alloc(arena, (size_t)longer + (size_t)reach, sizeof(int32_t));
    h->reciprocals = arena_alloc(arena, (size_t)reach + BURST, sizeof(float));
    h->found = arena_alloc(arena, ((size_t)longer + 1) * (size_t)longer, sizeof(float));
    h->turned = arena_alloc(arena, (size_t)width * (size_t)height, sizeof(float));
    if (!c->cells || !h->lines || !h->highest || !h->starts || !h->reciprocals || !h->found || !h->turned)
        return false;
    transpose(grid_f32_at(altitude, c->y0, c->x0), altitude->stride, c->cells, c->stride, c->width,
              c->height);
    return true;
}

/* The heights on lines; spare lanes repeat the last. */
TERRAIN_CLONES static void shear_rows(const struct family *f, const struct grid_f32 *z, struct sheared *s) {
    for (int32_t r = s->r0; r < s->r1; r++) {
        float *restrict to = s->cells + (ptrdiff_t)(r - s->r0) * s->stride;
        const float *restrict from = grid_f32_at(z, s->x0, r);
        float w = part(f, r);
        int32_t n = s->x1 - s->x0;
        s->starts[r - s->r0] = (int32_t)((r - s->r0) * s->stride) + whole(f, r) - s->x0;
        for (int32_t i = 0; i < n; i++)
            to[i] = from[i] + w * (from[i + 1] - from[i]);
        for (int32_t i = n; i < n + LANES; i++)
            to[i] = to[n - 1];
    }
}

/* The larger, or smaller, of two vectors of lanes, into the first. */
#define LANES_KEEP(a, b, comparison)                                                                         \
    do {                                                                                                     \
        mask8 take = (b)comparison(a);                                                                       \
        (a) = (lanes8)((take & (mask8)(b)) | (~take & (mask8)(a)));                                          \
    } while (0)

/* Of n values, n a multiple of LANES. */
static inline float least_of(const float *v, int32_t n) {
    lanes8 lanes = *(const lanes8 *)v;
    for (int32_t i = LANES; i < n; i += LANES) {
        lanes8 next = *(const lanes8 *)(v + i);
        LANES_KEEP(lanes, next, <);
    }
    float least = lanes[0];
    for (int32_t j = 1; j < LANES; j++)
        least = lanes[j] < least ? lanes[j] : least;
    return least;
}
/* Of n values, rounded up to a multiple of LANES that exist. */
static inline float most_of(const float *v, int32_t n) {
    lanes8 lanes = *(const lanes8 *)v;
    for (int32_t i = LANES; i < n; i += LANES) {
        lanes8 next = *(const lanes8 *)(v + i);
        LANES_KEEP(lanes, next, >);
    }
    float most = lanes[0];
    for (int32_t j = 1; j < LANES; j++)
        most = lanes[j] > most ? lanes[j] : most;
    return most;
}

/* highest[r - r0]: the greatest height of rows r .. r + BURST - 1 on lines k0 .. k1. */
TERRAIN_CLONES static void strip_highest(const struct family *f, const struct sheared *s, int32_t k0,
                                         int32_t k1, float *highest) {
    for (int32_t r = s->r0; r < s->r1; r++) {
        int32_t a = k0 + whole(f, r), b = k1 + whole(f, r);
        a = a > s->x0 ? a : s->x0;
        b = b < s->x1 ? b : s->x1;
        highest[r - s->r0] = a < b ? most_of(sheared_at(s, r, a), b - a) : -INFINITY;
    }
    int32_t rows = s->r1 - s->r0;
    for (int32_t by = 1; by < BURST; by *= 2)
        for (int32_t i = 0; i + by < rows; i++)
            highest[i] = highest[i + by] > highest[i] ? highest[i + by] : highest[i];
}

/* One line's tangent to a step: (at - z) * reciprocal, with both signs turned so that one load is spared. */
#define TANGENT(step) ((z[i] - a##step[i]) * r##step)
#define LARGER(a, b)  ((a) > (b) ? (a) : (b))
/* h[i] = max(h[i], the tangents of STEPS steps), n a multiple of LANES; `down` are negated reciprocals. */
static inline void eight_steps(float *restrict h, const float *restrict z, const float *const at[STEPS],
                               const float *down, int32_t n) {
    const float *restrict a0 = at[0], *restrict a1 = at[1], *restrict a2 = at[2], *restrict a3 = at[3];
    const float *restrict a4 = at[4], *restrict a5 = at[5], *restrict a6 = at[6], *restrict a7 = at[7];
    float r0 = down[0], r1 = down[1], r2 = down[2], r3 = down[3];
    float r4 = down[4], r5 = down[5], r6 = down[6], r7 = down[7];
    for (int32_t i = 0; i < n; i++) {
        float p = TANGENT(0), q = TANGENT(1), u = TANGENT(2), v = TANGENT(3);
        p = LARGER(p, q);
        q = TANGENT(4);
        u = LARGER(u, v);
        v = TANGENT(5);
        p = LARGER(p, u);
        u = TANGENT(6);
        q = LARGER(q, v);
        v = TANGENT(7);
        u = LARGER(u, v);
        q = LARGER(q, u);
        p = LARGER(p, q);
        h[i] = LARGER(p, h[i]);
    }
}

/* Horizons of n <= STRIP lines from k on one row into h (room for STRIP + LANES). Steps go in bursts; a burst
 * whose highest row cannot beat the lowest horizon so far is skipped. Spare lanes repeat the last line. */
TERRAIN_CLONES static void strip_row(const struct family *f, const struct sheared *s, const float *highest,
                                     int32_t row, int32_t k, int32_t n, float *h) {
    int32_t lanes = (n + LANES - 1) / LANES * LANES;
    float z[STRIP + LANES];
    const float *own = s->cells + s->starts[row - s->r0] + k;
    memcpy(z, own, (size_t)n * sizeof *z);
    for (int32_t i = n; i < lanes; i++)
        z[i] = own[n - 1];
    float lowest = least_of(z, lanes), nearest = least_of(h, lanes);
    for (int32_t t0 = 1; t0 <= f->steps; t0 += BURST) {
        int32_t t1 = t0 + BURST <= f->steps + 1 ? t0 + BURST : f->steps + 1;
        int32_t first = (f->upward > 0 ? row + t0 : row - t0 - BURST + 1) - s->r0;
        float rise = highest[first > 0 ? first : 0] - lowest;
        if (-rise * f->reciprocals[rise > 0 ? t0 : t1 - 1] <= nearest)
            continue;
        for (int32_t t = t0; t < t1; t += STEPS) {
            const float *at[STEPS];
            float down[STEPS];
            for (int32_t q = 0; q < STEPS; q++) { /* past the end: the last step again */
                int32_t step = t + q < t1 ? t + q : t1 - 1;
                at[q] = s->cells + s->starts[row + f->upward * step - s->r0] + k;
                down[q] = f->reciprocals[step];
            }
            eight_steps(h, z, (const float *const *)at, down, lanes);
        }
        nearest = least_of(h, lanes);
    }
}

/* A row's cells from its lines: between the one before and the one after. */
static void unshear(const float *restrict line, float w, int32_t n, float *restrict out) {
    for (int32_t i = 0; i < n; i++)
        out[i] = line[i + 1] + w * (line[i] - line[i + 1]);
}

/* All rows' share of the strip of lines k0 .. k0 + STRIP; a row's lines lie at x0 - 1 .. x0 + width - 1. */
static void sweep_strip(const struct family *f, const struct sheared *s, const float *highest,
                        const struct grid_f32 *lines, int32_t k0, float least) {
    for (int32_t row = lines->y0; row < lines->y0 + lines->height; row++) {
        int32_t base = whole(f, row), a = k0 + base, b = a + STRIP;
        a = a > lines->x0 ? a : lines->x0;
        b = b < lines->x0 + lines->width ? b : lines->x0 + lines->width;
        if (a >= b)
            continue;
        float h[STRIP + LANES];
        for (int32_t i = 0; i < STRIP + LANES; i++)
            h[i] = least;
        strip_row(f, s, highest, row, a - base, b - a, h);
        memcpy(grid_f32_at(lines, a, row), h, (size_t)(b - a) * sizeof *h);
    }
}

/* Sweeps a frame: the cells of out from the heights z, both in the frame. */
static void sweep(const struct horizon *hz, const struct family *f, const struct grid_f32 *z,
                  const struct grid_f32 *out) {
    int32_t x0 = out->x0, y0 = out->y0, x1 = x0 + out->width, y1 = y0 + out->height;
    double slant = (double)(f->shear < 0 ? -f->shear : f->shear) * 0x1p-32;
    int32_t side = (int32_t)floor(slant * f->steps) + 2;
    struct sheared s = {.cells = hz->lines,
                        .starts = hz->starts,
                        .x0 = x0 - side,
                        .x1 = x1 + side - 1,
                        .r0 = f->upward > 0 ? y0 : y0 - f->steps,
                        .r1 = f->upward > 0 ? y1 + f->steps : y1};
    s.stride = s.x1 - s.x0 + LANES;
    shear_rows(f, z, &s);
    struct grid_f32 lines = {.cells = hz->found,
                             .x0 = x0 - 1,
                             .y0 = y0,
                             .width = out->width + 1,
                             .height = out->height,
                             .stride = out->width + 1};
    int32_t first = whole(f, y0), last = whole(f, y1 - 1);
    int32_t k0 = x0 - 1 - (first > last ? first : last), k1 = x1 - (first < last ? first : last);
    for (int32_t k = k0; k < k1; k += STRIP) {
        strip_highest(f, &s, k, k + STRIP, hz->highest);
        sweep_strip(f, &s, hz->highest, &lines, k, hz->params.least);
    }
    for (int32_t row = y0; row < y1; row++)
        unshear(grid_f32_at(&lines, x0 - 1, row), part(f, row), out->width, grid_f32_at(out, x0, row));
}

void horizon_towards(const struct horizon *h, double east, double north, float *tangent) {
    bool crosses_rows = fabs(north) >= fabs(east);
    double along = crosses_rows ? north : east, aside = crosses_rows ? east : north;
    double step_m = h->params.cell_m / fabs(along);
    struct family f = {.shear = (int64_t)floor(aside / along * 0x1p32 + 0.5),
                       .upward = along > 0 ? 1 : -1,
                       .steps = (int32_t)floor(h->params.radius_m / step_m * (1 + 0x1p-40)),
                       .reciprocals = h->reciprocals};
    for (int32_t t = 1; t <= f.steps; t++)
        h->reciprocals[t] = -(float)(1 / (t * step_m));
    if (crosses_rows) {
        struct grid_f32 out = {tangent, h->x0, h->y0, h->width, h->height, h->width};
        sweep(h, &f, &h->rows, &out);
    } else {
        struct grid_f32 out = {h->turned, h->y0, h->x0, h->height, h->width, h->height};
        sweep(h, &f, &h->columns, &out);
        transpose(h->turned, h->height, tangent, h->width, h->width, h->height);
    }
}

/* cos of 0, 11.25 .. 90 degrees. */
static const double quarter[9] = {1,
                                  0.98078528040323044,
                                  0.92387953251128674,
                                  0.83146961230254524,
                                  0.70710678118654752,
                                  0.55557023301960218,
                                  0.38268343236508977,
                                  0.19509032201612825,
                                  0};

void horizon_direction(int32_t i, int32_t count, double *east, double *north) {
    assert(count == 16 || count == 32);
    int32_t n = i * (32 / count) & 31, q = n / 8, r = n % 8;
    double c = quarter[r], s = quarter[8 - r];
    *east = q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c;
    *north = q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s;
}
