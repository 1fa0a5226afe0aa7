#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/world_build.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <stdio.h>
#include <string.h>

static void defaults(void **state) {
    (void)state;
    put_h64();
    struct world *w = load_text(WORLD64 HEIGHT64, NULL, "");
    assert_non_null(w);
    assert_string_equal(w->name, "w");
    assert_int_equal(w->seed, 0);
    assert_true(w->latitude_deg == 45 && w->extent.cell_m == 1);
    assert_int_equal(w->extent.cells.x0, 0);
    assert_int_equal(w->extent.cells.y1, 64);
    assert_int_equal(w->height.samples, SAMPLES_CELLS);
    assert_int_equal(w->height.source.file_count, 1);
    assert_true(w->height.source.files[0].present && w->height.source.files[0].whole);
    assert_string_equal(w->height.source.files[0].name, "h.png");
    assert_true(w->height.spacing_m == 1 && w->output.height_min_m == -2 && w->output.height_max_m == 102);
    assert_int_equal(w->tool_count, 0);
    assert_true(w->survey.horizon_radius_m == 96 && w->survey.wind_from_deg == 270);
    assert_true(w->store.limit_mib == 8192);
    assert_string_equal(w->store.dir, image_path(".terrane"));
    assert_non_null(w->splines);
    assert_true(w->height_id.lo != 0);
    world_free(w);
}

static void every_setting_is_read(void **state) {
    (void)state;
    put_zero16("h.png", 32, 64);
    struct world *w = load_text(
        "terrane: 1\n"
        "world: {name: all, origin_m: [-6, 4], size_m: [16, 32], latitude_deg: -42.5, seed: 7,\n"
        "  wind: {from_deg: 90, scale_m: 32, slope_weight: 0.5, curvature_weight: 0.25, shelter_m: 50}}\n"
        "grid: {cell_m: 0.5}\n"
        "height: {files: h.png, z_min_m: -10, z_max_m: 10, nodata: 3, spacing_m: 0.5, samples: cells}\n"
        "survey: {curvature_scale_m: 4, horizon_radius_m: 64, horizon_directions: 32, far_radius_m: 0,\n"
        "  distance_max_m: 100}\n"
        "noise: {clump: {scale_m: 20, octaves: 2, gain: 0.4, lacunarity: 2.5, offset_m: [1, 2], seed: 9,\n"
        "  normal_influence: 3}, plain: }\n"
        "output: {height: {min_m: -20, max_m: 30}}\n"
        "store: {dir: cache, limit_mib: 100}\n",
        NULL, "");
    assert_non_null(w);
    assert_int_equal(w->extent.cells.x0, -12);
    assert_int_equal(w->extent.cells.y0, 8);
    assert_int_equal(w->extent.cells.x1, 20);
    assert_int_equal(w->extent.cells.y1, 72);
    assert_true(w->latitude_deg == -42.5 && w->seed == 7);
    assert_true(w->survey.wind_from_deg == 90 && w->survey.wind_scale_m == 32 &&
                w->survey.wind_slope_weight == 0.5 && w->survey.wind_curvature_weight == 0.25 &&
                w->survey.wind_shelter_m == 50);
    assert_true(w->survey.curvature_scale_m == 4 && w->survey.horizon_radius_m == 64 &&
                w->survey.horizon_directions == 32 && w->survey.far_radius_m == 0 &&
                w->survey.distance_max_m == 100);
    assert_int_equal(w->noise_count, 2);
    const struct noise_def *n = world_find_noise(w, "clump");
    assert_true(n->scale_m == 20 && n->octaves == 2 && n->gain == 0.4 && n->lacunarity == 2.5 &&
                n->offset_m[0] == 1 && n->offset_m[1] == 2 && n->seed == 9 && n->normal_influence == 3);
    n = world_find_noise(w, "plain");
    assert_true(n->scale_m == 32 && n->octaves == 4 && n->gain == 0.5 && n->lacunarity == 2);
    assert_null(world_find_noise(w, "other"));
    assert_true(w->height.has_nodata && w->height.nodata == 3);
    assert_true(w->output.height_min_m == -20 && w->output.height_max_m == 30);
    assert_string_equal(w->store.dir, image_path("cache"));
    assert_true(w->store.limit_mib == 100);
    world_free(w);
}

