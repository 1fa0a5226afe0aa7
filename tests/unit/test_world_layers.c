#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void output_layers_that_nobody_can_make(void **state) {
    (void)state;
    put_h64();
    refuse_text(WORLD64 HEIGHT64
                "noise: {clump: {}}\n"
                "output: {layers: [noise.clump, noise.clumb, distance.slope, distance.nope,\n"
                "  distance.void, mask.wet]}\n",
                STATUS_INPUT,
                "world.yaml:5:32: error: output.layers: there is no layer 'noise.clumb'; did you mean "
                "'noise.clump'?\n"
                "  output: {layers: [noise.clump, noise.clumb, distance.slope, distance.nope,\n"
                "                                 ^\n"
                "world.yaml:5:45: error: output.layers: there is no layer 'distance.slope'; did you mean "
                "'distance.placed'?\n"
                "  output: {layers: [noise.clump, noise.clumb, distance.slope, distance.nope,\n"
                "                                              ^\n"
                "world.yaml:5:61: error: output.layers: there is no layer 'distance.nope'; did you mean "
                "'distance.void'?\n"
                "  output: {layers: [noise.clump, noise.clumb, distance.slope, distance.nope,\n"
                "                                                              ^\n"
                "world.yaml:6:18: error: output.layers: there is no layer 'mask.wet'\n"
                "    distance.void, mask.wet]}\n"
                "                   ^\n");
}

static void every_tool_that_is_missing_is_named_once(void **state) {
    (void)state;
    put_h64();
    put_text(
        "r.yaml",
        "recipe: 1\nbiomes: {b: {id: 1}}\nspecies:\n"
        "  oak: {biomes: all, priority: 3, density_per_ha: 100, viability_radius_m: 1, height_m: [1, 5],\n"
        "    viability: [{layer: distance.water, over: 3},\n"
        "      {layer: water, under: 0.5},\n"
        "      {layer: cliffs, under: 0.5}]}\n");
    refuse_text(
        WORLD64 HEIGHT64 "tools: [biomes]\nbiomes: r.yaml\n", STATUS_INPUT,
        "r.yaml:5:17: error: layer 'distance.water' cannot be made: it needs the tool 'freshwater': add it "
        "to "
        "'tools' (2 places read what it makes)\n"
        "      viability: [{layer: distance.water, over: 3},\n"
        "                  ^\n"
        "r.yaml:7:7: error: layer 'cliffs' cannot be made: it needs the tool 'cliffs': add it to 'tools'\n"
        "        {layer: cliffs, under: 0.5}]}\n"
        "        ^\n");
}

static void radii_of_agents(void **state) {
    (void)state;
    put_h64();
    refuse_text(WORLD64 HEIGHT64 "output: {clearance_m: [0.5, 0.4, 17, 3, 4]}\n", STATUS_INPUT,
                "world.yaml:4:23: error: 'output.clearance_m' holds at most 4 radii\n"
                "  output: {clearance_m: [0.5, 0.4, 17, 3, 4]}\n"
                "                        ^\n"
                "world.yaml:4:29: error: 'output.clearance_m' must rise: 0.4 follows 0.5\n"
                "  output: {clearance_m: [0.5, 0.4, 17, 3, 4]}\n"
                "                              ^\n"
                "world.yaml:4:34: error: 'output.clearance_m[2]' is out of range (0 to 16 m): 17\n"
                "  output: {clearance_m: [0.5, 0.4, 17, 3, 4]}\n"
                "                                   ^\n");
    struct world *w = load_text(WORLD64 HEIGHT64, NULL, "");
    assert_int_equal(w->output.agent_count, 2);
    assert_true(w->output.agent_m[0] == 0.5 && w->output.agent_m[1] == 1.5);
    world_free(w);
    w = load_text(WORLD64 HEIGHT64 "output: {clearance_m: []}\n", NULL, "");
    assert_int_equal(w->output.agent_count, 0);
    world_free(w);
}

