#include "gen/recipe_ramp.h"

#include "gen/recipe_named_ramps.h"
#include "gen/recipe_species.h"

static bool read_point(struct recipe_reading *r, const struct yaml_node *point, const char *key,
                       const struct recipe_ramp_limits *limits, double *x, double *y) {
    if (point->kind != YAML_LIST || point->count != 2) {
        yaml_complain(point, r->report, "a point of '%s' is [x, y], as in [0.5, 1]", key);
        return false;
    }
    return yaml_as_f64(point->items[0], key, limits->x_low, limits->x_high, limits->unit, x, r->report) &&
           yaml_as_f64(point->items[1], key, limits->y_low, limits->y_high, "", y, r->report);
}

static bool is_pair(const struct yaml_node *list) {
    return list->count == 2 && list->items[0]->kind == YAML_SCALAR && list->items[1]->kind == YAML_SCALAR;
}

static bool read_pair(struct recipe_reading *r, const struct yaml_node *list, const char *key,
                      const struct recipe_ramp_limits *limits, struct biome_ramp *ramp) {
    double x[2];
    for (int i = 0; i < 2; i++)
        if (!yaml_as_f64(list->items[i], key, limits->x_low, limits->x_high, limits->unit, &x[i], r->report))
            return false;
    if (x[0] > x[1]) {
        yaml_complain(list, r->report, "'%s' begins above its end", key);
        return false;
    }
    *ramp = (struct biome_ramp){2, {(float)x[0], (float)x[1]}, {0.0f, 1.0f}};
    return true;
}

struct yaml_node *recipe_get_points(struct recipe_reading *r, struct yaml_node *map, const char *key) {
    struct yaml_node *node = yaml_get(map, key);
    if (!node || node->kind != YAML_SCALAR || yaml_null(node))
        return yaml_get_list(map, key, r->report);
    return recipe_find_ramp(r, node, node->text, YAML_LIST);
}

bool recipe_read_ramp(struct recipe_reading *r, struct yaml_node *map, const char *key,
                      const struct recipe_ramp_limits *limits, struct biome_ramp *ramp) {
    struct yaml_node *list = recipe_get_points(r, map, key);
    if (!list)
        return false;
    if (limits->pair && is_pair(list))
        return read_pair(r, list, key, limits, ramp);
    if (list->count < 2 || list->count > RAMP_POINTS_MAX) {
        yaml_complain(list, r->report, "'%s' holds 2 to %d points, as in [[0, 0], [1, 1]]", key,
                      (int)RAMP_POINTS_MAX);
        return false;
    }
    struct biome_ramp out = {.count = (int32_t)list->count};
    for (int32_t i = 0; i < out.count; i++) {
        double x, y;
        if (!read_point(r, list->items[i], key, limits, &x, &y))
            return false;
        out.x[i] = (float)x;
        out.y[i] = (float)y;
        if (i > 0 && out.x[i] < out.x[i - 1]) {
            yaml_complain(list->items[i], r->report, "points of '%s' out of order: %g follows %g", key, x,
                          (double)out.x[i - 1]);
            return false;
        }
    }
    *ramp = out;
    return true;
}

/* The x of a point of a named ramp; false: reported. */
static bool check_point(struct recipe_reading *r, const struct yaml_node *point, const char *name,
                        bool colours, double *x) {
    uint8_t rgb[3];
    double y;
    if (point->kind != YAML_LIST || point->count != 2) {
        yaml_complain(point, r->report,
                      "a point of ramp '%s' is [x, y], as in [0.5, 1] or [0.5, \"#6b7a3a\"]", name);
        return false;
    }
    if (!yaml_as_f64(point->items[0], name, -10000.0, 10000.0, "", x, r->report))
        return false;
    return colours ? recipe_as_color(r, point->items[1], name, rgb)
                   : yaml_as_f64(point->items[1], name, 0.0, 1.0, "", &y, r->report);
}

static bool is_number(const struct yaml_node *point) {
    double y;
    return point->kind == YAML_LIST && point->count == 2 && yaml_number(point->items[1], &y);
}

void recipe_check_points(struct recipe_reading *r, const struct yaml_node *list, const char *name) {
    static const struct recipe_ramp_limits limits = {-10000.0, 10000.0, 0.0, 1.0, "", true};
    struct biome_ramp ramp;
    double x = 0, last;
    if (is_pair(list)) {
        read_pair(r, list, name, &limits, &ramp);
        return;
    }
    if (list->count < 2 || list->count > RAMP_POINTS_MAX) {
        yaml_complain(list, r->report, "ramp '%s' holds 2 to %d points, as in [[0, 0], [1, 1]]", name,
                      (int)RAMP_POINTS_MAX);
        return;
    }
    bool colours = true; /* unless any is a number */
    for (size_t i = 0; i < list->count; i++)
        colours &= !is_number(list->items[i]);
    for (size_t i = 0; i < list->count; i++) {
        last = x;
        if (!check_point(r, list->items[i], name, colours, &x))
            return;
        if (i > 0 && x < last)
            yaml_complain(list->items[i], r->report, "points of ramp '%s' out of order: %g follows %g", name,
                          x, last);
    }
}
