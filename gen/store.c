#include "gen/store.h"

#include "gen/os.h"
#include "gen/store_size.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { STORE_FORMAT = 1 };
static const char store_magic[8] = "TRNSTOR";

struct entry_header { /* then `count` records, then the bytes of the tiles, each aligned to 64 */
    char magic[8];
    uint32_t format, count;
    uint64_t records_hash;
    struct hash128 key;
};

struct entry_record {
    uint32_t type, posts, coarse_log2, with_bytes;
    struct rect cells;
    int32_t x0, y0, width, height;
    uint64_t size, at, bytes_hash;
    uint64_t part_at[17];
    struct hash128 parts[16];
};

struct store {
    char *dir;
    uint64_t limit;
    bool temporary, locked;
    struct os_lock lock; /* of a temporary store, while its process lives: store_sweep asks it */
    pthread_mutex_t mutex;
    uint64_t written;     /* bytes, by this process */
    atomic_bool troubled; /* trouble is set before, and never again */
    struct error trouble;
};

static void entry_path(const struct store *store, struct hash128 key, char path[STORE_PATH_MAX]) {
    snprintf(path, STORE_PATH_MAX, "%s/%02x/%016llx%016llx", store->dir, (unsigned)(key.hi >> 56),
             (unsigned long long)key.hi, (unsigned long long)key.lo);
}

static void note_trouble(struct store *store, const struct error *err) {
    pthread_mutex_lock(&store->mutex);
    if (!atomic_load(&store->troubled)) {
        store->trouble = *err;
        atomic_store(&store->troubled, true);
    }
    pthread_mutex_unlock(&store->mutex);
}

enum status store_open(const char *dir, uint64_t limit_bytes, bool temporary, struct store **out,
                       struct error *err) {
    *out = NULL;
    if (strlen(dir) > STORE_PATH_MAX - 80)
        return error_at(err, STATUS_FILE, dir, 0, 0, "the store's path is too long");
    struct store *store = calloc(1, sizeof *store);
    if (!store || !(store->dir = strdup(dir))) {
        free(store);
        return error_set(err, STATUS_LIMIT, "out of memory");
    }
    store->limit = limit_bytes;
    store->temporary = temporary;
    store->lock.fd = -1;
    pthread_mutex_init(&store->mutex, NULL);
    *out = store;
    return STATUS_OK;
}

const struct error *store_trouble(const struct store *store) {
    return atomic_load(&store->troubled) ? &store->trouble : NULL;
}

const char *store_dir(const struct store *store) {
    return store->dir;
}

/* Whether a record's shape, its parts and its bytes are possible in a file of that size. */
static bool is_sound(const struct entry_record *r, uint64_t file_size) {
    if (r->type > LAYER_BLOB || r->width < 0 || r->height < 0)
        return false;
    if (r->with_bytes && (r->at > file_size || r->size > file_size - r->at))
        return false;
    if (r->type != LAYER_BLOB)
        return (uint64_t)r->width * (uint64_t)r->height * layer_sample_size((enum layer_type)r->type) ==
               r->size;
    for (int i = 0; i < 16; i++)
        if (r->part_at[i] > r->part_at[i + 1])
            return false;
    return r->part_at[16] <= r->size;
}

/* Reads and checks an entry's header and records; the reader stays open for the bytes. NULL: absent or bad.
 */
