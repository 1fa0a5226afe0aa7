#include "cliff/surface.h"

#include "cliff/edges.h"
#include "cliff/lattice.h"
#include "cliff/support.h"

#include <math.h>
#include <string.h>

enum { NO_CUBE = -1 };
enum { BISECTIONS = 4 };
/* A vertex keeps this share of its cube away from the cube's faces. */
static const double inside_share = 1.0 / 32;
/* Pulls a vertex to the middle of its crossings where the faces leave it free. */
static const float pull = 0.04f;

/* Sums over the crossings of a cube, relative to its middle, in metres. */
struct cube {
    float a[6], b[3], mass[3];
    int32_t count, i, j, k;
};

struct work {
    struct cliff_field *field;
    struct cliff_surface *out;
    struct lattice lattice;
    int32_t *cubes_at;  /* by sample */
    struct cube *cubes; /* NULL while they are counted */
    bool *deep;         /* by vertex: wholly under the ground */
    uint32_t cube_count;
    struct cliff_edges edges;
    int32_t (*around)[4]; /* by edge: the numbers of its cubes */
    double step, step_z;
};

static struct lattice_column *column(const struct work *w, int32_t i, int32_t j) {
    return lattice_at(&w->lattice, i, j);
}

/* ---- samples ---- */

/* near: whether rock may stand there, of blocks that reach `most` metres beyond steep ground. */
static const struct cliff_node *node(const struct cliff_nodes *n, int32_t i, int32_t j, float most_m,
                                     bool *near) {
    int32_t most = (int32_t)most_m;
    size_t at = (size_t)(j - n->y0) * (size_t)n->width + (size_t)(i - n->x0);
    *near = n->near[at] >= NODE_NEAR && n->near[at] - NODE_NEAR <= most;
    return &n->nodes[at];
}

/* A column's samples: from below the lowest sheet around it to above the highest rock, so that every crossing
 * of its neighbours lies between samples of its own. */
static void plan_column(const struct work *w, int32_t i, int32_t j, struct lattice_column *c) {
    const struct cliff_nodes *n = w->field->nodes;
    double lo = 1e18, hi = -1e18;
    bool near;
    *c = (struct lattice_column){0};
    node(n, i, j, w->field->reach_m, &near);
    if (!near)
        return;
    for (int32_t b = j - 1; b <= j + 1; b++)
        for (int32_t a = i - 1; a <= i + 1; a++) {
            const struct cliff_node *at = node(n, a, b, w->field->reach_m, &near);
            double low = cliff_lowest(at), high = cliff_highest(at);
            lo = low < lo ? low : lo;
            hi = high > hi ? high : hi;
        }
    c->k0 = (int32_t)floor(lo / w->step_z) - 2;
    c->count = (int32_t)ceil(hi / w->step_z) + 2 - c->k0;
}

static void sample_column(struct work *w, int32_t i, int32_t j) {
    struct lattice_column *c = column(w, i, j);
    if (c->count == 0)
        return;
    struct cliff_column at;
    cliff_column_node(w->field, i, j, &at);
    c->rock = at.node.cover > 0.5f;
    c->base = (int32_t)floor(at.base / w->step_z);
    struct cliff_sample *s = w->lattice.samples + c->at;
    double high = cliff_highest(&at.node);
    for (int32_t k = 0; k < c->count; k++) {
        double z = (c->k0 + k) * w->step_z;
        if (z > high) /* samples for its neighbours' sake */
            s[k] = (struct cliff_sample){(float)(z - at.base) * at.cosine, CLIFF_BASE};
        else
            s[k] = cliff_field_at(w->field, &at, z);
    }
    memset(w->cubes_at + c->at, 0xff, (size_t)c->count * sizeof *w->cubes_at); /* NO_CUBE */
    w->out->count.samples += (uint64_t)c->count;
    w->out->count.columns++;
}

