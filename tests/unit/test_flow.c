/* Flow over sections: the same answer as on the undivided raster, bit for bit; and what a change leaves
 * alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/flow_fill.h"
#include "terrain/flow_finish.h"
#include "terrain/flow_receivers.h"
#include "terrain/hash.h"
#include "tests/unit/flow_kit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct flow_layout layout_of(uint64_t seed, int32_t side) {
    int32_t x0 = (int32_t)(hash_place(seed, 10, 0, 0, 0) % 200) - 100;
    int32_t y0 = (int32_t)(hash_place(seed, 11, 0, 0, 0) % 200) - 100;
    int32_t width = 1 + (int32_t)(hash_place(seed, 12, 0, 0, 0) % 71);
    int32_t height = 1 + (int32_t)(hash_place(seed, 13, 0, 0, 0) % 71);
    return (struct flow_layout){x0, y0, x0 + width, y0 + height, side};
}

static void equals_reference(const struct flow_kit *kit, int ground, uint64_t seed) {
    size_t cells = (size_t)kit->width * (size_t)kit->height;
    int32_t *filled = malloc(cells * sizeof *filled);
    uint64_t *area = malloc(cells * sizeof *area);
    flow_reference(kit, filled, area);
    if (memcmp(filled, kit->filled, cells * sizeof *filled) || memcmp(area, kit->area, cells * sizeof *area))
        fail_msg("ground %d, seed %d, side %d: %d x %d cells differ", ground, (int)seed, kit->layout.side,
                 kit->width, kit->height);
    free(filled);
    free(area);
}

/* Whatever the section size, origin, shape and ground: sections equal the reference. */
static void test_sections_equal_reference(void **state) {
    (void)state;
    static const int32_t sides[] = {2, 3, 5, 8, 13, 16, 29, 64, 1024};
    for (uint64_t seed = 0; seed < 45; seed++)
        for (int ground = 0; ground < GROUND_COUNT; ground++) {
            struct flow_kit kit;
            flow_kit_make(&kit, layout_of(seed, sides[seed % 9]), (enum flow_ground)ground, seed);
            flow_kit_run(&kit);
            equals_reference(&kit, ground, seed);
            flow_kit_free(&kit);
        }
}

/* Two to nine levels at random: every way in which heights around a cell can be equal. */
static void test_ties_equal_reference(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        struct flow_kit kit;
        int32_t side = 6 + (int32_t)(seed % 11);
        flow_kit_make(&kit, (struct flow_layout){0, 0, 14, 13, side}, GROUND_NOISE, seed);
        for (int32_t i = 0; i < kit.width * kit.height; i++)
            kit.z[i] = (int32_t)(hash_place(seed, 14, i, 0, 0) % (2 + seed % 8)) * FLOW_UNIT;
        flow_kit_run(&kit);
        equals_reference(&kit, GROUND_NOISE, seed);
        flow_kit_free(&kit);
    }
}

/* Sections of any size equal one undivided section, on a larger world whose lakes span many of them. */
static void test_sections_equal_undivided(void **state) {
    (void)state;
    static const int32_t sides[] = {7, 16, 33, 64};
    for (int ground = 0; ground < GROUND_COUNT; ground++) {
        struct flow_kit whole;
        flow_kit_make(&whole, (struct flow_layout){-70, 33, 120, 180, 512}, (enum flow_ground)ground, 5);
        flow_kit_run(&whole);
        size_t cells = (size_t)whole.width * (size_t)whole.height;
        for (int i = 0; i < 4; i++) {
            struct flow_kit kit;
            flow_kit_copy(&kit, &whole, sides[i]);
            flow_kit_run(&kit);
            assert_memory_equal(kit.filled, whole.filled, cells * sizeof *kit.filled);
            assert_memory_equal(kit.area, whole.area, cells * sizeof *kit.area);
            flow_kit_free(&kit);
        }
        flow_kit_free(&whole);
    }
}

