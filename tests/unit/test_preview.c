#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/preview.h"
#include "gen/raster.h"
#include "terrain/hash.h"
#include "terrain/noise.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 96, MARGIN = PREVIEW_REACH + 1, ALL = SIDE + 2 * MARGIN };

/* A piece of ground with its colours and crowns, from hashes of place; cells x0..x0 + SIDE. */
struct scene {
    struct rect cells;
    float *height, *rock; /* rock: NULL, none */
    uint8_t *color;
    struct grid_f32 height_grid, rock_grid;
    struct grid_u8 color_grid;
    struct preview_crown *crowns;
    size_t count;
};

static struct scene make_scene(int32_t x0, int32_t y0, bool bumpy, int32_t one_in) {
    struct scene s = {.cells = {x0, y0, x0 + SIDE, y0 + SIDE}};
    struct noise_params params = {.scale_cells = 40, .octaves = 2, .gain = 0.5, .lacunarity = 2};
    struct noise noise;
    assert_true(noise_prepare(&params, &noise));
    s.height = calloc((size_t)ALL * ALL, sizeof *s.height);
    s.color = calloc((size_t)ALL * ALL, 3);
    s.crowns = calloc((size_t)ALL * ALL, sizeof *s.crowns);
    assert_true(s.height && s.color && s.crowns);
    s.height_grid = (struct grid_f32){s.height, x0 - MARGIN, y0 - MARGIN, ALL, ALL, ALL};
    s.color_grid = (struct grid_u8){s.color, x0 - MARGIN, y0 - MARGIN, ALL * 3, ALL, ALL * 3};
    for (int32_t y = y0 - MARGIN; y < y0 - MARGIN + ALL; y++) {
        for (int32_t x = x0 - MARGIN; x < x0 - MARGIN + ALL; x++) {
            uint64_t h = hash_place(9, 9, x, y, 0);
            size_t i = (size_t)(y - y0 + MARGIN) * ALL + (size_t)(x - x0 + MARGIN);
            s.height[i] = bumpy ? 20 + 24 * noise_at(&noise, 1024 * (int64_t)x, 1024 * (int64_t)y) : 20;
            for (size_t c = 0; c < 3; c++)
                s.color[3 * i + c] = bumpy ? (uint8_t)(80 + (h >> (8 * c)) % 100) : 128;
            bool near = x >= x0 - PREVIEW_REACH && y >= y0 - PREVIEW_REACH && x < x0 + SIDE + PREVIEW_REACH &&
                        y < y0 + SIDE + PREVIEW_REACH;
            if (one_in && near && h % (uint64_t)one_in == 0)
                s.crowns[s.count++] = (struct preview_crown){x + (double)hash_unit(hash_mix(h)),
                                                             y + 0.25,
                                                             (float)(h >> 20 & 31),
                                                             (float)(h >> 30 & 15) * 0.4f,
                                                             (enum preview_shape)(h >> 40 & 3),
                                                             {40, (uint8_t)(h >> 44), 30},
                                                             h};
        }
    }
    return s;
}

static void free_scene(struct scene *s) {
    free(s->height);
    free(s->rock);
    free(s->color);
    free(s->crowns);
}

/* Says that the ground is rock wherever its height is over least_m. */
static void make_rock(struct scene *s, float least_m) {
    s->rock = calloc((size_t)ALL * ALL, sizeof *s->rock);
    assert_non_null(s->rock);
    for (size_t i = 0; i < (size_t)ALL * ALL; i++)
        s->rock[i] = s->height[i] > least_m;
    s->rock_grid = s->height_grid;
    s->rock_grid.cells = s->rock;
}

/* Draws part of a scene; the caller frees the pixels. */
static uint8_t *draw(const struct scene *s, struct rect cells) {
    size_t size = preview_scratch(cells);
    struct arena arena = {malloc(size + ARENA_ALIGN), size + ARENA_ALIGN, 0};
    uint8_t *rgb = malloc((size_t)(cells.x1 - cells.x0) * (size_t)(cells.y1 - cells.y0) * 12);
    assert_true(arena.base && rgb);
    struct preview_input in = {
        1.0,       false,   &s->height_grid, &s->color_grid, NULL, s->rock ? &s->rock_grid : NULL,
        s->crowns, s->count};
    assert_int_equal(preview_draw(&in, cells, rgb, &arena, NULL), STATUS_OK);
    assert_int_equal(arena.used, 0);
    free(arena.base);
    return rgb;
}

