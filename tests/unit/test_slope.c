#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/altitude.h"
#include "terrain/hash.h"
#include "terrain/math.h"
#include "terrain/slope.h"
#include "tests/unit/ground_help.h"
#include <math.h>

enum { SIZE = 96 };

/* Heights, slope and aspect over SIZE x SIZE cells from (x0, y0). */
struct ground {
    struct grid_f32 height, slope, aspect;
    struct slope_params params;
};
static struct ground make(bool posts, float cell_m, float (*ground)(int32_t, int32_t), int32_t x0, int32_t y0,
                          int32_t width, int32_t height) {
    struct ground g = {.params = {.cell_m = cell_m, .posts = posts}};
    g.height = grid_make(x0 - 1, y0 - 1, width + 2, height + 2);
    g.slope = grid_make(x0, y0, width, height);
    g.aspect = grid_make(x0, y0, width, height);
    grid_fill(&g.height, ground);
    terrain_slope(&g.params, &g.height, &g.slope, &g.aspect);
    return g;
}
static void drop(struct ground *g) {
    grid_free(&g->height);
    grid_free(&g->slope);
    grid_free(&g->aspect);
}

static float plane_east, plane_north;
static float plane(int32_t x, int32_t y) {
    return 512.0f + plane_east * (float)x + plane_north * (float)y;
}

static void a_plane_has_its_slope_and_aspect_everywhere(void **state) {
    (void)state;
    /* rises per metre, and the aspect that follows: the ground falls against the rise */
    static const float cases[][3] = {{0.5f, 0.0f, 270.0f},  {-0.5f, 0.0f, 90.0f},  {0.0f, 0.5f, 180.0f},
                                     {0.0f, -0.5f, 0.0f},   {1.0f, 1.0f, 225.0f},  {-1.0f, -1.0f, 45.0f},
                                     {1.0f, -1.0f, 315.0f}, {-2.0f, 2.0f, 135.0f}, {0.0f, 0.0f, -1.0f}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int32_t posts = 0; posts < 2; posts++) {
            float cell_m = 0.5f;
            plane_east = cases[c][0] * cell_m, plane_north = cases[c][1] * cell_m;
            struct ground g = make(posts != 0, cell_m, plane, -40, 7, SIZE, SIZE);
            double slope = atan(hypot((double)cases[c][0], (double)cases[c][1])) * MATH_DEG;
            for (int32_t i = 0; i < SIZE * SIZE; i++) {
                assert_true(fabs((double)g.slope.cells[i] - slope) < 1e-4);
                assert_true(fabsf(g.aspect.cells[i] - cases[c][2]) < 1e-4f);
            }
            drop(&g);
        }
}

/* Beyond [x0, x1) x [y0, y1) the samples are garbage; the rim is set; windows agree on it. */
static void the_rim_goes_on_straight(void **state) {
    (void)state;
    plane_east = 0.75f, plane_north = -1.25f;
    static const int32_t known[][4] = {
        {-40, 7, 56, 103}, {-38, 9, 50, 100}, {-40, 7, -20, 103}, {0, 50, 2, 52}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const int32_t *r = known[k];
        struct ground g = make(false, 1.0f, plane, -40, 7, SIZE, SIZE);
        for (int32_t y = 6; y < 104; y++)
            for (int32_t x = -41; x < 57; x++)
                if (x < r[0] || x >= r[2] || y < r[1] || y >= r[3])
                    *grid_f32_at(&g.height, x, y) = -9999.0f;
        terrain_slope_rim(&g.height, r[0], r[1], r[2], r[3]);
        for (int32_t y = 6; y < 104; y++)
            for (int32_t x = -41; x < 57; x++) {
                bool rim = x >= r[0] - 1 && x <= r[2] && y >= r[1] - 1 && y <= r[3];
                assert_true(*grid_f32_at(&g.height, x, y) == (rim ? plane(x, y) : -9999.0f));
            }
        drop(&g);
    }
    struct ground one = make(false, 1.0f, plane, 0, 0, 1, 1); /* a ground of one cell is flat */
    terrain_slope_rim(&one.height, 0, 0, 1, 1);
    for (int32_t i = 0; i < 9; i++)
        assert_true(one.height.cells[i] == plane(0, 0));
    drop(&one);
}

