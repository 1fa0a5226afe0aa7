/* Streams along the flow where nobody drew a line: the same lines however the world is cut, and where they
 * begin and end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/flow_receivers.h"
#include "tests/unit/flow_kit.h"
#include "water/stream.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 60 };

struct drawn {
    double line[3][2]; /* two points and, in lakes, a box */
    bool has_line, has_lake;
};

/* The section's near, with a line across the world and a lake, as gen/ fills it. */
static void fill_near(struct stream_near *near, struct flow_section at, const struct drawn *drawn) {
    memset(near, 0, (size_t)at.width * (size_t)at.height * sizeof *near);
    if (drawn->has_line) {
        water_stream_beside(near, at, 1, drawn->line[0], drawn->line[1], 6);
        water_stream_end(near, at, 1, drawn->line[1], 6);
    }
    for (int32_t i = 0; drawn->has_lake && i < at.width * at.height; i++) {
        int32_t x = at.x0 + i % at.width, y = at.y0 + i / at.width;
        if (x >= 60 && x < 80 && y >= 50 && y < 75)
            near[i] = (struct stream_near){x + 0.5, y + 0.5, 0, STREAM_LAKE};
    }
}

static struct stream_line *lines_of(const struct flow_kit *kit, const struct drawn *drawn, size_t *count,
                                    struct arena *arena) {
    struct flow_record *records = arena_alloc(arena, (size_t)kit->sections, sizeof *records);
    for (int32_t s = 0; s < kit->sections; s++) {
        int32_t columns = flow_columns(&kit->layout);
        struct flow_section at = flow_section_of(&kit->layout, s % columns, s / columns);
        size_t n = (size_t)at.width * (size_t)at.height;
        struct stream_near *near = arena_alloc(arena, n, sizeof *near);
        uint64_t *area = arena_alloc(arena, n, sizeof *area);
        uint8_t *code = arena_alloc(arena, n, 1);
        for (size_t i = 0; i < n; i++) {
            ptrdiff_t from = (ptrdiff_t)(at.y0 - kit->layout.y0 + (int32_t)i / at.width) * kit->width +
                             at.x0 - kit->layout.x0 + (int32_t)i % at.width;
            area[i] = kit->area[from];
            code[i] = kit->receivers[from];
        }
        fill_near(near, at, drawn);
        struct grid_u8 receivers = {code, at.x0, at.y0, at.width, at.height, at.width};
        assert_int_equal(water_stream_cells(&receivers, area, near, at, LEAST, &records[s], arena, NULL),
                         STATUS_OK);
    }
    struct stream_line *lines;
    assert_int_equal(water_stream_lines(&kit->layout, records, 1, LEAST, &lines, count, arena, NULL),
                     STATUS_OK);
    return lines;
}

/* Cut into sections of any size the world gets the same lines, to the last bit. */
static void sections_change_nothing(void **state) {
    (void)state;
    size_t seen = 0;
    for (int ground = 0; ground < GROUND_COUNT; ground++)
        for (int how = 0; how < 3; how++) {
            struct drawn drawn = {{{20, -10}, {100, 90}}, how > 0, how > 1};
            struct flow_kit whole, cut;
            flow_kit_make(&whole, (struct flow_layout){-20, -30, 130, 110, 512}, (enum flow_ground)ground, 3);
            flow_kit_run(&whole);
            flow_kit_copy(&cut, &whole, 32);
            flow_kit_run(&cut);
            struct arena arena = test_arena(96 << 20);
            size_t n, m;
            const struct stream_line *a = lines_of(&whole, &drawn, &n, &arena);
            const struct stream_line *b = lines_of(&cut, &drawn, &m, &arena);
            assert_int_equal(n, m);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(a[i].count, b[i].count);
                assert_true(a[i].x == b[i].x && a[i].y == b[i].y && a[i].still == b[i].still);
                assert_memory_equal(a[i].xy, b[i].xy, 2 * a[i].count * sizeof(double));
                assert_memory_equal(a[i].area_m2, b[i].area_m2, a[i].count * sizeof(double));
            }
            seen += n;
            free(arena.base);
            flow_kit_free(&whole);
            flow_kit_free(&cut);
        }
    assert_true(seen > 200);
}

static double distance(double x, double y, const double *p) {
    return sqrt((x - p[0]) * (x - p[0]) + (y - p[1]) * (y - p[1]));
}

/* Whether something takes the water at the end of line l: another line's point, exactly; the world's edge;
 * what is drawn. */
static bool arrives(const struct stream_line *lines, size_t count, size_t l, const struct flow_layout *layout,
                    const struct drawn *drawn) {
    const double *end = &lines[l].xy[2 * (lines[l].count - 1)];
    if (end[0] < layout->x0 || end[1] < layout->y0 || end[0] > layout->x1 || end[1] > layout->y1)
        return true;
    for (size_t o = 0; o < count; o++)
        for (size_t i = 0; o != l && i < lines[o].count; i++)
            if (lines[o].xy[2 * i] == end[0] && lines[o].xy[2 * i + 1] == end[1])
                return true;
    if (drawn->has_lake && end[0] > 60 && end[0] < 80 && end[1] > 50 && end[1] < 75)
        return true;
    double t = ((end[0] - 20) * 80 + (end[1] + 10) * 100) / (80 * 80 + 100 * 100);
    double on[2] = {20 + 80 * t, -10 + 100 * t};
    return drawn->has_line && t > -1e-9 && t < 1 + 1e-9 && distance(end[0], end[1], on) < 1e-9;
}