static const uint8_t *pixel(const uint8_t *rgb, struct rect cells, int32_t x, int32_t y) {
    return rgb + 3 * ((size_t)(y - 2 * cells.y0) * (size_t)(2 * (cells.x1 - cells.x0)) +
                      (size_t)(x - 2 * cells.x0));
}

/* Any rectangle shows what a larger picture shows there: no seams, negative coordinates included. */
static void parts_equal_the_whole(void **state) {
    (void)state;
    for (int32_t k = 0; k < 12; k++) {
        int32_t x0 = k == 0 ? -40 : (int32_t)(hash_place(3, 3, k, 0, 0) % 100000) - 50000;
        int32_t y0 = k == 0 ? -17 : (int32_t)(hash_place(3, 3, k, 1, 0) % 100000) - 50000;
        struct scene s = make_scene(x0, y0, true, 23 - k);
        if (k & 1)
            make_rock(&s, 32);
        uint8_t *whole = draw(&s, s.cells);
        int32_t x1 = x0 + 40 + k, y1 = y0 + 47 - 3 * k, x2 = x0 + SIDE, y2 = y0 + SIDE;
        const struct rect parts[] = {{x0, y0, x1, y1}, {x1, y0, x2, y1}, {x0, y1, x1, y2}, {x1, y1, x2, y2}};
        for (size_t p = 0; p < 4; p++) {
            uint8_t *part = draw(&s, parts[p]);
            for (int32_t y = 2 * parts[p].y0; y < 2 * parts[p].y1; y++)
                for (int32_t x = 2 * parts[p].x0; x < 2 * parts[p].x1; x++)
                    assert_memory_equal(pixel(part, parts[p], x, y), pixel(whole, s.cells, x, y), 3);
            free(part);
        }
        free(whole);
        free_scene(&s);
    }
}

/* The order of entities that stand at different heights changes nothing. */
static void the_higher_crown_shows(void **state) {
    (void)state;
    struct scene s = make_scene(0, 0, false, 0);
    s.crowns[0] = (struct preview_crown){40.3, 40.3, 20, 4, SHAPE_CONE, {200, 0, 0}, 1};
    s.crowns[1] = (struct preview_crown){41.3, 40.3, 8, 4, SHAPE_FLAT, {0, 0, 200}, 2};
    s.count = 2;
    uint8_t *one = draw(&s, s.cells);
    struct preview_crown first = s.crowns[0];
    s.crowns[0] = s.crowns[1];
    s.crowns[1] = first;
    uint8_t *two = draw(&s, s.cells);
    assert_memory_equal(one, two, (size_t)SIDE * SIDE * 12);
    assert_true(pixel(one, s.cells, 80, 80)[0] > 2 * pixel(one, s.cells, 80, 80)[2]);
    free(one);
    free(two);
    free_scene(&s);
}

/* A tree on flat ground: its shadow lies to the south-east and nowhere else. */
static void shadows_fall_away_from_the_north_west(void **state) {
    (void)state;
    struct scene s = make_scene(0, 0, false, 0);
    uint8_t *bare = draw(&s, s.cells);
    s.crowns[0] = (struct preview_crown){48.25, 48.25, 15, 2, SHAPE_BLOB, {30, 60, 30}, 5};
    s.count = 1;
    uint8_t *tree = draw(&s, s.cells);
    int32_t darker = 0;
    for (int32_t y = 0; y < 2 * SIDE; y++)
        for (int32_t x = 0; x < 2 * SIDE; x++) {
            const uint8_t *a = pixel(bare, s.cells, x, y), *b = pixel(tree, s.cells, x, y);
            bool changed = memcmp(a, b, 3) != 0;
            if (x < 92 || y > 100) /* north and west of the crown */
                assert_false(changed);
            if (x > 100 && y < 92 && changed) {
                assert_true(b[0] + b[1] + b[2] < a[0] + a[1] + a[2]);
                darker++;
            }
        }
    assert_true(darker > 60);
    free(bare);
    free(tree);
    free_scene(&s);
}

/* What is smaller than a pixel colours the four around it by its share, wherever in the pixel it stands,
 * casts no shadow, and shows on nothing that covers its pixel. */
