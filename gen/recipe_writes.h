/* Owns the reading of what a species does to its surroundings, for gen/recipe_species.c alone. */
#ifndef GEN_RECIPE_WRITES_H
#define GEN_RECIPE_WRITES_H
#include "gen/recipe_reading.h"

/* `writes` of a species' map, but for their stacks. */
void recipe_read_writes(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);
/* `where` and `noise` of each: when all masks are known. */
void recipe_read_where(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);

#endif
