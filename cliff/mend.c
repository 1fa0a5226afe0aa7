#include "cliff/mend.h"

#include "cliff/sides.h"
#include <math.h>
#include <string.h>

/* Splitting makes the longest side of a chain of flat triangles shorter each time. */
enum { ROUNDS_MAX = 64, GONE = 1, TOUCHED = 2 };

static const double turned_cosine = -0.17364817766693; /* of 100 degrees */

struct mending {
    const struct cliff_mesh *mesh;
    const struct cliff_vertex *vertices;
    const struct cliff_normals *normals;
    struct cliff_faults *faults;
    uint32_t *indices;
    size_t triangles;
    struct cliff_fans fans; /* of the list as it was when the round began */
    uint8_t *marks;         /* by triangle */
};

static int64_t length2(const struct mending *m, uint32_t a, uint32_t b) {
    const struct cliff_vertex *p = &m->vertices[a], *q = &m->vertices[b];
    int64_t x = (int64_t)p->x - q->x, y = (int64_t)p->y - q->y, z = (int64_t)p->z - q->z;
    return x * x + y * y + z * z;
}

static bool flat(const struct mending *m, const uint32_t v[3]) {
    return cliff_in_line(&m->vertices[v[0]], &m->vertices[v[1]], &m->vertices[v[2]]);
}

bool cliff_turned(const struct cliff_mesh *mesh, const struct cliff_normals *normals, const uint32_t v[3]) {
    const struct cliff_vertex *a = &mesh->vertices[v[0]], *b = &mesh->vertices[v[1]],
                              *c = &mesh->vertices[v[2]];
    double u[3] = {b->x - a->x, b->y - a->y, b->z - a->z}, w[3] = {c->x - a->x, c->y - a->y, c->z - a->z};
    double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    double least = turned_cosine * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int32_t k = 0; k < 3; k++)
        for (uint32_t g = normals->first[v[k]]; g < normals->first[v[k] + 1]; g++) {
            const float *along = normals->normal[g];
            if (n[0] * (double)along[0] + n[1] * (double)along[1] + n[2] * (double)along[2] >= least)
                return false;
        }
    return true;
}
static bool sound(const struct mending *m, const uint32_t v[3]) {
    return !flat(m, v) && !cliff_turned(m->mesh, m->normals, v);
}

/* Turns a triangle so that its longest side runs from corner 0 to corner 1. */
static void turn_to_longest(const struct mending *m, uint32_t *v) {
    int64_t l[3] = {length2(m, v[0], v[1]), length2(m, v[1], v[2]), length2(m, v[2], v[0])};
    int32_t k = l[1] > l[0] ? 1 : 0;
    k = l[2] > l[k] ? 2 : k;
    uint32_t turned[3] = {v[k], v[(k + 1) % 3], v[(k + 2) % 3]};
    memcpy(v, turned, sizeof turned);
}

/* A triangle with the side from -> to that this round has not changed: one with area before one without.
 * SIZE_MAX: none. third: its other corner. */
static size_t across(const struct mending *m, uint32_t from, uint32_t to, uint32_t *third) {
    size_t best = SIZE_MAX;
    for (uint32_t i = m->fans.first[from]; i < m->fans.first[from + 1]; i++) {
        size_t t = m->fans.list[i];
        const uint32_t *v = m->indices + 3 * t;
        for (int32_t k = 0; k < 3 && !m->marks[t]; k++)
            if (v[k] == from && v[(k + 1) % 3] == to && (best == SIZE_MAX || !flat(m, v))) {
                *third = v[(k + 2) % 3];
                best = t;
                if (!flat(m, v))
                    return t;
            }
    }
    return best;
}

/* Exchanges t, whose side 0 1 is to go, and the triangle across it for the two over the other diagonal;
 * if_sound: only when both are sound. False: nothing was done. */
static bool exchange(struct mending *m, size_t t, bool if_sound) {
    uint32_t *v = m->indices + 3 * t, d;
    m->marks[t] = TOUCHED; /* it is not its own neighbour */
    size_t other = across(m, v[1], v[0], &d);
    m->marks[t] = 0;
    if (other == SIZE_MAX)
        return false;
    uint32_t p = v[1], q = v[0], middle = v[2], one[3] = {p, middle, d}, two[3] = {middle, q, d};
    if (d == middle) {
        m->marks[t] = m->marks[other] = GONE;
        return true;
    }
    if (if_sound && !(sound(m, one) && sound(m, two)))
        return false;
    m->marks[t] = m->marks[other] = TOUCHED;
    memcpy(m->indices + 3 * other, one, sizeof one);
    memcpy(v, two, sizeof two);
    return true;
}

