/* Owns what a layer is: one named thing known all over the world, section by section; and a tile, a layer's
 * result in one section. Knows nothing of how layers are made (gen/stage.h) or kept (gen/store.h). */
#ifndef GEN_LAYER_H
#define GEN_LAYER_H
#include "gen/extent.h"
#include "terrain/grid.h"
#include "terrain/status.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum layer_type {
    LAYER_F32,
    LAYER_I32,
    LAYER_U16,
    LAYER_U8,
    LAYER_RGB8, /* three bytes a cell; a grid_u8 whose width and stride count bytes */
    LAYER_BLOB  /* records, points, lines, meshes: bytes in 16 parts, one a sector (or all in part 0) */
};

/* What lies beyond the world's edge: the edge cell's value again (ground), or zero (masks, counts). */
enum layer_edge { EDGE_CLAMP, EDGE_ZERO };

/* A raster's cell holds a code; its value is offset + scale * code, in `unit`. min and max are the range that
 * a value can have (pictures and `check` use it; min == max: not known beforehand). */
struct layer_info {
    const char *name; /* "slope"; or with one '*' that stands for an argument: "noise.*" */
    enum layer_type type;
    enum layer_edge edge;
    bool like_heights; /* sampled as the world's heights are: on cell corners (posts) or at cell centres */
    bool by_sector; /* blobs: part i speaks of sector i alone, and readers look at the parts of sectors that
                     * their window touches; else all of a section's readers may look at part 0 */
    uint8_t
        coarse_log2; /* one sample for each block of 2^k x 2^k cells (k divides 64's log2; 0 = per cell) */
    double scale, offset;
    const char *unit; /* "m", "degrees", "1/m", "" */
    double min, max;
    const char *what; /* one line for `terrane layer --list` and the docs */
};

struct hash128 {
    uint64_t lo, hi;
};

/* A layer's result in one section. Immutable once published, shared by reference count. */
struct tile {
    atomic_int references;
    enum layer_type type;
    bool posts;
    uint8_t coarse_log2;
    struct rect cells;     /* world cells covered (the section's part inside the world) */
    int32_t x0, y0;        /* sample coordinates of bytes[0]: cells, posts or blocks */
    int32_t width, height; /* in samples; 0 for blobs */
    size_t size;           /* bytes */
    unsigned char *bytes;  /* owned */
    size_t part_at[17];    /* blobs: part i is bytes[part_at[i] .. part_at[i + 1]) */
    struct hash128
        parts[16]; /* content hash of each sector's samples or part; of an absent sector: zero.
                      Sector i of a section is at column i % 4 (west to east), row i / 4 (south to north) */
};

size_t layer_sample_size(enum layer_type type); /* bytes; 1 for blobs */
/* A tile for `cells` of a world, zeroed (posts: (w + 1) x (h + 1) samples on the cells' corners); rasters get
 * their bytes, blobs have 16 empty parts. NULL: out of memory. */
struct tile *tile_new(const struct layer_info *layer, bool posts, struct rect cells);
struct tile *tile_ref(struct tile *tile);
void tile_unref(struct tile *tile); /* NULL allowed */
/* Gives a blob its bytes, copied from 16 parts (sizes may be 0). False: out of memory. */
bool tile_set_parts(struct tile *tile, const void *const parts[16], const size_t sizes[16]);
/* Fills parts[] from the bytes (XXH3-128 over decoded samples, little-endian, with shape and type). */
void tile_hash(struct tile *tile);
/* Views of a raster tile, typed. The tile's type must match. */
struct grid_f32 tile_f32(const struct tile *tile);
struct grid_i32 tile_i32(const struct tile *tile);
struct grid_u16 tile_u16(const struct tile *tile);
struct grid_u8 tile_u8(const struct tile *tile); /* LAYER_U8 and LAYER_RGB8 (width and stride in bytes) */

#endif
