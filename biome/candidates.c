#include "biome/candidates.h"

#include "biome/chances.h"
#include "terrain/clones.h"
#include <math.h>
#include <string.h>

/* ---- what a candidate becomes ---- */

float biome_size_value(const struct recipe_species *s, float viability, float age) {
    switch (s->age.max_m > 0.0f ? s->age.combine : AGE_NONE) {
    case AGE_ADD:
        return viability + s->age.amount * age;
    case AGE_MULTIPLY:
        return viability * (1.0f - s->age.amount + s->age.amount * age);
    case AGE_MIX:
        return viability + s->age.amount * (age - viability);
    case AGE_NONE:
        break;
    }
    return viability;
}

struct biome_size biome_size(const struct recipe_species *s, float viability, float age, uint64_t id) {
    float u = 2.0f * hash_unit(candidate_hash(id, DRAW_SIZE)) - 1.0f;
    float v = biome_size_value(s, viability, age) * (1.0f + s->size_jitter * u);
    int32_t k = 0;
    while (k + 1 < s->size_count && s->sizes[k + 1].from <= v)
        k++;
    const struct recipe_size *class = &s->sizes[k];
    float next = k + 1 < s->size_count ? class[1].from : s->size_full;
    float t = next > class->from ? (v - class->from) / (next - class->from) : 1.0f;
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    float chance = hash_unit(candidate_hash(id, DRAW_SCALE));
    float factor = s->scale_random[0] + chance * (s->scale_random[1] - s->scale_random[0]);
    return (struct biome_size){k, (class->scale[0] + t * (class->scale[1] - class->scale[0])) * factor};
}

float biome_height_m(const struct recipe *recipe, const struct biome_candidate *c) {
    return candidate_species(recipe, c)->sizes[c->size].height_m * c->scale;
}

int32_t biome_radius_q(const struct recipe *recipe, const struct biome_candidate *c) {
    const struct recipe_species *s = candidate_species(recipe, c);
    float u = 2.0f * hash_unit(candidate_hash(c->id, DRAW_RADIUS)) - 1.0f;
    float r =
        s->viability_radius_m * recipe_growth(s, biome_height_m(recipe, c)) * (1.0f + s->radius_spread * u);
    return (int32_t)((r < s->radius_max_m ? r : s->radius_max_m) * 1024.0f);
}

int32_t biome_priority_q(const struct recipe *recipe, const struct biome_candidate *c) {
    const struct recipe_species *s = candidate_species(recipe, c);
    float r = s->priority_radius_m * recipe_growth(s, biome_height_m(recipe, c));
    return (int32_t)((r < s->priority_max_m ? r : s->priority_max_m) * 1024.0f);
}

bool biome_outranks(const struct biome_candidate *a, const struct biome_candidate *b) {
    if (a->rank != b->rank)
        return a->rank > b->rank;
    uint64_t ha = hash_mix(a->id), hb = hash_mix(b->id);
    if (ha != hb)
        return ha > hb;
    /* the same id: one hash in 2^64; the place decides */
    return a->x_q != b->x_q ? a->x_q > b->x_q : a->y_q > b->y_q;
}

/* ---- batches ---- */

/* A species that draws for places. */
struct drawer {
    const struct recipe_species *species;
    int32_t index;   /* of the tier's species */
    double whole;    /* chance where its ramp and stack give 1, biomes' sliders apart */
    double most;     /* no place of the list gives it more */
    uint64_t seeded; /* of its ids */
};

/* Places of one biome that wait until they fill a batch: then only the species that live there are asked. */
struct waiting {
    const struct recipe_biome *biome;
    int32_t count;
    int32_t drawer_count;
    struct drawer *drawers;                         /* in the order of the tier's species */
    int32_t x[VIABILITY_BATCH], y[VIABILITY_BATCH]; /* world cells */
    int32_t i[VIABILITY_BATCH], j[VIABILITY_BATCH], x_q[VIABILITY_BATCH], y_q[VIABILITY_BATCH];
    uint64_t place[VIABILITY_BATCH];
};

