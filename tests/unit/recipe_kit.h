/* Recipes of a few lines for the tests of what is read in them, and of every mistake's message. */
#ifndef TESTS_RECIPE_KIT_H
#define TESTS_RECIPE_KIT_H
#include "biome_kit.h"
#include "gen/stages_biome.h"
#include "gen/stages_compose.h"
#include "gen/stages_distance.h"
#include "gen/stages_ground.h"

/* For the test's own stage_table: the layers that these recipes name. */
#define RECIPE_STAGES                                                                                        \
    &stage_altitude, &stage_slope, &stage_latlong, &stage_biome_id, &stage_height, &stage_ground_color,      \
        &stage_entities, &stage_distance

#define BIOMES "recipe: 1\nbiomes: {wood: {}, field: {}}\n" /* lines 1 and 2 */
/* A species of one line: line 4 when it is the first. */
#define RANKED(name, priority, keys, stack)                                                                  \
    "  " name ": {biomes: all, priority: " priority                                                          \
    ", density_per_ha: 100, viability_radius_m: 1, height_m: [1, 2], viability: " stack keys "}\n"
#define SPECIES(name, keys, stack) RANKED(name, "5", keys, stack)
#define WITH(species)              BIOMES "species:\n" species
#define STACK(stack)               WITH(SPECIES("a", "", stack))
#define KEYS(keys)                 WITH(SPECIES("a", ", " keys, "[{value: 1}]"))

/* A recipe whose biome has these zones. */
#define ZONES(zones)                                                                                         \
    "recipe: 1\nbiomes:\n  wood:\n    zones:\n" zones "species:\n" SPECIES("a", "", "[{value: 1}]")
/* A species of a radius. */
#define RADIUS(name, priority, radius)                                                                       \
    "  " name ": {biomes: all, priority: " priority                                                          \
    ", density_per_ha: 10, height_m: [1, 2], viability_radius_m: " radius ", viability: [{value: 1}]}\n"

#endif
