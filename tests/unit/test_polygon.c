#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include "terrain/polygon.h"
#include "terrain/segment_grid.h"
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, POINTS_MAX = 64 };

static unsigned char block[1 << 20];
static struct arena scratch(void) {
    return (struct arena){block, sizeof block, 0};
}

struct canvas {
    uint8_t cells[SIDE * SIDE];
    struct grid_u8 grid;
};
static void clear(struct canvas *c, int32_t x0, int32_t y0, int32_t width, int32_t height) {
    memset(c->cells, 0, sizeof c->cells);
    c->grid = (struct grid_u8){c->cells, x0, y0, width, height, width};
}

static double draw(uint64_t seed, int32_t i, uint32_t k, double range) {
    return (double)(hash_place(seed, 5, i, 0, k) % 4096) / 4096.0 * range;
}

/* A star around a centre: rings that never cross themselves. */
static size_t star(uint64_t seed, double cx, double cy, double radius, double *xy) {
    static const double turn[16][2] = {{1, 0},    {.9, .4},  {.7, .7},  {.4, .9},   {0, 1},     {-.4, .9},
                                       {-.7, .7}, {-.9, .4}, {-1, 0},   {-.9, -.4}, {-.7, -.7}, {-.4, -.9},
                                       {0, -1},   {.4, -.9}, {.7, -.7}, {.9, -.4}};
    for (int i = 0; i < 16; i++) {
        double r = radius * (0.3 + draw(seed, i, 1, 0.7));
        xy[2 * i] = cx + r * turn[i][0];
        xy[2 * i + 1] = cy + r * turn[i][1];
    }
    return 16;
}

/* Even-odd by counting crossings of a ray, edge by edge. */
static bool inside_slow(const struct polygon *p, double x, double y) {
    bool in = false;
    for (size_t r = 0, first = 0; r < p->ring_count; first = p->ring_end[r++])
        for (size_t i = first; i < p->ring_end[r]; i++) {
            const double *a = p->xy + 2 * i, *b = p->xy + 2 * (i + 1 < p->ring_end[r] ? i + 1 : first);
            if ((a[1] > y) != (b[1] > y) && x > a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]))
                in = !in;
        }
    return in;
}

static void a_polygon_with_a_hole_is_filled_as_counting_says(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        double xy[2 * POINTS_MAX], cell_m = seed % 3 ? 1 : 0.5;
        size_t ends[2];
        ends[0] = star(seed, -3 + draw(seed, 0, 0, 6), draw(seed, 1, 0, 6), 20, xy);
        ends[1] = ends[0] + star(seed + 1000, 0, 3, 5, xy + 2 * ends[0]);
        struct polygon polygon = {xy, ends, 2};
        struct canvas c;
        clear(&c, -32, -32, SIDE, SIDE);
        struct arena arena = scratch();
        assert_int_equal(terrain_polygon_fill(&polygon, cell_m, 9, &c.grid, &arena, NULL), STATUS_OK);
        assert_int_equal(arena.used, 0);
        int32_t filled = 0;
        for (int32_t y = -32; y < 32; y++)
            for (int32_t x = -32; x < 32; x++) {
                bool in = inside_slow(&polygon, (x + 0.5) * cell_m, (y + 0.5) * cell_m);
                assert_int_equal(*grid_u8_at(&c.grid, x, y), in ? 9 : 0);
                filled += in;
            }
        assert_true(filled > 100);
    }
}

