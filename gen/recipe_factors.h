/* Owns the reading of the recipe's sliders, for gen/recipe_read.c alone. */
#ifndef GEN_RECIPE_FACTORS_H
#define GEN_RECIPE_FACTORS_H
#include "gen/recipe_reading.h"

/* `factors` of a recipe's root, into biomes and species: after both were read, before recipe_finish. */
void recipe_read_factors(struct recipe_reading *r, struct yaml_node *root);

#endif