/* Areas only grow on the way down, nothing begins with less than the least, points lie close together, and
 * every line ends in another, in what is drawn, or out of the world. */
static void lines_run_into_something(void **state) {
    (void)state;
    size_t lakes = 0, joints = 0;
    for (int ground = 0; ground < GROUND_COUNT; ground++)
        for (int how = 0; how < 3; how++) {
            struct drawn drawn = {{{20, -10}, {100, 90}}, how > 0, how > 1};
            struct flow_kit kit;
            flow_kit_make(&kit, (struct flow_layout){-20, -30, 130, 110, 64}, (enum flow_ground)ground, 9);
            flow_kit_run(&kit);
            struct arena arena = test_arena(96 << 20);
            size_t n;
            const struct stream_line *lines = lines_of(&kit, &drawn, &n, &arena);
            for (size_t l = 0; l < n; l++) {
                assert_true(lines[l].count >= 2 && lines[l].area_m2[0] >= LEAST);
                for (size_t i = 1; i < lines[l].count; i++) {
                    assert_true(lines[l].area_m2[i] >= lines[l].area_m2[i - 1]);
                    assert_true(
                        distance(lines[l].xy[2 * i], lines[l].xy[2 * i + 1], &lines[l].xy[2 * i - 2]) < 14);
                }
                assert_true(lines[l].still || arrives(lines, n, l, &kit.layout, &drawn));
                double y = lines[l].xy[2 * lines[l].count - 1], x = lines[l].xy[2 * lines[l].count - 2];
                lakes += how == 2 && x > 60 && x < 80 && y > 50 && y < 75;
                joints += x > -20 && x < 130 && y > -30 && y < 110;
            }
            free(arena.base);
            flow_kit_free(&kit);
        }
    assert_true(lakes > 0 && joints > 20);
}

/* One valley: its line runs down the middle to the edge. Drawn water beside it takes it over, and gives it
 * back where a line ends that meets nothing. */
static void drawn_lines_carry_their_valley(void **state) {
    (void)state;
    for (int how = 0; how < 2; how++) {
        struct flow_kit kit;
        flow_kit_make(&kit, (struct flow_layout){0, 10, 120, 51, 64}, GROUND_FLAT, 1);
        for (int32_t i = 0; i < kit.width * kit.height; i++) /* down to the east, in a V */
            kit.z[i] = 400000 - 400 * (i % kit.width) + 30000 * abs(i / kit.width - 20);
        flow_kit_run(&kit);
        struct arena arena = test_arena(64 << 20);
        struct drawn drawn = {{{40.5, 33}, {80, 33}}, how == 1, false};
        size_t n;
        const struct stream_line *lines = lines_of(&kit, &drawn, &n, &arena);
        assert_int_equal(n, how == 0 ? 1 : 2);
        for (size_t l = 0; l < n; l++)
            for (size_t i = 0; i < lines[l].count; i++)
                assert_true(fabs(lines[l].xy[2 * i + 1] - 30.5) < 3.6);
        if (how == 1) {
            bool west = lines[0].x < lines[1].x;
            const struct stream_line *above = &lines[west ? 0 : 1], *below = &lines[west ? 1 : 0];
            const double *end = &above->xy[2 * (above->count - 1)];
            assert_true(end[1] == 33 && end[0] >= 40.5 && end[0] < 48);
            assert_true(below->xy[0] == 80 && below->xy[1] == 33);
            assert_true(below->xy[2 * (below->count - 1)] > 120);
        }
        free(arena.base);
        flow_kit_free(&kit);
    }
}

static void widths_grow_with_area(void **state) {
    (void)state;
    assert_true(fabs(water_stream_width_m(1e6) - 2.2) < 1e-9);
    assert_true(water_stream_width_m(0) == 0.5 && water_stream_width_m(1e15) == 64);
    assert_true(water_stream_width_m(2e6) > water_stream_width_m(1e6));
}

static void damaged_records_are_refused(void **state) {
    (void)state;
    uint64_t words[2] = {7, 0};
    struct flow_layout layout = {0, 0, 10, 10, 64};
    struct flow_record record = {words, sizeof words};
    struct arena arena = test_arena(1 << 20);
    struct stream_line *lines;
    size_t count;
    assert_int_equal(water_stream_lines(&layout, &record, 1, LEAST, &lines, &count, &arena, NULL),
                     STATUS_FAULT);
    free(arena.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_change_nothing),        cmocka_unit_test(lines_run_into_something),
        cmocka_unit_test(drawn_lines_carry_their_valley), cmocka_unit_test(widths_grow_with_area),
        cmocka_unit_test(damaged_records_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
