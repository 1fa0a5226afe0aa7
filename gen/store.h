/* Owns results kept by content: a folder of one file an entry, named by the key of a (stage, section) pair.
 * An entry holds, for each tile that the pair made, its shape, its content hashes by sector and (unless the
 * stage says that it is cheaper to make than to read) its bytes, all under checksums. An entry that is cut
 * short or altered is taken for absent and removed. Several processes may share the folder: entries appear
 * whole, by renaming. Least recently used entries go when the folder outgrows its limit. Thread-safe. */
#ifndef GEN_STORE_H
#define GEN_STORE_H
#include "gen/layer.h"
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

/* What is known of one tile without its bytes. */
struct store_head {
    struct hash128 parts[16];
};

/* dir is made with the first entry: a dry run leaves nothing. temporary: the folder is removed by
 * store_close; its name must be one of store_temporary_name. */
enum status store_open(const char *dir, uint64_t limit_bytes, bool temporary, struct store **out,
                       struct error *err);
/* The name of a temporary store's folder: ".store-<pid>.tmp". */
void store_temporary_name(char *name, size_t size);
/* Removes the temporary stores in a folder whose processes ended without closing them. */
void store_sweep(const char *dir);
/* Evicts down to the limit when it is passed, and frees. */
void store_close(struct store *store);

/* Makes a temporary store's folder and marks it as alive, so that no other process sweeps it away: what else
 * lies in it (decoded images) may come before the first entry. */
void store_claim(struct store *store);
bool store_is_temporary(const struct store *store);

/* True when the entry is there and holds `count` tiles: heads[0..count) are filled. */
bool store_find(struct store *store, struct hash128 key, size_t count, struct store_head *heads);
/* Reads the bytes of tile `index` of an entry; NULL when the entry is gone, damaged, or kept without bytes.
 */
struct tile *store_load(struct store *store, struct hash128 key, size_t index);
/* Keeps the tiles (hashed already). with_bytes false: heads only. A failure (disk full, read-only) leaves the
 * folder as it was; the store says so once through store_trouble and goes on as if it had kept nothing. */
bool store_put(struct store *store, struct hash128 key, size_t count, struct tile *const *tiles,
               bool with_bytes);
/* The first trouble met while writing, or NULL. */
const struct error *store_trouble(const struct store *store);
const char *store_dir(const struct store *store);

#endif
