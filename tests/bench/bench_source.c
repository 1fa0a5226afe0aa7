/* Input images: the first read of a 16-bit PNG (decoding into the cache), reading section windows from it,
 * changes of spacing, and filling of voids. Per second of processor time on one core. Files given as
 * arguments (16-bit grey PNG) are measured as well, with gdal_translate's time beside when it is installed.
 */
#include "gen/image.h"
#include "gen/os.h"
#include "gen/png_write.h"
#include "gen/source.h"
#include "terrain/hash.h"
#include "terrain/resample.h"
#include "terrain/voids.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 2048, SECTION = 256 };

static void need(bool good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "bench_source: %s\n", what);
    exit(1);
}

static char folder[64];

/* Ground-like: a few triangle waves and a little noise, integers only. */
static void put_ground(const char *path) {
    struct raster r;
    unsigned char *bytes;
    size_t size;
    need(raster_new(KIND_GREY16, SIDE, SIDE, &r, NULL) == STATUS_OK, "out of memory");
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        int32_t x = i % SIDE, y = i / SIDE, h = 20000;
        for (int32_t octave = 0; octave < 5; octave++) {
            int32_t wave = 512 >> octave, a = (x * 3 + y * 2 + octave * 77) % wave, b = (y * 4 - x) % wave;
            h += (abs(a - wave / 2) + abs(b)) * 16;
        }
        uint16_t code = (uint16_t)((uint32_t)h + (uint32_t)(hash_place(1, 2, x, y, 0) & 7));
        memcpy(r.samples + 2 * (size_t)i, &code, 2);
    }
    need(png_encode(&r, &bytes, &size, NULL) == STATUS_OK &&
             os_write_file(path, bytes, size, NULL) == STATUS_OK,
         "cannot write the picture");
    free(bytes);
    raster_free(&r);
}

static void read_all(struct source_set *set, struct grid_f32 *g, int32_t width, int32_t height) {
    for (int32_t y = 0; y < height; y += SECTION)
        for (int32_t x = 0; x < width; x += SECTION) {
            *g = (struct grid_f32){g->cells,
                                   x,
                                   y,
                                   width - x < SECTION ? width - x : SECTION,
                                   height - y < SECTION ? height - y : SECTION,
                                   SECTION};
            struct error err = {0};
            need(source_read_height(set, g, &err) == STATUS_OK, err.message);
        }
}

static void gdal(const char *path, double mb) {
    char command[1400];
    snprintf(command, sizeof command,
             "which gdal_translate >/dev/null 2>&1 && gdal_translate -q -of ENVI '%s' %s/gdal.raw", path,
             folder);
    double from = os_wall_s();
    if (system(command) == 0)
        printf("  gdal_translate to raw, its start included   %7.1f MB/s of wall time\n",
               mb / (os_wall_s() - from));
}

static void bench_file(const char *path) {
    struct image_info info;
    struct error err = {0};
    struct source_file file = {.whole = true, .present = true};
    char *name = malloc(strlen(path) + 1);
    need(name != NULL, "out of memory");
    file.path = strcpy(name, path);
    need(image_probe(path, &info, &err) == STATUS_OK && image_file_id(path, &file.id, &err) == STATUS_OK,
         err.message);
    file.width_px = info.width_px;
    file.height_px = info.height_px;
    struct world world = {.extent = {1, {0, 0, info.width_px, info.height_px}}};
    world.height.source.files = &file;
    world.height.source.file_count = 1;
    world.height.z_max_m = 1000;
    struct source_set *set;
    float cells[SECTION * SECTION], pixel;
    struct grid_f32 g = {&pixel, 0, 0, 1, 1, 1};
    need(source_open(&world, folder, &set, &err) == STATUS_OK, err.message);
    double mb = 2e-6 * info.width_px * info.height_px, from = os_thread_cpu_s();
    uint64_t memory = os_peak_memory();
    need(source_read_height(set, &g, &err) == STATUS_OK, err.message);
    double decoded = os_thread_cpu_s();
    printf("%s: %d x %d\n", path, info.width_px, info.height_px);
    printf("  decoding PNG into the cache                 %7.1f MB/s, %.1f MiB more memory\n",
           mb / (decoded - from), (double)(os_peak_memory() - memory) / 1048576);
    g.cells = cells;
    read_all(set, &g, info.width_px, info.height_px); /* tests the checksums */
    double first = os_thread_cpu_s();
    read_all(set, &g, info.width_px, info.height_px);
    double again = os_thread_cpu_s();
    double m = 1e-6 * info.width_px * info.height_px;
    printf("  sections of heights, first                  %7.1f M samples/s\n", m / (first - decoded));
    printf("  sections of heights, again                  %7.1f M samples/s\n", m / (again - first));
    gdal(path, mb);
    source_close(set);
    free(name);
}