static void small_things_tint(void **state) {
    (void)state;
    struct scene s = make_scene(0, 0, false, 0);
    uint8_t *bare = draw(&s, s.cells);
    int32_t least = 1 << 20, most = 0;
    for (int32_t k = 0; k < 16; k++) {
        s.crowns[0] = (struct preview_crown){48 + 0.03 * k, 48.1 + 0.02 * k, 0.5f,       0.2f,
                                             SHAPE_BLOB,    {250, 20, 20},   (uint64_t)k};
        s.count = 1;
        uint8_t *flower = draw(&s, s.cells);
        int32_t red = 0, changed = 0;
        for (int32_t y = 0; y < 2 * SIDE; y++)
            for (int32_t x = 0; x < 2 * SIDE; x++) {
                const uint8_t *a = pixel(bare, s.cells, x, y), *b = pixel(flower, s.cells, x, y);
                changed += memcmp(a, b, 3) != 0;
                red += a[1] - b[1];
                assert_true(b[0] >= a[0] && b[1] > 60);
            }
        assert_in_range(changed, 1, 4);
        least = red < least ? red : least;
        most = red > most ? red : most;
        free(flower);
    }
    assert_true(least > 20 && most < 2 * least);
    s.crowns[1] = (struct preview_crown){48, 48, 4, 3, SHAPE_FLAT, {30, 60, 30}, 99};
    s.count = 2;
    uint8_t *hidden = draw(&s, s.cells);
    s.crowns[0] = s.crowns[1];
    s.count = 1;
    uint8_t *alone = draw(&s, s.cells);
    assert_memory_equal(hidden, alone, (size_t)SIDE * SIDE * 12);
    free(hidden);
    free(alone);
    free(bare);
    free_scene(&s);
}

/* A step of rock, whichever way it faces: the face is darker than the level above it, the crevice at its foot
 * than the level below, what is no rock keeps its colour. */
static void rock_faces_read_from_above(void **state) {
    (void)state;
    for (int32_t turned = 0; turned < 4; turned++) {
        struct scene s = make_scene(0, 0, false, 0);
        for (int32_t y = 0; y < ALL; y++)
            for (int32_t x = 0; x < ALL; x++) {
                int32_t along = turned & 1 ? y : x, up = turned & 2 ? ALL - 1 - along : along;
                s.height[(size_t)y * ALL + (size_t)x] = up < ALL / 2 ? 20 : 24;
            }
        uint8_t *bare = draw(&s, s.cells);
        make_rock(&s, 0);
        uint8_t *rock = draw(&s, s.cells);
        int32_t darker = 0;
        for (int32_t k = -20; k < 20; k++) { /* pixels across the middle, from below */
            int32_t along = turned & 2 ? SIDE - 1 - k : SIDE + k;
            int32_t x = turned & 1 ? SIDE : along, y = turned & 1 ? along : SIDE;
            const uint8_t *a = pixel(bare, s.cells, x, y), *b = pixel(rock, s.cells, x, y);
            if (k < -6 || k > 6)
                assert_in_range(b[1], a[1], (uintmax_t)a[1] + 14); /* level */
            else
                darker += b[1] + 15 < a[1];
        }
        assert_in_range(darker, 2, 8);
        free(bare);
        free(rock);
        free_scene(&s);
    }
}

static void the_picture_is_golden(void **state) {
    (void)state;
    struct scene s = make_scene(1000, -300, true, 11);
    uint8_t *rgb = draw(&s, s.cells);
    char text[HASH_TEXT_SIZE];
    hash128_text(bytes_hash(rgb, (size_t)SIDE * SIDE * 12), text);
    assert_string_equal(text, "6a2192fdae212b93f84c547853f0bebe");
    free(rgb);
    free_scene(&s);
}

static void too_little_scratch_is_refused(void **state) {
    (void)state;
    struct scene s = make_scene(0, 0, false, 0);
    unsigned char few[1024];
    struct arena arena = {few, sizeof few, 0};
    struct preview_input in = {1.0, false, &s.height_grid, &s.color_grid, NULL, NULL, NULL, 0};
    assert_int_equal(preview_draw(&in, s.cells, few, &arena, NULL), STATUS_LIMIT);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_equal_the_whole),
        cmocka_unit_test(the_higher_crown_shows),
        cmocka_unit_test(shadows_fall_away_from_the_north_west),
        cmocka_unit_test(small_things_tint),
        cmocka_unit_test(rock_faces_read_from_above),
        cmocka_unit_test(the_picture_is_golden),
        cmocka_unit_test(too_little_scratch_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