static void a_cone_falls_away_from_its_top(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        struct ground g = {.params = {.cell_m = 1.0f, .posts = posts != 0}};
        g.height = grid_make(-61, -61, 122, 122);
        g.slope = grid_make(-60, -60, 120, 120);
        g.aspect = grid_make(-60, -60, 120, 120);
        double half = posts ? 0.0 : 0.5; /* a sample's place in its cell */
        for (int32_t y = -61; y < 61; y++)
            for (int32_t x = -61; x < 61; x++)
                *grid_f32_at(&g.height, x, y) = (float)(200.0 - 0.75 * hypot(x + half, y + half));
        terrain_slope(&g.params, &g.height, &g.slope, &g.aspect);
        for (int32_t y = -60; y < 60; y++)
            for (int32_t x = -60; x < 60; x++) {
                double east = x + 0.5, north = y + 0.5;
                if (hypot(east, north) < 20.0)
                    continue;
                double want = atan2(east, north) * MATH_DEG;
                double off = fabs((double)*grid_f32_at(&g.aspect, x, y) - (want < 0 ? want + 360 : want));
                assert_true(fmin(off, 360.0 - off) < 0.1);
                assert_true(fabs((double)*grid_f32_at(&g.slope, x, y) - atan(0.75) * MATH_DEG) < 0.05);
            }
        drop(&g);
    }
}

/* The formulas in double, straight from the paper. */
static void reference(const struct ground *g, int32_t x, int32_t y, double *slope, double *aspect) {
    double z[3][3], d = (double)g->params.cell_m, east, north;
    for (int32_t j = 0; j < 3; j++)
        for (int32_t i = 0; i < 3; i++)
            z[j][i] = (double)*grid_f32_at(&g->height, x + i - 1, y + j - 1);
    if (g->params.posts) {
        east = ((z[1][2] + z[2][2]) - (z[1][1] + z[2][1])) / (2 * d);
        north = ((z[2][1] + z[2][2]) - (z[1][1] + z[1][2])) / (2 * d);
    } else {
        east = ((z[0][2] + 2 * z[1][2] + z[2][2]) - (z[0][0] + 2 * z[1][0] + z[2][0])) / (8 * d);
        north = ((z[2][0] + 2 * z[2][1] + z[2][2]) - (z[0][0] + 2 * z[0][1] + z[0][2])) / (8 * d);
    }
    *slope = atan(sqrt(east * east + north * north)) * 180 / MATH_PI;
    *aspect = east == 0 && north == 0 ? -1 : atan2(-east, -north) * 180 / MATH_PI;
    if (*aspect < 0 && !(east == 0 && north == 0))
        *aspect += 360;
}

static void rough_ground_agrees_with_the_formulas_in_double(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        struct ground g = make(posts != 0, 2.0f, rough_ground, -30, -50, SIZE, SIZE);
        for (int32_t y = -50; y < SIZE - 50; y++)
            for (int32_t x = -30; x < SIZE - 30; x++) {
                double slope, aspect;
                reference(&g, x, y, &slope, &aspect);
                assert_true(fabs((double)*grid_f32_at(&g.slope, x, y) - slope) < 1e-4);
                double off = fabs((double)*grid_f32_at(&g.aspect, x, y) - aspect);
                assert_true(fmin(off, 360 - off) < 1e-3);
            }
        drop(&g);
    }
}

static void any_window_gives_the_bits_of_the_whole(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        struct ground whole = make(posts != 0, 1.0f, rough_ground, -64, -64, 160, 130);
        for (int32_t k = 0; k < 40; k++) {
            uint64_t h = hash_place(5, 5, k, posts, 0);
            int32_t x = -64 + (int32_t)(h % 100), y = -64 + (int32_t)(h / 128 % 90);
            int32_t width = 1 + (int32_t)(h / 65536 % 60), height = 1 + (int32_t)((h >> 32) % 40);
            struct ground part = make(posts != 0, 1.0f, rough_ground, x, y, width, height);
            assert_same_bits(&part.slope, &whole.slope);
            assert_same_bits(&part.aspect, &whole.aspect);
            drop(&part);
        }
        drop(&whole);
    }
}

