#include "gen/recipe_nowhere.h"

#include "gen/names.h"
#include "gen/world.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- whose ---- */

static bool is_own_file(const char *file, const char *root) {
    return strcmp(file, root) == 0 || strcmp(file, "--set") == 0;
}

/* Whether the recipe's own file has the key, or one below it; `but` is another matter. */
static bool is_own(const struct yaml_node *key, const struct yaml_node *item, const char *file,
                   const char *but) {
    bool own = key && is_own_file(key->file, file);
    for (size_t i = 0; item->kind == YAML_MAP && i < item->count && !own; i++)
        own = strcmp(item->keys[i]->text, but) != 0 && is_own(item->keys[i], item->items[i], file, "");
    return own;
}

bool *recipe_own_species(struct yaml_node *root) {
    const struct yaml_node *species = yaml_get(root, "species");
    if (!species || species->kind != YAML_MAP)
        return NULL;
    bool *own = calloc(species->count + 1, sizeof *own);
    for (size_t i = 0; own && i < species->count; i++)
        own[i] = is_own(species->keys[i], species->items[i], root->file, "");
    return own;
}

bool recipe_own_rule(const struct recipe_reading *r, const struct recipe_rule *rule) {
    return is_own_file(r->recipe->files[rule->file], r->recipe->files[0]);
}

/* ---- what is told of together ---- */

enum { SPECIES, ZONES, BIOMES, GROUPS };
struct together {
    size_t counts[GROUPS];
    char names[GROUPS][480]; /* ", a, b", cut where it becomes too long */
    size_t left_out[GROUPS];
};

static void add(struct together *all, int group, const char *name) {
    char *names = all->names[group];
    size_t used = strlen(names);
    all->counts[group]++;
    if (all->left_out[group] > 0 || used + strlen(name) + 3 > sizeof all->names[group])
        all->left_out[group]++;
    else
        snprintf(names + used, sizeof all->names[group] - used, "%s%s", used ? ", " : "", name);
}

/* "13 species and 2 zones of included recipes can be nowhere here: species a, b, ...; zones c, d" */
static void note_together(struct recipe_reading *r, const struct yaml_node *root,
                          const struct together *all) {
    static const char *const words[GROUPS][2] = {
        {"species", "species"}, {"zone", "zones"}, {"biome", "biomes"}};
    const struct yaml_node *at = r->include ? r->include : root;
    char counts[96] = "", names[3 * 560] = "";
    int groups = 0, done = 0;
    for (int g = 0; g < GROUPS; g++)
        groups += all->counts[g] > 0;
    for (int g = 0; g < GROUPS; g++) {
        size_t n = all->counts[g], c = strlen(counts), k = strlen(names);
        if (n == 0)
            continue;
        snprintf(counts + c, sizeof counts - c, "%s%zu %s",
                 done == 0            ? ""
                 : done + 1 == groups ? " and "
                                      : ", ",
                 n, words[g][n != 1]);
        snprintf(names + k, sizeof names - k, "%s%s%s%s", done ? "; " : "",
                 groups > 1 ? words[g][n != 1] : "", groups > 1 ? " " : "", all->names[g]);
        if (all->left_out[g])
            snprintf(names + strlen(names), sizeof names - strlen(names), " and %zu more", all->left_out[g]);
        done++;
    }
    if (done)
        report_add(r->report, REPORT_NOTE, STATUS_INPUT, at->file, at->line, at->column,
                   "%s of included recipes can be nowhere here: %s", counts, names);
}

/* ---- species ---- */

static bool lives_in(const struct recipe_species *s, int32_t b) {
    return (s->biomes[b >> 6] >> (b & 63) & 1) != 0;
}

/* Why a species can stand nowhere: the step that is 0 where its biome b is. */
struct obstacle {
    int32_t biome, step; /* -1: none */
    struct biome_interval layer;
};

static void note_obstacle(const struct recipe *recipe, const struct recipe_species *s, int32_t b,
                          const struct biome_interval *layers, struct obstacle *why) {
    if (why->biome >= 0)
        return;
    why->biome = b;
    why->step = recipe_zero_step(recipe, s->step_first, s->step_end, layers);
    if (why->step >= 0 && recipe->steps[why->step].kind == STEP_LAYER)
        why->layer = layers[recipe->steps[why->step].layer];
}

