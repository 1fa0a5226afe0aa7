#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/os.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A world of 1040 x 16 cells: a whole map's width and 16 cells of the next. */
#define STRIP "terrane: 1\nworld: {name: w, size_m: [1040, 16]}\n"

/* `height: {...}` on line 3; the messages stand in its flow map, so only texts are compared. */
static struct world *load_height(const char *world, const char *height, enum report_level level,
                                 const char *message) {
    char yaml[1024];
    struct report report = {0};
    snprintf(yaml, sizeof yaml, "terrane: 1\nworld: {name: w, %s}\nheight: {%s}\n", world, height);
    put_text("world.yaml", yaml);
    struct world *w = world_load(image_path("world.yaml"), NULL, &report);
    assert_int_equal(report.count, message ? 1 : 0);
    if (message) {
        assert_string_equal(report.items[0].message, message);
        assert_int_equal(report.items[0].level, level);
        assert_int_equal(report.items[0].line, 3);
        assert_true(report.items[0].column > 0);
    }
    report_free(&report);
    return w;
}

static void refuse(const char *world, const char *height, const char *message) {
    assert_null(load_height(world, height, REPORT_ERROR, message));
}

static void posts_and_cells_by_the_count(void **state) {
    (void)state;
    put_zero16("posts.png", 65, 33);
    put_zero16("cells.png", 64, 32);
    put_zero16("fine.png", 129, 65);
    struct world *w =
        load_height("size_m: [64, 32]", "files: posts.png, z_min_m: 0, z_max_m: 1", REPORT_NOTE, NULL);
    assert_int_equal(w->height.samples, SAMPLES_POSTS);
    world_free(w);
    w = load_height("size_m: [64, 32]", "files: cells.png, z_min_m: 0, z_max_m: 1", REPORT_NOTE, NULL);
    assert_int_equal(w->height.samples, SAMPLES_CELLS);
    world_free(w);
    w = load_height("size_m: [64, 32]", "files: fine.png, z_min_m: 0, z_max_m: 1, spacing_m: 0.5",
                    REPORT_NOTE,
                    "heights every 0.5 m are averaged to cells of 1 m: each post takes a tent that reaches "
                    "the next post; to keep them as they are say grid: {cell_m: 0.5}");
    assert_int_equal(w->height.samples, SAMPLES_POSTS);
    assert_int_equal(w->height.source.fine_log2, 1);
    world_free(w);
    refuse("size_m: [64, 32]", "files: cells.png, z_min_m: 0, z_max_m: 1, samples: posts",
           "cells.png: is 64 x 32 samples (cells), but the world says samples: posts: 65 x 33");
}

static void counts_that_look_like_the_other_kind_are_warned_about(void **state) {
    (void)state;
    put_zero16("a.png", 65, 65);
    world_free(load_height("size_m: [65, 65]", "files: a.png, z_min_m: 0, z_max_m: 1", REPORT_WARNING,
                           "a.png: 65 x 65 samples are read as cells, as the world's size says; if they are "
                           "posts, size_m is [64, 64]; else say samples: cells"));
    world_free(load_height("size_m: [65, 65]", "files: a.png, z_min_m: 0, z_max_m: 1, samples: cells",
                           REPORT_NOTE, NULL));
    put_zero16("a.png", 64, 64);
    world_free(load_height("size_m: [63, 63]", "files: a.png, z_min_m: 0, z_max_m: 1", REPORT_WARNING,
                           "a.png: 64 x 64 samples are read as posts, as the world's size says; if they are "
                           "cells, size_m is [64, 64]; else say samples: posts"));
}

