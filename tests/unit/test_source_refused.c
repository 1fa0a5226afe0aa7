#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/hasher.h"
#include "tests/unit/source_kit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        cmocka_unit_test(metres_must_be_heights),         cmocka_unit_test(nodata_is_void),
        cmocka_unit_test(a_cut_file_names_its_row),       cmocka_unit_test(worlds_may_be_far_out),
        cmocka_unit_test(files_that_changed_are_refused), cmocka_unit_test(keys_depend_on_the_files_in_reach),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
