/* Owns the reading of biomes, their zones and the zones' rules, for gen/recipe_read.c alone. */
#ifndef GEN_RECIPE_BIOMES_H
#define GEN_RECIPE_BIOMES_H
#include "gen/recipe_reading.h"

/* `biomes`, `default_biome` and `border` of a recipe's root; rules are left for later. */
void recipe_read_biomes(struct recipe_reading *r, struct yaml_node *root);
/* The zones' rules: after recipe_check_stacks and the species' stacks, and when the masks that species write
 * are known. */
void recipe_read_rules(struct recipe_reading *r, struct yaml_node *root);

#endif
