/* Owns what names in recipes may be: of biomes, zones, species, kinds, stacks and ramps. They are printed,
 * named by --set and hashed into ids. */
#ifndef GEN_RECIPE_NAMES_H
#define GEN_RECIPE_NAMES_H
#include "gen/report.h"
#include "gen/yaml.h"

enum { RECIPE_NAME_MAX = 75 }; /* bytes */

/* Whether the text is a name: letters, digits, _ - and . as well as whatever can be seen beyond ASCII; the
 * first neither - nor a dot. False: reported at the node; `what` is the kind of thing, "species". */
bool recipe_check_name(const struct yaml_node *at, const char *what, const char *name, struct report *report);

#endif