static void wrong_sizes_state_the_right_ones(void **state) {
    (void)state;
    put_zero16("a.png", 100, 64);
    refuse("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1",
           "a.png: is 100 x 64 samples, but 64 x 64 m at 1 m take 65 x 65 (posts) or 64 x 64 (cells)");
    put_zero16("a.png", 129, 129);
    refuse("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1",
           "a.png: is 129 x 129 samples, but 64 x 64 m at 1 m take 65 x 65 (posts) or 64 x 64 (cells); it "
           "would fit spacing_m: 0.5");
    put_zero16("a.png", 65, 64);
    refuse("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1",
           "a.png: is 65 x 64 samples, but 64 x 64 m at 1 m take 65 x 65 (posts) or 64 x 64 (cells)");
}

/* Tiles of 2^n posts: said to be posts, they may lack the row and column that they share. */
static void post_tiles_may_share_no_border(void **state) {
    (void)state;
    put_zero16("p_0_0.png", 1024, 16);
    put_zero16("p_1_0.png", 16, 16);
    struct world *w = load_height(
        "size_m: [1040, 16]", "files: 'p_{x}_{y}.png', z_min_m: 0, z_max_m: 1, samples: posts", REPORT_NOTE,
        "p_0_0.png: 1024 x 16 posts: the row in the south and the column in the east that it lacks come from "
        "the maps there; without such a map the nearest row and column are repeated");
    assert_int_equal(w->height.samples, SAMPLES_POSTS);
    assert_int_equal(w->height.source.files[1].width_px, 16);
    world_free(w);
    put_r16(image_path("p_0_0.r16"), 1024, 16, (const uint16_t[1024 * 16]){0}, false);
    put_r16(image_path("p_1_0.r16"), 16, 16, (const uint16_t[16 * 16]){0}, false);
    world_free(load_height(
        "size_m: [1040, 16]",
        "files: 'p_{x}_{y}.r16', endian: little, z_min_m: 0, z_max_m: 1, samples: posts", REPORT_NOTE,
        "p_0_0.r16: 1024 x 16 posts: the row in the south and the column in the east that it lacks come from "
        "the maps there; without such a map the nearest row and column are repeated"));
}

/* The size decides before any pixel is unpacked. */
static void a_bomb_is_refused_by_its_size(void **state) {
    (void)state;
    put_bomb(image_path("bomb.png"));
    uint64_t before = os_peak_memory();
    refuse(
        "size_m: [64, 64]", "files: bomb.png, z_min_m: 0, z_max_m: 1",
        "bomb.png: is 40000 x 40000 samples, but 64 x 64 m at 1 m take 65 x 65 (posts) or 64 x 64 (cells)");
    assert_true(os_peak_memory() - before < 16u << 20);
}

static void a_world_too_large_for_one_file(void **state) {
    (void)state;
    put_zero16("a.png", 64, 64);
    refuse("size_m: [65600, 64]", "files: a.png, z_min_m: 0, z_max_m: 1",
           "a.png: 65600 x 64 m at 1 m take more than 65536 samples a side: use a file for each map");
}

static void spacings(void **state) {
    (void)state;
    put_zero16("a.png", 32, 32);
    refuse(
        "size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1, spacing_m: 3",
        "'spacing_m' is 3 m: must be the cell, 1 m, or a half, a quarter ... or twice, four times ... of it");
    refuse(
        "size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1, spacing_m: 2",
        "'spacing_m' is 2 m, coarser than the cell of 1 m: make the cell larger, or say upsample: bicubic");
    refuse("size_m: [32, 32]", "files: a.png, z_min_m: 0, z_max_m: 1, upsample: bicubik",
           "'upsample' must be refuse or bicubic, not 'bicubik': did you mean 'bicubic'?");
    put_zero16("b.png", 32, 31);
    refuse("size_m: [64, 62], origin_m: [0, 1]",
           "files: b.png, z_min_m: 0, z_max_m: 1, spacing_m: 2, upsample: bicubic",
           "'spacing_m' is 2 m: the world's origin and size must be multiples of it");
    struct world *w = load_height("size_m: [64, 64]",
                                  "files: a.png, z_min_m: 0, z_max_m: 1, spacing_m: 2, upsample: bicubic",
                                  REPORT_NOTE, NULL);
    assert_int_equal(w->height.source.fine_log2, -1);
    assert_int_equal(w->height.upsample, UPSAMPLE_BICUBIC);
    world_free(w);
}

