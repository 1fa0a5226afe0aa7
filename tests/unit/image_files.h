/* Makes image files for tests, in a folder of the test's own that is removed at its end; and the letter F,
 * which shows every mirroring and shift. */
#ifndef TESTS_IMAGE_FILES_H
#define TESTS_IMAGE_FILES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_PATH_MAX = 512 };

/* A fresh folder below $TMPDIR or /tmp; cmocka setup and teardown functions. */
int image_folder_make(void **state);
int image_folder_remove(void **state);
/* "<folder>/<name>", in one of eight static buffers. */
const char *image_path(const char *name);

/* Whether the letter F stands at (column, row) of a width x height picture, row 0 at the top: the stem at the
 * west, two arms to the east, the upper one longer, clear of all borders. */
bool letter_f(int32_t column, int32_t row, int32_t width, int32_t height);

/* What a PNG is made of: samples are 8-bit, or 16-bit native; rows of width * channels. */
struct png_spec {
    int32_t width, height, bits, channels;
    bool palette, interlaced;
    const void *samples;
};
void put_png(const char *path, const struct png_spec *spec);
/* Grey. */
void put_png16(const char *path, int32_t width, int32_t height, const uint16_t *samples);
void put_png8(const char *path, int32_t width, int32_t height, const uint8_t *samples);
void put_r16(const char *path, int32_t width, int32_t height, const uint16_t *samples, bool big_endian);
void put_r32(const char *path, int32_t width, int32_t height, const float *samples, bool big_endian);
/* The header of a 16-bit grey PNG of 40000 x 40000 pixels, and no more. */
void put_bomb(const char *path);
/* RGB, three bytes a pixel. rle: compressed. bottom_up: the file's first row is the lowest. */
void put_tga(const char *path, int32_t width, int32_t height, const uint8_t *rgb, bool rle, bool bottom_up);
void put_bmp(const char *path, int32_t width, int32_t height, const uint8_t *rgb, bool bottom_up);
/* The letter F in 200 on 50, 21 x 35 px: a constant file. */
void put_jpeg(const char *path);
void put_bytes(const char *path, const void *bytes, size_t size);
/* Cuts a file to `size` bytes (negative: that many fewer than it has). */
void cut_file(const char *path, long size);
/* Flips one bit of the byte at `at` (negative: from the end). */
void flip_bit(const char *path, long at);

#endif
