#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/curvature.h"
#include "terrain/hash.h"
#include "tests/unit/ground_help.h"
#include <math.h>
#include <stdlib.h>

struct curved {
    struct curvature_params params;
    struct grid_f32 altitude, curvature, profile, plan;
};

static struct curved make(double cell_m, double scale_m, float (*ground)(int32_t, int32_t), int32_t x0,
                          int32_t y0, int32_t width, int32_t height) {
    struct curved c = {.params = {.cell_m = cell_m, .scale_m = scale_m}};
    int32_t r = curvature_reach(&c.params);
    c.altitude = grid_make(x0 - r, y0 - r, width + 2 * r, height + 2 * r);
    c.curvature = grid_make(x0, y0, width, height);
    c.profile = grid_make(x0, y0, width, height);
    c.plan = grid_make(x0, y0, width, height);
    grid_fill(&c.altitude, ground);
    size_t size = curvature_scratch(&c.params, width, height);
    struct arena scratch = {.base = malloc(size), .size = size};
    assert_true(terrain_curvature(&c.params, &c.altitude, &c.curvature, &c.profile, &c.plan, &scratch));
    assert_int_equal(scratch.used, 0);
    free(scratch.base);
    return c;
}
static void drop(struct curved *c) {
    grid_free(&c->altitude);
    grid_free(&c->curvature);
    grid_free(&c->profile);
    grid_free(&c->plan);
}

static float flat(int32_t x, int32_t y) {
    (void)x, (void)y;
    return 1234.567f;
}
static void flat_ground_is_exactly_zero(void **state) {
    (void)state;
    struct curved c = make(1.0, 8.0, flat, -5, 3, 40, 30);
    for (int32_t i = 0; i < 40 * 30; i++) {
        assert_true(c.curvature.cells[i] == 0.0f && !signbit(c.curvature.cells[i]));
        assert_true(c.profile.cells[i] == 0.0f && !signbit(c.profile.cells[i]));
        assert_true(c.plan.cells[i] == 0.0f && !signbit(c.plan.cells[i]));
    }
    drop(&c);
}

static float tilted(int32_t x, int32_t y) {
    return 1000.0f + 0.25f * (float)x - 0.5f * (float)y;
}
static void a_plane_has_no_curvature(void **state) {
    (void)state;
    struct curved c = make(1.0, 16.0, tilted, 0, 0, 64, 64);
    for (int32_t i = 0; i < 64 * 64; i++) {
        assert_true(fabsf(c.curvature.cells[i]) < 1e-9f);
        assert_true(fabsf(c.profile.cells[i]) < 1e-9f && fabsf(c.plan.cells[i]) < 1e-9f);
    }
    drop(&c);
}

/* A bowl upside down, top at (0, 0) m: second derivatives -1/50 in every direction. Smoothing shifts a
 * paraboloid by a constant only. */
static float dome(int32_t x, int32_t y) {
    double e = (x + 0.5) * 0.5, n = (y + 0.5) * 0.5;
    return (float)(500.0 - (e * e + n * n) / 100.0);
}
static void a_paraboloid_bulges_the_same_everywhere(void **state) {
    (void)state;
    struct curved c = make(0.5, 8.0, dome, -70, -70, 140, 140);
    for (int32_t i = 0; i < 140 * 140; i++) {
        assert_true(fabs((double)c.curvature.cells[i] - 0.04) < 1e-4);
        assert_true(fabs((double)c.profile.cells[i] - 0.02) < 1e-4);
        assert_true(fabs((double)c.plan.cells[i] - 0.02) < 1e-4);
    }
    drop(&c);
}

