/* Owns union-find: which of the numbers 0 .. n - 1 are joined. parent[i] = i at first; the least number of a
 * set is its root, whatever the order of joins. */
#ifndef TERRAIN_SETS_H
#define TERRAIN_SETS_H
#include <stdint.h>

/* The root of i's set; halves the way for later calls. */
static inline uint32_t terrain_sets_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static inline void terrain_sets_join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = terrain_sets_root(parent, a);
    b = terrain_sets_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

#endif
