/* Owns object ids: which asset each stands for, and what the table out/objects.json says about it. */
#ifndef GEN_OBJECTS_H
#define GEN_OBJECTS_H
#include "biome/recipe.h"
#include "terrain/status.h"

#include <jansson.h>

/* An asset's id where the recipe gives none: the upper 32 bits of hash_name (terrain/hash.h), never 0. */
uint32_t object_id(const char *asset);

/* An asset as the recipe uses it: where several species or size classes share it, the first. */
struct object {
    uint32_t id;
    int32_t species, size; /* indices into the recipe */
    int32_t variation;     /* of the size class; -1: its own asset */
};
struct object_table {
    struct object *items; /* by id */
    size_t count;
};

/* All assets of a recipe (NULL: none). STATUS_INPUT: two assets have the same id. */
enum status objects_of(const struct recipe *recipe, struct object_table *table, struct error *err);
void objects_free(struct object_table *table);
const struct object *objects_find(const struct object_table *table, uint32_t id); /* NULL: none */

/* The content of objects.json; NULL: out of memory. */
json_t *objects_json(const struct recipe *recipe, const struct object_table *table);

#endif
