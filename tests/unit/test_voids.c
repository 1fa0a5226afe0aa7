#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include "terrain/voids.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A small world off the origin and off every power of two. */
enum { X0 = -83, Y0 = 27, X1 = 590, Y1 = 521, SECTION = 256 };

static unsigned char scratch_bytes[48 << 20];
static struct arena scratch = {scratch_bytes, sizeof scratch_bytes, 0};

static struct terrain_voids_world world_of(bool posts) {
    return (struct terrain_voids_world){X0, Y0, X1, Y1, posts};
}

static struct grid_f32 new_grid(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    struct grid_f32 g = {NULL, x0, y0, x1 - x0, y1 - y0, x1 - x0};
    g.cells = malloc((size_t)g.width * (size_t)g.height * sizeof(float));
    assert_non_null(g.cells);
    return g;
}

static float ramp(int32_t x, int32_t y) {
    return 500.0f + 0.5f * (float)x + 0.25f * (float)y;
}

/* Hills, with a hole of a ragged edge, a lone hole, and a hole over the south-west corner. */
static bool is_void(int32_t x, int32_t y) {
    int32_t dx = x - 200, dy = y - 300;
    int32_t ragged = (int32_t)(hash_place(1, 1, x >> 3, y >> 3, 0) % 60);
    return dx * dx + dy * dy < (110 + ragged) * (110 + ragged) || (x == 500 && y == 100) ||
           (x < X0 + 40 && y < Y0 + 70);
}

static float hills(int32_t x, int32_t y) {
    double u = x / 61.0, v = y / 47.0;
    return (float)(900 + 40 * (u - floor(u)) * (1 - (u - floor(u))) +
                   30 * (v - floor(v)) * (1 - (v - floor(v))));
}

static struct grid_f32 raw_world(const struct terrain_voids_world *w, float (*height)(int32_t, int32_t)) {
    struct grid_f32 g = new_grid(w->x0, w->y0, w->x1 + w->posts, w->y1 + w->posts);
    for (int32_t y = g.y0; y < g.y0 + g.height; y++)
        for (int32_t x = g.x0; x < g.x0 + g.width; x++)
            *grid_f32_at(&g, x, y) = is_void(x, y) ? NAN : height(x, y);
    return g;
}

/* The solved blocks of the world, summed up section by section as the stages do. */
static struct grid_f32 solved(const struct terrain_voids_world *w, const struct grid_f32 *raw) {
    struct grid_f32 all = {0};
    terrain_voids_blocks(w, TERRAIN_VOIDS_SPLIT, w->x0, w->y0, w->x1, w->y1, &all);
    all.cells = malloc((size_t)all.width * (size_t)all.height * sizeof(float));
    for (int32_t sy = -1; sy < 3; sy++)
        for (int32_t sx = -1; sx < 3; sx++) {
            int32_t x0 = sx * SECTION, y0 = sy * SECTION;
            struct grid_f32 part = {0};
            terrain_voids_blocks(w, TERRAIN_VOIDS_SPLIT, x0 < w->x0 ? w->x0 : x0, y0 < w->y0 ? w->y0 : y0,
                                 x0 + SECTION < w->x1 ? x0 + SECTION : w->x1,
                                 y0 + SECTION < w->y1 ? y0 + SECTION : w->y1, &part);
            part.cells = grid_f32_at(&all, part.x0, part.y0);
            part.stride = all.stride;
            assert_true(terrain_voids_summary(w, raw, &part, &scratch));
        }
    assert_int_equal(terrain_voids_solve(w, &all, &scratch), VOIDS_FILLED);
    assert_int_equal(scratch.used, 0);
    return all;
}

