/* What lies outside the world: degrees, refused features, features that are cut off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include "terrain/polygon.h"
#include "tests/unit/geojson_kit.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES "[[1.523417, 42.507213], [1.523991, 42.507702], [1.524655, 42.508031]]"
#define ADVICE                                                                                               \
    "lines are drawn in world metres; project them as the heights are, e.g. ogr2ogr -t_srs \"+proj=tmerc "   \
    "+lat_0=42.5 +lon_0=1.52\" metres.geojson a.geojson (docs/lines.md)\n"
#define CRS(name, features)                                                                                  \
    "{\"type\": \"FeatureCollection\",\n\"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"" name    \
    "\"}},\n\"features\": [\n" features "]}"

static void degrees_are_told(void **state) {
    (void)state;
    splines_say(COLLECTION(FEATURE("LineString", DEGREES, RIVER)),
                "2:105 coordinates such as 1.523417, 42.507213, a hair's breadth from one to the next, are "
                "longitudes and latitudes; " ADVICE);
    splines_say(
        COLLECTION(FEATURE("Point", "[1.5234171, 42.50721]", "\"kind\": \"power_tower\"") ",\n" FEATURE(
            "Point", "[1.5239182, 42.5072133]", "\"kind\": \"power_tower\"")),
        "2:105 coordinates such as 1.5234171, 42.50721, a hair's breadth from one to the next, are "
        "longitudes and latitudes; " ADVICE);
}

static void small_things_in_metres_are_no_degrees(void **state) {
    (void)state;
    splines_say(LAKE("[[[10, 10], [10.02, 10], [10.02, 10.02], [10, 10]]]"), "");
    splines_say(COLLECTION(FEATURE("LineString", "[[1.523417, 42.507213], [1.823991, 42.507702]]", ROAD)),
                "");
}

static void a_file_that_says_degrees_is_refused(void **state) {
    (void)state;
    static const char *const names[] = {"urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326",
                                        "urn:ogc:def:crs:EPSG::4258"};
    static const char *const texts[] = {
        CRS("urn:ogc:def:crs:OGC:1.3:CRS84", FEATURE("Point", "[1.52, 42.51]", "\"kind\": \"power_tower\"")),
        CRS("EPSG:4326", FEATURE("Point", "[1.52, 42.51]", "\"kind\": \"power_tower\"")),
        CRS("urn:ogc:def:crs:EPSG::4258", FEATURE("Point", "[1.52, 42.51]", "\"kind\": \"power_tower\""))};
    for (int i = 0; i < 3; i++) {
        char expected[512];
        snprintf(expected, sizeof expected, "2:8 \"crs\" is %s: longitudes and latitudes; " ADVICE, names[i]);
        char *lat = strstr(expected, "+lat_0=42.5 ");
        assert_non_null(lat);
        memmove(lat + 12, lat + 11, strlen(lat + 11) + 1);
        memcpy(lat, "+lat_0=42.51", 12);
        splines_say(texts[i], expected);
    }
    splines_say(CRS("urn:ogc:def:crs:EPSG::25831", FEATURE("LineString", "[[1, 2], [40, 50]]", ROAD)), "");
    splines_say(
        CRS("EPSG:4326", FEATURE("LineString", "[[1, 2], [240, 50]]", ROAD)),
        "W2:8 \"crs\" is EPSG:4326, longitudes and latitudes, but coordinates such as 1, 2 are none: they "
        "are taken as world metres; take \"crs\" out\n");
}

#define FAR(y) FEATURE("LineString", "[[1, 2], [700, " #y "]]", ROAD)

static void many_features_outside_are_summed_up(void **state) {
    (void)state;
#define SAID(line, y)                                                                                        \
#line ":112 features[" #y "]: point 1 (700, " #y ") lies 188 m outside the world (x 0 to 512, y 0 to "   \
          "256 m); features may reach 64 m beyond its edge, or are cut off there with 'outside: clip'\n"
    splines_say(COLLECTION(FAR(0) ",\n" FAR(1) ",\n" FAR(2)), SAID(2, 0) SAID(3, 1) SAID(4, 2));
    splines_say(COLLECTION(FAR(0) ",\n" FAR(1) ",\n" FAR(2) ",\n" FAR(3) ",\n" LINE(ROAD) ",\n" FAR(5)),
                SAID(2, 0) SAID(3, 1)
                    SAID(4, 2) "5:112 features[3] and 1 more lie outside the world as well, 5 of 6 in all: "
                               "the file's coordinates "
                               "run from (1, 0) to (700, 5), the world from (0, 0) to (512, 256)\n");
}

/* ---- cutting ---- */

