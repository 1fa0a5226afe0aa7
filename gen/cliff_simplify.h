/* Owns how a sector's rock is made light: simplified with libmeshoptimizer, the open border kept vertex by
 * vertex, closed as before, without triangles that have no area. */
#ifndef GEN_CLIFF_SIMPLIFY_H
#define GEN_CLIFF_SIMPLIFY_H
#include "cliff/normals.h"

struct cliff_light_params {
    double error_m;         /* of the mesh that is seen */
    double collision_m;     /* of the mesh for collision, which is made from the other */
    uint32_t max_triangles; /* of the mesh that is seen, where the border allows */
};

struct cliff_light {
    float *positions_m;         /* x y z of the mesh's vertices */
    uint32_t *seen, *collision; /* triangles, by the mesh's vertices */
    size_t seen_count, collision_count;
};

/* The mesh's own quads as two lighter lists of triangles; normals are the mesh's. A border is locked; should
 * the library leave what cannot be mended, a list is simplified less. False: too little scratch. */
bool cliff_simplify(const struct cliff_light_params *params, const struct cliff_mesh *mesh,
                    const struct cliff_normals *normals, struct arena *scratch, struct cliff_light *out);

/* What the simplified mesh depends on besides its input: libmeshoptimizer's version, and whether this kind of
 * processor lets its compiler fuse multiplications with additions. Belongs into keys. */
uint64_t cliff_simplifier(void);

#endif
