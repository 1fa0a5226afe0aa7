/* One river on an even ramp, bending as it likes: its surface has no steps, whatever its width; and water
 * that ends in its water joins it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/ramp_kit.h"
#include "water/bed.h"
#include "water/mesh.h"
#include "water/note.h"
#include "water/shore.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RIVERS = 40 };

struct steps {
    double most;
    int32_t x, y;
    size_t pairs;
    size_t dry; /* cells more than 1.5 m inside the water's edge that are dry */
};

/* The largest difference of level between neighbouring wet cells. */
static struct steps find_steps(struct ramp *r) {
    struct water_grid grid = {0, 0, RAMP_SIDE, RAMP_SIDE, 1, 0.5, 1, 0};
    struct water_sample *s = arena_alloc(&r->arena, RAMP_SIDE * RAMP_SIDE, sizeof *s);
    struct steps steps = {0, 0, 0, 0, 0};
    assert_non_null(s);
    assert_int_equal(water_field(&r->set, &grid, s, NULL, &r->arena, NULL), STATUS_OK);
    uint8_t *wet = arena_alloc(&r->arena, RAMP_SIDE * RAMP_SIDE, 1);
    for (int32_t i = 0; i < RAMP_SIDE * RAMP_SIDE; i++) {
        wet[i] = water_cell_of(&s[i], water_carved(&s[i], r->ground[i])).water;
        steps.dry += !wet[i] && s[i].sd < -1.5f;
    }
    for (int32_t i = 0; i < RAMP_SIDE * RAMP_SIDE; i++)
        for (int k = 0; k < 2; k++) {
            int32_t o = k ? i + RAMP_SIDE : i + 1;
            if ((k ? i / RAMP_SIDE == RAMP_SIDE - 1 : i % RAMP_SIDE == RAMP_SIDE - 1) || !wet[i] || !wet[o])
                continue;
            double step = fabs((double)s[i].level - (double)s[o].level);
            steps.pairs++;
            if (step > steps.most)
                steps.most = step, steps.x = i % RAMP_SIDE, steps.y = i / RAMP_SIDE;
        }
    return steps;
}

/* No step is larger than twice what the line itself falls by over a cell where it is steepest: a bend's
 * inside is shorter than its middle. */
static void wide_rivers_have_no_steps(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= RIVERS; seed++) {
        double width = 2 + 38 * ramp_unit(seed, 1000), slope = 0.1 * ramp_unit(seed, 1001);
        struct ramp *r = ramp_new(slope, 0, seed);
        ramp_river(r, seed, width, 60 * ramp_unit(seed, 1002), 1 + seed % 2);
        ramp_solve(r);
        struct steps s = find_steps(r);
        assert_true(s.pairs > 400);
        assert_true(s.most <= 2 * ramp_steepest(r) + 0.01);
        if (slope < 0.06 || width > 6) /* banks wander, and levels follow the lower one; but see below */
            assert_true(s.most <= 7 * slope + 0.01);
        ramp_free(r);
    }
}

/* The same on ground that undulates: the line is steeper in places, its surface as even. */
static void rough_ground_makes_no_steps(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= RIVERS / 2; seed++) {
        double width = 8 + 32 * ramp_unit(seed, 1003);
        struct ramp *r = ramp_new(0.02 + 0.04 * ramp_unit(seed, 1004), 1, seed);
        ramp_river(r, seed, width, 50 * ramp_unit(seed, 1005), 1);
        ramp_solve(r);
        assert_int_equal(r->set.fall_count, 0);
        assert_true(find_steps(r).most <= 2 * ramp_steepest(r) + 0.01);
        ramp_free(r);
    }
}

/* A tributary from the south, drawn to `away` m from the river's middle. */
static void add_tributary(struct ramp *r, uint64_t seed, double away, bool head) {
    struct water_line *line = ramp_line(r, 3, 2 + 4 * ramp_unit(seed, 1101));
    double *xy = r->xy[line - r->lines], x = 100 + 60 * ramp_unit(seed, 1102);
    for (int i = 0; i < 3; i++) {
        int k = head ? 2 - i : i;
        xy[2 * k] = x + (2 - i) * 30 * (ramp_unit(seed, 1103) - (head ? 1 : 0));
        xy[2 * k + 1] = RAMP_SIDE / 2 - away - (2 - i) * 35;
    }
}

static const struct water_edge *edge_of(const struct ramp *r, uint32_t line) {
    for (size_t e = 0; e < r->river.edge_count; e++)
        if (r->river.edges[e].line == line)
            return &r->river.edges[e];
    return NULL;
}

/* An end in a wide river's water, or within snap_m of it, joins it, without a step; so does a start, which
 * then is a fork. */
