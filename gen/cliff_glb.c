#include "gen/cliff_glb.h"

#include "cliff/erosion.h"
#include "cliff/normals.h"
#include "gen/glb.h"
#include "terrain/math.h"
#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

struct making {
    const struct cliff_glb_params *params;
    const struct cliff_mesh *mesh;
    struct arena *scratch;
    float *positions; /* of the mesh's vertices, then of the flaps' */
    uint32_t vertex_count;
    uint32_t *all; /* own triangles */
    size_t all_count;
};

/* ---- borders ---- */

struct side {
    uint32_t a, b;
    int32_t turn;
};
static int side_order(const void *left, const void *right) {
    const struct side *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b != b->b ? (a->b < b->b ? -1 : 1) : 0;
}

/* Marks the vertices of open sides. */
static bool find_border(const struct making *m, bool *border) {
    struct side *sides = arena_alloc(m->scratch, m->all_count, sizeof *sides);
    if (!sides)
        return false;
    for (size_t i = 0; i < m->all_count; i++) {
        uint32_t a = m->all[i], b = m->all[i % 3 == 2 ? i - 2 : i + 1];
        sides[i] = a < b ? (struct side){a, b, 1} : (struct side){b, a, -1};
    }
    qsort(sides, m->all_count, sizeof *sides, side_order);
    memset(border, 0, m->mesh->vertex_count);
    for (size_t i = 0, end; i < m->all_count; i = end) {
        int32_t sum = 0;
        for (end = i; end < m->all_count && side_order(&sides[i], &sides[end]) == 0; end++)
            sum += sides[end].turn;
        if (sum)
            border[sides[i].a] = border[sides[i].b] = true;
    }
    return true;
}

/* Two small triangles of their own at each border vertex: the library then sees several borders meet there
 * and never moves it. It does move a few with LockBorder alone. */
static bool add_flaps(struct making *m, size_t *count) {
    const struct cliff_mesh *mesh = m->mesh;
    bool *border = arena_alloc(m->scratch, mesh->vertex_count, sizeof *border);
    if (!border || !find_border(m, border))
        return false;
    *count = m->all_count;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int32_t flap = 0; border[v] && flap < 2; flap++) {
            m->all[(*count)++] = v;
            for (int32_t k = 0; k < 2; k++) {
                float *p = m->positions + 3 * (size_t)m->vertex_count;
                memcpy(p, m->positions + 3 * (size_t)v, 3 * sizeof *p);
                p[k] += 0.004f;
                p[2] += flap ? 0.004f : -0.004f;
                m->all[(*count)++] = m->vertex_count++;
            }
        }
    return true;
}

static bool prepare(struct making *m) {
    const struct cliff_mesh *mesh = m->mesh;
    m->all_count = 6 * (size_t)mesh->own_count;
    m->vertex_count = mesh->vertex_count;
    m->positions = arena_alloc(m->scratch, 5 * (size_t)mesh->vertex_count, 3 * sizeof *m->positions);
    m->all = arena_alloc(m->scratch, m->all_count + 6 * (size_t)mesh->vertex_count, sizeof *m->all);
    if (!m->positions || !m->all)
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        m->positions[3 * v] = (float)mesh->vertices[v].x * 0x1p-10f;
        m->positions[3 * v + 1] = (float)mesh->vertices[v].y * 0x1p-10f;
        m->positions[3 * v + 2] = (float)mesh->vertices[v].z * 0x1p-10f;
    }
    for (uint32_t t = 0; t < 2 * mesh->own_count; t++)
        cliff_triangle(mesh, t, m->all + 3 * (size_t)t);
    return true;
}

/* `from` simplified into `out` (as large): up to an error, or to a count if that leaves too many. Flaps are
 * taken out. Returns the count of indices. */
