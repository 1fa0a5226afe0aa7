#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/image.h"
#include "gen/os.h"
#include "terrain/hash.h"
#include "tests/unit/image_files.h"
#include <stdlib.h>
#include <string.h>

enum { W = 21, H = 35, HIGH = 200, LOW = 50 };

struct picture {
    unsigned char bytes[W * H * 4];
    size_t row_size;
    int32_t rows;
};

static enum status keep_row(void *context, int32_t row, const void *samples, struct error *err) {
    struct picture *p = context;
    (void)err;
    assert_int_equal(row, p->rows);
    p->rows++;
    memcpy(p->bytes + p->row_size * (size_t)row, samples, p->row_size);
    return STATUS_OK;
}

static enum status read_probed(const char *path, const struct image_info *info, enum image_form form,
                               bool big_endian, struct picture *p, struct error *err) {
    struct image_request request = {.info = *info, .form = form, .big_endian = big_endian};
    *p = (struct picture){.row_size =
                              (size_t)info->width_px * (form == IMAGE_RGBA8 ? 4 : (size_t)info->bits / 8)};
    return image_read(path, &request, &(struct image_rows){keep_row, p}, err);
}

static void assert_f_rgba(const struct picture *p, int32_t tolerance) {
    assert_int_equal(p->rows, H);
    for (int32_t y = 0; y < H; y++)
        for (int32_t x = 0; x < W; x++) {
            const unsigned char *c = p->bytes + 4 * (y * W + x);
            const int want = letter_f(x, y, W, H) ? HIGH : LOW;
            assert_in_range(c[0], want - tolerance, want + tolerance);
            assert_in_range(c[2], want - tolerance, want + tolerance);
            assert_int_equal(c[3], 255);
        }
}

static uint8_t rgb[W * H * 3], grey[W * H];
static uint16_t grey16[W * H];
static float metres[W * H];

static void draw_f(void) {
    for (int32_t y = 0; y < H; y++)
        for (int32_t x = 0; x < W; x++) {
            int32_t i = y * W + x;
            grey[i] = letter_f(x, y, W, H) ? HIGH : LOW;
            grey16[i] = (uint16_t)(grey[i] * 256 + x + 3 * y);
            metres[i] = (float)grey16[i] * 0.125f - 700.0f;
            memset(rgb + 3 * i, grey[i], 3);
        }
}

/* Every reader of masks shows the letter F where it was drawn, north first. */
static void masks_keep_the_letter_f(void **state) {
    (void)state;
    draw_f();
    put_png8(image_path("grey.png"), W, H, grey);
    put_png(image_path("rgb.png"), &(struct png_spec){W, H, 8, 3, false, false, rgb});
    put_png(image_path("adam7.png"), &(struct png_spec){W, H, 8, 3, false, true, rgb});
    put_tga(image_path("up.tga"), W, H, rgb, false, true);
    put_tga(image_path("down.tga"), W, H, rgb, false, false);
    put_tga(image_path("rle.tga"), W, H, rgb, true, true);
    put_bmp(image_path("up.bmp"), W, H, rgb, true);
    put_bmp(image_path("down.bmp"), W, H, rgb, false);
    put_jpeg(image_path("f.jpg"));
    static const struct {
        const char *name;
        enum image_kind kind;
        int32_t tolerance;
    } files[] = {{"grey.png", IMAGE_PNG, 0}, {"rgb.png", IMAGE_PNG, 0},  {"adam7.png", IMAGE_PNG, 0},
                 {"up.tga", IMAGE_TGA, 0},   {"down.tga", IMAGE_TGA, 0}, {"rle.tga", IMAGE_TGA, 0},
                 {"up.bmp", IMAGE_BMP, 0},   {"down.bmp", IMAGE_BMP, 0}, {"f.jpg", IMAGE_JPEG, 40}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct image_info info;
        struct error err = {0};
        struct picture p;
        const char *path = image_path(files[i].name);
        enum status status = image_probe(path, &info, &err);
        if (status == STATUS_OK)
            status = read_probed(path, &info, IMAGE_RGBA8, false, &p, &err);
        if (status != STATUS_OK)
            fail_msg("%s: %s", files[i].name, err.message);
        assert_int_equal(info.kind, files[i].kind);
        assert_int_equal(info.width_px, W);
        assert_int_equal(info.height_px, H);
        assert_f_rgba(&p, files[i].tolerance);
    }
}

