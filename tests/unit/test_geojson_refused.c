/* What is wrong with drawn files, to the letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/geojson_kit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void text_that_is_no_collection(void **state) {
    (void)state;
    splines_say("", "1:1 no valid JSON: '[' or '{' expected near end of file\n");
    splines_say("{\"type\": \"FeatureCollection\",\n \"features\": [1, 2,]}",
                "2:20 no valid JSON: unexpected token near ']'\n");
    splines_say("{\"type\": \"FeatureCollection\", \"features\": [],\n \"features\": []}",
                "2:11 no valid JSON: duplicate object key near '\"features\"'\n");
    splines_say("{\"a\": NaN}", "1:9 no valid JSON: invalid token near 'NaN'\n");
    splines_say("{\"a\": 1e999}", "1:11 a number is too large: real number overflow near '1e999'\n");
    splines_say("{\"a\": 99999999999999999999}",
                "1:26 a number is too large: too big integer near '99999999999999999999'\n");
    splines_say("[]", "1:1 a GeoJSON FeatureCollection is expected, this is something else\n");
    splines_say("\n  {\"type\": \"Feature\"}",
                "2:3 a GeoJSON FeatureCollection is expected, this is a Feature\n");
    splines_say("{\"type\": \"FeatureCollection\"}", "1:1 \"features\" is missing or no array\n");
    splines_say("{\"type\": \"FeatureCollection\", \"features\": 5}",
                "1:43 \"features\" is missing or no array\n");
    splines_say("\xef\xbb\xbf" COLLECTION(""), "");
}

static void say_bytes(const char *text, size_t size, const char *expected) {
    geojson_says(FEATURES_SPLINES, FEATURES_REFUSE, text, size, expected);
}

static void encodings_are_told_apart(void **state) {
    (void)state;
    static const char wide[] = "\xff\xfe{\0}\0", big[] = "\xfe\xff\0{\0}", bare[] = "{\0}\0";
    const char *expected = "1:1 the text is UTF-16 or UTF-32: save it as UTF-8\n";
    say_bytes(wide, sizeof wide - 1, expected);
    say_bytes(big, sizeof big - 1, expected);
    say_bytes(bare, sizeof bare - 1, expected);
    splines_say("\xef\xbb\xbf" COLLECTION(LINE("")),
                "2:1 features[0]: it has no property \"kind\" (river, road, fence ...)\n");
    splines_say("{\"type\": \"FeatureCollection\",\r\n\"features\": [\r\n" LINE("") "\r\n]}\r\n",
                "3:1 features[0]: it has no property \"kind\" (river, road, fence ...)\n");
    splines_say(COLLECTION(LINE("\"kind\": \"\xff\"")),
                "2:44 no valid JSON: unable to decode byte 0xff near '\"'\n");
}

static void files_of_more_than_64_mib_are_refused(void **state) {
    (void)state;
    char path[] = "/tmp/terrane_geojson_XXXXXX";
    int file = mkstemp(path);
    struct report report = {0};
    struct features *f = features_new(FEATURES_SPLINES);
    assert_true(file >= 0 && ftruncate(file, 100 << 20) == 0);
    assert_int_equal(features_read(path, &geojson_world, f, &report), STATUS_LIMIT);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.items[0].message, "is larger than 67108864 bytes");
    close(file);
    unlink(path);
    features_free(f);
    report_free(&report);
}

static void deep_nesting_is_refused(void **state) {
    (void)state;
    size_t depth = 100000;
    char *text = malloc(depth + 1);
    assert_non_null(text);
    memset(text, '[', depth);
    text[depth] = 0;
    splines_say(text, "1:2049 no valid JSON: maximum parsing depth reached near '['\n");
    free(text);
}

static void geometries_that_are_not_read(void **state) {
    (void)state;
    splines_say(COLLECTION("{\"type\": \"Feature\", \"properties\": {" ROAD "}, \"geometry\": null}"),
                "2:65 features[0]: it has no geometry\n");
    splines_say(
        COLLECTION("{\"type\": \"Feature\", \"properties\": {" ROAD "}, \"geometry\": {\"type\": "
                   "\"GeometryCollection\", \"geometries\": []}}"),
        "2:65 features[0]: the geometry GeometryCollection is not read; Point, LineString, Polygon and "
        "their Multi forms are\n");
    splines_say(COLLECTION(FEATURE("MultiPolygon", "[]", "\"kind\": \"lake\"")),
                "2:65 features[0]: a MultiPolygon without coordinates\n");
    splines_say(COLLECTION(FEATURE("MultiPolygon", "[[]]", "\"kind\": \"lake\"")),
                "2:1 features[0]: a polygon without rings\n");
    splines_say(COLLECTION(FEATURE("LineString", "[]", ROAD)),
                "2:1 features[0]: a line needs 2 points or more, not 0\n");
    splines_say(COLLECTION(FEATURE("Point", "[]", "\"kind\": \"power_tower\"")),
                "2:105 features[0]: point 0 is no array of two or three numbers\n");
    splines_say(COLLECTION(FEATURE("LineString", "null", ROAD)),
                "2:1 features[0]: the coordinates of a LineString are nested otherwise\n");
}

static void every_mistake_comes_in_one_go_with_its_place(void **state) {
    (void)state;
    splines_say(
        COLLECTION(
            "5,\n"
            "{\"type\": \"Feature\", \"properties\": {}},\n" FEATURE("Circle", "[]", ROAD) ",\n" FEATURE(
                "LineString", "[[1, 2]]", ROAD) ",\n" FEATURE("LineString", "[[1, 2], [3, \"x\"]]",
                                                              ROAD) ",\n" LINE("")),
        "2:1 features[0]: an object with \"type\": \"Feature\" is expected here\n"
        "3:1 features[1]: it has no geometry\n"
        "4:65 features[2]: the geometry Circle is not read; Point, LineString, Polygon and their Multi "
        "forms are\n"
        "5:1 features[3]: a line needs 2 points or more, not 1\n"
        "6:112 features[4]: point 1: its coordinates are no numbers\n"
        "7:1 features[5]: it has no property \"kind\" (river, road, fence ...)\n");
}

static void points_are_checked(void **state) {
    (void)state;
    splines_say(COLLECTION(FEATURE("LineString", "[[1, 2], 7]", ROAD)),
                "2:1 features[0]: point 1 is no array of two or three numbers\n");
    splines_say(COLLECTION(FEATURE("LineString", "[[1, 2], [1, 2, 3, 4]]", ROAD)),
                "2:112 features[0]: point 1 is no array of two or three numbers\n");
    splines_say(
        COLLECTION(FEATURE("LineString", "[[1, 2], [1, 2, 3]]", ROAD)),
        "2:112 features[0]: point 1 has 3 coordinates, those before it have 2: give all points a height "
        "or none\n");
    splines_say(COLLECTION(FEATURE("LineString", "7", ROAD)),
                "2:1 features[0]: the coordinates of a LineString are nested otherwise\n");
    splines_say(COLLECTION(FEATURE("MultiLineString", "[[1, 2], [3, 4]]", ROAD)),
                "2:109 features[0]: point 0 is no array of two or three numbers\n");
    splines_say(COLLECTION(FEATURE("MultiLineString", "[]", ROAD)),
                "2:65 features[0]: a MultiLineString without coordinates\n");
    splines_say(COLLECTION(FEATURE("Polygon", "[]", "\"kind\": \"lake\"")),
                "2:1 features[0]: a polygon without rings\n");
    splines_say(
        COLLECTION(FEATURE("LineString", "[[1, 2], [1, 2], [1, 2]]", ROAD)),
        "2:104 features[0]: a line has only 1 different point\n"
        "W2:112 2 points repeat the one before and are left out; the first is features[0], point 1\n");
}

static void lines_may_reach_64_m_beyond_the_world(void **state) {
    (void)state;
    splines_say(COLLECTION(FEATURE("LineString", "[[-64, 2], [576, 320]]", ROAD)), "");
    splines_say(COLLECTION(FEATURE("LineString", "[[100, 2],\n [600, 300]]", ROAD)),
                "3:2 features[0]: point 1 (600, 300) lies 88 m outside the world (x 0 to 512, y 0 to 256 m); "
                "features may reach 64 m beyond its edge, or are cut off there with 'outside: clip'\n");
    splines_say(
        COLLECTION(FEATURE("LineString", "[[1e300, 2], [600, 300]]", ROAD)),
        "2:104 features[0]: point 0 (1e+300, 2) lies 1e+300 m outside the world (x 0 to 512, y 0 to 256 "
        "m); features may reach 64 m beyond its edge, or are cut off there with 'outside: clip'\n");
}

static void rings_are_closed_and_cross_nothing(void **state) {
    (void)state;
    splines_say(LAKE("[[[0, 0], [9, 0], [9, 9], [0, 9]]]"),
                "2:126 features[0]: a ring is not closed: it starts at (0, 0) and ends at (0, 9)\n");
    splines_say(LAKE("[[[0, 0], [9, 0], [0, 0]]]"),
                "2:1 features[0]: a ring needs 4 points or more (the last repeats the first), not 3\n");
    splines_say(LAKE("[[[0, 0], [9, 9], [9, 0], [0, 9], [0, 0]]]"),
                "2:1 features[0]: the polygon crosses itself at (4.5, 4.5)\n");
    splines_say(LAKE("[[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], [[5, 5], [12, 5], [5, 6], [5, 5]]]"),
                "2:1 features[0]: the polygon crosses itself at (9, 5)\n");
    splines_say(LAKE("[[[0, 0], [4, 4], [9, 9], [4, 4], [0, 0]]]"),
                "2:1 features[0]: ring 0 encloses nothing\n");
    splines_say(
        LAKE("[[[0, 0], [9, 0], [9, 0], [0, 0], [0, 0]]]"),
        "2:102 features[0]: a ring has only 2 different points\n"
        "W2:118 2 points repeat the one before and are left out; the first is features[0], point 2\n");
    /* a hole that touches its ring at a corner */
    splines_say(LAKE("[[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], [[0, 0], [5, 2], [5, 6], [0, 0]]]"), "");
}

