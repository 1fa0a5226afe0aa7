#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/flow_finish.h"
#include "terrain/hash.h"
#include "terrain/twi.h"
#include "tests/unit/flow_kit.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 91, HEIGHT = 40 };

struct ground {
    uint16_t flow[HEIGHT][WIDTH];
    float slope[HEIGHT][WIDTH];
    uint8_t code[HEIGHT][WIDTH];
};

static void run(struct ground *g, double cell_m) {
    struct grid_u16 flow = {g->flow[0], 5, 6, WIDTH, HEIGHT, WIDTH};
    struct grid_f32 slope = {g->slope[0], 5, 6, WIDTH, HEIGHT, WIDTH};
    struct grid_u8 out = {g->code[0], 5, 6, WIDTH, HEIGHT, WIDTH};
    terrain_twi(cell_m, &flow, &slope, &out);
}

static void make(struct ground *g, uint64_t seed) {
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            g->flow[y][x] = (uint16_t)(hash_place(seed, 1, x, y, 0) % (FLOW_CODE_MAX + 1));
            g->slope[y][x] =
                90.0f * hash_unit(hash_place(seed, 2, x, y, 0)) * hash_unit(hash_place(seed, 3, x, y, 0));
        }
    g->slope[0][0] = 0, g->slope[0][1] = 90, g->slope[0][2] = 45, g->slope[0][3] = 0.05f;
}

/* The formula of the header with the libm, before rounding. */
static double exact(double cell_m, uint16_t flow, double slope_deg) {
    double deg = slope_deg < (double)TWI_SLOPE_MIN_DEG ? (double)TWI_SLOPE_MIN_DEG : slope_deg;
    deg = deg > (double)TWI_SLOPE_MAX_DEG ? (double)TWI_SLOPE_MAX_DEG : deg;
    double area_m = exp2(flow / 16.0) / cell_m;
    double code = (log(area_m / tan(deg * 3.14159265358979323846 / 180)) - TWI_MIN) * TWI_STEPS;
    return code < 0 ? 0 : code > 255 ? 255 : code;
}

static void test_equals_formula(void **state) {
    (void)state;
    static const double cells[] = {0.25, 1, 7.5};
    struct ground g;
    for (int i = 0; i < 3; i++) {
        make(&g, (uint64_t)i);
        run(&g, cells[i]);
        for (int32_t y = 0; y < HEIGHT; y++)
            for (int32_t x = 0; x < WIDTH; x++) {
                double e = exact(cells[i], g.flow[y][x], (double)g.slope[y][x]);
                assert_true(fabs(e - g.code[y][x]) <= 0.5 + TWI_STEPS * 1e-4);
            }
    }
}

/* More water and less slope never make a place drier. */
static void test_monotonic(void **state) {
    (void)state;
    struct ground g;
    memset(&g, 0, sizeof g);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            g.flow[y][x] = (uint16_t)(y * 12);
            g.slope[y][x] = (float)x * 90 / (WIDTH - 1);
        }
    run(&g, 1);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 1; x < WIDTH; x++) {
            assert_true(g.code[y][x] <= g.code[y][x - 1]);
            assert_true(y == 0 || g.code[y][x] >= g.code[y - 1][x]);
        }
}

static void test_golden(void **state) {
    (void)state;
    struct ground g;
    make(&g, 42);
    run(&g, 1);
    uint64_t hash = test_hash(0, g.code, sizeof g.code);
    if (hash != 0xcd681284eeaccdf6u)
        fail_msg("0x%016llx", (unsigned long long)hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_formula),
        cmocka_unit_test(test_monotonic),
        cmocka_unit_test(test_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
