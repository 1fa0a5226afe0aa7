/* What a species may say of itself: turns, sizes, ages, looks, what it writes; every mistake with its exact
 * message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recipe_kit.h"

const struct stage *const stage_table[] = {RECIPE_STAGES, NULL};

static void turns_are_read_and_checked(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(KEYS("align: 0.5, lean_deg: -8, forward: downslope"));
    assert_true(r->species[0].align == 0.5f && r->species[0].lean_deg == -8.0f &&
                r->species[0].forward == FORWARD_DOWNSLOPE);
    recipe_free(r);
    assert_complaints(KEYS("align: 2"), "4:127: 'align' is out of range (0 to 1): 2\n");
    r = kit_recipe(KEYS("offset_m: [0.1, 0, -20], offset_jitter_m: [0, 0.05, 2.5], radius_spread: 0.2"));
    assert_true(r->species[0].offset_m[0] == 0.1f && r->species[0].offset_m[2] == -20.0f &&
                r->species[0].offset_jitter_m[1] == 0.05f && r->species[0].offset_jitter_m[2] == 2.5f);
    recipe_free(r);
    assert_complaints(KEYS("offset_m: 2"), "4:130: 'offset_m' must be a list of 3 numbers, not '2'\n");
    assert_complaints(KEYS("offset_m: [0, 0]"), "4:130: 'offset_m' must be a list of 3 numbers, not of 2\n");
    assert_complaints(KEYS("offset_m: [0, 0, 21]"),
                      "4:137: 'offset_m[2]' is out of range (-20 to 20 m): 21\n");
    assert_complaints(KEYS("offset_jitter_m: [0, 0, -1]"),
                      "4:144: 'offset_jitter_m[2]' is out of range (0 to 20 m): -1\n");
    assert_complaints(
        KEYS("offset_m: [0.3, 0, 0], offset_jitter_m: [0.1, 0.3, 0], radius_spread: 0.2"),
        "4:130: 'a' can be moved by 0.5 m over the ground; at most 0.2 m are possible, a quarter of "
        "the least distance to its rivals (viability_radius_m x (1 - radius_spread))\n");
}

static void sizes_must_rise(void **state) {
    (void)state;
#define SIZES(sizes)                                                                                         \
    WITH("  a: {biomes: all, priority: 5, density_per_ha: 100, viability_radius_m: 1, viability: [{value: "  \
         "1}], sizes: "                                                                                      \
         "[" sizes "]}\n")
    assert_complaints(SIZES("{from: 0, height_m: 5}, {from: 0.7, height_m: 9}, {from: 0.4, height_m: 12}"),
                      "4:160: size classes out of order: 'from' must rise, 0.4 follows 0.7\n");
    assert_complaints(SIZES("{from: 0, height_m: 5}, {from: 0.7, height_m: 4}"),
                      "4:134: size classes out of order: 'height_m' must rise with viability, 4 follows 5\n");
    assert_complaints(SIZES("{from: 0.2, height_m: 5}"),
                      "4:110: the first size class must begin at viability 0: what would stand below 0.2?\n");
    assert_complaints(SIZES("{from: 0}"), "4:110: a size class needs 'height_m'\n");
    assert_complaints(SIZES(""), "4:109: 'sizes' holds 1 to 12 classes, not 0\n");
    assert_complaints(
        SIZES("{from: 0, height_m: 5}, {from: 3, height_m: 9, asset: b}"),
        "warning 4:109: the largest size class of 'a' begins at viability 3; no place gives more than 1\n");
    assert_complaints(KEYS("sizes: [{from: 0, height_m: 2}]"),
                      "4:87: 'sizes' says the heights: leave out 'height_m'\n");
    assert_complaints(KEYS("scale_random: [2, 1]"), "4:134: 'scale_random' begins above its end\n");
}

static void ages_are_read_and_checked(void **state) {
    (void)state;
    assert_complaints(
        KEYS("age: {max_m: 20, over: 0.1, size: multiply, amount: 0.8, ramp: [[0, 0], [1, 1]]}"), "");
    assert_complaints(KEYS("age: {over: 0.1}"),
                      "4:125: 'age' needs 'max_m': how deep in its patch a species is oldest\n");
    assert_complaints(KEYS("age: {max_m: 20, size: mid, rampe: 1}"),
                      "4:143: 'size' must be none, add, multiply or mix, not 'mid': did you mean 'mix'?\n"
                      "4:148: unknown key 'rampe' in 'age': did you mean 'ramp'?\n");
    assert_complaints(KEYS("age: {max_m: 20, ramp: [[0.5, 0], [0.2, 1]]}"),
                      "4:154: points of 'ramp' out of order: 0.2 follows 0.5\n");
    assert_complaints(KEYS("age: {max_m: 20, ramp: [0.5]}"),
                      "4:143: 'ramp' holds 2 to 12 points, as in [[0, 0], [1, 1]]\n");
    assert_complaints(KEYS("age: {max_m: 20, ramp: [0.5, 1]}"),
                      "4:144: a point of 'ramp' is [x, y], as in [0.5, 1]\n");
    assert_complaints(KEYS("age: {max_m: 20, size: none, amount: 1}"),
                      "4:157: 'amount' says how age chooses the size: 'size' is none\n");
    assert_complaints(KEYS("density_over: age, density_ramp: [0, 1]"),
                      "4:134: 'density_over: age' needs an 'age'\n");
    assert_complaints(KEYS("density_over: height"),
                      "4:134: 'density_over' says what 'density_ramp' is over: there is none\n");
    /* earlier species of the same priority have their ages, and one's own is there for densities */