/* Whether ground of biome b can hold the species: a main biome's somewhere, a zone's where its rules hold. */
static bool can_live(const struct recipe_reading *r, const struct recipe_species *s, int32_t b,
                     const struct biome_interval *layers, struct biome_interval *narrow,
                     struct obstacle *why) {
    const struct recipe *recipe = r->recipe;
    const struct recipe_biome *biome = &recipe->biomes[b];
    if (recipe_by_hand(r, b)) {
        bool can = recipe_most(recipe, s->step_first, s->step_end, layers) > 0.0f;
        if (!can)
            note_obstacle(recipe, s, b, layers, why);
        return can;
    }
    if (biome->parent < 0 || !recipe_by_hand(r, biome->parent))
        return false;
    const struct recipe_biome *main_biome = &recipe->biomes[biome->parent];
    for (int32_t k = main_biome->rule_first; k < main_biome->rule_end; k++) {
        if (recipe->rules[k].zone != b || !recipe_narrowed(recipe, &recipe->rules[k], layers, narrow))
            continue;
        if (recipe_most(recipe, s->step_first, s->step_end, narrow) > 0.0f)
            return true;
        note_obstacle(recipe, s, b, narrow, why);
    }
    return false;
}

static void warn_step(struct recipe_reading *r, const struct recipe_species *s, const struct obstacle *why) {
    const struct recipe *recipe = r->recipe;
    const struct recipe_step *step = &recipe->steps[why->step];
    const struct recipe_biome *biome = &recipe->biomes[why->biome];
    char where[160] = "here", what[256];
    if (biome->parent >= 0)
        snprintf(where, sizeof where, "in zone '%.100s'", biome->name);
    if (step->kind == STEP_LAYER && isfinite(why->layer.low) && isfinite(why->layer.high)) {
        const char *layer = recipe->layers[step->layer];
        const struct layer_info *info = gen_layer_info(r->world, layer);
        const char *unit = info && info->unit ? info->unit : "";
        snprintf(what, sizeof what, "%s can be %g to %g%s%s %s, where this step gives 0", layer,
                 (double)why->layer.low, (double)why->layer.high, unit[0] ? " " : "", unit, where);
    } else {
        snprintf(what, sizeof what, "this step brings its viability to 0 everywhere %s", where);
    }
    report_add(r->report, REPORT_WARNING, STATUS_INPUT, recipe->files[step->file], step->line, step->column,
               "species '%s' can stand nowhere in this world: %s", s->name, what);
}

static void warn_species(struct recipe_reading *r, const struct recipe_species *s, struct yaml_node *map,
                         const struct biome_interval *layers, struct biome_interval *narrow,
                         struct together *all) {
    const struct recipe *recipe = r->recipe;
    struct obstacle why = {.biome = -1, .step = -1};
    bool somewhere = false;
    for (int32_t b = 0; b < recipe->biome_count; b++) {
        const struct recipe_biome *biome = &recipe->biomes[b];
        if (!lives_in(s, b))
            continue;
        if (can_live(r, s, b, layers, narrow, &why))
            return;
        somewhere |= recipe_by_hand(r, b) || (biome->parent >= 0 && recipe_by_hand(r, biome->parent));
    }
    const struct yaml_node *homes = yaml_get(map, "biomes");
    if (r->own && !r->own[s - recipe->species])
        add(all, SPECIES, s->name);
    else if (!somewhere)
        yaml_warn(homes ? homes : map, r->report,
                  "species '%s' can stand nowhere: none of its biomes is painted or the default", s->name);
    else if (why.step >= 0)
        warn_step(r, s, &why);
    else
        yaml_warn(homes ? homes : map, r->report,
                  "species '%s' can stand nowhere in this world: no zone where it lives can be anywhere",
                  s->name);
}

/* ---- zones ---- */

static bool can_win(const struct recipe *recipe, const struct recipe_biome *biome, int32_t zone,
                    const struct biome_interval *layers, struct biome_interval *narrow) {
    for (int32_t k = biome->rule_first; k < biome->rule_end; k++)
        if (recipe->rules[k].zone == zone && recipe_narrowed(recipe, &recipe->rules[k], layers, narrow) &&
            !recipe_stronger(recipe, biome, &recipe->rules[k], layers))
            return true;
    return false;
}

