/* Owns manifest.json: what a map's folder holds, by content, and out/manifest.json, the hash of the maps'
 * hashes. Keys are sorted and numbers printed one way, so that the same content is the same file. Times are
 * in OUT/timings.json (gen/timings.h). Layout: docs/formats.md. */
#ifndef GEN_MANIFEST_H
#define GEN_MANIFEST_H
#include "gen/entity.h"
#include "gen/outputs.h"
#include "gen/stages_clearance.h"
#include "gen/world.h"

#include <jansson.h>

enum { MANIFEST_FORMAT = 1 };

/* A map's manifest without outputs: world, inputs that the map reads, versions of all stages. NULL: out of
 * memory. The caller owns what is returned (json_decref). */
json_t *manifest_new(const struct world *world, int32_t map_x, int32_t map_y);

/* An output's entry. hash is the content hash that stands in it; x0, y0 the south-west sample's place. */
json_t *manifest_raster(const struct output *output, int32_t x0, int32_t y0, const struct raster *image,
                        struct hash128 hash, const struct output_clamped *clamped);
json_t *manifest_picture(const struct raster_rows *image, struct hash128 hash);
/* Points: how many entities, of each object that they show how many (id as text -> count), of each species
 * how many by size class (stands_of_part); clearance: what manifest_clearance gave, or NULL. All are taken
 * over. */
json_t *manifest_points(const struct output *output, struct hash128 hash, int64_t entities, json_t *counts,
                        json_t *species, const struct entity_stock *stock, json_t *clearance);
/* For each radius of output.clearance_m: places that were asked, those that are free, and how many in a
 * thousand. */
json_t *manifest_clearance(const struct world *world, const struct clearance *clearance);
/* A file: its size, and of a mesh how many triangles each node has. */
json_t *manifest_file(const struct output *output, const void *bytes, size_t size);

/* Reads path. *root is NULL, with STATUS_OK, when there is no such file. STATUS_INPUT: no JSON (then *damaged
 * is set, NULL allowed), or not a manifest of this format (the message says what to do). */
enum status manifest_read(const char *path, json_t **root, bool *damaged, struct error *err);
/* The same for one who read it when its bytes had the hash *bytes (0: never): as long as they have, *root is
 * NULL. *bytes becomes the hash of now; 0: no such file. */
enum status manifest_read_new(const char *path, struct hash128 *bytes, json_t **root, bool *damaged,
                              struct error *err);
/* Whether an output's path and entry can be those of a bake: the path stays in the map's folder, numbers are
 * in range. Else `why` says what is wrong, beginning with a verb. */
enum { MANIFEST_WHY_MAX = 160 };
bool manifest_sound(const char *path, json_t *entry, char why[MANIFEST_WHY_MAX]);
/* Sets totals and warnings from the outputs (and of the recipe's species, by size class), syncs what
 * was written below `dir`, then writes dir/manifest.json whole or not at all. When no file was written and
 * the manifest stays the same, nothing is done. */
enum status manifest_save(json_t *root, const struct world *world, const char *dir, bool files_written,
                          struct error *err);
/* Any JSON in the one stable form; *text is free'd by the caller. NULL: out of memory. */
char *manifest_text(const json_t *root);

/* Writes OUT/manifest.json from the maps' manifests that lie in OUT/maps, under a lock, and OUT/objects.json
 * when objects is not NULL; the hash of the latter stands in the former. */
enum status manifest_world(const char *out, const struct world *world, const json_t *objects,
                           struct error *err);

#endif
