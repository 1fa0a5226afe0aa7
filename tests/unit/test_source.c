#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include "tests/unit/source_kit.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the letter F through every height reader ---- */

/* A place's code: the letter over the window, on a slant that differs in both directions. Row 0 is north. */
static uint16_t f_code(int32_t column, int32_t row, int32_t width, int32_t height) {
    return (uint16_t)((letter_f(column, row, width, height) ? 40000 : 8000) + 3 * column + 7 * row);
}

static void *draw(enum raster_format format, bool eight_bit, int32_t width, int32_t height) {
    uint16_t *codes = malloc((size_t)width * (size_t)height * 4);
    for (int32_t i = 0; i < width * height; i++) {
        uint16_t v = f_code(i % width, i / width, width, height);
        if (format == RASTER_R32)
            ((float *)(void *)codes)[i] = (float)v / 64.0f;
        else if (eight_bit)
            ((uint8_t *)codes)[i] = (uint8_t)(v >> 8);
        else
            codes[i] = v;
    }
    return codes;
}

struct f_case {
    const char *name;
    enum raster_format format;
    bool eight_bit, big_endian;
};
static const struct f_case f_cases[] = {
    {"f16.png", RASTER_PNG, false, false}, {"f8.png", RASTER_PNG, true, false},
    {"le.r16", RASTER_R16, false, false},  {"be.r16", RASTER_R16, false, true},
    {"le.r32", RASTER_R32, false, false},  {"be.r32", RASTER_R32, false, true}};

static void put_f(const struct f_case *c, int32_t width, int32_t height) {
    void *samples = draw(c->format, c->eight_bit, width, height);
    const char *path = image_path(c->name);
    if (c->format == RASTER_R16)
        put_r16(path, width, height, samples, c->big_endian);
    else if (c->format == RASTER_R32)
        put_r32(path, width, height, samples, c->big_endian);
    else if (c->eight_bit)
        put_png8(path, width, height, samples);
    else
        put_png16(path, width, height, samples);
    free(samples);
}

static float f_metres(const struct f_case *c, int32_t column, int32_t row, int32_t width, int32_t height) {
    uint16_t v = f_code(column, row, width, height);
    if (c->format == RASTER_R32)
        return (float)v / 64.0f;
    return c->eight_bit ? (float)(100 + (655.35 / 255) * (v >> 8)) : (float)(100 + (655.35 / 65535) * v);
}

/* Each reader puts every sample where it stands: column from the west, row from the north edge. The world
 * starts at odd, negative places and ends within a sector. */
static void the_letter_f_stands_upright(void **state) {
    (void)state;
    enum { X0 = -37, Y0 = -101, W = 83, H = 119 };
    float *cells = malloc((W + 1) * (H + 1) * sizeof *cells);
    for (size_t i = 0; i < sizeof f_cases / sizeof *f_cases; i++)
        for (int32_t posts = 0; posts < 2; posts++) {
            const struct f_case *c = &f_cases[i];
            struct fixture *f = make_world(X0, Y0, X0 + W, Y0 + H);
            f->world.height.source.format = c->format;
            f->world.height.eight_bit = c->eight_bit;
            f->world.height.big_endian = c->big_endian;
            f->world.height.samples = posts ? SAMPLES_POSTS : SAMPLES_CELLS;
            add_file(f, false, c->name, true, 0, 0, W + posts, H + posts);
            put_f(c, W + posts, H + posts);
            struct source_set *set = open_set(f);
            struct grid_f32 g = read_window(set, X0, Y0, X0 + W + posts, Y0 + H + posts, cells);
            for (int32_t y = g.y0; y < g.y0 + g.height; y++)
                for (int32_t x = g.x0; x < g.x0 + g.width; x++) {
                    float want = f_metres(c, x - X0, Y0 + H - 1 + posts - y, W + posts, H + posts);
                    if (*grid_f32_at(&g, x, y) != want)
                        fail_msg("%s posts %d at %d,%d: %.9g, not %.9g", c->name, posts, x, y,
                                 (double)*grid_f32_at(&g, x, y), (double)want);
                }
            source_close(set);
            free(f);
        }
    free(cells);
}
static void tiles_make_one_field(void **state) {
    (void)state;
    float *cells = malloc(161 * 91 * sizeof *cells);
    for (int32_t kind = 0; kind < 3; kind++) { /* cells, posts shared, posts not shared */
        struct fixture *f = tiled_world(kind ? SAMPLES_POSTS : SAMPLES_CELLS, kind == 1);
        struct source_set *set = open_set(f);
        struct grid_f32 g = read_window(set, -70, -50, 90 + (kind > 0), 40 + (kind > 0), cells);
        /* what tiles leave out at the world's edge is repeated */
        assert_field(&g, kind == 2 ? 89 : 1000, kind == 2 ? -49 : -1000);
        g = read_window(set, -9, -7, 13, 12, cells);
        assert_field(&g, 1000, -1000);
        g = read_window(set, 0, 0, 1, 1, cells);
        assert_field(&g, 1000, -1000);
        source_close(set);
        free(f);
    }
    free(cells);
}

