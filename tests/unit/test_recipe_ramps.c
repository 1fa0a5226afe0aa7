/* Named ramps of a recipe: who takes what of them, every mistake with its exact message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/recipe.h"
#include "biome_kit.h"

#define BODY "priority: 5, density_per_ha: 100, viability_radius_m: 1, height_m: [1, 2]"
#define OAK  "species:\n  oak: {biomes: all, viability: [{value: 1}], " BODY "}\n"
#define HEAD "recipe: 1\nbiomes: {wood: {}}\n"
#define RAMPS(ramps, stack)                                                                                  \
    HEAD "ramps: {" ramps "}\nspecies:\n  oak: {viability: [" stack "], biomes: all, " BODY "}\n"

static void steps_take_named_ramps(void **state) {
    (void)state;
    struct recipe *r =
        kit_recipe(RAMPS("gentle: {range: [2, 30], soft: 10, floor: 0.5, invert: true}",
                         "{layer: slope, ramp: gentle}, {layer: slope, ramp: gentle, under: 9, "
                         "soft: 1, invert: false}"));
    const struct recipe_step *s = &r->steps[r->species[0].step_first];
    assert_true(s[0].ramp[0] == -8.0f && s[0].ramp[3] == 40.0f && s[0].floor == 0.5f && s[0].invert);
    assert_true(s[1].ramp[2] == 9.0f && s[1].ramp[3] == 10.0f && s[1].floor == 0.5f && !s[1].invert);
    recipe_free(r);
}

static void ramps_of_points_have_names(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(
        HEAD "ramps: {few: [[0, 1], [1, 0.2]], autumn: [[0, \"#102030\"], [1, \"#405060\"]]}\n" OAK
             "  elm: {like: oak, density_ramp: few, age: {max_m: 9, ramp: few}, tint: {colors: autumn}}\n");
    const struct recipe_species *elm = &r->species[1];
    assert_true(elm->density_ramp.count == 2 && elm->density_ramp.y[1] == 0.2f && elm->age.ramp.y[0] == 1.0f);
    assert_true(elm->tint.count == 2 && elm->tint.rgb[1][2] == 0x60);
    recipe_free(r);
    assert_complaints(
        HEAD
        "ramps: {few: [[0, 1], [1, 2]], soft: {over: 3}}\n" OAK
        "  elm: {like: oak, density_ramp: fwe, age: {max_m: 9, ramp: soft}}\n"
        "  ash: {like: oak, density_ramp: few}\n  box: {like: oak, viability: [{layer: slope, ramp: few}]}\n",
        "3:27: 'few' is out of range (0 to 1): 2\n"
        "6:61: ramp 'soft' is a range for steps: here it must be points, as in [[0, 0], [1, 1]]\n"
        "6:34: unknown ramp 'fwe': did you mean 'few'?\n");
    assert_complaints(
        HEAD "ramps: {few: [[0, 1], [1, 0.5]]}\n" OAK
             "  box: {like: oak, viability: [{layer: slope, ramp: few}]}\n",
        "6:53: ramp 'few' is a list of points: here it must be a range, as in {range: [0, 30], soft: 10}\n");
}

static void ramps_are_checked(void **state) {
    (void)state;
    assert_complaints(RAMPS("gentle: {over: 2}", "{layer: slope, ramp: gentel}"),
                      "5:42: unknown ramp 'gentel': did you mean 'gentle'?\n");
    assert_complaints(
        RAMPS("gentle: {over: 2, sotf: 3, floor: 2}, b: 3", "{layer: slope, ramp: gentle}"),
        "3:43: 'floor' is out of range (0 to 1): 2\n"
        "3:27: unknown key 'sotf' in a ramp: did you mean 'soft'?\n"
        "3:50: ramp 'b' must be a map, as in {range: [0, 30], soft: 10}, or a list of points\n");
    assert_complaints(
        RAMPS("gentle: {over: 200}", "{layer: slope, ramp: gentle}, {layer: slope, ramp: gentle}"),
        "3:24: 'over' of 200 is outside of what slope can be (0 to 90 degrees)\n");
    assert_complaints(RAMPS("", "{value: 1, ramp: gentle}"),
                      "5:38: 'ramp' is for what is read: a value needs none\n");
}

/* Whoever uses them, or nobody. */
static void ramps_that_nobody_uses_are_checked(void **state) {
    (void)state;
    assert_complaints(RAMPS("a: {soft: -1}, b: {over: 3, under: 2}, c: {under: x}", "{value: 1}"),
                      "3:19: 'soft' is out of range (at least 0): -1\n"
                      "3:34: 'over' is above 'under': 3, 2\n"
                      "3:59: 'under' must be a number, not 'x'\n");
    assert_complaints(
        RAMPS("a: [[0, 1], [1, 2]], b: [[1, 1], [0, 0]], c: [[0, 1]], d: [[0, 1], 3], e: [2, 1]",
              "{value: 1}"),
        "3:25: 'a' is out of range (0 to 1): 2\n"
        "3:42: points of ramp 'b' out of order: 0 follows 1\n"
        "3:54: ramp 'c' holds 2 to 12 points, as in [[0, 0], [1, 1]]\n"
        "3:76: a point of ramp 'd' is [x, y], as in [0.5, 1] or [0.5, \"#6b7a3a\"]\n"
        "3:83: 'e' begins above its end\n");
    assert_complaints(
        RAMPS("a: [[0, \"#102030\"], [1, \"#10203\"]], b: [[x, \"#102030\"], [1, \"#102030\"]]",
              "{value: 1}"),
        "3:33: 'a' must be in quotes and look like \"#3a5f2b\" (red, green, blue), not '#10203'\n"
        "3:50: 'b' must be a number (-10000 to 10000), not 'x'\n");
    assert_complaints(RAMPS("a: [[0, \"#102030\"], [1, \"#102030\"]], b: [0, 1], c: {soft: 3}", "{value: 1}"),
                      "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_take_named_ramps),
        cmocka_unit_test(ramps_of_points_have_names),
        cmocka_unit_test(ramps_are_checked),
        cmocka_unit_test(ramps_that_nobody_uses_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
