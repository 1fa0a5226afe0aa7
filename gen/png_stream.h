/* Owns PNG files that are written row by row, for images larger than memory; gen/png_write.h encodes an image
 * in memory, and faster. Rows are packed in bands of up to 64, each by itself into a chunk of its own, so
 * that a band whose rows are those of an earlier file can be taken from there as it stands: the file that
 * comes out is the same. */
#ifndef GEN_PNG_STREAM_H
#define GEN_PNG_STREAM_H
#include "gen/os.h"
#include "gen/raster.h"
#include "terrain/status.h"
#include <stdio.h>

/* A band of a file that was written. */
struct png_band {
    struct hash128 rows; /* bytes_hash of its rows and of the one above */
    struct hash128 seal; /* of its chunk, rows and sum */
    uint64_t at, size;   /* where the chunk lies */
    uint32_t sum;        /* adler-32 of the filtered rows */
};

/* An earlier file: NULL, 0 for none. What it holds is believed only where the hashes say so. */
struct png_earlier {
    struct os_reader *file;
    const struct png_band *bands; /* count of them, north first */
    size_t count;
};

/* How many bands an image of this kind and size has. */
size_t png_band_count(enum raster_kind kind, int32_t width, int32_t height);

/* A PNG written row by row, the NORTH row first. The file stays the caller's. */
struct png_stream;
enum status png_stream_open(FILE *file, enum raster_kind kind, int32_t width, int32_t height,
                            struct png_stream **stream, struct error *err);
/* Before the first row. bands: png_band_count of them are filled in; both stay the caller's until the close.
 */
void png_stream_bands(struct png_stream *stream, const struct png_earlier *earlier, struct png_band *bands);
/* width pixels, 16-bit in the machine's order. */
enum status png_stream_row(struct png_stream *stream, const void *row, struct error *err);
/* After the last row; frees the stream whatever it returns. */
enum status png_stream_close(struct png_stream *stream, struct error *err);
void png_stream_abandon(struct png_stream *stream); /* NULL allowed */

#endif
