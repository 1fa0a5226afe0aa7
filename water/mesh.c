#include "water/mesh.h"

#include "terrain/math.h"
#include "water/nodes.h"
#include "water/shore.h"
#include <math.h>

/* The ways of edges from their south-western node, in units. */
enum { WAYS = 7 };
static const int8_t ways[WAYS][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}, {2, 2}};

static const float WALL_M = 1.5f;
static const double WALL_SLOPE = 1.0, SHEET_NEAR_M = 3;

/* What keeps state while a sector is cut: a vertex number for each node and edge, 0: none yet. */
struct cutter {
    struct water_nodes nodes;
    struct water_mesh *mesh;
    int32_t width; /* nodes, in units */
    uint32_t *at_node, *at_edge;
};

static void normal_at(const struct water_node *n, float normal[3]) {
    const struct water_sample *s = n->s;
    float run = 2 * (float)n->run_m, z = s->level, d[4];
    const ptrdiff_t to[4] = {n->east, -n->east, n->north, -n->north};
    for (int k = 0; k < 4; k++) {
        const struct water_sample *o = s + to[k];
        d[k] = o->sd < WATER_REACH_M && fabsf(o->level - z) < run ? o->level : z;
    }
    float nx = (d[1] - d[0]) / run, ny = (d[3] - d[2]) / run;
    float length = sqrtf(nx * nx + ny * ny + 1);
    normal[0] = nx / length;
    normal[1] = ny / length;
    normal[2] = 1 / length;
}

