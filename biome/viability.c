#include "biome/viability.h"

#include "terrain/clones.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- one step ---- */

/* One arm of the trapezoid as clamp(v * slope + shift): an open end is always 1; a hard edge becomes a slope
 * so steep that no float lies on it. */
struct arm {
    float slope, shift;
    bool open, hard;
    float edge;
};

static inline struct arm arm_up(float zero, float one) {
    struct arm a = {0.0f, 0.0f, false, false, one};
    a.open = one == -HUGE_VALF;
    a.hard = !(one > zero);
    if (!a.open && !a.hard) {
        a.slope = 1.0f / (one - zero);
        a.shift = -zero * a.slope;
    }
    return a;
}

static inline float arm_value(struct arm a, float v) {
    if (a.open)
        return 1.0f;
    if (a.hard)
        return v >= a.edge ? 1.0f : 0.0f;
    float r = v * a.slope + a.shift;
    r = r < 0.0f ? 0.0f : r;
    return r > 1.0f ? 1.0f : r;
}

static inline float min2(float a, float b) {
    return a < b ? a : b;
}
static inline float max2(float a, float b) {
    return a > b ? a : b;
}

/* Degrees from the middle of the range, 0..180. */
static inline float turn_from(float v, float middle) {
    float d = fabsf(v - middle);
    return d > 180.0f ? 360.0f - d : d;
}

/* r: the value itself, or by the trapezoid. */
static inline void ramp_row(const struct recipe_step *step, const float *in, int32_t n, float *out) {
    if (!step->ranged) {
        memcpy(out, in, (size_t)n * sizeof *out);
        return;
    }
    struct arm up = arm_up(step->ramp[0], step->ramp[1]);
    struct arm down = arm_up(-step->ramp[3], -step->ramp[2]);
    if (step->circular) {
        /* the trapezoid is even: only the falling arm is needed, over the turn from its middle */
        for (int32_t i = 0; i < n; i++)
            out[i] = in[i] < 0.0f ? 0.0f : arm_value(down, -turn_from(in[i], step->ramp_middle));
        return;
    }
    for (int32_t i = 0; i < n; i++)
        out[i] = min2(arm_value(up, in[i]), arm_value(down, -in[i]));
}

static inline void weigh_row(const struct recipe_step *step, float *row, int32_t n) {
    float sign = step->invert ? -1.0f : 1.0f, base = step->invert ? 1.0f : 0.0f;
    float rise = 1.0f - step->floor, floor_value = step->floor, weight = step->weight;
    for (int32_t i = 0; i < n; i++) {
        float r = base + sign * row[i];
        row[i] = weight * (floor_value + rise * r);
    }
}

static inline void combine_row(enum recipe_combine how, float amount, const float *s, float *b, int32_t n) {
    switch (how) {
    case COMBINE_MULTIPLY:
        for (int32_t i = 0; i < n; i++)
            b[i] *= s[i];
        break;
    case COMBINE_ADD:
        for (int32_t i = 0; i < n; i++)
            b[i] += s[i];
        break;
    case COMBINE_SUBTRACT:
        for (int32_t i = 0; i < n; i++)
            b[i] -= s[i];
        break;
    case COMBINE_MIN:
        for (int32_t i = 0; i < n; i++)
            b[i] = min2(b[i], s[i]);
        break;
    case COMBINE_MAX:
        for (int32_t i = 0; i < n; i++)
            b[i] = max2(b[i], s[i]);
        break;
    case COMBINE_MIX:
        for (int32_t i = 0; i < n; i++)
            b[i] = b[i] + amount * (s[i] - b[i]);
        break;
    case COMBINE_REPLACE:
    case COMBINE_COUNT:
        memcpy(b, s, (size_t)n * sizeof *b);
        break;
    }
}

/* ---- stacks ---- */

/* One step over n places: what it read (a value reads nothing) is weighed and goes onto what lies below. */
TERRAIN_CLONES
static void step_row(const struct recipe_step *step, enum recipe_combine how, const float *in, int32_t n,
                     float *below) {
    float row[VIABILITY_BATCH];
    if (step->kind != STEP_VALUE)
        ramp_row(step, in, n, row);
    for (int32_t i = 0; step->kind == STEP_VALUE && i < n; i++)
        row[i] = step->value;
    weigh_row(step, row, n);
    combine_row(how, step->amount, row, below, n);
}

