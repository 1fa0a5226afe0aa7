/* What is said of settings of fresh water and of drawn water, to the letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/world.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"

#define WET   WORLD64 HEIGHT64 "splines: [w.geojson]\ntools: [freshwater]\n"
#define OPEN  "{\"type\": \"FeatureCollection\", \"features\": [\n"
#define CLOSE "]}\n"
#define LINE(properties, points)                                                                             \
    "{\"type\": \"Feature\", \"properties\": {" properties "}, \"geometry\": "                               \
    "{\"type\": \"LineString\", \"coordinates\": [" points "]}}\n"
#define AREA(properties, points)                                                                             \
    "{\"type\": \"Feature\", \"properties\": {" properties "}, \"geometry\": "                               \
    "{\"type\": \"Polygon\", \"coordinates\": [[" points "]]}}\n"

static void says(const char *lines, const char *expected) {
    put_h64();
    put_text("w.geojson", lines);
    world_free(load_text(WET, NULL, expected));
}

static void refuses(const char *lines, const char *expected) {
    put_h64();
    put_text("w.geojson", lines);
    refuse_text(WET, STATUS_INPUT, expected);
}

static void settings_are_read(void **state) {
    (void)state;
    put_h64();
    struct world *w =
        load_text(WORLD64 HEIGHT64
                  "tools: [freshwater]\n"
                  "freshwater: {river_width_m: 5, stream_width_m: 1.5, ditch_width_m: 0.5, snap_m: 2, "
                  "mesh_m: 1, fall_drop_m: 3, max_cut_m: 12, carve: none, fit: thalweg, direction: auto, "
                  "textures: {bed: 40, gravel: 0, bank: 41}, auto_streams: {min_area_ha: 0.5}}\n",
                  NULL, "");
    const struct freshwater_settings *s = &w->freshwater;
    assert_true(s->width_m[0] == 5 && s->width_m[1] == 1.5 && s->width_m[2] == 0.5);
    assert_true(s->snap_m == 2 && s->mesh_m == 1 && s->fall_drop_m == 3);
    assert_true(s->max_cut_m == 12 && s->stream_ha == 0.5);
    assert_true(!s->carve && s->fit && s->automatic);
    assert_true(s->textures[0] == 40 && s->textures[1] == 0 && s->textures[2] == 41);
    world_free(w);
}

static void wrong_settings_are_refused(void **state) {
    (void)state;
    put_h64();
    refuse_text(WORLD64 HEIGHT64
                "tools: [freshwater]\nfreshwater: {river_width_m: -1, carve: bad, fitt: thalweg}\n",
                STATUS_INPUT,
                "world.yaml:5:29: error: 'river_width_m' is out of range (0.2 to 512 m): -1\n"
                "  freshwater: {river_width_m: -1, carve: bad, fitt: thalweg}\n"
                "                              ^\n"
                "world.yaml:5:40: error: 'carve' must be none or bed, not 'bad': did you mean 'bed'?\n"
                "  freshwater: {river_width_m: -1, carve: bad, fitt: thalweg}\n"
                "                                         ^\n"
                "world.yaml:5:45: error: unknown key 'fitt' in freshwater: did you mean 'fit'?\n"
                "  freshwater: {river_width_m: -1, carve: bad, fitt: thalweg}\n"
                "                                              ^\n");
}

static void wrong_streams_are_refused(void **state) {
    (void)state;
    put_h64();
    refuse_text(
        WORLD64 HEIGHT64 "tools: [freshwater]\nfreshwater: {auto_streams: {min_area: 2}}\n", STATUS_INPUT,
        "world.yaml:5:28: error: 'auto_streams' needs min_area_ha: the least area that drains together "
        "to make a stream\n"
        "  freshwater: {auto_streams: {min_area: 2}}\n"
        "                             ^\n"
        "world.yaml:5:29: error: unknown key 'min_area' in freshwater.auto_streams: did you mean "
        "'min_area_ha'?\n"
        "  freshwater: {auto_streams: {min_area: 2}}\n"
        "                              ^\n");
    refuse_text(WORLD64 HEIGHT64 "tools: [freshwater]\nfreshwater: {auto_streams: {min_area_ha: 0}}\n",
                STATUS_INPUT,
                "world.yaml:5:42: error: 'min_area_ha' is out of range (0.01 to 1000000 ha): 0\n"
                "  freshwater: {auto_streams: {min_area_ha: 0}}\n"
                "                                           ^\n");
}

static void settings_without_the_tool_are_noticed(void **state) {
    (void)state;
    put_h64();
    world_free(
        load_text(WORLD64 HEIGHT64 "freshwater: {snap_m: 2}\n", NULL,
                  "world.yaml:4:13: warning: 'freshwater' is not among the tools: its settings are not used\n"
                  "  freshwater: {snap_m: 2}\n"
                  "              ^\n"));
}

static void widths_are_checked(void **state) {
    (void)state;
    refuses(OPEN LINE("\"kind\": \"river\", \"width_m\": 0", "[0, 9], [64, 9]") CLOSE,
            "w.geojson:2:1: error: features[0]: river: \"width_m\" is above 0 and at most 512 m, not 0\n");
    refuses(OPEN LINE("\"kind\": \"river\", \"width_m\": -3", "[0, 9], [64, 9]") CLOSE,
            "w.geojson:2:1: error: features[0]: river: \"width_m\" is above 0 and at most 512 m, not -3\n");
    refuses(OPEN LINE("\"kind\": \"stream\", \"id\": \"b\", \"width_m\": [2, 600]", "[0, 9], [64, 9]") CLOSE,
            "w.geojson:2:1: error: features[0]: stream \"b\": \"width_m\" is above 0 and at most 512 m, not "
            "600\n");
    refuses(OPEN LINE("\"kind\": \"stream\", \"depth_m\": \"deep\"", "[0, 9], [64, 9]") CLOSE,
            "w.geojson:2:1: error: features[0]: stream: \"depth_m\" is a number, not \"deep\"\n");
    refuses(OPEN LINE("\"kind\": \"stream\", \"carve\": \"yes\"", "[0, 9], [64, 9]") CLOSE,
            "w.geojson:2:1: error: features[0]: stream: \"carve\" is none or bed\n");
}

static void levels_beyond_all_heights_are_refused(void **state) {
    (void)state;
#define POND(properties) OPEN AREA("\"kind\": \"lake\"" properties, "[9, 9], [40, 9], [40, 40], [9, 9]") CLOSE
    refuses(POND(", \"level_m\": 101"), "w.geojson:2:1: error: features[0]: lake: \"level_m\" is 101, 1 m "
                                        "over all heights of the world (0 to 100 m)\n");
    refuses(POND(", \"level_m\": -1000"), "w.geojson:2:1: error: features[0]: lake: \"level_m\" is -1000, "
                                          "1000 m under all heights of the world (0 to 100 "
                                          "m)\n");
    refuses(POND(", \"level_m\": 1e6"), "w.geojson:2:1: error: features[0]: lake: \"level_m\" is at least "
                                        "-32768 and at most 32768 m, not 1000000\n"
                                        "w.geojson:2:1: error: features[0]: lake: \"level_m\" is 1000000, "
                                        "999900 m over all heights of the world (0 "
                                        "to 100 "
                                        "m)\n");
    refuses(POND(", \"id\": \"tarn\", \"level_m\": [5, 6, 7, 5]"),
            "w.geojson:2:1: error: features[0]: lake \"tarn\": \"level_m\" of a lake is one number, not one "
            "for each point\n");
    refuses(OPEN LINE("\"kind\": \"river\", \"level_m\": [5, 170]", "[0, 9], [64, 9]") CLOSE,
            "w.geojson:2:1: error: features[0]: river: \"level_m\" is 170, 70 m over all heights of the "
            "world (0 to 100 m)\n");
    says(POND(", \"level_m\": 100"), "");
    says(POND(", \"level_m\": -20"), "");
}

static void what_makes_no_water_is_named(void **state) {
    (void)state;
    says(OPEN AREA("\"kind\": \"lake\", \"id\": \"dot\"",
                   "[10.6, 10], [10.62, 10], [10.62, 10.02], [10.6, 10]") CLOSE,
         "w.geojson:2:1: warning: lake \"dot\": it makes no water: it holds no cell's centre, at (10.6, "
         "10)\n");
    says(OPEN AREA("\"kind\": \"lake\"", "[-30, 10], [-10, 10], [-10, 20], [-30, 10]") CLOSE,
         "w.geojson:2:1: warning: lake: it makes no water: it lies outside the world, at (-30, 10)\n");
    /* a sliver between two rows of centres, then one over a centre */
    says(OPEN AREA("\"kind\": \"lake\"", "[0, 10.6], [60, 10.6], [60, 11.4], [0, 10.6]") CLOSE,
         "w.geojson:2:1: warning: lake: it makes no water: it holds no cell's centre, at (0, 10.6)\n");
    says(OPEN AREA("\"kind\": \"lake\"",
                   "[30.4, 10.4], [30.6, 10.4], [30.6, 10.6], [30.4, 10.6], [30.4, 10.4]") CLOSE,
         "");
    says(OPEN AREA("\"kind\": \"lake\"", "[-60, -60], [120, -60], [120, 120], [-60, 120], [-60, -60]") CLOSE,
         "");
    says(OPEN LINE("\"kind\": \"stream\", \"id\": \"brook\"", "[-40, 10], [-30, 60]") CLOSE,
         "w.geojson:2:1: warning: stream \"brook\": it makes no water: it lies outside the world, at (-40, "
         "10)\n");
    says(OPEN LINE("\"kind\": \"stream\", \"name\": \"Valira\", \"osm\": 7", "[-40, 10], [-30, 60]") CLOSE,
         "w.geojson:2:1: warning: stream \"Valira\": it makes no water: it lies outside the world, at (-40, "
         "10)\n");
    says(
        OPEN LINE("\"kind\": \"stream\", \"osm\": 23456789", "[-40, 10], [-30, 60]") CLOSE,
        "w.geojson:2:1: warning: stream osm 23456789: it makes no water: it lies outside the world, at (-40, "
        "10)\n");
    says(OPEN LINE("\"kind\": \"stream\"", "[1, 10], [2, 10]") CLOSE,
         "w.geojson:2:1: warning: stream: it makes no water: it is too short, and its ends are joined "
         "(snap_m), at (1, "
         "10)\n");
    says(OPEN AREA("\"kind\": \"river_area\"", "[9, 9], [40, 9], [40, 40], [9, 9]") CLOSE,
         "w.geojson:2:1: warning: river_area: it changes nothing: no line runs through it, at (9, 9)\n");
    says(OPEN AREA("\"kind\": \"river_area\"", "[9, 9], [40, 9], [40, 40], [9, 9]") "," LINE(
             "\"kind\": \"river\"", "[0, 20], [64, 20]") CLOSE,
         "");
}