static void properties_are_checked(void **state) {
    (void)state;
    splines_say(COLLECTION(LINE("\"kind\": 5")), "2:44 features[0]: \"kind\" is no text\n");
    splines_say(COLLECTION(LINE("\"kind\": \"lake\"")),
                "2:65 features[0]: a lake is a Polygon, not a LineString\n");
    splines_say(COLLECTION(LINE(ROAD ", \"curve\": \"catmul-rom\"")),
                "2:61 features[0]: \"curve\" is linear or catmull-rom; did you mean catmull-rom?\n");
    splines_say(
        COLLECTION(LINE(ROAD ", \"width_m\": [1, 2]")),
        "2:63 features[0]: \"width_m\" has 2 values for 3 points; give one for each, or one number for "
        "all\n");
    splines_say(
        COLLECTION(LINE(ROAD ", \"width_m\": [1, 2, \"3\"]")),
        "2:63 features[0]: \"width_m\": an array holds one number for each point; entry 2 is no number\n");
    splines_say(
        COLLECTION(LINE(ROAD ", \"tags\": {\"a\": 1}") ",\n" FEATURE("LineString", "[[1, 2], [3, 5]]",
                                                                     ROAD ", \"other\": {}")),
        "W2:60 2 objects are ignored: a property is a number, a text, or an array of numbers; the first "
        "is \"tags\"\n");
    splines_say(COLLECTION(FEATURE("LineString", "[[1, 2, 3], [3, 5, 3]]", ROAD ", \"z_m\": 5")),
                "2:59 features[0]: heights stand both in the coordinates and in \"z_m\"\n");
    splines_say(COLLECTION(LINE(RIVER ", \"width_m\": true")),
                "2:64 features[0]: \"width_m\" is a number, not true\n");
    splines_say(COLLECTION(LINE(RIVER ", \"wild_m\": true")), "");
    splines_say(COLLECTION("{\"type\": \"Feature\", \"properties\": 5, \"geometry\": {\"type\": \"Point\", "
                           "\"coordinates\": [1, 2]}}"),
                "2:35 features[0]: \"properties\" is no object\n");
}

