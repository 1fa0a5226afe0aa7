#include "biome/overrule.h"

#include "biome/buckets.h"

static const float trunk_base_m = 0.35f, trunk_share = 0.012f; /* BIOMES: 0.35 m + 1.2 % of the height */

static float heed_limit_m(const struct recipe_species *strong, const struct recipe_heed *heed) {
    switch (heed->kind) {
    case HEED_CROWN:
        return strong->priority_max_m;
    case HEED_TRUNK:
        return trunk_base_m + trunk_share * strong->height_max_m;
    case HEED_FACTOR:
        return strong->priority_max_m * heed->factor;
    case HEED_NONE:
        break;
    }
    return 0.0f;
}

float biome_overrule_reach_m(const struct recipe *recipe, int32_t strong, int32_t weak) {
    const struct recipe_tier *s = &recipe->tiers[strong], *w = &recipe->tiers[weak];
    float reach = 0.0f;
    for (int32_t i = 0; i < s->species_count; i++)
        for (int32_t k = 0; k < w->species_count; k++) {
            const struct recipe_species *a = &recipe->species[s->species[i]];
            float r = heed_limit_m(a, &recipe->species[w->species[k]].heeds[strong]);
            reach = r > reach ? r : reach;
        }
    return reach * 1.3f;
}

/* What one that stands clears, by what the weaker heeds; times the weaker's chance. */
struct cleaner {
    int32_t x_q, y_q;
    float priority_q, trunk_q;
};

static struct cleaner cleaner_of(const struct recipe *recipe, const struct biome_candidate *c) {
    return (struct cleaner){c->x_q, c->y_q, (float)biome_priority_q(recipe, c),
                            (trunk_base_m + trunk_share * biome_height_m(recipe, c)) * 1024.0f};
}

/* What a weaker one heeds: so much of the priority radius, so much of the trunk. */
struct heeding {
    float priority, trunk;
};

static struct heeding heeding_of(const struct recipe_heed *heed, float chance) {
    struct heeding h = {0.0f, 0.0f};
    if (heed->kind == HEED_TRUNK)
        h.trunk = chance;
    else if (heed->kind != HEED_NONE)
        h.priority = heed->kind == HEED_FACTOR ? heed->factor * chance : chance;
    return h;
}

static inline int64_t heed_q(const struct cleaner *strong, struct heeding h) {
    return (int64_t)(int32_t)(strong->priority_q * h.priority + strong->trunk_q * h.trunk);
}

static float heed_chance(const struct biome_candidate *weak) {
    return 0.7f + 0.6f * hash_unit(candidate_hash(weak->id, DRAW_HEED));
}

int32_t biome_heed_q(const struct recipe *recipe, const struct biome_candidate *strong,
                     const struct biome_candidate *weak) {
    struct cleaner cleaner = cleaner_of(recipe, strong);
    return (int32_t)heed_q(
        &cleaner, heeding_of(&candidate_species(recipe, weak)->heeds[strong->tier], heed_chance(weak)));
}

/* ---- the weaker tier's candidates in buckets ---- */

/* Bucket order. */
struct biome_weak_place {
    int32_t x_q, y_q;
    float chance;
    uint32_t species; /* index into the tier's */
    uint32_t index;   /* of the candidate */
};

size_t biome_weak_scratch(const struct recipe *recipe, int32_t tier, size_t count) {
    return buckets_scratch(count) + arena_need(count, sizeof(uint32_t)) +
           arena_need(count, sizeof(struct biome_weak_place)) + arena_need(1, sizeof(struct buckets)) +
           arena_need((size_t)recipe->tiers[tier].species_count, sizeof(struct heeding));
}

enum { SIDE_Q = 1024 }; /* of a bucket, at least */

