#include "gen/recipe_steps.h"

#include "gen/names.h"
#include "gen/recipe_missing.h"
#include "gen/recipe_names.h"
#include "gen/recipe_ramp.h"

#include "gen/world.h"
#include "terrain/math.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 65536 };
#define LARGEST 1e30 /* of bounds and shoulders */

void recipe_stop(struct recipe_reading *r, const struct yaml_node *at, const char *why) {
    if (!r->stopped)
        report_add(r->loud, REPORT_ERROR, STATUS_LIMIT, at->file, at->line, at->column, "%s", why);
    r->stopped = true;
}

bool recipe_grow(struct recipe_reading *r, void **items, size_t *room, size_t count, size_t size) {
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 16;
    void *grown = realloc(*items, more * size);
    if (!grown) {
        if (!r->stopped)
            report_add(r->loud, REPORT_ERROR, STATUS_LIMIT, r->recipe->files[0], 0, 0, "out of memory");
        r->stopped = true;
        return false;
    }
    *items = grown;
    *room = more;
    return true;
}

int32_t recipe_file(struct recipe_reading *r, const struct yaml_node *node) {
    struct recipe *recipe = r->recipe;
    for (int32_t f = recipe->file_count; f-- > 0;)
        if (strcmp(recipe->files[f], node->file) == 0)
            return f;
    if (!recipe_grow(r, (void **)&recipe->files, &r->file_room, (size_t)recipe->file_count, sizeof(char *)))
        return 0;
    char *copy = strdup(node->file);
    if (!copy) {
        recipe_stop(r, node, "out of memory");
        return 0;
    }
    recipe->files[recipe->file_count] = copy;
    return recipe->file_count++;
}

/* ---- layers ---- */

static bool is_word(const char *name, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

/* Made from what grows: a species cannot read it, other than by the masks that species write. */
static bool is_product(const char *name) {
    static const char *const products[] = {"biome_id",       "zone_id",         "height",
                                           "height_delta",   "texture_id",      "tint",
                                           "imprint_height", "imprint_texture", "imprint_tint"};
    return is_word(name, products, sizeof products / sizeof *products);
}

/* Directions: degrees over the whole turn. */
static bool is_circular(const struct layer_info *info) {
    return info->unit && strcmp(info->unit, "degrees") == 0 && info->max - info->min > 350.0;
}

static bool is_written_mask(const struct recipe *recipe, const char *name) {
    if (strncmp(name, "mask_", 5) != 0)
        return false;
    for (int32_t m = 0; m < recipe->mask_count; m++)
        if (strcmp(recipe->masks[m], name + 5) == 0)
            return true;
    return false;
}

static bool is_age(const struct recipe *recipe, const char *name) {
    for (int32_t i = 0; strncmp(name, "age_", 4) == 0 && i < recipe->species_count; i++)
        if (recipe->species[i].age.max_m > 0.0f && strcmp(recipe->species[i].name, name + 4) == 0)
            return true;
    return false;
}

int32_t recipe_add_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name) {
    struct recipe *recipe = r->recipe;
    for (int32_t l = 0; l < recipe->layer_count; l++)
        if (strcmp(recipe->layers[l], name) == 0)
            return l;
    if (!recipe_grow(r, (void **)&recipe->layers, &r->layer_room, (size_t)recipe->layer_count,
                     sizeof(char *)))
        return -1;
    char *copy = strdup(name);
    if (!copy) {
        recipe_stop(r, at, "out of memory");
        return -1;
    }
    recipe->layers[recipe->layer_count] = copy;
    return recipe->layer_count++;
}

