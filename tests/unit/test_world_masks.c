#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/report_text.h"
#include "gen/stage.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A world with `masks: {...}` on line 4: the one thing that is said of it, or nothing. */
static struct world *load_masks(const char *masks, enum report_level level, const char *message) {
    char yaml[1024];
    struct report report = {0};
    snprintf(yaml, sizeof yaml, WORLD64 HEIGHT64 "masks: {%s}\n", masks);
    put_h64();
    put_text("world.yaml", yaml);
    struct world *w = world_load(image_path("world.yaml"), NULL, &report);
    if (report.count != (message ? 1 : 0))
        report_print(&report, false, stderr);
    assert_int_equal(report.count, message ? 1 : 0);
    if (message) {
        assert_string_equal(report.items[0].message, message);
        assert_int_equal(report.items[0].level, level);
    }
    report_free(&report);
    return w;
}

static void refuse(const char *masks, const char *message) {
    assert_null(load_masks(masks, REPORT_ERROR, message));
}

static void grey_masks_of_any_resolution(void **state) {
    (void)state;
    put_zero8("same.png", 64, 64);
    put_zero8("coarse.png", 16, 16);
    put_zero8("fine.png", 256, 256);
    struct world *w = load_masks("a: {files: same.png}, b: {files: coarse.png, unpainted: 7}, c: {files: "
                                 "fine.png}",
                                 REPORT_NOTE, NULL);
    assert_int_equal(w->mask_count, 3);
    assert_int_equal(world_find_mask(w, "a")->source.fine_log2, 0);
    assert_int_equal(world_find_mask(w, "b")->source.fine_log2, -2);
    assert_int_equal(world_find_mask(w, "c")->source.fine_log2, 2);
    assert_int_equal(world_find_mask(w, "b")->unpainted, 7);
    assert_null(world_find_mask(w, "a")->legend);
    assert_null(world_find_mask(w, "d"));
    assert_true(world_find_mask(w, "a")->source.files[0].id.lo != 0);
    world_free(w);
}

static void wrong_sizes(void **state) {
    (void)state;
    put_zero8("odd.png", 60, 64);
    put_zero8("posts.png", 65, 65);
    put_zero8("uneven.png", 32, 64);
    refuse("a: {files: odd.png}", "odd.png: is 60 x 64 px, but 64 x 64 cells take 64 x 64 px, or a half, a "
                                  "quarter ... or twice, four times ... of both");
    refuse("a: {files: uneven.png}", "uneven.png: is 32 x 64 px, but 64 x 64 cells take 64 x 64 px, or a "
                                     "half, a quarter ... or twice, four times ... of both");
    refuse("a: {files: posts.png}",
           "posts.png: is 65 x 65 px, but 64 x 64 cells take 64 x 64 px, or a half, a "
           "quarter ... or twice, four times ... of both; masks hold cells, not "
           "posts");
}

static void a_file_of_another_name_is_offered(void **state) {
    (void)state;
    put_zero8("Biome.png", 64, 64);
    put_zero8("rocks_1.png", 64, 64);
    refuse("a: {files: biome.png}", "biome.png: there is no such file: did you mean 'Biome.png'?");
    refuse("a: {files: Biome.tga}", "Biome.tga: there is no such file: did you mean 'Biome.png'?");
    refuse("a: {files: rocks_2.png}", "rocks_2.png: there is no such file: did you mean 'rocks_1.png'?");
    refuse("a: {files: paint/a.png}", "paint/a.png: there is no such file, nor is there a folder 'paint'");
    refuse("a: {files: 'paint\\a.png'}", "paint\\a.png: there is no such file; paths have /, not \\");
}

static void colours_that_stand_for_nothing(void **state) {
    (void)state;
    put_zero8("m.png", 64, 64);
    struct world *w =
        load_masks("a: {files: m.png, legend: {wood: '#000000', sea: {color: '#0000ff', unpainted: "
                   "true}, ice: {color: '#ffffff', unpainted: true}}}",
                   REPORT_NOTE, NULL);
    assert_int_equal(w->masks[0].legend[0].code, 1);
    assert_int_equal(w->masks[0].legend[1].code, 0);
    assert_int_equal(w->masks[0].legend[2].code, 0);
    assert_true(w->masks[0].legend[1].unpainted && !w->masks[0].legend[0].unpainted);
    world_free(w);
    w = load_masks(
        "a: {files: m.png, unpainted: wood, legend: {wood: '#000000', sea: {color: '#0000ff', unpainted: "
        "true}}}",
        REPORT_NOTE, NULL);
    assert_int_equal(w->masks[0].legend[1].code, 1);
    world_free(w);
    refuse("a: {files: m.png, legend: {sea: {color: '#0000ff', unpainted: true, id: 3}}}",
           "'sea' is unpainted: it has no id of its own");
}

