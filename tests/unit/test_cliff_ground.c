/* What the rock leaves on the ground, kernel by kernel: patches, projections and rays, ledges, erosion,
 * normals, colours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cliff/drape.h"
#include "cliff/erosion.h"
#include "cliff/normals.h"
#include "cliff/patch.h"
#include "cliff_kit.h"
#include "terrain/hash.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned char scratch_bytes[8 << 20];
static struct arena scratch(void) {
    return (struct arena){scratch_bytes, sizeof scratch_bytes, 0};
}

/* ---- patches ---- */

enum { PATCH = 200 };
static float slopes[PATCH * PATCH];
static uint8_t excluded[PATCH * PATCH], included[PATCH * PATCH], found[PATCH * PATCH], again[PATCH * PATCH];

static void find_patches(int32_t min_cells, bool exclude, bool include, const int32_t w[4], uint8_t *out) {
    struct arena a = scratch();
    struct grid_f32 slope = {slopes, 0, 0, PATCH, PATCH, PATCH};
    struct grid_u8 ex = {excluded, 0, 0, PATCH, PATCH, PATCH}, in = {included, 0, 0, PATCH, PATCH, PATCH};
    struct grid_u8 to = {out + w[1] * PATCH + w[0], w[0], w[1], w[2] - w[0], w[3] - w[1], PATCH};
    struct cliff_patch_params params = {48, min_cells};
    assert_true(cliff_patch(&params, &slope, exclude ? &ex : NULL, include ? &in : NULL, &to, &a));
}

static void patches_do_not_depend_on_the_window(void **state) {
    (void)state;
    for (int32_t i = 0; i < PATCH * PATCH; i++) {
        slopes[i] = 60 * hash_unit(hash_place(3, 1, i % PATCH / 3, i / PATCH / 2, 0));
        excluded[i] = hash_place(3, 2, i % PATCH / 9, i / PATCH / 9, 0) % 5 == 0;
        included[i] = hash_place(3, 3, i % PATCH / 9, i / PATCH / 9, 0) % 7 == 0;
    }
    const int32_t all[4] = {40, 40, 160, 160}, west[4] = {40, 40, 87, 160}, east[4] = {87, 40, 160, 160};
    find_patches(20, true, true, all, found);
    find_patches(20, true, true, west, again);
    find_patches(20, true, true, east, again);
    assert_memory_equal(found, again, sizeof found);
    size_t rock = 0;
    for (int32_t y = 40; y < 160; y++)
        for (int32_t x = 40; x < 160; x++) {
            int32_t i = y * PATCH + x;
            assert_true(!found[i] || !excluded[i]);
            assert_true(!found[i] || slopes[i] >= 48 || included[i]);
            assert_true(found[i] || excluded[i] || !included[i]);
            rock += found[i] != 0;
        }
    assert_true(rock > 500);
}

static void small_patches_stay_ground(void **state) {
    (void)state;
    memset(slopes, 0, sizeof slopes);
    memset(found, 0, sizeof found);
    for (int32_t y = 60; y < 65; y++)
        for (int32_t x = 60; x < 65; x++) /* 25 cells; and 16 that hang on by a corner of nothing */
            slopes[y * PATCH + x] = 50;
    for (int32_t y = 100; y < 104; y++)
        for (int32_t x = 70; x < 74; x++)
            slopes[y * PATCH + x] = 50;
    const int32_t all[4] = {40, 40, 160, 160};
    find_patches(25, false, false, all, found);
    assert_int_equal(found[62 * PATCH + 62], 255);
    assert_int_equal(found[102 * PATCH + 72], 0);
    slopes[104 * PATCH + 74] = slopes[105 * PATCH + 75] = 50;
    find_patches(17, false, false, all, found); /* joined by corners: 18 */
    assert_int_equal(found[102 * PATCH + 72], 255);
    assert_int_equal(found[105 * PATCH + 75], 255);
    find_patches(26, false, false, all, found);
    assert_int_equal(found[62 * PATCH + 62], 0);
}

/* ---- projections ---- */

