/* What the scripts of tests/cli and `make bench` do with grey PNG files. x counts from the west, y from the
 * south, as everywhere.
 *   stats FILE...                 pixels, zeros, min, max, mean and number of different codes of all files
 *   set IN OUT X Y CODE           a copy with one sample changed; CODE may be +N or -N, relative
 *   stroke IN OUT X Y RADIUS RRGGBB   a picture in colours with a disc painted into it
 *   noise WIDTH HEIGHT SEED OUT   made-up heights over all 16 bits: ridges, valleys, lakes
 *   valleys X0 Y0 WIDTH HEIGHT OUT  the part from x0, y0 of a ground whose every 256 columns are a valley
 * that falls to the south; in columns 1280 to 1535 row 1000 is a dam, a lake behind it crop IN WIDTH HEIGHT
 * OUT IN beside and above itself, every other copy mirrored: no steps same IN OUT NAME [NODATA]     whether
 * the output NAME in the folder OUT of a bake from world (0,0) holds the codes of IN, section by section;
 * exit 1 when not */
#include "gen/extent.h"
#include "gen/image.h"
#include "gen/png_write.h"
#include "gen/raster.h"
#include "terrain/hash.h"
#include "terrain/noise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail(const char *what, const char *why) {
    fprintf(stderr, "raster_tool: %s: %s\n", what, why);
    exit(4);
}

static int32_t number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < -(1 << 30) || value > 1 << 30)
        fail(text, "is no number");
    return (int32_t)value;
}

static void make(struct raster *r, enum raster_kind kind, int32_t width, int32_t height) {
    struct error err;
    if (raster_new(kind, width, height, r, &err) != STATUS_OK)
        fail("memory", err.message);
}

static enum status take_row(void *context, int32_t row, const void *samples, struct error *err) {
    struct raster *r = context;
    (void)err;
    memcpy(r->samples + (size_t)(r->height - 1 - row) * raster_row_size(r), samples, raster_row_size(r));
    return STATUS_OK;
}

static struct raster read_file(const char *path) {
    struct raster r = {0};
    struct image_request request = {.form = IMAGE_SAMPLES};
    struct error err;
    if (image_probe(path, &request.info, &err) != STATUS_OK)
        fail(path, err.message);
    if (request.info.channels != 1 || (request.info.bits != 8 && request.info.bits != 16))
        fail(path, "is not grey, of 8 or 16 bits");
    make(&r, request.info.bits == 8 ? KIND_GREY8 : KIND_GREY16, request.info.width_px,
         request.info.height_px);
    if (image_read(path, &request, &(struct image_rows){take_row, &r}, &err) != STATUS_OK)
        fail(path, err.message);
    return r;
}

static void put(struct raster *r, int32_t x, int32_t y, uint32_t code) {
    size_t at = (size_t)y * (size_t)r->width + (size_t)x;
    if (r->kind == KIND_GREY8)
        r->samples[at] = (unsigned char)code;
    else
        memcpy(r->samples + 2 * at, &(uint16_t){(uint16_t)code}, 2);
}

static int write_file(const char *path, const struct raster *r) {
    unsigned char *bytes;
    size_t size;
    struct error err;
    if (png_encode(r, &bytes, &size, &err) != STATUS_OK)
        fail(path, err.message);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fail(path, "cannot be written");
    free(bytes);
    return 0;
}

static int stats(char **files) {
    static unsigned char seen[65536];
    uint64_t pixels = 0, zeros = 0, sum = 0, levels = 0;
    uint32_t min = 65535, max = 0;
    for (; *files; files++) {
        struct raster r = read_file(*files);
        for (int32_t y = 0; y < r.height; y++)
            for (int32_t x = 0; x < r.width; x++) {
                uint32_t code = raster_code(&r, x, y);
                pixels++;
                zeros += code == 0;
                sum += code;
                min = code < min ? code : min;
                max = code > max ? code : max;
                levels += !seen[code];
                seen[code] = 1;
            }
        raster_free(&r);
    }
    printf("pixels=%llu zeros=%llu min=%u max=%u mean=%.3f levels=%llu\n", (unsigned long long)pixels,
           (unsigned long long)zeros, (unsigned)min, (unsigned)max,
           pixels ? (double)sum / (double)pixels : 0.0, (unsigned long long)levels);
    return 0;
}