struct walk {
    const struct biome_candidates_params *p;
    const struct recipe *recipe;
    const struct recipe_tier *tier;
    struct biome_chances chances;
    struct waiting *by_id[256]; /* by biome id; NULL: no species of the tier has a chance there */
    struct biome_batch batch;
    float viability[VIABILITY_BATCH], key[VIABILITY_BATCH], best_viability[VIABILITY_BATCH];
    float share[VIABILITY_BATCH];
    int32_t winner[VIABILITY_BATCH]; /* of the list's drawers; -1: nobody likes the place */
    int32_t kept[VIABILITY_BATCH];
    struct biome_candidate *out;
    size_t count;
};

/* Where in the table of races each place's draw for one species lies. */
TERRAIN_CLONES_64
static void race_steps(uint64_t salt, const uint64_t *place, int32_t n, int32_t *step) {
    for (int32_t i = 0; i < n; i++)
        step[i] = (int32_t)(hash_mix(place[i] ^ salt) >> 52);
}

/* Drawer k draws at n places: where it beats the best so far it is the best. Where it does not live, v = 0,
 * its key is 0 and beats nobody. */
TERRAIN_CLONES
static void draw_row(int32_t k, const float *v, const float *race, const int32_t *step, int32_t n, float *key,
                     int32_t *winner, float *best) {
    for (int32_t i = 0; i < n; i++) {
        float mine = v[i] * race[step[i]];
        bool wins = mine > key[i];
        key[i] = wins ? mine : key[i];
        winner[i] = wins ? k : winner[i];
        best[i] = wins ? v[i] : best[i];
    }
}

/* Every species that lives here draws at every place of the batch. */
static void draw_species(struct walk *w, const struct waiting *b) {
    int32_t step[VIABILITY_BATCH];
    for (int32_t n = 0; n < b->count; n++) {
        w->winner[n] = -1;
        w->key[n] = w->best_viability[n] = 0.0f;
    }
    for (int32_t k = 0; k < b->drawer_count; k++) {
        const struct recipe_species *s = b->drawers[k].species;
        if (!biome_viability(w->recipe, s->step_first, s->step_end, &w->batch, w->viability))
            continue;
        race_steps(s->salt, b->place, b->count, step);
        draw_row(k, w->viability, w->tier->race, step, b->count, w->key, w->winner, w->best_viability);
    }
}

/* Those that may stay by the most that their winner can ask for: the others are not looked at again. */
static int32_t keep_likely(struct walk *w, const struct waiting *b) {
    int32_t count = 0;
    for (int32_t n = 0; n < b->count; n++) {
        int32_t k = w->winner[n];
        bool likely = (double)hash_unit(b->place[n]) < b->drawers[k < 0 ? 0 : k].most;
        w->kept[count] = n;
        count += (k >= 0) & likely;
    }
    return count;
}

/* The factor on each kept winner's density by its own stack, 0..1. */
static void density_stacks(struct walk *w, const struct waiting *b, int32_t kept) {
    for (int32_t n = 0; n < b->count; n++)
        w->share[n] = 1.0f;
    for (int32_t k = 0; k < b->drawer_count; k++) {
        const struct recipe_species *s = b->drawers[k].species;
        bool asked = false;
        for (int32_t i = 0; s->density_step_first < s->density_step_end && i < kept; i++)
            asked |= w->winner[w->kept[i]] == k;
        if (!asked)
            continue;
        biome_viability(w->recipe, s->density_step_first, s->density_step_end, &w->batch, w->viability);
        for (int32_t n = 0; n < b->count; n++)
            if (w->winner[n] == k)
                w->share[n] = w->viability[n] < 1.0f ? w->viability[n] : 1.0f;
    }
}

/* Whether the winner of place n stays: its own density, against the hash drawn at first. */
static bool density_keeps(const struct walk *w, const struct waiting *b, int32_t n, float over) {
    const struct drawer *d = &b->drawers[w->winner[n]];
    double chance = d->whole * (double)biome_ramp_at(&d->species->density_ramp, over) * (double)w->share[n] *
                    (double)b->biome->density_factor;
    return (double)hash_unit(b->place[n]) < chance;
}

