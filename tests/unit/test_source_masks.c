#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/source_kit.h"
#include <stdlib.h>
#include <string.h>

static void masks_stand_upright(void **state) {
    (void)state;
    enum { W = 21, H = 35 };
    uint8_t rgb[W * H * 3], cells[W * H];
    for (int32_t i = 0; i < W * H; i++)
        memset(rgb + 3 * i, letter_f(i % W, i / W, W, H) ? 200 : 50, 3);
    static const char *const names[] = {"m.png", "m.tga", "m.bmp", "m.jpg"};
    for (size_t i = 0; i < 4; i++) {
        struct fixture *f = make_world(-7, -9, -7 + W, -9 + H);
        const char *path = add_file(f, true, names[i], true, 0, 0, W, H)->path;
        f->mask.source.format = i ? RASTER_STB : RASTER_PNG;
        if (i == 0)
            put_png(path, &(struct png_spec){W, H, 8, 3, false, false, rgb});
        else if (i == 1)
            put_tga(path, W, H, rgb, true, true);
        else if (i == 2)
            put_bmp(path, W, H, rgb, true);
        else
            put_jpeg(path);
        struct source_set *set = open_set(f);
        struct grid_u8 g = read_codes(set, -7, -9, -7 + W, -9 + H, cells);
        for (int32_t y = -9; y < -9 + H; y++)
            for (int32_t x = -7; x < -7 + W; x++) {
                int want = letter_f(x + 7, -9 + H - 1 - y, W, H) ? 200 : 50;
                assert_in_range(*grid_u8_at(&g, x, y), want - (i == 3 ? 40 : 0), want + (i == 3 ? 40 : 0));
            }
        source_close(set);
        free(f);
    }
}

static struct legend_entry legend[] = {
    {NULL, 10, 20, 30, 5, false, 0, 0}, {NULL, 200, 100, 0, 2, false, 0, 0}, {NULL, 0, 0, 0, 9, false, 0, 0}};
static char legend_names[3][8] = {"meadow", "forest", "rock"};

static void use_legend(struct fixture *f) {
    for (size_t i = 0; i < 3; i++)
        legend[i].name = legend_names[i];
    f->mask.legend = legend;
    f->mask.legend_count = 3;
}

static void legends_give_codes_by_majority(void **state) {
    (void)state;
    struct fixture *f = make_world(0, 0, 2, 1);
    use_legend(f);
    f->mask.unpainted = 77;
    f->mask.source.fine_log2 = 1;
    /* west cell: two meadow (5), two forest (2): the lower code; east: three transparent, one rock */
    uint8_t rgba[4 * 2 * 4] = {10,  20,  30, 255, 200, 100, 0,  255, 1, 2, 3, 0, 0,  0,  0,  255,
                               200, 100, 0,  255, 10,  20,  30, 255, 9, 9, 9, 0, 50, 50, 50, 0};
    put_png(add_file(f, true, "legend.png", true, 0, 0, 4, 2)->path,
            &(struct png_spec){4, 2, 8, 4, false, false, rgba});
    struct source_set *set = open_set(f);
    uint8_t cells[2];
    read_codes(set, 0, 0, 2, 1, cells);
    assert_int_equal(cells[0], 2);
    assert_int_equal(cells[1], 77);
    source_close(set);
    free(f);
}

static void grey_masks_take_means_or_the_covering_pixel(void **state) {
    (void)state;
    struct fixture *f = make_world(0, 0, 2, 1);
    f->mask.source.fine_log2 = 1;
    uint8_t grey[8] = {0, 1, 255, 255, 0, 1, 254, 255};
    put_png8(add_file(f, true, "grey.png", true, 0, 0, 4, 2)->path, 4, 2, grey);
    struct source_set *set = open_set(f);
    uint8_t cells[16];
    read_codes(set, 0, 0, 2, 1, cells);
    assert_int_equal(cells[0], 1); /* 0.5, up */
    assert_int_equal(cells[1], 255);
    source_close(set);
    free(f);
    f = make_world(-4, 0, 0, 4); /* two cells a pixel */
    f->mask.source.fine_log2 = -1;
    put_png8(add_file(f, true, "grey.png", true, 0, 0, 2, 2)->path, 2, 2, (uint8_t[]){1, 2, 3, 4});
    set = open_set(f);
    struct grid_u8 g = read_codes(set, -4, 0, 0, 4, cells);
    for (int32_t y = 0; y < 4; y++)
        for (int32_t x = -4; x < 0; x++)
            assert_int_equal(*grid_u8_at(&g, x, y), (y < 2 ? 3 : 1) + (x >= -2));
    source_close(set);
    free(f);
}

