/* Owns sides: the edges of a list of triangles by the vertices at their ends. */
#ifndef CLIFF_SIDES_H
#define CLIFF_SIDES_H
#include "terrain/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* indices: three vertices a triangle, each below vertex_count. border[v] becomes true where a side ends that
 * is not used as often one way as the other: the open border of the mesh. open (NULL allowed): how many such
 * sides there are. False: too little scratch. */
bool cliff_open_sides(const uint32_t *indices, size_t index_count, uint32_t vertex_count,
                      struct arena *scratch, bool *border, size_t *open);

/* The triangles at each vertex: first[v] .. first[v + 1] - 1 of list, ascending. */
struct cliff_fans {
    uint32_t *first; /* vertex_count + 1 */
    uint32_t *list;  /* index_count */
};
/* False: too little scratch. */
bool cliff_fans_make(const uint32_t *indices, size_t index_count, uint32_t vertex_count,
                     struct arena *scratch, struct cliff_fans *out);

#endif
