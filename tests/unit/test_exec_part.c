/* Stages that can be asked for some sectors of a section: after an edit they are asked for those that it
 * reaches, and what comes out is what a bake from nothing gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec_kit.h"
#include "gen/hasher.h"
#include "gen/os.h"
#include "terrain/hash.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { REACH = 40, COARSE_LOG2 = 3, COARSE = 1 << COARSE_LOG2, EDITS = 24 };

/* What the runs were asked for since it was cleared. */
static struct {
    pthread_mutex_t mutex;
    int64_t cells, runs;
} asked = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void note_asked(struct rect r) {
    pthread_mutex_lock(&asked.mutex);
    asked.cells += (int64_t)(r.x1 - r.x0) * (r.y1 - r.y0);
    asked.runs++;
    pthread_mutex_unlock(&asked.mutex);
}

/* smear: samples as heights have them (posts). coarse: blocks of cells. */
TOY_READS(smear_inputs, "rounded", REACH + 1)
static enum status smear_run(struct stage_run *run, struct error *err) {
    (void)err;
    note_asked(run->cells);
    const struct grid_u8 *in = &run->inputs[0].u8;
    struct grid_i32 out = tile_i32(run->outputs[0]);
    struct grid_u8 blocks = tile_u8(run->outputs[1]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_i32_at(&out, x, y) =
                *grid_u8_at(in, x - REACH, y) + 1000 * *grid_u8_at(in, x, y + REACH) + *grid_u8_at(in, x, y);
    for (int32_t y = blocks.y0; y < blocks.y0 + blocks.height; y++)
        for (int32_t x = blocks.x0; x < blocks.x0 + blocks.width; x++)
            *grid_u8_at(&blocks, x, y) = *grid_u8_at(in, x * COARSE, y * COARSE);
    return STATUS_OK;
}

/* tally: of each sector its place and the sum of its smear, as many times as the sum says. */
TOY_READS(tally_inputs, "smear", 0)
static enum status tally_run(struct stage_run *run, struct error *err) {
    int64_t records[16][9];
    const void *parts[16];
    size_t sizes[16];
    for (int32_t i = 0; i < 16; i++) {
        int32_t x0 = (run->section_x * SECTION_SECTORS + i % 4) * SECTOR_CELLS;
        int32_t y0 = (run->section_y * SECTION_SECTORS + i / 4) * SECTOR_CELLS;
        struct rect c =
            rect_intersect((struct rect){x0, y0, x0 + SECTOR_CELLS, y0 + SECTOR_CELLS}, run->cells);
        int64_t sum = x0 * 1000 + y0;
        for (int32_t y = c.y0; y < c.y1; y++)
            for (int32_t x = c.x0; x < c.x1; x++)
                sum += *grid_i32_at(&run->inputs[0].i32, x, y);
        for (size_t k = 0; k < 9; k++)
            records[i][k] = sum;
        parts[i] = records[i];
        sizes[i] = rect_empty(c) ? 0 : (size_t)(1 + sum % 8 + (sum < 0 ? 8 : 0)) * sizeof sum;
    }
    return tile_set_parts(run->outputs[0], parts, sizes) ? STATUS_OK : error_set(err, STATUS_LIMIT, "memory");
}

static const struct stage smear = {
    .name = "smear",
    .version = 1,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "smear", .type = LAYER_I32, .like_heights = true},
                {.name = "coarse", .type = LAYER_U8, .coarse_log2 = COARSE_LOG2}},
    .inputs = smear_inputs,
    .run = smear_run};
static const struct stage tally = {.name = "tally",
                                   .version = 1,
                                   .keep = true,
                                   .any_sectors = true,
                                   .outputs = {{.name = "tally", .type = LAYER_BLOB, .by_sector = true}},
                                   .inputs = tally_inputs,
                                   .run = tally_run};

const struct stage *const stage_table[] = {&toy_base, &toy_rounded, &smear, &tally, NULL};

static enum status see(void *context, const struct window *w, struct hash128 inputs, struct arena *scratch,
                       struct error *err) {
    (void)scratch;
    (void)err;
    (void)inputs;
    struct hasher h;
    hasher_reset(&h);
    for (int i = 0; i < 3; i++) {
        const struct tile *tile = w[i].tiles[0];
        hash_bytes(&h, tile->bytes, tile->size);
        hash_bytes(&h, tile->part_at, sizeof tile->part_at);
        hash_bytes(&h, tile->parts, sizeof tile->parts);
    }
    struct hash128 seen = hasher_digest(&h);
    memcpy(context, &seen, sizeof seen);
    return STATUS_OK;
}

static void bake(const char *dir, int32_t threads, struct hash128 seen[TOY_SECTIONS_MAX]) {
    static const struct exec_input inputs[] = {{"smear", 0}, {"coarse", 0}, {"tally", 0}};
    struct exec_options options = {.threads = threads, .memory_limit = toy_plenty};
    struct exec_job like = {.input_count = 3, .inputs = inputs, .run = see};
    struct toy_result result;
    struct error err = {0};
    asked.cells = asked.runs = 0;
    if (toy_run(dir, NULL, &like, seen, sizeof *seen, &options, &result, &err) != STATUS_OK)
        fail_msg("%s", err.message);
}

