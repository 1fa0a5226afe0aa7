#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/hash.h"
#include "terrain/light.h"
#include "terrain/relief.h"
#include "terrain/sun.h"
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;
typedef double (*height_fn)(int32_t x, int32_t y);

/* Light over an analytic ground: blocks are made from a block's own 256 heights, as the stages do. */
struct lit {
    struct grid_u8 occlusion, illumination;
};
static struct lit make_light(const struct light_params *p, height_fn height, struct grid_u8 place) {
    int32_t reach = light_reach(p), w = place.width + 2 * reach, h = place.height + 2 * reach;
    struct grid_f32 z = {
        malloc(sizeof(float) * (size_t)w * (size_t)h), place.x0 - reach, place.y0 - reach, w, h, w};
    assert_non_null(z.cells);
    for (int32_t y = z.y0; y < z.y0 + h; y++)
        for (int32_t x = z.x0; x < z.x0 + w; x++)
            *grid_f32_at(&z, x, y) = (float)height(x, y);
    struct grid_f32 blocks = {0};
    if (light_uses_far(p)) {
        int32_t far = light_far_reach(p);
        int32_t x0 = (int32_t)floor((place.x0 - far) / 16.0), y0 = (int32_t)floor((place.y0 - far) / 16.0);
        int32_t x1 = (int32_t)ceil((place.x0 + place.width + far) / 16.0);
        int32_t y1 = (int32_t)ceil((place.y0 + place.height + far) / 16.0);
        blocks = (struct grid_f32){NULL, x0, y0, x1 - x0, y1 - y0, x1 - x0};
        blocks.cells = malloc(sizeof(float) * (size_t)(x1 - x0) * (size_t)(y1 - y0));
        assert_non_null(blocks.cells);
        for (int32_t by = y0; by < y1; by++)
            for (int32_t bx = x0; bx < x1; bx++) {
                float own[256];
                struct grid_f32 cells = {own, bx * 16, by * 16, 16, 16, 16};
                for (int32_t i = 0; i < 256; i++)
                    own[i] = (float)height(bx * 16 + i % 16, by * 16 + i / 16);
                struct grid_f32 one = {grid_f32_at(&blocks, bx, by), bx, by, 1, 1, 1};
                relief_blocks(&cells, &one);
            }
    }
    size_t size = light_scratch(p, place.width, place.height),
           count = (size_t)place.width * (size_t)place.height;
    struct arena arena = {aligned_alloc(64, (size + 63) / 64 * 64), size, 0};
    struct lit lit = {place, place};
    lit.occlusion.cells = malloc(count);
    lit.illumination.cells = malloc(count);
    lit.occlusion.stride = lit.illumination.stride = place.width;
    assert_true(arena.base && lit.occlusion.cells && lit.illumination.cells);
    size_t far_count = light_far_count(p, place.x0, place.y0, place.width, place.height);
    float *far = malloc((far_count + 1) * sizeof *far);
    assert_non_null(far);
    light_far(p, &blocks, place.x0, place.y0, place.width, place.height, far);
    assert_true(light_make(p, &z, far, &lit.occlusion, &lit.illumination, &arena));
    free(far);
    assert_int_equal(arena.used, 0);
    free(z.cells);
    free(blocks.cells);
    free(arena.base);
    return lit;
}
static void free_light(struct lit *lit) {
    free(lit->occlusion.cells);
    free(lit->illumination.cells);
}
static int32_t code(const struct grid_u8 *g, int32_t x, int32_t y) {
    return *grid_u8_at(g, x, y);
}
static struct light_params usual(double latitude_deg) {
    return (struct light_params){
        .cell_m = 1, .radius_m = 96, .latitude_rad = latitude_deg * degree, .directions = 16};
}
static struct grid_u8 square(int32_t x0, int32_t y0, int32_t side) {
    return (struct grid_u8){.x0 = x0, .y0 = y0, .width = side, .height = side};
}

/* All suns of a year. */
static struct sun_beam suns[SUN_DAYS * SUN_HALF_DAY * 2];
static int32_t sun_count;
static void list_suns(double latitude_rad) {
    sun_count = 0;
    for (int32_t day = 0; day < SUN_DAYS; day++)
        for (int32_t hour = 0; hour < SUN_HALF_DAY; hour++) {
            struct sun_beam b = sun_at(latitude_rad, day, hour);
            if (b.up <= 0)
                continue;
            suns[sun_count++] = b;
            b.east = -b.east;
            suns[sun_count++] = b;
        }
}
/* An open plane's light by its definition, unscaled; and the best plane's. */
static double plane_light(double east, double north, double up) {
    double sum = 0;
    for (int32_t i = 0; i < sun_count; i++) {
        double light = east * (double)suns[i].east + north * (double)suns[i].north + up * (double)suns[i].up;
        sum += light > 0 ? light : 0;
    }
    return sum;
}
static double best_light(void) {
    double best = 0;
    for (int32_t tilt = -85; tilt <= 85; tilt++) {
        double l = plane_light(0, sin(tilt * degree), cos(tilt * degree));
        best = l > best ? l : best;
    }
    return best;
}

