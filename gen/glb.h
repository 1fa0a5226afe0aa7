/* Owns meshes as glTF 2.0 binary files. Takes the world's axes (x east, y north, z up, metres) and writes
 * glTF's (y up: x, z, -y); docs/formats-points-meshes.md says what is where. The same scene gives the same
 * bytes. Files pass the Khronos validator without an error or a warning. Knows nothing of where files go. */
#ifndef GEN_GLB_H
#define GEN_GLB_H
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GLB_ATTRIBUTES_MAX = 8 };
enum glb_type { GLB_F32, GLB_U8, GLB_U8_UNIT /* 0..255 stands for 0..1 */ };

/* A vertex attribute beyond position and normal. Names: "_WETNESS" (the standard's form for one's own: an
 * underscore, then A-Z 0-9 _), or COLOR_0 (3 or 4 components, GLB_F32 or GLB_U8_UNIT, linear), TEXCOORD_0
 * (2 components, GLB_F32). */
struct glb_attribute {
    const char *name;
    enum glb_type type;
    int32_t components; /* 1..4 */
    const void *values; /* components for each vertex, packed; floats finite */
};

struct glb_mesh {
    const char *name;         /* of the node and the mesh, "collision" for instance; UTF-8 */
    double origin_m[3];       /* the node's translation: where (0, 0, 0) of the positions lies in the world */
    const float *positions_m; /* x y z for each vertex, finite */
    const float *normals;     /* unit vectors within 1e-3, or NULL */
    uint32_t vertex_count;    /* 1 or more */
    const uint32_t *indices;  /* triangles, counterclockwise seen from outside; below vertex_count */
    size_t index_count;       /* a multiple of 3, above 0 */
    struct glb_attribute attributes[GLB_ATTRIBUTES_MAX];
    int32_t attribute_count;
    int32_t material; /* index, or -1 */
};

struct glb_material {
    const char *name;
    float base_color[4];       /* linear, 0..1 */
    float metallic, roughness; /* 0..1 */
    bool double_sided, blend;
};

struct glb_scene {
    const struct glb_mesh *meshes; /* 1 or more */
    size_t mesh_count;
    const struct glb_material *materials; /* each is used by a mesh */
    size_t material_count;
};

/* Makes the file; *bytes is malloc'ed. Indices are 16 bits where they fit. STATUS_FAULT: the scene breaks
 * what is said above (message names mesh and vertex); STATUS_LIMIT: no memory, or above 4 GiB. */
enum status glb_encode(const struct glb_scene *scene, unsigned char **bytes, size_t *size, struct error *err);

#endif
