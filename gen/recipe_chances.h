/* Owns the search for what can never happen in a recipe that is right otherwise: species that can win nowhere
 * in this world, rules that can never win, masks that nobody reads, size classes that look alike. All are
 * warnings: a library's recipe may hold more than a world has room for. For gen/recipe_read.c alone. */
#ifndef GEN_RECIPE_CHANCES_H
#define GEN_RECIPE_CHANCES_H
#include "gen/recipe_reading.h"

/* The recipe is finished and without errors; root is its tree. */
void recipe_warn_chances(struct recipe_reading *r, struct yaml_node *root);

#endif
