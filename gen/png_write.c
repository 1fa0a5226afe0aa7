#include "gen/png_write.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/* Chunks: length, type, data, CRC of type and data (PNG specification, 5.3). */
enum { CHUNK_BEFORE = 8, CHUNK_AFTER = 4, SIGNATURE_SIZE = 8, IHDR_SIZE = 13, FILTER_UP = 2 };
static const unsigned char signature[SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
enum {
    DATA_AT = SIGNATURE_SIZE + CHUNK_BEFORE + IHDR_SIZE + CHUNK_AFTER + CHUNK_BEFORE,
    REST_SIZE = CHUNK_AFTER + CHUNK_BEFORE + CHUNK_AFTER /* of IDAT, IEND */
};

static void put_u32(unsigned char *to, uint32_t value) {
    for (int32_t k = 0; k < 4; k++)
        to[k] = (unsigned char)(value >> (24 - 8 * k));
}

/* Length, type and CRC around data that already lies behind them; returns what follows the chunk. */
static unsigned char *close_chunk(unsigned char *chunk, const char *type, size_t data_size) {
    put_u32(chunk, (uint32_t)data_size);
    memcpy(chunk + 4, type, 4);
    put_u32(chunk + CHUNK_BEFORE + data_size, libdeflate_crc32(0, chunk + 4, 4 + data_size));
    return chunk + CHUNK_BEFORE + data_size + CHUNK_AFTER;
}

static void put_header(unsigned char *data, const struct raster *image) {
    put_u32(data, (uint32_t)image->width);
    put_u32(data + 4, (uint32_t)image->height);
    data[8] = image->kind == KIND_GREY16 ? 16 : 8;
    data[9] = image->kind == KIND_RGB8 ? 2 : 0;
    memset(data + 10, 0, 3); /* deflate, the five filters, not interlaced */
}

/* Bytes less the bytes above; both bytes of a 16-bit sample, the higher first as files have it. */
static void up_row8(const unsigned char *row, const unsigned char *above, size_t size, unsigned char *out) {
    for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char)(row[i] - above[i]);
}
static void up_row16(const unsigned char *row, const unsigned char *above, size_t size, unsigned char *out) {
    for (size_t i = 0; i < size; i += 2) {
        uint16_t a, b;
        memcpy(&a, row + i, 2);
        memcpy(&b, above + i, 2);
        out[i] = (unsigned char)((a >> 8) - (b >> 8));
        out[i + 1] = (unsigned char)(a - b);
    }
}

/* Each row, the north one first, behind the number of its filter. */
static void filter(const struct raster *image, const unsigned char *nothing, unsigned char *out) {
    size_t size = raster_row_size(image);
    const unsigned char *above = nothing;
    for (int32_t y = image->height; y-- > 0; out += size) {
        const unsigned char *row = raster_at(image, 0, y);
        *out++ = FILTER_UP;
        if (image->kind == KIND_GREY16)
            up_row16(row, above, size, out);
        else
            up_row8(row, above, size, out);
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
                  *file = malloc(DATA_AT + room + REST_SIZE);
    enum status status = STATUS_LIMIT;
    if (!deflate || !nothing || !rows || !file) {
        error_set(err, status, "PNG: out of memory");
        goto done;
    }
    filter(image, nothing, rows);
    size_t packed = libdeflate_zlib_compress(deflate, rows, raw, file + DATA_AT, room);
    if (packed > INT32_MAX) { /* a chunk holds no more */
        error_set(err, status, "PNG: an image of %dx%d is too large", image->width, image->height);
        goto done;
    }
    memcpy(file, signature, sizeof signature);
    unsigned char *chunk = file + sizeof signature;
    put_header(chunk + CHUNK_BEFORE, image);
    chunk = close_chunk(chunk, "IHDR", IHDR_SIZE);
    chunk = close_chunk(chunk, "IDAT", packed);
    chunk = close_chunk(chunk, "IEND", 0);
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
