/* Owns the reading of ramps by points, for gen/recipe_*.c alone. */
#ifndef GEN_RECIPE_RAMP_H
#define GEN_RECIPE_RAMP_H
#include "biome/ramp.h"
#include "gen/recipe_reading.h"

/* What a ramp's points may be. */
struct recipe_ramp_limits {
    double x_low, x_high, y_low, y_high;
    const char *unit; /* of x */
    bool pair;        /* [from, full] may stand for [[from, 0], [full, 1]] */
};
/* A map's list of points, its own or that of `ramps` which it names. NULL: not there, or wrong (reported). */
struct yaml_node *recipe_get_points(struct recipe_reading *r, struct yaml_node *map, const char *key);
/* `key: [[x, y], ...]` of a map, or a name from `ramps`: 2 to RAMP_POINTS_MAX points, x rising. False: not
 * there, or wrong (reported); ramp is left as it was. */
bool recipe_read_ramp(struct recipe_reading *r, struct yaml_node *map, const char *key,
                      const struct recipe_ramp_limits *limits, struct biome_ramp *ramp);
/* Reports what is wrong with a named list of points, whoever uses it: numbers or colours over a rising x. */
void recipe_check_points(struct recipe_reading *r, const struct yaml_node *list, const char *name);

#endif
