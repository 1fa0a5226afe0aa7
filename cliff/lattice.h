/* Owns the samples of the field on lattice columns. Private to the makers of the surface. */
#ifndef CLIFF_LATTICE_H
#define CLIFF_LATTICE_H
#include "cliff/field.h"

struct lattice_column {
    int32_t k0, count; /* samples k0 .. k0 + count - 1; 0: nothing can be here */
    int32_t base;      /* at and below this one all is solid, whether blocks are there or not */
    size_t at;
    bool rock; /* a block or covered ground */
};

struct lattice {
    int32_t x0, y0, width, height; /* columns, with the rim */
    struct lattice_column *columns;
    struct cliff_sample *samples;
    size_t sample_count;
};

static inline struct lattice_column *lattice_at(const struct lattice *l, int32_t i, int32_t j) {
    return &l->columns[(size_t)(j - l->y0) * (size_t)l->width + (size_t)(i - l->x0)];
}
static inline bool lattice_has(const struct lattice_column *c, int32_t k) {
    return k >= c->k0 && k < c->k0 + c->count;
}

#endif
