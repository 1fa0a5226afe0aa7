#include "gen/recipe_chances.h"

#include "biome/viability.h"
#include "gen/world.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what layers can be in this world ---- */

enum {
    ALTITUDE_SLACK_M = 64
}; /* water carves, cliffs rise: altitudes may leave the heights' range a little */

/* By recipe layer: what its maker promises; altitudes as the heights' codes allow. */
static struct biome_interval *layer_ranges(const struct recipe_reading *r) {
    const struct recipe *recipe = r->recipe;
    const struct world_height *h = &r->world->height;
    struct biome_interval *layers = calloc((size_t)recipe->layer_count + 1, sizeof *layers);
    for (int32_t l = 0; layers && l < recipe->layer_count; l++) {
        layers[l] = (struct biome_interval){-HUGE_VALF, HUGE_VALF};
        if (strcmp(recipe->layers[l], "altitude") == 0 && h->source.format != RASTER_R32 &&
            h->z_min_m < h->z_max_m)
            layers[l] = (struct biome_interval){(float)(h->z_min_m - ALTITUDE_SLACK_M),
                                                (float)(h->z_max_m + ALTITUDE_SLACK_M)};
    }
    for (int32_t k = 0; layers && k < recipe->step_count; k++) {
        const struct recipe_step *step = &recipe->steps[k];
        if (step->kind == STEP_LAYER && step->layer >= 0 && step->layer_min <= step->layer_max)
            layers[step->layer] = (struct biome_interval){step->layer_min, step->layer_max};
    }
    return layers;
}

static float most(const struct recipe *recipe, int32_t first, int32_t end,
                  const struct biome_interval *layers) {
    float low, high;
    biome_viability_bounds(recipe, first, end, layers, &low, &high);
    return high;
}

/* ---- where ---- */

static bool lives_in(const struct recipe_species *s, int32_t b) {
    return (s->biomes[b >> 6] >> (b & 63) & 1) != 0;
}

static bool is_painted(const struct world *world, const char *name) {
    const struct world_mask *paint = world_find_mask(world, "biome_paint");
    for (size_t i = 0; paint && i < paint->legend_count; i++)
        if (strcmp(paint->legend[i].name, name) == 0)
            return true;
    return false;
}

/* Whether the ground can be of this biome by paint or by being the default: then nothing is known of it. */
static bool by_hand(const struct recipe_reading *r, int32_t b) {
    return b == r->recipe->default_biome || is_painted(r->world, r->recipe->biomes[b].name);
}

/* The layers where a rule holds, in `narrow`. False: it can hold nowhere. */
static bool narrowed(const struct recipe *recipe, const struct recipe_rule *rule,
                     const struct biome_interval *layers, struct biome_interval *narrow) {
    memcpy(narrow, layers, (size_t)recipe->layer_count * sizeof *narrow);
    for (int32_t k = rule->step_first; k < rule->step_end; k++) {
        const struct recipe_step *step = &recipe->steps[k];
        if (step->circular)
            continue;
        struct biome_interval *n = &narrow[step->layer];
        n->low = step->ramp[1] > n->low ? step->ramp[1] : n->low;
        n->high = step->ramp[2] < n->high ? step->ramp[2] : n->high;
        if (n->low > n->high)
            return false;
    }
    return true;
}

/* Whether ground of biome b can hold the species: a main biome's somewhere, a zone's where its rules hold. */
static bool can_live(const struct recipe_reading *r, const struct recipe_species *s, int32_t b,
                     const struct biome_interval *layers, struct biome_interval *narrow) {
    const struct recipe *recipe = r->recipe;
    const struct recipe_biome *biome = &recipe->biomes[b];
    if (by_hand(r, b))
        return most(recipe, s->step_first, s->step_end, layers) > 0.0f;
    if (biome->parent < 0 || !by_hand(r, biome->parent))
        return false;
    const struct recipe_biome *main_biome = &recipe->biomes[biome->parent];
    for (int32_t k = main_biome->rule_first; k < main_biome->rule_end; k++)
        if (recipe->rules[k].zone == b && narrowed(recipe, &recipe->rules[k], layers, narrow) &&
            most(recipe, s->step_first, s->step_end, narrow) > 0.0f)
            return true;
    return false;
}

/* With purity `best` the one that likes a place best always wins: one whose least is above the other's most.
 */
