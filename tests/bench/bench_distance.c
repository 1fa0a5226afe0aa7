/* Distance fields over sections with their halo, in M cells of output a second and core (CPU time, best of
 * 5). */
#include "terrain/distance.h"
#include "terrain/hash.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 256, WORLD = 1024, RUNS = 5 };

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint8_t woods(int32_t x, int32_t y) {
    double v = sin(x * 0.021 + 2 * sin(y * 0.017)) + sin(y * 0.027 - x * 0.006) +
               0.4 * sin(x * 0.11) * sin(y * 0.13);
    return v > 0.6 ? 255 : 0;
}
static uint8_t dots(int32_t x, int32_t y) {
    return hash_place(1, 2, x, y, 0) % 1000 == 0 ? 255 : 0;
}
static uint8_t corner(int32_t x, int32_t y) {
    return x < 40 && y < 40 ? 255 : 0;
}

static void bench(const char *name, uint8_t (*paint)(int32_t, int32_t), double max_m) {
    struct distance_params p = {.cell_m = 1, .max_m = max_m};
    struct grid_u8 mask = {malloc((size_t)WORLD * WORLD), 0, 0, WORLD, WORLD, WORLD};
    uint16_t *codes = malloc((size_t)SIDE * SIDE * 2);
    size_t need = terrain_distance_scratch(&p, SIDE, SIDE);
    struct arena arena = {malloc(need), need, 0};
    for (int32_t i = 0; i < WORLD * WORLD; i++)
        mask.cells[i] = paint(i % WORLD, i / WORLD);
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double start = cpu_s();
        for (int32_t y = 0; y < WORLD; y += SIDE)
            for (int32_t x = 0; x < WORLD; x += SIDE) {
                struct grid_u16 out = {codes, x, y, SIDE, SIDE, SIDE};
                if (terrain_distance(&p, &mask, &out, &arena, NULL) != STATUS_OK)
                    exit(5);
            }
        double took = cpu_s() - start;
        best = took < best ? took : best;
    }
    printf("distance, %-7s to %3.0f m: %6.1f M cells/s a core\n", name, max_m,
           (double)WORLD * WORLD / best * 1e-6);
    free(mask.cells), free(codes), free(arena.base);
}

int main(void) {
    bench("woods", woods, 16);
    bench("woods", woods, 64);
    bench("woods", woods, 256);
    bench("dots", dots, 64);
    bench("corner", corner, 64);
    return 0;
}
