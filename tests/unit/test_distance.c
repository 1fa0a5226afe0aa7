#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/distance.h"
#include "terrain/hash.h"
#include "tests/unit/flow_kit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { DOTS, BLOBS, STRIPES, HALF, EMPTY, FULL, KINDS };

static uint8_t paint(enum kind kind, uint64_t seed, int32_t x, int32_t y) {
    uint64_t h = hash_place(seed, 1, x, y, 0);
    int64_t i = flow_floor_div(x, 9), j = flow_floor_div(y, 9);
    switch (kind) {
    case DOTS:
        return h % 40 == 0 ? (uint8_t)(128 + h / 64 % 128) : (uint8_t)(h / 64 % 128);
    case BLOBS: {
        uint64_t c = hash_place(seed, 2, (int32_t)i, (int32_t)j, 0);
        int64_t dx = x - i * 9 - 4, dy = y - j * 9 - 4;
        return dx * dx + dy * dy < (int64_t)(c % 16) ? 255 : 0;
    }
    case STRIPES:
        return (x + 2 * y) % 31 > 3 ? 200 : 127;
    case HALF:
        return x > 5 && y * 3 < x + 11 ? 255 : 0;
    case FULL:
        return 128;
    case EMPTY:
    case KINDS:
        break;
    }
    return 127;
}

static struct grid_u8 painted(enum kind kind, uint64_t seed, int32_t x0, int32_t y0, int32_t width,
                              int32_t height) {
    struct grid_u8 g = {malloc((size_t)width * (size_t)height), x0, y0, width, height, width};
    for (int32_t y = y0; y < y0 + height; y++)
        for (int32_t x = x0; x < x0 + width; x++)
            *grid_u8_at(&g, x, y) = paint(kind, seed, x, y);
    return g;
}

static struct grid_u16 measured(const struct distance_params *p, const struct grid_u8 *mask, int32_t x0,
                                int32_t y0, int32_t width, int32_t height) {
    struct grid_u16 out = {malloc((size_t)width * (size_t)height * 2), x0, y0, width, height, width};
    struct arena arena = test_arena(terrain_distance_scratch(p, width, height));
    struct error err;
    memset(arena.base, 0, arena.size); /* whoever reads what nobody wrote finds "near" */
    assert_int_equal(terrain_distance(p, mask, &out, &arena, &err), STATUS_OK);
    assert_int_equal(arena.used, 0);
    free(arena.base);
    return out;
}

/* By the definition: the nearest point of every cell of the other kind. */
static uint16_t brute(const struct distance_params *p, const struct grid_u8 *mask, int32_t x, int32_t y) {
    bool inside = *grid_u8_at(mask, x, y) > 127;
    int64_t best = INT64_MAX;
    for (int32_t v = mask->y0; v < mask->y0 + mask->height; v++)
        for (int32_t u = mask->x0; u < mask->x0 + mask->width; u++) {
            if ((*grid_u8_at(mask, u, v) > 127) == inside)
                continue;
            int64_t i = u == x ? 0 : 2 * llabs((long long)u - x) - 1,
                    j = v == y ? 0 : 2 * llabs((long long)v - y) - 1;
            best = i * i + j * j < best ? i * i + j * j : best;
        }
    float far = (float)(p->max_m * DISTANCE_STEPS);
    float d = best == INT64_MAX ? far : sqrtf((float)best) * (float)(p->cell_m * 0.5 * DISTANCE_STEPS);
    int32_t code = (int32_t)((d < far ? d : far) + 0.5f);
    return (uint16_t)(DISTANCE_ZERO + (inside ? -code : code));
}

