/* The executor over a table of its own: what a job sees depends on no thread count, no store, no subset; an
 * edit re-makes only what it can reach, and stops where results come out the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/exec.h"
#include "gen/hasher.h"
#include "gen/os.h"
#include "terrain/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a small table: base -> rounded -> spread; base -> count -> total (whole world) -> shifted ---- */

static struct { /* what the "input file" holds on top of its noise */
    int32_t x, y;
    float by;
} edit;
static bool break_stage;

static float base_value(const struct world *world, int32_t x, int32_t y) {
    float v = hash_unit(hash_place(world->seed, 1, x, y, 0));
    return x == edit.x && y == edit.y ? v + edit.by : v;
}

static void base_settings(const struct world *world, const char *arg, int32_t sx, int32_t sy,
                          struct hasher *h) {
    (void)world;
    (void)arg;
    if (floor_div(edit.x, SECTION_CELLS) == sx && floor_div(edit.y, SECTION_CELLS) == sy) {
        hash_u64(h, (uint64_t)(int64_t)edit.x);
        hash_u64(h, (uint64_t)(int64_t)edit.y);
        hash_f64(h, (double)edit.by);
    }
}

static enum status base_run(struct stage_run *run, struct error *err) {
    if (break_stage && run->section_x == 1)
        return error_set(err, STATUS_INPUT, "broken on purpose");
    struct grid_f32 out = tile_f32(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_f32_at(&out, x, y) = base_value(run->world, x, y);
    return STATUS_OK;
}

static enum status rounded_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                                  struct error *err) {
    (void)world;
    (void)arg;
    (void)err;
    stage_reads(in, "base", 0);
    return STATUS_OK;
}

static enum status rounded_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_u8_at(&out, x, y) = (uint8_t)(*grid_f32_at(&run->inputs[0].f32, x, y) * 100.0f);
    return STATUS_OK;
}

enum { SPREAD_REACH = 60 };
static enum status spread_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                                 struct error *err) {
    (void)world;
    (void)arg;
    (void)err;
    stage_reads(in, "rounded", SPREAD_REACH);
    return STATUS_OK;
}

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

static enum status count_run_(struct stage_run *run, struct error *err) {
    const struct grid_u8 *in = &run->inputs[0].u8;
    int64_t sum = 0;
    for (int32_t y = run->cells.y0; y < run->cells.y1; y++)
        for (int32_t x = run->cells.x0; x < run->cells.x1; x++)
            sum += *grid_u8_at(in, x, y);
    const void *parts[16] = {&sum};
    size_t sizes[16] = {sizeof sum};
    return tile_set_parts(run->outputs[0], parts, sizes) ? STATUS_OK : error_set(err, STATUS_LIMIT, "memory");
}
static enum status count_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                                struct error *err) {
    (void)world;
    (void)arg;
    (void)err;
    stage_reads(in, "rounded", 0);
    return STATUS_OK;
}

static enum status total_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                                struct error *err) {
    (void)world;
    (void)arg;
    (void)err;
    stage_reads(in, "count", 0);
    return STATUS_OK;
}
/* Each section gets the sum of all sections west of it: an edit in the west reaches all, in the east none. */
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
        const void *parts[16] = {&sum};
        size_t sizes[16] = {sizeof sum};
        if (!tile_set_parts(run->outputs[i], parts, sizes))
            return error_set(err, STATUS_LIMIT, "memory");
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

static const struct stage base = {.name = "base",
                                  .version = 1,
                                  .keep = true,
                                  .outputs = {{.name = "base", .type = LAYER_F32}},
                                  .section_settings = base_settings,
                                  .run = base_run};
static const struct stage rounded = {.name = "rounded",
                                     .version = 1,
                                     .keep = false,
                                     .outputs = {{.name = "rounded", .type = LAYER_U8}},
                                     .inputs = rounded_inputs,
                                     .run = rounded_run};
static const struct stage spread = {.name = "spread",
                                    .version = 1,
                                    .keep = true,
                                    .outputs = {{.name = "spread", .type = LAYER_I32}},
                                    .inputs = spread_inputs,
                                    .run = spread_run};
static const struct stage count = {.name = "count",
                                   .version = 1,
                                   .keep = true,
                                   .outputs = {{.name = "count", .type = LAYER_BLOB}},
                                   .inputs = count_inputs,
                                   .run = count_run_};
