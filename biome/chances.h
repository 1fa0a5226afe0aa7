/* Owns what chance the species of a tier have over some cells, found from the ranges of the layers there
 * before any place is asked: bounds, never less than what a place can have. Knows nothing of places and
 * draws. */
#ifndef BIOME_CHANCES_H
#define BIOME_CHANCES_H
#include "biome/candidates.h"

struct biome_chances {
    double area_ha;      /* of a lattice cell: density per ha x this = chance */
    uint32_t limit[256]; /* by biome id: a lattice cell whose first hash's upper 24 bits are not below it has
                          * no candidate there */
    uint32_t most;       /* the largest of all */
    bool *possible;      /* by species of the tier: whether one may stand anywhere on these cells */
    bool present[RECIPE_BIOMES_MAX];
};

/* From the arena, at most biome_chances_scratch bytes; false when it is too small. */
bool biome_chances_make(struct biome_chances *chances, const struct biome_candidates_params *p,
                        struct arena *arena);
size_t biome_chances_scratch(const struct biome_candidates_params *p);

/* A lattice cell's chance where the species' ramp and stack give 1, biomes' sliders apart. */
double biome_whole_chance(const struct recipe_species *species, double area_ha);
bool biome_lives_in(const struct recipe_species *species, int32_t biome);

#endif