static struct entry_record *read_records(struct store *store, struct hash128 key, size_t *count,
                                         struct os_reader **reader) {
    char path[STORE_PATH_MAX];
    entry_path(store, key, path);
    struct error err;
    if (os_open(path, reader, &err) != STATUS_OK)
        return NULL;
    struct entry_header header;
    struct entry_record *records = NULL;
    unsigned char start[sizeof header + 4 * sizeof *records]; /* most entries have no more records */
    uint64_t file_size = os_reader_info(*reader).size;
    size_t have = file_size < sizeof start ? (size_t)file_size : sizeof start;
    bool good = have >= sizeof header && os_pread(*reader, start, have, 0, &err) == STATUS_OK;
    if (good) {
        memcpy(&header, start, sizeof header);
        good = memcmp(header.magic, store_magic, sizeof store_magic) == 0 && header.format == STORE_FORMAT &&
               header.key.lo == key.lo && header.key.hi == key.hi && header.count > 0 &&
               header.count <= (file_size - sizeof header) / sizeof *records;
    }
    if (good) {
        size_t size = header.count * sizeof *records;
        records = malloc(size);
        if (records && sizeof header + size <= have)
            memcpy(records, start + sizeof header, size);
        else
            good = records && os_pread(*reader, records, size, sizeof header, &err) == STATUS_OK;
        good = good && XXH3_64bits(records, size) == header.records_hash;
        for (size_t i = 0; good && i < header.count; i++)
            good = is_sound(&records[i], file_size);
    }
    if (!good) { /* damaged: made again and written anew */
        free(records);
        os_close(*reader);
        os_remove(path, &err);
        return NULL;
    }
    *count = header.count;
    return records;
}

bool store_is_temporary(const struct store *store) {
    return store->temporary;
}

bool store_find(struct store *store, struct hash128 key, size_t count, struct store_head *heads) {
    struct os_reader *reader;
    size_t have;
    struct entry_record *records = read_records(store, key, &have, &reader);
    if (!records)
        return false;
    bool right = have == count;
    if (right)
        for (size_t i = 0; i < count; i++)
            memcpy(heads[i].parts, records[i].parts, sizeof heads[i].parts);
    if (right)
        os_touch_if_older(reader, 3600.0); /* used lately: what eviction goes by */
    free(records);
    os_close(reader);
    return right;
}

struct tile *store_load(struct store *store, struct hash128 key, size_t index) {
    struct os_reader *reader;
    size_t count;
    struct entry_record *records = read_records(store, key, &count, &reader);
    if (!records)
        return NULL;
    struct tile *tile = NULL;
    const struct entry_record *r = index < count ? &records[index] : NULL;
    if (r && r->with_bytes && (tile = calloc(1, sizeof *tile))) {
        atomic_init(&tile->references, 1);
        tile->type = (enum layer_type)r->type;
        tile->posts = r->posts != 0;
        tile->coarse_log2 = (uint8_t)r->coarse_log2;
        tile->cells = r->cells;
        tile->x0 = r->x0;
        tile->y0 = r->y0;
        tile->width = r->width;
        tile->height = r->height;
        tile->size = (size_t)r->size;
        for (int i = 0; i < 17; i++)
            tile->part_at[i] = (size_t)r->part_at[i];
        memcpy(tile->parts, r->parts, sizeof tile->parts);
        struct error err;
        tile->bytes = malloc(tile->size ? tile->size : 1);
        if (!tile->bytes || os_pread(reader, tile->bytes, tile->size, r->at, &err) != STATUS_OK ||
            XXH3_64bits(tile->bytes, tile->size) != r->bytes_hash) {
            char path[STORE_PATH_MAX];
            entry_path(store, key, path);
            os_remove(path, &err);
            tile_unref(tile);
            tile = NULL;
        }
    }
    free(records);
    os_close(reader);
    return tile;
}

static void fill_record(struct entry_record *r, const struct tile *t, bool with_bytes, uint64_t *at) {
    memset(r, 0, sizeof *r);
    r->type = (uint32_t)t->type;
    r->posts = t->posts;
    r->coarse_log2 = t->coarse_log2;
    r->with_bytes = with_bytes;
    r->cells = t->cells;
    r->x0 = t->x0;
    r->y0 = t->y0;
    r->width = t->width;
    r->height = t->height;
    for (int i = 0; i < 17; i++)
        r->part_at[i] = t->part_at[i];
    memcpy(r->parts, t->parts, sizeof r->parts);
    r->size = t->size;
    if (with_bytes) {
        r->at = *at;
        r->bytes_hash = XXH3_64bits(t->bytes, t->size);
        *at += t->size;
    }
}

