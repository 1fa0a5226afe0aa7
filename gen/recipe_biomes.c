#include "gen/recipe_biomes.h"

#include "gen/recipe_bounds.h"
#include "gen/recipe_layers.h"
#include "gen/recipe_names.h"
#include "gen/recipe_order.h"
#include "gen/recipe_species.h"
#include "gen/recipe_steps.h"
#include "gen/world.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 1e30 /* of bounds */

/* ---- biomes and zones ---- */

/* What a biome and a zone have in common. */
static void read_looks(struct recipe_reading *r, struct yaml_node *map, struct recipe_biome *biome) {
    int64_t id = biome->id, texture = biome->texture_id;
    yaml_get_i64(map, "id", 1, 255, &id, r->report);
    yaml_get_i64(map, "texture_id", 0, 255, &texture, r->report);
    yaml_get_bool(map, "texture_only", &biome->texture_only, r->report);
    recipe_read_color(r, map, biome->color);
    biome->id = (uint8_t)id;
    biome->texture_id = (uint8_t)texture;
}

static void check_unlike(struct recipe_reading *r, struct yaml_node *key, struct yaml_node *map, int32_t b) {
    const struct recipe_biome *biomes = r->recipe->biomes;
    const char *what = biomes[b].parent < 0 ? "biomes" : "biomes or zones";
    for (int32_t k = 0; k < b; k++) {
        if (strcmp(biomes[k].name, biomes[b].name) == 0)
            yaml_complain(key, r->report, "'%s' is the name of a biome or zone already", biomes[b].name);
        if (biomes[k].id == biomes[b].id)
            yaml_complain(map, r->report, "%s '%s' and '%s' both have id %d%s", what, biomes[k].name,
                          biomes[b].name, (int)biomes[b].id,
                          yaml_get(map, "id") ? "" : ", the second by its place: give it an 'id'");
    }
}

static struct recipe_biome *new_biome(struct recipe_reading *r, struct yaml_node *key,
                                      const struct recipe_biome *like) {
    struct recipe *recipe = r->recipe;
    int32_t b = recipe->biome_count;
    if (b >= RECIPE_BIOMES_MAX) {
        recipe_stop(r, key,
                    like->parent < 0 ? "more than 255 biomes" : "more than 255 biomes and zones together");
        return NULL;
    }
    recipe_check_name(key, like->parent < 0 ? "biome" : "zone", key->text, r->report);
    if (strcmp(key->text, "all") == 0)
        yaml_complain(key, r->report, "'all' stands for all biomes: none can have that name");
    recipe->biomes[b] = *like;
    recipe->biomes[b].id = (uint8_t)(b + 1);
    recipe->biomes[b].name = recipe_copy_text(r, key, key->text);
    recipe->biomes[b].file = recipe_file(r, key);
    recipe->biomes[b].line = key->line;
    recipe->biomes[b].column = key->column;
    if (!recipe->biomes[b].name)
        return NULL;
    recipe->biome_count++;
    return &recipe->biomes[b];
}

static void read_biome(struct recipe_reading *r, struct yaml_node *key, struct yaml_node *map) {
    static const struct recipe_biome usual = {
        .parent = -1, .color = {96, 112, 64}, .density_factor = 1, .size_factor = 1, .patch_m = 40};
    struct recipe_biome *biome = new_biome(r, key, &usual);
    double patch_m = 40;
    if (!biome)
        return;
    if (map->kind != YAML_MAP) {
        yaml_complain(map, r->report, "biome '%s' must be a map, as in {id: 1, color: \"#5a6e3c\"}",
                      key->text);
        return;
    }
    read_looks(r, map, biome);
    struct yaml_node *zones = yaml_get_map(map, "zones", r->report);
    if (yaml_get_f64(map, "patch_m", 2.0, 4096.0, "m", &patch_m, r->report) && !zones)
        yaml_complain(yaml_get(map, "patch_m"), r->report,
                      "'patch_m' is how zones share a biome: '%s' has no 'zones'", key->text);
    biome->patch_m = (float)patch_m;
    check_unlike(r, key, map, r->recipe->biome_count - 1);
    yaml_unknown_keys(map, "a biome", r->report);
}

