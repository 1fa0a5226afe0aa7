/* Owns budgets: what the world allows a sector's files to be. They are warned about, never enforced here. */
#ifndef GEN_BUDGETS_H
#define GEN_BUDGETS_H
#include "gen/world.h"

#include <jansson.h>

enum { BUDGET_TEXT_MAX = 256 };

/* How many budgets an output's entry in a manifest breaks; what the first of them is goes to text (NULL: it
 * is not asked for), and all to warnings (NULL: likewise): "sectors/s3_4.cliff.glb: 25011 triangles are more
 * than cliffs.max_triangles (20000)". */
int32_t budgets_broken(const struct world *world, const char *path, const json_t *entry,
                       char text[BUDGET_TEXT_MAX], json_t *warnings);

#endif
