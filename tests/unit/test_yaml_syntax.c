/* Text that is no YAML: each usual slip is told of where it was made, in words of what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/report_text.h"
#include "gen/yaml.h"
#include <stdlib.h>
#include <string.h>

/* The message alone, with its place. */
static void refused(const char *text, const char *expected) {
    struct report report = {0};
    assert_null(yaml_parse("t.yaml", text, strlen(text), &report));
    char *got = report_render(&report, false);
    *strchr(got, '\n') = '\0';
    assert_string_equal(got, expected);
    free(got);
    report_free(&report);
}

static void slips_are_told_where_they_were_made(void **state) {
    (void)state;
    refused("a:\n  b: 1\n  c 2\n  d: 3\n",
            "t.yaml:3:3: error: neither 'key: value' (a colon and a blank) nor '- item'");
    refused("a:\n  b:1\n  d: 3\n",
            "t.yaml:2:3: error: neither 'key: value' (a colon and a blank) nor '- item'");
    refused(
        "a:\n  - {b: 1}\n  -{c: 2}\n  - {d: 3}\n",
        "t.yaml:3:3: error: the list that begins on line 2 goes on with '- ' (a dash and a blank) under its "
        "first dash");
    refused(
        "a:\n    b: 1\n   c: 2\n",
        "t.yaml:3:4: error: this line goes with none above: its indentation is wrong, or a quote or bracket "
        "before it");
    refused("a:\n  b: 1\n   c: 2\n",
            "t.yaml:3:5: error: the indentation of this line or of the one before it is wrong");
    refused("a: b: c\n", "t.yaml:1:5: error: text with ': ' in it stands in quotes");
    refused("a: [1, 2\nb: 3\n", "t.yaml:2:2: error: the list that begins on line 1 lacks a ',' or its ']'");
    refused("a: {b: 1\nc: 3\n", "t.yaml:2:2: error: the map that begins on line 1 lacks a ',' or its '}'");
    refused("x: 1\na: [b, #2a4a2c]\nc: 1\n",
            "t.yaml:2:8: error: # begins a comment: colours stand in quotes, \"#2a4a2c\"");
    refused("a: \"open\nb: 1\n", "t.yaml:1:4: error: the quote that opens here is never closed");
    refused("a: [>0.4]\n", "t.yaml:1:5: error: a value that begins with > stands in quotes");
    refused("a: @b\n", "t.yaml:1:4: error: a value that begins with @ stands in quotes");
    refused("a: *nobody\n", "t.yaml:1:4: error: text that begins with * or & stands in quotes");
    refused("a: \"c:\\maps\\wog\"\n",
            "t.yaml:1:7: error: in double quotes \\ begins an escape: write / in paths, or single quotes");
    refused("a: - b\n", "t.yaml:1:4: error: a '- ' cannot stand here: a list begins on a line of its own");
    refused("a:\n\tb: 2\n", "t.yaml:2:1: error: a tab cannot indent or begin a value: use spaces");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_are_told_where_they_were_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
