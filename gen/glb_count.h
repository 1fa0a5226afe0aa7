/* Owns counting what is in a .glb file that gen/glb.h made. */
#ifndef GEN_GLB_COUNT_H
#define GEN_GLB_COUNT_H
#include <jansson.h>
#include <stddef.h>

/* The triangles of each node by its name; the caller owns it. NULL: no such file, or no memory. */
json_t *glb_triangles(const unsigned char *bytes, size_t size);

#endif
