/* The sheets of falls. */
#include "terrain/math.h"
#include "water/mesh.h"

#include <math.h>

enum { COLUMNS = 11, PARTS = 2 };
static const double LIP_SPEED = 1.8, GRAVITY = 9.81, OVER_ROCK_M = 0.3, INTO_POOL_M = 0.25,
                    OVER_M = 0.02; /* the water above the lip */

static double sample(const struct grid_f32 *g, int32_t x, int32_t y) {
    x = x < g->x0 ? g->x0 : x >= g->x0 + g->width ? g->x0 + g->width - 1 : x;
    y = y < g->y0 ? g->y0 : y >= g->y0 + g->height ? g->y0 + g->height - 1 : y;
    return (double)*grid_f32_at(g, x, y);
}

double water_ground_at(const struct water_ground_view *ground, double x, double y) {
    double shift = ground->posts ? 0 : 0.5;
    double u = x / ground->cell_m - shift, v = y / ground->cell_m - shift, fu = floor(u), fv = floor(v);
    int32_t i = (int32_t)fu, j = (int32_t)fv;
    double s = u - fu, t = v - fv;
    double south = sample(ground->samples, i, j) * (1 - s) + sample(ground->samples, i + 1, j) * s;
    double north = sample(ground->samples, i, j + 1) * (1 - s) + sample(ground->samples, i + 1, j + 1) * s;
    return south * (1 - t) + north * t;
}

static double lerp(double a, double b, double t) {
    return a + t * (b - a);
}

/* Row k: at a station, or between it and the next. */
static struct water_lip row_of(const struct water_lip *lips, uint32_t count, uint32_t k) {
    uint32_t i = k / PARTS < count - 1 ? k / PARTS : count - 2;
    double t = (double)(k - i * PARTS) / PARTS;
    const struct water_lip *a = &lips[i], *b = &lips[i + 1];
    struct water_lip r = *a;
    if (t >= 1)
        return *b;
    r.x = lerp(a->x, b->x, t);
    r.y = lerp(a->y, b->y, t);
    double nx = lerp(a->nx, b->nx, t), ny = lerp(a->ny, b->ny, t), length = sqrt(nx * nx + ny * ny);
    r.nx = length > 0.1 ? nx / length : a->nx;
    r.ny = length > 0.1 ? ny / length : a->ny;
    r.level = lerp(a->level, b->level, t);
    r.along = lerp(a->along, b->along, t);
    r.away = lerp(a->away, b->away, t);
    r.left = (float)lerp((double)a->left, (double)b->left, t);
    r.right = (float)lerp((double)a->right, (double)b->right, t);
    if (t > 0 && b->part == LIP_BELOW)
        r.part = b->part;
    return r;
}

static struct water_vertex vertex_of(const struct water_lip *r, int32_t column,
                                     const struct water_ground_view *ground) {
    double u = 2.0 * column / (COLUMNS - 1) - 1; /* -1 right .. 1 left */
    double d = u * (double)(u > 0 ? r->left : r->right);
    struct water_vertex v = {.x = r->x + d * r->nx, .y = r->y + d * r->ny, .along = (float)r->along};
    double time = r->away / LIP_SPEED, flight = r->top - 0.5 * GRAVITY * time * time;
    double over = OVER_ROCK_M * (1 - 0.8 * u * u), least = r->bottom - INTO_POOL_M;
    double z = math_max(flight, water_ground_at(ground, v.x, v.y) + over);
    v.z = r->part == LIP_ABOVE   ? r->level + OVER_M
          : r->part == LIP_BELOW ? least
                                 : math_min(math_max(z, least), r->top + OVER_M);
    v.flow[0] = (float)(r->ny * 3); /* downstream is to the right of left */
    v.flow[1] = (float)(-r->nx * 3);
    v.shore = (1 - fabsf((float)u)) * 0.5f * (r->left + r->right);
    v.foam = r->part == LIP_ABOVE ? 0.7f : 1;
    return v;
}