static void the_gradient_is_what_slope_and_aspect_are_made_of(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        struct ground g = make(posts != 0, 1.0f, rough_ground, 3, 3, SIZE, SIZE);
        struct grid_f32 east = grid_make(3, 3, SIZE, SIZE), north = grid_make(3, 3, SIZE, SIZE);
        terrain_gradient(&g.params, &g.height, &east, &north);
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            double e = (double)east.cells[i], n = (double)north.cells[i];
            assert_true(fabs(atan(sqrt(e * e + n * n)) * MATH_DEG - (double)g.slope.cells[i]) < 1e-4);
        }
        grid_free(&east);
        grid_free(&north);
        drop(&g);
    }
}

/* falls to the north and, in the middle row, a hair to the west: an angle that rounds to 360 */
static float hair(int32_t x, int32_t y) {
    return y == 0 ? (float)x * 0x1p-30f : (float)-y;
}
static void aspect_stays_below_360(void **state) {
    (void)state;
    struct ground g = make(false, 1.0f, hair, 0, 0, 9, 1);
    for (int32_t i = 0; i < 9; i++)
        assert_true(g.aspect.cells[i] == 0.0f);
    drop(&g);
}

static void altitude_is_the_mean_of_a_cells_corners(void **state) {
    (void)state;
    struct grid_f32 height = grid_make(-3, -3, 20, 20), out = grid_make(-2, -1, 9, 8);
    grid_fill(&height, rough_ground);
    terrain_altitude(false, &height, &out);
    assert_same_bits(&out, &height);
    terrain_altitude(true, &height, &out);
    for (int32_t y = -1; y < 7; y++)
        for (int32_t x = -2; x < 7; x++) {
            double mean = ((double)rough_ground(x, y) + (double)rough_ground(x + 1, y) +
                           (double)rough_ground(x, y + 1) + (double)rough_ground(x + 1, y + 1)) /
                          4;
            assert_true(fabs((double)*grid_f32_at(&out, x, y) - mean) < 2e-4);
        }
    terrain_longitude(-2, 4, &out);
    assert_true(*grid_f32_at(&out, -2, 3) == 0.125f && *grid_f32_at(&out, 1, -1) == 0.875f);
    terrain_latitude(-1, 8, &out);
    assert_true(*grid_f32_at(&out, -2, -1) == 0.0625f && *grid_f32_at(&out, 5, 6) == 0.9375f);
    grid_free(&height);
    grid_free(&out);
}

static void results_hash_to_the_golden_values(void **state) {
    (void)state;
    static const uint64_t golden[2][2] = {{0x8f52fc2f9c72be6c, 0x8227f3fa26a15517},
                                          {0x8ea8a110dea98c24, 0x0d4a1527119141da}};
    for (int32_t posts = 0; posts < 2; posts++) {
        struct ground g = make(posts != 0, 0.5f, rough_ground, -7, 100, SIZE, SIZE);
        uint64_t slope = grid_hash(&g.slope), aspect = grid_hash(&g.aspect);
        if (slope != golden[posts][0] || aspect != golden[posts][1])
            fail_msg("posts %d: {0x%016llx, 0x%016llx}", posts, (unsigned long long)slope,
                     (unsigned long long)aspect);
        drop(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_has_its_slope_and_aspect_everywhere),
        cmocka_unit_test(the_rim_goes_on_straight),
        cmocka_unit_test(a_cone_falls_away_from_its_top),
        cmocka_unit_test(rough_ground_agrees_with_the_formulas_in_double),
        cmocka_unit_test(any_window_gives_the_bits_of_the_whole),
        cmocka_unit_test(the_gradient_is_what_slope_and_aspect_are_made_of),
        cmocka_unit_test(aspect_stays_below_360),
        cmocka_unit_test(altitude_is_the_mean_of_a_cells_corners),
        cmocka_unit_test(results_hash_to_the_golden_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
