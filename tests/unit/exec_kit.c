#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec_kit.h"
#include "gen/hasher.h"
#include "gen/os.h"
#include "terrain/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct toy_change toy_edit;
bool toy_broken;

float toy_base_value(const struct world *world, int32_t x, int32_t y) {
    float v = hash_unit(hash_place(world->seed, 1, x, y, 0));
    return x == toy_edit.x && y == toy_edit.y ? v + toy_edit.by : v;
}

static void base_settings(const struct world *world, const char *arg, int32_t sx, int32_t sy,
                          struct hasher *h) {
    (void)world;
    (void)arg;
    if (floor_div(toy_edit.x, SECTION_CELLS) == sx && floor_div(toy_edit.y, SECTION_CELLS) == sy) {
        hash_u64(h, (uint64_t)(int64_t)toy_edit.x);
        hash_u64(h, (uint64_t)(int64_t)toy_edit.y);
        hash_f64(h, (double)toy_edit.by);
    }
}

enum status toy_give(struct tile *tile, int64_t number, struct error *err) {
    const void *parts[16] = {&number};
    size_t sizes[16] = {sizeof number};
    return tile_set_parts(tile, parts, sizes) ? STATUS_OK : error_set(err, STATUS_LIMIT, "memory");
}

static enum status base_run(struct stage_run *run, struct error *err) {
    if (toy_broken && run->section_x == 1)
        return error_set(err, STATUS_INPUT, "broken on purpose");
    struct grid_f32 out = tile_f32(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_f32_at(&out, x, y) = toy_base_value(run->world, x, y);
    return STATUS_OK;
}

TOY_READS(rounded_inputs, "base", 0)

static enum status rounded_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_u8_at(&out, x, y) = (uint8_t)(*grid_f32_at(&run->inputs[0].f32, x, y) * 100.0f);
    return STATUS_OK;
}

enum { SPREAD_REACH = 60 };
TOY_READS(spread_inputs, "rounded", SPREAD_REACH)

static enum status spread_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_i32 out = tile_i32(run->outputs[0]);
    const struct grid_u8 *in = &run->inputs[0].u8;
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_i32_at(&out, x, y) = *grid_u8_at(in, x - SPREAD_REACH, y) +
                                       1000 * *grid_u8_at(in, x, y + SPREAD_REACH) +
                                       1000000 * *grid_u8_at(in, x + SPREAD_REACH, y - SPREAD_REACH);
    return STATUS_OK;
}

static enum status count_run(struct stage_run *run, struct error *err) {
    const struct grid_u8 *in = &run->inputs[0].u8;
    int64_t sum = 0;
    for (int32_t y = run->cells.y0; y < run->cells.y1; y++)
        for (int32_t x = run->cells.x0; x < run->cells.x1; x++)
            sum += *grid_u8_at(in, x, y);
    return toy_give(run->outputs[0], sum, err);
}
TOY_READS(count_inputs, "rounded", 0)

TOY_READS(total_inputs, "count", 0)
/* Each section gets the sum of all sections west of it: an edit in the west reaches all, in the east
 * none. */
static enum status total_run(struct stage_run *run, struct error *err) {
    int32_t w = run->sections.x1 - run->sections.x0, h = run->sections.y1 - run->sections.y0;
    for (int32_t i = 0; i < w * h; i++) {
        int64_t sum = 0;
        for (int32_t j = 0; j < w * h; j++)
            if (j % w < i % w) {
                int64_t part;
                memcpy(&part, run->inputs[0].tiles[j]->bytes, sizeof part);
                sum += part;
            }
        if (toy_give(run->outputs[i], sum, err) != STATUS_OK)
            return err->status;
    }
    return STATUS_OK;
}