static void bits_and_kinds(void **state) {
    (void)state;
    put_zero8("a.png", 64, 64);
    struct world *w =
        load_height("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 510", REPORT_WARNING,
                    "8-bit heights: the ground has steps of 2 m; 16-bit files have finer ones");
    assert_true(w->height.eight_bit);
    world_free(w);
    static const uint8_t rgb[3 * 64 * 64];
    put_png(image_path("rgb.png"), &(struct png_spec){64, 64, 8, 3, .samples = rgb});
    refuse("size_m: [64, 64]", "files: rgb.png, z_min_m: 0, z_max_m: 1",
           "rgb.png: is a colour image; heights are one grey channel of 16 bits");
    put_jpeg(image_path("j.png"));
    refuse("size_m: [64, 64]", "files: j.png, z_min_m: 0, z_max_m: 1",
           "j.png: is named .png but holds a JPEG image: rename it, or save it again as PNG");
    put_text("t.png", "no image");
    refuse("size_m: [64, 64]", "files: t.png, z_min_m: 0, z_max_m: 1",
           "t.png: is not a PNG, TGA, BMP or JPEG image; heights are 16-bit grey PNG, or raw (format: r16, "
           "r32)");
    refuse("size_m: [64, 64]", "files: ., z_min_m: 0, z_max_m: 1", ".: is a folder, not a file");
}

static void nodata_codes(void **state) {
    (void)state;
    put_zero16("a.png", 64, 64);
    put_zero8("b.png", 64, 64);
    struct world *w = load_height("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1, nodata: none",
                                  REPORT_NOTE, NULL);
    assert_false(w->height.has_nodata);
    world_free(w);
    refuse("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1, nodata: 65536",
           "'nodata' is out of range (0 to 65535): 65536");
    refuse("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1, nodata: nan",
           "'nodata' must be a code or none: only r32 holds nan");
    struct report report = {0};
    put_text("world.yaml", WORLD64 "height: {files: b.png, z_min_m: 0, z_max_m: 1, nodata: 256}\n");
    assert_null(world_load(image_path("world.yaml"), NULL, &report));
    assert_int_equal(report.count, 2); /* the warning about 8 bits first */
    assert_string_equal(report.items[1].message, "'nodata' is 256: 8-bit heights have the codes 0 to 255");
    report_free(&report);
}

static void raw_heights(void **state) {
    (void)state;
    static const uint16_t codes[65 * 65];
    static const float metres[64 * 64];
    put_r16(image_path("a.r16"), 65, 65, codes, true);
    put_r32(image_path("a.r32"), 64, 64, metres, false);
    put_r16(image_path("a.raw"), 64, 64, codes, false);
    struct world *w = load_height("size_m: [64, 64]", "files: a.r16, z_min_m: 0, z_max_m: 1, endian: big",
                                  REPORT_NOTE, NULL);
    assert_int_equal(w->height.samples, SAMPLES_POSTS);
    assert_int_equal(w->height.source.format, RASTER_R16);
    assert_true(w->height.big_endian);
    world_free(w);
    w = load_height("size_m: [64, 64]",
                    "files: a.r32, z_min_m: -5, z_max_m: 5, endian: little, nodata: nan, size_px: [64, 64]",
                    REPORT_NOTE, NULL);
    assert_true(w->height.has_nodata && w->height.nodata_is_nan);
    assert_int_equal(w->height.samples, SAMPLES_CELLS);
    world_free(w);
    refuse("size_m: [64, 64]", "files: a.r16, z_min_m: 0, z_max_m: 1",
           "'endian' is missing in height: raw heights are little or big");
    refuse("size_m: [64, 64]", "files: a.r32, endian: little",
           "r32 heights do not tell their range: give output: {height: {min_m: ..., max_m: ...}}");
    refuse("size_m: [64, 64]",
           "files: a.raw, endian: little, z_min_m: 0, z_max_m: 1, format: r16, samples: "
           "posts",
           "a.raw: has 8192 bytes, but 65 x 65 samples of 2 bytes are 8450");
    put_zero16("a.png", 64, 64);
    refuse("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1, endian: big",
           "'endian' is for raw heights");
    refuse("size_m: [64, 64]", "files: a.png, z_min_m: 0, z_max_m: 1, size_px: [64, 64]",
           "'size_px' is for raw heights: a PNG knows its size");
}

