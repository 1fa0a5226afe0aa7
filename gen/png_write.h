/* Owns PNG encoding of outputs: 8- and 16-bit grey, 8-bit RGB, nothing else. The fast setting is measured by
 * tests/bench/bench_png.c: filter "sub", zlib's run-length strategy. No time stamp, no gamma, no text: the
 * same samples give the same bytes with the same libpng and zlib. */
#ifndef GEN_PNG_WRITE_H
#define GEN_PNG_WRITE_H
#include "gen/raster.h"
#include "terrain/status.h"
#include <stddef.h>
#include <stdio.h>

/* The whole image as a PNG file in memory; *bytes is malloc'ed. The north row (the last in memory) comes
 * first. */
enum status png_encode(const struct raster *image, unsigned char **bytes, size_t *size, struct error *err);

/* A PNG written row by row, the NORTH row first: for images larger than memory. The stream stays the
 * caller's. */
struct png_stream;
enum status png_stream_open(FILE *file, enum raster_kind kind, int32_t width, int32_t height,
                            struct png_stream **stream, struct error *err);
/* width pixels, 16-bit in the machine's order. */
enum status png_stream_row(struct png_stream *stream, const void *row, struct error *err);
/* After the last row; frees the stream whatever it returns. */
enum status png_stream_close(struct png_stream *stream, struct error *err);
void png_stream_abandon(struct png_stream *stream); /* NULL allowed */

#endif
