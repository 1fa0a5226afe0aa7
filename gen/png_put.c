#include "gen/png_put.h"

#include <stdlib.h>
#include <string.h>

/* What one file is written from. */
struct putting {
    const struct raster_rows *image;
    struct png_earlier earlier;
    struct png_band *bands;
    unsigned char *row;
};

static enum status stream_rows(const struct putting *p, FILE *file, struct hash128 *samples,
                               struct error *err) {
    const struct raster_rows *image = p->image;
    size_t row_size = (size_t)image->width * raster_pixel_size(image->kind);
    struct bytes_hasher hasher;
    struct png_stream *stream;
    enum status status = png_stream_open(file, image->kind, image->width, image->height, &stream, err);
    if (status != STATUS_OK)
        return status;
    png_stream_bands(stream, &p->earlier, p->bands);
    raster_hash_begin(&hasher, image->kind, image->width, image->height);
    for (int32_t y = image->height; y-- > 0 && status == STATUS_OK;) {
        image->row(image->context, y, p->row);
        raster_hash_row(&hasher, image->kind, p->row, row_size);
        status = png_stream_row(stream, p->row, err);
    }
    *samples = bytes_hash_end(&hasher);
    if (status == STATUS_OK)
        return png_stream_close(stream, err);
    png_stream_abandon(stream);
    return status;
}

/* Reads back what was written: its hash, and whether the file in its place is the same. */
static enum status read_back(const char *written, const char *full, struct file_put *put, struct error *err) {
    struct os_reader *a = NULL, *b = NULL;
    struct os_info there;
    enum status status = os_info(written, &put->info, err);
    if (status == STATUS_OK)
        status = os_open(written, &a, err);
    put->kept = status == STATUS_OK && os_info(full, &there, NULL) == STATUS_OK && there.kind == OS_FILE &&
                there.size == put->info.size && os_open(full, &b, NULL) == STATUS_OK;
    unsigned char bytes[2][16384];
    struct bytes_hasher hasher;
    bytes_hash_begin(&hasher);
    for (uint64_t at = 0; at < put->info.size && status == STATUS_OK; at += sizeof bytes[0]) {
        uint64_t left = put->info.size - at;
        size_t size = left < sizeof bytes[0] ? (size_t)left : sizeof bytes[0];
        status = os_pread(a, bytes[0], size, at, err);
        if (status == STATUS_OK)
            bytes_hash_add(&hasher, bytes[0], size);
        put->kept = put->kept && os_pread(b, bytes[1], size, at, NULL) == STATUS_OK &&
                    memcmp(bytes[0], bytes[1], size) == 0;
    }
    put->bytes = bytes_hash_end(&hasher);
    if (put->kept)
        put->info = there;
    os_close(a);
    os_close(b);
    return status;
}

static enum status put_rows(const char *full, const struct putting *p, struct file_put *put,
                            struct error *err) {
    struct os_new_file file;
    enum status status = os_create(full, &file, err);
    if (status != STATUS_OK)
        return status;
    status = stream_rows(p, file.stream, &put->samples, err);
    if (ferror(file.stream) || fflush(file.stream) != 0)
        return os_fail(&file, err);
    if (status == STATUS_OK)
        status = read_back(file.temporary, full, put, err);
    if (status == STATUS_OK && !put->kept)
        return os_commit_info(&file, &put->info, err);
    os_discard(&file);
    return status;
}

enum status png_put(const char *path, const struct raster_rows *image, const struct png_band *was,
                    size_t count, struct png_band *bands, struct file_put *put, struct error *err) {
    *put = (struct file_put){.kept = false};
    struct putting p = {.image = image, .earlier = {NULL, was, count}, .bands = bands};
    p.row = malloc((size_t)image->width * raster_pixel_size(image->kind));
    if (!p.row)
        return error_set(err, STATUS_LIMIT, "out of memory");
    if (count > 0 && os_open(path, &p.earlier.file, NULL) != STATUS_OK)
        p.earlier.count = 0;
    enum status status = put_rows(path, &p, put, err);
    os_close(p.earlier.file);
    free(p.row);
    return status;
}