static void output_range(void **state) {
    (void)state;
    put_h64();
    refuse_text(WORLD64 HEIGHT64 "output: {height: {min_m: 500}}\n", STATUS_INPUT,
                "world.yaml:4:18: error: output.height is empty: min_m is 500, max_m is 102\n"
                "  output: {height: {min_m: 500}}\n"
                "                   ^\n");
}

static void tiles_are_looked_up_for_every_map(void **state) {
    (void)state;
    put_zero16("t_x0_y0.png", 1025, 17);
    put_zero16("t_x1_y0.png", 17, 17);
    put_zero16("t_x2_y0.png", 3, 3); /* a neighbour's: never read */
    struct world *w =
        load_text(STRIP "height: {files: 't_x{x}_y{y}.png', z_min_m: 0, z_max_m: 1}\n", NULL, "");
    assert_int_equal(w->height.source.file_count, 2);
    assert_int_equal(w->height.source.files[1].map_x, 1);
    assert_int_equal(w->height.source.files[1].width_px, 17);
    assert_string_equal(w->height.source.files[1].name, "t_x1_y0.png");
    assert_int_equal(w->height.samples, SAMPLES_POSTS);
    world_free(w);
}

static void negative_maps_and_padding(void **state) {
    (void)state;
    put_zero16("p_-1_-01.png", 16, 16);
    put_zero16("p_00_-01.png", 16, 16);
    struct world *w = load_text("terrane: 1\nworld: {name: w, size_m: [32, 16], origin_m: [-16, -16]}\n"
                                "height: {files: 'p_{x:02}_{y:03}.png', z_min_m: 0, z_max_m: 1}\n",
                                NULL, "");
    assert_int_equal(w->height.source.files[0].map_x, -1);
    assert_int_equal(w->height.source.files[0].map_y, -1);
    world_free(w);
}

static void missing_tiles(void **state) {
    (void)state;
    put_zero16("m_0_0.png", 1024, 16);
    refuse_text(STRIP "height: {files: 'm_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n", STATUS_FILE,
                "world.yaml:3:17: error: m_1_0.png: there is no such file for map 1,0\n"
                "  height: {files: 'm_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n"
                "                  ^\n");
    struct world *w = load_text(
        STRIP "height: {files: 'm_{x}_{y}.png', z_min_m: 0, z_max_m: 1, missing: void}\n", NULL, "");
    assert_true(w->height.source.files[0].present);
    assert_false(w->height.source.files[1].present);
    world_free(w);
    refuse_text(STRIP "height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1, missing: void}\n",
                STATUS_FILE,
                "world.yaml:3:17: error: none of the files is there: 'none_{x}_{y}.png'\n"
                "  height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1, missing: void}\n"
                "                  ^\n");
    refuse_text("terrane: 1\nworld: {name: w, size_m: [8192, 16]}\n"
                "height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n",
                STATUS_FILE,
                "world.yaml:3:17: error: none_0_0.png: there is no such file for map 0,0\n"
                "  height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n                  ^\n"
                "world.yaml:3:17: error: none_1_0.png: there is no such file for map 1,0\n"
                "  height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n                  ^\n"
                "world.yaml:3:17: error: none_2_0.png: there is no such file for map 2,0\n"
                "  height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n                  ^\n"
                "world.yaml:3:17: error: none_3_0.png: there is no such file for map 3,0\n"
                "  height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n                  ^\n"
                "world.yaml:3:17: error: none_4_0.png: there is no such file for map 4,0\n"
                "  height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n                  ^\n"
                "world.yaml:3:17: error: 3 more maps have no file\n"
                "  height: {files: 'none_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n                  ^\n");
}

