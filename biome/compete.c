#include "biome/compete.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- buckets: points sorted into square buckets, row by row, so that three neighbours are one run ---- */

struct buckets {
    int32_t x0, y0; /* of bucket (0, 0), in 1/1024 m */
    int32_t side_q; /* no pair farther apart than this is asked for */
    int32_t wide, high;
    uint32_t *start; /* wide * high + 1 */
};

static int32_t bucket_column(const struct buckets *b, int32_t x_q) {
    int32_t c = (x_q - b->x0) / b->side_q;
    return c < 0 ? 0 : c >= b->wide ? b->wide - 1 : c;
}
static int32_t bucket_row(const struct buckets *b, int32_t y_q) {
    int32_t r = (y_q - b->y0) / b->side_q;
    return r < 0 ? 0 : r >= b->high ? b->high - 1 : r;
}

/* Sizes the grid over the points, with at most 4 buckets a point, and sorts: order[] holds the points'
 * indices, bucket by bucket. */
static bool buckets_make(struct buckets *b, const struct biome_candidate *points, size_t count,
                         int32_t side_q, uint32_t *order, struct arena *arena) {
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
    b->side_q = (int32_t)side;
    b->wide = (int32_t)floor(dx / side) + 1;
    b->high = (int32_t)floor(dy / side) + 1;
    size_t cells = (size_t)b->wide * (size_t)b->high;
    b->start = arena_alloc(arena, cells + 2, sizeof *b->start);
    if (!b->start)
        return false;
    memset(b->start, 0, (cells + 2) * sizeof *b->start);
    uint32_t *next = b->start + 1;
    for (size_t i = 0; i < count; i++)
        next[(size_t)bucket_row(b, points[i].y_q) * (size_t)b->wide +
             (size_t)bucket_column(b, points[i].x_q) + 1]++;
    for (size_t c = 1; c <= cells; c++)
        next[c] += next[c - 1];
    for (size_t i = 0; i < count; i++)
        order[next[(size_t)bucket_row(b, points[i].y_q) * (size_t)b->wide +
                   (size_t)bucket_column(b, points[i].x_q)]++] = (uint32_t)i;
    return true;
}

/* The run of sorted points in row `row`, columns around x: [*from, *to). */
static void bucket_run(const struct buckets *b, int32_t row, int32_t column, uint32_t *from, uint32_t *to) {
    int32_t c0 = column > 0 ? column - 1 : 0, c1 = column + 1 < b->wide ? column + 1 : b->wide - 1;
    *from = b->start[(size_t)row * (size_t)b->wide + (size_t)c0];
    *to = b->start[(size_t)row * (size_t)b->wide + (size_t)c1 + 1];
}

static size_t buckets_scratch(size_t count) {
    return arena_need(4 * count + 32, sizeof(uint32_t));
}

/* ---- within a tier ---- */

/* What a comparison needs, in bucket order. */
struct rival {
    int32_t x_q, y_q;
    int32_t radius_q;
    uint32_t index; /* of the candidate */
    float rank;
    uint32_t hash; /* upper half of mix(id) */
};

struct field {
    const struct biome_candidate *candidates;
    struct buckets buckets;
    struct rival *rivals;
    uint8_t *state;      /* in bucket order */
    uint32_t *undecided; /* positions in rivals */
    uint32_t *accepted;
    size_t undecided_count;
};

static bool outranks(const struct field *f, const struct rival *a, const struct rival *b) {
    if (a->rank != b->rank)
        return a->rank > b->rank;
    if (a->hash != b->hash)
        return a->hash > b->hash;
    return biome_outranks(&f->candidates[a->index], &f->candidates[b->index]);
}

/* Nearer than the larger of the two radii. */
static inline bool too_near(const struct rival *a, const struct rival *b) {
    int64_t dx = (int64_t)a->x_q - b->x_q, dy = (int64_t)a->y_q - b->y_q;
    int64_t r = a->radius_q > b->radius_q ? a->radius_q : b->radius_q;
    return dx * dx + dy * dy < r * r;
}

static bool beats_all(const struct field *f, uint32_t me) {
    const struct rival *a = &f->rivals[me];
    int32_t column = bucket_column(&f->buckets, a->x_q), row = bucket_row(&f->buckets, a->y_q);
    for (int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < f->buckets.high; r++) {
        uint32_t from, to;
        bucket_run(&f->buckets, r, column, &from, &to);
        for (uint32_t k = from; k < to; k++)
            if (f->state[k] == RIVAL_UNDECIDED && k != me && too_near(a, &f->rivals[k]) &&
                outranks(f, &f->rivals[k], a))
                return false;
    }
    return true;
}

static void strike_around(struct field *f, uint32_t me) {
    const struct rival *a = &f->rivals[me];
    int32_t column = bucket_column(&f->buckets, a->x_q), row = bucket_row(&f->buckets, a->y_q);
    for (int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < f->buckets.high; r++) {
        uint32_t from, to;
        bucket_run(&f->buckets, r, column, &from, &to);
        for (uint32_t k = from; k < to; k++)
            if (f->state[k] == RIVAL_UNDECIDED && too_near(a, &f->rivals[k]))
                f->state[k] = RIVAL_STRUCK;
    }
}