static void splines_may_be_a_map(void **state) {
    (void)state;
    put_h64();
    put_text("w.geojson", OPEN LINE("\"kind\": \"stream\"", "[10, 10], [900, 10]") CLOSE);
    world_free(load_text(
        WORLD64 HEIGHT64 "tools: [freshwater]\nsplines: {files: [w.geojson], outside: clip}\n", NULL,
        "w.geojson: note: of 1 features 0 lie outside the world and 1 reaches out of it: cut off "
        "(outside: clip)\n"));
    world_free(
        load_text(WORLD64 HEIGHT64 "tools: [freshwater]\nsplines: {files: w.geojson, outside: clip}\n", NULL,
                  "w.geojson: note: of 1 features 0 lie outside the world and 1 reaches out of it: cut off "
                  "(outside: clip)\n"));
    refuse_text(WORLD64 HEIGHT64 "splines: {file: w.geojson, outside: cut}\nplaced: {files: {a: b}}\n",
                STATUS_INPUT,
                "world.yaml:4:10: error: 'splines' needs files: a path or a list of paths\n"
                "  splines: {file: w.geojson, outside: cut}\n"
                "           ^\n"
                "world.yaml:4:11: error: unknown key 'file' in splines: did you mean 'files'?\n"
                "  splines: {file: w.geojson, outside: cut}\n"
                "            ^\n"
                "world.yaml:4:37: error: 'outside' must be error or clip, not 'cut'\n"
                "  splines: {file: w.geojson, outside: cut}\n"
                "                                      ^\n"
                "world.yaml:5:17: error: 'placed' needs files: a path or a list of paths\n"
                "  placed: {files: {a: b}}\n"
                "                  ^\n");
}