static void every_mistake_is_told_in_one_go(void **state) {
    (void)state;
    refuse_text(
        "terrane: 1\n"
        "wolrd: {}\n"
        "world: {name: w, size_m: [64, 64], latitude_deg: 91, seed: -1}\n"
        "grid: {cell_m: 1 m}\n"
        "height: {files: no.png, z_min_m: 5, z_max_m: 5, spacng_m: 1}\n"
        "survey: {horizon_directions: 20}\n"
        "noise: {a-b: {}, c: {octaves: 13}}\n",
        STATUS_FILE,
        "world.yaml:2:1: error: unknown key 'wolrd': did you mean 'world'?\n"
        "  wolrd: {}\n"
        "  ^\n"
        "world.yaml:3:50: error: 'latitude_deg' is out of range (-90 to 90 degrees): 91\n"
        "  world: {name: w, size_m: [64, 64], latitude_deg: 91, seed: -1}\n"
        "                                                   ^\n"
        "world.yaml:3:60: error: 'seed' is out of range (0 to 9223372036854775807): -1\n"
        "  world: {name: w, size_m: [64, 64], latitude_deg: 91, seed: -1}\n"
        "                                                             ^\n"
        "world.yaml:4:16: error: 'cell_m' must be a number (0.1 to 1024 m), not '1 m': a number alone, "
        "without 'm'\n"
        "  grid: {cell_m: 1 m}\n"
        "                 ^\n"
        "world.yaml:5:17: error: no.png: there is no such file\n"
        "  height: {files: no.png, z_min_m: 5, z_max_m: 5, spacng_m: 1}\n"
        "                  ^\n"
        "world.yaml:5:46: error: 'z_max_m' must be above z_min_m, 5 m\n"
        "  height: {files: no.png, z_min_m: 5, z_max_m: 5, spacng_m: 1}\n"
        "                                               ^\n"
        "world.yaml:5:49: error: unknown key 'spacng_m' in height: did you mean 'spacing_m'?\n"
        "  height: {files: no.png, z_min_m: 5, z_max_m: 5, spacng_m: 1}\n"
        "                                                  ^\n"
        "world.yaml:6:30: error: 'horizon_directions' must be 16 or 32, not 20\n"
        "  survey: {horizon_directions: 20}\n"
        "                               ^\n"
        "world.yaml:7:9: error: noise 'a-b' must be named with letters, digits and _, a letter first\n"
        "  noise: {a-b: {}, c: {octaves: 13}}\n"
        "          ^\n"
        "world.yaml:7:31: error: 'octaves' is out of range (1 to 12): 13\n"
        "  noise: {a-b: {}, c: {octaves: 13}}\n"
        "                                ^\n");
}

static void another_version_stops_at_once(void **state) {
    (void)state;
    refuse_text("terrane: 2\nplanet: {}\n", STATUS_INPUT,
                "world.yaml:1:10: error: this program reads version 1 of the format, not 2\n"
                "  terrane: 2\n"
                "           ^\n");
    refuse_text("- 1\n", STATUS_INPUT,
                "world.yaml:1:1: error: a world is a map of keys, not a list\n  - 1\n  ^\n");
}

static void what_must_be_there(void **state) {
    (void)state;
    refuse_text("world: {}\nheight: {}\n", STATUS_INPUT,
                "world.yaml:1:1: error: 'terrane: 1' is missing: the version of the format\n"
                "  world: {}\n  ^\n"
                "world.yaml:1:8: error: 'name' is missing in world\n"
                "  world: {}\n         ^\n"
                "world.yaml:1:8: error: 'size_m' is missing in world: [width, height] in metres\n"
                "  world: {}\n         ^\n"
                "world.yaml:2:9: error: 'files' is missing in height\n"
                "  height: {}\n          ^\n"
                "world.yaml:2:9: error: 'z_min_m' is missing in height: the height of code 0\n"
                "  height: {}\n          ^\n"
                "world.yaml:2:9: error: 'z_max_m' is missing in height: the height of the largest code\n"
                "  height: {}\n          ^\n");
    refuse_text("terrane: 1\n", STATUS_INPUT,
                "world.yaml:1:1: error: 'world' is missing: {name: ..., size_m: [width, height]}\n"
                "  terrane: 1\n  ^\n"
                "world.yaml:1:1: error: 'height' is missing: {files: ..., z_min_m: ..., z_max_m: ...}\n"
                "  terrane: 1\n  ^\n");
}

