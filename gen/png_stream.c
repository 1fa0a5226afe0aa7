#include "gen/png_stream.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct png_stream {
    png_structp png;
    png_infop info;
    FILE *file;
    int32_t rows_left;
    char message[200];
};

static void on_error(png_structp png, png_const_charp message) {
    struct png_stream *s = png_get_error_ptr(png);
    snprintf(s->message, sizeof s->message, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep bytes, png_size_t size) {
    if (fwrite(bytes, 1, size, png_get_io_ptr(png)) != size)
        png_error(png, "write failed");
}

static void on_flush(png_structp png) {
    (void)png;
}

static enum status failed(struct png_stream *s, struct error *err) {
    enum status status = strcmp(s->message, "out of memory") == 0 ? STATUS_LIMIT : STATUS_FILE;
    return error_set(err, status, "PNG: %s", s->message);
}

/* Fast: level 1, RLE matches only the byte before. */
static void set_fast(png_structp png) {
    png_set_filter(png, 0, PNG_FILTER_UP);
    png_set_compression_level(png, 1);
    png_set_compression_strategy(png, Z_RLE);
    png_set_compression_mem_level(png, 9);
    png_set_compression_buffer_size(png, 65536);
}

static enum status start(struct png_stream *s, enum raster_kind kind, int32_t width, int32_t height,
                         struct error *err) {
    s->rows_left = height;
    s->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, s, on_error, on_warning);
    if (!s->png)
        return error_set(err, STATUS_LIMIT, "PNG: out of memory");
    if (setjmp(png_jmpbuf(s->png)))
        return failed(s, err);
    s->info = png_create_info_struct(s->png);
    if (!s->info)
        png_error(s->png, "out of memory");
    png_set_write_fn(s->png, s->file, on_write, on_flush);
    png_set_IHDR(s->png, s->info, (png_uint_32)width, (png_uint_32)height, kind == KIND_GREY16 ? 16 : 8,
                 kind == KIND_RGB8 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_fast(s->png);
    png_write_info(s->png, s->info);
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    if (kind == KIND_GREY16 && first == 1)
        png_set_swap(s->png); /* files are big-endian */
    return STATUS_OK;
}

static enum status write_row(struct png_stream *s, const void *row, struct error *err) {
    if (setjmp(png_jmpbuf(s->png)))
        return failed(s, err);
    png_write_row(s->png, row);
    s->rows_left--;
    return STATUS_OK;
}

static enum status finish(struct png_stream *s, struct error *err) {
    if (setjmp(png_jmpbuf(s->png)))
        return failed(s, err);
    png_write_end(s->png, s->info);
    return STATUS_OK;
}

enum status png_stream_open(FILE *file, enum raster_kind kind, int32_t width, int32_t height,
                            struct png_stream **stream, struct error *err) {
    *stream = NULL;
    struct png_stream *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(err, STATUS_LIMIT, "PNG: out of memory");
    s->file = file;
    enum status status = start(s, kind, width, height, err);
    if (status != STATUS_OK) {
        png_stream_abandon(s);
        return status;
    }
    *stream = s;
    return STATUS_OK;
}

enum status png_stream_row(struct png_stream *stream, const void *row, struct error *err) {
    if (stream->rows_left <= 0)
        return error_set(err, STATUS_FAULT, "PNG: more rows than the image has");
    return write_row(stream, row, err);
}

enum status png_stream_close(struct png_stream *stream, struct error *err) {
    enum status status = stream->rows_left == 0
                             ? finish(stream, err)
                             : error_set(err, STATUS_FAULT, "PNG: %d rows are missing", stream->rows_left);
    png_stream_abandon(stream);
    return status;
}

void png_stream_abandon(struct png_stream *stream) {
    if (!stream)
        return;
    if (stream->png)
        png_destroy_write_struct(&stream->png, &stream->info);
    free(stream);
}
