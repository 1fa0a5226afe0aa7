/* What json_read makes of any bytes is what jansson makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/json_read.h"
#include "gen/json_text.h"
#include "terrain/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void agrees(const char *text, size_t size) {
    for (int unique = 0; unique < 2; unique++) {
        json_error_t mine, theirs;
        json_t *a = json_read(text, size, unique != 0, &mine);
        json_t *b = json_loadb(text, size, unique ? JSON_REJECT_DUPLICATES : 0, &theirs);
        assert_int_equal(a != NULL, b != NULL);
        if (a)
            assert_true(json_equal(a, b));
        else
            assert_true(mine.line == theirs.line && mine.column == theirs.column &&
                        strcmp(mine.text, theirs.text) == 0);
        json_decref(a);
        json_decref(b);
    }
}

static void usual_and_unusual_texts(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "{}",
                                        "[]",
                                        " [ ] ",
                                        "{\"a\": 1, \"a\": 2}",
                                        "{\"a\": {\"b\": [1, -2, 0.5, 1e3, -1.25E-7, true, false, null]}}",
                                        "[1,]",
                                        "[,1]",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{a: 1}",
                                        "[1] 2",
                                        "[1]]",
                                        "[-]",
                                        "[-0]",
                                        "[-0.0]",
                                        "[01]",
                                        "[1.]",
                                        "[.5]",
                                        "[1e]",
                                        "[1e+]",
                                        "[+1]",
                                        "[0x10]",
                                        "[nul]",
                                        "[NaN]",
                                        "[truefalse]",
                                        "[999999999999999999]",
                                        "[9223372036854775807]",
                                        "[9223372036854775808]",
                                        "[-9223372036854775808]",
                                        "[1e400]",
                                        "[1e-400]",
                                        "[0.1234567890123456789012345678901234567890123456789]",
                                        "[\"\\u00e9\\n\\\"\"]",
                                        "[\"\xc3\xa9\"]",
                                        "{\"\xc3\xa9\": 1}",
                                        "[\"\xc3\"]",
                                        "{\"\xff\": 1}",
                                        "[\"\x01\"]",
                                        "[\"a",
                                        "[\"a\"",
                                        "\"text\"",
                                        "12",
                                        "[1 2]",
                                        "{\"a\": 1 \"b\": 2}",
                                        "[\"\x7f\"]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        agrees(texts[i], strlen(texts[i]));
    agrees("[\"a\0b\"]", 7);
    agrees("[1]\0", 4);
    char deep[401];
    for (size_t depth = 1; depth <= 200; depth++) {
        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        agrees(deep, 2 * depth);
    }
}

/* A manifest-like text, and what becomes of it by changed, added and lost bytes. */
static void damaged_texts(void **state) {
    (void)state;
    static const char text[] =
        "{\n \"inputs\": {\n  \"height\": [\n   \"0af3\"\n  ]\n },\n \"outputs\": {\n"
        "  \"a.png\": {\"clamped\": 12, \"posts\": true, \"scale\": 0.0625, \"offset\": -32},\n"
        "  \"b.ply\": {\"counts\": {\"17\": 3, \"18\": 4}, \"none\": null}\n }\n}\n";
    static const char odd[] = "\"\\{}[],:0123.-eE+tfn \n\t\xc3\xa9\x01z";
    enum { SIZE = sizeof text - 1 };
    char changed[SIZE + 1];
    for (int32_t i = 0; i < SIZE; i++)
        for (int32_t k = 0; k < 12; k++) {
            uint64_t h = hash_place(1, 2, i, k, 0);
            char other = odd[h % (sizeof odd - 1)];
            memcpy(changed, text, SIZE);
            changed[i] = other;
            agrees(changed, SIZE);
            memcpy(changed + i + 1, text + i, (size_t)(SIZE - i));
            agrees(changed, SIZE + 1);
        }
    for (size_t cut = 0; cut <= SIZE; cut++)
        agrees(text, cut);
}

/* Numbers read back as themselves through text. */
static void numbers_read_back(void **state) {
    (void)state;
    for (int32_t i = 0; i < 20000; i++) {
        uint64_t bits = hash_place(3, 4, i, 0, 0);
        double v;
        char number[32], text[64];
        memcpy(&v, &bits, sizeof v);
        if (v - v != 0)
            continue;
        agrees(text, (size_t)snprintf(text, sizeof text, "[%s, %lld]", number_text(v, number),
                                      (long long)bits >> (bits % 64)));
    }
}

static void one_member_of_many(void **state) {
    (void)state;
    static const char text[] = "{\"a\": \"}\", \"b\": [{\"c\": 1}, \",\"], \"c\": {\"d\": 2}, \"e\": 3}";
    json_t *root = json_read(text, sizeof text - 1, true, NULL), *value;
    const char *key;
    json_object_foreach(root, key, value) {
        json_t *one = json_read_member(text, sizeof text - 1, key);
        assert_true(json_equal(one, value));
        json_decref(one);
    }
    json_decref(root);
    assert_null(json_read_member(text, sizeof text - 1, "d"));
    for (size_t cut = 0; cut < sizeof text - 1; cut++)
        json_decref(json_read_member(text, cut, "e"));
    assert_null(json_read_member("[1]", 3, "a"));
    assert_null(json_read_member("{\"\\u0061\": 1, \"b\": 2}", 21, "b")); /* unusual: json_read's */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_and_unusual_texts),
        cmocka_unit_test(damaged_texts),
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(one_member_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
