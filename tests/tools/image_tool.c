/* Makes image files, good and bad, for the scripts of tests/cli.
 *   png16|png8|rgb|rgba WIDTH HEIGHT FILE   PNG: 16- or 8-bit grey, 8-bit colour; a slope to the east
 *   png16flat|png8flat WIDTH HEIGHT FILE    16- or 8-bit grey PNG, all zero
 *   jpeg|tga|bmp WIDTH HEIGHT FILE          8-bit colour, whatever FILE is named
 *   r16|r32 WIDTH HEIGHT FILE               raw, little-endian: codes, or metres 100 and up
 *   float WIDTH COLUMN ROW VALUE FILE       sets a sample of an r32, row 0 in the north; VALUE: nan, inf, ...
 *   header WIDTH HEIGHT FILE                the head of a 16-bit grey PNG of that size, and no more
 *   row FILE.jpg PNG...                     pictures of one height side by side, as a JPEG
 */
#include "gen/png_read.h"
#include "gen/png_write.h"
#include "gen/raster.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
#pragma GCC diagnostic pop

static _Noreturn void fail(const char *what, const char *why) {
    fprintf(stderr, "image_tool: %s: %s\n", what, why);
    exit(4);
}

static int number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < 0 || value > 1 << 20)
        fail(text, "is no number");
    return (int)value;
}

static void put_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fail(path, "cannot write");
}

static void put_grey(const char *kind, int width, int height, const char *path) {
    struct raster r;
    struct error err;
    bool deep = strncmp(kind, "png16", 5) == 0, flat = strstr(kind, "flat") != NULL;
    if (raster_new(deep ? KIND_GREY16 : KIND_GREY8, width, height, &r, &err) != STATUS_OK)
        fail(path, err.message);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            size_t at = (size_t)y * (size_t)width + (size_t)x;
            uint16_t code = flat ? 0 : (uint16_t)(1000 + x % 256 * 100);
            if (deep)
                memcpy(r.samples + at * 2, &code, 2);
            else
                r.samples[at] = (unsigned char)(code >> 8);
        }
    unsigned char *bytes;
    size_t size;
    if (png_encode(&r, &bytes, &size, &err) != STATUS_OK)
        fail(path, err.message);
    put_file(path, bytes, size);
    free(bytes);
    raster_free(&r);
}

static void put_colour(const char *kind, int width, int height, const char *path) {
    int channels = strcmp(kind, "rgba") == 0 ? 4 : 3, ok;
    unsigned char *pixels = calloc((size_t)width * (size_t)height, (size_t)channels);
    if (!pixels)
        fail(path, "no memory");
    for (size_t i = 0; i < (size_t)width * (size_t)height * (size_t)channels; i++)
        pixels[i] = (unsigned char)(i * 7);
    if (strcmp(kind, "jpeg") == 0)
        ok = stbi_write_jpg(path, width, height, channels, pixels, 90);
    else if (strcmp(kind, "tga") == 0)
        ok = stbi_write_tga(path, width, height, channels, pixels);
    else if (strcmp(kind, "bmp") == 0)
        ok = stbi_write_bmp(path, width, height, channels, pixels);
    else
        ok = stbi_write_png(path, width, height, channels, pixels, width * channels);
    if (!ok)
        fail(path, "cannot write");
    free(pixels);
}

static void put_raw(const char *kind, int width, int height, const char *path) {
    size_t count = (size_t)width * (size_t)height;
    float *metres = calloc(count, sizeof *metres);
    uint16_t *codes = calloc(count, sizeof *codes);
    if (!metres || !codes)
        fail(path, "no memory");
    for (size_t i = 0; i < count; i++) {
        metres[i] = 100.0f + (float)(i % (size_t)width);
        codes[i] = (uint16_t)(1000 + i % (size_t)width);
    }
    if (strcmp(kind, "r16") == 0)
        put_file(path, codes, count * sizeof *codes);
    else
        put_file(path, metres, count * sizeof *metres);
    free(metres);
    free(codes);
}

