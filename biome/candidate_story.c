#include "biome/candidate_story.h"

#include <math.h>

void biome_story_cell(const struct recipe_tier *tier, uint64_t seed, double cell_m, int32_t i, int32_t j,
                      struct biome_story *story) {
    uint64_t offsets = hash_place(seed, biome_tier_salt(tier), i, j, 1), cell_q = (uint64_t)tier->cell_q;
    *story = (struct biome_story){.i = i, .j = j, .biome = -1, .winner = -1};
    story->x_q = i * tier->cell_q + (int32_t)(((offsets & 0xffffffffu) * cell_q) >> 32);
    story->y_q = j * tier->cell_q + (int32_t)(((offsets >> 32) * cell_q) >> 32);
    story->x = biome_cell_of(story->x_q, cell_m);
    story->y = biome_cell_of(story->y_q, cell_m);
}

static int32_t whole_cells(int32_t q, int32_t cell_q) {
    return q / cell_q - (q % cell_q < 0);
}

void biome_story_place(const struct recipe_tier *tier, uint64_t seed, double cell_m, int32_t x_q, int32_t y_q,
                       struct biome_story *story) {
    biome_story_cell(tier, seed, cell_m, whole_cells(x_q, tier->cell_q), whole_cells(y_q, tier->cell_q),
                     story);
}

struct telling {
    const struct biome_candidates_params *p;
    struct biome_story *story;
    float *values; /* by recipe layer */
    struct biome_trace *trace;
    uint64_t place;
};

static float stack_value(const struct telling *t, int32_t first, int32_t end) {
    return biome_viability_trace(t->p->recipe, first, end, t->values, t->trace);
}

static const struct recipe_species *species_of(const struct telling *t, int32_t k) {
    return &t->p->recipe->species[t->p->recipe->tiers[t->p->tier].species[k]];
}

/* Every species draws alone: the largest of viability times chance wins, the earlier one of equals. */
static void draw(const struct telling *t, int32_t asked) {
    struct biome_story *story = t->story;
    const struct recipe_tier *tier = &t->p->recipe->tiers[t->p->tier];
    for (int32_t k = 0; k < tier->species_count; k++) {
        const struct recipe_species *s = species_of(t, k);
        if (!(s->biomes[story->biome >> 6] >> (story->biome & 63) & 1))
            continue;
        float v = stack_value(t, s->step_first, s->step_end);
        float key = v > 0.0f ? v * tier->race[hash_mix(t->place ^ s->salt) >> 52] : 0.0f;
        if (tier->species[k] == asked) {
            story->asked_viability = v;
            story->asked_key = key;
        }
        story->drew += v > 0.0f;
        if (v > 0.0f && key > story->key) {
            story->key = key;
            story->winner = k;
            story->candidate.viability = v;
        }
    }
}

/* What becomes of the winner, and the chance of its density. */
static void finish(const struct telling *t) {
    struct biome_story *story = t->story;
    struct biome_candidate *c = &story->candidate;
    const struct recipe *recipe = t->p->recipe;
    const struct recipe_tier *tier = &recipe->tiers[t->p->tier];
    const struct recipe_species *s = species_of(t, story->winner);
    const struct recipe_biome *biome = &recipe->biomes[story->biome];
    float age = s->age.max_m > 0.0f ? t->values[s->age.layer] : 0.0f;
    c->x_q = story->x_q;
    c->y_q = story->y_q;
    c->id = hash_place(t->p->seed, s->salt, story->i, story->j, 2);
    c->species = (uint32_t)story->winner & 0xfffu;
    c->tier = (uint32_t)t->p->tier & 0xffu;
    c->age = (uint32_t)(255.0f * age + 0.5f) & 0xffu;
    c->rank = c->viability + s->jitter * s->viability_max * hash_unit(candidate_hash(c->id, DRAW_RANK));
    struct biome_size size = biome_size(s, c->viability, age, c->id);
    c->size = (uint32_t)size.index & 0xfu;
    c->scale = size.scale * s->size_factor * biome->size_factor;
    float over = s->density_over == DENSITY_AGE      ? age
                 : s->density_over == DENSITY_HEIGHT ? s->sizes[size.index].height_m * c->scale
                                                     : c->viability;
    float share = 1.0f;
    if (s->density_step_first < s->density_step_end)
        share = stack_value(t, s->density_step_first, s->density_step_end);
    double side_m = (double)tier->cell_q / 1024.0, area_ha = side_m * side_m / 10000.0;
    story->chance = (double)s->density_per_ha * area_ha * (double)s->density_factor *
                    (double)biome_ramp_at(&s->density_ramp, over) * (double)(share < 1.0f ? share : 1.0f) *
                    (double)biome->density_factor;
    story->kept = (double)story->hash < story->chance;
}

size_t biome_story_scratch(const struct recipe *recipe) {
    return arena_need((size_t)recipe->layer_count + 1, sizeof(float)) +
           arena_need((size_t)recipe->step_count + 1, sizeof(struct biome_trace));
}

enum status biome_story_tell(const struct biome_candidates_params *p, int32_t asked,
                             struct biome_story *story, struct arena *arena, struct error *err) {
    size_t mark = arena_mark(arena);
    struct telling t = {.p = p, .story = story};
    t.values = arena_alloc(arena, (size_t)p->recipe->layer_count + 1, sizeof *t.values);
    t.trace = arena_alloc(arena, (size_t)p->recipe->step_count + 1, sizeof *t.trace);
    if (!t.values || !t.trace)
        return error_set(err, STATUS_FAULT, "scratch too small for a candidate's story");
    for (int32_t l = 0; l < p->recipe->layer_count; l++)
        t.values[l] = p->layers[l].cells ? biome_layer_value(&p->layers[l], story->x, story->y) : 0.0f;
    t.place = hash_place(p->seed, biome_tier_salt(&p->recipe->tiers[p->tier]), story->i, story->j, 0);
    story->hash = hash_unit(t.place);
    story->biome = p->recipe->biome_by_id[*grid_u8_at(p->biome_id, story->x, story->y)];
    if (story->biome >= 0)
        draw(&t, asked);
    if (story->winner >= 0)
        finish(&t);
    arena_release(arena, mark);
    return STATUS_OK;
}
