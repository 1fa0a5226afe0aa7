#include "gen/recipe_chances.h"

#include "gen/recipe_nowhere.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool lives_in(const struct recipe_species *s, int32_t b) {
    return (s->biomes[b >> 6] >> (b & 63) & 1) != 0;
}

/* With purity `best` the one that likes a place best always wins: one whose least is above the other's most.
 */
static const struct recipe_species *always_better(const struct recipe *recipe, const struct recipe_species *s,
                                                  const struct biome_interval *layers) {
    const struct recipe_tier *tier = &recipe->tiers[s->tier];
    float high = recipe_most(recipe, s->step_first, s->step_end, layers), low, top;
    for (int32_t i = 0; isinf(tier->purity) && i < tier->species_count; i++) {
        const struct recipe_species *other = &recipe->species[tier->species[i]];
        bool everywhere = other != s;
        for (int32_t b = 0; b < recipe->biome_count; b++)
            everywhere &= !lives_in(s, b) || lives_in(other, b);
        biome_viability_bounds(recipe, other->step_first, other->step_end, layers, &low, &top);
        if (everywhere && low > high)
            return other;
    }
    return NULL;
}

static void warn_beaten(struct recipe_reading *r, const struct recipe_species *s, const struct yaml_node *at,
                        const struct biome_interval *layers) {
    const struct recipe_species *better = always_better(r->recipe, s, layers);
    if (better && recipe_most(r->recipe, s->step_first, s->step_end, layers) > 0.0f)
        yaml_warn(at, r->report,
                  "species '%s' can win nowhere: with 'purity: best', '%s' likes every place of its biomes "
                  "better",
                  s->name, better->name);
}

/* An asset has one height at scale 1: classes that share one cannot differ in it. */
static void warn_sizes(struct recipe_reading *r, const struct recipe_species *s, const struct yaml_node *at) {
    for (int32_t k = 1; k < s->size_count; k++)
        for (int32_t i = 0; i < k; i++)
            if (strcmp(s->sizes[i].asset, s->sizes[k].asset) == 0) {
                yaml_warn(
                    at, r->report,
                    "size classes %d and %d of '%s' show one asset, '%s', as %g and %g m high: give each an "
                    "'asset' of its own",
                    (int)i + 1, (int)k + 1, s->name, s->sizes[i].asset, (double)s->sizes[i].height_m,
                    (double)s->sizes[k].height_m);
                return;
            }
}

/* ---- crowds ---- */

enum { CROWD_RIVALS = 2000 }; /* more than so many within a radius are a mistake in a number, and slow */

/* Candidates within a species' radius, for every one of which a bake compares them all: what its tier's
 * lattice and density allow, at full height. */
static void warn_crowd(struct recipe_reading *r, const struct recipe_species *s, struct yaml_node *at) {
    const struct recipe_tier *tier = &r->recipe->tiers[s->tier];
    double side_m = (double)tier->cell_q / 1024.0, radius_m = (double)s->radius_max_m;
    double asked = (double)tier->density_per_ha / 10000.0, cells = 1.0 / (side_m * side_m);
    double rivals = 3.14159 * radius_m * radius_m * (asked < cells ? asked : cells);
    if (rivals <= CROWD_RIVALS || !at)
        return;
    struct yaml_node *radius = yaml_get(at, "viability_radius_m");
    yaml_warn(
        radius ? radius : at, r->report,
        "species '%s' has about %.0f rivals around each candidate, so a bake takes long and much memory: "
        "%g a hectare are asked for at its priority, but its largest, of radius %.3g m, leave room for "
        "%.2g. Ask for fewer, or give it a smaller radius or a priority of its own",
        s->name, rivals, (double)tier->density_per_ha, radius_m, 8000.0 / (radius_m * radius_m));
}

/* ---- rules ---- */

/* layers: what the rule is judged by. Of included recipes what their makers promise: this world is not their
 * mistake. */