#define AGED "age: {max_m: 20}"
    assert_complaints(WITH(SPECIES("a", ", " AGED, "[{value: 1}]") SPECIES("b", "", "[{layer: age_a}]")
                               SPECIES("c", ", " AGED ", density_stack: [{layer: age_c}]", "[{value: 1}]")),
                      "");
    assert_complaints(
        WITH(SPECIES("a", "", "[{layer: age_b}]") SPECIES("b", ", " AGED, "[{value: 1}]")),
        "4:107: species 'a' (priority 5) reads age_b, which 'b' (priority 5) writes: it stands later in "
        "the recipe\n");
    assert_complaints(WITH(SPECIES("a", ", " AGED, "[{layer: age_a}]")),
                      "4:107: species 'a' reads age_a, which it writes itself\n");
    assert_complaints(WITH(SPECIES("a", "", "[{layer: age_b}]") SPECIES("b", "", "[{value: 1}]")),
                      "4:115: unknown layer 'age_b': give 'b' an age, as in age: {max_m: 20}\n");
}

static void looks_are_read_and_checked(void **state) {
    (void)state;
    assert_complaints(
        KEYS("tint: {over: viability, colors: [[0, \"#102030\"], [1, \"#405060\"]], jitter: 0.1}"), "");
    assert_complaints(
        KEYS("tint: {stack: [{layer: slope, under: 9}], colors: [[0, \"#102030\"], [1, \"#405060\"]]}"), "");
    assert_complaints(KEYS("tint: {over: viability}"),
                      "4:126: 'tint' needs 'colors', as in [[0, \"#4a5a2c\"], [1, \"#7d9440\"]]\n");
    assert_complaints(KEYS("tint: {over: age, colors: [[0, \"#102030\"], [1, \"#405060\"]]}"),
                      "4:133: a tint over age needs an 'age'\n");
    assert_complaints(
        KEYS("tint: {over: viability, stack: [{value: 1}], colors: [[0, \"#102030\"], [1, \"#405060\"]]}"),
        "4:133: a tint goes by 'over' or by its 'stack', not by both\n");
    assert_complaints(
        KEYS("tint: {colors: [[0, \"#102030\"], [1, \"red\"]]}"),
        "4:156: 'colors' must be in quotes and look like \"#3a5f2b\" (red, green, blue), not 'red'\n");
    assert_complaints(KEYS("tint: {colors: [[1, \"#102030\"], [0, \"#102030\"]]}"),
                      "4:152: colours of 'tint' out of order: 0 follows 1\n");
    assert_complaints(KEYS("tint: {colors: [\"#102030\", [0, \"#102030\"]]}"),
                      "4:136: a colour of 'tint' is [x, \"#rrggbb\"], as in [0.5, \"#6b7a3a\"]\n");
    assert_complaints(KEYS("tint: {colors: [[0, \"#102030\"]]}"), "4:135: 'colors' holds 2 to 12 colours\n");
    assert_complaints(KEYS("forward: windd"),
                      "4:129: 'forward' must be north, downslope, wind or random, not 'windd': "
                      "did you mean 'wind'?\n");
    assert_complaints(KEYS("roll_jitter_deg: 200"),
                      "4:137: 'roll_jitter_deg' is out of range (0 to 180 degrees): 200\n");
    assert_complaints(KEYS("variations: [{asset: dead, weight: 0.02, color: \"#808080\"}], asset: oak"), "");
    assert_complaints(KEYS("variations: [{weight: 0.02}, dead]"),
                      "4:133: a variation needs an 'asset'\n"
                      "4:149: a variation is a map, as in {asset: spruce_dead, weight: 0.02}\n");
    assert_complaints(
        KEYS("asset: oak, object_id: 9, variations: [{asset: dead, object_id: 9}]"),
        "4:3: assets 'oak' (a) and 'dead' (a) have the same object id 9: give one an 'object_id'\n");
}

