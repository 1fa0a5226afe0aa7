#include "water/mesh.h"

#include "terrain/math.h"
#include "water/shore.h"
#include <math.h>

static const float DIP_M = 0.12f; /* the surface goes so far under the ground */
static const float OVER_M =
    0.35f; /* and beyond the water's width; 0.6 m more where banks were carved to stop it */

/* What keeps state while a sector is cut: a vertex number for each node and edge, 0: none yet. */
struct cutter {
    const struct water_lattice *l;
    struct water_mesh *mesh;
    int32_t columns, rows;       /* quads */
    int32_t i0, j0;              /* node of the south-west corner in the lattice */
    uint32_t *at_node, *at_edge; /* edge k of node: 0 east, 1 north, 2 north-east */
};

static size_t lattice_index(const struct cutter *c, int32_t i, int32_t j) {
    return (size_t)(c->j0 + j) * (size_t)c->l->grid->width + (size_t)(c->i0 + i);
}

/* Above 0 where there is water; metres, about. */
static float inside(const struct water_lattice *l, size_t n) {
    const struct water_sample *s = &l->samples[n];
    if (!(s->sd < WATER_REACH_M) || (s->flags & PIECE_FALL))
        return -1;
    float over = s->level - l->ground[n];
    float beyond = s->flags & PIECE_CARVE ? OVER_M + 0.6f : OVER_M;
    float f = math_minf(beyond - s->sd, 2 * (over + DIP_M));
    return math_minf(f, water_float_max(s) - over);
}

static void normal_at(const struct water_lattice *l, size_t n, float normal[3]) {
    const struct water_grid *g = l->grid;
    const struct water_sample *s = l->samples;
    float run = 2 * (float)(g->step * g->cell_m), z = s[n].level, d[4];
    const ptrdiff_t to[4] = {1, -1, g->width, -g->width};
    for (int k = 0; k < 4; k++) {
        const struct water_sample *o = &s[(ptrdiff_t)n + to[k]];
        d[k] = o->sd < WATER_REACH_M && fabsf(o->level - z) < run ? o->level : z;
    }
    float nx = (d[1] - d[0]) / run, ny = (d[3] - d[2]) / run;
    float length = sqrtf(nx * nx + ny * ny + 1);
    normal[0] = nx / length;
    normal[1] = ny / length;
    normal[2] = 1 / length;
}

static struct water_vertex vertex_at(const struct cutter *c, int32_t i, int32_t j) {
    const struct water_grid *g = c->l->grid;
    size_t n = lattice_index(c, i, j);
    const struct water_sample *s = &c->l->samples[n];
    struct water_vertex v = {.x = (g->x0 + (c->i0 + i) * g->step) * g->cell_m,
                             .y = (g->y0 + (c->j0 + j) * g->step) * g->cell_m,
                             .z = (double)s->level,
                             .flow = {s->flow_x, s->flow_y},
                             .along = s->along,
                             .shore = math_maxf(0, -s->sd),
                             .foam = water_foam_of(s)};
    normal_at(c->l, n, v.normal);
    return v;
}

/* Places are multiples of 1/1024 m: exact in floats whatever a file's origin. */
static double snapped(double v) {
    return floor(v * 1024 + 0.5) / 1024;
}

static uint32_t add(struct cutter *c, const struct water_vertex *v) {
    struct water_vertex *to = &c->mesh->vertices[c->mesh->vertex_count];
    *to = *v;
    to->x = snapped(v->x);
    to->y = snapped(v->y);
    to->z = snapped(v->z);
    return c->mesh->vertex_count++;
}

static uint32_t node_vertex(struct cutter *c, int32_t i, int32_t j) {
    uint32_t *at = &c->at_node[(size_t)j * (size_t)(c->columns + 1) + (size_t)i];
    if (!*at) {
        struct water_vertex v = vertex_at(c, i, j);
        *at = add(c, &v) + 1;
    }
    return *at - 1;
}

static float mixf(float a, float b, float t) {
    return a + t * (b - a);
}

