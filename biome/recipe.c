#include "biome/recipe.h"

#include "biome/viability.h"
#include "terrain/hash.h"
#include "terrain/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const recipe_combine_names[COMBINE_COUNT] = {"multiply", "add", "subtract", "min",
                                                         "max",      "mix", "replace"};
const char *const recipe_crown_names[CROWN_COUNT] = {"cone", "blob", "flat", "rock", "none"};

/* The lattice's cell is rounded down to 1/1024 m x 2^(k/8): a small change of one radius or density then
 * seldom moves every candidate of its tier. */
static int32_t lattice_cell_q(float cell_m) {
    static const double step = 0x1.172b83c7d517bp+0; /* 2^(1/8) */
    int32_t best = 64;                               /* 1/16 m */
    for (int32_t octave = 6; octave <= 15; octave++) {
        double cell_q = (double)(1 << octave);
        for (int32_t k = 0; k < 8; k++, cell_q *= step)
            if (floor(cell_q) <= (double)cell_m * 1024.0)
                best = (int32_t)floor(cell_q);
    }
    return best;
}

/* Entry i stands for u = (i + 1/2) / RACE_STEPS. */
static enum status make_race(struct recipe_tier *tiers, int32_t t, struct error *err) {
    struct recipe_tier *tier = &tiers[t];
    tier->race = malloc(RACE_STEPS * sizeof *tier->race);
    if (!tier->race)
        return error_set(err, STATUS_LIMIT, "out of memory");
    for (int32_t k = 0; k < t; k++)
        if (tiers[k].purity == tier->purity) {
            memcpy(tier->race, tiers[k].race, RACE_STEPS * sizeof *tier->race);
            return STATUS_OK;
        }
    for (int32_t i = 0; i < RACE_STEPS; i++) {
        double u = ((double)i + 0.5) / (double)RACE_STEPS;
        double odds = -1.0 / math_log(u);
        bool plain = tier->purity > 1e6f;
        tier->race[i] = plain ? 1.0f : (float)math_pow(odds, 1.0 / (double)tier->purity);
    }
    return STATUS_OK;
}

/* The largest density and size factor that a species has anywhere. */
static void most_factors(const struct recipe *recipe, const struct recipe_species *s, float *density,
                         float *size) {
    float thick = 0.0f, tall = 0.0f;
    for (int32_t b = 0; b < recipe->biome_count; b++) {
        const struct recipe_biome *biome = &recipe->biomes[b];
        if (!(s->biomes[b >> 6] >> (b & 63) & 1))
            continue;
        thick = biome->density_factor > thick ? biome->density_factor : thick;
        tall = biome->size_factor > tall ? biome->size_factor : tall;
    }
    *density = thick * s->density_factor;
    *size = tall > 0.0f ? tall * s->size_factor : s->size_factor;
}

/* Rocks are all trunk; what stays below 3 m gives way. */
static float usual_trunk_m(const struct recipe_species *s) {
    if (s->crown == CROWN_ROCK)
        return s->crown_radius_m;
    return s->height_full_m >= 3.0f && s->crown != CROWN_NONE ? 0.012f * s->height_full_m : 0.0f;
}

static void finish_species(struct recipe *recipe, struct recipe_species *s) {
    float low, high;
    biome_viability_bounds(recipe, s->step_first, s->step_end, NULL, &low, &high);
    s->viability_max = high > 0.0f ? high : 0.0f;
    const struct recipe_size *last = &s->sizes[s->size_count - 1];
    float scale = last->scale[1] > last->scale[0] ? last->scale[1] : last->scale[0];
    s->height_full_m = last->height_m * scale;
    if (s->trunk_radius_m < 0.0f)
        s->trunk_radius_m = usual_trunk_m(s);
    float thick, tall;
    most_factors(recipe, s, &thick, &tall);
    s->height_max_m = s->height_full_m * s->scale_random[1] * tall;
    float growth = recipe_growth(s, s->height_max_m);
    s->radius_max_m = s->viability_radius_m * growth * (1.0f + s->radius_spread);
    s->priority_max_m = s->priority_radius_m * growth;
}

static void finish_tier(struct recipe *recipe, struct recipe_tier *tier) {
    float smallest = HUGE_VALF;
    for (int32_t i = 0; i < tier->species_count; i++) {
        const struct recipe_species *s = &recipe->species[tier->species[i]];
        smallest = s->viability_radius_m < smallest ? s->viability_radius_m : smallest;
        float thick, tall;
        most_factors(recipe, s, &thick, &tall);
        /* sliders below 1 leave the lattice as it is: they thin what stands, and move nothing */
        float asked = s->density_per_ha * biome_ramp_most(&s->density_ramp, 0.0f, HUGE_VALF) *
                      (thick > 1.0f ? thick : 1.0f);
        tier->density_per_ha = asked > tier->density_per_ha ? asked : tier->density_per_ha;
        tier->radius_max_m = s->radius_max_m > tier->radius_max_m ? s->radius_max_m : tier->radius_max_m;
        tier->priority_max_m =
            s->priority_max_m > tier->priority_max_m ? s->priority_max_m : tier->priority_max_m;
    }
    /* no more than one candidate is asked a cell: the density must fit as well; nor are cells finer than the
     * density asks for by a quarter of them, of which most would stay empty */
    float by_density = sqrtf(10000.0f / tier->density_per_ha);
    float cell_m = tier->spacing * smallest;
    cell_m = cell_m > 0.5f * by_density ? cell_m : 0.5f * by_density;
    tier->cell_q = lattice_cell_q(cell_m < by_density ? cell_m : by_density);
    /* as many rounds in one stage as keep its reach under 24 m: docs/decisions, rounds of competition */
    float rounds = floorf(24.0f / (2.0f * tier->radius_max_m + 0.01f));
    tier->rounds_per_stage = rounds < 1.0f ? 1 : rounds > 12.0f ? 12 : (int32_t)rounds;
}

