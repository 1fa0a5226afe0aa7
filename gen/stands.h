/* Owns how many of each species stand: from the counts of objects in manifests (gen/manifest.h) to species
 * and size classes, and to warnings about species of which none stands. */
#ifndef GEN_STANDS_H
#define GEN_STANDS_H
#include "biome/recipe.h"
#include "gen/report.h"
#include "gen/world.h"

#include <jansson.h>

/* Name of each species -> how many stand of each size class, from object id (text) -> count. Variations
 * count for their class, one that several classes show for the first of them. Species that share an asset
 * both have all of its count. NULL: out of memory. */
json_t *stands_by_species(const struct recipe *recipe, const json_t *counts);

/* Adds a warning for each species of which nothing stands in any map of the world in `out`. Says nothing when
 * a map's manifest is missing or has no counts. */
enum status stands_report(const struct world *world, const char *out, struct report *report,
                          struct error *err);

#endif