static enum status shifted_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                                  struct error *err) {
    (void)world;
    (void)arg;
    (void)err;
    stage_reads(in, "total", 0);
    stage_reads(in, "spread", 1);
    return STATUS_OK;
}
static enum status shifted_run(struct stage_run *run, struct error *err) {
    (void)err;
    int64_t sum;
    memcpy(&sum, run->inputs[0].tiles[0]->bytes, sizeof sum);
    struct grid_i32 out = tile_i32(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_i32_at(&out, x, y) =
                (int32_t)(sum % 1000) + *grid_i32_at(&run->inputs[1].i32, x - 1, y + 1) / 7;
    return STATUS_OK;
}

static enum status loop_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                               struct error *err) {
    (void)world;
    (void)err;
    char name[STAGE_ARG_MAX];
    snprintf(name, sizeof name, "loop.%s", strcmp(arg, "a") == 0 ? "b" : "a");
    stage_reads(in, name, 0);
    return STATUS_OK;
}

/* round.N reads its neighbours' round.N-1, as the rounds of competition do. */
static enum status round_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                                struct error *err) {
    (void)world;
    (void)err;
    char name[STAGE_ARG_MAX];
    int number = atoi(arg);
    snprintf(name, sizeof name, "round.%d", number - 1);
    stage_reads(in, number > 1 ? name : "rounded", 8);
    return STATUS_OK;
}
static enum status round_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_u8_at(&out, x, y) = (uint8_t)(*grid_u8_at(&run->inputs[0].u8, x - 8, y + 8) + 1);
    return STATUS_OK;
}

const struct stage toy_base = {.name = "base",
                               .version = 1,
                               .keep = true,
                               .outputs = {{.name = "base", .type = LAYER_F32}},
                               .section_settings = base_settings,
                               .run = base_run};
const struct stage toy_rounded = {.name = "rounded",
                                  .version = 1,
                                  .keep = false,
                                  .outputs = {{.name = "rounded", .type = LAYER_U8}},
                                  .inputs = rounded_inputs,
                                  .run = rounded_run};
const struct stage toy_spread = {.name = "spread",
                                 .version = 1,
                                 .keep = true,
                                 .outputs = {{.name = "spread", .type = LAYER_I32}},
                                 .inputs = spread_inputs,
                                 .run = spread_run};
const struct stage toy_count = {.name = "count",
                                .version = 1,
                                .keep = true,
                                .outputs = {{.name = "count", .type = LAYER_BLOB}},
                                .inputs = count_inputs,
                                .run = count_run};
const struct stage toy_total = {.name = "total",
                                .version = 1,
                                .scope = SCOPE_WORLD,
                                .keep = true,
                                .outputs = {{.name = "total", .type = LAYER_BLOB}},
                                .inputs = total_inputs,
                                .run = total_run};
const struct stage toy_shifted = {.name = "shifted",
                                  .version = 1,
                                  .keep = true,
                                  .outputs = {{.name = "shifted", .type = LAYER_I32}},
                                  .inputs = shifted_inputs,
                                  .run = shifted_run};
const struct stage toy_loop = {.name = "loop",
                               .version = 1,
                               .outputs = {{.name = "loop.*", .type = LAYER_U8}},
                               .inputs = loop_inputs,
                               .run = rounded_run};
const struct stage toy_rounds = {.name = "rounds",
                                 .version = 1,
                                 .keep = false,
                                 .outputs = {{.name = "round.*", .type = LAYER_U8}},
                                 .inputs = round_inputs,
                                 .run = round_run};

struct rect toy_cells = {-300, -40, 900, 700};

struct world toy_world(void) {
    struct world world;
    memset(&world, 0, sizeof world);
    world.seed = 7;
    world.extent.cell_m = 1.0;
    world.extent.cells = toy_cells;
    return world;
}

