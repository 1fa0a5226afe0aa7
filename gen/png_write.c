#include "gen/png_write.h"

#include "gen/png_frame.h"
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/* Each row, the north one first, filtered. */
static void filter(const struct raster *image, const unsigned char *nothing, unsigned char *out) {
    size_t size = raster_row_size(image);
    const unsigned char *above = nothing;
    for (int32_t y = image->height; y-- > 0; out += size + 1) {
        const unsigned char *row = raster_at(image, 0, y);
        png_filter_row(image->kind, row, above, size, out);
        above = row;
    }
}

enum status png_encode(const struct raster *image, unsigned char **bytes, size_t *size, struct error *err) {
    *bytes = NULL;
    *size = 0;
    size_t row_size = raster_row_size(image), raw = (row_size + 1) * (size_t)image->height;
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(1);
    size_t room = deflate ? libdeflate_zlib_compress_bound(deflate, raw) : 0;
    unsigned char *nothing = calloc(row_size, 1), *rows = malloc(raw),
                  *file = malloc(PNG_HEAD_SIZE + PNG_CHUNK + room + PNG_TAIL_SIZE);
    enum status status = STATUS_LIMIT;
    if (!deflate || !nothing || !rows || !file) {
        error_set(err, status, "PNG: out of memory");
        goto done;
    }
    filter(image, nothing, rows);
    unsigned char *chunk = png_put_head(file, image->kind, image->width, image->height);
    size_t packed = libdeflate_zlib_compress(deflate, rows, raw, chunk + PNG_CHUNK_BEFORE, room);
    if (packed > INT32_MAX) { /* a chunk holds no more */
        error_set(err, status, "PNG: an image of %dx%d is too large", image->width, image->height);
        goto done;
    }
    chunk = png_put_tail(png_close_chunk(chunk, "IDAT", packed));
    *bytes = file;
    *size = (size_t)(chunk - file);
    file = NULL;
    status = STATUS_OK;
done:
    free(file);
    free(rows);
    free(nothing);
    libdeflate_free_compressor(deflate);
    return status;
}
