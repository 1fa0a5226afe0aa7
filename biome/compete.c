#include "biome/compete.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- buckets: points sorted into square buckets, row by row, so that three neighbours are one run ---- */

struct buckets {
    int32_t x0, y0; /* of bucket (0, 0), in 1/1024 m */
    double inverse; /* 1 / side of a bucket: no pair farther apart than a side is asked for */
    int32_t wide, high;
    uint32_t *start; /* wide * high + 1 */
};

static inline int32_t bucket_column(const struct buckets *b, int32_t x_q) {
    int32_t c = (int32_t)((double)(x_q - b->x0) * b->inverse);
    return c < 0 ? 0 : c >= b->wide ? b->wide - 1 : c;
}
static inline int32_t bucket_row(const struct buckets *b, int32_t y_q) {
    int32_t r = (int32_t)((double)(y_q - b->y0) * b->inverse);
    return r < 0 ? 0 : r >= b->high ? b->high - 1 : r;
}

/* At most 4 buckets a point. */
static void buckets_fit(struct buckets *b, const struct biome_candidate *points, size_t count,
                        int32_t side_q) {
    int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = INT32_MIN, y1 = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        x0 = points[i].x_q < x0 ? points[i].x_q : x0;
        x1 = points[i].x_q > x1 ? points[i].x_q : x1;
        y0 = points[i].y_q < y0 ? points[i].y_q : y0;
        y1 = points[i].y_q > y1 ? points[i].y_q : y1;
    }
    double dx = (double)x1 - (double)x0 + 1.0, dy = (double)y1 - (double)y0 + 1.0;
    double side = side_q < 64 ? 64.0 : (double)side_q;
    while ((floor(dx / side) + 1.0) * (floor(dy / side) + 1.0) > 4.0 * (double)count + 16.0)
        side *= 2.0;
    b->x0 = x0;
    b->y0 = y0;
    b->inverse = 1.0 / side;
    b->wide = (int32_t)floor(dx / side) + 1;
    b->high = (int32_t)floor(dy / side) + 1;
}

/* Sizes the grid over the points and sorts: order[] holds the points' indices, bucket by bucket. */
static bool buckets_make(struct buckets *b, const struct biome_candidate *points, size_t count,
                         int32_t side_q, uint32_t *order, struct arena *arena) {
    buckets_fit(b, points, count, side_q);
    size_t cells = (size_t)b->wide * (size_t)b->high;
    b->start = arena_alloc(arena, cells + 2, sizeof *b->start);
    uint32_t *bucket = arena_alloc(arena, count, sizeof *bucket);
    if (!b->start || !bucket)
        return false;
    memset(b->start, 0, (cells + 2) * sizeof *b->start);
    uint32_t *next = b->start + 1;
    for (size_t i = 0; i < count; i++) {
        bucket[i] = (uint32_t)bucket_row(b, points[i].y_q) * (uint32_t)b->wide +
                    (uint32_t)bucket_column(b, points[i].x_q);
        next[bucket[i] + 1]++;
    }
    for (size_t c = 1; c <= cells; c++)
        next[c] += next[c - 1];
    for (size_t i = 0; i < count; i++)
        order[next[bucket[i]]++] = (uint32_t)i;
    return true;
}

/* The runs of sorted points around a place: up to three rows of up to three buckets. */
struct runs {
    int32_t count;
    uint32_t from[3], to[3];
};

static inline struct runs runs_around(const struct buckets *b, int32_t x_q, int32_t y_q) {
    struct runs out = {.count = 0};
    int32_t column = bucket_column(b, x_q), row = bucket_row(b, y_q);
    int32_t c0 = column > 0 ? column - 1 : 0, c1 = column + 1 < b->wide ? column + 1 : column;
    int32_t r1 = row + 1 < b->high ? row + 1 : row;
    for (int32_t r = row > 0 ? row - 1 : 0; r <= r1; r++) {
        const uint32_t *start = b->start + (size_t)r * (size_t)b->wide;
        out.from[out.count] = start[c0];
        out.to[out.count++] = start[c1 + 1];
    }
    return out;
}

static size_t buckets_scratch(size_t count) {
    return arena_need(4 * count + 32, sizeof(uint32_t)) + arena_need(count, sizeof(uint32_t));
}

/* ---- within a tier ---- */

/* Where a rival stands, in bucket order. */
struct rival {
    int32_t x_q, y_q;
    int32_t radius_q;
    uint32_t index; /* of the candidate */
};