/* The sides of a triangle that looks inwards are tried, the longest first. */
static bool turn_over(struct mending *m, size_t t) {
    uint32_t *v = m->indices + 3 * t;
    for (int32_t k = 0; k < 3; k++) {
        if (exchange(m, t, true))
            return true;
        uint32_t turned[3] = {v[1], v[2], v[0]};
        memcpy(v, turned, sizeof turned);
    }
    return false;
}

/* 1: u has the same corners as v the same way round; -1: the other way round; 0: others. */
static int32_t same_corners(const uint32_t u[3], const uint32_t v[3]) {
    for (int32_t k = 0; k < 3; k++)
        if (u[k] == v[0])
            return u[(k + 1) % 3] == v[1] && u[(k + 2) % 3] == v[2]   ? 1
                   : u[(k + 1) % 3] == v[2] && u[(k + 2) % 3] == v[1] ? -1
                                                                      : 0;
    return 0;
}

static void blame(const struct mending *m, size_t t) {
    m->faults->count++;
    for (int32_t k = 0; k < 3; k++)
        m->faults->at[m->indices[3 * t + (size_t)k]] = true;
}

/* Takes out pairs that are each other's back, and returns how many; a triangle that lies on another the same
 * way round is a fault. */
static size_t take_out_backs(struct mending *m) {
    size_t pairs = 0;
    for (size_t t = 0; t < m->triangles; t++) {
        const uint32_t *v = m->indices + 3 * t;
        for (uint32_t i = m->fans.first[v[0]]; !m->marks[t] && i < m->fans.first[v[0] + 1]; i++) {
            size_t other = m->fans.list[i];
            int32_t same = other > t && !m->marks[other] ? same_corners(m->indices + 3 * other, v) : 0;
            if (same < 0) {
                m->marks[t] = m->marks[other] = GONE;
                pairs++;
            } else if (same > 0) {
                blame(m, t);
            }
        }
    }
    return pairs;
}

static void pack(struct mending *m) {
    size_t kept = 0;
    for (size_t t = 0; t < m->triangles; t++) {
        if (m->marks[t] == GONE)
            continue;
        memmove(m->indices + 3 * kept++, m->indices + 3 * t, 3 * sizeof *m->indices);
    }
    m->triangles = kept;
}

/* One round over all triangles: how many were changed. flat_left: how many without area were found. */
static size_t mend_round(struct mending *m, size_t *flat_left) {
    size_t done = 0;
    *flat_left = 0;
    for (size_t t = 0; t < m->triangles; t++) {
        uint32_t *v = m->indices + 3 * t;
        if (m->marks[t] || sound(m, v))
            continue;
        bool no_area = flat(m, v);
        turn_to_longest(m, v);
        *flat_left += no_area;
        bool mended = no_area ? exchange(m, t, false) : turn_over(m, t);
        done += mended;
        if (!mended)
            blame(m, t);
    }
    return done + take_out_backs(m);
}

bool cliff_mend(const struct cliff_mesh *mesh, const struct cliff_normals *normals, uint32_t *indices,
                size_t *count, struct cliff_faults *faults, struct arena *scratch) {
    size_t begin = arena_mark(scratch), left = 1, done = 1;
    struct mending m = {.mesh = mesh,
                        .vertices = mesh->vertices,
                        .normals = normals,
                        .faults = faults,
                        .indices = indices,
                        .triangles = *count / 3};
    for (int32_t round = 0; done > 0 && round < ROUNDS_MAX; round++) {
        size_t mark = arena_mark(scratch);
        m.marks = arena_alloc(scratch, m.triangles + 1, 1);
        if (!m.marks || !cliff_fans_make(indices, 3 * m.triangles, mesh->vertex_count, scratch, &m.fans))
            return false;
        memset(m.marks, 0, m.triangles + 1);
        memset(faults->at, 0, mesh->vertex_count);
        faults->count = 0;
        done = mend_round(&m, &left);
        pack(&m);
        arena_release(scratch, mark);
    }
    *count = 3 * m.triangles;
    arena_release(scratch, begin);
    return left == 0;
}
