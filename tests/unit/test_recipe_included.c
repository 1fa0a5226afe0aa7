/* What is said of included recipes: what of them can be nowhere is one note, and what is misspelt in a change
 * to them is one error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/recipe.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <stdio.h>
#include <string.h>

#define WORLD WORLD64 HEIGHT64 "tools: [biomes]\nbiomes: r.yaml\n"
#define BODY  "priority: 5, density_per_ha: 100, viability_radius_m: 1, height_m: [1, 2]"
#define LIBRARY                                                                                              \
    "recipe: 1\n"                                                                                            \
    "biomes:\n"                                                                                              \
    "  wood: {zones: {glade: {}, peak: {rules: [{altitude: \">5000\"}]}, low: {rules: [{slope: [0, 90]}, "   \
    "{altitude: \"<5000\", slope: \"<90\"}]}}}\n"                                                            \
    "  moor: {zones: {bog: {}}}\n"                                                                           \
    "species:\n"                                                                                             \
    "  oak: {biomes: wood, viability: [{layer: slope, under: 30}, {layer: altitude, over: 5000}], " BODY     \
    "}\n"                                                                                                    \
    "  elm: {biomes: moor, viability: [{value: 1}], " BODY "}\n"                                             \
    "  ash: {biomes: wood, viability: [{value: 1}], " BODY "}\n"

static void says(const char *recipe, const char *expected) {
    put_h64();
    put_text("lib.yaml", LIBRARY);
    put_text("r.yaml", recipe);
    world_free(load_text(WORLD, NULL, expected));
}

static void what_a_library_has_and_this_world_has_not_is_one_note(void **state) {
    (void)state;
    says("recipe: 1\ninclude: lib.yaml\n",
         "r.yaml:2:10: note: 2 species, 2 zones and 1 biome of included recipes can be nowhere here: species "
         "oak, elm; zones glade, peak; biome moor\n"
         "  include: lib.yaml\n"
         "           ^\n");
    /* defaults of the recipe make no species its own */
    says("recipe: 1\ninclude: lib.yaml\ndefaults: {all: {jitter: 0.3}}\nbiomes: {moor: ~, wood: {zones: "
         "{glade: "
         "~, peak: ~}}}\nspecies: {elm: ~}\n",
         "r.yaml:2:10: note: 1 species of included recipes can be nowhere here: oak\n"
         "  include: lib.yaml\n"
         "           ^\n");
}

/* What the recipe's own file speaks of is its own: each has its warning, at what makes it impossible. */
static void ones_own_are_warned_about(void **state) {
    (void)state;
    says(
        "recipe: 1\ninclude: lib.yaml\nbiomes:\n  moore: {id: 9, texture_id: 3}\n  wood: {zones: {glade: "
        "{texture_id: 4}}}\nspecies:\n  oak: {density_per_ha: 3}\n",
        "lib.yaml:3:18: warning: zone 'glade' can be nowhere: it has no 'rules', and the legend of "
        "biome_paint does not name it\n"
        "    wood: {zones: {glade: {}, peak: {rules: [{altitude: \">5000\"}]}, low: {rules: [{slope: [0, "
        "90]}, {a...\n"
        "                   ^\n"
        "lib.yaml:6:62: warning: species 'oak' can stand nowhere in this world: altitude can be -64 to 164 m "
        "here, where this step gives 0\n"
        "  ... oak: {biomes: wood, viability: [{layer: slope, under: 30}, {layer: altitude, over: 5000}], "
        "priority...\n"
        "                                                                 ^\n"
        "r.yaml:2:10: note: 1 species, 1 zone and 1 biome of included recipes can be nowhere here: species "
        "elm; zone peak; biome moor\n"
        "  include: lib.yaml\n"
        "           ^\n"
        "r.yaml:4:3: warning: biome 'moore' is nowhere: it is not the default_biome ('wood'), and the world "
        "has no mask biome_paint; did you mean the included 'moor'?\n"
        "    moore: {id: 9, texture_id: 3}\n"
        "    ^\n");
}

static void a_change_of_what_is_not_there_is_one_error(void **state) {
    (void)state;
    put_h64();
    put_text("lib.yaml", LIBRARY);
    put_text("r.yaml", "recipe: 1\ninclude: lib.yaml\nspecies: {elmm: {density_per_ha: 300}}\n");
    refuse_text(WORLD, STATUS_INPUT,
                "r.yaml:3:11: error: no included species 'elmm': did you mean 'elm'?\n"
                "  species: {elmm: {density_per_ha: 300}}\n"
                "            ^\n");
    put_text("r.yaml",
             "recipe: 1\ninclude: lib.yaml\nspecies: {maple: {density_per_ha: 300, biomes: wood}}\n");
    refuse_text(WORLD, STATUS_INPUT,
                "r.yaml:3:11: error: no included species 'maple'; to be a new one it needs 'priority', "
                "'viability', 'viability_radius_m', 'height_m'\n"
                "  species: {maple: {density_per_ha: 300, biomes: wood}}\n"
                "            ^\n");
    /* a new one that lacks little is a new one */
    put_text("r.yaml", "recipe: 1\ninclude: lib.yaml\nspecies: {elmm: {biomes: wood, " BODY "}}\n");
    refuse_text(WORLD, STATUS_INPUT,
                "r.yaml:3:11: error: species 'elmm' needs 'viability': a list of steps\n"
                "  species: {elmm: {biomes: wood, priority: 5, density_per_ha: 100, viability_radius_m: 1, "
                "height_m: [1...\n"
                "            ^\n");
}

static void set_changes_what_is_there(void **state) {
    (void)state;
    const char *const sets[] = {"biomes.species.elmm.density_per_ha=300", NULL};
    put_h64();
    put_text("r.yaml",
             "recipe: 1\nbiomes: {wood: {}}\nspecies:\n  elm: {biomes: wood, viability: [{value: 1}], " BODY
             "}\n");
    refuse_sets(WORLD, sets, STATUS_USAGE, "--set: error: no species 'elmm': did you mean 'elm'?\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, image_folder_make, image_folder_remove)
        IN_FOLDER(what_a_library_has_and_this_world_has_not_is_one_note),
        IN_FOLDER(ones_own_are_warned_about),
        IN_FOLDER(a_change_of_what_is_not_there_is_one_error),
        IN_FOLDER(set_changes_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