static void tiles_must_agree_on_shared_posts(void **state) {
    (void)state;
    struct fixture *f = tiled_world(SAMPLES_POSTS, 1);
    uint16_t *codes = malloc(91 * 41 * sizeof *codes);
    for (int32_t i = 0; i < 91 * 41; i++)
        codes[i] = field(i % 91, 40 - i / 91);
    codes[(40 - 12) * 91] = 12345; /* world 0,12 */
    put_png16(f->heights[3].path, 91, 41, codes);
    struct source_set *set = open_set(f);
    struct error err;
    char want[1200];
    snprintf(
        want, sizeof want,
        "the post at world 0,12 m is 223.45 m here and %.9g m in %s: maps that share border posts must agree "
        "there",
        100 + (655.35 / 65535) * field(0, 12), f->heights[2].path);
    assert_int_equal(try_window(set, 0, 0, 65, 41, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, f->heights[3].path, want);
    assert_int_equal(try_window(set, -64, 0, 1, 41, &err), STATUS_INPUT); /* from the other side as well */
    assert_error(&err, STATUS_INPUT, f->heights[3].path, want);
    assert_int_equal(try_window(set, 2, 0, 65, 41, &err), STATUS_OK);
    struct report report = {0};
    source_check(set, &report);
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.items[0].message, want);
    report_free(&report);
    source_close(set);
    free(codes);
    free(f);
}

static void a_missing_map_is_void(void **state) {
    (void)state;
    float *cells = malloc(161 * 91 * sizeof *cells);
    for (int32_t kind = 0; kind < 3; kind++) {
        struct fixture *f = tiled_world(kind ? SAMPLES_POSTS : SAMPLES_CELLS, kind == 1);
        f->heights[0].present = false; /* map -1,-1 */
        struct source_set *set = open_set(f);
        struct grid_f32 g = read_window(set, -70, -50, 90 + (kind > 0), 40 + (kind > 0), cells);
        for (int32_t y = g.y0; y < g.y0 + g.height; y++)
            for (int32_t x = g.x0; x < g.x0 + g.width; x++)
                if (isnan(*grid_f32_at(&g, x, y)) != (x < 0 && y < 0))
                    fail_msg("kind %d at %d,%d: %.9g", kind, x, y, (double)*grid_f32_at(&g, x, y));
        /* and windows of any size say the same */
        for (int32_t i = 0; i < 60; i++) {
            int32_t x = (int32_t)(hash_place(1, 1, i, 0, 0) % 12) - 6,
                    y = (int32_t)(hash_place(1, 2, i, 0, 0) % 12) - 6;
            float one;
            read_window(set, x, y, x + 1, y + 1, &one);
            assert_memory_equal(&one, grid_f32_at(&g, x, y), sizeof one);
        }
        source_close(set);
        free(f);
    }
    free(cells);
}

/* ---- spacing ---- */

