#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/compose.h"
#include "terrain/hash.h"

#include <string.h>

enum { SIDE = 24, CELLS = SIDE * SIDE };

static void texture_sources_come_in_the_stated_order(void **state) {
    (void)state;
    static const struct {
        float slope;
        uint8_t biome, over_a, over_b, expected;
    } cases[] = {
        {0, 0, 0, 0, TEXTURE_FLAT},
        {33.9f, 0, 0, 0, TEXTURE_FLAT},
        {34, 0, 0, 0, TEXTURE_STEEP},
        {47.9f, 0, 0, 0, TEXTURE_STEEP},
        {48, 0, 0, 0, TEXTURE_ROCK},
        {90, 0, 0, 0, TEXTURE_ROCK},
        {0, 2, 0, 0, 20},
        {40, 2, 0, 0, 20},
        {50, 2, 0, 0, TEXTURE_ROCK},
        {0, 3, 0, 0, TEXTURE_FLAT},
        {0, 2, 9, 0, 9},
        {50, 2, 9, 0, 9},
        {0, 2, 9, 8, 8},
        {0, 2, 0, 8, 8},
    };
    struct compose_texture_params params = compose_texture_defaults();
    params.biome_textures[2] = 20;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float slope = cases[i].slope;
        uint8_t biome = cases[i].biome, a = cases[i].over_a, b = cases[i].over_b, out = 255;
        struct grid_f32 slopes = {&slope, 5, -6, 1, 1, 1};
        struct grid_u8 biomes = {&biome, 5, -6, 1, 1, 1}, to = {&out, 5, -6, 1, 1, 1};
        const struct grid_u8 overlays[2] = {{&a, 5, -6, 1, 1, 1}, {&b, 5, -6, 1, 1, 1}};
        params.overlays = overlays;
        params.overlay_count = 2;
        compose_texture(&params, &slopes, &biomes, &to);
        assert_int_equal(out, cases[i].expected);
        if (cases[i].biome == 0) { /* a world without a recipe */
            compose_texture(&params, &slopes, NULL, &to);
            assert_int_equal(out, cases[i].expected);
        }
    }
}

static void heights_are_the_ground_and_all_imprints(void **state) {
    (void)state;
    float ground[CELLS], roots[CELLS], pits[CELLS], out[CELLS], delta[CELLS];
    for (int32_t i = 0; i < CELLS; i++) {
        ground[i] = 1000 + 0.25f * (float)(hash_place(1, 1, i, 0, 0) % 4096);
        roots[i] = 0.125f * (float)(i % 3);
        pits[i] = -0.5f * (float)(i % 5);
    }
    struct grid_f32 g = {ground, -3, 7, SIDE, SIDE, SIDE}, o = {out, -3, 7, SIDE, SIDE, SIDE},
                    d = {delta, -3, 7, SIDE, SIDE, SIDE};
    const struct grid_f32 imprints[2] = {{roots, -3, 7, SIDE, SIDE, SIDE}, {pits, -3, 7, SIDE, SIDE, SIDE}};
    compose_height(&g, imprints, 2, &o);
    compose_difference(&o, &g, &d);
    for (int32_t i = 0; i < CELLS; i++) {
        assert_true(out[i] == ground[i] + roots[i] + pits[i]);
        assert_true(delta[i] == roots[i] + pits[i]);
    }
    compose_height(&g, NULL, 0, &o);
    assert_memory_equal(out, ground, sizeof ground);
}

static void wet_ground_is_darker_and_dry_ground_lighter(void **state) {
    (void)state;
    float wetness[21];
    uint8_t rgb[63];
    for (int32_t i = 0; i < 21; i++)
        wetness[i] = -1 + 0.1f * (float)i;
    wetness[10] = 0;
    compose_tint_row(wetness, 21, rgb);
    assert_memory_equal(rgb + 30, "\x80\x80\x80", 3);
    for (int32_t i = 1; i < 21; i++)
        assert_true(rgb[3 * i + 1] <= rgb[3 * i - 2]);
    assert_true(rgb[60] < rgb[61]); /* wet: greener than red */
    assert_true(compose_wetness(9) == 1 && compose_wetness(3.5f) == 0 && compose_wetness(0) == -1);
    /* a line of flow or a filled hollow is no more than its rim; a stream counts beside it */
    assert_true(compose_wetness_code(100, 0) == compose_wetness_code(110, 0));
    assert_true(compose_wetness_code(200, 0) < compose_wetness_code(110, 0));
    assert_true(compose_wetness_code(60, 1) > 2 * compose_wetness_code(60, 0));
    assert_true(compose_stream(0.3f) == 0 && compose_stream(0.6f) == 1);
}