/* Failing to lock only means that a sweep may take the folder, which is made again then. */
static void lock_temporary(struct store *store) {
    char path[STORE_PATH_MAX];
    snprintf(path, sizeof path, "%s/lock", store->dir);
    pthread_mutex_lock(&store->mutex);
    if (store->temporary && !store->locked)
        os_lock_take(path, true, false, &store->lock, &store->locked, NULL);
    pthread_mutex_unlock(&store->mutex);
}

static enum status make_folder_of(struct store *store, const char *path, struct error *err) {
    char folder[STORE_PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    enum status status = os_make_dirs(folder, err);
    if (status == STATUS_OK)
        lock_temporary(store);
    return status;
}

bool store_put(struct store *store, struct hash128 key, size_t count, struct tile *const *tiles,
               bool with_bytes) {
    if (atomic_load(&store->troubled))
        return false;
    struct entry_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, store_magic, sizeof store_magic);
    header.format = STORE_FORMAT;
    header.count = (uint32_t)count;
    header.key = key;
    struct entry_record *records = calloc(count, sizeof *records);
    if (!records)
        return false;
    uint64_t at = sizeof header + count * sizeof *records;
    for (size_t i = 0; i < count; i++)
        fill_record(&records[i], tiles[i], with_bytes, &at);
    header.records_hash = XXH3_64bits(records, count * sizeof *records);
    char path[STORE_PATH_MAX];
    entry_path(store, key, path);
    struct os_new_file file;
    struct error err;
    enum status status = os_create(path, &file, &err);
    if (status == STATUS_FILE &&
        make_folder_of(store, path, &err) == STATUS_OK) /* the first entry of its folder */
        status = os_create(path, &file, &err);
    if (status == STATUS_OK) {
        os_append(&file, &header, sizeof header);
        os_append(&file, records, count * sizeof *records);
        for (size_t i = 0; i < count && with_bytes; i++)
            if (tiles[i]->size)
                os_append(&file, tiles[i]->bytes, tiles[i]->size);
        status = os_commit(&file, &err);
    }
    free(records);
    if (status != STATUS_OK) {
        note_trouble(store, &err);
        return false;
    }
    pthread_mutex_lock(&store->mutex);
    store->written += at;
    pthread_mutex_unlock(&store->mutex);
    return true;
}

/* ---- temporary stores ---- */

void store_temporary_name(char *name, size_t size) {
    snprintf(name, size, ".store-%ld.tmp", os_process_id());
}

static enum status sweep_one(void *context, const char *name, struct error *err) {
    const char *dir = context;
    char path[STORE_PATH_MAX], lock_path[STORE_PATH_MAX];
    struct os_lock lock;
    bool taken = false;
    if (strncmp(name, ".store-", 7) != 0 || !os_is_temporary(name) ||
        strlen(dir) + strlen(name) > STORE_PATH_MAX - 80)
        return STATUS_OK;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    snprintf(lock_path, sizeof lock_path, "%s/lock", path);
    if (os_lock_take(lock_path, true, false, &lock, &taken, err) == STATUS_OK && taken) {
        os_remove_tree(path, err);
        os_lock_drop(&lock);
    }
    return STATUS_OK; /* what cannot be removed only takes room */
}

void store_claim(struct store *store) {
    struct error err;
    if (store->temporary && os_make_dirs(store->dir, &err) == STATUS_OK)
        lock_temporary(store);
}

void store_sweep(const char *dir) {
    union { /* only read */
        const char *given;
        void *context;
    } u = {.given = dir};
    struct error err;
    os_list(dir, sweep_one, u.context, &err);
}

void store_close(struct store *store) {
    if (!store)
        return;
    struct error err;
    if (store->temporary)
        os_remove_tree(store->dir, &err);
    else if (store->written > 0)
        store_settle_size(store->dir, store->limit, store->written);
    os_lock_drop(&store->lock);
    pthread_mutex_destroy(&store->mutex);
    free(store->dir);
    free(store);
}
