#include "gen/recipe_bounds.h"

#include "gen/names.h"
#include "gen/recipe_layers.h"
#include "gen/world.h"
#include "terrain/math.h"
#include <math.h>
#include <string.h>

void recipe_check_bound(struct recipe_reading *r, struct yaml_node *at, const char *key, double bound,
                        const struct recipe_step *step, const char *layer, const char *unit) {
    double low = (double)step->layer_min, high = (double)step->layer_max;
    if (step->circular && bound >= -360.0 && bound <= 360.0)
        return;
    if (recipe_layer_known(step) && (bound < low || bound > high))
        yaml_complain(at, r->report, "'%s' of %g is outside of what %s can be (%g to %g%s%s)%s", key, bound,
                      layer, low, high, unit[0] ? " " : "", unit,
                      high == 1.0 && world_find_mask(r->world, layer) ? "; 255 in the picture is 1" : "");
}

/* Ids are meant one by one; distances and depths within a metre or two. */
static bool narrow_is_usual(const struct recipe_reading *r, const char *layer, const char *unit) {
    const struct layer_info *info = gen_layer_info(r->world, layer);
    return strcmp(unit, "m") == 0 || (info && info->type == LAYER_U8 && info->scale == 1.0);
}

void recipe_check_width(struct recipe_reading *r, const struct yaml_node *at, const char *key,
                        const struct recipe_step *step, const char *layer, const char *unit) {
    double low = (double)step->layer_min, high = (double)step->layer_max;
    double from = math_max((double)step->ramp[0], low), to = math_min((double)step->ramp[3], high);
    bool is_point =
        step->ramp[1] >= step->ramp[2] || (double)step->ramp[1] >= high || (double)step->ramp[2] <= low;
    double share = (to - from) / (high - low);
    if (!recipe_layer_known(step) || step->circular || is_point || !(share < 0.02) ||
        narrow_is_usual(r, layer, unit))
        return;
    yaml_note(at, r->report, "'%s' takes %.2g %% of what %s can be (%g to %g%s%s)%s", key, 100.0 * share,
              layer, low, high, unit[0] ? " " : "", unit,
              strcmp(unit, "degrees") == 0 ? ": degrees, not radians" : "");
}

void recipe_read_soft(struct recipe_reading *r, struct yaml_node *map, double soft[2]) {
    struct yaml_node *node = yaml_get(map, "soft");
    soft[0] = soft[1] = 0.0;
    if (node && node->kind == YAML_LIST)
        yaml_get_f64_list(map, "soft", 2, 0.0, RECIPE_LARGEST, "", soft, r->report);
    else if (yaml_get_f64(map, "soft", 0.0, RECIPE_LARGEST, "", &soft[0], r->report))
        soft[1] = soft[0];
}

void recipe_set_circular(struct recipe_step *step, double low, double high, const double soft[2]) {
    double turn = high - low;
    if (turn < 0.0)
        turn += 360.0;
    double middle = low + 0.5 * turn;
    step->ramp_middle = (float)(middle - 360.0 * floor(middle / 360.0));
    step->ramp[2] = (float)(0.5 * turn);
    step->ramp[3] = (float)(0.5 * turn + soft[1]);
    step->ramp[1] = -step->ramp[2];
    step->ramp[0] = -step->ramp[3];
}

void recipe_read_bounds(struct recipe_reading *r, struct yaml_node *map, struct recipe_step *step,
                        const char *layer, const char *unit) {
    double range[2] = {-HUGE_VAL, HUGE_VAL}, soft[2];
    struct yaml_node *both = yaml_get(map, "range"), *over = yaml_get(map, "over"),
                     *under = yaml_get(map, "under");
    recipe_read_soft(r, map, soft);
    if (both && (over || under))
        yaml_complain(both, r->report, "'range' says both ends: leave out 'over' and 'under'");
    if (both) {
        if (!yaml_get_f64_list(map, "range", 2, -RECIPE_LARGEST, RECIPE_LARGEST, unit, range, r->report))
            return;
        recipe_check_bound(r, both, "range", range[0], step, layer, unit);
        recipe_check_bound(r, both, "range", range[1], step, layer, unit);
        if (range[0] > range[1] && !step->circular)
            yaml_complain(both, r->report, "'range' begins above its end: %g, %g", range[0], range[1]);
    }
    if (yaml_get_f64(map, "over", -RECIPE_LARGEST, RECIPE_LARGEST, unit, &range[0], r->report))
        recipe_check_bound(r, over, "over", range[0], step, layer, unit);
    if (yaml_get_f64(map, "under", -RECIPE_LARGEST, RECIPE_LARGEST, unit, &range[1], r->report))
        recipe_check_bound(r, under, "under", range[1], step, layer, unit);
    if (over && under && range[0] > range[1])
        yaml_complain(over, r->report, "'over' is above 'under': %g, %g", range[0], range[1]);
    step->ranged = both || over || under;
    if (!step->ranged && yaml_get(map, "soft"))
        yaml_complain(yaml_get(map, "soft"), r->report, "'soft' needs 'range', 'over' or 'under'");
    if (step->circular && step->ranged && !both)
        yaml_complain(map, r->report, "%s goes round: give both ends by 'range', as in [315, 45]", layer);
    if (step->circular && both) {
        recipe_set_circular(step, range[0], range[1], soft);
        return;
    }
    step->ramp[0] = (float)(range[0] - soft[0]);
    step->ramp[1] = (float)range[0];
    step->ramp[2] = (float)range[1];
    step->ramp[3] = (float)(range[1] + soft[1]);
    if (step->ranged)
        recipe_check_width(r,
                           both   ? both
                           : over ? over
                                  : under,
                           both   ? "range"
                           : over ? "over"
                                  : "under",
                           step, layer, unit);
}