/* Every cell's water leaves the world, once: what leaves adds up to all cells. */
static void test_water_is_kept(void **state) {
    (void)state;
    for (int ground = 0; ground < GROUND_COUNT; ground++) {
        struct flow_kit kit;
        flow_kit_make(&kit, (struct flow_layout){3, -9, 103, 81, 16}, (enum flow_ground)ground, 8);
        flow_kit_run(&kit);
        uint64_t left = 0;
        for (int32_t i = 0; i < kit.width * kit.height; i++)
            left += kit.receivers[i] == FLOW_LEAVES ? kit.area[i] : 0;
        assert_int_equal(left, kit.width * kit.height);
        flow_kit_free(&kit);
    }
}

static bool same(struct flow_record a, struct flow_record b) {
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

static bool same_cells(const struct flow_kit *a, const struct flow_kit *b, int32_t section) {
    int32_t columns = flow_columns(&a->layout);
    struct flow_section at = flow_section_of(&a->layout, section % columns, section / columns);
    for (int32_t y = at.y0 - a->layout.y0; y < at.y0 - a->layout.y0 + at.height; y++) {
        ptrdiff_t i = (ptrdiff_t)y * a->width + at.x0 - a->layout.x0;
        size_t n = (size_t)at.width;
        if (memcmp(a->filled + i, b->filled + i, n * 4) || memcmp(a->receivers + i, b->receivers + i, n) ||
            memcmp(a->area + i, b->area + i, n * 8))
            return false;
    }
    return true;
}

/* One changed height: a section without a changed cell has byte for byte the results and records that it had.
 * Filling's summaries change in the changed section only. */
static void test_change_stays_local(void **state) {
    (void)state;
    int32_t kept = 0, all = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct flow_kit before, after;
        enum flow_ground ground = seed % 2 ? GROUND_SMOOTH : GROUND_STEPS;
        flow_kit_make(&before, (struct flow_layout){-20, -35, 140, 121, 16}, ground, seed);
        flow_kit_copy(&after, &before, 16);
        int32_t x = (int32_t)(hash_place(seed, 20, 0, 0, 0) % 160),
                y = (int32_t)(hash_place(seed, 21, 0, 0, 0) % 156);
        after.z[y * after.width + x] += (int32_t)(hash_place(seed, 22, 0, 0, 0) % 40001) - 20000;
        flow_kit_run(&before);
        flow_kit_run(&after);
        int32_t columns = flow_columns(&before.layout);
        int32_t changed = (flow_floor_div(y - 35, 16) + 3) * columns + flow_floor_div(x - 20, 16) + 2;
        for (int32_t i = 0; i < before.sections; i++) {
            bool locals =
                same(before.fill_local[i], after.fill_local[i]) && same(before.basins[i], after.basins[i]);
            assert_true(locals || i == changed);
            all++;
            if (!same_cells(&before, &after, i))
                continue;
            kept++;
            /* records speak of perimeters too: equal inside, the levels and inflows must be equal */
            if (i != changed) {
                assert_true(same(before.fill_world[i], after.fill_world[i]));
                assert_true(same(before.flow_world[i], after.flow_world[i]));
            }
        }
        flow_kit_free(&before);
        flow_kit_free(&after);
    }
    assert_true(kept * 10 > all * 8); /* most of a world is not downstream of one cell */
}

/* Heights that leave filled and receivers as they were leave everything as it was: a pit filled anyway. */
static void test_change_under_water_shows_nowhere(void **state) {
    (void)state;
    struct flow_kit before, after;
    flow_kit_make(&before, (struct flow_layout){0, 0, 96, 96, 16}, GROUND_STEPS, 3);
    flow_kit_run(&before);
    flow_kit_copy(&after, &before, 16);
    int32_t dug = 0;
    for (int32_t i = 0; i < 96 * 96; i++)
        if (before.filled[i] > before.z[i] && i % 7 == 0) {
            after.z[i] -= 1000 + i;
            dug++;
        }
    assert_true(dug > 5);
    flow_kit_run(&after);
    for (int32_t i = 0; i < before.sections; i++) {
        assert_true(same_cells(&before, &after, i));
        assert_true(same(before.flow_local[i], after.flow_local[i]));
        assert_true(same(before.flow_world[i], after.flow_world[i]));
    }
    flow_kit_free(&before);
    flow_kit_free(&after);
}