static bool sample_all(struct work *w, struct arena *scratch) {
    size_t columns = (size_t)w->lattice.width * (size_t)w->lattice.height, total = 0;
    w->lattice.columns = arena_alloc(scratch, columns, sizeof *w->lattice.columns);
    if (!w->lattice.columns)
        return false;
    for (int32_t j = w->lattice.y0; j < w->lattice.y0 + w->lattice.height; j++)
        for (int32_t i = w->lattice.x0; i < w->lattice.x0 + w->lattice.width; i++) {
            struct lattice_column *c = column(w, i, j);
            plan_column(w, i, j, c);
            if (c->count * w->step_z > w->out->limit.tall_m) {
                w->out->limit.tall_m = c->count * w->step_z;
                w->out->limit.x_m = i * w->step;
                w->out->limit.y_m = j * w->step;
            }
            c->at = total;
            total += (size_t)c->count;
        }
    w->out->limit.samples = total;
    if (total > CLIFF_SAMPLES_MAX) {
        w->out->limit.over = true;
        return false;
    }
    w->lattice.sample_count = total;
    w->lattice.samples = arena_alloc(scratch, total + 1, sizeof *w->lattice.samples);
    w->cubes_at = arena_alloc(scratch, total + 1, sizeof *w->cubes_at);
    if (!w->lattice.samples || !w->cubes_at)
        return false;
    for (int32_t j = w->lattice.y0; j < w->lattice.y0 + w->lattice.height; j++)
        for (int32_t i = w->lattice.x0; i < w->lattice.x0 + w->lattice.width; i++)
            sample_column(w, i, j);
    if (w->field->full || !cliff_support(w->field->params, &w->lattice, scratch))
        return false;
    for (size_t n = 0; n < columns; n++) {
        struct lattice_column *c = &w->lattice.columns[n];
        for (size_t k = c->at; k < c->at + (size_t)c->count; k++)
            c->rock |= w->lattice.samples[k].f < 0 && w->lattice.samples[k].block != CLIFF_BASE;
    }
    return true;
}

/* ---- crossings ---- */

struct crossing {
    float point[3], normal[3]; /* relative to the edge's lower end [m] */
};

/* An edge with a crossing, and the samples at its ends. */
struct edge {
    int32_t i, j, k, axis;
    struct cliff_sample from, to;
};

/* The place in plan of a point of an edge, t from its lower end. */
static void place_on_edge(const struct work *w, const struct edge *e, double t, struct cliff_column *at) {
    if (e->axis != 2)
        cliff_column_edge(w->field, e->i, e->j, e->axis, t, at);
}

/* Halves the edge until the crossing is known to 1/16 of it; from and to become the samples beside it. */
static double bisect(struct work *w, struct edge *e, struct cliff_column *at) {
    double t0 = 0, t1 = 1, z = e->k * w->step_z, up_m = e->axis == 2 ? w->step_z : 0;
    for (int32_t n = 0; n < BISECTIONS; n++) {
        double t = 0.5 * (t0 + t1);
        place_on_edge(w, e, t, at);
        struct cliff_sample middle = cliff_field_at(w->field, at, z + t * up_m);
        w->out->count.bisections++;
        if ((middle.f < 0) == (e->from.f < 0)) {
            e->from = middle;
            t0 = t;
        } else {
            e->to = middle;
            t1 = t;
        }
    }
    return 0.5 * (t0 + t1);
}

/* Where an edge crosses the face. Within one block the field is nearly straight: a step of regula falsi finds
 * it. */
static struct crossing cross(struct work *w, const struct cliff_column *foot, struct edge e) {
    struct cliff_column at = *foot;
    double z = e.k * w->step_z, up_m = e.axis == 2 ? w->step_z : 0, t;
    if (e.from.block == e.to.block) {
        t = (double)(e.from.f / (e.from.f - e.to.f));
        if (e.from.block != CLIFF_BASE) {
            place_on_edge(w, &e, t, &at);
            float f = cliff_block_field(w->field, &at, e.from.block, z + t * up_m);
            t = (f < 0) == (e.from.f < 0) ? t + (1 - t) * (double)(f / (f - e.to.f))
                                          : t * (double)(e.from.f / (e.from.f - f));
        }
    } else {
        t = bisect(w, &e, &at);
    }
    place_on_edge(w, &e, t, &at);
    struct crossing out = {{0, 0, 0}, {0, 0, 0}};
    out.point[e.axis] = (float)(t * (e.axis == 2 ? w->step_z : w->step));
    bool up = e.from.f < 0;
    cliff_face_normal(w->field, &at, z + t * up_m, up ? e.from.block : e.to.block,
                      up ? e.to.block : e.from.block, e.axis, up ? 1.0f : -1.0f, out.normal);
    return out;
}

