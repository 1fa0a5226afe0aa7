#include "gen/png_frame.h"

#include <libdeflate.h>
#include <string.h>

enum { FILTER_UP = 2, SIGNATURE_SIZE = 8, HEADER_SIZE = 13 };
static const unsigned char signature[SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static void put_u32(unsigned char *to, uint32_t value) {
    for (int32_t k = 0; k < 4; k++)
        to[k] = (unsigned char)(value >> (24 - 8 * k));
}

unsigned char *png_close_chunk(unsigned char *chunk, const char *type, size_t data_size) {
    put_u32(chunk, (uint32_t)data_size);
    memcpy(chunk + 4, type, 4);
    put_u32(chunk + PNG_CHUNK_BEFORE + data_size, libdeflate_crc32(0, chunk + 4, 4 + data_size));
    return chunk + PNG_CHUNK + data_size;
}

unsigned char *png_put_head(unsigned char *at, enum raster_kind kind, int32_t width, int32_t height) {
    memcpy(at, signature, sizeof signature);
    unsigned char *chunk = at + sizeof signature, *data = chunk + PNG_CHUNK_BEFORE;
    put_u32(data, (uint32_t)width);
    put_u32(data + 4, (uint32_t)height);
    data[8] = kind == KIND_GREY16 ? 16 : 8;
    data[9] = kind == KIND_RGB8 ? 2 : 0;
    memset(data + 10, 0, 3); /* deflate, the five filters, not interlaced */
    return png_close_chunk(chunk, "IHDR", HEADER_SIZE);
}

unsigned char *png_put_tail(unsigned char *at) {
    return png_close_chunk(at, "IEND", 0);
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

void png_filter_row(enum raster_kind kind, const unsigned char *row, const unsigned char *above, size_t size,
                    unsigned char *out) {
    *out++ = FILTER_UP;
    if (kind == KIND_GREY16)
        up_row16(row, above, size, out);
    else
        up_row8(row, above, size, out);
}
