/* Biomes and zones of a recipe, and the paint that names them: every mistake with its exact message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recipe_kit.h"

const struct stage *const stage_table[] = {RECIPE_STAGES, NULL};

static void zones_are_checked(void **state) {
    (void)state;
    assert_complaints(ZONES("      a: {rules: [{slope: [0, 35], altitude: \">1200\"}, {}]}\n"), "");
    assert_complaints(ZONES("      a: {rules: [{slpoe: [0, 35]}]}\n"),
                      "5:20: unknown layer 'slpoe': did you mean 'slope'?\n");
    assert_complaints(ZONES("      a: {rules: [{slope: [0, 95]}]}\n"),
                      "5:27: 'slope' of 95 is outside of what slope can be (0 to 90 degrees)\n");
    assert_complaints(ZONES("      a: {rules: [{slope: [35, 20]}]}\n"),
                      "5:27: 'slope' begins above its end: 35, 20\n");
    assert_complaints(ZONES("      a: {rules: [{slope: \">100\"}]}\n"),
                      "5:27: 'slope' of 100 is outside of what slope can be (0 to 90 degrees)\n");
    const char *form =
        "5:27: 'slope' must be a range [from, to] or a bound in quotes, \">0.4\" (or >=, <, <=)\n";
    assert_complaints(ZONES("      a: {rules: [{slope: steep}]}\n"), form);
    assert_complaints(ZONES("      a: {rules: [{slope: 20}]}\n"), form);
    assert_complaints(ZONES("      a: {rules: [{slope: \">\"}]}\n"), form);
    assert_complaints(ZONES("      a: {rules: [{slope: {over: 3}}]}\n"), form);
    assert_complaints(ZONES("      a: {rules: [{mask_shade: \">0\"}]}\n"),
                      "5:20: 'mask_shade': species stand after zones, so no rule can read what they write\n");
    assert_complaints(ZONES("      a: {rules: [{biome_id: \">0\"}]}\n"),
                      "5:20: 'biome_id' is made from what grows: neither species nor zones can read it\n");
    assert_complaints(ZONES("      a: {rules: [slope]}\n"),
                      "5:19: a rule is a map of criteria, as in {slope: [0, 35], flow: \">0.4\"}\n");
    assert_complaints(ZONES("      a: 3\n"),
                      "5:10: zone 'a' must be a map, as in {rules: [{slope: [0, 35]}]}\n");
    assert_complaints(
        ZONES("      a: {}\n"),
        "warning 5:7: zone 'a' can be nowhere: it has no 'rules', and the legend of biome_paint "
        "does not name it\n");
    assert_complaints(ZONES("      a: {rules: [{}], colour: 3}\n"),
                      "5:24: unknown key 'colour' in a zone: did you mean 'color'?\n");
    assert_complaints(ZONES("      wood: {rules: [{}]}\n"),
                      "5:7: 'wood' is the name of a biome or zone already\n");
    assert_complaints(ZONES("      a: {id: 1, rules: [{}]}\n"),
                      "5:10: biomes or zones 'wood' and 'a' both have id 1\n");
    assert_complaints("recipe: 1\nbiomes: {wood: {patch_m: 9}}\nspecies:\n" SPECIES("a", "", "[{value: 1}]"),
                      "2:26: 'patch_m' is how zones share a biome: 'wood' has no 'zones'\n");
    assert_complaints(
        "recipe: 1\nbiomes: {wood: {}}\nborder: {jitter_m: 40}\nspecies:\n" SPECIES("a", "", "[{value: 1}]"),
        "3:20: 'jitter_m' is out of range (0 to 32 m): 40\n");
    assert_complaints(
        "recipe: 1\nbiomes: {wood: {zones: {drive: {texture_only: true, rules: [{}]}}}}\nspecies:\n"
        "  a: {biomes: [drive], priority: 5, density_per_ha: 100, viability_radius_m: 1, "
        "height_m: [1, 2], viability: [{value: 1}]}\n",
        "4:16: 'drive' is texture only: nothing lives there\n");
    assert_complaints("recipe: 1\nbiomes: {wood: {zones: {dell: {rules: [{}]}}}}\nspecies:\n"
                      "  a: {biomes: [del], priority: 5, density_per_ha: 100, viability_radius_m: 1, "
                      "height_m: [1, 2], viability: [{value: 1}]}\n",
                      "4:16: unknown biome 'del': did you mean 'dell'?\n");
}

static void paint_names_biomes(void **state) {
    (void)state;
    char name[] = "biome_paint", file[] = "world.yaml", wood[] = "wood", fields[] = "fields", sea[] = "sea",
         ice[] = "glacier";
    struct legend_entry legend[] = {{.name = wood, .code = 1},
                                    {.name = fields, .code = 2},
                                    {.name = sea, .code = 3},
                                    {.name = ice, .code = 4}};
    struct world_mask mask = {.source = {.name = name, .yaml_file = file, .line = 7, .column = 3}};
    struct world world = {.masks = &mask, .mask_count = 1};
    kit_complains(STACK("[{value: 1}]"), &world,
                  "7:3: the mask biome_paint needs a legend that names biomes\n");
    mask.legend = legend;
    mask.legend_count = 2;
    kit_complains(
        STACK("[{value: 1}]"), &world,
        "7:3: biome_paint: its legend names 'fields', which is no biome of recipe.yaml: did you mean "
        "'field'?\n");
    mask.legend_count = 4;
    kit_complains(
        STACK("[{value: 1}]"), &world,
        "7:3: biome_paint: its legend names 'fields', which is no biome of recipe.yaml: did you mean "
        "'field'?\n"
        "7:3: biome_paint: its legend names 'sea', 'glacier', which are no biomes of recipe.yaml\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_are_checked),
        cmocka_unit_test(paint_names_biomes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