static size_t simplify(const struct making *m, const uint32_t *from, size_t count, double error_m,
                       size_t most_triangles, uint32_t *out) {
    float scale = meshopt_simplifyScale(m->positions, m->vertex_count, 12), off;
    unsigned flags = meshopt_SimplifyLockBorder;
    size_t n = meshopt_simplify(out, from, count, m->positions, m->vertex_count, 12, 0,
                                (float)error_m / scale, flags, &off);
    if (n > 3 * most_triangles)
        n = meshopt_simplify(out, from, count, m->positions, m->vertex_count, 12, 3 * most_triangles, 1.0f,
                             flags, &off);
    return n;
}
static size_t without_flaps(const struct making *m, const uint32_t *from, size_t count, uint32_t *out) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i += 3) {
        if (from[i] >= m->mesh->vertex_count || from[i + 1] >= m->mesh->vertex_count ||
            from[i + 2] >= m->mesh->vertex_count)
            continue;
        memmove(out + kept, from + i, 3 * sizeof *out);
        kept += 3;
    }
    return kept;
}

/* ---- vertices of the file ---- */

struct drawn {
    float *positions, *normals, *beds;
    uint8_t *colors;
    uint32_t vertex_count, *indices;
    size_t index_count;
};

static bool face_normal(const struct making *m, const uint32_t *t, float n[3]) {
    const float *a = m->positions + 3 * (size_t)t[0], *b = m->positions + 3 * (size_t)t[1],
                *c = m->positions + 3 * (size_t)t[2];
    double u[3], w[3];
    for (int32_t k = 0; k < 3; k++) {
        u[k] = (double)b[k] - (double)a[k];
        w[k] = (double)c[k] - (double)a[k];
    }
    double v[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int32_t k = 0; k < 3; k++)
        n[k] = (float)(v[k] / length);
    return length > 0;
}

static uint32_t draw_vertex(const struct making *m, uint32_t v, const float normal[3], struct drawn *d) {
    memcpy(d->positions + 3 * (size_t)d->vertex_count, m->positions + 3 * (size_t)v, 12);
    memcpy(d->normals + 3 * (size_t)d->vertex_count, normal, 12);
    return d->vertex_count++;
}

/* Corners get the unsimplified surface's normal where one is near the face's, else the face's own. */
static bool draw(const struct making *m, const uint32_t *indices, size_t count, struct drawn *d,
                 uint32_t **sources) {
    struct cliff_normals normals;
    if (!cliff_normals_make(m->mesh, m->scratch, &normals))
        return false;
    uint32_t groups = normals.first[m->mesh->vertex_count];
    uint32_t *place = arena_alloc(m->scratch, (size_t)groups + 1, sizeof *place);
    *d = (struct drawn){.positions = arena_alloc(m->scratch, count, 12),
                        .normals = arena_alloc(m->scratch, count, 12),
                        .indices = arena_alloc(m->scratch, count, 4)};
    *sources = arena_alloc(m->scratch, count, sizeof **sources);
    if (!place || !d->positions || !d->normals || !d->indices || !*sources)
        return false;
    memset(place, 0, ((size_t)groups + 1) * sizeof *place);
    for (size_t i = 0; i < count; i += 3) {
        float face[3];
        if (!face_normal(m, indices + i, face))
            continue;
        for (size_t k = 0; k < 3; k++) {
            uint32_t v = indices[i + k], group = cliff_normals_pick(&normals, v, face), at;
            if (group == UINT32_MAX) {
                at = draw_vertex(m, v, face, d);
            } else {
                if (!place[group])
                    place[group] = draw_vertex(m, v, normals.normal[group], d) + 1;
                at = place[group] - 1;
            }
            (*sources)[at] = v;
            d->indices[d->index_count++] = at;
        }
    }
    return true;
}

