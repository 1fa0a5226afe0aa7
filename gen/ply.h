/* Owns the points file: binary little-endian PLY whose vertices are entity records (gen/entity.h), laid out
 * as docs/formats-points-meshes.md says. Written fast, read strictly: only what the writer writes is taken.
 * Knows nothing of where files go. */
#ifndef GEN_PLY_H
#define GEN_PLY_H
#include "gen/entity.h"
#include "terrain/status.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PLY_HEADER_MAX = 1024 };

/* Writes the header (not zero-terminated) for `count` records and returns its length, at most
 * PLY_HEADER_MAX. */
size_t ply_header(const struct entity_schema *schema, uint64_t count, char out[PLY_HEADER_MAX]);

/* Writes header and records (count * entity_stride bytes, as entity_encode made them). Errors of the stream
 * are left to its owner (os_commit). */
void ply_write(FILE *stream, const struct entity_schema *schema, const unsigned char *records,
               uint64_t count);

struct ply {
    struct entity_schema schema;
    uint64_t count;
    const unsigned char *records; /* inside the bytes that were read */
};

/* Reads a whole file from memory; `file` is what messages call it. out->records points into bytes.
 * STATUS_INPUT: not a points file, with the header's line and what was expected there, or a wrong length. */
enum status ply_read(const char *file, const unsigned char *bytes, size_t size, struct ply *out,
                     struct error *err);

/* Checks every record (entity_wrong) and that ids rise without repetition, as files are written.
 * STATUS_INPUT names the first wrong vertex. */
enum status ply_check(const char *file, const struct ply *ply, struct error *err);

#endif
