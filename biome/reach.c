#include "biome/reach.h"

#include "biome/imprint.h"
#include "biome/overrule.h"
#include <string.h>

static float stack_reach_m(const struct recipe *recipe, int32_t first, int32_t end, int32_t tier);

/* A mask's own reach, or that of what its writers' stacks read. */
static float mask_reach_m(const struct recipe *recipe, int32_t mask, int32_t tier) {
    float reach = biome_imprint_reach_m(recipe, tier, WRITE_MASK, mask);
    for (int32_t i = 0; i < recipe->species_count; i++)
        for (int32_t k = 0; k < recipe->species[i].write_count; k++) {
            const struct recipe_write *w = &recipe->species[i].writes[k];
            float more = w->kind == WRITE_MASK && w->mask == mask
                             ? stack_reach_m(recipe, w->step_first, w->step_end, tier)
                             : -1.0f;
            reach = more > reach ? more : reach;
        }
    return reach;
}

/* How far a layer that species write reads beyond a place among what stands of a tier; below 0: not at all.
 */
static float layer_reach_m(const struct recipe *recipe, const char *layer, int32_t tier) {
    float more = 0.0f, reach = -1.0f;
    if (strncmp(layer, "distance.", 9) == 0) {
        layer += 9;
        more = recipe->distance_max_m;
    }
    for (int32_t i = 0; strncmp(layer, "age_", 4) == 0 && i < recipe->species_count; i++) {
        const struct recipe_species *s = &recipe->species[i];
        if (s->age.max_m <= 0.0f || strcmp(s->name, layer + 4) != 0)
            continue;
        reach = stack_reach_m(recipe, s->step_first, s->step_end, tier);
        more = s->age.max_m;
    }
    for (int32_t m = 0; strncmp(layer, "mask_", 5) == 0 && m < recipe->mask_count; m++)
        if (strcmp(recipe->masks[m], layer + 5) == 0)
            reach = mask_reach_m(recipe, m, tier);
    return reach < 0.0f ? reach : reach + more;
}

static float stack_reach_m(const struct recipe *recipe, int32_t first, int32_t end, int32_t tier) {
    float most = -1.0f;
    for (int32_t k = first; k < end; k++) {
        const struct recipe_step *step = &recipe->steps[k];
        float reach =
            step->kind == STEP_LAYER ? layer_reach_m(recipe, recipe->layers[step->layer], tier) : -1.0f;
        most = reach > most ? reach : most;
    }
    return most;
}

/* What a tier adds to the reach of the tier `strong` above it; below 0: it does not read it. */
static float added_m(const struct recipe *recipe, int32_t strong, int32_t tier) {
    const struct recipe_tier *t = &recipe->tiers[tier];
    float added = biome_overrule_reach_m(recipe, strong, tier);
    added = added > 0.0f ? added : -1.0f;
    for (int32_t i = 0; i < t->species_count; i++) {
        const struct recipe_species *s = &recipe->species[t->species[i]];
        const float reach[3] = {
            stack_reach_m(recipe, s->step_first, s->step_end, strong),
            stack_reach_m(recipe, s->density_step_first, s->density_step_end, strong),
            s->age.max_m > 0.0f ? layer_reach_m(recipe, recipe->layers[s->age.layer], strong) : -1.0f};
        for (int32_t k = 0; k < 3; k++)
            added = reach[k] > added ? reach[k] : added;
    }
    return added;
}

/* How deep the ages of a tier's species look into their patches. */
static float ages_m(const struct recipe *recipe, int32_t tier) {
    float most = 0.0f;
    for (int32_t i = 0; i < recipe->tiers[tier].species_count; i++) {
        float max_m = recipe->species[recipe->tiers[tier].species[i]].age.max_m;
        most = max_m > most ? max_m : most;
    }
    return most;
}

float biome_reach_m(const struct recipe *recipe, int32_t tier) {
    float above[RECIPE_TIERS_MAX];
    for (int32_t t = 0; t <= tier; t++) {
        float most = 0.0f;
        for (int32_t strong = 0; strong < t; strong++) {
            float added = added_m(recipe, strong, t);
            if (added >= 0.0f && above[strong] + added > most)
                most = above[strong] + added;
        }
        most = ages_m(recipe, t) > most ? ages_m(recipe, t) : most;
        above[t] = most + biome_compete_reach_m(&recipe->tiers[t], RECIPE_ROUNDS);
    }
    return above[tier];
}

float biome_reach_max_m(const struct recipe *recipe) {
    float most = 0.0f;
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        float reach = biome_reach_m(recipe, t);
        most = reach > most ? reach : most;
    }
    return most;
}
