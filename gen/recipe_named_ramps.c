#include "gen/recipe_named_ramps.h"

#include "gen/recipe_bounds.h"
#include "gen/recipe_names.h"
#include "gen/recipe_ramp.h"
#include <stdlib.h>
#include <string.h>

static bool is_end(const char *key) {
    return strcmp(key, "range") == 0 || strcmp(key, "over") == 0 || strcmp(key, "under") == 0;
}

static bool is_of_ramp(const char *key) {
    return is_end(key) || strcmp(key, "soft") == 0 || strcmp(key, "invert") == 0 ||
           strcmp(key, "floor") == 0 || strcmp(key, "weight") == 0;
}

static bool is_bad(const struct recipe_reading *r, const struct yaml_node *ramp) {
    for (size_t i = 0; r->bad_ramps && i < r->ramps->count; i++)
        if (r->ramps->items[i] == ramp)
            return r->bad_ramps[i];
    return false;
}

struct yaml_node *recipe_find_ramp(struct recipe_reading *r, const struct yaml_node *at, const char *name,
                                   enum yaml_kind kind) {
    struct yaml_node *ramp = yaml_get(r->ramps, name);
    if (ramp && is_bad(r, ramp))
        return NULL; /* reported where it stands */
    if (!ramp)
        recipe_miss_named(r, at, "ramp", r->ramps, name);
    else if (ramp->kind != kind)
        yaml_complain(at, r->report, "ramp '%s' is %s: here it must be %s", name,
                      kind == YAML_MAP ? "a list of points" : "a range for steps",
                      kind == YAML_MAP ? "a range, as in {range: [0, 30], soft: 10}"
                                       : "points, as in [[0, 0], [1, 1]]");
    return ramp && ramp->kind == kind ? ramp : NULL;
}

void recipe_use_ramp(struct recipe_reading *r, struct yaml_node *map) {
    const char *name;
    if (!yaml_get_text(map, "ramp", &name, r->report))
        return;
    const struct yaml_node *ramp = recipe_find_ramp(r, yaml_get(map, "ramp"), name, YAML_MAP);
    if (!ramp)
        return;
    bool own_ends = yaml_has(map, "range") || yaml_has(map, "over") || yaml_has(map, "under");
    for (size_t i = 0; i < ramp->count; i++) {
        const char *key = ramp->keys[i]->text;
        if (!is_of_ramp(key) || yaml_has(map, key) || (own_ends && is_end(key)))
            continue;
        struct yaml_node *new_key = yaml_copy(ramp->keys[i], &r->copies_left);
        struct yaml_node *item = new_key ? yaml_copy(ramp->items[i], &r->copies_left) : NULL;
        if (!yaml_add(map, new_key, item))
            recipe_stop(r, map, "ramps are used too often, or there is no memory for them");
    }
}

static void check_range_ramp(struct recipe_reading *r, struct yaml_node *map) {
    struct recipe_step step = {.layer = -1, .layer_min = 1, .layer_max = -1};
    double number, over, under, soft[2];
    step.circular = true; /* it may be for directions, which go round: nothing is said of its ends */
    if (yaml_has(map, "range"))
        recipe_read_bounds(r, map, &step, "", "");
    else
        recipe_read_soft(r, map, soft);
    bool from = yaml_get_f64(map, "over", -RECIPE_LARGEST, RECIPE_LARGEST, "", &over, r->report);
    if (yaml_get_f64(map, "under", -RECIPE_LARGEST, RECIPE_LARGEST, "", &under, r->report) && from &&
        over > under)
        yaml_complain(yaml_get(map, "over"), r->report, "'over' is above 'under': %g, %g", over, under);
    yaml_get_f64(map, "floor", 0.0, 1.0, "", &number, r->report);
    yaml_get_f64(map, "weight", 0.0, 1000.0, "", &number, r->report);
    yaml_get_bool(map, "invert", &step.invert, r->report);
    yaml_unknown_keys(map, "a ramp", r->report);
}

void recipe_check_ramps(struct recipe_reading *r) {
    if (!r->ramps)
        return;
    r->bad_ramps = calloc(r->ramps->count + 1, sizeof *r->bad_ramps);
    for (size_t i = 0; i < r->ramps->count && !r->stopped; i++) {
        struct yaml_node *ramp = r->ramps->items[i];
        size_t errors = r->report->errors;
        yaml_get(r->ramps, r->ramps->keys[i]->text);
        recipe_check_name(r->ramps->keys[i], "ramp", r->ramps->keys[i]->text, r->report);
        if (ramp->kind == YAML_LIST)
            recipe_check_points(r, ramp, r->ramps->keys[i]->text);
        else if (ramp->kind == YAML_MAP)
            check_range_ramp(r, ramp);
        else
            yaml_complain(ramp, r->report,
                          "ramp '%s' must be a map, as in {range: [0, 30], soft: 10}, or a list of points",
                          r->ramps->keys[i]->text);
        if (r->bad_ramps)
            r->bad_ramps[i] = r->report->errors > errors;
    }
}