struct field {
    const struct biome_candidate *candidates;
    struct buckets buckets;
    struct rival *rivals;
    uint64_t *key;       /* rank and hash as one number, at least 1; 0: decided, out of every comparison */
    uint8_t *state;      /* in bucket order */
    uint32_t *undecided; /* positions in rivals */
    uint32_t *accepted;
    size_t undecided_count;
};

/* Viability, and so rank, is 0 or more: the bits of such floats rise with their values. */
static uint64_t key_of(const struct biome_candidate *c) {
    uint32_t bits;
    memcpy(&bits, &c->rank, sizeof bits);
    uint64_t key = ((uint64_t)bits << 32) | (hash_mix(c->id) >> 32);
    return key ? key : 1;
}

/* Nearer than the larger of the two radii. */
static inline bool too_near(const struct rival *a, const struct rival *b) {
    int64_t dx = (int64_t)a->x_q - b->x_q, dy = (int64_t)a->y_q - b->y_q;
    int64_t r = a->radius_q > b->radius_q ? a->radius_q : b->radius_q;
    return dx * dx + dy * dy < r * r;
}

/* Whether b outranks a, of which the keys are equal or b's is larger. */
static bool outranked(const struct field *f, uint32_t a, uint32_t b) {
    if (f->key[b] != f->key[a])
        return f->key[b] > f->key[a];
    return biome_outranks(&f->candidates[f->rivals[b].index], &f->candidates[f->rivals[a].index]);
}

/* The comparisons are joined without branches: they are as good as random to the processor. */
static bool beats_all(const struct field *f, uint32_t me) {
    struct rival a = f->rivals[me];
    uint64_t key = f->key[me];
    struct runs runs = runs_around(&f->buckets, a.x_q, a.y_q);
    for (int32_t r = 0; r < runs.count; r++)
        for (uint32_t k = runs.from[r]; k < runs.to[r]; k++)
            if ((f->key[k] >= key) & too_near(&a, &f->rivals[k]) & (k != me) && outranked(f, me, k))
                return false;
    return true;
}

static void strike_around(struct field *f, uint32_t me) {
    struct rival a = f->rivals[me];
    struct runs runs = runs_around(&f->buckets, a.x_q, a.y_q);
    for (int32_t r = 0; r < runs.count; r++)
        for (uint32_t k = runs.from[r]; k < runs.to[r]; k++)
            if ((f->key[k] != 0) & too_near(&a, &f->rivals[k])) {
                f->key[k] = 0;
                f->state[k] = RIVAL_STRUCK;
            }
}

/* One round. Two that are accepted together are never too near: one of them would outrank the other. */
static void play_round(struct field *f) {
    size_t accepted = 0, left = 0;
    for (size_t u = 0; u < f->undecided_count; u++)
        if (beats_all(f, f->undecided[u]))
            f->accepted[accepted++] = f->undecided[u];
    for (size_t a = 0; a < accepted; a++) {
        f->state[f->accepted[a]] = RIVAL_STANDS;
        f->key[f->accepted[a]] = 0;
    }
    for (size_t a = 0; a < accepted; a++)
        strike_around(f, f->accepted[a]);
    for (size_t u = 0; u < f->undecided_count; u++)
        if (f->key[f->undecided[u]] != 0)
            f->undecided[left++] = f->undecided[u];
    f->undecided_count = left;
}

float biome_compete_reach_m(const struct recipe_tier *tier, int32_t rounds) {
    return 2.0f * tier->radius_max_m * (float)rounds;
}

size_t biome_compete_scratch(size_t count) {
    return buckets_scratch(count) + arena_need(count, sizeof(struct rival)) + arena_need(count, 1) +
           arena_need(count, sizeof(uint64_t)) + 3 * arena_need(count, sizeof(uint32_t));
}