/* A gutter that runs east and falls that way: hollow across, straight along. */
static float gutter(int32_t x, int32_t y) {
    double n = y + 0.5;
    return (float)(300.0 - 0.5 * x + n * n / 80.0);
}
static void a_gutter_is_hollow_across_and_straight_along(void **state) {
    (void)state;
    struct curved c = make(1.0, 8.0, gutter, 0, -1, 50, 2); /* on its axis, where the fall is to the east */
    for (int32_t i = 0; i < 100; i++) {
        assert_true(fabs((double)c.curvature.cells[i] + 0.025) < 1e-4);
        assert_true(fabs((double)c.plan.cells[i] + 0.025) < 1e-4);
        assert_true(fabs((double)c.profile.cells[i]) < 1e-4);
    }
    drop(&c);
}

/* A slope that steepens to the north, falling that way: bulges along the fall, straight across. */
static float brow(int32_t x, int32_t y) {
    (void)x;
    double n = y + 0.5;
    return (float)(900.0 - n * n / 100.0);
}
static void a_brow_bulges_along_the_fall(void **state) {
    (void)state;
    struct curved c = make(1.0, 8.0, brow, -3, 20, 8, 40);
    for (int32_t i = 0; i < 8 * 40; i++) {
        assert_true(fabs((double)c.profile.cells[i] - 0.02) < 1e-4);
        assert_true(fabs((double)c.plan.cells[i]) < 1e-4);
    }
    drop(&c);
}

/* A cone of gradient 1/2: along the fall 0; across it second derivative gradient / distance from the top. */
static float cone(int32_t x, int32_t y) {
    return (float)(700.0 - 0.5 * sqrt((x + 0.5) * (x + 0.5) + (y + 0.5) * (y + 0.5)));
}
static void a_cone_curves_across_only(void **state) {
    (void)state;
    struct curved c = make(1.0, 4.0, cone, 60, -100, 60, 200);
    for (int32_t y = -100; y < 100; y++)
        for (int32_t x = 60; x < 120; x++) {
            double r = hypot(x + 0.5, y + 0.5);
            assert_true(fabs((double)*grid_f32_at(&c.profile, x, y)) < 3e-4);
            assert_true(fabs((double)*grid_f32_at(&c.plan, x, y) - 0.5 / r) < 3e-4);
        }
    drop(&c);
}

/* Smoothing by direct sums, then the formulas as the header states them. */
static double smoothed(const struct grid_f32 *z, int32_t x, int32_t y, const double *kernel, int32_t radius) {
    double sum = 0;
    for (int32_t j = -radius; j <= radius; j++)
        for (int32_t i = -radius; i <= radius; i++)
            sum += kernel[i + radius] * kernel[j + radius] * (double)*grid_f32_at(z, x + i, y + j);
    return sum;
}
static void check_cell(const struct curved *c, int32_t x, int32_t y, const double *kernel, int32_t radius) {
    double z[3][3], l = c->params.cell_m;
    for (int32_t j = 0; j < 3; j++)
        for (int32_t i = 0; i < 3; i++)
            z[j][i] = smoothed(&c->altitude, x + i - 1, y + j - 1, kernel, radius);
    double d = ((z[1][0] + z[1][2]) / 2 - z[1][1]) / (l * l),
           e = ((z[2][1] + z[0][1]) / 2 - z[1][1]) / (l * l);
    double f = (z[2][2] - z[2][0] - z[0][2] + z[0][0]) / (4 * l * l);
    double g = (z[1][2] - z[1][0]) / (2 * l), h = (z[2][1] - z[0][1]) / (2 * l), steep = g * g + h * h;
    double profile = -2 * (d * g * g + e * h * h + f * g * h) / steep;
    double plan = -2 * (d * h * h + e * g * g - f * g * h) / steep;
    assert_true(fabs((double)*grid_f32_at(&c->curvature, x, y) + 2 * (d + e)) < 2e-6);
    assert_true(fabs((double)*grid_f32_at(&c->profile, x, y) - profile) < 2e-6);
    assert_true(fabs((double)*grid_f32_at(&c->plan, x, y) - plan) < 2e-6);
}
static void rough_ground_agrees_with_the_formulas(void **state) {
    (void)state;
    static const double scales[] = {1, 3, 6, 8, 11, 17};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        struct curved c = make(1.0, scales[s], rough_ground, -20, 33, 21, 17);
        int32_t box = curvature_box(&c.params), radius = 3 * (box / 2);
        double kernel[256] = {0}, wide[256];
        kernel[radius] = 1.0;
        for (int32_t pass = 0; pass < 3; pass++) {
            for (int32_t i = 0; i <= 2 * radius; i++) {
                wide[i] = 0.0;
                for (int32_t k = i - box / 2; k <= i + box / 2; k++)
                    wide[i] += k >= 0 && k <= 2 * radius ? kernel[k] / box : 0.0;
            }
            for (int32_t i = 0; i <= 2 * radius; i++)
                kernel[i] = wide[i];
        }
        for (int32_t y = 33; y < 50; y += 4)
            for (int32_t x = -20; x < 1; x += 4)
                check_cell(&c, x, y, kernel, radius);
        drop(&c);
    }
}