static void slips_of_the_pen_are_noticed(void **state) {
    (void)state;
    splines_say(COLLECTION(LINE(RIVER ", \"width\": 12") ",\n" FEATURE(
                    "LineString", "[[1, 9], [3, 12]]", "\"kind\": \"stream\", \"width\": 2, \"widht_m\": 2")),
                "W2:62 the property \"width\" of 2 features changes nothing: did you mean \"width_m\"?\n"
                "W3:77 the property \"widht_m\" changes nothing: did you mean \"width_m\"?\n");
    splines_say(
        COLLECTION(LINE(RIVER ", \"Depth\": 1, \"levle_m\": 3, \"Carve\": \"none\", \"curv\": \"linear\"")),
        "W2:62 the property \"Depth\" changes nothing: did you mean \"depth_m\"?\n"
        "W2:76 the property \"levle_m\" changes nothing: did you mean \"level_m\"?\n"
        "W2:88 the property \"Carve\" changes nothing: did you mean \"carve\"?\n"
        "W2:104 the property \"curv\" changes nothing: did you mean \"curve\"?\n");
    /* beside the right one */
    splines_say(COLLECTION(LINE(RIVER ", \"width_m\": 3, \"width\": 12")),
                "W2:76 the property \"width\" changes nothing: did you mean \"width_m\"?\n");
    splines_say(COLLECTION(LINE("\"Kind\": \"river\"")),
                "2:44 features[0]: it has no property \"kind\", but \"Kind\": did you mean \"kind\"?\n");
    placed_say(COLLECTION(FEATURE("Point", "[1, 2]", "\"radius\": 3, \"radius_m\": 2")),
               "W2:46 the property \"radius\" changes nothing: did you mean \"radius_m\"?\n");
    /* what others write */
    splines_say(
        COLLECTION(
            LINE(RIVER ", \"name\": \"Inn\", \"waterway\": \"river\", \"fid\": 7, \"osm_id\": 8, "
                       "\"wind\": 3, \"layer\": -1, \"tunnel\": \"no\", \"source\": \"x\", \"width\": null")),
        "");
    splines_say(COLLECTION(LINE(ROAD ", \"level\": 1, \"depth\": 2")), "");
}

