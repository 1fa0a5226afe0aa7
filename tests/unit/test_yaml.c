#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/report_text.h"
#include "gen/yaml.h"
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct yaml_node *parse(const char *text, struct report *report) {
    return yaml_parse("t.yaml", text, strlen(text), report);
}

static void assert_report(struct report *report, const char *expected) {
    char *text = report_render(report, false);
    assert_string_equal(text, expected);
    free(text);
    report_free(report);
}

/* What a text that is no good YAML is answered with. */
static void assert_refused(const char *text, const char *expected) {
    struct report r = {0};
    yaml_tree_free(parse(text, &r));
    assert_report(&r, expected);
}

static void nodes_know_their_places(void **state) {
    (void)state;
    struct report r = {0};
    struct yaml_node *root = parse("a: 1\nb:\n  - x\n  - {c: 'd e'}\n", &r);
    assert_non_null(root);
    assert_int_equal(root->count, 2);
    struct yaml_node *b = yaml_get(root, "b");
    assert_int_equal(b->kind, YAML_LIST);
    assert_int_equal(b->line, 3);
    assert_int_equal(b->column, 3);
    struct yaml_node *c = yaml_get(b->items[1], "c");
    assert_string_equal(c->text, "d e");
    assert_true(c->quoted);
    assert_int_equal(c->line, 4);
    assert_int_equal(c->column, 9);
    assert_string_equal(c->file, "t.yaml");
    yaml_tree_free(root);
    assert_report(&r, "");
}

static void a_byte_order_mark_moves_no_column(void **state) {
    (void)state;
    struct report r = {0};
    struct yaml_node *root = parse("\xef\xbb\xbf"
                                   "a: 1\n",
                                   &r);
    assert_int_equal(root->keys[0]->column, 1);
    assert_int_equal(root->items[0]->column, 4);
    yaml_tree_free(root);
    assert_report(&r, "");
}

static void broken_text_is_refused_at_its_place(void **state) {
    (void)state;
    assert_refused("", "t.yaml:1:1: error: the file is empty\n  \n  ^\n");
    assert_refused("# nothing\n", "t.yaml:1:1: error: the file is empty\n  # nothing\n  ^\n");
    assert_refused("a:\n\tb: 1\n", "t.yaml:2:1: error: a tab cannot indent or begin a value: use spaces\n"
                                   "  \tb: 1\n  ^\n");
    assert_refused(
        "a: [1, 2\nb: 3\n",
        "t.yaml:2:2: error: the list that begins on line 1 lacks a ',' or its ']'\n  b: 3\n   ^\n");
    assert_refused("a: \"open\n",
                   "t.yaml:1:4: error: the quote that opens here is never closed\n  a: \"open\n     ^\n");
    assert_refused("a: b\xff\n", "t.yaml:1:5: error: not UTF-8 text: invalid leading UTF-8 octet\n"
                                 "  a: b\xff\n      ^\n");
    assert_refused("\xff\xfe"
                   "a",
                   "t.yaml:1:1: error: UTF-16 text: save it as UTF-8\n  \xff\xfe"
                   "a\n  ^\n");
    assert_refused(
        "a: *nobody\n",
        "t.yaml:1:4: error: text that begins with * or & stands in quotes\n  a: *nobody\n     ^\n");
    assert_refused("a: 1\n---\nb: 2\n",
                   "t.yaml:2:1: error: a second document: one file holds one\n  ---\n  ^\n");
    assert_refused("a: !!binary x\n", "t.yaml:1:4: error: tags are not supported: "
                                      "'tag:yaml.org,2002:binary'\n  a: !!binary x\n     ^\n");
    assert_refused("a: \"x\\0y\"\n",
                   "t.yaml:1:4: error: text must not hold a zero character\n  a: \"x\\0y\"\n     ^\n");
    assert_refused(
        "a: \"x\\e[31my\"\nb: \"\\x7f\"\nc: \"\\N\"\nd: \"\\t\\n\\r\"\n",
        "t.yaml:1:4: error: text must not hold the control character \\x1b\n  a: \"x\\e[31my\"\n     ^\n"
        "t.yaml:2:4: error: text must not hold the control character \\x7f\n  b: \"\\x7f\"\n     ^\n"
        "t.yaml:3:4: error: text must not hold the control character \\x85\n  c: \"\\N\"\n     ^\n");
    assert_refused("? [a]\n: 1\n", "t.yaml:1:3: error: a key must be a word\n  ? [a]\n    ^\n");
}

