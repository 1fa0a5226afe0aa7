#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/hasher.h"
#include "gen/image.h"
#include "gen/os.h"
#include "gen/placement.h"
#include "gen/source.h"
#include "gen/stage.h"
#include "terrain/hash.h"
#include "tests/unit/image_files.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A world made by hand, with room for the files of one height source and one mask. */
enum { FILES_MAX = 12 };
struct fixture {
    struct world world;
    struct source_file heights[FILES_MAX], masks[FILES_MAX];
    char paths[2 * FILES_MAX][IMAGE_PATH_MAX];
    struct world_mask mask;
};

static struct fixture *make_world(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->world.extent = (struct extent){1.0, {x0, y0, x1, y1}};
    f->world.height.source.files = f->heights;
    f->world.height.z_min_m = 100;
    f->world.height.z_max_m = 100 + 655.35;
    f->world.masks = &f->mask;
    f->mask.source.files = f->masks;
    f->world.mask_count = 1;
    return f;
}

/* Adds a file; its path's content need not be there yet: call identify when it is. */
static struct source_file *add_file(struct fixture *f, bool mask, const char *name, bool whole, int32_t x,
                                    int32_t y, int32_t width, int32_t height) {
    struct source *s = mask ? &f->mask.source : &f->world.height.source;
    char *path = f->paths[s->file_count + (mask ? FILES_MAX : 0)];
    assert_true(s->file_count < FILES_MAX);
    snprintf(path, IMAGE_PATH_MAX, "%s", image_path(name));
    struct source_file *file = &s->files[s->file_count++];
    *file = (struct source_file){.path = path,
                                 .whole = whole,
                                 .map_x = x,
                                 .map_y = y,
                                 .present = true,
                                 .width_px = width,
                                 .height_px = height};
    return file;
}

static void identify(struct fixture *f) {
    for (size_t i = 0; i < f->world.height.source.file_count; i++)
        if (f->heights[i].present)
            assert_int_equal(image_file_id(f->heights[i].path, &f->heights[i].id, NULL), STATUS_OK);
    for (size_t i = 0; i < f->mask.source.file_count; i++)
        if (f->masks[i].present)
            assert_int_equal(image_file_id(f->masks[i].path, &f->masks[i].id, NULL), STATUS_OK);
}

