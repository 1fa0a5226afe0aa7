/* Horizons, light and wind: one section with its halo, in M cells a second and core (CPU time of this
 * process, median of 9), on made hills with noise. */
#include "terrain/hash.h"
#include "terrain/horizon.h"
#include "terrain/light.h"
#include "terrain/wind.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 256, HALO = 128, WINDOW = SIDE + 2 * HALO, RUNS = 9, FAR = 160, BLOCKS = 2 * FAR };

struct bench {
    struct grid_f32 altitude, blocks;
    struct grid_u8 first, second;
    float *tangent;
    struct arena arena;
    int32_t directions;
};

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static void hills(const struct grid_f32 *g, int32_t cells) {
    for (int32_t y = g->y0; y < g->y0 + g->height; y++)
        for (int32_t x = g->x0; x < g->x0 + g->width; x++) {
            double e = x * cells, n = y * cells;
            *grid_f32_at(g, x, y) = (float)(60 * sin(e * 0.013 + n * 0.007) + 20 * sin(e * 0.05 - n * 0.03) +
                                            0.3 * n + 0.5 * (double)hash_unit(hash_place(1, 2, x, y, 0)));
        }
}

static void horizons(struct bench *b) {
    struct horizon_params params = {.cell_m = 1, .radius_m = 96};
    struct grid_f32 cells = {.width = SIDE, .height = SIDE};
    struct horizon h;
    size_t mark = arena_mark(&b->arena);
    if (!horizon_begin(&h, &params, &b->altitude, &cells, &b->arena))
        abort();
    for (int32_t d = 0; d < b->directions; d++) {
        double east, north;
        horizon_direction(d, b->directions, &east, &north);
        horizon_towards(&h, east, north, b->tangent);
    }
    arena_release(&b->arena, mark);
}
static void light(struct bench *b) {
    struct light_params params = {
        .cell_m = 1, .radius_m = 96, .far_radius_m = 2048, .latitude_rad = 0.8, .directions = b->directions};
    size_t mark = arena_mark(&b->arena);
    float *far = arena_alloc(&b->arena, light_far_count(&params, 0, 0, SIDE, SIDE), sizeof *far);
    if (!far)
        abort();
    light_far(&params, &b->blocks, 0, 0, SIDE, SIDE, far);
    if (!light_make(&params, &b->altitude, far, &b->first, &b->second, &b->arena))
        abort();
    arena_release(&b->arena, mark);
}
static void wind(struct bench *b) {
    struct wind_params params = {.cell_m = 1,
                                 .from_rad = 4.5,
                                 .scale_m = 64,
                                 .slope_weight = 0.58,
                                 .curvature_weight = 0.42,
                                 .shelter_m = 100};
    if (!wind_make(&params, &b->altitude, &b->first, &b->second, &b->arena))
        abort();
}

static void measure(struct bench *b, const char *what, void (*run)(struct bench *)) {
    double times[RUNS];
    for (int32_t i = 0; i < RUNS; i++) {
        double start = cpu_s();
        run(b);
        times[i] = cpu_s() - start;
    }
    qsort(times, RUNS, sizeof *times, by_value);
    printf("%-58s %6.2f M cells/s a core\n", what, SIDE * SIDE / times[RUNS / 2] * 1e-6);
}

int main(void) {
    static uint8_t codes[2][SIDE * SIDE];
    static float heights[WINDOW * WINDOW], blocks[BLOCKS * BLOCKS], tangent[SIDE * SIDE];
    size_t size = (size_t)64 << 20;
    struct bench b = {.altitude = {heights, -HALO, -HALO, WINDOW, WINDOW, WINDOW},
                      .blocks = {blocks, -FAR + 8, -FAR + 8, BLOCKS, BLOCKS, BLOCKS},
                      .first = {codes[0], 0, 0, SIDE, SIDE, SIDE},
                      .second = {codes[1], 0, 0, SIDE, SIDE, SIDE},
                      .tangent = tangent,
                      .arena = {aligned_alloc(64, size), size, 0}};
    if (!b.arena.base)
        return 5;
    hills(&b.altitude, 1);
    hills(&b.blocks, 16);
    for (b.directions = 16; b.directions <= 32; b.directions += 16) {
        printf("%d directions:\n", b.directions);
        measure(&b, "  horizons, radius 96 m", horizons);
        measure(&b, "  occlusion and illumination, with far relief to 2048 m", light);
    }
    measure(&b, "wind, scale 64 m, shelter 100 m", wind);
    free(b.arena.base);
    return 0;
}