static void bad_shapes_are_refused(void **state) {
    (void)state;
    refuses(OPEN LINE("\"kind\": \"river\"", "[0, 9]") CLOSE,
            "w.geojson:2:1: error: features[0]: a line needs 2 points or more, not 1\n"
            "  {\"type\": \"Feature\", \"properties\": {\"kind\": \"river\"}, \"geometry\": {\"type\": "
            "\"LineString\", \"coordinates...\n"
            "  ^\n");
    refuses(OPEN LINE("\"kind\": \"river\"", "[0, NaN], [64, 9]") CLOSE,
            "w.geojson:2:111: error: no valid JSON: invalid token near 'NaN'\n"
            "  ...}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[0, NaN], [64, 9]]}}\n"
            "                                                                 ^\n");
    refuses(
        OPEN LINE("\"kind\": \"river\"", "[500, 9], [600, 9]") CLOSE,
        "w.geojson:2:105: error: features[0]: point 0 (500, 9) lies 436 m outside the world (x 0 to 64, y 0 "
        "to 64 m); features may reach 64 m beyond its edge, or are cut off there with 'outside: clip'\n"
        "  ...river\"}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[500, 9], [600, 9]]}}\n"
        "                                                                 ^\n");
    refuses(OPEN AREA("\"kind\": \"lake\"", "[0, 0], [40, 40], [40, 0], [0, 40], [0, 0]") CLOSE,
            "w.geojson:2:1: error: features[0]: the polygon crosses itself at (20, 20)\n"
            "  {\"type\": \"Feature\", \"properties\": {\"kind\": \"lake\"}, \"geometry\": {\"type\": "
            "\"Polygon\", \"coordinates\": [...\n"
            "  ^\n");
}

