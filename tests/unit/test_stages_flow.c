/* The stages of flow, wetness and distance through the executor: sections against the undivided raster, alone
 * and together, and which of them run again after an edit. The table is this file's: made ground in place of
 * files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/exec.h"
#include "gen/hasher.h"
#include "gen/os.h"
#include "gen/stages_distance.h"
#include "gen/stages_flow.h"
#include "terrain/distance.h"
#include "terrain/flow_finish.h"
#include "terrain/hash.h"
#include "terrain/twi.h"
#include "tests/unit/flow_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { X0 = -300, Y0 = -40, X1 = 420, Y1 = 500, WIDTH = X1 - X0, HEIGHT = Y1 - Y0, CELLS = WIDTH * HEIGHT };

static struct {
    int32_t x, y;
    float by;
} edit;

/* Hills with hollows, in steps of a quarter of a metre: flats and lakes too. */
static float ground(int32_t x, int32_t y) {
    int32_t i = flow_floor_div(x, 24), j = flow_floor_div(y, 24), u = x - i * 24, v = y - j * 24;
    float corner[4];
    for (int k = 0; k < 4; k++)
        corner[k] = 30 * hash_unit(hash_place(5, 1, i + k % 2, j + k / 2, 0));
    float south = corner[0] * (float)(24 - u) + corner[1] * (float)u;
    float north = corner[2] * (float)(24 - u) + corner[3] * (float)u;
    float z = (south * (float)(24 - v) + north * (float)v) / 576 + 0.02f * (float)(x + y);
    z = (float)(int32_t)(z * 4) / 4;
    return x == edit.x && y == edit.y ? z + edit.by : z;
}

static float slope_of(int32_t x, int32_t y) {
    return 90 * hash_unit(hash_place(5, 2, x, y, 0));
}

static uint8_t paint_of(int32_t x, int32_t y) {
    return hash_place(5, 3, flow_floor_div(x, 6), flow_floor_div(y, 6), 0) % 50 == 0 ? 255 : 0;
}

static enum status altitude_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_f32 z = tile_f32(run->outputs[0]), slope = tile_f32(run->outputs[1]);
    struct grid_u8 paint = tile_u8(run->outputs[2]);
    for (int32_t y = z.y0; y < z.y0 + z.height; y++)
        for (int32_t x = z.x0; x < z.x0 + z.width; x++) {
            *grid_f32_at(&z, x, y) = ground(x, y);
            *grid_f32_at(&slope, x, y) = slope_of(x, y);
            *grid_u8_at(&paint, x, y) = paint_of(x, y);
        }
    return STATUS_OK;
}

static void altitude_settings(const struct world *world, const char *arg, int32_t sx, int32_t sy,
                              struct hasher *h) {
    (void)world, (void)arg;
    if (edit.by != 0 && floor_div(edit.x, SECTION_CELLS) == sx && floor_div(edit.y, SECTION_CELLS) == sy) {
        hash_u64(h, (uint64_t)(uint32_t)edit.x << 32 | (uint32_t)edit.y);
        hash_f64(h, (double)edit.by);
    }
}

static const struct stage made = {.name = "made",
                                  .version = 1,
                                  .keep = true,
                                  .outputs = {{.name = "altitude_in", .type = LAYER_F32},
                                              {.name = "slope", .type = LAYER_F32},
                                              {.name = "paint", .type = LAYER_U8, .edge = EDGE_ZERO}},
                                  .section_settings = altitude_settings,
                                  .run = altitude_run};

const struct stage *const stage_table[] = {
    &made,       &stage_fill_local, &stage_fill_world, &stage_filled, &stage_flow_local, &stage_flow_world,
    &stage_flow, &stage_twi,        &stage_distance,   NULL,
};

struct result {
    uint16_t flow[CELLS], distance[CELLS];
    uint8_t twi[CELLS];
    struct exec_report report;
};

static struct world make_world(void) {
    struct world world;
    memset(&world, 0, sizeof world);
    world.seed = 11;
    world.extent = (struct extent){1.0, {X0, Y0, X1, Y1}};
    world.survey.distance_max_m = 40;
    return world;
}

/* A job copies its window into the result. */
struct job {
    struct result *result;
    struct rect cells;
};

static enum status copy(void *context, const struct window *w, struct hash128 inputs, struct arena *scratch,
                        struct error *err) {
    (void)inputs, (void)scratch, (void)err;
    struct job *job = context;
    size_t n = (size_t)(job->cells.x1 - job->cells.x0);
    for (int32_t y = job->cells.y0; y < job->cells.y1; y++) {
        ptrdiff_t at = (ptrdiff_t)(y - Y0) * WIDTH + job->cells.x0 - X0;
        memcpy(job->result->flow + at, grid_u16_at(&w[0].u16, job->cells.x0, y), n * 2);
        memcpy(job->result->twi + at, grid_u8_at(&w[1].u8, job->cells.x0, y), n);
        memcpy(job->result->distance + at, grid_u16_at(&w[2].u16, job->cells.x0, y), n * 2);
    }
    return STATUS_OK;
}

static char dir[128];