bool recipe_find_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name,
                       struct recipe_step *step, const char **unit) {
    const struct layer_info *info = NULL;
    *unit = "";
    if (is_product(name)) {
        yaml_complain(at, r->report, "'%s' is made from what grows: neither species nor zones can read it",
                      name);
        return false;
    }
    if (is_written_mask(r->recipe, name) || is_age(r->recipe, name)) {
        step->layer_min = 0.0f;
        step->layer_max = 1.0f;
    } else {
        bool of_mask = strncmp(name, "distance.mask_", 14) == 0;
        if (strncmp(name, "mask_", 5) != 0 && (!of_mask || is_written_mask(r->recipe, name + 9)))
            info = gen_layer_info(r->world, name);
        if (!info) {
            recipe_miss_layer(r, at, name);
            return false;
        }
        if (info->type == LAYER_BLOB || info->type == LAYER_RGB8) {
            yaml_complain(at, r->report, "layer '%s' holds no numbers", name);
            return false;
        }
        if (info->like_heights) {
            yaml_complain(at, r->report, "layer '%s' is sampled as the heights are: use 'altitude'", name);
            return false;
        }
        step->layer_min = info->min < info->max ? (float)info->min : 1.0f;
        step->layer_max = info->min < info->max ? (float)info->max : -1.0f;
        *unit = info->unit ? info->unit : "";
    }
    step->circular = info && is_circular(info);
    step->layer = recipe_add_layer(r, at, name);
    return step->layer >= 0;
}

/* ---- ranges ---- */

static bool known(const struct recipe_step *step) {
    return step->kind == STEP_LAYER && step->layer_min <= step->layer_max;
}

void recipe_check_bound(struct recipe_reading *r, struct yaml_node *at, const char *key, double bound,
                        const struct recipe_step *step, const char *layer, const char *unit) {
    double low = (double)step->layer_min, high = (double)step->layer_max;
    if (step->circular && bound >= -360.0 && bound <= 360.0)
        return;
    if (known(step) && (bound < low || bound > high))
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
    if (!known(step) || step->circular || is_point || !(share < 0.02) || narrow_is_usual(r, layer, unit))
        return;
    yaml_note(at, r->report, "'%s' takes %.2g %% of what %s can be (%g to %g%s%s)%s", key, 100.0 * share,
              layer, low, high, unit[0] ? " " : "", unit,
              strcmp(unit, "degrees") == 0 ? ": degrees, not radians" : "");
}

/* Either one number for both shoulders, or [below, above]. */
static void read_soft(struct recipe_reading *r, struct yaml_node *map, double soft[2]) {
    struct yaml_node *node = yaml_get(map, "soft");
    soft[0] = soft[1] = 0.0;
    if (node && node->kind == YAML_LIST)
        yaml_get_f64_list(map, "soft", 2, 0.0, LARGEST, "", soft, r->report);
    else if (yaml_get_f64(map, "soft", 0.0, LARGEST, "", &soft[0], r->report))
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

/* range: [a, b], over: a, under: b; soft shoulders lie outside. */
static void read_range(struct recipe_reading *r, struct yaml_node *map, struct recipe_step *step,
                       const char *layer, const char *unit) {
    double range[2] = {-HUGE_VAL, HUGE_VAL}, soft[2];
    struct yaml_node *both = yaml_get(map, "range"), *over = yaml_get(map, "over"),
                     *under = yaml_get(map, "under");
    read_soft(r, map, soft);
    if (both && (over || under))
        yaml_complain(both, r->report, "'range' says both ends: leave out 'over' and 'under'");
    if (both) {
        if (!yaml_get_f64_list(map, "range", 2, -LARGEST, LARGEST, unit, range, r->report))
            return;
        recipe_check_bound(r, both, "range", range[0], step, layer, unit);
        recipe_check_bound(r, both, "range", range[1], step, layer, unit);
        if (range[0] > range[1] && !step->circular)
            yaml_complain(both, r->report, "'range' begins above its end: %g, %g", range[0], range[1]);
    }
    if (yaml_get_f64(map, "over", -LARGEST, LARGEST, unit, &range[0], r->report))
        recipe_check_bound(r, over, "over", range[0], step, layer, unit);
    if (yaml_get_f64(map, "under", -LARGEST, LARGEST, unit, &range[1], r->report))
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

/* ---- named ramps ---- */

static bool has(const struct yaml_node *map, const char *key) {
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->keys[i]->text, key) == 0)
            return true;
    return false;
}