static struct grid_f32 noisy(int32_t x0, int32_t x1, bool voids) {
    int32_t n = x1 - x0;
    struct grid_f32 g = {malloc((size_t)n * (size_t)n * sizeof(float)), x0, x0, n, n, n};
    need(g.cells != NULL, "out of memory");
    for (int32_t i = 0; i < n * n; i++) {
        int32_t x = i % n - n / 2, y = i / n - n / 2;
        g.cells[i] = (float)(hash_place(1, 1, x, y, 0) & 1023) / 16.0f;
        if (voids && x * x + y * y < 200 * 200)
            g.cells[i] = NAN;
    }
    return g;
}

static void bench_kernels(void) {
    struct grid_f32 in = noisy(-16, 4 * SECTION + 16, false);
    struct grid_f32 out = {malloc(SECTION * SECTION * sizeof(float)), 0, 0, SECTION, SECTION, SECTION};
    struct resample_lattice lattice = {2, 0, 0, false};
    double m = 1e-6 * SECTION * SECTION, at = os_thread_cpu_s(), now;
    need(out.cells != NULL, "out of memory");
    enum { ROUNDS = 5 };
    for (int32_t i = 0; i < ROUNDS; i++)
        terrain_resample_box(1, &in, &out);
    printf("box, 2 x 2 samples a cell                     %7.1f M cells/s\n",
           ROUNDS * m / ((now = os_thread_cpu_s()) - at));
    at = now;
    for (int32_t i = 0; i < ROUNDS; i++)
        terrain_resample_tent(1, &in, &out);
    printf("tent, 2 x 2 samples a post                    %7.1f M posts/s\n",
           ROUNDS * m / ((now = os_thread_cpu_s()) - at));
    at = now;
    for (int32_t i = 0; i < ROUNDS; i++)
        terrain_resample_bicubic(&lattice, &in, &out);
    printf("bicubic, one sample for 4 x 4 cells           %7.1f M cells/s\n",
           ROUNDS * m / ((now = os_thread_cpu_s()) - at));
    free(in.cells);
    free(out.cells);
}

static void bench_voids(void) {
    enum { N = 1024 };
    struct terrain_voids_world world = {0, 0, N, N, false};
    struct grid_f32 in = noisy(0, N, true), blocks = {0};
    struct grid_f32 out = {malloc((size_t)N * N * sizeof(float)), 0, 0, N, N, N};
    struct arena scratch = {malloc((size_t)64 << 20), (size_t)64 << 20, 0};
    need(out.cells && scratch.base, "out of memory");
    terrain_voids_blocks(&world, TERRAIN_VOIDS_SPLIT, 0, 0, N, N, &blocks);
    blocks.cells = malloc((size_t)blocks.width * (size_t)blocks.height * sizeof(float));
    double from = os_thread_cpu_s();
    need(blocks.cells && terrain_voids_summary(&world, &in, &blocks, &scratch) &&
             terrain_voids_solve(&world, &blocks, &scratch) == VOIDS_FILLED &&
             terrain_voids_fill(&world, &in, &blocks, &out, &scratch),
         "voids were not filled");
    printf("voids, a hole of 400 m in a map               %7.1f M cells/s\n",
           1e-6 * N * N / (os_thread_cpu_s() - from));
    free(in.cells);
    free(out.cells);
    free(blocks.cells);
    free(scratch.base);
}

int main(int argc, char **argv) {
    char path[96];
    snprintf(folder, sizeof folder, "/tmp/terrane-bench-%.0f", os_unix_s());
    snprintf(path, sizeof path, "%s/ground.png", folder);
    need(os_make_dirs(folder, NULL) == STATUS_OK, "cannot make a folder in /tmp");
    put_ground(path);
    bench_file(path);
    for (int i = 1; i < argc; i++)
        bench_file(argv[i]);
    bench_kernels();
    bench_voids();
    return os_remove_tree(folder, NULL) == STATUS_OK ? 0 : 1;
}
