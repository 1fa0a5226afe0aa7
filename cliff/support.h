/* Owns that no rock floats: of the lattice's solid samples those that nothing holds become air. A vertical
 * run of solid samples is held when it reaches into the ground, or when within 4 m a chain of runs, each
 * beside the one before, leads to one that does. So a block hangs over by 4 m at most, and what holds depends
 * on no more than that. Private to cliff/surface.c. */
#ifndef CLIFF_SUPPORT_H
#define CLIFF_SUPPORT_H
#include "cliff/lattice.h"

/* Lattice columns that a column's answer reaches. */
int32_t cliff_support_reach(const struct cliff_params *params);
/* False: too little scratch. */
bool cliff_support(const struct cliff_params *params, struct lattice *lattice, struct arena *scratch);

#endif
