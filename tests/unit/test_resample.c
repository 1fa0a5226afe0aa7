#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/placement.h"
#include "terrain/hash.h"
#include "terrain/resample.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct grid_f32 new_grid(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    struct grid_f32 g = {NULL, x0, y0, x1 - x0, y1 - y0, x1 - x0};
    g.cells = malloc((size_t)g.width * (size_t)g.height * sizeof(float));
    assert_non_null(g.cells);
    return g;
}

static float rough(int32_t x, int32_t y) {
    return 1000.0f + (float)(hash_place(1, 2, x, y, 0) & 1023) / 32.0f;
}

/* The window of `in` that a change of spacing reads for out, filled with rough ground and some voids. */
static struct grid_f32 input_for(const struct resample_lattice *l, const struct grid_f32 *out,
                                 int32_t voids) {
    int32_t x0, x1, y0, y1;
    terrain_resample_bicubic_reach(l, l->origin_x, out->x0, out->x0 + out->width, &x0, &x1);
    terrain_resample_bicubic_reach(l, l->origin_y, out->y0, out->y0 + out->height, &y0, &y1);
    struct grid_f32 in = new_grid(x0, y0, x1, y1);
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            *grid_f32_at(&in, x, y) =
                voids && (int32_t)(hash_place(4, 4, x, y, 0) % 16) < voids ? NAN : rough(x, y);
    return in;
}

/* Posts keep their heights; between four known ones there is always a height, beside a void never. */
static void posts_are_kept_and_voids_do_not_spread(void **state) {
    (void)state;
    for (int32_t log2 = 1; log2 <= 4; log2++) {
        struct resample_lattice l = {log2, 3, -5, true};
        struct grid_f32 out = new_grid(-70, -40, 40, 55), in = input_for(&l, &out, 3);
        terrain_resample_bicubic(&l, &in, &out);
        int32_t c = 1 << log2;
        for (int32_t y = out.y0; y < out.y0 + out.height; y++)
            for (int32_t x = out.x0; x < out.x0 + out.width; x++) {
                int32_t i = floor_div(x - 3, c), j = floor_div(y + 5, c);
                int32_t right = (x - 3) % c != 0, up = (y + 5) % c != 0;
                bool known = !isnan(*grid_f32_at(&in, i, j)) && !isnan(*grid_f32_at(&in, i + right, j)) &&
                             !isnan(*grid_f32_at(&in, i, j + up)) &&
                             !isnan(*grid_f32_at(&in, i + right, j + up));
                float v = *grid_f32_at(&out, x, y);
                assert_int_equal(!isnan(v), known);
                if (known && !right && !up)
                    assert_true(v == *grid_f32_at(&in, i, j));
                if (known)
                    assert_true(v > 990 && v < 1042);
            }
        free(in.cells);
        free(out.cells);
    }
}

/* No step where the stencil moves on, voids or not: in a lattice of 64 to one, neighbours differ by little.
 */
static void the_surface_is_smooth(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        struct resample_lattice l = {6, 0, 0, posts};
        struct grid_f32 out = new_grid(-300, -300, 300, 300), in = input_for(&l, &out, 2);
        terrain_resample_bicubic(&l, &in, &out);
        for (int32_t y = out.y0; y < out.y0 + out.height - 1; y++)
            for (int32_t x = out.x0; x < out.x0 + out.width - 1; x++) {
                float v = *grid_f32_at(&out, x, y), e = *grid_f32_at(&out, x + 1, y),
                      n = *grid_f32_at(&out, x, y + 1);
                /* 32 m between samples 64 apart: less than 1.1 m a step */
                assert_true(isnan(v) || isnan(e) || fabsf(v - e) < 1.1f);
                assert_true(isnan(v) || isnan(n) || fabsf(v - n) < 1.1f);
            }
        free(in.cells);
        free(out.cells);
    }
}

