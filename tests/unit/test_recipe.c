/* Recipes as text: what is read, and every mistake with its exact message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome_kit.h"
#include "gen/stages_biome.h"
#include "gen/stages_compose.h"
#include "gen/stages_distance.h"
#include "gen/stages_ground.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope,    &stage_latlong,
                                           &stage_biome_id, &stage_height,   &stage_ground_color,
                                           &stage_entities, &stage_distance, NULL};

#define BIOMES "recipe: 1\nbiomes: {wood: {}, field: {}}\n" /* lines 1 and 2 */
/* A species of one line: line 4 when it is the first. */
#define SPECIES(name, keys, stack)                                                                           \
    "  " name ": {biomes: all, priority: 5, density_per_ha: 100, viability_radius_m: 1, height_m: [1, 2], "  \
    "viability: " stack keys "}\n"
#define RANKED(name, priority, keys, stack)                                                                  \
    "  " name ": {biomes: all, priority: " priority                                                          \
    ", density_per_ha: 100, viability_radius_m: 1, height_m: [1, 2], viability: " stack keys "}\n"
#define WITH(species) BIOMES "species:\n" species
#define STACK(stack)  WITH(SPECIES("a", "", stack))
#define KEYS(keys)    WITH(SPECIES("a", ", " keys, "[{value: 1}]"))

static void assert_complaints(const char *text, const char *expected) {
    char *got = kit_complaints(text, NULL);
    if (strcmp(got, expected) != 0)
        fail_msg("for\n%s\ngot\n%s\ninstead of\n%s", text, got, expected);
    free(got);
}

/* ---- what is read ---- */

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

/* ---- mistakes ---- */

/* A recipe whose biome has these zones. */
#define ZONES(zones)                                                                                         \
    "recipe: 1\nbiomes:\n  wood:\n    zones:\n" zones "species:\n" SPECIES("a", "", "[{value: 1}]")

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

#define RADIUS(name, priority, radius)                                                                       \
    "  " name ": {biomes: all, priority: " priority                                                          \
    ", density_per_ha: 10, height_m: [1, 2], viability_radius_m: " radius ", viability: [{value: 1}]}\n"

static void tiers_are_checked(void **state) {
    (void)state;
    assert_complaints(
        WITH(RADIUS("grass", "5", "0.5") RADIUS("spruce", "5", "4.2")),
        "5:96: species of priority 5 have viability radii from 0.5 m (grass) to 4.2 m (spruce), more "
        "than 1 : 4: give 'spruce' a priority of its own, above 5\n");
    assert_complaints(BIOMES "tiers: [{priority: 4}]\nspecies:\n" SPECIES("a", "", "[{value: 1}]"),
                      "3:20: no species has priority 4\n");
    assert_complaints(BIOMES
                      "tiers: [{priority: 5}, {priority: 5}]\nspecies:\n" SPECIES("a", "", "[{value: 1}]"),
                      "3:35: priority 5 has a tier already\n");
    assert_complaints(
        BIOMES "competition: {spacing: 0.3}\nspecies:\n" SPECIES("a", "", "[{value: 1}]"),
        "warning 3:24: a spacing under 0.4 costs many rounds of competition for few more plants; 0.65 to "
        "0.8 is enough\n");
    assert_complaints(KEYS("jitter: 0"),
                      "warning 4:128: without 'jitter' chains of rivals run for hundreds of metres "
                      "and many stay undecided\n");
    assert_complaints(KEYS("heeds: {9: trunk}"), "4:128: no species has priority 9\n");
    assert_complaints(KEYS("heeds: {5: trunk}"), "4:128: priority 5 is not above this species' own (5)\n");
    assert_complaints(KEYS("heeds: trunc"),
                      "4:127: 'heeds' must be crown, trunk or none, not 'trunc': did you mean 'trunk'?\n");
}

static void priorities_are_limited(void **state) {
    (void)state;
    char text[8192] = WITH("");
    for (int i = 0; i < 31; i++)
        snprintf(
            text + strlen(text), sizeof text - strlen(text),
            "  s%d: {biomes: all, priority: %d, density_per_ha: 10, height_m: [1, 2], viability_radius_m: 1, "
            "viability: [{value: 1}]}\n",
            i, i);
    assert_complaints(text, "34:32: more than 30 different priorities\n");
}

