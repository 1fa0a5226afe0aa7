/* Recipes of several files: include, defaults, like; every message names the file it is about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/recipe.h"
#include "tests/unit/biome_kit.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WORLD WORLD64 HEIGHT64 "tools: [biomes]\nbiomes: r.yaml\n"
#define BODY  "priority: 5, density_per_ha: 100, viability_radius_m: 1, height_m: [1, 2]"
#define OAK   "species:\n  oak: {biomes: all, viability: [{value: 1}], " BODY "}\n"
#define HEAD  "recipe: 1\nbiomes: {wood: {}}\n"

static const struct recipe_species *find(const struct world *world, const char *name) {
    for (int32_t i = 0; i < world->recipe->species_count; i++)
        if (strcmp(world->recipe->species[i].name, name) == 0)
            return &world->recipe->species[i];
    return NULL;
}

static struct world *load(const char *recipe, const char *const *sets) {
    put_h64();
    put_text("r.yaml", recipe);
    return load_text(WORLD, sets, "");
}

static void refuse(const char *recipe, const char *expected) {
    put_h64();
    put_text("r.yaml", recipe);
    refuse_text(WORLD, STATUS_INPUT, expected);
}

/* ---- include ---- */

static void a_project_lays_its_recipe_over_a_library(void **state) {
    (void)state;
    mkdir(image_path("lib"), 0777);
    put_text("lib/trees.yaml",
             "recipe: 1\ninclude: stacks.yaml\nspecies:\n"
             "  oak: {biomes: all, viability: [{stack: dry}], color: \"#102030\", " BODY "}\n"
             "  elm: {biomes: all, viability: [{value: 1}], " BODY "}\n");
    put_text("lib/stacks.yaml", "recipe: 1\nstacks: {dry: [{layer: slope, over: 5}]}\n");
    struct world *w = load(HEAD "include: [lib/trees.yaml]\nspecies:\n  oak: {density_per_ha: 7}\n  elm: ~\n"
                                "  ash: {like: oak, color: \"#ff0000\"}\n",
                           NULL);
    const struct recipe_species *oak = find(w, "oak"), *ash = find(w, "ash");
    assert_int_equal(w->recipe->species_count, 2);
    assert_ptr_equal(oak, &w->recipe->species[0]); /* included ones first */
    assert_true(oak->density_per_ha == 7.0f && oak->color[2] == 0x30);
    assert_true(ash->density_per_ha == 7.0f && ash->color[0] == 255);
    assert_int_equal(ash->step_end - ash->step_first, 2);
    assert_string_equal(w->recipe->files[w->recipe->steps[oak->step_first + 1].file],
                        image_path("lib/stacks.yaml"));
    world_free(w);
    const char *const sets[] = {"biomes.species.oak.priority=9", NULL};
    w = load(HEAD "include: lib/trees.yaml\n", sets);
    assert_int_equal(find(w, "oak")->priority, 9);
    assert_non_null(find(w, "elm"));
    world_free(w);
}

static void later_files_win(void **state) {
    (void)state;
    put_text("a.yaml", HEAD OAK "tiers: [{priority: 5, purity: 2}]\nfactors: {density: 2}\n");
    put_text("b.yaml", "recipe: 1\nspecies: {oak: {density_per_ha: 3}}\nfactors: {size: 3}\n");
    struct world *w = load("recipe: 1\ninclude: [a.yaml, b.yaml]\nbiomes: {wood: {id: 7}}\n", NULL);
    assert_int_equal(w->recipe->biomes[0].id, 7);
    assert_true(find(w, "oak")->density_per_ha == 3.0f);
    assert_true(find(w, "oak")->density_factor == 2.0f && find(w, "oak")->size_factor == 3.0f);
    assert_true(w->recipe->tiers[0].purity == 2.0f);
    world_free(w);
}

static void a_root_names_the_library(void **state) {
    (void)state;
    mkdir(image_path("studio"), 0777);
    put_text("studio/oak.yaml", "recipe: 1\n" OAK);
    put_h64();
    put_text("r.yaml", HEAD "include: studio:oak.yaml\n");
    world_free(load_text(WORLD "roots: {studio: studio}\n", NULL, ""));
    refuse_text(WORLD "roots: {studjo: studio}\n", STATUS_INPUT,
                "r.yaml:3:10: error: no root is named 'studio': did you mean 'studjo'?\n"
                "  include: studio:oak.yaml\n"
                "           ^\n");
}

/* ---- noises of recipes ---- */