static enum status look(void *context, const struct window *w, struct hash128 inputs, struct arena *scratch,
                        struct error *err) {
    (void)scratch;
    (void)err;
    (void)inputs;
    struct hasher h;
    hasher_reset(&h);
    for (int32_t y = 0; y < w[0].i32.height; y++)
        hash_bytes(&h, w[0].i32.cells + y * w[0].i32.stride, (size_t)w[0].i32.width * 4);
    for (int32_t y = 0; y < w[1].f32.height; y++)
        hash_bytes(&h, w[1].f32.cells + y * w[1].f32.stride, (size_t)w[1].f32.width * 4);
    struct hash128 seen = hasher_digest(&h);
    memcpy(context, &seen, sizeof seen);
    return STATUS_OK;
}

bool toy_store_temporary;

enum status toy_run(const char *dir, const struct rect *sections, const struct exec_job *like, void *results,
                    size_t size, const struct exec_options *options, struct toy_result *bake,
                    struct error *err) {
    struct world world = toy_world();
    struct rect all = rect_blocks(world.extent.cells, SECTION_CELLS);
    if (!sections)
        sections = &all;
    struct store *store;
    char path[4096], name[64];
    store_temporary_name(name, sizeof name);
    snprintf(path, sizeof path, toy_store_temporary ? "%s/%s" : "%s", dir, name);
    assert_int_equal(store_open(path, (uint64_t)1 << 30, toy_store_temporary, &store, err), STATUS_OK);
    struct exec_job jobs[TOY_SECTIONS_MAX];
    bake->count = 0;
    for (int32_t y = sections->y0; y < sections->y1; y++)
        for (int32_t x = sections->x0; x < sections->x1; x++) {
            int32_t i = bake->count++;
            bake->x[i] = x;
            bake->y[i] = y;
            jobs[i] = *like;
            jobs[i].cells = extent_block(&world.extent, x, y, SECTION_CELLS);
            jobs[i].context = (unsigned char *)results + (size_t)i * size;
        }
    enum status status =
        exec_run(&world, NULL, store, options, jobs, (size_t)bake->count, &bake->report, err);
    store_close(store);
    return status;
}

enum status toy_bake_some(const char *dir, const struct rect *sections, int32_t threads, uint64_t memory,
                          struct toy_result *bake, struct error *err) {
    static const struct exec_input inputs[] = {{"shifted", 5}, {"base", 0}};
    struct exec_options options = {.threads = threads, .memory_limit = memory};
    struct exec_job like = {.input_count = 2, .inputs = inputs, .run = look};
    memset(bake, 0, sizeof *bake);
    return toy_run(dir, sections, &like, bake->seen, sizeof *bake->seen, &options, bake, err);
}

enum status toy_see_nothing(void *context, const struct window *w, struct hash128 inputs,
                            struct arena *scratch, struct error *err) {
    (void)context;
    (void)w;
    (void)inputs;
    (void)scratch;
    (void)err;
    return STATUS_OK;
}

char *toy_dir(const char *name) {
    static char dir[256];
    snprintf(dir, sizeof dir, "/tmp/terrane-test-exec-%ld-%s", (long)getpid(), name);
    struct error err;
    os_remove_tree(dir, &err);
    return dir;
}

int64_t toy_runs(const struct toy_result *bake, const char *stage) {
    for (int32_t i = 0; i < bake->report.stage_count; i++)
        if (strcmp(bake->report.stages[i].stage->name, stage) == 0)
            return bake->report.stages[i].runs;
    fail();
    return -1;
}

void toy_bake(const char *dir, const struct rect *sections, int32_t threads, uint64_t memory,
              struct toy_result *bake) {
    struct error err = {0};
    enum status status = toy_bake_some(dir, sections, threads, memory, bake, &err);
    if (status != STATUS_OK)
        fail_msg("%s", err.message);
}

void toy_assert_same(const struct toy_result *a, const struct toy_result *b) {
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t j = 0; j < b->count; j++)
            if (a->x[i] == b->x[j] && a->y[i] == b->y[j])
                assert_memory_equal(&a->seen[i], &b->seen[j], sizeof a->seen[i]);
}
