/* The layer `placed`: sections give what the undivided world would, and their keys see what touches them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/geojson.h"
#include "gen/hasher.h"
#include "gen/stages_placed.h"
#include "gen/world.h"
#include "terrain/hash.h"
#include <stdlib.h>
#include <string.h>

#define COLLECTION(features) "{\"type\": \"FeatureCollection\", \"features\": [" features "]}"
#define FEATURE(type, coordinates, properties)                                                               \
    "{\"type\": \"Feature\", \"properties\": {" properties "}, \"geometry\": {\"type\": \"" type             \
    "\", \"coordinates\": " coordinates "}}"
static const char drawn[] = COLLECTION(FEATURE(
    "Polygon",
    "[[[200, 200], [300, 200], [300, 300], [200, 300], [200, 200]], [[240, 240], [260, 240], "
    "[260, 260], [240, 260], [240, 240]]]",
    "") "," FEATURE("Point", "[256, 20]",
                    "\"radius_m\": 12") "," FEATURE("LineString",
                                                    "[[-20, 90], [120, 140], [300, 90], [560, 130]]",
                                                    "\"width_m\": [4, 20, 4, 8]") "," FEATURE("Polygon",
                                                                                              "[[[400, 30], "
                                                                                              "[460, 30], "
                                                                                              "[460, 80], "
                                                                                              "[400, 80], "
                                                                                              "[400, 30]]]",
                                                                                              "\"curve\": "
                                                                                              "\"catmull-"
                                                                                              "rom\""));

static struct features *placed_of(const char *text, const struct extent *extent) {
    struct report report = {0};
    struct features *f = features_new(FEATURES_PLACED);
    assert_non_null(f);
    assert_int_equal(features_parse("p.geojson", text, strlen(text), extent, f, &report), STATUS_OK);
    assert_int_equal(features_finish(f, extent, NULL, &report), STATUS_OK);
    assert_int_equal(report.count, 0);
    report_free(&report);
    return f;
}

static struct tile *run(const struct world *world, int32_t x, int32_t y, struct rect cells) {
    static unsigned char block[4 << 20];
    struct arena arena = {block, sizeof block, 0};
    struct tile *tile = tile_new(&stage_placed.outputs[0], false, cells);
    struct error err = {0};
    assert_non_null(tile);
    struct stage_run job = {.world = world,
                            .arg = "",
                            .section_x = x,
                            .section_y = y,
                            .cells = cells,
                            .outputs = &tile,
                            .scratch = &arena};
    assert_int_equal(stage_placed.run(&job, &err), STATUS_OK);
    assert_int_equal(arena.used, 0);
    return tile;
}

static void sections_are_pieces_of_the_whole(void **state) {
    (void)state;
    struct world world = {.extent = {1.0, {0, 0, 540, 300}}};
    world.placed = placed_of(drawn, &world.extent);
    struct tile *whole = run(&world, 0, 0, world.extent.cells);
    struct grid_u8 all = tile_u8(whole);
    for (int32_t sy = 0; sy < 2; sy++)
        for (int32_t sx = 0; sx < 3; sx++) {
            struct tile *tile = run(&world, sx, sy, extent_block(&world.extent, sx, sy, SECTION_CELLS));
            struct grid_u8 one = tile_u8(tile);
            for (int32_t y = one.y0; y < one.y0 + one.height; y++)
                for (int32_t x = one.x0; x < one.x0 + one.width; x++)
                    assert_int_equal(*grid_u8_at(&one, x, y), *grid_u8_at(&all, x, y));
            tile_unref(tile);
        }
    /* inside the footprint, in its hole, in the disk, in the line where it is wide, beside it, in the bulge
     * of the smooth pond, in its cut corner */
    static const int32_t at[][3] = {{210, 210, 255}, {250, 250, 0}, {256, 31, 255}, {256, 33, 0},
                                    {120, 147, 255}, {120, 152, 0}, {430, 27, 255}, {430, 22, 0},
                                    {299, 299, 255}, {300, 299, 0}, {200, 200, 255}};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        assert_int_equal(*grid_u8_at(&all, at[i][0], at[i][1]), at[i][2]);
    tile_unref(whole);
    features_free(world.placed);
}

static uint64_t key_of(const struct world *world, int32_t x, int32_t y) {
    struct hasher h;
    hasher_reset(&h);
    stage_placed.section_settings(world, "", x, y, &h);
    return hasher_digest(&h).lo;
}

static void an_edit_changes_the_keys_of_what_it_touches(void **state) {
    (void)state;
    struct world a = {.extent = {1.0, {0, 0, 1024, 256}}}, b = a;
    a.placed = placed_of(COLLECTION(FEATURE("Point", "[100, 100]", "\"radius_m\": 5") "," FEATURE(
                             "Point", "[600, 100]", "\"radius_m\": 5")),
                         &a.extent);
    b.placed = placed_of(COLLECTION(FEATURE("Point", "[600, 100]", "\"radius_m\": 7") "," FEATURE(
                             "Point", "[100, 100]", "\"radius_m\": 5")),
                         &b.extent);
    assert_true(key_of(&a, 0, 0) == key_of(&b, 0, 0));
    assert_true(key_of(&a, 1, 0) == key_of(&b, 1, 0));
    assert_true(key_of(&a, 2, 0) != key_of(&b, 2, 0));
    assert_true(key_of(&a, 3, 0) == key_of(&b, 3, 0));
    features_free(a.placed);
    features_free(b.placed);
}

static void a_disk_over_a_border_touches_both_sections(void **state) {
    (void)state;
    struct world a = {.extent = {1.0, {0, 0, 512, 256}}}, none = a;
    a.placed = placed_of(COLLECTION(FEATURE("Point", "[260, 100]", "\"radius_m\": 5")), &a.extent);
    none.placed = placed_of(COLLECTION(""), &a.extent);
    assert_true(key_of(&a, 0, 0) != key_of(&none, 0, 0));
    assert_true(key_of(&a, 1, 0) != key_of(&none, 1, 0));
    struct tile *tile = run(&a, 0, 0, extent_block(&a.extent, 0, 0, SECTION_CELLS));
    struct grid_u8 g = tile_u8(tile);
    assert_int_equal(*grid_u8_at(&g, 255, 100), 255);
    tile_unref(tile);
    features_free(a.placed);
    features_free(none.placed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_pieces_of_the_whole),
        cmocka_unit_test(an_edit_changes_the_keys_of_what_it_touches),
        cmocka_unit_test(a_disk_over_a_border_touches_both_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
