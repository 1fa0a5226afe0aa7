/* Owns how many of each species stand, by size class: from the classes of entity parts to manifests
 * (gen/manifest.h), and to warnings about species of which none stands. */
#ifndef GEN_STANDS_H
#define GEN_STANDS_H
#include "biome/recipe.h"
#include "gen/entity.h"
#include "gen/report.h"

#include <jansson.h>

/* A candidate's class in a part of the layer `entities` (gen/entity.h): its tier, species of the tier and
 * size. */
static inline uint32_t stands_code(uint32_t tier, uint32_t species, uint32_t size) {
    return tier << 16 | species << 4 | size;
}

/* Name of each species of which some stand in the part -> how many, by size class. NULL: out of memory. */
json_t *stands_of_part(const struct recipe *recipe, const struct entity_part *part);
/* The same of all species, with none (recipe NULL: of no species), and what an output's entry in a manifest,
 * or a map's totals, add to it; false when they have entities and say nothing of their species. */
json_t *stands_none(const struct recipe *recipe);
bool stands_add(json_t *sum, const json_t *entry);

/* Adds a warning for each species of which nothing stands in the sum of all maps, those of included recipes
 * in one. */
void stands_report(const struct recipe *recipe, const json_t *sum, struct report *report);

#endif
