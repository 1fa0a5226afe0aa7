#include "terrain/noise.h"

#include "terrain/clones.h"
#include "terrain/hash.h"

#include <math.h>

/* One octave at (u, v) within its lattice cell, fades f(u) and f(v), gradients g of its four corners:
 *     lerp(f(v), lerp(f(u), g00 . (u, v),     g10 . (u - 1, v)),
 *                lerp(f(u), g01 . (u, v - 1), g11 . (u - 1, v - 1)))
 * The inner lerp of the lattice row j is A_j(x) + B_j(x) v with
 *     A_j(x) = lerp(f(u), gx_0j u, gx_1j (u - 1)),   B_j(x) = lerp(f(u), gy_0j, gy_1j),
 * which does not depend on y: one pair of tables serves all rows of cells up to the next lattice row, and a
 * cell costs a dozen operations. A single point takes the same steps, so the same bits. */

enum { LATTICE_SHIFT = 40 };

/* Standard deviation of one octave of amplitude 1: unit gradients, quintic fade. Measured, see the tests. */
static const float octave_deviation = 0.2158f;

/* A bijection of 32 bits with good avalanche: two rounds of xor-shift and odd multiplier. */
static inline uint32_t mix32(uint32_t h) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

/* sin(pi h / 2^31) for h taken as signed, within 0.0011: a parabola, then a correction. */
static inline float sine(uint32_t h) {
    float t = (float)(int32_t)h * 0x1p-31f;
    float s = 4.0f * t * (1.0f - fabsf(t));
    return s * (0.775f + 0.225f * fabsf(s));
}