#define READER "species:\n  oak: {biomes: all, viability: [{layer: noise.clump}], " BODY "}\n"
#define NOISE  "noise: {clump: {scale_m: 20, octaves: 2, seed: 3}, fine: {}}\n"

static void a_recipe_brings_its_noises(void **state) {
    (void)state;
    put_text("lib.yaml", "recipe: 1\n" NOISE READER);
    struct world *w = load(HEAD "include: lib.yaml\n", NULL);
    const struct noise_def *n = world_find_noise(w, "clump");
    assert_int_equal(w->noise_count, 2);
    assert_true(n->scale_m == 20 && n->octaves == 2 && n->seed == 3 && n->gain == 0.5);
    assert_true(world_find_noise(w, "fine")->scale_m == 32);
    world_free(w);
    w = load(HEAD "include: lib.yaml\nnoise: {clump: {octaves: 3}, fine: ~}\n", NULL);
    n = world_find_noise(w, "clump");
    assert_true(n->scale_m == 20 && n->octaves == 3 && !world_find_noise(w, "fine"));
    world_free(w);
    const char *const sets[] = {"biomes.noise.clump.scale_m=9", "noise.clump.gain=0.25", NULL};
    w = load(HEAD "include: lib.yaml\n", sets);
    assert_true(world_find_noise(w, "clump")->scale_m == 9 && world_find_noise(w, "clump")->gain == 0.25);
    world_free(w);
}

/* What world.yaml says of a noise counts, field by field; its own noises stay. */
static void the_world_has_the_last_word_on_noises(void **state) {
    (void)state;
    put_h64();
    put_text("r.yaml", HEAD NOISE READER);
    struct world *w = load_text(WORLD "noise: {own: {seed: 1}, clump: {scale_m: 80, seed: 0}}\n", NULL, "");
    const struct noise_def *n = world_find_noise(w, "clump");
    assert_int_equal(w->noise_count, 3);
    assert_true(n->scale_m == 80 && n->octaves == 2 && n->seed == 0);
    assert_true(world_find_noise(w, "own")->seed == 1 && world_find_noise(w, "own")->octaves == 4);
    world_free(w);
    w = load_text(WORLD64 HEIGHT64
                  "tools: [biomes]\nnoise: {clump: {scale_m: 7}}\n"
                  "biomes:\n  recipe: 1\n  biomes: {wood: {}}\n  noise: {clump: {octaves: 1}}\n"
                  "  species:\n    oak: {biomes: all, viability: [{layer: noise.clump}], " BODY "}\n",
                  NULL, "");
    n = world_find_noise(w, "clump");
    assert_true(n->scale_m == 7 && n->octaves == 1);
    world_free(w);
    refuse_text(WORLD "noise: {clump: {scale_m: -1}}\n", STATUS_INPUT, /* once */
                "world.yaml:6:26: error: 'scale_m' is out of range (0.5 to 1048576 m): -1\n"
                "  noise: {clump: {scale_m: -1}}\n"
                "                           ^\n");
}

static void noises_of_recipes_are_checked(void **state) {
    (void)state;
    refuse(HEAD "noise: {clump: {scale: 20}}\n" READER,
           "r.yaml:3:17: error: unknown key 'scale' in noise.clump: did you mean 'scale_m'?\n"
           "  noise: {clump: {scale: 20}}\n"
           "                  ^\n");
    refuse(HEAD "noise: {2nd: {}, clump: {octaves: 13}}\n" READER,
           "r.yaml:3:9: error: noise '2nd' must be named with letters, digits and _, a letter first\n"
           "  noise: {2nd: {}, clump: {octaves: 13}}\n"
           "          ^\n"
           "r.yaml:3:35: error: 'octaves' is out of range (1 to 12): 13\n"
           "  noise: {2nd: {}, clump: {octaves: 13}}\n"
           "                                    ^\n");
    refuse(HEAD "noise: [clump]\n" OAK, "r.yaml:3:8: error: 'noise' must be a map of keys, not a list\n"
                                        "  noise: [clump]\n"
                                        "         ^\n");
}

