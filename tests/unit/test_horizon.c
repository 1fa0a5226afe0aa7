#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/hash.h"
#include "terrain/horizon.h"
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hills, cliffs and noise at world cells, from hashes. */
static float rough(int32_t x, int32_t y) {
    float coarse = hash_unit(hash_place(5, 1, x >> 3, y >> 3, 0)) * 30;
    return 400 + 0.2f * (float)x - 0.1f * (float)y + coarse + hash_unit(hash_place(5, 2, x, y, 0));
}
static float smooth(int32_t x, int32_t y) {
    return (float)(300 + 15 * sin(x * 0.11) * cos(y * 0.09) + 5 * sin(x * 0.31 + y * 0.2));
}

struct ground {
    struct grid_f32 grid;
    struct arena arena;
    struct horizon horizon;
};

/* A window of heights around the cells, and a horizon over it. */
static void raise_ground(struct ground *g, float (*height)(int32_t, int32_t),
                         const struct horizon_params *params, const struct grid_f32 *cells, int32_t spare) {
    int32_t pad = horizon_reach(params) + spare;
    int32_t w = cells->width + 2 * pad, h = cells->height + 2 * pad;
    g->grid = (struct grid_f32){
        malloc(sizeof(float) * (size_t)w * (size_t)h), cells->x0 - pad, cells->y0 - pad, w, h, w};
    assert_non_null(g->grid.cells);
    for (int32_t y = g->grid.y0; y < g->grid.y0 + h; y++)
        for (int32_t x = g->grid.x0; x < g->grid.x0 + w; x++)
            *grid_f32_at(&g->grid, x, y) = height(x, y);
    size_t size = horizon_scratch(params, cells->width, cells->height);
    g->arena = (struct arena){aligned_alloc(64, (size + 63) / 64 * 64), size, 0};
    assert_non_null(g->arena.base);
    assert_true(horizon_begin(&g->horizon, params, &g->grid, cells, &g->arena));
}
static void clear_ground(struct ground *g) {
    free(g->grid.cells);
    free(g->arena.base);
}

/* The definition in horizon.h, point by point. */
static float line_height(float (*height)(int32_t, int32_t), bool rows, int64_t shear, int32_t k,
                         int32_t row) {
    int64_t at = shear * row;
    int32_t whole = (int32_t)floor((double)at / 4294967296.0);
    float part = (float)((at - (int64_t)whole * 4294967296) >> 8) / 16777216.0f;
    int32_t i = k + whole;
    float a = rows ? height(i, row) : height(row, i), b = rows ? height(i + 1, row) : height(row, i + 1);
    return a + part * (b - a);
}
static float reference(float (*height)(int32_t, int32_t), const struct horizon_params *p, double east,
                       double north, int32_t x, int32_t y) {
    bool rows = fabs(north) >= fabs(east);
    double along = rows ? north : east, aside = rows ? east : north, step = p->cell_m / fabs(along);
    int64_t shear = (int64_t)floor(aside / along * 4294967296.0 + 0.5);
    int32_t row = rows ? y : x, i = rows ? x : y, up = along > 0 ? 1 : -1;
    int64_t at = shear * row;
    int32_t whole = (int32_t)floor((double)at / 4294967296.0);
    float part = (float)((at - (int64_t)whole * 4294967296) >> 8) / 16777216.0f, found[2];
    for (int32_t side = 0; side < 2; side++) {
        int32_t k = i - whole - 1 + side;
        float own = line_height(height, rows, shear, k, row);
        found[side] = p->least;
        for (int32_t t = 1; t * step <= p->radius_m * (1 + 0x1p-40); t++) {
            float tangent =
                (line_height(height, rows, shear, k, row + up * t) - own) * (float)(1 / (t * step));
            found[side] = tangent > found[side] ? tangent : found[side];
        }
    }
    return found[1] + part * (found[0] - found[1]);
}

