#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/ply.h"
#include "gen/png_read.h"
#include "outputs_fixture.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

static void an_f_comes_out_of_every_output_unturned_and_unshifted(void **state) {
    (void)state;
    static const uint32_t ink[] = {6400, 32768 + 7 * 512, 7, 0x070809},
                          paper[] = {640, 32768 + 2 * 512, 2, 0x020304};
    for (int32_t samples = SAMPLES_CELLS; samples <= SAMPLES_POSTS; samples++) {
        struct world world = make_world((enum height_samples)samples);
        struct output_list list;
        assert_int_equal(outputs_list(&world, &list, NULL), STATUS_OK);
        for (int32_t o = 0; o < 4; o++) {
            const struct output *output = outputs_find(&list, ground_stage.outputs[o].name);
            assert_non_null(output);
            struct filled f = fill(&world, o, first_section, o == 0 ? f_altitude : f_small);
            struct raster image;
            struct output_clamped clamped;
            assert_int_equal(output_encode(output, &f.window, first_section, &image, &clamped, NULL),
                             STATUS_OK);
            assert_int_equal(clamped.count, 0);
            int32_t side = 256 + (samples == SAMPLES_POSTS && o < 2);
            assert_int_equal(image.width, side);
            assert_int_equal(image.height, side);
            for (int32_t y = 0; y < side; y++)
                for (int32_t x = 0; x < side; x++)
                    assert_int_equal(raster_code(&image, x, y),
                                     f_shape_ink(x - 6, y - 3) ? ink[o] : paper[o]);
            raster_free(&image);
            free(f.samples);
        }
        outputs_free(&list);
    }
}

static double steep(int32_t x, int32_t y) {
    if (x == -200 && y == 9)
        return (double)NAN;
    return x == -100 && y == 40 ? 1e9 : x == 0 && y == 40 ? -1e9 : 100 + (x + 256) / 64.0;
}

static void values_beyond_the_range_are_clamped_counted_and_placed(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_POSTS);
    struct output_list list;
    assert_int_equal(outputs_list(&world, &list, NULL), STATUS_OK);
    struct filled f = fill(&world, 0, first_section, steep);
    struct raster image;
    struct output_clamped clamped;
    assert_int_equal(
        output_encode(outputs_find(&list, "height"), &f.window, first_section, &image, &clamped, NULL),
        STATUS_OK);
    assert_int_equal(clamped.count, 3);
    assert_int_equal(clamped.x, -200);
    assert_int_equal(clamped.y, 9);
    assert_int_equal(raster_code(&image, 56, 9), 0);
    assert_int_equal(raster_code(&image, 156, 40), 65535);
    assert_int_equal(raster_code(&image, 256, 40), 0);
    assert_int_equal(raster_code(&image, 77, 40), 77);
    raster_free(&image);
    free(f.samples);
    outputs_free(&list);
}