static void masks_by_map_leave_missing_maps_unpainted(void **state) {
    (void)state;
    struct fixture *f = make_world(-2, 0, 2, 1);
    f->mask.unpainted = 33;
    add_file(f, true, "absent.png", false, -1, 0, 2, 1)->present = false;
    put_png8(add_file(f, true, "there.png", false, 0, 0, 2, 1)->path, 2, 1, (uint8_t[]){1, 2});
    struct source_set *set = open_set(f);
    uint8_t cells[4];
    read_codes(set, -2, 0, 2, 1, cells);
    assert_memory_equal(cells, ((uint8_t[]){33, 33, 1, 2}), 4);
    source_close(set);
    free(f);
}

static void assert_mask_error(const uint8_t *rgba, bool with_legend, const char *message) {
    struct fixture *f = make_world(0, 0, 3, 2);
    struct grid_u8 out = {(uint8_t[6]){0}, 0, 0, 3, 2, 3};
    struct error err = {0};
    if (with_legend)
        use_legend(f);
    put_png(add_file(f, true, "wrong.png", true, 0, 0, 3, 2)->path,
            &(struct png_spec){3, 2, 8, 4, false, false, rgba});
    struct source_set *set = open_set(f);
    assert_int_equal(source_read_mask(set, 0, &out, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, f->masks[0].path, message);
    source_close(set);
    free(f);
}

static void paint_must_fit(void **state) {
    (void)state;
    uint8_t rgba[24];
    for (int32_t i = 0; i < 6; i++)
        memcpy(rgba + 4 * i, (uint8_t[]){10, 20, 30, 255}, 4);
    memcpy(rgba + 16, (uint8_t[]){190, 99, 1, 255}, 4);
    assert_mask_error(
        rgba, true,
        "1 pixel without a legend colour; the first, in column 1, row 1, is #be6301; the nearest is "
        "`forest` #c86400: the legend lacks this colour: name it there, or paint it over");
    memcpy(rgba + 12, (uint8_t[]){190, 99, 1, 255}, 4);
    assert_mask_error(
        rgba, true,
        "2 pixels without a legend colour; the first, in column 0, row 1, is #be6301; the nearest is "
        "`forest` #c86400: the legend lacks this colour: name it there, or paint it over");
    memcpy(rgba + 12, (uint8_t[]){10, 20, 30, 255}, 4);
    memcpy(rgba + 8, (uint8_t[]){10, 20, 30, 128}, 4);
    assert_mask_error(rgba, true,
                      "2 pixels without a legend colour (2 colours); the first, in column 2, row 0, is "
                      "#0a141e with alpha 128; the "
                      "nearest is `meadow` #0a141e: paint must cover wholly or not at all");
    assert_mask_error(rgba, false,
                      "6 pixels not grey (2 colours); the first, in column 0, row 0, is #0a141e; a mask of "
                      "colours needs a legend");
    for (int32_t i = 0; i < 6; i++)
        memcpy(rgba + 4 * i, (uint8_t[]){7, 7, 7, i == 4 ? 1 : 255}, 4);
    assert_mask_error(
        rgba, false,
        "1 pixel half transparent; the first, in column 1, row 1, is #070707 with alpha 1; paint must "
        "cover wholly or not at all");
}

static void a_jpeg_with_a_legend_is_told_why(void **state) {
    (void)state;
    struct fixture *f = make_world(0, 0, 21, 35);
    struct error err = {0};
    uint8_t cells[21 * 35];
    struct grid_u8 out = {cells, 0, 0, 21, 35, 21};
    use_legend(f);
    put_jpeg(add_file(f, true, "legend.jpg", true, 0, 0, 21, 35)->path);
    struct source_set *set = open_set(f);
    assert_int_equal(source_read_mask(set, 0, &out, &err), STATUS_INPUT);
    assert_non_null(strstr(err.message, "JPEG alters colours, use PNG"));
    source_close(set);
    free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_stand_upright),
        cmocka_unit_test(legends_give_codes_by_majority),
        cmocka_unit_test(grey_masks_take_means_or_the_covering_pixel),
        cmocka_unit_test(masks_by_map_leave_missing_maps_unpainted),
        cmocka_unit_test(paint_must_fit),
        cmocka_unit_test(a_jpeg_with_a_legend_is_told_why),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