static struct features *cut(const char *text, const char *said) {
    struct report report = {0};
    struct features *f = geojson_read(FEATURES_SPLINES, FEATURES_CLIP, text, &report);
    assert_int_equal(features_finish(f, &geojson_world, NULL, &report), STATUS_OK);
    assert_int_equal(report.count, said ? 1 : 0);
    if (said)
        assert_string_equal(report.items[0].message, said);
    report_free(&report);
    return f;
}

static void assert_points(const struct feature *f, const double *xy, size_t count) {
    assert_int_equal(f->count, count);
    for (size_t i = 0; i < 2 * count; i++)
        assert_true(f->xy[i] == xy[i]);
}

static void straight_lines_are_cut_at_the_margin(void **state) {
    (void)state;
    struct features *f = cut(
        COLLECTION(FEATURE(
            "LineString", "[[-164, 10], [-64, 10], [100, 10], [600, 10], [700, 100], [500, 100]]",
            ROAD ", \"curve\": \"linear\", \"id\": \"a\", \"width_m\": [1, 2, 3, 8, 5, 7], "
                 "\"lanes\": 2") ",\n" LINE(ROAD) ",\n" FEATURE("LineString", "[[900, 9], [800, 9]]", ROAD)),
        "of 3 features 1 lies outside the world and 1 reaches out of it: cut off (outside: clip)");
    assert_int_equal(f->count, 3);
    /* the margin is 64 m, and half of the widest place */
    assert_points(&f->items[0], (double[]){-68, 10, -64, 10, 100, 10, 580, 10}, 4);
    assert_points(&f->items[2], (double[]){580, 100, 500, 100}, 2);
    assert_points(&f->items[1], (double[]){1, 2, 3, 4, 5, 2}, 3);
    assert_true(feature_number(&f->items[0], "width_m", 0, 0) == 1.96);
    assert_true(feature_number(&f->items[0], "width_m", 3, 0) == 3 + 5 * 0.96);
    assert_true(feature_number(&f->items[2], "width_m", 0, 0) == 5 + 2 * 0.6);
    assert_true(feature_number(&f->items[2], "lanes", 1, 0) == 2);
    assert_int_equal(f->items[0].part, 0);
    assert_int_equal(f->items[2].part, 65536);
    assert_string_equal(f->items[2].id, "a");
    assert_true(f->items[0].cut && f->items[2].cut && !f->items[1].cut);
    features_free(f);
}

