/* Owns the search for species, zones and biomes of a recipe that can be nowhere in this world. Of the
 * recipe's own (what its file names, if only by one key) each is warned about, at what makes it impossible;
 * of included recipes all are told of in one note: a library may hold more than a world has room for. For
 * gen/recipe_*.c alone. */
#ifndef GEN_RECIPE_NOWHERE_H
#define GEN_RECIPE_NOWHERE_H
#include "gen/recipe_ranges.h"

/* Which of the tree's species its own file says something of, by their place; to be asked before defaults are
 * filled in. malloc'ed; NULL: no species, or no memory. */
bool *recipe_own_species(struct yaml_node *root);
/* Whether a rule is of the recipe's own file. */
bool recipe_own_rule(const struct recipe_reading *r, const struct recipe_rule *rule);
/* The recipe is finished and without errors. layers: of this world; narrow: as large, scratch. */
void recipe_warn_nowhere(struct recipe_reading *r, struct yaml_node *root,
                         const struct biome_interval *layers, struct biome_interval *narrow);

#endif