static void no_window_changes_a_cell(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        double xy[2 * POINTS_MAX], radius[POINTS_MAX];
        size_t end = star(seed, 1.3, 2.7, 25, xy);
        for (size_t i = 0; i < end; i++)
            radius[i] = draw(seed, (int32_t)i, 9, 3);
        struct polygon polygon = {xy, &end, 1};
        struct canvas all, part;
        for (int what = 0; what < 3; what++) {
            for (int32_t window = -1; window < 8; window++) {
                struct canvas *c = window < 0 ? &all : &part;
                int32_t x0 = window < 0 ? -32 : -32 + (int32_t)(hash_place(seed, 1, window, what, 0) % 40);
                int32_t y0 = window < 0 ? -32 : -32 + (int32_t)(hash_place(seed, 2, window, what, 0) % 40);
                int32_t size = window < 0 ? SIDE : 24;
                clear(c, x0, y0, size, size);
                struct arena arena = scratch();
                if (what == 0)
                    terrain_polygon_fill(&polygon, 1, 1, &c->grid, &arena, NULL);
                else if (what == 1)
                    terrain_disk_fill(xy[0], xy[1], 11.5, 1, 1, &c->grid);
                else
                    terrain_line_fill(xy, radius, end, true, 1, 1, &c->grid);
                for (int32_t y = y0; y < y0 + size; y++)
                    for (int32_t x = x0; x < x0 + size; x++)
                        assert_int_equal(*grid_u8_at(&c->grid, x, y), *grid_u8_at(&all.grid, x, y));
            }
        }
    }
}

static void neighbours_share_no_cell_and_leave_none_out(void **state) {
    (void)state;
    /* a fan of triangles around a point that lies on a cell's centre, edges through centres included */
    static const double rim[][2] = {{-20, -20}, {20, -20}, {20.5, 0.5}, {20, 20},
                                    {0.5, 20},  {-20, 20}, {-20, 3}};
    enum { N = sizeof rim / sizeof rim[0] };
    struct canvas sum, one, whole;
    clear(&sum, -32, -32, SIDE, SIDE);
    for (size_t i = 0; i < N; i++) {
        size_t k = (i + 1) % N, end = 3;
        double xy[6] = {0.5, 0.5, rim[i][0], rim[i][1], rim[k][0], rim[k][1]};
        struct polygon p = {xy, &end, 1};
        clear(&one, -32, -32, SIDE, SIDE);
        struct arena arena = scratch();
        terrain_polygon_fill(&p, 1, 1, &one.grid, &arena, NULL);
        for (size_t n = 0; n < sizeof sum.cells; n++)
            sum.cells[n] = (uint8_t)(sum.cells[n] + one.cells[n]);
    }
    size_t end = N;
    struct polygon p = {&rim[0][0], &end, 1};
    clear(&whole, -32, -32, SIDE, SIDE);
    struct arena arena = scratch();
    terrain_polygon_fill(&p, 1, 1, &whole.grid, &arena, NULL);
    assert_memory_equal(sum.cells, whole.cells, sizeof sum.cells);
}

static void direction_and_first_point_change_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        double xy[2 * POINTS_MAX], turned[2 * POINTS_MAX], radius[POINTS_MAX], turned_radius[POINTS_MAX];
        size_t n = star(seed, 1.3, 2.7, 25, xy);
        for (size_t i = 0; i < n; i++) {
            size_t k = (2 * n - 1 - i - seed % n) % n;
            turned[2 * k] = xy[2 * i];
            turned[2 * k + 1] = xy[2 * i + 1];
            radius[i] = turned_radius[k] = draw(seed, (int32_t)i, 9, 3);
        }
        struct polygon p = {xy, &n, 1}, q = {turned, &n, 1};
        struct canvas a, b;
        struct arena arena = scratch();
        clear(&a, -32, -32, SIDE, SIDE);
        clear(&b, -32, -32, SIDE, SIDE);
        terrain_polygon_fill(&p, 1, 1, &a.grid, &arena, NULL);
        terrain_polygon_fill(&q, 1, 1, &b.grid, &arena, NULL);
        assert_memory_equal(a.cells, b.cells, sizeof a.cells);
        clear(&a, -32, -32, SIDE, SIDE);
        clear(&b, -32, -32, SIDE, SIDE);
        terrain_line_fill(xy, radius, n, true, 1, 1, &a.grid);
        terrain_line_fill(turned, turned_radius, n, true, 1, 1, &b.grid);
        assert_memory_equal(a.cells, b.cells, sizeof a.cells);
    }
}

