/* Owns the question which species know of drawn water: for `check`. */
#ifndef GEN_WATER_USE_H
#define GEN_WATER_USE_H
#include "gen/report.h"
#include "gen/world.h"

/* With the tools freshwater and biomes, notes the species that read nothing of water and do not float: they
 * stand in it and on falls. The world is whole and right. */
void water_use_check(const struct world *world, struct report *report);

#endif