static void nothing_is_cut_within_the_margin(void **state) {
    (void)state;
    const char *text =
        COLLECTION(FEATURE("LineString", "[[-60, -60], [9, 9], [570, 310]]", ROAD) ",\n" LINE(RIVER));
    struct report report = {0};
    struct features *f = cut(text, NULL), *g = geojson_read(FEATURES_SPLINES, FEATURES_REFUSE, text, &report);
    assert_int_equal(features_finish(g, &geojson_world, NULL, &report), STATUS_OK);
    assert_int_equal(f->count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_memory_equal(&f->items[i].content, &g->items[i].content, sizeof f->items[i].content);
    features_free(f);
    features_free(g);
}

/* The nearest place of a feature's curve. */
static double way_to(const struct feature *f, double x, double y) {
    struct curve curve = feature_curve(f, 0);
    double *lengths = malloc(curve_segments(&curve) * sizeof *lengths), *xy;
    double sum = terrain_curve_measure(&curve, lengths);
    struct curve_sample *s = malloc((size_t)(sum / 0.25 + (double)curve.count + 2) * sizeof *s);
    size_t n = terrain_curve_sample(&curve, lengths, 0.25, CURVE_THROUGH, s);
    xy = malloc(2 * n * sizeof *xy);
    for (size_t i = 0; i < n; i++) {
        xy[2 * i] = s[i].x;
        xy[2 * i + 1] = s[i].y;
    }
    double d = terrain_chain_nearest(xy, n, false, x, y).distance_m;
    free(lengths);
    free(s);
    free(xy);
    return d;
}

/* Within the world a cut curve is the drawn one, to a few millimetres. */
static void cut_curves_stay_where_they_were(void **state) {
    (void)state;
    const double points[] = {-300, 400, -120, 180, 80, 90, 190, 170, 330, 60, 700, 150, 900, 30};
    enum { POINTS = sizeof points / sizeof *points / 2, SAMPLES = 2000 };
    char text[1024], *at = text;
    at += sprintf(
        at, "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": {" RIVER
            "}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [");
    for (int i = 0; i < POINTS; i++)
        at += sprintf(at, "%s[%g, %g]", i ? ", " : "", points[2 * i], points[2 * i + 1]);
    sprintf(at, "]}}]}");
    struct features *f =
        cut(text, "of 1 features 0 lie outside the world and 1 reaches out of it: cut off (outside: clip)");
    assert_int_equal(f->count, 1);
    struct curve whole = {points, POINTS, false, true};
    double lengths[POINTS];
    struct curve_sample *s = malloc(SAMPLES * sizeof *s);
    terrain_curve_measure(&whole, lengths);
    assert_true(terrain_curve_sample_count(&whole, lengths, 1, CURVE_THROUGH) <= SAMPLES);
    size_t n = terrain_curve_sample(&whole, lengths, 1, CURVE_THROUGH, s), inside = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i].x < 0 || s[i].x > 512 || s[i].y < 0 || s[i].y > 256)
            continue;
        inside++;
        assert_true(way_to(&f->items[0], s[i].x, s[i].y) < 0.01);
    }
    assert_true(inside > 500);
    free(s);
    features_free(f);
}

static void points_outside_are_left_out(void **state) {
    (void)state;
#define TOWER(at) FEATURE("Point", at, "\"kind\": \"power_tower\"")
    struct features *f =
        cut(COLLECTION(TOWER("[1, 1]") ",\n" TOWER("[577, 1]") ",\n" TOWER("[576, 1]")),
            "of 3 features 1 lies outside the world and 0 reach out of it: cut off (outside: clip)");
    assert_int_equal(f->count, 2);
    features_free(f);
    geojson_says(FEATURES_PLACED, FEATURES_CLIP, COLLECTION(FEATURE("Point", "[600, 1]", "\"radius_m\": 30")),
                 strlen(COLLECTION(FEATURE("Point", "[600, 1]", "\"radius_m\": 30"))), "");
}

static void far_is_far_all_the_same(void **state) {
    (void)state;
    const char *text = COLLECTION(FEATURE("LineString", "[[1, 2], [1e7, 2]]", ROAD));
    geojson_says(
        FEATURES_SPLINES, FEATURES_CLIP, text, strlen(text),
        "2:112 features[0]: point 1 (10000000, 2) lies 9999488 m outside the world (x 0 to 512, y 0 to 256 "
        "m); features may reach 1000000 m beyond its edge\n");
    text = COLLECTION(FEATURE("LineString", "[[1000, 2], [1100, 2]]", ROAD));
    geojson_says(
        FEATURES_SPLINES, FEATURES_CLIP, text, strlen(text),
        "W0:0 of 1 features 1 lies outside the world and 0 reach out of it: cut off (outside: clip)\n");
}