static void two_files_for_a_map(void **state) {
    (void)state;
    put_zero16("d_0_0.png", 1024, 16);
    put_zero16("d_01_00.png", 16, 16);
    refuse_text(STRIP "height: {files: 'd_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n", STATUS_FILE,
                "world.yaml:3:17: error: d_1_0.png: there is no such file for map 1,0, but 'd_01_00.png': "
                "{x:02} puts zeros in front\n"
                "  height: {files: 'd_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n"
                "                  ^\n");
    put_zero16("d_1_0.png", 16, 16);
    refuse_text(STRIP "height: {files: 'd_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n", STATUS_INPUT,
                "world.yaml:3:17: error: two files for map 1,0: 'd_1_0.png' and 'd_01_00.png'\n"
                "  height: {files: 'd_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n"
                "                  ^\n");
    refuse_text("terrane: 1\nworld: {name: w, size_m: [12288, 12288]}\n"
                "height: {files: 's{x}{y}.png', z_min_m: 0, z_max_m: 1, missing: void}\n",
                STATUS_FILE,
                "world.yaml:3:17: error: s110.png: is the file of map 11,0 and of map 1,10\n"
                "  height: {files: 's{x}{y}.png', z_min_m: 0, z_max_m: 1, missing: void}\n"
                "                  ^\n"
                "world.yaml:3:17: error: none of the files is there: 's{x}{y}.png'\n"
                "  height: {files: 's{x}{y}.png', z_min_m: 0, z_max_m: 1, missing: void}\n"
                "                  ^\n");
}

static void wrong_patterns(void **state) {
    (void)state;
    refuse("size_m: [64, 64]", "files: 'a_{x}.png', z_min_m: 0, z_max_m: 1",
           "'files' is 'a_{x}.png': a file for each map needs {x} and {y}");
    refuse("size_m: [64, 64]", "files: 'a_{x}_{y:2}.png', z_min_m: 0, z_max_m: 1",
           "'files' is 'a_{x}_{y:2}.png': braces hold a map's number: {x} and {y}, or {x:02} and {y:02} with "
           "zeros in front");
    refuse("size_m: [64, 64]", "files: 'a{', z_min_m: 0, z_max_m: 1",
           "'files' is 'a{': braces hold a map's number: {x} and {y}, or {x:02} and {y:02} with zeros in "
           "front");
}

static void lists_of_files(void **state) {
    (void)state;
    put_zero16("west.png", 1024, 16);
    put_zero16("east.png", 16, 16);
    struct world *w = load_text(STRIP "height:\n"
                                      "  files:\n"
                                      "    - {map: [1, 0], file: east.png}\n"
                                      "    - {map: [0, 0], file: west.png}\n"
                                      "    - {map: [7, 7], file: far.png}\n"
                                      "  z_min_m: 0\n"
                                      "  z_max_m: 1\n",
                                NULL,
                                "world.yaml:7:7: warning: 'far.png' is for map 7,7, which is outside the "
                                "world: not read\n"
                                "      - {map: [7, 7], file: far.png}\n"
                                "        ^\n");
    assert_string_equal(w->height.source.files[0].name, "west.png");
    assert_string_equal(w->height.source.files[1].name, "east.png");
    world_free(w);
    refuse_text(STRIP "height:\n"
                      "  files:\n"
                      "    - {map: [1, 0], file: east.png}\n"
                      "    - {map: [1, 0], file: other.png}\n"
                      "    - {mapp: [1, 0]}\n"
                      "  z_min_m: 0\n"
                      "  z_max_m: 1\n",
                STATUS_FILE,
                "world.yaml:5:5: error: no file is listed for map 0,0\n"
                "      - {map: [1, 0], file: east.png}\n"
                "      ^\n"
                "world.yaml:6:7: error: two files for map 1,0: 'east.png' and 'other.png'\n"
                "      - {map: [1, 0], file: other.png}\n"
                "        ^\n"
                "world.yaml:7:7: error: a list of files holds {map: [x, y], file: PATH}\n"
                "      - {mapp: [1, 0]}\n"
                "        ^\n"
                "world.yaml:7:8: error: unknown key 'mapp' in files: did you mean 'map'?\n"
                "      - {mapp: [1, 0]}\n"
                "         ^\n");
}

