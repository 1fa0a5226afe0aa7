#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/curve.h"
#include "terrain/hash.h"
#include <math.h>
#include <string.h>

enum { POINTS = 12, SAMPLES = 4096 };

static struct curve_sample samples[SAMPLES], others[SAMPLES];

static void random_points(uint64_t seed, double *xy) {
    double x = 0, y = 0;
    for (int32_t i = 0; i < POINTS; i++) {
        xy[2 * i] = x += 1 + (double)(hash_place(seed, 1, i, 0, 0) % 4000) / 100.0;
        xy[2 * i + 1] = y += (double)(hash_place(seed, 2, i, 0, 0) % 6000) / 100.0 - 30;
    }
}

static size_t sample(const struct curve *c, double spacing_m, enum curve_sampling how, double *sum,
                     struct curve_sample *out) {
    double lengths[POINTS];
    *sum = terrain_curve_measure(c, lengths);
    size_t n = terrain_curve_sample_count(c, lengths, spacing_m, how);
    assert_true(n <= SAMPLES);
    assert_int_equal(terrain_curve_sample(c, lengths, spacing_m, how, out), n);
    return n;
}

static void straight_points_make_a_straight_line(void **state) {
    (void)state;
    const double xy[] = {0, 0, 3, 4, 9, 12, 12, 16};
    for (int smooth = 0; smooth < 2; smooth++) {
        struct curve c = {xy, 4, false, smooth};
        double sum;
        size_t n = sample(&c, 1, CURVE_EVEN, &sum, samples);
        assert_true(fabs(sum - 20) < 1e-9);
        assert_true(n == 21 || n == 22); /* the sum may be a hair above 20 */
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(samples[i].x * 4 - samples[i].y * 3) < 1e-9);
            assert_true(fabs(samples[i].s_m - 20.0 * (double)i / (double)(n - 1)) < 1e-9);
            assert_true(fabs(samples[i].x - 0.6 * samples[i].s_m) < 1e-6);
            assert_true(fabs(samples[i].tangent_x - 0.6) < 1e-9 && fabs(samples[i].tangent_y - 0.8) < 1e-9);
        }
    }
}

static void the_curve_goes_through_its_points_without_corners(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        double xy[2 * POINTS], before[8], behind[8];
        random_points(seed, xy);
        struct curve c = {xy, POINTS, seed % 2, true};
        for (size_t i = 0; i < curve_segments(&c); i++) {
            terrain_curve_bezier(&c, i, before);
            size_t k = (i + 1) % POINTS;
            assert_true(before[0] == xy[2 * i] && before[1] == xy[2 * i + 1]);
            assert_true(before[6] == xy[2 * k] && before[7] == xy[2 * k + 1]);
            if (i + 1 == curve_segments(&c) && !c.closed)
                continue;
            terrain_curve_bezier(&c, (i + 1) % curve_segments(&c), behind);
            double ax = before[6] - before[4], ay = before[7] - before[5], bx = behind[2] - behind[0],
                   by = behind[3] - behind[1];
            assert_true(fabs(ax * by - ay * bx) < 1e-9 * sqrt((ax * ax + ay * ay) * (bx * bx + by * by)));
            assert_true(ax * bx + ay * by > 0);
        }
    }
}

/* Yuksel et al. 2011, by Barry & Goldman's pyramid of linear interpolations. */
static void the_curve_is_centripetal_catmull_rom(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        double xy[2 * POINTS], b[8], t[4] = {0};
        random_points(seed, xy);
        struct curve c = {xy, POINTS, false, true};
        const double *p = xy + 6;
        for (int i = 1; i < 4; i++)
            t[i] = t[i - 1] + sqrt(hypot(p[2 * i] - p[2 * i - 2], p[2 * i + 1] - p[2 * i - 1]));
        terrain_curve_bezier(&c, 4, b);
        for (double u = 0.1; u < 1; u += 0.2) {
            double at = t[1] + u * (t[2] - t[1]), v = 1 - u, point[2];
            for (int k = 0; k < 2; k++) {
                double a[3], d[2];
                for (int i = 0; i < 3; i++)
                    a[i] =
                        ((t[i + 1] - at) * p[2 * i + k] + (at - t[i]) * p[2 * i + 2 + k]) / (t[i + 1] - t[i]);
                for (int i = 0; i < 2; i++)
                    d[i] = ((t[i + 2] - at) * a[i] + (at - t[i]) * a[i + 1]) / (t[i + 2] - t[i]);
                point[k] = ((t[2] - at) * d[0] + (at - t[1]) * d[1]) / (t[2] - t[1]);
                double bezier = v * v * v * b[k] + 3 * v * v * u * b[2 + k] + 3 * v * u * u * b[4 + k] +
                                u * u * u * b[6 + k];
                assert_true(fabs(point[k] - bezier) < 1e-9);
            }
        }
    }
}

