#include "terrain/arena.h"

#include <assert.h>

void *arena_alloc(struct arena *arena, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    size_t bytes = count * size;
    uintptr_t at = (uintptr_t)arena->base + arena->used;
    size_t pad = (size_t)(-at & (ARENA_ALIGN - 1));
    size_t left = arena->size - arena->used;
    if (pad > left || bytes > left - pad)
        return NULL;
    void *out = arena->base + arena->used + pad;
    arena->used += pad + bytes;
    return out;
}

size_t arena_mark(const struct arena *arena) {
    return arena->used;
}

void arena_release(struct arena *arena, size_t mark) {
    assert(mark <= arena->used);
    arena->used = mark;
}

size_t arena_need(size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX - ARENA_ALIGN) / size)
        return SIZE_MAX;
    return count * size + ARENA_ALIGN;
}