/* A row is what its cells are one by one: nothing reaches from cell to cell. */
static void colours_are_of_the_cell_alone(void **state) {
    (void)state;
    float slope[SIDE], wetness[SIDE], noise[3][SIDE];
    uint8_t rgb[3 * SIDE], one[3], base[3 * SIDE];
    for (int32_t i = 0; i < SIDE; i++) {
        uint64_t h = hash_place(4, 4, i, 0, 0);
        slope[i] = (float)(h % 90);
        wetness[i] = hash_unit(hash_mix(h + 1)) * 2 - 1;
        for (int32_t c = 0; c < 3; c++)
            base[3 * i + c] = (uint8_t)hash_place(2, 2, i, c, 0);
        for (uint64_t k = 0; k < 3; k++)
            noise[k][i] = hash_unit(hash_mix(h + 3 + k));
    }
    struct compose_colors_row row = {slope, wetness, {noise[0], noise[1], noise[2]}};
    memcpy(rgb, base, sizeof rgb);
    compose_colors(&row, SIDE, rgb);
    for (int32_t i = 0; i < SIDE; i++) {
        struct compose_colors_row cell = {slope + i, wetness + i, {noise[0] + i, noise[1] + i, noise[2] + i}};
        memcpy(one, base + 3 * i, sizeof one);
        compose_colors(&cell, 1, one);
        assert_memory_equal(one, rgb + 3 * i, 3);
    }
    one[0] = 100;
    const float level = 0, neutral = 0, middle = 0.5f;
    struct compose_colors_row plain = {&level, &neutral, {&middle, &middle, &middle}};
    compose_colors(&plain, 1, one);
    assert_true(one[0] > 95 && one[0] < 112); /* near its biome's colour */
}

/* Within a biome its colour; on a border a mean of both, the same from wherever the row begins. */
static void borders_of_biomes_are_blended(void **state) {
    (void)state;
    uint8_t ids[9 * SIDE], rgb[3 * SIDE], one[3], colors[256][3] = {{0}};
    bool sharp[256] = {false};
    for (int32_t y = 0; y < 9; y++)
        for (int32_t x = 0; x < SIDE; x++)
            ids[y * SIDE + x] = x < SIDE / 2 ? 3 : 7;
    colors[3][0] = 40;
    colors[7][0] = 130;
    struct grid_u8 g = {ids, -5, 20, SIDE, 9, SIDE};
    int32_t from = -5 + COMPOSE_BLEND_CELLS, count = SIDE - 2 * COMPOSE_BLEND_CELLS;
    compose_biome_colors((const uint8_t(*)[3])colors, sharp, &g, from, 24, count, rgb);
    for (int32_t i = 0; i < count; i++) {
        int32_t past = from + i - (SIDE / 2 - 5); /* cells east of the border */
        int32_t want = past < -2 ? 40 : past > 1 ? 130 : rgb[3 * i];
        assert_int_equal(rgb[3 * i], want);
        if (past >= -2 && past <= 1)
            assert_true(rgb[3 * i] > 40 && rgb[3 * i] < 130);
        if (i > 0)
            assert_true(rgb[3 * i] >= rgb[3 * i - 3]);
        compose_biome_colors((const uint8_t(*)[3])colors, sharp, &g, from + i, 24, 1, one);
        assert_memory_equal(one, rgb + 3 * i, 3);
    }
    for (int32_t k = 3; k <= 7; k += 4) { /* one of them is sharp, whichever: the border is a cut */
        sharp[3] = k == 3;
        sharp[7] = k == 7;
        compose_biome_colors((const uint8_t(*)[3])colors, sharp, &g, from, 24, count, rgb);
        for (int32_t i = 0; i < count; i++)
            assert_int_equal(rgb[3 * i], from + i < SIDE / 2 - 5 ? 40 : 130);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texture_sources_come_in_the_stated_order),
        cmocka_unit_test(heights_are_the_ground_and_all_imprints),
        cmocka_unit_test(wet_ground_is_darker_and_dry_ground_lighter),
        cmocka_unit_test(colours_are_of_the_cell_alone),
        cmocka_unit_test(borders_of_biomes_are_blended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