static inline float fade(float t) {
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static inline uint32_t lattice(uint64_t place) {
    return (uint32_t)(place >> LATTICE_SHIFT);
}
/* The place within its lattice cell, 0 <= t < 1 */
static inline float within(uint64_t place) {
    return (float)(int32_t)((place >> (LATTICE_SHIFT - 24)) & 0xffffffu) * 0x1p-24f;
}

static inline uint32_t row_key(uint32_t key, uint32_t j) {
    return mix32(key + (j & 0xffffffu) * 0x9e3779b1u);
}

struct pair {
    float a, b;
};
static inline struct pair table_entry(uint32_t i, float u, float fu, uint32_t key, float amplitude) {
    uint32_t h0 = mix32(key + i), h1 = mix32(key + ((i + 1) & 0xffffffu));
    float gx0 = sine(h0 + 0x40000000u), gy0 = sine(h0), gx1 = sine(h1 + 0x40000000u), gy1 = sine(h1);
    float a0 = gx0 * u, a1 = gx1 * (u - 1.0f);
    return (struct pair){amplitude * (a0 + fu * (a1 - a0)), amplitude * (gy0 + fu * (gy1 - gy0))};
}
static inline float between_rows(float a0, float b0, float a1, float b1, float v, float fv) {
    float south = a0 + b0 * v, north = a1 + b1 * (v - 1.0f);
    return south + fv * (north - south);
}

static inline float octave_at(const struct noise_octave *o, int64_t x, int64_t y) {
    uint64_t px = (uint64_t)x * o->step + o->start_x, py = (uint64_t)y * o->step + o->start_y;
    uint32_t i = lattice(px), j = lattice(py);
    float u = within(px), v = within(py), fu = fade(u);
    struct pair s = table_entry(i, u, fu, row_key(o->key, j), o->amplitude);
    struct pair n = table_entry(i, u, fu, row_key(o->key, j + 1), o->amplitude);
    return between_rows(s.a, s.b, n.a, n.b, v, fade(v));
}

/* The normal distribution function of t standard deviations: 0.5 + t P(t^2), within 0.0002 up to 3, where it
 * reaches 1. */
static inline float spread(float t) {
    t = t > 3.0f ? 3.0f : t;
    t = t < -3.0f ? -3.0f : t;
    float z = t * t, p = -1.67171489e-6f;
    p = p * z + 6.0453982e-5f;
    p = p * z - 0.000974549713f;
    p = p * z + 0.00958600051f;
    p = p * z - 0.0663649778f;
    p = p * z + 0.399984429f;
    float v = 0.5f + t * p;
    v = v < 0.0f ? 0.0f : v;
    return v > 1.0f ? 1.0f : v;
}

/* Compared as doubles, so that NaN fails. */
static bool inside(double v, double low, double high) {
    return v >= low && v <= high;
}

bool noise_prepare(const struct noise_params *params, struct noise *noise) {
    if (!inside(params->scale_cells, 0x1p-12, 0x1p27) || params->octaves < 1 ||
        params->octaves > NOISE_OCTAVES_MAX || !inside(params->gain, 0.0, 1.0) ||
        !inside(params->lacunarity, 1.0, 8.0) || !inside(params->offset_cells[0], -0x1p27, 0x1p27) ||
        !inside(params->offset_cells[1], -0x1p27, 0x1p27))
        return false;
    double step = 0x1p40 / (NOISE_CELL * params->scale_cells), amplitude = 1.0, squares = 0.0;
    int64_t east = (int64_t)floor(params->offset_cells[0] * NOISE_CELL + 0.5);
    int64_t north = (int64_t)floor(params->offset_cells[1] * NOISE_CELL + 0.5);
    noise->octaves = params->octaves;
    for (int32_t k = 0; k < params->octaves; k++) {
        struct noise_octave *o = &noise->octave[k];
        uint64_t h = hash_mix(params->seed + 0x9e3779b97f4a7c15u * (uint64_t)(k + 1));
        /* past 2^62 the octave is white noise at any spacing of places */
        o->step = step < 0x1p62 ? (uint64_t)floor(step + 0.5) : (uint64_t)1 << 62 | 0x5bd1e995u;
        o->key = (uint32_t)(h >> 32);
        /* octaves are shifted, or all would be 0 at the world's origin */
        o->start_x = hash_mix(h ^ 1) + (uint64_t)east * o->step;
        o->start_y = hash_mix(h ^ 2) + (uint64_t)north * o->step;
        o->amplitude = (float)amplitude;
        squares += amplitude * amplitude;
        amplitude *= params->gain;
        step *= params->lacunarity;
    }
    noise->per_deviation = (float)(1.0 / ((double)octave_deviation * sqrt(squares)));
    return true;
}

float noise_at(const struct noise *noise, int64_t x, int64_t y) {
    float sum = 0.0f;
    for (int32_t k = 0; k < noise->octaves; k++)
        sum += octave_at(&noise->octave[k], x, y);
    return spread(sum * noise->per_deviation);
}

/* ---- grids ---- */

/* What one octave needs for a row of cells: its columns, and the tables of two lattice rows. */
struct columns {
    uint32_t *i;
    float *u, *fu;
    float *a[2], *b[2]; /* south, north */
};

static int64_t centre(int32_t cell) {
    return (int64_t)cell * NOISE_CELL + NOISE_CELL / 2;
}

TERRAIN_CLONES static void fill_columns(uint64_t place, uint64_t step, int32_t width, uint32_t *restrict i,
                                        float *restrict u, float *restrict fu) {
    for (int32_t x = 0; x < width; x++) {
        i[x] = lattice(place);
        u[x] = within(place);
        fu[x] = fade(u[x]);
        place += step;
    }
}

TERRAIN_CLONES static void fill_table(const uint32_t *i, const float *u, const float *fu, uint32_t key,
                                      float amplitude, int32_t width, float *restrict a, float *restrict b) {
    for (int32_t x = 0; x < width; x++) {
        struct pair p = table_entry(i[x], u[x], fu[x], key, amplitude);
        a[x] = p.a;
        b[x] = p.b;
    }
}

TERRAIN_CLONES static void add_row(const struct columns *c, float v, int32_t width, float *restrict out) {
    const float *a0 = c->a[0], *b0 = c->b[0], *a1 = c->a[1], *b1 = c->b[1];
    float fv = fade(v);
    for (int32_t x = 0; x < width; x++)
        out[x] += between_rows(a0[x], b0[x], a1[x], b1[x], v, fv);
}

TERRAIN_CLONES static void spread_row(float per_deviation, int32_t width, float *restrict out) {
    for (int32_t x = 0; x < width; x++)
        out[x] = spread(out[x] * per_deviation);
}

static void table_of(const struct noise_octave *o, struct columns *c, uint32_t j, int32_t side,
                     int32_t width) {
    fill_table(c->i, c->u, c->fu, row_key(o->key, j), o->amplitude, width, c->a[side], c->b[side]);
}

static void swap(float **p, float **q) {
    float *t = *p;
    *p = *q;
    *q = t;
}

static void add_octave(const struct noise_octave *o, struct columns *c, struct grid_f32 *out) {
    fill_columns((uint64_t)centre(out->x0) * o->step + o->start_x, NOISE_CELL * o->step, out->width, c->i,
                 c->u, c->fu);
    uint32_t row = 0;
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        uint64_t place = (uint64_t)centre(y) * o->step + o->start_y;
        uint32_t j = lattice(place);
        bool first = y == out->y0;
        if (first || j != row) {
            if (!first && j == row + 1) {
                swap(&c->a[0], &c->a[1]);
                swap(&c->b[0], &c->b[1]);
            } else {
                table_of(o, c, j, 0, out->width);
            }
            table_of(o, c, j + 1, 1, out->width);
            row = j;
        }
        add_row(c, within(place), out->width, grid_f32_at(out, out->x0, y));
    }
}

