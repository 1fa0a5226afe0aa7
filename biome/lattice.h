/* Owns a tier's lattice: which of its cells may hold a candidate, and where in them (the draws are those of
 * biome/candidates.h). Rows of cells at a time, so that it vectorises. Knows nothing of species and biomes.
 */
#ifndef BIOME_LATTICE_H
#define BIOME_LATTICE_H
#include "biome/recipe.h"

enum { LATTICE_RUN = 256, LATTICE_CHANCES = 1 << 24 };

struct biome_lattice {
    int32_t cell_q;         /* side of a cell, 1/1024 m */
    int32_t i0, j0, i1, j1; /* every cell of which a place may lie in the asked world cells */
    uint64_t seeded;        /* by the world and the tier (hash_place_seed) */
    double inverse;         /* world cells to 1/1024 m */
};

/* Lattice cells of a row that may hold a candidate. */
struct biome_places {
    int32_t count;
    int32_t i[LATTICE_RUN];                     /* in the row */
    int32_t x_q[LATTICE_RUN], y_q[LATTICE_RUN]; /* where, in 1/1024 m of the world */
    int32_t x[LATTICE_RUN], y[LATTICE_RUN];     /* the world cell */
    uint64_t place[LATTICE_RUN];                /* hash_place(.., i, j, 0) */
};

/* Salt of a tier's lattice. */
uint64_t biome_tier_salt(const struct recipe_tier *tier);
/* The world cell that a position lies in. */
int32_t biome_cell_of(int32_t position_q, double cell_m);

/* The lattice over world cells [x0, x1) x [y0, y1). */
struct biome_lattice biome_lattice_over(const struct recipe_tier *tier, uint64_t seed, double cell_m,
                                        int32_t x0, int32_t y0, int32_t x1, int32_t y1);
/* Of the cells (i, j) .. (i + count - 1, j), at most LATTICE_RUN, those whose hash is below `limit` of
 * LATTICE_CHANCES. Some of the places may lie outside the asked world cells. */
void biome_lattice_places(const struct biome_lattice *lattice, int32_t i, int32_t j, int32_t count,
                          uint32_t limit, struct biome_places *out);

#endif
