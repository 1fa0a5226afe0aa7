/* Owns the suspicion that a species was meant to change an included one and is misspelt. For
 * gen/recipe_read.c alone. */
#ifndef GEN_RECIPE_OVERRIDE_H
#define GEN_RECIPE_OVERRIDE_H
#include "gen/recipe_reading.h"

/* Whether the species lacks so much of what a species needs that it changes nothing: then this is all that is
 * said of it (reported). Only --set and recipes that include others change species. */
bool recipe_misspelt_override(struct recipe_reading *r, const struct yaml_node *species, size_t index);
/* Reports a species that is no map; ~ takes away what an included file has. */
void recipe_refuse_species(struct recipe_reading *r, const struct yaml_node *species, size_t index);

#endif