static float set_size(const struct waiting *b, const struct recipe_species *s, float age,
                      struct biome_candidate *c) {
    struct biome_size size = biome_size(s, c->viability, age, c->id);
    c->size = (uint32_t)size.index & 0xfu;
    c->scale = size.scale * s->size_factor * b->biome->size_factor;
    return s->sizes[size.index].height_m * c->scale;
}

/* The winner of place n as a candidate; false: it does not stay. */
static bool make_candidate(const struct walk *w, const struct waiting *b, int32_t n,
                           struct biome_candidate *c) {
    const struct drawer *d = &b->drawers[w->winner[n]];
    const struct recipe_species *s = d->species;
    float viability = w->best_viability[n];
    bool aged = s->age.max_m > 0.0f, by_height = s->density_over == DENSITY_HEIGHT;
    float age = aged ? biome_layer_value(&w->p->layers[s->age.layer], b->x[n], b->y[n]) : 0.0f;
    if (!by_height && !density_keeps(w, b, n, s->density_over == DENSITY_AGE ? age : viability))
        return false;
    *c = (struct biome_candidate){.x_q = b->x_q[n],
                                  .y_q = b->y_q[n],
                                  .id = hash_place_draw(hash_place_at(d->seeded, b->i[n], b->j[n]), 2),
                                  .viability = viability,
                                  .species = (uint32_t)d->index & 0xfffu,
                                  .tier = (uint32_t)w->p->tier & 0xffu,
                                  .age = (uint32_t)(255.0f * age + 0.5f) & 0xffu};
    float height_m = set_size(b, s, age, c);
    c->rank = viability + s->jitter * s->viability_max * hash_unit(candidate_hash(c->id, DRAW_RANK));
    return !by_height || density_keeps(w, b, n, height_m);
}

static void flush(struct walk *w, struct waiting *b) {
    w->batch.count = b->count;
    w->batch.x = b->x;
    w->batch.y = b->y;
    biome_batch_reset(&w->batch, w->recipe);
    draw_species(w, b);
    int32_t kept = keep_likely(w, b);
    density_stacks(w, b, kept);
    for (int32_t i = 0; i < kept; i++)
        w->count += make_candidate(w, b, w->kept[i], &w->out[w->count]);
    b->count = 0;
}

/* What species k of the tier is in a biome's list. Products are rounded in the same order as density_keeps
 * does: no place gives more than the most. */
static struct drawer drawer_of(const struct walk *w, int32_t k, const struct recipe_biome *biome) {
    const struct recipe_species *s = &w->recipe->species[w->tier->species[k]];
    double whole = biome_whole_chance(s, w->chances.area_ha);
    double ramp = (double)biome_ramp_most(&s->density_ramp, -HUGE_VALF, HUGE_VALF);
    return (struct drawer){.species = s,
                           .index = k,
                           .whole = whole,
                           .most = whole * ramp * (double)biome->density_factor,
                           .seeded = hash_place_seed(w->p->seed, s->salt)};
}

/* One waiting list for each biome in which a species of the tier has a chance here. Those that like none of
 * it are left out, and nobody else: who draws must not depend on the cells. */
static bool make_lists(struct walk *w, struct arena *arena) {
    const struct recipe_tier *tier = w->tier;
    memset(w->by_id, 0, sizeof w->by_id);
    for (int32_t b = 0; b < w->recipe->biome_count; b++) {
        if (!w->chances.present[b])
            continue;
        struct waiting *list = arena_alloc(arena, 1, sizeof *list);
        struct drawer *drawers = arena_alloc(arena, (size_t)tier->species_count, sizeof *drawers);
        if (!list || !drawers)
            return false;
        list->biome = &w->recipe->biomes[b];
        list->count = list->drawer_count = 0;
        list->drawers = drawers;
        for (int32_t k = 0; k < tier->species_count; k++)
            if (w->chances.possible[k] && biome_lives_in(&w->recipe->species[tier->species[k]], b))
                drawers[list->drawer_count++] = drawer_of(w, k, list->biome);
        if (list->drawer_count > 0)
            w->by_id[list->biome->id] = list;
    }
    return true;
}

/* ---- the lattice ---- */

