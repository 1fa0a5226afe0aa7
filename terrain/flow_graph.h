/* Owns filling on a graph: basins that spill into each other and over outlets. Knows nothing of rasters. */
#ifndef TERRAIN_FLOW_GRAPH_H
#define TERRAIN_FLOW_GRAPH_H
#include "terrain/arena.h"
#include "terrain/sets.h"
#include "terrain/status.h"
#include <stddef.h>
#include <stdint.h>

/* Water passes between nodes a and b at `level`; b < 0: node a drains at `level`. */
struct flow_edge {
    int32_t a, b, level;
};

struct flow_flood {
    int32_t *level; /* [nodes] smallest, over the ways to an outlet, of the largest level on the way */
    int32_t *label; /* [nodes] 0 .. labels - 1: through which outlet: nodes of one label share theirs */
    int32_t labels;
    struct flow_edge *spill; /* the edges of a smallest spanning forest between labels, by rising level */
    int32_t spills;
};

/* Solves the graph (Kruskal's order; the minimax path problem). Each node must have a way to an outlet, else
 * STATUS_FAULT. Where levels are equal the order of the edges decides on labels and spills (levels do not
 * depend on it). Results lie in the arena; scratch of 8 bytes an edge and 12 a node on top of them is given
 * back. */
enum status flow_flood(int32_t nodes, const struct flow_edge *edges, int32_t count, struct flow_flood *out,
                       struct arena *arena, struct error *err);
size_t flow_flood_scratch(size_t nodes, size_t edges);

/* terrain/sets.h for signed numbers. */
static inline int32_t flow_find(int32_t *parent, int32_t i) {
    return (int32_t)terrain_sets_root((uint32_t *)parent, (uint32_t)i);
}
static inline void flow_union(int32_t *parent, int32_t i, int32_t j) {
    terrain_sets_join((uint32_t *)parent, (uint32_t)i, (uint32_t)j);
}

#endif
