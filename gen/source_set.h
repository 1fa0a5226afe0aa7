/* What the files of gen/source.h share: for gen/source*.c only. */
#ifndef GEN_SOURCE_SET_H
#define GEN_SOURCE_SET_H
#include "gen/image_cache.h"
#include "gen/placement.h"
#include "gen/source.h"

struct source_image {
    const struct source_file *file;
    struct rect samples;       /* that it holds, on its raster's lattice */
    struct image_cache *cache; /* NULL: the file is not there */
    struct image_maker maker;  /* its context is the image */
    const struct source_raster *raster;
};

struct source_raster {
    const struct world *world;
    const struct world_mask *mask; /* NULL: heights */
    const struct source *source;
    struct placement placement;
    int32_t pixel_bytes;         /* heights: 1, 2 (codes) or 4 (float metres); masks: 1, a code */
    struct source_image *images; /* as source->files */
};

struct source_set {
    struct source_raster height;
    struct source_raster *masks;
};

bool source_tiled(const struct source *source);
struct placement source_height_placement(const struct world *world);
struct placement source_mask_placement(const struct world *world, const struct world_mask *mask);
/* The lattice samples that are read for out's samples. */
struct rect source_height_window(const struct placement *p, struct rect out);
struct rect source_mask_window(const struct placement *p, struct rect out);

/* Calls visit for each file that holds samples of the window, in the order of source->files. */
struct source_visit {
    enum status (*file)(void *context, size_t index, struct error *err);
    void *context;
};
enum status source_files_in(const struct source *source, const struct extent *extent,
                            const struct placement *p, struct rect window, const struct source_visit *visit,
                            struct error *err);

/* Calls row for each file and row of the window: count pixels from lattice sample (x, y) eastwards. */
struct source_rows {
    enum status (*row)(void *context, const struct source_image *image, int32_t x, int32_t y, int32_t count,
                       const void *pixels, struct error *err);
    void *context;
};
enum status source_gather(const struct source_raster *raster, struct rect window,
                          const struct source_rows *rows, struct error *err);

/* Fills a raster's pixel_bytes, and makes its images' caches. */
struct hash128 source_height_key(const struct world *world, const struct source_file *file);
struct hash128 source_mask_key(const struct world_mask *mask, const struct source_file *file);
enum status source_make_height(void *image, struct image_writer *writer, struct error *err);
enum status source_make_mask(void *image, struct image_writer *writer, struct error *err);

#endif