/* Runs a stack or a group's children; out holds the result, not clamped. */
static void run_steps(const struct recipe *recipe, int32_t first, int32_t end, struct biome_batch *batch,
                      int32_t depth, float *out);

/* One step onto what lies below it. */
static void run_step(const struct recipe *recipe, int32_t s, struct biome_batch *batch, int32_t depth,
                     enum recipe_combine how, float *out) {
    const struct recipe_step *step = &recipe->steps[s];
    float inner[VIABILITY_BATCH];
    const float *in = inner;
    if (step->kind == STEP_LAYER)
        in = biome_batch_row(batch, step->layer);
    else if (step->kind == STEP_GROUP)
        run_steps(recipe, s + 1, step->end, batch, depth + 1, inner);
    step_row(step, how, in, batch->count, out);
}

static void run_steps(const struct recipe *recipe, int32_t first, int32_t end, struct biome_batch *batch,
                      int32_t depth, float *out) {
    assert(depth <= RECIPE_DEPTH_MAX);
    for (int32_t i = 0; first == end && i < batch->count; i++)
        out[i] = 0.0f;
    for (int32_t s = first; s < end; s = recipe->steps[s].end)
        run_step(recipe, s, batch, depth, s == first ? COMBINE_REPLACE : recipe->steps[s].combine, out);
}

/* The step behind which a stack only multiplies: who has nothing by then stays without. */
static int32_t tail_of(const struct recipe *recipe, int32_t first, int32_t end) {
    int32_t tail = first;
    for (int32_t s = first; s < end; s = recipe->steps[s].end)
        if (s != first && recipe->steps[s].combine != COMBINE_MULTIPLY)
            tail = s;
    return tail;
}

TERRAIN_CLONES
static bool all_zero(const float *row, int32_t n) {
    int32_t other = 0;
    for (int32_t i = 0; i < n; i++)
        other |= row[i] != 0.0f;
    return !other;
}

/* Cuts below 0; whether anything is above. */
TERRAIN_CLONES
static bool cut_row(float *row, int32_t n) {
    int32_t above = 0;
    for (int32_t i = 0; i < n; i++) {
        row[i] = row[i] > 0.0f ? row[i] : 0.0f;
        above |= row[i] > 0.0f;
    }
    return above != 0;
}

bool biome_viability(const struct recipe *recipe, int32_t first, int32_t end, struct biome_batch *batch,
                     float *out) {
    int32_t tail = tail_of(recipe, first, end), s = first;
    bool none = first == end;
    for (; s < end && !none; s = recipe->steps[s].end) {
        run_step(recipe, s, batch, 0, s == first ? COMBINE_REPLACE : recipe->steps[s].combine, out);
        none = s >= tail && all_zero(out, batch->count);
    }
    if (none)
        memset(out, 0, (size_t)batch->count * sizeof *out);
    return !none && cut_row(out, batch->count);
}

/* ---- explanations ---- */

static float trace_steps(const struct recipe *recipe, int32_t first, int32_t end, int32_t base, int32_t depth,
                         const float *values, struct biome_trace *trace) {
    float below = 0.0f;
    for (int32_t s = first; s < end; s = recipe->steps[s].end) {
        const struct recipe_step *step = &recipe->steps[s];
        struct biome_trace *t = &trace[s - base];
        t->step = s;
        t->depth = depth;
        if (step->kind == STEP_GROUP)
            t->read = trace_steps(recipe, s + 1, step->end, base, depth + 1, values, trace);
        else
            t->read = step->kind == STEP_LAYER ? values[step->layer] : step->value;
        if (step->kind == STEP_VALUE)
            t->given = t->read;
        else
            ramp_row(step, &t->read, 1, &t->given);
        t->ramp = step->invert ? 1.0f - t->given : t->given;
        weigh_row(step, &t->given, 1);
        combine_row(s == first ? COMBINE_REPLACE : step->combine, step->amount, &t->given, &below, 1);
        t->result = below;
    }
    return below;
}