static void palettes_and_alpha_become_rgba(void **state) {
    (void)state;
    draw_f();
    put_png(image_path("palette.png"), &(struct png_spec){W, H, 8, 1, true, false, grey});
    struct image_info info;
    struct picture p;
    assert_int_equal(image_probe(image_path("palette.png"), &info, NULL), STATUS_OK);
    assert_true(info.palette);
    assert_int_equal(read_probed(image_path("palette.png"), &info, IMAGE_RGBA8, false, &p, NULL), STATUS_OK);
    for (int32_t i = 0; i < W * H; i++) {
        assert_int_equal(p.bytes[4 * i], grey[i]);
        assert_int_equal(p.bytes[4 * i + 1], 255 - grey[i]);
        assert_int_equal(p.bytes[4 * i + 3], 255);
    }
    uint8_t alpha[W * H * 2];
    for (int32_t i = 0; i < W * H; i++) {
        alpha[2 * i] = grey[i];
        alpha[2 * i + 1] = (uint8_t)i;
    }
    put_png(image_path("ga.png"), &(struct png_spec){W, H, 8, 2, false, false, alpha});
    assert_int_equal(image_probe(image_path("ga.png"), &info, NULL), STATUS_OK);
    assert_int_equal(info.channels, 2);
    assert_int_equal(read_probed(image_path("ga.png"), &info, IMAGE_RGBA8, false, &p, NULL), STATUS_OK);
    for (int32_t i = 0; i < W * H; i++) {
        assert_int_equal(p.bytes[4 * i + 1], grey[i]);
        assert_int_equal(p.bytes[4 * i + 3], i & 255);
    }
}

/* Every reader of heights gives the samples that were written, in the file's order. */
static void heights_come_back_exactly(void **state) {
    (void)state;
    draw_f();
    put_png16(image_path("h.png"), W, H, grey16);
    put_png(image_path("adam7.png"), &(struct png_spec){W, H, 16, 1, false, true, grey16});
    put_png8(image_path("h8.png"), W, H, grey);
    put_r16(image_path("le.r16"), W, H, grey16, false);
    put_r16(image_path("be.r16"), W, H, grey16, true);
    put_r32(image_path("le.r32"), W, H, metres, false);
    put_r32(image_path("be.r32"), W, H, metres, true);
    const struct {
        const char *name;
        enum image_kind kind;
        bool big_endian;
        const void *want;
    } files[] = {{"h.png", IMAGE_PNG, false, grey16}, {"adam7.png", IMAGE_PNG, false, grey16},
                 {"h8.png", IMAGE_PNG, false, grey},  {"le.r16", IMAGE_R16, false, grey16},
                 {"be.r16", IMAGE_R16, true, grey16}, {"le.r32", IMAGE_R32, false, metres},
                 {"be.r32", IMAGE_R32, true, metres}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = image_path(files[i].name);
        struct image_info info;
        struct picture p;
        if (files[i].kind == IMAGE_PNG)
            assert_int_equal(image_probe(path, &info, NULL), STATUS_OK);
        else
            assert_int_equal(image_probe_raw(path, files[i].kind, W, H, &info, NULL), STATUS_OK);
        assert_int_equal(read_probed(path, &info, IMAGE_SAMPLES, files[i].big_endian, &p, NULL), STATUS_OK);
        assert_int_equal(p.rows, H);
        assert_memory_equal(p.bytes, files[i].want, p.row_size * H);
    }
}

static void assert_error(const struct error *err, enum status status, const char *file, const char *message) {
    assert_int_equal(err->status, status);
    assert_string_equal(err->message, message);
    assert_string_equal(err->file, file);
}

static void assert_probe_error(const char *name, enum status status, const char *message) {
    struct image_info info;
    struct error err = {0};
    const char *path = image_path(name);
    assert_int_equal(image_probe(path, &info, &err), status);
    assert_error(&err, status, path, message);
}

