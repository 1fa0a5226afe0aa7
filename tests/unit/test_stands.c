/* How many of each species stand: from the classes of entity parts to manifests, and the warnings after a
 * bake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome_kit.h"
#include "gen/stages_ground.h"
#include "gen/stands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, NULL};

#define REST "biomes: all, density_per_ha: 9, viability_radius_m: 1, viability: [{value: 1}]}\n"
static const char text[] =
    "recipe: 1\nbiomes: {wood: {}}\nspecies:\n"
    "  oak: {priority: 2, sizes: [{from: 0, height_m: 5, asset: oak_5, object_id: 7}, "
    "{from: 0.5, height_m: 9, "
    "asset: oak_9, object_id: 8, variations: [{asset: oak_dead, object_id: 11}]}], " REST
    "  old_oak: {priority: 1, height_m: [9, 9], asset: oak_9, object_id: 8, " REST
    "  lily: {priority: 1, height_m: [1, 1], asset: lily, object_id: 9, " REST;

/* A part with one entity and classes, opened. */
static void part_of(const struct entity_class *classes, size_t count, unsigned char bytes[256],
                    struct entity_part *part) {
    static const struct entity_schema schema = {0};
    struct entity e = {.qw = 1, .scale = 1};
    entity_encode(&schema, &e, entity_part_head(&schema, 1, bytes));
    entity_part_set_classes(bytes, classes, count);
    assert_int_equal(
        entity_part_open(bytes, entity_part_size(&schema, 1) + count * ENTITY_CLASS_BYTES, part, NULL),
        STATUS_OK);
}

/* Species and classes that show the same asset have their own counts. Tiers: oak; old_oak and lily. */
static void size_classes_get_what_stands_of_them(void **state) {
    (void)state;
    unsigned char bytes[256];
    struct entity_part part;
    struct recipe *recipe = kit_recipe(text);
    const struct entity_class classes[] = {
        {stands_code(0, 0, 0), 120}, {stands_code(0, 0, 1), 34},
        {stands_code(1, 0, 0), 30},  {stands_code(0, 0, 2), 1}, /* none of the recipe's: an older one's */
        {stands_code(0, 1, 0), 1},   {stands_code(2, 0, 0), 1}};
    part_of(classes, sizeof classes / sizeof *classes, bytes, &part);
    json_t *got = stands_of_part(recipe, &part), *sum = stands_none(recipe);
    json_t *want = json_pack("{s:[i,i], s:[i]}", "oak", 120, 34, "old_oak", 30);
    assert_true(json_equal(got, want));
    json_decref(want);
    want = json_pack("{s:[i,i], s:[i], s:[i]}", "oak", 240, 68, "old_oak", 60, "lily", 0);
    json_t *entry = json_pack("{s:o}", "species", got), *empty = json_pack("{s:i}", "entities", 0);
    json_t *older = json_pack("{s:i}", "entities", 3);
    assert_true(stands_add(sum, entry) && stands_add(sum, entry) && stands_add(sum, empty));
    assert_true(json_equal(sum, want));
    assert_false(stands_add(sum, older));
    json_decref(want);
    json_decref(sum);
    json_decref(entry);
    json_decref(empty);
    json_decref(older);
    recipe_free(recipe);
}

/* Two maps; counts are taken over. */
static size_t warnings_of(const struct recipe *recipe, json_t *a, json_t *b, char first[256]) {
    struct report report = {0};
    json_t *sum = stands_none(recipe), *one = json_pack("{s:o}", "species", a),
           *two = json_pack("{s:o}", "species", b);
    assert_true(stands_add(sum, one) && stands_add(sum, two));
    stands_report(recipe, sum, &report);
    size_t count = report.count;
    assert_int_equal(report.errors, 0);
    snprintf(first, 256, "%s", count ? report.items[0].message : "");
    report_free(&report);
    json_decref(sum);
    json_decref(one);
    json_decref(two);
    return count;
}

static void species_that_stand_nowhere_are_told(void **state) {
    (void)state;
    char first[256];
    struct recipe *recipe = kit_recipe(text);
    json_t *oaks = json_pack("{s:[i,i]}", "oak", 50, 0);
    assert_int_equal(warnings_of(recipe, json_incref(oaks),
                                 json_pack("{s:[i,i], s:[i]}", "oak", 0, 40, "old_oak", 10), first),
                     1);
    assert_string_equal(
        first, "species 'lily' stands nowhere; `terrane explain --at X,Y` says why it does not at a place");
    recipe->species[1].file = recipe->species[2].file = 1; /* of an included recipe: one line */
    assert_int_equal(warnings_of(recipe, json_incref(oaks), json_pack("{s:[i,i]}", "oak", 0, 40), first), 1);
    assert_string_equal(first, "2 species of included recipes stand nowhere: old_oak, lily");
    assert_int_equal(warnings_of(recipe, oaks,
                                 json_pack("{s:[i,i], s:[i], s:[i]}", "oak", 0, 39, "old_oak", 10, "lily", 1),
                                 first),
                     0);
    recipe_free(recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_classes_get_what_stands_of_them),
        cmocka_unit_test(species_that_stand_nowhere_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
