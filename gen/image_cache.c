#include "gen/image_cache.h"

#include "gen/os.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The file: the header; the rows; XXH3-64 of each band of rows; XXH3-64 of header and band hashes. Numbers
 * are in the machine's byte order, which the header shows: to another machine the file is damaged. */
struct header {
    char magic[8];
    uint32_t order;
    int32_t width_px, height_px, pixel_bytes;
    struct hash128 key;
};

enum { BAND_BYTES = 1 << 18 };

struct image_cache {
    char *dir, *path;
    struct header header;
    size_t row_size;
    int32_t band_rows;
    size_t band_count;
    pthread_mutex_t lock; /* guards what follows */
    uint64_t *hashes;     /* NULL: not read yet */
    unsigned char *tested;
    unsigned char *rows; /* the whole image, where the folder cannot be used; set once */
    struct error *trouble;
};

/* Writes a file, or into memory. */
struct image_writer {
    struct image_cache *cache;
    struct os_new_file file;
    bool file_failed; /* the file could not be written: no fault of the image's */
    XXH3_state_t *state;
    uint64_t *hashes;
    unsigned char *memory; /* NULL: the file */
    int32_t rows;
};

struct image_cache *image_cache_new(const char *dir, struct hash128 key, int32_t width_px, int32_t height_px,
                                    int32_t pixel_bytes) {
    struct image_cache *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->header = (struct header){
        {'T', 'E', 'R', 'R', 'I', 'M', 'G', '1'}, 0x01020304, width_px, height_px, pixel_bytes, key};
    c->row_size = (size_t)width_px * (size_t)pixel_bytes;
    c->band_rows = c->row_size >= BAND_BYTES ? 1 : (int32_t)(BAND_BYTES / c->row_size);
    c->band_count = ((size_t)height_px + (size_t)c->band_rows - 1) / (size_t)c->band_rows;
    size_t size = strlen(dir) + 40;
    c->dir = strdup(dir);
    c->path = malloc(size);
    c->tested = calloc(c->band_count, 1);
    pthread_mutex_init(&c->lock, NULL);
    if (!c->dir || !c->path || !c->tested) {
        image_cache_free(c);
        return NULL;
    }
    snprintf(c->path, size, "%s/%016llx%016llx.raw", dir, (unsigned long long)key.hi,
             (unsigned long long)key.lo);
    return c;
}

void image_cache_free(struct image_cache *cache) {
    if (!cache)
        return;
    pthread_mutex_destroy(&cache->lock);
    free(cache->dir);
    free(cache->path);
    free(cache->tested);
    free(cache->hashes);
    free(cache->rows);
    free(cache->trouble);
    free(cache);
}

const struct error *image_cache_trouble(struct image_cache *cache) {
    pthread_mutex_lock(&cache->lock);
    const struct error *trouble = cache->trouble;
    pthread_mutex_unlock(&cache->lock);
    return trouble;
}

static uint64_t rows_end(const struct image_cache *c) {
    return sizeof c->header + (uint64_t)c->row_size * (uint64_t)c->header.height_px;
}

static enum status no_memory(const struct image_cache *c, struct error *err) {
    return error_at(err, STATUS_LIMIT, c->path, 0, 0, "out of memory");
}

static uint64_t table_hash(const struct image_cache *c, const uint64_t *hashes) {
    uint64_t head = XXH3_64bits(&c->header, sizeof c->header);
    return XXH3_64bits_withSeed(hashes, c->band_count * sizeof *hashes, head);
}

static enum status write_trouble(struct image_writer *w, struct error *err) {
    w->file_failed = true;
    return error_at(err, STATUS_FILE, w->cache->path, 0, 0, "cannot write: %s", strerror(errno));
}

enum status image_cache_put(struct image_writer *writer, const void *row, struct error *err) {
    struct image_cache *c = writer->cache;
    if (writer->rows >= c->header.height_px)
        return error_at(err, STATUS_FAULT, c->path, 0, 0, "too many rows");
    if (writer->memory) {
        memcpy(writer->memory + c->row_size * (size_t)writer->rows++, row, c->row_size);
        return STATUS_OK;
    }
    if (fwrite(row, 1, c->row_size, writer->file.stream) != c->row_size)
        return write_trouble(writer, err);
    XXH3_64bits_update(writer->state, row, c->row_size);
    writer->rows++;
    if (writer->rows % c->band_rows == 0 || writer->rows == c->header.height_px) {
        writer->hashes[(writer->rows - 1) / c->band_rows] = XXH3_64bits_digest(writer->state);
        XXH3_64bits_reset(writer->state);
    }
    return STATUS_OK;
}