static int set(char **args) {
    struct raster r = read_file(args[0]);
    int32_t x = number(args[2]), y = number(args[3]), code = number(args[4] + (args[4][0] == '+'));
    if (x < 0 || y < 0 || x >= r.width || y >= r.height)
        fail(args[0], "has no such sample");
    if (args[4][0] == '+' || args[4][0] == '-')
        code += (int32_t)raster_code(&r, x, y);
    if (code < 0 || code > (r.kind == KIND_GREY8 ? 255 : 65535))
        fail(args[4], "is no code");
    put(&r, x, y, (uint32_t)code);
    int status = write_file(args[1], &r);
    raster_free(&r);
    return status;
}

static enum status take_rgba_row(void *context, int32_t row, const void *samples, struct error *err) {
    struct raster *r = context;
    const unsigned char *from = samples;
    unsigned char *to = r->samples + (size_t)(r->height - 1 - row) * raster_row_size(r);
    (void)err;
    for (int32_t x = 0; x < r->width; x++)
        memcpy(to + 3 * x, from + 4 * x, 3);
    return STATUS_OK;
}

static int stroke(char **args) {
    struct raster r = {0};
    struct image_request request = {.form = IMAGE_RGBA8};
    struct error err;
    int32_t x0 = number(args[2]), y0 = number(args[3]), radius = number(args[4]);
    unsigned long color = strtoul(args[5], NULL, 16);
    const unsigned char rgb[3] = {(unsigned char)(color >> 16), (unsigned char)(color >> 8),
                                  (unsigned char)color};
    if (image_probe(args[0], &request.info, &err) != STATUS_OK)
        fail(args[0], err.message);
    make(&r, KIND_RGB8, request.info.width_px, request.info.height_px);
    if (image_read(args[0], &request, &(struct image_rows){take_rgba_row, &r}, &err) != STATUS_OK)
        fail(args[0], err.message);
    for (int32_t y = y0 - radius; y <= y0 + radius; y++)
        for (int32_t x = x0 - radius; x <= x0 + radius; x++)
            if (x >= 0 && y >= 0 && x < r.width && y < r.height &&
                (x - x0) * (x - x0) + (y - y0) * (y - y0) <= radius * radius)
                memcpy(r.samples + (size_t)y * raster_row_size(&r) + 3 * (size_t)x, rgb, 3);
    int status = write_file(args[1], &r);
    raster_free(&r);
    return status;
}

static int noise(char **args) {
    struct raster r;
    struct noise n;
    struct noise_params params = {.scale_cells = 700, .octaves = 9, .gain = 0.5, .lacunarity = 2};
    params.seed = (uint64_t)number(args[2]);
    if (!noise_prepare(&params, &n))
        fail("noise", "bad settings");
    make(&r, KIND_GREY16, number(args[0]), number(args[1]));
    for (int32_t y = 0; y < r.height; y++)
        for (int32_t x = 0; x < r.width; x++) {
            float v = noise_at(&n, (int64_t)x * NOISE_CELL + 512, (int64_t)y * NOISE_CELL + 512);
            put(&r, x, y, (uint32_t)(v * 65535.0F + 0.5F));
        }
    int status = write_file(args[3], &r);
    raster_free(&r);
    return status;
}

/* Roughness is less than the fall of a row, so that no cell but the lake's is a pit. */
static uint32_t valley_code(int32_t x, int32_t y) {
    int32_t across = x % 256 < 128 ? 128 - x % 256 : x % 256 - 128;
    uint32_t rough = (uint32_t)(hash_place(1, 1, x, y, 0) % 5);
    uint32_t dam = y == 1000 && x >= 1280 && x < 1536 ? 3000 : 0;
    return 20000 + 6 * (uint32_t)y + 60 * (uint32_t)across + rough + dam;
}

