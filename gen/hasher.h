/* Owns the key hash that stages add their settings to: XXH3-128 behind stage.h's hash_* calls. */
#ifndef GEN_HASHER_H
#define GEN_HASHER_H
#include "gen/layer.h"
#define XXH_STATIC_LINKING_ONLY /* the state as a value, not on the heap */
#include <xxhash.h>

struct hasher {
    XXH3_state_t state;
};

void hasher_reset(struct hasher *h);
struct hash128 hasher_digest(struct hasher *h);

#endif
