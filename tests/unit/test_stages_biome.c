/* The biome stages through the executor: sections, threads and subsets make no difference; what stands equals
 * competition on the undivided field; nobody stands too near, whatever the borders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/overrule.h"
#include "biome/patch.h"
#include "gen/entity.h"
#include "tests/unit/biome_world_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {
    &kit_stage_fields,   &kit_stage_paint,    &kit_stage_height,     &stage_biome_id,
    &stage_patch,        &stage_age,          &stage_candidates,     &stage_compete,
    &stage_stand,        &stage_mask_written, &stage_imprint_height, &stage_imprint_texture,
    &stage_imprint_tint, &stage_entities,     &stage_zone,           NULL};

static void threads_and_subsets_make_no_difference(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(kit_text);
    struct world world = kit_world(recipe);
    struct kit_bake whole, other;
    kit_bake_world(&world, kit_fresh_dir(), 1, -1, &whole);
    kit_bake_world(&world, kit_fresh_dir(), 3, -1, &other);
    kit_assert_same(&whole, &other);
    kit_bake_free(&other);
    for (int32_t i = 0; i < whole.count; i++) {
        kit_bake_world(&world, kit_fresh_dir(), 2, i, &other);
        assert_int_equal(other.count, 1);
        kit_assert_same(&whole, &other);
        kit_bake_free(&other);
    }
    kit_fresh_dir();
    kit_bake_free(&whole);
    recipe_free(recipe);
}

/* In place of a field of the kit: the age of the oak over the whole world at once. */
static void set_age(const struct recipe *recipe, struct kit_ground *g) {
    enum { BLOCKS = 200, ROOM = 1 << 23 };
    static uint8_t patch_cells[BLOCKS * BLOCKS], age_cells[BLOCKS * BLOCKS];
    struct grid_u8 patch = {patch_cells, -35, -50, BLOCKS, BLOCKS, BLOCKS}, age = patch;
    struct arena arena = {malloc(ROOM), ROOM, 0};
    const struct recipe_species *oak = &recipe->species[0];
    age.cells = age_cells;
    assert_int_equal(biome_patch(recipe, oak, &g->biome_id, g->layers, &patch, &arena, NULL), STATUS_OK);
    assert_int_equal(biome_age(oak, 1.0, &patch, &age, &arena, NULL), STATUS_OK);
    g->layers[oak->age.layer] = (struct biome_layer){
        CELL_U8, age_cells, age.x0, age.y0, BLOCKS, PATCH_LOG2, (float)(1.0 / 255.0), 0.0f};
    free(arena.base);
}

/* The tier that reads no mask, by kernels over the whole world at once. */
static void what_stands_equals_the_undivided_field(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(kit_text);
    struct world world = kit_world(recipe);
    struct kit_ground ground_layers;
    struct kit_bake bake;
    kit_bake_world(&world, kit_fresh_dir(), 2, -1, &bake);
    kit_ground_make(&ground_layers, recipe, -70, -100, 400);
    set_age(recipe, &ground_layers);
    size_t count, sum = 0, at = 0;
    struct biome_candidate *c =
        kit_candidates(recipe, 0, world.seed, &ground_layers, -70, -100, 330, 300, &count);
    uint8_t *decided = calloc(count, 1);
    struct arena arena = {malloc(biome_compete_scratch(count)), biome_compete_scratch(count), 0};
    assert_int_equal(biome_compete(recipe, c, count, RECIPE_ROUNDS, decided, NULL, &arena, NULL), STATUS_OK);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (decided[i] == RIVAL_STANDS)
            c[kept++] = c[i];
    for (int32_t i = 0; i < bake.count; i++)
        sum += bake.results[i].count[0];
    assert_int_equal(sum, kept);
    struct biome_candidate *all = malloc((sum + 1) * sizeof *all);
    for (int32_t i = 0; i < bake.count; i++)
        for (size_t k = 0; k < bake.results[i].count[0]; k++)
            all[at++] = bake.results[i].stand[0][k];
    qsort(all, sum, sizeof *all, kit_by_id);
    qsort(c, kept, sizeof *c, kit_by_id);
    assert_memory_equal(all, c, kept * sizeof *c);
    free(all);
    free(c);
    free(decided);
    free(arena.base);
    kit_ground_free(&ground_layers);
    kit_bake_free(&bake);
    kit_fresh_dir();
    recipe_free(recipe);
}

/* ---- radii, whatever the borders ---- */

static int by_x(const void *a, const void *b) {
    const struct biome_candidate *x = a, *y = b;
    return (x->x_q > y->x_q) - (x->x_q < y->x_q);
}

