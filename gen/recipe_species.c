#include "gen/recipe_species.h"

#include "gen/recipe_age.h"
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

static void read_f32(struct recipe_reading *r, struct yaml_node *map, const char *key, double min, double max,
                     const char *unit, float *out) {
    double v;
    if (yaml_get_f64(map, key, min, max, unit, &v, r->report))
        *out = (float)v;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool parse_color(const char *text, uint8_t out[3]) {
    if (text[0] != '#' || strlen(text) != 7)
        return false;
    for (int i = 0; i < 3; i++) {
        int high = hex_digit(text[1 + 2 * i]), low = hex_digit(text[2 + 2 * i]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}

void recipe_read_color(struct recipe_reading *r, struct yaml_node *map, uint8_t out[3]) {
    const char *text;
    if (yaml_get_text(map, "color", &text, r->report) && !parse_color(text, out))
        yaml_complain(yaml_get(map, "color"), r->report,
                      "'color' must be in quotes and look like \"#3a5f2b\" (red, green, blue), not '%s'",
                      text);
}

static int32_t biome_index(const struct recipe *recipe, const char *name) {
    for (int32_t b = 0; b < recipe->biome_count; b++)
        if (strcmp(recipe->biomes[b].name, name) == 0)
            return b;
    return -1;
}

int32_t recipe_find_biome(struct recipe_reading *r, const struct yaml_node *at, const char *name) {
    const char *names[RECIPE_BIOMES_MAX];
    int32_t b = biome_index(r->recipe, name);
    if (b >= 0)
        return b;
    for (int32_t k = 0; k < r->recipe->biome_count; k++)
        names[k] = r->recipe->biomes[k].name;
    const char *near = report_suggest(name, names, (size_t)r->recipe->biome_count);
    if (near)
        yaml_complain(at, r->report, "unknown biome '%s': did you mean '%s'?", name, near);
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

/* ---- sizes ---- */

static void read_object_id(struct recipe_reading *r, struct yaml_node *map, struct recipe_size *size) {
    int64_t id;
    if (yaml_get_i64(map, "object_id", 1, UINT32_MAX, &id, r->report))
        size->object_id = (uint32_t)id;
    else if (size->asset)
        size->object_id = recipe_object_id(size->asset);
}

static void read_size(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s, int32_t k) {
    struct recipe_size *size = &s->sizes[k];
    const char *asset = s->name;
    double scale[2] = {1.0, 1.0};
    *size = (struct recipe_size){.height_m = 1.0f, .scale = {1.0f, 1.0f}};
    if (map->kind != YAML_MAP) {
        yaml_complain(map, r->report,
                      "a size class is a map, as in {from: 0.5, height_m: 30, asset: spruce_30}");
    } else {
        read_f32(r, map, "from", 0.0, 1000.0, "", &size->from);
        if (!yaml_get(map, "height_m"))
            yaml_complain(map, r->report, "a size class needs 'height_m'");
        read_f32(r, map, "height_m", 0.01, 200.0, "m", &size->height_m);
        yaml_get_text(map, "asset", &asset, r->report);
        if (yaml_get_f64_list(map, "scale", 2, 0.05, 20.0, "", scale, r->report)) {
            size->scale[0] = (float)scale[0];
            size->scale[1] = (float)scale[1];
        } else {
            size->scale[1] = 0.0f; /* to the next class, once it is known */
        }
        yaml_get(map, "object_id");
        yaml_unknown_keys(map, "a size class", r->report);
    }
    size->asset = recipe_copy_text(r, map, asset);
    read_object_id(r, map, size);
}

static void check_order(struct recipe_reading *r, const struct yaml_node *list,
                        const struct recipe_species *s) {
    if (s->sizes[0].from != 0.0f)
        yaml_complain(list->items[0], r->report,
                      "the first size class must begin at viability 0: what would stand below %g?",
                      (double)s->sizes[0].from);
    for (int32_t k = 1; k < s->size_count; k++) {
        const struct recipe_size *a = &s->sizes[k - 1], *b = &s->sizes[k];
        if (!(b->from > a->from))
            yaml_complain(list->items[k], r->report,
                          "size classes out of order: 'from' must rise, %g follows %g", (double)b->from,
                          (double)a->from);
        if (!(b->height_m > a->height_m))
            yaml_complain(list->items[k], r->report,
                          "size classes out of order: 'height_m' must rise with viability, %g follows %g",
                          (double)b->height_m, (double)a->height_m);
    }
}

static void read_size_list(struct recipe_reading *r, struct yaml_node *list, struct recipe_species *s) {
    size_t count = list->count;
    if (count == 0 || count > RECIPE_CLASSES_MAX) {
        yaml_complain(list, r->report, "'sizes' holds 1 to %d classes, not %d", (int)RECIPE_CLASSES_MAX,
                      (int)(count < 100000 ? count : 100000));
        count = count ? RECIPE_CLASSES_MAX : 0;
    }
    for (size_t k = 0; k < count; k++)
        read_size(r, list->items[k], s, s->size_count++);
    if (count == 0)
        return;
    check_order(r, list, s);
    for (int32_t k = 0; k < s->size_count; k++)
        if (s->sizes[k].scale[1] == 0.0f)
            s->sizes[k].scale[1] = k + 1 < s->size_count ? s->sizes[k + 1].height_m *
                                                               s->sizes[k + 1].scale[0] / s->sizes[k].height_m
                                                         : 1.0f;
}

/* Either `sizes`, or one class from `height_m: [least, most]` and `asset`. */
static void read_sizes(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    struct yaml_node *list = yaml_get_list(map, "sizes", r->report);
    const char *asset = s->name;
    double height[2] = {1.0, 1.0}, random[2] = {1.0, 1.0};
    s->size_full = 1.0f;
    read_f32(r, map, "size_full", 0.001, 1000.0, "", &s->size_full);
    s->size_jitter = 0.2f;
    read_f32(r, map, "size_jitter", 0.0, 1.0, "", &s->size_jitter);
    if (yaml_get_f64_list(map, "scale_random", 2, 0.1, 10.0, "", random, r->report) && random[0] > random[1])
        yaml_complain(yaml_get(map, "scale_random"), r->report, "'scale_random' begins above its end");
    s->scale_random[0] = (float)random[0];
    s->scale_random[1] = (float)random[1];
    if (list && yaml_get(map, "height_m"))
        yaml_complain(yaml_get(map, "height_m"), r->report, "'sizes' says the heights: leave out 'height_m'");
    if (list) {
        read_size_list(r, list, s);
        return;
    }
    if (!yaml_get(map, "height_m") && !yaml_get(map, "sizes"))
        yaml_complain(map, r->report, "species '%s' needs 'height_m: [least, most]' or 'sizes'", s->name);
    if (yaml_get_f64_list(map, "height_m", 2, 0.01, 200.0, "m", height, r->report) && height[0] > height[1])
        yaml_complain(yaml_get(map, "height_m"), r->report, "'height_m' begins above its end");
    yaml_get_text(map, "asset", &asset, r->report);
    s->size_count = 1;
    s->sizes[0] = (struct recipe_size){.asset = recipe_copy_text(r, map, asset),
                                       .height_m = (float)height[1],
                                       .scale = {(float)(height[0] / height[1]), 1.0f}};
    read_object_id(r, map, &s->sizes[0]);
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
    if (!yaml_get(map, "viability_radius_m"))
        yaml_complain(map, r->report, "species '%s' needs 'viability_radius_m'", s->name);
    if (!is_zero(r, map, "viability_radius_m", s,
                 "two of it would stand at one place; it may be 0.1 to 50 m"))
        read_f32(r, map, "viability_radius_m", 0.1, 50.0, "m", &s->viability_radius_m);
    s->priority_radius_m = 0.6f * s->viability_radius_m;
    if (!is_zero(r, map, "priority_radius_m", s,
                 "nothing would keep clear of it; it may be 0.01 to 50 m, and lower ones that need not may "
                 "say 'heeds: none'"))
        read_f32(r, map, "priority_radius_m", 0.01, 50.0, "m", &s->priority_radius_m);
    s->trunk_radius_m = -1.0f;
    read_f32(r, map, "trunk_radius_m", 0.0, 20.0, "m", &s->trunk_radius_m);
    s->crown_radius_m = s->priority_radius_m;
    read_f32(r, map, "crown_radius_m", 0.01, 50.0, "m", &s->crown_radius_m);
    s->radius_spread = 0.45f;
    read_f32(r, map, "radius_spread", 0.0, 0.9, "", &s->radius_spread);
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

static void read_write(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    const char *name = "";
    if (map->kind != YAML_MAP) {
        yaml_complain(map, r->report, "what a species writes is a map, as in {mask: forest, falloff_m: 2}");
        return;
    }
    if (!yaml_get(map, "mask"))
        yaml_complain(map, r->report, "'writes' needs the name of a 'mask'");
    bool named = yaml_get_text(map, "mask", &name, r->report);
    if (named && !mask_name_good(name))
        yaml_complain(yaml_get(map, "mask"), r->report,
                      "a mask's name is made of a-z, 0-9 and _, at most 48 of them, not '%s'", name);
    struct recipe_write w = {.radius_m = s->crown_radius_m};
    read_f32(r, map, "radius_m", 0.0, 50.0, "m", &w.radius_m);
    read_f32(r, map, "falloff_m", 0.0, 50.0, "m", &w.falloff_m);
    bool output;
    yaml_get_bool(map, "output", &output, r->report); /* gen/recipe_chances.c */
    yaml_unknown_keys(map, "'writes'", r->report);
    if (!named || (w.mask = add_mask(r, map, name)) < 0)
        return;
    if (s->write_count == RECIPE_WRITES_MAX)
        yaml_complain(map, r->report, "a species writes at most %d masks", (int)RECIPE_WRITES_MAX);
    else
        s->writes[s->write_count++] = w;
}

static void read_writes(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    struct yaml_node *list = yaml_get_list(map, "writes", r->report);
    for (size_t i = 0; list && i < list->count; i++)
        read_write(r, list->items[i], s);
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
    s->name = recipe_copy_text(r, key, key->text);
    read_homes(r, map, s);
    yaml_get_text(map, "kind", &kind, r->report);
    s->kind = recipe_copy_text(r, key, kind);
    if (!yaml_get(map, "priority"))
        yaml_complain(map, r->report, "species '%s' needs 'priority'", key->text);
    yaml_get_i64(map, "priority", -PRIORITY_MAX, PRIORITY_MAX, &priority, r->report);
    s->priority = (int32_t)priority;
    read_radii(r, map, s);
    recipe_read_age(r, map, s);
    recipe_read_density(r, map, s);
    read_sizes(r, map, s);
    s->jitter = (float)jitter;
    read_f32(r, map, "jitter", 0.0, 10.0, "", &s->jitter);
    if (s->jitter == 0.0f)
        yaml_warn(map, r->report,
                  "without 'jitter' chains of rivals run for hundreds of metres and many stay undecided");
    s->yaw_jitter_deg = 180.0f;
    read_f32(r, map, "yaw_deg", -360.0, 360.0, "degrees", &s->yaw_deg);
    read_f32(r, map, "yaw_jitter_deg", 0.0, 180.0, "degrees", &s->yaw_jitter_deg);
    read_f32(r, map, "align", 0.0, 1.0, "", &s->align);
    read_f32(r, map, "lean_deg", -90.0, 90.0, "degrees", &s->lean_deg);
    static const char *const forwards[] = {"north", "downslope"};
    int32_t forward = 0;
    yaml_get_enum(map, "forward", forwards, 2, &forward, r->report);
    s->downslope = forward == 1;
    yaml_get_bool(map, "floats", &s->floats, r->report);
    recipe_read_color(r, map, s->color);
    s->color_jitter = 0.12f;
    read_f32(r, map, "color_jitter", 0.0, 1.0, "", &s->color_jitter);
    yaml_get_enum(map, "crown", recipe_crown_names, CROWN_COUNT, &crown, r->report);
    s->crown = (enum recipe_crown)crown;
    read_writes(r, map, s);
}

static void read_stack(struct recipe_reading *r, struct yaml_node *map, const char *key, int32_t *first,
                       int32_t *end) {
    struct yaml_node *list = yaml_get_list(map, key, r->report);
    *first = r->recipe->step_count;
    if (list)
        recipe_read_steps(r, list, 0);
    *end = r->recipe->step_count;
}

void recipe_read_stack(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    if (!yaml_get(map, "viability"))
        yaml_complain(map, r->report, "species '%s' needs 'viability': a list of steps", s->name);
    read_stack(r, map, "viability", &s->step_first, &s->step_end);
    read_stack(r, map, "density_stack", &s->density_step_first, &s->density_step_end);
    recipe_name_age(r, map, s);
}
