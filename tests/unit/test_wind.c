#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/hash.h"
#include "terrain/wind.h"
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;
typedef double (*height_fn)(int32_t x, int32_t y);

struct blown {
    struct grid_u8 strength, direction;
};
static struct blown blow(const struct wind_params *p, height_fn height, struct grid_u8 place) {
    int32_t reach = wind_reach(p), w = place.width + 2 * reach, h = place.height + 2 * reach;
    struct grid_f32 z = {
        malloc(sizeof(float) * (size_t)w * (size_t)h), place.x0 - reach, place.y0 - reach, w, h, w};
    assert_non_null(z.cells);
    for (int32_t y = z.y0; y < z.y0 + h; y++)
        for (int32_t x = z.x0; x < z.x0 + w; x++)
            *grid_f32_at(&z, x, y) = (float)height(x, y);
    size_t size = wind_scratch(p, place.width, place.height),
           count = (size_t)place.width * (size_t)place.height;
    struct arena arena = {aligned_alloc(64, (size + 63) / 64 * 64), size, 0};
    struct blown b = {place, place};
    b.strength.cells = malloc(count);
    b.direction.cells = malloc(count);
    b.strength.stride = b.direction.stride = place.width;
    assert_true(arena.base && b.strength.cells && b.direction.cells);
    assert_true(wind_make(p, &z, &b.strength, &b.direction, &arena));
    assert_int_equal(arena.used, 0);
    free(z.cells);
    free(arena.base);
    return b;
}
static void free_blown(struct blown *b) {
    free(b->strength.cells);
    free(b->direction.cells);
}
static struct wind_params from(double from_deg) {
    return (struct wind_params){.cell_m = 1,
                                .from_rad = from_deg * degree,
                                .scale_m = 64,
                                .slope_weight = 0.58,
                                .curvature_weight = 0.42,
                                .shelter_m = 100};
}
static struct grid_u8 square(int32_t x0, int32_t y0, int32_t side) {
    return (struct grid_u8){.x0 = x0, .y0 = y0, .width = side, .height = side};
}
static int32_t code(const struct grid_u8 *g, int32_t x, int32_t y) {
    return *grid_u8_at(g, x, y);
}

static double flat(int32_t x, int32_t y) {
    (void)x, (void)y;
    return -3.3;
}
static void flat_ground_has_the_open_wind(void **state) {
    (void)state;
    for (int32_t turn = 0; turn < 16; turn++) {
        struct wind_params p = from(turn * 22.5);
        struct blown b = blow(&p, flat, square(-4, 9, 12));
        for (int32_t i = 0; i < 144; i++) {
            assert_int_equal(b.strength.cells[i], 128);
            assert_int_equal(b.direction.cells[i], turn * 16);
        }
        free_blown(&b);
    }
}

static double tilt_east, tilt_north;
static double plane(int32_t x, int32_t y) {
    return 1000 + tilt_east * x + tilt_north * y;
}
static int32_t on_plane(double from_deg, double aspect_deg, double slope, int32_t *direction) {
    tilt_east = -slope * sin(aspect_deg * degree);
    tilt_north = -slope * cos(aspect_deg * degree);
    struct wind_params p = from(from_deg);
    struct blown b = blow(&p, plane, square(100, 100, 1));
    int32_t strength = code(&b.strength, 100, 100);
    *direction = code(&b.direction, 100, 100);
    free_blown(&b);
    return strength;
}
static void planes_speed_up_and_turn_as_the_papers_say(void **state) {
    (void)state;
    int32_t d;
    for (int32_t turn = 0; turn < 360; turn += 45) {
        /* 45 degrees facing the wind: 1 + 0.58 / 2; behind: (1 - 0.58 / 2) / (1 + 6), give or take Sx's fan
         */
        assert_in_range(on_plane(turn, turn, 1, &d), 164, 166);
        assert_in_range(on_plane(turn, turn + 180, 1, &d), 12, 15);
        assert_in_range(on_plane(turn, turn + 90, 0.5, &d), 126, 128);
    }
    /* A west wind goes around: a slope that faces north of west turns it to come from south of west, by
     * 22.5 degrees x slope along the wind x sin of twice the angle. */
    double along = 0.5 * cos(30 * degree), turned = 22.5 * along * sin(60 * degree) / 360 * 256;
    on_plane(270, 300, 0.5, &d);
    assert_int_equal(d, (int32_t)floor(192 - turned + 0.5));
    on_plane(270, 240, 0.5, &d);
    assert_int_equal(d, (int32_t)floor(192 + turned + 0.5));
    on_plane(270, 270, 0.5, &d);
    assert_int_equal(d, 192);
}