static void ends_in_wide_water_join_it(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= RIVERS; seed++) {
        bool head = seed % 4 == 0;
        double half = 6 + 12 * ramp_unit(seed, 1100);
        struct ramp *r = ramp_new(0.05 * ramp_unit(seed, 1104), 0, seed);
        ramp_river(r, seed, 2 * half, 0, 1);
        add_tributary(r, seed, 4.5 + (half - 1) * ramp_unit(seed, 1105), head);
        ramp_solve(r);
        assert_int_equal(r->river.edge_count, 3);
        const struct water_edge *e = edge_of(r, 1);
        assert_true(r->river.network.nodes[head ? e->from : e->to].degree == 3);
        assert_true(head || e->mouth >= 0);
        assert_false(water_end_is_named(&r->river, e) && !head);
        assert_true(find_steps(r).most <= 2 * ramp_steepest(r) + 0.02);
        ramp_free(r);
    }
}

/* Farther away it does not, and what is nearest is known. */
static void ends_beside_the_water_do_not_join(void **state) {
    (void)state;
    struct ramp *r = ramp_new(0.02, 0, 1);
    ramp_river(r, 1, 30, 0, 1);
    add_tributary(r, 1, 15 + 6, false);
    ramp_solve(r);
    assert_int_equal(r->river.edge_count, 2);
    const struct water_edge *e = edge_of(r, 1);
    const struct water_station *end = &r->river.stations[e->first + e->count - 1];
    assert_true(water_end_is_named(&r->river, e));
    struct water_nearest near = water_nearest_to(&r->river, end->drawn_x, end->drawn_y, 1);
    assert_int_equal(near.line, 0);
    assert_true(fabs(near.gap_m - 6) < 1 && fabs(near.away_m - 21) < 1);
    ramp_free(r);
}

/* Two wide lines with a gap between an end and a start are one river; two ends stay two. */
static void a_gap_between_wide_lines_closes(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        struct ramp *r = ramp_new(0.01, 0, 1);
        for (int l = 0; l < 2; l++) {
            struct water_line *line = ramp_line(r, 2, 24);
            double from = l ? 120 : 270, to = l ? -12 : 130;
            double *xy = r->xy[line - r->lines];
            xy[0] = l && turned ? to : from;
            xy[2] = l && turned ? from : to;
            xy[1] = xy[3] = 128;
        }
        ramp_solve(r);
        assert_int_equal(r->river.network.node_count, turned ? 4 : 3);
        assert_true((r->river.edges[0].body == r->river.edges[1].body) == !turned);
        ramp_free(r);
    }
}

/* A lake over half of a wide river's width: every cell of both is wet, whatever their levels; where the banks
 * allow one level, it is one. */
static void a_lake_over_a_wide_river_leaves_no_dry_lens(void **state) {
    (void)state;
    static const double over[] = {-6, -2, -0.5, 0.5, 2, 6};
    static const size_t ring_end[1] = {4};
    for (size_t k = 0; k <= sizeof over / sizeof *over; k++) {
        bool given = k < sizeof over / sizeof *over;
        struct ramp *r = ramp_new(0.005, 0, 1);
        double xy[8] = {90, 136, 150, 136, 150, 190, 90, 190};
        ramp_river(r, 1, 32, 0, 1);
        r->lakes[0] = (struct water_lake){.xy = xy,
                                          .ring_end = ring_end,
                                          .ring_count = 1,
                                          .level_m = given ? 100 + over[k] : (double)NAN,
                                          .depth_m = 20,
                                          .carve = true,
                                          .key = 5};
        r->lake_count = 1;
        ramp_solve(r);
        struct steps s = find_steps(r);
        assert_true(s.dry == 0 && s.pairs > 5000);
        if (!given || fabs(over[k]) < 1)
            assert_true(s.most < 0.3);
        ramp_free(r);
    }
}

/* A stream down a ramp: how many of its stations stand at a drop, how many in a pool. */
struct ladder {
    size_t drops, pools, lengths;
    double highest;
};

static struct ladder climb(double width, double slope, enum water_kind kind, bool carve) {
    struct ramp *r = ramp_new(slope, 0, 1);
    struct ladder l = {0, 0, 0, 0};
    size_t since = 0;
    uint32_t seen = 0;
    ramp_river(r, 3, width, 12, 1);
    r->lines[0].kind = kind;
    r->lines[0].carve = carve;
    ramp_solve(r);
    const struct water_station *s = r->river.stations + r->river.edges[0].first;
    for (size_t i = 1; i < r->river.edges[0].count; i++, since++) {
        double drop = s[i - 1].level - s[i].level, along = drop / (s[i].s_m - s[i - 1].s_m);
        assert_true(drop >= 0);
        assert_true(s[i].lake >= 0 || s[i].level <= s[i].raw_cap + 0.61); /* the bank is raised by no more */
        l.highest = fmax(l.highest, drop);
        l.pools += along < 0.5 * slope;
        if (along < 2 * slope)
            continue;
        l.drops++;
        seen |= (uint32_t)1 << (since < 31 ? since : 31);
        since = 0;
    }
    for (; seen; seen &= seen - 1)
        l.lengths++;
    ramp_free(r);
    return l;
}

/* Steep streams fall from pool to pool, at irregular distances and by less than a fall; rivers, ditches,
 * gentle streams, chutes and beds sculpted by hand do not. */
