#include "cliff/surface.h"

#include <string.h>

struct cutting {
    const struct cliff_surface *surface;
    int64_t shift_x, shift_y;
    uint32_t *place; /* by the surface's vertices: index in the mesh + 1 */
    struct cliff_mesh *out;
};

static void add_quad(struct cutting *c, const struct cliff_quad *quad) {
    struct cliff_mesh *out = c->out;
    struct cliff_quad *to = &out->quads[out->quad_count++];
    to->bed = quad->bed;
    for (int32_t q = 0; q < 4; q++) {
        uint32_t *place = &c->place[quad->v[q]];
        if (*place == 0) {
            const struct cliff_vertex *from = &c->surface->vertices[quad->v[q]];
            out->vertices[out->vertex_count] = (struct cliff_vertex){
                (int32_t)(from->x - c->shift_x), (int32_t)(from->y - c->shift_y), from->z};
            *place = ++out->vertex_count;
        }
        to->v[q] = *place - 1;
    }
}

static const uint32_t *quads_of(const struct cliff_surface *s, int32_t i, int32_t j) {
    return s->first_quad + (size_t)(j - s->y0 + 1) * (size_t)(s->x1 - s->x0 + 2) + (size_t)(i - s->x0 + 1);
}

bool cliff_surface_sector(const struct cliff_surface *s, const int32_t columns[4], const int32_t origin[2],
                          struct arena *scratch, struct cliff_mesh *out) {
    *out = (struct cliff_mesh){0};
    uint32_t quads = 0;
    for (int32_t j = columns[1] - 1; j <= columns[3]; j++)
        for (int32_t i = columns[0] - 1; i <= columns[2]; i++)
            quads += quads_of(s, i, j)[1] - quads_of(s, i, j)[0];
    if (quads == 0)
        return true;
    out->vertices = arena_alloc(scratch, 4 * (size_t)quads, sizeof *out->vertices);
    out->quads = arena_alloc(scratch, (size_t)quads, sizeof *out->quads);
    struct cutting c = {.surface = s, .out = out};
    c.place = arena_alloc(scratch, s->vertex_count, sizeof *c.place);
    if (!out->vertices || !out->quads || !c.place)
        return false;
    memset(c.place, 0, s->vertex_count * sizeof *c.place);
    c.shift_x = cliff_quanta(origin[0] * s->step_m) - cliff_quanta(s->x0 * s->step_m);
    c.shift_y = cliff_quanta(origin[1] * s->step_m) - cliff_quanta(s->y0 * s->step_m);
    for (int32_t own = 1; own >= 0; own--) {
        for (int32_t j = columns[1] - 1; j <= columns[3]; j++)
            for (int32_t i = columns[0] - 1; i <= columns[2]; i++) {
                bool inside = i >= columns[0] && i < columns[2] && j >= columns[1] && j < columns[3];
                const uint32_t *first = quads_of(s, i, j);
                for (uint32_t q = first[0]; inside == (own == 1) && q < first[1]; q++)
                    add_quad(&c, &s->quads[q]);
            }
        if (own)
            out->own_count = out->quad_count;
    }
    return true;
}