enum status biome_weak_make(struct biome_weak *weak, const struct recipe *recipe,
                            const struct biome_candidate *candidates, size_t count, struct arena *arena,
                            struct error *err) {
    *weak = (struct biome_weak){.recipe = recipe, .count = count};
    if (count == 0)
        return STATUS_OK;
    weak->tier = candidates[0].tier;
    uint32_t *order = arena_alloc(arena, count, sizeof *order);
    weak->places = arena_alloc(arena, count, sizeof *weak->places);
    weak->buckets = arena_alloc(arena, 1, sizeof *weak->buckets);
    weak->heedings =
        arena_alloc(arena, (size_t)recipe->tiers[weak->tier].species_count, sizeof *weak->heedings);
    if (!order || !weak->places || !weak->buckets || !weak->heedings ||
        !buckets_make(weak->buckets, candidates, count, SIDE_Q, order, arena))
        return error_set(err, STATUS_LIMIT, "scratch too small to overrule lower tiers");
    for (size_t k = 0; k < count; k++) {
        const struct biome_candidate *c = &candidates[order[k]];
        weak->places[k] = (struct biome_weak_place){c->x_q, c->y_q, heed_chance(c), c->species, order[k]};
    }
    return STATUS_OK;
}

/* What the weaker species heed of one stronger tier at chance 1; the largest of each share. */
static struct heeding find_heedings(struct biome_weak *weak, int32_t strong) {
    const struct recipe_tier *tier = &weak->recipe->tiers[weak->tier];
    struct heeding most = {0.0f, 0.0f};
    for (int32_t i = 0; i < tier->species_count; i++) {
        struct heeding h = heeding_of(&weak->recipe->species[tier->species[i]].heeds[strong], 1.0f);
        weak->heedings[i] = h;
        most.priority = h.priority > most.priority ? h.priority : most.priority;
        most.trunk = h.trunk > most.trunk ? h.trunk : most.trunk;
    }
    return most;
}

/* Strikes out whoever is too near to one that stands; reach_q: nobody farther is. */
static void overrule(const struct biome_weak *weak, const struct cleaner *strong, int32_t reach_q,
                     uint8_t *state) {
    const struct buckets *b = weak->buckets;
    int64_t limit = (int64_t)reach_q * reach_q;
    int32_t c0 = bucket_column(b, strong->x_q - reach_q), c1 = bucket_column(b, strong->x_q + reach_q);
    int32_t r0 = bucket_row(b, strong->y_q - reach_q), r1 = bucket_row(b, strong->y_q + reach_q);
    for (int32_t r = r0; r <= r1; r++) {
        const uint32_t *start = b->start + (size_t)r * (size_t)b->wide;
        for (uint32_t k = start[c0]; k < start[c1 + 1]; k++) {
            const struct biome_weak_place *w = &weak->places[k];
            int64_t dx = (int64_t)strong->x_q - w->x_q, dy = (int64_t)strong->y_q - w->y_q;
            int64_t d2 = dx * dx + dy * dy;
            if (d2 >= limit)
                continue;
            struct heeding h = weak->heedings[w->species];
            h.priority *= w->chance;
            h.trunk *= w->chance;
            int64_t q = heed_q(strong, h);
            if (d2 < q * q && state[w->index] == RIVAL_UNDECIDED)
                state[w->index] = RIVAL_STRUCK;
        }
    }
}

void biome_overrule(struct biome_weak *weak, const struct biome_candidate *standing, size_t standing_count,
                    uint8_t *state) {
    if (standing_count == 0 || weak->count == 0)
        return;
    struct heeding most = find_heedings(weak, standing[0].tier);
    if (most.priority <= 0.0f && most.trunk <= 0.0f)
        return;
    for (size_t i = 0; i < standing_count; i++) {
        struct cleaner c = cleaner_of(weak->recipe, &standing[i]);
        float reach_q = 1.3f * (c.priority_q * most.priority + c.trunk_q * most.trunk);
        overrule(weak, &c, (int32_t)reach_q + 2, state);
    }
}