static void read_zone(struct recipe_reading *r, struct yaml_node *key, struct yaml_node *map,
                      int32_t parent) {
    struct recipe_biome like = r->recipe->biomes[parent];
    like.parent = parent;
    like.texture_only = false;
    like.rule_first = like.rule_end = 0;
    struct recipe_biome *zone = new_biome(r, key, &like);
    if (!zone)
        return;
    if (map->kind != YAML_MAP) {
        yaml_complain(map, r->report, "zone '%s' must be a map, as in {rules: [{slope: [0, 35]}]}",
                      key->text);
        return;
    }
    read_looks(r, map, zone);
    yaml_get_bool(map, "alone", &zone->alone, r->report);
    zone->alone |= zone->texture_only;
    yaml_get(map, "rules");
    check_unlike(r, key, map, r->recipe->biome_count - 1);
    yaml_unknown_keys(map, "a zone", r->report);
}

/* A biome's zones as they were written, or NULL. */
static struct yaml_node *zones_of(struct yaml_node *biome) {
    struct yaml_node *zones = biome->kind == YAML_MAP ? yaml_get(biome, "zones") : NULL;
    return zones && zones->kind == YAML_MAP ? zones : NULL;
}

static void read_border(struct recipe_reading *r, struct yaml_node *root) {
    struct yaml_node *map = yaml_get_map(root, "border", r->report);
    double jitter_m = 0, scale_m = 30;
    yaml_get_f64(map, "jitter_m", 0.0, RECIPE_BORDER_MAX_M, "m", &jitter_m, r->report);
    yaml_get_f64(map, "scale_m", 2.0, 4096.0, "m", &scale_m, r->report);
    yaml_unknown_keys(map, "border", r->report);
    r->recipe->border_jitter_m = (float)jitter_m;
    r->recipe->border_scale_m = (float)scale_m;
}

/* A mistake in the mask's legend: at that entry, or, before its file has been read, where the world names it.
 */
static void complain_legend(struct recipe_reading *r, const struct world_mask *paint,
                            const struct legend_entry *entry, const char *message) {
    bool known = entry && paint->legend_file;
    report_add(r->report, REPORT_ERROR, STATUS_INPUT, known ? paint->legend_file : paint->source.yaml_file,
               known ? entry->line : paint->source.line, known ? entry->column : paint->source.column, "%s",
               message);
}

/* What is painted must be named: the colours of biome_paint are biomes or zones. */
static void check_paint(struct recipe_reading *r) {
    const struct world_mask *paint = world_find_mask(r->world, "biome_paint");
    const char *names[RECIPE_BIOMES_MAX];
    char message[1024];
    for (int32_t b = 0; b < r->recipe->biome_count; b++)
        names[b] = r->recipe->biomes[b].name;
    if (paint && !paint->legend && !paint->has_legend)
        complain_legend(r, paint, NULL, "the mask biome_paint needs a legend that names biomes");
    char others[512] = ""; /* that are like no biome's name */
    const struct legend_entry *first = NULL;
    size_t count = 0;
    for (size_t i = 0; paint && i < paint->legend_count; i++) {
        const struct legend_entry *entry = &paint->legend[i];
        bool found = entry->unpainted;
        for (int32_t b = 0; b < r->recipe->biome_count; b++)
            found |= strcmp(names[b], entry->name) == 0;
        if (found)
            continue;
        const char *near = report_suggest(entry->name, names, (size_t)r->recipe->biome_count);
        size_t used = strlen(others);
        snprintf(message, sizeof message,
                 "biome_paint: its legend names '%s', which is no biome of %s: did you mean '%s'?",
                 entry->name, r->recipe->files[0], near ? near : "");
        if (near)
            complain_legend(r, paint, entry, message);
        else if (count++ == 0 || used + strlen(entry->name) + 8 < sizeof others)
            snprintf(others + used, sizeof others - used, "%s'%s'", used ? ", " : "", entry->name);
        first = first || near ? first : entry;
    }
    snprintf(message, sizeof message, "biome_paint: its legend names %s, which %s of %s", others,
             count == 1 ? "is no biome" : "are no biomes", r->recipe->files[0]);
    if (count)
        complain_legend(r, paint, first, message);
}

