#include "water/nodes.h"

#include "terrain/math.h"
#include "water/shore.h"
#include <math.h>

static const float DIP_M = 0.12f;  /* the surface goes so far under the ground */
static const float OVER_M = 0.35f; /* and beyond the water's width; */
static const float BANK_M = 0.6f;  /* more where banks were carved to stop it */
static const double NARROW = 2;    /* spacings: narrower water splits quads */
static const double NARROW_NEAR_M = 1.5;
enum { HALVINGS = 5 };

static float beyond(const struct water_sample *s) {
    return OVER_M + (s->flags & PIECE_CARVE ? BANK_M : 0) - s->sd;
}

static float inside(const struct water_sample *s, float ground) {
    if (!(s->sd < WATER_REACH_M) || (s->flags & PIECE_FALL))
        return -1;
    float over = s->level - ground;
    return math_minf(math_minf(beyond(s), 2 * (over + DIP_M)), water_float_max(s) - over);
}

double water_lattice_near_m(double spacing_m) {
    return math_min(WATER_REACH_M, 2 + spacing_m);
}

static size_t coarse_index(const struct water_nodes *n, int32_t i, int32_t j) {
    return (size_t)(n->j0 + j) * (size_t)n->l->grid->width + (size_t)(n->i0 + i);
}

static bool is_narrow(const struct water_nodes *n, int32_t i, int32_t j) {
    const struct water_sample *s = &n->l->samples[coarse_index(n, i, j)];
    double spacing = n->l->grid->step * n->l->grid->cell_m;
    return (double)s->sd < NARROW_NEAR_M + spacing && s->kind != WATER_LAKE &&
           s->width_cm < 100 * NARROW * spacing;
}

static uint8_t look_at_quad(const struct water_nodes *n, int32_t i, int32_t j) {
    uint8_t quad = 0;
    for (int k = 0; k < 4; k++) {
        size_t at = coarse_index(n, i + k % 2, j + k / 2);
        if (!(n->l->samples[at].sd < WATER_REACH_M))
            continue;
        if (n->l->set && is_narrow(n, i + k % 2, j + k / 2))
            quad |= QUAD_SPLIT;
        if (inside(&n->l->samples[at], n->l->ground[at]) > 0)
            quad |= QUAD_WET;
    }
    return quad;
}

/* Quads, and whether any is split. */
static bool look_at_quads(struct water_nodes *n, struct arena *arena) {
    n->quads = arena_alloc(arena, (size_t)(n->columns + 2) * (size_t)(n->rows + 2), 1);
    for (int32_t j = -1; n->quads && j <= n->rows; j++)
        for (int32_t i = -1; i <= n->columns; i++) {
            uint8_t quad = look_at_quad(n, i, j);
            n->quads[(j + 1) * (n->columns + 2) + i + 1] = quad;
            if (quad & QUAD_SPLIT)
                n->unit = 2;
        }
    return n->quads != NULL;
}

/* Nodes between those of the lattice, by half its cells: the same places to the last bit. */
static enum status fill_between(struct water_nodes *n, struct arena *arena, struct error *err) {
    const struct water_grid *g = n->l->grid;
    struct water_grid half = {.x0 = 2 * (g->x0 + n->i0 * g->step) - g->step,
                              .y0 = 2 * (g->y0 + n->j0 * g->step) - g->step,
                              .width = 2 * n->columns + 3,
                              .height = 2 * n->rows + 3,
                              .step = g->step,
                              .cell_m = 0.5 * g->cell_m,
                              .near_m = g->near_m};
    n->fine_width = half.width;
    n->fine = arena_alloc(arena, (size_t)half.width * (size_t)half.height, sizeof *n->fine);
    if (!n->fine)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    size_t count = (size_t)half.width * (size_t)half.height;
    n->footing = arena_alloc(arena, count, sizeof *n->footing);
    if (!n->footing)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    enum status status = water_field(n->l->set, &half, n->fine, NULL, arena, err);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        const struct water_sample *s = &n->fine[i];
        struct water_footing *f = &n->footing[i];
        *f = (struct water_footing){0, -1};
        if (s->sd > OVER_M + BANK_M || (s->flags & PIECE_FALL))
            continue;
        double x = (half.x0 + (int32_t)(i % (size_t)half.width) * half.step) * half.cell_m;
        double y = (half.y0 + (int32_t)(i / (size_t)half.width) * half.step) * half.cell_m;
        f->ground = (float)water_ground_at(n->l->view, x, y);
        f->inside = inside(s, f->ground);
    }
    return status;
}