static bool add_beds(const struct making *m, const uint32_t *sources, struct drawn *d) {
    uint32_t *beds = arena_alloc(m->scratch, m->mesh->vertex_count, sizeof *beds);
    d->beds = arena_alloc(m->scratch, d->vertex_count, sizeof *d->beds);
    d->colors = arena_alloc(m->scratch, d->vertex_count, 4);
    if (!beds || !d->beds || !d->colors)
        return false;
    memset(beds, 0, m->mesh->vertex_count * sizeof *beds);
    for (uint32_t q = 0; q < m->mesh->quad_count; q++)
        for (int32_t k = 0; k < 4; k++)
            if (m->mesh->quads[q].bed > beds[m->mesh->quads[q].v[k]])
                beds[m->mesh->quads[q].v[k]] = m->mesh->quads[q].bed;
    for (uint32_t v = 0; v < d->vertex_count; v++) {
        uint16_t bed = (uint16_t)beds[sources[v]];
        uint8_t rgb[3];
        cliff_bed_color(m->params->seed, bed, rgb);
        d->beds[v] = bed;
        for (int32_t k = 0; k < 3; k++) /* linear, as glTF wants it */
            d->colors[4 * (size_t)v + (size_t)k] = (uint8_t)(255 * math_pow(rgb[k] / 255.0, 2.2) + 0.5);
        d->colors[4 * (size_t)v + 3] = 255;
    }
    return true;
}

enum status cliff_glb_make(const struct cliff_glb_params *params, const struct cliff_mesh *mesh,
                           struct arena *scratch, unsigned char **bytes, size_t *size, struct error *err) {
    struct making m = {.params = params, .mesh = mesh, .scratch = scratch};
    struct drawn d;
    size_t with_flaps;
    uint32_t *sources;
    if (!prepare(&m) || !add_flaps(&m, &with_flaps))
        goto too_little;
    uint32_t *light = arena_alloc(scratch, with_flaps, sizeof *light);
    uint32_t *lighter = arena_alloc(scratch, with_flaps, sizeof *lighter);
    uint32_t *seen = arena_alloc(scratch, with_flaps, sizeof *seen);
    if (!light || !lighter || !seen)
        goto too_little;
    size_t flaps = (with_flaps - m.all_count) / 3;
    size_t light_count =
        simplify(&m, m.all, with_flaps, params->error_m, params->max_triangles + flaps, light);
    size_t lighter_count = simplify(&m, light, light_count, params->collision_m, light_count / 3, lighter);
    size_t seen_count = without_flaps(&m, light, light_count, seen);
    lighter_count = without_flaps(&m, lighter, lighter_count, lighter);
    if (!draw(&m, seen, seen_count, &d, &sources) || (params->attributes && !add_beds(&m, sources, &d)))
        goto too_little;
    float *hull = arena_alloc(scratch, mesh->vertex_count, 12);
    uint32_t *map = arena_alloc(scratch, mesh->vertex_count, sizeof *map), hull_count = 0;
    if (!hull || !map)
        goto too_little;
    memset(map, 0, mesh->vertex_count * sizeof *map);
    for (size_t i = 0; i < lighter_count; i++) {
        uint32_t v = lighter[i];
        if (!map[v]) {
            memcpy(hull + 3 * (size_t)hull_count, m.positions + 3 * (size_t)v, 12);
            map[v] = ++hull_count;
        }
        lighter[i] = map[v] - 1;
    }
    double x = (double)cliff_quanta(params->origin_m[0]) / CLIFF_QUANTUM;
    double y = (double)cliff_quanta(params->origin_m[1]) / CLIFF_QUANTUM;
    struct glb_mesh meshes[2] = {
        {.name = "cliff",
         .origin_m = {x, y, 0},
         .positions_m = d.positions,
         .normals = d.normals,
         .vertex_count = d.vertex_count,
         .indices = d.indices,
         .index_count = d.index_count,
         .attributes = {{"_BED", GLB_F32, 1, d.beds}, {"COLOR_0", GLB_U8_UNIT, 4, d.colors}},
         .attribute_count = params->attributes ? 2 : 0,
         .material = 0},
        {.name = "collision",
         .origin_m = {x, y, 0},
         .positions_m = hull,
         .vertex_count = hull_count,
         .indices = lighter,
         .index_count = lighter_count,
         .material = -1}};
    static const struct glb_material rock = {"rock", {0.42f, 0.4f, 0.36f, 1}, 0, 0.95f, false, false};
    struct glb_scene scene = {meshes, 2, &rock, 1};
    return glb_encode(&scene, bytes, size, err);
too_little:
    return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
}
