/* Owns `ramps` of a recipe: what has a name there, and steps that take it. For gen/recipe_*.c alone. */
#ifndef GEN_RECIPE_NAMED_RAMPS_H
#define GEN_RECIPE_NAMED_RAMPS_H
#include "gen/recipe_reading.h"

/* The named ramp of that kind, YAML_MAP for steps or YAML_LIST, points; NULL: reported. */
struct yaml_node *recipe_find_ramp(struct recipe_reading *r, const struct yaml_node *at, const char *name,
                                   enum yaml_kind kind);
/* `ramp: NAME` gives a step's map the ramp's keys that it does not have itself; of range, over and under
 * those of one place only. */
void recipe_use_ramp(struct recipe_reading *r, struct yaml_node *map);
/* Reads every named ramp once, for mistakes that it would have anywhere. */
void recipe_check_ramps(struct recipe_reading *r);

#endif