static void warn_rule(struct recipe_reading *r, const struct recipe_biome *biome,
                      const struct recipe_rule *rule, const struct biome_interval *layers,
                      struct biome_interval *narrow) {
    const struct recipe *recipe = r->recipe;
    const char *zone = recipe->biomes[rule->zone].name, *file = recipe->files[rule->file];
    const struct recipe_rule *strong = recipe_stronger(recipe, biome, rule, layers);
    if (!recipe_narrowed(recipe, rule, layers, narrow))
        report_add(r->report, REPORT_WARNING, STATUS_INPUT, file, rule->line, rule->column,
                   "a rule of zone '%s' can never win: no place of this world holds its criteria", zone);
    else if (strong)
        report_add(r->report, REPORT_WARNING, STATUS_INPUT, file, rule->line, rule->column,
                   "a rule of zone '%s' can never win: that of '%s' on line %d holds wherever it does, "
                   "with %s",
                   zone, recipe->biomes[strong->zone].name, (int)strong->line,
                   strong->weight > rule->weight ? "more weight" : "more criteria");
}

static void warn_rules(struct recipe_reading *r, const struct recipe_biome *biome,
                       const struct biome_interval *layers, const struct biome_interval *known,
                       struct biome_interval *narrow) {
    for (int32_t k = biome->rule_first; k < biome->rule_end; k++) {
        const struct recipe_rule *rule = &r->recipe->rules[k];
        warn_rule(r, biome, rule, recipe_own_rule(r, rule) ? layers : known, narrow);
    }
}

/* ---- masks ---- */

/* Layers are added for stacks that nobody uses as well, so the steps are asked. */
static bool is_read(const struct recipe_reading *r, const char *mask) {
    const struct recipe *recipe = r->recipe;
    for (int32_t k = 0; k < recipe->step_count; k++) {
        const struct recipe_step *step = &recipe->steps[k];
        const char *layer = step->kind == STEP_LAYER && step->layer >= 0 ? recipe->layers[step->layer] : "";
        if (strncmp(layer, "distance.", 9) == 0)
            layer += 9;
        if (strncmp(layer, "mask_", 5) == 0 && strcmp(layer + 5, mask) == 0)
            return true;
    }
    return false;
}

static const char *mask_of(struct yaml_node *write) {
    struct yaml_node *mask = yaml_get(write, "mask");
    return mask && mask->kind == YAML_SCALAR ? mask->text : "";
}

/* Whether a species' `writes` of this mask says that it is for the engine. *first: where it is written. */
static bool is_output(struct recipe_reading *r, struct yaml_node *species, const char *mask,
                      const struct yaml_node **first) {
    bool output = false;
    for (size_t s = 0; s < species->count; s++) {
        struct yaml_node *list = yaml_get(species->items[s], "writes");
        for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++) {
            bool said = false;
            if (strcmp(mask_of(list->items[i]), mask) != 0)
                continue;
            *first = *first ? *first : yaml_get(list->items[i], "mask");
            yaml_get_bool(list->items[i], "output", &said, r->report);
            output |= said;
        }
    }
    return output;
}

static void warn_masks(struct recipe_reading *r, struct yaml_node *species) {
    for (int32_t m = 0; m < r->recipe->mask_count; m++) {
        const char *mask = r->recipe->masks[m];
        const struct yaml_node *at = NULL;
        if (!is_output(r, species, mask, &at) && at && !is_read(r, mask))
            yaml_warn(at, r->report,
                      "mask '%s' is written and never read: leave it out, or say 'output: true' where it is "
                      "for the engine",
                      mask);
    }
}

void recipe_warn_chances(struct recipe_reading *r, struct yaml_node *root) {
    const struct recipe *recipe = r->recipe;
    struct yaml_node *species = yaml_get(root, "species");
    struct biome_interval *layers = recipe_layer_ranges(r, true), *known = recipe_layer_ranges(r, false);
    struct biome_interval *narrow = calloc((size_t)recipe->layer_count + 1, sizeof *narrow);
    if (!layers || !known || !narrow) {
        recipe_stop(r, species, "out of memory");
    } else {
        recipe_warn_nowhere(r, root, layers, narrow);
        for (int32_t i = 0; i < recipe->species_count; i++) {
            struct yaml_node *at = yaml_get(species, recipe->species[i].name);
            warn_beaten(r, &recipe->species[i], at, layers);
            warn_sizes(r, &recipe->species[i], at);
            warn_crowd(r, &recipe->species[i], at);
        }
        for (int32_t b = 0; b < recipe->main_count; b++)
            warn_rules(r, &recipe->biomes[b], layers, known, narrow);
        warn_masks(r, species);
    }
    free(layers);
    free(known);
    free(narrow);
}