static void steep_streams_have_steps(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        double slope = 0.1 + 0.05 * k;
        struct ladder l = climb(2 + 0.5 * k, slope, WATER_STREAM, true);
        assert_true(l.drops > 20 && l.pools > 2 * l.drops && l.lengths >= 3);
        assert_true(l.highest > 0.3 && l.highest < 2.5);
    }
    assert_int_equal(climb(3, 0.03, WATER_STREAM, true).drops, 0);
    assert_true(climb(12, 0.15, WATER_RIVER, true).drops <= 2);
    assert_true(climb(2, 0.15, WATER_DITCH, true).drops <= 2);
    assert_true(climb(3, 0.15, WATER_STREAM, false).drops <= 2);
    assert_true(climb(3, 0.5, WATER_STREAM, true).drops <= 4);
}

/* A fall longer than FALL_CELLS is several parts: where one ends the next begins, with the same vertices and
 * normals, and none is drawn twice. */
static void parts_of_a_long_fall_meet(void **state) {
    (void)state;
    struct ramp *r = ramp_new(1, 0.7, 3);
    ramp_river(r, 3, 4, 10, 1);
    ramp_solve(r);
    struct grid_f32 ground = {r->ground, 0, 0, RAMP_SIDE, RAMP_SIDE, RAMP_SIDE};
    struct water_ground_view view = {&ground, false, 1};
    struct water_mesh last = {NULL, NULL, 0, 0};
    size_t met = 0;
    for (uint32_t f = 0, first = 0; f < r->set.fall_count; first = r->set.fall_end[f++]) {
        const struct water_lip *lips = r->set.lips + first;
        uint32_t count = r->set.fall_end[f] - first;
        struct water_mesh mesh;
        assert_int_equal(water_sheet(lips, count, &view, &mesh, &r->arena, NULL), STATUS_OK);
        assert_true(mesh.index_count == (mesh.vertex_count / 11 - 1) * 60);
        for (uint32_t i = 11; i < mesh.vertex_count; i++)
            assert_true(mesh.vertices[i].z <= mesh.vertices[i - 11].z);
        assert_int_equal(lips[0].spare, last.vertices != NULL);
        if (last.vertices) {
            assert_memory_equal(mesh.vertices, last.vertices + last.vertex_count - 11,
                                11 * sizeof *mesh.vertices);
            met++;
        }
        last = lips[count - 1].spare ? mesh : (struct water_mesh){NULL, NULL, 0, 0};
    }
    assert_true(met >= 2);
    ramp_free(r);
}

/* Steep rivers with a stream from the side: no line ends above what it goes on in, and no water that its bed
 * was carved for is dry. */
static void steep_confluences_have_no_walls(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct ramp *r = ramp_new(0.1 + 0.5 * ramp_unit(seed, 1), 12 * ramp_unit(seed, 2), seed);
        ramp_river(r, seed, 6 + 18 * ramp_unit(seed, 3), 6, 1);
        struct water_line *side = ramp_line(r, 3, 3 + 4 * ramp_unit(seed, 4));
        double *xy = r->xy[side - r->lines], *at = r->xy[0] + 2 * 4;
        memcpy(xy, (double[6]){at[0] + 90 * ramp_unit(seed, 5) - 30, 20, at[0] + 12, 70, at[0], at[1]},
               6 * sizeof *xy);
        ramp_solve(r);
        for (size_t e = 0; e < r->river.edge_count; e++) {
            const struct water_edge *edge = &r->river.edges[e];
            if (edge->mouth >= 0 || edge->after < 0)
                continue;
            double end = r->river.stations[edge->first + edge->count - 1].level;
            assert_true(end - r->river.stations[r->river.edges[edge->after].first].level < 0.01);
        }
        struct water_sample *samples = malloc(RAMP_SIDE * RAMP_SIDE * sizeof *samples);
        struct water_grid grid = {0, 0, RAMP_SIDE, RAMP_SIDE, 1, 0.5, 1, 0};
        assert_int_equal(water_field(&r->set, &grid, samples, NULL, &r->arena, NULL), STATUS_OK);
        for (int i = 0; i < RAMP_SIDE * RAMP_SIDE; i++) {
            const struct water_sample *s = &samples[i];
            if (s->sd < 0 && (s->flags & PIECE_CARVE) && s->level - s->bed > 0.05f)
                assert_int_equal(water_cell_of(s, water_carved(s, r->ground[i])).water, 255);
        }
        free(samples);
        ramp_free(r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_rivers_have_no_steps),
        cmocka_unit_test(rough_ground_makes_no_steps),
        cmocka_unit_test(ends_in_wide_water_join_it),
        cmocka_unit_test(ends_beside_the_water_do_not_join),
        cmocka_unit_test(a_gap_between_wide_lines_closes),
        cmocka_unit_test(a_lake_over_a_wide_river_leaves_no_dry_lens),
        cmocka_unit_test(steep_confluences_have_no_walls),
        cmocka_unit_test(steep_streams_have_steps),
        cmocka_unit_test(parts_of_a_long_fall_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