/* A ridge along y: 30 m high, flanks 60 m. */
static double ridge(int32_t x, int32_t y) {
    (void)y;
    double off = fabs((double)x);
    return off < 60 ? 30 * (1 - off / 60) : 0;
}
static void crests_are_windy_and_lees_sheltered(void **state) {
    (void)state;
    struct wind_params p = from(270);
    struct grid_u8 place = {.x0 = -260, .y0 = 0, .width = 520, .height = 1};
    struct blown b = blow(&p, ridge, place);
    int32_t crest = code(&b.strength, 0, 0), windward = code(&b.strength, -30, 0);
    assert_true(crest > 128 + 8);
    assert_true(windward > 128);
    assert_true(code(&b.strength, 40, 0) < 90);        /* the lee flank */
    assert_true(code(&b.strength, 75, 0) < 115);       /* behind its foot */
    assert_int_equal(code(&b.strength, 240, 0), 128);  /* out of reach */
    assert_int_equal(code(&b.strength, -240, 0), 128); /* upwind */
    free_blown(&b);
}

static double hills(int32_t x, int32_t y) {
    return 900 + 18 * sin(x * 0.05) * cos(y * 0.043) + 2 * sin(x * 0.4 + y * 0.31) + 0.2 * x;
}
static double hills_turned(int32_t x, int32_t y) {
    return hills(-y, x); /* hills, a quarter turn clockwise: what lay north lies east */
}
static void everything_turns_together(void **state) {
    (void)state;
    for (int32_t k = 0; k < 3; k++) {
        struct wind_params p = from(20 + 100 * k), q = from(110 + 100 * k);
        struct blown a = blow(&p, hills, square(-32, -32, 65)),
                     b = blow(&q, hills_turned, square(-32, -32, 65));
        for (int32_t y = -32; y <= 32; y++)
            for (int32_t x = -32; x <= 32; x++) {
                /* cell (x, y) of hills is cell (y, -x) of the turned ones */
                assert_true(abs(code(&a.strength, x, y) - code(&b.strength, y, -x)) <= 1);
                int32_t turn = code(&b.direction, y, -x) - code(&a.direction, x, y);
                assert_true(abs((turn & 255) - 64) <= 1);
            }
        free_blown(&a);
        free_blown(&b);
    }
}

/* The model in double precision over the ground smoothed by direct sums. */
static double smooth_at(height_fn f, int32_t x, int32_t y) {
    double sum = 0;
    for (int32_t j = -16; j <= 16; j++)
        for (int32_t i = -16; i <= 16; i++)
            sum += (17 - abs(i)) * (17 - abs(j)) * f(x + i, y + j);
    return sum / (17.0 * 17 * 17 * 17);
}
static double slow_speed(const struct wind_params *p, height_fn f, int32_t x, int32_t y) {
    double ge = (smooth_at(f, x + 16, y) - smooth_at(f, x - 16, y)) / 32;
    double gn = (smooth_at(f, x, y + 16) - smooth_at(f, x, y - 16)) / 32, rise = sqrt(ge * ge + gn * gn);
    double along = -(ge * sin(p->from_rad) + gn * cos(p->from_rad));
    double s = rise > 0 ? atan(rise) / (90 * degree) * along / rise : 0, c = 0, z = smooth_at(f, x, y);
    static const int32_t axes[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int32_t a = 0; a < 4; a++) {
        int32_t i = axes[a][0] * 64, j = axes[a][1] * 64;
        c += (z - (smooth_at(f, x + i, y + j) + smooth_at(f, x - i, y - j)) / 2) / (2 * hypot(i, j)) / 4;
    }
    return 1 + p->slope_weight * s + p->curvature_weight * 2 * c;
}
static void a_slow_reference_agrees(void **state) {
    (void)state;
    struct wind_params p = from(250);
    p.shelter_m = 0;
    struct blown b = blow(&p, hills, square(0, 0, 60));
    for (int32_t k = 0; k < 12; k++) {
        uint64_t h = hash_place(2, 2, k, 0, 0);
        int32_t x = (int32_t)(h % 60), y = (int32_t)(h / 64 % 60);
        assert_true(fabs(code(&b.strength, x, y) - 128 * slow_speed(&p, hills, x, y)) < 0.7);
    }
    free_blown(&b);
}

