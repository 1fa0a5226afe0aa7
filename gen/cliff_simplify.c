#include "gen/cliff_simplify.h"

#include "cliff/mend.h"
#include "cliff/sides.h"
#include <meshoptimizer.h>
#include <string.h>

enum { ATTEMPTS = 4, RINGS = 3 };

struct making {
    const struct cliff_mesh *mesh;
    const struct cliff_normals *normals;
    struct arena *scratch;
    float *positions;      /* of the mesh's vertices, then of the flaps' */
    bool *border, *locked; /* by vertex */
    struct cliff_faults faults;
    uint32_t vertex_count, *flaps; /* with the flaps' vertices; triangles */
    size_t flap_count;
    uint32_t *with_flaps; /* room for any list and all flaps */
    size_t room;
};

/* Two small triangles of their own at each vertex that is to stay: the library then sees several borders meet
 * there and never moves it. It does move a few of a border with LockBorder alone. */
static void make_flaps(struct making *m) {
    m->flap_count = 0;
    m->vertex_count = m->mesh->vertex_count;
    for (uint32_t v = 0; v < m->mesh->vertex_count; v++)
        for (int32_t flap = 0; m->locked[v] && flap < 2; flap++) {
            m->flaps[m->flap_count++] = v;
            for (int32_t k = 0; k < 2; k++) {
                float *p = m->positions + 3 * (size_t)m->vertex_count;
                memcpy(p, m->positions + 3 * (size_t)v, 3 * sizeof *p);
                p[k] += 0.004f;
                p[2] += flap ? 0.004f : -0.004f;
                m->flaps[m->flap_count++] = m->vertex_count++;
            }
        }
}

/* Locks what lies within some rings of triangles of what could not be mended. */
static void lock_faults(struct making *m, const uint32_t *from, size_t count, int32_t rings) {
    const bool *at = m->faults.at;
    for (uint32_t v = 0; v < m->mesh->vertex_count; v++)
        m->locked[v] |= at[v];
    for (int32_t ring = 0; ring < rings; ring++) {
        for (size_t i = 0; i < count; i += 3)
            if (at[from[i]] || at[from[i + 1]] || at[from[i + 2]])
                m->locked[from[i]] = m->locked[from[i + 1]] = m->locked[from[i + 2]] = true;
        for (size_t i = 0; i < count; i++)
            m->faults.at[from[i]] |= m->locked[from[i]] && !m->border[from[i]];
    }
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

/* `list`, to which the flaps are added, simplified in place up to an error, and no further than to a count.
 */
static size_t collapse(struct making *m, uint32_t *list, size_t count, float error, size_t least) {
    float off;
    memcpy(m->with_flaps, list, count * sizeof *list);
    memcpy(m->with_flaps + count, m->flaps, m->flap_count * sizeof *list);
    size_t n = meshopt_simplify(list, m->with_flaps, count + m->flap_count, m->positions, m->vertex_count, 12,
                                least + m->flap_count, error, meshopt_SimplifyLockBorder, &off);
    return without_flaps(m, list, n);
}

/* One try: up to an error, and from there on to a count if that leaves too many. */
static size_t simplify_to(struct making *m, const uint32_t *from, size_t count, double error_m,
                          size_t most_triangles, uint32_t *out) {
    make_flaps(m);
    float scale = meshopt_simplifyScale(m->positions, m->vertex_count, 12);
    memcpy(out, from, count * sizeof *from);
    size_t n = collapse(m, out, count, (float)error_m / scale, 0);
    return n > 3 * most_triangles ? collapse(m, out, n, 1.0f, 3 * most_triangles) : n;
}

/* `from` simplified into `out`, which has room for it and the flaps. Around what could not be mended the
 * surface is kept as it was. */
static void simplify(struct making *m, const uint32_t *from, size_t count, double error_m,
                     size_t most_triangles, uint32_t *out, size_t *out_count) {
    memcpy(m->locked, m->border, m->mesh->vertex_count);
    for (int32_t attempt = 1; attempt <= ATTEMPTS; attempt++) {
        size_t mark = arena_mark(m->scratch);
        *out_count = simplify_to(m, from, count, error_m, most_triangles, out);
        bool sound = cliff_mend(m->mesh, m->normals, out, out_count, &m->faults, m->scratch);
        arena_release(m->scratch, mark);
        if (sound && *out_count > 0 && (m->faults.count == 0 || attempt == ATTEMPTS))
            return;
        lock_faults(m, from, count, RINGS);
    }
    memcpy(out, from, count * sizeof *from);
    *out_count = count;
}

bool cliff_simplify(const struct cliff_light_params *params, const struct cliff_mesh *mesh,
                    const struct cliff_normals *normals, struct arena *scratch, struct cliff_light *out) {
    size_t count = 6 * (size_t)mesh->own_count;
    size_t vertices = mesh->vertex_count;
    struct making m = {.mesh = mesh, .normals = normals, .scratch = scratch, .room = count + 6 * vertices};
    m.positions = arena_alloc(scratch, 5 * vertices, 3 * sizeof *m.positions);
    m.border = arena_alloc(scratch, vertices, sizeof *m.border);
    m.locked = arena_alloc(scratch, vertices, sizeof *m.locked);
    m.faults.at = arena_alloc(scratch, vertices, sizeof *m.faults.at);
    m.flaps = arena_alloc(scratch, 6 * vertices, sizeof *m.flaps);
    m.with_flaps = arena_alloc(scratch, m.room, sizeof *m.with_flaps);
    uint32_t *all = arena_alloc(scratch, count, sizeof *all);
    if (!m.positions || !m.border || !m.locked || !m.faults.at || !m.flaps || !m.with_flaps || !all)
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        m.positions[3 * v] = (float)mesh->vertices[v].x * 0x1p-10f;
        m.positions[3 * v + 1] = (float)mesh->vertices[v].y * 0x1p-10f;
        m.positions[3 * v + 2] = (float)mesh->vertices[v].z * 0x1p-10f;
    }
    for (uint32_t t = 0; t < 2 * mesh->own_count; t++)
        cliff_triangle(mesh, t, all + 3 * (size_t)t);
    if (!cliff_open_sides(all, count, mesh->vertex_count, scratch, m.border, NULL))
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