/* Heights, beds and rays against every triangle. */
static void projections_equal_the_slow_way(void **state) {
    (void)state;
    struct cliff_scene s = cliff_scene_make(6, 1, false);
    const int32_t cells[4] = {100, 100, 164, 164};
    struct cliff_mesh m = cliff_scene_mesh(&s, cells);
    int32_t *top = malloc(sizeof *top * 64 * 64);
    uint16_t *bed = malloc(sizeof *bed * 64 * 64);
    uint8_t *level = malloc(64 * 64);
    assert_true(top && bed && level);
    enum { N = 64 };
    struct cliff_drape d = {{top, 0, 0, N, N, N}, {bed, 0, 0, N, N, N}, {level, 0, 0, N, N, N}};
    const int32_t origin[2] = {0, 0};
    cliff_drape(&m, origin, 1, &d);
    struct cliff_bins bins;
    assert_true(cliff_bins_make(&m, 1, N, &s.scratch, &bins));
    size_t covered = 0;
    for (int32_t i = 0; i < N * N; i++) {
        double px = (i % N + 0.5) * CLIFF_QUANTUM, py = (i / N + 0.5) * CLIFF_QUANTUM, best = -1e9, z;
        for (uint32_t t = 0; t < 2 * m.quad_count; t++) {
            uint32_t c[3];
            cliff_triangle(&m, t, c);
            const struct cliff_vertex *a = &m.vertices[c[0]], *b = &m.vertices[c[1]], *e = &m.vertices[c[2]];
            if (fabs(a->x - px) > 3000 || fabs(a->y - py) > 3000)
                continue;
            double u = (b->x - px) * (e->y - py) - (b->y - py) * (e->x - px);
            double v = (e->x - px) * (a->y - py) - (e->y - py) * (a->x - px);
            double w = (a->x - px) * (b->y - py) - (a->y - py) * (b->x - px), sum = u + v + w;
            if (sum <= 0 || u < 0 || v < 0 || w < 0)
                continue;
            z = (u * a->z + v * b->z + w * e->z) / sum;
            best = z > best ? z : best;
        }
        bool ray = cliff_ray_down(&bins, i % N + 0.5, i / N + 0.5, &z);
        assert_int_equal(top[i] != CLIFF_NO_TOP, best > -1e8);
        assert_int_equal(ray, best > -1e8);
        if (!ray)
            continue;
        covered++;
        assert_true(fabs(top[i] - best) <= 1 && fabs(z * CLIFF_QUANTUM - best) <= 1);
        assert_true(bed[i] > 0);
    }
    assert_true(covered > 300);
    free(top);
    free(bed);
    free(level);
    cliff_scene_free(&s);
}

/* A slab over a floor, its rim above cell (2, 2): who asks for a place under the rim is moved towards the
 * centre, which is free. */
static void places_on_ledges_have_free_sky(void **state) {
    (void)state;
    struct cliff_vertex v[8] = {{0, 0, 0},    {5120, 0, 0},    {5120, 5120, 0},    {0, 5120, 0},
                                {0, 0, 4096}, {2304, 0, 4096}, {2304, 5120, 4096}, {0, 5120, 4096}};
    struct cliff_quad q[2] = {{{0, 1, 2, 3}, 5}, {{4, 5, 6, 7}, 9}};
    struct cliff_mesh m = {v, q, 8, 2, 2};
    struct arena a = scratch();
    struct cliff_bins bins;
    assert_true(cliff_bins_make(&m, 1, 5, &a, &bins));
    double x = 2.05, y = 2.2, z;
    assert_true(cliff_stand(&bins, &x, &y, &z));
    assert_true(x > 2.25 && x < 2.5 && y > 2.2 && z == 0);
    x = 2.4, y = 2.9;
    assert_true(cliff_stand(&bins, &x, &y, &z) && x == 2.4 && y == 2.9 && z == 0);
    x = 0.3, y = 0.3;
    assert_true(cliff_stand(&bins, &x, &y, &z) && z == 4);
    x = 7, y = 1;
    assert_false(cliff_stand(&bins, &x, &y, &z));
}

