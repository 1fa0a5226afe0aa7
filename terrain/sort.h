/* Owns sorting without memory of its own (the C library's qsort may allocate): merge sort of indices. */
#ifndef TERRAIN_SORT_H
#define TERRAIN_SORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts v by before(context, a, b): whether index a comes before b; a strict order in which no two different
 * indices are equal. spare: as many entries as v, overwritten. */
static inline void sort_indices(uint32_t *v, uint32_t *spare, size_t count,
                                bool (*before)(const void *, uint32_t, uint32_t), const void *context) {
    enum { SHORT = 8 };
    for (size_t from = 0; from < count; from += SHORT) { /* short runs by insertion */
        size_t end = from + SHORT < count ? from + SHORT : count;
        for (size_t i = from + 1; i < end; i++) {
            uint32_t moved = v[i];
            size_t k = i;
            for (; k > from && before(context, moved, v[k - 1]); k--)
                v[k] = v[k - 1];
            v[k] = moved;
        }
    }
    uint32_t *from = v, *to = spare;
    for (size_t run = SHORT; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            size_t mid = at + run < count ? at + run : count,
                   end = at + 2 * run < count ? at + 2 * run : count;
            size_t a = at, b = mid;
            for (size_t k = at; k < end; k++)
                to[k] = b == end || (a < mid && !before(context, from[b], from[a])) ? from[a++] : from[b++];
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; from != v && i < count; i++)
        v[i] = from[i];
}

#endif