static struct water_vertex vertex_at(const struct water_node *n) {
    const struct water_sample *s = n->s;
    struct water_vertex v = {.x = n->x,
                             .y = n->y,
                             .z = (double)s->level,
                             .flow = {s->flow_x, s->flow_y},
                             .along = s->along,
                             .shore = math_maxf(0, -s->sd),
                             .foam = water_foam_of(s)};
    normal_at(n, v.normal);
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

static float mixf(float a, float b, float t) {
    return a + t * (b - a);
}

/* Whether a fall's sheet stands within SHEET_NEAR_M of a place. */
static bool sheet_near(const struct water_set *set, double x, double y) {
    for (uint32_t i = 0; set && i < set->lip_count; i++) {
        double dx = x - set->lips[i].x, dy = y - set->lips[i].y, d2 = dx * dx + dy * dy;
        double side = set->lips[i].nx * dx + set->lips[i].ny * dy, along2 = d2 - side * side;
        if (along2 < SHEET_NEAR_M * SHEET_NEAR_M &&
            fabs(side) < SHEET_NEAR_M + (double)(side > 0 ? set->lips[i].left : set->lips[i].right))
            return true;
    }
    return false;
}

/* Where the edge between two nodes, the south-western one first, crosses the water's border. */
static struct water_vertex border_vertex(const struct cutter *c, const struct water_node *a,
                                         const struct water_node *b) {
    double level, t = water_crossing(&c->nodes, a, b, &level);
    struct water_vertex va = vertex_at(a), vb = vertex_at(b), v = a->inside > 0 ? va : vb;
    /* a dry node of a fall, or of water elsewhere, has no say */
    if (water_same_surface(&c->nodes, a, b)) {
        v.along = fabsf(va.along - vb.along) < 16 ? mixf(va.along, vb.along, (float)t) : v.along;
        for (int m = 0; m < 2; m++)
            v.flow[m] = mixf(va.flow[m], vb.flow[m], (float)t);
    }
    v.shore = 0;
    v.x = snapped(va.x + t * (vb.x - va.x));
    v.y = snapped(va.y + t * (vb.y - va.y));
    double ground = water_ground_at(c->nodes.l->view, v.x, v.y);
    bool fall = ((a->s->flags | b->s->flags) & PIECE_FALL) ||
                (fabs(ground - level) > WATER_EDGE_OFF_M && sheet_near(c->nodes.l->set, v.x, v.y));
    v.z = math_min(math_max(level, ground - WATER_EDGE_SINK_M), ground + WATER_EDGE_FLOAT_M);
    v.z = math_min(v.z, level + (fall ? 0 : WATER_EDGE_OFF_M));
    if (fall)
        v.z = math_max(v.z, level - WATER_EDGE_OFF_M);
    return v;
}

static void triangle(struct cutter *c, uint32_t a, uint32_t b, uint32_t d) {
    uint32_t *out = c->mesh->indices + c->mesh->index_count;
    out[0] = a;
    out[1] = b;
    out[2] = d;
    c->mesh->index_count += 3;
}

/* A corner of a triangle of the lattice. */
struct corner {
    int32_t u, v;
    struct water_node at;
};

static struct corner corner_at(const struct cutter *c, int32_t u, int32_t v) {
    return (struct corner){u, v, water_node_at(&c->nodes, u, v)};
}

static size_t number_of(const struct cutter *c, const struct corner *k) {
    return (size_t)k->v * (size_t)c->width + (size_t)k->u;
}

static uint32_t node_vertex(struct cutter *c, const struct corner *k) {
    uint32_t *at = &c->at_node[number_of(c, k)];
    if (!*at) {
        struct water_vertex v = vertex_at(&k->at);
        *at = add(c, &v) + 1;
    }
    return *at - 1;
}

static uint32_t edge_vertex(struct cutter *c, const struct corner *a, const struct corner *b) {
    if (b->v < a->v || (b->v == a->v && b->u < a->u)) {
        const struct corner *swap = a;
        a = b;
        b = swap;
    }
    size_t way = 0;
    while (way + 1 < WAYS && (ways[way][0] != b->u - a->u || ways[way][1] != b->v - a->v))
        way++;
    uint32_t *at = &c->at_edge[WAYS * number_of(c, a) + way];
    if (!*at) {
        struct water_vertex v = border_vertex(c, &a->at, &b->at);
        *at = add(c, &v) + 1;
    }
    return *at - 1;
}

/* Whether corners in water above and below a fall are those of a triangle: the fall stands between nodes. */
static bool spans_fall(const struct cutter *c, const struct corner *corners[3]) {
    float low = (float)INFINITY, high = -(float)INFINITY;
    for (int k = 0; k < 3; k++) {
        if (corners[k]->at.inside <= 0)
            continue;
        low = math_minf(low, corners[k]->at.s->level);
        high = math_maxf(high, corners[k]->at.s->level);
    }
    double x = (corners[0]->at.x + corners[1]->at.x + corners[2]->at.x) / 3;
    double y = (corners[0]->at.y + corners[1]->at.y + corners[2]->at.y) / 3;
    return high - low > WALL_M && (double)(high - low) > WALL_SLOPE * c->nodes.spacing_m &&
           sheet_near(c->nodes.l->set, x, y);
}

static void cut_triangle(struct cutter *c, const struct corner *p, const struct corner *q,
                         const struct corner *r) {
    const struct corner *corners[3] = {p, q, r};
    uint32_t ring[4], n = 0;
    if (spans_fall(c, corners))
        return;
    for (int k = 0; k < 3; k++) {
        const struct corner *a = corners[k], *b = corners[(k + 1) % 3];
        if (a->at.inside > 0)
            ring[n++] = node_vertex(c, a);
        if ((a->at.inside > 0) != (b->at.inside > 0))
            ring[n++] = edge_vertex(c, a, b);
    }
    for (uint32_t k = 2; k < n; k++)
        triangle(c, ring[0], ring[k - 1], ring[k]);
}

/* The quad whose south-western node is (u, v), `size` units wide. */
static void cut_quad(struct cutter *c, int32_t u, int32_t v, int32_t size) {
    struct corner a = corner_at(c, u, v), b = corner_at(c, u + size, v), d = corner_at(c, u + size, v + size),
                  e = corner_at(c, u, v + size);
    cut_triangle(c, &a, &b, &d);
    cut_triangle(c, &a, &d, &e);
}

/* A whole quad beside split ones: around its middle, with the nodes between that its neighbours have. */
static void cut_fan(struct cutter *c, int32_t i, int32_t j) {
    static const int8_t around[8][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    const struct water_nodes *n = &c->nodes;
    const bool has[4] = {water_quad(n, i, j - 1) & QUAD_SPLIT, water_quad(n, i + 1, j) & QUAD_SPLIT,
                         water_quad(n, i, j + 1) & QUAD_SPLIT, water_quad(n, i - 1, j) & QUAD_SPLIT};
    struct corner middle = corner_at(c, 2 * i + 1, 2 * j + 1), ring[8];
    int count = 0;
    for (int k = 0; k < 8; k++)
        if (k % 2 == 0 || has[k / 2])
            ring[count++] = corner_at(c, 2 * i + around[k][0], 2 * j + around[k][1]);
    for (int k = 0; k < count; k++)
        cut_triangle(c, &ring[k], &ring[(k + 1) % count], &middle);
}

static void cut_quads(struct cutter *c) {
    const struct water_nodes *n = &c->nodes;
    for (int32_t j = 0; j < n->rows; j++)
        for (int32_t i = 0; i < n->columns; i++) {
            uint8_t beside = (water_quad(n, i - 1, j) | water_quad(n, i + 1, j) | water_quad(n, i, j - 1) |
                              water_quad(n, i, j + 1)) &
                             QUAD_SPLIT;
            if (water_quad(n, i, j) & QUAD_SPLIT) {
                for (int k = 0; k < 4; k++)
                    cut_quad(c, 2 * i + k % 2, 2 * j + k / 2, 1);
            } else if (beside) {
                cut_fan(c, i, j);
            } else if (water_quad(n, i, j) & QUAD_WET) {
                cut_quad(c, n->unit * i, n->unit * j, n->unit);
            }
        }
}

static bool any_water(const struct water_nodes *n) {
    for (int32_t j = 0; j < n->rows; j++)
        for (int32_t i = 0; i < n->columns; i++)
            if (water_quad(n, i, j) & QUAD_WET)
                return true;
    return n->unit == 2;
}

enum status water_surface(const struct water_lattice *lattice, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                          struct water_mesh *mesh, struct arena *arena, struct error *err) {
    struct cutter c = {.mesh = mesh};
    *mesh = (struct water_mesh){0};
    enum status status = water_nodes_over(lattice, x0, y0, x1, y1, &c.nodes, arena, err);
    if (status != STATUS_OK || !any_water(&c.nodes))
        return status;
    c.width = c.nodes.columns * c.nodes.unit + 1;
    size_t nodes = (size_t)c.width * (size_t)(c.nodes.rows * c.nodes.unit + 1);
    mesh->vertices = arena_alloc(arena, 4 * nodes, sizeof *mesh->vertices);
    mesh->indices = arena_alloc(arena, 4 * nodes, 3 * sizeof *mesh->indices);
    c.at_node = arena_alloc(arena, nodes, sizeof *c.at_node);
    c.at_edge = arena_alloc(arena, nodes, WAYS * sizeof *c.at_edge);
    if (!mesh->vertices || !mesh->indices || !c.at_node || !c.at_edge)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; i < nodes; i++)
        c.at_node[i] = 0;
    for (size_t i = 0; i < WAYS * nodes; i++)
        c.at_edge[i] = 0;
    cut_quads(&c);
    return STATUS_OK;
}
