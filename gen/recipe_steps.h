/* Owns the reading of viability stacks, for gen/recipe_*.c alone. */
#ifndef GEN_RECIPE_STEPS_H
#define GEN_RECIPE_STEPS_H
#include "gen/recipe_reading.h"

/* Appends the steps of a list of steps; depth 0 for a species' own. */
void recipe_read_steps(struct recipe_reading *r, struct yaml_node *list, int32_t depth);
/* A new last step, to be filled in; its index, or -1 (and stopped) without memory. */
int32_t recipe_new_step(struct recipe_reading *r);
/* Reads every named stack once, for its mistakes alone. */
void recipe_check_stacks(struct recipe_reading *r);

#endif