static void check_against_reference(const struct horizon_params *p, int32_t count,
                                    const struct grid_f32 *cells) {
    struct ground g;
    raise_ground(&g, rough, p, cells, 0);
    float *tangent = malloc(sizeof(float) * (size_t)cells->width * (size_t)cells->height);
    assert_non_null(tangent);
    for (int32_t d = 0; d < count; d++) {
        double east, north;
        horizon_direction(d, count, &east, &north);
        horizon_towards(&g.horizon, east, north, tangent);
        for (int32_t y = 0; y < cells->height; y++)
            for (int32_t x = 0; x < cells->width; x++) {
                float want = reference(rough, p, east, north, cells->x0 + x, cells->y0 + y);
                float got = tangent[(ptrdiff_t)y * cells->width + x];
                if (memcmp(&want, &got, sizeof want) != 0)
                    fail_msg("direction %d, cell %d,%d: %a, not %a", d, cells->x0 + x, cells->y0 + y,
                             (double)got, (double)want);
            }
    }
    free(tangent);
    clear_ground(&g);
}
static void every_bit_is_as_the_definition_says(void **state) {
    (void)state;
    struct grid_f32 cells = {.x0 = -7, .y0 = 1000003, .width = 37, .height = 21};
    check_against_reference(&(struct horizon_params){.cell_m = 1, .radius_m = 24}, 16, &cells);
    cells = (struct grid_f32){.x0 = 500, .y0 = -90, .width = 9, .height = 30};
    check_against_reference(&(struct horizon_params){.cell_m = 0.5, .radius_m = 8, .least = -1}, 32, &cells);
    cells = (struct grid_f32){.x0 = -3, .y0 = -2, .width = 141, .height = 3};
    check_against_reference(&(struct horizon_params){.cell_m = 2, .radius_m = 61}, 16, &cells);
    cells = (struct grid_f32){.x0 = 3, .y0 = 4, .width = 1, .height = 1};
    check_against_reference(&(struct horizon_params){.cell_m = 10, .radius_m = 8}, 16, &cells);
}

static void a_part_of_a_window_gets_the_same_bits(void **state) {
    (void)state;
    struct horizon_params p = {.cell_m = 1, .radius_m = 40};
    struct grid_f32 all = {.x0 = -100, .y0 = -50, .width = 150, .height = 140};
    struct ground g, part;
    raise_ground(&g, rough, &p, &all, 0);
    float *whole = malloc(sizeof(float) * 150 * 140), *piece = malloc(sizeof(float) * 150 * 140);
    assert_true(whole && piece);
    for (int32_t trial = 0; trial < 4; trial++) {
        uint64_t h = hash_place(9, 9, trial, 0, 0);
        struct grid_f32 cells = {.x0 = -100 + (int32_t)(h % 100), .y0 = -50 + (int32_t)(h / 100 % 100)};
        cells.width = 1 + (int32_t)(h / 10000 % 50);
        cells.height = 1 + (int32_t)(h / 1000000 % 40);
        raise_ground(&part, rough, &p, &cells, trial);
        for (int32_t d = 0; d < 16; d++) {
            double east, north;
            horizon_direction(d, 16, &east, &north);
            horizon_towards(&g.horizon, east, north, whole);
            horizon_towards(&part.horizon, east, north, piece);
            for (int32_t y = 0; y < cells.height; y++)
                assert_memory_equal(piece + (ptrdiff_t)y * cells.width,
                                    whole + (ptrdiff_t)(cells.y0 + y - all.y0) * all.width + cells.x0 -
                                        all.x0,
                                    sizeof(float) * (size_t)cells.width);
        }
        clear_ground(&part);
    }
    free(whole);
    free(piece);
    clear_ground(&g);
}

static float plane(int32_t x, int32_t y) {
    return 100 + 0.75f * (float)x - 0.5f * (float)y;
}
static void a_plane_hides_by_its_slope_in_any_direction(void **state) {
    (void)state;
    struct horizon_params p = {.cell_m = 1, .radius_m = 96};
    struct grid_f32 cells = {.x0 = 10, .y0 = -20, .width = 70, .height = 33};
    struct ground g;
    raise_ground(&g, plane, &p, &cells, 0);
    float *tangent = malloc(sizeof(float) * 70 * 33);
    assert_non_null(tangent);
    for (int32_t d = 0; d < 100; d++) {
        double a = d * 0.0628, east = sin(a), north = cos(a), rise = 0.75 * east - 0.5 * north;
        horizon_towards(&g.horizon, east, north, tangent);
        for (int32_t i = 0; i < 70 * 33; i++)
            assert_true(fabs((double)tangent[i] - (rise > 0 ? rise : 0)) < 1e-4);
    }
    free(tangent);
    clear_ground(&g);
}