static const char recipe_head[] = "recipe: 1\nbiomes: {b: {id: 1}}\ndefault_biome: b\nspecies:\n";

/* A world with one species that reads `layer` and writes the mask "seeds"; its recipe's lines 5 and 6. */
static void refuse_layer(const char *layer, const char *expected) {
    char recipe[1024];
    put_h64();
    snprintf(recipe, sizeof recipe,
             "%s  oak: {biomes: all, priority: 1, density_per_ha: 9, viability_radius_m: 3, height_m: [1, "
             "2], asset: o,\n"
             "    viability: [{layer: %s, under: 3}], writes: [{mask: seeds}]}\n",
             recipe_head, layer);
    put_text("r.yaml", recipe);
    refuse_text(WORLD64 HEIGHT64 "noise: {clump: {}}\ntools: [biomes]\nbiomes: r.yaml\n", STATUS_INPUT,
                expected);
}

static void species_layers_that_nobody_can_make(void **state) {
    (void)state;
    refuse_layer("noise.clumb",
                 "r.yaml:6:25: error: unknown layer 'noise.clumb': did you mean 'noise.clump'?\n"
                 "      viability: [{layer: noise.clumb, under: 3}], writes: [{mask: seeds}]}\n"
                 "                          ^\n");
    refuse_layer(
        "noise.clum",
        "r.yaml:6:25: error: unknown layer 'noise.clum': did you mean 'noise.clump'? Else define it, as "
        "in noise: {clum: {scale_m: 32}}\n"
        "      viability: [{layer: noise.clum, under: 3}], writes: [{mask: seeds}]}\n"
        "                          ^\n");
    refuse_layer("clump", "r.yaml:6:25: error: unknown layer 'clump': did you mean 'noise.clump'?\n"
                          "      viability: [{layer: clump, under: 3}], writes: [{mask: seeds}]}\n"
                          "                          ^\n");
    refuse_layer("distance.slope",
                 "r.yaml:6:25: error: unknown layer 'distance.slope': world.yaml has no mask 'slope'\n"
                 "      viability: [{layer: distance.slope, under: 3}], writes: [{mask: seeds}]}\n"
                 "                          ^\n");
    refuse_layer(
        "distance.mask_oak",
        "r.yaml:6:25: error: unknown layer 'distance.mask_oak': no species writes a mask of that name\n"
        "      viability: [{layer: distance.mask_oak, under: 3}], writes: [{mask: seeds}]}\n"
        "                          ^\n");
    refuse_layer("distance.mask_seeds",
                 "r.yaml:6:17: error: species 'oak' reads distance.mask_seeds, which it writes itself\n"
                 "      viability: [{layer: distance.mask_seeds, under: 3}], writes: [{mask: seeds}]}\n"
                 "                  ^\n");
}

static void a_section_may_have_any_number_of_pictures(void **state) {
    (void)state;
    char yaml[8192];
    size_t n = (size_t)snprintf(yaml, sizeof yaml, "%s%snoise:\n", WORLD64, HEIGHT64);
    for (int i = 0; i < 50; i++)
        n += (size_t)snprintf(yaml + n, sizeof yaml - n, "  n%d: {}\n", i);
    n += (size_t)snprintf(yaml + n, sizeof yaml - n, "output:\n  layers:\n");
    for (int i = 0; i < 50; i++)
        n += (size_t)snprintf(yaml + n, sizeof yaml - n, "    - noise.n%d\n", i);
    put_h64();
    world_free(load_text(yaml, NULL, ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tool_that_is_missing_is_named_once),
        cmocka_unit_test(radii_of_agents),
        cmocka_unit_test(output_layers_that_nobody_can_make),
        cmocka_unit_test(species_layers_that_nobody_can_make),
        cmocka_unit_test(a_section_may_have_any_number_of_pictures),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
