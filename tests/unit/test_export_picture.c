#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/bytes.h"
#include "gen/export_images.h"
#include "gen/picture.h"
#include "gen/png_read.h"
#include "outputs_fixture.h"

/* The F over the corner where four sections of two maps meet. */
static double f_corner(int32_t x, int32_t y) {
    return f_shape_ink(x + 4, y - 252) ? 200 : 110;
}

static void bake(enum height_samples samples) {
    struct world world = make_world(samples);
    for (int32_t mx = -1; mx <= 0; mx++) {
        struct publish *p = open_map(&world, mx, 0);
        publish_section(p, &world, mx, 0, f_corner);
        publish_section(p, &world, mx, 1, f_corner);
        commit(p);
    }
}

static void expect_f(const char *path, int32_t side, int32_t x0, int32_t y0) {
    struct raster image;
    struct error err;
    if (png_read_file(at(path), &image, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    assert_int_equal(image.kind, KIND_GREY16);
    assert_int_equal(image.width, x0 == 0 ? side : 2 * side - (side & 1));
    assert_int_equal(image.height, 2 * side - (side & 1));
    for (int32_t y = 0; y < image.height; y++)
        for (int32_t x = 0; x < image.width; x++)
            assert_int_equal(raster_code(&image, x, y), f_corner(x + x0, y + y0) > 150 ? 6400 : 640);
    raster_free(&image);
}

static json_t *read_json(const char *path) {
    char *text = text_of(path);
    json_t *json = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(json);
    return json;
}

static void sections_become_one_image_of_the_world_or_of_each_map(void **state) {
    (void)state;
    for (int32_t samples = SAMPLES_CELLS; samples <= SAMPLES_POSTS; samples++) {
        bake((enum height_samples)samples);
        int32_t side = samples == SAMPLES_POSTS ? 257 : 256; /* shared posts come once: 513 */
        struct export_options options = {.whole_world = true};
        struct export_report report;
        assert_int_equal(export_images(folder, at("world"), &options, &report, NULL), STATUS_OK);
        assert_int_equal(report.images, 4);
        assert_int_equal(report.missing_sections, 0);
        expect_f("world/height.png", side, -256, 0);
        options.whole_world = false;
        assert_int_equal(export_images(folder, at("maps_apart"), &options, &report, NULL), STATUS_OK);
        assert_int_equal(report.images, 8);
        expect_f("maps_apart/x0_y0_height.png", side, 0, 0);
        json_t *json = read_json("world/height.json");
        assert_true(json_number_value(json_object_get(json, "scale")) == 1.0 / 64);
        assert_int_equal(json_integer_value(json_object_get(json, "offset")), 100);
        assert_int_equal(json_integer_value(json_array_get(json_object_get(json, "origin"), 0)), -256);
        json_decref(json);
        assert_int_equal(os_remove_tree(at("maps"), NULL), STATUS_OK);
    }
}

static void sections_that_are_not_there_are_named(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct publish *p = open_map(&world, 0, 0);
    publish_section(p, &world, 0, 0, f_corner);
    publish_section(p, &world, 1, 2, f_corner);
    commit(p);
    struct export_options options = {.whole_world = true};
    struct export_report report;
    assert_int_equal(export_images(folder, at("to"), &options, &report, NULL), STATUS_OK);
    assert_int_equal(report.missing_sections, 4 * 4);
    struct raster image;
    assert_int_equal(png_read_file(at("to/height.png"), &image, NULL), STATUS_OK);
    assert_int_equal(image.height, 700); /* the world's edge */
    assert_int_equal(raster_code(&image, 100, 300), 0);
    assert_int_equal(raster_code(&image, 300, 600), 640);
    raster_free(&image);
    json_t *json = read_json("to/height.json");
    char *text = json_dumps(json_object_get(json, "missing_sections"), JSON_COMPACT);
    assert_string_equal(text, "[[1,0],[0,1],[1,1],[0,2]]");
    free(text);
    json_decref(json);
    static const char *const names[] = {"tint", "hight"};
    options = (struct export_options){.names = names, .name_count = 1};
    assert_int_equal(export_images(folder, at("one"), &options, &report, NULL), STATUS_OK);
    assert_int_equal(report.images, 1);
    options.name_count = 2;
    struct error err;
    assert_int_equal(export_images(folder, at("one"), &options, &report, &err), STATUS_USAGE);
    assert_non_null(strstr(err.message, "has no rasters named 'hight'"));
}

static void unlike_encodings_are_refused(void **state) {
    (void)state;
    bake(SAMPLES_CELLS);
    struct world world = make_world(SAMPLES_CELLS);
    world.output.height_max_m += 10;
    struct publish *p = open_map(&world, -1, 0);
    publish_section(p, &world, -1, 1, f_corner);
    commit(p);
    struct export_options options = {.whole_world = true};
    struct export_report report;
    struct error err;
    assert_int_equal(export_images(folder, at("to"), &options, &report, &err), STATUS_INPUT);
    assert_non_null(strstr(err.message, "has another scale than"));
}

/* ---- pictures and numbers ---- */

static const struct rect window_cells = {-8, 248, 12, 270};

static void an_f_comes_out_as_numbers_unturned_and_unshifted(void **state) {
    (void)state;
    for (int32_t samples = SAMPLES_CELLS; samples <= SAMPLES_POSTS; samples++) {
        struct world world = make_world((enum height_samples)samples);
        struct filled f = fill(&world, 0, window_cells, f_corner);
        int32_t more = samples == SAMPLES_POSTS, width = 20 + more, height = 22 + more;
        unsigned char *bytes;
        size_t size;
        assert_int_equal(picture_file(&world, &f.window, window_cells, PICTURE_R32, &bytes, &size, NULL),
                         STATUS_OK);
        assert_int_equal(size, width * height * 4);
        for (int32_t row = 0; row < height; row++)
            for (int32_t x = 0; x < width; x++)
                assert_true(get_f32(bytes + 4 * (row * width + x)) ==
                            (float)f_corner(-8 + x, 248 + height - 1 - row));
        free(bytes);
        assert_int_equal(picture_file(&world, &f.window, window_cells, PICTURE_ASC, &bytes, &size, NULL),
                         STATUS_OK);
        char head[256], *text = malloc(size + 1);
        assert_non_null(text);
        memcpy(text, bytes, size);
        text[size] = '\0';
        const char *corner = more ? "center" : "corner";
        int length = snprintf(head, sizeof head,
                              "ncols %d\nnrows %d\nxll%s -8\nyll%s 248\ncellsize 1\nNODATA_value -9999\n",
                              (int)width, (int)height, corner, corner);
        assert_memory_equal(text, head, (size_t)length);
        char *number = text + length;
        for (int32_t row = 0; row < height; row++)
            for (int32_t x = 0; x < width; x++)
                assert_true(strtod(number, &number) == f_corner(-8 + x, 248 + height - 1 - row));
        assert_string_equal(number, "\n");
        free(text);
        free(bytes);
        free(f.samples);
    }
}

static void a_picture_has_its_layers_ramp_whatever_is_in_it(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct filled f = fill(&world, 0, window_cells, f_corner);
    unsigned char *bytes;
    size_t size;
    struct raster image;
    assert_int_equal(picture_file(&world, &f.window, window_cells, PICTURE_PNG, &bytes, &size, NULL),
                     STATUS_OK);
    assert_int_equal(png_decode(bytes, size, &image, NULL), STATUS_OK);
    uint32_t ink = raster_code(&image, 8 - 4 + 1, 4 + 1), paper = raster_code(&image, 0, 0);
    assert_int_not_equal(ink, paper);
    for (int32_t y = 0; y < image.height; y++)
        for (int32_t x = 0; x < image.width; x++)
            assert_int_equal(raster_code(&image, x, y), f_corner(x - 8, y + 248) > 150 ? ink : paper);
    struct picture_style style;
    assert_int_equal(picture_style_of(&world, f.window.layer, &style, NULL), STATUS_OK);
    assert_true(style.low == 100 && style.high == world.output.height_max_m);
    raster_free(&image);
    free(bytes);
    free(f.samples);
}

static void ramps_have_their_ends_and_middles(void **state) {
    (void)state;
    static const struct {
        struct picture_style style;
        float value;
        uint8_t rgb[3];
    } cases[] = {
        {{RAMP_GREY, 0, 1}, 0, {0, 0, 0}},
        {{RAMP_GREY, 0, 1}, 1, {255, 255, 255}},
        {{RAMP_GREY, 0, 1}, 7, {255, 255, 255}},
        {{RAMP_GREY, 0, 1}, 0.5f, {128, 128, 128}},
        {{RAMP_DIVERGING, -1, 3}, 0, {246, 246, 244}},
        {{RAMP_DIVERGING, -1, 3}, -3, {33, 78, 160}},
        {{RAMP_CIRCLE, 0, 360}, -1, {128, 128, 128}},
        {{RAMP_CIRCLE, 0, 360}, 360, {228, 62, 58}},
        {{RAMP_DISTANCE, -64, 64}, 0, {255, 255, 255}},
        {{RAMP_DISTANCE, -64, 64}, -64, {10, 18, 60}},
        {{RAMP_DISTANCE, -64, 64}, 900, {36, 10, 42}},
        {{RAMP_DEPTH, 0, 4}, 0, {244, 238, 220}},
        {{RAMP_DEPTH, 0, 4}, 4, {8, 20, 72}},
        {{RAMP_IDS, 0, 0}, 0, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t rgb[3];
        picture_row(&cases[i].style, &cases[i].value, 1, rgb);
        assert_memory_equal(rgb, cases[i].rgb, 3);
    }
}

static void what_cannot_be_shown_is_refused(void **state) {
    (void)state;
    struct world world = make_world(SAMPLES_CELLS);
    struct picture_style style;
    struct error err;
    enum picture_format format;
    struct layer_info unknown = {.name = "thing", .type = LAYER_F32},
                      blob = {.name = "blob", .type = LAYER_BLOB};
    assert_int_equal(picture_style_of(&world, &unknown, &style, &err), STATUS_INPUT);
    assert_string_equal(err.message,
                        "the range of thing is not known beforehand, so it has no picture; write "
                        ".r32 or .asc");
    assert_int_equal(picture_style_of(&world, &blob, &style, &err), STATUS_INPUT);
    assert_int_equal(picture_format_of("a.asc", &format, NULL), STATUS_OK);
    assert_int_equal(format, PICTURE_ASC);
    assert_int_equal(picture_format_of("a.tif", &format, &err), STATUS_USAGE);
    assert_string_equal(err.message, "'a.tif' ends in none of .png .r32 .asc");
}

int main(void) {
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(sections_become_one_image_of_the_world_or_of_each_map),
        IN_FOLDER(sections_that_are_not_there_are_named),
        IN_FOLDER(unlike_encodings_are_refused),
        cmocka_unit_test(an_f_comes_out_as_numbers_unturned_and_unshifted),
        cmocka_unit_test(a_picture_has_its_layers_ramp_whatever_is_in_it),
        cmocka_unit_test(ramps_have_their_ends_and_middles),
        cmocka_unit_test(what_cannot_be_shown_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
