#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/geojson.h"
#include "gen/os.h"
#include "gen/world_build.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ART_HEIGHT "height: {files: 'art:h.png', z_min_m: 0, z_max_m: 100}\n"

static void put_folder(const char *name) {
    char file[IMAGE_PATH_MAX];
    assert_int_equal(os_make_dirs(image_path(name), NULL), STATUS_OK);
    snprintf(file, sizeof file, "%s/h.png", name);
    put_zero16(file, 64, 64);
}

static void roots_by_file_environment_and_option(void **state) {
    (void)state;
    char set[IMAGE_PATH_MAX + 16];
    put_folder("a");
    put_folder("b");
    put_folder("c");
    struct world *w = load_text(WORLD64 "roots: {art: a}\n" ART_HEIGHT, NULL, "");
    assert_string_equal(w->height.source.files[0].path, image_path("a/h.png"));
    assert_string_equal(w->height.source.files[0].name, "art:h.png");
    world_free(w);
    setenv("TERRANE_ROOT_ART", image_path("b"), 1);
    w = load_text(WORLD64 "roots: {art: a}\n" ART_HEIGHT, NULL, "");
    assert_string_equal(w->height.source.files[0].path, image_path("b/h.png"));
    world_free(w);
    w = load_text(WORLD64 ART_HEIGHT, NULL, ""); /* the environment alone */
    assert_string_equal(w->height.source.files[0].path, image_path("b/h.png"));
    world_free(w);
    snprintf(set, sizeof set, "roots.art=%s", image_path("c"));
    const char *const sets[] = {set, NULL};
    w = load_text(WORLD64 "roots: {art: a}\n" ART_HEIGHT, sets, "");
    assert_string_equal(w->height.source.files[0].path, image_path("c/h.png"));
    world_free(w);
    unsetenv("TERRANE_ROOT_ART");
}

static void wrong_roots(void **state) {
    (void)state;
    refuse_text(
        WORLD64 "roots: {arts: a, 1x: b}\n" ART_HEIGHT, STATUS_INPUT,
        "world.yaml:3:18: error: root '1x' must be two or more letters, digits and _, a letter first\n"
        "  roots: {arts: a, 1x: b}\n"
        "                   ^\n"
        "world.yaml:4:17: error: no root is named 'art': did you mean 'arts'?\n"
        "  height: {files: 'art:h.png', z_min_m: 0, z_max_m: 100}\n"
        "                  ^\n");
    refuse_text(WORLD64 ART_HEIGHT, STATUS_INPUT,
                "world.yaml:3:17: error: no root is named 'art': add it under 'roots'\n"
                "  height: {files: 'art:h.png', z_min_m: 0, z_max_m: 100}\n"
                "                  ^\n");
}