/* The distance that must lie between two that stand, in 1/1024 m. */
static int64_t asked_q(const struct recipe *recipe, const struct biome_candidate *a,
                       const struct biome_candidate *b) {
    int32_t p = biome_radius_q(recipe, a), q = biome_radius_q(recipe, b);
    if (a->tier == b->tier)
        return p > q ? p : q;
    return a->tier < b->tier ? biome_heed_q(recipe, a, b) : biome_heed_q(recipe, b, a);
}

/* What stands of all tiers in all sections, by x. */
static struct biome_candidate *all_standing(const struct kit_bake *bake, size_t *count) {
    size_t n = 0;
    for (int32_t i = 0; i < bake->count; i++)
        for (int32_t t = 0; t < KIT_TIERS; t++)
            n += bake->results[i].count[t];
    struct biome_candidate *all = malloc((n + 1) * sizeof *all);
    *count = 0;
    for (int32_t i = 0; i < bake->count; i++)
        for (int32_t t = 0; t < KIT_TIERS; t++)
            for (size_t k = 0; k < bake->results[i].count[t]; k++)
                all[(*count)++] = bake->results[i].stand[t][k];
    qsort(all, n, sizeof *all, by_x);
    return all;
}

/* On another world, all pairs nearer than 9 m; the borders of maps (0), sections and sectors lie
 * between many of them. */
static void nobody_stands_too_near_across_borders(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(kit_text);
    for (uint64_t seed = 6; seed < 7; seed++) { /* each takes seconds with sanitizers */
        struct world world = kit_world(recipe);
        struct kit_bake bake;
        size_t count, over_sectors = 0, over_maps = 0;
        world.seed = seed;
        kit_bake_world(&world, kit_fresh_dir(), 2, -1, &bake);
        struct biome_candidate *all = all_standing(&bake, &count);
        for (size_t i = 0; i < count; i++)
            for (size_t k = i + 1; k < count && all[k].x_q - all[i].x_q < 9 * 1024; k++) {
                int64_t dx = all[k].x_q - all[i].x_q, dy = all[k].y_q - all[i].y_q;
                int64_t apart = asked_q(recipe, &all[i], &all[k]);
                assert_true(dx * dx + dy * dy >= apart * apart);
                if (dx * dx + dy * dy > 4 * 1024 * 1024)
                    continue;
                int32_t ax = all[i].x_q >> 10, bx = all[k].x_q >> 10, ay = all[i].y_q >> 10,
                        by = all[k].y_q >> 10;
                over_sectors += ax >> 6 != bx >> 6 || ay >> 6 != by >> 6;
                over_maps += ax >> 10 != bx >> 10 || ay >> 10 != by >> 10;
            }
        assert_true(count > 8000 && over_sectors > 300 && over_maps > 30);
        free(all);
        kit_bake_free(&bake);
    }
    kit_fresh_dir();
    recipe_free(recipe);
}

/* Repainting a square of 10 m: nobody farther than the reach of the tiers is moved, added or removed, and the
 * store gives most sections. */
static void painting_changes_nothing_far_away(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(kit_text);
    struct world world = kit_world(recipe);
    struct kit_bake before, after;
    char *dir = kit_fresh_dir();
    kit_bake_world(&world, dir, 2, -1, &before);
    kit_painted_over = (struct rect){40, 120, 50, 130};
    kit_bake_world(&world, dir, 2, -1, &after);
    size_t changed = 0;
    for (int32_t i = 0; i < before.count; i++)
        for (int32_t t = 0; t < KIT_TIERS; t++) {
            const struct kit_result *a = &before.results[i], *b = &after.results[i];
            qsort(a->stand[t], a->count[t], sizeof *a->stand[t], kit_by_id);
            qsort(b->stand[t], b->count[t], sizeof *b->stand[t], kit_by_id);
            for (size_t k = 0; k < a->count[t]; k++) {
                const struct biome_candidate *c = &a->stand[t][k];
                if (bsearch(c, b->stand[t], b->count[t], sizeof *c, kit_by_id))
                    continue;
                double dx = (double)c->x_q / 1024 - 45, dy = (double)c->y_q / 1024 - 125;
                assert_true(sqrt(dx * dx + dy * dy) < 60);
                changed++;
            }
        }
    assert_true(changed > 0 && changed < 100);
    for (int32_t i = 0; i < after.report.stage_count; i++)
        if (strcmp(after.report.stages[i].stage->name, "candidates") == 0)
            assert_true(after.report.stages[i].runs <= 2 * KIT_TIERS);
    kit_painted_over = (struct rect){0, 0, 0, 0};
    kit_bake_free(&before);
    kit_bake_free(&after);
    kit_fresh_dir();
    recipe_free(recipe);
}