static void samples_are_evenly_spaced(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        double xy[2 * POINTS], sum;
        random_points(seed, xy);
        struct curve c = {xy, POINTS, seed % 3 == 0, seed % 5 != 0};
        size_t n = sample(&c, 2.5, CURVE_EVEN, &sum, samples), steps = c.closed ? n : n - 1;
        double step = sum / (double)steps;
        assert_true(step <= 2.5 && step > 2.4);
        for (size_t i = 0; i + 1 < n; i++) {
            assert_true(fabs(samples[i + 1].s_m - samples[i].s_m - step) < 1e-9);
            double chord = hypot(samples[i + 1].x - samples[i].x, samples[i + 1].y - samples[i].y);
            assert_true(chord < step * 1.0001);
            double size = hypot(samples[i].tangent_x, samples[i].tangent_y);
            assert_true(fabs(size - 1) < 1e-12);
        }
        /* arc length between samples, from many small chords: agrees with the step */
        struct curve_sample *fine = others;
        size_t m = sample(&c, 0.25, CURVE_EVEN, &sum, fine);
        double chords = 0;
        for (size_t i = 0; i + 1 < m; i++)
            chords += hypot(fine[i + 1].x - fine[i].x, fine[i + 1].y - fine[i].y);
        if (c.closed)
            chords += hypot(fine[0].x - fine[m - 1].x, fine[0].y - fine[m - 1].y);
        assert_true(fabs(chords - sum) < 2e-3 * sum);
    }
}

static void through_keeps_every_point_and_is_local(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        double xy[2 * POINTS], sum;
        random_points(seed, xy);
        struct curve c = {xy, POINTS, false, true};
        size_t n = sample(&c, 3, CURVE_THROUGH, &sum, samples), found = 0;
        for (size_t i = 0; i < n; i++)
            found += found < POINTS && samples[i].x == xy[2 * found] && samples[i].y == xy[2 * found + 1];
        assert_int_equal(found, POINTS);
        /* moving the last point leaves everything up to the third last alone */
        xy[2 * POINTS - 2] += 17;
        size_t m = sample(&c, 3, CURVE_THROUGH, &sum, others);
        for (size_t i = 0; i < n && i < m && samples[i].segment + 3 < POINTS; i++)
            assert_memory_equal(&samples[i], &others[i], sizeof samples[i]);
    }
}

static void direction_changes_no_bit(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        double xy[2 * POINTS], turned[2 * POINTS], sum, other_sum;
        random_points(seed, xy);
        bool closed = seed % 3 == 0;
        for (int i = 0; i < POINTS; i++) {
            int k = closed ? (POINTS - i) % POINTS : POINTS - 1 - i;
            turned[2 * k] = xy[2 * i];
            turned[2 * k + 1] = xy[2 * i + 1];
        }
        enum curve_sampling how = seed % 2 ? CURVE_EVEN : CURVE_THROUGH;
        struct curve a = {xy, POINTS, closed, seed % 7 != 0}, b = {turned, POINTS, closed, seed % 7 != 0};
        size_t n = sample(&a, 1.7, how, &sum, samples), m = sample(&b, 1.7, how, &other_sum, others);
        assert_int_equal(n, m);
        for (size_t i = 0; i < n; i++) {
            size_t k = closed ? (n - i) % n : n - 1 - i;
            assert_true(samples[i].x == others[k].x && samples[i].y == others[k].y);
            bool on_point = samples[i].share <= 0 || others[k].share <= 0 || samples[i].share >= 1;
            if (!on_point) {
                assert_true(samples[i].tangent_x == -others[k].tangent_x);
                assert_true(samples[i].tangent_y == -others[k].tangent_y);
            } else if (a.smooth) {
                assert_true(fabs(samples[i].tangent_x + others[k].tangent_x) < 1e-9);
                assert_true(fabs(samples[i].tangent_y + others[k].tangent_y) < 1e-9);
            }
            if (i > 0 || !closed)
                assert_true(fabs(samples[i].s_m + others[k].s_m - sum) < 1e-9 * sum);
        }
    }
}

