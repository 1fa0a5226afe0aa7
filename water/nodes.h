/* Owns the nodes of the lattice over one sector: where water is narrow against the lattice's spacing, nodes
 * stand halfway between too, with samples of their own. Which quads are so split depends on their corners
 * alone, so that neighbouring sectors agree. Numbers of nodes count `unit`s: unit 1, no quad is split; unit
 * 2, nodes with an odd number are those between. Knows nothing of meshes. */
#ifndef WATER_NODES_H
#define WATER_NODES_H
#include "water/mesh.h"

enum { QUAD_SPLIT = 1, QUAD_WET = 2 };

struct water_nodes {
    const struct water_lattice *l;
    int32_t columns, rows; /* quads */
    int32_t i0, j0;        /* node of the south-west corner in the lattice */
    int32_t unit;
    uint8_t *quads; /* QUAD_*, of the sector's quads and those around it */
    /* those between, one more around the sector; every second is left alone */
    struct water_sample *fine;
    struct water_footing {
        float ground, inside;
    } * footing;
    int32_t fine_width;
    double x_m, y_m, spacing_m; /* of node (0, 0); between neighbours at this unit */
};

/* What is at a node. */
struct water_node {
    const struct water_sample *s;
    ptrdiff_t east, north; /* to the neighbours' samples, at the distance `run_m` */
    double x, y, run_m;
    float ground;
    float inside; /* above 0 where there is water; metres, about */
};

/* The nodes over the cells [x0, x1) x [y0, y1). STATUS_LIMIT: too little scratch. */
enum status water_nodes_over(const struct water_lattice *lattice, int32_t x0, int32_t y0, int32_t x1,
                             int32_t y1, struct water_nodes *nodes, struct arena *arena, struct error *err);
struct water_node water_node_at(const struct water_nodes *nodes, int32_t u, int32_t v);
/* Of quad (i, j): whether it is split; whether any node of the lattice at it lies in water. */
static inline uint8_t water_quad(const struct water_nodes *nodes, int32_t i, int32_t j) {
    return nodes->quads[(j + 1) * (nodes->columns + 2) + i + 1];
}

/* Where, between 0 and 1, the way from one node to the other crosses the water's border; and the level there.
 * One of them lies in water. */
double water_crossing(const struct water_nodes *nodes, const struct water_node *a, const struct water_node *b,
                      double *level);
/* Whether two nodes' levels are of one water: b has a say in what is between them. */
bool water_same_surface(const struct water_nodes *nodes, const struct water_node *a,
                        const struct water_node *b);

#endif
