/* Fresh water, all kernels, over a world of 16 maps with about 100 km of rivers (core-seconds, one run), and
 * over the same world with a quarter of them: what it costs grows with the water, not with the world. */
#include "terrain/hash.h"
#include "water/bed.h"
#include "water/heights.h"
#include "water/mesh.h"
#include "water/shore.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 256, SECTIONS = 16, WORLD = SIDE * SECTIONS, POINTS = 120, STEP = 2 };

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float height(double x, double y) {
    return (float)(400 - 0.05 * x + 4 * sin(y * 0.05) + 3 * sin(x * 0.031 + y * 0.017));
}

static struct water_line *draw(size_t count, double *km) {
    static const double zero[POINTS];
    static double none[POINTS];
    struct water_line *lines = calloc(count, sizeof *lines);
    *km = 0;
    for (size_t l = 0; l < count; l++) {
        double *xy = malloc(2 * POINTS * sizeof *xy), *width = malloc(POINTS * sizeof *width);
        for (int i = 0; i < POINTS; i++) {
            none[i] = (double)NAN;
            xy[2 * i] = WORLD * (double)i / (POINTS - 1);
            xy[2 * i + 1] = WORLD * ((double)l + 0.5) / (double)count + 20 * sin(i * 0.9 + (double)l) +
                            12 * (double)hash_unit(hash_place(1, l, i, 0, 0));
            width[i] = 3 + 5 * (double)hash_unit(hash_place(2, l, i, 0, 0));
            if (i)
                *km += 1e-3 * sqrt((xy[2 * i] - xy[2 * i - 2]) * (xy[2 * i] - xy[2 * i - 2]) +
                                   (xy[2 * i + 1] - xy[2 * i - 1]) * (xy[2 * i + 1] - xy[2 * i - 1]));
        }
        lines[l] = (struct water_line){.curve = {xy, POINTS, false, true},
                                       .width_m = width,
                                       .depth_m = zero,
                                       .speed = zero,
                                       .bank_m = zero,
                                       .level_m = none,
                                       .kind = WATER_RIVER,
                                       .carve = true,
                                       .fit = true,
                                       .key = (uint32_t)l};
    }
    return lines;
}

/* The sections' records of heights; only near(): the ground's own cost is not counted. */
static const unsigned char **near_lines(const struct water_line *lines, size_t count,
                                        const struct water_params *params, float *cells, double *took) {
    const unsigned char **records = calloc(SECTIONS * SECTIONS, sizeof *records);
    for (int s = 0; s < SECTIONS * SECTIONS; s++) {
        int32_t sx = s % SECTIONS, sy = s / SECTIONS;
        struct water_blocks blocks = {.count = 0};
        double start = cpu_s();
        for (size_t l = 0; l < count; l++)
            for (int i = 0; i + 1 < POINTS; i++)
                water_blocks_mark(&blocks, sx, sy, 1, lines[l].curve.xy + 2 * i,
                                  lines[l].curve.xy + 2 * i + 2, water_corridor_m(params, 8, true));
        *took += cpu_s() - start;
        if (!blocks.count)
            continue;
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            cells[i] = height(sx * SIDE + i % SIDE + 0.5, sy * SIDE + i / SIDE + 0.5);
        struct grid_f32 ground = {cells, sx * SIDE, sy * SIDE, SIDE, SIDE, SIDE};
        start = cpu_s();
        unsigned char *record = malloc(water_blocks_size(&blocks));
        water_blocks_write(&blocks, sx, sy, &ground, record);
        records[s] = record;
        *took += cpu_s() - start;
    }
    return records;
}

static double sink;

