/* usage: slope_against WIDTH HEIGHT CELL_M heights slope aspect
 * Compares terrain_slope on a cells grid with a peer's slope and aspect, border included, but for the four
 * corners. All files are raw little-endian floats, north row first, one sample a cell; the peer's flat aspect
 * is -9999. Exit 1 when they differ by more than 0.01 degrees. */
#include "terrain/slope.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* With a rim of one cell, which is not read. */
static struct grid_f32 read_grid(const char *path, int32_t width, int32_t height) {
    struct grid_f32 g = {NULL, -1, -1, width + 2, height + 2, width + 2};
    g.cells = calloc((size_t)g.width * (size_t)g.height, sizeof *g.cells);
    FILE *file = fopen(path, "rb");
    for (int32_t y = height - 1; y >= 0; y--)
        if (!g.cells || !file ||
            fread(grid_f32_at(&g, 0, y), sizeof(float), (size_t)width, file) != (size_t)width) {
            fprintf(stderr, "slope_against: cannot read %d x %d floats from %s\n", width, height, path);
            exit(4);
        }
    fclose(file);
    return g;
}

struct worst {
    double off;
    int32_t x, y;
};
static void note(struct worst *w, double off, int32_t x, int32_t y) {
    if (!(off <= w->off))
        *w = (struct worst){off, x, y};
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fprintf(stderr, "usage: slope_against WIDTH HEIGHT CELL_M heights slope aspect\n");
        return 2;
    }
    int32_t width = atoi(argv[1]), height = atoi(argv[2]);
    struct slope_params params = {.cell_m = strtof(argv[3], NULL), .posts = false};
    struct grid_f32 heights = read_grid(argv[4], width, height);
    struct grid_f32 peer_slope = read_grid(argv[5], width, height),
                    peer_aspect = read_grid(argv[6], width, height);
    struct grid_f32 slope = {NULL, 0, 0, width, height, width}, aspect = slope;
    size_t count = (size_t)slope.width * (size_t)slope.height;
    slope.cells = malloc(count * sizeof(float));
    aspect.cells = malloc(count * sizeof(float));
    if (!slope.cells || !aspect.cells)
        return 5;
    terrain_slope_rim(&heights, 0, 0, width, height);
    terrain_slope(&params, &heights, &slope, &aspect);
    struct worst in_slope = {0}, in_aspect = {0};
    long flat = 0, flat_differs = 0;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            if ((x == 0 || x == width - 1) && (y == 0 || y == height - 1))
                continue; /* gdaldem continues the corners in another way */
            double a = (double)*grid_f32_at(&aspect, x, y), b = (double)*grid_f32_at(&peer_aspect, x, y);
            note(&in_slope,
                 fabs((double)*grid_f32_at(&slope, x, y) - (double)*grid_f32_at(&peer_slope, x, y)), x, y);
            flat += a < 0.0;
            flat_differs += (a < 0.0) != (b < 0.0);
            if (a >= 0.0 && b >= 0.0)
                note(&in_aspect, fmin(fabs(a - b), 360.0 - fabs(a - b)), x, y);
        }
    printf("slope differs by at most %.5f degrees (at %d,%d), aspect by %.5f (at %d,%d, slope %.3f); flat "
           "cells %ld, "
           "flat for one only %ld\n",
           in_slope.off, in_slope.x, in_slope.y, in_aspect.off, in_aspect.x, in_aspect.y,
           (double)(in_aspect.x ? *grid_f32_at(&slope, in_aspect.x, in_aspect.y) : 0.0f), flat, flat_differs);
    return in_slope.off <= 0.01 && in_aspect.off <= 0.01 && flat_differs == 0 ? 0 : 1;
}
