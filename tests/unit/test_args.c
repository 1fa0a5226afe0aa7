#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option options[] = {
    {"--map", "X,Y", true, "a map"},
    {"--out", "DIR", false, "a folder"},
    {"--dry-run", NULL, false, "a flag"},
    {NULL, NULL, false, NULL},
};
static const struct cmd_command toy = {
    .name = "toy", .usage = "WORLD [OTHER]", .min_words = 1, .max_words = 2, .options = options};
static const struct cmd_command bare = {.name = "bare", .usage = "", .no_json = true};

enum { WORDS_MAX = 12 };

/* Words separated by blanks; '_' stands for an empty word. */
static enum status parse(const struct cmd_command *command, const char *line, struct cmd_args *args,
                         struct error *err) {
    static char text[512];
    char *words[WORDS_MAX];
    int count = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word && count < WORDS_MAX; word = strtok(NULL, " ")) {
        if (strcmp(word, "_") == 0)
            *word = '\0';
        words[count++] = word;
    }
    return cmd_parse(command, count, words, args, err);
}

static void values_may_follow_or_be_joined(void **state) {
    (void)state;
    struct cmd_args args;
    struct error err;
    assert_int_equal(parse(&toy, "--map 1,2 w --map=-3,4 --out=a=b --dry-run", &args, &err), STATUS_OK);
    assert_int_equal(args.word_count, 1);
    assert_string_equal(args.words[0], "w");
    assert_string_equal(cmd_value(&args, "--out"), "a=b");
    assert_true(cmd_flag(&args, "--dry-run"));
    assert_false(cmd_flag(&args, "--quiet"));
    assert_null(cmd_value(&args, "--quiet"));
    const char **maps;
    assert_int_equal(cmd_values(&args, "--map", &maps), 2);
    assert_string_equal(maps[0], "1,2");
    assert_string_equal(maps[1], "-3,4");
    assert_string_equal(cmd_value(&args, "--map"), "-3,4");
    free(maps);
    cmd_args_free(&args);
}

static void a_value_may_begin_with_a_dash(void **state) {
    (void)state;
    struct cmd_args args;
    struct error err;
    assert_int_equal(parse(&toy, "w --map -1,-2 --out -", &args, &err), STATUS_OK);
    assert_string_equal(cmd_value(&args, "--map"), "-1,-2");
    assert_string_equal(cmd_value(&args, "--out"), "-");
    cmd_args_free(&args);
}

static void two_dashes_end_the_options(void **state) {
    (void)state;
    struct cmd_args args;
    struct error err;
    assert_int_equal(parse(&toy, "-- --map --", &args, &err), STATUS_OK);
    assert_int_equal(args.word_count, 2);
    assert_string_equal(args.words[0], "--map");
    assert_string_equal(args.words[1], "--");
    cmd_args_free(&args);
    assert_int_equal(parse(&toy, "-", &args, &err), STATUS_OK); /* one dash is a word */
    assert_string_equal(args.words[0], "-");
    cmd_args_free(&args);
}

static void mistakes_are_usage_with_a_message(void **state) {
    (void)state;
    const struct {
        const struct cmd_command *command;
        const char *line, *message;
    } cases[] = {
        {&toy, "", "a word is missing; usage: terrane toy WORLD [OTHER]"},
        {&toy, "--dry-run", "a word is missing; usage: terrane toy WORLD [OTHER]"},
        {&toy, "a b c", "one word too many: 'c'; usage: terrane toy WORLD [OTHER]"},
        {&toy, "_", "an empty word; usage: terrane toy WORLD [OTHER]"},
        {&bare, "a", "one word too many: 'a'; usage: terrane bare"},
        {&toy, "w --mpa 1,2", "terrane toy has no option '--mpa': did you mean '--map'?"},
        {&toy, "w --dry-rum=1", "terrane toy has no option '--dry-rum': did you mean '--dry-run'?"},
        {&toy, "w --zzz", "terrane toy has no option '--zzz'"},
        {&toy, "w -o", "terrane toy has no option '-o'"},
        {&toy, "w --ma 1", "terrane toy has no option '--ma': did you mean '--map'?"},
        {&toy, "w --out", "option '--out' needs a value: --out DIR"},
        {&toy, "w --out _", "option '--out' needs a value: --out DIR"},
        {&toy, "w --out=", "option '--out' needs a value: --out DIR"},
        {&toy, "w --out a --out b", "option '--out' is given twice"},
        {&toy, "w --quiet --quiet", "option '--quiet' is given twice"},
        {&toy, "w --dry-run=yes", "option '--dry-run' takes no value"},
        {&bare, "--json", "terrane bare has no option '--json'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cmd_args args;
        struct error err = {0};
        assert_int_equal(parse(cases[i].command, cases[i].line, &args, &err), STATUS_USAGE);
        assert_string_equal(err.message, cases[i].message);
        cmd_args_free(&args);
    }
}

static void help_needs_no_words(void **state) {
    (void)state;
    struct cmd_args args;
    struct error err;
    const char *const lines[] = {"--help", "-h", "--help --dry-run"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(parse(&toy, lines[i], &args, &err), STATUS_OK);
        assert_true(cmd_flag(&args, "--help"));
        cmd_args_free(&args);
    }
}

static void every_command_has_the_common_options(void **state) {
    (void)state;
    const char *const of_toy[] = {"--map", "--out", "--dry-run", "--quiet", "--json", "--help"};
    const char *const of_bare[] = {"--quiet", "--help"};
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(cmd_option_at(&toy, i)->name, of_toy[i]);
    assert_null(cmd_option_at(&toy, 6));
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(cmd_option_at(&bare, i)->name, of_bare[i]);
    assert_null(cmd_option_at(&bare, 2));
}

static void whole_numbers_are_digits_only(void **state) {
    (void)state;
    long n = 0;
    assert_true(cmd_parse_int("0", 0, 9, &n) && n == 0);
    assert_true(cmd_parse_int("-7", -7, 9, &n) && n == -7);
    assert_true(cmd_parse_int("0009", 0, 9, &n) && n == 9);
    const char *const bad[] = {
        "", "-", "+1", " 1", "1 ", "1.0", "0x1", "10", "-1", "one", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(cmd_parse_int(bad[i], 0, 9, &n));
    assert_int_equal(n, 9); /* left alone */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_may_follow_or_be_joined),
        cmocka_unit_test(a_value_may_begin_with_a_dash),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(mistakes_are_usage_with_a_message),
        cmocka_unit_test(help_needs_no_words),
        cmocka_unit_test(every_command_has_the_common_options),
        cmocka_unit_test(whole_numbers_are_digits_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
