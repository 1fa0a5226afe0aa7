#include "biome/lattice.h"

#include "terrain/clones.h"
#include "terrain/hash.h"
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

/* Rounding moves the border of a world cell by less than the slack. */
struct biome_lattice biome_lattice_over(const struct recipe_tier *tier, uint64_t seed, double cell_m,
                                        int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    double cell_q = (double)tier->cell_q, world_q = cell_m * 1024.0, slack_q = 2.0;
    return (struct biome_lattice){.cell_q = tier->cell_q,
                                  .i0 = (int32_t)floor(((double)x0 * world_q - slack_q) / cell_q),
                                  .j0 = (int32_t)floor(((double)y0 * world_q - slack_q) / cell_q),
                                  .i1 = (int32_t)floor(((double)x1 * world_q + slack_q) / cell_q) + 1,
                                  .j1 = (int32_t)floor(((double)y1 * world_q + slack_q) / cell_q) + 1,
                                  .seeded = hash_place_seed(seed, biome_tier_salt(tier)),
                                  .inverse = 1.0 / world_q};
}

/* Hashes of a row's cells: of each place, and of its first draw. */
TERRAIN_CLONES_64
static void hash_cells(uint64_t seeded, int32_t i, int32_t j, int32_t count, uint64_t *at, uint64_t *first) {
    for (int32_t k = 0; k < count; k++) {
        at[k] = hash_place_at(seeded, i + k, j);
        first[k] = hash_place_draw(at[k], 0);
    }
}

/* Indices of the hashes below the limit. No branches: they would be as good as random to the processor. */
static int32_t keep_below(const uint64_t *hash, int32_t count, uint64_t limit, int32_t *kept) {
    int32_t n = 0;
    for (int32_t k = 0; k < count; k++) {
        kept[n] = k;
        n += hash[k] >> 40 < limit;
    }
    return n;
}

/* From the hash of each place to where in its cell it is. */
TERRAIN_CLONES_64
static void find_offsets(const uint64_t *at, int32_t count, uint64_t cell_q, int32_t *east, int32_t *north) {
    for (int32_t k = 0; k < count; k++) {
        uint64_t offsets = hash_place_draw(at[k], 1);
        east[k] = (int32_t)(((offsets & 0xffffffffu) * cell_q) >> 32);
        north[k] = (int32_t)(((offsets >> 32) * cell_q) >> 32);
    }
}

TERRAIN_CLONES
static void find_cells(const int32_t *position_q, int32_t count, double inverse, int32_t *cell) {
    for (int32_t k = 0; k < count; k++)
        cell[k] = cell_of(position_q[k], inverse);
}

void biome_lattice_places(const struct biome_lattice *l, int32_t i, int32_t j, int32_t count, uint32_t limit,
                          struct biome_places *out) {
    uint64_t at[LATTICE_RUN], first[LATTICE_RUN];
    int32_t kept[LATTICE_RUN];
    hash_cells(l->seeded, i, j, count, at, first);
    int32_t n = out->count = keep_below(first, count, limit, kept);
    for (int32_t k = 0; k < n; k++) {
        out->i[k] = i + kept[k];
        out->place[k] = first[kept[k]];
        at[k] = at[kept[k]]; /* kept[k] >= k */
    }
    find_offsets(at, n, (uint64_t)l->cell_q, out->x_q, out->y_q);
    for (int32_t k = 0; k < n; k++) {
        out->x_q[k] += out->i[k] * l->cell_q;
        out->y_q[k] += j * l->cell_q;
    }
    find_cells(out->x_q, n, l->inverse, out->x);
    find_cells(out->y_q, n, l->inverse, out->y);
}
