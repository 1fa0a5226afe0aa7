#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include "terrain/noise.h"
#include "tests/unit/ground_help.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct noise prepared(double scale, int32_t octaves, double gain, double lacunarity, uint64_t seed) {
    struct noise_params p = {.scale_cells = scale,
                             .octaves = octaves,
                             .gain = gain,
                             .lacunarity = lacunarity,
                             .offset_cells = {12.5, -7.25},
                             .seed = seed};
    struct noise n;
    assert_true(noise_prepare(&p, &n));
    return n;
}

static void fill(const struct noise *n, struct grid_f32 *g) {
    size_t size = noise_grid_scratch(g->width);
    struct arena scratch = {.base = malloc(size), .size = size};
    assert_true(noise_grid(n, g, &scratch));
    assert_int_equal(scratch.used, 0);
    free(scratch.base);
}

/* The settings of the tests below: long and short waves, one octave and many, wavelengths below a cell. */
struct setting {
    double scale;
    int32_t octaves;
    double gain, lacunarity;
};
static const struct setting settings[] = {{32, 5, 0.5, 2.0},   {37.3, 1, 0.5, 2.0}, {5.7, 4, 0.8, 2.17},
                                          {1.3, 3, 1.0, 1.5},  {700, 12, 0.6, 2.0}, {0.37, 2, 0.5, 3.0},
                                          {0.01, 12, 1.0, 8.0}};
enum { SETTINGS = sizeof settings / sizeof *settings };
static struct noise of_setting(size_t s) {
    return prepared(settings[s].scale, settings[s].octaves, settings[s].gain, settings[s].lacunarity, s);
}

static void a_point_has_the_bits_of_its_cell_in_a_grid(void **state) {
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        struct noise n = of_setting(s);
        struct grid_f32 g = grid_make(-45, 1000000, 71, 53);
        fill(&n, &g);
        for (int32_t y = g.y0; y < g.y0 + g.height; y++)
            for (int32_t x = g.x0; x < g.x0 + g.width; x++) {
                float a = *grid_f32_at(&g, x, y);
                float b = noise_at(&n, (int64_t)x * NOISE_CELL + NOISE_CELL / 2,
                                   (int64_t)y * NOISE_CELL + NOISE_CELL / 2);
                assert_memory_equal(&a, &b, sizeof a);
            }
        grid_free(&g);
    }
}

static void any_window_gives_the_bits_of_the_whole(void **state) {
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        struct noise n = of_setting(s);
        struct grid_f32 whole = grid_make(-64, -64, 160, 130);
        fill(&n, &whole);
        for (int32_t k = 0; k < 10; k++) {
            uint64_t h = hash_place(6, s, k, 0, 0);
            struct grid_f32 part = grid_make(-64 + (int32_t)(h % 100), -64 + (int32_t)(h / 128 % 90),
                                             1 + (int32_t)(h / 65536 % 60), 1 + (int32_t)((h >> 32) % 40));
            fill(&n, &part);
            assert_same_bits(&part, &whole);
            grid_free(&part);
        }
        grid_free(&whole);
    }
}

static void warped_noise_is_noise_at_the_moved_place(void **state) {
    (void)state;
    struct noise n = of_setting(2);
    struct grid_f32 east = grid_make(-10, 5, 33, 9), north = grid_make(-10, 5, 33, 9);
    struct grid_f32 out = grid_make(-10, 5, 33, 9), still = grid_make(-10, 5, 33, 9);
    size_t size = noise_grid_warped_scratch(33);
    struct arena scratch = {.base = malloc(size), .size = size};
    assert_true(noise_grid_warped(&n, 6.0f, &east, &north, &out, &scratch));
    fill(&n, &still);
    assert_same_bits(&out, &still); /* on flat ground nothing moves */
    for (int32_t i = 0; i < 33 * 9; i++) {
        east.cells[i] = 4.0f * hash_unit(hash_mix((uint64_t)i)) - 2.0f;
        north.cells[i] = 4.0f * hash_unit(hash_mix((uint64_t)i + 1000)) - 2.0f;
    }
    assert_true(noise_grid_warped(&n, 6.0f, &east, &north, &out, &scratch));
    int32_t differ = 0;
    for (int32_t y = 5; y < 14; y++)
        for (int32_t x = -10; x < 23; x++) {
            double e = (double)*grid_f32_at(&east, x, y), v = (double)*grid_f32_at(&north, x, y);
            double length = sqrt(1 + e * e + v * v), px = (x + 0.5 - 6 * e / length) * NOISE_CELL;
            double py = (y + 0.5 - 6 * v / length) * NOISE_CELL;
            float want = noise_at(&n, (int64_t)floor(px + 0.5), (int64_t)floor(py + 0.5));
            assert_true(fabsf(*grid_f32_at(&out, x, y) - want) < 0.01f);
            differ += fabsf(*grid_f32_at(&out, x, y) - *grid_f32_at(&still, x, y)) > 0.02f;
        }
    assert_true(differ > 200);
    free(scratch.base);
    grid_free(&east);
    grid_free(&north);
    grid_free(&out);
    grid_free(&still);
}

