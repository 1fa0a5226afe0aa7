/* Owns the strict reading of PNG files that gen/png_write.h wrote: anything else about them is a fault of the
 * file (another depth, a palette, alpha, interlacing, a warning of libpng, bytes behind the end). Users'
 * images are read by others. */
#ifndef GEN_PNG_READ_H
#define GEN_PNG_READ_H
#include "gen/raster.h"
#include "terrain/status.h"
#include <stddef.h>

/* Decodes a whole file in memory; the last row of the file becomes row 0 (south). The caller frees *image.
 * STATUS_FILE: not such a file; STATUS_LIMIT: more than 2^28 pixels, or no memory. */
enum status png_decode(const unsigned char *bytes, size_t size, struct raster *image, struct error *err);
/* The same from a file. Messages carry its path. */
enum status png_read_file(const char *path, struct raster *image, struct error *err);

#endif
