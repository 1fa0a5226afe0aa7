/* Blobs whose parts each speak of their own sector: an edit of one is seen by those in whose reach it lies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec_kit.h"

#include <string.h>

/* marks: the sum of each sector in its own part. near: the sum of the parts of the sectors within 8 cells. */
TOY_READS(marks_inputs, "rounded", 0)
static enum status marks_run(struct stage_run *run, struct error *err) {
    int64_t sums[16] = {0};
    const void *parts[16];
    size_t sizes[16];
    for (int32_t y = run->cells.y0; y < run->cells.y1; y++)
        for (int32_t x = run->cells.x0; x < run->cells.x1; x++) {
            int32_t sx = floor_div(x, SECTOR_CELLS) - run->section_x * SECTION_SECTORS;
            int32_t sy = floor_div(y, SECTOR_CELLS) - run->section_y * SECTION_SECTORS;
            sums[sy * SECTION_SECTORS + sx] += *grid_u8_at(&run->inputs[0].u8, x, y);
        }
    for (int32_t i = 0; i < 16; i++) {
        parts[i] = &sums[i];
        sizes[i] = sizeof sums[i];
    }
    return tile_set_parts(run->outputs[0], parts, sizes) ? STATUS_OK : error_set(err, STATUS_LIMIT, "memory");
}
TOY_READS(near_inputs, "marks", 8)
static enum status near_run(struct stage_run *run, struct error *err) {
    struct rect near = rect_grow(run->cells, 8), s = run->inputs[0].sections;
    int64_t sum = 0;
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++) {
            const struct tile *tile = run->inputs[0].tiles[(y - s.y0) * (s.x1 - s.x0) + x - s.x0];
            for (int32_t i = 0; tile && i < 16; i++) {
                int32_t x0 = (x * SECTION_SECTORS + i % 4) * SECTOR_CELLS;
                int32_t y0 = (y * SECTION_SECTORS + i / 4) * SECTOR_CELLS;
                struct rect sector = {x0, y0, x0 + SECTOR_CELLS, y0 + SECTOR_CELLS};
                int64_t part;
                memcpy(&part, tile->bytes + tile->part_at[i], sizeof part);
                sum += rect_empty(rect_intersect(sector, near)) ? 0 : part;
            }
        }
    return toy_give(run->outputs[0], sum, err);
}

static const struct stage marks = {.name = "marks",
                                   .version = 1,
                                   .keep = true,
                                   .outputs = {{.name = "marks", .type = LAYER_BLOB, .by_sector = true}},
                                   .inputs = marks_inputs,
                                   .run = marks_run};
static const struct stage near_marks = {.name = "near",
                                        .version = 1,
                                        .keep = true,
                                        .outputs = {{.name = "near", .type = LAYER_BLOB}},
                                        .inputs = near_inputs,
                                        .run = near_run};

const struct stage *const stage_table[] = {&toy_base, &toy_rounded, &marks, &near_marks, NULL};

static enum status see_blob(void *context, const struct window *w, struct hash128 inputs,
                            struct arena *scratch, struct error *err) {
    (void)scratch;
    (void)err;
    (void)inputs;
    memcpy(context, w[0].tiles[0]->bytes, sizeof(int64_t));
    return STATUS_OK;
}

/* `near` of all sections, with a store in dir: sums[], in the order of sections. */
static int64_t bake_near(const char *dir, int64_t sums[TOY_SECTIONS_MAX]) {
    static const struct exec_input input = {"near", 0};
    struct exec_options options = {.threads = 2, .memory_limit = toy_plenty};
    struct exec_job like = {.input_count = 1, .inputs = &input, .run = see_blob};
    struct toy_result bake;
    struct error err;
    assert_int_equal(toy_run(dir, NULL, &like, sums, sizeof *sums, &options, &bake, &err), STATUS_OK);
    return toy_runs(&bake, "near");
}

/* Sector 0 of section 1,1: sections 0,0 to 1,1 see it, those east and north of them do not, though they see
 * other sectors of that section. */
static void an_edit_of_a_first_sector_counts_within_reach_alone(void **state) {
    (void)state;
    int64_t before[TOY_SECTIONS_MAX], after[TOY_SECTIONS_MAX], cold[TOY_SECTIONS_MAX];
    memset(&toy_edit, 0, sizeof toy_edit);
    char *dir = toy_dir("first");
    assert_true(bake_near(dir, before) > 9);
    toy_edit.x = 260;
    toy_edit.y = 260;
    toy_edit.by = 0.25f;
    assert_int_equal(bake_near(dir, after), 4);
    assert_int_equal(bake_near(dir, after), 0);
    assert_true(bake_near(toy_dir("first2"), cold) > 9);
    assert_memory_equal(after, cold, sizeof(int64_t) * 12);
    assert_memory_not_equal(after, before, sizeof(int64_t) * 12);
    toy_dir("first2");
    memset(&toy_edit, 0, sizeof toy_edit);
    toy_dir("first");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_edit_of_a_first_sector_counts_within_reach_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