static void properties_beside_properties_are_noticed(void **state) {
    (void)state;
    splines_say(COLLECTION("{\"type\": \"Feature\", \"width_m\": 3, \"title\": 1, \"properties\": {" RIVER
                           "}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4]]}}"),
                "W2:32 \"width_m\" stands beside \"properties\" and changes nothing: move it there\n");
}

static void ids_are_texts_or_whole_numbers_and_stand_once(void **state) {
    (void)state;
    splines_say(COLLECTION(LINE(ROAD ", \"id\": 1.5")),
                "2:58 features[0]: an id is a text or a whole number\n");
    splines_say(COLLECTION(LINE(ROAD ", \"id\": \"\"")),
                "2:58 features[0]: an id is a text or a whole number\n");
    splines_say(COLLECTION("{\"id\": 5, "
                           "\"type\": \"Feature\", \"properties\": {\"kind\": \"road\", \"id\": "
                           "\"6\"}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, "
                           "4]]}}"),
                "2:8 features[0]: it has two ids: \"5\" and, among its properties, \"6\"\n");
    splines_say(COLLECTION(LINE(ROAD ", \"id\": 5") ",\n" FEATURE("LineString", "[[7, 7], [8, 8]]",
                                                                  ROAD ", \"id\": \"5\"")),
                "3:1 features[1]: the id \"5\" stands twice: it is also that of features[0] at "
                "a.geojson:2:1; every id of "
                "a world must be its own\n");
    /* the parts of one feature share its id */
    splines_say(
        COLLECTION(FEATURE("MultiLineString", "[[[1, 1], [2, 2]], [[3, 3], [4, 4]]]", ROAD ", \"id\": 5")),
        "");
}