size_t noise_grid_scratch(int32_t width) {
    return 7 * arena_need((size_t)width, sizeof(float));
}

static void zero_row(const struct grid_f32 *out, int32_t y) {
    float *row = grid_f32_at(out, out->x0, y);
    for (int32_t x = 0; x < out->width; x++)
        row[x] = 0.0f;
}

bool noise_grid(const struct noise *noise, struct grid_f32 *out, struct arena *scratch) {
    size_t mark = arena_mark(scratch), width = (size_t)out->width;
    struct columns c = {.i = arena_alloc(scratch, width, sizeof *c.i),
                        .u = arena_alloc(scratch, width, sizeof *c.u),
                        .fu = arena_alloc(scratch, width, sizeof *c.fu)};
    for (int32_t side = 0; side < 2; side++) {
        c.a[side] = arena_alloc(scratch, width, sizeof(float));
        c.b[side] = arena_alloc(scratch, width, sizeof(float));
    }
    bool fits = c.i && c.u && c.fu && c.a[0] && c.b[0] && c.a[1] && c.b[1];
    for (int32_t y = out->y0; fits && y < out->y0 + out->height; y++)
        zero_row(out, y);
    for (int32_t k = 0; fits && k < noise->octaves; k++)
        add_octave(&noise->octave[k], &c, out);
    for (int32_t y = out->y0; fits && y < out->y0 + out->height; y++)
        spread_row(noise->per_deviation, out->width, grid_f32_at(out, out->x0, y));
    arena_release(scratch, mark);
    return fits;
}

/* ---- warped ---- */

/* The displacement in 1/1024 cell, rounded. */
static inline int32_t moved(float rise, float length, float influence) {
    return (int32_t)floorf(-rise / length * influence + 0.5f);
}

TERRAIN_CLONES static void warp_row(const float *east, const float *north, float influence, int64_t first,
                                    int64_t y, int32_t width, int64_t *restrict px, int64_t *restrict py) {
    for (int32_t x = 0; x < width; x++) {
        float length = sqrtf(1.0f + east[x] * east[x] + north[x] * north[x]);
        px[x] = first + (int64_t)x * NOISE_CELL + moved(east[x], length, influence);
        py[x] = y + moved(north[x], length, influence);
    }
}

TERRAIN_CLONES static void add_places(const struct noise_octave *o, const int64_t *px, const int64_t *py,
                                      int32_t count, float *restrict out) {
    struct noise_octave octave = *o;
    for (int32_t i = 0; i < count; i++)
        out[i] += octave_at(&octave, px[i], py[i]);
}

void noise_points(const struct noise *noise, const int64_t *x, const int64_t *y, int32_t count, float *out) {
    for (int32_t i = 0; i < count; i++)
        out[i] = 0.0f;
    for (int32_t k = 0; k < noise->octaves; k++)
        add_places(&noise->octave[k], x, y, count, out);
    spread_row(noise->per_deviation, count, out);
}

size_t noise_grid_warped_scratch(int32_t width) {
    return 2 * arena_need((size_t)width, sizeof(int64_t));
}

bool noise_grid_warped(const struct noise *noise, float influence_cells, const struct grid_f32 *east,
                       const struct grid_f32 *north, struct grid_f32 *out, struct arena *scratch) {
    size_t mark = arena_mark(scratch);
    int64_t *px = arena_alloc(scratch, (size_t)out->width, sizeof *px);
    int64_t *py = arena_alloc(scratch, (size_t)out->width, sizeof *py);
    bool fits = px && py;
    for (int32_t y = out->y0; fits && y < out->y0 + out->height; y++) {
        float *row = grid_f32_at(out, out->x0, y);
        warp_row(grid_f32_at(east, out->x0, y), grid_f32_at(north, out->x0, y), influence_cells * NOISE_CELL,
                 centre(out->x0), centre(y), out->width, px, py);
        noise_points(noise, px, py, out->width, row);
    }
    arena_release(scratch, mark);
    return fits;
}
