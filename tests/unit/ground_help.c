#include "tests/unit/ground_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include <stdlib.h>
#include <string.h>

struct grid_f32 grid_make(int32_t x0, int32_t y0, int32_t width, int32_t height) {
    struct grid_f32 g = {NULL, x0, y0, width, height, width};
    g.cells = calloc((size_t)width * (size_t)height, sizeof *g.cells);
    assert_non_null(g.cells);
    return g;
}

void grid_free(struct grid_f32 *grid) {
    free(grid->cells);
    grid->cells = NULL;
}

/* Value noise with straight interpolation: creases are welcome. */
static double bumps(int32_t x, int32_t y, int32_t size, uint64_t salt) {
    int32_t i = x >= 0 ? x / size : -((-x + size - 1) / size),
            j = y >= 0 ? y / size : -((-y + size - 1) / size);
    double u = (double)(x - i * size) / size, v = (double)(y - j * size) / size, c[2][2];
    for (int32_t a = 0; a < 2; a++)
        for (int32_t b = 0; b < 2; b++)
            c[a][b] = (double)hash_unit(hash_place(3, salt, i + a, j + b, 0)) - 0.5;
    return (c[0][0] * (1 - u) + c[1][0] * u) * (1 - v) + (c[0][1] * (1 - u) + c[1][1] * u) * v;
}

float rough_ground(int32_t x, int32_t y) {
    return (float)(1000.0 + 150.0 * bumps(x, y, 61, 1) + 25.0 * bumps(x, y, 13, 2) + 4.0 * bumps(x, y, 3, 3) +
                   0.5 * bumps(x, y, 1, 4));
}

void grid_fill(struct grid_f32 *grid, float (*ground)(int32_t x, int32_t y)) {
    for (int32_t y = grid->y0; y < grid->y0 + grid->height; y++)
        for (int32_t x = grid->x0; x < grid->x0 + grid->width; x++)
            *grid_f32_at(grid, x, y) = ground(x, y);
}

void assert_same_bits(const struct grid_f32 *part, const struct grid_f32 *whole) {
    for (int32_t y = part->y0; y < part->y0 + part->height; y++)
        for (int32_t x = part->x0; x < part->x0 + part->width; x++) {
            float a = *grid_f32_at(part, x, y), b = *grid_f32_at(whole, x, y);
            if (memcmp(&a, &b, sizeof a) != 0)
                fail_msg("cell %d,%d: %a in a part, %a in the whole", x, y, (double)a, (double)b);
        }
}

uint64_t grid_hash(const struct grid_f32 *grid) {
    uint64_t h = 0;
    for (int32_t y = grid->y0; y < grid->y0 + grid->height; y++)
        for (int32_t x = grid->x0; x < grid->x0 + grid->width; x++) {
            uint32_t bits;
            memcpy(&bits, grid_f32_at(grid, x, y), sizeof bits);
            h = hash_mix(h ^ bits);
        }
    return h;
}
