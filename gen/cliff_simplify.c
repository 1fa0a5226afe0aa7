#include "gen/cliff_simplify.h"

#include "cliff/mend.h"
#include "cliff/sides.h"
#include <meshoptimizer.h>
#include <string.h>

enum { ATTEMPTS = 6 };

struct making {
    const struct cliff_mesh *mesh;
    const struct cliff_normals *normals;
    struct arena *scratch;
    float *positions; /* of the mesh's vertices, then of the flaps' */
    uint32_t vertex_count;
    uint32_t *flaps; /* triangles */
    size_t flap_count;
    uint32_t *with_flaps; /* room for any list and the flaps */
    size_t room;
};

/* Two small triangles of their own at each border vertex: the library then sees several borders meet there
 * and never moves it. It does move a few with LockBorder alone. */
static bool make_flaps(struct making *m, const uint32_t *all, size_t count) {
    uint32_t vertices = m->mesh->vertex_count;
    bool *border = arena_alloc(m->scratch, vertices, sizeof *border);
    m->flaps = arena_alloc(m->scratch, 6 * (size_t)vertices, sizeof *m->flaps);
    if (!border || !m->flaps || !cliff_open_sides(all, count, vertices, m->scratch, border, NULL))
        return false;
    for (uint32_t v = 0; v < vertices; v++)
        for (int32_t flap = 0; border[v] && flap < 2; flap++) {
            m->flaps[m->flap_count++] = v;
            for (int32_t k = 0; k < 2; k++) {
                float *p = m->positions + 3 * (size_t)m->vertex_count;
                memcpy(p, m->positions + 3 * (size_t)v, 3 * sizeof *p);
                p[k] += 0.004f;
                p[2] += flap ? 0.004f : -0.004f;
                m->flaps[m->flap_count++] = m->vertex_count++;
            }
        }
    m->room = count + m->flap_count;
    m->with_flaps = arena_alloc(m->scratch, m->room, sizeof *m->with_flaps);
    return m->with_flaps != NULL;
}

static size_t without_flaps(const struct making *m, uint32_t *list, size_t count) {
    size_t kept = 0;
    uint32_t most = m->mesh->vertex_count;
    for (size_t i = 0; i < count; i += 3) {
        if (list[i] >= most || list[i + 1] >= most || list[i + 2] >= most)
            continue;
        memmove(list + kept, list + i, 3 * sizeof *list);
        kept += 3;
    }
    return kept;
}

/* One try: up to an error, or to a count if that leaves too many. */
static size_t simplify_to(struct making *m, const uint32_t *from, size_t count, double error_m,
                          size_t most_triangles, uint32_t *out) {
    memcpy(m->with_flaps, from, count * sizeof *from);
    memcpy(m->with_flaps + count, m->flaps, m->flap_count * sizeof *from);
    float scale = meshopt_simplifyScale(m->positions, m->vertex_count, 12), off;
    size_t all = count + m->flap_count, most = 3 * most_triangles + m->flap_count;
    size_t n = meshopt_simplify(out, m->with_flaps, all, m->positions, m->vertex_count, 12, 0,
                                (float)error_m / scale, meshopt_SimplifyLockBorder, &off);
    if (n > most)
        n = meshopt_simplify(out, m->with_flaps, all, m->positions, m->vertex_count, 12, most, 1.0f,
                             meshopt_SimplifyLockBorder, &off);
    return without_flaps(m, out, n);
}

/* `from` simplified into `out`, which has room for it and the flaps. Another error is another order of
 * collapses: what could not be mended comes out sound with one of them. */
static void simplify(struct making *m, const uint32_t *from, size_t count, double error_m,
                     size_t most_triangles, uint32_t *out, size_t *out_count) {
    for (int32_t attempt = 1; attempt <= ATTEMPTS; attempt++, error_m *= 0.75) {
        size_t mark = arena_mark(m->scratch), unsound;
        *out_count = simplify_to(m, from, count, error_m, most_triangles, out);
        bool sound = cliff_mend(m->mesh, m->normals, out, out_count, &unsound, m->scratch);
        arena_release(m->scratch, mark);
        if (sound && *out_count > 0 && (unsound == 0 || attempt == ATTEMPTS))
            return;
    }
    memcpy(out, from, count * sizeof *from);
    *out_count = count;
}

bool cliff_simplify(const struct cliff_light_params *params, const struct cliff_mesh *mesh,
                    const struct cliff_normals *normals, struct arena *scratch, struct cliff_light *out) {
    size_t count = 6 * (size_t)mesh->own_count;
    struct making m = {
        .mesh = mesh, .normals = normals, .scratch = scratch, .vertex_count = mesh->vertex_count};
    m.positions = arena_alloc(scratch, 5 * (size_t)mesh->vertex_count, 3 * sizeof *m.positions);
    uint32_t *all = arena_alloc(scratch, count, sizeof *all);
    if (!m.positions || !all)
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        m.positions[3 * v] = (float)mesh->vertices[v].x * 0x1p-10f;
        m.positions[3 * v + 1] = (float)mesh->vertices[v].y * 0x1p-10f;
        m.positions[3 * v + 2] = (float)mesh->vertices[v].z * 0x1p-10f;
    }
    for (uint32_t t = 0; t < 2 * mesh->own_count; t++)
        cliff_triangle(mesh, t, all + 3 * (size_t)t);
    if (!make_flaps(&m, all, count))
        return false;
    *out = (struct cliff_light){.positions_m = m.positions,
                                .seen = arena_alloc(scratch, m.room, sizeof *out->seen),
                                .collision = arena_alloc(scratch, m.room, sizeof *out->collision)};
    if (!out->seen || !out->collision)
        return false;
    simplify(&m, all, count, params->error_m, params->max_triangles, out->seen, &out->seen_count);
    simplify(&m, out->seen, out->seen_count, params->collision_m, out->seen_count / 3, out->collision,
             &out->collision_count);
    return true;
}

uint64_t cliff_simplifier(void) {
#if defined(__x86_64__) || defined(__i386__)
    const uint64_t fused = 0;
#else
    const uint64_t fused = 1;
#endif
    return (uint64_t)MESHOPTIMIZER_VERSION << 1 | fused;
}
