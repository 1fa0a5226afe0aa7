#include "tests/unit/geojson_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

const struct extent geojson_world = {1.0, {0, 0, 512, 256}};

static struct features *read_bytes(enum features_purpose purpose, enum features_outside outside,
                                   const char *text, size_t size, struct report *report) {
    struct features *f = features_new(purpose);
    assert_non_null(f);
    f->outside = outside;
    features_parse("a.geojson", text, size, &geojson_world, f, report);
    return f;
}

struct features *geojson_read(enum features_purpose purpose, enum features_outside outside, const char *text,
                              struct report *report) {
    return read_bytes(purpose, outside, text, strlen(text), report);
}

void geojson_says(enum features_purpose purpose, enum features_outside outside, const char *text, size_t size,
                  const char *expected) {
    static const char *const marks[] = {[REPORT_ERROR] = "", [REPORT_WARNING] = "W", [REPORT_NOTE] = "N"};
    struct report report = {0};
    struct features *f = read_bytes(purpose, outside, text, size, &report);
    features_finish(f, &geojson_world, NULL, &report);
    char said[8192] = "";
    size_t at = 0;
    for (size_t i = 0; i < report.count; i++)
        at += (size_t)snprintf(said + at, sizeof said - at, "%s%d:%d %s\n", marks[report.items[i].level],
                               report.items[i].line, report.items[i].column, report.items[i].message);
    if (strcmp(said, expected) != 0) /* cmocka cuts long texts */
        fprintf(stderr, "---- said:\n%s---- expected:\n%s----\n", said, expected);
    assert_string_equal(said, expected);
    features_free(f);
    report_free(&report);
}

void splines_say(const char *text, const char *expected) {
    geojson_says(FEATURES_SPLINES, FEATURES_REFUSE, text, strlen(text), expected);
}

void placed_say(const char *text, const char *expected) {
    geojson_says(FEATURES_PLACED, FEATURES_REFUSE, text, strlen(text), expected);
}