/* One message about `world: {...}`; heights are there and fit 64 x 64. */
static void assert_extent(const char *world, const char *grid, enum status status, const char *message) {
    char yaml[1024];
    struct report report = {0};
    snprintf(yaml, sizeof yaml, "terrane: 1\nworld: {name: w, %s}\ngrid: {%s}\n" HEIGHT64, world, grid);
    build_check_text(yaml, strlen(yaml), &report);
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.items[0].message, message);
    assert_int_equal(report.items[0].line, 2);
    assert_int_equal(report_status(&report), status);
    report_free(&report);
}

static void extents(void **state) {
    (void)state;
    assert_extent("size_m: [64, 64], origin_m: [0.5, 0]", "", STATUS_INPUT,
                  "'origin_m' is [0.5, 0] m: must be a multiple of the cell, 1 m");
    assert_extent("size_m: [64, 63]", "cell_m: 2", STATUS_INPUT,
                  "'size_m' is [64, 63] m: must be a multiple of the cell, 2 m");
    assert_extent("size_m: [0, 64]", "", STATUS_INPUT, "'size_m' is [0, 64] m: must be above 0");
    assert_extent("size_m: [1e-5, 64]", "", STATUS_INPUT,
                  "'size_m' is [1e-05, 64] m: smaller than a cell, 1 m");
    assert_extent("size_m: [64]", "", STATUS_INPUT, "'size_m' must be a list of 2 numbers, not of 1");
    assert_extent("size_m: [1e9, 64]", "", STATUS_LIMIT,
                  "'size_m' is 1000000000 m: more than 536870912 cells of 1 m");
    assert_extent("size_m: [64, 64], origin_m: [0, 1e9]", "", STATUS_LIMIT,
                  "'origin_m' is 1000000000 m: more than 536870912 cells of 1 m");
    assert_extent("size_m: [1e5, 64], origin_m: [536870900, 0]", "", STATUS_LIMIT,
                  "the world ends at cell 536970900,64: at most 536870912");
    assert_extent("size_m: [1e6, 1e6]", "", STATUS_LIMIT,
                  "the world has 15264649 sections of 256 x 256 cells: at most 4000000");
}

static void decimals_of_the_cell_are_whole_cells(void **state) {
    (void)state;
    put_zero16("h.png", 260, 268);
    struct world *w = load_text("terrane: 1\nworld: {name: w, size_m: [6884.02468, 7095.840824]}\n"
                                "grid: {cell_m: 26.477018}\n" HEIGHT64,
                                NULL, "");
    assert_non_null(w);
    assert_int_equal(w->extent.cells.x1, 260);
    assert_int_equal(w->extent.cells.y1, 268);
    world_free(w);
}