static void two_files_may_not_define_a_noise_differently(void **state) {
    (void)state;
    put_text("a.yaml", "recipe: 1\n" NOISE READER);
    put_text("b.yaml", "recipe: 1\nnoise:\n  fine: {}\n  clump: {seed: 3, scale_m: 20.0, octaves: 2}\n");
    put_text("c.yaml", "recipe: 1\nnoise:\n  clump: {scale_m: 21}\n");
    world_free(load(HEAD "include: [a.yaml, b.yaml]\n", NULL)); /* the same: fine */
    refuse(HEAD "include: [a.yaml, c.yaml]\n", "c.yaml:3:3: error: noise 'clump' is another at a.yaml:2:9: "
                                               "give one of them another name, or define it "
                                               "in r.yaml, which includes both\n"
                                               "    clump: {scale_m: 21}\n"
                                               "    ^\n");
    struct world *w = load(HEAD "include: [a.yaml, c.yaml]\nnoise: {clump: {scale_m: 22}}\n", NULL);
    assert_true(world_find_noise(w, "clump")->scale_m == 22);
    world_free(w);
}

static void mistakes_are_told_where_they_stand(void **state) {
    (void)state;
    put_text("lib.yaml", "recipe: 1\nstacks: {dry: [{layer: slpoe, over: 5}]}\nspecies:\n"
                         "  oak: {biomes: all, viability: [{value: 1}], densty_per_ha: 4, " BODY "}\n");
    refuse(
        HEAD "include: lib.yaml\nfactors: {species: {oka: {size: 2}}}\n",
        "lib.yaml:2:24: error: unknown layer 'slpoe': did you mean 'slope'?\n"
        "  stacks: {dry: [{layer: slpoe, over: 5}]}\n"
        "                         ^\n"
        "lib.yaml:4:47: error: unknown key 'densty_per_ha' in a species: did you mean 'density_per_ha'?\n"
        "    oak: {biomes: all, viability: [{value: 1}], densty_per_ha: 4, priority: 5, density_per_ha: 100, "
        "vi...\n"
        "                                                ^\n"
        "r.yaml:4:21: error: 'factors': there is no species 'oka': did you mean 'oak'?\n"
        "  factors: {species: {oka: {size: 2}}}\n"
        "                      ^\n");
    put_text("lib.yaml", "recipe: 2\n" OAK);
    refuse(HEAD "include: lib.yaml\n", "lib.yaml:1:9: error: unknown recipe version 2; this program reads 1\n"
                                       "  recipe: 2\n"
                                       "          ^\n");
}

static void what_cannot_be_included(void **state) {
    (void)state;
    put_h64();
    put_text("r.yaml", HEAD "include: [gone.yaml, [b], \"\"]\n" OAK);
    refuse_text(WORLD, STATUS_FILE,
                "r.yaml:3:11: error: gone.yaml: there is no such file\n"
                "  include: [gone.yaml, [b], \"\"]\n"
                "            ^\n"
                "r.yaml:3:22: error: 'include' must be text, not a list\n"
                "  include: [gone.yaml, [b], \"\"]\n"
                "                       ^\n"
                "r.yaml:3:27: error: 'include' is empty\n"
                "  include: [gone.yaml, [b], \"\"]\n"
                "                            ^\n");
    put_text("a.yaml", "recipe: 1\ninclude: b.yaml\n");
    put_text("b.yaml", "recipe: 1\ninclude: a.yaml\n");
    refuse(HEAD "include: a.yaml\n" OAK,
           "b.yaml:2:10: error: a recipe cannot include itself: a.yaml includes b.yaml includes a.yaml\n"
           "  include: a.yaml\n"
           "           ^\n");
    refuse(HEAD "include: r.yaml\n" OAK,
           "r.yaml:3:10: error: a recipe cannot include itself: r.yaml includes r.yaml\n"
           "  include: r.yaml\n"
           "           ^\n");
    mkdir(image_path("a"), 0777);
    mkdir(image_path("b"), 0777);
    put_text("a/r.yaml", "recipe: 1\ninclude: ../b/./s.yaml\n");
    put_text("b/s.yaml", "recipe: 1\ninclude: ../a/r.yaml\n");
    refuse(HEAD "include: a/r.yaml\n" OAK,
           "a/../b/./s.yaml:2:10: error: a recipe cannot include itself: a/r.yaml includes b/s.yaml includes "
           "a/r.yaml\n"
           "  include: ../a/r.yaml\n"
           "           ^\n");
    put_text("r.yaml", HEAD "include: [a, /dev/zero]\n" OAK);
    refuse_text(WORLD, STATUS_FILE,
                "r.yaml:3:11: error: a: is a folder, not a file\n"
                "  include: [a, /dev/zero]\n"
                "            ^\n"
                "r.yaml:3:14: error: /dev/zero: is a device, not a file\n"
                "  include: [a, /dev/zero]\n"
                "               ^\n");
    put_text("a.yaml", "[1]\n");
    put_text("b.yaml", "species: {}\n");
    refuse(HEAD "include: [a.yaml, b.yaml]\n" OAK,
           "a.yaml:1:1: error: a recipe is a map with 'biomes' and 'species'\n"
           "  [1]\n"
           "  ^\n"
           "b.yaml:1:1: error: a recipe begins with its format's version, 'recipe: 1'\n"
           "  species: {}\n"
           "  ^\n");
}

