/* Owns networks of lines: which ends meet, where lines are cut, what is connected. Knows nothing of what the
 * lines are (rivers, roads, power lines) and nothing of heights.
 *
 * Lines meet where
 *   1. points of theirs (ends or inner ones) have the same coordinates,
 *   2. ends lie at most snap_m apart (chains of such ends are one node),
 *   3. an end that met no inner point lies at most snap_m from the inside of a line, its own too where that
 *      comes back after 4 snap_m: the line is cut at its nearest point there, or, when an end or a cut of
 * that line lies at most snap_m along it, they meet in that. Lines that only cross do not meet (a bridge).
 *
 * The result does not depend on the order of the lines nor on their directions: nodes are numbered by their
 * coordinates, edges by their nodes and points, components by their first node; of equally near places that
 * with the least coordinates counts. Only lines drawn exactly alike are told apart by their number.
 * (Distances along a line are sums: where one equals snap_m to the last bits, direction may decide.) */
#ifndef TERRAIN_NETWORK_H
#define TERRAIN_NETWORK_H
#include "terrain/arena.h"
#include "terrain/status.h"
#include <stddef.h>
#include <stdint.h>

struct network_line {
    const double *xy; /* x0 y0 x1 y1 ..., world metres, finite */
    size_t count;     /* 2 or more */
};

/* A place on a line: `share` (0 <= share < 1) of the way from point `point` to the next. */
struct network_place {
    uint32_t point;
    double share;
};

struct network_node {
    double x, y;     /* an inner point or cut where there is one, else an end; the least of them by x, y */
    uint32_t degree; /* ends of edges here; an edge from the node to itself counts twice */
    uint32_t component;
};

struct network_edge {
    uint32_t line;
    struct network_place from, to; /* in the line's direction; the edge begins and ends at its nodes */
    uint32_t from_node, to_node;
    uint32_t component;
};

struct network_component {
    uint32_t nodes, edges;
    uint32_t cycles; /* independent ones, directions aside: edges - nodes + 1 */
};

struct network {
    struct network_node *nodes;
    struct network_edge *edges;
    struct network_component *components;
    size_t node_count, edge_count, component_count;
    size_t vanished; /* pieces of lines not above 2 snap_m from a node to itself, which are no edges */
};

/* Bytes of the arena for `lines` lines with `points` points in all: about 700 a point. */
size_t terrain_network_scratch(size_t lines, size_t points);
/* Builds the network; its arrays stay in the arena. snap_m >= 0. At most 2^24 points in all.
 * STATUS_LIMIT: the arena is too small, or too many points. */
enum status terrain_network_build(const struct network_line *lines, size_t line_count, double snap_m,
                                  struct arena *arena, struct network *out, struct error *err);

/* The points of an edge from from_node to to_node: the nodes' places, and the line's points between.
 * Count, and the i-th one. */
size_t terrain_network_points(const struct network *network, const struct network_edge *edge);
void terrain_network_point(const struct network *network, const struct network_line *lines,
                           const struct network_edge *edge, size_t i, double xy[2]);

/* Nodes in an order in which every edge runs from an earlier to a later one: by the length of the longest way
 * to a node, then by number. Nodes on directed cycles, and behind them, are left out: returns the number of
 * those in order (node_count: no directed cycle). order: node_count entries. Scratch: 12 bytes a node and 4
 * an edge. STATUS_LIMIT: too little. */
enum status terrain_network_order(const struct network *network, uint32_t *order, size_t *count,
                                  struct arena *scratch, struct error *err);

#endif