static const struct stage total = {.name = "total",
                                   .version = 1,
                                   .scope = SCOPE_WORLD,
                                   .keep = true,
                                   .outputs = {{.name = "total", .type = LAYER_BLOB}},
                                   .inputs = total_inputs,
                                   .run = total_run};
static const struct stage shifted = {.name = "shifted",
                                     .version = 1,
                                     .keep = true,
                                     .outputs = {{.name = "shifted", .type = LAYER_I32}},
                                     .inputs = shifted_inputs,
                                     .run = shifted_run};
static const struct stage loop = {.name = "loop",
                                  .version = 1,
                                  .outputs = {{.name = "loop.*", .type = LAYER_U8}},
                                  .inputs = loop_inputs,
                                  .run = rounded_run};
static const struct stage rounds = {.name = "rounds",
                                    .version = 1,
                                    .keep = false,
                                    .outputs = {{.name = "round.*", .type = LAYER_U8}},
                                    .inputs = round_inputs,
                                    .run = round_run};

const struct stage *const stage_table[] = {&base,    &rounded, &spread, &count, &total,
                                           &shifted, &loop,    &rounds, NULL};

/* ---- a world and a bake of it ---- */

static struct world make_world(void) {
    struct world world;
    memset(&world, 0, sizeof world);
    world.seed = 7;
    world.extent.cell_m = 1.0;
    world.extent.cells = (struct rect){-300, -40, 900, 700}; /* partial on every side, negative numbers */
    return world;
}

enum { SECTIONS_MAX = 64 };
struct bake {
    struct hash128 seen[SECTIONS_MAX]; /* hash of `shifted` and `base` over each section */
    int32_t x[SECTIONS_MAX], y[SECTIONS_MAX];
    int32_t count;
    struct exec_report report;
};
struct job_context {
    struct hash128 *seen;
};

static enum status look(void *context, const struct window *w, struct hash128 inputs, struct arena *scratch,
                        struct error *err) {
    (void)scratch;
    (void)err;
    (void)inputs;
    struct job_context *c = context;
    struct hasher h;
    hasher_reset(&h);
    for (int32_t y = 0; y < w[0].i32.height; y++)
        hash_bytes(&h, w[0].i32.cells + y * w[0].i32.stride, (size_t)w[0].i32.width * 4);
    for (int32_t y = 0; y < w[1].f32.height; y++)
        hash_bytes(&h, w[1].f32.cells + y * w[1].f32.stride, (size_t)w[1].f32.width * 4);
    *c->seen = hasher_digest(&h);
    return STATUS_OK;
}

static bool temporary_store;

static enum status bake_sections(const char *dir, const struct rect *sections, int32_t threads,
                                 uint64_t memory, struct bake *bake, struct error *err) {
    struct world world = make_world();
    struct rect all = rect_blocks(world.extent.cells, SECTION_CELLS);
    if (!sections)
        sections = &all;
    struct store *store;
    char path[4096], name[64];
    store_temporary_name(name, sizeof name);
    snprintf(path, sizeof path, temporary_store ? "%s/%s" : "%s", dir, name);
    assert_int_equal(store_open(path, (uint64_t)1 << 30, temporary_store, &store, err), STATUS_OK);
    memset(bake, 0, sizeof *bake);
    static const struct exec_input inputs[] = {{"shifted", 5}, {"base", 0}};
    struct exec_job jobs[SECTIONS_MAX];
    struct job_context contexts[SECTIONS_MAX];
    memset(jobs, 0, sizeof jobs);
    for (int32_t y = sections->y0; y < sections->y1; y++)
        for (int32_t x = sections->x0; x < sections->x1; x++) {
            int32_t i = bake->count++;
            bake->x[i] = x;
            bake->y[i] = y;
            contexts[i].seen = &bake->seen[i];
            jobs[i].cells = extent_block(&world.extent, x, y, SECTION_CELLS);
            jobs[i].input_count = 2;
            jobs[i].inputs = inputs;
            jobs[i].run = look;
            jobs[i].context = &contexts[i];
        }
    struct exec_options options = {.threads = threads, .memory_limit = memory};
    enum status status =
        exec_run(&world, NULL, store, &options, jobs, (size_t)bake->count, &bake->report, err);
    store_close(store);
    return status;
}

static char *fresh_dir(const char *name) {
    static char dir[256];
    snprintf(dir, sizeof dir, "/tmp/terrane-test-exec-%ld-%s", (long)getpid(), name);
    struct error err;
    os_remove_tree(dir, &err);
    return dir;
}

