/* The local ground kernels over a raster of 2048 x 2048 cells, section by section as a bake runs them: on a
 * window that was just put together (which is not timed), halo included. M cells per second of processor
 * time, median of several rounds, on one core. Beside it gdaldem's slope and aspect on the same raster, its
 * reading and writing included, when it is installed. */
#include "terrain/altitude.h"
#include "terrain/curvature.h"
#include "terrain/noise.h"
#include "terrain/slope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 2048, SECTION = 256, MARGIN = 32, ROUNDS = 7 };

struct bench {
    struct grid_f32 all;              /* heights, MARGIN beyond 0 .. SIZE */
    struct grid_f32 heights, a, b, c; /* of a section: heights with MARGIN, results */
    struct arena scratch;
};

static double processor_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct grid_f32 grid(int32_t x0, int32_t size) {
    struct grid_f32 g = {malloc((size_t)size * (size_t)size * sizeof(float)), x0, x0, size, size, size};
    if (!g.cells)
        exit(5);
    return g;
}

static struct grid_f32 section(int32_t sx, int32_t sy, struct grid_f32 g) {
    return (struct grid_f32){g.cells, sx * SECTION, sy * SECTION, SECTION, SECTION, SECTION};
}

static void take_window(struct bench *w, int32_t sx, int32_t sy) {
    w->heights.x0 = sx * SECTION - MARGIN;
    w->heights.y0 = sy * SECTION - MARGIN;
    for (int32_t y = 0; y < w->heights.height; y++)
        memcpy(w->heights.cells + (ptrdiff_t)y * w->heights.stride,
               grid_f32_at(&w->all, w->heights.x0, w->heights.y0 + y),
               (size_t)w->heights.width * sizeof(float));
}

typedef void kernel(struct bench *, struct grid_f32 a, struct grid_f32 b, struct grid_f32 c);

static void slope_cells(struct bench *w, struct grid_f32 a, struct grid_f32 b, struct grid_f32 c) {
    (void)c;
    terrain_slope(&(struct slope_params){.cell_m = 1.0f, .posts = false}, &w->heights, &a, &b);
}
static void slope_posts(struct bench *w, struct grid_f32 a, struct grid_f32 b, struct grid_f32 c) {
    (void)c;
    terrain_slope(&(struct slope_params){.cell_m = 1.0f, .posts = true}, &w->heights, &a, &b);
}
static void altitude(struct bench *w, struct grid_f32 a, struct grid_f32 b, struct grid_f32 c) {
    (void)b, (void)c;
    terrain_altitude(true, &w->heights, &a);
}
static void curvature(struct bench *w, struct grid_f32 a, struct grid_f32 b, struct grid_f32 c) {
    struct curvature_params p = {.cell_m = 1.0, .scale_m = 8.0};
    if (!terrain_curvature(&p, &w->heights, &a, &b, &c, &w->scratch))
        exit(6);
}
static struct noise five_octaves(void) {
    struct noise_params p = {.scale_cells = 32, .octaves = 5, .gain = 0.5, .lacunarity = 2, .seed = 1};
    struct noise n;
    if (!noise_prepare(&p, &n))
        exit(6);
    return n;
}
static void noise(struct bench *w, struct grid_f32 a, struct grid_f32 b, struct grid_f32 c) {
    (void)b, (void)c;
    struct noise n = five_octaves();
    if (!noise_grid(&n, &a, &w->scratch))
        exit(6);
}
static void noise_warped(struct bench *w, struct grid_f32 a, struct grid_f32 b, struct grid_f32 c) {
    struct noise n = five_octaves();
    terrain_gradient(&(struct slope_params){.cell_m = 1.0f, .posts = true}, &w->heights, &b, &c);
    if (!noise_grid_warped(&n, 4.0f, &b, &c, &a, &w->scratch))
        exit(6);
}