static void the_list_has_what_somebody_makes_and_the_user_names(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    char *layers[] = {(char *)(uintptr_t) "slope", (char *)(uintptr_t) "flow"};
    world.output.layers = layers;
    world.output.layer_count = 2;
    struct output_list list;
    struct error err;
    assert_int_equal(outputs_list(&world, &list, &err), STATUS_OK);
    static const char *const names[] = {"height",      "height_delta", "texture_id", "tint",
                                        "mask_forest", "slope",        "flow",       "points"};
    assert_int_equal(list.count, sizeof names / sizeof *names);
    for (size_t i = 0; i < list.count; i++)
        assert_string_equal(list.items[i].name, names[i]);
    assert_true(outputs_find(&list, "slope")->scale == 90.0 / 65535);
    assert_int_equal(outputs_find(&list, "mask_forest")->tool, TOOL_BIOMES);
    outputs_free(&list);
    world.tool_count = 0; /* the biomes are off */
    assert_int_equal(outputs_list(&world, &list, &err), STATUS_OK);
    assert_null(outputs_find(&list, "mask_forest"));
    assert_null(outputs_find(&list, "points"));
    outputs_free(&list);
    static const struct {
        const char *layer, *message;
    } wrong[] = {
        {"slop", "output.layers: there is no layer 'slop'; did you mean 'slope'?"},
        {"count", "output.layers: count is not a raster that a PNG can hold"},
        {"entities", "output.layers: entities is not a raster that a PNG can hold"},
        {"../x", "output.layers: '../x' cannot be a file's name"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        layers[1] = (char *)(uintptr_t)wrong[i].layer;
        assert_int_equal(outputs_list(&world, &list, &err), STATUS_INPUT);
        assert_string_equal(err.message, wrong[i].message);
    }
}

/* ---- publishing ---- */

static void files_lie_where_the_design_says(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_POSTS);
    struct publish *p = open_map(&world, -1, 0);
    publish_section(p, &world, -1, 0, f_altitude);
    publish_points(p, &world, -4, 0, 5);
    publish_points(p, &world, -3, 0, 0);
    struct publish_counts counts = commit(p);
    assert_int_equal(counts.written, 5);
    assert_int_equal(counts.kept, 0);
    struct raster image;
    assert_int_equal(png_read_file(at("maps/x-1_y0/sections/c-1_0/height.png"), &image, NULL), STATUS_OK);
    assert_int_equal(image.width, 257);
    assert_int_equal(raster_code(&image, 8, 3 + 7), 6400);
    raster_free(&image);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(os_read_file(at("maps/x-1_y0/sectors/s-4_0.points.ply"), 1 << 20, &bytes, &size, NULL),
                     STATUS_OK);
    struct ply ply;
    assert_int_equal(ply_read("test", bytes, size, &ply, NULL), STATUS_OK);
    assert_int_equal(ply.count, 5);
    assert_false(exists("maps/x-1_y0/sectors/s-3_0.points.ply"));
    json_t *root;
    assert_int_equal(manifest_read(at("maps/x-1_y0/manifest.json"), &root, NULL, NULL), STATUS_OK);
    const json_t *entry = json_object_get(json_object_get(root, "outputs"), "sectors/s-4_0.points.ply");
    assert_int_equal(json_integer_value(json_object_get(entry, "entities")), 5);
    assert_int_equal(json_integer_value(json_object_get(entry, "objects")), 3);
    char text[HASH_TEXT_SIZE];
    hash128_text(bytes_hash(bytes, size), text);
    assert_string_equal(json_string_value(json_object_get(entry, "hash")), text);
    free(bytes);
    json_decref(root);
}

static void the_same_again_writes_nothing_and_a_changed_file_is_mended(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct publish *p = open_map(&world, -1, 0);
    publish_section(p, &world, -1, 0, f_altitude);
    commit(p);
    char *manifest = text_of("maps/x-1_y0/manifest.json");
    p = open_map(&world, -1, 0);
    assert_true(publish_fresh(p, "c-1_0", made_from));
    assert_false(publish_fresh(p, "c-1_0", (struct hash128){5, 7}));
    assert_false(publish_fresh(p, "c-1_1", made_from));
    assert_int_equal(commit(p).kept, 4);
    assert_int_equal(os_write_file(at("maps/x-1_y0/sections/c-1_0/tint.png"), "x", 1, NULL), STATUS_OK);
    p = open_map(&world, -1, 0);
    assert_false(publish_fresh(p, "c-1_0", made_from));
    publish_section(p, &world, -1, 0, f_altitude);
    struct publish_counts counts = commit(p);
    assert_int_equal(counts.kept, 3);
    assert_int_equal(counts.written, 1);
    char *again = text_of("maps/x-1_y0/manifest.json");
    assert_string_equal(manifest, again);
    free(manifest);
    free(again);
}

static void two_writers_of_one_map_lose_nothing(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct publish *whole = open_map(&world, 0, 0);
    publish_section(whole, &world, 1, 0, f_altitude);
    publish_section(whole, &world, 0, 1, f_altitude);
    publish_points(whole, &world, 2, 2, 7);
    commit(whole);
    char *expected = text_of("maps/x0_y0/manifest.json");
    assert_int_equal(os_remove_tree(at("maps"), NULL), STATUS_OK);
    struct publish *a = open_map(&world, 0, 0), *b = open_map(&world, 0, 0);
    publish_section(a, &world, 1, 0, f_altitude);
    publish_points(b, &world, 2, 2, 7);
    publish_section(b, &world, 0, 1, f_altitude);
    commit(b);
    commit(a);
    char *merged = text_of("maps/x0_y0/manifest.json");
    assert_string_equal(merged, expected);
    free(merged);
    free(expected);
}