void recipe_read_biomes(struct recipe_reading *r, struct yaml_node *root) {
    struct recipe *recipe = r->recipe;
    struct yaml_node *map = yaml_get_map(root, "biomes", r->report);
    const char *name;
    read_border(r, root);
    recipe->biomes = calloc(RECIPE_BIOMES_MAX, sizeof *recipe->biomes);
    if (!recipe->biomes) {
        recipe_stop(r, root, "out of memory");
        return;
    }
    if ((!map && !yaml_get(root, "biomes")) || (map && map->count == 0))
        yaml_complain(map ? map : root, r->report, "a recipe needs 'biomes', at least one");
    for (size_t i = 0; map && i < map->count && !r->stopped; i++)
        read_biome(r, map->keys[i], map->items[i]);
    recipe->main_count = recipe->biome_count;
    for (int32_t b = 0; b < recipe->main_count && !r->stopped; b++) {
        struct yaml_node *zones = zones_of(map->items[b]);
        for (size_t z = 0; zones && z < zones->count && !r->stopped; z++)
            read_zone(r, zones->keys[z], zones->items[z], b);
    }
    if (yaml_get_text(root, "default_biome", &name, r->report)) {
        int32_t b = recipe_find_biome(r, yaml_get(root, "default_biome"), name);
        recipe->default_biome = b < 0 ? 0 : b;
    }
    check_paint(r);
}

/* ---- rules ---- */

/* The least float above v, and the largest below it. */
static float just_above(double v) {
    float f = (float)v;
    return (double)f > v ? f : nextafterf(f, HUGE_VALF);
}
static float just_below(double v) {
    float f = (float)v;
    return (double)f < v ? f : nextafterf(f, -HUGE_VALF);
}

/* ">0.4", ">=0.4", "<0.4", "<=0.4". */
static bool read_bound(const struct yaml_node *node, struct recipe_step *step, double *bound) {
    const char *text = node->text;
    bool over = text[0] == '>', under = text[0] == '<', equal = (over || under) && text[1] == '=';
    struct yaml_node number = *node;
    number.quoted = false;
    number.text += (over || under) + equal;
    number.text += strspn(number.text, " ");
    if ((!over && !under) || !yaml_number(&number, bound) || fabs(*bound) > LARGEST)
        return false;
    if (over)
        step->ramp[0] = step->ramp[1] = equal ? (float)*bound : just_above(*bound);
    else
        step->ramp[2] = step->ramp[3] = equal ? (float)*bound : just_below(*bound);
    return true;
}