static int64_t runs_of(const struct bake *bake, const char *stage) {
    for (int32_t i = 0; i < bake->report.stage_count; i++)
        if (strcmp(bake->report.stages[i].stage->name, stage) == 0)
            return bake->report.stages[i].runs;
    fail();
    return -1;
}

static void bake_ok(const char *dir, const struct rect *sections, int32_t threads, uint64_t memory,
                    struct bake *bake) {
    struct error err = {0};
    enum status status = bake_sections(dir, sections, threads, memory, bake, &err);
    if (status != STATUS_OK)
        fail_msg("%s", err.message);
}

static void assert_same(const struct bake *a, const struct bake *b) {
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t j = 0; j < b->count; j++)
            if (a->x[i] == b->x[j] && a->y[i] == b->y[j])
                assert_memory_equal(&a->seen[i], &b->seen[j], sizeof a->seen[i]);
}

static const uint64_t plenty = (uint64_t)1 << 30;

static void any_thread_count_gives_the_same(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake one, other;
    char *dir = fresh_dir("threads");
    bake_ok(dir, NULL, 1, plenty, &one);
    int32_t counts[] = {2, 3, 7};
    for (int i = 0; i < 3; i++) {
        fresh_dir("threads");
        bake_ok(dir, NULL, counts[i], plenty, &other);
        assert_same(&one, &other);
    }
    fresh_dir("threads");
}

static void any_subset_gives_the_same(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake whole, part;
    char *dir = fresh_dir("subset");
    bake_ok(dir, NULL, 2, plenty, &whole);
    for (int32_t i = 0; i < whole.count; i++) {
        fresh_dir("subset");
        struct rect s = {whole.x[i], whole.y[i], whole.x[i] + 1, whole.y[i] + 1};
        bake_ok(dir, &s, 2, plenty, &part);
        assert_same(&whole, &part);
    }
    fresh_dir("subset");
}

static void a_warm_store_runs_nothing_and_gives_the_same(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake cold, warm;
    char *dir = fresh_dir("warm");
    bake_ok(dir, NULL, 2, plenty, &cold);
    bake_ok(dir, NULL, 2, plenty, &warm);
    assert_same(&cold, &warm);
    for (int32_t i = 0; i < warm.report.stage_count; i++)
        assert_int_equal(warm.report.stages[i].runs, 0);
    fresh_dir("warm");
}

static void little_memory_gives_the_same(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake much, little;
    char *dir = fresh_dir("memory");
    bake_ok(dir, NULL, 2, plenty, &much);
    fresh_dir("memory");
    bake_ok(dir, NULL, 2, 1, &little);
    assert_same(&much, &little);
    assert_true(little.report.tile_bytes_peak < much.report.tile_bytes_peak);
    /* what is not kept on disk is let go as well: a few tiles, whatever the world's size */
    fresh_dir("memory");
    bake_ok(dir, NULL, 1, 1, &little);
    assert_same(&much, &little);
    assert_in_range(little.report.tile_bytes_peak, 1,
                    3 * (SECTION_CELLS * SECTION_CELLS * 4 + sizeof(struct tile)));
    fresh_dir("memory");
}

static void a_temporary_store_is_used_when_memory_is_little(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake much, little;
    char *dir = fresh_dir("temporary");
    temporary_store = true;
    bake_ok(dir, NULL, 2, plenty, &much);
    bake_ok(dir, NULL, 2, 1, &little);
    temporary_store = false;
    assert_same(&much, &little);
    assert_true(little.report.tile_bytes_peak < much.report.tile_bytes_peak / 4);
    fresh_dir("temporary");
}

static void an_edit_remakes_what_it_reaches(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake before, after, undisturbed;
    char *dir = fresh_dir("edit");
    bake_ok(dir, NULL, 2, plenty, &before);
    edit.x = 100; /* section 0,0, sector 1,1: 60 cells reach no other section, sector by sector */
    edit.y = 100;
    edit.by = 0.25f;
    bake_ok(dir, NULL, 2, plenty, &after);
    assert_int_equal(runs_of(&after, "base"), 1);
    assert_int_equal(runs_of(&after, "rounded"), 9); /* not kept: spread needs the neighbours' again */
    assert_int_equal(runs_of(&after, "spread"), 1);
    fresh_dir("edit2");
    bake_ok(fresh_dir("edit2"), NULL, 1, plenty, &undisturbed);
    assert_same(&undisturbed, &after);
    fresh_dir("edit2");

    /* too small to change what is rounded: the wave stops at once */
    dir = fresh_dir("edit");
    memset(&edit, 0, sizeof edit);
    edit.x = 101;
    edit.y = 100;
    bake_ok(dir, NULL, 2, plenty, &before);
    struct world world = make_world();
    float v = base_value(&world, edit.x, edit.y) * 100.0f;
    edit.by = (v - (float)(int)v) < 0.5f ? 0.001f : -0.001f;
    bake_ok(dir, NULL, 2, plenty, &after);
    assert_int_equal(runs_of(&after, "base"), 1);
    assert_int_equal(runs_of(&after, "spread"), 0);
    assert_int_equal(runs_of(&after, "total"), 0);
    memset(&edit, 0, sizeof edit);
    fresh_dir("edit");
}