static void what_nothing_makes_any_more_goes(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct publish *p = open_map(&world, 0, 0);
    publish_section(p, &world, 0, 0, f_altitude);
    publish_section(p, &world, 1, 0, f_altitude);
    publish_points(p, &world, 2, 2, 7);
    publish_points(p, &world, 3, 2, 7);
    commit(p);
    assert_int_equal(os_write_file(at("maps/x0_y0/sections/c0_0/old.png"), "x", 1, NULL), STATUS_OK);
    assert_int_equal(os_write_file(at("maps/x0_y0/sections/c0_0/notes.txt"), "x", 1, NULL), STATUS_OK);
    assert_int_equal(os_write_file(at("maps/x0_y0/sections/c1_0/old.png"), "x", 1, NULL), STATUS_OK);
    p = open_map(&world, 0, 0);
    publish_points(p, &world, 2, 2, 0); /* nothing stands there now */
    assert_int_equal(publish_complete(p, LEVEL_SECTOR, 3, 2, NULL), STATUS_OK);
    assert_int_equal(publish_complete(p, LEVEL_SECTION, 0, 0, NULL), STATUS_OK);
    assert_int_equal(commit(p).removed, 2 + 4 + 1);
    assert_false(exists("maps/x0_y0/sectors/s2_2.points.ply"));
    assert_false(exists("maps/x0_y0/sectors/s3_2.points.ply"));
    assert_false(exists("maps/x0_y0/sections/c0_0/height.png"));
    assert_false(exists("maps/x0_y0/sections/c0_0/old.png"));
    assert_true(exists("maps/x0_y0/sections/c0_0/notes.txt"));
    assert_true(exists("maps/x0_y0/sections/c1_0/old.png"));
    assert_true(exists("maps/x0_y0/sections/c1_0/height.png"));
}

static void leftovers_of_a_killed_bake_go_when_nobody_else_writes(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct publish *a = open_map(&world, 0, 0);
    publish_section(a, &world, 0, 0, f_altitude);
    const char *left = "maps/x0_y0/sections/c0_0/.height.png.123-4.tmp";
    assert_int_equal(os_write_file(at(left), "x", 1, NULL), STATUS_OK);
    struct publish *b = open_map(&world, 0, 0); /* a writes still */
    assert_true(exists(left));
    publish_abandon(b);
    publish_abandon(a);
    publish_abandon(open_map(&world, 0, 0));
    assert_false(exists(left));
}