/* Flat ground stays flat to the bit, whatever is void around it. */
static void flat_stays_flat(void **state) {
    (void)state;
    for (int32_t log2 = 1; log2 <= 6; log2++) {
        struct resample_lattice l = {log2, 0, 0, log2 % 2};
        struct grid_f32 out = new_grid(-9, -9, 70, 70), in = input_for(&l, &out, 4);
        for (int32_t i = 0; i < in.width * in.height; i++)
            in.cells[i] = isnan(in.cells[i]) ? NAN : 1234.5678f;
        terrain_resample_bicubic(&l, &in, &out);
        for (int32_t i = 0; i < out.width * out.height; i++)
            assert_true(isnan(out.cells[i]) || out.cells[i] == 1234.5678f);
        free(in.cells);
        free(out.cells);
        int32_t f = 1 << log2;
        struct grid_f32 coarse = new_grid(-3, -2, 4, 5), fine = new_grid(-4 * f, -3 * f, 5 * f, 6 * f);
        for (int32_t i = 0; i < fine.width * fine.height; i++)
            fine.cells[i] = hash_place(1, 1, i, 0, 0) % 4 ? 1234.5678f : NAN;
        terrain_resample_box(log2, &fine, &coarse);
        for (int32_t i = 0; i < coarse.width * coarse.height; i++)
            assert_true(isnan(coarse.cells[i]) || coarse.cells[i] == 1234.5678f);
        terrain_resample_tent(log2, &fine, &coarse);
        for (int32_t y = coarse.y0; y < coarse.y0 + coarse.height; y++)
            for (int32_t x = coarse.x0; x < coarse.x0 + coarse.width; x++) {
                float v = *grid_f32_at(&coarse, x, y);
                assert_int_equal(isnan(v), isnan(*grid_f32_at(&fine, x * f, y * f)));
                assert_true(isnan(v) || v == 1234.5678f);
            }
        free(coarse.cells);
        free(fine.cells);
    }
}

static void blocks_are_void_when_most_of_them_is(void **state) {
    (void)state;
    float samples[4] = {1, NAN, 3, NAN}, cell;
    struct grid_f32 in = {samples, -2, 4, 2, 2, 2}, out = {&cell, -1, 2, 1, 1, 1};
    terrain_resample_box(1, &in, &out);
    assert_true(cell == 2);
    samples[0] = NAN;
    terrain_resample_box(1, &in, &out);
    assert_true(isnan(cell));
}

/* ---- where samples stand ---- */

static void assert_rect(struct rect r, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    assert_int_equal(r.x0, x0);
    assert_int_equal(r.y0, y0);
    assert_int_equal(r.x1, x1);
    assert_int_equal(r.y1, y1);
}

static void files_stand_where_their_cells_are(void **state) {
    (void)state;
    struct extent e = {1, {-100, 50, 1100, 1030}};
    struct source_file west = {.map_x = -1, .map_y = 0, .width_px = 100, .height_px = 974};
    struct source_file east = {.map_x = 1, .map_y = 1, .width_px = 77, .height_px = 7};
    struct source_file bare = {.map_x = 1, .map_y = 1, .width_px = 76, .height_px = 6};
    struct source_file wrong = {.map_x = 1, .map_y = 1, .width_px = 75, .height_px = 6};
    struct placement cells = placement_of(&e, true, false, 0), posts = placement_of(&e, true, true, 0);
    assert_int_equal(cells.origin_x, -1024);
    assert_int_equal(cells.origin_y, 0);
    assert_rect(cells.samples, 924, 50, 2124, 1030);
    assert_rect(posts.samples, 924, 50, 2125, 1031);
    assert_rect(placement_file_samples(&cells, &e, &west), 924, 50, 1024, 1024);
    assert_rect(placement_file_samples(&posts, &e, &east), 2048, 1024, 2125, 1031);
    assert_rect(placement_file_samples(&posts, &e, &bare), 2048, 1025, 2124,
                1031); /* north and west are there */
    assert_true(rect_empty(placement_file_samples(&posts, &e, &wrong)));
}

static void coarse_files_start_in_the_north_west(void **state) {
    (void)state;
    struct extent e = {1, {-10, 3, 20, 22}}; /* 30 x 19 cells, four to a sample: 8 x 5 */
    struct placement p = placement_of(&e, false, false, -2);
    assert_int_equal(p.origin_x, -10);
    assert_int_equal(p.origin_y, 2); /* 22 - 5 * 4 */
    assert_rect(p.samples, 0, 0, 8, 5);
    p = placement_of(&e, false, true, -2);
    assert_rect(p.samples, 0, 0, 9, 6);
    p = placement_of(&e, true, false, -2); /* tiles: from a corner of a map */
    assert_int_equal(p.origin_x, -1024);
    assert_rect(p.samples, 253, 0, 261, 6);
    p = placement_of(&e, false, true, 2);
    assert_rect(p.samples, 4056, 12, 4177, 89);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_are_kept_and_voids_do_not_spread),
        cmocka_unit_test(the_surface_is_smooth),
        cmocka_unit_test(flat_stays_flat),
        cmocka_unit_test(blocks_are_void_when_most_of_them_is),
        cmocka_unit_test(files_stand_where_their_cells_are),
        cmocka_unit_test(coarse_files_start_in_the_north_west),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