static int32_t find_tier(const struct recipe *recipe, int32_t priority) {
    for (int32_t t = 0; t < recipe->tier_count; t++)
        if (recipe->tiers[t].priority == priority)
            return t;
    return -1;
}

static int by_priority(const void *a, const void *b) {
    const struct recipe_tier *x = a, *y = b;
    return (x->priority < y->priority) - (x->priority > y->priority);
}

/* Tiers that no species is in are left out. */
static enum status make_tiers(struct recipe *recipe, struct error *err) {
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        struct recipe_tier *tier = &recipe->tiers[t];
        tier->species = calloc((size_t)recipe->species_count + 1, sizeof *tier->species);
        if (!tier->species)
            return error_set(err, STATUS_LIMIT, "out of memory");
    }
    qsort(recipe->tiers, (size_t)recipe->tier_count, sizeof *recipe->tiers, by_priority);
    for (int32_t i = 0; i < recipe->species_count; i++) {
        int32_t t = find_tier(recipe, recipe->species[i].priority);
        struct recipe_tier *tier = &recipe->tiers[t];
        tier->species[tier->species_count++] = i;
    }
    int32_t kept = 0;
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        if (recipe->tiers[t].species_count == 0)
            free(recipe->tiers[t].species);
        else
            recipe->tiers[kept++] = recipe->tiers[t];
    }
    recipe->tier_count = kept;
    if (kept > RECIPE_TIERS_MAX)
        return error_set(err, STATUS_LIMIT, "%d different priorities; at most %d are possible", (int)kept,
                         (int)RECIPE_TIERS_MAX);
    for (int32_t t = 0; t < kept; t++)
        for (int32_t i = 0; i < recipe->tiers[t].species_count; i++)
            recipe->species[recipe->tiers[t].species[i]].tier = t;
    return STATUS_OK;
}

enum status recipe_finish(struct recipe *recipe, struct error *err) {
    for (int32_t i = 0; i < 256; i++)
        recipe->biome_by_id[i] = -1;
    for (int32_t b = 0; b < recipe->biome_count; b++)
        recipe->biome_by_id[recipe->biomes[b].id] = b;
    enum status status = make_tiers(recipe, err);
    for (int32_t i = 0; status == STATUS_OK && i < recipe->species_count; i++)
        finish_species(recipe, &recipe->species[i]);
    for (int32_t t = 0; status == STATUS_OK && t < recipe->tier_count; t++) {
        finish_tier(recipe, &recipe->tiers[t]);
        status = make_race(recipe->tiers, t, err);
    }
    return status;
}

static void free_names(char **names, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

void recipe_free(struct recipe *recipe) {
    if (!recipe)
        return;
    for (int32_t b = 0; b < recipe->biome_count; b++)
        free(recipe->biomes[b].name);
    for (int32_t i = 0; i < recipe->species_count; i++) {
        struct recipe_species *s = &recipe->species[i];
        free(s->name);
        free(s->kind);
        for (int32_t k = 0; k < s->size_count; k++)
            free(s->sizes[k].asset);
    }
    for (int32_t i = 0; i < recipe->variation_count; i++)
        free(recipe->variations[i].asset);
    free(recipe->variations);
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        free(recipe->tiers[t].species);
        free(recipe->tiers[t].race);
    }
    free_names(recipe->layers, recipe->layer_count);
    free_names(recipe->masks, recipe->mask_count);
    free(recipe->biomes);
    free(recipe->rules);
    free(recipe->species);
    free(recipe->tiers);
    free(recipe->steps);
    free_names(recipe->files, recipe->file_count);
    free(recipe);
}

bool recipe_stack_reads(const struct recipe *recipe, int32_t first, int32_t end, int32_t layer) {
    for (int32_t k = first; k < end; k++)
        if (recipe->steps[k].kind == STEP_LAYER && recipe->steps[k].layer == layer)
            return true;
    return false;
}

uint32_t recipe_object_id(const char *asset) {
    uint32_t id = (uint32_t)(hash_name(asset) >> 32);
    return id ? id : 1;
}

float recipe_growth(const struct recipe_species *species, float height_m) {
    float ratio = height_m / species->height_full_m;
    float root = sqrtf(ratio);
    return root * sqrtf(root);
}

float recipe_offset_m(const struct recipe_species *species, float height_m, bool level) {
    float far[3];
    for (int i = 0; i < 3; i++)
        far[i] = fabsf(species->offset_m[i]) + species->offset_jitter_m[i];
    float over = sqrtf(far[0] * far[0] + far[1] * far[1]);
    return recipe_growth(species, height_m) * (level ? over : over + far[2]);
}

float recipe_offset_most_m(const struct recipe *recipe, bool level) {
    float most = 0.0f;
    for (int32_t i = 0; i < recipe->species_count; i++)
        most = math_maxf(most, recipe_offset_m(&recipe->species[i], recipe->species[i].height_max_m, level));
    return most;
}

float recipe_crown_radius_m(const struct recipe_species *species, float height_m) {
    return species->crown_radius_m * recipe_growth(species, height_m);
}