static bool has_rules(const struct recipe *recipe, const struct recipe_biome *biome, int32_t zone) {
    for (int32_t k = biome->rule_first; k < biome->rule_end; k++)
        if (recipe->rules[k].zone == zone)
            return true;
    return false;
}

/* Rules of the recipe's own that can never win are told of one by one (gen/recipe_chances.c). */
static void warn_zones(struct recipe_reading *r, struct yaml_node *biome_map, int32_t b,
                       const struct biome_interval *layers, struct biome_interval *narrow,
                       struct together *all) {
    const struct recipe *recipe = r->recipe;
    const struct recipe_biome *biome = &recipe->biomes[b];
    const struct yaml_node *zones = yaml_get(biome_map, "zones");
    for (int32_t z = recipe->main_count; zones && z < recipe->biome_count; z++) {
        const struct recipe_biome *zone = &recipe->biomes[z];
        if (zone->parent != b || recipe_by_hand(r, z) || can_win(recipe, biome, z, layers, narrow))
            continue;
        bool own = true;
        for (size_t i = 0; i < zones->count; i++)
            if (strcmp(zones->keys[i]->text, zone->name) == 0)
                own = is_own(zones->keys[i], zones->items[i], recipe->files[0], "");
        if (!own)
            add(all, ZONES, zone->name);
        else if (!has_rules(recipe, biome, z))
            report_add(r->report, REPORT_WARNING, STATUS_INPUT, recipe->files[zone->file], zone->line,
                       zone->column,
                       "zone '%s' can be nowhere: it has no 'rules', and the legend of biome_paint does not "
                       "name it",
                       zone->name);
    }
}

/* ---- biomes ---- */

/* It, or a zone of it, is painted or the default. */
static bool is_reached(const struct recipe_reading *r, int32_t biome) {
    for (int32_t b = 0; b < r->recipe->biome_count; b++)
        if ((b == biome || r->recipe->biomes[b].parent == biome) && recipe_by_hand(r, b))
            return true;
    return false;
}

/* An included biome whose name is much like that of one of the recipe's own. */
static const char *meant(const struct recipe_reading *r, const struct yaml_node *biomes, const char *name) {
    const char *names[RECIPE_BIOMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < biomes->count && count < RECIPE_BIOMES_MAX; i++)
        if (!is_own_file(biomes->keys[i]->file, r->recipe->files[0]))
            names[count++] = biomes->keys[i]->text;
    return report_suggest(name, names, count);
}

static void warn_biome(struct recipe_reading *r, const struct yaml_node *biomes, size_t i,
                       struct together *all) {
    const struct recipe *recipe = r->recipe;
    const struct yaml_node *key = biomes->keys[i];
    if (!is_own(key, biomes->items[i], recipe->files[0], "zones")) {
        add(all, BIOMES, key->text);
        return;
    }
    const char *near = is_own_file(key->file, recipe->files[0]) ? meant(r, biomes, key->text) : NULL;
    yaml_warn(key, r->report, "biome '%s' is nowhere: it is not the default_biome ('%s'), and %s%s%s%s",
              key->text, recipe->biomes[recipe->default_biome].name,
              world_find_mask(r->world, "biome_paint") ? "the legend of biome_paint does not name it"
                                                       : "the world has no mask biome_paint",
              near ? "; did you mean the included '" : "", near ? near : "", near ? "'?" : "");
}

void recipe_warn_nowhere(struct recipe_reading *r, struct yaml_node *root,
                         const struct biome_interval *layers, struct biome_interval *narrow) {
    const struct recipe *recipe = r->recipe;
    struct yaml_node *biomes = yaml_get(root, "biomes"), *species = yaml_get(root, "species");
    struct together *all = calloc(1, sizeof *all);
    if (!all) {
        recipe_stop(r, root, "out of memory");
        return;
    }
    for (int32_t b = 0; b < recipe->main_count; b++) {
        bool reached = is_reached(r, b);
        if (!reached && world_has_tool(r->world, TOOL_BIOMES))
            warn_biome(r, biomes, (size_t)b, all);
        if (reached || !world_has_tool(r->world, TOOL_BIOMES))
            warn_zones(r, biomes->items[b], b, layers, narrow, all);
    }
    for (int32_t i = 0; i < recipe->species_count; i++)
        warn_species(r, &recipe->species[i], yaml_get(species, recipe->species[i].name), layers, narrow, all);
    note_together(r, root, all);
    free(all);
}
