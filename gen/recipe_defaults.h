/* Owns the check of `defaults` that no species takes: their mistakes would be seen by nobody. For
 * gen/recipe_read.c alone. */
#ifndef GEN_RECIPE_DEFAULTS_H
#define GEN_RECIPE_DEFAULTS_H
#include "gen/recipe_reading.h"

/* Reads each set of defaults (gen/recipe_expand.h) as a species that need not be whole. What is wrong is
 * reported, but where something was reported at that place already. The recipe stays as it is. */
void recipe_check_defaults(struct recipe_reading *r, struct yaml_node *root);

#endif