static void failing_writes_leave_the_old_bake_intact(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct publish *p = open_map(&world, -1, 0);
    publish_section(p, &world, -1, 0, f_altitude);
    commit(p);
    char *manifest = text_of("maps/x-1_y0/manifest.json");
    struct raster before, after;
    assert_int_equal(png_read_file(at("maps/x-1_y0/sections/c-1_0/height.png"), &before, NULL), STATUS_OK);
    struct output_list list;
    assert_int_equal(outputs_list(&world, &list, NULL), STATUS_OK);
    p = open_map(&world, -1, 0);
    struct filled f = fill(&world, 0, first_section, steep);
    struct rlimit old, small = {100, 0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct error err;
    enum status status =
        publish_raster(p, "c-1_0", outputs_find(&list, "height"), -1, 0, &f.window, first_section, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, STATUS_FILE);
    assert_non_null(strstr(err.file, "height.png"));
    publish_abandon(p);
    assert_int_equal(png_read_file(at("maps/x-1_y0/sections/c-1_0/height.png"), &after, NULL), STATUS_OK);
    assert_memory_equal(before.samples, after.samples, raster_row_size(&before) * 256);
    char *again = text_of("maps/x-1_y0/manifest.json");
    assert_string_equal(manifest, again);
    free(manifest);
    free(again);
    raster_free(&before);
    raster_free(&after);
    free(f.samples);
    outputs_free(&list);
}

static void a_folder_that_cannot_be_written_is_file_trouble(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    assert_int_equal(os_write_file(at("maps"), "x", 1, NULL), STATUS_OK); /* root may write read-only ones */
    struct publish *p;
    struct error err;
    assert_int_equal(publish_open(&world, folder, 0, 0, &p, &err), STATUS_FILE);
    assert_null(p);
}

static void another_worlds_manifest_is_refused_a_damaged_one_replaced(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct publish *p = open_map(&world, 0, 0);
    publish_section(p, &world, 0, 0, f_altitude);
    commit(p);
    world.extent.cell_m = 2;
    struct error err;
    assert_int_equal(publish_open(&world, folder, 0, 0, &p, &err), STATUS_INPUT);
    assert_string_equal(err.message, "this folder is another world's (grid.cell_m is '1' there and '2' "
                                     "here): bake into another one, with --out, or remove it");
    assert_int_equal(os_write_file(at("maps/x0_y0/manifest.json"), "{", 1, NULL), STATUS_OK);
    p = open_map(&world, 0, 0);
    publish_section(p, &world, 0, 0, f_altitude);
    assert_int_equal(commit(p).anew, 1);
    p = open_map(&world, 0, 0);
    publish_section(p, &world, 0, 0, f_altitude);
    assert_int_equal(commit(p).anew, 0);
}

static void the_worlds_manifest_is_a_hash_of_the_maps(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct publish *p = open_map(&world, 0, 0);
    publish_section(p, &world, 0, 0, f_altitude);
    commit(p);
    p = open_map(&world, -1, 0);
    publish_section(p, &world, -1, 0, f_altitude);
    commit(p);
    assert_int_equal(manifest_world(folder, &world, NULL, NULL), STATUS_OK);
    char *one = text_of("manifest.json");
    assert_int_equal(manifest_world(folder, &world, NULL, NULL), STATUS_OK);
    char *two = text_of("manifest.json");
    assert_string_equal(one, two);
    assert_non_null(strstr(one, "\"x-1_y0\""));
    assert_non_null(strstr(one, "18446744073709551615"));
    p = open_map(&world, -1, 0);
    publish_section(p, &world, -1, 0, steep);
    assert_int_equal(commit(p).clamped, 2);
    assert_int_equal(manifest_world(folder, &world, NULL, NULL), STATUS_OK);
    char *three = text_of("manifest.json");
    assert_string_not_equal(one, three);
    free(one);
    free(two);
    free(three);
}

static void names_of_files_are_read_as_they_are_written(void **state) {
    (void)state;
    struct path_name name;
    char path[PATH_TEXT_MAX];
    static const char *const good[] = {"preview.png", "sections/c-13_11/mask_forest.png",
                                       "sectors/s53_-43.points.ply", "sections/c0_0/noise.clump.png"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(path_parse(good[i], &name));
        assert_int_equal(path_of(&name, path, NULL), STATUS_OK);
        assert_string_equal(path, good[i]);
    }
    static const char *const bad[] = {
        "sections/c-0_1/a.png", "sections/c01_1/a.png",  "sections/c1_1/",           "a/b",
        "sections/c1_1/b/c",    "sectors/s1.points.ply", "sectors/s99999999999_1.a", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(path_parse(bad[i], &name));
    int32_t x, y;
    assert_true(path_parse_map("x-3_y12", &x, &y) && x == -3 && y == 12);
    assert_false(path_parse_map("x3_y2.old", &x, &y));
    assert_false(path_parse_map("3_2", &x, &y));
}

int main(void) {
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_f_comes_out_of_every_output_unturned_and_unshifted),
        cmocka_unit_test(values_beyond_the_range_are_clamped_counted_and_placed),
        cmocka_unit_test(the_list_has_what_somebody_makes_and_the_user_names),
        cmocka_unit_test(names_of_files_are_read_as_they_are_written),
        IN_FOLDER(files_lie_where_the_design_says),
        IN_FOLDER(the_same_again_writes_nothing_and_a_changed_file_is_mended),
        IN_FOLDER(two_writers_of_one_map_lose_nothing),
        IN_FOLDER(what_nothing_makes_any_more_goes),
        IN_FOLDER(leftovers_of_a_killed_bake_go_when_nobody_else_writes),
        IN_FOLDER(failing_writes_leave_the_old_bake_intact),
        IN_FOLDER(a_folder_that_cannot_be_written_is_file_trouble),
        IN_FOLDER(another_worlds_manifest_is_refused_a_damaged_one_replaced),
        IN_FOLDER(the_worlds_manifest_is_a_hash_of_the_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