static void an_edit_within_reach_of_a_neighbour_remakes_it_too(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake before, after;
    char *dir = fresh_dir("near");
    bake_ok(dir, NULL, 2, plenty, &before);
    edit.x = 250; /* 6 cells from section 1,0 */
    edit.y = 100;
    edit.by = 0.25f;
    bake_ok(dir, NULL, 2, plenty, &after);
    assert_int_equal(runs_of(&after, "base"), 1);
    assert_int_equal(runs_of(&after, "spread"), 2);
    memset(&edit, 0, sizeof edit);
    fresh_dir("near");
}

static enum status damage(void *context, const char *name, struct error *err) {
    char path[512];
    const char *dir = context;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    unsigned char *bytes;
    size_t size;
    if (os_read_file(path, 1 << 28, &bytes, &size, err) != STATUS_OK)
        return STATUS_OK;
    uint64_t h = hash_name(name);
    FILE *f = fopen(path, "wb"); /* in place: cut short, or one byte turned */
    assert_non_null(f);
    if (h % 3 == 0) {
        fwrite(bytes, 1, size / 2, f);
    } else {
        bytes[h / 7 % size] ^= 0x10;
        fwrite(bytes, 1, size, f);
    }
    fclose(f);
    free(bytes);
    return STATUS_OK;
}

static void damaged_entries_are_made_again(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake good, again;
    char *dir = fresh_dir("damage");
    bake_ok(dir, NULL, 2, plenty, &good);
    struct error err;
    for (unsigned i = 0; i < 256; i++) {
        char sub[512];
        snprintf(sub, sizeof sub, "%s/%02x", dir, i);
        os_list(sub, damage, sub, &err); /* folders appear with their first entry */
    }
    bake_ok(dir, NULL, 2, plenty, &again);
    assert_same(&good, &again);
    fresh_dir("damage");
}

static void failures_name_stage_and_section(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake bake;
    struct error err = {0};
    break_stage = true;
    char *dir = fresh_dir("broken");
    struct rect s = {1, 0, 2, 1};
    enum status status = bake_sections(dir, &s, 2, plenty, &bake, &err);
    break_stage = false;
    assert_int_equal(status, STATUS_INPUT);
    assert_non_null(strstr(err.message, "base, section 1,"));
    assert_non_null(strstr(err.message, "broken on purpose"));
    fresh_dir("broken");
}

static enum status nothing(void *context, const struct window *w, struct hash128 inputs,
                           struct arena *scratch, struct error *err) {
    (void)context;
    (void)w;
    (void)inputs;
    (void)scratch;
    (void)err;
    return STATUS_OK;
}

static void cycles_and_unknown_layers_are_refused(void **state) {
    (void)state;
    struct world world = make_world();
    struct error err = {0};
    struct store *store;
    char *dir = fresh_dir("cycle");
    assert_int_equal(store_open(dir, 1 << 20, true, &store, &err), STATUS_OK);
    struct exec_options options = {.threads = 1, .memory_limit = plenty};
    struct exec_input input = {"loop.a", 0};
    struct exec_job job = {.cells = {0, 0, 64, 64}, .input_count = 1, .inputs = &input, .run = nothing};
    assert_int_equal(exec_run(&world, NULL, store, &options, &job, 1, NULL, &err), STATUS_INPUT);
    assert_string_equal(err.message, "layer 'loop.b' depends on itself");
    input.layer = "nobody";
    assert_int_equal(exec_run(&world, NULL, store, &options, &job, 1, NULL, &err), STATUS_INPUT);
    assert_string_equal(err.message, "there is no layer 'nobody'");
    store_close(store);
}

