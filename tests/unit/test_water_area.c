/* Areas of rivers: what the lines in them and into them get from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/ramp_kit.h"
#include "water/bed.h"
#include "water/shore.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = RAMP_SIDE, CELLS = SIDE * SIDE, WORLDS = 24, CORNERS = 2 * RAMP_POINTS };

/* Around the first line, 6 to 16 m to both sides. */
static void add_area(struct ramp *r, uint64_t seed) {
    static double xy[2 * CORNERS];
    static const size_t ring_end[1] = {CORNERS};
    for (int i = 0; i < RAMP_POINTS; i++) {
        double half = 6 + 10 * ramp_unit(seed, 200 + i);
        int k = CORNERS - 1 - i;
        xy[2 * i] = xy[2 * k] = r->xy[0][2 * i];
        xy[2 * i + 1] = r->xy[0][2 * i + 1] + half;
        xy[2 * k + 1] = r->xy[0][2 * i + 1] - half;
    }
    r->lakes[0] = (struct water_lake){.xy = xy,
                                      .ring_end = ring_end,
                                      .ring_count = 1,
                                      .level_m = (double)NAN,
                                      .carve = true,
                                      .river_area = true,
                                      .key = 5};
    r->lake_count = 1;
}

/* To a point of the first line, at any angle. */
static void add_tributary(struct ramp *r, uint64_t seed, int32_t n) {
    const double *main = r->xy[0] + 2 * (2 + (int32_t)(5 * ramp_unit(seed, 60 + n)));
    struct water_line *side = ramp_line(r, 3, 2 + 6 * ramp_unit(seed, 62 + n));
    double *xy = r->xy[side - r->lines], way = n ? 1 : -1, off = 160 * ramp_unit(seed, 64 + n) - 60;
    for (int i = 0; i < 3; i++) {
        xy[2 * i] = main[0] + 0.5 * (2 - i) * off;
        xy[2 * i + 1] = main[1] + 0.5 * (2 - i) * 90 * way;
    }
}

/* Metres from the area, or from a line by its own width, whichever is less; below 0 in it. */
static double beyond(const struct ramp *r, double x, double y) {
    double at[2], away = 0;
    if (!water_lake_holds(&r->lakes[0], x, y))
        away = water_lake_nearest(&r->lakes[0], x, y, at);
    for (size_t i = 0; i < r->river.point_first[r->river.line_count] && away > 0; i++) {
        const struct water_station *p = &r->river.points[i];
        double own = 1.25 * fmax(p->left, p->right), dx = x - p->x, dy = y - p->y;
        away = fmin(away, sqrt(dx * dx + dy * dy) - own);
    }
    return away;
}

/* No water stands farther from the area, and from a line by its own width, than 5 m: areas here are from 12
 * to 32 m wide within 34 m, and a line's end is round. */
static void no_water_far_from_its_area(void **state) {
    (void)state;
    static struct water_sample samples[CELLS];
    size_t wet = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        struct ramp *r = ramp_new(0.012, 0.5, seed);
        ramp_river(r, seed, 8, 20, 1);
        add_area(r, seed);
        for (int32_t n = 0; n < 2; n++)
            add_tributary(r, seed, n);
        ramp_solve(r);
        struct water_grid grid = {0, 0, SIDE, SIDE, 1, 0.5, 1, 0};
        assert_int_equal(water_field(&r->set, &grid, samples, NULL, &r->arena, NULL), STATUS_OK);
        for (int i = 0; i < CELLS; i++) {
            double x = i % SIDE + 0.5, y = i / SIDE + 0.5;
            if (!(samples[i].sd < 0) || x < 8 || x > SIDE - 8)
                continue;
            wet++;
            double away = beyond(r, x, y);
            if (away > 5)
                print_message("seed %d: %.1f m at (%.1f, %.1f)\n", (int)seed, away, x, y);
            assert_true(away <= 5);
        }
        ramp_free(r);
    }
    assert_true(wet > 24 * 4000);
}

/* Straight and 16 m wide, with an arm to the north in it: the line has the area's width along it, and no more
 * nor less where the arm begins; its parts side by side are as one. */
static void an_arm_changes_no_width(void **state) {
    (void)state;
    static const double arm[16] = {300, 120, 300, 136, 138, 136, 138, 230,
                                   122, 230, 122, 136, -40, 136, -40, 120};
    static const double west[8] = {100, 120, 100, 136, -40, 136, -40, 120};
    static const double east[8] = {300, 120, 300, 136, 100, 136, 100, 120};
    static const size_t eight[1] = {8}, four[1] = {4};
    for (int parts = 0; parts < 2; parts++) {
        struct ramp *r = ramp_new(0.012, 0, 1);
        struct water_line *line = ramp_line(r, 2, 6);
        double *xy = r->xy[line - r->lines];
        xy[0] = SIDE + 12;
        xy[2] = -12;
        xy[1] = xy[3] = 128.3;
        r->lakes[0] = (struct water_lake){.xy = parts ? west : arm,
                                          .ring_end = parts ? four : eight,
                                          .ring_count = 1,
                                          .level_m = (double)NAN,
                                          .river_area = true,
                                          .key = 5};
        r->lakes[1] = r->lakes[0];
        r->lakes[1].xy = east;
        r->lakes[1].key = 6;
        r->lake_count = parts ? 2 : 1;
        ramp_solve(r);
        for (size_t e = 0; e < r->river.edge_count; e++)
            for (size_t i = 0; i < r->river.edges[e].count; i++) {
                const struct water_station *s = &r->river.stations[r->river.edges[e].first + i];
                double least = fmin(s->left, s->right), most = fmax(s->left, s->right);
                if (least < 6.5 || most > 9.5)
                    print_message("at %.1f: %.2f m to the left, %.2f m to the right\n", s->x, s->left,
                                  s->right);
                assert_true(least >= 6.5 && most <= 9.5);
            }
        ramp_free(r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_water_far_from_its_area),
        cmocka_unit_test(an_arm_changes_no_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