enum status water_nodes_over(const struct water_lattice *lattice, int32_t x0, int32_t y0, int32_t x1,
                             int32_t y1, struct water_nodes *n, struct arena *arena, struct error *err) {
    const struct water_grid *g = lattice->grid;
    *n = (struct water_nodes){
        .l = lattice, .i0 = (x0 - g->x0) / g->step, .j0 = (y0 - g->y0) / g->step, .unit = 1};
    n->columns = (x1 - g->x0 + g->step - 1) / g->step - n->i0;
    n->rows = (y1 - g->y0 + g->step - 1) / g->step - n->j0;
    if (!look_at_quads(n, arena))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    n->spacing_m = g->step * g->cell_m / n->unit;
    n->x_m = (g->x0 + n->i0 * g->step) * g->cell_m;
    n->y_m = (g->y0 + n->j0 * g->step) * g->cell_m;
    return n->unit == 2 ? fill_between(n, arena, err) : STATUS_OK;
}

struct water_node water_node_at(const struct water_nodes *n, int32_t u, int32_t v) {
    const struct water_grid *g = n->l->grid;
    struct water_node at;
    bool between = n->unit == 2 && ((u | v) & 1);
    if (between) {
        at.s = n->fine + (ptrdiff_t)(v + 1) * n->fine_width + u + 1;
        at.north = n->fine_width;
        at.x = (2 * (g->x0 + n->i0 * g->step) + u * g->step) * (0.5 * g->cell_m);
        at.y = (2 * (g->y0 + n->j0 * g->step) + v * g->step) * (0.5 * g->cell_m);
        at.run_m = g->step * g->cell_m * 0.5;
        at.ground = n->footing[at.s - n->fine].ground;
        at.inside = n->footing[at.s - n->fine].inside;
    } else {
        int32_t i = u / n->unit, j = v / n->unit;
        size_t k = coarse_index(n, i, j);
        at.s = &n->l->samples[k];
        at.north = g->width;
        at.x = (g->x0 + (n->i0 + i) * g->step) * g->cell_m;
        at.y = (g->y0 + (n->j0 + j) * g->step) * g->cell_m;
        at.run_m = g->step * g->cell_m;
        at.ground = n->l->ground[k];
        at.inside = inside(at.s, at.ground);
    }
    at.east = 1;
    return at;
}

bool water_same_surface(const struct water_nodes *n, const struct water_node *a, const struct water_node *b) {
    double apart = 1.5 * n->l->grid->step * n->l->grid->cell_m; /* of levels of one water */
    return b->s->sd < WATER_REACH_M && !((a->s->flags | b->s->flags) & PIECE_FALL) &&
           fabs((double)a->s->level - (double)b->s->level) < apart;
}

/* The same as inside() on the way from the wet to the dry node. */
static double inside_between(const struct water_nodes *n, const struct water_node *wet,
                             const struct water_node *dry, double t) {
    double level = (double)wet->s->level + t * ((double)dry->s->level - (double)wet->s->level);
    double ground =
        water_ground_at(n->l->view, wet->x + t * (dry->x - wet->x), wet->y + t * (dry->y - wet->y));
    double edge = (double)beyond(wet->s) + t * ((double)beyond(dry->s) - (double)beyond(wet->s));
    double over = level - ground;
    return math_min(math_min(edge, 2 * (over + (double)DIP_M)), (double)water_float_max(wet->s) - over);
}

double water_crossing(const struct water_nodes *n, const struct water_node *a, const struct water_node *b,
                      double *level) {
    const struct water_node *wet = a->inside > 0 ? a : b, *dry = a->inside > 0 ? b : a;
    double f0 = (double)wet->inside, f1 = (double)dry->inside, t0 = 0, t1 = 1;
    bool same = water_same_surface(n, wet, dry);
    for (int k = 0; same && k < HALVINGS; k++) {
        double t = 0.5 * (t0 + t1), f = inside_between(n, wet, dry, t);
        if (f > 0)
            t0 = t, f0 = f;
        else
            t1 = t, f1 = f;
    }
    double t = t0 + (t1 - t0) * f0 / (f0 - f1);
    t = math_max(1.0 / 64, math_min(63.0 / 64, t));
    *level = (double)wet->s->level + (same ? t * ((double)dry->s->level - (double)wet->s->level) : 0);
    return wet == a ? t : 1 - t;
}