static void a_dry_run_says_what_would_run(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    struct bake bake;
    char *dir = fresh_dir("dry");
    struct world world = make_world();
    struct error err = {0};
    const struct exec_input input = {"spread", 0};
    struct exec_job job = {.cells = {0, 0, 256, 256}, .input_count = 1, .inputs = &input, .run = nothing};
    struct exec_options options = {.threads = 1, .memory_limit = plenty, .dry_run = true};
    for (int warm = 0; warm < 2; warm++) {
        struct store *store;
        assert_int_equal(store_open(dir, 1 << 30, false, &store, &err), STATUS_OK);
        assert_int_equal(exec_run(&world, NULL, store, &options, &job, 1, &bake.report, &err), STATUS_OK);
        store_close(store);
        assert_int_equal(runs_of(&bake, "spread"), warm ? 0 : 1);
        assert_int_equal(runs_of(&bake, "rounded"), warm ? 0 : 9);
        struct bake real;
        bake_ok(dir, NULL, 2, plenty, &real);
    }
    fresh_dir("dry");
}

static void rounds_that_were_not_kept_are_made_again_once(void **state) {
    (void)state;
    memset(&edit, 0, sizeof edit);
    char *dir = fresh_dir("rounds");
    struct world world = make_world();
    struct error err = {0};
    struct rect some = {0, 0, 256, 256}, cells[] = {some, world.extent.cells};
    struct exec_options options = {.threads = 2, .memory_limit = plenty};
    for (int i = 0; i < 2; i++) { /* one section, then all: what the first made is known, but not its bytes */
        const struct exec_input input = {"round.12", 0};
        struct exec_job job = {.cells = cells[i], .input_count = 1, .inputs = &input, .run = nothing};
        struct store *store;
        struct bake bake;
        assert_int_equal(store_open(dir, 1 << 30, false, &store, &err), STATUS_OK);
        assert_int_equal(exec_run(&world, NULL, store, &options, &job, 1, &bake.report, &err), STATUS_OK);
        store_close(store);
        struct rect all = rect_blocks(world.extent.cells, SECTION_CELLS);
        assert_true(runs_of(&bake, "rounds") <= 12 * (all.x1 - all.x0) * (all.y1 - all.y0));
    }
    fresh_dir("rounds");
}

static void an_entry_without_bytes_gets_them_when_put_again(void **state) {
    (void)state;
    struct store *store;
    struct store_head head;
    char *dir = fresh_dir("twice");
    assert_int_equal(store_open(dir, 1 << 30, false, &store, NULL), STATUS_OK);
    struct layer_info layer = {.name = "u", .type = LAYER_U8};
    struct tile *tile = tile_new(&layer, false, (struct rect){0, 0, 64, 64});
    assert_non_null(tile);
    memset(tile->bytes, 7, tile->size);
    tile_hash(tile);
    struct hash128 key = {1, 2};
    for (int with_bytes = 0; with_bytes < 2; with_bytes++)
        for (int twice = 0; twice < 2; twice++) {
            assert_true(store_put(store, key, 1, &tile, with_bytes));
            assert_null(store_trouble(store));
            assert_true(store_find(store, key, 1, &head));
            assert_memory_equal(head.parts, tile->parts, sizeof head.parts);
            struct tile *loaded = store_load(store, key, 0);
            assert_int_equal(loaded != NULL, with_bytes);
            if (loaded)
                assert_memory_equal(loaded->bytes, tile->bytes, tile->size);
            tile_unref(loaded);
        }
    tile_unref(tile);
    store_close(store);
    fresh_dir("twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_thread_count_gives_the_same),
        cmocka_unit_test(any_subset_gives_the_same),
        cmocka_unit_test(a_warm_store_runs_nothing_and_gives_the_same),
        cmocka_unit_test(little_memory_gives_the_same),
        cmocka_unit_test(a_temporary_store_is_used_when_memory_is_little),
        cmocka_unit_test(an_edit_remakes_what_it_reaches),
        cmocka_unit_test(an_edit_within_reach_of_a_neighbour_remakes_it_too),
        cmocka_unit_test(damaged_entries_are_made_again),
        cmocka_unit_test(failures_name_stage_and_section),
        cmocka_unit_test(cycles_and_unknown_layers_are_refused),
        cmocka_unit_test(a_dry_run_says_what_would_run),
        cmocka_unit_test(rounds_that_were_not_kept_are_made_again_once),
        cmocka_unit_test(an_entry_without_bytes_gets_them_when_put_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
