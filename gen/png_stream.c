#include "gen/png_stream.h"

#include "gen/png_frame.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    BAND_ROWS = 64,
    BAND_BYTES = 1 << 19, /* of rows wider than that a band is one */
    ZLIB_HEAD_SIZE = 2,
    ZLIB_TAIL_SIZE = 6, /* an empty last block and the sum */
    FLUSH_ROOM = 16     /* of the flush that ends a band, beyond deflateBound */
};
static const unsigned char zlib_head[ZLIB_HEAD_SIZE] = {0x78, 0x01};

struct png_stream {
    FILE *file;
    enum raster_kind kind;
    size_t row_size;
    int32_t rows_left;
    int32_t band_rows, in_band; /* rows of a full band, and of this one so far */
    size_t band;                /* its number */
    unsigned char *rows;        /* the row above the band, then the band's */
    unsigned char *filtered, *chunk;
    size_t chunk_room;
    struct bytes_hasher hasher; /* of `rows` */
    struct png_earlier earlier;
    struct png_band *bands; /* NULL: nobody asks */
    uint64_t at;            /* bytes written */
    uLong sum;              /* of all bands so far */
    z_stream z;
};

static int32_t rows_of_band(size_t row_size) {
    size_t rows = BAND_BYTES / row_size;
    return rows < 1 ? 1 : rows > BAND_ROWS ? BAND_ROWS : (int32_t)rows;
}

size_t png_band_count(enum raster_kind kind, int32_t width, int32_t height) {
    int32_t rows = rows_of_band((size_t)width * raster_pixel_size(kind));
    return (size_t)height / (size_t)rows + (height % rows > 0);
}

static enum status write_bytes(struct png_stream *s, const unsigned char *bytes, size_t size,
                               struct error *err) {
    s->at += size;
    return fwrite(bytes, 1, size, s->file) == size ? STATUS_OK
                                                   : error_set(err, STATUS_FILE, "PNG: write failed");
}

/* Fast: level 1, RLE matches only the byte before. */
static bool start(struct png_stream *s) {
    size_t rows = (size_t)s->band_rows;
    if (s->row_size > SIZE_MAX / 4 / rows || deflateInit2(&s->z, 1, Z_DEFLATED, -15, 9, Z_RLE) != Z_OK)
        return false;
    size_t raw = rows * (s->row_size + 1);
    s->chunk_room = ZLIB_HEAD_SIZE + deflateBound(&s->z, raw) + FLUSH_ROOM;
    s->rows = calloc(rows + 1, s->row_size);
    s->filtered = malloc(raw);
    s->chunk = malloc(PNG_CHUNK + s->chunk_room);
    return s->rows && s->filtered && s->chunk;
}

static void begin_band(struct png_stream *s) {
    bytes_hash_begin(&s->hasher);
    bytes_hash_add(&s->hasher, s->rows, s->row_size);
    s->in_band = 0;
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
        s->band_rows = rows_of_band(s->row_size);
        s->sum = adler32(0, NULL, 0);
    }
    if (!s || !start(s)) {
        png_stream_abandon(s);
        return error_set(err, STATUS_LIMIT, "PNG: out of memory");
    }
    begin_band(s);
    unsigned char *end = png_put_head(s->chunk, kind, width, height);
    enum status status = write_bytes(s, s->chunk, (size_t)(end - s->chunk), err);
    if (status == STATUS_OK)
        *stream = s;
    else
        png_stream_abandon(s);
    return status;
}

void png_stream_bands(struct png_stream *s, const struct png_earlier *earlier, struct png_band *bands) {
    s->earlier = *earlier;
    s->bands = bands;
}

static bool same(struct hash128 a, struct hash128 b) {
    return a.lo == b.lo && a.hi == b.hi;
}

/* What vouches for a band: its chunk, with what is told of it and does not stand there. */
static struct hash128 seal(const struct png_stream *s, const struct png_band *band) {
    struct bytes_hasher hasher;
    bytes_hash_begin(&hasher);
    bytes_hash_add(&hasher, s->chunk, (size_t)band->size);
    bytes_hash_add(&hasher, &band->rows, sizeof band->rows);
    bytes_hash_add(&hasher, &band->sum, sizeof band->sum);
    return bytes_hash_end(&hasher);
}

