#include "gen/recipe_species.h"

#include "gen/hex_color.h"
#include "gen/recipe_age.h"
#include "gen/recipe_looks.h"
#include "gen/recipe_names.h"
#include "gen/recipe_sizes.h"
#include "gen/recipe_steps.h"
#include "gen/recipe_writes.h"
#include "terrain/hash.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRIORITY_MAX = 1000000 };

/* ---- small readers ---- */

char *recipe_copy_text(struct recipe_reading *r, const struct yaml_node *at, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        recipe_stop(r, at, "out of memory");
    return copy;
}

void recipe_read_f32(struct recipe_reading *r, struct yaml_node *map, const char *key, double min, double max,
                     const char *unit, float *out) {
    double v;
    if (yaml_get_f64(map, key, min, max, unit, &v, r->report))
        *out = (float)v;
}

bool recipe_as_color(struct recipe_reading *r, const struct yaml_node *node, const char *name,
                     uint8_t out[3]) {
    const char *text = "", *quote = "'";
    if (node->kind != YAML_SCALAR) {
        text = yaml_kind_name(node);
        quote = "";
    } else if (!yaml_as_text(node, name, &text, r->report)) {
        return false;
    }
    if (node->kind == YAML_SCALAR && hex_color(text, out))
        return true;
    yaml_complain(node, r->report,
                  "'%s' must be in quotes and look like \"#3a5f2b\" (red, green, blue), not %s%s%s", name,
                  quote, text, quote);
    return false;
}

void recipe_read_color(struct recipe_reading *r, struct yaml_node *map, uint8_t out[3]) {
    struct yaml_node *node = yaml_get(map, "color");
    if (node)
        recipe_as_color(r, node, "color", out);
}

static int32_t biome_index(const struct recipe *recipe, const char *name) {
    for (int32_t b = 0; b < recipe->biome_count; b++)
        if (strcmp(recipe->biomes[b].name, name) == 0)
            return b;
    return -1;
}

/* The name of the biome or zone with that id; NULL: none has it. */
static const char *id_of(const struct recipe *recipe, int64_t id) {
    for (int32_t b = 0; b < recipe->biome_count; b++)
        if (recipe->biomes[b].id == id)
            return recipe->biomes[b].name;
    return NULL;
}

int32_t recipe_find_biome(struct recipe_reading *r, const struct yaml_node *at, const char *name) {
    const char *names[RECIPE_BIOMES_MAX];
    int32_t b = biome_index(r->recipe, name);
    if (b >= 0)
        return b;
    for (int32_t k = 0; k < r->recipe->biome_count; k++)
        names[k] = r->recipe->biomes[k].name;
    const char *near = report_suggest(name, names, (size_t)r->recipe->biome_count);
    int64_t id;
    struct report quiet = {0};
    bool is_id = yaml_as_i64(at, "", 1, 255, &id, &quiet) && id_of(r->recipe, id);
    report_free(&quiet);
    if (near)
        yaml_complain(at, r->report, "unknown biome '%s': did you mean '%s'?", name, near);
    else if (is_id)
        yaml_complain(at, r->report, "unknown biome '%s': biomes are named, and this is the id of '%s'", name,
                      id_of(r->recipe, id));
    else if (strchr(name, ','))
        yaml_complain(at, r->report, "unknown biome '%s': several names are a list, [%s]", name, name);
    else
        yaml_complain(at, r->report, "unknown biome '%s'", name);
    return -1;
}

/* ---- where it lives ---- */

static void set_home(struct recipe_species *s, int32_t b) {
    s->biomes[b >> 6] |= (uint64_t)1 << (b & 63);
}

/* A main biome's name stands for its zones as well, but for those that stand alone. */
static void live_in(struct recipe_reading *r, const struct yaml_node *node, struct recipe_species *s) {
    const char *name;
    if (!yaml_as_text(node, "biomes", &name, r->report))
        return;
    int32_t b = recipe_find_biome(r, node, name);
    if (b < 0)
        return;
    const struct recipe_biome *biomes = r->recipe->biomes;
    if (biomes[b].texture_only)
        yaml_complain(node, r->report, "'%s' is texture only: nothing lives there", name);
    set_home(s, b);
    for (int32_t z = r->recipe->main_count; z < r->recipe->biome_count; z++)
        if (biomes[z].parent == b && !biomes[z].alone)
            set_home(s, z);
}

