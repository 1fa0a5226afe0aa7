/* Meshes of .glb files, read back and judged: closed, sound, shaded the right way. */
#ifndef MESH_KIT_H
#define MESH_KIT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MESH_QUANTUM = 1024 }; /* places are whole numbers of 1/1024 m */

struct mesh_vertex {
    int32_t place[3]; /* of the world: east, north, up */
    float normal[3];  /* 0 0 0 without normals */
    int32_t part;     /* which file of those that were added */
};
/* Triangles of any number of files, corner by corner. */
struct mesh_kit {
    struct mesh_vertex *corners;
    size_t count, room; /* a multiple of 3 */
    int32_t parts;
};

/* Adds the node `name` of a file. False: no such node, or a file that this reader does not understand, or a
 * place that is no whole number of quanta. */
bool mesh_kit_add(struct mesh_kit *kit, const unsigned char *bytes, size_t size, const char *name);
void mesh_kit_free(struct mesh_kit *kit);

struct mesh_faults {
    size_t open;   /* sides used more often one way than the other, where may_open says no */
    size_t flat;   /* triangles without area */
    size_t back;   /* pairs of triangles that are each other's back */
    size_t shade;  /* corners whose normal is not of unit length or not on the face's side */
    int32_t at[3]; /* where the first open side begins */
};
/* may_open: whether a side between two places may be open. */
typedef bool mesh_may_open(const void *context, const int32_t a[3], const int32_t b[3]);
struct mesh_faults mesh_kit_judge(const struct mesh_kit *kit, mesh_may_open *may_open, const void *context);

#endif
