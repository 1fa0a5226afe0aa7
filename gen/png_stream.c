#include "gen/png_stream.h"

#include "gen/deflate.h"
#include "gen/png_frame.h"
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/* zlib's frame around deflate's blocks (RFC 1950): two bytes before, a checksum behind. */
enum { ZLIB_METHOD = 0x78, ZLIB_CHECK = 0x01, ZLIB_BEFORE = 2, ZLIB_AFTER = 4 };

struct png_stream {
    FILE *file;
    enum raster_kind kind;
    size_t row_size;
    int32_t rows_left;
    bool begun;     /* a chunk of data was written */
    uint32_t adler; /* of all filtered bytes so far */
    size_t filled;  /* bytes in `block` */
    unsigned char *above, *filtered;
    struct deflate deflate;
    unsigned char block[DEFLATE_BLOCK];
    unsigned char chunk[PNG_CHUNK + ZLIB_BEFORE + DEFLATE_ROOM + ZLIB_AFTER + PNG_TAIL_SIZE];
};

static enum status write_bytes(const struct png_stream *s, const unsigned char *end, struct error *err) {
    size_t size = (size_t)(end - s->chunk);
    return fwrite(s->chunk, 1, size, s->file) == size ? STATUS_OK
                                                      : error_set(err, STATUS_FILE, "PNG: write failed");
}

/* The bytes that wait, as a chunk of data; after the last one the image's end. */
static enum status write_block(struct png_stream *s, bool last, struct error *err) {
    unsigned char *data = s->chunk + PNG_CHUNK_BEFORE, *at = data;
    if (!s->begun) {
        *at++ = ZLIB_METHOD;
        *at++ = ZLIB_CHECK;
    }
    s->begun = true;
    s->adler = libdeflate_adler32(s->adler, s->block, s->filled);
    at += deflate_block(&s->deflate, s->block, s->filled, last, at);
    s->filled = 0;
    for (int32_t k = 3; last && k >= 0; k--)
        *at++ = (unsigned char)(s->adler >> (8 * k));
    at = png_close_chunk(s->chunk, "IDAT", (size_t)(at - data));
    return write_bytes(s, last ? png_put_tail(at) : at, err);
}

enum status png_stream_open(FILE *file, enum raster_kind kind, int32_t width, int32_t height,
                            struct png_stream **stream, struct error *err) {
    *stream = NULL;
    struct png_stream *s = calloc(1, sizeof *s);
    size_t row_size = (size_t)width * raster_pixel_size(kind);
    if (s) {
        s->above = calloc(row_size, 1);
        s->filtered = malloc(row_size + 1);
    }
    if (!s || !s->above || !s->filtered) {
        png_stream_abandon(s);
        return error_set(err, STATUS_LIMIT, "PNG: out of memory");
    }
    s->file = file;
    s->kind = kind;
    s->row_size = row_size;
    s->rows_left = height;
    s->adler = 1;
    enum status status = write_bytes(s, png_put_head(s->chunk, kind, width, height), err);
    if (status == STATUS_OK)
        *stream = s;
    else
        png_stream_abandon(s);
    return status;
}

enum status png_stream_row(struct png_stream *s, const void *row, struct error *err) {
    if (s->rows_left <= 0)
        return error_set(err, STATUS_FAULT, "PNG: more rows than the image has");
    s->rows_left--;
    png_filter_row(s->kind, row, s->above, s->row_size, s->filtered);
    memcpy(s->above, row, s->row_size);
    enum status status = STATUS_OK;
    for (size_t at = 0; at < s->row_size + 1 && status == STATUS_OK;) {
        size_t left = s->row_size + 1 - at, room = DEFLATE_BLOCK - s->filled,
               size = left < room ? left : room;
        memcpy(s->block + s->filled, s->filtered + at, size);
        s->filled += size;
        at += size;
        if (s->filled == DEFLATE_BLOCK)
            status = write_block(s, false, err);
    }
    return status;
}

enum status png_stream_close(struct png_stream *stream, struct error *err) {
    enum status status = stream->rows_left == 0
                             ? write_block(stream, true, err)
                             : error_set(err, STATUS_FAULT, "PNG: %d rows are missing", stream->rows_left);
    png_stream_abandon(stream);
    return status;
}

void png_stream_abandon(struct png_stream *stream) {
    if (!stream)
        return;
    free(stream->above);
    free(stream->filtered);
    free(stream);
}