/* Everything that a tier's species says is in the keys of its stages. */
static void a_changed_radius_is_not_taken_from_the_store(void **state) {
    (void)state;
    struct recipe *one = kit_recipe(kit_text);
    char changed[KIT_TEXT_MAX];
    memcpy(changed, kit_text, strlen(kit_text) + 1);
    memcpy(strstr(changed, "viability_radius_m: 1.4"), "viability_radius_m: 1.3", 23);
    struct recipe *two = kit_recipe(changed);
    struct world world = kit_world(one);
    struct kit_bake a, b, cold;
    char *dir = kit_fresh_dir();
    kit_bake_world(&world, dir, 2, -1, &a);
    world.recipe = two;
    kit_bake_world(&world, dir, 2, -1, &b);
    kit_bake_world(&world, kit_fresh_dir(), 2, -1, &cold);
    kit_assert_same(&b, &cold);
    assert_true(memcmp(a.results[0].hash, b.results[0].hash, sizeof a.results[0].hash) != 0);
    assert_memory_equal(&a.results[0].hash[0], &b.results[0].hash[0], sizeof a.results[0].hash[0]);
    kit_bake_free(&a);
    kit_bake_free(&b);
    kit_bake_free(&cold);
    kit_fresh_dir();
    recipe_free(one);
    recipe_free(two);
}

/* Without jitter chains of rivals outlast the rounds on a smooth field; whoever is left is dropped, and every
 * part of entities says how many. */
static void the_undecided_are_counted(void **state) {
    (void)state;
    char chained[KIT_TEXT_MAX + 256];
    snprintf(
        chained, sizeof chained,
        "%.*s  fern: {biomes: all, priority: 10, density_per_ha: 60000, density_ramp: [0, 0.01], jitter: 0, "
        "viability_radius_m: 1.5, height_m: [1, 1], heeds: none, viability: [{layer: longitude}]}\n",
        (int)(strstr(kit_text, "  fern:") - kit_text), kit_text);
    struct recipe *recipe = kit_recipe(chained);
    struct world world = kit_world(recipe);
    struct kit_bake bake;
    size_t told = 0, counted = 0;
    kit_bake_world(&world, kit_fresh_dir(), 2, 3, &bake);
    counted = bake.results[0].stock.undecided;
    for (int32_t k = 0; k < 16; k++) {
        struct entity_part part;
        assert_int_equal(
            entity_part_open(bake.results[0].entities[k], bake.results[0].entity_bytes[k], &part, NULL),
            STATUS_OK);
        told += part.stock.undecided;
        if (part.count > 0)
            assert_int_equal(part.stock.rounds, RECIPE_ROUNDS); /* not all were settled */
    }
    assert_true(told > 0);
    assert_int_equal(told, counted); /* the other tiers have jitter, and nobody undecided */
    kit_bake_free(&bake);
    kit_fresh_dir();
    recipe_free(recipe);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(kit_text);
    struct world world = kit_world(recipe);
    struct stage_inputs in = {0};
    struct error err = {0};
    const char *const tiers[] = {"3", "x", "", "01", "-1", "99999"};
    for (int i = 0; i < 6; i++)
        assert_int_equal(stage_candidates.inputs(&world, tiers[i], &in, &err), STATUS_INPUT);
    assert_string_equal(err.message, "the recipe has no tier '99999' (it has 3)");
    assert_int_equal(stage_compete.inputs(&world, "0.99", &in, &err), STATUS_INPUT);
    assert_int_equal(stage_compete.inputs(&world, "0", &in, &err), STATUS_INPUT);
    assert_int_equal(stage_mask_written.inputs(&world, "rest", &in, &err), STATUS_INPUT);
    assert_string_equal(err.message, "no species writes a mask 'rest'");
    assert_int_equal(stage_zone.inputs(&world, "", &in, &err), STATUS_INPUT);
    assert_string_equal(err.message, "the recipe has no zones");
    world.recipe = NULL;
    assert_int_equal(stage_entities.inputs(&world, "", &in, &err), STATUS_INPUT);
    assert_string_equal(err.message, "the world has no recipe ('biomes:')");
    recipe_free(recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_subsets_make_no_difference),
        cmocka_unit_test(what_stands_equals_the_undivided_field),
        cmocka_unit_test(nobody_stands_too_near_across_borders),
        cmocka_unit_test(painting_changes_nothing_far_away),
        cmocka_unit_test(a_changed_radius_is_not_taken_from_the_store),
        cmocka_unit_test(the_undecided_are_counted),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