static void duplicate_keys_are_named_and_the_first_counts(void **state) {
    (void)state;
    struct report r = {0};
    struct yaml_node *root = parse("a: 1\nb: 2\na: 3\na: 4\n", &r);
    assert_string_equal(yaml_get(root, "a")->text, "1");
    yaml_tree_free(root);
    assert_report(&r, "t.yaml:3:1: error: duplicate key 'a' (first on line 1)\n  a: 3\n  ^\n"
                      "t.yaml:4:1: error: duplicate key 'a' (first on line 1)\n  a: 4\n  ^\n");
}

static void aliases_are_copies(void **state) {
    (void)state;
    struct report r = {0};
    struct yaml_node *root = parse("a: &x {k: 5}\nb: *x\n", &r);
    double k = 0;
    assert_true(yaml_get_f64(yaml_get(root, "b"), "k", 0, 9, "", &k, &r));
    assert_true(k == 5);
    assert_ptr_not_equal(yaml_get(root, "a"), yaml_get(root, "b"));
    yaml_tree_free(root);
    assert_report(&r, "");
}

static void an_alias_bomb_is_a_limit(void **state) {
    (void)state;
    char text[2048] = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++) {
            used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s*a%d", j ? ", " : "", i - 1);
        }
        strcat(text, "]\n");
    }
    struct report r = {0};
    assert_null(parse(text, &r));
    assert_int_equal(report_status(&r), STATUS_LIMIT);
    assert_int_equal(r.errors, 1);
    assert_string_equal(r.items[0].message, "more than 1000000 values (aliases expanded)");
    report_free(&r);
}

static void a_text_alias_bomb_is_a_limit(void **state) {
    (void)state;
    size_t big = 1 << 20;
    char *text = malloc(big + 2048);
    strcpy(text, "a: &a ");
    memset(text + 6, 'x', big);
    strcpy(text + 6 + big, "\nb: [");
    for (int i = 0; i < 80; i++)
        strcat(text + big, "*a, ");
    strcat(text + big, "]\n");
    struct report r = {0};
    assert_null(parse(text, &r));
    assert_int_equal(report_status(&r), STATUS_LIMIT);
    assert_string_equal(r.items[0].message, "aliases expand to more than 64 MiB of text");
    report_free(&r);
    free(text);
}

static void an_alias_to_what_holds_it_is_a_limit(void **state) {
    (void)state;
    struct report r = {0};
    assert_null(parse("a: &a [1, *a]\n", &r));
    assert_int_equal(report_status(&r), STATUS_LIMIT);
    assert_string_equal(r.items[0].message, "nested more than 64 deep");
    report_free(&r);
}

static void deep_nesting_is_refused(void **state) {
    (void)state;
    enum { MUCH = 4 << 20 }; /* of libyaml alone: hours */
    char *text = malloc(MUCH);
    struct report r = {0};
    memset(text, '[', 100);
    memset(text + 100, ']', 100);
    assert_null(yaml_parse("t.yaml", text, 200, &r));
    assert_string_equal(r.items[0].message, "nested more than 64 deep");
    report_free(&r);
    memset(text, '[', MUCH);
    assert_null(yaml_parse("t.yaml", text, MUCH, &r));
    assert_int_equal(r.errors, 1);
    assert_int_equal(r.items[0].column, 65);
    assert_string_equal(r.items[0].message, "nested more than 64 deep");
    report_free(&r);
    memset(text, '"', 1);
    memset(text + 101, '"', 1); /* brackets in quotes nest nothing */
    struct yaml_node *quoted = yaml_parse("t.yaml", text, 102, &r);
    assert_non_null(quoted);
    yaml_tree_free(quoted);
    report_free(&r);
    free(text);
}

static void a_large_file_a_folder_and_a_missing_file_are_refused(void **state) {
    (void)state;
    struct report r = {0};
    char *text = calloc(1, YAML_SIZE_MAX + 1);
    assert_null(yaml_parse("big.yaml", text, YAML_SIZE_MAX + 1, &r));
    free(text);
    assert_report(&r, "big.yaml: error: is larger than 16 MiB\n");
    assert_null(yaml_read("/", &r));
    assert_int_equal(report_status(&r), STATUS_FILE);
    assert_report(&r, "/: error: is a folder, not a file\n");
    assert_null(yaml_read("/nonexistent/world.yaml", &r));
    assert_int_equal(report_status(&r), STATUS_FILE);
    assert_report(&r, "/nonexistent/world.yaml: error: cannot open: No such file or directory\n");
}