float biome_viability_trace(const struct recipe *recipe, int32_t first, int32_t end, const float *values,
                            struct biome_trace *trace) {
    float v = trace_steps(recipe, first, end, first, 0, values, trace);
    return v > 0.0f ? v : 0.0f;
}

/* ---- bounds ---- */

struct interval {
    float low, high;
};

static float times(float a, float b) {
    return a == 0.0f || b == 0.0f ? 0.0f : a * b; /* 0 x infinity is 0 here: a factor of 0 silences */
}

static struct interval multiply(struct interval a, struct interval b) {
    float p[4] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
    struct interval out = {p[0], p[0]};
    for (int32_t i = 1; i < 4; i++) {
        out.low = min2(out.low, p[i]);
        out.high = max2(out.high, p[i]);
    }
    return out;
}

/* The trapezoid over an interval: its least value is at an end, its greatest 1 when the plateau is met. */
static struct interval ramp_interval(const struct recipe_step *step, struct interval v) {
    if (!step->ranged)
        return v;
    if (step->circular)
        return (struct interval){0.0f, 1.0f};
    float ends[2] = {v.low, v.high};
    ramp_row(step, ends, 2, ends);
    bool meets = v.high >= step->ramp[1] && v.low <= step->ramp[2];
    return (struct interval){min2(ends[0], ends[1]), meets ? 1.0f : max2(ends[0], ends[1])};
}

/* Weights are 0 or more, so this rises with the value, or falls when inverted: the ends tell. */
static struct interval weigh_interval(const struct recipe_step *step, struct interval v) {
    float ends[2] = {v.low, v.high};
    weigh_row(step, ends, 2);
    return (struct interval){min2(ends[0], ends[1]), max2(ends[0], ends[1])};
}

/* Rounding may take a mix past its ends by an ulp; nothing else here rounds out of order. */
static struct interval mix(float amount, struct interval b, struct interval s) {
    struct interval out = {b.low + amount * (s.low - b.low), b.high + amount * (s.high - b.high)};
    out.low -= 1e-6f * (fabsf(b.low) + fabsf(s.low));
    out.high += 1e-6f * (fabsf(b.high) + fabsf(s.high));
    return out;
}

static struct interval combine(enum recipe_combine how, float amount, struct interval b, struct interval s) {
    switch (how) {
    case COMBINE_MULTIPLY:
        return multiply(b, s);
    case COMBINE_ADD:
        return (struct interval){b.low + s.low, b.high + s.high};
    case COMBINE_SUBTRACT:
        return (struct interval){b.low - s.high, b.high - s.low};
    case COMBINE_MIN:
        return (struct interval){min2(b.low, s.low), min2(b.high, s.high)};
    case COMBINE_MAX:
        return (struct interval){max2(b.low, s.low), max2(b.high, s.high)};
    case COMBINE_MIX:
        return mix(amount, b, s);
    case COMBINE_REPLACE:
    case COMBINE_COUNT:
        break;
    }
    return s;
}

/* given: what each of the recipe's layers can be here; NULL: what the steps say. */
static struct interval layer_interval(const struct recipe_step *step, const struct biome_interval *given) {
    if (given)
        return (struct interval){given[step->layer].low, given[step->layer].high};
    return step->layer_min > step->layer_max ? (struct interval){-HUGE_VALF, HUGE_VALF}
                                             : (struct interval){step->layer_min, step->layer_max};
}

static struct interval bound_steps(const struct recipe *recipe, int32_t first, int32_t end,
                                   const struct biome_interval *given) {
    struct interval below = {0.0f, 0.0f};
    for (int32_t s = first; s < end; s = recipe->steps[s].end) {
        const struct recipe_step *step = &recipe->steps[s];
        struct interval v = {step->value, step->value};
        if (step->kind == STEP_GROUP)
            v = bound_steps(recipe, s + 1, step->end, given);
        else if (step->kind == STEP_LAYER)
            v = layer_interval(step, given);
        if (step->kind != STEP_VALUE)
            v = ramp_interval(step, v);
        v = weigh_interval(step, v);
        below = s == first ? v : combine(step->combine, step->amount, below, v);
    }
    return below;
}

