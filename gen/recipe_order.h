/* Owns who may read whom: what earlier species wrote, as layers for later ones. For gen/recipe_read.c alone.
 */
#ifndef GEN_RECIPE_ORDER_H
#define GEN_RECIPE_ORDER_H
#include "gen/recipe_reading.h"

/* Whether a layer is what species write: mask_NAME, distance.mask_NAME, age_SPECIES. */
bool recipe_is_written(const char *layer);
/* Reports each species that reads what it or a later one writes, or what it could displace, with the chain
 * by which the two wait for each other. Species stand by priority; those of one priority stand together, so
 * that either may displace the other. */
void recipe_check_order(struct recipe_reading *r);

#endif
