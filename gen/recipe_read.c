#include "gen/recipe_read.h"

#include "gen/names.h"
#include "gen/recipe_biomes.h"
#include "gen/recipe_chances.h"
#include "gen/recipe_defaults.h"
#include "gen/recipe_expand.h"
#include "gen/recipe_factors.h"
#include "gen/recipe_missing.h"
#include "gen/recipe_named_ramps.h"
#include "gen/recipe_nowhere.h"
#include "gen/recipe_objects.h"
#include "gen/recipe_order.h"
#include "gen/recipe_override.h"
#include "gen/recipe_ranges.h"
#include "gen/recipe_species.h"
#include "gen/recipe_steps.h"
#include "gen/world.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECIPE_VERSION = 1, PRIORITY_MAX = 1000000, RADIUS_LARGEST_M = 64 };
static const float VIABILITY_LARGEST = 1e6f;

struct competition {
    double spacing, purity, jitter;
};

/* "best", or a number. */
static void read_purity(struct recipe_reading *r, struct yaml_node *map, double *purity) {
    struct yaml_node *node = yaml_get(map, "purity");
    if (node && node->kind == YAML_SCALAR && strcmp(node->text, "best") == 0)
        *purity = HUGE_VAL;
    else
        yaml_get_f64(map, "purity", 0.25, 1000.0, "", purity, r->report);
}

static void read_spacing(struct recipe_reading *r, struct yaml_node *map, double *spacing) {
    if (yaml_get_f64(map, "spacing", 0.1, 4.0, "", spacing, r->report) && *spacing < 0.4)
        yaml_warn(yaml_get(map, "spacing"), r->report,
                  "a spacing under 0.4 costs many rounds of competition for few more plants; 0.65 to 0.8 is "
                  "enough");
}

/* Where a ramp that begins with 0 leaves it. */
static float ramp_start(const struct biome_ramp *ramp) {
    int32_t i = 0;
    while (i + 1 < ramp->count && ramp->y[i + 1] <= 0.0f)
        i++;
    return ramp->x[i];
}

/* The value of a species' key, or its name. */
static const struct yaml_node *place_of(struct yaml_node *species, const char *key) {
    const struct yaml_node *node = yaml_get(species, key);
    return node ? node : species;
}

static void complain_step(struct recipe_reading *r, int32_t k, const char *head, const char *species,
                          const char *tail) {
    const struct recipe_step *step = &r->recipe->steps[k];
    report_add(r->report, REPORT_ERROR, STATUS_INPUT, r->recipe->files[step->file], step->line, step->column,
               "%s '%s' %s", head, species, tail);
}

static void check_chances(struct recipe_reading *r, const struct recipe_species *s, struct yaml_node *at) {
    int32_t endless = recipe_endless_step(r->recipe, s->step_first, s->step_end);
    if (endless >= 0) {
        complain_step(r, endless, "the viability of", s->name,
                      "has no bounds: weights multiply beyond all numbers here");
        return;
    }
    if (s->viability_max > VIABILITY_LARGEST)
        yaml_complain(place_of(at, "viability"), r->report,
                      "the viability of '%s' can reach %g, more than a million: lower its weights", s->name,
                      (double)s->viability_max);
    float reach_m = s->radius_max_m > s->priority_max_m ? s->radius_max_m : s->priority_max_m;
    if (reach_m > (float)RADIUS_LARGEST_M)
        yaml_complain(at, r->report, "a radius of '%s' can grow to %g m; at most %d m are possible", s->name,
                      (double)reach_m, (int)RADIUS_LARGEST_M);
    if (s->viability_max <= 0.0f)
        complain_step(r, recipe_zero_step(r->recipe, s->step_first, s->step_end, NULL), "species", s->name,
                      "can stand nowhere: this step brings its viability to 0 whatever its layers are");
    else if (s->density_over == DENSITY_VIABILITY &&
             biome_ramp_most(&s->density_ramp, 0.0f, s->viability_max) <= 0.0f)
        yaml_complain(
            place_of(at, "density_ramp"), r->report,
            "species '%s' can stand nowhere: its viability reaches %g, and 'density_ramp' begins at %g",
            s->name, (double)s->viability_max, (double)ramp_start(&s->density_ramp));
    else if (s->viability_max < s->sizes[s->size_count - 1].from)
        yaml_warn(place_of(at, "sizes"), r->report,
                  "the largest size class of '%s' begins at viability %g; no place gives more than %g",
                  s->name, (double)s->sizes[s->size_count - 1].from, (double)s->viability_max);
}

