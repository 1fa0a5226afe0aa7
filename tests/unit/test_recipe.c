/* A recipe as a whole: what is read; its needed keys, its names, its factors and its objects, every mistake
 * with its exact message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recipe_kit.h"
#include <math.h>

const struct stage *const stage_table[] = {RECIPE_STAGES, NULL};

static void everything_is_read(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(
        "recipe: 1\n"
        "competition: {spacing: 0.8, purity: 3, jitter: 0.1}\n"
        "tiers: [{priority: 7, purity: best, spacing: 0.5}]\n"
        "biomes:\n  wood: {id: 9, texture_id: 4, color: \"#102030\"}\n  field: {}\n"
        "default_biome: field\n"
        "stacks: {dry: [{layer: slope, over: 5}]}\n"
        "species:\n"
        "  oak:\n"
        "    biomes: [wood]\n    kind: tree\n    priority: 7\n    density_per_ha: 400\n"
        "    density_ramp: [0.1, 0.6]\n    viability_radius_m: 4\n    priority_radius_m: 3\n    "
        "crown_radius_m: 5\n"
        "    radius_spread: 0.3\n    jitter: 0.4\n    size_full: 2\n    size_jitter: 0.1\n    scale_random: "
        "[0.9, 1.1]\n"
        "    sizes:\n      - {from: 0, height_m: 5, asset: oak_5}\n"
        "      - {from: 0.5, height_m: 10, asset: oak_10, scale: [1, 1.5], object_id: 77}\n"
        "    yaw_deg: 90\n    yaw_jitter_deg: 10\n    color: \"#00ff7f\"\n    color_jitter: 0.3\n    crown: "
        "cone\n"
        "    writes: [{mask: canopy, radius_m: 2, falloff_m: 3}, {mask: shade}]\n"
        "    viability:\n      - {layer: slope, range: [5, 30], soft: [2, 4], weight: 1.5, floor: 0.2}\n"
        "      - {group: [{layer: altitude, under: 1500, soft: 100}, {layer: latitude, invert: true, "
        "combine: add}], "
        "combine: mix, amount: 0.3}\n"
        "      - {stack: dry}\n"
        "  moss:\n"
        "    biomes: all\n    priority: -2\n    density_per_ha: 9000\n    viability_radius_m: 0.5\n"
        "    height_m: [0.1, 0.4]\n    heeds: {7: trunk, default: 0.5}\n    viability: [{layer: "
        "mask_canopy}]\n");
    assert_int_equal(r->biome_count, 2);
    assert_int_equal(r->biomes[0].id, 9);
    assert_int_equal(r->biomes[0].texture_id, 4);
    assert_int_equal(r->biomes[0].color[2], 0x30);
    assert_int_equal(r->biomes[1].id, 2);
    assert_int_equal(r->default_biome, 1);
    assert_int_equal(r->biome_by_id[9], 0);
    assert_int_equal(r->tier_count, 2);
    assert_int_equal(r->tiers[0].priority, 7);
    assert_true(isinf(r->tiers[0].purity) && r->tiers[0].spacing == 0.5f);
    assert_true(r->tiers[1].purity == 3.0f && r->tiers[1].spacing == 0.8f);
    const struct recipe_species *oak = &r->species[0], *moss = &r->species[1];
    assert_string_equal(oak->kind, "tree");
    assert_true(oak->biomes[0] == 1 && moss->biomes[0] != 1);
    assert_true(oak->density_ramp.x[0] == 0.1f && oak->density_ramp.x[1] == 0.6f &&
                oak->density_per_ha == 400.0f);
    assert_true(oak->priority_radius_m == 3.0f && oak->crown_radius_m == 5.0f && oak->radius_spread == 0.3f);
    assert_true(oak->jitter == 0.4f && moss->jitter == 0.1f);
    assert_int_equal(oak->size_count, 2);
    assert_true(oak->sizes[0].scale[1] == 2.0f); /* up to the next class */
    assert_int_equal(oak->sizes[0].object_id, recipe_object_id("oak_5"));
    assert_int_equal(oak->sizes[1].object_id, 77);
    assert_true(oak->height_full_m == 15.0f && oak->height_max_m == 15.0f * 1.1f);
    assert_true(oak->yaw_deg == 90.0f && oak->yaw_jitter_deg == 10.0f && oak->crown == CROWN_CONE);
    assert_int_equal(oak->color[1], 255);
    assert_int_equal(oak->write_count, 2);
    assert_true(oak->writes[0].radius_m == 2.0f && oak->writes[0].falloff_m == 3.0f &&
                oak->writes[1].radius_m == 5.0f);
    assert_int_equal(oak->step_end - oak->step_first, 6);
    const struct recipe_step *s = &r->steps[oak->step_first];
    assert_true(s[0].ramp[0] == 3.0f && s[0].ramp[3] == 34.0f && s[0].weight == 1.5f && s[0].floor == 0.2f);
    assert_true(s[1].kind == STEP_GROUP && s[1].end == oak->step_first + 4 && s[1].amount == 0.3f);
    assert_true(s[3].invert && s[3].combine == COMBINE_ADD && !s[3].ranged);
    assert_true(s[4].kind == STEP_GROUP && s[5].ramp[1] == 5.0f && isinf(s[5].ramp[2]));
    assert_int_equal(moss->heeds[0].kind, HEED_TRUNK);
    assert_int_equal(moss->heed.kind, HEED_FACTOR);
    assert_true(moss->sizes[0].height_m == 0.4f && moss->sizes[0].scale[0] == 0.25f);
    recipe_free(r);
}