void biome_viability_bounds(const struct recipe *recipe, int32_t first, int32_t end,
                            const struct biome_interval *layers, float *low, float *high) {
    struct interval out = bound_steps(recipe, first, end, layers);
    *low = max2(out.low, 0.0f);
    *high = max2(out.high, 0.0f);
}

/* Least and largest of rows, `stride` apart, row on row: elementwise, so that it vectorises; floats have no
 * order that reductions may change. */
enum { RANGE_RUN = 64 };
#define ROWS_RANGE(name, type)                                                                               \
    TERRAIN_CLONES static void name(const type *row, ptrdiff_t stride, int32_t n, int32_t rows, type *low,   \
                                    type *high) {                                                            \
        for (int32_t at = 0; at < n; at += RANGE_RUN) {                                                      \
            type least[RANGE_RUN], most[RANGE_RUN];                                                          \
            int32_t run = n - at < RANGE_RUN ? n - at : RANGE_RUN;                                           \
            for (int32_t i = 0; i < run; i++) {                                                              \
                least[i] = *low;                                                                             \
                most[i] = *high;                                                                             \
            }                                                                                                \
            for (int32_t y = 0; y < rows; y++) {                                                             \
                const type *cell = row + y * stride + at;                                                    \
                for (int32_t i = 0; i < run; i++) {                                                          \
                    least[i] = cell[i] < least[i] ? cell[i] : least[i];                                      \
                    most[i] = cell[i] > most[i] ? cell[i] : most[i];                                         \
                }                                                                                            \
            }                                                                                                \
            for (int32_t i = 0; i < run; i++) {                                                              \
                *low = least[i] < *low ? least[i] : *low;                                                    \
                *high = most[i] > *high ? most[i] : *high;                                                   \
            }                                                                                                \
        }                                                                                                    \
    }
ROWS_RANGE(range_f32, float)
ROWS_RANGE(range_i32, int32_t)
ROWS_RANGE(range_u16, uint16_t)
ROWS_RANGE(range_u8, uint8_t)

/* The range of a layer's codes over samples [x0, x1) x [y0, y1), as floats. */
#define LAYER_RANGE(range, type, lowest, highest)                                                            \
    do {                                                                                                     \
        type least = highest, most = lowest;                                                                 \
        const type *cells = layer->cells;                                                                    \
        range(cells + (ptrdiff_t)(y0 - layer->y0) * layer->stride + (x0 - layer->x0), layer->stride,         \
              x1 - x0, y1 - y0, &least, &most);                                                              \
        out.low = (float)least;                                                                              \
        out.high = (float)most;                                                                              \
    } while (0)

static struct biome_interval code_range(const struct biome_layer *layer, int32_t x0, int32_t y0, int32_t x1,
                                        int32_t y1) {
    struct biome_interval out = {0.0f, 0.0f};
    switch (layer->type) {
    case CELL_F32:
        LAYER_RANGE(range_f32, float, -HUGE_VALF, HUGE_VALF);
        break;
    case CELL_I32:
        LAYER_RANGE(range_i32, int32_t, INT32_MIN, INT32_MAX);
        break;
    case CELL_U16:
        LAYER_RANGE(range_u16, uint16_t, 0, UINT16_MAX);
        break;
    case CELL_U8:
        LAYER_RANGE(range_u8, uint8_t, 0, UINT8_MAX);
        break;
    }
    return out;
}

struct biome_interval biome_layer_interval(const struct biome_layer *layer, int32_t x0, int32_t y0,
                                           int32_t x1, int32_t y1) {
    int32_t k = layer->coarse_log2;
    struct biome_interval c = code_range(layer, x0 >> k, y0 >> k, ((x1 - 1) >> k) + 1, ((y1 - 1) >> k) + 1);
    float a = layer->offset + layer->scale * c.low, b = layer->offset + layer->scale * c.high; /* as gather */
    return (struct biome_interval){min2(a, b), max2(a, b)};
}