/* ---- like and defaults ---- */

static void defaults_fill_what_is_not_said(void **state) {
    (void)state;
    put_text("lib.yaml", "recipe: 1\ndefaults: {all: {color_jitter: 0.5}}\n" OAK);
    struct world *w = load(
        HEAD "include: lib.yaml\n"
             "defaults:\n"
             "  all: {biomes: all, viability: [{value: 1}], color_jitter: 0.25, align: 0.5, " BODY "}\n"
             "  kinds: {bush: {priority: 3, align: 1}}\n"
             "species:\n  elm: {priority: 8}\n  box: {kind: bush}\n  ivy: {like: box, height_m: [3, 4]}\n",
        NULL);
    assert_true(find(w, "oak")->color_jitter == 0.5f && find(w, "oak")->align == 0.5f);
    assert_true(find(w, "elm")->color_jitter == 0.25f && find(w, "elm")->priority == 8);
    assert_true(find(w, "box")->priority == 3 && find(w, "box")->align == 1.0f);
    assert_true(find(w, "ivy")->priority == 3 && find(w, "ivy")->sizes[0].height_m == 4.0f);
    assert_string_equal(find(w, "ivy")->kind, "bush");
    world_free(w);
}

/* Sizes come by `sizes` or by height_m: who has the one takes nothing of the other. */
static void one_way_to_say_sizes(void **state) {
    (void)state;
    struct recipe *r = kit_recipe(
        HEAD "defaults: {all: {asset: tree, sizes: [{from: 0, height_m: 9}]}, kinds: {bush: {height_m: [1, "
             "2]}}}\n" OAK "  elm: {like: oak, sizes: [{from: 0, height_m: 3}, {from: 1, height_m: 5}]}\n"
             "  box: {kind: bush, biomes: all, viability: [{value: 1}], priority: 5, density_per_ha: 9, "
             "viability_radius_m: 1}\n");
    assert_int_equal(r->species[0].size_count, 1);
    assert_true(r->species[0].sizes[0].height_m == 2.0f);
    assert_int_equal(r->species[1].size_count, 2);
    assert_true(r->species[2].sizes[0].height_m == 2.0f);
    assert_string_equal(r->species[2].sizes[0].asset, "tree");
    recipe_free(r);
}

static void like_and_defaults_are_checked(void **state) {
    (void)state;
    assert_complaints(HEAD OAK "  elm: {like: aok}\n",
                      "5:15: 'like': there is no species 'aok': did you mean 'oak'?\n");
    assert_complaints(HEAD OAK "  a: {like: b}\n  b: {like: a}\n",
                      "6:13: 'like' goes in a circle: a is like b is like a\n");
    assert_complaints(HEAD "defaults: {all: {jiter: 3, jitter: 30}}\n" OAK "  elm: {like: oak}\n",
                      "3:36: 'jitter' is out of range (0 to 10): 30\n"
                      "3:18: unknown key 'jiter' in a species: did you mean 'jitter'?\n");
    assert_complaints(HEAD "defaults: {al: {}, kinds: {bush: {jitter: 0.3}, tree: 4, fern: {kind: bush}}, "
                           "all: {like: oak}}\n" OAK,
                      "3:91: defaults cannot be like a species\n"
                      "warning 3:28: no species is of kind 'bush'\n"
                      "3:55: defaults of kind 'tree' are a map of a species' keys\n"
                      "3:64: defaults of a kind hold neither 'kind' nor 'like'\n"
                      "3:12: unknown key 'al' in 'defaults': did you mean 'all'?\n");
    assert_complaints(HEAD
                      "defaults: {kinds: {tree: {jitter: 0.3}, bush: {jitter: 0.3}}}\n" OAK
                      "  elm: {like: oak, kind: Tree}\n  ash: {like: elm}\n  box: {like: oak, kind: bush}\n",
                      "warning 6:26: kind 'Tree' has no defaults: did you mean 'tree'?\n"
                      "warning 3:20: no species is of kind 'tree'\n");
    assert_complaints(HEAD "include: a.yaml\n" OAK, "3:10: 'include' must stand in a recipe's file\n");
}

