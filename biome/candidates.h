/* Owns candidates: where something might stand, before competition. Each tier has a lattice of square cells
 * (recipe_tier.cell_q) that starts at world (0, 0); each cell has one candidate at a hashed place inside it,
 * kept or not by a hash against the tier's largest density, before anything is read. Then the species of the
 * tier draw for it by viability, and the winner's own density decides. A pure function of place.
 *
 * Draws at lattice cell (i, j) of a tier with priority p (terrain/hash.h):
 *     place  h0 = hash_place(seed, mix(CANDIDATE_SALT + p), i, j, 0): density u = hash_unit(h0)
 *            h1 = the same with k = 1: offset east = (h1 mod 2^32) * cell_q / 2^32, north from the upper half
 *     draw   species s with viability v: v * race[mix(h0 ^ salt(s)) >> 52]; the largest wins, then the
 * earlier species. race is (-1 / ln u)^(1 / purity): the exponential race for v^purity id hash_place(seed,
 * salt(s), i, j, 2): kept by the species' name, the seed and the lattice cell, and so by any edit that
 * changes neither the tier's lattice nor the winner here later draws of the entity come from mix(id + k *
 * 0x9e3779b97f4a7c15), k by enum candidate_draw. */
#ifndef BIOME_CANDIDATES_H
#define BIOME_CANDIDATES_H
#include "biome/lattice.h"
#include "biome/recipe.h"
#include "biome/viability.h"
#include "terrain/arena.h"
#include "terrain/grid.h"
#include "terrain/hash.h"

/* Positions are in 1/1024 m of the world. The record is what layers hold, byte for byte (little-endian). */
struct biome_candidate {
    int32_t x_q, y_q;
    uint64_t id;
    float viability;
    float rank;            /* viability + jitter x viability_max x hash: larger first */
    float scale;           /* of the size's asset */
    uint32_t species : 12; /* index into the tier's species */
    uint32_t tier : 8;
    uint32_t size : 4; /* index into the species' sizes */
    uint32_t age : 8;  /* in 1/255: see biome/patch.h; 0 without */
};
_Static_assert(sizeof(struct biome_candidate) == 32, "records go to layers as they are");
_Static_assert(RECIPE_SPECIES_MAX <= 1 << 12 && RECIPE_CLASSES_MAX <= 1 << 4, "fields of a candidate");

enum candidate_draw {
    DRAW_RANK = 1,
    DRAW_SIZE,
    DRAW_SCALE,
    DRAW_RADIUS,
    DRAW_HEED,
    DRAW_YAW,
    DRAW_COLOR,
    DRAW_VARIATION,
    DRAW_TINT,
    DRAW_LEAN,
    DRAW_ROLL,
    DRAW_OFFSET_X,
    DRAW_OFFSET_Y,
    DRAW_OFFSET_Z
};
static inline uint64_t candidate_hash(uint64_t id, enum candidate_draw k) {
    return hash_mix(id + (uint64_t)k * 0x9e3779b97f4a7c15u);
}

static inline const struct recipe_species *candidate_species(const struct recipe *recipe,
                                                             const struct biome_candidate *c) {
    return &recipe->species[recipe->tiers[c->tier].species[c->species]];
}

struct biome_candidates_params {
    const struct recipe *recipe;
    int32_t tier;
    uint64_t seed;
    double cell_m;                    /* of the world's grid; > 0 */
    int32_t x0, y0, x1, y1;           /* world cells: candidates whose position lies in one of them */
    const struct grid_u8 *biome_id;   /* covers those cells */
    const struct biome_layer *layers; /* by recipe layer; those that the tier's stacks read are given */
};

/* At most so many candidates: capacity of `out`. */
size_t biome_candidates_room(const struct biome_candidates_params *p);
size_t biome_candidates_scratch(const struct biome_candidates_params *p); /* bytes, at most */
/* Fills out[0..*count), in an order that depends on the params alone. */
enum status biome_candidates(const struct biome_candidates_params *p, struct biome_candidate *out,
                             size_t *count, struct arena *arena, struct error *err);

/* How one place is judged for a species: the size class and scale at that viability and age (0..1). */
struct biome_size {
    int32_t index; /* of the species' sizes */
    float scale;   /* of its asset */
};
struct biome_size biome_size(const struct recipe_species *species, float viability, float age, uint64_t id);
/* What chooses the size: viability and age combined, before chance. */
float biome_size_value(const struct recipe_species *species, float viability, float age);
float biome_height_m(const struct recipe *recipe, const struct biome_candidate *c);
/* Radii of one candidate in 1/1024 m: against its own tier, and against lower tiers. */
int32_t biome_radius_q(const struct recipe *recipe, const struct biome_candidate *c);
int32_t biome_priority_q(const struct recipe *recipe, const struct biome_candidate *c);
/* The total order of competition: true when a stands before b. */
bool biome_outranks(const struct biome_candidate *a, const struct biome_candidate *b);

#endif
