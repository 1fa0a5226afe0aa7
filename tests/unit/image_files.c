#include "tests/unit/image_files.h"

#include "gen/os.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[IMAGE_PATH_MAX / 2];

/* The letter F in 200 on 50, 21 x 35 px, RGB, quality 92. */
static const unsigned char jpeg[] = {
    255, 216, 255, 224, 0,   16,  74,  70,  73,  70,  0,   1,   1,   0,   0,   1,   0,   1,   0,   0,   255,
    219, 0,   67,  0,   3,   2,   2,   2,   2,   2,   3,   2,   2,   2,   3,   3,   3,   3,   4,   6,   4,
    4,   4,   4,   4,   8,   6,   6,   5,   6,   9,   8,   10,  10,  9,   8,   9,   9,   10,  12,  15,  12,
    10,  11,  14,  11,  9,   9,   13,  17,  13,  14,  15,  16,  16,  17,  16,  10,  12,  18,  19,  18,  16,
    19,  15,  16,  16,  16,  255, 219, 0,   67,  1,   3,   3,   3,   4,   3,   4,   8,   4,   4,   8,   16,
    11,  9,   11,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,
    16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,
    16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,  255, 192, 0,   17,  8,   0,   35,  0,   21,  3,
    1,   34,  0,   2,   17,  1,   3,   17,  1,   255, 196, 0,   24,  0,   1,   1,   1,   1,   1,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   7,   6,   4,   8,   255, 196, 0,   52,  16,  0,   0,
    2,   8,   4,   2,   6,   11,  0,   0,   0,   0,   0,   0,   0,   0,   1,   2,   0,   3,   4,   5,   6,
    17,  18,  19,  7,   8,   20,  33,  21,  34,  22,  23,  49,  50,  65,  81,  24,  35,  36,  38,  69,  86,
    97,  99,  113, 148, 212, 255, 196, 0,   20,  1,   1,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   255, 196, 0,   20,  17,  1,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   255, 218, 0,   12,  3,   1,   0,   2,   17,  3,   17,  0,   63,  0,
    134, 225, 14,  88,  163, 220, 105, 134, 154, 98,  152, 89,  238, 224, 101, 100, 101, 110, 59,  188, 228,
    120, 52,  46,  34,  193, 88,  85,  106, 206, 34,  0,   69,  71,  10,  100, 180, 190, 51,  152, 14,  222,
    123, 143, 64,  76,  98,  249, 150, 13,  253, 198, 175, 231, 77,  46,  95,  30,  209, 219, 143, 40,  209,
    163, 211, 12,  213, 54,  172, 137, 20,  68,  193, 162, 43,  27,  16,  53,  174, 25,  131, 1,   86,  82,
    168, 74,  112, 55,  171, 19,  207, 148, 100, 19,  29,  165, 52,  192, 196, 89,  140, 205, 228, 33,  167,
    233, 99,  221, 242, 228, 213, 215, 167, 226, 48,  211, 51,  53,  234, 101, 85,  23,  25,  194, 169, 84,
    89,  203, 178, 160, 243, 64,  147, 226, 68,  0,   249, 194, 232, 209, 227, 2,   191, 218, 88,  154, 27,
    221, 150, 111, 44,  99,  57,  206, 164, 215, 21,  17,  105, 105, 19,  148, 166, 30,  85,  128, 3,   50,
    134, 243, 252, 161, 56,  227, 8,   194, 35,  143, 162, 54,  184, 178, 44,  120, 235, 158, 173, 214, 245,
    13,  22,  85,  170, 174, 133, 101, 86,  94,  85,  101, 41,  66,  69,  33,  67,  96,  14,  207, 52,  32,
    122, 191, 44,  152, 137, 213, 70,  86,  34,  248, 255, 0,   131, 241, 78,  23,  19,  15,  178, 106, 44,
    92,  186, 70,  21,  93,  250, 77,  41,  92,  159, 116, 103, 41,  109, 57,  164, 111, 49,  25,  136, 235,
    239, 163, 254, 231, 240, 46,  5,   171, 248, 134, 170, 245, 235, 95,  104, 148, 202, 215, 214, 117, 120,
    75,  126, 200, 79,  18,  32,  183, 102, 83,  163, 76,  51,  110, 124, 219, 137, 30,  207, 197, 77,  140,
    108, 90,  117, 163, 117, 72,  29,  136, 68,  215, 0,   162, 172, 187, 41,  91,  176, 152, 7,   151, 179,
    112, 156, 61,  0,   132, 33,  0,   132, 33,  0,   132, 33,  3,   255, 217};