static void defaults_that_nobody_takes_are_checked(void **state) {
    (void)state;
    assert_complaints(
        HEAD "defaults: {kinds: {bush: {jitter: 30, viability: [{layer: slpoe}], agee: 1, sizes: [{}], "
             "asset: x, density_over: age}}}\n" OAK,
        "warning 3:20: no species is of kind 'bush'\n"
        "3:85: a size class needs 'height_m'\n"
        "3:35: 'jitter' is out of range (0 to 10): 30\n"
        "3:59: unknown layer 'slpoe': did you mean 'slope'?\n"
        "3:68: unknown key 'agee' in a species: did you mean 'age'?\n");
    /* what every species says itself is taken by none; what is taken is told of once */
    assert_complaints(HEAD "defaults: {all: {priority: x, color_jitter: 2}}\n" OAK,
                      "3:45: 'color_jitter' is out of range (0 to 1): 2\n"
                      "3:28: 'priority' must be a whole number (-1000000 to 1000000), not 'x'\n");
}

static void defaults_of_included_files_are_checked(void **state) {
    (void)state;
    put_text("lib.yaml", "recipe: 1\ndefaults: {all: {priority: x}, kinds: {tree: {jitter: 99}}}\n" OAK);
    refuse(HEAD "include: lib.yaml\ndefaults: {all: {priority: y}}\n",
           "lib.yaml:2:28: error: 'priority' must be a whole number (-1000000 to 1000000), not 'x'\n"
           "  defaults: {all: {priority: x}, kinds: {tree: {jitter: 99}}}\n"
           "                             ^\n"
           "lib.yaml:2:40: warning: no species is of kind 'tree'\n"
           "  defaults: {all: {priority: x}, kinds: {tree: {jitter: 99}}}\n"
           "                                         ^\n"
           "lib.yaml:2:55: error: 'jitter' is out of range (0 to 10): 99\n"
           "  defaults: {all: {priority: x}, kinds: {tree: {jitter: 99}}}\n"
           "                                                        ^\n"
           "r.yaml:4:28: error: 'priority' must be a whole number (-1000000 to 1000000), not 'y'\n"
           "  defaults: {all: {priority: y}}\n"
           "                             ^\n");
}

static void a_species_of_no_value(void **state) {
    (void)state;
    assert_complaints(HEAD OAK "  priority: 5\n  elm: {like: oak}\n",
                      "5:3: 'priority' is a key of species: indent it as the others of its species\n");
    assert_complaints(HEAD OAK "  oka: ~\n", "5:3: species 'oka' has no value: did you mean 'oak'?\n");
    assert_complaints(
        HEAD OAK "  elm:\n  ash: [1]\n",
        "5:3: species 'elm' has no value: it is a map of its keys, and ~ takes away what an included "
        "recipe has, which this is not; for none of it: "
        "`--set biomes.factors.species.elm.density=0`\n"
        "6:8: species 'ash' must be a map of its keys, not a list\n");
    assert_complaints(HEAD OAK
                      "  elm: {like: oak, height_m: [1, 2], sizes: [{from: 0, height_m: 2}], asset: x}\n",
                      "5:30: 'sizes' says the heights: leave out 'height_m'\n"
                      "5:78: 'asset' goes with 'height_m': each of 'sizes' has its own\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, image_folder_make, image_folder_remove)
        IN_FOLDER(a_project_lays_its_recipe_over_a_library),
        IN_FOLDER(later_files_win),
        IN_FOLDER(a_root_names_the_library),
        IN_FOLDER(a_recipe_brings_its_noises),
        IN_FOLDER(the_world_has_the_last_word_on_noises),
        IN_FOLDER(noises_of_recipes_are_checked),
        IN_FOLDER(two_files_may_not_define_a_noise_differently),
        IN_FOLDER(mistakes_are_told_where_they_stand),
        IN_FOLDER(what_cannot_be_included),
        IN_FOLDER(defaults_fill_what_is_not_said),
        cmocka_unit_test(one_way_to_say_sizes),
        cmocka_unit_test(like_and_defaults_are_checked),
        cmocka_unit_test(defaults_that_nobody_takes_are_checked),
        IN_FOLDER(defaults_of_included_files_are_checked),
        cmocka_unit_test(a_species_of_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
