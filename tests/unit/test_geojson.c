#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/geojson.h"
#include "gen/report_text.h"
#include "terrain/hash.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A world of 2 x 1 sections. */
static const struct extent world = {1.0, {0, 0, 512, 256}};

static struct features *read_as(enum features_purpose purpose, const char *text, struct report *report) {
    struct features *f = features_new(purpose);
    assert_non_null(f);
    features_parse("a.geojson", text, strlen(text), &world, f, report);
    return f;
}

/* The messages of a text, one a line: "line:column message", warnings with a W before. */
static void assert_says(enum features_purpose purpose, const char *text, const char *expected) {
    struct report report = {0};
    struct features *f = read_as(purpose, text, &report);
    features_finish(f, &world, NULL, &report);
    char said[8192] = "";
    size_t at = 0;
    for (size_t i = 0; i < report.count; i++)
        at += (size_t)snprintf(said + at, sizeof said - at, "%s%d:%d %s\n",
                               report.items[i].level == REPORT_WARNING ? "W" : "", report.items[i].line,
                               report.items[i].column, report.items[i].message);
    assert_string_equal(said, expected);
    features_free(f);
    report_free(&report);
}

#define COLLECTION(features) "{\"type\": \"FeatureCollection\", \"features\": [\n" features "]}"
#define FEATURE(type, coordinates, properties)                                                               \
    "{\"type\": \"Feature\", \"properties\": {" properties "}, \"geometry\": {\"type\": \"" type             \
    "\", \"coordinates\": " coordinates "}}"
#define LINE(properties) FEATURE("LineString", "[[1, 2], [3, 4], [5, 2]]", properties)
#define ROAD             "\"kind\": \"road\""

static void splines_say(const char *text, const char *expected) {
    assert_says(FEATURES_SPLINES, text, expected);
}

static void what_is_drawn_is_read(void **state) {
    (void)state;
    struct report report = {0};
    struct features *f =
        read_as(FEATURES_SPLINES,
                COLLECTION(FEATURE(
                    "LineString", "[[1, 2, 50], [3, -0.0, 51.5], [5.25, 2, 52]]",
                    "\"kind\": \"river\", \"id\": 17, \"width_m\": [4, 5, 6.5], "
                    "\"name\": \"Inn\", "
                    "\"depth_m\": 1.5, \"wild\": true, \"note\": null, \"big\": "
                    "9007199254740995") ",\n" FEATURE("Polygon",
                                                      "[[[0, 0], [10, 0], [10, 10], [0, "
                                                      "10], [0, 0]], [[2, 2], [4, 2], "
                                                      "[4, 4], "
                                                      "[2, 2]]]",
                                                      "\"kind\": \"lake\", \"id\": "
                                                      "\"pond\"") ",\n" FEATURE("MultiLin"
                                                                                "eString",
                                                                                "[[[1, "
                                                                                "1], [2, "
                                                                                "2]], "
                                                                                "[[3, "
                                                                                "3], [4, "
                                                                                "4], [5, "
                                                                                "4]]]",
                                                                                "\"kind\""
                                                                                ": "
                                                                                "\"fence"
                                                                                "\", "
                                                                                "\"curve"
                                                                                "\": "
                                                                                "\"linear"
                                                                                "\", "
                                                                                "\"h_m\":"
                                                                                " [1, 2, "
                                                                                "3, 4, "
                                                                                "5]") ","
                                                                                      "\n" FEATURE(
                                                                                          "Point", "[7, 8]",
                                                                                          "\"kind\": "
                                                                                          "\"power_tower\"")),
                &report);
    assert_int_equal(features_finish(f, &world, NULL, &report), STATUS_OK);
    assert_int_equal(report.count, 0);
    assert_int_equal(f->count, 5);

    const struct feature *river = &f->items[0];
    assert_int_equal(river->kind, FEATURE_RIVER);
    assert_int_equal(river->shape, FEATURE_LINE);
    assert_string_equal(river->kind_text, "river");
    assert_string_equal(river->id, "17");
    assert_true(river->id_hash == hash_name("17"));
    assert_true(river->smooth);
    assert_int_equal(river->count, 3);
    assert_true(river->xy[3] == 0.0 && !(1 / river->xy[3] < 0));
    assert_true(feature_number(river, "width_m", 2, 0) == 6.5);
    assert_true(feature_number(river, "depth_m", 2, 0) == 1.5);
    assert_true(feature_number(river, "wild", 0, 0) == 1);
    assert_true(feature_number(river, "z_m", 1, 0) == 51.5);
    assert_true(feature_number(river, "name", 0, -1) == -1);
    assert_true(feature_number(river, "absent", 0, -2) == -2);
    assert_string_equal(feature_text(river, "name", ""), "Inn");
    assert_string_equal(feature_text(river, "big", ""), "9007199254740995");
    assert_string_equal(feature_text(river, "depth_m", "none"), "none");
    assert_null(feature_attribute(river, "note"));
    assert_int_equal(river->attribute_count, 6);
    assert_int_equal(river->line, 2);
    assert_int_equal(river->column, 1);

    const struct feature *lake = &f->items[1];
    assert_int_equal(lake->kind, FEATURE_LAKE);
    assert_false(lake->smooth);
    assert_int_equal(lake->count, 7);
    assert_int_equal(lake->ring_count, 2);
    assert_int_equal(lake->ring_end[0], 4);
    assert_int_equal(lake->ring_end[1], 7);

    const struct feature *fence = &f->items[3];
    assert_int_equal(fence->kind, FEATURE_FENCE);
    assert_int_equal(fence->part, 1);
    assert_false(fence->smooth);
    assert_int_equal(fence->count, 3);
    assert_true(feature_number(fence, "h_m", 0, 0) == 3);
    assert_true(feature_number(fence, "h_m", 2, 0) == 5);

    assert_int_equal(f->items[4].shape, FEATURE_POINT);
    features_free(f);
    report_free(&report);
}