static void ends_and_circles_are_named(void **state) {
    (void)state;
    says(OPEN LINE("\"kind\": \"stream\"", "[0, 32], [30, 32]") CLOSE,
         "w.geojson:2:1: warning: stream: its water ends at (30, 32), in no lake, no other water and not at "
         "the world's edge\n");
    /* with the nearest water; 12 wide: its edge is at y = 26 */
    says(OPEN LINE("\"kind\": \"stream\"", "[32, 64], [32, 33]") "," LINE(
             "\"kind\": \"river\", \"width_m\": 12, \"id\": \"inn\"", "[0, 20], [64, 20]") CLOSE,
         "w.geojson:2:1: warning: stream: its water ends at (32, 33), in no lake, no other water and not at "
         "the world's edge; nearest is the water of river \"inn\", 7.0 m away, and snap_m is 4 m\n");
    says(OPEN LINE("\"kind\": \"stream\"", "[32, 64], [32, 29]") "," LINE(
             "\"kind\": \"river\", \"width_m\": 12, \"id\": \"inn\"", "[0, 20], [64, 20]") CLOSE,
         "");
    says(OPEN LINE("\"kind\": \"stream\"", "[10, 10], [50, 10], [50, 50]") "," LINE(
             "\"kind\": \"stream\"", "[50, 50], [10, 50], [10, 10]") CLOSE,
         "w.geojson:3:2: warning: stream: its water runs in a circle through (50, 50), or comes from one: it "
         "will be level there; turn a line around\n");
    /* head on */
    says(OPEN LINE("\"kind\": \"stream\"", "[0, 32], [30, 32]") "," LINE(
             "\"kind\": \"stream\", \"id\": \"b\"", "[64, 32], [30, 32]") CLOSE,
         "w.geojson:2:1: warning: stream: its water ends at (30, 32), in no lake, no other water and not at "
         "the "
         "world's edge; it runs against stream \"b\", which ends there too: turn one around\n"
         "w.geojson:3:2: warning: stream \"b\": its water ends at (30, 32), in no lake, no other water and "
         "not at the "
         "world's edge; it runs against stream, which ends there too: turn one around\n");
    /* one line of each circle */
    says(OPEN LINE("\"kind\": \"stream\"", "[4, 4], [20, 4], [20, 20], [4, 20], [4, 4]") "," LINE(
             "\"kind\": \"stream\"", "[40, 40], [60, 40], [60, 60], [40, 60], [40, 40]") CLOSE,
         "w.geojson:2:1: warning: stream: its water runs in a circle through (4, 4), or comes from one: it "
         "will be "
         "level there; turn a line around\n"
         "w.geojson:3:2: warning: stream: its water runs in a circle through (40, 40), or comes from one: it "
         "will be "
         "level there; turn a line around\n");
    says(OPEN LINE("\"kind\": \"stream\"", "[0, 9], [64, 9]") CLOSE, "");
    says(OPEN LINE("\"kind\": \"stream\"", "[0, 9], [17, 9]") "," AREA(
             "\"kind\": \"lake\"", "[20, 0], [40, 0], [40, 20], [20, 20], [20, 0]") CLOSE,
         "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(settings_are_read, image_folder_make, image_folder_remove),
        cmocka_unit_test_setup_teardown(wrong_settings_are_refused, image_folder_make, image_folder_remove),
        cmocka_unit_test_setup_teardown(wrong_streams_are_refused, image_folder_make, image_folder_remove),
        cmocka_unit_test_setup_teardown(settings_without_the_tool_are_noticed, image_folder_make,
                                        image_folder_remove),
        cmocka_unit_test_setup_teardown(widths_are_checked, image_folder_make, image_folder_remove),
        cmocka_unit_test_setup_teardown(levels_beyond_all_heights_are_refused, image_folder_make,
                                        image_folder_remove),
        cmocka_unit_test_setup_teardown(what_makes_no_water_is_named, image_folder_make, image_folder_remove),
        cmocka_unit_test_setup_teardown(splines_may_be_a_map, image_folder_make, image_folder_remove),
        cmocka_unit_test_setup_teardown(bad_shapes_are_refused, image_folder_make, image_folder_remove),
        cmocka_unit_test_setup_teardown(ends_and_circles_are_named, image_folder_make, image_folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