static void a_part_of_a_window_gets_the_same_codes(void **state) {
    (void)state;
    struct wind_params p = from(203);
    struct blown all = blow(&p, hills, square(-70, 1000, 90));
    for (int32_t trial = 0; trial < 4; trial++) {
        uint64_t h = hash_place(6, 1, trial, 0, 0);
        struct grid_u8 place = {.x0 = -70 + (int32_t)(h % 50), .y0 = 1000 + (int32_t)(h / 100 % 50)};
        place.width = 1 + (int32_t)(h / 10000 % 40);
        place.height = 1 + (int32_t)(h / 1000000 % 40);
        struct blown part = blow(&p, hills, place);
        for (int32_t y = place.y0; y < place.y0 + place.height; y++)
            for (int32_t x = place.x0; x < place.x0 + place.width; x++) {
                assert_int_equal(code(&part.strength, x, y), code(&all.strength, x, y));
                assert_int_equal(code(&part.direction, x, y), code(&all.direction, x, y));
            }
        free_blown(&part);
    }
    free_blown(&all);
}

/* Without libm: the golden must not depend on it. */
static double blocks(int32_t x, int32_t y) {
    double sum = 0.25 * x + 0.125 * y;
    for (int32_t k = 0; k < 4; k++)
        sum += 2 * (k + 1) * (double)hash_unit(hash_place(8, 3, x >> (k + 2), y >> (k + 2), 0));
    return sum;
}
static void golden_codes_stay(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int32_t k = 0; k < 4; k++) {
        struct wind_params p = from(33 + 90 * k);
        struct blown b = blow(&p, blocks, square(-30, -9, 48));
        for (int32_t i = 0; i < 48 * 48; i++)
            hash = hash_mix(hash ^ (uint64_t)(b.strength.cells[i] * 256 + b.direction.cells[i])) + 1;
        free_blown(&b);
    }
    assert_int_equal(hash, 0xf61e171ebf7d37d5u);
}

static void too_little_scratch_is_said(void **state) {
    (void)state;
    struct wind_params p = from(0);
    int32_t side = 8 + 2 * wind_reach(&p);
    size_t size = wind_scratch(&p, 8, 8);
    unsigned char *block = aligned_alloc(64, (size + 63) / 64 * 64);
    float *z = calloc((size_t)side * (size_t)side, sizeof *z);
    assert_true(block && z);
    uint8_t codes[128];
    struct grid_f32 heights = {z, (8 - side) / 2, (8 - side) / 2, side, side, side};
    struct grid_u8 strength = {codes, 0, 0, 8, 8, 8}, direction = {codes + 64, 0, 0, 8, 8, 8};
    for (size_t part = 1; part < 16; part++) {
        struct arena arena = {block, size * part / 16 - 1, 0};
        assert_false(wind_make(&p, &heights, &strength, &direction, &arena));
        assert_int_equal(arena.used, 0);
    }
    free(block);
    free(z);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_ground_has_the_open_wind),
        cmocka_unit_test(planes_speed_up_and_turn_as_the_papers_say),
        cmocka_unit_test(crests_are_windy_and_lees_sheltered),
        cmocka_unit_test(everything_turns_together),
        cmocka_unit_test(a_slow_reference_agrees),
        cmocka_unit_test(a_part_of_a_window_gets_the_same_codes),
        cmocka_unit_test(golden_codes_stay),
        cmocka_unit_test(too_little_scratch_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