static void text_that_is_no_collection(void **state) {
    (void)state;
    splines_say("", "1:1 no valid JSON: '[' or '{' expected near end of file\n");
    splines_say("{\"type\": \"FeatureCollection\",\n \"features\": [1, 2,]}",
                "2:20 no valid JSON: unexpected token near ']'\n");
    splines_say("{\"type\": \"FeatureCollection\", \"features\": [],\n \"features\": []}",
                "2:11 no valid JSON: duplicate object key near '\"features\"'\n");
    splines_say("{\"a\": NaN}", "1:9 no valid JSON: invalid token near 'NaN'\n");
    splines_say("{\"a\": 1e999}", "1:11 no valid JSON: real number overflow near '1e999'\n");
    splines_say("[]", "1:1 a GeoJSON FeatureCollection is expected, this is something else\n");
    splines_say("\n  {\"type\": \"Feature\"}",
                "2:3 a GeoJSON FeatureCollection is expected, this is a Feature\n");
    splines_say("{\"type\": \"FeatureCollection\"}", "1:1 \"features\" is missing or no array\n");
    splines_say("{\"type\": \"FeatureCollection\", \"features\": 5}",
                "1:43 \"features\" is missing or no array\n");
    splines_say("\xef\xbb\xbf" COLLECTION(""), "");
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

static void repeated_points_are_left_out_with_their_attributes(void **state) {
    (void)state;
    struct report report = {0};
    struct features *f = read_as(FEATURES_SPLINES,
                                 COLLECTION(FEATURE("LineString", "[[1, 2], [1, 2], [3, 4], [3, 4], [1, 2]]",
                                                    ROAD ", \"width_m\": [1, 2, 3, 4, 5]")),
                                 &report);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.items[0].message,
                        "2 points repeat the one before and are left out; the first is features[0], point 1");
    assert_int_equal(f->items[0].count, 3);
    assert_true(feature_number(&f->items[0], "width_m", 0, 0) == 1);
    assert_true(feature_number(&f->items[0], "width_m", 1, 0) == 3);
    assert_true(feature_number(&f->items[0], "width_m", 2, 0) == 5);
    features_free(f);
    report_free(&report);
}

static void lines_may_reach_64_m_beyond_the_world(void **state) {
    (void)state;
    splines_say(COLLECTION(FEATURE("LineString", "[[-64, 2], [576, 320]]", ROAD)), "");
    splines_say(COLLECTION(FEATURE("LineString", "[[100, 2],\n [600, 300]]", ROAD)),
                "3:2 features[0]: point 1 (600, 300) lies 88 m outside the world (x 0 to 512, y 0 to 256 m); "
                "features may reach 64 m beyond its edge\n");
    splines_say(
        COLLECTION(FEATURE("LineString", "[[1e300, 2], [600, 300]]", ROAD)),
        "2:104 features[0]: point 0 (1e+300, 2) lies 1e+300 m outside the world (x 0 to 512, y 0 to 256 "
        "m); features may reach 64 m beyond its edge\n");
}

