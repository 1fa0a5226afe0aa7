/* Owns the check of object ids: every asset has one, and no two share one. For gen/recipe_read.c alone. */
#ifndef GEN_RECIPE_OBJECTS_H
#define GEN_RECIPE_OBJECTS_H
#include "gen/recipe_reading.h"

/* species: the recipe's map of them, where mistakes are reported. */
void recipe_check_objects(struct recipe_reading *r, struct yaml_node *species);

#endif
