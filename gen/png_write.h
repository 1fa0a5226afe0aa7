/* Owns PNG encoding of outputs in memory: 8- and 16-bit grey, 8-bit RGB, nothing else. Filter "up", one IDAT
 * chunk, compressed by libdeflate at level 1 (docs/decisions/0023-png.md). No time stamp, no gamma, no text:
 * the same samples give the same bytes with the same libdeflate. Images larger than memory:
 * gen/png_stream.h. */
#ifndef GEN_PNG_WRITE_H
#define GEN_PNG_WRITE_H
#include "gen/raster.h"
#include "terrain/status.h"
#include <stddef.h>

/* The whole image as a PNG file in memory; *bytes is malloc'ed. The north row (the last in memory) comes
 * first. STATUS_LIMIT: out of memory, or more than 2^31 - 1 bytes. */
enum status png_encode(const struct raster *image, unsigned char **bytes, size_t *size, struct error *err);

#endif