#define NEED(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "image_files.c:%d: " #condition " does not hold\n", __LINE__);                   \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

int image_folder_make(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/terrane-test-%ld", base && strlen(base) < 200 ? base : "/tmp",
             (long)getpid());
    if (os_remove_tree(folder, NULL) != STATUS_OK)
        return 1;
    return os_make_dirs(folder, NULL) == STATUS_OK ? 0 : 1;
}

int image_folder_remove(void **state) {
    (void)state;
    return os_remove_tree(folder, NULL) == STATUS_OK ? 0 : 1;
}

const char *image_path(const char *name) {
    static char paths[8][IMAGE_PATH_MAX];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, IMAGE_PATH_MAX, "%s/%s", folder, name);
    return path;
}

bool letter_f(int32_t column, int32_t row, int32_t width, int32_t height) {
    static const char *const shape[7] = {".......", ".XXXXX.", ".X.....", ".XXX...",
                                         ".X.....", ".X.....", "......."};
    return shape[row * 7 / height][column * 7 / width] == 'X';
}

void put_bytes(const char *path, const void *bytes, size_t size) {
    NEED(os_write_file(path, bytes, size, NULL) == STATUS_OK);
}

static void set_palette(png_structp png, png_infop info) {
    png_color colours[256];
    for (int i = 0; i < 256; i++)
        colours[i] = (png_color){(png_byte)i, (png_byte)(255 - i), (png_byte)(i / 2)};
    png_set_PLTE(png, info, colours, 256);
}

