#include "gen/recipe_looks.h"

#include "gen/recipe_ramp.h"
#include "gen/recipe_species.h"
#include <math.h>

/* Radii are measured from the place before the offset: sideways a quarter of the own one at most, so that
 * rivals of a tier keep half of their distance. */
static void read_offset(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    double at[3], jitter[3], most = RECIPE_OFFSET_MAX_M;
    bool moved = yaml_get_f64_list(map, "offset_m", 3, -most, most, "m", at, r->report);
    bool drawn = yaml_get_f64_list(map, "offset_jitter_m", 3, 0.0, most, "m", jitter, r->report);
    for (int i = 0; i < 3; i++) {
        s->offset_m[i] = moved ? (float)at[i] : 0.0f;
        s->offset_jitter_m[i] = drawn ? (float)jitter[i] : 0.0f;
    }
    double x = fabs((double)s->offset_m[0]) + (double)s->offset_jitter_m[0];
    double y = fabs((double)s->offset_m[1]) + (double)s->offset_jitter_m[1];
    double far = sqrt(x * x + y * y);
    double allowed = 0.25 * (double)s->viability_radius_m * (1.0 - (double)s->radius_spread);
    if (far > allowed * 1.000001)
        yaml_complain(
            yaml_get(map, moved ? "offset_m" : "offset_jitter_m"), r->report,
            "'%s' can be moved by %g m over the ground; at most %g m are possible, a quarter of the least "
            "distance to its rivals (viability_radius_m x (1 - radius_spread))",
            s->name, (double)(float)far, (double)(float)allowed);
}

void recipe_read_turn(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    static const char *const forwards[] = {"north", "downslope", "wind", "random"};
    int32_t forward = FORWARD_NORTH;
    yaml_get_enum(map, "forward", forwards, 4, &forward, r->report);
    s->forward = (enum recipe_forward)forward;
    s->yaw_jitter_deg = 180.0f;
    recipe_read_f32(r, map, "yaw_deg", -360.0, 360.0, "degrees", &s->yaw_deg);
    recipe_read_f32(r, map, "yaw_jitter_deg", 0.0, 180.0, "degrees", &s->yaw_jitter_deg);
    recipe_read_f32(r, map, "lean_deg", -90.0, 90.0, "degrees", &s->lean_deg);
    recipe_read_f32(r, map, "lean_jitter_deg", 0.0, 90.0, "degrees", &s->lean_jitter_deg);
    recipe_read_f32(r, map, "roll_deg", -180.0, 180.0, "degrees", &s->roll_deg);
    recipe_read_f32(r, map, "roll_jitter_deg", 0.0, 180.0, "degrees", &s->roll_jitter_deg);
    recipe_read_f32(r, map, "align", 0.0, 1.0, "", &s->align);
    read_offset(r, map, s);
}

static bool read_stop(struct recipe_reading *r, struct yaml_node *stop, struct recipe_tint *tint, int32_t i) {
    double x;
    if (stop->kind != YAML_LIST || stop->count != 2) {
        yaml_complain(stop, r->report, "a colour of 'tint' is [x, \"#rrggbb\"], as in [0.5, \"#6b7a3a\"]");
        return false;
    }
    if (!yaml_as_f64(stop->items[0], "colors", -10000.0, 10000.0, "", &x, r->report) ||
        !recipe_as_color(r, stop->items[1], "colors", tint->rgb[i]))
        return false;
    float last = i > 0 ? tint->x[i - 1] : (float)x;
    tint->x[i] = (float)x;
    if (tint->x[i] < last)
        yaml_complain(stop, r->report, "colours of 'tint' out of order: %g follows %g", x, (double)last);
    return tint->x[i] >= last;
}

static void read_stops(struct recipe_reading *r, struct yaml_node *map, struct recipe_tint *tint) {
    struct yaml_node *list = recipe_get_points(r, map, "colors");
    if (!list) {
        if (!yaml_get(map, "colors"))
            yaml_complain(map, r->report,
                          "'tint' needs 'colors', as in [[0, \"#4a5a2c\"], [1, \"#7d9440\"]]");
        return;
    }
    if (list->count < 2 || list->count > RAMP_POINTS_MAX) {
        yaml_complain(list, r->report, "'colors' holds 2 to %d colours", (int)RAMP_POINTS_MAX);
        return;
    }
    for (size_t i = 0; i < list->count; i++)
        if (!read_stop(r, list->items[i], tint, (int32_t)i))
            return;
    tint->count = (int32_t)list->count;
}

void recipe_read_tint(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    static const char *const overs[] = {"viability", "age", "height"};
    struct yaml_node *tint = yaml_get_map(map, "tint", r->report);
    int32_t over = TINT_VIABILITY;
    recipe_read_color(r, map, s->color);
    s->color_jitter = 0.12f;
    recipe_read_f32(r, map, "color_jitter", 0.0, 1.0, "", &s->color_jitter);
    if (!tint)
        return;
    read_stops(r, tint, &s->tint);
    recipe_read_f32(r, tint, "jitter", 0.0, 10000.0, "", &s->tint.jitter);
    bool given = yaml_get_enum(tint, "over", overs, 3, &over, r->report);
    s->tint.over = (enum recipe_tint_over)over;
    if (given && over == TINT_AGE && s->age.max_m <= 0.0f && !r->partial)
        yaml_complain(yaml_get(tint, "over"), r->report, "a tint over age needs an 'age'");
    if (yaml_get(tint, "stack")) { /* its steps are read with the other stacks */
        s->tint.over = TINT_STACK;
        if (given)
            yaml_complain(yaml_get(tint, "over"), r->report,
                          "a tint goes by 'over' or by its 'stack', not by both");
    }
    yaml_unknown_keys(tint, "'tint'", r->report);
}
