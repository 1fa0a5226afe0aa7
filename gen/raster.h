/* Owns an image of an output in memory: packed samples, and the content hash that stands for them in a
 * manifest. Knows nothing of PNG (gen/png_write.h, gen/png_read.h) or of layers (gen/outputs.h).
 *
 * Row 0 is the SOUTH edge, as in terrain/grid.h; PNG writers and readers turn it. 16-bit samples are in the
 * machine's byte order. */
#ifndef GEN_RASTER_H
#define GEN_RASTER_H
#include "gen/layer.h"
#include "terrain/status.h"
#include <stddef.h>
#include <stdint.h>

enum raster_kind { KIND_GREY8, KIND_GREY16, KIND_RGB8 };

struct raster {
    enum raster_kind kind;
    int32_t width, height;
    unsigned char *samples; /* malloc'ed, rows of raster_row_size bytes without gaps */
};

size_t raster_pixel_size(enum raster_kind kind); /* bytes: 1, 2, 3 */
size_t raster_row_size(const struct raster *r);
/* Zeroed. STATUS_LIMIT: out of memory, or a side outside 1..1 000 000. */
enum status raster_new(enum raster_kind kind, int32_t width, int32_t height, struct raster *r,
                       struct error *err);
void raster_free(struct raster *r); /* zeroed afterwards; a zeroed one is fine */

static inline const unsigned char *raster_at(const struct raster *r, int32_t x, int32_t y) {
    return r->samples + ((size_t)y * (size_t)r->width + (size_t)x) * raster_pixel_size(r->kind);
}
/* The code of a grey pixel, or 0xrrggbb. */
uint32_t raster_code(const struct raster *r, int32_t x, int32_t y);

/* An image whose rows somebody makes when they are asked for: for pictures that need not lie in memory as a
 * whole. row: fills raster_row_size bytes of row y (0 south); called once for each, north first. */
struct raster_rows {
    enum raster_kind kind;
    int32_t width, height;
    void (*row)(const void *context, int32_t y, unsigned char *samples);
    const void *context;
};

/* XXH3-128 of four little-endian u32 (channels, bits, width, height), then of the samples, north row first,
 * little-endian (docs/formats.md): what a picture holds, not how it was packed. */
struct hash128 raster_hash(const struct raster *r);
/* XXH3-128 of bytes: the content hash of a .ply or .glb file, whole. */
struct hash128 bytes_hash(const void *bytes, size_t size);

/* Both, piece by piece; bytes_hash_end ends either. */
struct bytes_hasher {
    _Alignas(64) unsigned char state[640];
};
void raster_hash_begin(struct bytes_hasher *hasher, enum raster_kind kind, int32_t width, int32_t height);
void raster_hash_row(struct bytes_hasher *hasher, enum raster_kind kind, const void *row, size_t row_size);
void bytes_hash_begin(struct bytes_hasher *hasher);
void bytes_hash_add(struct bytes_hasher *hasher, const void *bytes, size_t size);
struct hash128 bytes_hash_end(struct bytes_hasher *hasher);

enum { HASH_TEXT_SIZE = 33 };
/* 32 lower-case hex digits, hi first. */
void hash128_text(struct hash128 h, char text[HASH_TEXT_SIZE]);
/* False: not 32 lower-case hex digits. */
bool hash128_parse(const char *text, struct hash128 *h);

#endif