static void tiles_agree_with_each_other(void **state) {
    (void)state;
    put_zero16("k_0_0.png", 1025, 17);
    put_zero16("k_1_0.png", 16, 16);
    refuse_text(STRIP "height: {files: 'k_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n", STATUS_INPUT,
                "world.yaml:3:17: error: k_1_0.png: is 16 x 16 samples (cells), but the files before hold "
                "posts: 17 x 17\n"
                "  height: {files: 'k_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n"
                "                  ^\n");
    put_zero8("k_1_0.png", 17, 17);
    refuse_text(STRIP "height: {files: 'k_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n", STATUS_INPUT,
                "world.yaml:3:17: error: k_1_0.png: has 8 bits a sample, the files before have 16\n"
                "  height: {files: 'k_{x}_{y}.png', z_min_m: 0, z_max_m: 1}\n"
                "                  ^\n");
}

static void ids_follow_contents_and_settings(void **state) {
    (void)state;
    put_h64();
    struct world *a = load_text(WORLD64 HEIGHT64, NULL, "");
    static const char *const other_range[] = {"height.z_max_m=101", NULL};
    struct world *b = load_text(WORLD64 HEIGHT64, other_range, "");
    uint16_t *samples = calloc(64 * 64, sizeof *samples);
    samples[77] = 1;
    put_png16(image_path("h.png"), 64, 64, samples);
    free(samples);
    struct world *c = load_text(WORLD64 HEIGHT64, NULL, "");
    assert_memory_equal(&a->height.source.files[0].id, &b->height.source.files[0].id, 16);
    assert_memory_not_equal(&a->height.source.files[0].id, &c->height.source.files[0].id, 16);
    assert_memory_not_equal(&a->height_id, &b->height_id, 16);
    assert_memory_not_equal(&a->height_id, &c->height_id, 16);
    world_free(a);
    world_free(b);
    world_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_and_cells_by_the_count),
        cmocka_unit_test(counts_that_look_like_the_other_kind_are_warned_about),
        cmocka_unit_test(wrong_sizes_state_the_right_ones),
        cmocka_unit_test(a_bomb_is_refused_by_its_size),
        cmocka_unit_test(post_tiles_may_share_no_border),
        cmocka_unit_test(a_world_too_large_for_one_file),
        cmocka_unit_test(spacings),
        cmocka_unit_test(bits_and_kinds),
        cmocka_unit_test(nodata_codes),
        cmocka_unit_test(raw_heights),
        cmocka_unit_test(output_range),
        cmocka_unit_test(tiles_are_looked_up_for_every_map),
        cmocka_unit_test(negative_maps_and_padding),
        cmocka_unit_test(missing_tiles),
        cmocka_unit_test(two_files_for_a_map),
        cmocka_unit_test(wrong_patterns),
        cmocka_unit_test(lists_of_files),
        cmocka_unit_test(tiles_agree_with_each_other),
        cmocka_unit_test(ids_follow_contents_and_settings),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
