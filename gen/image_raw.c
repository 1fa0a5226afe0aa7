#include "gen/image_readers.h"

#include "gen/image_stream.h"
#include <stdlib.h>
#include <string.h>

/* Bytes of a file's order into samples of this machine's. */
static void samples16(const unsigned char *bytes, int32_t count, bool big_endian, uint16_t *out) {
    int32_t low = big_endian ? 1 : 0;
    for (int32_t i = 0; i < count; i++)
        out[i] = (uint16_t)(bytes[2 * i + low] | bytes[2 * i + 1 - low] << 8);
}

static void samples32(const unsigned char *bytes, int32_t count, bool big_endian, float *out) {
    for (int32_t i = 0; i < count; i++) {
        const unsigned char *b = bytes + 4 * i;
        uint32_t v = big_endian ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                                : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
        memcpy(out + i, &v, sizeof v);
    }
}

enum status image_raw_read(const char *path, const struct image_request *request,
                           const struct image_rows *rows, struct error *err) {
    const struct image_info *info = &request->info;
    size_t size = (size_t)info->width_px * (size_t)(info->bits / 8);
    struct image_stream *stream = NULL;
    unsigned char *bytes = malloc(size);
    void *samples = malloc(size);
    enum status status;
    if (!bytes || !samples)
        status = error_at(err, STATUS_LIMIT, path, 0, 0, "out of memory");
    else
        status = image_stream_open(path, &stream, err);
    for (int32_t row = 0; status == STATUS_OK && row < info->height_px; row++) {
        status = image_stream_read(stream, bytes, size, err);
        if (status != STATUS_OK)
            break;
        if (info->bits == 16)
            samples16(bytes, info->width_px, request->big_endian, samples);
        else
            samples32(bytes, info->width_px, request->big_endian, samples);
        status = rows->row(rows->context, row, samples, err);
    }
    if (status == STATUS_OK)
        status = image_stream_expect(stream, request->id, err);
    image_stream_close(stream);
    free(bytes);
    free(samples);
    return status;
}
