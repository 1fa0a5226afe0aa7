/* Owns which edges of the lattice cross the rock's face. Private to the makers of the surface. */
#ifndef CLIFF_EDGES_H
#define CLIFF_EDGES_H
#include "cliff/lattice.h"

/* Edges from a column's samples eastwards (axis 0), northwards (1) and upwards (2), one end solid and the
 * other not; both ends are samples. In order of axis, then from below. */
struct cliff_edges {
    uint32_t *edges;  /* 4 * (sample of its lower end, from the column's lowest) + axis */
    uint32_t *first;  /* by column of the lattice, and one more */
    uint32_t count;   /* at most what most allows */
    uint64_t crossed; /* how many there are, listed or not */
};

/* Of the columns from_x <= i < until_x, from_y <= j < until_y that have rock in them or in one of the eight
 * around: elsewhere is the sheet under the ground alone. window: from_x, from_y, until_x, until_y, at least
 * one column inside the lattice. More than `most` are counted, not listed. False: too little scratch. */
bool cliff_edges_find(const struct lattice *lattice, const int32_t window[4], uint32_t most,
                      struct arena *scratch, struct cliff_edges *out);

#endif