static void ledges_are_level_large_and_over_the_ground(void **state) {
    (void)state;
    enum { N = 8 };
    int32_t top[N * N], stack[N * N];
    uint16_t bed[N * N] = {0};
    uint8_t level[N * N], out[N * N];
    float ground[N * N] = {0};
    for (int32_t i = 0; i < N * N; i++) {
        int32_t x = i % N;
        top[i] = x < 3 ? 2048 : x == 3 ? CLIFF_NO_TOP : x < 6 ? 3072 : 3072 + 512;
        level[i] = 1;
    }
    ground[1] = 1.9f;     /* too near to the rock: 0.1 m */
    level[2 * N + 1] = 0; /* not level */
    struct cliff_drape d = {{top, 0, 0, N, N, N}, {bed, 0, 0, N, N, N}, {level, 0, 0, N, N, N}};
    struct grid_f32 g = {ground, 0, 0, N, N, N};
    struct grid_u8 to = {out, 0, 0, N, N, N};
    cliff_ledges(&d, &g, 17, &to, stack);
    assert_int_equal(out[0], 255);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2 * N + 1], 0);
    assert_int_equal(out[4 * N + 2], 255); /* 22 cells */
    assert_int_equal(out[4 * N + 3], 0);
    assert_int_equal(out[4 * N + 4], 0); /* 16 cells, and a step of half a metre to the next 16 */
    assert_int_equal(out[4 * N + 7], 0);
    cliff_ledges(&d, &g, 16, &to, stack);
    assert_int_equal(out[4 * N + 4], 255);
}

/* ---- erosion ---- */

enum { RUN = 220 };
static float fall[RUN * RUN];
static uint16_t sources[RUN * RUN];
static struct cliff_deposit whole[RUN * RUN], part[RUN * RUN];

static void erode(const int32_t w[4], struct cliff_deposit *out) {
    int32_t r = CLIFF_EROSION_REACH, x0 = w[0] - r, y0 = w[1] - r, wide = w[2] - w[0] + 2 * r,
            high = w[3] - w[1] + 2 * r;
    struct grid_f32 g = {fall + (y0 - 1) * RUN + x0 - 1, x0 - 1, y0 - 1, wide + 2, high + 2, RUN};
    struct grid_u16 from = {sources + y0 * RUN + x0, x0, y0, wide, high, RUN};
    struct grid_u8 window = {NULL, w[0], w[1], w[2] - w[0], w[3] - w[1], w[2] - w[0]};
    struct cliff_erosion_params p = {1, 16, 9, &cliff_ramp_default};
    cliff_erosion(&p, &g, &from, &window, out);
}

static void streaks_run_down_and_do_not_depend_on_the_window(void **state) {
    (void)state;
    for (int32_t i = 0; i < RUN * RUN; i++) {
        int32_t x = i % RUN, y = i / RUN;
        fall[i] = 0.9f * (float)y + 2 * sinf((float)x * 0.2f) + 0.3f * hash_unit(hash_place(1, 1, x, y, 0));
        sources[i] = y >= 120 && y < 130 && x > 60 && x < 160 ? (uint16_t)(4 * (x / 7) + 1) : 0;
    }
    const int32_t all[4] = {60, 60, 160, 160}, west[4] = {60, 60, 101, 160};
    memset(whole, 0, sizeof whole);
    memset(part, 0, sizeof part);
    erode(all, whole);
    erode(west, part);
    uint64_t below = 0, above = 0;
    for (int32_t y = 0; y < 100; y++)
        for (int32_t x = 0; x < 100; x++) {
            const struct cliff_deposit *d = &whole[y * 100 + x];
            if (x < 41)
                assert_memory_equal(d, &part[y * 41 + x], sizeof *d);
            if (y + 60 < 120)
                below += d->amount;
            if (y + 60 >= 131)
                above += d->amount;
            if (d->amount) /* a mean of colours that beds have */
                assert_true(d->red / d->amount > 80 && d->red / d->amount < 200);
        }
    assert_true(below > 10000);
    assert_int_equal(above, 0); /* nothing runs up */
}

