/* Owns what is said of layers that a recipe reads and this world does not have: one message each, with how
 * many places read it and what would mend it. For gen/recipe_*.c alone. */
#ifndef GEN_RECIPE_MISSING_H
#define GEN_RECIPE_MISSING_H
#include "gen/recipe_reading.h"

/* Reports a layer of that name as unknown, at its first reader; counts the others. */
void recipe_miss_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name);
/* Adds the counts to the messages, once all is read, and frees what was counted. */
void recipe_tell_missing(struct recipe_reading *r);

#endif