static int ascending(const void *p, const void *q) {
    double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

static double rate(struct bench *w, kernel *run, const char *what) {
    double seconds[ROUNDS];
    for (int32_t r = 0; r < ROUNDS; r++) {
        seconds[r] = 0.0;
        for (int32_t i = 0; i < SIZE / SECTION * SIZE / SECTION; i++) {
            int32_t sx = i % (SIZE / SECTION), sy = i / (SIZE / SECTION);
            take_window(w, sx, sy);
            double start = processor_s();
            run(w, section(sx, sy, w->a), section(sx, sy, w->b), section(sx, sy, w->c));
            seconds[r] += processor_s() - start;
        }
    }
    qsort(seconds, ROUNDS, sizeof *seconds, ascending);
    double m = (double)SIZE * SIZE / 1e6 / seconds[ROUNDS / 2];
    printf("%-46s %8.1f M cells/s\n", what, m);
    return m;
}

/* Processor seconds of a command and its children; negative when it fails. */
static double command_s(const char *command) {
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    if (system(command) != 0)
        return -1.0;
    getrusage(RUSAGE_CHILDREN, &after);
    return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
           1e-6 * ((double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) +
                   (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec));
}

static void peer(const struct bench *w, double ours) {
    char dir[] = "/tmp/bench_ground.XXXXXX", command[512];
    if (system("command -v gdaldem >/dev/null") != 0 || !mkdtemp(dir)) {
        printf("gdaldem is not installed (package gdal-bin): no comparison\n");
        return;
    }
    snprintf(command, sizeof command, "%s/h", dir);
    FILE *f = fopen(command, "wb");
    for (int32_t y = SIZE - 1; f && y >= 0; y--)
        fwrite(grid_f32_at(&w->all, 0, y), sizeof(float), SIZE, f);
    if (f)
        fclose(f);
    snprintf(command, sizeof command, "%s/h.hdr", dir);
    f = fopen(command, "w");
    if (f) {
        fprintf(f,
                "ENVI\nsamples = %d\nlines = %d\nbands = 1\ndata type = 4\ninterleave = bsq\nbyte order = 0\n"
                "map info = {Arbitrary, 1, 1, 0, %d, 1, 1}\n",
                SIZE, SIZE, SIZE);
        fclose(f);
    }
    snprintf(command, sizeof command,
             "gdaldem slope -q -of ENVI %s/h %s/s && gdaldem aspect -q -of ENVI %s/h %s/a", dir, dir, dir,
             dir);
    double seconds = command_s(command);
    if (seconds > 0.0) {
        double theirs = (double)SIZE * SIZE / 1e6 / seconds;
        printf("%-46s %8.1f M cells/s   ours is %.0f times as fast\n",
               "gdaldem slope + gdaldem aspect, files included", theirs, ours / theirs);
    }
    snprintf(command, sizeof command, "rm -rf %s", dir);
    if (system(command) != 0)
        printf("%s is left behind\n", dir);
}

int main(void) {
    struct bench w = {.all = grid(-MARGIN, SIZE + 2 * MARGIN),
                      .heights = grid(-MARGIN, SECTION + 2 * MARGIN),
                      .a = grid(0, SECTION),
                      .b = grid(0, SECTION),
                      .c = grid(0, SECTION)};
    w.scratch.size = (size_t)4 << 20;
    w.scratch.base = malloc(w.scratch.size);
    struct noise_params p = {.scale_cells = 600, .octaves = 9, .gain = 0.5, .lacunarity = 2, .seed = 9};
    struct noise n;
    if (!w.scratch.base || !noise_prepare(&p, &n) || !noise_grid(&n, &w.all, &w.scratch))
        return 6;
    for (int32_t i = 0; i < w.all.width * w.all.height; i++)
        w.all.cells[i] = 1000.0f + 400.0f * w.all.cells[i];
    double slope = rate(&w, slope_cells, "slope + aspect, cells");
    rate(&w, slope_posts, "slope + aspect, posts");
    rate(&w, altitude, "altitude from posts");
    rate(&w, curvature, "curvature, profile, plan at 8 m");
    rate(&w, noise, "gradient noise, 5 octaves");
    rate(&w, noise_warped, "the same, warped along the normal");
    peer(&w, slope);
    return 0;
}
