/* Owns scratch memory: a bump allocator over a block that the caller gives. Kernels take one and never call
 * malloc. A kernel's header states how many bytes it takes, or offers NAME_scratch(...) that says so. */
#ifndef TERRAIN_ARENA_H
#define TERRAIN_ARENA_H
#include <stddef.h>
#include <stdint.h>

struct arena {
    unsigned char *base;
    size_t size, used;
};

enum { ARENA_ALIGN = 64 };

/* count * size bytes, aligned to 64; NULL when the arena is too small or the product overflows. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);
/* A place to come back to: everything taken after the mark is free again. */
size_t arena_mark(const struct arena *arena);
void arena_release(struct arena *arena, size_t mark);
/* What one arena_alloc(count, size) takes at most: for adding up a kernel's need. Saturates at SIZE_MAX. */
size_t arena_need(size_t count, size_t size);

#endif