static float sample(double x, double y) {
    int32_t i = (int32_t)floor(x), j = (int32_t)floor(y);
    double u = x - i, v = y - j;
    return (float)((1 - v) * ((1 - u) * (double)smooth(i, j) + u * (double)smooth(i + 1, j)) +
                   v * ((1 - u) * (double)smooth(i, j + 1) + u * (double)smooth(i + 1, j + 1)));
}
/* A ray from the cell's centre over the bilinear surface, in steps of an eighth of a cell. */
static double ray(int32_t x, int32_t y, double east, double north, double radius) {
    double best = 0, z = (double)smooth(x, y);
    for (double s = 0.125; s <= radius; s += 0.125) {
        double t = ((double)sample(x + s * east, y + s * north) - z) / s;
        best = t > best ? t : best;
    }
    return best;
}
static void rays_over_smooth_ground_agree(void **state) {
    (void)state;
    struct horizon_params p = {.cell_m = 1, .radius_m = 48};
    struct grid_f32 cells = {.x0 = 0, .y0 = 0, .width = 64, .height = 48};
    struct ground g;
    raise_ground(&g, smooth, &p, &cells, 0);
    float *tangent = malloc(sizeof(float) * 64 * 48);
    assert_non_null(tangent);
    double sum = 0, worst = 0, count = 0;
    for (int32_t d = 0; d < 16; d++) {
        double east, north;
        horizon_direction(d, 16, &east, &north);
        horizon_towards(&g.horizon, east, north, tangent);
        for (int32_t y = 0; y < 48; y += 5)
            for (int32_t x = 0; x < 64; x += 3) {
                double off = fabs((double)tangent[y * 64 + x] - ray(x, y, east, north, 48));
                sum += off;
                count += 1;
                worst = off > worst ? off : worst;
            }
    }
    /* Between two lines a horizon is off by up to half a cell times the curvature, here up to 0.6 a cell. */
    assert_true(sum / count < 0.02);
    assert_true(worst < 0.3);
    free(tangent);
    clear_ground(&g);
}

static void directions_are_a_compass(void **state) {
    (void)state;
    for (int32_t count = 16; count <= 32; count += 16)
        for (int32_t i = 0; i < count; i++) {
            double east, north, a = 2 * 3.14159265358979323846 * i / count;
            horizon_direction(i, count, &east, &north);
            assert_true(fabs(east - sin(a)) < 1e-15);
            assert_true(fabs(north - cos(a)) < 1e-15);
        }
}

static void the_golden_sum_stays(void **state) {
    (void)state;
    struct horizon_params p = {.cell_m = 1, .radius_m = 32};
    struct grid_f32 cells = {.x0 = -20, .y0 = 7, .width = 50, .height = 40};
    struct ground g;
    raise_ground(&g, rough, &p, &cells, 0);
    float tangent[50 * 40];
    uint64_t hash = 0;
    for (int32_t d = 0; d < 32; d++) {
        double east, north;
        horizon_direction(d, 32, &east, &north);
        horizon_towards(&g.horizon, east, north, tangent);
        for (int32_t i = 0; i < 50 * 40; i++) {
            uint32_t bits;
            memcpy(&bits, &tangent[i], sizeof bits);
            hash = hash_mix(hash ^ bits) + 1;
        }
    }
    clear_ground(&g);
    assert_int_equal(hash, 0xac0415443316abb1u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_is_as_the_definition_says),
        cmocka_unit_test(a_part_of_a_window_gets_the_same_bits),
        cmocka_unit_test(a_plane_hides_by_its_slope_in_any_direction),
        cmocka_unit_test(rays_over_smooth_ground_agree),
        cmocka_unit_test(directions_are_a_compass),
        cmocka_unit_test(the_golden_sum_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
