/* Owns the reading of how a species' entities are turned and coloured, for gen/recipe_species.c alone. */
#ifndef GEN_RECIPE_LOOKS_H
#define GEN_RECIPE_LOOKS_H
#include "gen/recipe_reading.h"

/* `forward`, `align` and the angles. */
void recipe_read_turn(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);
/* `color`, `color_jitter` and `tint`, but for the tint's stack; after the age. */
void recipe_read_tint(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);

#endif
