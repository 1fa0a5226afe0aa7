/* Owns what is too thin to stand, what no rock below holds and what no air above reaches, among the samples.
 */
#ifndef CLIFF_SUPPORT_H
#define CLIFF_SUPPORT_H
#include "cliff/lattice.h"

/* Rock that stands 2 m or higher and is no more than 2.5 m thick in plan (fins, needles: the ends of blocks
 * whose neighbours are not there) becomes air, down to the ground's cover. Then: a run of solid samples in a
 * column rests on the ground, or is held by a run that touches it from the side, so over at most 4 m. What is
 * not held becomes air. A run of air is open to the sky, or to a run that is, over 4 m as well; what is not
 * becomes rock: nobody would see the hollow's inside. Columns of the lattice nearer to its rim than
 * cliff_support_reach may be wrong. False: too little scratch. */
bool cliff_support(const struct cliff_params *params, struct lattice *lattice, struct arena *scratch);
/* Columns. */
int32_t cliff_support_reach(const struct cliff_params *params);

#endif
