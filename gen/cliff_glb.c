#include "gen/cliff_glb.h"

#include "cliff/normals.h"
#include "gen/cliff_simplify.h"
#include "gen/glb.h"
#include "terrain/math.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct making {
    const struct cliff_glb_params *params;
    const struct cliff_mesh *mesh;
    struct arena *scratch;
    const float *positions; /* of the mesh's vertices */
};

/* ---- vertices of the file ---- */

struct drawn {
    float *positions, *normals, *beds;
    uint8_t *colors;
    uint32_t vertex_count, *indices;
    size_t index_count;
};

static void face_normal(const struct making *m, const uint32_t *t, float n[3]) {
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
}

static uint32_t draw_vertex(const struct making *m, uint32_t v, const float normal[3], struct drawn *d) {
    memcpy(d->positions + 3 * (size_t)d->vertex_count, m->positions + 3 * (size_t)v, 12);
    memcpy(d->normals + 3 * (size_t)d->vertex_count, normal, 12);
    return d->vertex_count++;
}

/* Corners get the unsimplified surface's normal where one is near the face's, else the face's own. */
static bool draw(const struct making *m, const struct cliff_normals *normals, const uint32_t *indices,
                 size_t count, struct drawn *d, uint32_t **sources) {
    uint32_t groups = normals->first[m->mesh->vertex_count];
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
        face_normal(m, indices + i, face);
        for (size_t k = 0; k < 3; k++) {
            uint32_t v = indices[i + k], group = cliff_normals_pick(normals, v, face), at;
            if (group == UINT32_MAX) {
                at = draw_vertex(m, v, face, d);
            } else {
                if (!place[group])
                    place[group] = draw_vertex(m, v, normals->normal[group], d) + 1;
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
        cliff_bed_color(m->params->ramp, m->params->seed, bed, rgb);
        const float *at = d->positions + 3 * (size_t)v;
        double place[3] = {m->params->origin_m[0] + (double)at[0], m->params->origin_m[1] + (double)at[1],
                           (double)at[2]};
        cliff_weather(m->params->ramp, m->params->seed, place, d->normals[3 * (size_t)v + 2], rgb);
        d->beds[v] = bed;
        for (int32_t k = 0; k < 3; k++) /* linear, as glTF wants it */
            d->colors[4 * (size_t)v + (size_t)k] = (uint8_t)(255 * math_pow(rgb[k] / 255.0, 2.2) + 0.5);
        d->colors[4 * (size_t)v + 3] = 255;
    }
    return true;
}

enum status cliff_glb_make(const struct cliff_glb_params *params, const struct cliff_mesh *mesh,
                           struct arena *scratch, unsigned char **bytes, size_t *size, struct error *err) {
    struct cliff_light_params to = {params->error_m, params->collision_m, params->max_triangles};
    struct cliff_light light;
    struct cliff_normals normals;
    struct drawn d;
    uint32_t *sources;
    if (!cliff_normals_make(mesh, scratch, &normals) || !cliff_simplify(&to, mesh, &normals, scratch, &light))
        goto too_little;
    struct making m = {.params = params, .mesh = mesh, .scratch = scratch, .positions = light.positions_m};
    if (!draw(&m, &normals, light.seen, light.seen_count, &d, &sources) ||
        (params->attributes && !add_beds(&m, sources, &d)))
        goto too_little;
    float *hull = arena_alloc(scratch, mesh->vertex_count, 12);
    uint32_t *map = arena_alloc(scratch, mesh->vertex_count, sizeof *map), hull_count = 0;
    if (!hull || !map)
        goto too_little;
    memset(map, 0, mesh->vertex_count * sizeof *map);
    for (size_t i = 0; i < light.collision_count; i++) {
        uint32_t v = light.collision[i];
        if (!map[v]) {
            memcpy(hull + 3 * (size_t)hull_count, m.positions + 3 * (size_t)v, 12);
            map[v] = ++hull_count;
        }
        light.collision[i] = map[v] - 1;
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
         .indices = light.collision,
         .index_count = light.collision_count,
         .material = -1}};
    static const struct glb_material rock = {"rock", {0.42f, 0.4f, 0.36f, 1}, 0, 0.95f, false, false};
    struct glb_scene scene = {meshes, 2, &rock, 1};
    return glb_encode(&scene, bytes, size, err);
too_little:
    return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
}