/* BIOMES: radii from 0.5 to 15 m in one tier took 38 rounds. */
static void check_tier(struct recipe_reading *r, int32_t tier, struct yaml_node *map) {
    const struct recipe_species *least = NULL, *most = NULL;
    for (int32_t i = 0; i < r->recipe->species_count; i++) {
        const struct recipe_species *s = &r->recipe->species[i];
        if (s->tier != tier)
            continue;
        least = !least || s->viability_radius_m < least->viability_radius_m ? s : least;
        most = !most || s->viability_radius_m > most->viability_radius_m ? s : most;
    }
    if (!most || most->viability_radius_m <= 4.0f * least->viability_radius_m)
        return;
    struct yaml_node *species = yaml_get(map, most->name), *radius = yaml_get(species, "viability_radius_m");
    yaml_complain(radius ? radius : species, r->report,
                  "species of priority %d have viability radii from %g m (%s) to %g m (%s), more than 1 : 4: "
                  "give '%s' a priority of its own, above %d",
                  (int)most->priority, (double)least->viability_radius_m, least->name,
                  (double)most->viability_radius_m, most->name, most->name, (int)most->priority);
}

static bool add_tier(struct recipe_reading *r, const struct yaml_node *at, size_t *room, int32_t priority,
                     const struct competition *c) {
    struct recipe *recipe = r->recipe;
    for (int32_t t = 0; t < recipe->tier_count; t++)
        if (recipe->tiers[t].priority == priority)
            return false;
    if (recipe->tier_count == RECIPE_TIERS_MAX) {
        _Static_assert(RECIPE_TIERS_MAX == 30, "the message says how many");
        recipe_stop(r, at, "more than 30 different priorities");
        return false;
    }
    if (!recipe_grow(r, (void **)&recipe->tiers, room, (size_t)recipe->tier_count, sizeof *recipe->tiers))
        return false;
    recipe->tiers[recipe->tier_count++] =
        (struct recipe_tier){.priority = priority,
                             .spacing = (float)c->spacing,
                             .purity = c->purity > 1e6 ? HUGE_VALF : (float)c->purity};
    return true;
}

static int highest_first(const void *a, const void *b) {
    const struct recipe_tier *x = a, *y = b;
    return (x->priority < y->priority) - (x->priority > y->priority);
}

static const struct yaml_node *priority_of(struct yaml_node *species, const char *name) {
    struct yaml_node *map = yaml_get(species, name), *priority = yaml_get(map, "priority");
    return priority ? priority : map;
}

