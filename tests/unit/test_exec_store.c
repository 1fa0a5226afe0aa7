/* The executor and what it has kept: an edit re-makes only what it can reach, and stops where results
 * come out the same; what the store has lost is made again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec_kit.h"
#include "gen/os.h"
#include "terrain/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {TOY_STAGES};

static void a_warm_store_runs_nothing_and_gives_the_same(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result cold, warm;
    char *dir = toy_dir("warm");
    toy_bake(dir, NULL, 2, toy_plenty, &cold);
    toy_bake(dir, NULL, 2, toy_plenty, &warm);
    toy_assert_same(&cold, &warm);
    for (int32_t i = 0; i < warm.report.stage_count; i++)
        assert_int_equal(warm.report.stages[i].runs, 0);
    toy_dir("warm");
}

static void a_temporary_store_is_used_when_memory_is_little(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result much, little;
    char *dir = toy_dir("temporary");
    toy_store_temporary = true;
    toy_bake(dir, NULL, 2, toy_plenty, &much);
    toy_bake(dir, NULL, 2, 1, &little);
    toy_store_temporary = false;
    toy_assert_same(&much, &little);
    assert_true(little.report.tile_bytes_peak < much.report.tile_bytes_peak / 4);
    toy_dir("temporary");
}

static void an_edit_remakes_what_it_reaches(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result before, after, undisturbed;
    char *dir = toy_dir("edit");
    toy_bake(dir, NULL, 2, toy_plenty, &before);
    toy_edit.x = 100; /* section 0,0, sector 1,1: 60 cells reach no other section, sector by sector */
    toy_edit.y = 100;
    toy_edit.by = 0.25f;
    toy_bake(dir, NULL, 2, toy_plenty, &after);
    assert_int_equal(toy_runs(&after, "base"), 1);
    assert_int_equal(toy_runs(&after, "rounded"), 9); /* not kept: spread needs the neighbours' again */
    assert_int_equal(toy_runs(&after, "spread"), 1);
    toy_dir("edit2");
    toy_bake(toy_dir("edit2"), NULL, 1, toy_plenty, &undisturbed);
    toy_assert_same(&undisturbed, &after);
    toy_dir("edit2");

    /* too small to change what is rounded: the wave stops at once */
    dir = toy_dir("edit");
    memset(&toy_edit, 0, sizeof toy_edit);
    toy_edit.x = 101;
    toy_edit.y = 100;
    toy_bake(dir, NULL, 2, toy_plenty, &before);
    struct world world = toy_world();
    float v = toy_base_value(&world, toy_edit.x, toy_edit.y) * 100.0f;
    toy_edit.by = (v - (float)(int)v) < 0.5f ? 0.001f : -0.001f;
    toy_bake(dir, NULL, 2, toy_plenty, &after);
    assert_int_equal(toy_runs(&after, "base"), 1);
    assert_int_equal(toy_runs(&after, "spread"), 0);
    assert_int_equal(toy_runs(&after, "total"), 0);
    memset(&toy_edit, 0, sizeof toy_edit);
    toy_dir("edit");
}

static void an_edit_within_reach_of_a_neighbour_remakes_it_too(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result before, after;
    char *dir = toy_dir("near");
    toy_bake(dir, NULL, 2, toy_plenty, &before);
    toy_edit.x = 250; /* 6 cells from section 1,0 */
    toy_edit.y = 100;
    toy_edit.by = 0.25f;
    toy_bake(dir, NULL, 2, toy_plenty, &after);
    assert_int_equal(toy_runs(&after, "base"), 1);
    assert_int_equal(toy_runs(&after, "spread"), 2);
    memset(&toy_edit, 0, sizeof toy_edit);
    toy_dir("near");
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
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result good, again;
    char *dir = toy_dir("damage");
    toy_bake(dir, NULL, 2, toy_plenty, &good);
    struct error err;
    for (unsigned i = 0; i < 256; i++) {
        char sub[512];
        snprintf(sub, sizeof sub, "%s/%02x", dir, i);
        os_list(sub, damage, sub, &err); /* folders appear with their first entry */
    }
    toy_bake(dir, NULL, 2, toy_plenty, &again);
    toy_assert_same(&good, &again);
    toy_dir("damage");
}

static void rounds_that_were_not_kept_are_made_again_once(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    char *dir = toy_dir("rounds");
    struct world world = toy_world();
    struct error err = {0};
    struct rect some = {0, 0, 256, 256}, cells[] = {some, world.extent.cells};
    struct exec_options options = {.threads = 2, .memory_limit = toy_plenty};
    for (int i = 0; i < 2; i++) { /* one section, then all: what the first made is known, but not its bytes */
        const struct exec_input input = {"round.12", 0};
        struct exec_job job = {.cells = cells[i], .input_count = 1, .inputs = &input, .run = toy_see_nothing};
        struct store *store;
        struct toy_result bake;
        assert_int_equal(store_open(dir, 1 << 30, false, &store, &err), STATUS_OK);
        assert_int_equal(exec_run(&world, NULL, store, &options, &job, 1, &bake.report, &err), STATUS_OK);
        store_close(store);
        struct rect all = rect_blocks(world.extent.cells, SECTION_CELLS);
        assert_true(toy_runs(&bake, "rounds") <= 12 * (all.x1 - all.x0) * (all.y1 - all.y0));
    }
    toy_dir("rounds");
}

static void an_entry_without_bytes_gets_them_when_put_again(void **state) {
    (void)state;
    struct store *store;
    struct store_head head;
    char *dir = toy_dir("twice");
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
    toy_dir("twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warm_store_runs_nothing_and_gives_the_same),
        cmocka_unit_test(a_temporary_store_is_used_when_memory_is_little),
        cmocka_unit_test(an_edit_remakes_what_it_reaches),
        cmocka_unit_test(an_edit_within_reach_of_a_neighbour_remakes_it_too),
        cmocka_unit_test(damaged_entries_are_made_again),
        cmocka_unit_test(rounds_that_were_not_kept_are_made_again_once),
        cmocka_unit_test(an_entry_without_bytes_gets_them_when_put_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