static void a_disk_holds_the_centres_within_its_radius(void **state) {
    (void)state;
    struct canvas c;
    clear(&c, -2, -2, 5, 5);
    terrain_disk_fill(0.5, 0.5, 2, 1, 1, &c.grid);
    static const uint8_t expected[] = {0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1,
                                       1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0};
    assert_memory_equal(c.cells, expected, sizeof expected);
    clear(&c, -2, -2, 5, 5);
    const double dot[] = {0.5, 0.5}, radius[] = {2};
    terrain_line_fill(dot, radius, 1, false, 1, 1, &c.grid);
    assert_memory_equal(c.cells, expected, sizeof expected);
}

static void far_shapes_touch_nothing(void **state) {
    (void)state;
    struct canvas c, empty;
    clear(&c, -32, -32, SIDE, SIDE);
    clear(&empty, -32, -32, SIDE, SIDE);
    const double xy[] = {1e8, 1e8, 1e8 + 9, 1e8, 1e8, 1e8 + 9}, radius[] = {1, 1, 1};
    size_t end = 3;
    struct polygon p = {xy, &end, 1};
    struct arena arena = scratch();
    assert_int_equal(terrain_polygon_fill(&p, 1, 1, &c.grid, &arena, NULL), STATUS_OK);
    terrain_line_fill(xy, radius, 3, true, 1, 1, &c.grid);
    terrain_disk_fill(-1e8, 0, 5, 1, 1, &c.grid);
    assert_memory_equal(c.cells, empty.cells, sizeof c.cells);
}

static void too_little_scratch_is_said(void **state) {
    (void)state;
    struct canvas c;
    clear(&c, -32, -32, SIDE, SIDE);
    const double xy[] = {-9, -9, 9, -9, 0, 9};
    size_t end = 3;
    struct polygon p = {xy, &end, 1};
    struct arena arena = {block, 16, 0};
    struct error err = {0};
    bool crosses;
    struct polygon_crossing where;
    assert_int_equal(terrain_polygon_fill(&p, 1, 1, &c.grid, &arena, &err), STATUS_LIMIT);
    assert_string_equal(err.message, "too little scratch to fill a polygon");
    assert_int_equal(terrain_polygon_crosses(&p, &arena, &crosses, &where, &err), STATUS_LIMIT);
    assert_string_equal(err.message, "too little scratch to test a polygon of 3 points");
}

/* ---- crossing ---- */

static bool crosses(const double *xy, const size_t *ends, size_t rings, struct polygon_crossing *where) {
    struct polygon p = {xy, ends, rings};
    struct arena arena = {block, terrain_polygon_crossing_scratch(ends[rings - 1]), 0};
    bool answer = false;
    assert_true(arena.size <= sizeof block);
    assert_int_equal(terrain_polygon_crosses(&p, &arena, &answer, where, NULL), STATUS_OK);
    return answer;
}

static void crossings_are_found_where_they_are(void **state) {
    (void)state;
    struct polygon_crossing where;
    const double bow[] = {0, 0, 8, 8, 8, 0, 0, 8};
    size_t end = 4;
    assert_true(crosses(bow, &end, 1, &where));
    assert_int_equal(where.edge_a, 0);
    assert_int_equal(where.edge_b, 2);
    assert_true(where.x == 4 && where.y == 4);
    /* a corner that runs through an edge */
    const double through[] = {0, 0, 8, 0, 8, 8, 4, 0, 0, -8};
    end = 5;
    assert_true(crosses(through, &end, 1, &where));
    assert_true(where.x == 4 && where.y == 0);
    /* a corner that touches an edge and turns back; a spike; rings that meet at a corner */
    const double touch[] = {0, 0, 8, 0, 8, 8, 4, 0, 0, 8};
    assert_false(crosses(touch, &end, 1, &where));
    const double spike[] = {0, 0, 8, 0, 4, 0, 4, 8, 0, 8};
    assert_false(crosses(spike, &end, 1, &where));
    const double holed[] = {0, 0, 8, 0, 8, 8, 0, 8, 0, 0, 4, 2, 4, 4};
    const size_t two[] = {4, 7};
    assert_false(crosses(holed, two, 2, &where));
    const double out[] = {0, 0, 8, 0, 8, 8, 0, 8, 1, 1, 9, 2, 4, 4};
    assert_true(crosses(out, two, 2, &where));
}

