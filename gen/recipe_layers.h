/* Owns which layers a recipe may read and what they can be: for gen/recipe_*.c alone. */
#ifndef GEN_RECIPE_LAYERS_H
#define GEN_RECIPE_LAYERS_H
#include "gen/recipe_reading.h"

/* What a layer can be, in the step; false when the name is wrong (reported). */
bool recipe_find_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name,
                       struct recipe_step *step, const char **unit);
/* Whether a step reads a layer whose least and most are known. */
bool recipe_layer_known(const struct recipe_step *step);
/* The index of a layer in the recipe's, added if need be; -1 (and stopped) without memory. */
int32_t recipe_add_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name);

#endif