static void writes_are_read_and_checked(void **state) {
    (void)state;
#define WRITES(text) KEYS("writes: [" text "]")
    assert_complaints(
        WRITES("{raise_m: 0.3, where: [{layer: slope, under: 20}]}, {textures: [[0.2, 21], [0.7, "
               "22]], falloff_m: 3}, {tint: \"#606060\", radius_m: 2}"),
        "");
    assert_complaints(WRITES("{radius_m: 2}"),
                      "4:129: one of 'writes' has one of 'mask', 'raise_m', 'textures' and 'tint'\n");
    assert_complaints(WRITES("{mask: a, raise_m: 2}"),
                      "4:129: one of 'writes' has one of 'mask', 'raise_m', 'textures' and 'tint'\n");
    assert_complaints(WRITES("{raise_m: 20}"), "4:139: 'raise_m' is out of range (-10 to 10 m): 20\n");
    assert_complaints(WRITES("{raise_m: 1, output: true}"), "4:150: 'output' is for a 'mask'\n");
    assert_complaints(WRITES("{textures: [[0.5, 21], [0.5, 22]]}"),
                      "4:152: thresholds of 'textures' must rise: 0.5 follows 0.5\n");
    assert_complaints(WRITES("{textures: [0.5, 21]}"), "4:141: a texture is [from, id], as in [0.5, 21]\n");
    assert_complaints(WRITES("{textures: []}"), "4:140: 'textures' holds 1 to 8 of [from, id]\n");
    assert_complaints(WRITES("{textures: [[0.5, 0]]}"), "4:147: 'textures' is out of range (1 to 255): 0\n");
    assert_complaints(
        WRITES("{tint: dark}"),
        "4:136: 'tint' must be in quotes and look like \"#3a5f2b\" (red, green, blue), not 'dark'\n");
    assert_complaints(WRITES("{raise_m: 1, noise: clump}"),
                      "4:149: unknown layer 'noise.clump': define it, as in noise: {clump: {scale_m: 32}}\n");
    assert_complaints(WRITES("{raise_m: 1, noise_amount: 0.2}"), "4:156: 'noise_amount' is of a 'noise'\n");
    assert_complaints(WRITES("{raise_m: 1, where: [{layer: heigth}]}"),
                      "4:158: unknown layer 'heigth': did you mean 'height'?\n");
    /* what masks read must be there before; what is done to the ground may read all */
    assert_complaints(
        WITH(RANKED("a", "9", ", writes: [{mask: m, where: [{layer: mask_n}]}]", "[{value: 1}]")
                 RANKED("b", "7", ", writes: [{mask: n}]", "[{layer: mask_m}]")),
        "4:147: species 'a' (priority 9) reads mask_n, which 'b' (priority 7) writes later; they wait "
        "for each other: 'a' reads mask_n of 'b', 'b' reads mask_m of 'a'\n");
    assert_complaints(WITH(RANKED("a", "9", ", writes: [{raise_m: 1, where: [{layer: mask_n}]}]",
                                  "[{value: 1}]") RANKED("b", "7", ", writes: [{mask: n}]", "[{value: 1}]")),
                      "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_read_and_checked),  cmocka_unit_test(sizes_must_rise),
        cmocka_unit_test(ages_are_read_and_checked),   cmocka_unit_test(looks_are_read_and_checked),
        cmocka_unit_test(writes_are_read_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
