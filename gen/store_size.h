/* Owns how large a store's folder may grow: for gen/store.c alone, which owns what lies in it. */
#ifndef GEN_STORE_SIZE_H
#define GEN_STORE_SIZE_H
#include <stdint.h>

enum { STORE_PATH_MAX = 4096 }; /* bytes */

/* Adds what a process wrote to the folder's size and, when that passes the limit, removes the least recently
 * used entries and decoded images. The size is kept in the file "size", so that a bake need not look at every
 * entry: only when the sum passes the limit are they looked at. Under a lock; trouble only leaves the folder
 * larger than it should be. */
void store_settle_size(const char *folder, uint64_t limit, uint64_t written);

#endif