static void colours_come_from_the_ramp(void **state) {
    (void)state;
    struct cliff_ramp ramp = {.count = {1, 2, 1}, .variation = 0};
    memcpy(ramp.rgb[1], (uint8_t[2][3]){{10, 20, 30}, {200, 210, 220}}, 6);
    memcpy(ramp.rgb[2], (uint8_t[1][3]){{250, 5, 128}}, 3);
    bool first = false, second = false;
    for (uint16_t n = 0; n < 200; n++) {
        uint8_t rgb[3];
        cliff_bed_color(&ramp, 4, (uint16_t)(4 * n + 1 + STRATA_BEDDED), rgb);
        first |= memcmp(rgb, ramp.rgb[1][0], 3) == 0;
        second |= memcmp(rgb, ramp.rgb[1][1], 3) == 0;
        assert_true(memcmp(rgb, ramp.rgb[1][0], 3) == 0 || memcmp(rgb, ramp.rgb[1][1], 3) == 0);
        ramp.variation = 10; /* clamped, and never farther off */
        cliff_bed_color(&ramp, 4, (uint16_t)(4 * n + 1 + STRATA_SHALY), rgb);
        assert_true(rgb[0] >= 240 && rgb[1] <= 15 && abs(rgb[2] - 128) <= 10);
        ramp.variation = 0;
    }
    assert_true(first && second);
}

static void weather_changes_a_colour_by_no_more_than_its_levels(void **state) {
    (void)state;
    struct cliff_ramp ramp = {.weathering = 20};
    int32_t darker = 0, lighter = 0;
    for (int32_t n = 0; n < 2000; n++) {
        double at[3] = {n * 1.7, n * 0.9, n * 3.1};
        uint8_t rgb[3] = {120, 5, 250}, same[3] = {120, 5, 250};
        cliff_weather(&ramp, 3, at, (float)(n % 5 - 2) / 2, rgb);
        assert_true(abs(rgb[0] - 120) <= 20 && rgb[1] <= 25 && rgb[2] >= 230);
        darker += rgb[0] < 112;
        lighter += rgb[0] > 120;
        ramp.weathering = 0;
        cliff_weather(&ramp, 3, at, -1, same);
        assert_true(same[0] == 120 && same[1] == 5 && same[2] == 250);
        ramp.weathering = 20;
    }
    assert_true(darker > 300 && lighter > 50);
}

/* ---- normals ---- */

/* A box's upper corner: three faces at right angles share no normal; two at 20 degrees do. */
static void creases_are_hard(void **state) {
    (void)state;
    struct cliff_vertex v[6] = {{0, 0, 0},    {1000, 0, 0},    {1000, 1000, 0},
                                {0, 1000, 0}, {2000, 0, -364}, {2000, 1000, -364}};
    struct cliff_quad q[2] = {{{0, 1, 2, 3}, 1}, {{1, 4, 5, 2}, 1}};
    struct cliff_mesh m = {v, q, 6, 2, 2};
    struct arena a = scratch();
    struct cliff_normals n;
    assert_true(cliff_normals_make(&m, &a, &n));
    assert_int_equal(n.first[2] - n.first[1], 1); /* 20 degrees: one group */
    assert_true(n.normal[n.first[1]][0] > 0.1f && n.normal[n.first[1]][0] < 0.25f);
    v[4].z = v[5].z = -2000; /* 63 degrees */
    assert_true(cliff_normals_make(&m, &a, &n));
    assert_int_equal(n.first[2] - n.first[1], 2);
    const float up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    uint32_t g = cliff_normals_pick(&n, 1, up);
    assert_true(g != UINT32_MAX && n.normal[g][2] > 0.999f);
    assert_true(cliff_normals_pick(&n, 1, down) == UINT32_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(patches_do_not_depend_on_the_window),
                                       cmocka_unit_test(small_patches_stay_ground),
                                       cmocka_unit_test(projections_equal_the_slow_way),
                                       cmocka_unit_test(places_on_ledges_have_free_sky),
                                       cmocka_unit_test(ledges_are_level_large_and_over_the_ground),
                                       cmocka_unit_test(streaks_run_down_and_do_not_depend_on_the_window),
                                       cmocka_unit_test(colours_come_from_the_ramp),
                                       cmocka_unit_test(weather_changes_a_colour_by_no_more_than_its_levels),
                                       cmocka_unit_test(creases_are_hard)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