/* The four cubes around an edge, counterclockwise seen from its upper end. */
static const int8_t around[3][4][3] = {{{0, -1, -1}, {0, 0, -1}, {0, 0, 0}, {0, -1, 0}},
                                       {{-1, 0, -1}, {-1, 0, 0}, {0, 0, 0}, {0, 0, -1}},
                                       {{-1, -1, 0}, {0, -1, 0}, {0, 0, 0}, {-1, 0, 0}}};

/* The cubes around an edge get numbers; NO_CUBE where there are no samples. */
static void number_cubes(struct work *w, const struct cliff_column *foot, const struct edge *e,
                         int32_t *cubes) {
    (void)foot;
    for (int32_t q = 0; q < 4; q++) {
        const int8_t *d = around[e->axis][q];
        cubes[q] = NO_CUBE;
        if (e->i + d[0] < w->lattice.x0 || e->j + d[1] < w->lattice.y0)
            continue; /* a cube of the rim, which nobody reads */
        const struct lattice_column *col = column(w, e->i + d[0], e->j + d[1]);
        if (!lattice_has(col, e->k + d[2]))
            continue;
        int32_t *at = &w->cubes_at[col->at + (size_t)(e->k + d[2] - col->k0)];
        if (*at == NO_CUBE)
            *at = (int32_t)w->cube_count++;
        cubes[q] = *at;
    }
}

static void add_crossing(struct cube *cube, const float n[3], const float p[3]) {
    float along = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
    cube->a[0] += n[0] * n[0];
    cube->a[1] += n[0] * n[1];
    cube->a[2] += n[0] * n[2];
    cube->a[3] += n[1] * n[1];
    cube->a[4] += n[1] * n[2];
    cube->a[5] += n[2] * n[2];
    for (int32_t r = 0; r < 3; r++) {
        cube->b[r] += n[r] * along;
        cube->mass[r] += p[r];
    }
    cube->count++;
}

static void cross_edge(struct work *w, const struct cliff_column *foot, const struct edge *e,
                       int32_t *cubes) {
    struct crossing c = cross(w, foot, *e);
    float half = (float)(0.5 * w->step), half_z = (float)(0.5 * w->step_z);
    for (int32_t q = 0; q < 4; q++) {
        const int8_t *d = around[e->axis][q];
        if (cubes[q] == NO_CUBE)
            continue;
        struct cube *cube = &w->cubes[cubes[q]];
        cube->i = e->i + d[0];
        cube->j = e->j + d[1];
        cube->k = e->k + d[2];
        const float p[3] = {c.point[0] - half * (float)(1 + 2 * d[0]),
                            c.point[1] - half * (float)(1 + 2 * d[1]),
                            c.point[2] - half_z * (float)(1 + 2 * d[2])};
        add_crossing(cube, c.normal, p);
    }
}

/* cubes: the numbers of the four around the edge. */
typedef void edge_call(struct work *w, const struct cliff_column *foot, const struct edge *edge,
                       int32_t *cubes);

static void walk_column(struct work *w, int32_t i, int32_t j, edge_call *call) {
    const struct lattice_column *c = column(w, i, j);
    size_t n = (size_t)(c - w->lattice.columns);
    uint32_t at = w->edges.first[n], end = w->edges.first[n + 1];
    if (at == end)
        return;
    struct cliff_column foot;
    cliff_column_node(w->field, i, j, &foot);
    for (; at < end; at++) {
        int32_t k = (int32_t)(w->edges.edges[at] >> 2), axis = (int32_t)(w->edges.edges[at] & 3);
        const struct lattice_column *b = column(w, i + (axis == 0), j + (axis == 1));
        int32_t other = c->k0 + k + (axis == 2) - b->k0;
        struct edge edge = {i,
                            j,
                            c->k0 + k,
                            axis,
                            w->lattice.samples[c->at + (size_t)k],
                            w->lattice.samples[b->at + (size_t)other]};
        call(w, &foot, &edge, w->around[at]);
    }
}

/* ---- vertices ---- */