/* A row's, from the surface's two directions. */
static void set_normals(struct water_mesh *mesh, uint32_t rows, uint32_t k) {
    for (uint32_t c = 0; c < COLUMNS; c++) {
        const struct water_vertex *v = mesh->vertices;
        const struct water_vertex *n = &v[(k > 0 ? k - 1 : 0) * COLUMNS + c];
        const struct water_vertex *s = &v[(k + 1 < rows ? k + 1 : k) * COLUMNS + c];
        const struct water_vertex *w = &v[k * COLUMNS + (c > 0 ? c - 1 : 0)];
        const struct water_vertex *e = &v[k * COLUMNS + (c + 1 < COLUMNS ? c + 1 : c)];
        double a[3] = {s->x - n->x, s->y - n->y, s->z - n->z}, b[3] = {e->x - w->x, e->y - w->y, e->z - w->z};
        double m[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
        double l = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        for (int i = 0; i < 3; i++)
            mesh->vertices[k * COLUMNS + c].normal[i] = l > 1e-9 ? (float)(m[i] / l) : i == 2;
    }
}

/* Water does not climb. A row that two parts share stays as it is, and what is above it is raised to it. */
static void settle(struct water_mesh *mesh, uint32_t first, uint32_t last, bool shared_top,
                   bool shared_foot) {
    for (uint32_t c = 0; c < COLUMNS; c++) {
        struct water_vertex *v = mesh->vertices + c;
        for (uint32_t k = first + 1; k + shared_foot <= last; k++)
            v[k * COLUMNS].z = math_min(v[k * COLUMNS].z, v[(k - 1) * COLUMNS].z);
        for (uint32_t k = last; shared_foot && k > first + shared_top; k--)
            v[(k - 1) * COLUMNS].z = math_max(v[(k - 1) * COLUMNS].z, v[k * COLUMNS].z);
    }
}

/* Rows first .. last of it, with normals: those of shared rows from what both parts know. */
static void finish(struct water_mesh *mesh, uint32_t rows, uint32_t first, uint32_t last) {
    bool shared_top = first > 0, shared_foot = last + 1 < rows;
    if (shared_top)
        set_normals(mesh, rows, first);
    if (shared_foot)
        set_normals(mesh, rows, last);
    settle(mesh, first, last, shared_top, shared_foot);
    for (uint32_t k = first + shared_top; k + shared_foot <= last; k++)
        set_normals(mesh, rows, k);
    mesh->vertices += (size_t)first * COLUMNS;
    mesh->vertex_count = (last - first + 1) * COLUMNS;
}

enum status water_sheet(const struct water_lip *lips, uint32_t count, const struct water_ground_view *ground,
                        struct water_mesh *mesh, struct arena *arena, struct error *err) {
    *mesh = (struct water_mesh){0};
    if (count < 2)
        return STATUS_OK;
    uint32_t rows = (count - 1) * PARTS + 1;
    mesh->vertices = arena_alloc(arena, (size_t)rows * COLUMNS, sizeof *mesh->vertices);
    mesh->indices = arena_alloc(arena, (size_t)(rows - 1) * (COLUMNS - 1), 6 * sizeof *mesh->indices);
    if (!mesh->vertices || !mesh->indices)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (uint32_t k = 0; k < rows; k++) {
        struct water_lip r = row_of(lips, count, k);
        for (int32_t c = 0; c < COLUMNS; c++)
            mesh->vertices[mesh->vertex_count++] = vertex_of(&r, c, ground);
    }
    uint32_t first = lips[0].spare ? PARTS : 0;
    finish(mesh, rows, first, rows - 1 - (lips[count - 1].spare ? PARTS : 0));
    rows = mesh->vertex_count / COLUMNS;
    for (uint32_t k = 0; k + 1 < rows; k++)
        for (uint32_t c = 0; c + 1 < COLUMNS; c++) {
            uint32_t a = k * COLUMNS + c, b = a + 1, d = a + COLUMNS, e = d + 1;
            const uint32_t six[6] = {a, d, b, b, d, e};
            for (int i = 0; i < 6; i++)
                mesh->indices[mesh->index_count++] = six[i];
        }
    return STATUS_OK;
}