/* The part of g over a window grown by reach, cut to g: what a stage would be given. */
static struct grid_f32 copy_part(const struct grid_f32 *g, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                                 int32_t reach) {
    x0 = x0 - reach < g->x0 ? g->x0 : x0 - reach;
    y0 = y0 - reach < g->y0 ? g->y0 : y0 - reach;
    x1 = x1 + reach > g->x0 + g->width ? g->x0 + g->width : x1 + reach;
    y1 = y1 + reach > g->y0 + g->height ? g->y0 + g->height : y1 + reach;
    struct grid_f32 c = new_grid(x0, y0, x1, y1);
    for (int32_t y = y0; y < y1; y++)
        memcpy(grid_f32_at(&c, x0, y), grid_f32_at(g, x0, y), (size_t)c.width * sizeof(float));
    return c;
}

static struct grid_f32 fill(const struct terrain_voids_world *w, const struct grid_f32 *raw,
                            const struct grid_f32 *blocks, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    struct grid_f32 out = new_grid(x0, y0, x1, y1), need = {0};
    struct grid_f32 in = copy_part(raw, x0, y0, x1, y1, TERRAIN_VOIDS_REACH);
    terrain_voids_fill_blocks(w, &out, &need);
    struct grid_f32 around =
        copy_part(blocks, need.x0, need.y0, need.x0 + need.width, need.y0 + need.height, 0);
    assert_true(terrain_voids_fill_scratch(&out) <= sizeof scratch_bytes);
    struct arena exact = {scratch_bytes, terrain_voids_fill_scratch(&out), 0};
    assert_true(terrain_voids_fill(w, &in, &around, &out, &exact));
    free(in.cells);
    free(around.cells);
    return out;
}

/* Sections, each from its own windows of exact size, give the bits of the world filled in one piece. */
static void sections_equal_the_whole(void **state) {
    (void)state;
    for (int32_t posts = 0; posts < 2; posts++) {
        struct terrain_voids_world w = world_of(posts);
        struct grid_f32 raw = raw_world(&w, hills), blocks = solved(&w, &raw);
        struct grid_f32 whole = fill(&w, &raw, &blocks, w.x0, w.y0, w.x1 + posts, w.y1 + posts);
        for (int32_t sy = 0; sy < 3; sy++)
            for (int32_t sx = -1; sx < 3; sx++) {
                int32_t x0 = sx * SECTION < X0 ? X0 : sx * SECTION,
                        y0 = sy * SECTION < Y0 ? Y0 : sy * SECTION;
                int32_t x1 = (sx + 1) * SECTION < X1 ? (sx + 1) * SECTION : X1;
                int32_t y1 = (sy + 1) * SECTION < Y1 ? (sy + 1) * SECTION : Y1;
                struct grid_f32 part = fill(&w, &raw, &blocks, x0, y0, x1 + posts, y1 + posts);
                for (int32_t y = part.y0; y < part.y0 + part.height; y++)
                    assert_memory_equal(grid_f32_at(&part, x0, y), grid_f32_at(&whole, x0, y),
                                        (size_t)part.width * sizeof(float));
                free(part.cells);
            }
        free(raw.cells);
        free(blocks.cells);
        free(whole.cells);
    }
}

/* Known heights are kept to the bit; nothing stays void; what is filled lies between the known heights. */
static void known_heights_are_kept(void **state) {
    (void)state;
    struct terrain_voids_world w = world_of(true);
    struct grid_f32 raw = raw_world(&w, hills), blocks = solved(&w, &raw);
    struct grid_f32 whole = fill(&w, &raw, &blocks, w.x0, w.y0, w.x1 + 1, w.y1 + 1);
    for (int32_t y = w.y0; y <= w.y1; y++)
        for (int32_t x = w.x0; x <= w.x1; x++) {
            float was = *grid_f32_at(&raw, x, y), is = *grid_f32_at(&whole, x, y);
            if (!isnan(was))
                assert_true(was == is);
            else
                assert_true(is >= 900 && is <= 920);
        }
    free(raw.cells);
    free(blocks.cells);
    free(whole.cells);
}

