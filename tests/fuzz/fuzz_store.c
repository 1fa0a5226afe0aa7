/* Any bytes as an entry of the store, as they are and with their hashes made to fit: what is read
 * has a shape that fits its bytes, and what is refused is gone. The entry's layout is that of gen/store.c: 8
 * bytes of magic, format, count, the hash of the records, the key; then the records. */
#include "gen/os.h"
#include "gen/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    COUNT_AT = 12,
    HASH_AT = 16,
    HEADER = 40,
    RECORD = 464,
    TILES = 3,
    SIZE_AT = 48,
    AT_AT = 56,
    BYTES_HASH_AT = 64
};
static const struct hash128 key = {0x0123456789abcdefu, 0x0706050403020100u};

static void use(const struct tile *tile) {
    size_t sample = layer_sample_size(tile->type), sum = 0;
    if (tile->type != LAYER_BLOB && tile->size != (size_t)tile->width * (size_t)tile->height * sample)
        abort();
    for (int i = 0; i < 16 && tile->type == LAYER_BLOB; i++)
        for (size_t k = tile->part_at[i]; k < tile->part_at[i + 1]; k++)
            sum += tile->bytes[k];
    if (sum > tile->size * 255)
        abort();
}

static void read_entry(struct store *store, const char *path, const uint8_t *data, size_t size) {
    struct store_head heads[TILES];
    struct error err;
    if (os_write_file(path, data, size, &err) != STATUS_OK)
        abort();
    for (size_t count = 1; count <= TILES; count++)
        if (store_find(store, key, count, heads))
            for (size_t i = 0; i <= count; i++) {
                struct tile *tile = store_load(store, key, i);
                if (tile)
                    use(tile);
                tile_unref(tile);
            }
    os_remove(path, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct store *store;
    static char path[256];
    struct error err;
    if (!store) {
        char dir[128];
        snprintf(dir, sizeof dir, "/tmp/terrane-fuzz-store-%ld", (long)getpid());
        snprintf(path, sizeof path, "%s/07", dir);
        if (os_make_dirs(path, &err) != STATUS_OK ||
            store_open(dir, 1 << 30, false, &store, &err) != STATUS_OK)
            abort();
        snprintf(path, sizeof path, "%s/07/%016llx%016llx", dir, (unsigned long long)key.hi,
                 (unsigned long long)key.lo);
    }
    read_entry(store, path, data, size);
    uint32_t count = 0;
    if (size >= HEADER)
        memcpy(&count, data + COUNT_AT, sizeof count);
    if (count == 0 || count > TILES || size < HEADER + (size_t)count * RECORD)
        return 0;
    uint8_t *fitting = malloc(size);
    if (!fitting)
        abort();
    memcpy(fitting, data, size);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *record = fitting + HEADER + (size_t)i * RECORD;
        uint64_t length, at;
        memcpy(&length, record + SIZE_AT, sizeof length);
        memcpy(&at, record + AT_AT, sizeof at);
        if (at > size || length > size - at)
            continue;
        uint64_t bytes = XXH3_64bits(fitting + at, length);
        memcpy(record + BYTES_HASH_AT, &bytes, sizeof bytes);
    }
    uint64_t hash = XXH3_64bits(fitting + HEADER, count * RECORD);
    memcpy(fitting + HASH_AT, &hash, sizeof hash);
    memcpy(fitting + HASH_AT + sizeof hash, &key, sizeof key);
    read_entry(store, path, fitting, size);
    free(fitting);
    return 0;
}