static void finer_cells_are_block_means(void **state) {
    (void)state;
    struct fixture *f = make_world(3, 5, 13, 12);
    f->world.height.source.fine_log2 = 2;
    struct source_file *file = add_file(f, false, "fine.png", true, 0, 0, 40, 28);
    put_tile(file->path, 12, 47, 40, 28);
    struct source_set *set = open_set(f);
    float cells[70];
    struct grid_f32 g = read_window(set, 3, 5, 13, 12, cells);
    for (int32_t y = 5; y < 12; y++)
        for (int32_t x = 3; x < 13; x++) {
            int32_t sum = 0;
            for (int32_t i = 0; i < 16; i++)
                sum += field(4 * x + i % 4, 4 * y + i / 4);
            assert_near(*grid_f32_at(&g, x, y), 100 + (655.35 / 65535) * (sum / 16.0));
        }
    source_close(set);
    free(f);
}

static void finer_posts_are_tents(void **state) {
    (void)state;
    struct fixture *f = make_world(3, 5, 13, 12);
    f->world.height.source.fine_log2 = 1;
    f->world.height.samples = SAMPLES_POSTS;
    struct source_file *file = add_file(f, false, "fine.png", true, 0, 0, 21, 15);
    put_tile(file->path, 6, 24, 21, 15);
    struct source_set *set = open_set(f);
    float cells[88];
    struct grid_f32 g = read_window(set, 3, 5, 14, 13, cells);
    for (int32_t y = 6; y < 12; y++)
        for (int32_t x = 4; x < 13; x++) {
            int32_t sum = 0;
            for (int32_t i = 0; i < 9; i++)
                sum +=
                    (2 - abs(i % 3 - 1)) * (2 - abs(i / 3 - 1)) * field(2 * x + i % 3 - 1, 2 * y + i / 3 - 1);
            assert_near(*grid_f32_at(&g, x, y), 100 + (655.35 / 65535) * (sum / 16.0));
        }
    source_close(set);
    free(f);
}

/* A slope stays a slope where the spacing is four cells, and the posts' own heights are kept. */
static void coarser_samples_are_interpolated(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        struct fixture *f = make_world(-40, 8, 40, 72);
        f->world.height.source.fine_log2 = -2;
        f->world.height.samples = posts ? SAMPLES_POSTS : SAMPLES_CELLS;
        int32_t w = 20 + posts, h = 16 + posts;
        struct source_file *file = add_file(f, false, "coarse.png", true, 0, 0, w, h);
        uint16_t codes[21 * 17];
        for (int32_t i = 0; i < w * h; i++)
            codes[i] = (uint16_t)(1000 + 40 * (i % w) + 100 * (h - 1 - i / w));
        put_png16(file->path, w, h, codes);
        struct source_set *set = open_set(f);
        float *cells = malloc(81 * 65 * sizeof *cells);
        struct grid_f32 g = read_window(set, -40, 8, 40 + posts, 72 + posts, cells);
        double at = posts ? 0 : -1.5; /* a cell's centre, from the first coarse centre */
        for (int32_t y = 8; y < 72; y++)
            for (int32_t x = -40; x < 40; x++)
                assert_near(*grid_f32_at(&g, x, y),
                            100 + 0.01 * (1000 + 10 * (x + 40 + at) + 25 * (y - 8 + at)));
        if (posts)
            for (int32_t i = 0; i < w * h; i++)
                assert_true(*grid_f32_at(&g, -40 + 4 * (i % w), 8 + 4 * (h - 1 - i / w)) ==
                            (float)(100 + (655.35 / 65535) * codes[i]));
        free(cells);
        source_close(set);
        free(f);
    }
}

/* A plane is a plane up to the world's edge, at every spacing; left_out: posts without the last row and
 * column.
 */