static void readers_come_after_writers(void **state) {
    (void)state;
    assert_complaints(WITH(SPECIES("a", ", writes: [{mask: shade}]", "[{value: 1}]")
                               SPECIES("b", "", "[{layer: mask_shade}]")),
                      "5:107: species 'b' (priority 5) reads mask_shade, which 'a' (priority 5) writes: it "
                      "could displace what "
                      "it reads; a reader needs a lower priority than every writer\n");
    /* one message a mask, whoever reads it early */
    assert_complaints(
        WITH(RANKED("a", "9", "", "[{layer: mask_shade}]")
                 RANKED("b", "7", "", "[{layer: distance.mask_shade, over: 3}]")
                     RANKED("c", "5", ", writes: [{mask: shade}]", "[{value: 1}]")),
        "4:107: species 'a' (priority 9) reads mask_shade, which 'c' (priority 5) writes later; a "
        "reader needs a lower priority than every writer (and 1 more of who reads and who "
        "writes it)\n");
    /* nor is anything said of the order while priorities are wrong */
    assert_complaints(WITH(RANKED("a", "9", ", heeds: {5: trunk}", "[{layer: mask_shade}]")
                               RANKED("c", "x", ", writes: [{mask: shade}]", "[{value: 1}]")),
                      "5:30: 'priority' must be a whole number (-1000000 to 1000000), not 'x'\n");
    assert_complaints(WITH(SPECIES("a", ", writes: [{mask: shade}]", "[{layer: mask_shade}]")),
                      "4:107: species 'a' reads mask_shade, which it writes itself\n");
    assert_complaints(
        WITH(RANKED("a", "9", ", writes: [{mask: shade}]", "[{layer: distance.mask_litter, over: 1}]")
                 RANKED("b", "7", ", writes: [{mask: twigs}]", "[{layer: mask_shade}]")
                     RANKED("c", "5", ", writes: [{mask: litter}]", "[{layer: mask_twigs}]")),
        "4:107: species 'a' (priority 9) reads distance.mask_litter, which 'c' (priority 5) writes later; "
        "they "
        "wait for each other: 'a' reads distance.mask_litter of 'c', 'c' reads mask_twigs of 'b', 'b' reads "
        "mask_shade of 'a'\n");
    assert_complaints(WITH(RANKED("a", "9", ", writes: [{mask: shade}]", "[{value: 1}]") RANKED(
                          "b", "7", "", "[{layer: mask_shade}, {layer: distance.mask_shade, over: 3}]")),
                      "");
    assert_complaints(WITH(RANKED("a", "9", ", writes: [{mask: shade}]", "[{value: 1}]")
                               RANKED("b", "7", "", "[{layer: distance.mask_shape, over: 3}]")),
                      "5:115: unknown layer 'distance.mask_shape': did you mean 'distance.mask_shade'?\n");
    assert_complaints(WITH(SPECIES("a", ", writes: [{mask: shade}]", "[{layer: mask_shad}]")),
                      "4:115: unknown layer 'mask_shad': did you mean 'mask_shade'?\n");
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
    char *got = kit_complaints(STACK("[{value: 1}]"), &world);
    assert_string_equal(got, "7:3: the mask biome_paint needs a legend that names biomes\n");
    free(got);
    mask.legend = legend;
    mask.legend_count = 2;
    got = kit_complaints(STACK("[{value: 1}]"), &world);
    assert_string_equal(
        got, "7:3: biome_paint: its legend names 'fields', which is no biome of recipe.yaml: did you mean "
             "'field'?\n");
    free(got);
    mask.legend_count = 4;
    got = kit_complaints(STACK("[{value: 1}]"), &world);
    assert_string_equal(
        got, "7:3: biome_paint: its legend names 'fields', which is no biome of recipe.yaml: did you mean "
             "'field'?\n"
             "7:3: biome_paint: its legend names 'sea', 'glacier', which are no biomes of recipe.yaml\n");
    free(got);
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
        cmocka_unit_test(everything_is_read),
        cmocka_unit_test(zones_are_checked),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(turns_are_read_and_checked),
        cmocka_unit_test(factors_multiply_and_are_checked),
        cmocka_unit_test(names_are_suggested),
        cmocka_unit_test(layers_that_cannot_be_read),
        cmocka_unit_test(ranges_must_be_possible),
        cmocka_unit_test(ranges_that_are_hardly_any),
        cmocka_unit_test(sizes_must_rise),
        cmocka_unit_test(needed_keys),
        cmocka_unit_test(tiers_are_checked),
        cmocka_unit_test(priorities_are_limited),
        cmocka_unit_test(readers_come_after_writers),
        cmocka_unit_test(ages_are_read_and_checked),
        cmocka_unit_test(looks_are_read_and_checked),
        cmocka_unit_test(writes_are_read_and_checked),
        cmocka_unit_test(who_can_never_stand_is_told),
        cmocka_unit_test(what_grows_too_large_is_refused),
        cmocka_unit_test(a_stack_is_blamed_once_and_may_not_hold_itself),
        cmocka_unit_test(paint_names_biomes),
        cmocka_unit_test(objects_have_one_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