/* One round. Two that are accepted together are never too near: one of them would outrank the other. */
static void play_round(struct field *f) {
    size_t accepted = 0, left = 0;
    for (size_t u = 0; u < f->undecided_count; u++)
        if (beats_all(f, f->undecided[u]))
            f->accepted[accepted++] = f->undecided[u];
    for (size_t a = 0; a < accepted; a++)
        f->state[f->accepted[a]] = RIVAL_STANDS;
    for (size_t a = 0; a < accepted; a++)
        strike_around(f, f->accepted[a]);
    for (size_t u = 0; u < f->undecided_count; u++)
        if (f->state[f->undecided[u]] == RIVAL_UNDECIDED)
            f->undecided[left++] = f->undecided[u];
    f->undecided_count = left;
}

float biome_compete_reach_m(const struct recipe_tier *tier, int32_t rounds) {
    return 2.0f * tier->radius_max_m * (float)rounds;
}

size_t biome_compete_scratch(size_t count) {
    return buckets_scratch(count) + arena_need(count, sizeof(struct rival)) + arena_need(count, 1) +
           3 * arena_need(count, sizeof(uint32_t));
}

static bool field_make(struct field *f, const struct recipe *recipe, const struct biome_candidate *candidates,
                       size_t count, const uint8_t *state, struct arena *arena) {
    uint32_t *order = arena_alloc(arena, count, sizeof *order);
    f->candidates = candidates;
    f->rivals = arena_alloc(arena, count, sizeof *f->rivals);
    f->state = arena_alloc(arena, count, 1);
    f->undecided = arena_alloc(arena, count, sizeof *f->undecided);
    f->accepted = arena_alloc(arena, count, sizeof *f->accepted);
    if (!order || !f->rivals || !f->state || !f->undecided || !f->accepted)
        return false;
    float radius_max_m = recipe->tiers[candidates[0].tier].radius_max_m;
    int32_t side_q = (int32_t)(radius_max_m * 1024.0f) + 1;
    if (!buckets_make(&f->buckets, candidates, count, side_q, order, arena))
        return false;
    f->undecided_count = 0;
    for (size_t k = 0; k < count; k++) {
        const struct biome_candidate *c = &candidates[order[k]];
        f->rivals[k] = (struct rival){c->x_q,   c->y_q,  biome_radius_q(recipe, c),
                                      order[k], c->rank, (uint32_t)(hash_mix(c->id) >> 32)};
        f->state[k] = state[order[k]];
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
        return error_set(err, STATUS_FAULT, "scratch too small for competition");
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

int32_t biome_heed_q(const struct recipe *recipe, const struct biome_candidate *strong,
                     const struct biome_candidate *weak) {
    const struct recipe_heed *heed = &candidate_species(recipe, weak)->heeds[strong->tier];
    float chance = 0.7f + 0.6f * hash_unit(candidate_hash(weak->id, DRAW_HEED));
    float q = 0.0f;
    if (heed->kind == HEED_TRUNK)
        q = (trunk_base_m + trunk_share * biome_height_m(recipe, strong)) * 1024.0f;
    else if (heed->kind != HEED_NONE)
        q = (float)biome_priority_q(recipe, strong) * (heed->kind == HEED_FACTOR ? heed->factor : 1.0f);
    return (int32_t)(q * chance);
}

size_t biome_overrule_scratch(size_t standing_count) {
    return buckets_scratch(standing_count) + arena_need(standing_count, sizeof(uint32_t)) +
           arena_need(standing_count, sizeof(struct biome_candidate));
}

static bool cleared(const struct recipe *recipe, const struct buckets *b,
                    const struct biome_candidate *sorted, const struct biome_candidate *c) {
    int32_t column = bucket_column(b, c->x_q), row = bucket_row(b, c->y_q);
    for (int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < b->high; r++) {
        uint32_t from, to;
        bucket_run(b, r, column, &from, &to);
        for (uint32_t k = from; k < to; k++) {
            int64_t dx = (int64_t)sorted[k].x_q - c->x_q, dy = (int64_t)sorted[k].y_q - c->y_q;
            int64_t d2 = dx * dx + dy * dy, side = b->side_q;
            if (d2 >= side * side)
                continue;
            int64_t heed = biome_heed_q(recipe, &sorted[k], c);
            if (d2 < heed * heed)
                return true;
        }
    }
    return false;
}

enum status biome_overrule(const struct recipe *recipe, const struct biome_candidate *standing,
                           size_t standing_count, const struct biome_candidate *candidates, size_t count,
                           uint8_t *state, struct arena *arena, struct error *err) {
    if (standing_count == 0 || count == 0)
        return STATUS_OK;
    int32_t strong = standing[0].tier, weak = candidates[0].tier;
    float reach_m = biome_overrule_reach_m(recipe, strong, weak);
    if (reach_m <= 0.0f)
        return STATUS_OK;
    size_t mark = arena_mark(arena);
    uint32_t *order = arena_alloc(arena, standing_count, sizeof *order);
    struct biome_candidate *sorted = arena_alloc(arena, standing_count, sizeof *sorted);
    struct buckets b;
    bool room = order && sorted;
    if (room)
        room = buckets_make(&b, standing, standing_count, (int32_t)(reach_m * 1024.0f) + 1, order, arena);
    if (room) {
        for (size_t k = 0; k < standing_count; k++)
            sorted[k] = standing[order[k]];
        for (size_t i = 0; i < count; i++)
            if (state[i] == RIVAL_UNDECIDED &&
                candidate_species(recipe, &candidates[i])->heeds[strong].kind != HEED_NONE &&
                cleared(recipe, &b, sorted, &candidates[i]))
                state[i] = RIVAL_STRUCK;
    }
    arena_release(arena, mark);
    return room ? STATUS_OK : error_set(err, STATUS_FAULT, "scratch too small to overrule lower tiers");
}
