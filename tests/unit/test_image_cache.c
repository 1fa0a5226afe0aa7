#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/image_cache.h"
#include "gen/os.h"
#include "terrain/hash.h"
#include "tests/unit/image_files.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Rows of 3000 bytes: 87 rows a band, 7 bands. */
enum { W = 1000, H = 600, BYTES = 3 };
static const struct hash128 key = {0x1122334455667788u, 0x99aabbccddeeff00u};
static const char cached_name[] = "images/99aabbccddeeff001122334455667788.raw";

static unsigned char pixel(int32_t row, int32_t at) {
    return (unsigned char)hash_place(4, 4, at, row, 0);
}

struct maker {
    int32_t runs, fail_at, rows;
};

static enum status make(void *context, struct image_writer *writer, struct error *err) {
    struct maker *m = context;
    unsigned char row[W * BYTES];
    m->runs++;
    for (int32_t r = 0; r < m->rows; r++) {
        if (r == m->fail_at)
            return error_set(err, STATUS_INPUT, "row %d is bad", r);
        for (int32_t i = 0; i < W * BYTES; i++)
            row[i] = pixel(r, i);
        enum status status = image_cache_put(writer, row, err);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static struct image_cache *new_cache(void) {
    struct image_cache *cache = image_cache_new(image_path("images"), key, W, H, BYTES);
    assert_non_null(cache);
    return cache;
}

static enum status read_part(struct image_cache *cache, struct maker *m, int32_t x0, int32_t y0, int32_t x1,
                             int32_t y1, struct error *err) {
    struct image_maker maker = {make, m};
    unsigned char *pixels = malloc((size_t)(x1 - x0) * (size_t)(y1 - y0) * BYTES), *p = pixels;
    enum status status = image_cache_read(cache, &maker, x0, y0, x1, y1, pixels, err);
    for (int32_t y = y0; status == STATUS_OK && y < y1; y++)
        for (int32_t i = x0 * BYTES; i < x1 * BYTES; i++)
            assert_int_equal(*p++, pixel(y, i));
    free(pixels);
    return status;
}

static void an_image_is_made_once(void **state) {
    (void)state;
    struct maker m = {0, -1, H};
    struct image_cache *cache = new_cache();
    assert_int_equal(read_part(cache, &m, 10, 80, 20, 100, NULL), STATUS_OK);
    assert_int_equal(read_part(cache, &m, 0, 0, W, H, NULL), STATUS_OK);
    image_cache_free(cache);
    cache = new_cache(); /* another process */
    assert_int_equal(read_part(cache, &m, W - 1, H - 1, W, H, NULL), STATUS_OK);
    image_cache_free(cache);
    assert_int_equal(m.runs, 1);
}

/* Whatever happens to the file, what is read is right, and what is damaged is made again. */
static void damage_is_noticed_and_mended(void **state) {
    (void)state;
    struct maker m = {0, -1, H};
    struct image_cache *cache = new_cache();
    assert_int_equal(read_part(cache, &m, 0, 0, 1, 1, NULL), STATUS_OK);
    image_cache_free(cache);
    for (int32_t i = 0; i < 24; i++) {
        const char *path = image_path(cached_name);
        long size = 40 + W * H * BYTES + 8 * 8, at = (long)(hash_place(8, 1, i, 0, 0) % (uint64_t)size);
        if (i % 3 == 0)
            cut_file(path, at);
        else
            flip_bit(path, i % 3 == 1 ? at : at % 40);
        m.runs = 0;
        cache = new_cache();
        assert_int_equal(read_part(cache, &m, 0, 0, W, H, NULL), STATUS_OK);
        assert_int_equal(m.runs, 1);
        image_cache_free(cache);
    }
    assert_int_equal(os_remove(image_path(cached_name), NULL), STATUS_OK);
    m.runs = 0;
    cache = new_cache();
    assert_int_equal(read_part(cache, &m, 0, 0, W, H, NULL), STATUS_OK);
    assert_int_equal(os_remove(image_path(cached_name), NULL), STATUS_OK); /* while it is in use */
    assert_int_equal(read_part(cache, &m, 0, 0, W, H, NULL), STATUS_OK);
    image_cache_free(cache);
    assert_int_equal(m.runs, 2);
}

static enum status count_file(void *context, const char *name, struct error *err) {
    (void)name, (void)err;
    ++*(int32_t *)context;
    return STATUS_OK;
}

static void what_failed_leaves_nothing(void **state) {
    (void)state;
    struct error err = {0};
    struct maker bad = {0, 500, H}, few = {0, -1, H - 1}, many = {0, -1, H + 1}, good = {0, -1, H};
    int32_t files = 0;
    assert_int_equal(os_remove(image_path(cached_name), NULL), STATUS_OK);
    struct image_cache *cache = new_cache();
    assert_int_equal(read_part(cache, &bad, 0, 0, 1, 1, &err), STATUS_INPUT);
    assert_string_equal(err.message, "row 500 is bad");
    assert_int_equal(read_part(cache, &few, 0, 0, 1, 1, &err), STATUS_FAULT);
    assert_string_equal(err.message, "599 of 600 rows were made");
    assert_int_equal(read_part(cache, &many, 0, 0, 1, 1, &err), STATUS_FAULT);
    assert_int_equal(os_list(image_path("images"), count_file, &files, NULL), STATUS_OK);
    assert_int_equal(files, 0);
    assert_int_equal(read_part(cache, &good, 0, 0, W, H, NULL), STATUS_OK);
    image_cache_free(cache);
}

static void where_the_folder_cannot_be_used_images_lie_in_memory(void **state) {
    (void)state;
    struct error err = {0};
    struct maker m = {0, -1, H}, bad = {0, 500, H};
    put_bytes(image_path("plain"), "x", 1);
    struct image_cache *cache = image_cache_new(image_path("plain"), key, W, H, BYTES);
    assert_int_equal(read_part(cache, &bad, 0, 0, 1, 1, &err), STATUS_INPUT);
    assert_string_equal(err.message, "row 500 is bad");
    assert_null(image_cache_trouble(cache));
    assert_int_equal(read_part(cache, &m, 3, 7, 9, 80, NULL), STATUS_OK);
    assert_int_equal(read_part(cache, &m, 0, 0, W, H, NULL), STATUS_OK);
    assert_int_equal(m.runs, 1);
    assert_int_equal(image_cache_trouble(cache)->status, STATUS_FILE);
    assert_string_equal(image_cache_trouble(cache)->message, "is a file where a folder is needed");
    image_cache_free(cache);
}

/* Cut short after its bands were found good. */
static void a_file_cut_while_in_use_is_replaced_by_memory(void **state) {
    (void)state;
    struct maker m = {0, -1, H};
    struct image_cache *cache = new_cache();
    assert_int_equal(read_part(cache, &m, 0, 0, W, H, NULL), STATUS_OK);
    cut_file(image_path(cached_name), 40 + W * BYTES * 100);
    m.runs = 0;
    assert_int_equal(read_part(cache, &m, 0, 0, W, H, NULL), STATUS_OK);
    assert_int_equal(m.runs, 1);
    assert_string_equal(image_cache_trouble(cache)->message, "the file is cut short");
    image_cache_free(cache);
    assert_int_equal(os_remove(image_path(cached_name), NULL), STATUS_OK);
}

struct reader {
    struct image_cache *cache;
    struct maker *maker;
    int32_t number, wrong;
};

static void *read_some(void *context) {
    struct reader *r = context;
    for (int32_t i = 0; i < 60; i++) {
        int32_t y = (int32_t)(hash_place(5, 5, r->number, i, 0) % (H - 4));
        unsigned char pixels[4 * 8 * BYTES];
        struct image_maker maker = {make, r->maker};
        if (image_cache_read(r->cache, &maker, 3, y, 11, y + 4, pixels, NULL) != STATUS_OK)
            r->wrong++;
        for (int32_t j = 0; j < 4 * 8 * BYTES; j++)
            r->wrong += pixels[j] != pixel(y + j / 24, 9 + j % 24);
    }
    return NULL;
}

static void threads_share_an_image(void **state) {
    (void)state;
    struct maker m = {0, -1, H};
    assert_int_equal(os_remove(image_path(cached_name), NULL), STATUS_OK);
    struct image_cache *cache = new_cache();
    struct reader readers[4];
    pthread_t threads[4];
    for (int32_t i = 0; i < 4; i++) {
        readers[i] = (struct reader){cache, &m, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, read_some, &readers[i]), 0);
    }
    for (int32_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
    assert_int_equal(m.runs, 1);
    image_cache_free(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_is_made_once),
        cmocka_unit_test(damage_is_noticed_and_mended),
        cmocka_unit_test(what_failed_leaves_nothing),
        cmocka_unit_test(where_the_folder_cannot_be_used_images_lie_in_memory),
        cmocka_unit_test(a_file_cut_while_in_use_is_replaced_by_memory),
        cmocka_unit_test(threads_share_an_image),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