/* Takes the band's chunk from the earlier file; false: it has another, or was altered. */
static bool take_earlier(struct png_stream *s, struct png_band *band) {
    if (s->band >= s->earlier.count)
        return false;
    const struct png_band *was = &s->earlier.bands[s->band];
    if (!same(was->rows, band->rows) || was->size > PNG_CHUNK + s->chunk_room ||
        os_pread(s->earlier.file, s->chunk, (size_t)was->size, was->at, NULL) != STATUS_OK ||
        !same(seal(s, was), was->seal))
        return false;
    band->seal = was->seal;
    band->size = was->size;
    band->sum = was->sum;
    return true;
}

/* Packs the band into a chunk. */
static enum status pack(struct png_stream *s, struct png_band *band, struct error *err) {
    size_t raw = (size_t)s->in_band * (s->row_size + 1);
    for (size_t y = 0; y < (size_t)s->in_band; y++)
        png_filter_row(s->kind, s->rows + (y + 1) * s->row_size, s->rows + y * s->row_size, s->row_size,
                       s->filtered + y * (s->row_size + 1));
    unsigned char *data = s->chunk + PNG_CHUNK_BEFORE;
    size_t head = s->band == 0 ? ZLIB_HEAD_SIZE : 0;
    memcpy(data, zlib_head, head);
    deflateReset(&s->z);
    s->z.next_in = s->filtered;
    s->z.avail_in = (uInt)raw;
    s->z.next_out = data + head;
    s->z.avail_out = (uInt)(s->chunk_room - head);
    int result = deflate(&s->z, Z_FULL_FLUSH);
    if (result != Z_OK || s->z.avail_in > 0 || s->z.avail_out == 0)
        return error_set(err, STATUS_FAULT, "PNG: zlib stopped with %d", result);
    unsigned char *end = png_close_chunk(s->chunk, "IDAT", (size_t)(s->z.next_out - data));
    band->size = (uint64_t)(end - s->chunk);
    band->sum = (uint32_t)adler32(adler32(0, NULL, 0), s->filtered, (uInt)raw);
    band->seal = s->bands ? seal(s, band) : (struct hash128){0, 0};
    return STATUS_OK;
}

static enum status end_band(struct png_stream *s, struct error *err) {
    struct png_band band = {.rows = bytes_hash_end(&s->hasher), .at = s->at};
    enum status status = take_earlier(s, &band) ? STATUS_OK : pack(s, &band, err);
    if (status != STATUS_OK)
        return status;
    s->sum = adler32_combine(s->sum, band.sum, (z_off_t)s->in_band * (z_off_t)(s->row_size + 1));
    if (s->bands)
        s->bands[s->band] = band;
    s->band++;
    memcpy(s->rows, s->rows + (size_t)s->in_band * s->row_size, s->row_size);
    begin_band(s);
    return write_bytes(s, s->chunk, (size_t)band.size, err);
}

enum status png_stream_row(struct png_stream *s, const void *row, struct error *err) {
    if (s->rows_left <= 0)
        return error_set(err, STATUS_FAULT, "PNG: more rows than the image has");
    s->rows_left--;
    s->in_band++;
    memcpy(s->rows + (size_t)s->in_band * s->row_size, row, s->row_size);
    bytes_hash_add(&s->hasher, row, s->row_size);
    return s->in_band == s->band_rows || s->rows_left == 0 ? end_band(s, err) : STATUS_OK;
}

/* The last chunk of data holds no rows: an empty block, then the sum of all. */
static enum status put_end(struct png_stream *s, struct error *err) {
    unsigned char *data = s->chunk + PNG_CHUNK_BEFORE;
    data[0] = 0x03;
    data[1] = 0x00;
    for (int k = 0; k < 4; k++)
        data[2 + k] = (unsigned char)(s->sum >> (24 - 8 * k));
    unsigned char *end = png_put_tail(png_close_chunk(s->chunk, "IDAT", ZLIB_TAIL_SIZE));
    return write_bytes(s, s->chunk, (size_t)(end - s->chunk), err);
}

enum status png_stream_close(struct png_stream *s, struct error *err) {
    enum status status = s->rows_left == 0
                             ? put_end(s, err)
                             : error_set(err, STATUS_FAULT, "PNG: %d rows are missing", s->rows_left);
    png_stream_abandon(s);
    return status;
}

void png_stream_abandon(struct png_stream *stream) {
    if (!stream)
        return;
    deflateEnd(&stream->z);
    free(stream->rows);
    free(stream->filtered);
    free(stream->chunk);
    free(stream);
}
