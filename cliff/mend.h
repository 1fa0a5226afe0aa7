/* Owns what a simplifier leaves behind: triangles without area, whose corners lie in one line, triangles that
 * look into the rock, and pairs that are each other's back. They are taken out without opening a hole. */
#ifndef CLIFF_MEND_H
#define CLIFF_MEND_H
#include "cliff/normals.h"

/* What could not be mended: triangles that look inwards, lie on another or have no area still. */
struct cliff_faults {
    bool *at; /* by vertex: such triangles end there */
    size_t count;
};

/* A triangle whose corners lie in one line is taken out together with the triangle across its longest side,
 * which is split at the corner between: the same surface, the same open border, no triangle turned over. One
 * that looks more than 100 degrees away from every smooth group at its corners is exchanged, with a
 * neighbour, for the two triangles over the other diagonal, where those are sound. Two triangles of the same
 * three vertices, one the back of the other, both go. indices: *count of them, three a triangle, in place.
 * normals: of the mesh that was simplified, by the same vertices. faults->at, by vertex, comes from the
 * caller. False: too little scratch, or the longest side of a triangle without area is the mesh's border:
 * then indices are worthless, and faults tells where. */
bool cliff_mend(const struct cliff_mesh *mesh, const struct cliff_normals *normals, uint32_t *indices,
                size_t *count, struct cliff_faults *faults, struct arena *scratch);

/* Whether a triangle of a mesh's vertices looks more than 100 degrees away from every smooth group at its
 * corners. */
bool cliff_turned(const struct cliff_mesh *mesh, const struct cliff_normals *normals, const uint32_t v[3]);

/* Whether three vertices lie in one line. */
static inline bool cliff_in_line(const struct cliff_vertex *a, const struct cliff_vertex *b,
                                 const struct cliff_vertex *c) {
    int64_t u[3] = {(int64_t)b->x - a->x, (int64_t)b->y - a->y, (int64_t)b->z - a->z};
    int64_t w[3] = {(int64_t)c->x - a->x, (int64_t)c->y - a->y, (int64_t)c->z - a->z};
    return u[1] * w[2] == u[2] * w[1] && u[2] * w[0] == u[0] * w[2] && u[0] * w[1] == u[1] * w[0];
}

#endif