static double flat(int32_t x, int32_t y) {
    (void)x, (void)y;
    return 812;
}
static void flat_ground_is_open_and_gets_the_sun_sum(void **state) {
    (void)state;
    static const double latitudes[] = {0, 12, 47, 66.56, 80, 90, -47, -90};
    for (size_t i = 0; i < sizeof latitudes / sizeof *latitudes; i++) {
        struct light_params p = usual(latitudes[i]);
        p.far_radius_m = 300;
        list_suns(p.latitude_rad);
        struct lit lit = make_light(&p, flat, square(-5, 30, 20));
        double want = plane_light(0, 0, 1) / best_light();
        for (int32_t y = 30; y < 50; y++)
            for (int32_t x = -5; x < 15; x++) {
                assert_int_equal(code(&lit.occlusion, x, y), 0);
                assert_true(abs(code(&lit.illumination, x, y) - (int32_t)floor(want * 255 + 0.5)) <= 2);
            }
        free_light(&lit);
    }
}

static double tilt_east, tilt_north;
static double plane(int32_t x, int32_t y) {
    return 2000 + tilt_east * x + tilt_north * y;
}
static void slopes_get_the_sun_sum_of_their_plane(void **state) {
    (void)state;
    static const double latitudes[] = {-55, 5, 47, 75};
    for (size_t i = 0; i < 4; i++) {
        list_suns(latitudes[i] * degree);
        double best = best_light();
        for (int32_t turn = 0; turn < 8; turn++) {
            tilt_east = 0.6 * sin(turn * 50 * degree);
            tilt_north = 0.6 * cos(turn * 50 * degree);
            struct light_params p = usual(latitudes[i]);
            struct lit lit = make_light(&p, plane, square(0, 0, 4));
            double length = sqrt(1 + 0.36);
            double want = plane_light(-tilt_east / length, -tilt_north / length, 1 / length) / best;
            assert_true(abs(code(&lit.illumination, 2, 2) - (int32_t)floor(want * 255 + 0.5)) <= 4);
            free_light(&lit);
        }
    }
}

/* Where the sun grazes the horizon its light is a number too small to square. */
static void every_latitude_has_a_sun_table(void **state) {
    (void)state;
    size_t size = sun_scratch(16) + ARENA_ALIGN;
    struct arena arena = {aligned_alloc(64, (size + 63) / 64 * 64), size, 0};
    assert_non_null(arena.base);
    for (int32_t i = -900; i <= 900; i++) {
        struct sun_table table;
        arena.used = 0;
        assert_true(sun_prepare(&table, i * 0.1 * degree, 16, &arena));
        for (int32_t k = 0; k < 16 * SUN_STEPS; k++)
            assert_true(table.beams[k].up >= 0 && table.beams[k].up <= 1.2f);
    }
    free(arena.base);
}

static void the_best_orientation_gets_all(void **state) {
    (void)state;
    int32_t best = 0;
    struct light_params p = usual(47);
    for (int32_t t = 0; t < 90; t += 5) {
        tilt_east = 0;
        tilt_north = tan(t * degree); /* falls to the south: faces the sun */
        struct lit lit = make_light(&p, plane, square(0, 0, 1));
        best = code(&lit.illumination, 0, 0) > best ? code(&lit.illumination, 0, 0) : best;
        free_light(&lit);
    }
    assert_in_range(best, 253, 255);
}

static void sunny_sides_change_with_the_hemisphere(void **state) {
    (void)state;
    tilt_east = 0;
    int32_t faces[2][2];
    for (int32_t s = 0; s < 2; s++)
        for (int32_t n = 0; n < 2; n++) {
            struct light_params p = usual(s ? -47 : 47);
            tilt_north = n ? 0.5 : -0.5; /* rises to the north: faces south */
            struct lit lit = make_light(&p, plane, square(0, 0, 2));
            faces[s][n] = code(&lit.illumination, 1, 1);
            free_light(&lit);
        }
    assert_true(faces[0][1] > faces[0][0] + 80); /* south faces are brighter in the north */
    assert_int_equal(faces[0][1], faces[1][0]);
    assert_int_equal(faces[0][0], faces[1][1]);
}

