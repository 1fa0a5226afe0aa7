/* Owns looking at layers outside a bake: the values of layers over a rectangle of cells, made through the
 * executor and the store. What `terrane layer` and `terrane explain` stand on. */
#ifndef GEN_REGION_H
#define GEN_REGION_H
#include "gen/layer.h"
#include "gen/world.h"

struct region_options {
    const char *store; /* as struct bake_options has it */
    int32_t threads;
    uint64_t memory_limit;
};

/* A layer's samples as values, over a rectangle: rasters of one channel in `values`, RGB in `rgb`. */
struct region {
    const struct layer_info *layer; /* resolved */
    bool posts;
    int32_t x0, y0, width, height; /* in samples: cells, posts or blocks; row 0 is the south */
    float *values;                 /* offset + scale * code; NULL for RGB */
    uint8_t *rgb;                  /* 3 bytes a sample; NULL otherwise */
};

/* STATUS_INPUT: no such layer, or one that is no raster (`what to do` in the message); STATUS_LIMIT: too
 * large for memory. The caller frees with region_free. */
enum status region_read(const struct world *world, const struct region_options *options, const char *layer,
                        struct rect cells, struct region *region, struct error *err);
void region_free(struct region *region);

/* The values of `count` layers at the one cell (x, y), in one run. RGB layers and layers that fail give an
 * error. values gets count floats. */
enum status region_at(const struct world *world, const struct region_options *options,
                      const char *const *layers, size_t count, int32_t x, int32_t y, float *values,
                      struct error *err);

#endif