static bool is_end(const char *key) {
    return strcmp(key, "range") == 0 || strcmp(key, "over") == 0 || strcmp(key, "under") == 0;
}

static bool is_of_ramp(const char *key) {
    static const char *const keys[] = {"soft", "invert", "floor", "weight"};
    return is_end(key) || is_word(key, keys, sizeof keys / sizeof *keys);
}

static void complain_ramp(struct recipe_reading *r, const struct yaml_node *at, const char *name) {
    size_t count = r->ramps ? r->ramps->count : 0;
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = r->ramps->keys[i]->text;
    const char *near = names ? report_suggest(name, names, count) : NULL;
    if (near)
        yaml_complain(at, r->report, "unknown ramp '%s': did you mean '%s'?", name, near);
    else
        yaml_complain(at, r->report, "unknown ramp '%s': 'ramps' has none of that name", name);
    free(names);
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
        complain_ramp(r, at, name);
    else if (ramp->kind != kind)
        yaml_complain(at, r->report, "ramp '%s' is %s: here it must be %s", name,
                      kind == YAML_MAP ? "a list of points" : "a range for steps",
                      kind == YAML_MAP ? "a range, as in {range: [0, 30], soft: 10}"
                                       : "points, as in [[0, 0], [1, 1]]");
    return ramp && ramp->kind == kind ? ramp : NULL;
}

/* `ramp: NAME` gives the step the ramp's keys that it does not have itself; of range, over and under those
 * of one place only. */
static void use_ramp(struct recipe_reading *r, struct yaml_node *map) {
    const char *name;
    if (!yaml_get_text(map, "ramp", &name, r->report))
        return;
    const struct yaml_node *ramp = recipe_find_ramp(r, yaml_get(map, "ramp"), name, YAML_MAP);
    if (!ramp)
        return;
    bool own_ends = has(map, "range") || has(map, "over") || has(map, "under");
    for (size_t i = 0; i < ramp->count; i++) {
        const char *key = ramp->keys[i]->text;
        if (!is_of_ramp(key) || has(map, key) || (own_ends && is_end(key)))
            continue;
        struct yaml_node *new_key = yaml_copy(ramp->keys[i], &r->copies_left);
        struct yaml_node *item = new_key ? yaml_copy(ramp->items[i], &r->copies_left) : NULL;
        if (!yaml_add(map, new_key, item))
            recipe_stop(r, map, "ramps are used too often, or there is no memory for them");
    }
}

/* ---- steps ---- */

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
    const char *near = NULL;
    if (r->stacks) {
        const char **names = calloc(r->stacks->count + 1, sizeof *names);
        for (size_t i = 0; names && i < r->stacks->count; i++)
            names[i] = r->stacks->keys[i]->text;
        near = names ? report_suggest(name, names, r->stacks->count) : NULL;
        free(names);
    }
    if (list)
        return NULL; /* reported where the stacks are read */
    if (near)
        yaml_complain(yaml_get(map, "stack"), r->report, "unknown stack '%s': did you mean '%s'?", name,
                      near);
    else
        yaml_complain(yaml_get(map, "stack"), r->report, "unknown stack '%s': 'stacks' has none of that name",
                      name);
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
        use_ramp(r, map);
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
        read_range(r, map, &step, name, unit);
    read_common(r, map, &step, first);
    if (found && !step.ranged && !known(&step))
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

static void check_range_ramp(struct recipe_reading *r, struct yaml_node *map) {
    struct recipe_step step = {.layer = -1, .layer_min = 1, .layer_max = -1};
    double number, over, under, soft[2];
    step.circular = true; /* it may be for directions, which go round: nothing is said of its ends */
    if (has(map, "range"))
        read_range(r, map, &step, "", "");
    else
        read_soft(r, map, soft);
    bool from = yaml_get_f64(map, "over", -LARGEST, LARGEST, "", &over, r->report);
    if (yaml_get_f64(map, "under", -LARGEST, LARGEST, "", &under, r->report) && from && over > under)
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
