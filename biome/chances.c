#include "biome/chances.h"

#include <math.h>
#include <string.h>

bool biome_lives_in(const struct recipe_species *s, int32_t biome) {
    return (s->biomes[biome >> 6] >> (biome & 63) & 1) != 0;
}

double biome_whole_chance(const struct recipe_species *s, double area_ha) {
    return (double)s->density_per_ha * area_ha * (double)s->density_factor;
}

/* The largest chance where the viability is at most v, and the density's stack. */
static double most_chance(const struct recipe_species *s, double area_ha, float v, float stack) {
    float share = s->density_over == DENSITY_VIABILITY ? biome_ramp_most(&s->density_ramp, 0.0f, v)
                                                       : biome_ramp_most(&s->density_ramp, 0.0f, HUGE_VALF);
    return v > 0.0f ? biome_whole_chance(s, area_ha) * (double)share * (double)stack : 0.0;
}

/* Whether a species lives in any biome of those that are present, by the bits of their indices. */
static bool is_home(const struct recipe_species *s, const uint64_t present[4]) {
    return (s->biomes[0] & present[0]) | (s->biomes[1] & present[1]) | (s->biomes[2] & present[2]) |
           (s->biomes[3] & present[3]);
}

static void ask_layers(const struct recipe *recipe, int32_t first, int32_t end, bool *asked) {
    for (int32_t i = first; i < end; i++)
        if (recipe->steps[i].kind == STEP_LAYER)
            asked[recipe->steps[i].layer] = true;
}

/* Of the layers that species at home here ask for. */
static void find_ranges(const struct biome_candidates_params *p, const uint64_t present[4], bool *asked,
                        struct biome_interval *layers) {
    const struct recipe_tier *tier = &p->recipe->tiers[p->tier];
    memset(asked, 0, (size_t)p->recipe->layer_count * sizeof *asked);
    for (int32_t k = 0; k < tier->species_count; k++) {
        const struct recipe_species *s = &p->recipe->species[tier->species[k]];
        if (!is_home(s, present))
            continue;
        ask_layers(p->recipe, s->step_first, s->step_end, asked);
        ask_layers(p->recipe, s->density_step_first, s->density_step_end, asked);
    }
    for (int32_t l = 0; l < p->recipe->layer_count; l++)
        if (asked[l])
            layers[l] = biome_layer_interval(&p->layers[l], p->x0, p->y0, p->x1, p->y1);
}

/* The best chance of each species of the tier where the layers are within these ranges; -1 for those that
 * like none of it, or are not at home here. */
static void best_chances(const struct biome_candidates_params *p, const uint64_t present[4], double area_ha,
                         const struct biome_interval *layers, double *chance) {
    const struct recipe_tier *tier = &p->recipe->tiers[p->tier];
    for (int32_t k = 0; k < tier->species_count; k++) {
        const struct recipe_species *s = &p->recipe->species[tier->species[k]];
        float low, high, stack = 1.0f;
        chance[k] = -1.0;
        if (!is_home(s, present))
            continue;
        biome_viability_bounds(p->recipe, s->step_first, s->step_end, layers, &low, &high);
        if (s->density_step_first < s->density_step_end)
            biome_viability_bounds(p->recipe, s->density_step_first, s->density_step_end, layers, &low,
                                   &stack);
        if (high > 0.0f)
            chance[k] = most_chance(s, area_ha, high, stack < 1.0f ? stack : 1.0f);
    }
}

static void find_biomes(const struct biome_candidates_params *p, bool present[RECIPE_BIOMES_MAX]) {
    bool seen[256] = {false};
    size_t n = (size_t)(p->x1 - p->x0);
    for (int32_t y = p->y0; y < p->y1; y++) {
        const uint8_t *row = grid_u8_at(p->biome_id, p->x0, y);
        seen[row[0]] = true;
        if (memcmp(row, row + 1, n - 1) == 0)
            continue; /* all of one biome */
        for (size_t i = 1; i < n; i++)
            seen[row[i]] = true;
    }
    memset(present, 0, RECIPE_BIOMES_MAX * sizeof *present);
    for (int32_t id = 0; id < 256; id++)
        if (seen[id] && p->recipe->biome_by_id[id] >= 0)
            present[p->recipe->biome_by_id[id]] = true;
}

/* u < chance for u = h / 2^24, in whole numbers. */
static uint32_t limit_of(double chance) {
    return chance < 1.0 ? (uint32_t)ceil(chance * 0x1p24) : (uint32_t)1 << 24;
}

static void set_limits(struct biome_chances *c, const struct biome_candidates_params *p,
                       const double *chance) {
    const struct recipe *recipe = p->recipe;
    const struct recipe_tier *tier = &recipe->tiers[p->tier];
    c->most = 0;
    memset(c->limit, 0, sizeof c->limit);
    for (int32_t b = 0; b < recipe->biome_count; b++) {
        double most = 0.0;
        for (int32_t k = 0; c->present[b] && k < tier->species_count; k++)
            if (chance[k] > most && biome_lives_in(&recipe->species[tier->species[k]], b))
                most = chance[k];
        uint32_t here = limit_of(most * (double)recipe->biomes[b].density_factor);
        c->limit[recipe->biomes[b].id] = here;
        c->most = here > c->most ? here : c->most;
    }
}

size_t biome_chances_scratch(const struct biome_candidates_params *p) {
    size_t species = (size_t)p->recipe->tiers[p->tier].species_count;
    return arena_need(species, sizeof(bool)) + arena_need(species, sizeof(double)) +
           arena_need((size_t)p->recipe->layer_count + 1, sizeof(struct biome_interval)) +
           arena_need((size_t)p->recipe->layer_count + 1, sizeof(bool));
}

bool biome_chances_make(struct biome_chances *c, const struct biome_candidates_params *p,
                        struct arena *arena) {
    const struct recipe_tier *tier = &p->recipe->tiers[p->tier];
    double side_m = (double)tier->cell_q / 1024.0;
    size_t species = (size_t)tier->species_count;
    c->area_ha = side_m * side_m / 10000.0;
    c->possible = arena_alloc(arena, species, sizeof *c->possible);
    double *chance = arena_alloc(arena, species, sizeof *chance);
    struct biome_interval *layers = arena_alloc(arena, (size_t)p->recipe->layer_count + 1, sizeof *layers);
    bool *asked = arena_alloc(arena, (size_t)p->recipe->layer_count + 1, sizeof *asked);
    uint64_t present[4] = {0};
    if (!c->possible || !chance || !layers || !asked)
        return false;
    find_biomes(p, c->present);
    for (int32_t b = 0; b < p->recipe->biome_count; b++)
        present[b >> 6] |= (uint64_t)c->present[b] << (b & 63);
    find_ranges(p, present, asked, layers);
    best_chances(p, present, c->area_ha, layers, chance);
    for (size_t k = 0; k < species; k++)
        c->possible[k] = chance[k] >= 0.0;
    set_limits(c, p, chance);
    return true;
}