/* ---- polygons: within the world the same cells, whatever lies outside ---- */

static void fill(const struct feature *f, struct grid_u8 *g, struct arena *arena) {
    struct polygon polygon = {f->xy, f->ring_end, f->ring_count};
    assert_int_equal(terrain_polygon_fill(&polygon, 1, 255, g, arena, NULL), STATUS_OK);
}

static void cut_polygons_hold_the_same_cells(void **state) {
    (void)state;
    static uint8_t cells[2][512 * 256], scratch[1 << 20];
    for (int32_t seed = 0; seed < 50; seed++) {
        char text[4096], *at = text;
        double xy[2 * 24];
        size_t end[2] = {16, 24};
        double cx = (double)(hash_place(1, 1, seed, 0, 0) % 700) - 100,
               cy = (double)(hash_place(1, 2, seed, 0, 0) % 400) - 70;
        at += sprintf(
            at, "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": {"
                "\"kind\": \"lake\"}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": [");
        for (int32_t i = 0; i < 24; i++) { /* a star, and a hole in it: either may run either way */
            int32_t n = i < 16 ? 16 : 8, k = i < 16 ? i : i - 16;
            if (seed & (i < 16 ? 1 : 2))
                k = n - 1 - k;
            double angle = k * 6.283185307179586 / n;
            double radius = i >= 16 ? 20 : 60 + (double)(hash_place(1, 3, seed, k, 0) % 200);
            xy[2 * i] = floor(cx + radius * cos(angle));
            xy[2 * i + 1] = floor(cy + radius * sin(angle));
            at += sprintf(at, "%s[%g, %g]", i == 0 ? "[" : i == 16 ? "], [" : ", ", xy[2 * i], xy[2 * i + 1]);
            if (i == 15 || i == 23)
                at += sprintf(at, ", [%g, %g]", xy[i == 15 ? 0 : 32], xy[i == 15 ? 1 : 33]);
        }
        sprintf(at, "]]}}]}");
        struct report report = {0};
        struct features *f = geojson_read(FEATURES_SPLINES, FEATURES_CLIP, text, &report);
        assert_int_equal(report.errors, 0);
        memset(cells, 0, sizeof cells);
        struct grid_u8 was = {cells[0], 0, 0, 512, 256, 512}, is = {cells[1], 0, 0, 512, 256, 512};
        struct feature whole = {.xy = xy, .ring_end = end, .ring_count = 2};
        struct arena arena = {scratch, sizeof scratch, 0};
        fill(&whole, &was, &arena);
        if (f->count) {
            assert_int_equal(f->count, 1);
            fill(&f->items[0], &is, &arena);
            if (f->items[0].cut) {
                assert_true(f->items[0].whole_m2 > 10000);
                assert_true(f->items[0].x0 >= -64 && f->items[0].x1 <= 576);
                assert_true(f->items[0].y0 >= -64 && f->items[0].y1 <= 320);
            }
        }
        assert_memory_equal(cells[0], cells[1], sizeof cells[0]);
        features_free(f);
        report_free(&report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_are_told),
        cmocka_unit_test(small_things_in_metres_are_no_degrees),
        cmocka_unit_test(a_file_that_says_degrees_is_refused),
        cmocka_unit_test(many_features_outside_are_summed_up),
        cmocka_unit_test(straight_lines_are_cut_at_the_margin),
        cmocka_unit_test(nothing_is_cut_within_the_margin),
        cmocka_unit_test(cut_curves_stay_where_they_were),
        cmocka_unit_test(points_outside_are_left_out),
        cmocka_unit_test(far_is_far_all_the_same),
        cmocka_unit_test(cut_polygons_hold_the_same_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