static const struct recipe_species *always_better(const struct recipe *recipe, const struct recipe_species *s,
                                                  const struct biome_interval *layers) {
    const struct recipe_tier *tier = &recipe->tiers[s->tier];
    float high = most(recipe, s->step_first, s->step_end, layers), low, top;
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

static void warn_species(struct recipe_reading *r, const struct recipe_species *s, const struct yaml_node *at,
                         const struct biome_interval *layers, struct biome_interval *narrow) {
    bool somewhere = false, possible = false;
    for (int32_t b = 0; b < r->recipe->biome_count; b++) {
        const struct recipe_biome *biome = &r->recipe->biomes[b];
        if (!lives_in(s, b))
            continue;
        somewhere |= by_hand(r, b) || (biome->parent >= 0 && by_hand(r, biome->parent));
        possible |= can_live(r, s, b, layers, narrow);
    }
    const struct recipe_species *better = possible ? always_better(r->recipe, s, layers) : NULL;
    if (!somewhere)
        yaml_warn(at, r->report,
                  "species '%s' can stand nowhere: none of its biomes is painted or the default", s->name);
    else if (!possible)
        yaml_warn(
            at, r->report,
            "species '%s' can stand nowhere in this world: its viability is 0 at all altitudes that the "
            "heights have, or wherever its zones are",
            s->name);
    else if (better)
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

/* ---- rules ---- */

/* Whether criterion c holds wherever a does. */
static bool implies(const struct recipe_step *a, const struct recipe_step *c) {
    if (a->layer != c->layer || a->circular != c->circular)
        return false;
    if (a->circular && a->ramp_middle != c->ramp_middle)
        return false;
    return a->ramp[1] >= c->ramp[1] && a->ramp[2] <= c->ramp[2];
}

static bool always_holds(const struct recipe_step *c, const struct biome_interval *layers) {
    return !c->circular && c->ramp[1] <= layers[c->layer].low && c->ramp[2] >= layers[c->layer].high;
}

/* Whether `strong` wins wherever `weak` holds. */
static bool shadows(const struct recipe *recipe, const struct recipe_rule *strong,
                    const struct recipe_rule *weak, const struct biome_interval *layers) {
    if (strong->weight < weak->weight ||
        (strong->weight == weak->weight && strong->criteria <= weak->criteria))
        return false;
    for (int32_t k = strong->step_first; k < strong->step_end; k++) {
        bool held = always_holds(&recipe->steps[k], layers);
        for (int32_t i = weak->step_first; i < weak->step_end && !held; i++)
            held = implies(&recipe->steps[i], &recipe->steps[k]);
        if (!held)
            return false;
    }
    return true;
}

static void warn_rules(struct recipe_reading *r, const struct recipe_biome *biome,
                       const struct biome_interval *layers, struct biome_interval *narrow) {
    const struct recipe *recipe = r->recipe;
    for (int32_t k = biome->rule_first; k < biome->rule_end; k++) {
        const struct recipe_rule *rule = &recipe->rules[k], *strong = NULL;
        const char *zone = recipe->biomes[rule->zone].name;
        for (int32_t i = biome->rule_first; i < biome->rule_end && !strong; i++)
            if (shadows(recipe, &recipe->rules[i], rule, layers))
                strong = &recipe->rules[i];
        if (!narrowed(recipe, rule, layers, narrow))
            report_add(r->report, REPORT_WARNING, STATUS_OK, recipe->files[rule->file], rule->line,
                       rule->column,
                       "a rule of zone '%s' can never win: no place of this world holds its criteria", zone);
        else if (strong)
            report_add(r->report, REPORT_WARNING, STATUS_OK, recipe->files[rule->file], rule->line,
                       rule->column,
                       "a rule of zone '%s' can never win: that of '%s' on line %d holds wherever it does, "
                       "with %s",
                       zone, recipe->biomes[strong->zone].name, (int)strong->line,
                       strong->weight > rule->weight ? "more weight" : "more criteria");
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

void recipe_warn_chances(struct recipe_reading *r, struct yaml_node *species) {
    const struct recipe *recipe = r->recipe;
    struct biome_interval *layers = layer_ranges(r);
    struct biome_interval *narrow = calloc((size_t)recipe->layer_count + 1, sizeof *narrow);
    if (!layers || !narrow) {
        recipe_stop(r, species, "out of memory");
    } else {
        for (int32_t i = 0; i < recipe->species_count; i++)
            warn_species(r, &recipe->species[i], yaml_get(species, recipe->species[i].name), layers, narrow);
        for (int32_t i = 0; i < recipe->species_count; i++)
            warn_sizes(r, &recipe->species[i], yaml_get(species, recipe->species[i].name));
        for (int32_t b = 0; b < recipe->main_count; b++)
            warn_rules(r, &recipe->biomes[b], layers, narrow);
        warn_masks(r, species);
    }
    free(layers);
    free(narrow);
}