static void patterns_of_names(void **state) {
    (void)state;
    static const struct {
        const char *pattern;
        int32_t x, y;
        const char *name;
    } cases[] = {
        {"a_{x}_{y}.png", 0, 12, "a_0_12.png"},
        {"{x:03}/{y:02}", 7, -1, "007/-1"},
        {"{y}{x}{y}", 1, 2, "212"},
        {"a_{x}_{y}.png", -2147483647, 3, "a_-2147483647_3.png"},
        {"x{x:02}y{y:02}", 123, 4, "x123y04"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *name = build_tile_name(cases[i].pattern, cases[i].x, cases[i].y);
        assert_string_equal(name, cases[i].name);
        free(name);
    }
    int32_t x = 99, y = 99;
    assert_true(build_pattern_match("a_{x}_{y}.png", "a_007_-02.png", &x, &y));
    assert_int_equal(x, 7);
    assert_int_equal(y, -2);
    assert_false(build_pattern_match("a_{x}_{y}.png", "a_007_-02.pn", &x, &y));
    assert_false(build_pattern_match("a_{x}_{y}.png", "a__1.png", &x, &y));
    assert_false(build_pattern_match("{x}_{y}_{x}", "1_2_3", &x, &y));
    assert_true(build_pattern_match("{x}_{y}_{x}", "1_2_01", &x, &y));
    assert_false(build_pattern_match("{x}_{y}", "99999999999_1", &x, &y));
}

static void splines_and_placed(void **state) {
    (void)state;
    put_h64();
    put_text("r.geojson", "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", "
                          "\"properties\": {\"kind\": \"road\", \"id\": \"r1\"}, \"geometry\": {\"type\": "
                          "\"LineString\", \"coordinates\": [[1, 1], [20, 30]]}}]}\n");
    struct world *w = load_text(WORLD64 HEIGHT64 "splines: r.geojson\nplaced: []\n", NULL,
                                "r.geojson:1:44: note: 1 drawn thing (the first: road) changes nothing: "
                                "the tool 'roads' is not in this version\n");
    assert_int_equal(w->splines->count, 1);
    assert_int_equal(w->placed->count, 0);
    world_free(w);
    refuse_text(WORLD64 HEIGHT64 "splines: [no.geojson, r.geojson, r.geojson, {}]\nplaced: 'x:'\n",
                STATUS_FILE,
                "world.yaml:4:11: error: no.geojson: there is no such file\n"
                "  splines: [no.geojson, r.geojson, r.geojson, {}]\n"
                "            ^\n"
                "world.yaml:4:34: error: 'r.geojson' is named twice\n"
                "  splines: [no.geojson, r.geojson, r.geojson, {}]\n"
                "                                   ^\n"
                "world.yaml:4:45: error: 'splines[3]' must be text, not a map\n"
                "  splines: [no.geojson, r.geojson, r.geojson, {}]\n"
                "                                              ^\n"
                "world.yaml:5:9: error: x:: there is no such file\n"
                "  placed: 'x:'\n"
                "          ^\n"
                "r.geojson:1:44: note: 1 drawn thing (the first: road) changes nothing: the tool 'roads' "
                "is not in this version\n");
}

static void a_mistake_in_a_line_is_shown_in_its_file(void **state) {
    (void)state;
    put_h64();
    put_text("bad.geojson", "{\"type\": \"FeatureCollection\",\n \"features\": [}\n");
    struct report report = {0};
    put_text("world.yaml", WORLD64 HEIGHT64 "splines: [bad.geojson]\n");
    assert_null(world_load(image_path("world.yaml"), NULL, &report));
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.items[0].file, image_path("bad.geojson"));
    assert_int_equal(report.items[0].line, 2);
    report_free(&report);
}

static void a_recipe_that_is_not_there(void **state) {
    (void)state;
    put_h64();
    refuse_text(WORLD64 HEIGHT64 "biomes: no.yaml\n", STATUS_FILE,
                "world.yaml:4:9: error: no.yaml: there is no such file\n"
                "  biomes: no.yaml\n"
                "          ^\n");
    refuse_text(WORLD64 HEIGHT64 "biomes: [a]\n", STATUS_INPUT,
                "world.yaml:4:9: error: 'biomes' must be text, not a list\n"
                "  biomes: [a]\n"
                "          ^\n");
}

static void set_reaches_into_the_recipes_file(void **state) {
    (void)state;
    put_h64();
    put_text("recipe.yaml", "forest: {}\n");
    static const char *const sets[] = {"biomes.zzz=1", NULL};
    struct report report = {0};
    put_text("world.yaml", WORLD64 HEIGHT64 "biomes: recipe.yaml\n");
    assert_null(world_load(image_path("world.yaml"), &(struct world_options){sets, 1}, &report));
    bool told = false;
    for (size_t i = 0; i < report.count; i++)
        told = told || (report.items[i].file && strcmp(report.items[i].file, "--set") == 0 &&
                        strncmp(report.items[i].message, "unknown key 'zzz'", 17) == 0);
    assert_true(told);
    report_free(&report);
}

static void a_world_that_is_not_there(void **state) {
    (void)state;
    struct report report = {0};
    assert_null(world_load(image_path("none/world.yaml"), NULL, &report));
    assert_int_equal(report_status(&report), STATUS_FILE);
    assert_int_equal(report.errors, 1);
    report_free(&report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_by_file_environment_and_option),
        cmocka_unit_test(wrong_roots),
        cmocka_unit_test(patterns_of_names),
        cmocka_unit_test(splines_and_placed),
        cmocka_unit_test(a_mistake_in_a_line_is_shown_in_its_file),
        cmocka_unit_test(a_recipe_that_is_not_there),
        cmocka_unit_test(set_reaches_into_the_recipes_file),
        cmocka_unit_test(a_world_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
