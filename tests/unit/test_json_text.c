/* Numbers are the shortest text that reads back as themselves; the same JSON is the same text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/json_text.h"
#include "terrain/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void numbers_are_short(void **state) {
    (void)state;
    static const struct {
        double v;
        const char *text;
    } cases[] = {{0.9, "0.9"},         {0.1 + 0.2, "0.30000000000000004"},
                 {2.0, "2"},           {-0.0, "0"},
                 {1e300, "1e+300"},    {1.0 / 3, "0.3333333333333333"},
                 {5e-324, "5e-324"},   {123456789012345680.0, "1.2345678901234568e+17"},
                 {-1250.5, "-1250.5"}, {0.00411993587, "0.00411993587"}};
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(number_text(cases[i].v, text), cases[i].text);
}

static void numbers_read_back(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t bits = hash_mix(i);
        double v;
        char text[32], shorter[32];
        memcpy(&v, &bits, sizeof v);
        if (v != v || v - v != 0)
            continue;
        number_text(v, text);
        assert_true(strtod(text, NULL) == v);
        for (int digits = 1; digits < 15; digits++) { /* nothing shorter would do */
            snprintf(shorter, sizeof shorter, "%.*g", digits, v);
            assert_true(strtod(shorter, NULL) != v || strcmp(shorter, text) == 0);
        }
        float f = (float)(i % 977) / 31.0f;
        assert_true((float)number_of_float(f) == f);
    }
    char text[32];
    assert_string_equal(number_text(number_of_float(0.1f), text), "0.1");
    assert_string_equal(number_text(number_of_float(16777216.0f), text), "16777216");
}

static void json_is_one_text(void **state) {
    (void)state;
    json_t *root = json_pack("{s:f, s:[i,f,n,b], s:{}, s:[], s:s}", "b", 0.9, "a", 3, 2.0, 1, "d", "c", "e",
                             "\"\n\xc3\xa9");
    char *text = json_text(root, 1, true);
    assert_string_equal(
        text, "{\n \"a\": [\n  3,\n  2,\n  null,\n  true\n ],\n \"b\": 0.9,\n \"c\": [],\n \"d\": {},\n"
              " \"e\": \"\\\"\\n\xc3\xa9\"\n}\n");
    json_t *again = json_loads(text, 0, NULL);
    char *second = json_text(again, 1, true);
    assert_string_equal(second, text);
    free(second);
    free(text);
    text = json_text(root, 2, false);
    assert_memory_equal(text, "{\n  \"b\": 0.9,\n  \"a\"", 18);
    free(text);
    text = json_text(root, JSON_TEXT_COMPACT, false);
    assert_string_equal(text,
                        "{\"b\":0.9,\"a\":[3,2,null,true],\"d\":{},\"c\":[],\"e\":\"\\\"\\n\xc3\xa9\"}");
    free(text);
    json_decref(again);
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(json_is_one_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
