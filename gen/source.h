/* Owns the pixels of a world's raster inputs: heights in metres and mask codes, by windows of the world,
 * whatever files, sizes and spacings they come from (gen/placement.h says which pixel stands where). Each
 * file is decoded once, streamed into the cache folder (gen/image_cache.h), when it is first needed.
 *
 * Heights, spacing finer than the cell: a cell takes the mean of its block, a post the tent around it
 * (terrain/resample.h); coarser: cubic convolution. Where two tiles hold the same post they must agree.
 * Masks finer than the cell: grey takes the rounded mean of the block, a legend the code that most pixels
 * have (the lower one of equals); coarser: a cell takes the pixel that covers it. */
#ifndef GEN_SOURCE_H
#define GEN_SOURCE_H
#include "gen/world.h"
#include "terrain/grid.h"
#include "terrain/status.h"

struct source_set; /* safe from several threads */

/* Prepares reading; opens no file. Decoded images lie in store_dir/images, which the store's size limit
 * covers. The world must outlive the set. */
enum status source_open(const struct world *world, const char *store_dir, struct source_set **set,
                        struct error *err);
void source_close(struct source_set *set); /* NULL allowed */
/* The first trouble in keeping a decoded image (it was held in memory then), or NULL. */
const struct error *source_trouble(const struct source_set *set);

/* Heights in metres at out's samples: posts or cells, as world->height.samples says; inside the world. NaN:
 * no data, or no map. STATUS_INPUT: pixels that cannot be heights, or tiles that disagree. */
enum status source_read_height(struct source_set *set, struct grid_f32 *out, struct error *err);

/* Codes of world->masks[mask] at out's cells, inside the world: grey levels, or the legend's codes;
 * the mask's `unpainted` where there is no map or the paint is wholly transparent. STATUS_INPUT: a pixel that
 * the legend lacks. */
enum status source_read_mask(struct source_set *set, size_t mask, struct grid_u8 *out, struct error *err);

/* Decodes every file and compares all shared posts: what only pixels can tell. Reports each bad file once. */
void source_check(struct source_set *set, struct report *report);

/* A note for names of biome_paint's legend that no pixel has. Reads the mask until all were met. */
void source_check_paint(struct source_set *set, struct report *report);

/* Adds to a key what source_read_height, or source_read_mask, reads for these cells (heights: the posts on
 * their border too): which files, and their contents. What holds for all files is the caller's to add. */
struct hasher;
void source_hash_height_files(const struct world *world, struct rect cells, struct hasher *hasher);
void source_hash_mask_files(const struct world *world, const struct world_mask *mask, struct rect cells,
                            struct hasher *hasher);

#endif
