/* Wide rivers over cliffs, tributaries beside their falls, streams into lakes, falls in bends: what stands
 * beside what, over random steep ground. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/ramp_kit.h"
#include "water/bed.h"
#include "water/mesh.h"
#include "water/shore.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = RAMP_SIDE, CELLS = SIDE * SIDE, WORLDS = 40 };

/* A ramp to the west with up to three cliffs across it, each at a slant and wavy. */
static void make_ground(uint64_t seed, float *ground) {
    double slope = 0.02 + 0.16 * ramp_unit(seed, 0) * ramp_unit(seed, 1), rough = 2.5 * ramp_unit(seed, 2);
    for (int i = 0; i < CELLS; i++) {
        double x = i % SIDE + 0.5, y = i / SIDE + 0.5, p = (double)(seed % 50);
        double z = 100 + slope * x + rough * sin(x * 0.06 + p) * cos(y * 0.05 + 2 * p);
        for (int k = 0; k < 3; k++) {
            double at = 50 + 70 * k + 40 * ramp_unit(seed, 10 + k), high = 22 * ramp_unit(seed, 20 + k) - 6;
            double edge = at + (ramp_unit(seed, 30 + k) - 0.5) * (y - SIDE / 2) + 6 * sin(y * 0.06 + p + k);
            double over = 2 + 10 * ramp_unit(seed, 40 + k), t = (x - edge) / over + 0.5;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            z += fmax(high, 0) * t * t * (3 - 2 * t);
        }
        ground[i] = (float)z;
    }
}

static void add_tributary(struct ramp *r, uint64_t seed, int32_t n) {
    const double *main = r->xy[0] + 2 * (2 + (int32_t)(4 * ramp_unit(seed, 60 + n)));
    struct water_line *side = ramp_line(r, 3, 2 + 12 * ramp_unit(seed, 62 + n));
    double *xy = r->xy[side - r->lines], way = n ? 1 : -1, off = 150 * ramp_unit(seed, 64 + n) - 30;
    xy[0] = main[0] + off;
    xy[1] = main[1] + way * 100;
    xy[2] = main[0] + 0.45 * off + 12 * ramp_unit(seed, 66 + n);
    xy[3] = main[1] + way * 45;
    xy[4] = main[0];
    xy[5] = main[1];
    side->kind = seed % 2 ? WATER_STREAM : WATER_RIVER;
}

/* An ellipse around a point of the river. */
static void add_lake(struct ramp *r, uint64_t seed) {
    enum { CORNERS = 24 };
    static double xy[2 * CORNERS];
    static const size_t ring_end[1] = {CORNERS};
    const double *main = r->xy[0] + 2 * (4 + (int32_t)(3 * ramp_unit(seed, 70)));
    double a = 18 + 22 * ramp_unit(seed, 71), b = 18 + 30 * ramp_unit(seed, 72);
    for (int i = 0; i < CORNERS; i++) {
        double turn = 6.283185307 * i / CORNERS, wave = 1 + 0.15 * sin(3 * turn + (double)(seed % 7));
        xy[2 * i] = main[0] + a * wave * cos(turn);
        xy[2 * i + 1] = main[1] + b * wave * sin(turn);
    }
    r->lakes[0] = (struct water_lake){
        .xy = xy, .ring_end = ring_end, .ring_count = 1, .level_m = (double)NAN, .carve = true, .key = 5};
    r->lake_count = 1;
}

struct scene {
    struct ramp *r;
    float *level, *ground; /* carved */
    uint8_t *kind;
};