static void reaches_are_limited_in_cells_too(void **state) {
    (void)state;
    static const char yaml[] = "terrane: 1\nworld: {name: w, size_m: [64, 64], wind: {shelter_m: 103}}\n"
                               "grid: {cell_m: 0.1}\n" HEIGHT64 "survey: {horizon_radius_m: 103, "
                               "far_radius_m: 3277}\nnoise: {a: {scale_m: 0.04}, b: {scale_m: 200000}}\n";
    static const char *const messages[] = {
        "'horizon_radius_m' is out of range (8 to 102.4 m): 103",
        "'far_radius_m' is out of range (0 to 3276.8 m): 3277",
        "'shelter_m' is out of range (0 to 102.4 m): 103",
        "'scale_m' is out of range (0.05 to 104857.6 m): 0.04",
        "'scale_m' is out of range (0.05 to 104857.6 m): 200000",
    };
    struct report report = {0};
    build_check_text(yaml, sizeof yaml - 1, &report);
    assert_int_equal(report.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(report.items[i].message, messages[i]);
    report_free(&report);
}

static void tools(void **state) {
    (void)state;
    put_h64();
    struct world *w = load_text(WORLD64 HEIGHT64 "tools: [fences, fog]\n", NULL,
                                "world.yaml:4:9: warning: tool 'fences' is not in this version: skipped\n"
                                "  tools: [fences, fog]\n"
                                "          ^\n"
                                "world.yaml:4:17: warning: tool 'fog' is not in this version: skipped\n"
                                "  tools: [fences, fog]\n"
                                "                  ^\n");
    assert_int_equal(w->tool_count, 0);
    world_free(w);
    refuse_text(WORLD64 HEIGHT64 "tools: [road, biomes, biomes]\nfences: {a: 1}\n", STATUS_INPUT,
                "world.yaml:4:8: error: tool 'biomes' needs a recipe: biomes: FILE\n"
                "  tools: [road, biomes, biomes]\n"
                "         ^\n"
                "world.yaml:4:9: error: 'tools[0]' must be cliffs, freshwater or biomes, not 'road'\n"
                "  tools: [road, biomes, biomes]\n"
                "          ^\n"
                "world.yaml:4:23: error: tool 'biomes' is named twice\n"
                "  tools: [road, biomes, biomes]\n"
                "                        ^\n"
                "world.yaml:5:9: error: tool 'fences' is not in this version: it takes no settings\n"
                "  fences: {a: 1}\n"
                "          ^\n");
}

static void set_changes_and_is_checked_like_the_file(void **state) {
    (void)state;
    put_h64();
    static const char *const good[] = {"world.seed=99", "noise.clump={scale_m: 8}", "world.latitude_deg=10",
                                       NULL};
    struct world *w = load_text(WORLD64 HEIGHT64, good, "");
    assert_int_equal(w->seed, 99);
    assert_true(w->latitude_deg == 10);
    assert_true(world_find_noise(w, "clump")->scale_m == 8);
    world_free(w);
    static const char *const bad[] = {"world.sed=99", "world.latitude_deg=x", "height", "world.name.x=1",
                                      NULL};
    w = load_text(WORLD64 HEIGHT64, bad,
                  "--set: error: 'height' is not KEY=VALUE\n"
                  "--set: error: 'world.name' is text, not a map of keys\n"
                  "--set: error: 'latitude_deg' must be a number (-90 to 90 degrees), not 'x'\n"
                  "--set: error: unknown key 'sed' in world: did you mean 'seed'?\n");
    assert_null(w);
}

static void layers_to_be_written(void **state) {
    (void)state;
    put_h64();
    put_zero8("m.png", 64, 64);
    const char *masks = "masks: {paint: {files: m.png}}\nnoise: {clump: {scale_m: 8}}\n";
    char yaml[1024];
    snprintf(yaml, sizeof yaml, WORLD64 HEIGHT64 "%soutput: {layers: [slope, paint, noise.clump]}\n", masks);
    struct world *w = load_text(yaml, NULL, "");
    assert_int_equal(w->output.layer_count, 3);
    world_free(w);
    snprintf(yaml, sizeof yaml, WORLD64 HEIGHT64 "%soutput: {layers: [sloep, curvature]}\n", masks);
    refuse_text(
        yaml, STATUS_INPUT,
        "world.yaml:6:19: error: output.layers: there is no layer 'sloep'; did you mean 'slope'?\n"
        "  output: {layers: [sloep, curvature]}\n"
        "                    ^\n"
        "world.yaml:6:26: error: output.layers: the range of curvature is not known beforehand, so no "
        "PNG can hold it; `terrane layer` writes it as numbers\n"
        "  output: {layers: [sloep, curvature]}\n"
        "                           ^\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_to_be_written),
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_setting_is_read),
        cmocka_unit_test(every_mistake_is_told_in_one_go),
        cmocka_unit_test(another_version_stops_at_once),
        cmocka_unit_test(what_must_be_there),
        cmocka_unit_test(extents),
        cmocka_unit_test(decimals_of_the_cell_are_whole_cells),
        cmocka_unit_test(reaches_are_limited_in_cells_too),
        cmocka_unit_test(tools),
        cmocka_unit_test(set_changes_and_is_checked_like_the_file),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
