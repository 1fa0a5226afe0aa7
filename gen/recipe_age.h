/* Owns the reading of a species' age and density, for gen/recipe_read.c and gen/recipe_species.c alone. */
#ifndef GEN_RECIPE_AGE_H
#define GEN_RECIPE_AGE_H
#include "gen/recipe_reading.h"

/* `age` of a species' map. */
void recipe_read_age(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);
/* `density_per_ha`, `density_ramp`, `density_over`; after the age. */
void recipe_read_density(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);
/* Adds the layer age_<name> to the recipe's; when all species are known. */
void recipe_name_age(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);

#endif
