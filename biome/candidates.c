#include "biome/candidates.h"

#include <math.h>

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
    const int32_t *species; /* indices into the tier's species, in order */
    double keep;            /* no species is denser here, however viable: chance of a lattice cell */
    int32_t x[VIABILITY_BATCH], y[VIABILITY_BATCH]; /* world cells */
    int32_t i[VIABILITY_BATCH], j[VIABILITY_BATCH], x_q[VIABILITY_BATCH], y_q[VIABILITY_BATCH];
    uint64_t place[VIABILITY_BATCH];
};

struct walk {
    const struct biome_candidates_params *p;
    const struct recipe *recipe;
    const struct recipe_tier *tier;
    double inverse;                              /* 1 / (cell_m * 1024) */
    double area_ha;                              /* of a lattice cell: density per ha x this = chance */
    double keep;                                 /* the largest of the lists' */
    struct waiting *by_biome[RECIPE_BIOMES_MAX]; /* NULL: no species of the tier has a chance there */
    struct biome_batch batch;
    float viability[VIABILITY_BATCH], key[VIABILITY_BATCH], best_viability[VIABILITY_BATCH];
    float share[VIABILITY_BATCH];
    int32_t winner[VIABILITY_BATCH];
    struct biome_candidate *out;
    size_t count;
};

static bool lives_in(const struct recipe_species *s, int32_t biome) {
    return (s->biomes[biome >> 6] >> (biome & 63) & 1) != 0;
}

/* Every species that lives here draws at every place of the batch. */
static void draw_species(struct walk *w, const struct waiting *b) {
    for (int32_t n = 0; n < b->count; n++) {
        w->winner[n] = -1;
        w->key[n] = 0.0f;
    }
    for (int32_t k = 0; k < b->species_count; k++) {
        const struct recipe_species *s = &w->recipe->species[w->tier->species[b->species[k]]];
        biome_viability(w->recipe, s->step_first, s->step_end, &w->batch, w->viability);
        for (int32_t n = 0; n < b->count; n++) {
            float v = w->viability[n];
            if (!(v > 0.0f))
                continue;
            float key = v * w->tier->race[hash_mix(b->place[n] ^ s->salt) >> 52];
            if (key > w->key[n]) {
                w->key[n] = key;
                w->winner[n] = b->species[k];
                w->best_viability[n] = v;
            }
        }
    }
}

/* What a lattice cell's chance is where the species' ramp and stack give 1. */
static double whole_chance(const struct walk *w, const struct recipe_species *s) {
    return (double)s->density_per_ha * w->area_ha * (double)s->density_factor;
}

/* The largest chance where the viability is at most v, and the density's stack. */
static double most_chance(const struct walk *w, const struct recipe_species *s, float v, float stack) {
    float share = s->density_over == DENSITY_VIABILITY ? biome_ramp_most(&s->density_ramp, 0.0f, v)
                                                       : biome_ramp_most(&s->density_ramp, 0.0f, HUGE_VALF);
    return v > 0.0f ? whole_chance(w, s) * (double)share * (double)stack : 0.0;
}

