#include "tests/unit/world_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gen/report_text.h"
#include "tests/unit/image_files.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void put_zero16(const char *name, int32_t width, int32_t height) {
    uint16_t *samples = calloc((size_t)width * (size_t)height, sizeof *samples);
    put_png16(image_path(name), width, height, samples);
    free(samples);
}

void put_zero8(const char *name, int32_t width, int32_t height) {
    uint8_t *samples = calloc((size_t)width * (size_t)height, sizeof *samples);
    put_png8(image_path(name), width, height, samples);
    free(samples);
}

void put_h64(void) {
    put_zero16("h.png", 64, 64);
}

void put_text(const char *name, const char *text) {
    put_bytes(image_path(name), text, strlen(text));
}

static void leave_out(char *text, const char *part) {
    size_t n = strlen(part);
    for (char *at; (at = strstr(text, part)) != NULL;)
        memmove(at, at + n, strlen(at + n) + 1);
}

static struct world *load(const char *yaml, const char *const *sets, enum status *status,
                          const char *expected) {
    struct report report = {0};
    struct world_options options = {.sets = sets};
    while (sets && sets[options.set_count])
        options.set_count++;
    put_text("world.yaml", yaml);
    struct world *world = world_load(image_path("world.yaml"), &options, &report);
    char *text = report_render(&report, false);
    leave_out(text, image_path(""));
    if (strcmp(text, expected) != 0) /* cmocka cuts long texts */
        fprintf(stderr, "---- said:\n%s---- expected:\n%s----\n", text, expected);
    assert_string_equal(text, expected);
    free(text);
    *status = report_status(&report);
    assert_true((world != NULL) == (report.errors == 0));
    report_free(&report);
    return world;
}

struct world *load_text(const char *yaml, const char *const *sets, const char *expected) {
    enum status status;
    return load(yaml, sets, &status, expected);
}

void refuse_sets(const char *yaml, const char *const *sets, enum status status, const char *expected) {
    enum status got;
    struct world *world = load(yaml, sets, &got, expected);
    assert_null(world);
    assert_int_equal(got, status);
}

void refuse_text(const char *yaml, enum status status, const char *expected) {
    refuse_sets(yaml, NULL, status, expected);
}
