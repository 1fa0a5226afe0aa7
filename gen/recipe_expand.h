/* Owns what species take from elsewhere: `like` another species, and the `defaults` of their file. After it a
 * recipe's tree says of each species all that is known of it. */
#ifndef GEN_RECIPE_EXPAND_H
#define GEN_RECIPE_EXPAND_H
#include "gen/report.h"
#include "gen/yaml.h"

/* Gives each species of the tree the keys that it does not have itself: those of the species that it is
 * `like`, then of `defaults.kinds` by its kind, then of `defaults.all`. Values are taken whole. Afterwards
 * the tree has no `like`, and of `defaults` only the sets of keys that were taken, by their places. Mistakes
 * are reported; copies keep the places of what they copy, so that a mistake in a default may be reported for
 * each species that takes it. */
void recipe_expand(struct yaml_node *root, struct report *report);

#endif
