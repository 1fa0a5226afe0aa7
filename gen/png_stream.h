/* Owns PNG files that are written row by row, for images larger than memory; gen/png_write.h encodes an image
 * in memory, and faster. */
#ifndef GEN_PNG_STREAM_H
#define GEN_PNG_STREAM_H
#include "gen/raster.h"
#include "terrain/status.h"
#include <stdio.h>

/* A PNG written row by row, the NORTH row first. The file stays the caller's. */
struct png_stream;
enum status png_stream_open(FILE *file, enum raster_kind kind, int32_t width, int32_t height,
                            struct png_stream **stream, struct error *err);
/* width pixels, 16-bit in the machine's order. */
enum status png_stream_row(struct png_stream *stream, const void *row, struct error *err);
/* After the last row; frees the stream whatever it returns. */
enum status png_stream_close(struct png_stream *stream, struct error *err);
void png_stream_abandon(struct png_stream *stream); /* NULL allowed */

#endif