static void numbers_are_the_core_schemas(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},     {"-1.5", -1.5}, {"+2", 2},   {".5", 0.5}, {"1.", 1},
                {"1e3", 1e3}, {"2E-2", 2e-2}, {"010", 10}, {"-0", 0},   {"16777217", 16777217}};
    static const char *const bad[] = {"",    ".",    "-",   "e5",    "1e",  "0x10", "1_000", "1,5",
                                      "inf", ".nan", "1 m", "1e999", "'1'", "--1",  "1.2.3", "١"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct yaml_node node = {.kind = YAML_SCALAR, .text = strdup(good[i].text)};
        double value = -99;
        assert_true(yaml_number(&node, &value));
        assert_true(value == good[i].value);
        free(node.text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct yaml_node node = {.kind = YAML_SCALAR, .text = strdup(bad[i])};
        double value;
        assert_false(yaml_number(&node, &value));
        free(node.text);
    }
    struct yaml_node quoted = {.kind = YAML_SCALAR, .text = strdup("5"), .quoted = true};
    double value;
    assert_false(yaml_number(&quoted, &value));
    free(quoted.text);
}

static void wrong_numbers_are_told_with_range_and_unit(void **state) {
    (void)state;
    struct report r = {0};
    double v = -7;
    struct yaml_node *root = parse("a: x\nb: 95\nc: .nan\nd: '5'\ne:\nf: [1]\ng: -1\nh: 3\n", &r);
    assert_false(yaml_get_f64(root, "a", -90, 90, "degrees", &v, &r));
    assert_false(yaml_get_f64(root, "b", -90, 90, "degrees", &v, &r));
    assert_false(yaml_get_f64(root, "c", -DBL_MAX, DBL_MAX, "m", &v, &r));
    assert_false(yaml_get_f64(root, "d", -DBL_MAX, DBL_MAX, NULL, &v, &r));
    assert_false(yaml_get_f64(root, "e", 0, 1, "", &v, &r));
    assert_false(yaml_get_f64(root, "f", 0, 1, "", &v, &r));
    assert_false(yaml_get_f64(root, "g", 0, DBL_MAX, "m", &v, &r));
    assert_false(yaml_get_f64(root, "absent", 0, 1, "", &v, &r));
    assert_true(v == -7);
    assert_true(yaml_get_f64(root, "h", 0, 3, "", &v, &r));
    assert_true(v == 3);
    yaml_tree_free(root);
    assert_report(&r,
                  "t.yaml:1:4: error: 'a' must be a number (-90 to 90 degrees), not 'x'\n  a: x\n     ^\n"
                  "t.yaml:2:4: error: 'b' is out of range (-90 to 90 degrees): 95\n  b: 95\n     ^\n"
                  "t.yaml:3:4: error: 'c' must be a finite number (m), not '.nan'\n  c: .nan\n     ^\n"
                  "t.yaml:4:4: error: 'd' must be a number, not '5': leave out the quotes\n  d: '5'\n     ^\n"
                  "t.yaml:5:3: error: 'e' has no value\n  e:\n    ^\n"
                  "t.yaml:6:4: error: 'f' must be a number (0 to 1), not a list\n  f: [1]\n     ^\n"
                  "t.yaml:7:4: error: 'g' is out of range (at least 0 m): -1\n  g: -1\n     ^\n");
}

static void whole_numbers(void **state) {
    (void)state;
    struct report r = {0};
    int64_t v = 0;
    struct yaml_node *root = parse("a: 0x1F\nb: -9223372036854775808\nc: 9223372036854775808\nd: 1.5\n"
                                   "e: 0x\nf: 9\n",
                                   &r);
    assert_true(yaml_get_i64(root, "a", 0, 99, &v, &r));
    assert_int_equal(v, 31);
    assert_true(yaml_get_i64(root, "b", INT64_MIN, INT64_MAX, &v, &r));
    assert_true(v == INT64_MIN);
    assert_false(yaml_get_i64(root, "c", INT64_MIN, INT64_MAX, &v, &r));
    assert_false(yaml_get_i64(root, "d", 0, 9, &v, &r));
    assert_false(yaml_get_i64(root, "e", 0, INT64_MAX, &v, &r));
    assert_false(yaml_get_i64(root, "f", 0, 8, &v, &r));
    yaml_tree_free(root);
    assert_report(&r, "t.yaml:3:4: error: 'c' is out of range: 9223372036854775808\n"
                      "  c: 9223372036854775808\n     ^\n"
                      "t.yaml:4:4: error: 'd' must be a whole number (0 to 9), not '1.5'\n  d: 1.5\n     ^\n"
                      "t.yaml:5:4: error: 'e' must be a whole number (0 to 9223372036854775807), not '0x'\n"
                      "  e: 0x\n     ^\n"
                      "t.yaml:6:4: error: 'f' is out of range (0 to 8): 9\n  f: 9\n     ^\n");
}