static struct source_set *open_set(struct fixture *f) {
    struct source_set *set;
    struct error err = {0};
    identify(f);
    if (source_open(&f->world, image_path("cache"), &set, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    return set;
}

static struct grid_f32 read_window(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                                   float *cells) {
    struct grid_f32 out = {cells, x0, y0, x1 - x0, y1 - y0, x1 - x0};
    struct error err = {0};
    if (source_read_height(set, &out, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    return out;
}

static struct grid_u8 read_codes(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                                 uint8_t *cells) {
    struct grid_u8 out = {cells, x0, y0, x1 - x0, y1 - y0, x1 - x0};
    struct error err = {0};
    if (source_read_mask(set, 0, &out, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    return out;
}

static void assert_near(float got, double want) {
    if (!(fabs((double)got - want) <= 1e-4))
        fail_msg("%.9g, not %.9g", (double)got, want);
}

static enum status try_window(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                              struct error *err) {
    float *cells = malloc((size_t)(x1 - x0) * (size_t)(y1 - y0) * sizeof *cells);
    struct grid_f32 out = {cells, x0, y0, x1 - x0, y1 - y0, x1 - x0};
    enum status status = source_read_height(set, &out, err);
    free(cells);
    return status;
}

static void assert_error(const struct error *err, enum status status, const char *file, const char *message) {
    assert_string_equal(err->message, message);
    assert_string_equal(err->file, file);
    assert_int_equal(err->status, status);
}

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

/* ---- tiles ---- */

/* Codes of a world-wide field, for tiles cut out of it. */
static uint16_t field(int32_t x, int32_t y) {
    return (uint16_t)(hash_place(3, 5, x, y, 0) & 0x7fff);
}

static float field_metres(int32_t x, int32_t y) {
    return (float)(100 + (655.35 / 65535) * field(x, y));
}

/* A tile with its first sample in the north-west at (x0, y1). */
static void put_tile(const char *path, int32_t x0, int32_t y1, int32_t width, int32_t height) {
    uint16_t *codes = malloc((size_t)width * (size_t)height * sizeof *codes);
    for (int32_t i = 0; i < width * height; i++)
        codes[i] = field(x0 + i % width, y1 - i / width);
    put_png16(path, width, height, codes);
    free(codes);
}

/* A world of 2 x 2 maps around (0, 0), none of them whole. more: posts that a tile holds beyond its cells. */
static struct fixture *tiled_world(enum height_samples samples, int32_t more) {
    struct fixture *f = make_world(-70, -50, 90, 40);
    f->world.height.samples = samples;
    for (int32_t y = -1; y < 1; y++)
        for (int32_t x = -1; x < 1; x++) {
            struct rect c = extent_block(&f->world.extent, x, y, MAP_CELLS);
            char name[32];
            snprintf(name, sizeof name, "tile_x%d_y%d.png", x, y);
            int32_t w = c.x1 - c.x0 + more, h = c.y1 - c.y0 + more;
            put_tile(add_file(f, false, name, false, x, y, w, h)->path, c.x0,
                     samples == SAMPLES_POSTS ? c.y1 : c.y1 - 1, w, h);
        }
    return f;
}

static void assert_field(const struct grid_f32 *g, int32_t east, int32_t south) {
    for (int32_t y = g->y0; y < g->y0 + g->height; y++)
        for (int32_t x = g->x0; x < g->x0 + g->width; x++) {
            float want = field_metres(x < east ? x : east, y > south ? y : south);
            if (*grid_f32_at(g, x, y) != want)
                fail_msg("at %d,%d: %.9g, not %.9g", x, y, (double)*grid_f32_at(g, x, y), (double)want);
        }
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
        for (int32_t y = 8 + 8; y < 72 - 8; y++)
            for (int32_t x = -40 + 8; x < 40 - 8; x++)
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

/* Any window of any spacing holds the same bits as the whole. */
static void windows_are_parts_of_the_whole(void **state) {
    (void)state;
    for (int32_t log2 = -3; log2 <= 2; log2++)
        for (int32_t posts = 0; posts < 2; posts++) {
            struct fixture *f = make_world(-16, 24, 80, 88);
            f->world.height.source.fine_log2 = log2;
            f->world.height.samples = posts ? SAMPLES_POSTS : SAMPLES_CELLS;
            f->world.height.has_nodata = true;
            f->world.height.nodata = 77;
            int32_t w = (log2 >= 0 ? 96 << log2 : 96 >> -log2) + posts,
                    h = (log2 >= 0 ? 64 << log2 : 64 >> -log2) + posts;
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

/* ---- what heights cannot be ---- */

static void assert_r32_error(const float *samples, bool nodata, const char *message) {
    struct fixture *f = make_world(0, 0, 3, 2);
    struct error err = {0};
    f->world.height.source.format = RASTER_R32;
    f->world.height.has_nodata = nodata;
    f->world.height.nodata = -9999;
    put_r32(add_file(f, false, "bad.r32", true, 0, 0, 3, 2)->path, 3, 2, samples, false);
    struct source_set *set = open_set(f);
    enum status status = try_window(set, 0, 0, 3, 2, &err);
    if (message) {
        assert_int_equal(status, STATUS_INPUT);
        assert_error(&err, STATUS_INPUT, f->heights[0].path, message);
    } else {
        assert_int_equal(status, STATUS_OK);
    }
    source_close(set);
    free(f);
}

static void metres_must_be_heights(void **state) {
    (void)state;
    assert_r32_error(
        (float[]){1, 2, 3, 4, NAN, 6}, false,
        "the sample in column 1, row 1 is NaN: if that stands for no data, write `nodata: nan` under "
        "height");
    assert_r32_error((float[]){1, 2, INFINITY, 4, 5, 6}, false, "the sample in column 2, row 0 is infinite");
    assert_r32_error((float[]){-9999, 2, 1e30f, 4, 5, 6}, true,
                     "the sample in column 2, row 0 is 1e+30 m; heights are within 32768 m: is the byte "
                     "order right (height.endian), or is it "
                     "nodata (height.nodata)?");
    assert_r32_error((float[]){-9999, 2, 3, 4, 5, 6}, true, NULL);
    assert_r32_error(
        (float[]){1, 2, 3, NAN, 5, 6}, true,
        "the sample in column 0, row 1 is NaN: if that stands for no data, write `nodata: nan` under "
        "height");
}

static void nodata_is_void(void **state) {
    (void)state;
    struct fixture *f = make_world(0, 0, 3, 2);
    f->world.height.source.format = RASTER_R32;
    f->world.height.has_nodata = f->world.height.nodata_is_nan = true;
    put_r32(add_file(f, false, "nan.r32", true, 0, 0, 3, 2)->path, 3, 2, (float[]){1, 2, 3, 4, NAN, 6},
            false);
    struct source_set *set = open_set(f);
    float cells[6];
    read_window(set, 0, 0, 3, 2, cells);
    assert_true(cells[0] == 4 && isnan(cells[1]) && cells[2] == 6 && cells[3] == 1);
    source_close(set);
    free(f);
}

static void files_that_changed_are_refused(void **state) {
    (void)state;
    struct fixture *f = make_world(0, 0, 3, 2);
    struct error err = {0};
    const char *path = add_file(f, false, "changes.png", true, 0, 0, 3, 2)->path;
    put_png16(path, 3, 2, (uint16_t[]){1, 2, 3, 4, 5, 6});
    struct source_set *set = open_set(f);
    put_png16(path, 3, 2, (uint16_t[]){1, 2, 3, 4, 5, 7});
    assert_int_equal(try_window(set, 0, 0, 3, 2, &err), STATUS_FILE);
    assert_error(&err, STATUS_FILE, path, "the file has changed since the world was read: run again");
    put_png8(path, 3, 2, (uint8_t[]){1, 2, 3, 4, 5, 7});
    identify(f);
    source_close(set);
    set = open_set(f);
    assert_int_equal(try_window(set, 0, 0, 3, 2, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, path,
                 "has 8 bits a sample where other maps have 16: save all maps alike");
    source_close(set);
    free(f);
}

static void a_cut_file_names_its_row(void **state) {
    (void)state;
    enum { N = 64 };
    struct fixture *f = make_world(0, 0, N, N);
    struct error err = {0};
    const char *path = add_file(f, false, "cut.png", true, 0, 0, N, N)->path;
    put_tile(path, 0, N - 1, N, N);
    cut_file(path, 50);
    struct source_set *set = open_set(f);
    assert_int_equal(try_window(set, 0, 0, 1, 1, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, path, "the file is cut short: the PNG ends within row 0 of 64");
    struct report report = {0};
    source_check(set, &report);
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.items[0].message, err.message);
    assert_string_equal(report.items[0].file, path);
    report_free(&report);
    source_close(set);
    free(f);
}

/* The world may lie half a million kilometres from its zero: nothing overflows. */
static void worlds_may_be_far_out(void **state) {
    (void)state;
    enum { FAR = 536870000, SIDE = 16 };
    for (int32_t side = -1; side <= 1; side += 2)
        for (int32_t log2 = -6; log2 <= 6; log2 += 6)
            for (int32_t posts = 0; posts < 2; posts++) {
                struct fixture *f =
                    make_world(side * FAR, -side * FAR, side * FAR + SIDE, -side * FAR + SIDE);
                f->world.height.source.fine_log2 = f->mask.source.fine_log2 = log2;
                f->world.height.samples = posts ? SAMPLES_POSTS : SAMPLES_CELLS;
                int32_t n = log2 >= 0 ? SIDE << log2 : 1;
                uint16_t *codes = malloc((size_t)(n + 1) * (size_t)(n + 1) * sizeof *codes);
                for (int32_t i = 0; i < (n + 1) * (n + 1); i++)
                    codes[i] = 777;
                put_png16(add_file(f, false, "far.png", true, 0, 0, n + posts, n + posts)->path, n + posts,
                          n + posts, codes);
                memset(codes, 99, (size_t)n * (size_t)n);
                put_png8(add_file(f, true, "mask.png", true, 0, 0, n, n)->path, n, n, (const uint8_t *)codes);
                struct source_set *set = open_set(f);
                float cells[(SIDE + 1) * (SIDE + 1)];
                uint8_t grey[SIDE * SIDE];
                struct rect c = f->world.extent.cells;
                read_window(set, c.x0, c.y0, c.x1 + posts, c.y1 + posts, cells);
                read_codes(set, c.x0, c.y0, c.x1, c.y1, grey);
                for (int32_t i = 0; i < (SIDE + posts) * (SIDE + posts); i++)
                    assert_true(cells[i] == (float)(100 + (655.35 / 65535) * 777));
                for (int32_t i = 0; i < SIDE * SIDE; i++)
                    assert_int_equal(grey[i], 99);
                source_close(set);
                free(codes);
                free(f);
            }
    struct fixture *f = make_world(-(1 << 29), 0, 1 << 29, 64);
    struct source_set *set;
    struct error err;
    char name[] = "height";
    f->world.height.source.name = name;
    assert_int_equal(source_open(&f->world, image_path("cache"), &set, &err), STATUS_LIMIT);
    assert_string_equal(err.message, "'height' has more than 536870912 samples along a side of the world");
    free(f);
}

/* ---- masks ---- */

static void masks_stand_upright(void **state) {
    (void)state;
    enum { W = 21, H = 35 };
    uint8_t rgb[W * H * 3], cells[W * H];
    for (int32_t i = 0; i < W * H; i++)
        memset(rgb + 3 * i, letter_f(i % W, i / W, W, H) ? 200 : 50, 3);
    static const char *const names[] = {"m.png", "m.tga", "m.bmp", "m.jpg"};
    for (size_t i = 0; i < 4; i++) {
        struct fixture *f = make_world(-7, -9, -7 + W, -9 + H);
        const char *path = add_file(f, true, names[i], true, 0, 0, W, H)->path;
        f->mask.source.format = i ? RASTER_STB : RASTER_PNG;
        if (i == 0)
            put_png(path, &(struct png_spec){W, H, 8, 3, false, false, rgb});
        else if (i == 1)
            put_tga(path, W, H, rgb, true, true);
        else if (i == 2)
            put_bmp(path, W, H, rgb, true);
        else
            put_jpeg(path);
        struct source_set *set = open_set(f);
        struct grid_u8 g = read_codes(set, -7, -9, -7 + W, -9 + H, cells);
        for (int32_t y = -9; y < -9 + H; y++)
            for (int32_t x = -7; x < -7 + W; x++) {
                int want = letter_f(x + 7, -9 + H - 1 - y, W, H) ? 200 : 50;
                assert_in_range(*grid_u8_at(&g, x, y), want - (i == 3 ? 40 : 0), want + (i == 3 ? 40 : 0));
            }
        source_close(set);
        free(f);
    }
}

static struct legend_entry legend[] = {{NULL, 10, 20, 30, 5}, {NULL, 200, 100, 0, 2}, {NULL, 0, 0, 0, 9}};
static char legend_names[3][8] = {"meadow", "forest", "rock"};

static void use_legend(struct fixture *f) {
    for (size_t i = 0; i < 3; i++)
        legend[i].name = legend_names[i];
    f->mask.legend = legend;
    f->mask.legend_count = 3;
}

static void legends_give_codes_by_majority(void **state) {
    (void)state;
    struct fixture *f = make_world(0, 0, 2, 1);
    use_legend(f);
    f->mask.unpainted = 77;
    f->mask.source.fine_log2 = 1;
    /* west cell: two meadow (5), two forest (2): the lower code; east: three transparent, one rock */
    uint8_t rgba[4 * 2 * 4] = {10,  20,  30, 255, 200, 100, 0,  255, 1, 2, 3, 0, 0,  0,  0,  255,
                               200, 100, 0,  255, 10,  20,  30, 255, 9, 9, 9, 0, 50, 50, 50, 0};
    put_png(add_file(f, true, "legend.png", true, 0, 0, 4, 2)->path,
            &(struct png_spec){4, 2, 8, 4, false, false, rgba});
    struct source_set *set = open_set(f);
    uint8_t cells[2];
    read_codes(set, 0, 0, 2, 1, cells);
    assert_int_equal(cells[0], 2);
    assert_int_equal(cells[1], 77);
    source_close(set);
    free(f);
}

static void grey_masks_take_means_or_the_covering_pixel(void **state) {
    (void)state;
    struct fixture *f = make_world(0, 0, 2, 1);
    f->mask.source.fine_log2 = 1;
    uint8_t grey[8] = {0, 1, 255, 255, 0, 1, 254, 255};
    put_png8(add_file(f, true, "grey.png", true, 0, 0, 4, 2)->path, 4, 2, grey);
    struct source_set *set = open_set(f);
    uint8_t cells[16];
    read_codes(set, 0, 0, 2, 1, cells);
    assert_int_equal(cells[0], 1); /* 0.5, up */
    assert_int_equal(cells[1], 255);
    source_close(set);
    free(f);
    f = make_world(-4, 0, 0, 4); /* two cells a pixel */
    f->mask.source.fine_log2 = -1;
    put_png8(add_file(f, true, "grey.png", true, 0, 0, 2, 2)->path, 2, 2, (uint8_t[]){1, 2, 3, 4});
    set = open_set(f);
    struct grid_u8 g = read_codes(set, -4, 0, 0, 4, cells);
    for (int32_t y = 0; y < 4; y++)
        for (int32_t x = -4; x < 0; x++)
            assert_int_equal(*grid_u8_at(&g, x, y), (y < 2 ? 3 : 1) + (x >= -2));
    source_close(set);
    free(f);
}

static void masks_by_map_leave_missing_maps_unpainted(void **state) {
    (void)state;
    struct fixture *f = make_world(-2, 0, 2, 1);
    f->mask.unpainted = 33;
    add_file(f, true, "absent.png", false, -1, 0, 2, 1)->present = false;
    put_png8(add_file(f, true, "there.png", false, 0, 0, 2, 1)->path, 2, 1, (uint8_t[]){1, 2});
    struct source_set *set = open_set(f);
    uint8_t cells[4];
    read_codes(set, -2, 0, 2, 1, cells);
    assert_memory_equal(cells, ((uint8_t[]){33, 33, 1, 2}), 4);
    source_close(set);
    free(f);
}

static void assert_mask_error(const uint8_t *rgba, bool with_legend, const char *message) {
    struct fixture *f = make_world(0, 0, 3, 2);
    struct grid_u8 out = {(uint8_t[6]){0}, 0, 0, 3, 2, 3};
    struct error err = {0};
    if (with_legend)
        use_legend(f);
    put_png(add_file(f, true, "wrong.png", true, 0, 0, 3, 2)->path,
            &(struct png_spec){3, 2, 8, 4, false, false, rgba});
    struct source_set *set = open_set(f);
    assert_int_equal(source_read_mask(set, 0, &out, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, f->masks[0].path, message);
    source_close(set);
    free(f);
}

static void paint_must_fit(void **state) {
    (void)state;
    uint8_t rgba[24];
    for (int32_t i = 0; i < 6; i++)
        memcpy(rgba + 4 * i, (uint8_t[]){10, 20, 30, 255}, 4);
    memcpy(rgba + 16, (uint8_t[]){190, 99, 1, 255}, 4);
    assert_mask_error(
        rgba, true,
        "1 pixel without a legend colour; the first, in column 1, row 1, is #be6301; the nearest is "
        "`forest` #c86400: a brush with soft edges?");
    memcpy(rgba + 8, (uint8_t[]){10, 20, 30, 128}, 4);
    assert_mask_error(rgba, true,
                      "2 pixels without a legend colour (2 colours); the first, in column 2, row 0, is "
                      "#0a141e with alpha 128; the "
                      "nearest is `meadow` #0a141e: a brush with soft edges?");
    assert_mask_error(
        rgba, false,
        "6 pixels not grey; the first, in column 0, row 0, is #0a141e; a mask of colours needs a legend");
    for (int32_t i = 0; i < 6; i++)
        memcpy(rgba + 4 * i, (uint8_t[]){7, 7, 7, i == 4 ? 1 : 255}, 4);
    assert_mask_error(
        rgba, false,
        "1 pixel half transparent; the first, in column 1, row 1, is #070707 with alpha 1; paint must "
        "cover wholly or not at all");
}

static void a_jpeg_with_a_legend_is_told_why(void **state) {
    (void)state;
    struct fixture *f = make_world(0, 0, 21, 35);
    struct error err = {0};
    uint8_t cells[21 * 35];
    struct grid_u8 out = {cells, 0, 0, 21, 35, 21};
    use_legend(f);
    put_jpeg(add_file(f, true, "legend.jpg", true, 0, 0, 21, 35)->path);
    struct source_set *set = open_set(f);
    assert_int_equal(source_read_mask(set, 0, &out, &err), STATUS_INPUT);
    assert_non_null(strstr(err.message, "JPEG alters colours, use PNG"));
    source_close(set);
    free(f);
}

/* ---- keys ---- */

static struct hash128 files_key(const struct fixture *f, struct rect cells) {
    struct hasher hasher;
    hasher_reset(&hasher);
    source_hash_height_files(&f->world, cells, &hasher);
    return hasher_digest(&hasher);
}

/* An edit of one map's file changes the keys of its sections, and of those that share its border posts. */
static void keys_depend_on_the_files_in_reach(void **state) {
    (void)state;
    struct fixture *f = tiled_world(SAMPLES_POSTS, 1);
    identify(f);
    struct rect inner = {2, 1, 65, 39}, border = {0, 1, 65, 39}, west = {-69, 1, -1, 39};
    struct hash128 a = files_key(f, inner), b = files_key(f, border), c = files_key(f, west);
    f->heights[2].id.lo ^= 1; /* map -1,0 */
    struct hash128 a2 = files_key(f, inner), b2 = files_key(f, border), c2 = files_key(f, west);
    assert_memory_equal(&a, &a2, sizeof a);
    assert_memory_not_equal(&b, &b2, sizeof b);
    assert_memory_not_equal(&c, &c2, sizeof c);
    free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_letter_f_stands_upright),
        cmocka_unit_test(tiles_make_one_field),
        cmocka_unit_test(tiles_must_agree_on_shared_posts),
        cmocka_unit_test(a_missing_map_is_void),
        cmocka_unit_test(finer_cells_are_block_means),
        cmocka_unit_test(finer_posts_are_tents),
        cmocka_unit_test(coarser_samples_are_interpolated),
        cmocka_unit_test(windows_are_parts_of_the_whole),
        cmocka_unit_test(metres_must_be_heights),
        cmocka_unit_test(nodata_is_void),
        cmocka_unit_test(a_cut_file_names_its_row),
        cmocka_unit_test(worlds_may_be_far_out),
        cmocka_unit_test(files_that_changed_are_refused),
        cmocka_unit_test(masks_stand_upright),
        cmocka_unit_test(legends_give_codes_by_majority),
        cmocka_unit_test(grey_masks_take_means_or_the_covering_pixel),
        cmocka_unit_test(masks_by_map_leave_missing_maps_unpainted),
        cmocka_unit_test(paint_must_fit),
        cmocka_unit_test(a_jpeg_with_a_legend_is_told_why),
        cmocka_unit_test(keys_depend_on_the_files_in_reach),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