/* One criterion as a step with hard edges: `slope: [0, 35]`, `flow: ">0.4"`. */
static void read_criterion(struct recipe_reading *r, struct yaml_node *rule, size_t k) {
    struct yaml_node *key = rule->keys[k], *value = rule->items[k];
    const char *name = key->text, *unit = "";
    double range[2], hard[2] = {0, 0}, bound = 0;
    struct recipe_step step = {.kind = STEP_LAYER,
                               .file = recipe_file(r, key),
                               .line = key->line,
                               .column = key->column,
                               .layer = -1,
                               .layer_min = 1,
                               .layer_max = -1,
                               .ranged = true,
                               .ramp = {-HUGE_VALF, -HUGE_VALF, HUGE_VALF, HUGE_VALF},
                               .weight = 1};
    if (recipe_is_written(name)) {
        yaml_complain(key, r->report, "'%s': species stand after zones, so no rule can read what they write",
                      name);
        return;
    }
    if (!recipe_find_layer(r, key, name, &step, &unit))
        return;
    if (value->kind == YAML_LIST) {
        if (!yaml_get_f64_list(rule, name, 2, -LARGEST, LARGEST, unit, range, r->report))
            return;
        recipe_check_bound(r, value, name, range[0], &step, name, unit);
        recipe_check_bound(r, value, name, range[1], &step, name, unit);
        if (range[0] > range[1] && !step.circular)
            yaml_complain(value, r->report, "'%s' begins above its end: %g, %g", name, range[0], range[1]);
        if (step.circular)
            recipe_set_circular(&step, range[0], range[1], hard);
        else {
            step.ramp[0] = step.ramp[1] = (float)range[0];
            step.ramp[2] = step.ramp[3] = (float)range[1];
        }
    } else if (step.circular) {
        yaml_complain(value, r->report, "%s goes round: give both ends, as in [315, 45]", name);
    } else if (value->kind != YAML_SCALAR || !read_bound(value, &step, &bound)) {
        yaml_complain(value, r->report,
                      "'%s' must be a range [from, to] or a bound in quotes, \">0.4\" (or >=, <, <=)", name);
    } else {
        recipe_check_bound(r, value, name, bound, &step, name, unit);
    }
    recipe_check_width(r, value, name, &step, name, unit);
    int32_t at = recipe_new_step(r);
    if (at < 0)
        return;
    step.end = at + 1;
    r->recipe->steps[at] = step;
}

static void read_rule(struct recipe_reading *r, struct yaml_node *map, int32_t zone, size_t *room) {
    struct recipe *recipe = r->recipe;
    double weight = 0;
    if (map->kind != YAML_MAP) {
        yaml_complain(map, r->report, "a rule is a map of criteria, as in {slope: [0, 35], flow: \">0.4\"}");
        return;
    }
    if (recipe->rule_count >= RECIPE_RULES_MAX) {
        recipe_stop(r, map, "more than 1024 rules of zones");
        return;
    }
    if (!recipe_grow(r, (void **)&recipe->rules, room, (size_t)recipe->rule_count, sizeof *recipe->rules))
        return;
    struct recipe_rule rule = {.zone = zone,
                               .file = recipe_file(r, map),
                               .line = map->line,
                               .column = map->column,
                               .step_first = recipe->step_count};
    yaml_get_f64(map, "weight", -1000.0, 1000.0, "", &weight, r->report);
    for (size_t k = 0; k < map->count && !r->stopped; k++)
        if (strcmp(map->keys[k]->text, "weight") != 0)
            read_criterion(r, map, k);
    rule.step_end = recipe->step_count;
    rule.criteria = rule.step_end - rule.step_first;
    rule.weight = (float)weight;
    recipe->rules[recipe->rule_count++] = rule;
}

static void read_zone_rules(struct recipe_reading *r, struct yaml_node *map, int32_t zone, size_t *room) {
    struct yaml_node *rules = map->kind == YAML_MAP ? yaml_get_list(map, "rules", r->report) : NULL;
    for (size_t i = 0; rules && i < rules->count && !r->stopped; i++)
        read_rule(r, rules->items[i], zone, room);
}

void recipe_read_rules(struct recipe_reading *r, struct yaml_node *root) {
    struct recipe *recipe = r->recipe;
    struct yaml_node *map = yaml_get(root, "biomes");
    size_t room = 0;
    int32_t zone = recipe->main_count;
    for (int32_t b = 0; b < recipe->main_count && !r->stopped; b++) {
        struct yaml_node *zones = zones_of(map->items[b]);
        recipe->biomes[b].rule_first = recipe->rule_count;
        for (size_t z = 0; zones && z < zones->count && !r->stopped; z++)
            read_zone_rules(r, zones->items[z], zone++, &room);
        recipe->biomes[b].rule_end = recipe->rule_count;
    }
}
