/* What can never happen in a recipe, found by check, with exact messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome_kit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY "density_per_ha: 100, viability_radius_m: 1, height_m: [1, 2]"
/* A species of one line. */
#define SPECIES(name, where, stack, keys)                                                                    \
    "  " name ": {biomes: " where ", viability: [" stack "], priority: 5, " BODY keys "}\n"
#define HEAD "recipe: 1\nbiomes: {wood: {}, field: {}}\nspecies:\n"

static void says(const char *text, const char *expected) {
    static struct world world = {.extent = {1.0, {0, 0, 1024, 1024}},
                                 .survey = {8, 96, 16, 2048, 64, 270, 100, 0.58, 0.42, 100},
                                 .height = {.z_min_m = 800, .z_max_m = 2000}};
    kit_complains(text, &world, expected);
}

#define ZONES(zones)                                                                                         \
    "recipe: 1\nbiomes:\n  wood:\n    zones:\n" zones "species:\n" SPECIES("oak", "all", "{value: 1}", "")

static void species_that_can_win_nowhere(void **state) {
    (void)state;
    says(HEAD SPECIES("oak", "wood", "{layer: altitude, over: 1900}", ""), "");
    says(HEAD SPECIES("oak", "wood", "{layer: altitude, over: 2100}", ""),
         "warning 4:35: species 'oak' can stand nowhere in this world: altitude can be 736 to 2064 m here, "
         "where this step gives 0\n");
    says(HEAD SPECIES("oak", "field", "{value: 1}", ""),
         "warning 4:17: species 'oak' can stand nowhere: none of its biomes is painted or the default\n");
    says("recipe: 1\nbiomes: {wood: {zones: {gully: {rules: [{slope: [0, 30]}]}}}}\nspecies:\n" SPECIES(
             "oak", "gully", "{layer: slope, over: 20}", "")
             SPECIES("elm", "gully", "{layer: slope, over: 40, soft: 5}", ""),
         "warning 5:36: species 'elm' can stand nowhere in this world: slope can be 0 to 30 degrees in zone "
         "'gully', where this step gives 0\n");
    says(HEAD "  oak: {biomes: wood, viability: [{layer: slope}, {stack: high}], priority: 5, " BODY "}\n"
              "stacks: {high: [{layer: latitude}, {layer: altitude, over: 3000, soft: 500}]}\n",
         "warning 5:36: species 'oak' can stand nowhere in this world: altitude can be 736 to 2064 m here, "
         "where this step gives 0\n");
    says(ZONES("      a: {}\n"),
         "warning 5:7: zone 'a' can be nowhere: it has no 'rules', and the legend of biome_paint does not "
         "name it\n");
    says("recipe: 1\nbiomes: {wood: {zones: {high: {rules: [{altitude: \">3000\"}]}}}}\nspecies:\n" SPECIES(
             "oak", "high", "{value: 1}", ""),
         "warning 4:17: species 'oak' can stand nowhere in this world: no zone where it lives can be "
         "anywhere\n"
         "warning 2:40: a rule of zone 'high' can never win: no place of this world holds its criteria\n");
}

static void species_that_another_always_beats(void **state) {
    (void)state;
#define TWO                                                                                                  \
    SPECIES("oak", "wood", "{layer: latitude, weight: 0.5}", "") SPECIES("elm", "all", "{value: 0.6}", "")
    says(HEAD TWO, "");
    says(HEAD TWO "competition: {purity: best}\n",
         "warning 4:3: species 'oak' can win nowhere: with 'purity: best', 'elm' likes every place of its "
         "biomes better\n");
    /* where elm does not live, or seldom is better, oak has a chance */
    says(HEAD SPECIES("oak", "all", "{layer: latitude, weight: 0.5}", "")
             SPECIES("elm", "wood", "{value: 0.6}", "") "competition: {purity: best}\n",
         "");
    says(HEAD SPECIES("oak", "wood", "{layer: latitude, weight: 0.5}", "")
             SPECIES("elm", "wood", "{value: 0.4}", "") "competition: {purity: best}\n",
         "");
}