static void rings_are_closed_and_cross_nothing(void **state) {
    (void)state;
#define LAKE(coordinates) COLLECTION(FEATURE("Polygon", coordinates, "\"kind\": \"lake\""))
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
    splines_say(COLLECTION("{\"type\": \"Feature\", \"properties\": 5, \"geometry\": {\"type\": \"Point\", "
                           "\"coordinates\": [1, 2]}}"),
                "2:35 features[0]: \"properties\" is no object\n");
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
    struct features *lines = read_as(FEATURES_SPLINES, COLLECTION(LINE(ROAD ", \"id\": \"x\"")), &report);
    assert_int_equal(features_finish(lines, &world, NULL, &report), STATUS_OK);
    struct features *placed = features_new(FEATURES_PLACED);
    const char text[] = COLLECTION(FEATURE("Point", "[1, 2]", "\"radius_m\": 3, \"id\": \"x\""));
    features_parse("b.geojson", text, strlen(text), &world, placed, &report);
    assert_int_equal(features_finish(placed, &world, lines, &report), STATUS_INPUT);
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
    assert_says(FEATURES_PLACED, COLLECTION(FEATURE("Point", "[1, 1]", "\"kind\": \"hut\", \"radius_m\": 2")),
                "");
}

static void copies_are_one_warning(void **state) {
    (void)state;
    splines_say(
        COLLECTION(LINE(ROAD) ",\n" LINE(ROAD ", \"width_m\": 3") ",\n" LINE("\"kind\": \"path\"")),
        "W3:1 1 feature has exactly the points of another of the same kind; the first is features[1]\n");
}

