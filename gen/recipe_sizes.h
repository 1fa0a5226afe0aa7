/* Owns the reading of a species' size classes and their variations, for gen/recipe_species.c alone. */
#ifndef GEN_RECIPE_SIZES_H
#define GEN_RECIPE_SIZES_H
#include "gen/recipe_reading.h"

/* `sizes`, or one class from `height_m: [least, most]`, `asset` and `variations`; what chance does to sizes.
 */
void recipe_read_sizes(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);

#endif
