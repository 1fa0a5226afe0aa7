#include "gen/image_readers.h"

#include "gen/image_stream.h"
#include "gen/stb_config.h"
#include <stdlib.h>

enum { STB_BUFFER = 128 }; /* what stb_image asks for when it fills its own buffer */

/* stb_image takes bytes beyond a file's end for zeros. What it asked for is watched here: a read at the end,
 * a piece that came short or a skip over the end mean that the file is cut short. */
struct source {
    struct image_stream *stream;
    struct error *err;
    enum status status;
    bool short_read;
};

static int on_read(void *context, char *bytes, int size) {
    struct source *s = context;
    uint64_t left = image_stream_left(s->stream);
    if (size <= 0 || s->status != STATUS_OK)
        return 0;
    if (left == 0 || ((uint64_t)size > left && size != STB_BUFFER))
        s->short_read = true;
    int n = (uint64_t)size > left ? (int)left : size;
    s->status = image_stream_read(s->stream, bytes, (size_t)n, s->err);
    return s->status == STATUS_OK ? n : 0;
}

static void on_skip(void *context, int size) {
    struct source *s = context;
    char bytes[256];
    while (size > 0 && s->status == STATUS_OK) {
        int n = size < (int)sizeof bytes ? size : (int)sizeof bytes;
        if ((uint64_t)n > image_stream_left(s->stream)) {
            s->short_read = true;
            n = (int)image_stream_left(s->stream);
            size = n;
        }
        s->status = image_stream_read(s->stream, bytes, (size_t)n, s->err);
        size -= n;
    }
}

static int on_end(void *context) {
    const struct source *s = context;
    return image_stream_left(s->stream) == 0;
}

static const stbi_io_callbacks callbacks = {on_read, on_skip, on_end};

static enum status damaged(const char *path, const struct image_info *info, const struct source *source,
                           struct error *err) {
    if (source->status != STATUS_OK)
        return source->status;
    if (source->short_read)
        return error_at(err, STATUS_INPUT, path, 0, 0, "the file is cut short: the %s ends too early",
                        image_kind_name(info->kind));
    const char *reason = stbi_failure_reason();
    return error_at(err, STATUS_INPUT, path, 0, 0, "the %s is damaged: %s", image_kind_name(info->kind),
                    reason ? reason : "unknown reason");
}

enum status image_stb_header(const char *path, struct image_info *info, struct error *err) {
    struct source source = {.err = err};
    enum status status = info->kind == IMAGE_JPEG ? image_jpeg_check(path, err) : STATUS_OK;
    if (status == STATUS_OK)
        status = image_stream_open(path, &source.stream, err);
    if (status != STATUS_OK)
        return status;
    int width = 0, height = 0, channels = 0;
    if (!stbi_info_from_callbacks(&callbacks, &source, &width, &height, &channels)) {
        status = damaged(path, info, &source, err);
        image_stream_close(source.stream);
        return status;
    }
    if (height < 0 && height >= -IMAGE_SIDE_MAX) /* a BMP from the top down */
        height = -height;
    if (width < 1 || height < 1) {
        status = error_at(err, STATUS_INPUT, path, 0, 0, "the %s header makes no sense",
                          image_kind_name(info->kind));
    } else if (width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX) {
        status = error_at(err, STATUS_LIMIT, path, 0, 0,
                          "is %d x %d px, larger than %d on a side: split it into maps", width, height,
                          IMAGE_SIDE_MAX);
    } else {
        info->width_px = width;
        info->height_px = height;
        info->bits = 8;
        info->channels = channels;
    }
    image_stream_close(source.stream);
    return status;
}

enum status image_stb_read(const char *path, const struct image_request *request,
                           const struct image_rows *rows, struct error *err) {
    const struct image_info *info = &request->info;
    struct source source = {.err = err};
    enum status status = info->kind == IMAGE_JPEG ? image_jpeg_check(path, err) : STATUS_OK;
    if (status == STATUS_OK)
        status = image_stream_open(path, &source.stream, err);
    if (status != STATUS_OK)
        return status;
    int width = 0, height = 0, channels = 0;
    unsigned char *pixels = stbi_load_from_callbacks(&callbacks, &source, &width, &height, &channels, 4);
    if (!pixels || source.status != STATUS_OK || source.short_read)
        status = damaged(path, info, &source, err);
    else if (width != info->width_px || height != info->height_px)
        status = error_at(err, STATUS_FILE, path, 0, 0,
                          "the file has changed since the world was read: run again");
    else
        status = image_stream_expect(source.stream, request->id, err);
    for (int32_t row = 0; status == STATUS_OK && row < info->height_px; row++)
        status = rows->row(rows->context, row, pixels + 4 * (size_t)row * (size_t)info->width_px, err);
    stbi_image_free(pixels);
    image_stream_close(source.stream);
    return status;
}