static enum status all_rows(const struct image_writer *w, struct error *err) {
    int32_t height = w->cache->header.height_px;
    return w->rows == height ? STATUS_OK
                             : error_at(err, STATUS_FAULT, w->cache->path, 0, 0, "%d of %d rows were made",
                                        w->rows, height);
}

static enum status finish(struct image_writer *w, struct error *err) {
    struct image_cache *c = w->cache;
    uint64_t table = table_hash(c, w->hashes);
    if (fwrite(w->hashes, sizeof *w->hashes, c->band_count, w->file.stream) != c->band_count ||
        fwrite(&table, sizeof table, 1, w->file.stream) != 1)
        return write_trouble(w, err);
    enum status status = os_commit(&w->file, err);
    w->file_failed = status != STATUS_OK;
    return status;
}

static enum status open_file(struct image_writer *w, struct error *err) {
    struct image_cache *c = w->cache;
    enum status status = os_make_dirs(c->dir, err);
    if (status == STATUS_OK)
        status = os_create(c->path, &w->file, err);
    w->file_failed = status != STATUS_OK;
    if (status == STATUS_OK && fwrite(&c->header, sizeof c->header, 1, w->file.stream) != 1)
        status = write_trouble(w, err);
    return status;
}

/* *unwritten: the image may be good, but the folder cannot be used. */
static enum status make_file(struct image_cache *c, const struct image_maker *maker, bool *unwritten,
                             struct error *err) {
    struct image_writer w = {.cache = c};
    w.state = XXH3_createState();
    w.hashes = calloc(c->band_count, sizeof *w.hashes);
    enum status status = STATUS_OK;
    if (!w.state || !w.hashes || XXH3_64bits_reset(w.state) == XXH_ERROR)
        status = no_memory(c, err);
    if (status == STATUS_OK)
        status = open_file(&w, err);
    if (status == STATUS_OK)
        status = maker->make(maker->context, &w, err);
    if (status == STATUS_OK)
        status = all_rows(&w, err);
    if (status == STATUS_OK)
        status = finish(&w, err);
    if (w.file.stream)
        os_discard(&w.file);
    XXH3_freeState(w.state);
    free(w.hashes);
    *unwritten = w.file_failed;
    return status;
}

/* The folder cannot be used, as `why` says: the image is made in memory. */
static enum status make_rows(struct image_cache *c, const struct image_maker *maker, const struct error *why,
                             struct error *err) {
    struct image_writer w = {.cache = c};
    struct error *trouble = malloc(sizeof *trouble);
    w.memory = malloc(c->row_size * (size_t)c->header.height_px);
    enum status status = w.memory && trouble ? STATUS_OK : no_memory(c, err);
    if (status == STATUS_OK)
        status = maker->make(maker->context, &w, err);
    if (status == STATUS_OK)
        status = all_rows(&w, err);
    if (status != STATUS_OK) {
        free(w.memory);
        free(trouble);
        return status;
    }
    *trouble = *why;
    c->trouble = trouble;
    c->rows = w.memory;
    return STATUS_OK;
}

/* Reads header and hashes. *good: whether they are those of this image, whole. */
static enum status load_table(struct image_cache *c, struct os_reader *reader, bool *good,
                              struct error *err) {
    struct header header;
    size_t size = (c->band_count + 1) * sizeof *c->hashes;
    *good = false;
    if (os_reader_info(reader).size != rows_end(c) + size)
        return STATUS_OK;
    uint64_t *table = malloc(size);
    if (!table)
        return no_memory(c, err);
    *good = os_pread(reader, &header, sizeof header, 0, NULL) == STATUS_OK &&
            memcmp(&header, &c->header, sizeof header) == 0 &&
            os_pread(reader, table, size, rows_end(c), NULL) == STATUS_OK &&
            table[c->band_count] == table_hash(c, table);
    if (!*good) {
        free(table);
        return STATUS_OK;
    }
    free(c->hashes);
    c->hashes = table;
    memset(c->tested, 0, c->band_count);
    os_touch_if_older(reader, 3600.0); /* the store removes what was not used for long */
    return STATUS_OK;
}

