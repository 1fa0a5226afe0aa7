#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "f_shape.h"
#include "gen/png_read.h"
#include "gen/png_stream.h"
#include "gen/png_write.h"
#include "terrain/hash.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(struct raster *r, int32_t x, int32_t y, uint32_t code) {
    size_t i = ((size_t)y * (size_t)r->width + (size_t)x) * raster_pixel_size(r->kind);
    uint16_t wide = (uint16_t)code;
    if (r->kind == KIND_GREY16)
        memcpy(r->samples + i, &wide, 2);
    else if (r->kind == KIND_GREY8)
        r->samples[i] = (unsigned char)code;
    else
        for (size_t c = 0; c < 3; c++)
            r->samples[i + c] = (unsigned char)(code >> (16 - 8 * c));
}

static struct raster f_raster(enum raster_kind kind) {
    struct raster r;
    assert_int_equal(raster_new(kind, F_WIDTH, F_HEIGHT, &r, NULL), STATUS_OK);
    for (int32_t y = 0; y < F_HEIGHT; y++)
        for (int32_t x = 0; x < F_WIDTH; x++)
            put(&r, x, y, f_shape_ink(x, y) ? 0xfedc12u : 0x123u);
    return r;
}

/* libpng's simplified reader is the second opinion on rows, columns, byte order and channels. */
static void file_reads_as_f(const unsigned char *bytes, size_t size, enum raster_kind kind) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    assert_int_equal(image.width, F_WIDTH);
    assert_int_equal(image.height, F_HEIGHT);
    bool wide = kind == KIND_GREY16;
    image.format = wide ? PNG_FORMAT_LINEAR_Y : kind == KIND_RGB8 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    unsigned char pixels[F_WIDTH * F_HEIGHT * 3 * 2];
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    for (int32_t row = 0; row < F_HEIGHT; row++)
        for (int32_t x = 0; x < F_WIDTH; x++) {
            size_t i = (size_t)row * F_WIDTH + (size_t)x;
            bool ink = f_shape_ink(x, F_HEIGHT - 1 - row); /* row 0 is the north edge */
            uint16_t code;
            memcpy(&code, pixels + 2 * i, 2);
            if (wide)
                assert_int_equal(code > 0x4000, ink); /* 0xdc12, 0x0123: the reader takes them as linear */
            else if (kind == KIND_GREY8)
                assert_int_equal(pixels[i], ink ? 0x12 : 0x23);
            else
                assert_memory_equal(pixels + 3 * i, ink ? "\xfe\xdc\x12" : "\x00\x01\x23", 3);
        }
}

static void each_kind_comes_back_unturned_and_unshifted(void **state) {
    (void)state;
    for (int32_t kind = KIND_GREY8; kind <= KIND_RGB8; kind++) {
        struct raster in = f_raster((enum raster_kind)kind), out;
        unsigned char *bytes;
        size_t size;
        assert_int_equal(png_encode(&in, &bytes, &size, NULL), STATUS_OK);
        file_reads_as_f(bytes, size, (enum raster_kind)kind);
        assert_int_equal(png_decode(bytes, size, &out, NULL), STATUS_OK);
        assert_int_equal(out.kind, in.kind);
        assert_int_equal(out.width, in.width);
        assert_int_equal(out.height, in.height);
        assert_memory_equal(out.samples, in.samples, raster_row_size(&in) * (size_t)in.height);
        free(bytes);
        raster_free(&in);
        raster_free(&out);
    }
}

static void random_sizes_come_back(void **state) {
    (void)state;
    for (int32_t k = 0; k < 60; k++) {
        uint64_t h = hash_place(5, 5, k, 0, 0);
        struct raster in, out;
        assert_int_equal(raster_new((enum raster_kind)(h % 3), 1 + (int32_t)(h >> 8 & 127),
                                    1 + (int32_t)(h >> 16 & 127), &in, NULL),
                         STATUS_OK);
        size_t count = raster_row_size(&in) * (size_t)in.height;
        for (size_t i = 0; i < count; i++)
            in.samples[i] = (unsigned char)hash_place(5, 6, k, (int32_t)i, 0);
        unsigned char *bytes, *again;
        size_t size, size_again;
        assert_int_equal(png_encode(&in, &bytes, &size, NULL), STATUS_OK);
        assert_int_equal(png_encode(&in, &again, &size_again, NULL), STATUS_OK);
        assert_int_equal(size, size_again);
        assert_memory_equal(bytes, again, size);
        assert_int_equal(png_decode(bytes, size, &out, NULL), STATUS_OK);
        assert_memory_equal(out.samples, in.samples, count);
        free(bytes);
        free(again);
        raster_free(&in);
        raster_free(&out);
    }
}

