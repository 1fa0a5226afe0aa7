#include "biome/candidates.h"

#include "biome/chances.h"
#include "terrain/clones.h"
#include <math.h>
#include <string.h>

enum { CANDIDATE_SALT = 0x6269 };

uint64_t biome_tier_salt(const struct recipe_tier *tier) {
    return hash_mix((uint64_t)CANDIDATE_SALT + (uint64_t)(int64_t)tier->priority);
}

/* The inverse is rounded the same way everywhere: a place on a border belongs to one cell, always. */
static inline int32_t cell_of(int32_t position_q, double inverse) {
    double cell = (double)position_q * inverse;
    int32_t whole = (int32_t)cell;
    return whole - ((double)whole > cell);
}

int32_t biome_cell_of(int32_t position_q, double cell_m) {
    return cell_of(position_q, 1.0 / (cell_m * 1024.0));
}

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

/* Places of one biome that wait until they fill a batch: then only the species that live there are asked. */
struct waiting {
    const struct recipe_biome *biome;
    int32_t count;
    int32_t species_count;
    const int32_t *species;                         /* indices into the tier's species, in order */
    int32_t x[VIABILITY_BATCH], y[VIABILITY_BATCH]; /* world cells */
    int32_t i[VIABILITY_BATCH], j[VIABILITY_BATCH], x_q[VIABILITY_BATCH], y_q[VIABILITY_BATCH];
    uint64_t place[VIABILITY_BATCH];
};

struct walk {
    const struct biome_candidates_params *p;
    const struct recipe *recipe;
    const struct recipe_tier *tier;
    double inverse; /* 1 / (cell_m * 1024) */
    struct biome_chances chances;
    struct waiting *by_id[256]; /* by biome id; NULL: no species of the tier has a chance there */
    struct biome_batch batch;
    float viability[VIABILITY_BATCH], key[VIABILITY_BATCH], best_viability[VIABILITY_BATCH];
    float chance[VIABILITY_BATCH], share[VIABILITY_BATCH];
    int32_t winner[VIABILITY_BATCH];
    struct biome_candidate *out;
    size_t count;
};

static const struct recipe_species *species_of(const struct walk *w, int32_t k) {
    return &w->recipe->species[w->tier->species[k]];
}

/* What chance makes of each place for one species. */
static void race_row(const float *race, uint64_t salt, const uint64_t *place, int32_t n, float *out) {
    for (int32_t i = 0; i < n; i++)
        out[i] = race[hash_mix(place[i] ^ salt) >> 52];
}

/* Species k draws at n places: where it beats the best so far it is the best. Where it does not live, v = 0,
 * its key is 0 and beats nobody. */
TERRAIN_CLONES
static void draw_row(int32_t k, const float *v, const float *chance, int32_t n, float *key, int32_t *winner,
                     float *best) {
    for (int32_t i = 0; i < n; i++) {
        float mine = v[i] * chance[i];
        bool wins = mine > key[i];
        key[i] = wins ? mine : key[i];
        winner[i] = wins ? k : winner[i];
        best[i] = wins ? v[i] : best[i];
    }
}

/* Every species that lives here draws at every place of the batch. */
static void draw_species(struct walk *w, const struct waiting *b) {
    for (int32_t n = 0; n < b->count; n++) {
        w->winner[n] = -1;
        w->key[n] = w->best_viability[n] = 0.0f;
    }
    for (int32_t k = 0; k < b->species_count; k++) {
        const struct recipe_species *s = species_of(w, b->species[k]);
        biome_viability(w->recipe, s->step_first, s->step_end, &w->batch, w->viability);
        race_row(w->tier->race, s->salt, b->place, b->count, w->chance);
        draw_row(b->species[k], w->viability, w->chance, b->count, w->key, w->winner, w->best_viability);
    }
}

/* The factor on each winner's density by its own stack, 0..1. */
static void density_stacks(struct walk *w, const struct waiting *b) {
    for (int32_t n = 0; n < b->count; n++)
        w->share[n] = 1.0f;
    for (int32_t k = 0; k < b->species_count; k++) {
        const struct recipe_species *s = species_of(w, b->species[k]);
        if (s->density_step_first == s->density_step_end)
            continue;
        biome_viability(w->recipe, s->density_step_first, s->density_step_end, &w->batch, w->viability);
        for (int32_t n = 0; n < b->count; n++)
            if (w->winner[n] == b->species[k])
                w->share[n] = w->viability[n] < 1.0f ? w->viability[n] : 1.0f;
    }
}

