#include "cliff/sides.h"

#include <string.h>

bool cliff_fans_make(const uint32_t *indices, size_t index_count, uint32_t vertex_count,
                     struct arena *scratch, struct cliff_fans *out) {
    out->first = arena_alloc(scratch, (size_t)vertex_count + 2, sizeof *out->first);
    out->list = arena_alloc(scratch, index_count + 1, sizeof *out->list);
    if (!out->first || !out->list)
        return false;
    uint32_t *at = out->first + 1;
    memset(out->first, 0, ((size_t)vertex_count + 2) * sizeof *at);
    for (size_t i = 0; i < index_count; i++)
        out->first[(size_t)indices[i] + 2]++;
    for (uint32_t v = 1; v <= vertex_count; v++)
        out->first[v + 1] += out->first[v];
    for (size_t i = 0; i < index_count; i++)
        out->list[at[indices[i]]++] = (uint32_t)(i / 3);
    return true;
}

/* The vertex after v in a triangle, and the one before. */
static uint32_t after(const uint32_t t[3], uint32_t v) {
    return t[0] == v ? t[1] : t[1] == v ? t[2] : t[0];
}
static uint32_t before(const uint32_t t[3], uint32_t v) {
    return t[0] == v ? t[2] : t[1] == v ? t[0] : t[1];
}

bool cliff_open_sides(const uint32_t *indices, size_t index_count, uint32_t vertex_count,
                      struct arena *scratch, bool *border, size_t *open) {
    size_t mark = arena_mark(scratch), found = 0;
    struct cliff_fans fans;
    int32_t *turns = arena_alloc(scratch, (size_t)vertex_count + 1, sizeof *turns);
    if (!turns || !cliff_fans_make(indices, index_count, vertex_count, scratch, &fans))
        return false;
    memset(turns, 0, ((size_t)vertex_count + 1) * sizeof *turns);
    memset(border, 0, vertex_count);
    for (uint32_t v = 0; v < vertex_count; v++) {
        for (uint32_t i = fans.first[v]; i < fans.first[v + 1]; i++) {
            const uint32_t *t = indices + 3 * (size_t)fans.list[i];
            turns[after(t, v)]++;
            turns[before(t, v)]--;
        }
        for (uint32_t i = fans.first[v]; i < fans.first[v + 1]; i++) {
            const uint32_t *t = indices + 3 * (size_t)fans.list[i], ends[2] = {after(t, v), before(t, v)};
            for (int32_t k = 0; k < 2; k++) {
                int32_t *turn = &turns[ends[k]];
                if (*turn) {
                    border[v] = border[ends[k]] = true;
                    found += ends[k] > v ? (size_t)(*turn < 0 ? -*turn : *turn) : 0;
                }
                *turn = 0;
            }
        }
    }
    if (open)
        *open = found;
    arena_release(scratch, mark);
    return true;
}
