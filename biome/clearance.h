/* Owns clearance: on how much ground there is room for somebody to walk between the trunks. Ground is asked
 * at CLEARANCE_FINE x CLEARANCE_FINE places in each cell; a place is free for an agent when no trunk is
 * nearer than both radii together. A pure function of what stands near. */
#ifndef BIOME_CLEARANCE_H
#define BIOME_CLEARANCE_H
#include "biome/candidates.h"
#include "biome/recipe.h"
#include "terrain/arena.h"

enum { CLEARANCE_FINE = 2, CLEARANCE_AGENTS_MAX = 4 };

struct biome_clearance_params {
    const struct recipe *recipe;
    double cell_m;                       /* of the world's grid; > 0 */
    int32_t x0, y0, x1, y1;              /* world cells that are asked; at most 2^24 places */
    float agent_m[CLEARANCE_AGENTS_MAX]; /* radii, 0 or more */
    int32_t agents;
};

/* How far from the cells trunks of a tier matter to the largest agent, m; -1: the tier has no trunks. */
float biome_clearance_reach_m(const struct recipe *recipe, int32_t tier, float agent_m);
/* The radius of a candidate's trunk, m: goes with its height as all radii; 0: one walks through it. */
float biome_trunk_m(const struct recipe *recipe, const struct biome_candidate *c);

/* Marks in blocked (one byte a place, bit a: of agent a; rows from the south) what the trunks of `count`
 * candidates take. */
void biome_clearance_mark(const struct biome_clearance_params *p, const struct biome_candidate *standing,
                          size_t count, uint8_t *blocked);
/* How many places are free for each agent. */
void biome_clearance_count(const struct biome_clearance_params *p, const uint8_t *blocked,
                           uint32_t free_places[CLEARANCE_AGENTS_MAX]);
/* Bytes of `blocked`: places of the params' cells. */
size_t biome_clearance_places(const struct biome_clearance_params *p);

#endif