static void any_window_gives_the_bits_of_the_whole(void **state) {
    (void)state;
    static const double scales[] = {1, 8, 13};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        struct curved whole = make(1.0, scales[s], rough_ground, -64, -64, 150, 130);
        for (int32_t k = 0; k < 12; k++) {
            uint64_t h = hash_place(6, s, k, 0, 0);
            int32_t x = -64 + (int32_t)(h % 90), y = -64 + (int32_t)(h / 128 % 90);
            int32_t width = 1 + (int32_t)(h / 65536 % 60), height = 1 + (int32_t)((h >> 32) % 40);
            struct curved part = make(1.0, scales[s], rough_ground, x, y, width, height);
            assert_same_bits(&part.curvature, &whole.curvature);
            assert_same_bits(&part.profile, &whole.profile);
            assert_same_bits(&part.plan, &whole.plan);
            drop(&part);
        }
        drop(&whole);
    }
}

static void too_little_scratch_is_refused(void **state) {
    (void)state;
    struct curved c = make(1.0, 8.0, flat, 0, 0, 20, 20);
    size_t size = curvature_scratch(&c.params, 20, 20) / 2;
    struct arena scratch = {.base = malloc(size), .size = size};
    assert_false(terrain_curvature(&c.params, &c.altitude, &c.curvature, &c.profile, &c.plan, &scratch));
    free(scratch.base);
    drop(&c);
}

static void results_hash_to_the_golden_values(void **state) {
    (void)state;
    static const uint64_t golden[3] = {0xf705ad8acaf1b018, 0x5d7c9d9d25c169f5, 0x1dd712669f6f4648};
    struct curved c = make(0.5, 8.0, rough_ground, -7, 100, 80, 70);
    uint64_t got[3] = {grid_hash(&c.curvature), grid_hash(&c.profile), grid_hash(&c.plan)};
    if (got[0] != golden[0] || got[1] != golden[1] || got[2] != golden[2])
        fail_msg("{0x%016llx, 0x%016llx, 0x%016llx}", (unsigned long long)got[0], (unsigned long long)got[1],
                 (unsigned long long)got[2]);
    drop(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_ground_is_exactly_zero),
        cmocka_unit_test(a_plane_has_no_curvature),
        cmocka_unit_test(a_paraboloid_bulges_the_same_everywhere),
        cmocka_unit_test(a_gutter_is_hollow_across_and_straight_along),
        cmocka_unit_test(a_brow_bulges_along_the_fall),
        cmocka_unit_test(a_cone_curves_across_only),
        cmocka_unit_test(rough_ground_agrees_with_the_formulas),
        cmocka_unit_test(any_window_gives_the_bits_of_the_whole),
        cmocka_unit_test(too_little_scratch_is_refused),
        cmocka_unit_test(results_hash_to_the_golden_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