/* Flat ground is filled flat to the bit. */
static float flat(int32_t x, int32_t y) {
    (void)x, (void)y;
    return 1234.5678f;
}

static void flat_ground_is_filled_flat(void **state) {
    (void)state;
    struct terrain_voids_world w = world_of(false);
    struct grid_f32 raw = raw_world(&w, flat), blocks = solved(&w, &raw);
    struct grid_f32 whole = fill(&w, &raw, &blocks, w.x0, w.y0, w.x1, w.y1);
    for (int32_t i = 0; i < whole.width * whole.height; i++)
        assert_true(whole.cells[i] == 1234.5678f);
    free(raw.cells);
    free(blocks.cells);
    free(whole.cells);
}

/* In a void 300 m wide on a slope of 0.56 no two neighbours differ by more than a step of a meadow, at the
 * rim neither: no blocks show. Second differences measure edges; on a true slope they are zero. */
static void fills_are_smooth(void **state) {
    (void)state;
    struct terrain_voids_world w = world_of(false);
    struct grid_f32 raw = raw_world(&w, ramp), blocks = solved(&w, &raw);
    struct grid_f32 whole = fill(&w, &raw, &blocks, w.x0, w.y0, w.x1, w.y1);
    double worst_step = 0, worst_bend = 0, worst_off = 0;
    for (int32_t y = 140; y < 460; y++)
        for (int32_t x = 40; x < 380; x++) {
            const float *at = grid_f32_at(&whole, x, y);
            double off = fabs((double)at[0] - (double)ramp(x, y));
            double step = fabs((double)at[1] - (double)at[0] - 0.5);
            double bend = fabs((double)at[1] - 2 * (double)at[0] + (double)at[-1]);
            worst_off = off > worst_off ? off : worst_off;
            worst_step = step > worst_step ? step : worst_step;
            if (isnan(*grid_f32_at(&raw, x, y)) && isnan(*grid_f32_at(&raw, x + 1, y)) &&
                isnan(*grid_f32_at(&raw, x - 1, y)))
                worst_bend = bend > worst_bend ? bend : worst_bend;
        }
    print_message("off the slope by %.3f m, steps %.3f m, bends %.3f m\n", worst_off, worst_step, worst_bend);
    assert_true(worst_off < 5);
    assert_true(worst_step < 0.75);
    assert_true(worst_bend < 0.25);
    free(raw.cells);
    free(blocks.cells);
    free(whole.cells);
}

static void a_world_without_heights_is_refused(void **state) {
    (void)state;
    struct terrain_voids_world w = world_of(true);
    struct grid_f32 all = {0};
    terrain_voids_blocks(&w, TERRAIN_VOIDS_SPLIT, w.x0, w.y0, w.x1, w.y1, &all);
    assert_int_equal(all.x0, -3);
    assert_int_equal(all.y0, 0);
    assert_int_equal(all.width, 22);
    assert_int_equal(all.height, 17);
    float cells[22 * 17];
    all.cells = cells;
    for (int32_t i = 0; i < 22 * 17; i++)
        cells[i] = NAN;
    assert_int_equal(terrain_voids_solve(&w, &all, &scratch), VOIDS_ALL_VOID);
    cells[30] = 5;
    struct arena small = {scratch_bytes, 100, 0},
                 exact = {scratch_bytes, terrain_voids_solve_scratch(&all), 0};
    assert_int_equal(terrain_voids_solve(&w, &all, &small), VOIDS_NO_SCRATCH);
    assert_int_equal(terrain_voids_solve(&w, &all, &exact), VOIDS_FILLED);
    for (int32_t i = 0; i < 22 * 17; i++)
        assert_true(cells[i] == 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_equal_the_whole),           cmocka_unit_test(known_heights_are_kept),
        cmocka_unit_test(flat_ground_is_filled_flat),         cmocka_unit_test(fills_are_smooth),
        cmocka_unit_test(a_world_without_heights_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
