#include "biome/reach.h"

#include "biome/compete.h"
#include "biome/imprint.h"
#include <string.h>

static bool reads_mask(const struct recipe *recipe, int32_t tier, int32_t mask) {
    const struct recipe_tier *t = &recipe->tiers[tier];
    for (int32_t i = 0; i < t->species_count; i++) {
        const struct recipe_species *s = &recipe->species[t->species[i]];
        for (int32_t k = s->step_first; k < s->step_end; k++) {
            const struct recipe_step *step = &recipe->steps[k];
            const char *layer = step->kind == STEP_LAYER ? recipe->layers[step->layer] : "";
            if (strncmp(layer, "mask_", 5) == 0 && strcmp(layer + 5, recipe->masks[mask]) == 0)
                return true;
        }
    }
    return false;
}

/* What a tier adds to the reach of the tier `strong` above it; below 0: it does not read it. */
static float added_m(const struct recipe *recipe, int32_t strong, int32_t tier) {
    float added = biome_overrule_reach_m(recipe, strong, tier);
    added = added > 0.0f ? added : -1.0f;
    for (int32_t m = 0; m < recipe->mask_count; m++) {
        float imprint = biome_imprint_reach_m(recipe, strong, m);
        if (imprint > added && reads_mask(recipe, tier, m))
            added = imprint;
    }
    return added;
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