static void test_quantise(void **state) {
    (void)state;
    float m[6] = {0.0f, 1.0f, -1.0f / 8192, 3.0f / 8192, -57344.0f, 57344.0f};
    int32_t q[6];
    struct grid_f32 in = {m, 10, 20, 3, 2, 3};
    struct grid_i32 out = {q, 10, 20, 3, 2, 3};
    struct error err;
    assert_int_equal(terrain_flow_quantise(&in, &out, &err), STATUS_OK);
    const int32_t expected[6] = {0, 4096, -1, 2, -FLOW_HEIGHT_MAX, FLOW_HEIGHT_MAX};
    assert_memory_equal(q, expected, sizeof q);
    m[4] = NAN;
    assert_int_equal(terrain_flow_quantise(&in, &out, &err), STATUS_INPUT);
    assert_non_null(strstr(err.message, "cell 11,21"));
    m[4] = 57345.0f;
    assert_int_equal(terrain_flow_quantise(&in, &out, &err), STATUS_INPUT);
}

/* 16 * log2 to the nearest, against exact powers and halves between the steps. */
static void test_log2(void **state) {
    (void)state;
    for (int i = 0; i < 64; i++)
        assert_int_equal(flow_log2_16((uint64_t)1 << i), 16 * i);
    for (uint64_t n = 1; n < 300000; n += 1 + n / 97)
        assert_int_equal(flow_log2_16(n), (int32_t)floor(16 * log2((double)n) + 0.5));
    for (uint64_t n = (uint64_t)1 << 40; n < (uint64_t)1 << 60; n += n / 131)
        assert_int_equal(flow_log2_16(n), (int32_t)floor(16 * log2((double)n) + 0.5));
    assert_int_equal(flow_log2_16(UINT64_MAX), 16 * 64);
}

static void test_codes(void **state) {
    (void)state;
    const uint64_t area[4] = {1, 4, 1000000, (uint64_t)1 << 40};
    uint16_t codes[4];
    struct grid_u16 out = {codes, 0, 0, 2, 2, 2};
    terrain_flow_codes(area, 1, &out);
    assert_int_equal(codes[0], 0);
    assert_int_equal(codes[1], 32);
    assert_int_equal(codes[2], 319);
    assert_int_equal(codes[3], FLOW_CODE_MAX);
    terrain_flow_codes(area, 0.5, &out); /* a quarter of a square metre */
    assert_int_equal(codes[0], 0);
    assert_int_equal(codes[1], 0);
    assert_int_equal(codes[2], 319 - 32);
    terrain_flow_codes(area, 2, &out);
    assert_int_equal(codes[0], 32);
}

/* What each ground gives, for good: any change here is a new version of the stages. */
static void test_golden(void **state) {
    (void)state;
    static const uint64_t golden[GROUND_COUNT] = {0x9d230b495554b67c, 0x38e577c72c3651e9, 0x02f5cbc49b610ae0,
                                                  0x0c8bfdfaa02aec0a, 0xbf4ec178bf8d1f53, 0,
                                                  0xb6839d3c15b08a1d, 0x6c9b70817204e961};
    int wrong = 0;
    for (int ground = 0; ground < GROUND_COUNT; ground++) {
        if (ground == GROUND_SPIRAL)
            continue; /* its making uses the libm */
        struct flow_kit kit;
        flow_kit_make(&kit, (struct flow_layout){-31, 17, 150, 140, 32}, (enum flow_ground)ground, 99);
        flow_kit_run(&kit);
        size_t cells = (size_t)kit.width * (size_t)kit.height;
        uint64_t hash = test_hash(0, kit.filled, cells * sizeof *kit.filled);
        hash = test_hash(hash, kit.area, cells * sizeof *kit.area);
        if (hash != golden[ground])
            print_error("ground %d: 0x%016llx\n", ground, (unsigned long long)hash);
        wrong += hash != golden[ground];
        flow_kit_free(&kit);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections_equal_reference),
        cmocka_unit_test(test_ties_equal_reference),
        cmocka_unit_test(test_sections_equal_undivided),
        cmocka_unit_test(test_water_is_kept),
        cmocka_unit_test(test_change_stays_local),
        cmocka_unit_test(test_change_under_water_shows_nowhere),
        cmocka_unit_test(test_quantise),
        cmocka_unit_test(test_log2),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