static void kinds_and_colours(void **state) {
    (void)state;
    static const uint8_t rgb[3 * 64 * 64];
    put_png(image_path("rgb.png"), &(struct png_spec){64, 64, 8, 3, .samples = rgb});
    put_tga(image_path("a.tga"), 64, 64, rgb, true, false);
    put_zero16("deep.png", 64, 64);
    put_jpeg(image_path("f.jpg"));
    world_free(load_masks("a: {files: rgb.png}", REPORT_NOTE, NULL)) /* pixels tell whether it is grey */;
    refuse("a: {files: deep.png}", "deep.png: has 16 bits a channel; masks are 8-bit: save it as 8-bit");
    refuse("a: {files: gone.png}", "gone.png: there is no such file");
    struct world *w = load_masks("a: {files: a.tga, legend: {grass: '#000000'}}", REPORT_NOTE, NULL);
    assert_int_equal(w->masks[0].source.format, RASTER_STB);
    world_free(w);
    struct report report = {0};
    put_text("world.yaml", "terrane: 1\nworld: {name: w, size_m: [21, 35]}\n"
                           "height: {files: h.png, z_min_m: 0, z_max_m: 1}\n"
                           "masks: {a: {files: f.jpg, legend: {grass: '#000000'}}}\n");
    put_zero16("h.png", 21, 35);
    w = world_load(image_path("world.yaml"), NULL, &report);
    assert_non_null(w);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.items[0].message,
                        "f.jpg: a JPEG changes colours, which a legend needs exact: save it as PNG");
    world_free(w);
    report_free(&report);
}

static void legends(void **state) {
    (void)state;
    static const uint8_t rgb[3 * 64 * 64];
    put_png(image_path("rgb.png"), &(struct png_spec){64, 64, 8, 3, .samples = rgb});
    put_text("legend.yaml", "meadow: \"#30A040\"\nrock: {color: \"#808080\", id: 9}\nscree: '#a0a0a0'\n");
    struct world *w =
        load_masks("paint: {files: rgb.png, legend: legend.yaml, unpainted: rock}", REPORT_NOTE, NULL);
    const struct world_mask *m = world_find_mask(w, "paint");
    assert_int_equal(m->legend_count, 3);
    assert_string_equal(m->legend[0].name, "meadow");
    assert_int_equal(m->legend[0].code, 1);
    assert_int_equal(m->legend[0].r, 0x30);
    assert_int_equal(m->legend[0].g, 0xa0);
    assert_int_equal(m->legend[0].b, 0x40);
    assert_int_equal(m->legend[1].code, 9);
    assert_int_equal(m->legend[2].code, 3);
    assert_int_equal(m->unpainted, 9);
    world_free(w);
    refuse("paint: {files: rgb.png, legend: legend.yaml, unpainted: meadw}",
           "'unpainted' is 'meadw', which the legend does not name: did you mean 'meadow'?");
    refuse("paint: {files: rgb.png, legend: legend.yaml, unpainted: 256}",
           "'unpainted' is out of range (0 to 255): 256");
    refuse("paint: {files: rgb.png, legend: no.yaml}", "no.yaml: there is no such file");
    refuse("paint: {files: rgb.png, legend: {}}", "a legend names 1 to 256 colours, not 0");
    refuse("paint: {files: rgb.png, legend: {a: green}}",
           "'a' must be a colour like \"#30a040\" (in quotes: # begins a comment)");
    refuse("paint: {files: rgb.png, legend: {a: {id: 3}}}", "'color' is missing in a");
    refuse("paint: {files: rgb.png, legend: {a: '#010203', b: '#010203'}}",
           "'b' has the colour #010203, as 'a' has");
    refuse("paint: {files: rgb.png, legend: {a: '#010203', b: {color: '#010204', id: 1}}}",
           "'b' has the id 1, as 'a' has");
}

