/* Owns how a sector's rock becomes its .cliff.glb: simplified with libmeshoptimizer, borders kept vertex by
 * vertex, hard-shaded normals of the unsimplified surface, and a lighter mesh for collision. */
#ifndef GEN_CLIFF_GLB_H
#define GEN_CLIFF_GLB_H
#include "cliff/color.h"
#include "cliff/surface.h"
#include "terrain/status.h"

struct cliff_glb_params {
    double origin_m[2];     /* the sector's south-west corner */
    double error_m;         /* of the mesh that is seen */
    double collision_m;     /* error of the mesh `collision` */
    uint32_t max_triangles; /* of the mesh that is seen, where the borders allow */
    bool attributes;        /* _BED (the bed's id) and COLOR_0 at each vertex */
    const struct cliff_ramp *ramp;
    uint64_t seed; /* of the colours */
};

/* *bytes is malloc'ed. The mesh has quads of its own. */
enum status cliff_glb_make(const struct cliff_glb_params *params, const struct cliff_mesh *mesh,
                           struct arena *scratch, unsigned char **bytes, size_t *size, struct error *err);

#endif