static void needed_keys(void **state) {
    (void)state;
    assert_complaints(WITH("  a: {}\n"), "4:3: species 'a' needs 'biomes': where it lives, names or 'all'\n"
                                         "4:3: species 'a' needs 'priority'\n"
                                         "4:3: species 'a' needs 'viability_radius_m'\n"
                                         "4:3: species 'a' needs 'density_per_ha'\n"
                                         "4:3: species 'a' needs 'height_m: [least, most]' or 'sizes'\n"
                                         "4:3: species 'a' needs 'viability': a list of steps\n");
    assert_complaints("{}", "1:1: a recipe begins with its format's version, 'recipe: 1'\n"
                            "1:1: a recipe needs 'biomes', at least one\n"
                            "1:1: a recipe needs 'species', at least one\n");
    assert_complaints("[1]", "1:1: a recipe is a map with 'biomes' and 'species'\n");
    assert_complaints("recipe: 2\nbiomes: {a: {}}\nspecies:\n" SPECIES("a", "", "[{value: 1}]"),
                      "1:9: unknown recipe version 2; this program reads 1\n");
    assert_complaints(
        "recipe: 1\nbiomes: {a: {id: 3}, b: {id: 3}}\nspecies:\n" SPECIES("a", "", "[{value: 1}]"),
        "2:25: biomes 'a' and 'b' both have id 3\n");
    assert_complaints(KEYS("color: green"),
                      "4:127: 'color' must be in quotes and look like \"#3a5f2b\" (red, green, "
                      "blue), not 'green'\n");
    assert_complaints(
        KEYS("writes: [{mask: Big Shade}]"),
        "4:136: a mask's name is made of a-z, 0-9 and _, at most 48 of them, not 'Big Shade'\n");
}