/* Where the edge from node (i, j), the south-western one, crosses the water's border. */
static uint32_t edge_vertex(struct cutter *c, int32_t i, int32_t j, int k) {
    uint32_t *at = &c->at_edge[3 * ((size_t)j * (size_t)(c->columns + 1) + (size_t)i) + (size_t)k];
    if (*at)
        return *at - 1;
    int32_t i1 = i + (k != 1), j1 = j + (k != 0);
    size_t n0 = lattice_index(c, i, j), n1 = lattice_index(c, i1, j1);
    float f0 = inside(c->l, n0), f1 = inside(c->l, n1), t = f0 / (f0 - f1);
    t = math_maxf(1.0f / 64, math_minf(63.0f / 64, t));
    struct water_vertex a = vertex_at(c, i, j), b = vertex_at(c, i1, j1);
    const struct water_vertex *wet = f0 > 0 ? &a : &b;
    const struct water_sample *dry = &c->l->samples[f0 > 0 ? n1 : n0];
    struct water_vertex v = *wet;
    v.x = a.x + (double)t * (b.x - a.x);
    v.y = a.y + (double)t * (b.y - a.y);
    /* a dry node of a fall, or of water elsewhere, has no say in the height */
    double apart = 1.5 * c->l->grid->step * c->l->grid->cell_m; /* of levels of one water */
    if (dry->sd < WATER_REACH_M && !(dry->flags & PIECE_FALL) && fabs(a.z - b.z) < apart) {
        v.z = a.z + (double)t * (b.z - a.z);
        v.along = fabsf(a.along - b.along) < 16 ? mixf(a.along, b.along, t) : wet->along;
        for (int m = 0; m < 2; m++)
            v.flow[m] = mixf(a.flow[m], b.flow[m], t);
    }
    v.shore = 0;
    v.x = snapped(v.x);
    v.y = snapped(v.y);
    double ground = water_ground_at(c->l->view, v.x, v.y);
    v.z = math_min(math_max(v.z, ground - WATER_EDGE_SINK_M), ground + WATER_EDGE_FLOAT_M);
    return *at = add(c, &v) + 1, *at - 1;
}

static void triangle(struct cutter *c, uint32_t a, uint32_t b, uint32_t d) {
    uint32_t *out = c->mesh->indices + c->mesh->index_count;
    out[0] = a;
    out[1] = b;
    out[2] = d;
    c->mesh->index_count += 3;
}

struct corner {
    int32_t i, j;
    float f;
};

/* The vertex where the edge between two corners crosses. */
static uint32_t crossing(struct cutter *c, const struct corner *a, const struct corner *b) {
    if (b->i < a->i || b->j < a->j) {
        const struct corner *swap = a;
        a = b;
        b = swap;
    }
    return edge_vertex(c, a->i, a->j, b->i == a->i ? 1 : b->j == a->j ? 0 : 2);
}

static void cut_triangle(struct cutter *c, const struct corner corners[3]) {
    uint32_t ring[4], n = 0;
    for (int k = 0; k < 3; k++) {
        const struct corner *a = &corners[k], *b = &corners[(k + 1) % 3];
        if (a->f > 0)
            ring[n++] = node_vertex(c, a->i, a->j);
        if ((a->f > 0) != (b->f > 0))
            ring[n++] = crossing(c, a, b);
    }
    for (uint32_t k = 2; k < n; k++)
        triangle(c, ring[0], ring[k - 1], ring[k]);
}

static void cut_quad(struct cutter *c, int32_t i, int32_t j) {
    struct corner q[4] = {{i, j, 0}, {i + 1, j, 0}, {i + 1, j + 1, 0}, {i, j + 1, 0}};
    bool any = false;
    for (int k = 0; k < 4; k++) {
        q[k].f = inside(c->l, lattice_index(c, q[k].i, q[k].j));
        any |= q[k].f > 0;
    }
    if (!any)
        return;
    cut_triangle(c, (struct corner[3]){q[0], q[1], q[2]});
    cut_triangle(c, (struct corner[3]){q[0], q[2], q[3]});
}

enum status water_surface(const struct water_lattice *lattice, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                          struct water_mesh *mesh, struct arena *arena, struct error *err) {
    const struct water_grid *g = lattice->grid;
    struct cutter c = {
        .l = lattice, .mesh = mesh, .i0 = (x0 - g->x0) / g->step, .j0 = (y0 - g->y0) / g->step};
    c.columns = (x1 - g->x0 + g->step - 1) / g->step - c.i0;
    c.rows = (y1 - g->y0 + g->step - 1) / g->step - c.j0;
    size_t nodes = (size_t)(c.columns + 1) * (size_t)(c.rows + 1);
    *mesh = (struct water_mesh){0};
    size_t wet = 0; /* quads that may have triangles */
    for (int32_t j = -1; j <= c.rows + 1; j++)
        for (int32_t i = -1; i <= c.columns + 1; i++)
            if (i >= 0 && j >= 0 && i <= c.columns && j <= c.rows)
                wet += inside(lattice, lattice_index(&c, i, j)) > 0;
    if (!wet)
        return STATUS_OK;
    mesh->vertices = arena_alloc(arena, 4 * nodes, sizeof *mesh->vertices);
    mesh->indices = arena_alloc(arena, 4 * nodes, 3 * sizeof *mesh->indices);
    c.at_node = arena_alloc(arena, nodes, sizeof *c.at_node);
    c.at_edge = arena_alloc(arena, nodes, 3 * sizeof *c.at_edge);
    if (!mesh->vertices || !mesh->indices || !c.at_node || !c.at_edge)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; i < nodes; i++)
        c.at_node[i] = c.at_edge[3 * i] = c.at_edge[3 * i + 1] = c.at_edge[3 * i + 2] = 0;
    for (int32_t j = 0; j < c.rows; j++)
        for (int32_t i = 0; i < c.columns; i++)
            cut_quad(&c, i, j);
    return STATUS_OK;
}
