/* Horizons, section by section with their halo, in M cells a second and core (CPU time, median of 5). */
#include "terrain/hash.h"
#include "terrain/horizon.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 256, REACH = 99, WINDOW = SIDE + 2 * REACH, RUNS = 25 };

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
/* Hills of several sizes, a slope, and noise. */
static void hills(struct grid_f32 *g) {
    for (int32_t y = 0; y < WINDOW; y++)
        for (int32_t x = 0; x < WINDOW; x++)
            *grid_f32_at(g, g->x0 + x, g->y0 + y) =
                (float)(60 * sin(x * 0.013 + y * 0.007) + 20 * sin(x * 0.05 - y * 0.03) + 0.3 * y +
                        0.5 * (double)hash_unit(hash_place(1, 2, x, y, 0)));
}

int main(void) {
    struct horizon_params params = {.cell_m = 1, .radius_m = 96};
    struct grid_f32 z = {malloc(sizeof(float) * WINDOW * WINDOW), -REACH, -REACH, WINDOW, WINDOW, WINDOW};
    struct grid_f32 cells = {NULL, 0, 0, SIDE, SIDE, SIDE};
    size_t size = horizon_scratch(&params, SIDE, SIDE);
    struct arena arena = {aligned_alloc(64, (size + 63) / 64 * 64), size, 0};
    float *tangent = malloc(sizeof(float) * SIDE * SIDE);
    if (!z.cells || !arena.base || !tangent)
        return 5;
    hills(&z);
    double times[RUNS], sum = 0;
    for (int32_t run = 0; run < RUNS; run++) {
        double start = cpu_s();
        struct horizon h;
        size_t mark = arena_mark(&arena);
        if (!horizon_begin(&h, &params, &z, &cells, &arena))
            return 5;
        for (int32_t d = 0; d < 16; d++) {
            double east, north;
            horizon_direction(d, 16, &east, &north);
            horizon_towards(&h, east, north, tangent);
            sum += (double)tangent[SIDE * SIDE / 2];
        }
        arena_release(&arena, mark);
        times[run] = cpu_s() - start;
    }
    qsort(times, RUNS, sizeof *times, by_value);
    printf("horizons, 16 directions, 96 m: %.2f M cells/s a core (check %.6f)\n",
           SIDE * SIDE / times[RUNS / 2] * 1e-6, sum);
    free(z.cells), free(arena.base), free(tangent);
    return 0;
}