/* Bakes sections x0 <= x < x1 of all rows into the result. */
static void bake(struct result *result, int32_t x0, int32_t x1, int32_t threads) {
    struct world world = make_world();
    struct error err = {0};
    struct store *store;
    static const struct exec_input inputs[] = {{"flow", 0}, {"twi", 0}, {"distance.paint", 0}};
    struct exec_job jobs[32];
    struct job contexts[32];
    size_t count = 0;
    memset(jobs, 0, sizeof jobs);
    assert_int_equal(store_open(dir, (uint64_t)1 << 30, false, &store, &err), STATUS_OK);
    struct rect all = rect_blocks(world.extent.cells, SECTION_CELLS);
    for (int32_t y = all.y0; y < all.y1; y++)
        for (int32_t x = x0; x < x1; x++) {
            struct exec_job *job = &jobs[count];
            job->cells = extent_block(&world.extent, x, y, SECTION_CELLS);
            job->input_count = 3;
            job->inputs = inputs;
            job->run = copy;
            contexts[count] = (struct job){result, job->cells};
            job->context = &contexts[count++];
        }
    struct exec_options options = {.threads = threads, .memory_limit = (uint64_t)1 << 30};
    enum status status = exec_run(&world, NULL, store, &options, jobs, count, &result->report, &err);
    if (status != STATUS_OK)
        fail_msg("%s", err.message);
    store_close(store);
}

static void fresh(void) {
    struct error err;
    snprintf(dir, sizeof dir, "/tmp/terrane-test-flow-%ld", (long)getpid());
    os_remove_tree(dir, &err);
}

static int64_t runs_of(const struct result *r, const char *stage) {
    for (int32_t i = 0; i < r->report.stage_count; i++)
        if (strcmp(r->report.stages[i].stage->name, stage) == 0)
            return r->report.stages[i].runs;
    fail();
    return -1;
}

static struct result *new_result(void) {
    struct result *r = calloc(1, sizeof *r);
    assert_non_null(r);
    return r;
}

static bool same(const struct result *a, const struct result *b) {
    return memcmp(a->flow, b->flow, sizeof a->flow) == 0 && memcmp(a->twi, b->twi, sizeof a->twi) == 0 &&
           memcmp(a->distance, b->distance, sizeof a->distance) == 0;
}

/* The world in one section, by the kernels alone. */
static void undivided(struct result *r) {
    struct flow_kit kit;
    flow_kit_make(&kit, (struct flow_layout){X0, Y0, X1, Y1, 1024}, GROUND_FLAT, 11);
    for (int32_t i = 0; i < CELLS; i++)
        kit.z[i] = (int32_t)(ground(X0 + i % WIDTH, Y0 + i / WIDTH) * FLOW_UNIT); /* quarters: exact */
    flow_kit_run(&kit);
    struct grid_u16 flow = {r->flow, X0, Y0, WIDTH, HEIGHT, WIDTH};
    terrain_flow_codes(kit.area, 1, &flow);
    float *slope = malloc(CELLS * sizeof *slope);
    uint8_t *paint = malloc(CELLS);
    for (int32_t i = 0; i < CELLS; i++) {
        slope[i] = slope_of(X0 + i % WIDTH, Y0 + i / WIDTH);
        paint[i] = paint_of(X0 + i % WIDTH, Y0 + i / WIDTH);
    }
    struct grid_f32 slopes = {slope, X0, Y0, WIDTH, HEIGHT, WIDTH};
    struct grid_u8 mask = {paint, X0, Y0, WIDTH, HEIGHT, WIDTH}, twi = {r->twi, X0, Y0, WIDTH, HEIGHT, WIDTH};
    struct grid_u16 distance = {r->distance, X0, Y0, WIDTH, HEIGHT, WIDTH};
    struct distance_params params = {1, 40};
    struct arena arena = test_arena(terrain_distance_scratch(&params, WIDTH, HEIGHT));
    terrain_twi(1, &flow, &slopes, &twi);
    assert_int_equal(terrain_distance(&params, &mask, &distance, &arena, NULL), STATUS_OK);
    free(arena.base);
    free(slope);
    free(paint);
    flow_kit_free(&kit);
}

static void sections_equal_the_undivided_world(void **state) {
    (void)state;
    struct result *whole = new_result(), *baked = new_result(), *alone = new_result();
    undivided(whole);
    fresh();
    bake(baked, -2, 2, 3);
    assert_true(same(whole, baked));
    fresh(); /* cold, column by column, one thread; then warm */
    for (int32_t x = 1; x >= -2; x--)
        bake(alone, x, x + 1, 1);
    assert_true(same(whole, alone));
    assert_int_equal(runs_of(alone, "fill_local"), 0); /* they were all made for the first column */
    bake(alone, -2, 2, 2);
    assert_true(same(whole, alone));
    assert_int_equal(runs_of(alone, "flow"), 0);
    fresh();
    free(whole), free(baked), free(alone);
}

/* An edit runs its own section's first stages again; what comes out the same stops the wave. */
static void edits_run_what_they_change(void **state) {
    (void)state;
    struct result *before = new_result(), *after = new_result(), *truth = new_result();
    fresh();
    bake(before, -2, 2, 2);
    int64_t sections = runs_of(before, "fill_local");
    int64_t flows = 0;
    for (int32_t n = 0; n < 6; n++) {
        edit.x = X0 + 40 + 110 * n, edit.y = Y0 + 33 + 80 * n, edit.by = n % 2 ? 1.5f : -2.25f;
        undivided(truth);
        bake(after, -2, 2, 2);
        assert_true(same(truth, after));
        assert_int_equal(runs_of(after, "fill_local"), 1);
        assert_true(runs_of(after, "fill_world") <= 1);
        assert_true(runs_of(after, "flow_local") <= 9); /* filled within 2 cells */
        assert_true(runs_of(after, "flow_world") <= 1);
        assert_int_equal(runs_of(after, "distance"), 0);
        flows += runs_of(after, "flow");
    }
    assert_true(flows < 6 * sections / 2);
    memset(&edit, 0, sizeof edit);
    fresh();
    free(before), free(after), free(truth);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_equal_the_undivided_world),
        cmocka_unit_test(edits_run_what_they_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