static void placed_things_need_a_size(void **state) {
    (void)state;
    assert_says(
        FEATURES_PLACED,
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

/* ---- order and index, over random sets ---- */

enum { MANY = 60 };

/* Line i of a random set, as text. */
static size_t random_line(uint64_t seed, int32_t i, char *out, size_t room) {
    int32_t x = (int32_t)(hash_place(seed, 1, i, 0, 0) % 500),
            y = (int32_t)(hash_place(seed, 2, i, 0, 0) % 250);
    int32_t dx = (int32_t)(hash_place(seed, 3, i, 0, 0) % 60) - 30,
            dy = 1 + (int32_t)(hash_place(seed, 4, i, 0, 0) % 9);
    return (size_t)snprintf(out, room,
                            "%s" FEATURE("LineString", "[[%d, %d], [%d, %d], [%d, %d]]",
                                         "\"kind\": \"%s\", \"width_m\": %d, \"a\": \"t\""),
                            out[-1] == '\n' ? "" : ",\n", i % 3 ? "road" : "river", i % 7 + 1, x, y, x + dx,
                            y + dy, x + 2 * dx > 570 ? x : x + dx + 5, y + 2 * dy);
}

static struct features *random_set(uint64_t seed, bool reversed) {
    static char text[MANY * 256 + 256];
    size_t at = (size_t)sprintf(text, "{\"type\": \"FeatureCollection\", \"features\": [\n");
    for (int32_t i = 0; i < MANY; i++)
        at += random_line(seed, reversed ? MANY - 1 - i : i, text + at, sizeof text - at);
    sprintf(text + at, "]}");
    struct report report = {0};
    struct features *f = read_as(FEATURES_SPLINES, text, &report);
    assert_int_equal(features_finish(f, &world, NULL, &report), STATUS_OK);
    assert_int_equal(f->count, MANY);
    report_free(&report);
    return f;
}

static void the_order_does_not_depend_on_the_file(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct features *a = random_set(seed, false), *b = random_set(seed, true);
        for (size_t i = 0; i < MANY; i++)
            assert_memory_equal(&a->items[i].content, &b->items[i].content, sizeof a->items[i].content);
        features_free(a);
        features_free(b);
    }
}

static void the_content_hash_sees_every_part(void **state) {
    (void)state;
    static const char *const texts[] = {
        COLLECTION(LINE(ROAD)),
        COLLECTION(LINE("\"kind\": \"path\"")),
        COLLECTION(LINE(ROAD ", \"id\": 1")),
        COLLECTION(LINE(ROAD ", \"curve\": \"linear\"")),
        COLLECTION(LINE(ROAD ", \"width_m\": 1")),
        COLLECTION(LINE(ROAD ", \"width_m\": 2")),
        COLLECTION(LINE(ROAD ", \"width_m\": \"1\"")),
        COLLECTION(LINE(ROAD ", \"width_m\": [1, 1, 1]")),
        COLLECTION(LINE(ROAD ", \"width_n\": 1")),
        COLLECTION(FEATURE("LineString", "[[1, 2], [3, 4], [5, 3]]", ROAD)),
        COLLECTION(FEATURE("LineString", "[[1, 2], [3, 4]]", ROAD)),
        COLLECTION(FEATURE("MultiLineString", "[[[1, 2], [3, 4], [5, 2]]]", ROAD)),
    };
    enum { N = sizeof texts / sizeof texts[0] };
    struct hash128 content[N];
    for (int i = 0; i < N; i++) {
        struct report report = {0};
        struct features *f = read_as(FEATURES_SPLINES, texts[i], &report);
        assert_int_equal(f->count, 1);
        content[i] = f->items[0].content;
        for (int k = 0; k < i; k++)
            /* a Multi geometry of one part is that part */
            assert_true((content[i].lo != content[k].lo) != (i == N - 1 && k == 0));
        features_free(f);
        report_free(&report);
    }
}

static void find_misses_nothing_that_touches(void **state) {
    (void)state;
    struct features *f = random_set(7, false);
    int32_t found = 0;
    for (int32_t q = 0; q < 200; q++) {
        double x = (double)(hash_place(9, 1, q, 0, 0) % 500), y = (double)(hash_place(9, 2, q, 0, 0) % 250);
        struct box box = {x, y, x + (double)(hash_place(9, 3, q, 0, 0) % 40), y + 20};
        size_t next = 0;
        for (size_t i = 0; i < f->count; i++) {
            const struct feature *a = &f->items[i];
            struct curve curve = feature_curve(a, 0);
            struct curve_sample samples[512];
            double lengths[8];
            terrain_curve_measure(&curve, lengths);
            assert_true(terrain_curve_sample_count(&curve, lengths, 1, CURVE_THROUGH) <= 512);
            size_t n = terrain_curve_sample(&curve, lengths, 1, CURVE_THROUGH, samples);
            bool point_inside = false;
            for (size_t k = 0; k < n; k++)
                point_inside |= samples[k].x >= box.x0 && samples[k].x <= box.x1 && samples[k].y >= box.y0 &&
                                samples[k].y <= box.y1;
            size_t at = next;
            bool listed = features_find(f, &box, &at) && at == i;
            assert_true(listed || !point_inside);
            if (listed) {
                next = i + 1;
                found++;
                assert_true(a->x0 - 4 <= box.x1 && a->x1 + 4 >= box.x0);
            }
        }
    }
    assert_true(found > 100);
    features_free(f);
}

static void a_missing_file_is_said(void **state) {
    (void)state;
    struct report report = {0};
    struct features *f = features_new(FEATURES_SPLINES);
    assert_int_equal(features_read("/nonexistent/a.geojson", &world, f, &report), STATUS_FILE);
    assert_int_equal(report.errors, 1);
    features_free(f);
    report_free(&report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_drawn_is_read),
        cmocka_unit_test(text_that_is_no_collection),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(every_mistake_comes_in_one_go_with_its_place),
        cmocka_unit_test(points_are_checked),
        cmocka_unit_test(repeated_points_are_left_out_with_their_attributes),
        cmocka_unit_test(lines_may_reach_64_m_beyond_the_world),
        cmocka_unit_test(rings_are_closed_and_cross_nothing),
        cmocka_unit_test(properties_are_checked),
        cmocka_unit_test(ids_are_texts_or_whole_numbers_and_stand_once),
        cmocka_unit_test(ids_are_compared_between_sets),
        cmocka_unit_test(unknown_kinds_are_one_warning),
        cmocka_unit_test(copies_are_one_warning),
        cmocka_unit_test(placed_things_need_a_size),
        cmocka_unit_test(the_order_does_not_depend_on_the_file),
        cmocka_unit_test(the_content_hash_sees_every_part),
        cmocka_unit_test(find_misses_nothing_that_touches),
        cmocka_unit_test(a_missing_file_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
