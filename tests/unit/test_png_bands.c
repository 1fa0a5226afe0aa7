#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/os.h"
#include "gen/png_put.h"
#include "gen/png_read.h"
#include "gen/publish_bands.h"
#include "terrain/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 90, HEIGHT = 300, BANDS = 5 };
static char dir[] = "/tmp/terrane-bands.XXXXXX";
static char path[64], other[64];

static int make_dir(void **state) {
    (void)state;
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof path, "%s/a.png", dir);
    snprintf(other, sizeof other, "%s/b.png", dir);
    return 0;
}

static int remove_dir(void **state) {
    (void)state;
    return os_remove_tree(dir, NULL) == STATUS_OK ? 0 : -1;
}

static void copy_row(const void *context, int32_t y, unsigned char *row) {
    const struct raster *r = context;
    memcpy(row, raster_at(r, 0, y), raster_row_size(r));
}

static struct raster noise(enum raster_kind kind) {
    struct raster r;
    assert_int_equal(raster_new(kind, WIDTH, HEIGHT, &r, NULL), STATUS_OK);
    for (size_t i = 0; i < raster_row_size(&r) * HEIGHT; i++)
        r.samples[i] = hash_mix(i / 7) % 3 ? (unsigned char)(hash_mix(i) >> 60) : 0;
    return r;
}

static struct file_put put(const char *to, const struct raster *r, const struct png_band *was, size_t count,
                           struct png_band bands[BANDS]) {
    struct raster_rows rows = {r->kind, r->width, r->height, copy_row, r};
    struct file_put done;
    assert_int_equal(png_band_count(r->kind, r->width, r->height), BANDS);
    assert_int_equal(png_put(to, &rows, was, count, bands, &done, NULL), STATUS_OK);
    return done;
}

/* The file at `path` is what is written without an earlier one, and reads as the raster. */
static void is_whole(const struct raster *r) {
    struct png_band bands[BANDS];
    struct raster back;
    unsigned char *a, *b;
    size_t a_size, b_size;
    os_remove(other, NULL);
    put(other, r, NULL, 0, bands);
    assert_int_equal(os_read_file(path, 1 << 20, &a, &a_size, NULL), STATUS_OK);
    assert_int_equal(os_read_file(other, 1 << 20, &b, &b_size, NULL), STATUS_OK);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, a_size);
    assert_int_equal(png_decode(a, a_size, &back, NULL), STATUS_OK);
    assert_memory_equal(back.samples, r->samples, raster_row_size(r) * HEIGHT);
    raster_free(&back);
    free(a);
    free(b);
}

static void same_band(const struct png_band *a, const struct png_band *b) {
    assert_memory_equal(&a->rows, &b->rows, sizeof a->rows);
    assert_memory_equal(&a->seal, &b->seal, sizeof a->seal);
    assert_int_equal(a->at, b->at);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->sum, b->sum);
}

static void what_changed_is_packed_and_the_rest_taken(void **state) {
    (void)state;
    for (int32_t kind = 0; kind < 3; kind++)
        for (int32_t y = 0; y < HEIGHT; y += 37) {
            struct raster r = noise((enum raster_kind)kind);
            struct png_band first[BANDS], second[BANDS];
            put(path, &r, NULL, 0, first);
            r.samples[(size_t)y * raster_row_size(&r) + 5] ^= 1;
            struct file_put done = put(path, &r, first, BANDS, second);
            assert_false(done.kept);
            int32_t band = (HEIGHT - 1 - y) / 64, last = (HEIGHT - 1 - y) % 64 == 63;
            for (int32_t k = 0; k < BANDS; k++) /* the row below a band's last one looks at it */
                assert_int_equal(first[k].rows.lo == second[k].rows.lo,
                                 k != band && !(last && k == band + 1));
            is_whole(&r);
            done = put(path, &r, second, BANDS, first);
            assert_true(done.kept);
            for (size_t k = 0; k < BANDS; k++)
                same_band(&first[k], &second[k]);
            raster_free(&r);
        }
}

static void flip_byte(const char *file, uint64_t at) {
    FILE *f = fopen(file, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    int c = fgetc(f);
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    fputc(c ^ 0x10, f);
    fclose(f);
}

static void an_altered_file_is_not_believed(void **state) {
    (void)state;
    struct raster r = noise(KIND_RGB8);
    struct png_band first[BANDS], second[BANDS];
    put(path, &r, NULL, 0, first);
    flip_byte(path, first[2].at + first[2].size / 2);
    assert_false(put(path, &r, first, BANDS, second).kept);
    is_whole(&r);
    /* a list that points beyond the file, or that is too short */
    first[1].at += 1u << 20;
    first[3].size = UINT64_MAX;
    put(path, &r, first, BANDS, second);
    is_whole(&r);
    put(path, &r, first, 2, second);
    is_whole(&r);
    os_remove(path, NULL);
    put(path, &r, first, BANDS, second);
    is_whole(&r);
    raster_free(&r);
}

static void a_list_that_lies_is_not_believed(void **state) {
    (void)state;
    struct raster r = noise(KIND_GREY8);
    struct png_band first[BANDS], second[BANDS];
    put(path, &r, NULL, 0, first);
    first[0].sum++;
    struct png_band foreign = first[1]; /* another band's chunk */
    foreign.rows = first[2].rows;
    first[2] = foreign;
    r.samples[3] ^= 1;
    put(path, &r, first, BANDS, second);
    is_whole(&r);
    raster_free(&r);
}

static void bands_come_back_from_json(void **state) {
    (void)state;
    struct png_band bands[BANDS], back[BANDS];
    for (size_t k = 0; k < BANDS; k++)
        bands[k] = (struct png_band){{hash_mix(k), hash_mix(k + 9)}, {k, ~k}, k << 40, k * 7, UINT32_MAX};
    json_t *list = bands_json(bands, BANDS);
    assert_int_equal(bands_parse(list, back, BANDS), BANDS);
    for (size_t k = 0; k < BANDS; k++)
        same_band(&bands[k], &back[k]);
    assert_int_equal(bands_parse(list, back, 2), 2);
    json_array_append_new(list, json_string("?"));
    assert_int_equal(bands_parse(list, back, BANDS), BANDS);
    json_array_set_new(list, 1, json_pack("[s,s,i,i,i]", "00", "00", 1, 2, 3));
    assert_int_equal(bands_parse(list, back, BANDS), 0);
    json_decref(list);
    assert_int_equal(bands_parse(NULL, back, BANDS), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changed_is_packed_and_the_rest_taken),
        cmocka_unit_test(an_altered_file_is_not_believed),
        cmocka_unit_test(a_list_that_lies_is_not_believed),
        cmocka_unit_test(bands_come_back_from_json),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
