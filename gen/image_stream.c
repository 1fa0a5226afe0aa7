#include "gen/image_stream.h"

#include "gen/os.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { BUFFER_SIZE = 1 << 16 };

struct image_stream {
    struct os_reader *reader;
    char *path;
    XXH3_state_t *hash;
    uint64_t size, at;    /* of the file; of the next byte to fetch from it */
    size_t first, filled; /* buffer[first .. filled) is fetched and not yet read */
    unsigned char buffer[BUFFER_SIZE];
};

enum status image_stream_open(const char *path, struct image_stream **stream, struct error *err) {
    *stream = NULL;
    struct os_info info;
    enum status status = os_info(path, &info, err);
    if (status != STATUS_OK)
        return status;
    if (info.kind == OS_NOTHING)
        return error_at(err, STATUS_FILE, path, 0, 0, "there is no such file");
    if (info.kind != OS_FILE)
        return error_at(err, STATUS_FILE, path, 0, 0, "is not a file");
    struct image_stream *s = malloc(sizeof *s);
    if (!s)
        return error_at(err, STATUS_LIMIT, path, 0, 0, "out of memory");
    s->reader = NULL;
    s->path = strdup(path);
    s->hash = XXH3_createState();
    s->size = info.size;
    s->at = 0;
    s->first = s->filled = 0;
    if (!s->path || !s->hash || XXH3_128bits_reset(s->hash) == XXH_ERROR)
        status = error_at(err, STATUS_LIMIT, path, 0, 0, "out of memory");
    else
        status = os_open(path, &s->reader, err);
    if (status != STATUS_OK) {
        image_stream_close(s);
        return status;
    }
    *stream = s;
    return STATUS_OK;
}

void image_stream_close(struct image_stream *stream) {
    if (!stream)
        return;
    os_close(stream->reader);
    XXH3_freeState(stream->hash);
    free(stream->path);
    free(stream);
}

uint64_t image_stream_left(const struct image_stream *stream) {
    return stream->size - stream->at + (stream->filled - stream->first);
}

static enum status fetch(struct image_stream *s, struct error *err) {
    uint64_t left = s->size - s->at;
    size_t size = left < BUFFER_SIZE ? (size_t)left : BUFFER_SIZE;
    enum status status = os_pread(s->reader, s->buffer, size, s->at, err);
    if (status != STATUS_OK)
        return status;
    XXH3_128bits_update(s->hash, s->buffer, size);
    s->at += size;
    s->first = 0;
    s->filled = size;
    return STATUS_OK;
}

enum status image_stream_read(struct image_stream *stream, void *bytes, size_t size, struct error *err) {
    unsigned char *to = bytes;
    if (size > image_stream_left(stream))
        return error_at(err, STATUS_INPUT, stream->path, 0, 0, "the file is cut short");
    while (size > 0) {
        if (stream->first == stream->filled) {
            enum status status = fetch(stream, err);
            if (status != STATUS_OK)
                return status;
        }
        size_t have = stream->filled - stream->first;
        size_t n = size < have ? size : have;
        memcpy(to, stream->buffer + stream->first, n);
        stream->first += n;
        to += n;
        size -= n;
    }
    return STATUS_OK;
}

enum status image_stream_id(struct image_stream *stream, struct hash128 *id, struct error *err) {
    while (stream->at < stream->size) {
        enum status status = fetch(stream, err);
        if (status != STATUS_OK)
            return status;
    }
    stream->first = stream->filled = 0;
    XXH128_hash_t hash = XXH3_128bits_digest(stream->hash);
    *id = (struct hash128){.lo = hash.low64, .hi = hash.high64};
    return STATUS_OK;
}

enum status image_stream_expect(struct image_stream *stream, const struct hash128 *expected,
                                struct error *err) {
    struct hash128 id;
    if (!expected)
        return STATUS_OK;
    enum status status = image_stream_id(stream, &id, err);
    if (status == STATUS_OK && (id.lo != expected->lo || id.hi != expected->hi))
        status = error_at(err, STATUS_FILE, stream->path, 0, 0,
                          "the file has changed since the world was read: run again");
    return status;
}
