/* Owns the bounds of a step or a rule, range, over, under and soft, and their checks against what its layer
 * can be: for gen/recipe_*.c alone. */
#ifndef GEN_RECIPE_BOUNDS_H
#define GEN_RECIPE_BOUNDS_H
#include "gen/recipe_reading.h"

#define RECIPE_LARGEST 1e30 /* of bounds and shoulders */

/* range: [a, b], over: a, under: b of a map into the step; soft shoulders lie outside. */
void recipe_read_bounds(struct recipe_reading *r, struct yaml_node *map, struct recipe_step *step,
                        const char *layer, const char *unit);
/* soft: either one number for both shoulders, or [below, above]. */
void recipe_read_soft(struct recipe_reading *r, struct yaml_node *map, double soft[2]);
/* Reports a bound outside of what the step's layer can be. */
void recipe_check_bound(struct recipe_reading *r, struct yaml_node *at, const char *key, double bound,
                        const struct recipe_step *step, const char *layer, const char *unit);
/* Notes a step whose range is hardly any of what its layer can be: another unit than the layer's is likely.
 */
void recipe_check_width(struct recipe_reading *r, const struct yaml_node *at, const char *key,
                        const struct recipe_step *step, const char *layer, const char *unit);
/* A range of directions, low to high clockwise, with shoulders. */
void recipe_set_circular(struct recipe_step *step, double low, double high, const double soft[2]);

#endif
