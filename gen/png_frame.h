/* Owns what the two writers of PNG share: signature, chunks, and the filter "up" (PNG specification 5.2, 5.3,
 * 9). Knows nothing of how rows are packed: gen/png_write.h, gen/png_stream.h. */
#ifndef GEN_PNG_FRAME_H
#define GEN_PNG_FRAME_H
#include "gen/raster.h"
#include <stddef.h>
#include <stdint.h>

enum {
    PNG_CHUNK_BEFORE = 8, /* length and type stand before a chunk's data */
    PNG_CHUNK_AFTER = 4,  /* a checksum behind */
    PNG_CHUNK = PNG_CHUNK_BEFORE + PNG_CHUNK_AFTER,
    PNG_HEAD_SIZE = 8 + PNG_CHUNK + 13,
    PNG_TAIL_SIZE = PNG_CHUNK
};

/* Signature and header, PNG_HEAD_SIZE bytes; returns what follows. */
unsigned char *png_put_head(unsigned char *at, enum raster_kind kind, int32_t width, int32_t height);
/* Length, type and checksum around data that lies at chunk + PNG_CHUNK_BEFORE; returns what follows. */
unsigned char *png_close_chunk(unsigned char *chunk, const char *type, size_t data_size);
/* The end, PNG_TAIL_SIZE bytes; returns what follows. */
unsigned char *png_put_tail(unsigned char *at);

/* A row of `size` bytes, behind the number of its filter: size + 1 bytes. above: the row to the north, of
 * zeros for the first. */
void png_filter_row(enum raster_kind kind, const unsigned char *row, const unsigned char *above, size_t size,
                    unsigned char *out);

#endif
