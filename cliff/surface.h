/* Owns the rock's surface: the field polygonised by dual contouring (Ju, Losasso, Schaefer, Warren 2002) on a
 * world-aligned lattice, one vertex a cube, kept strictly inside its cube, at multiples of 1/1024 m. So
 * neighbours agree bit for bit, no triangle has zero area or is turned over, and edges are bounded by the
 * lattice. What is wholly deeper than 0.6 m under the ground is left out: the border that remains is buried.
 *
 * A quad belongs to the lattice edge that it crosses, an edge to the lattice column of its lower end. */
#ifndef CLIFF_SURFACE_H
#define CLIFF_SURFACE_H
#include "cliff/field.h"

static const double CLIFF_QUANTUM = 1024; /* positions: steps a metre */
static const double CLIFF_BURIED_M = 0.6;
/* What one window may hold, in 0.4 GiB: beyond it memory would run away on ground that jumps by hundreds of
 * metres. 256 x 256 m of steep ground take 3 M samples and 0.5 M quads. */
enum { CLIFF_SAMPLES_MAX = 16 << 20, CLIFF_QUADS_MAX = 1 << 20 };

struct cliff_quad {
    uint32_t v[4]; /* counterclockwise seen from the air; split along v[0] v[2] */
    uint32_t bed;  /* strata_bed.id */
};
struct cliff_vertex {
    int32_t x, y, z; /* quanta from the window's south-west corner; z from 0 */
};
struct cliff_surface {
    int32_t x0, y0, x1, y1; /* lattice columns of the window; quads of one column around it are there too */
    double step_m;
    struct cliff_vertex *vertices;
    uint32_t vertex_count;
    struct cliff_quad *quads;
    uint32_t quad_count;
    uint32_t *first_quad; /* by column, from (x0 - 1, y0 - 1), rows of (x1 - x0 + 2); and one more */
    struct {
        bool over;
        uint64_t samples, quads; /* that it would take; quads 0: not yet known */
        double x_m, y_m, tall_m; /* the column with most samples, and how high they reach */
    } limit;
    struct {
        uint64_t samples, bisections, columns; /* what was done, for the bench */
    } count;
};

/* window: lattice columns x0 y0 x1 y1. The field's nodes reach cliff_nodes_margin beyond. False: too little
 * scratch, or out->limit.over: more rock than a window may hold, which is found before the work. */
bool cliff_surface_make(struct cliff_field *field, const int32_t window[4], struct arena *scratch,
                        struct cliff_surface *out);

/* A sector's share: its own quads first, then those of one column around it (normals and projections read
 * them). */
struct cliff_mesh {
    struct cliff_vertex *vertices; /* quanta from the sector's south-west corner; z from 0 */
    struct cliff_quad *quads;
    uint32_t vertex_count, own_count, quad_count;
};
/* columns: x0 y0 x1 y1, inside the surface's window. origin: the column and row from which positions count.
 */
bool cliff_surface_sector(const struct cliff_surface *surface, const int32_t columns[4],
                          const int32_t origin[2], struct arena *scratch, struct cliff_mesh *out);

/* The corners of triangle t of a mesh, 0 <= t < 2 * quad_count. */
static inline void cliff_triangle(const struct cliff_mesh *mesh, uint32_t t, uint32_t corners[3]) {
    const uint32_t *v = mesh->quads[t / 2].v;
    corners[0] = v[0];
    corners[1] = v[1 + t % 2];
    corners[2] = v[2 + t % 2];
}

/* Quanta of a lattice place. */
static inline int64_t cliff_quanta(double metres) {
    double q = metres * CLIFF_QUANTUM + 0.5;
    int64_t i = (int64_t)q;
    return i - ((double)i > q);
}

#endif