static double pit_depth;
static double pit(int32_t x, int32_t y) {
    double d = sqrt((double)x * x + (double)y * y);
    return d < 20 ? 500 - pit_depth * (1 - d / 20) : 500;
}
static void deeper_pits_are_darker(void **state) {
    (void)state;
    struct light_params p = usual(20);
    int32_t shut = -1, sun = 256;
    for (pit_depth = 0; pit_depth < 60; pit_depth += 8) {
        struct lit lit = make_light(&p, pit, square(0, 0, 1));
        assert_true(code(&lit.occlusion, 0, 0) > shut);
        assert_true(code(&lit.illumination, 0, 0) < sun);
        shut = code(&lit.occlusion, 0, 0);
        sun = code(&lit.illumination, 0, 0);
        /* the rim stands at depth / 20 all around */
        double t = pit_depth / 20;
        assert_true(abs(shut - (int32_t)floor(255 * t * t / (1 + t * t) + 0.5)) <= 6);
        free_light(&lit);
    }
}

static double ridge(int32_t x, int32_t y) {
    (void)x;
    double off = fabs(y + 700.0);
    return off < 250 ? 100 + 350 * (1 - off / 250) : 100;
}
static void far_ridges_cast_shadows(void **state) {
    (void)state;
    struct light_params p = usual(47);
    struct lit open = make_light(&p, ridge, square(0, 0, 40));
    p.far_radius_m = 2048;
    struct lit lit = make_light(&p, ridge, square(0, 0, 40));
    for (int32_t y = 0; y < 40; y++)
        for (int32_t x = 0; x < 40; x++) {
            assert_true(code(&lit.illumination, x, y) < code(&open.illumination, x, y) - 8);
            assert_int_equal(code(&lit.occlusion, x, y), code(&open.occlusion, x, y));
        }
    free_light(&open);
    free_light(&lit);
}

/* Hills, a valley, and a ridge beyond the near radius. */
static double hills(int32_t x, int32_t y) {
    return 700 + 25 * sin(x * 0.041) * cos(y * 0.035) + 6 * sin(x * 0.13 + y * 0.17) + 0.25 * y +
           140 * exp(-(x - 300.0) * (x - 300.0) / 9000);
}
static double between(height_fn f, double x, double y) {
    int32_t i = (int32_t)floor(x), j = (int32_t)floor(y);
    double u = x - i, v = y - j;
    return (1 - v) * ((1 - u) * f(i, j) + u * f(i + 1, j)) +
           v * ((1 - u) * f(i, j + 1) + u * f(i + 1, j + 1));
}
static bool shadowed(height_fn f, int32_t x, int32_t y, double e, double n, double u, double reach) {
    double level = sqrt(e * e + n * n), z = f(x, y);
    for (double s = 1; s < reach; s += s < 96 ? 1 : 6)
        if (between(f, x + s * e / level, y + s * n / level) > z + s * u / level)
            return true;
    return false;
}
static double slow_light(const struct light_params *p, height_fn f, int32_t x, int32_t y) {
    double ge = (f(x + 1, y) - f(x - 1, y)) / 2, gn = (f(x, y + 1) - f(x, y - 1)) / 2, sum = 0;
    double length = sqrt(1 + ge * ge + gn * gn);
    for (int32_t i = 2; i < sun_count; i += 10)
        for (int32_t k = i; k < i + 2 && k < sun_count; k++) { /* a sun and its mirror image */
            double e = (double)suns[k].east, n = (double)suns[k].north, u = (double)suns[k].up;
            double light = (u - ge * e - gn * n) / length;
            if (light > 0 && !shadowed(f, x, y, e, n, u, p->far_radius_m))
                sum += light;
        }
    return 5 * sum;
}
static void a_slow_reference_agrees(void **state) {
    enum { CELLS = 14 };
    (void)state;
    static const double latitudes[] = {47, -30};
    for (int32_t i = 0; i < 2; i++) {
        struct light_params p = usual(latitudes[i]);
        p.far_radius_m = 640;
        struct lit lit = make_light(&p, hills, square(-40, 20, 150));
        list_suns(p.latitude_rad);
        double worst = 0, sum = 0, best = best_light();
        for (int32_t k = 0; k < CELLS; k++) {
            uint64_t h = hash_place(3, 1, k, i, 0);
            int32_t x = -40 + (int32_t)(h % 150), y = 20 + (int32_t)(h / 1000 % 150);
            double off = fabs(code(&lit.illumination, x, y) / 255.0 - slow_light(&p, hills, x, y) / best);
            worst = off > worst ? off : worst;
            sum += off;
        }
        print_message("latitude %g: %f mean, %f worst\n", latitudes[i], sum / CELLS, worst);
        assert_true(sum / CELLS < 0.01);
        assert_true(worst < 0.04);
        free_light(&lit);
    }
}