static bool field_make(struct field *f, const struct recipe *recipe, const struct biome_candidate *candidates,
                       size_t count, const uint8_t *state, struct arena *arena) {
    uint32_t *order = arena_alloc(arena, count, sizeof *order);
    f->candidates = candidates;
    f->rivals = arena_alloc(arena, count, sizeof *f->rivals);
    f->key = arena_alloc(arena, count, sizeof *f->key);
    f->state = arena_alloc(arena, count, 1);
    f->undecided = arena_alloc(arena, count, sizeof *f->undecided);
    f->accepted = arena_alloc(arena, count, sizeof *f->accepted);
    if (!order || !f->rivals || !f->key || !f->state || !f->undecided || !f->accepted)
        return false;
    float radius_max_m = recipe->tiers[candidates[0].tier].radius_max_m;
    int32_t side_q = (int32_t)(radius_max_m * 1024.0f) + 1;
    if (!buckets_make(&f->buckets, candidates, count, side_q, order, arena))
        return false;
    f->undecided_count = 0;
    for (size_t k = 0; k < count; k++) {
        const struct biome_candidate *c = &candidates[order[k]];
        f->rivals[k] = (struct rival){c->x_q, c->y_q, biome_radius_q(recipe, c), order[k]};
        f->state[k] = state[order[k]];
        f->key[k] = f->state[k] == RIVAL_UNDECIDED ? key_of(c) : 0;
        if (f->state[k] == RIVAL_UNDECIDED)
            f->undecided[f->undecided_count++] = (uint32_t)k;
    }
    return true;
}

enum status biome_compete(const struct recipe *recipe, const struct biome_candidate *candidates, size_t count,
                          int32_t rounds, uint8_t *state, int32_t *played, struct arena *arena,
                          struct error *err) {
    if (played)
        *played = 0;
    if (count == 0)
        return STATUS_OK;
    size_t mark = arena_mark(arena);
    struct field f;
    if (!field_make(&f, recipe, candidates, count, state, arena)) {
        arena_release(arena, mark);
        return error_set(err, STATUS_LIMIT, "scratch too small for competition");
    }
    for (int32_t r = 0; r < rounds && f.undecided_count > 0; r++) {
        play_round(&f);
        if (played)
            *played = r + 1;
    }
    for (size_t k = 0; k < count; k++)
        state[f.rivals[k].index] = f.state[k];
    arena_release(arena, mark);
    return STATUS_OK;
}

/* ---- against higher tiers ---- */

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

size_t biome_overrule_scratch(size_t standing_count) {
    return buckets_scratch(standing_count) + arena_need(standing_count, sizeof(uint32_t)) +
           arena_need(standing_count, sizeof(struct cleaner));
}

static bool cleared(const struct buckets *b, const struct cleaner *cleaners, const struct recipe_heed *heed,
                    const struct biome_candidate *c) {
    struct heeding h = heeding_of(heed, heed_chance(c));
    struct runs runs = runs_around(b, c->x_q, c->y_q);
    for (int32_t r = 0; r < runs.count; r++)
        for (uint32_t k = runs.from[r]; k < runs.to[r]; k++) {
            int64_t dx = (int64_t)cleaners[k].x_q - c->x_q, dy = (int64_t)cleaners[k].y_q - c->y_q;
            int64_t q = heed_q(&cleaners[k], h);
            if (dx * dx + dy * dy < q * q)
                return true;
        }
    return false;
}

enum status biome_overrule(const struct recipe *recipe, const struct biome_candidate *standing,
                           size_t standing_count, const struct biome_candidate *candidates, size_t count,
                           uint8_t *state, struct arena *arena, struct error *err) {
    if (standing_count == 0 || count == 0)
        return STATUS_OK;
    int32_t strong = standing[0].tier;
    float reach_m = biome_overrule_reach_m(recipe, strong, candidates[0].tier);
    if (reach_m <= 0.0f)
        return STATUS_OK;
    size_t mark = arena_mark(arena);
    uint32_t *order = arena_alloc(arena, standing_count, sizeof *order);
    struct cleaner *cleaners = arena_alloc(arena, standing_count, sizeof *cleaners);
    struct buckets b;
    bool room = order && cleaners &&
                buckets_make(&b, standing, standing_count, (int32_t)(reach_m * 1024.0f) + 1, order, arena);
    for (size_t k = 0; room && k < standing_count; k++)
        cleaners[k] = cleaner_of(recipe, &standing[order[k]]);
    for (size_t i = 0; room && i < count; i++) {
        const struct recipe_heed *heed = &candidate_species(recipe, &candidates[i])->heeds[strong];
        if (state[i] == RIVAL_UNDECIDED && heed->kind != HEED_NONE &&
            cleared(&b, cleaners, heed, &candidates[i]))
            state[i] = RIVAL_STRUCK;
    }
    arena_release(arena, mark);
    return room ? STATUS_OK : error_set(err, STATUS_LIMIT, "scratch too small to overrule lower tiers");
}
