#include "gen/recipe_ranges.h"

#include "gen/world.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALTITUDE_SLACK_M = 64
}; /* water carves, cliffs rise: altitudes may leave the heights' range a little */

struct biome_interval *recipe_layer_ranges(const struct recipe_reading *r, bool in_world) {
    const struct recipe *recipe = r->recipe;
    const struct world_height *h = &r->world->height;
    struct biome_interval *layers = calloc((size_t)recipe->layer_count + 1, sizeof *layers);
    for (int32_t l = 0; layers && l < recipe->layer_count; l++) {
        layers[l] = (struct biome_interval){-HUGE_VALF, HUGE_VALF};
        if (in_world && strcmp(recipe->layers[l], "altitude") == 0 && h->source.format != RASTER_R32 &&
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

float recipe_most(const struct recipe *recipe, int32_t first, int32_t end,
                  const struct biome_interval *layers) {
    float low, high;
    biome_viability_bounds(recipe, first, end, layers, &low, &high);
    return high;
}

bool recipe_narrowed(const struct recipe *recipe, const struct recipe_rule *rule,
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

/* ---- rules against rules ---- */

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

const struct recipe_rule *recipe_stronger(const struct recipe *recipe, const struct recipe_biome *biome,
                                          const struct recipe_rule *rule,
                                          const struct biome_interval *layers) {
    for (int32_t i = biome->rule_first; i < biome->rule_end; i++)
        if (shadows(recipe, &recipe->rules[i], rule, layers))
            return &recipe->rules[i];
    return NULL;
}

/* ---- where ---- */

static bool is_painted(const struct world *world, const char *name) {
    const struct world_mask *paint = world_find_mask(world, "biome_paint");
    if (paint && paint->legend_wrong) /* any may be */
        return true;
    for (size_t i = 0; paint && i < paint->legend_count; i++)
        if (!paint->legend[i].unpainted && strcmp(paint->legend[i].name, name) == 0)
            return true;
    return false;
}

bool recipe_by_hand(const struct recipe_reading *r, int32_t b) {
    return b == r->recipe->default_biome || is_painted(r->world, r->recipe->biomes[b].name);
}

int32_t recipe_zero_step(const struct recipe *recipe, int32_t first, int32_t end,
                         const struct biome_interval *layers) {
    int32_t at = -1;
    for (int32_t k = first; k < end; k = recipe->steps[k].end) {
        bool zero = recipe_most(recipe, first, recipe->steps[k].end, layers) <= 0.0f;
        at = !zero ? -1 : at < 0 ? k : at;
    }
    if (at < 0 || recipe->steps[at].kind != STEP_GROUP)
        return at;
    int32_t inner = recipe_zero_step(recipe, at + 1, recipe->steps[at].end, layers);
    return inner < 0 ? at : inner;
}

int32_t recipe_endless_step(const struct recipe *recipe, int32_t first, int32_t end) {
    for (int32_t k = first; k < end; k = recipe->steps[k].end) {
        int32_t inner = recipe->steps[k].kind == STEP_GROUP
                            ? recipe_endless_step(recipe, k + 1, recipe->steps[k].end)
                            : -1;
        if (inner >= 0)
            return inner;
        if (!(recipe_most(recipe, first, recipe->steps[k].end, NULL) < HUGE_VALF))
            return k;
    }
    return -1;
}
