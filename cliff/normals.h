/* Owns hard shading: faces that meet at less than 35 degrees share a normal at their corner, others do not.
 */
#ifndef CLIFF_NORMALS_H
#define CLIFF_NORMALS_H
#include "cliff/surface.h"

/* The corners' smooth groups of an unsimplified mesh. Vertex v has groups first[v] .. first[v + 1] - 1, each
 * with a unit normal: that of the faces around v, weighed by about their angles there. */
struct cliff_normals {
    uint32_t *first; /* vertex_count + 1 */
    float (*normal)[3];
};
/* False: too little scratch. */
bool cliff_normals_make(const struct cliff_mesh *mesh, struct arena *scratch, struct cliff_normals *out);
/* The group of vertex v whose normal is nearest to a face's unit normal; UINT32_MAX when none is within 35
 * degrees. */
uint32_t cliff_normals_pick(const struct cliff_normals *normals, uint32_t v, const float face[3]);

#endif