static void yes_is_no_boolean(void **state) {
    (void)state;
    struct report r = {0};
    bool v = false;
    struct yaml_node *root = parse("a: true\nb: Yes\nc: 1\nd: 'true'\n", &r);
    assert_true(yaml_get_bool(root, "a", &v, &r));
    assert_true(v);
    assert_false(yaml_get_bool(root, "b", &v, &r));
    assert_false(yaml_get_bool(root, "c", &v, &r));
    assert_false(yaml_get_bool(root, "d", &v, &r));
    yaml_tree_free(root);
    assert_report(&r,
                  "t.yaml:2:4: error: 'b' must be true or false, not 'Yes': YAML 1.2 has no yes and no, on "
                  "and off\n  b: Yes\n     ^\n"
                  "t.yaml:3:4: error: 'c' must be true or false, not '1'\n  c: 1\n     ^\n"
                  "t.yaml:4:4: error: 'd' must be true or false, not 'true'\n  d: 'true'\n     ^\n");
}

static void words_texts_and_kinds(void **state) {
    (void)state;
    static const char *const words[] = {"refuse", "bicubic", "nearest"};
    struct report r = {0};
    int32_t v = -1;
    const char *text = NULL;
    double pair[2];
    struct yaml_node *root = parse("a: bicubik\nb: x\nc: nearest\nd: {}\ne: ''\nf: name\ng: [1, 2, 3]\n"
                                   "h: [1, x]\ni: null\n",
                                   &r);
    assert_false(yaml_get_enum(root, "a", words, 3, &v, &r));
    assert_false(yaml_get_enum(root, "b", words, 3, &v, &r));
    assert_true(yaml_get_enum(root, "c", words, 3, &v, &r));
    assert_int_equal(v, 2);
    assert_false(yaml_get_text(root, "d", &text, &r));
    assert_false(yaml_get_text(root, "e", &text, &r));
    assert_true(yaml_get_text(root, "f", &text, &r));
    assert_string_equal(text, "name");
    assert_null(yaml_get_map(root, "f", &r));
    assert_null(yaml_get_list(root, "d", &r));
    assert_false(yaml_get_f64_list(root, "g", 2, 0, 9, "m", pair, &r));
    assert_false(yaml_get_f64_list(root, "h", 2, 0, 9, "m", pair, &r));
    assert_null(yaml_get_map(root, "i", &r));
    yaml_tree_free(root);
    assert_report(&r,
                  "t.yaml:1:4: error: 'a' must be refuse, bicubic or nearest, not 'bicubik': did you mean "
                  "'bicubic'?\n  a: bicubik\n     ^\n"
                  "t.yaml:2:4: error: 'b' must be refuse, bicubic or nearest, not 'x'\n  b: x\n     ^\n"
                  "t.yaml:4:4: error: 'd' must be text, not a map\n  d: {}\n     ^\n"
                  "t.yaml:4:4: error: 'd' must be a list, not a map\n  d: {}\n     ^\n"
                  "t.yaml:5:4: error: 'e' is empty\n  e: ''\n     ^\n"
                  "t.yaml:6:4: error: 'f' must be a map of keys, not 'name'\n  f: name\n     ^\n"
                  "t.yaml:7:4: error: 'g' must be a list of 2 numbers, not of 3\n  g: [1, 2, 3]\n     ^\n"
                  "t.yaml:8:8: error: 'h[1]' must be a number (0 to 9 m), not 'x'\n  h: [1, x]\n         ^\n"
                  "t.yaml:9:4: error: 'i' has no value\n  i: null\n     ^\n");
}

static void unknown_keys_are_told_with_what_was_asked(void **state) {
    (void)state;
    struct report r = {0};
    struct yaml_node *root = parse("files: a\nspacing: 2\nzzz: 1\n", &r);
    yaml_get(root, "files");
    yaml_get(root, "spacing_m");
    yaml_unknown_keys(root, "height", &r);
    yaml_unknown_keys(root, "", &r);
    yaml_tree_free(root);
    assert_report(&r,
                  "t.yaml:2:1: error: unknown key 'spacing' in height: did you mean 'spacing_m'?\n"
                  "  spacing: 2\n  ^\n"
                  "t.yaml:2:1: error: unknown key 'spacing': did you mean 'spacing_m'?\n  spacing: 2\n  ^\n"
                  "t.yaml:3:1: error: unknown key 'zzz' in height (known: files, spacing_m)\n  zzz: 1\n  ^\n"
                  "t.yaml:3:1: error: unknown key 'zzz' (known: files, spacing_m)\n  zzz: 1\n  ^\n");
}

