/* Stacks of steps: the layers that they read, their ranges, what they come to; every mistake with its exact
 * message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recipe_kit.h"

const struct stage *const stage_table[] = {RECIPE_STAGES, NULL};

static void names_are_suggested(void **state) {
    (void)state;
    assert_complaints(STACK("[{layer: slpoe}]"), "4:115: unknown layer 'slpoe': did you mean 'slope'?\n");
    assert_complaints(
        STACK("[{layer: moonlight}]"),
        "4:115: unknown layer 'moonlight': neither a layer nor a mask of world.yaml (`terrane layer "
        "WORLD --list` names them all)\n");
    assert_complaints(STACK("[{layer: age_oak}]"),
                      "4:115: unknown layer 'age_oak': no species of that name has an 'age'\n");
    assert_complaints(WITH(SPECIES("a", ", writes: [{mask: shade}]", "[{value: 1}]")
                               RANKED("b", "3", "", "[{layer: shade}]")),
                      "5:115: unknown layer 'shade': did you mean 'mask_shade'?\n");
    /* one message a layer, however many read it */
    assert_complaints(WITH(SPECIES("a", "", "[{layer: slpoe}, {layer: noise.herb}]")
                               SPECIES("b", ", density_stack: [{stack: s}]",
                                       "[{layer: slpoe}]") "  c: {like: b}\nstacks: {s: [{layer: slpoe}]}\n"),
                      "7:22: unknown layer 'slpoe': did you mean 'slope'? (3 places read it)\n"
                      "4:131: unknown layer 'noise.herb': define it, as in noise: {herb: {scale_m: 32}}\n");
    assert_complaints(STACK("[{layer: mask_wood}]"),
                      "4:115: unknown layer 'mask_wood': no species writes a mask of that name\n");
    assert_complaints(STACK("[{layer: slope, combin: add}]"),
                      "4:122: unknown key 'combin' in a step: did you mean 'combine'?\n");
    assert_complaints(STACK("[{layer: slope, combine: addd}]"),
                      "4:131: 'combine' must be multiply, add, subtract, min, max, mix or replace, not "
                      "'addd': did you mean 'add'?\n");
    assert_complaints(STACK("[{stack: dry}]"),
                      "4:115: unknown stack 'dry': 'stacks' has none of that name\n");
    assert_complaints(KEYS("prioritee: 3"),
                      "4:120: unknown key 'prioritee' in a species: did you mean 'priority'?\n");
    assert_complaints(
        WITH("  a: {biomes: [wod], priority: 5, density_per_ha: 100, viability_radius_m: 1, height_m: [1, "
             "2], viability: [{value: 1}]}\n"),
        "4:16: unknown biome 'wod': did you mean 'wood'?\n");
    assert_complaints(
        "recipe: 1\nbiomes: {wood: {colour: \"#ffffff\"}}\ndefault_biome: woood\nspecies:\n" SPECIES(
            "a", "", "[{value: 1}]"),
        "2:17: unknown key 'colour' in a biome: did you mean 'color'?\n"
        "3:16: unknown biome 'woood': did you mean 'wood'?\n");
}

static void layers_that_cannot_be_read(void **state) {
    (void)state;
    assert_complaints(STACK("[{layer: biome_id}]"),
                      "4:115: 'biome_id' is made from what grows: neither species nor zones can read it\n");
    assert_complaints(STACK("[{layer: ground_color}]"), "4:115: layer 'ground_color' holds no numbers\n");
    assert_complaints(STACK("[{layer: entities}]"), "4:115: layer 'entities' holds no numbers\n");
    assert_complaints(
        STACK("[{layer: altitude}]"),
        "4:115: what altitude can be is not known beforehand: give a 'range', 'over' or 'under'\n");
}

static void ranges_must_be_possible(void **state) {
    (void)state;
    assert_complaints(STACK("[{layer: slope, range: [20, 120]}]"),
                      "4:129: 'range' of 120 is outside of what slope can be (0 to 90 degrees)\n");
    assert_complaints(STACK("[{layer: latitude, over: 1.5}]"),
                      "4:131: 'over' of 1.5 is outside of what latitude can be (0 to 1)\n");
    assert_complaints(STACK("[{layer: slope, range: [30, 20]}]"),
                      "4:129: 'range' begins above its end: 30, 20\n");
    assert_complaints(STACK("[{layer: slope, over: 30, under: 20}]"),
                      "4:128: 'over' is above 'under': 30, 20\n");
    assert_complaints(STACK("[{layer: slope, range: [1, 2], under: 20}]"),
                      "4:129: 'range' says both ends: leave out 'over' and 'under'\n");
    assert_complaints(STACK("[{layer: slope, soft: 3}]"), "4:128: 'soft' needs 'range', 'over' or 'under'\n");
    assert_complaints(STACK("[{layer: aspect, over: 3}]"),
                      "4:107: aspect goes round: give both ends by 'range', as in [315, 45]\n");
    assert_complaints(STACK("[{layer: slope, amount: 0.5}]"), "4:130: 'amount' is for 'combine: mix'\n");
    assert_complaints(STACK("[{layer: slope, value: 1}]"),
                      "4:107: a step has one of 'layer', 'value', 'group' and 'stack'\n");
    assert_complaints(STACK("[]"), "4:106: a stack needs at least one step\n");
    assert_complaints(STACK("[slope]"), "4:107: a step is a map, as in {layer: slope, under: 35}\n");
    assert_complaints(STACK("[{layer: slope, combine: add}]"),
                      "warning 4:131: the first step has nothing below it: 'combine: add' does nothing\n");
}

