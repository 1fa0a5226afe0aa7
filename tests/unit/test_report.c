#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/report.h"
#include "gen/report_text.h"
#include <stdlib.h>
#include <string.h>

static void assert_text(const struct report *report, const char *expected) {
    char *text = report_render(report, false);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void an_empty_report_is_no_text_and_ok(void **state) {
    (void)state;
    struct report r = {0};
    assert_text(&r, "");
    assert_int_equal(report_status(&r), STATUS_OK);
    report_free(&r);
}

static void an_item_shows_its_place_line_and_caret(void **state) {
    (void)state;
    struct report r = {0};
    const char text[] = "first\r\n  second: x\n\tthird: y";
    report_source(&r, "a.yaml", text, strlen(text));
    report_add(&r, REPORT_ERROR, STATUS_INPUT, "a.yaml", 3, 2, "bad %s", "third");
    report_add(&r, REPORT_WARNING, STATUS_INPUT, "a.yaml", 2, 11, "odd x");
    report_add(&r, REPORT_ERROR, STATUS_FILE, "a.yaml", 1, 0, "whole line");
    report_add(&r, REPORT_ERROR, STATUS_FILE, "b.yaml", 0, 0, "cannot open");
    report_add(&r, REPORT_NOTE, STATUS_INPUT, NULL, 0, 0, "placeless");
    assert_text(&r, "a.yaml:1: error: whole line\n"
                    "  first\n"
                    "a.yaml:2:11: warning: odd x\n"
                    "    second: x\n"
                    "            ^\n"
                    "a.yaml:3:2: error: bad third\n"
                    "  \tthird: y\n"
                    "  \t^\n"
                    "b.yaml: error: cannot open\n"
                    "note: placeless\n");
    assert_int_equal(r.errors, 3);
    assert_int_equal(r.warnings, 1);
    assert_int_equal(report_status(&r), STATUS_FILE);
    report_free(&r);
}

static void columns_count_characters_and_the_line_behind_the_end_has_none(void **state) {
    (void)state;
    struct report r = {0};
    const char text[] = "n\xc3\xa4me: \xe2\x82\xac 5";
    report_source(&r, "a.yaml", text, strlen(text));
    report_add(&r, REPORT_ERROR, STATUS_INPUT, "a.yaml", 1, 9, "five");
    report_add(&r, REPORT_ERROR, STATUS_INPUT, "a.yaml", 2, 1, "no such line");
    assert_text(&r, "a.yaml:1:9: error: five\n"
                    "  n\xc3\xa4me: \xe2\x82\xac 5\n"
                    "          ^\n"
                    "a.yaml:2:1: error: no such line\n");
    report_free(&r);
}

static void a_long_line_is_cut_around_the_place(void **state) {
    (void)state;
    struct report r = {0};
    char text[301];
    for (int i = 0; i < 300; i++)
        text[i] = (char)('0' + i % 10);
    text[300] = '\0';
    report_source(&r, "a", text, 300);
    report_add(&r, REPORT_ERROR, STATUS_INPUT, "a", 1, 71, "here"); /* 10 characters are cut off in front */
    char *got = report_render(&r, false);
    const char *line = strchr(got, '\n') + 1;
    assert_memory_equal(line, "  ...0123456789", 15);
    const char *caret = strchr(line, '\n') + 1;
    assert_int_equal(strspn(caret, " "), 2 + 3 + 60);
    assert_int_equal(line[2 + 3 + 60], '0');
    assert_non_null(strstr(line, "9...\n"));
    free(got);
    report_free(&r);
}

static void a_place_far_out_in_a_line_shows_none(void **state) {
    (void)state;
    struct report r = {0};
    char *text = calloc(1, 100000);
    memset(text, 'x', 99999);
    report_source(&r, "a", text, 99999);
    report_add(&r, REPORT_ERROR, STATUS_INPUT, "a", 1, 90000, "far");
    report_add(&r, REPORT_ERROR, STATUS_INPUT, "a", 1, 1000, "near");
    assert_null(r.items[0].source);
    assert_non_null(r.items[1].source);
    free(text);
    report_free(&r);
}

static void control_characters_do_not_reach_the_terminal(void **state) {
    (void)state;
    struct report r = {0};
    report_add(&r, REPORT_ERROR, STATUS_INPUT, "a\033", 0, 0, "key '\033[2J\x7f'");
    assert_text(&r, "a?: error: key '?[2J?'\n");
    report_free(&r);
}

static void colour_marks_level_and_caret(void **state) {
    (void)state;
    struct report r = {0};
    report_source(&r, "a", "x", 1);
    report_add(&r, REPORT_ERROR, STATUS_INPUT, "a", 1, 1, "m");
    char *text = report_render(&r, true);
    assert_string_equal(text, "\033[1ma:1:1:\033[0m \033[1;31merror:\033[0m m\n  x\n  \033[1;32m^\033[0m\n");
    free(text);
    report_free(&r);
}

static void the_worst_status_counts_and_warnings_do_not(void **state) {
    (void)state;
    struct report r = {0};
    report_add(&r, REPORT_WARNING, STATUS_LIMIT, NULL, 0, 0, "w");
    assert_int_equal(report_status(&r), STATUS_OK);
    report_add(&r, REPORT_ERROR, STATUS_INPUT, NULL, 0, 0, "i");
    assert_int_equal(report_status(&r), STATUS_INPUT);
    report_add(&r, REPORT_ERROR, STATUS_LIMIT, NULL, 0, 0, "l");
    report_add(&r, REPORT_ERROR, STATUS_FILE, NULL, 0, 0, "f");
    assert_int_equal(report_status(&r), STATUS_LIMIT);
    report_free(&r);
}

static void items_beyond_the_limit_are_counted_and_named(void **state) {
    (void)state;
    struct report r = {0};
    for (int i = 0; i < REPORT_ITEMS_MAX + 5; i++)
        report_add(&r, REPORT_ERROR, STATUS_INPUT, NULL, 0, 0, "e");
    assert_int_equal(r.errors, REPORT_ITEMS_MAX + 5);
    char *text = report_render(&r, false);
    assert_string_equal(text + strlen(text) - strlen("error: e\n(not shown: 5 more)\n"),
                        "error: e\n(not shown: 5 more)\n");
    free(text);
    report_free(&r);
}

static void an_error_keeps_its_place(void **state) {
    (void)state;
    struct report r = {0};
    struct error err;
    error_at(&err, STATUS_FILE, "f.png", 0, 0, "is cut short");
    report_error(&r, &err);
    assert_text(&r, "f.png: error: is cut short\n");
    report_free(&r);
}

static void a_near_name_is_suggested_and_a_far_one_is_not(void **state) {
    (void)state;
    static const char *const names[] = {"spacing_m", "z_min_m", "z_max_m", "files", "nodata", "samples"};
    enum { N = sizeof names / sizeof *names };
    assert_string_equal(report_suggest("spacng_m", names, N), "spacing_m");
    assert_string_equal(report_suggest("spacing", names, N), "spacing_m");
    assert_string_equal(report_suggest("Files", names, N), "files");
    assert_string_equal(report_suggest("fiels", names, N), "files"); /* neighbours swapped */
    assert_string_equal(report_suggest("nodta", names, N), "nodata");
    assert_string_equal(report_suggest("sam", names, N), "samples"); /* its beginning */
    assert_null(report_suggest("height", names, N));
    assert_null(report_suggest("x", names, N));
    assert_null(report_suggest("", names, N));
    assert_null(report_suggest("z_m", names, N)); /* begins two */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_report_is_no_text_and_ok),
        cmocka_unit_test(an_item_shows_its_place_line_and_caret),
        cmocka_unit_test(columns_count_characters_and_the_line_behind_the_end_has_none),
        cmocka_unit_test(a_long_line_is_cut_around_the_place),
        cmocka_unit_test(a_place_far_out_in_a_line_shows_none),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
        cmocka_unit_test(colour_marks_level_and_caret),
        cmocka_unit_test(the_worst_status_counts_and_warnings_do_not),
        cmocka_unit_test(items_beyond_the_limit_are_counted_and_named),
        cmocka_unit_test(an_error_keeps_its_place),
        cmocka_unit_test(a_near_name_is_suggested_and_a_far_one_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