/* Tests the bands of rows [row0, row1) that have not been tested. */
static enum status test_bands(struct image_cache *c, struct os_reader *reader, int32_t row0, int32_t row1,
                              bool *good, struct error *err) {
    unsigned char *band = NULL;
    *good = true;
    for (int32_t b = row0 / c->band_rows; *good && b <= (row1 - 1) / c->band_rows; b++) {
        if (c->tested[b])
            continue;
        int32_t first = b * c->band_rows, left = c->header.height_px - first;
        size_t size = c->row_size * (size_t)(left < c->band_rows ? left : c->band_rows);
        if (!band && !(band = malloc(c->row_size * (size_t)c->band_rows)))
            return no_memory(c, err);
        *good = os_pread(reader, band, size, sizeof c->header + c->row_size * (uint64_t)first, NULL) ==
                    STATUS_OK &&
                XXH3_64bits(band, size) == c->hashes[b];
        c->tested[b] = *good;
    }
    free(band);
    return STATUS_OK;
}

/* A reader of the cached file, if that is there and good for the rows; else *reader is NULL. */
static enum status open_good(struct image_cache *c, int32_t row0, int32_t row1, struct os_reader **reader,
                             struct error *err) {
    bool good = true;
    *reader = NULL;
    struct os_info info;
    if (os_info(c->path, &info, NULL) != STATUS_OK || info.kind != OS_FILE)
        return STATUS_OK;
    if (os_open(c->path, reader, NULL) != STATUS_OK)
        return STATUS_OK;
    enum status status = c->hashes ? STATUS_OK : load_table(c, *reader, &good, err);
    if (status == STATUS_OK && good)
        status = test_bands(c, *reader, row0, row1, &good, err);
    if (status != STATUS_OK || !good) {
        os_close(*reader);
        *reader = NULL;
    }
    return status;
}

/* A reader of the good file, made when it is not there; *reader NULL: the rows are in memory. */
static enum status open_or_make(struct image_cache *c, const struct image_maker *maker, int32_t row0,
                                int32_t row1, struct os_reader **reader, struct error *err) {
    bool unwritten = false;
    struct error why;
    enum status status = open_good(c, row0, row1, reader, err);
    if (status != STATUS_OK || *reader)
        return status;
    free(c->hashes);
    c->hashes = NULL;
    status = make_file(c, maker, &unwritten, &why);
    if (status == STATUS_OK)
        status = open_good(c, row0, row1, reader, &why);
    if (status == STATUS_OK && !*reader) { /* removed meanwhile, or a bad disk */
        unwritten = true;
        error_at(&why, STATUS_FILE, c->path, 0, 0, "was just written, but does not read back as written");
    }
    if (unwritten)
        return make_rows(c, maker, &why, err);
    if (status != STATUS_OK && err)
        *err = why;
    return status;
}

struct part {
    int32_t column0, row0, column1, row1;
};

static enum status read_file(const struct image_cache *c, struct os_reader *reader, const struct part *part,
                             unsigned char *to, struct error *err) {
    size_t pixel = (size_t)c->header.pixel_bytes;
    size_t size = (size_t)(part->column1 - part->column0) * pixel;
    enum status status = STATUS_OK;
    for (int32_t row = part->row0; row < part->row1 && status == STATUS_OK; row++, to += size)
        status =
            os_pread(reader, to, size,
                     sizeof c->header + c->row_size * (uint64_t)row + pixel * (uint64_t)part->column0, err);
    return status;
}

static void read_rows(const struct image_cache *c, const struct part *part, unsigned char *to) {
    size_t pixel = (size_t)c->header.pixel_bytes;
    size_t size = (size_t)(part->column1 - part->column0) * pixel;
    for (int32_t row = part->row0; row < part->row1; row++, to += size)
        memcpy(to, c->rows + c->row_size * (size_t)row + pixel * (size_t)part->column0, size);
}

enum status image_cache_read(struct image_cache *cache, const struct image_maker *maker, int32_t column0,
                             int32_t row0, int32_t column1, int32_t row1, void *pixels, struct error *err) {
    const struct part part = {column0, row0, column1, row1};
    struct os_reader *reader = NULL;
    struct error why;
    pthread_mutex_lock(&cache->lock);
    enum status status = cache->rows ? STATUS_OK : open_or_make(cache, maker, row0, row1, &reader, err);
    pthread_mutex_unlock(&cache->lock);
    if (status == STATUS_OK && reader && read_file(cache, reader, &part, pixels, &why) != STATUS_OK) {
        pthread_mutex_lock(&cache->lock); /* cut short, after its bands were tested */
        status = cache->rows ? STATUS_OK : make_rows(cache, maker, &why, err);
        pthread_mutex_unlock(&cache->lock);
        os_close(reader);
        reader = NULL;
    }
    if (status == STATUS_OK && !reader)
        read_rows(cache, &part, pixels);
    os_close(reader);
    return status;
}