/* tiers: [{priority: 100, spacing: 0.7, purity: 4}, ...], then a tier for every other priority. */
static void read_tiers(struct recipe_reading *r, struct yaml_node *root, const struct competition *usual) {
    struct yaml_node *list = yaml_get_list(root, "tiers", r->report), *species = yaml_get(root, "species");
    size_t room = 0;
    for (size_t i = 0; list && i < list->count; i++) {
        struct yaml_node *map = list->items[i];
        struct competition c = *usual;
        int64_t priority = 0;
        bool used = false;
        if (map->kind != YAML_MAP || !yaml_get(map, "priority")) {
            yaml_complain(map, r->report,
                          "a tier is a map with a 'priority', as in {priority: 100, purity: 2}");
            continue;
        }
        bool good = yaml_get_i64(map, "priority", -PRIORITY_MAX, PRIORITY_MAX, &priority, r->report);
        read_spacing(r, map, &c.spacing);
        read_purity(r, map, &c.purity);
        yaml_unknown_keys(map, "a tier", r->report);
        for (int32_t s = 0; s < r->recipe->species_count; s++)
            used |= r->recipe->species[s].priority == priority;
        if (good && !used)
            yaml_complain(yaml_get(map, "priority"), r->report, "no species has priority %d", (int)priority);
        else if (good && !add_tier(r, map, &room, (int32_t)priority, &c) && !r->stopped)
            yaml_complain(yaml_get(map, "priority"), r->report, "priority %d has a tier already",
                          (int)priority);
    }
    for (int32_t s = 0; s < r->recipe->species_count && !r->stopped; s++)
        add_tier(r, priority_of(species, r->recipe->species[s].name), &room, r->recipe->species[s].priority,
                 usual);
    if (r->recipe->tier_count > 1)
        qsort(r->recipe->tiers, (size_t)r->recipe->tier_count, sizeof *r->recipe->tiers, highest_first);
    for (int32_t s = 0; s < r->recipe->species_count; s++)
        for (int32_t t = 0; t < r->recipe->tier_count; t++)
            if (r->recipe->tiers[t].priority == r->recipe->species[s].priority)
                r->recipe->species[s].tier = t;
}

static void read_all_species(struct recipe_reading *r, struct yaml_node *map, double jitter) {
    struct recipe *recipe = r->recipe;
    if (map->count > RECIPE_SPECIES_MAX) {
        recipe_stop(r, map, "more than 4096 species");
        return;
    }
    recipe->species = calloc(map->count, sizeof *recipe->species);
    recipe->masks = calloc(RECIPE_MASKS_MAX, sizeof *recipe->masks);
    if (!recipe->species || !recipe->masks) {
        recipe_stop(r, map, "out of memory");
        return;
    }
    for (size_t i = 0; i < map->count && !r->stopped; i++) {
        struct yaml_node *key = map->keys[i], *item = map->items[i];
        yaml_get(map, key->text);
        if (item->kind != YAML_MAP) {
            recipe_refuse_species(r, map, i);
            continue;
        }
        if (recipe_misspelt_override(r, map, i))
            continue;
        item->file = key->file; /* what is said of it as a whole points at its name */
        item->line = key->line;
        item->column = key->column;
        recipe_read_species(r, key, item, jitter, &recipe->species[recipe->species_count++]);
    }
}

/* The rest, in the order in which each needs the one before: stacks, tiers, heeds, bounds. */
static void read_relations(struct recipe_reading *r, struct yaml_node *root, struct yaml_node *map,
                           const struct competition *usual, size_t errors) {
    struct recipe *recipe = r->recipe;
    struct error err;
    recipe_check_stacks(r);
    for (int32_t i = 0; i < recipe->species_count && !r->stopped; i++)
        recipe_read_stack(r, yaml_get(map, recipe->species[i].name), &recipe->species[i]);
    recipe_read_rules(r, root);
    read_tiers(r, root, usual);
    if (r->stopped)
        return;
    bool clean =
        r->report->errors == errors; /* else a wrong priority or radius would be told of many times */
    for (int32_t i = 0; i < recipe->species_count; i++) {
        struct yaml_node *at = yaml_get(map, recipe->species[i].name);
        if (clean || !yaml_get(at, "heeds"))
            recipe_read_heeds(r, at, &recipe->species[i]);
        yaml_unknown_keys(at, "a species", r->report);
    }
    if (clean)
        recipe_check_order(r);
    for (int32_t t = 0; t < recipe->tier_count && clean; t++)
        check_tier(r, t, map);
    recipe_read_factors(r, root);
    recipe_check_defaults(r, root);
    if (r->report->errors > errors)
        return;
    if (recipe_finish(recipe, &err) != STATUS_OK) {
        report_add(r->report, REPORT_ERROR, err.status, map->file, map->line, map->column, "%s", err.message);
        return;
    }
    for (int32_t i = 0; i < recipe->species_count; i++)
        check_chances(r, &recipe->species[i], yaml_get(map, recipe->species[i].name));
    recipe_check_objects(r, map);
    if (r->report->errors == errors)
        recipe_warn_chances(r, root);
}