/* Another unit than the layer's, most likely. */
static void ranges_that_are_hardly_any(void **state) {
    (void)state;
    assert_complaints(STACK("[{layer: slope, under: 0.66}]"),
                      "note 4:129: 'under' takes 0.73 % of what slope can be (0 to 90 degrees): degrees, not "
                      "radians\n");
    assert_complaints(STACK("[{layer: slope, range: [0.1, 1.2]}]"),
                      "note 4:129: 'range' takes 1.2 % of what slope can be (0 to 90 degrees): degrees, not "
                      "radians\n");
    assert_complaints(STACK("[{layer: latitude, over: 0.99}]"),
                      "note 4:131: 'over' takes 1 % of what latitude can be (0 to 1)\n");
    assert_complaints(ZONES("      a: {rules: [{slope: \"<0.6\"}]}\n"),
                      "note 5:27: 'slope' takes 0.67 % of what slope can be (0 to 90 degrees): degrees, not "
                      "radians\n");
    /* wide by its shoulders; one value; metres */
    assert_complaints(STACK("[{layer: slope, under: 0.66, soft: 10}, {layer: latitude, over: 1}]"), "");
    assert_complaints(WITH(RANKED("a", "9", ", writes: [{mask: shade}]", "[{layer: slope, range: [0, 2]}]")
                               RANKED("b", "7", "", "[{layer: distance.mask_shade, over: 63}]")),
                      "");
}

static void who_can_never_stand_is_told(void **state) {
    (void)state;
    assert_complaints(STACK("[{value: 0}]"), "4:107: species 'a' can stand nowhere: this step brings its "
                                             "viability to 0 whatever its layers are\n");
    assert_complaints(STACK("[{layer: latitude}, {value: 2, combine: subtract}]"),
                      "4:126: species 'a' can stand nowhere: this step brings its viability to 0 whatever "
                      "its layers are\n");
    assert_complaints(KEYS("density_ramp: [2, 3]"),
                      "4:134: species 'a' can stand nowhere: its viability reaches 1, and "
                      "'density_ramp' begins at 2\n");
}

static void what_grows_too_large_is_refused(void **state) {
    (void)state;
    assert_complaints(
        STACK("[{value: 1000}, {value: 1000, weight: 1000}]"),
        "4:106: the viability of 'a' can reach 1e+09, more than a million: lower its weights\n");
    assert_complaints(
        STACK("[{value: 1}, {group: [{value: 1000, weight: 1000}, {value: 1000, weight: 1000}], "
              "weight: 1000}, {value: 1000, weight: 1000}, {value: 1000, weight: 1000}, {value: "
              "1000, weight: 1000}, {value: 1000, weight: 1000}, {group: [{value: 1}, {value: 2, "
              "combine: subtract}]}]"),
        "4:289: the viability of 'a' has no bounds: weights multiply beyond all numbers here\n");
    assert_complaints(WITH(RADIUS("a", "5", "50")),
                      "4:3: a radius of 'a' can grow to 72.5 m; at most 64 m are possible\n");
}

static void a_stack_is_blamed_once_and_may_not_hold_itself(void **state) {
    (void)state;
    assert_complaints(BIOMES "stacks: {x: [{layer: slop}]}\nspecies:\n" SPECIES("a", "", "[{stack: x}]")
                          SPECIES("b", "", "[{stack: x}]"),
                      "3:22: unknown layer 'slop': did you mean 'slope'?\n");
    assert_complaints(BIOMES "stacks: {x: [{stack: x}]}\nspecies:\n" SPECIES("a", "", "[{value: 1}]"),
                      "3:14: groups and stacks nest more than 8 deep\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_suggested),
        cmocka_unit_test(layers_that_cannot_be_read),
        cmocka_unit_test(ranges_must_be_possible),
        cmocka_unit_test(ranges_that_are_hardly_any),
        cmocka_unit_test(who_can_never_stand_is_told),
        cmocka_unit_test(what_grows_too_large_is_refused),
        cmocka_unit_test(a_stack_is_blamed_once_and_may_not_hold_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
