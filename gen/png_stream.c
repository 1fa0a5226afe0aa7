#include "gen/png_stream.h"

#include "gen/png_frame.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PACKED_MAX = 1 << 16 }; /* bytes of a chunk of data */

struct png_stream {
    FILE *file;
    enum raster_kind kind;
    size_t row_size;
    int32_t rows_left;
    unsigned char *above, *filtered;
    z_stream z;
    unsigned char chunk[PNG_CHUNK + PACKED_MAX]; /* its data are zlib's output */
};

static enum status write_bytes(const struct png_stream *s, const unsigned char *end, struct error *err) {
    size_t size = (size_t)(end - s->chunk);
    return fwrite(s->chunk, 1, size, s->file) == size ? STATUS_OK
                                                      : error_set(err, STATUS_FILE, "PNG: write failed");
}

static void empty_chunk(struct png_stream *s) {
    s->z.next_out = s->chunk + PNG_CHUNK_BEFORE;
    s->z.avail_out = PACKED_MAX;
}

/* Packs what waits at next_in; full chunks are written, and at the end what is left. */
static enum status pack(struct png_stream *s, int flush, struct error *err) {
    enum status status = STATUS_OK;
    int result;
    do {
        result = deflate(&s->z, flush);
        if (result != Z_OK && result != Z_STREAM_END)
            return error_set(err, STATUS_FAULT, "PNG: zlib stopped with %d", result);
        bool end = result == Z_STREAM_END;
        if (s->z.avail_out > 0 && !end)
            continue;
        unsigned char *after = png_close_chunk(s->chunk, "IDAT", PACKED_MAX - s->z.avail_out);
        status = write_bytes(s, after, err);
        empty_chunk(s);
    } while (status == STATUS_OK && (flush == Z_FINISH ? result == Z_OK : s->z.avail_in > 0));
    return status;
}

/* Fast: level 1, RLE matches only the byte before. */
static bool start(struct png_stream *s) {
    s->above = calloc(s->row_size, 1);
    s->filtered = malloc(s->row_size + 1);
    return s->above && s->filtered && deflateInit2(&s->z, 1, Z_DEFLATED, 15, 9, Z_RLE) == Z_OK;
}

enum status png_stream_open(FILE *file, enum raster_kind kind, int32_t width, int32_t height,
                            struct png_stream **stream, struct error *err) {
    *stream = NULL;
    struct png_stream *s = calloc(1, sizeof *s);
    if (s) {
        s->file = file;
        s->kind = kind;
        s->row_size = (size_t)width * raster_pixel_size(kind);
        s->rows_left = height;
    }
    if (!s || !start(s)) {
        png_stream_abandon(s);
        return error_set(err, STATUS_LIMIT, "PNG: out of memory");
    }
    enum status status = write_bytes(s, png_put_head(s->chunk, kind, width, height), err);
    empty_chunk(s);
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
    s->z.next_in = s->filtered;
    s->z.avail_in = (uInt)(s->row_size + 1);
    return pack(s, Z_NO_FLUSH, err);
}

enum status png_stream_close(struct png_stream *s, struct error *err) {
    enum status status = s->rows_left == 0
                             ? pack(s, Z_FINISH, err)
                             : error_set(err, STATUS_FAULT, "PNG: %d rows are missing", s->rows_left);
    if (status == STATUS_OK)
        status = write_bytes(s, png_put_tail(s->chunk), err);
    png_stream_abandon(s);
    return status;
}

void png_stream_abandon(struct png_stream *stream) {
    if (!stream)
        return;
    deflateEnd(&stream->z);
    free(stream->above);
    free(stream->filtered);
    free(stream);
}