/* biomes: all, one name, or a list of names. */
static void read_homes(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    struct yaml_node *node = yaml_get(map, "biomes");
    if (!node && r->partial)
        return;
    if (!node) {
        yaml_complain(map, r->report, "species '%s' needs 'biomes': where it lives, names or 'all'", s->name);
    } else if (node->kind == YAML_LIST) {
        for (size_t i = 0; i < node->count; i++)
            live_in(r, node->items[i], s);
        if (node->count == 0)
            yaml_complain(node, r->report, "'biomes' names none");
    } else if (node->kind == YAML_SCALAR && strcmp(node->text, "all") == 0) {
        for (int32_t b = 0; b < r->recipe->biome_count; b++)
            if (!r->recipe->biomes[b].texture_only && !r->recipe->biomes[b].alone)
                set_home(s, b);
    } else {
        live_in(r, node, s);
    }
}

/* ---- what species do to each other and to masks ---- */

/* Only a distance makes species of a priority keep apart, and lower ones clear of them. */
static bool is_zero(struct recipe_reading *r, struct yaml_node *map, const char *key,
                    const struct recipe_species *s, const char *why) {
    struct yaml_node *node = yaml_get(map, key);
    double v;
    if (!node || !yaml_number(node, &v) || v != 0.0)
        return false;
    yaml_complain(node, r->report, "'%s' is 0, but '%s' has priority %d: %s", key, s->name, (int)s->priority,
                  why);
    return true;
}

static void read_radii(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    s->viability_radius_m = 1.0f;
    if (!yaml_get(map, "viability_radius_m") && !r->partial)
        yaml_complain(map, r->report, "species '%s' needs 'viability_radius_m'", s->name);
    if (!is_zero(r, map, "viability_radius_m", s,
                 "two of it would stand at one place; it may be 0.1 to 50 m"))
        recipe_read_f32(r, map, "viability_radius_m", 0.1, 50.0, "m", &s->viability_radius_m);
    s->priority_radius_m = 0.6f * s->viability_radius_m;
    if (!is_zero(r, map, "priority_radius_m", s,
                 "nothing would keep clear of it; it may be 0.01 to 50 m, and lower ones that need not may "
                 "say 'heeds: none'"))
        recipe_read_f32(r, map, "priority_radius_m", 0.01, 50.0, "m", &s->priority_radius_m);
    s->trunk_radius_m = -1.0f;
    recipe_read_f32(r, map, "trunk_radius_m", 0.0, 20.0, "m", &s->trunk_radius_m);
    s->crown_radius_m = s->priority_radius_m;
    recipe_read_f32(r, map, "crown_radius_m", 0.01, 50.0, "m", &s->crown_radius_m);
    s->radius_spread = 0.45f;
    recipe_read_f32(r, map, "radius_spread", 0.0, 0.9, "", &s->radius_spread);
}

static bool read_heed(struct recipe_reading *r, const struct yaml_node *node, struct recipe_heed *heed) {
    static const char *const words[] = {"crown", "trunk", "none"};
    double factor;
    int32_t word;
    if (yaml_number(node, &factor)) {
        if (!yaml_as_f64(node, "heeds", 0.0, 10.0, "", &factor, r->report))
            return false;
        *heed = (struct recipe_heed){HEED_FACTOR, (float)factor};
        return true;
    }
    if (!yaml_as_enum(node, "heeds", words, 3, &word, r->report))
        return false;
    *heed = (struct recipe_heed){word == 0 ? HEED_CROWN : word == 1 ? HEED_TRUNK : HEED_NONE, 1.0f};
    return true;
}

static int32_t tier_of_priority(const struct recipe *recipe, const char *text) {
    char name[32];
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        snprintf(name, sizeof name, "%d", (int)recipe->tiers[t].priority);
        if (strcmp(name, text) == 0)
            return t;
    }
    return -1;
}