static void a_mistake_in_a_legend_file_is_shown_there(void **state) {
    (void)state;
    put_h64();
    put_zero8("m.png", 64, 64);
    put_text("bad.yaml", "meadow: green\n");
    refuse_text(WORLD64 HEIGHT64 "masks: {a: {files: m.png, legend: bad.yaml}}\n", STATUS_INPUT,
                "bad.yaml:1:9: error: 'meadow' must be a colour like \"#30a040\" (in quotes: # begins a "
                "comment)\n"
                "  meadow: green\n"
                "          ^\n");
}

static void names(void **state) {
    (void)state;
    put_h64();
    put_zero8("m.png", 64, 64);
    refuse_text(WORLD64 HEIGHT64 "masks:\n"
                                 "  ground: {files: m.png}\n"
                                 "  a.b: {files: m.png}\n"
                                 "  a: {files: m.png}\n"
                                 "  a: {files: m.png}\n"
                                 "  b: {file: m.png}\n"
                                 "  c: m.png\n",
                STATUS_INPUT,
                "world.yaml:5:3: error: mask 'ground' is named like a layer that the program makes\n"
                "    ground: {files: m.png}\n"
                "    ^\n"
                "world.yaml:6:3: error: mask 'a.b' must be named with letters, digits and _, a letter first\n"
                "    a.b: {files: m.png}\n"
                "    ^\n"
                "world.yaml:8:3: error: duplicate key 'a' (first on line 7)\n"
                "    a: {files: m.png}\n"
                "    ^\n"
                "world.yaml:9:6: error: 'files' is missing in b\n"
                "    b: {file: m.png}\n"
                "       ^\n"
                "world.yaml:9:7: error: unknown key 'file' in masks.b: did you mean 'files'?\n"
                "    b: {file: m.png}\n"
                "        ^\n"
                "world.yaml:10:6: error: 'c' must be a map, as in {files: m.png}\n"
                "    c: m.png\n"
                "       ^\n");
}

static void no_mask_hides_a_layer(void **state) {
    (void)state;
    put_zero8("m.png", 64, 64);
    for (const struct stage *const *stage = stage_table; *stage; stage++)
        for (int o = 0; o < STAGE_OUTPUTS_MAX && (*stage)->outputs[o].name; o++) {
            const char *name = (*stage)->outputs[o].name;
            char masks[256], message[256];
            if (strpbrk(name, "*."))
                continue;
            snprintf(masks, sizeof masks, "%s: {files: m.png}", name);
            snprintf(message, sizeof message, "mask '%s' is named like a layer that the program makes", name);
            refuse(masks, message);
        }
}

static void tiles_of_a_mask(void **state) {
    (void)state;
    put_zero16("h.png", 1040, 16);
    put_zero8("m_0_0.png", 512, 8);
    struct world *w = load_text("terrane: 1\nworld: {name: w, size_m: [1040, 16]}\n" HEIGHT64
                                "masks: {a: {files: 'm_{x}_{y}.png', missing: void, unpainted: 5}}\n",
                                NULL, "");
    const struct world_mask *m = world_find_mask(w, "a");
    assert_int_equal(m->source.file_count, 2);
    assert_false(m->source.files[1].present);
    assert_int_equal(m->source.fine_log2, -1);
    assert_int_equal(m->unpainted, 5);
    world_free(w);
    put_zero8("m_1_0.png", 16, 16);
    refuse_text("terrane: 1\nworld: {name: w, size_m: [1040, 16]}\n" HEIGHT64
                "masks: {a: {files: 'm_{x}_{y}.png'}}\n",
                STATUS_INPUT,
                "world.yaml:4:20: error: m_1_0.png: is 16 x 16 px for 16 x 16 cells: the files before have "
                "another resolution\n"
                "  masks: {a: {files: 'm_{x}_{y}.png'}}\n"
                "                     ^\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grey_masks_of_any_resolution),
        cmocka_unit_test(wrong_sizes),
        cmocka_unit_test(a_file_of_another_name_is_offered),
        cmocka_unit_test(colours_that_stand_for_nothing),
        cmocka_unit_test(kinds_and_colours),
        cmocka_unit_test(legends),
        cmocka_unit_test(a_mistake_in_a_legend_file_is_shown_there),
        cmocka_unit_test(names),
        cmocka_unit_test(no_mask_hides_a_layer),
        cmocka_unit_test(tiles_of_a_mask),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
