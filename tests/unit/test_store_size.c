/* A store's folder that outgrows its limit: what was used least recently goes, and nothing is looked at
 * before that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/os.h"
#include "gen/store_size.h"
#include "image_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ENTRIES = 10, ENTRY_BYTES = 1000 };

/* In folders of entries and of decoded images, by turns. */
static const char *entry(int i) {
    static char name[64];
    snprintf(name, sizeof name, i % 2 ? "%02x/entry%d" : "images/%02x_%d", i * 25, i);
    return image_path(name);
}

static void put(const char *path, double age_s) {
    char bytes[ENTRY_BYTES] = {0};
    struct timespec times[2] = {{.tv_sec = (time_t)(os_unix_s() - age_s)},
                                {.tv_sec = (time_t)(os_unix_s() - age_s)}};
    assert_int_equal(os_write_file(path, bytes, sizeof bytes, NULL), STATUS_OK);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool there(const char *path) {
    struct os_info info;
    return os_info(path, &info, NULL) == STATUS_OK && info.kind == OS_FILE;
}

/* Entry i was used (i * 7 % 10 + 1) minutes ago. */
static void fill(void) {
    mkdir(image_path("images"), 0777);
    for (int i = 0; i < ENTRIES; i++) {
        char folder[8];
        snprintf(folder, sizeof folder, "%02x", i * 25);
        mkdir(image_path(folder), 0777);
        put(entry(i), 60.0 * (i * 7 % ENTRIES + 1));
    }
}

static long kept_size(void) {
    unsigned char *text;
    size_t size;
    assert_int_equal(os_read_file(image_path("size"), 64, &text, &size, NULL), STATUS_OK);
    long value = strtol((const char *)text, NULL, 10);
    free(text);
    return value;
}

static void settle(uint64_t limit, uint64_t written) {
    char folder[512];
    snprintf(folder, sizeof folder, "%s", image_path("images"));
    *strrchr(folder, '/') = '\0';
    store_settle_size(folder, limit, written);
}

static void the_least_recently_used_go(void **state) {
    (void)state;
    fill();
    settle(6 * ENTRY_BYTES, ENTRY_BYTES); /* down to nine tenths: five stay */
    for (int i = 0; i < ENTRIES; i++)
        assert_int_equal(there(entry(i)), i * 7 % ENTRIES < 5);
    assert_int_equal(kept_size(), 5 * ENTRY_BYTES);
}

static void nothing_is_looked_at_below_the_limit(void **state) {
    (void)state;
    fill();
    settle(20 * ENTRY_BYTES, ENTRY_BYTES); /* the size was unknown: counted, nothing removed */
    assert_int_equal(kept_size(), 10 * ENTRY_BYTES);
    settle(20 * ENTRY_BYTES, 300);
    assert_int_equal(kept_size(), 10 * ENTRY_BYTES + 300);
    for (int i = 0; i < ENTRIES; i++)
        assert_true(there(entry(i)));
    settle(20 * ENTRY_BYTES, 10 * ENTRY_BYTES); /* the sum is beyond it, the folder is not */
    assert_int_equal(kept_size(), 10 * ENTRY_BYTES);
    assert_true(there(entry(0)) && there(entry(ENTRIES - 1)));
}

static void what_killed_processes_left_goes_when_it_is_old(void **state) {
    (void)state;
    fill();
    char old[512], young[512];
    snprintf(old, sizeof old, "%s", image_path("images/.1.tmp"));
    snprintf(young, sizeof young, "%s", image_path("images/.2.tmp"));
    assert_true(os_is_temporary(strrchr(old, '/') + 1));
    put(old, 4000.0);
    put(young, 3000.0);
    settle(20 * ENTRY_BYTES, 0);
    assert_false(there(old));
    assert_true(there(young));
    assert_int_equal(kept_size(), 10 * ENTRY_BYTES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, image_folder_make, image_folder_remove)
        IN_FOLDER(the_least_recently_used_go),
        IN_FOLDER(nothing_is_looked_at_below_the_limit),
        IN_FOLDER(what_killed_processes_left_goes_when_it_is_old),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
