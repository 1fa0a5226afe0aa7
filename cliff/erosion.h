/* Owns what washes out of the rock: particles that start on covered cells, run down the ground and leave a
 * little of themselves and of their bed's colour. Deposits are integers: their order does not matter. */
#ifndef CLIFF_EROSION_H
#define CLIFF_EROSION_H
#include "cliff/color.h"
#include "terrain/grid.h"
#include <stdbool.h>

enum { CLIFF_RUN_CELLS = 40 /* a particle's longest way */, CLIFF_EROSION_REACH = CLIFF_RUN_CELLS + 2 };

struct cliff_deposit {
    uint32_t amount, red, green, blue; /* sums; colours weighted by amount */
};

struct cliff_erosion_params {
    double cell_m;
    float stop_deg; /* [degrees] 0..45, 16: gentler ground holds a particle */
    uint64_t seed;
    const struct cliff_ramp *ramp;
};

/* sources: strata_bed.id where a particle may start (0: nowhere) in a window that covers out grown by
 * CLIFF_EROSION_REACH; ground_m covers sources grown by 1. out: width x height of `window`, zeroed by the
 * caller. */
void cliff_erosion(const struct cliff_erosion_params *params, const struct grid_f32 *ground_m,
                   const struct grid_u16 *sources, const struct grid_u8 *window, struct cliff_deposit *out);

#endif
