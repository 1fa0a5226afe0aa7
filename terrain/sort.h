/* Owns sorting without memory of its own (the C library's qsort may allocate): heapsort of indices. */
#ifndef TERRAIN_SORT_H
#define TERRAIN_SORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* before(context, a, b): whether index a comes before b; a strict order in which no two different indices are
 * equal. */
static inline void sort_sift(uint32_t *v, size_t at, size_t count,
                             bool (*before)(const void *, uint32_t, uint32_t), const void *context) {
    uint32_t moved = v[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(context, v[child], v[child + 1]))
            child++;
        if (!before(context, moved, v[child]))
            break;
        v[at] = v[child];
    }
    v[at] = moved;
}

static inline void sort_indices(uint32_t *v, size_t count, bool (*before)(const void *, uint32_t, uint32_t),
                                const void *context) {
    for (size_t i = count / 2; i-- > 0;)
        sort_sift(v, i, count, before, context);
    for (size_t end = count; end-- > 1;) {
        uint32_t last = v[end];
        v[end] = v[0];
        v[0] = last;
        sort_sift(v, 0, end, before, context);
    }
}

#endif
