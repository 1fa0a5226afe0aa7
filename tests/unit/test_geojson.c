#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include "tests/unit/geojson_kit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THE_RIVER                                                                                            \
    FEATURE("LineString", "[[1, 2, 50], [3, -0.0, 51.5], [5.25, 2, 52]]",                                    \
            RIVER ", \"id\": 17, \"width_m\": [4, 5, 6.5], \"name\": \"Inn\", \"depth_m\": 1.5, "            \
                  "\"wild\": true, \"note\": null, \"big\": 9007199254740995")
#define THE_LAKE                                                                                             \
    FEATURE("Polygon", "[[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]], [[2, 2], [4, 2], [4, 4], [2, 2]]]",   \
            "\"kind\": \"lake\", \"id\": \"pond\"")
#define THE_FENCES                                                                                           \
    FEATURE("MultiLineString", "[[[1, 1], [2, 2]], [[3, 3], [4, 4], [5, 4]]]",                               \
            "\"kind\": \"fence\", \"curve\": \"linear\", \"h_m\": [1, 2, 3, 4, 5]")
#define THE_TOWER FEATURE("Point", "[7, 8]", "\"kind\": \"power_tower\"")
static const char drawn[] = COLLECTION(THE_RIVER ",\n" THE_LAKE ",\n" THE_FENCES ",\n" THE_TOWER);

/* What is drawn above; freed by the caller. */
static struct features *read_drawn(void) {
    struct report report = {0};
    struct features *f = geojson_read(FEATURES_SPLINES, FEATURES_REFUSE, drawn, &report);
    assert_int_equal(features_finish(f, &geojson_world, NULL, &report), STATUS_OK);
    assert_int_equal(report.count, 0);
    assert_int_equal(f->count, 5);
    report_free(&report);
    return f;
}

static void lines_are_read(void **state) {
    (void)state;
    struct features *f = read_drawn();
    const struct feature *river = &f->items[0];
    assert_int_equal(river->kind, FEATURE_RIVER);
    assert_int_equal(river->shape, FEATURE_LINE);
    assert_string_equal(river->kind_text, "river");
    assert_string_equal(river->id, "17");
    assert_true(river->id_hash == hash_name("17"));
    assert_true(river->smooth);
    assert_int_equal(river->count, 3);
    assert_true(river->xy[3] == 0.0 && !(1 / river->xy[3] < 0));
    assert_int_equal(river->line, 2);
    assert_int_equal(river->column, 1);
    features_free(f);
}

static void properties_are_read(void **state) {
    (void)state;
    struct features *f = read_drawn();
    const struct feature *river = &f->items[0];
    assert_int_equal(river->attribute_count, 6);
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
    features_free(f);
}

static void polygons_points_and_parts_are_read(void **state) {
    (void)state;
    struct features *f = read_drawn();
    const struct feature *lake = &f->items[1], *fence = &f->items[3];
    assert_int_equal(lake->kind, FEATURE_LAKE);
    assert_false(lake->smooth);
    assert_int_equal(lake->count, 7);
    assert_int_equal(lake->ring_count, 2);
    assert_int_equal(lake->ring_end[0], 4);
    assert_int_equal(lake->ring_end[1], 7);
    assert_int_equal(fence->kind, FEATURE_FENCE);
    assert_int_equal(fence->part, 1);
    assert_false(fence->smooth);
    assert_int_equal(fence->count, 3);
    assert_true(feature_number(fence, "h_m", 0, 0) == 3);
    assert_true(feature_number(fence, "h_m", 2, 0) == 5);
    assert_int_equal(f->items[4].shape, FEATURE_POINT);
    features_free(f);
}

static void repeated_points_are_left_out_with_their_attributes(void **state) {
    (void)state;
    struct report report = {0};
    struct features *f =
        geojson_read(FEATURES_SPLINES, FEATURES_REFUSE,
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
    struct features *f = geojson_read(FEATURES_SPLINES, FEATURES_REFUSE, text, &report);
    assert_int_equal(features_finish(f, &geojson_world, NULL, &report), STATUS_OK);
    assert_int_equal(f->count, MANY);
    report_free(&report);
    return f;
}

/* Rings may run either way, in parts of their own, with heights. */
static void rings_run_either_way(void **state) {
    (void)state;
    struct report report = {0};
    struct features *f = geojson_read(
        FEATURES_SPLINES, FEATURES_REFUSE,
        COLLECTION(
            FEATURE("MultiPolygon",
                    "[[[[0, 0, 5], [9, 0, 5], [9, 9, 5], [0, 0, 5]]], [[[20, 0, 6], [29, 9, 6], [29, 0, 6], "
                    "[20, 0, 6]], [[25, 1, 6], [28, 1, 6], [28, 2, 6], [25, 1, 6]]]]",
                    "\"kind\": \"lake\", \"id\": 4")),
        &report);
    assert_int_equal(features_finish(f, &geojson_world, NULL, &report), STATUS_OK);
    assert_int_equal(report.count, 0);
    assert_int_equal(f->count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(f->items[i].id, "4");
        assert_int_equal(f->items[i].part, (int)i);
        assert_int_equal(f->items[i].ring_count, i + 1);
        assert_true(feature_number(&f->items[i], "z_m", 0, 0) == 5.0 + (double)i);
    }
    features_free(f);
    report_free(&report);
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
        struct features *f = geojson_read(FEATURES_SPLINES, FEATURES_REFUSE, texts[i], &report);
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
    assert_int_equal(features_read("/nonexistent/a.geojson", &geojson_world, f, &report), STATUS_FILE);
    assert_int_equal(report.errors, 1);
    features_free(f);
    report_free(&report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(properties_are_read),
        cmocka_unit_test(polygons_points_and_parts_are_read),
        cmocka_unit_test(rings_run_either_way),
        cmocka_unit_test(repeated_points_are_left_out_with_their_attributes),
        cmocka_unit_test(the_order_does_not_depend_on_the_file),
        cmocka_unit_test(the_content_hash_sees_every_part),
        cmocka_unit_test(find_misses_nothing_that_touches),
        cmocka_unit_test(a_missing_file_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