static int valleys(char **args) {
    struct raster r;
    make(&r, KIND_GREY16, number(args[2]), number(args[3]));
    for (int32_t y = 0; y < r.height; y++)
        for (int32_t x = 0; x < r.width; x++)
            put(&r, x, y, valley_code(x + number(args[0]), y + number(args[1])));
    int status = write_file(args[4], &r);
    raster_free(&r);
    return status;
}

static int crop(char **args) {
    struct raster in = read_file(args[0]), out;
    make(&out, in.kind, number(args[1]), number(args[2]));
    if (out.width > in.width || out.height > in.height)
        fail(args[0], "is smaller than that");
    for (int32_t y = 0; y < out.height; y++)
        for (int32_t x = 0; x < out.width; x++)
            put(&out, x, y, raster_code(&in, x, y));
    int status = write_file(args[3], &out);
    raster_free(&in);
    raster_free(&out);
    return status;
}

static int same(int count, char **args) {
    struct raster in = read_file(args[0]);
    int64_t nodata = count > 3 ? number(args[3]) : -1, differ = 0, compared = 0;
    for (int32_t sy = 0; sy * SECTION_CELLS < in.height; sy++)
        for (int32_t sx = 0; sx * SECTION_CELLS < in.width; sx++) {
            int32_t x0 = sx * SECTION_CELLS, y0 = sy * SECTION_CELLS;
            if ((in.width % SECTION_CELLS == 1 && x0 == in.width - 1) ||
                (in.height % SECTION_CELLS == 1 && y0 == in.height - 1))
                continue; /* posts on the world's edge belong to the sections before it */
            char path[4096];
            snprintf(path, sizeof path, "%s/maps/x%d_y%d/sections/c%d_%d/%s.png", args[1], sx / MAP_SECTIONS,
                     sy / MAP_SECTIONS, sx, sy, args[2]);
            struct raster out = read_file(path);
            for (int32_t y = 0; y < out.height; y++)
                for (int32_t x = 0; x < out.width; x++) {
                    if (x0 + x >= in.width || y0 + y >= in.height)
                        fail(path, "holds more than there was");
                    uint32_t code = raster_code(&in, x0 + x, y0 + y);
                    compared += code != nodata;
                    differ += code != nodata && code != raster_code(&out, x, y);
                }
            raster_free(&out);
        }
    raster_free(&in);
    printf("compared=%lld differ=%lld\n", (long long)compared, (long long)differ);
    return differ != 0 || compared == 0;
}

int main(int argc, char **argv) {
    const char *verb = argc > 1 ? argv[1] : "";
    if (strcmp(verb, "stats") == 0 && argc > 2)
        return stats(argv + 2);
    if (strcmp(verb, "set") == 0 && argc == 7)
        return set(argv + 2);
    if (strcmp(verb, "stroke") == 0 && argc == 8)
        return stroke(argv + 2);
    if (strcmp(verb, "noise") == 0 && argc == 6)
        return noise(argv + 2);
    if (strcmp(verb, "valleys") == 0 && argc == 7)
        return valleys(argv + 2);
    if (strcmp(verb, "crop") == 0 && argc == 6)
        return crop(argv + 2);
    if (strcmp(verb, "same") == 0 && (argc == 5 || argc == 6))
        return same(argc - 2, argv + 2);
    fprintf(stderr,
            "usage: raster_tool stats FILE... | set IN OUT X Y CODE | stroke IN OUT X Y RADIUS RRGGBB | "
            "noise WIDTH HEIGHT SEED OUT | "
            "valleys X0 Y0 WIDTH HEIGHT OUT | crop IN WIDTH HEIGHT OUT | same IN OUT NAME [NODATA]\n");
    return 2;
}
