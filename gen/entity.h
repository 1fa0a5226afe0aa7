/* Owns what a placed thing is in memory and as bytes. The bytes of a record are those of the points files
 * (docs/formats-points-meshes.md): 68, little-endian, without padding, then one float for each attribute of
 * the schema. So a blob of records goes into a .points.ply as it is, and content hashes are over defined
 * bytes. Knows nothing of recipes, tools or files. */
#ifndef GEN_ENTITY_H
#define GEN_ENTITY_H
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENTITY_BYTES = 68, ENTITY_EXTRAS_MAX = 8, ENTITY_NAME_MAX = 32 };

/* A recipe's own attributes, in the order in which records hold them. */
struct entity_schema {
    int32_t extra_count;                             /* 0..ENTITY_EXTRAS_MAX */
    char extras[ENTITY_EXTRAS_MAX][ENTITY_NAME_MAX]; /* a-z 0-9 _, first a letter, zero-terminated */
};

struct entity {
    int64_t x, y, z;                /* 1/1024 m, east, north, up; |v| <= 2^52 */
    float qx, qy, qz, qw;           /* unit quaternion, from the asset's axes (z up) to the world's */
    float scale;                    /* > 0; 1: as the asset was made */
    uint32_t object_id;             /* what it shows: out/objects.json */
    uint64_t id;                    /* who it is; stable over bakes */
    uint8_t r, g, b;                /* tint, sRGB */
    uint8_t tool;                   /* who set it: enum world_tool */
    float viability;                /* 0 or more */
    float age;                      /* 0..1 */
    float extra[ENTITY_EXTRAS_MAX]; /* the first extra_count of the schema are used */
};

/* Metres to the lattice: round(m * 1024), halves up. |m| < 2^42. */
int64_t entity_lattice(double m);
/* Exact. */
static inline double entity_metres(int64_t lattice) {
    return (double)lattice * 0x1p-10;
}

/* Bytes of one record. */
static inline size_t entity_stride(const struct entity_schema *schema) {
    return ENTITY_BYTES + 4 * (size_t)schema->extra_count;
}
/* Writes / reads one record of entity_stride bytes. Reading takes any bytes; see entity_check. */
void entity_encode(const struct entity_schema *schema, const struct entity *e, unsigned char *at);
void entity_decode(const struct entity_schema *schema, const unsigned char *at, struct entity *e);
/* The id alone, at record + 48. */
uint64_t entity_record_id(const unsigned char *record);
/* Whether a record's numbers are what the fields above promise: position finite and on the lattice,
 * quaternion of length 1 within 1e-3, scale > 0, viability >= 0, everything finite. NULL, or what is wrong.
 */
const char *entity_wrong(const struct entity_schema *schema, const unsigned char *record);

/* Puts records in the files' order: by id, then by bytes. A total order: equal records are the same. */
void entity_sort(const struct entity_schema *schema, unsigned char *records, size_t count);

/* A sector's part of a points layer: a head that names the schema, then the records. Nothing placed: no bytes
 * at all (size 0). */
size_t entity_part_size(const struct entity_schema *schema, size_t count);
/* Writes the head and returns where the first record goes. part holds entity_part_size bytes. */
unsigned char *entity_part_head(const struct entity_schema *schema, size_t count, unsigned char *part);
/* What competition made of a sector's candidates. */
struct entity_stock {
    uint32_t candidates, undecided; /* undecided ones were dropped: no round settled them */
    uint32_t rounds;                /* until all were settled, the largest of all tiers */
};
/* Notes it in a part's head; nothing until then. */
void entity_part_set_stock(unsigned char *part, const struct entity_stock *stock);
/* How many of a part's entities are of one class; what a code stands for is its makers' and readers' matter.
 */
struct entity_class {
    uint32_t code, count;
};
enum { ENTITY_CLASS_BYTES = 8 };
/* Puts classes behind the records: the part holds ENTITY_CLASS_BYTES for each beyond entity_part_size. */
void entity_part_set_classes(unsigned char *part, const struct entity_class *classes, size_t count);
struct entity_part {
    struct entity_schema schema;
    const unsigned char *records; /* inside the part that was opened */
    size_t count;
    struct entity_stock stock;
    const unsigned char *classes;
    size_t class_count;
};
struct entity_class entity_part_class(const struct entity_part *part, size_t i);
/* STATUS_INPUT: not such a part, or cut short. */
enum status entity_part_open(const unsigned char *part, size_t size, struct entity_part *out,
                             struct error *err);

bool entity_schema_valid(const struct entity_schema *schema);
bool entity_schema_equal(const struct entity_schema *a, const struct entity_schema *b);

#endif