static void points_have_the_bits_of_single_points(void **state) {
    (void)state;
    struct noise n = of_setting(0);
    int64_t x[100], y[100];
    float out[100];
    for (int32_t i = 0; i < 100; i++) {
        x[i] = (int64_t)(hash_mix((uint64_t)i) >> 34) - (1 << 29);
        y[i] = (int64_t)(hash_mix((uint64_t)i + 500) >> 34) - (1 << 29);
    }
    noise_points(&n, x, y, 100, out);
    for (int32_t i = 0; i < 100; i++) {
        float want = noise_at(&n, x[i], y[i]);
        assert_memory_equal(&want, &out[i], sizeof want);
    }
}

/* A far-apart place for sample i. */
static float sample(const struct noise *n, uint64_t i) {
    return noise_at(n, (int64_t)(hash_mix(2 * i) >> 34) - (1 << 29),
                    (int64_t)(hash_mix(2 * i + 1) >> 34) - (1 << 29));
}

static void a_threshold_keeps_the_share_of_the_area_that_it_names(void **state) {
    (void)state;
    enum { COUNT = 60000, STEPS = 20 };
    for (size_t s = 0; s < 5; s++) {
        struct noise n = of_setting(s);
        int32_t bins[STEPS + 1] = {0}, below = 0;
        for (uint64_t i = 0; i < COUNT; i++) {
            float v = sample(&n, i);
            assert_true(v >= 0.0f && v <= 1.0f);
            bins[(int32_t)(v * STEPS)]++;
        }
        for (int32_t b = 0; b < STEPS; b++) {
            below += bins[b];
            assert_true(fabs((double)below / COUNT - (b + 1.0) / STEPS) < 0.025);
        }
    }
}

static void neighbouring_places_have_nearby_values(void **state) {
    (void)state;
    struct noise n = prepared(64, 1, 0.5, 2, 3);
    for (int64_t i = 0; i < 200000; i += 7) {
        float a = noise_at(&n, i, 3 * i), b = noise_at(&n, i + 1, 3 * i + 1);
        assert_true(fabsf(a - b) < 0.0005f); /* a 65536th of a wavelength apart */
    }
}

static void scale_is_the_wavelength(void **state) {
    (void)state;
    /* crossings of 0.5 along a line: for unit-gradient noise a little more than one a wavelength */
    for (int32_t k = 0; k < 3; k++) {
        double scale = 8 << k;
        struct noise n = prepared(scale, 1, 0.5, 2, 11);
        struct grid_f32 g = grid_make(0, 0, 4096, 64);
        fill(&n, &g);
        int32_t crossings = 0;
        for (int32_t y = 0; y < 64; y += 4)
            for (int32_t x = 1; x < 4096; x++)
                crossings += (*grid_f32_at(&g, x, y) > 0.5f) != (*grid_f32_at(&g, x - 1, y) > 0.5f);
        double per_wave = crossings * scale / (4096.0 * 16);
        assert_true(per_wave > 0.8 && per_wave < 1.4);
        grid_free(&g);
    }
}

static void an_offset_moves_the_pattern(void **state) {
    (void)state;
    struct noise_params p = {.scale_cells = 16, .octaves = 3, .gain = 0.5, .lacunarity = 2, .seed = 4};
    struct noise still, moved;
    assert_true(noise_prepare(&p, &still));
    p.offset_cells[0] = 20, p.offset_cells[1] = -3;
    assert_true(noise_prepare(&p, &moved));
    for (int64_t i = 0; i < 500; i++)
        assert_true(noise_at(&moved, i * 333, -i * 77) ==
                    noise_at(&still, i * 333 + 20 * NOISE_CELL, -i * 77 - 3 * NOISE_CELL));
}

