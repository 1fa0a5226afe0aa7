/* The tent filter against every weight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/stage.h"
#include "terrain/hash.h"
#include "terrain/soften.h"

#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {NULL};

enum { SIDE = 60 };

static uint16_t slow(int32_t radius, const struct grid_u8 *in, int32_t x, int32_t y) {
    uint64_t sum = 0, total = 0;
    for (int32_t dy = -2 * radius; dy <= 2 * radius; dy++)
        for (int32_t dx = -2 * radius; dx <= 2 * radius; dx++) {
            uint64_t w = (uint64_t)(2 * radius + 1 - abs(dx)) * (uint64_t)(2 * radius + 1 - abs(dy));
            sum += w * *grid_u8_at(in, x + dx, y + dy);
            total += w;
        }
    return (uint16_t)((SOFTEN_STEPS * sum + total / 2) / total < 65535
                          ? (SOFTEN_STEPS * sum + total / 2) / total
                          : 65535);
}

static void equals_every_weight_in_any_window(void **state) {
    (void)state;
    static uint8_t cells[SIDE * SIDE];
    struct grid_u8 in = {cells, -9, 4, SIDE, SIDE, SIDE};
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        cells[i] = i % 7 ? (uint8_t)hash_place(1, 1, i, 0, 0) : 255;
    for (int32_t radius = 1; radius <= 6; radius++) {
        uint16_t got[20 * 11];
        struct grid_u16 out = {got, -9 + 2 * radius + 3, 4 + 2 * radius + 1, 20, 11, 20};
        struct arena arena = {malloc(terrain_soften_scratch(radius, 20, 11)),
                              terrain_soften_scratch(radius, 20, 11), 0};
        assert_true(terrain_soften(radius, &in, &out, &arena));
        for (int32_t y = out.y0; y < out.y0 + out.height; y++)
            for (int32_t x = out.x0; x < out.x0 + out.width; x++)
                assert_int_equal(*grid_u16_at(&out, x, y), slow(radius, &in, x, y));
        arena.size = arena.size / 2;
        assert_false(terrain_soften(radius, &in, &out, &arena));
        free(arena.base);
    }
}

/* The largest radius over white does not overflow. */
static void white_stays_white(void **state) {
    (void)state;
    enum { N = 4 * SOFTEN_RADIUS_MAX + 3 };
    uint8_t *cells = malloc(N * N);
    uint16_t got[9];
    struct grid_u8 in = {cells, 0, 0, N, N, N};
    struct grid_u16 out = {got, 2 * SOFTEN_RADIUS_MAX, 2 * SOFTEN_RADIUS_MAX, 3, 3, 3};
    size_t room = terrain_soften_scratch(SOFTEN_RADIUS_MAX, 3, 3);
    struct arena arena = {malloc(room), room, 0};
    memset(cells, 255, N * N);
    assert_true(terrain_soften(SOFTEN_RADIUS_MAX, &in, &out, &arena));
    for (int i = 0; i < 9; i++)
        assert_int_equal(got[i], 255 * SOFTEN_STEPS);
    free(arena.base);
    free(cells);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_every_weight_in_any_window),
        cmocka_unit_test(white_stays_white),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