static void set_float(int width, int column, int row, const char *value, const char *path) {
    float v = strtof(value, NULL);
    FILE *file = fopen(path, "r+b");
    if (!file || fseek(file, ((long)row * width + column) * 4, SEEK_SET) != 0 ||
        fwrite(&v, 4, 1, file) != 1 || fclose(file) != 0)
        fail(path, "cannot write");
}

static void put_chunk(FILE *file, const char *type, const unsigned char *bytes, uint32_t size) {
    unsigned char length[4] = {(unsigned char)(size >> 24), (unsigned char)(size >> 16),
                               (unsigned char)(size >> 8), (unsigned char)size};
    uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)type, 4);
    if (size)
        crc = (uint32_t)crc32(crc, bytes, size);
    unsigned char sum[4] = {(unsigned char)(crc >> 24), (unsigned char)(crc >> 16), (unsigned char)(crc >> 8),
                            (unsigned char)crc};
    fwrite(length, 1, 4, file);
    fwrite(type, 1, 4, file);
    fwrite(bytes, 1, size, file);
    fwrite(sum, 1, 4, file);
}

static void put_header(int width, int height, const char *path) {
    unsigned char head[13] = {0, 0, 0, 0, 0, 0, 0, 0, 16};
    for (int i = 0; i < 4; i++) {
        head[i] = (unsigned char)(width >> (24 - 8 * i));
        head[4 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    FILE *file = fopen(path, "wb");
    if (!file)
        fail(path, "cannot write");
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
    put_chunk(file, "IHDR", head, sizeof head);
    put_chunk(file, "IDAT", (const unsigned char *)"\x78\x01\x63\x60", 4);
    put_chunk(file, "IEND", head, 0);
    if (fclose(file) != 0)
        fail(path, "cannot write");
}

enum { GAP_PX = 6, ROW_MAX = 16, JPEG_QUALITY = 76 };

static void put_row(const char *path, char **files, int count) {
    struct raster in[ROW_MAX] = {0}, out;
    struct error err;
    int32_t width = 0, at = 0;
    if (count > ROW_MAX)
        fail(path, "too many pictures");
    for (int i = 0; i < count; i++) {
        if (png_read_file(files[i], &in[i], &err) != STATUS_OK)
            fail(files[i], err.message);
        if (in[i].kind != KIND_RGB8 || in[i].height != in[0].height)
            fail(files[i], "is not in colour, or of another height");
        width += in[i].width + (i > 0 ? GAP_PX : 0);
    }
    if (raster_new(KIND_RGB8, width, in[0].height, &out, &err) != STATUS_OK)
        fail(path, err.message);
    memset(out.samples, 255, raster_row_size(&out) * (size_t)out.height);
    for (int i = 0; i < count; i++) {
        for (int32_t y = 0; y < in[i].height; y++) /* row 0 is the south; JPEGs begin in the north */
            memcpy(out.samples + (size_t)(out.height - 1 - y) * raster_row_size(&out) + 3 * (size_t)at,
                   raster_at(&in[i], 0, y), raster_row_size(&in[i]));
        at += in[i].width + GAP_PX;
        raster_free(&in[i]);
    }
    if (!stbi_write_jpg(path, out.width, out.height, 3, out.samples, JPEG_QUALITY))
        fail(path, "cannot write");
    raster_free(&out);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (argc == 7 && strcmp(what, "float") == 0)
        set_float(number(argv[2]), number(argv[3]), number(argv[4]), argv[5], argv[6]);
    else if (argc > 3 && strcmp(what, "row") == 0)
        put_row(argv[2], argv + 3, argc - 3);
    else if (argc != 5)
        fail(what, "the comment at the top of tests/tools/image_tool.c says how to call it");
    else if (strncmp(what, "png", 3) == 0)
        put_grey(what, number(argv[2]), number(argv[3]), argv[4]);
    else if (strcmp(what, "r16") == 0 || strcmp(what, "r32") == 0)
        put_raw(what, number(argv[2]), number(argv[3]), argv[4]);
    else if (strcmp(what, "header") == 0)
        put_header(number(argv[2]), number(argv[3]), argv[4]);
    else
        put_colour(what, number(argv[2]), number(argv[3]), argv[4]);
    return 0;
}