static void seeds_and_octaves_are_unrelated(void **state) {
    (void)state;
    struct noise a = prepared(16, 1, 0.5, 2, 1), b = prepared(16, 1, 0.5, 2, 2);
    struct noise c = prepared(16, 2, 1.0, 1.0, 1); /* two octaves of one wavelength */
    double ab = 0, aa = 0, cc = 0;
    for (uint64_t i = 0; i < 40000; i++) {
        double va = (double)sample(&a, i) - 0.5, vb = (double)sample(&b, i) - 0.5,
               vc = (double)sample(&c, i) - 0.5;
        ab += va * vb, aa += va * va, cc += va * vc;
    }
    assert_true(fabs(ab / aa) < 0.03);
    assert_true(cc / aa > 0.6 && cc / aa < 0.8); /* sqrt(1/2) when the second is independent of the first */
}

static void parameters_out_of_range_are_refused(void **state) {
    (void)state;
    const struct noise_params good = {.scale_cells = 16, .octaves = 3, .gain = 0.5, .lacunarity = 2};
    struct noise n;
    assert_true(noise_prepare(&good, &n));
    struct noise_params p = good;
    p.scale_cells = 0;
    assert_false(noise_prepare(&p, &n));
    p = good, p.scale_cells = (double)NAN;
    assert_false(noise_prepare(&p, &n));
    p = good, p.octaves = 13;
    assert_false(noise_prepare(&p, &n));
    p = good, p.octaves = 0;
    assert_false(noise_prepare(&p, &n));
    p = good, p.gain = 1.5;
    assert_false(noise_prepare(&p, &n));
    p = good, p.lacunarity = 0.5;
    assert_false(noise_prepare(&p, &n));
    p = good, p.offset_cells[1] = 1e9;
    assert_false(noise_prepare(&p, &n));
}

static void too_little_scratch_is_refused(void **state) {
    (void)state;
    struct noise n = of_setting(0);
    struct grid_f32 g = grid_make(0, 0, 64, 4);
    unsigned char small[512];
    struct arena scratch = {.base = small, .size = sizeof small};
    assert_false(noise_grid(&n, &g, &scratch));
    assert_false(noise_grid_warped(&n, 1.0f, &g, &g, &g, &scratch));
    grid_free(&g);
}

static void results_hash_to_the_golden_values(void **state) {
    (void)state;
    static const uint64_t golden[SETTINGS] = {0x522be099daf3a1d6, 0x40e03d389bd73497, 0x6b5051279fb51c22,
                                              0x9085ed73b7e8b562, 0xbc89db14a86e4008, 0xbe4b07ae4e790cb3,
                                              0x841e25d31a799cbb};
    int32_t wrong = 0;
    for (size_t s = 0; s < SETTINGS; s++) {
        struct noise n = of_setting(s);
        struct grid_f32 g = grid_make(-33, -20, 80, 60);
        fill(&n, &g);
        if (grid_hash(&g) != golden[s]) {
            print_error("setting %zu: 0x%016llx\n", s, (unsigned long long)grid_hash(&g));
            wrong++;
        }
        grid_free(&g);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_has_the_bits_of_its_cell_in_a_grid),
        cmocka_unit_test(any_window_gives_the_bits_of_the_whole),
        cmocka_unit_test(warped_noise_is_noise_at_the_moved_place),
        cmocka_unit_test(points_have_the_bits_of_single_points),
        cmocka_unit_test(a_threshold_keeps_the_share_of_the_area_that_it_names),
        cmocka_unit_test(neighbouring_places_have_nearby_values),
        cmocka_unit_test(scale_is_the_wavelength),
        cmocka_unit_test(an_offset_moves_the_pattern),
        cmocka_unit_test(seeds_and_octaves_are_unrelated),
        cmocka_unit_test(parameters_out_of_range_are_refused),
        cmocka_unit_test(too_little_scratch_is_refused),
        cmocka_unit_test(results_hash_to_the_golden_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