void put_png(const char *path, const struct png_spec *spec) {
    static const int colours[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                   PNG_COLOR_TYPE_RGB_ALPHA};
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    NEED(file && png && info);
    png_init_io(png, file);
    png_set_user_limits(png, 1 << 20, 1 << 20);
    png_set_compression_level(png, 1);
    png_set_IHDR(png, info, (uint32_t)spec->width, (uint32_t)spec->height, spec->bits,
                 spec->palette ? PNG_COLOR_TYPE_PALETTE : colours[spec->channels],
                 spec->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (spec->palette)
        set_palette(png, info);
    png_write_info(png, info);
    if (spec->bits == 16)
        png_set_swap(png);
    size_t size = (size_t)spec->width * (size_t)spec->channels * (spec->bits == 16 ? 2 : 1);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int32_t row = 0; row < spec->height; row++)
            png_write_row(png, (const unsigned char *)spec->samples + size * (size_t)row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    NEED(fclose(file) == 0);
}

void put_png16(const char *path, int32_t width, int32_t height, const uint16_t *samples) {
    put_png(path, &(struct png_spec){width, height, 16, 1, false, false, samples});
}

void put_png8(const char *path, int32_t width, int32_t height, const uint8_t *samples) {
    put_png(path, &(struct png_spec){width, height, 8, 1, false, false, samples});
}

static void put_words(const char *path, size_t count, size_t size, const void *samples, bool big_endian) {
    unsigned char *bytes = malloc(count * size);
    NEED(bytes);
    for (size_t i = 0; i < count; i++) {
        uint64_t v = 0;
        if (size == 2)
            v = ((const uint16_t *)samples)[i];
        else
            memcpy(&v, (const float *)samples + i, 4); /* little-endian machines */
        for (size_t b = 0; b < size; b++)
            bytes[i * size + b] = (unsigned char)(v >> 8 * (big_endian ? size - 1 - b : b));
    }
    put_bytes(path, bytes, count * size);
    free(bytes);
}

void put_r16(const char *path, int32_t width, int32_t height, const uint16_t *samples, bool big_endian) {
    put_words(path, (size_t)width * (size_t)height, 2, samples, big_endian);
}

void put_r32(const char *path, int32_t width, int32_t height, const float *samples, bool big_endian) {
    put_words(path, (size_t)width * (size_t)height, 4, samples, big_endian);
}

void put_bomb(const char *path) {
    static const unsigned char head[] = {0x89, 'P', 'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,
                                         0,    13,  'I',  'H',  'D',  'R',  0,    0,    0x9c, 0x40,
                                         0,    0,   0x9c, 0x40, 16,   0,    0,    0,    0};
    unsigned char file[33];
    memcpy(file, head, sizeof head);
    uint32_t crc = 0xffffffffu; /* CRC-32 of the chunk's name and data */
    for (size_t i = 12; i < 29; i++) {
        crc ^= head[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
    }
    for (size_t i = 0; i < 4; i++)
        file[29 + i] = (unsigned char)(~crc >> (24 - 8 * (int)i));
    put_bytes(path, file, sizeof file);
}

struct bytes {
    unsigned char *at;
    size_t size;
};

static void append(struct bytes *b, const void *bytes, size_t size) {
    b->at = realloc(b->at, b->size + size);
    NEED(b->at);
    memcpy(b->at + b->size, bytes, size);
    b->size += size;
}

static void finish(struct bytes *b, const char *path) {
    put_bytes(path, b->at, b->size);
    free(b->at);
}

void put_tga(const char *path, int32_t width, int32_t height, const uint8_t *rgb, bool rle, bool bottom_up) {
    unsigned char head[18] = {
        [2] = rle ? 10 : 2,           [12] = (unsigned char)width,         [13] = (unsigned char)(width >> 8),
        [14] = (unsigned char)height, [15] = (unsigned char)(height >> 8), [16] = 24,
        [17] = bottom_up ? 0 : 0x20};
    struct bytes b = {0};
    append(&b, head, sizeof head);
    for (int32_t i = 0; i < height; i++) {
        const uint8_t *row = rgb + 3 * (size_t)width * (size_t)(bottom_up ? height - 1 - i : i);
        for (int32_t x = 0; x < width;) {
            const uint8_t *p = row + 3 * x;
            unsigned char packet[4] = {0x80, p[2], p[1], p[0]};
            int32_t n = 1;
            while (rle && x + n < width && n < 128 && memcmp(p, p + 3 * n, 3) == 0)
                n++;
            packet[0] = (unsigned char)(0x80 | (n - 1));
            append(&b, rle ? packet : packet + 1, rle ? 4 : 3);
            x += n;
        }
    }
    finish(&b, path);
}

void put_bmp(const char *path, int32_t width, int32_t height, const uint8_t *rgb, bool bottom_up) {
    size_t row_size = (3 * (size_t)width + 3) / 4 * 4;
    uint32_t size = 54 + (uint32_t)(row_size * (size_t)height);
    int32_t signed_height = bottom_up ? height : -height;
    uint32_t words[13] = {size, 0, 54, 40, (uint32_t)width, (uint32_t)signed_height, 1 | 24u << 16};
    struct bytes b = {0};
    append(&b, "BM", 2);
    for (int i = 0; i < 13; i++) {
        unsigned char le[4] = {(unsigned char)words[i], (unsigned char)(words[i] >> 8),
                               (unsigned char)(words[i] >> 16), (unsigned char)(words[i] >> 24)};
        append(&b, le, 4);
    }
    for (int32_t i = 0; i < height; i++) {
        const uint8_t *row = rgb + 3 * (size_t)width * (size_t)(bottom_up ? height - 1 - i : i);
        for (int32_t x = 0; x < width; x++)
            append(&b, (unsigned char[]){row[3 * x + 2], row[3 * x + 1], row[3 * x]}, 3);
        append(&b, "\0\0\0", row_size - 3 * (size_t)width);
    }
    finish(&b, path);
}

void put_jpeg(const char *path) {
    put_bytes(path, jpeg, sizeof jpeg);
}

static long resolve(const struct bytes *b, long at) {
    long place = at < 0 ? (long)b->size + at : at;
    NEED(place >= 0 && place <= (long)b->size);
    return place;
}

void cut_file(const char *path, long size) {
    struct bytes b;
    NEED(os_read_file(path, SIZE_MAX / 2, &b.at, &b.size, NULL) == STATUS_OK);
    b.size = (size_t)resolve(&b, size);
    finish(&b, path);
}

void flip_bit(const char *path, long at) {
    struct bytes b;
    NEED(os_read_file(path, SIZE_MAX / 2, &b.at, &b.size, NULL) == STATUS_OK);
    b.at[resolve(&b, at)] ^= 1;
    finish(&b, path);
}
