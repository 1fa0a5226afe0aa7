#include "biome/compete.h"

#include "biome/buckets.h"
#include <assert.h>
#include <string.h>

/* ---- within a tier ---- */

/* Where a rival stands, in bucket order. */
struct rival {
    int32_t x_q, y_q;
    int32_t radius_q;
    uint32_t index; /* of the candidate */
};

/* One who is not decided, by its position in rivals, and the last one found that outranks it. */
struct doubt {
    uint32_t me, blocker;
};
#define NOBODY UINT32_MAX

struct field {
    const struct biome_candidate *candidates;
    struct buckets buckets;
    struct rival *rivals;
    uint64_t *key;  /* rank and hash as one number, at least 1; 0: decided, out of every comparison */
    uint8_t *state; /* in bucket order */
    struct doubt *undecided;
    uint32_t *accepted, *strikers; /* positions in rivals; strikers: the accepted that have rivals */
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

/* What somebody finds around it. */
struct around {
    uint32_t blocker; /* too near and outranks it; NOBODY: none */
    bool weaker;      /* without a blocker: others are too near */
};

/* The comparisons are joined without branches: they are as good as random to the processor. */
static struct around look_around(const struct field *f, uint32_t me) {
    struct rival a = f->rivals[me];
    struct around out = {NOBODY, false};
    struct bucket_block b = bucket_block_around(&f->buckets, a.x_q, a.y_q);
    for (int32_t r = b.row0; r <= b.row1; r++) {
        uint32_t end = bucket_run_end(&f->buckets, b, r);
        for (uint32_t k = bucket_run_start(&f->buckets, b, r); k < end; k++)
            if ((f->key[k] != 0) & too_near(&a, &f->rivals[k]) & (k != me)) {
                if (outranked(f, me, k))
                    return (struct around){k, false};
                out.weaker = true;
            }
    }
    return out;
}

static void strike_around(struct field *f, uint32_t me) {
    struct rival a = f->rivals[me];
    struct bucket_block b = bucket_block_around(&f->buckets, a.x_q, a.y_q);
    for (int32_t r = b.row0; r <= b.row1; r++) {
        uint32_t end = bucket_run_end(&f->buckets, b, r);
        for (uint32_t k = bucket_run_start(&f->buckets, b, r); k < end; k++)
            if ((f->key[k] != 0) & too_near(&a, &f->rivals[k])) {
                f->key[k] = 0;
                f->state[k] = RIVAL_STRUCK;
            }
    }
}

/* One round. Two that are accepted together are never too near: one of them would outrank the other. */
static void play_round(struct field *f) {
    size_t accepted = 0, strikers = 0, left = 0;
    for (size_t u = 0; u < f->undecided_count; u++) {
        struct doubt *d = &f->undecided[u];
        if (d->blocker != NOBODY && f->key[d->blocker] != 0)
            continue; /* whoever blocks blocks until it is decided */
        struct around around = look_around(f, d->me);
        d->blocker = around.blocker;
        if (d->blocker != NOBODY)
            continue;
        f->accepted[accepted++] = d->me;
        f->strikers[strikers] = d->me;
        strikers += around.weaker;
    }
    for (size_t a = 0; a < accepted; a++) {
        f->state[f->accepted[a]] = RIVAL_STANDS;
        f->key[f->accepted[a]] = 0;
    }
    for (size_t s = 0; s < strikers; s++)
        strike_around(f, f->strikers[s]);
    for (size_t u = 0; u < f->undecided_count; u++)
        if (f->key[f->undecided[u].me] != 0)
            f->undecided[left++] = f->undecided[u];
    f->undecided_count = left;
}

float biome_compete_reach_m(const struct recipe_tier *tier, int32_t rounds) {
    return 2.0f * tier->radius_max_m * (float)rounds;
}

size_t biome_compete_scratch(size_t count) {
    return buckets_scratch(count) + arena_need(count, sizeof(struct rival)) + arena_need(count, 1) +
           arena_need(count, sizeof(uint64_t)) + 3 * arena_need(count, sizeof(uint32_t)) +
           arena_need(count, sizeof(struct doubt));
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
    f->strikers = arena_alloc(arena, count, sizeof *f->strikers);
    if (!order || !f->rivals || !f->key || !f->state || !f->undecided || !f->accepted || !f->strikers)
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
            f->undecided[f->undecided_count++] = (struct doubt){(uint32_t)k, NOBODY};
    }
    return true;
}

/* The part of a candidate; `parts`: none, it is only there for others. */
static int32_t part_of(const struct biome_rounds *counted, size_t index) {
    int32_t part = 0;
    while (part < counted->parts && index >= counted->end[part])
        part++;
    return part;
}

/* Round r was needed by whoever is undecided before it. */
static void count_round(const struct field *f, int32_t r, struct biome_rounds *counted) {
    int32_t left = 0; /* in which nobody was met so far: who is decided stays so */
    for (int32_t k = 0; k < counted->parts; k++)
        left += counted->played[k] == r;
    for (size_t u = 0; u < f->undecided_count && left > 0; u++) {
        int32_t part = part_of(counted, f->rivals[f->undecided[u].me].index);
        if (part < counted->parts && counted->played[part] != r + 1) {
            counted->played[part] = r + 1;
            left--;
        }
    }
}

enum status biome_compete(const struct recipe *recipe, const struct biome_candidate *candidates, size_t count,
                          int32_t rounds, uint8_t *state, struct biome_rounds *counted, struct arena *arena,
                          struct error *err) {
    for (int32_t k = 0; counted && k < counted->parts; k++)
        counted->played[k] = 0;
    if (count == 0)
        return STATUS_OK;
    size_t mark = arena_mark(arena);
    struct field f;
    if (!field_make(&f, recipe, candidates, count, state, arena)) {
        arena_release(arena, mark);
        return error_set(err, STATUS_LIMIT, "scratch too small for competition");
    }
    for (int32_t r = 0; r < rounds && f.undecided_count > 0; r++) {
        if (counted)
            count_round(&f, r, counted);
        play_round(&f);
    }
    for (size_t k = 0; k < count; k++)
        state[f.rivals[k].index] = f.state[k];
    arena_release(arena, mark);
    return STATUS_OK;
}