static void setting_by_path(void **state) {
    (void)state;
    struct report r = {0};
    struct error err;
    struct yaml_node *root = parse("a: {b: 1}\nl: [{k: 1}]\nn:\n", &r);
    double v = 0;
    assert_int_equal(yaml_set(root, "a.b", "2", &err), STATUS_OK);
    assert_int_equal(yaml_set(root, "new.deep.key", "3", &err), STATUS_OK);
    assert_int_equal(yaml_set(root, "l[0].k", "4", &err), STATUS_OK);
    assert_int_equal(yaml_set(root, "l[1]", "{k: 5}", &err), STATUS_OK);
    assert_int_equal(yaml_set(root, "n.x", "six", &err), STATUS_OK);
    assert_true(yaml_get_f64(yaml_get(root, "a"), "b", 0, 9, "", &v, &r) && v == 2);
    assert_true(yaml_get_f64(yaml_get(yaml_get(root, "new"), "deep"), "key", 0, 9, "", &v, &r) && v == 3);
    struct yaml_node *list = yaml_get(root, "l");
    assert_true(yaml_get_f64(list->items[0], "k", 0, 9, "", &v, &r) && v == 4);
    assert_true(yaml_get_f64(list->items[1], "k", 0, 9, "", &v, &r) && v == 5);
    assert_false(yaml_get_f64(yaml_get(root, "n"), "x", 0, 9, "", &v, &r));
    yaml_tree_free(root);
    assert_report(&r, "--set: error: 'x' must be a number (0 to 9), not 'six'\n");
}

static void wrong_paths_and_values_of_set(void **state) {
    (void)state;
    static const struct {
        const char *path, *value, *message;
        enum status status;
    } cases[] = {
        {"a.b.c", "1", "'a.b' is text, not a map of keys", STATUS_INPUT},
        {"a[0]", "1", "'a' is a map, not a list", STATUS_INPUT},
        {"l[7]", "1", "index 7 is beyond the list's 1 items", STATUS_INPUT},
        {"m[0].x", "1\n2: 3\n[",
         "the value in 'm[0].x=1\n2: 3\n[': neither 'key: value' (a colon and a blank) nor '- item'",
         STATUS_USAGE},
        {"m[1]", "1", "index 1 is beyond the list's 0 items", STATUS_INPUT},
        {"l.x", "1", "'l' is a list, not a map of keys", STATUS_INPUT},
        {"", "1", "the key is missing", STATUS_USAGE},
        {".a", "1", "'.a' is no path of keys such as output.height.min_m or splines[0]", STATUS_USAGE},
        {"a..b", "1", "'a..b' is no path of keys such as output.height.min_m or splines[0]", STATUS_USAGE},
        {"l[x]", "1", "'l[x]' is no path of keys such as output.height.min_m or splines[0]", STATUS_USAGE},
        {"a.b", "[1", "the value in 'a.b=[1': the list that begins on line 1 lacks a ',' or its ']'",
         STATUS_USAGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct report r = {0};
        struct error err;
        struct yaml_node *root = parse("a: {b: 1}\nl: [1]\n", &r);
        assert_int_equal(yaml_set(root, cases[i].path, cases[i].value, &err), cases[i].status);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.file, "--set");
        yaml_tree_free(root);
        report_free(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_know_their_places),
        cmocka_unit_test(a_byte_order_mark_moves_no_column),
        cmocka_unit_test(broken_text_is_refused_at_its_place),
        cmocka_unit_test(duplicate_keys_are_named_and_the_first_counts),
        cmocka_unit_test(aliases_are_copies),
        cmocka_unit_test(an_alias_bomb_is_a_limit),
        cmocka_unit_test(a_text_alias_bomb_is_a_limit),
        cmocka_unit_test(an_alias_to_what_holds_it_is_a_limit),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_large_file_a_folder_and_a_missing_file_are_refused),
        cmocka_unit_test(numbers_are_the_core_schemas),
        cmocka_unit_test(wrong_numbers_are_told_with_range_and_unit),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(yes_is_no_boolean),
        cmocka_unit_test(words_texts_and_kinds),
        cmocka_unit_test(unknown_keys_are_told_with_what_was_asked),
        cmocka_unit_test(setting_by_path),
        cmocka_unit_test(wrong_paths_and_values_of_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