static void a_file_is_what_its_content_says(void **state) {
    (void)state;
    draw_f();
    put_jpeg(image_path("photo.png"));
    assert_probe_error("photo.png", STATUS_INPUT,
                       "is named .png but holds a JPEG image: rename it, or save it again as PNG");
    put_png8(image_path("grey.TGA"), W, H, grey);
    assert_probe_error("grey.TGA", STATUS_INPUT,
                       "is named .tga but holds a PNG image: rename it, or save it again as TGA");
    put_bytes(image_path("a.tif"), "II*\0\x08\0\0\0", 8);
    assert_probe_error("a.tif", STATUS_INPUT, "is a TIFF image, which is not read here: save it as PNG");
    put_bytes(image_path("text.png"), "hello, world, this is a text", 28);
    assert_probe_error("text.png", STATUS_INPUT, "is not a PNG, TGA, BMP or JPEG image");
    put_bytes(image_path("lfs.png"), "version https://git-lfs.github.com/spec/v1\n", 43);
    assert_probe_error("lfs.png", STATUS_INPUT, "is a Git LFS pointer, not the image: run `git lfs pull`");
    put_bytes(image_path("empty.png"), "", 0);
    assert_probe_error("empty.png", STATUS_INPUT, "the file is empty");
    assert_probe_error("absent.png", STATUS_FILE, "there is no such file");
    assert_int_equal(os_make_dirs(image_path("dir.png"), NULL), STATUS_OK);
    assert_probe_error("dir.png", STATUS_FILE, "is not a file");
}

static void damaged_headers_are_refused(void **state) {
    (void)state;
    draw_f();
    put_png16(image_path("h.png"), W, H, grey16);
    flip_bit(image_path("h.png"), 17);
    assert_probe_error("h.png", STATUS_INPUT, "the PNG header is damaged");
    put_png16(image_path("h.png"), W, H, grey16);
    cut_file(image_path("h.png"), 20);
    assert_probe_error("h.png", STATUS_INPUT, "the file is cut short within the PNG header");
    put_bmp(image_path("a.bmp"), W, H, rgb, true);
    cut_file(image_path("a.bmp"), 20);
    assert_probe_error("a.bmp", STATUS_INPUT, "the file is cut short: the BMP ends too early");
}

