/* Owns the reading of recipes: YAML in (docs/recipes.md), struct recipe out, every mistake reported at its
 * place. Knows nothing of how a recipe is baked. */
#ifndef GEN_RECIPE_READ_H
#define GEN_RECIPE_READ_H
#include "biome/recipe.h"
#include "gen/report.h"
#include "gen/yaml.h"

struct world;

/* Reads a recipe file and checks it against the world's layers, noises and masks (world->recipe is not
 * looked at). NULL when the report got any error from here. Freed by recipe_free. */
struct recipe *recipe_read(const char *path, const struct world *world, struct report *report);
/* The same from a tree that was read already (--set may have changed it). The tree stays the caller's. */
struct recipe *recipe_read_tree(struct yaml_node *root, const struct world *world, struct report *report);

/* `recipe: 1`, in every file of one. */
void recipe_check_version(struct yaml_node *root, struct report *report);

#endif
