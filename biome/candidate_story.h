/* Owns the story of one cell of a tier's lattice: who drew for it, who won, whether its density kept it.
 * Written apart from biome/candidates.c, one place at a time: tests hold the two against each other. */
#ifndef BIOME_CANDIDATE_STORY_H
#define BIOME_CANDIDATE_STORY_H
#include "biome/candidates.h"

struct biome_story {
    int32_t i, j;     /* the lattice cell */
    int32_t x_q, y_q; /* its candidate's place */
    int32_t x, y;     /* the world cell that lies in */
    /* what follows needs layers there */
    int32_t biome;                    /* index into the recipe's biomes; -1: nothing lives there */
    int32_t drew;                     /* species of the tier that live and like it there */
    int32_t winner;                   /* index into the tier's species; -1: none drew */
    float key;                        /* the winner's: viability times its chance; the largest */
    float asked_viability, asked_key; /* of the species that was asked about; 0 where it does not live */
    float hash;                       /* 0..1, kept when below the chance */
    double chance;                    /* by the winner's density */
    bool kept;
    struct biome_candidate candidate; /* the winner's, kept or not */
};

/* The lattice cell that a position lies in, and its candidate's place: i, j, x_q, y_q, x, y. */
void biome_story_place(const struct recipe_tier *tier, uint64_t seed, double cell_m, int32_t x_q, int32_t y_q,
                       struct biome_story *story);
/* The same from a lattice cell. */
void biome_story_cell(const struct recipe_tier *tier, uint64_t seed, double cell_m, int32_t i, int32_t j,
                      struct biome_story *story);
/* The rest; the story's place is set, its world cell inside the params' cells. asked: a species of the
 * recipe, or -1. STATUS_FAULT: scratch is too small (biome_story_scratch bytes). */
enum status biome_story_tell(const struct biome_candidates_params *p, int32_t asked,
                             struct biome_story *story, struct arena *arena, struct error *err);
size_t biome_story_scratch(const struct recipe *recipe);

#endif