static void check_plane(int32_t log2, bool posts, int32_t left_out) {
    struct fixture *f = make_world(-64, 64, 64, 192);
    f->world.height.source.fine_log2 = log2;
    f->world.height.samples = posts ? SAMPLES_POSTS : SAMPLES_CELLS;
    int32_t n = (log2 >= 0 ? 128 << log2 : 128 >> -log2) + posts - left_out;
    double step = log2 >= 0 ? 1.0 / (1 << log2) : 1 << -log2, first = posts ? 0 : step / 2;
    uint16_t *codes = malloc((size_t)n * (size_t)n * sizeof *codes);
    for (int32_t i = 0; i < n * n; i++) {
        double east = first + i % n * step, south = first + i / n * step;
        codes[i] = (uint16_t)(9000 + 64 * east + 128 * south);
    }
    put_png16(add_file(f, false, "plane.png", true, 0, 0, n, n)->path, n, n, codes);
    struct source_set *set = open_set(f);
    float *cells = malloc(129 * 129 * sizeof *cells);
    struct grid_f32 g = read_window(set, -64, 64, 64 + posts, 192 + posts, cells);
    double at = posts ? 0 : 0.5;
    for (int32_t y = 64; y < 192 + posts; y++)
        for (int32_t x = -64; x < 64 + posts; x++)
            assert_near(*grid_f32_at(&g, x, y),
                        100 + (655.35 / 65535) * (9000 + 64 * (x + 64 + at) + 128 * (192 - y - at)));
    free(cells);
    free(codes);
    source_close(set);
    free(f);
}

static void a_plane_is_one_up_to_the_edge(void **state) {
    (void)state;
    for (int32_t log2 = -6; log2 <= 2; log2++)
        for (int32_t posts = 0; posts < 2; posts++)
            check_plane(log2, posts, 0);
    for (int32_t log2 = -5; log2 < 0; log2++)
        check_plane(log2, true, 1);
}

/* Any window of any spacing holds the same bits as the whole. */
static void windows_are_parts_of_the_whole(void **state) {
    (void)state;
    for (int32_t log2 = -3; log2 <= 2; log2++)
        for (int32_t kind = 0; kind < 3; kind++) {
            int32_t posts = kind > 0, left_out = kind > 1; /* posts: their last row and column */
            struct fixture *f = make_world(-16, 24, 80, 88);
            f->world.height.source.fine_log2 = log2;
            f->world.height.samples = posts ? SAMPLES_POSTS : SAMPLES_CELLS;
            f->world.height.has_nodata = true;
            f->world.height.nodata = 77;
            int32_t w = (log2 >= 0 ? 96 << log2 : 96 >> -log2) + posts - left_out,
                    h = (log2 >= 0 ? 64 << log2 : 64 >> -log2) + posts - left_out;
            uint16_t *codes = malloc((size_t)w * (size_t)h * sizeof *codes);
            for (int32_t i = 0; i < w * h; i++)
                codes[i] = hash_place(9, 9, i, 0, 0) % 12 ? field(i, log2) : 77;
            put_png16(add_file(f, false, "any.png", true, 0, 0, w, h)->path, w, h, codes);
            struct source_set *set = open_set(f);
            float *all = malloc(97 * 65 * sizeof *all), *some = malloc(97 * 65 * sizeof *some);
            struct grid_f32 g = read_window(set, -16, 24, 80 + posts, 88 + posts, all);
            for (int32_t i = 0; i < 40; i++) {
                uint64_t r = hash_place(2, 2, i, log2, (uint32_t)posts);
                int32_t x = -16 + (int32_t)(r % 90), y = 24 + (int32_t)(r / 100 % 58);
                int32_t ww = 1 + (int32_t)(r / 10000 % 6), hh = 1 + (int32_t)(r / 100000 % 6);
                struct grid_f32 part = read_window(set, x, y, x + ww, y + hh, some);
                for (int32_t j = 0; j < ww * hh; j++)
                    assert_memory_equal(&part.cells[j], grid_f32_at(&g, x + j % ww, y + j / ww), 4);
            }
            free(all);
            free(some);
            free(codes);
            source_close(set);
            free(f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_letter_f_stands_upright),      cmocka_unit_test(tiles_make_one_field),
        cmocka_unit_test(tiles_must_agree_on_shared_posts), cmocka_unit_test(a_missing_map_is_void),
        cmocka_unit_test(finer_cells_are_block_means),      cmocka_unit_test(finer_posts_are_tents),
        cmocka_unit_test(coarser_samples_are_interpolated), cmocka_unit_test(windows_are_parts_of_the_whole),
        cmocka_unit_test(a_plane_is_one_up_to_the_edge),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
