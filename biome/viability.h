/* Owns viability: how well a species likes places, by its stack of steps (biome/recipe.h). Each step runs
 * over a whole batch of places (biome/batch.h). Viability is 0 or more and has no ceiling. Knows nothing of
 * how layers are made. */
#ifndef BIOME_VIABILITY_H
#define BIOME_VIABILITY_H
#include "biome/batch.h"

/* out[i] = viability of the stack steps[first..end) at place i, 0 or more; VIABILITY_BATCH floats of room.
 * Whether any of them is above 0. */
bool biome_viability(const struct recipe *recipe, int32_t first, int32_t end, struct biome_batch *batch,
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