static struct scene scene_of(uint64_t seed) {
    static float ground[CELLS];
    make_ground(seed, ground);
    struct scene s = {.r = ramp_on(ground)};
    ramp_river(s.r, seed, 10 + 30 * ramp_unit(seed, 50), 55 * ramp_unit(seed, 51), 1);
    for (int32_t n = 0; n < (int32_t)(seed % 3); n++)
        add_tributary(s.r, seed, n);
    if (seed % 4 == 3)
        add_lake(s.r, seed);
    ramp_solve(s.r);
    s.level = malloc(CELLS * sizeof *s.level);
    s.ground = malloc(CELLS * sizeof *s.ground);
    s.kind = malloc(CELLS);
    struct water_sample *samples = malloc(CELLS * sizeof *samples);
    struct water_grid grid = {0, 0, SIDE, SIDE, 1, 0.5, 1, 0};
    assert_int_equal(water_field(&s.r->set, &grid, samples, NULL, &s.r->arena, NULL), STATUS_OK);
    for (int i = 0; i < CELLS; i++) {
        s.ground[i] = water_carved(&samples[i], ground[i]);
        s.level[i] = samples[i].level;
        s.kind[i] = water_cell_of(&samples[i], s.ground[i]).kind;
    }
    free(samples);
    return s;
}

static void scene_free(struct scene *s) {
    free(s->level);
    free(s->ground);
    free(s->kind);
    ramp_free(s->r);
}

/* Whether a cell within n of (x, y) falls. */
static bool falls_near(const struct scene *s, int32_t x, int32_t y, int32_t n) {
    for (int32_t j = y - n; j <= y + n; j++)
        for (int32_t i = x - n; i <= x + n; i++)
            if (i >= 0 && j >= 0 && i < SIDE && j < SIDE && s->kind[j * SIDE + i] == WATER_FALL)
                return true;
    return false;
}

/* The worst of a property, and where. */
struct worst {
    double most;
    int32_t x, y;
};

static void judge(struct worst *w, double v, int32_t i) {
    if (v > w->most)
        *w = (struct worst){v, i % SIDE, i / SIDE};
}

struct verdict {
    struct worst step, hang;
    size_t falls, wet;
};

static struct verdict look(const struct scene *s) {
    static const int32_t to[4] = {1, SIDE, -1, -SIDE};
    struct verdict v = {.wet = 0};
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t x = i % SIDE, y = i / SIDE;
        v.wet += s->kind[i] != WATER_NONE;
        v.falls += s->kind[i] == WATER_FALL;
        if (s->kind[i] == WATER_NONE || s->kind[i] == WATER_FALL || x < 4 || y < 4 || x >= SIDE - 4 ||
            y >= SIDE - 4)
            continue;
        for (int k = 0; k < 4; k++) {
            int32_t o = i + to[k];
            if (s->kind[o] == WATER_FALL)
                continue;
            if (s->kind[o] != WATER_NONE)
                judge(&v.step, (double)fabsf(s->level[i] - s->level[o]), i);
            else if (!falls_near(s, x, y, 2))
                judge(&v.hang, (double)(s->level[i] - s->ground[o]), i);
        }
    }
    return v;
}

/* Between neighbouring cells of water that does not fall the level differs by at most 1.6 m, what the
 * steepest of these lines fall by over a cell; no dry cell lies more than 1.5 m under the water beside it but
 * at a fall's sides. Of 300 such worlds; some are here. */
static void steep_water_stands_nowhere(void **state) {
    (void)state;
    size_t falls = 0, lakes = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        struct scene s = scene_of(1 + seed * 5 % 300);
        struct verdict v = look(&s);
        falls += v.falls;
        lakes += s.r->lake_count;
        assert_true(v.wet > 2000);
        if (v.step.most > 1.6 || v.hang.most > 1.5)
            print_message("world %d: a step of %.2f m at (%d, %d), %.2f m over dry ground at (%d, %d)\n",
                          (int)(1 + seed * 5 % 300), v.step.most, v.step.x, v.step.y, v.hang.most, v.hang.x,
                          v.hang.y);
        assert_true(v.step.most <= 1.6 && v.hang.most <= 1.5);
        scene_free(&s);
    }
    assert_true(falls > 1000 && lakes > 3);
}

/* Height of a triangle that is steeper than 60 degrees; else 0. */
static double wall_of(const struct water_mesh *mesh, uint32_t first) {
    const struct water_vertex *v[3];
    for (uint32_t k = 0; k < 3; k++)
        v[k] = &mesh->vertices[mesh->indices[first + k]];
    double ax = v[1]->x - v[0]->x, ay = v[1]->y - v[0]->y, az = v[1]->z - v[0]->z;
    double bx = v[2]->x - v[0]->x, by = v[2]->y - v[0]->y, bz = v[2]->z - v[0]->z;
    double nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
    if (nx * nx + ny * ny <= 3 * nz * nz)
        return 0;
    return fmax(fmax(v[0]->z, v[1]->z), v[2]->z) - fmin(fmin(v[0]->z, v[1]->z), v[2]->z);
}

