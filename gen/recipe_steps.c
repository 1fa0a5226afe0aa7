#include "gen/recipe_steps.h"

#include "gen/recipe_bounds.h"
#include "gen/recipe_layers.h"
#include "gen/recipe_named_ramps.h"
#include "gen/recipe_names.h"

enum { STEPS_MAX = 65536 };

static void read_common(struct recipe_reading *r, struct yaml_node *map, struct recipe_step *step,
                        bool first) {
    double floor_value = 0.0, weight = 1.0, amount = 0.5;
    int32_t combine = COMBINE_MULTIPLY;
    yaml_get_f64(map, "floor", 0.0, 1.0, "", &floor_value, r->report);
    yaml_get_f64(map, "weight", 0.0, 1000.0, "", &weight, r->report);
    yaml_get_bool(map, "invert", &step->invert, r->report);
    bool combined = yaml_get_enum(map, "combine", recipe_combine_names, COMBINE_COUNT, &combine, r->report);
    if (combined && first && combine != COMBINE_REPLACE)
        yaml_warn(yaml_get(map, "combine"), r->report,
                  "the first step has nothing below it: 'combine: %s' does nothing",
                  recipe_combine_names[combine]);
    if (yaml_get_f64(map, "amount", 0.0, 1.0, "", &amount, r->report) && combine != COMBINE_MIX)
        yaml_complain(yaml_get(map, "amount"), r->report, "'amount' is for 'combine: mix'");
    step->floor = (float)floor_value;
    step->weight = (float)weight;
    step->amount = (float)amount;
    step->combine = (enum recipe_combine)combine;
}

static struct yaml_node *named_stack(struct recipe_reading *r, struct yaml_node *map) {
    const char *name;
    if (!yaml_get_text(map, "stack", &name, r->report))
        return NULL;
    struct yaml_node *list = yaml_get(r->stacks, name);
    if (list && list->kind == YAML_LIST)
        return list;
    if (!list) /* another kind is reported where the stacks are read */
        recipe_miss_named(r, yaml_get(map, "stack"), "stack", r->stacks, name);
    return NULL;
}

/* A named stack was checked where it stands (recipe_check_stacks): its mistakes are not told at each use. */
static void read_inner(struct recipe_reading *r, struct yaml_node *list, int32_t depth, bool quietly) {
    struct report quiet = {0}, *report = r->report;
    if (quietly)
        r->report = &quiet;
    recipe_read_steps(r, list, depth);
    r->report = report;
    report_free(&quiet);
}

/* Reads one step at recipe->steps[at], children behind it. */
static void read_step(struct recipe_reading *r, struct yaml_node *map, int32_t at, bool first,
                      int32_t depth) {
    struct recipe_step step = {.file = recipe_file(r, map),
                               .line = map->line,
                               .column = map->column,
                               .end = at + 1,
                               .layer = -1,
                               .layer_min = 1,
                               .layer_max = -1};
    struct yaml_node *layer = yaml_get(map, "layer"), *value = yaml_get(map, "value");
    struct yaml_node *group = yaml_get(map, "group"), *stack = yaml_get(map, "stack");
    if ((layer != NULL) + (value != NULL) + (group != NULL) + (stack != NULL) != 1) {
        yaml_complain(map, r->report, "a step has one of 'layer', 'value', 'group' and 'stack'");
        return;
    }
    const char *name = "the group", *unit = "";
    double number = 0.0;
    bool found = false;
    struct yaml_node *inner = NULL;
    step.kind = layer ? STEP_LAYER : value ? STEP_VALUE : STEP_GROUP;
    if (value && yaml_get(map, "ramp"))
        yaml_complain(yaml_get(map, "ramp"), r->report, "'ramp' is for what is read: a value needs none");
    else
        recipe_use_ramp(r, map);
    if (layer && yaml_get_text(map, "layer", &name, r->report))
        found = recipe_find_layer(r, layer, name, &step, &unit);
    if (value)
        yaml_get_f64(map, "value", -1000.0, 1000.0, "", &number, r->report);
    step.value = (float)number;
    if (group)
        inner = yaml_get_list(map, "group", r->report);
    if (stack)
        inner = named_stack(r, map);
    if (!value)
        recipe_read_bounds(r, map, &step, name, unit);
    read_common(r, map, &step, first);
    if (found && !step.ranged && !recipe_layer_known(&step))
        yaml_complain(layer, r->report,
                      "what %s can be is not known beforehand: give a 'range', 'over' or 'under'", name);
    yaml_unknown_keys(map, "a step", r->report);
    r->recipe->steps[at] = step;
    if (inner && depth >= RECIPE_DEPTH_MAX)
        yaml_complain(map, r->loud, "groups and stacks nest more than %d deep", (int)RECIPE_DEPTH_MAX);
    else if (inner)
        read_inner(r, inner, depth + 1, stack != NULL);
    r->recipe->steps[at].end = r->recipe->step_count;
}

int32_t recipe_new_step(struct recipe_reading *r) {
    struct recipe *recipe = r->recipe;
    if (!recipe_grow(r, (void **)&recipe->steps, &r->step_room, (size_t)recipe->step_count,
                     sizeof *recipe->steps))
        return -1;
    int32_t at = recipe->step_count++;
    recipe->steps[at] = (struct recipe_step){.kind = STEP_VALUE, .end = at + 1};
    return at;
}

void recipe_read_steps(struct recipe_reading *r, struct yaml_node *list, int32_t depth) {
    struct recipe *recipe = r->recipe;
    if (list->count == 0)
        yaml_complain(list, r->report, "a stack needs at least one step");
    for (size_t i = 0; i < list->count && !r->stopped; i++) {
        struct yaml_node *map = list->items[i];
        if (map->kind != YAML_MAP) {
            yaml_complain(map, r->report, "a step is a map, as in {layer: slope, under: 35}");
            continue;
        }
        if (recipe->step_count >= STEPS_MAX) {
            recipe_stop(r, map, "more than 65536 steps (named stacks count each time they are used)");
            return;
        }
        int32_t at = recipe_new_step(r);
        if (at >= 0)
            read_step(r, map, at, i == 0, depth);
    }
}

void recipe_check_stacks(struct recipe_reading *r) {
    for (size_t i = 0; r->stacks && i < r->stacks->count && !r->stopped; i++) {
        yaml_get(r->stacks, r->stacks->keys[i]->text);
        recipe_check_name(r->stacks->keys[i], "stack", r->stacks->keys[i]->text, r->report);
        if (r->stacks->items[i]->kind == YAML_LIST)
            recipe_read_steps(r, r->stacks->items[i], 0);
        else
            yaml_complain(r->stacks->items[i], r->report, "stack '%s' must be a list of steps",
                          r->stacks->keys[i]->text);
    }
    r->recipe->step_count = 0;
}