static void ids_are_compared_between_sets(void **state) {
    (void)state;
    struct report report = {0};
    struct features *lines =
        geojson_read(FEATURES_SPLINES, FEATURES_REFUSE, COLLECTION(LINE(ROAD ", \"id\": \"x\"")), &report);
    assert_int_equal(features_finish(lines, &geojson_world, NULL, &report), STATUS_OK);
    struct features *placed = features_new(FEATURES_PLACED);
    const char text[] = COLLECTION(FEATURE("Point", "[1, 2]", "\"radius_m\": 3, \"id\": \"x\""));
    features_parse("b.geojson", text, strlen(text), &geojson_world, placed, &report);
    assert_int_equal(features_finish(placed, &geojson_world, lines, &report), STATUS_INPUT);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.items[0].message,
                        "features[0]: the id \"x\" stands twice: it is also that of features[0] at "
                        "a.geojson:2:1; every id of a world must be its own");
    assert_string_equal(report.items[0].file, "b.geojson");
    features_free(lines);
    features_free(placed);
    report_free(&report);
}

static void unknown_kinds_are_one_warning(void **state) {
    (void)state;
    splines_say(
        COLLECTION(FEATURE("Point", "[1, 1]", "\"kind\": \"rivr\"") ",\n" FEATURE(
            "Point", "[2, 1]", "\"kind\": \"aerialway\"") ",\n" FEATURE("Point", "[3, 1]",
                                                                        "\"kind\": \"aerialway\"")),
        "W3:1 3 features are of a kind that no tool knows and do nothing: aerialway (2), rivr (1, did you "
        "mean river?)\n");
    splines_say(COLLECTION(FEATURE("Point", "[1, 1]", "\"kind\": \"x\"")),
                "W2:1 1 feature is of a kind that no tool knows and does nothing: x (1)\n");
    placed_say(COLLECTION(FEATURE("Point", "[1, 1]", "\"kind\": \"hut\", \"radius_m\": 2")), "");
}

static void copies_are_one_warning(void **state) {
    (void)state;
    splines_say(
        COLLECTION(LINE(ROAD) ",\n" LINE(ROAD ", \"width_m\": 3") ",\n" LINE("\"kind\": \"path\"")),
        "W3:1 1 feature has exactly the points of another of the same kind; the first is features[1]\n");
}

static void placed_things_need_a_size(void **state) {
    (void)state;
    placed_say(
        COLLECTION(
            FEATURE("Point", "[1, 1]", "") ",\n" FEATURE("Point", "[2, 1]", "\"radius_m\": 0") ",\n" FEATURE(
                "LineString", "[[2, 1], [3, 4]]", "\"width_m\": \"wide\"") ",\n" FEATURE("LineString",
                                                                                         "[[2, 1], [3, 4]]",
                                                                                         "\"width_m\": [1, "
                                                                                         "2]")),
        "2:1 features[0]: a placed point needs \"radius_m\": above 0, at most 4096 m\n"
        "3:48 features[1]: a placed point needs \"radius_m\": above 0, at most 4096 m\n"
        "4:47 features[2]: a placed line needs \"width_m\": above 0, at most 4096 m\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_that_is_no_collection),
        cmocka_unit_test(encodings_are_told_apart),
        cmocka_unit_test(files_of_more_than_64_mib_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(geometries_that_are_not_read),
        cmocka_unit_test(slips_of_the_pen_are_noticed),
        cmocka_unit_test(properties_beside_properties_are_noticed),
        cmocka_unit_test(every_mistake_comes_in_one_go_with_its_place),
        cmocka_unit_test(points_are_checked),
        cmocka_unit_test(lines_may_reach_64_m_beyond_the_world),
        cmocka_unit_test(rings_are_closed_and_cross_nothing),
        cmocka_unit_test(properties_are_checked),
        cmocka_unit_test(ids_are_texts_or_whole_numbers_and_stand_once),
        cmocka_unit_test(ids_are_compared_between_sets),
        cmocka_unit_test(unknown_kinds_are_one_warning),
        cmocka_unit_test(copies_are_one_warning),
        cmocka_unit_test(placed_things_need_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