static void section(const struct water_set *set, int32_t x0, int32_t y0, struct arena *arena,
                    double took[3]) {
    arena->used = 0;
    struct water_grid cells = {x0, y0, SIDE, SIDE, 1, 0.5, 1, 0};
    struct water_grid nodes = {x0 - STEP, y0 - STEP, SIDE / STEP + 3,           SIDE / STEP + 3, STEP,
                               0,         1,         water_lattice_near_m(STEP)};
    struct water_sample *s = arena_alloc(arena, SIDE * SIDE, sizeof *s);
    size_t count = (size_t)nodes.width * (size_t)nodes.height;
    struct water_sample *n = arena_alloc(arena, count, sizeof *n);
    float *ground = arena_alloc(arena, count, sizeof *ground);
    struct water_extent rows[SIDE];
    double a = cpu_s();
    if (water_field(set, &cells, s, rows, arena, NULL) != STATUS_OK)
        exit(5);
    double b = cpu_s();
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = rows[y].x0; x < rows[y].x1; x++) {
            const struct water_sample *at = &s[y * SIDE + x];
            sink += water_cell_of(at, water_carved(at, 300)).dampness;
        }
    double c = cpu_s();
    if (water_field(set, &nodes, n, NULL, arena, NULL) != STATUS_OK)
        exit(5);
    for (size_t i = 0; i < count; i++)
        ground[i] = n[i].sd < 0 ? n[i].bed : n[i].level + 0.4f;
    struct grid_f32 flat = {ground, nodes.x0, nodes.y0, nodes.width, nodes.height, nodes.width};
    struct water_ground_view view = {&flat, false, 1};
    struct water_lattice lattice = {&nodes, n, ground, &view, set};
    for (int32_t y = 0; y < SIDE; y += 64)
        for (int32_t x = 0; x < SIDE; x += 64) {
            struct water_mesh mesh;
            if (water_surface(&lattice, x0 + x, y0 + y, x0 + x + 64, y0 + y + 64, &mesh, arena, NULL) !=
                STATUS_OK)
                exit(5);
            sink += mesh.index_count;
        }
    double d = cpu_s();
    took[0] += b - a;
    took[1] += c - b;
    took[2] += d - c;
}

static void bench(size_t count) {
    struct water_params params = {1, 0, 0, WORLD, WORLD, 4, 2.5, 25};
    double km, near = 0, took[3] = {0, 0, 0};
    struct water_line *lines = draw(count, &km);
    float *cells = malloc((size_t)SIDE * SIDE * sizeof *cells);
    struct water_heights heights = {
        near_lines(lines, count, &params, cells, &near), 0, 0, SECTIONS, SECTIONS, 0, 0, WORLD, WORLD, 1};
    struct arena arena = {malloc((size_t)1 << 30), (size_t)1 << 30, 0};
    struct arena scratch = {malloc((size_t)64 << 20), (size_t)64 << 20, 0};
    struct water_set *sets = calloc(SECTIONS * SECTIONS, sizeof *sets);
    struct water_river river;
    double start = cpu_s();
    if (water_solve(&params, lines, count, NULL, 0, &heights, &arena, &river, NULL) != STATUS_OK ||
        water_cut(&river, 0, 0, SECTIONS, SECTIONS, sets, &arena, NULL) != STATUS_OK)
        exit(5);
    double solve = cpu_s() - start;
    int wet = 0;
    for (int s = 0; s < SECTIONS * SECTIONS; s++) {
        if (!sets[s].piece_count)
            continue;
        wet++;
        section(&sets[s], s % SECTIONS * SIDE, s / SECTIONS * SIDE, &scratch, took);
    }
    double all = near + solve + took[0] + took[1] + took[2];
    printf("water, %5.1f km in 16 maps (%d sections): %.2f s a core, %.1f km/s (target 30)\n", km, wet, all,
           km / all);
    printf("  heights near lines %.2f, solve %.2f, field %.2f, bed and layers %.2f, surface %.2f s\n", near,
           solve, took[0], took[1], took[2]);
    free(arena.base), free(scratch.base), free(sets), free(cells), free(lines);
}

int main(void) {
    bench(20);
    bench(5);
    return sink < 0;
}
