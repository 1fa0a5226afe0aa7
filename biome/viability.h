/* Owns viability: how well a species likes places, by its stack of steps (biome/recipe.h). Values are
 * gathered from layer windows once a batch of places, then each step runs over the whole batch. Viability is
 * 0 or more and has no ceiling. Knows nothing of how layers are made. */
#ifndef BIOME_VIABILITY_H
#define BIOME_VIABILITY_H
#include "biome/recipe.h"
#include "terrain/arena.h"

enum { VIABILITY_BATCH = 512 };

enum biome_cell_type { CELL_F32, CELL_I32, CELL_U16, CELL_U8 };

/* A window of a layer whose cells hold codes: value = offset + scale * code. Cell (x, y) of the world is the
 * sample (x >> coarse_log2, y >> coarse_log2); x0, y0 in samples. */
struct biome_layer {
    enum biome_cell_type type;
    const void *cells;
    int32_t x0, y0;
    ptrdiff_t stride; /* in samples */
    int32_t coarse_log2;
    float scale, offset;
};

/* The values of the recipe's layers at `count` places, gathered when a step first asks. */
struct biome_batch {
    const struct biome_layer *layers; /* by recipe layer index; cells NULL: not given */
    int32_t count;                    /* 0..VIABILITY_BATCH */
    const int32_t *x, *y;             /* world cells, inside the windows */
    float (*values)[VIABILITY_BATCH]; /* one row a recipe layer, caller's */
    bool *gathered;                   /* one a recipe layer, caller's; false at first */
};

/* Rows for a batch from the arena: recipe.layer_count of them. STATUS_LIMIT when it is too small; takes
 * biome_batch_scratch bytes at most. */
enum status biome_batch_init(struct biome_batch *batch, const struct recipe *recipe,
                             const struct biome_layer *layers, struct arena *arena, struct error *err);
size_t biome_batch_scratch(const struct recipe *recipe);
/* Forgets the gathered values: call after changing count, x or y. */
void biome_batch_reset(struct biome_batch *batch, const struct recipe *recipe);

/* The value of a layer at one cell inside its window. */
float biome_layer_value(const struct biome_layer *layer, int32_t x, int32_t y);

/* out[i] = viability of the stack steps[first..end) at place i, 0 or more; VIABILITY_BATCH floats of room. */
void biome_viability(const struct recipe *recipe, int32_t first, int32_t end, struct biome_batch *batch,
                     float *out);

struct biome_interval {
    float low, high;
};
/* The range that a stack's result can have, by interval arithmetic over what the layers can be: layers[l] of
 * the recipe's layers, or NULL: what their makers promise. No range known: -HUGE_VALF..HUGE_VALF where that
 * matters. Conservative to the bit: no place within the intervals gives more than *high. */
void biome_viability_bounds(const struct recipe *recipe, int32_t first, int32_t end,
                            const struct biome_interval *layers, float *low, float *high);
/* The least and largest value of a layer over cells [x0, x1) x [y0, y1) of its window; NaN apart. */
struct biome_interval biome_layer_interval(const struct biome_layer *layer, int32_t x0, int32_t y0,
                                           int32_t x1, int32_t y1);

/* One line of an explanation: what a step read and did. */
struct biome_trace {
    int32_t step;  /* index into the recipe's steps */
    int32_t depth; /* of nesting, 0 outermost */
    float read;    /* the layer's value, the constant, or the group's result */
    float ramp;    /* after range and invert */
    float given;   /* after floor and weight */
    float result;  /* of the stack or group up to here */
};
/* The same numbers as biome_viability gives, step by step, at one place with values[layer]. trace holds
 * end - first entries, in order of the steps. Returns the viability. */
float biome_viability_trace(const struct recipe *recipe, int32_t first, int32_t end, const float *values,
                            struct biome_trace *trace);

#endif
