/* PNG encoding of one section, and of a map's: MB of samples a second and core. */
#include "gen/os.h"
#include "gen/png_read.h"
#include "gen/png_stream.h"
#include "gen/png_write.h"
#include "terrain/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ground-like: a few triangle waves and a little noise, integers only. */
static uint32_t ground(int32_t x, int32_t y) {
    int32_t h = 20000;
    for (int32_t octave = 0; octave < 5; octave++) {
        int32_t wave = 512 >> octave, a = (x * 3 + y * 2 + octave * 77) % wave, b = (y * 4 - x) % wave;
        h += (abs(a - wave / 2) + abs(b)) * 16;
    }
    return (uint32_t)h + (uint32_t)(hash_place(1, 2, x, y, 0) & 7);
}

static void fill(struct raster *r) {
    for (int32_t y = 0; y < r->height; y++)
        for (int32_t x = 0; x < r->width; x++) {
            size_t i = (size_t)y * (size_t)r->width + (size_t)x;
            uint32_t h = ground(x, y);
            uint16_t code = (uint16_t)h;
            if (r->kind == KIND_GREY16)
                memcpy(r->samples + 2 * i, &code, 2);
            else if (r->kind == KIND_GREY8)
                r->samples[i] = (unsigned char)(h >> 9);
            else
                for (size_t c = 0; c < 3; c++)
                    r->samples[3 * i + c] = (unsigned char)(h >> (8 - c));
        }
}

static void report(const char *what, const struct raster *r) {
    double mb = (double)raster_row_size(r) * r->height / 1e6;
    size_t size = 0;
    int32_t rounds = 0;
    double from = os_thread_cpu_s(), took;
    do {
        unsigned char *bytes;
        if (png_encode(r, &bytes, &size, NULL) != STATUS_OK)
            exit(1);
        free(bytes);
        rounds++;
    } while ((took = os_thread_cpu_s() - from) < 0.3);
    printf("png encode %-10s %5dx%-5d %7.1f MB/s, to %5.1f %%\n", what, r->width, r->height,
           mb * rounds / took, 100.0 * (double)size / (mb * 1e6));
}

/* Row by row, to nowhere. */
static void report_stream(const char *what, const struct raster *r) {
    double mb = (double)raster_row_size(r) * r->height / 1e6;
    FILE *file = fopen("/dev/null", "wb");
    int32_t rounds = 0;
    double from = os_thread_cpu_s(), took;
    do {
        struct png_stream *stream;
        enum status status =
            file ? png_stream_open(file, r->kind, r->width, r->height, &stream, NULL) : STATUS_FILE;
        for (int32_t y = r->height; status == STATUS_OK && y-- > 0;)
            status = png_stream_row(stream, raster_at(r, 0, y), NULL);
        if (status != STATUS_OK || png_stream_close(stream, NULL) != STATUS_OK)
            exit(1);
        rounds++;
    } while ((took = os_thread_cpu_s() - from) < 0.3);
    fclose(file);
    printf("png stream %-10s %5dx%-5d %7.1f MB/s\n", what, r->width, r->height, mb * rounds / took);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"grey8", "grey16", "rgb8"};
    for (int32_t kind = 0; kind < 3; kind++)
        for (int32_t side = 256; side <= 1024; side *= 4) {
            struct raster r;
            if (raster_new((enum raster_kind)kind, side, side, &r, NULL) != STATUS_OK)
                return 1;
            fill(&r);
            report(names[kind], &r);
            report_stream(names[kind], &r);
            raster_free(&r);
        }
    for (int i = 1; i < argc; i++) {
        struct raster r;
        struct error err;
        if (png_read_file(argv[i], &r, &err) != STATUS_OK) {
            fprintf(stderr, "%s: %s\n", err.file, err.message);
            return 1;
        }
        report(argv[i], &r);
        report_stream(argv[i], &r);
        raster_free(&r);
    }
    return 0;
}