/* The sectors within reach of a cell's sector: what smear has to be asked for. */
static struct rect reached(const struct world *world, const struct toy_change *edit) {
    struct rect at = extent_block(&world->extent, floor_div(edit->x, SECTOR_CELLS),
                                  floor_div(edit->y, SECTOR_CELLS), SECTOR_CELLS);
    return rect_blocks(rect_intersect(rect_grow(at, REACH + 1), world->extent.cells), SECTOR_CELLS);
}

static int64_t cells_of(const struct world *world, struct rect sectors) {
    int64_t cells = 0;
    for (int32_t y = sectors.y0; y < sectors.y1; y++)
        for (int32_t x = sectors.x0; x < sectors.x1; x++) {
            struct rect c = extent_block(&world->extent, x, y, SECTOR_CELLS);
            cells += (int64_t)(c.x1 - c.x0) * (c.y1 - c.y0);
        }
    return cells;
}

/* Whether sections hold sectors of both. */
static bool share_sections(struct rect a, struct rect b) {
    return !rect_empty(rect_intersect(rect_blocks(a, SECTION_SECTORS), rect_blocks(b, SECTION_SECTORS)));
}

static void an_edit_makes_the_sectors_that_it_reaches(void **state) {
    (void)state;
    static struct hash128 warm[TOY_SECTIONS_MAX], cold[TOY_SECTIONS_MAX];
    struct world world = toy_world();
    struct rect all = world.extent.cells;
    char dir[256];
    memset(&toy_edit, 0, sizeof toy_edit);
    snprintf(dir, sizeof dir, "%s", toy_dir("part"));
    bake(dir, 2, warm);
    assert_int_equal(asked.cells, (int64_t)(all.x1 - all.x0) * (all.y1 - all.y0));
    struct rect edits[EDITS];
    int32_t alone = 0;
    for (int32_t i = 0; i < EDITS; i++) {
        toy_edit.x = all.x0 + (int32_t)(hash_mix((uint64_t)i) % (uint64_t)(all.x1 - all.x0));
        toy_edit.y = all.y0 + (int32_t)(hash_mix((uint64_t)i + 100) % (uint64_t)(all.y1 - all.y0));
        toy_edit.by = 0.25f + 0.01f * (float)i;
        edits[i] = reached(&world, &toy_edit);
        bool first =
            true; /* in all its sections; else the rectangle around this edit and an earlier one is made */
        for (int32_t k = 0; k < i; k++)
            first = first && !share_sections(edits[k], edits[i]);
        bake(dir, 1 + i % 3, warm);
        if (first)
            assert_int_equal(asked.cells, cells_of(&world, edits[i]));
        alone += first;
        bake(toy_dir("part-cold"), 2, cold);
        assert_memory_equal(warm, cold, sizeof warm);
    }
    assert_true(alone > 2);
    memset(&toy_edit, 0, sizeof toy_edit);
    toy_dir("part-cold");
    toy_dir("part");
}

/* The entries that the trails point to are gone, or the trails themselves: everything is made whole. */
static void what_the_store_lost_is_made_whole(void **state) {
    (void)state;
    static struct hash128 warm[TOY_SECTIONS_MAX], cold[TOY_SECTIONS_MAX];
    char dir[256];
    memset(&toy_edit, 0, sizeof toy_edit);
    snprintf(dir, sizeof dir, "%s", toy_dir("lost"));
    bake(dir, 2, warm);
    toy_edit = (struct toy_change){300, 300, 0.5f};
    for (int k = 0; k < 256; k++) {
        char folder[300];
        snprintf(folder, sizeof folder, "%s/%02x", dir, k);
        if (k % 3)
            os_remove_tree(folder, NULL);
    }
    bake(dir, 2, warm);
    bake(toy_dir("lost-cold"), 2, cold);
    assert_memory_equal(warm, cold, sizeof warm);
    memset(&toy_edit, 0, sizeof toy_edit);
    toy_dir("lost-cold");
    toy_dir("lost");
}

/* Sections at the edge have other shapes then. */
static void a_world_that_grows_or_shrinks_is_made_right(void **state) {
    (void)state;
    static struct hash128 warm[TOY_SECTIONS_MAX], cold[TOY_SECTIONS_MAX];
    static const struct rect sizes[] = {{-300, -40, 1000, 700}, {-330, -70, 1000, 760}, {-256, 0, 900, 650}};
    struct rect usual = toy_cells;
    char dir[256];
    memset(&toy_edit, 0, sizeof toy_edit);
    snprintf(dir, sizeof dir, "%s", toy_dir("grow"));
    bake(dir, 2, warm);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        toy_cells = sizes[i];
        memset(warm, 0, sizeof warm);
        memset(cold, 0, sizeof cold);
        bake(dir, 2, warm);
        bake(toy_dir("grow-cold"), 2, cold);
        assert_memory_equal(warm, cold, sizeof warm);
    }
    toy_cells = usual;
    toy_dir("grow-cold");
    toy_dir("grow");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_edit_makes_the_sectors_that_it_reaches),
                                       cmocka_unit_test(what_the_store_lost_is_made_whole),
                                       cmocka_unit_test(a_world_that_grows_or_shrinks_is_made_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