/* (A + pull I) x = b + pull * middle of the crossings; A is symmetric and not negative, so Cholesky works. */
static void solve(const struct cube *c, float x[3]) {
    float l = pull * (float)c->count, per = 1.0f / (float)c->count, r[3], m[3];
    for (int32_t k = 0; k < 3; k++) {
        m[k] = c->mass[k] * per;
        r[k] = c->b[k] + l * m[k];
    }
    float a00 = c->a[0] + l, a11 = c->a[3] + l, a22 = c->a[5] + l;
    float l00 = sqrtf(a00), l10 = c->a[1] / l00, l20 = c->a[2] / l00;
    float l11 = sqrtf(a11 - l10 * l10), l21 = (c->a[4] - l20 * l10) / l11;
    float l22 = sqrtf(a22 - l20 * l20 - l21 * l21);
    float y0 = r[0] / l00, y1 = (r[1] - l10 * y0) / l11, y2 = (r[2] - l20 * y0 - l21 * y1) / l22;
    x[2] = y2 / l22;
    x[1] = (y1 - l21 * x[2]) / l11;
    x[0] = (y0 - l10 * x[1] - l20 * x[2]) / l00;
}

static double keep_inside(double v, double half) {
    double most = half * (1 - 2 * inside_share);
    return v > most ? most : v >= -most ? v : -most; /* NaN: -most */
}

static void place_vertex(const struct work *w, const struct cube *c, const int64_t origin[2],
                         struct cliff_vertex *out, bool *deep) {
    float x[3];
    solve(c, x);
    double mx = (c->i + 0.5) * w->step + keep_inside((double)x[0], 0.5 * w->step);
    double my = (c->j + 0.5) * w->step + keep_inside((double)x[1], 0.5 * w->step);
    double mz = (c->k + 0.5) * w->step_z + keep_inside((double)x[2], 0.5 * w->step_z);
    *out = (struct cliff_vertex){(int32_t)(cliff_quanta(mx) - origin[0]),
                                 (int32_t)(cliff_quanta(my) - origin[1]), (int32_t)cliff_quanta(mz)};
    *deep = (double)cliff_ground_at(w->field, mx, my) - mz > CLIFF_BURIED_M;
}

/* ---- quads ---- */

