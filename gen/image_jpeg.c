#include "gen/image_readers.h"

#include "gen/image_stream.h"

enum { SOI = 0xd8, EOI = 0xd9, SOS = 0xda, DHT = 0xc4, RST0 = 0xd0, RST7 = 0xd7, HUFFMAN_CODES_MAX = 256 };

struct walk {
    const char *path;
    struct image_stream *stream;
    struct error *err;
    enum status status;
};

/* The next byte; 0 after a failure. */
static int32_t next(struct walk *w) {
    unsigned char byte = 0;
    if (w->status == STATUS_OK)
        w->status = image_stream_left(w->stream) > 0
                        ? image_stream_read(w->stream, &byte, 1, w->err)
                        : error_at(w->err, STATUS_INPUT, w->path, 0, 0,
                                   "the file is cut short: the JPEG ends too early");
    return byte;
}

static void damaged(struct walk *w, const char *why) {
    if (w->status == STATUS_OK)
        w->status = error_at(w->err, STATUS_INPUT, w->path, 0, 0, "the JPEG is damaged: %s", why);
}

static void skip(struct walk *w, int32_t count) {
    for (; count > 0 && w->status == STATUS_OK; count--)
        next(w);
}

/* Fill bytes, then the marker's code. */
static int32_t marker(struct walk *w) {
    int32_t byte = next(w);
    if (byte != 0xff)
        damaged(w, "no marker where one is due");
    while (byte == 0xff)
        byte = next(w);
    return byte;
}

static void huffman_tables(struct walk *w, int32_t left) {
    while (left > 0 && w->status == STATUS_OK) {
        int32_t codes = 0;
        next(w);
        for (int32_t i = 0; i < 16; i++)
            codes += next(w);
        left -= 17 + codes;
        if (codes > HUFFMAN_CODES_MAX || left < 0)
            damaged(w, "a Huffman table is too long");
        skip(w, codes);
    }
}

static void segment(struct walk *w, int32_t code) {
    int32_t size = next(w) << 8;
    size |= next(w);
    if (size < 2)
        damaged(w, "a segment's length makes no sense");
    else if (code == DHT)
        huffman_tables(w, size - 2);
    else
        skip(w, size - 2);
}

/* Skips coded data; the code of the marker behind it. */
static int32_t scan(struct walk *w) {
    while (w->status == STATUS_OK) {
        int32_t byte = next(w);
        if (byte != 0xff)
            continue;
        while (byte == 0xff)
            byte = next(w);
        if (byte != 0 && (byte < RST0 || byte > RST7))
            return byte;
    }
    return EOI;
}

enum status image_jpeg_check(const char *path, struct error *err) {
    struct walk w = {.path = path, .err = err};
    w.status = image_stream_open(path, &w.stream, err);
    if (w.status != STATUS_OK)
        return w.status;
    if (marker(&w) != SOI)
        damaged(&w, "it does not start as one");
    int32_t code = marker(&w);
    while (w.status == STATUS_OK && code != EOI) {
        if (code <= 1 || (code >= RST0 && code <= SOI))
            damaged(&w, "a marker stands where it cannot");
        segment(&w, code);
        code = code == SOS ? scan(&w) : marker(&w);
    }
    image_stream_close(w.stream);
    return w.status;
}