static void test_equals_brute_force(void **state) {
    (void)state;
    static const double max_m[] = {1, 2.5, 7, 16, 40, 200};
    for (int kind = 0; kind < KINDS; kind++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            struct distance_params p = {.cell_m = seed % 3 ? 1 : 0.5, .max_m = max_m[seed]};
            struct grid_u8 mask = painted((enum kind)kind, seed, -7, 3, 37 + 5 * (int32_t)seed, 41);
            struct grid_u16 out = measured(&p, &mask, -7, 3, mask.width, mask.height);
            for (int32_t y = 3; y < 3 + mask.height; y++)
                for (int32_t x = -7; x < -7 + mask.width; x++)
                    assert_int_equal(*grid_u16_at(&out, x, y), brute(&p, &mask, x, y));
            free(mask.cells);
            free(out.cells);
        }
}

/* What lies beyond the reach changes nothing: blocks of a world, each with just its reach, equal the whole.
 */
static void test_window_does_not_show(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int32_t far = 1; far <= 160; far += far < 17 ? 1 : far) {
            struct distance_params p = {.cell_m = 1, .max_m = far};
            int32_t reach = terrain_distance_reach(&p);
            struct grid_u8 mask = painted((enum kind)kind, 9, -50, -40, 131, 117);
            struct grid_u16 whole = measured(&p, &mask, -50, -40, 131, 117);
            for (int32_t y = -40; y < 77; y += 39)
                for (int32_t x = -50; x < 81; x += 44) {
                    int32_t w = 81 - x < 44 ? 81 - x : 44, h = 77 - y < 39 ? 77 - y : 39;
                    int32_t x0 = x - reach > -50 ? x - reach : -50, y0 = y - reach > -40 ? y - reach : -40;
                    int32_t x1 = x + w + reach < 81 ? x + w + reach : 81,
                            y1 = y + h + reach < 77 ? y + h + reach : 77;
                    struct grid_u8 window = painted((enum kind)kind, 9, x0, y0, x1 - x0, y1 - y0);
                    struct grid_u16 part = measured(&p, &window, x, y, w, h);
                    for (int32_t v = y; v < y + h; v++)
                        assert_memory_equal(grid_u16_at(&part, x, v), grid_u16_at(&whole, x, v),
                                            (size_t)w * 2);
                    free(window.cells);
                    free(part.cells);
                }
            free(mask.cells);
            free(whole.cells);
        }
}

/* A straight edge: half a cell on both sides, then whole cells; the largest distance beyond. */
static void test_straight_edge(void **state) {
    (void)state;
    struct distance_params p = {.cell_m = 2, .max_m = 9};
    struct grid_u8 mask = {(uint8_t[]){0, 0, 0, 0, 0, 0, 255, 255, 255}, 0, 0, 9, 1, 9};
    struct grid_u16 out = measured(&p, &mask, 0, 0, 9, 1);
    const int32_t metres[9] = {9, 9, 7, 5, 3, 1, -1, -3, -5};
    for (int32_t x = 0; x < 9; x++)
        assert_int_equal(out.cells[x], DISTANCE_ZERO + DISTANCE_STEPS * (x < 1 ? 9 : metres[x]));
    free(out.cells);
}

static void test_golden(void **state) {
    (void)state;
    static const uint64_t golden[KINDS] = {0xa61f08f733b6c4b0, 0xab4fec99258bcf65, 0xa79f5b5049510a2a,
                                           0x2665e0bfcffde6a4, 0x44e386eeadaca3b0, 0x75059fd3704312ce};
    struct distance_params p = {.cell_m = 1, .max_m = 64};
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        struct grid_u8 mask = painted((enum kind)kind, 3, -10, 20, 200, 150);
        struct grid_u16 out = measured(&p, &mask, -10, 20, 200, 150);
        uint64_t hash = test_hash(0, out.cells, 200 * 150 * 2);
        if (hash != golden[kind])
            print_error("kind %d: 0x%016llx\n", kind, (unsigned long long)hash);
        wrong += hash != golden[kind];
        free(mask.cells);
        free(out.cells);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_brute_force),
        cmocka_unit_test(test_window_does_not_show),
        cmocka_unit_test(test_straight_edge),
        cmocka_unit_test(test_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
