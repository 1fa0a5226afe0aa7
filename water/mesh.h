/* Owns the water's surface as meshes: triangles of a world-aligned lattice, each in one sector, cut where the
 * level meets the ground or the water's width ends. Vertices on a border are the same to the last bit in both
 * sectors. Falls are sheets of their own. A kernel; makes no files. */
#ifndef WATER_MESH_H
#define WATER_MESH_H
#include "terrain/grid.h"
#include "water/field.h"

struct water_vertex {
    double x, y, z;
    float normal[3];
    float flow[2]; /* m/s, east and north */
    float along;   /* m along the drawn line */
    float shore;   /* m to the water's edge, 0 or more */
    float foam;    /* 0..1 */
};
struct water_mesh {
    struct water_vertex *vertices;
    uint32_t *indices;
    uint32_t vertex_count, index_count;
};

/* What a lattice of this spacing has to know of water beside it: a grid's near_m. */
double water_lattice_near_m(double spacing_m);

/* Height of the ground at a place, m. */
struct water_ground_view {
    const struct grid_f32 *samples;
    bool posts;
    double cell_m;
};
double water_ground_at(const struct water_ground_view *ground, double x, double y);

/* A lattice over a window: samples at its nodes and the ground there, and one node more around the sector
 * (for normals). Row by row from the south; width x height nodes, node (0, 0) at grid->x0 - grid->step. */
struct water_lattice {
    const struct water_grid *grid;
    const struct water_sample *samples;
    const float *ground;
    const struct water_ground_view *view; /* of the same ground, everywhere */
    const struct water_set *set;          /* for nodes between; NULL: there are none */
};

/* Vertices where the water ends lie from SINK_M under the ground to FLOAT_M over it: on steep ground the
 * level at an edge that nodes 2 m apart tell may lie a metre beside the bank. But they lie no more than OFF_M
 * over that level, and beside a fall none over it and no more than OFF_M under it: a fall's rock is not
 * climbed. */
#define WATER_EDGE_SINK_M  0.3
#define WATER_EDGE_FLOAT_M 0.1
#define WATER_EDGE_OFF_M   1.0

/* The surface over the cells [x0, x1) x [y0, y1): multiples of the step, or the world's edge, beyond which it
 * goes to the next node.
 * Where it would stand as a wall, steeper than 1 in 1 and over 1.5 m, beside a fall's sheet there is none.
 * STATUS_LIMIT: too little scratch. The mesh lies in the arena. */
enum status water_surface(const struct water_lattice *lattice, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                          struct water_mesh *mesh, struct arena *arena, struct error *err);

/* The sheet of a fall: 11 columns, a row a station and one between: 2 cm over the water above the lip, then
 * along the higher of a ballistic curve (1.8 m/s at the lip) and the ground + 0.3 m, down into its pool and
 * on under its surface. */
enum status water_sheet(const struct water_lip *lips, uint32_t count, const struct water_ground_view *ground,
                        struct water_mesh *mesh, struct arena *arena, struct error *err);

#endif
