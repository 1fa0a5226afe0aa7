/* Owns decoded images on disk: the pixels of one input file as plain rows, made once, read by windows. Knows
 * nothing of what pixels mean. A cached file is never trusted: it has checksums for its header and for each
 * band of rows, tested before a row of that band is first used; one that is cut short or altered is made
 * again. Several processes may share a folder: a file appears whole, and all write the same bytes. Where the
 * folder cannot be used (read-only, full, removed meanwhile) an image lies in memory instead. */
#ifndef GEN_IMAGE_CACHE_H
#define GEN_IMAGE_CACHE_H
#include "gen/layer.h"
#include "terrain/status.h"
#include <stdint.h>

struct image_cache;  /* one image; safe from several threads */
struct image_writer; /* takes the rows of an image that is being made */

/* Writes the image's rows in order, image_cache_put once for each. */
struct image_maker {
    enum status (*make)(void *context, struct image_writer *writer, struct error *err);
    void *context;
};
/* The next row: width_px * pixel_bytes bytes. */
enum status image_cache_put(struct image_writer *writer, const void *row, struct error *err);

/* An image of `key` (everything that its pixels depend on) in the folder dir (made when absent), file
 * "<key in hex>.raw". Nothing is read or made yet. NULL: out of memory. */
struct image_cache *image_cache_new(const char *dir, struct hash128 key, int32_t width_px, int32_t height_px,
                                    int32_t pixel_bytes);
void image_cache_free(struct image_cache *cache); /* NULL allowed */

/* Why the image is in memory and was not kept, or NULL. Lives as long as the cache. */
const struct error *image_cache_trouble(struct image_cache *cache);

/* Copies rows [row0, row1) of columns [column0, column1) to `pixels`, rows packed, making the image first
 * when it is not there. What make returned, or STATUS_LIMIT. */
enum status image_cache_read(struct image_cache *cache, const struct image_maker *maker, int32_t column0,
                             int32_t row0, int32_t column1, int32_t row1, void *pixels, struct error *err);

#endif