/* Whether the winner of place n stays: its own density, against the hash drawn at first. */
static bool density_keeps(const struct walk *w, const struct waiting *b, int32_t n,
                          const struct recipe_species *s, float over) {
    double chance = biome_whole_chance(s, w->chances.area_ha) *
                    (double)biome_ramp_at(&s->density_ramp, over) * (double)w->share[n] *
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
    const struct recipe_species *s = species_of(w, w->winner[n]);
    float viability = w->best_viability[n];
    bool aged = s->age.max_m > 0.0f, by_height = s->density_over == DENSITY_HEIGHT;
    float age = aged ? biome_layer_value(&w->p->layers[s->age.layer], b->x[n], b->y[n]) : 0.0f;
    if (!by_height && !density_keeps(w, b, n, s, s->density_over == DENSITY_AGE ? age : viability))
        return false;
    *c = (struct biome_candidate){.x_q = b->x_q[n],
                                  .y_q = b->y_q[n],
                                  .id = hash_place(w->p->seed, s->salt, b->i[n], b->j[n], 2),
                                  .viability = viability,
                                  .species = (uint32_t)w->winner[n] & 0xfffu,
                                  .tier = (uint32_t)w->p->tier & 0xffu,
                                  .age = (uint32_t)(255.0f * age + 0.5f) & 0xffu};
    float height_m = set_size(b, s, age, c);
    c->rank = viability + s->jitter * s->viability_max * hash_unit(candidate_hash(c->id, DRAW_RANK));
    return !by_height || density_keeps(w, b, n, s, height_m);
}

static void flush(struct walk *w, struct waiting *b) {
    w->batch.count = b->count;
    w->batch.x = b->x;
    w->batch.y = b->y;
    biome_batch_reset(&w->batch, w->recipe);
    draw_species(w, b);
    density_stacks(w, b);
    for (int32_t n = 0; n < b->count; n++)
        if (w->winner[n] >= 0)
            w->count += make_candidate(w, b, n, &w->out[w->count]);
    b->count = 0;
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
        int32_t *species = arena_alloc(arena, (size_t)tier->species_count, sizeof *species);
        if (!list || !species)
            return false;
        list->biome = &w->recipe->biomes[b];
        list->count = list->species_count = 0;
        list->species = species;
        for (int32_t k = 0; k < tier->species_count; k++)
            if (w->chances.possible[k] && biome_lives_in(species_of(w, k), b))
                species[list->species_count++] = k;
        if (list->species_count > 0)
            w->by_id[list->biome->id] = list;
    }
    return true;
}

/* ---- the lattice ---- */

struct lattice {
    int32_t i0, j0, i1, j1;
};

/* Every lattice cell that may hold a candidate of the params' cells, one to spare on each side. */
static struct lattice lattice_over(const struct biome_candidates_params *p) {
    double cell_q = (double)p->recipe->tiers[p->tier].cell_q, world_q = p->cell_m * 1024.0;
    struct lattice l = {(int32_t)floor((double)p->x0 * world_q / cell_q) - 1,
                        (int32_t)floor((double)p->y0 * world_q / cell_q) - 1,
                        (int32_t)floor((double)p->x1 * world_q / cell_q) + 2,
                        (int32_t)floor((double)p->y1 * world_q / cell_q) + 2};
    return l;
}

size_t biome_candidates_room(const struct biome_candidates_params *p) {
    struct lattice l = lattice_over(p);
    return (size_t)(l.i1 - l.i0) * (size_t)(l.j1 - l.j0);
}

size_t biome_candidates_scratch(const struct biome_candidates_params *p) {
    size_t biomes = (size_t)p->recipe->biome_count, species = (size_t)p->recipe->tiers[p->tier].species_count;
    return arena_need(1, sizeof(struct walk)) + biome_batch_scratch(p->recipe) + biome_chances_scratch(p) +
           biomes * (arena_need(1, sizeof(struct waiting)) + arena_need(species, sizeof(int32_t)));
}