static void names_are_checked(void **state) {
    (void)state;
#define NAMED(biome, zone, species, kind, stack, ramp)                                                       \
    "recipe: 1\nbiomes: {" biome ": {zones: {" zone ": {rules: [{}]}}}}\nspecies:\n" SPECIES(                \
        species, ", kind: " kind, "[{value: 1}]") "stacks: {" stack ": [{value: 1}]}\nramps: {" ramp         \
                                                  ": {over: 1}}\n"
    assert_complaints(NAMED("caf\u00e9", "\u68ee_2", "v1.2-b", "\"2\"", "a", "b"), "");
#define RULE ": a name is made of letters, digits, _ - and ., and begins with none of the last two\n"
    assert_complaints(NAMED("old wood", "-x", "a/b", "\"\"", "\"a\\n\"", ".b"),
                      "2:10: biome 'old wood'" RULE "2:29: zone '-x'" RULE "6:9: ramp '.b'" RULE
                      "4:3: species 'a/b'" RULE "4:128: 'kind' is empty\n"
                      "5:10: stack 'a\n'" RULE);
    assert_complaints(NAMED("a", "b", "\"c\u202e\"", "\"d\u00a0\"", "e", "f"),
                      "4:3: species 'c\u202e'" RULE "4:129: kind 'd\u00a0'" RULE);
#define TEN "abcdefghij"
    assert_complaints(NAMED("a", "b", TEN TEN TEN TEN TEN TEN TEN "klmno", "d", "e", "f"), "");
    assert_complaints(NAMED("a", "b", TEN TEN TEN TEN TEN TEN TEN "klmnop", "d", "e", "f"),
                      "4:3: species '" TEN TEN TEN TEN TEN TEN TEN
                      "klmnop...': a name has at most 75 bytes\n");
    assert_complaints(NAMED("all", "b", "c", "d", "e", "f"),
                      "2:10: 'all' stands for all biomes: none can have that name\n");
}

#define FACTORS(factors) KEYS("kind: tree") "factors: " factors "\n"

static void factors_multiply_and_are_checked(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(FACTORS(
        "{density: 0.5, size: 2, biomes: {wood: {density: 3}}, kinds: {tree: {density: 0.5, size: 1.5}}, "
        "species: {a: {size: 0.5}}}"));
    struct recipe *plain = kit_recipe(KEYS("kind: tree"));
    assert_true(r->species[0].density_factor == 0.25f && r->species[0].size_factor == 1.5f);
    assert_true(r->biomes[0].density_factor == 3.0f && r->biomes[1].density_factor == 1.0f);
    assert_int_equal(r->tiers[0].cell_q, plain->tiers[0].cell_q); /* 0.75 at most: the lattice stays */
    assert_true(r->species[0].height_max_m == 3.0f && r->species[0].height_full_m == 2.0f);
    recipe_free(r);
    recipe_free(plain);
    assert_complaints(FACTORS("{density: 11}"), "5:20: 'density' is out of range (0 to 10): 11\n");
    assert_complaints(FACTORS("{biomes: {woood: {}}}"),
                      "5:20: 'factors': there is no biome 'woood': did you mean 'wood'?\n");
    assert_complaints(FACTORS("{kinds: {tre: {}}}"),
                      "5:19: 'factors': there is no kind 'tre': did you mean 'tree'?\n");
    assert_complaints(FACTORS("{species: {xyzzy: {}}}"), "5:21: 'factors': there is no species 'xyzzy'\n");
    assert_complaints(FACTORS("{species: {a: 2}}"),
                      "5:24: factors of 'a' are a map, as in {density: 0.8, size: 1.1}\n");
    assert_complaints(FACTORS("{densty: 1}"),
                      "5:11: unknown key 'densty' in 'factors': did you mean 'density'?\n");
}

static void objects_have_one_id(void **state) {
    (void)state;
#define ASSETS(sizes)                                                                                        \
    WITH("  a: {biomes: all, priority: 5, density_per_ha: 100, viability_radius_m: 1, viability: [{value: "  \
         "1}], sizes: "                                                                                      \
         "[" sizes "]}\n")
    assert_complaints(
        WITH(SPECIES("a", ", asset: one", "[{value: 1}]") SPECIES("b", ", asset: one", "[{value: 1}]")), "");
    assert_complaints(
        ASSETS("{from: 0, height_m: 1, asset: x, object_id: 5}, {from: 1, height_m: 2, asset: y, "
               "object_id: 5}"),
        "4:3: assets 'x' (a) and 'y' (a) have the same object id 5: give one an 'object_id'\n");
    assert_complaints(
        ASSETS("{from: 0, height_m: 1, asset: x, object_id: 5}, {from: 1, height_m: 2, asset: x, "
               "object_id: 6}"),
        "4:3: asset 'x' has two object ids, 5 (a) and 6 (a)\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_read),  cmocka_unit_test(needed_keys),
        cmocka_unit_test(names_are_checked),   cmocka_unit_test(factors_multiply_and_are_checked),
        cmocka_unit_test(objects_have_one_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
