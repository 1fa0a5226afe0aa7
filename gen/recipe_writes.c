#include "gen/recipe_writes.h"

#include "gen/recipe_layers.h"
#include "gen/recipe_species.h"
#include "gen/recipe_steps.h"

#include <stdio.h>
#include <string.h>

static int32_t add_mask(struct recipe_reading *r, const struct yaml_node *at, const char *name) {
    struct recipe *recipe = r->recipe;
    for (int32_t m = 0; m < recipe->mask_count; m++)
        if (strcmp(recipe->masks[m], name) == 0)
            return m;
    if (recipe->mask_count >= RECIPE_MASKS_MAX) {
        recipe_stop(r, at, "species write more than 32 different masks");
        return -1;
    }
    char *copy = recipe_copy_text(r, at, name);
    if (!copy)
        return -1;
    recipe->masks[recipe->mask_count] = copy;
    return recipe->mask_count++;
}

static bool mask_name_good(const char *name) {
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return name[n] == '\0' && n >= 1 && n <= 48;
}

static bool read_mask(struct recipe_reading *r, struct yaml_node *map, struct recipe_write *w) {
    const char *name;
    bool output;
    yaml_get_bool(map, "output", &output, r->report); /* gen/recipe_chances.c */
    if (!yaml_get_text(map, "mask", &name, r->report))
        return false;
    if (!mask_name_good(name))
        yaml_complain(yaml_get(map, "mask"), r->report,
                      "a mask's name is made of a-z, 0-9 and _, at most 48 of them, not '%s'", name);
    w->mask = add_mask(r, map, name);
    return w->mask >= 0;
}

static bool read_threshold(struct recipe_reading *r, const struct yaml_node *point, struct recipe_write *w) {
    int32_t k = w->texture_count;
    double from;
    int64_t id;
    if (point->kind != YAML_LIST || point->count != 2) {
        yaml_complain(point, r->report, "a texture is [from, id], as in [0.5, 21]");
        return false;
    }
    if (!yaml_as_f64(point->items[0], "textures", 0.0, 1.0, "", &from, r->report) ||
        !yaml_as_i64(point->items[1], "textures", 1, 255, &id, r->report))
        return false;
    if (k > 0 && !((float)from > w->texture_from[k - 1])) {
        yaml_complain(point, r->report, "thresholds of 'textures' must rise: %g follows %g", from,
                      (double)w->texture_from[k - 1]);
        return false;
    }
    w->texture_from[k] = (float)from;
    w->texture_id[k] = (uint8_t)id;
    w->texture_count++;
    return true;
}

static bool read_textures(struct recipe_reading *r, struct yaml_node *map, struct recipe_write *w) {
    struct yaml_node *list = yaml_get_list(map, "textures", r->report);
    if (!list)
        return false;
    if (list->count == 0 || list->count > RECIPE_THRESHOLDS_MAX) {
        yaml_complain(list, r->report, "'textures' holds 1 to %d of [from, id]", (int)RECIPE_THRESHOLDS_MAX);
        return false;
    }
    for (size_t i = 0; i < list->count; i++)
        if (!read_threshold(r, list->items[i], w))
            return false;
    return true;
}

static bool read_what(struct recipe_reading *r, struct yaml_node *map, struct recipe_write *w) {
    static const char *const kinds[] = {"mask", "raise_m", "textures", "tint"};
    int32_t count = 0;
    for (int32_t k = 0; k < 4; k++)
        if (yaml_get(map, kinds[k])) {
            w->kind = (enum recipe_write_kind)k;
            count++;
        }
    if (count != 1) {
        yaml_complain(map, r->report, "one of 'writes' has one of 'mask', 'raise_m', 'textures' and 'tint'");
        return false;
    }
    if (w->kind != WRITE_MASK && yaml_get(map, "output"))
        yaml_complain(yaml_get(map, "output"), r->report, "'output' is for a 'mask'");
    switch (w->kind) {
    case WRITE_MASK:
        return read_mask(r, map, w);
    case WRITE_HEIGHT:
        recipe_read_f32(r, map, "raise_m", -10.0, 10.0, "m", &w->raise_m);
        return true;
    case WRITE_TEXTURE:
        return read_textures(r, map, w);
    case WRITE_TINT:
        break;
    }
    return recipe_as_color(r, yaml_get(map, "tint"), "tint", w->color);
}

static void read_write(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s,
                       int32_t item) {
    struct recipe_write w = {.radius_m = s->crown_radius_m, .item = item};
    if (map->kind != YAML_MAP) {
        yaml_complain(map, r->report, "what a species writes is a map, as in {mask: forest, falloff_m: 2}");
        return;
    }
    bool good = read_what(r, map, &w);
    recipe_read_f32(r, map, "radius_m", 0.0, 50.0, "m", &w.radius_m);
    recipe_read_f32(r, map, "falloff_m", 0.0, 50.0, "m", &w.falloff_m);
    yaml_get(map, "where");
    yaml_get(map, "noise");
    if (yaml_get(map, "noise_amount") && !yaml_get(map, "noise"))
        yaml_complain(yaml_get(map, "noise_amount"), r->report, "'noise_amount' is of a 'noise'");
    yaml_unknown_keys(map, "'writes'", r->report);
    if (!good)
        return;
    if (s->write_count == RECIPE_WRITES_MAX)
        yaml_complain(map, r->report, "a species writes at most %d things", (int)RECIPE_WRITES_MAX);
    else
        s->writes[s->write_count++] = w;
}

void recipe_read_writes(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    struct yaml_node *list = yaml_get_list(map, "writes", r->report);
    for (size_t i = 0; list && i < list->count; i++)
        read_write(r, list->items[i], s, (int32_t)i);
}

/* ---- where ---- */

/* `noise: NAME` as a last step: 1 - amount + amount x noise. */
static void add_noise(struct recipe_reading *r, struct yaml_node *map, bool first) {
    struct recipe_step step = {.kind = STEP_LAYER,
                               .file = recipe_file(r, map),
                               .line = map->line,
                               .column = map->column,
                               .layer = -1,
                               .layer_min = 1,
                               .layer_max = -1,
                               .weight = 1,
                               .combine = first ? COMBINE_REPLACE : COMBINE_MULTIPLY};
    const char *name, *unit;
    char layer[96];
    double amount = 0.5;
    if (!yaml_get_text(map, "noise", &name, r->report))
        return;
    yaml_get_f64(map, "noise_amount", 0.0, 1.0, "", &amount, r->report);
    int n = snprintf(layer, sizeof layer, "noise.%s", name);
    if (n < 0 || n >= (int)sizeof layer) {
        yaml_complain(yaml_get(map, "noise"), r->report, "there is no noise of so long a name");
        return;
    }
    step.floor = (float)(1.0 - amount);
    if (!recipe_find_layer(r, yaml_get(map, "noise"), layer, &step, &unit))
        return;
    int32_t at = recipe_new_step(r);
    if (at < 0)
        return;
    step.end = at + 1;
    r->recipe->steps[at] = step;
}

void recipe_read_where(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    struct yaml_node *list = yaml_get(map, "writes");
    for (int32_t k = 0; k < s->write_count && !r->stopped; k++) {
        struct recipe_write *w = &s->writes[k];
        struct yaml_node *item = list->items[w->item];
        recipe_read_key(r, item, "where", &w->step_first, &w->step_end);
        if (yaml_get(item, "noise"))
            add_noise(r, item, w->step_first == r->recipe->step_count);
        w->step_end = r->recipe->step_count;
    }
}