enum { CHUNK = 256 };

/* Lattice cells of a row that may have a candidate, and where. */
struct chunk {
    int32_t count;
    int32_t i[CHUNK], x_q[CHUNK], y_q[CHUNK], x[CHUNK], y[CHUNK];
    uint64_t place[CHUNK];
};

/* Which of up to CHUNK lattice cells from (i, j) have a candidate: hashes below the limit. No branches from
 * here on: they would be as good as random to the processor. */
static void keep_cells(uint64_t seed, uint64_t salt, int32_t i, int32_t j, int32_t count, uint64_t limit,
                       struct chunk *c) {
    int32_t n = 0;
    for (int32_t k = 0; k < count; k++) {
        uint64_t h = hash_place(seed, salt, i + k, j, 0);
        c->i[n] = i + k;
        c->place[n] = h;
        n += h >> 40 < limit;
    }
    c->count = n;
}

static void find_places(const struct walk *w, uint64_t salt, int32_t j, struct chunk *c) {
    uint64_t cell_q = (uint64_t)w->tier->cell_q, seed = w->p->seed;
    for (int32_t k = 0; k < c->count; k++) {
        uint64_t offsets = hash_place(seed, salt, c->i[k], j, 1);
        c->x_q[k] = c->i[k] * w->tier->cell_q + (int32_t)(((offsets & 0xffffffffu) * cell_q) >> 32);
        c->y_q[k] = j * w->tier->cell_q + (int32_t)(((offsets >> 32) * cell_q) >> 32);
        c->x[k] = cell_of(c->x_q[k], w->inverse);
        c->y[k] = cell_of(c->y_q[k], w->inverse);
    }
}

/* Keeps those on the params' cells whose hash is below the limit of their biome. */
static void keep_places(const struct walk *w, struct chunk *c) {
    const struct biome_candidates_params *p = w->p;
    uint32_t wide = (uint32_t)(p->x1 - p->x0), high = (uint32_t)(p->y1 - p->y0);
    int32_t n = 0;
    for (int32_t k = 0; k < c->count; k++) {
        uint32_t x = (uint32_t)(c->x[k] - p->x0), y = (uint32_t)(c->y[k] - p->y0);
        bool inside = (x < wide) & (y < high);
        x = inside ? x : 0;
        y = inside ? y : 0;
        uint8_t id = *grid_u8_at(p->biome_id, p->x0 + (int32_t)x, p->y0 + (int32_t)y);
        bool below = c->place[k] >> 40 < w->chances.limit[id];
        c->i[n] = c->i[k];
        c->x_q[n] = c->x_q[k];
        c->y_q[n] = c->y_q[k];
        c->x[n] = c->x[k];
        c->y[n] = c->y[k];
        c->place[n] = c->place[k];
        n += inside & below;
    }
    c->count = n;
}

static void add_places(struct walk *w, int32_t j, const struct chunk *c) {
    for (int32_t k = 0; k < c->count; k++) {
        struct waiting *b = w->by_id[*grid_u8_at(w->p->biome_id, c->x[k], c->y[k])];
        int32_t n = b->count++;
        b->x[n] = c->x[k];
        b->y[n] = c->y[k];
        b->i[n] = c->i[k];
        b->j[n] = j;
        b->x_q[n] = c->x_q[k];
        b->y_q[n] = c->y_q[k];
        b->place[n] = c->place[k];
        if (b->count == VIABILITY_BATCH)
            flush(w, b);
    }
}

static void walk_lattice(struct walk *w) {
    const struct biome_candidates_params *p = w->p;
    uint64_t salt = biome_tier_salt(w->tier);
    struct lattice l = lattice_over(p);
    struct chunk chunk;
    if (w->chances.most == 0)
        return;
    for (int32_t j = l.j0; j < l.j1; j++)
        for (int32_t i = l.i0; i < l.i1; i += CHUNK) {
            int32_t count = l.i1 - i < CHUNK ? l.i1 - i : CHUNK;
            keep_cells(p->seed, salt, i, j, count, w->chances.most, &chunk);
            find_places(w, salt, j, &chunk);
            keep_places(w, &chunk);
            add_places(w, j, &chunk);
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
    w->inverse = 1.0 / (p->cell_m * 1024.0);
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
