/* Owns a sector's rock as bytes: what a part of the blob cliff_surface holds. Little-endian words: vertices,
 * own quads, quads, then x y z for each vertex and four corners and the bed for each quad. No rock: no bytes.
 */
#ifndef GEN_CLIFF_PART_H
#define GEN_CLIFF_PART_H
#include "cliff/surface.h"
#include "gen/layer.h"

/* *part comes from scratch; *size 0 for a mesh without quads. False: too little scratch. */
bool cliff_part_write(const struct cliff_mesh *mesh, struct arena *scratch, const void **part, size_t *size);
/* Part `sector` of a tile. False: too little scratch, or not such a part. */
bool cliff_part_read(const struct tile *tile, int32_t sector, struct arena *scratch, struct cliff_mesh *mesh);

#endif