static struct biome_lattice lattice_over(const struct biome_candidates_params *p) {
    return biome_lattice_over(&p->recipe->tiers[p->tier], p->seed, p->cell_m, p->x0, p->y0, p->x1, p->y1);
}

size_t biome_candidates_room(const struct biome_candidates_params *p) {
    struct biome_lattice l = lattice_over(p);
    return (size_t)(l.i1 - l.i0) * (size_t)(l.j1 - l.j0);
}

size_t biome_candidates_scratch(const struct biome_candidates_params *p) {
    size_t biomes = (size_t)p->recipe->biome_count, species = (size_t)p->recipe->tiers[p->tier].species_count;
    return arena_need(1, sizeof(struct walk)) + biome_batch_scratch(p->recipe) + biome_chances_scratch(p) +
           biomes * (arena_need(1, sizeof(struct waiting)) + arena_need(species, sizeof(struct drawer)));
}

/* Those on the params' cells whose hash is below the limit of their biome wait for their batch. The first
 * loop has no branches: they would be as good as random to the processor. */
static void add_places(struct walk *w, int32_t j, const struct biome_places *c) {
    const struct biome_candidates_params *p = w->p;
    uint32_t wide = (uint32_t)(p->x1 - p->x0), high = (uint32_t)(p->y1 - p->y0);
    int32_t kept[LATTICE_RUN], n = 0;
    uint8_t ids[LATTICE_RUN];
    for (int32_t k = 0; k < c->count; k++) {
        uint32_t x = (uint32_t)(c->x[k] - p->x0), y = (uint32_t)(c->y[k] - p->y0);
        bool inside = (x < wide) & (y < high);
        x = inside ? x : 0;
        y = inside ? y : 0;
        kept[n] = k;
        ids[n] = *grid_u8_at(p->biome_id, p->x0 + (int32_t)x, p->y0 + (int32_t)y);
        n += inside & (c->place[k] >> 40 < w->chances.limit[ids[n]]);
    }
    for (int32_t k = 0; k < n; k++) {
        struct waiting *b = w->by_id[ids[k]];
        int32_t to = b->count++, from = kept[k];
        b->x[to] = c->x[from];
        b->y[to] = c->y[from];
        b->i[to] = c->i[from];
        b->j[to] = j;
        b->x_q[to] = c->x_q[from];
        b->y_q[to] = c->y_q[from];
        b->place[to] = c->place[from];
        if (b->count == VIABILITY_BATCH)
            flush(w, b);
    }
}

static void walk_lattice(struct walk *w) {
    struct biome_lattice l = lattice_over(w->p);
    struct biome_places places;
    if (w->chances.most == 0)
        return;
    for (int32_t j = l.j0; j < l.j1; j++)
        for (int32_t i = l.i0; i < l.i1; i += LATTICE_RUN) {
            int32_t count = l.i1 - i < LATTICE_RUN ? l.i1 - i : LATTICE_RUN;
            biome_lattice_places(&l, i, j, count, w->chances.most, &places);
            add_places(w, j, &places);
        }
    for (int32_t b = 0; b < w->recipe->biome_count; b++) {
        struct waiting *list = w->by_id[w->recipe->biomes[b].id];
        if (list && list->count > 0)
            flush(w, list);
    }
}

enum status biome_candidates(const struct biome_candidates_params *p, struct biome_candidate *out,
                             size_t *count, struct arena *arena, struct error *err) {
    *count = 0;
    size_t mark = arena_mark(arena);
    struct walk *w = arena_alloc(arena, 1, sizeof *w);
    if (!w)
        return error_set(err, STATUS_LIMIT, "scratch too small for candidates");
    w->p = p;
    w->recipe = p->recipe;
    w->tier = &p->recipe->tiers[p->tier];
    w->out = out;
    w->count = 0;
    enum status status = biome_batch_init(&w->batch, p->recipe, p->layers, arena, err);
    if (status == STATUS_OK && (!biome_chances_make(&w->chances, p, arena) || !make_lists(w, arena)))
        status = error_set(err, STATUS_LIMIT, "scratch too small for candidates");
    if (status == STATUS_OK) {
        walk_lattice(w);
        *count = w->count;
    }
    arena_release(arena, mark);
    return status;
}