static void attributes_run_along(void **state) {
    (void)state;
    const double xy[] = {0, 0, 10, 0, 10, 30}, width[] = {2, 4, 10};
    struct curve c = {xy, 3, false, false};
    double sum;
    size_t n = sample(&c, 5, CURVE_THROUGH, &sum, samples);
    assert_int_equal(n, 9);
    const double expected[] = {2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (size_t i = 0; i < n; i++)
        assert_true(fabs(curve_attribute(&c, width, &samples[i]) - expected[i]) < 1e-12);
    /* a closed curve's last segment runs to the first point */
    c.closed = true;
    n = sample(&c, 1000, CURVE_THROUGH, &sum, samples);
    assert_int_equal(n, 3);
    samples[2].share = 0.5;
    assert_true(curve_attribute(&c, width, &samples[2]) == 6);
}

static void equal_neighbours_do_no_harm(void **state) {
    (void)state;
    const double xy[] = {0, 0, 5, 5, 5, 5, 9, 1, 9, 1};
    struct curve c = {xy, 5, false, true};
    double sum;
    size_t n = sample(&c, 0.5, CURVE_EVEN, &sum, samples);
    for (size_t i = 0; i < n; i++) {
        assert_true(isfinite(samples[i].x) && isfinite(samples[i].y) && isfinite(samples[i].tangent_x));
        assert_true(samples[i].share >= 0 && samples[i].share <= 1);
    }
    assert_true(samples[n - 1].x == 9 && samples[n - 1].y == 1);
    const double dot[] = {1, 1, 1, 1};
    c = (struct curve){dot, 2, false, true};
    n = sample(&c, 0.5, CURVE_THROUGH, &sum, samples);
    assert_true(sum == 0 && n == 2 && samples[1].x == 1 && samples[1].tangent_x == 1);
}

static void the_nearest_point_is_nearest_and_ties_go_west(void **state) {
    (void)state;
    double xy[2 * POINTS], turned[2 * POINTS];
    for (uint64_t seed = 0; seed < 50; seed++) {
        random_points(seed, xy);
        for (int i = 0; i < POINTS; i++) {
            turned[2 * (POINTS - 1 - i)] = xy[2 * i];
            turned[2 * (POINTS - 1 - i) + 1] = xy[2 * i + 1];
        }
        double x = (double)(hash_place(seed, 7, 0, 0, 0) % 300),
               y = (double)(hash_place(seed, 8, 0, 0, 0) % 100) - 50;
        struct curve_nearest a = terrain_chain_nearest(xy, POINTS, false, x, y);
        struct curve_nearest b = terrain_chain_nearest(turned, POINTS, false, x, y);
        assert_true(a.x == b.x && a.y == b.y && a.distance_m == b.distance_m);
        for (int i = 0; i + 1 < POINTS; i++)
            for (double t = 0; t <= 1; t += 0.01)
                assert_true(hypot(xy[2 * i] + t * (xy[2 * i + 2] - xy[2 * i]) - x,
                                  xy[2 * i + 1] + t * (xy[2 * i + 3] - xy[2 * i + 1]) - y) >=
                            a.distance_m - 1e-9);
    }
    const double square[] = {0, 0, 10, 0, 10, 10, 0, 10};
    struct curve_nearest mid = terrain_chain_nearest(square, 4, true, 5, 5);
    assert_true(mid.x == 0 && mid.y == 5 && mid.segment == 3 && mid.share == 0.5);
}

/* Any change of these bits changes every river and road. */
static void the_golden_hash_stands(void **state) {
    (void)state;
    double xy[2 * POINTS], sum;
    uint64_t h = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        random_points(seed, xy);
        struct curve c = {xy, POINTS, seed % 4 == 0, true};
        size_t n = sample(&c, 1.25, seed % 2 ? CURVE_EVEN : CURVE_THROUGH, &sum, samples);
        for (size_t i = 0; i < n; i++) {
            const double v[] = {samples[i].x,         samples[i].y,   samples[i].tangent_x,
                                samples[i].tangent_y, samples[i].s_m, samples[i].share};
            for (size_t k = 0; k < 6; k++) {
                uint64_t bits;
                memcpy(&bits, &v[k], sizeof bits);
                h = hash_mix(h ^ bits);
            }
        }
    }
    assert_true(h == UINT64_C(0x41d9b3322cadae71));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_points_make_a_straight_line),
        cmocka_unit_test(the_curve_goes_through_its_points_without_corners),
        cmocka_unit_test(the_curve_is_centripetal_catmull_rom),
        cmocka_unit_test(samples_are_evenly_spaced),
        cmocka_unit_test(through_keeps_every_point_and_is_local),
        cmocka_unit_test(direction_changes_no_bit),
        cmocka_unit_test(attributes_run_along),
        cmocka_unit_test(equal_neighbours_do_no_harm),
        cmocka_unit_test(the_nearest_point_is_nearest_and_ties_go_west),
        cmocka_unit_test(the_golden_hash_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