/* A header that promises 1.6 gigapixels costs nothing until somebody asks for the rows. */
static void a_bomb_is_probed_without_decoding(void **state) {
    (void)state;
    put_bomb(image_path("bomb.png"));
    struct image_info info;
    struct error err = {0};
    struct picture p;
    assert_int_equal(image_probe(image_path("bomb.png"), &info, NULL), STATUS_OK);
    assert_int_equal(info.width_px, 40000);
    assert_int_equal(info.height_px, 40000);
    uint64_t before = os_peak_memory();
    const char *path = image_path("bomb.png");
    assert_int_equal(read_probed(path, &info, IMAGE_SAMPLES, false, &p, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, path, "the file is cut short: the PNG ends within row 0 of 40000");
    assert_true(os_peak_memory() - before < 64u << 20);
}

static void assert_height_error(const struct png_spec *spec, const char *message) {
    struct image_info info;
    struct error err = {0};
    const char *path = image_path("not_a_height.png");
    put_png(path, spec);
    assert_int_equal(image_probe(path, &info, NULL), STATUS_OK);
    assert_int_equal(image_check_height(path, &info, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, path, message);
    struct picture p;
    assert_int_equal(read_probed(path, &info, IMAGE_SAMPLES, false, &p, NULL), STATUS_INPUT);
}

static void heights_are_one_grey_channel(void **state) {
    (void)state;
    static const uint16_t samples[W * H * 4];
    assert_height_error(&(struct png_spec){W, H, 8, 1, true, false, samples},
                        "has a palette; heights are one grey channel of 16 bits");
    assert_height_error(&(struct png_spec){W, H, 16, 2, false, false, samples},
                        "has an alpha channel; heights are one grey channel of 16 bits");
    assert_height_error(&(struct png_spec){W, H, 16, 3, false, false, samples},
                        "is a colour image; heights are one grey channel of 16 bits");
    assert_height_error(&(struct png_spec){W, H, 8, 4, false, false, samples},
                        "is a colour image with an alpha channel; heights are one grey channel of 16 bits");
    assert_height_error(&(struct png_spec){W, H, 4, 1, false, false, samples},
                        "has 4 bits a sample; heights need 16 (or 8)");
    struct image_info info;
    struct error err = {0};
    const char *path = image_path("deep.png");
    put_png16(path, W, H, samples);
    assert_int_equal(image_probe(path, &info, NULL), STATUS_OK);
    assert_int_equal(image_check_mask(path, &info, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, path, "has 16 bits a channel; masks are 8-bit: save it as 8-bit");
    struct image_info large = {
        .kind = IMAGE_JPEG, .width_px = 9000, .height_px = 9000, .bits = 8, .channels = 3};
    assert_int_equal(image_check_mask("x.jpg", &large, &err), STATUS_LIMIT);
    assert_error(&err, STATUS_LIMIT, "x.jpg",
                 "a JPEG of 9000 x 9000 px must be decoded whole, which is allowed up to 67108864 pixels: "
                 "save it as PNG");
}

/* Whatever part of a file is there, the reader says that the rest is missing and gives nothing as whole. */
static void every_cut_is_noticed(void **state) {
    (void)state;
    draw_f();
    static const char *const names[] = {"c.png", "i.png", "c.tga", "r.tga", "c.bmp", "c.jpg", "c.r16"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (long cut = 1; cut < 1000000; cut = cut * 3 / 2 + 1) {
            const char *path = image_path(names[i]);
            switch (i) {
            case 0:
                put_png16(path, W, H, grey16);
                break;
            case 1:
                put_png(path, &(struct png_spec){W, H, 16, 1, false, true, grey16});
                break;
            case 2:
            case 3:
                put_tga(path, W, H, rgb, i == 3, true);
                break;
            case 4:
                put_bmp(path, W, H, rgb, true);
                break;
            case 5:
                put_jpeg(path);
                break;
            default:
                put_r16(path, W, H, grey16, false);
            }
            struct image_info info;
            struct picture p;
            struct os_info file;
            bool raw = i == 6;
            assert_int_equal(raw ? image_probe_raw(path, IMAGE_R16, W, H, &info, NULL)
                                 : image_probe(path, &info, NULL),
                             STATUS_OK);
            enum image_form form = info.bits == 16 ? IMAGE_SAMPLES : IMAGE_RGBA8;
            assert_int_equal(read_probed(path, &info, form, false, &p, NULL), STATUS_OK);
            assert_int_equal(os_info(path, &file, NULL), STATUS_OK);
            if (cut >= (long)file.size)
                break;
            cut_file(path, -cut);
            struct error err = {0};
            if (read_probed(path, &info, form, false, &p, &err) != STATUS_INPUT)
                fail_msg("%s without its last %ld bytes was read", names[i], cut);
            if (!strstr(err.message, "the file is cut short"))
                fail_msg("%s without its last %ld bytes: %s", names[i], cut, err.message);
        }
    }
}

static enum status drop_row(void *context, int32_t row, const void *samples, struct error *err) {
    (void)context;
    (void)row;
    (void)samples;
    (void)err;
    return STATUS_OK;
}

static void a_damaged_png_names_its_row(void **state) {
    (void)state;
    enum { N = 300 };
    static uint16_t noise[N * N];
    for (int32_t i = 0; i < N * N; i++)
        noise[i] = (uint16_t)hash_place(1, 2, i, 0, 0);
    const char *path = image_path("damaged.png");
    put_png16(path, N, N, noise);
    struct image_request request = {.form = IMAGE_SAMPLES};
    struct error err = {0};
    assert_int_equal(image_probe(path, &request.info, NULL), STATUS_OK);
    flip_bit(path, -100000);
    assert_int_equal(image_read(path, &request, &(struct image_rows){drop_row, NULL}, &err), STATUS_INPUT);
    /* which row depends on how zlib packed the file */
    assert_ptr_equal(strstr(err.message, "the PNG is damaged at row 13"), err.message);
    assert_non_null(strstr(err.message, " of 300: IDAT: CRC error"));
}

/* What Debian 12's stb_image would follow out of its tables. */
static void a_jpeg_is_walked_before_it_is_trusted(void **state) {
    (void)state;
    static const unsigned char long_table[] = {0xff, 0xd8, 0xff, 0xc4, 1, 0x18, 0, 255, 2, 0, 0, 0,
                                               0,    0,    0,    0,    0, 0,    0, 0,   0, 0, 0, 0};
    static const unsigned char no_marker[] = {0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 3, 4};
    static const unsigned char bad_length[] = {0xff, 0xd8, 0xff, 0xe0, 0, 1};
    put_bytes(image_path("a.jpg"), long_table, sizeof long_table);
    assert_probe_error("a.jpg", STATUS_INPUT, "the JPEG is damaged: a Huffman table is too long");
    put_bytes(image_path("a.jpg"), no_marker, sizeof no_marker);
    assert_probe_error("a.jpg", STATUS_INPUT, "the JPEG is damaged: no marker where one is due");
    put_bytes(image_path("a.jpg"), bad_length, sizeof bad_length);
    assert_probe_error("a.jpg", STATUS_INPUT, "the JPEG is damaged: a segment's length makes no sense");
    put_jpeg(image_path("a.jpg"));
    cut_file(image_path("a.jpg"), -2);
    assert_probe_error("a.jpg", STATUS_INPUT, "the file is cut short: the JPEG ends too early");
}

static enum status refuse_row(void *context, int32_t row, const void *samples, struct error *err) {
    (void)context;
    (void)samples;
    return row == 3 ? error_set(err, STATUS_LIMIT, "enough") : STATUS_OK;
}

static void a_row_can_end_the_reading(void **state) {
    (void)state;
    draw_f();
    put_png16(image_path("h.png"), W, H, grey16);
    put_r16(image_path("h.r16"), W, H, grey16, false);
    put_tga(image_path("h.tga"), W, H, rgb, false, false);
    static const char *const names[] = {"h.png", "h.r16", "h.tga"};
    for (size_t i = 0; i < 3; i++) {
        struct image_request request = {.form = i < 2 ? IMAGE_SAMPLES : IMAGE_RGBA8};
        struct error err = {0};
        const char *path = image_path(names[i]);
        assert_int_equal(i == 1 ? image_probe_raw(path, IMAGE_R16, W, H, &request.info, NULL)
                                : image_probe(path, &request.info, NULL),
                         STATUS_OK);
        assert_int_equal(image_read(path, &request, &(struct image_rows){refuse_row, NULL}, &err),
                         STATUS_LIMIT);
        assert_string_equal(err.message, "enough");
    }
}

static void raw_sizes_must_fit(void **state) {
    (void)state;
    draw_f();
    struct image_info info;
    struct error err = {0};
    const char *path = image_path("h.r16");
    put_r16(path, W, H, grey16, false);
    assert_int_equal(image_probe_raw(path, IMAGE_R16, W, H + 1, &info, &err), STATUS_INPUT);
    assert_error(&err, STATUS_INPUT, path, "has 1470 bytes, but 21 x 36 samples of 2 bytes are 1512");
    assert_int_equal(image_probe_raw(path, IMAGE_R16, 70000, 1, &info, &err), STATUS_LIMIT);
    assert_error(&err, STATUS_LIMIT, path, "70000 x 1 samples: a side must be 1..65536, split it into maps");
}

/* Bytes that are not those of the content id must not be taken for them. */
static void a_changed_file_is_refused(void **state) {
    (void)state;
    draw_f();
    const char *path = image_path("h.png");
    struct image_request request = {.form = IMAGE_SAMPLES};
    struct hash128 id, again;
    struct error err = {0};
    put_png16(path, W, H, grey16);
    assert_int_equal(image_file_id(path, &id, NULL), STATUS_OK);
    assert_int_equal(image_file_id(path, &again, NULL), STATUS_OK);
    assert_memory_equal(&id, &again, sizeof id);
    request.id = &id;
    assert_int_equal(image_probe(path, &request.info, NULL), STATUS_OK);
    struct picture p = {.row_size = 2 * W};
    assert_int_equal(image_read(path, &request, &(struct image_rows){keep_row, &p}, &err), STATUS_OK);
    grey16[5] ^= 1;
    put_png16(path, W, H, grey16);
    p.rows = 0;
    assert_int_equal(image_read(path, &request, &(struct image_rows){keep_row, &p}, &err), STATUS_FILE);
    assert_error(&err, STATUS_FILE, path, "the file has changed since the world was read: run again");
    put_png16(path, W, H - 1, grey16);
    p.rows = 0;
    assert_int_equal(image_read(path, &request, &(struct image_rows){keep_row, &p}, &err), STATUS_FILE);
    assert_error(&err, STATUS_FILE, path, "the file has changed since the world was read: run again");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_keep_the_letter_f),
        cmocka_unit_test(palettes_and_alpha_become_rgba),
        cmocka_unit_test(heights_come_back_exactly),
        cmocka_unit_test(a_file_is_what_its_content_says),
        cmocka_unit_test(damaged_headers_are_refused),
        cmocka_unit_test(a_bomb_is_probed_without_decoding),
        cmocka_unit_test(heights_are_one_grey_channel),
        cmocka_unit_test(every_cut_is_noticed),
        cmocka_unit_test(a_damaged_png_names_its_row),
        cmocka_unit_test(a_jpeg_is_walked_before_it_is_trusted),
        cmocka_unit_test(a_row_can_end_the_reading),
        cmocka_unit_test(raw_sizes_must_fit),
        cmocka_unit_test(a_changed_file_is_refused),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
