/* The executor over a table of its own: what a job sees depends on no thread count, no subset, no memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec_kit.h"

#include <string.h>

const struct stage *const stage_table[] = {TOY_STAGES};

static void any_thread_count_gives_the_same(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result one, other;
    char *dir = toy_dir("threads");
    toy_bake(dir, NULL, 1, toy_plenty, &one);
    int32_t counts[] = {2, 3, 7};
    for (int i = 0; i < 3; i++) {
        toy_dir("threads");
        toy_bake(dir, NULL, counts[i], toy_plenty, &other);
        toy_assert_same(&one, &other);
    }
    toy_dir("threads");
}

static void any_subset_gives_the_same(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result whole, part;
    char *dir = toy_dir("subset");
    toy_bake(dir, NULL, 2, toy_plenty, &whole);
    for (int32_t i = 0; i < whole.count; i++) {
        toy_dir("subset");
        struct rect s = {whole.x[i], whole.y[i], whole.x[i] + 1, whole.y[i] + 1};
        toy_bake(dir, &s, 2, toy_plenty, &part);
        toy_assert_same(&whole, &part);
    }
    toy_dir("subset");
}

static void little_memory_gives_the_same(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result much, little;
    char *dir = toy_dir("memory");
    toy_bake(dir, NULL, 2, toy_plenty, &much);
    toy_dir("memory");
    toy_bake(dir, NULL, 2, 1, &little);
    toy_assert_same(&much, &little);
    assert_true(little.report.tile_bytes_peak < much.report.tile_bytes_peak);
    /* what is not kept on disk is let go as well: a few tiles, whatever the world's size */
    toy_dir("memory");
    toy_bake(dir, NULL, 1, 1, &little);
    toy_assert_same(&much, &little);
    assert_in_range(little.report.tile_bytes_peak, 1,
                    3 * (SECTION_CELLS * SECTION_CELLS * 4 + sizeof(struct tile)));
    toy_dir("memory");
}

static void failures_name_stage_and_section(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result bake;
    struct error err = {0};
    toy_broken = true;
    char *dir = toy_dir("broken");
    struct rect s = {1, 0, 2, 1};
    enum status status = toy_bake_some(dir, &s, 2, toy_plenty, &bake, &err);
    toy_broken = false;
    assert_int_equal(status, STATUS_INPUT);
    assert_non_null(strstr(err.message, "base, section 1,"));
    assert_non_null(strstr(err.message, "broken on purpose"));
    toy_dir("broken");
}

static void cycles_and_unknown_layers_are_refused(void **state) {
    (void)state;
    struct world world = toy_world();
    struct error err = {0};
    struct store *store;
    char *dir = toy_dir("cycle");
    assert_int_equal(store_open(dir, 1 << 20, true, &store, &err), STATUS_OK);
    struct exec_options options = {.threads = 1, .memory_limit = toy_plenty};
    struct exec_input input = {"loop.a", 0};
    struct exec_job job = {
        .cells = {0, 0, 64, 64}, .input_count = 1, .inputs = &input, .run = toy_see_nothing};
    assert_int_equal(exec_run(&world, NULL, store, &options, &job, 1, NULL, &err), STATUS_INPUT);
    assert_string_equal(err.message, "layer 'loop.b' depends on itself");
    input.layer = "nobody";
    assert_int_equal(exec_run(&world, NULL, store, &options, &job, 1, NULL, &err), STATUS_INPUT);
    assert_string_equal(err.message, "there is no layer 'nobody'");
    store_close(store);
}

static void a_dry_run_says_what_would_run(void **state) {
    (void)state;
    memset(&toy_edit, 0, sizeof toy_edit);
    struct toy_result bake;
    char *dir = toy_dir("dry");
    struct world world = toy_world();
    struct error err = {0};
    const struct exec_input input = {"spread", 0};
    struct exec_job job = {
        .cells = {0, 0, 256, 256}, .input_count = 1, .inputs = &input, .run = toy_see_nothing};
    struct exec_options options = {.threads = 1, .memory_limit = toy_plenty, .dry_run = true};
    for (int warm = 0; warm < 2; warm++) {
        struct store *store;
        assert_int_equal(store_open(dir, 1 << 30, false, &store, &err), STATUS_OK);
        assert_int_equal(exec_run(&world, NULL, store, &options, &job, 1, &bake.report, &err), STATUS_OK);
        store_close(store);
        assert_int_equal(toy_runs(&bake, "spread"), warm ? 0 : 1);
        assert_int_equal(toy_runs(&bake, "rounded"), warm ? 0 : 9);
        struct toy_result real;
        toy_bake(dir, NULL, 2, toy_plenty, &real);
    }
    toy_dir("dry");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_thread_count_gives_the_same),
        cmocka_unit_test(any_subset_gives_the_same),
        cmocka_unit_test(little_memory_gives_the_same),
        cmocka_unit_test(failures_name_stage_and_section),
        cmocka_unit_test(cycles_and_unknown_layers_are_refused),
        cmocka_unit_test(a_dry_run_says_what_would_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