/* The surface over the whole scene, at nodes 2 m apart. */
static void make_surface(struct scene *s, struct water_mesh *mesh) {
    enum { NODES = SIDE / 2 + 3 };
    static struct water_sample samples[NODES * NODES];
    static float ground[NODES * NODES];
    struct water_grid grid = {.x0 = -2, .y0 = -2, .width = NODES, .height = NODES, .step = 2, .cell_m = 1};
    grid.near_m = water_lattice_near_m(2);
    struct grid_f32 carved = {s->ground, 0, 0, SIDE, SIDE, SIDE};
    struct water_ground_view view = {&carved, false, 1};
    assert_int_equal(water_field(&s->r->set, &grid, samples, NULL, &s->r->arena, NULL), STATUS_OK);
    for (int i = 0; i < NODES * NODES; i++)
        ground[i] = (float)water_ground_at(&view, grid.x0 + i % NODES * 2, grid.y0 + i / NODES * 2);
    struct water_lattice lattice = {&grid, samples, ground, &view, &s->r->set};
    assert_int_equal(water_surface(&lattice, 0, 0, SIDE, SIDE, mesh, &s->r->arena, NULL), STATUS_OK);
}

/* A triangle of the surface that is steeper than 60 degrees is no higher than 2.5 m, but where water without
 * a sheet falls sideways into other water: in some worlds. */
static void no_surface_is_a_wall(void **state) {
    (void)state;
    size_t seen = 0, sideways = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        struct scene s = scene_of(1 + seed * 5 % 300);
        struct water_mesh mesh;
        bool any = false;
        make_surface(&s, &mesh);
        for (uint32_t i = 0; i < mesh.index_count; i += 3) {
            const struct water_vertex *v = &mesh.vertices[mesh.indices[i]];
            seen++;
            if (wall_of(&mesh, i) <= 2.5)
                continue;
            any = true;
            assert_true(falls_near(&s, (int32_t)v->x, (int32_t)v->y, 3));
        }
        sideways += any;
        scene_free(&s);
    }
    assert_true(seen > 40000 && sideways <= 5);
}

/* A fall belongs to the sections that its sheet enters, however far off its middle is: the surface looks at
 * sheets. */
static void a_wide_fall_is_in_all_its_sections(void **state) {
    (void)state;
    enum { MIDDLE = 26 };
    static float ground[CELLS];
    for (int i = 0; i < CELLS; i++)
        ground[i] = (float)(100 + 0.02 * (i % SIDE) + (i % SIDE > SIDE / 2 ? 15 : 0));
    struct ramp *r = ramp_on(ground);
    struct water_line *line = ramp_line(r, 3, 60);
    double *xy = r->xy[line - r->lines];
    for (int i = 0; i < 3; i++) {
        xy[2 * i] = SIDE + 12 - i * (SIDE / 2 + 12);
        xy[2 * i + 1] = MIDDLE;
    }
    ramp_solve(r);
    struct water_set sets[2]; /* south, and the section of its middle */
    assert_int_equal(water_cut(&r->river, 0, -1, 1, 2, sets, &r->arena, NULL), STATUS_OK);
    float widest = 0;
    for (uint32_t i = 0; i < sets[1].lip_count; i++)
        widest = fmaxf(widest, fmaxf(sets[1].lips[i].left, sets[1].lips[i].right));
    assert_true(sets[1].fall_count > 0 && widest > MIDDLE);
    assert_int_equal(sets[0].fall_count, sets[1].fall_count);
    assert_int_equal(sets[0].lip_count, sets[1].lip_count);
    ramp_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steep_water_stands_nowhere),
        cmocka_unit_test(no_surface_is_a_wall),
        cmocka_unit_test(a_wide_fall_is_in_all_its_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