/* The factor on each winner's density by its own stack, 0..1. */
static void density_stacks(struct walk *w, const struct waiting *b) {
    for (int32_t n = 0; n < b->count; n++)
        w->share[n] = 1.0f;
    for (int32_t k = 0; k < b->species_count; k++) {
        const struct recipe_species *s = &w->recipe->species[w->tier->species[b->species[k]]];
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
    double chance = whole_chance(w, s) * (double)biome_ramp_at(&s->density_ramp, over) * (double)w->share[n] *
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
    const struct recipe_species *s = &w->recipe->species[w->tier->species[w->winner[n]]];
    bool aged = s->age.max_m > 0.0f, by_height = s->density_over == DENSITY_HEIGHT;
    float age = aged ? biome_layer_value(&w->p->layers[s->age.layer], b->x[n], b->y[n]) : 0.0f;
    *c = (struct biome_candidate){.x_q = b->x_q[n],
                                  .y_q = b->y_q[n],
                                  .id = hash_place(w->p->seed, s->salt, b->i[n], b->j[n], 2),
                                  .viability = w->best_viability[n],
                                  .species = (uint32_t)w->winner[n] & 0xfffu,
                                  .tier = (uint32_t)w->p->tier & 0xffu,
                                  .age = (uint32_t)(255.0f * age + 0.5f) & 0xffu};
    float over = s->density_over == DENSITY_AGE ? age : c->viability;
    if (by_height)
        over = set_size(b, s, age, c);
    if (!density_keeps(w, b, n, s, over))
        return false;
    if (!by_height)
        set_size(b, s, age, c);
    c->rank = c->viability + s->jitter * s->viability_max * hash_unit(candidate_hash(c->id, DRAW_RANK));
    return true;
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

/* What each layer of the tier is over the cells, and from that the best chance of each of its species; -1 for
 * those that like none of it, which alone are left out of the draws: who draws must not depend on the cells.
 */
static bool best_chances(struct walk *w, double *chance, struct arena *arena) {
    const struct biome_candidates_params *p = w->p;
    size_t layer_count = (size_t)w->recipe->layer_count;
    struct biome_interval *layers = arena_alloc(arena, layer_count + 1, sizeof *layers);
    if (!layers)
        return false;
    for (size_t l = 0; l < layer_count; l++)
        if (p->layers[l].cells)
            layers[l] = biome_layer_interval(&p->layers[l], p->x0, p->y0, p->x1, p->y1);
    for (int32_t k = 0; k < w->tier->species_count; k++) {
        const struct recipe_species *s = &w->recipe->species[w->tier->species[k]];
        float low, high, stack = 1.0f;
        biome_viability_bounds(w->recipe, s->step_first, s->step_end, layers, &low, &high);
        if (s->density_step_first < s->density_step_end)
            biome_viability_bounds(w->recipe, s->density_step_first, s->density_step_end, layers, &low,
                                   &stack);
        chance[k] = high > 0.0f ? most_chance(w, s, high, stack < 1.0f ? stack : 1.0f) : -1.0;
    }
    return true;
}

static void find_biomes(const struct walk *w, bool present[RECIPE_BIOMES_MAX]) {
    const struct biome_candidates_params *p = w->p;
    for (int32_t b = 0; b < RECIPE_BIOMES_MAX; b++)
        present[b] = false;
    for (int32_t y = p->y0; y < p->y1; y++)
        for (int32_t x = p->x0; x < p->x1; x++) {
            int32_t b = w->recipe->biome_by_id[*grid_u8_at(p->biome_id, x, y)];
            if (b >= 0)
                present[b] = true;
        }
}

/* One waiting list for each biome in which a species of the tier has a chance here. */
static bool make_lists(struct walk *w, struct arena *arena) {
    const struct recipe_tier *tier = w->tier;
    bool present[RECIPE_BIOMES_MAX];
    double *chance = arena_alloc(arena, (size_t)tier->species_count, sizeof *chance);
    if (!chance || !best_chances(w, chance, arena))
        return false;
    find_biomes(w, present);
    w->keep = 0.0;
    for (int32_t b = 0; b < w->recipe->biome_count; b++) {
        w->by_biome[b] = NULL;
        if (!present[b])
            continue;
        struct waiting *list = arena_alloc(arena, 1, sizeof *list);
        int32_t *species = arena_alloc(arena, (size_t)tier->species_count, sizeof *species);
        if (!list || !species)
            return false;
        list->biome = &w->recipe->biomes[b];
        list->count = list->species_count = 0;
        list->species = species;
        list->keep = 0.0;
        for (int32_t k = 0; k < tier->species_count; k++)
            if (chance[k] >= 0.0 && lives_in(&w->recipe->species[tier->species[k]], b)) {
                species[list->species_count++] = k;
                double here = chance[k] * (double)list->biome->density_factor;
                list->keep = here > list->keep ? here : list->keep;
            }
        w->keep = list->keep > w->keep ? list->keep : w->keep;
        if (list->species_count > 0)
            w->by_biome[b] = list;
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
    return arena_need(1, sizeof(struct walk)) + biome_batch_scratch(p->recipe) +
           biomes * (arena_need(1, sizeof(struct waiting)) + arena_need(species, sizeof(int32_t))) +
           arena_need(species, sizeof(double)) +
           arena_need((size_t)p->recipe->layer_count + 1, sizeof(struct biome_interval));
}

static void add_place(struct walk *w, int32_t i, int32_t j, uint64_t place, uint64_t offsets) {
    const struct biome_candidates_params *p = w->p;
    uint64_t cell_q = (uint64_t)w->tier->cell_q;
    int32_t x_q = i * w->tier->cell_q + (int32_t)(((offsets & 0xffffffffu) * cell_q) >> 32);
    int32_t y_q = j * w->tier->cell_q + (int32_t)(((offsets >> 32) * cell_q) >> 32);
    int32_t x = cell_of(x_q, w->inverse), y = cell_of(y_q, w->inverse);
    if (x < p->x0 || x >= p->x1 || y < p->y0 || y >= p->y1)
        return;
    int32_t biome = w->recipe->biome_by_id[*grid_u8_at(p->biome_id, x, y)];
    struct waiting *b = biome < 0 ? NULL : w->by_biome[biome];
    if (!b || (double)hash_unit(place) >= b->keep)
        return;
    int32_t n = b->count++;
    b->x[n] = x;
    b->y[n] = y;
    b->i[n] = i;
    b->j[n] = j;
    b->x_q[n] = x_q;
    b->y_q[n] = y_q;
    b->place[n] = place;
    if (b->count == VIABILITY_BATCH)
        flush(w, b);
}

enum { CHUNK = 256 };

/* Which of up to CHUNK lattice cells from (i, j) have a candidate: hashes below keep, gathered without a
 * branch, which would be as good as random to the processor. */
static int32_t kept_cells(uint64_t seed, uint64_t salt, int32_t i, int32_t j, int32_t count, double keep,
                          int32_t *column, uint64_t *place) {
    int32_t n = 0;
    /* hash_unit(h) < keep in whole numbers: it is (h >> 40) / 2^24 */
    uint64_t limit = keep < 1.0 ? (uint64_t)ceil(keep * 0x1p24) : (uint64_t)1 << 24;
    for (int32_t k = 0; k < count; k++) {
        uint64_t h = hash_place(seed, salt, i + k, j, 0);
        column[n] = i + k;
        place[n] = h;
        n += h >> 40 < limit;
    }
    return n;
}

static void walk_lattice(struct walk *w) {
    const struct biome_candidates_params *p = w->p;
    uint64_t salt = biome_tier_salt(w->tier);
    struct lattice l = lattice_over(p);
    int32_t column[CHUNK];
    uint64_t place[CHUNK];
    if (w->keep <= 0.0)
        return;
    for (int32_t j = l.j0; j < l.j1; j++)
        for (int32_t i = l.i0; i < l.i1; i += CHUNK) {
            int32_t count = l.i1 - i < CHUNK ? l.i1 - i : CHUNK;
            int32_t n = kept_cells(p->seed, salt, i, j, count, w->keep, column, place);
            for (int32_t k = 0; k < n; k++)
                add_place(w, column[k], j, place[k], hash_place(p->seed, salt, column[k], j, 1));
        }
    for (int32_t b = 0; b < w->recipe->biome_count; b++)
        if (w->by_biome[b] && w->by_biome[b]->count > 0)
            flush(w, w->by_biome[b]);
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
    double side_m = (double)w->tier->cell_q / 1024.0;
    w->inverse = 1.0 / (p->cell_m * 1024.0);
    w->area_ha = side_m * side_m / 10000.0;
    enum status status = biome_batch_init(&w->batch, p->recipe, p->layers, arena, err);
    if (status == STATUS_OK && !make_lists(w, arena))
        status = error_set(err, STATUS_LIMIT, "scratch too small for candidates");
    if (status == STATUS_OK) {
        walk_lattice(w);
        *count = w->count;
    }
    arena_release(arena, mark);
    return status;
}