/* heeds: crown | trunk | none | factor, or a map from priorities (and `default`) to these. Tiers exist. */
void recipe_read_heeds(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    struct yaml_node *node = yaml_get(map, "heeds");
    s->heed = (struct recipe_heed){HEED_CROWN, 1.0f};
    if (node && node->kind != YAML_MAP)
        read_heed(r, node, &s->heed);
    else if (node && yaml_get(node, "default"))
        read_heed(r, yaml_get(node, "default"), &s->heed);
    for (int32_t t = 0; t < RECIPE_TIERS_MAX; t++)
        s->heeds[t] = s->heed;
    for (size_t i = 0; node && node->kind == YAML_MAP && i < node->count; i++) {
        if (strcmp(node->keys[i]->text, "default") == 0)
            continue;
        int32_t t = tier_of_priority(r->recipe, node->keys[i]->text);
        if (t < 0)
            yaml_complain(node->keys[i], r->report, "no species has priority %s", node->keys[i]->text);
        else if (t >= s->tier)
            yaml_complain(node->keys[i], r->report, "priority %s is not above this species' own (%d)",
                          node->keys[i]->text, (int)s->priority);
        else
            read_heed(r, node->items[i], &s->heeds[t]);
    }
}

/* ---- species ---- */

void recipe_read_species(struct recipe_reading *r, struct yaml_node *key, struct yaml_node *map,
                         double jitter, struct recipe_species *s) {
    const char *kind = "plant";
    int64_t priority = 0;
    int32_t crown = CROWN_BLOB;
    *s = (struct recipe_species){.file = recipe_file(r, key),
                                 .line = key->line,
                                 .salt = hash_name(key->text),
                                 .color = {80, 110, 60},
                                 .density_factor = 1,
                                 .size_factor = 1};
    if (!r->partial)
        recipe_check_name(key, "species", key->text, r->report);
    s->name = recipe_copy_text(r, key, key->text);
    yaml_get(map, "like"); /* gen/recipe_expand.c: here for "did you mean" */
    read_homes(r, map, s);
    if (yaml_get_text(map, "kind", &kind, r->report))
        recipe_check_name(yaml_get(map, "kind"), "kind", kind, r->report);
    s->kind = recipe_copy_text(r, key, kind);
    if (!yaml_get(map, "priority") && !r->partial)
        yaml_complain(map, r->report, "species '%s' needs 'priority'", key->text);
    yaml_get_i64(map, "priority", -PRIORITY_MAX, PRIORITY_MAX, &priority, r->report);
    s->priority = (int32_t)priority;
    read_radii(r, map, s);
    recipe_read_age(r, map, s);
    recipe_read_density(r, map, s);
    recipe_read_sizes(r, map, s);
    s->jitter = (float)jitter;
    recipe_read_f32(r, map, "jitter", 0.0, 10.0, "", &s->jitter);
    if (s->jitter == 0.0f)
        yaml_warn(yaml_get(map, "jitter") ? yaml_get(map, "jitter") : map, r->report,
                  "without 'jitter' chains of rivals run for hundreds of metres and many stay undecided");
    recipe_read_turn(r, map, s);
    recipe_read_tint(r, map, s);
    yaml_get_bool(map, "floats", &s->floats, r->report);
    recipe_read_f32(r, map, "buried", 0.0, 0.9, "", &s->buried);
    yaml_get_enum(map, "crown", recipe_crown_names, CROWN_COUNT, &crown, r->report);
    s->crown = (enum recipe_crown)crown;
    recipe_read_writes(r, map, s);
}

void recipe_read_key(struct recipe_reading *r, struct yaml_node *map, const char *key, int32_t *first,
                     int32_t *end) {
    struct yaml_node *list = yaml_get_list(map, key, r->report);
    *first = r->recipe->step_count;
    if (list)
        recipe_read_steps(r, list, 0);
    *end = r->recipe->step_count;
}

void recipe_read_stack(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    if (!yaml_get(map, "viability") && !r->partial)
        yaml_complain(map, r->report, "species '%s' needs 'viability': a list of steps", s->name);
    recipe_read_key(r, map, "viability", &s->step_first, &s->step_end);
    recipe_read_key(r, map, "density_stack", &s->density_step_first, &s->density_step_end);
    recipe_read_key(r, yaml_get(map, "tint"), "stack", &s->tint.step_first, &s->tint.step_end);
    recipe_read_where(r, map, s);
    recipe_name_age(r, map, s);
}