static int side_of(const double *a, const double *b, const double *c) {
    double d = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]); /* exact for small integers */
    return (d > 0) - (d < 0);
}

static void buckets_find_what_all_pairs_find(void **state) {
    (void)state;
    int32_t yes = 0, no = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        double xy[2 * POINTS_MAX];
        size_t n = 3 + hash_place(seed, 1, 0, 0, 0) % (seed % 2 ? 4 : 12);
        for (size_t i = 0; i < n; i++) { /* no three corners on a line is likely: large odd coordinates */
            xy[2 * i] = (double)(hash_place(seed, 2, (int32_t)i, 0, 0) % 100003);
            xy[2 * i + 1] = (double)(hash_place(seed, 3, (int32_t)i, 0, 0) % (seed % 3 ? 100003 : 101));
        }
        bool expected = false;
        for (size_t i = 0; i < n; i++)
            for (size_t k = i + 1; k < n; k++) {
                const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n), *c = xy + 2 * k,
                             *d = xy + 2 * ((k + 1) % n);
                expected |=
                    side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
            }
        struct polygon_crossing where;
        assert_int_equal(crosses(xy, &n, 1, &where), expected);
        yes += expected;
        no += !expected;
    }
    assert_true(yes > 500 && no > 500);
}

static void every_segment_is_listed_where_it_passes(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct segment s[40];
        size_t n = 1 + seed % 40;
        double size = seed % 3 ? 10 : 1000;
        for (size_t i = 0; i < n; i++) {
            int32_t k = (int32_t)i;
            s[i] = (struct segment){draw(seed, k, 1, 1000), draw(seed, k, 2, 1000), 0, 0};
            s[i].x1 = s[i].x0 + draw(seed, k, 3, size) - size / 2;
            s[i].y1 = seed % 5 ? s[i].y0 + draw(seed, k, 4, size) - size / 2 : s[i].y0;
        }
        struct arena arena = {block, terrain_segment_grid_scratch(n), 0};
        struct segment_grid grid;
        assert_true(terrain_segment_grid_build(s, n, &arena, &grid));
        for (size_t i = 0; i < n; i++)
            for (int t = 0; t <= 20; t++) {
                double x = s[i].x0 + (s[i].x1 - s[i].x0) * t / 20, y = s[i].y0 + (s[i].y1 - s[i].y0) * t / 20;
                struct bucket_range r = terrain_segment_grid_range(&grid, x, y, x, y);
                bool listed = false;
                for (int32_t row = r.row0; row < r.row1; row++)
                    for (int32_t c = r.column0; c < r.column1; c++) {
                        int32_t b = row * grid.columns + c;
                        for (uint32_t k = grid.start[b]; k < grid.start[b + 1]; k++)
                            listed |= grid.items[k] == i;
                    }
                assert_true(listed);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_polygon_with_a_hole_is_filled_as_counting_says),
        cmocka_unit_test(no_window_changes_a_cell),
        cmocka_unit_test(neighbours_share_no_cell_and_leave_none_out),
        cmocka_unit_test(direction_and_first_point_change_nothing),
        cmocka_unit_test(a_disk_holds_the_centres_within_its_radius),
        cmocka_unit_test(far_shapes_touch_nothing),
        cmocka_unit_test(too_little_scratch_is_said),
        cmocka_unit_test(crossings_are_found_where_they_are),
        cmocka_unit_test(buckets_find_what_all_pairs_find),
        cmocka_unit_test(every_segment_is_listed_where_it_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