void recipe_check_version(struct yaml_node *root, struct report *report) {
    int64_t version = RECIPE_VERSION;
    if (!yaml_get(root, "recipe"))
        yaml_complain(root, report, "a recipe begins with its format's version, 'recipe: 1'");
    if (yaml_get_i64(root, "recipe", INT64_MIN, INT64_MAX, &version, report) && version != RECIPE_VERSION)
        yaml_complain(yaml_get(root, "recipe"), report, "unknown recipe version %lld; this program reads 1",
                      (long long)version);
}

static void read_root(struct recipe_reading *r, struct yaml_node *root, size_t errors) {
    struct competition usual = {0.7, 4.0, 0.2};
    if (root->kind != YAML_MAP) {
        yaml_complain(root, r->report, "a recipe is a map with 'biomes' and 'species'");
        return;
    }
    recipe_check_version(root, r->report);
    struct yaml_node *competition = yaml_get_map(root, "competition", r->report);
    read_spacing(r, competition, &usual.spacing);
    read_purity(r, competition, &usual.purity);
    yaml_get_f64(competition, "jitter", 0.0, 10.0, "", &usual.jitter, r->report);
    yaml_unknown_keys(competition, "competition", r->report);
    const struct yaml_node *include = yaml_get(root, "include");
    if (include && (include->kind != YAML_LIST || include->count > 0))
        yaml_complain(include, r->report, "'include' must stand in a recipe's file");
    r->include = include;
    recipe_read_biomes(r, root);
    r->stacks = yaml_get_map(root, "stacks", r->report);
    r->ramps = yaml_get_map(root, "ramps", r->report);
    recipe_check_ramps(r);
    yaml_get(root, "factors"); /* after the species */
    yaml_get(root, "noise");   /* the world's matter: gen/world_noise.c */
    yaml_get(root, "defaults");
    struct yaml_node *map = yaml_get_map(root, "species", r->report);
    if (map && map->count > 0)
        read_all_species(r, map, usual.jitter);
    else if (map || !yaml_get(root, "species"))
        yaml_complain(map ? map : root, r->report, "a recipe needs 'species', at least one");
    if (r->recipe->species_count > 0 && !r->stopped)
        read_relations(r, root, map, &usual, errors);
    yaml_get(root, "tiers");
    yaml_unknown_keys(root, "", r->report);
}

struct recipe *recipe_read_tree(struct yaml_node *root, const struct world *world, struct report *report) {
    size_t errors = report->errors, items = report->count;
    struct recipe *recipe = calloc(1, sizeof *recipe);
    char **files = malloc(sizeof *files), *path = strdup(root->file);
    if (!recipe || !files || !path) {
        report_add(report, REPORT_ERROR, STATUS_LIMIT, root->file, 0, 0, "out of memory");
        free(path);
        free(files);
        free(recipe);
        return NULL;
    }
    recipe->files = files;
    recipe->files[0] = path;
    recipe->file_count = 1;
    recipe->distance_max_m = (float)world->survey.distance_max_m;
    struct recipe_reading r = {.recipe = recipe,
                               .world = world,
                               .report = report,
                               .loud = report,
                               .copies_left = YAML_NODES_MAX,
                               .file_room = 1};
    r.own = recipe_own_species(root);
    if (root->kind == YAML_MAP)
        recipe_expand(root, report);
    if (report->errors == errors) { /* else the rest would be of what species lack because of it */
        r.name_count = gen_layer_names(world, &r.names);
        read_root(&r, root, errors);
        const void *block = r.names;
        free((void *)(uintptr_t)block);
    }
    free(r.own);
    free(r.bad_ramps);
    recipe_tell_missing(&r);
    report_drop_repeats(report, items);
    if (report->errors > errors) {
        recipe_free(recipe);
        return NULL;
    }
    return recipe;
}

struct recipe *recipe_read(const char *path, const struct world *world, struct report *report) {
    struct yaml_node *root = yaml_read(path, report);
    if (!root)
        return NULL;
    struct recipe *recipe = recipe_read_tree(root, world, report);
    yaml_tree_free(root);
    return recipe;
}
