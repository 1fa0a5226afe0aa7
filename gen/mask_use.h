/* Owns the question which masks of a world change anything: for `check`. */
#ifndef GEN_MASK_USE_H
#define GEN_MASK_USE_H
#include "gen/report.h"
#include "gen/world.h"

/* Warns of each mask that no output and no layer of the recipe is made from, with the name that the program
 * knows and that may have been meant; notes those whose tool is off. The world is whole and right. */
void mask_use_check(const struct world *world, struct report *report);

#endif
