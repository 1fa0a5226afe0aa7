/* Owns the rock as an implicit field: whether a point is rock, how far from the face, of which block. A pure
 * function of place, of the nodes of the ground (cliff/nodes.h) and of the seed.
 *
 * A bed is cut in blocks, cells of a Voronoi diagram in plan. A block's face is the ground's tangent plane at
 * the block's site, pushed out; the distance is measured not at a point's own height but near that of the
 * bed's middle, so faces stand and ledges form. Whole blocks are there or not, by the mask at their site.
 * Under the ground everything is solid, so that blocks are rooted in a sheet that no one sees. */
#ifndef CLIFF_FIELD_H
#define CLIFF_FIELD_H
#include "cliff/nodes.h"

enum { CLIFF_BASE = -1 /* a sample of no block: the ground's sheet or the air above it */ };

/* What a bed is cut like. */
struct cliff_bed {
    struct strata_bed bed;
    double u_x, u_y, v_x, v_y, u_0, v_0; /* plan to the bed's cells */
    uint64_t seed;
    double s0, s1;        /* [m] of the face that the bed is a part of: its own, or its package's */
    double middle;        /* [m] of them */
    float thick_m, per_z; /* [m] between them; 1 over the bedding's normal upwards */
    float size_m;
    float reach_m;               /* how far from steep ground a point of its blocks can be */
    float push_m, upright, flat; /* pushed out; share of the bed's middle; share of the tangent plane */
    float sound;                 /* 0..1: how fractured rock may be whose beds are still whole */
    float wear_m, apron_m;       /* how far the top may be worn back, and debris lie before the foot */
    uint8_t preset;
};

enum { CLIFF_CUTS = 3 };
struct cliff_block {
    int32_t bed, u, v; /* bed: index in cliff_field.beds; cell */
    bool exists;
    bool thin;                 /* not there, but steep ground is covered by a slab of it */
    double x, y;               /* [m] site */
    float height, east, north; /* tangent plane at the site */
    float cosine;              /* of the plane's slope */
    float push_m, upright;
    struct {
        float along, east, north, up,
            less; /* a chipped edge: along * f + (east, north, up) . offset - less */
    } cut[CLIFF_CUTS];
};

struct cliff_field {
    const struct cliff_params *params;
    const struct cliff_nodes *nodes;
    struct cliff_bed *beds;
    int32_t bed_count;
    float reach_m; /* the largest of the beds' */
    struct strata_table tables[STRATA_PRESETS][STRATA_GROUPS];
    int32_t first_bed[STRATA_PRESETS][STRATA_GROUPS];
    float *chunks; /* random values on a lattice: above 0 is group 1 */
    int32_t chunk_x0, chunk_y0, chunk_z0, chunk_nx, chunk_ny, chunk_nz;
    struct cliff_block *blocks;
    int32_t block_count, block_room;
    int32_t *slots; /* hash table of blocks + 1 */
    uint32_t slot_count;
    struct arena *scratch;
    bool full; /* scratch ran out: samples are worthless */
};

/* z_lo..z_hi [m]: heights that will be asked for. False: too little scratch. The field keeps scratch, params
 * and nodes. */
bool cliff_field_make(const struct cliff_params *params, const struct cliff_nodes *nodes, double z_lo,
                      double z_hi, struct arena *scratch, struct cliff_field *field);

struct cliff_sample {
    float f;       /* [m] below 0: rock. About the distance from the face, and it jumps between blocks */
    int32_t block; /* index, or CLIFF_BASE */
};

/* What a block's face needs of a place in plan. */
struct cliff_face {
    float rx, ry;                                                /* [m] from the block's site */
    float plane;                                                 /* [m] the tangent plane over its site */
    float cut[CLIFF_CUTS];                                       /* of its chipped edges, in plan */
    float top_m, per_top, top_by_m, foot_m, per_foot, foot_by_m; /* where the bed is worn, and by how much */
};

/* A place in plan, prepared: walking it in height finds the same block again and again. */
struct cliff_column {
    double x, y;
    struct cliff_node node;
    float cosine;
    float far_m; /* to steep ground, at least */
    double base; /* below it all is solid */
    uint8_t preset;
    double s;      /* bed coordinate at height 0 */
    int32_t chunk; /* layer of the chunks' values of which low and high are known */
    float low, high;
    struct {
        double s0, s1;
        int32_t bed, block;
        struct cliff_face face; /* of the block */
    } at[STRATA_GROUPS];
};
/* Anywhere inside the nodes. */
void cliff_column_at(const struct cliff_field *field, double x, double y, struct cliff_column *column);
/* At the node (i, j): the same, quicker. */
void cliff_column_node(const struct cliff_field *field, int32_t i, int32_t j, struct cliff_column *column);
/* On the edge from the node (i, j) eastwards (axis 0) or northwards (1), 0 <= t <= 1 of the way: the same. */
void cliff_column_edge(const struct cliff_field *field, int32_t i, int32_t j, int32_t axis, double t,
                       struct cliff_column *column);
struct cliff_sample cliff_field_at(struct cliff_field *field, struct cliff_column *column, double z);

/* The field of one block alone, whose bed the point lies in: quicker, for a point between two of it. */
float cliff_block_field(const struct cliff_field *field, const struct cliff_column *column, int32_t block,
                        double z);

/* The bed at a point, whether there is a block or not: index in beds. */
int32_t cliff_bed_at(const struct cliff_field *field, struct cliff_column *column, double z);

/* The face's unit normal where solid meets air at a point. axis: 0..2, the lattice edge on which they meet,
 * towards: 1 or -1, where the air is. */
void cliff_face_normal(const struct cliff_field *field, struct cliff_column *column, double z, int32_t solid,
                       int32_t air, int32_t axis, float towards, float normal[3]);

/* No higher than the ground at a place [m]. */
float cliff_ground_at(const struct cliff_field *field, double x, double y);

/* How far above and below the ground rock can be at a node [m]. */
double cliff_highest(const struct cliff_node *node);
double cliff_lowest(const struct cliff_node *node);

#endif