static void a_stream_writes_what_encode_writes(void **state) {
    (void)state;
    struct raster in = f_raster(KIND_GREY16), out;
    FILE *file = tmpfile();
    assert_non_null(file);
    struct png_stream *stream;
    assert_int_equal(png_stream_open(file, in.kind, in.width, in.height, &stream, NULL), STATUS_OK);
    for (int32_t y = in.height; y-- > 0;)
        assert_int_equal(png_stream_row(stream, raster_at(&in, 0, y), NULL), STATUS_OK);
    assert_int_equal(png_stream_row(stream, in.samples, NULL), STATUS_FAULT);
    assert_int_equal(png_stream_close(stream, NULL), STATUS_OK);
    unsigned char bytes[4096];
    rewind(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(png_decode(bytes, size, &out, NULL), STATUS_OK);
    assert_memory_equal(out.samples, in.samples, raster_row_size(&in) * (size_t)in.height);
    fclose(file);
    raster_free(&in);
    raster_free(&out);
}

static void a_full_device_is_file_trouble(void **state) {
    (void)state;
    FILE *file = fopen("/dev/full", "wb");
    if (!file)
        skip();
    setvbuf(file, NULL, _IONBF, 0);
    struct png_stream *stream;
    struct error err;
    assert_int_equal(png_stream_open(file, KIND_GREY8, 4, 1, &stream, &err), STATUS_FILE);
    assert_string_equal(err.message, "PNG: write failed");
    fclose(file);
}

static void every_cut_and_every_added_byte_is_refused(void **state) {
    (void)state;
    struct raster in = f_raster(KIND_RGB8), out;
    unsigned char *bytes;
    size_t size;
    assert_int_equal(png_encode(&in, &bytes, &size, NULL), STATUS_OK);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = malloc(cut + 1); /* its own block, so that reading past it is seen */
        assert_non_null(part);
        memcpy(part, bytes, cut);
        assert_int_equal(png_decode(part, cut, &out, NULL), STATUS_FILE);
        assert_null(out.samples);
        free(part);
    }
    unsigned char *longer = malloc(size + 1);
    assert_non_null(longer);
    memcpy(longer, bytes, size);
    longer[size] = 0;
    struct error err;
    assert_int_equal(png_decode(longer, size + 1, &out, &err), STATUS_FILE);
    assert_string_equal(err.message, "PNG: bytes follow the image");
    for (size_t i = 0; i < size; i++) { /* a checksum of PNG or zlib guards every byte */
        longer[i] ^= 0x10;
        assert_int_equal(png_decode(longer, size, &out, NULL), STATUS_FILE);
        longer[i] ^= 0x10;
    }
    free(longer);
    free(bytes);
    raster_free(&in);
}

/* Golden: the formula of docs/formats.md, which must not change with libpng or zlib. */
static void content_hashes_are_golden(void **state) {
    (void)state;
    static const char *const golden[] = {"a4c71e323258860fc7a34553796c564d",
                                         "4942fa3b93a3718ba0d6889ab6986994",
                                         "1c6f8d0d53e01f87dc5f9c8676e35e7e"};
    for (int32_t kind = KIND_GREY8; kind <= KIND_RGB8; kind++) {
        struct raster r = f_raster((enum raster_kind)kind);
        char text[HASH_TEXT_SIZE];
        hash128_text(raster_hash(&r), text);
        assert_string_equal(text, golden[kind]);
        struct hash128 back;
        assert_true(hash128_parse(text, &back));
        assert_true(back.lo == raster_hash(&r).lo && back.hi == raster_hash(&r).hi);
        put(&r, 3, 4, 0x77);
        assert_false(back.lo == raster_hash(&r).lo);
        raster_free(&r);
    }
    struct hash128 h;
    assert_false(hash128_parse("0123456789abcdef0123456789abcde", &h));
    assert_false(hash128_parse("0123456789abcdef0123456789abcdeF", &h));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_comes_back_unturned_and_unshifted),
        cmocka_unit_test(random_sizes_come_back),
        cmocka_unit_test(a_stream_writes_what_encode_writes),
        cmocka_unit_test(a_full_device_is_file_trouble),
        cmocka_unit_test(every_cut_and_every_added_byte_is_refused),
        cmocka_unit_test(content_hashes_are_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
