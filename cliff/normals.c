#include "cliff/normals.h"

#include <math.h>
#include <string.h>

static const float crease_cosine = 0.81915204f; /* of 35 degrees */

/* Grows with the angle whose sine is y and cosine x, times any length; half a turn is 2. Within 4.1 degrees
 * of the angle, at a tenth of an arc tangent's work. y > 0. */
static double angle_weight(double y, double x) {
    return x >= 0 ? y / (y + x) : 1 - x / (y - x);
}

/* The unit normal of a triangle and weights like its angles. The products are exact, so that they are the
 * same from each corner. */
static void measure(const struct cliff_mesh *m, const uint32_t c[3], float face[3], float angles[3]) {
    double side[3][3], n[3];
    for (int32_t k = 0; k < 3; k++) {
        const struct cliff_vertex *a = &m->vertices[c[k]], *b = &m->vertices[c[(k + 1) % 3]];
        side[k][0] = b->x - a->x, side[k][1] = b->y - a->y, side[k][2] = b->z - a->z;
    }
    for (int32_t i = 0; i < 3; i++) {
        int32_t y = (i + 1) % 3, z = (i + 2) % 3;
        n[i] = side[2][y] * side[0][z] - side[2][z] * side[0][y];
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int32_t k = 0; k < 3; k++) {
        const double *u = side[k], *w = side[(k + 2) % 3];
        angles[k] = (float)angle_weight(length, -(u[0] * w[0] + u[1] * w[1] + u[2] * w[2]));
        face[k] = (float)(n[k] / length);
    }
}

static float dot3(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct fan {
    float (*face)[3], *angle;
    uint32_t count;
};

/* Joins the faces of a fan, one after the other, to the first group whose first face is within the crease's
 * angle; writes the groups' normals. Returns how many. */
static uint32_t group_fan(const struct fan *fan, float (*out)[3], float (*first)[3]) {
    uint32_t groups = 0;
    for (uint32_t i = 0; i < fan->count; i++) {
        uint32_t g = 0;
        while (g < groups && dot3(first[g], fan->face[i]) < crease_cosine)
            g++;
        if (g == groups) {
            memcpy(first[g], fan->face[i], sizeof first[g]);
            memset(out[g], 0, sizeof out[g]);
            groups++;
        }
        for (int32_t k = 0; k < 3; k++)
            out[g][k] += fan->angle[i] * fan->face[i][k];
    }
    for (uint32_t g = 0; g < groups; g++) {
        float length = sqrtf(dot3(out[g], out[g]));
        for (int32_t k = 0; k < 3; k++)
            out[g][k] /= length;
    }
    return groups;
}

/* The order of the faces around a vertex must not depend on the sector: by normal. */
static bool before(const float a[3], const float b[3]) {
    for (int32_t k = 0; k < 3; k++)
        if (a[k] < b[k] || a[k] > b[k])
            return a[k] < b[k];
    return false;
}
static void sort_fan(struct fan *fan) {
    for (uint32_t i = 1; i < fan->count; i++)
        for (uint32_t j = i; j > 0; j--) {
            bool swap = before(fan->face[j], fan->face[j - 1]) ||
                        (!before(fan->face[j - 1], fan->face[j]) && fan->angle[j] < fan->angle[j - 1]);
            if (!swap)
                break;
            float face[3], angle = fan->angle[j];
            memcpy(face, fan->face[j], sizeof face);
            memcpy(fan->face[j], fan->face[j - 1], sizeof face);
            memcpy(fan->face[j - 1], face, sizeof face);
            fan->angle[j] = fan->angle[j - 1];
            fan->angle[j - 1] = angle;
        }
}

bool cliff_normals_make(const struct cliff_mesh *m, struct arena *scratch, struct cliff_normals *out) {
    size_t triangles = 2 * (size_t)m->quad_count, corners = 3 * triangles;
    uint32_t *start = arena_alloc(scratch, (size_t)m->vertex_count + 2, sizeof *start);
    float(*faces)[3] = arena_alloc(scratch, corners + 1, sizeof *faces);
    float *angles = arena_alloc(scratch, corners + 1, sizeof *angles);
    float(*firsts)[3] = arena_alloc(scratch, corners + 1, sizeof *firsts);
    out->first = arena_alloc(scratch, (size_t)m->vertex_count + 1, sizeof *out->first);
    out->normal = arena_alloc(scratch, corners + 1, sizeof *out->normal);
    if (!start || !faces || !angles || !firsts || !out->first || !out->normal)
        return false;
    memset(start, 0, ((size_t)m->vertex_count + 2) * sizeof *start);
    for (uint32_t t = 0; t < triangles; t++) {
        uint32_t c[3];
        cliff_triangle(m, t, c);
        for (int32_t k = 0; k < 3; k++)
            start[c[k] + 2]++;
    }
    for (uint32_t v = 1; v < m->vertex_count + 2; v++)
        start[v] += start[v - 1];
    for (uint32_t t = 0; t < triangles; t++) {
        uint32_t c[3];
        float face[3], angle[3];
        cliff_triangle(m, t, c);
        measure(m, c, face, angle);
        for (int32_t k = 0; k < 3; k++) {
            uint32_t at = start[c[k] + 1]++;
            memcpy(faces[at], face, sizeof face);
            angles[at] = angle[k];
        }
    }
    uint32_t total = 0;
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        struct fan fan = {faces + start[v], angles + start[v], start[v + 1] - start[v]};
        sort_fan(&fan);
        out->first[v] = total;
        total += group_fan(&fan, out->normal + total, firsts);
    }
    out->first[m->vertex_count] = total;
    return true;
}

uint32_t cliff_normals_pick(const struct cliff_normals *n, uint32_t v, const float face[3]) {
    uint32_t best = UINT32_MAX;
    float most = crease_cosine;
    for (uint32_t g = n->first[v]; g < n->first[v + 1]; g++) {
        float along = dot3(n->normal[g], face);
        if (along >= most) {
            most = along;
            best = g;
        }
    }
    return best;
}