static void rules_that_can_never_win(void **state) {
    (void)state;
    says(ZONES(
             "      a: {rules: [{slope: [0, 35]}]}\n      b: {rules: [{slope: [10, 20], flow: \">0.4\"}]}\n"),
         "");
    says(ZONES("      a: {rules: [{slope: [0, 35], weight: 1}]}\n"
               "      b: {rules: [{slope: [10, 20], flow: \">0.4\"}, {slope: [30, 40]}]}\n"),
         "warning 6:19: a rule of zone 'b' can never win: that of 'a' on line 5 holds wherever it does, with "
         "more weight\n");
    says(ZONES("      a: {rules: [{}]}\n      b: {rules: [{slope: [0, 90]}]}\n"),
         "warning 5:19: a rule of zone 'a' can never win: that of 'b' on line 6 holds wherever it does, with "
         "more criteria\n");
    says(ZONES("      a: {rules: [{altitude: [2500, 2600]}, {altitude: \">1900\"}]}\n"),
         "warning 5:19: a rule of zone 'a' can never win: no place of this world holds its criteria\n");
    says(ZONES("      a: {rules: [{aspect: [315, 45], weight: 2}]}\n"
               "      b: {rules: [{aspect: [330, 30]}, {aspect: [100, 200]}]}\n"),
         "warning 6:19: a rule of zone 'b' can never win: that of 'a' on line 5 holds wherever it does, with "
         "more weight\n");
}

static void masks_that_nobody_reads(void **state) {
    (void)state;
    says(
        HEAD SPECIES(
            "oak", "wood", "{value: 1}",
            ", writes: [{mask: seeds}, {mask: seen}, {mask: out, output: true}]") "  elm: {biomes: wood, "
                                                                                  "viability: [{layer: "
                                                                                  "mask_seen}], priority: "
                                                                                  "4, " BODY "}\n",
        "warning 4:139: mask 'seeds' is written and never read: leave it out, or say 'output: true' where it "
        "is for the engine\n");
    says(HEAD SPECIES("oak", "wood", "{value: 1}",
                      ", writes: [{mask: seeds}]") "  elm: {biomes: wood, viability: [{layer: "
                                                   "distance.mask_seeds, over: 3}], priority: 4, " BODY "}\n",
         "");
}

static void classes_that_show_one_asset(void **state) {
    (void)state;
#define SIZED(second)                                                                                        \
    HEAD "  oak: {biomes: wood, viability: [{value: 1}], priority: 5, density_per_ha: 9, "                   \
         "viability_radius_m: 1, "                                                                           \
         "sizes: [{from: 0, height_m: 4}, {from: 0.5, height_m: 9" second "}]}\n"
    says(SIZED(", asset: oak_9"), "");
    says(SIZED(""),
         "warning 4:3: size classes 1 and 2 of 'oak' show one asset, 'oak', as 4 and 9 m high: give each "
         "an 'asset' of its own\n");
}

static void radii_of_zero(void **state) {
    (void)state;
    says(HEAD
         "  oak: {biomes: wood, viability: [{value: 1}], priority: 5, density_per_ha: 9, height_m: [1, 2], "
         "viability_radius_m: 0, priority_radius_m: 0}\n",
         "4:118: 'viability_radius_m' is 0, but 'oak' has priority 5: two of it would stand at one place; it "
         "may be 0.1 to 50 m\n"
         "4:140: 'priority_radius_m' is 0, but 'oak' has priority 5: nothing would keep clear of it; it may "
         "be "
         "0.01 to 50 m, and lower ones that need not may say 'heeds: none'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(species_that_can_win_nowhere), cmocka_unit_test(species_that_another_always_beats),
        cmocka_unit_test(rules_that_can_never_win),     cmocka_unit_test(masks_that_nobody_reads),
        cmocka_unit_test(classes_that_show_one_asset),  cmocka_unit_test(radii_of_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