static void a_part_of_a_window_gets_the_same_codes(void **state) {
    (void)state;
    struct light_params p = usual(47);
    p.far_radius_m = 400;
    struct lit all = make_light(&p, hills, square(-70, -33, 100));
    for (int32_t trial = 0; trial < 4; trial++) {
        uint64_t h = hash_place(4, 1, trial, 0, 0);
        struct grid_u8 place = {.x0 = -70 + (int32_t)(h % 60), .y0 = -33 + (int32_t)(h / 100 % 60)};
        place.width = 1 + (int32_t)(h / 10000 % 40);
        place.height = 1 + (int32_t)(h / 1000000 % 40);
        struct lit part = make_light(&p, hills, place);
        for (int32_t y = place.y0; y < place.y0 + place.height; y++)
            for (int32_t x = place.x0; x < place.x0 + place.width; x++) {
                assert_int_equal(code(&part.occlusion, x, y), code(&all.occlusion, x, y));
                assert_int_equal(code(&part.illumination, x, y), code(&all.illumination, x, y));
            }
        free_light(&part);
    }
    free_light(&all);
}

/* Heights without libm: the golden must not depend on it. */
static double knolls(int32_t x, int32_t y) {
    double sum = 0.3 * x;
    for (int32_t k = 0; k < 3; k++) {
        int32_t size = 64 >> (2 * k), i = (x + 4096) / size, j = (y + 4096) / size;
        double u = (x + 4096) % size / (double)size, v = (y + 4096) % size / (double)size;
        double a = (double)hash_unit(hash_place(1, 7, i, j, 0)),
               b = (double)hash_unit(hash_place(1, 7, i + 1, j, 0));
        double c = (double)hash_unit(hash_place(1, 7, i, j + 1, 0));
        double d = (double)hash_unit(hash_place(1, 7, i + 1, j + 1, 0));
        sum += size * 0.6 * ((1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d));
    }
    return sum;
}
static void golden_codes_stay(void **state) {
    (void)state;
    struct light_params p = usual(47);
    p.far_radius_m = 500;
    struct lit lit = make_light(&p, knolls, square(-30, 8, 64));
    uint64_t hash = 0;
    for (int32_t i = 0; i < 64 * 64; i++)
        hash = hash_mix(hash ^ (uint64_t)(lit.occlusion.cells[i] * 256 + lit.illumination.cells[i])) + 1;
    free_light(&lit);
    assert_int_equal(hash, 0xcee07f0e51d04f6u);
}

static void too_little_scratch_is_said(void **state) {
    (void)state;
    struct light_params p = usual(47);
    size_t size = light_scratch(&p, 8, 8);
    unsigned char *block = aligned_alloc(64, (size + 63) / 64 * 64);
    float *z = calloc(300 * 300, sizeof *z);
    uint8_t codes[64];
    struct grid_f32 heights = {z, -110, -110, 300, 300, 300};
    struct grid_u8 out = {codes, 0, 0, 8, 8, 8};
    for (size_t part = 1; part < 16; part++) {
        struct arena arena = {block, size * part / 16 - 1, 0};
        assert_false(light_make(&p, &heights, NULL, &out, &out, &arena));
        assert_int_equal(arena.used, 0);
    }
    free(block);
    free(z);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_ground_is_open_and_gets_the_sun_sum),
        cmocka_unit_test(slopes_get_the_sun_sum_of_their_plane),
        cmocka_unit_test(every_latitude_has_a_sun_table),
        cmocka_unit_test(the_best_orientation_gets_all),
        cmocka_unit_test(sunny_sides_change_with_the_hemisphere),
        cmocka_unit_test(deeper_pits_are_darker),
        cmocka_unit_test(far_ridges_cast_shadows),
        cmocka_unit_test(a_slow_reference_agrees),
        cmocka_unit_test(a_part_of_a_window_gets_the_same_codes),
        cmocka_unit_test(golden_codes_stay),
        cmocka_unit_test(too_little_scratch_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