static int64_t area2(const int64_t a[2], const int64_t b[2], const int64_t c[2]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
static void face_vector(const struct cliff_vertex *a, const struct cliff_vertex *b,
                        const struct cliff_vertex *c, double n[3]) {
    double ux = b->x - a->x, uy = b->y - a->y, uz = b->z - a->z;
    double vx = c->x - a->x, vy = c->y - a->y, vz = c->z - a->z;
    n[0] = uy * vz - uz * vy, n[1] = uz * vx - ux * vz, n[2] = ux * vy - uy * vx;
}
static double flatness(const struct cliff_vertex *const v[4], int32_t from) {
    double a[3], b[3];
    face_vector(v[from], v[from + 1], v[(from + 2) & 3], a);
    face_vector(v[from], v[(from + 2) & 3], v[(from + 3) & 3], b);
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    double lengths = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    return dot / sqrt(lengths);
}

/* Which diagonal: 0 (v0 v2) or 1 (v1 v3). Seen along the edge the quad's corners lie in four quadrants around
 * it, so at least one diagonal leaves both halves the right way round; of two the flatter one. */
static int32_t diagonal(const struct cliff_vertex *const v[4], int32_t axis) {
    int64_t p[4][2];
    for (int32_t q = 0; q < 4; q++) {
        int64_t c[3] = {v[q]->x, v[q]->y, v[q]->z};
        p[q][0] = c[(axis + 1) % 3];
        p[q][1] = c[(axis + 2) % 3];
    }
    bool first = area2(p[0], p[1], p[2]) > 0 && area2(p[0], p[2], p[3]) > 0;
    bool second = area2(p[1], p[2], p[3]) > 0 && area2(p[1], p[3], p[0]) > 0;
    if (first && second)
        return flatness(v, 1) > flatness(v, 0);
    return second;
}

static int32_t bed_of(const struct work *w, const struct cliff_column *foot, const struct edge *e) {
    bool up = e->from.f < 0;
    int32_t block = up ? e->from.block : e->to.block;
    if (block != CLIFF_BASE)
        return w->field->blocks[block].bed;
    struct cliff_column at = *foot;
    if (!up && e->axis != 2)
        cliff_column_node(w->field, e->i + (e->axis == 0), e->j + (e->axis == 1), &at);
    return cliff_bed_at(w->field, &at, (e->k + (!up && e->axis == 2)) * w->step_z);
}

static void emit_quad(struct work *w, const struct cliff_column *foot, const struct edge *e, int32_t *cubes) {
    const struct cliff_vertex *v[4];
    bool all_deep = true;
    for (int32_t q = 0; q < 4; q++) {
        if (cubes[q] == NO_CUBE)
            return;
        v[q] = &w->out->vertices[cubes[q]];
        all_deep &= w->deep[cubes[q]];
    }
    if (all_deep)
        return;
    int32_t turn = diagonal(v, e->axis);
    struct cliff_quad *quad = &w->out->quads[w->out->quad_count++];
    bool up = e->from.f < 0;
    for (int32_t q = 0; q < 4; q++)
        quad->v[q] = (uint32_t)cubes[(turn + (up ? q : 4 - q)) & 3];
    quad->bed = w->field->beds[bed_of(w, foot, e)].bed.id;
}

/* ---- all of it ---- */

static void walk(struct work *w, const int32_t window[4], edge_call *call) {
    for (int32_t j = window[1]; j < window[3]; j++)
        for (int32_t i = window[0]; i < window[2]; i++)
            walk_column(w, i, j, call);
}

static bool make_vertices(struct work *w, struct arena *scratch) {
    struct cliff_surface *out = w->out;
    const int32_t window[4] = {out->x0 - 2, out->y0 - 2, out->x1 + 2, out->y1 + 2};
    if (!cliff_edges_find(&w->lattice, window, CLIFF_QUADS_MAX, scratch, &w->edges))
        return false;
    out->limit.quads = w->edges.crossed;
    if (w->edges.crossed > CLIFF_QUADS_MAX) {
        out->limit.over = true;
        return false;
    }
    w->around = arena_alloc(scratch, (size_t)w->edges.count + 1, sizeof *w->around);
    if (!w->around)
        return false;
    walk(w, window, number_cubes);
    out->vertex_count = w->cube_count;
    out->quads = arena_alloc(scratch, (size_t)w->edges.count + 1, sizeof *out->quads);
    out->vertices = arena_alloc(scratch, (size_t)out->vertex_count + 1, sizeof *out->vertices);
    w->deep = arena_alloc(scratch, (size_t)out->vertex_count + 1, sizeof *w->deep);
    size_t mark = arena_mark(scratch), cubes = (size_t)w->cube_count + 1;
    w->cubes = arena_alloc(scratch, cubes, sizeof *w->cubes);
    size_t behind = arena_mark(scratch);
    if (!out->quads || !out->vertices || !w->deep || !w->cubes)
        return false;
    memset(w->cubes, 0, cubes * sizeof *w->cubes);
    walk(w, window, cross_edge);
    if (w->field->full)
        return false;
    int64_t origin[2] = {cliff_quanta(out->x0 * w->step), cliff_quanta(out->y0 * w->step)};
    for (uint32_t v = 0; v < w->cube_count; v++)
        place_vertex(w, &w->cubes[v], origin, &out->vertices[v], &w->deep[v]);
    if (arena_mark(scratch) == behind) /* no blocks were put there */
        arena_release(scratch, mark);
    return true;
}

bool cliff_surface_make(struct cliff_field *field, const int32_t window[4], struct arena *scratch,
                        struct cliff_surface *out) {
    *out = (struct cliff_surface){
        .x0 = window[0], .y0 = window[1], .x1 = window[2], .y1 = window[3], .step_m = field->params->step_m};
    int32_t rim = CLIFF_RIM + cliff_support_reach(field->params);
    struct work w = {.field = field,
                     .out = out,
                     .lattice = {.x0 = window[0] - rim,
                                 .y0 = window[1] - rim,
                                 .width = window[2] - window[0] + 2 * rim,
                                 .height = window[3] - window[1] + 2 * rim},
                     .step = field->params->step_m,
                     .step_z = field->params->step_z_m};
    int32_t columns = window[2] - window[0] + 2, rows = window[3] - window[1] + 2;
    out->first_quad = arena_alloc(scratch, (size_t)columns * (size_t)rows + 1, sizeof *out->first_quad);
    if (!out->first_quad || !sample_all(&w, scratch) || !make_vertices(&w, scratch))
        return false;
    out->quad_count = 0;
    uint32_t *first = out->first_quad;
    for (int32_t j = window[1] - 1; j <= window[3]; j++)
        for (int32_t i = window[0] - 1; i <= window[2]; i++) {
            *first++ = out->quad_count;
            walk_column(&w, i, j, emit_quad);
        }
    *first = out->quad_count;
    return !field->full;
}
