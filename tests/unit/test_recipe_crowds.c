/* A recipe that asks for far more than its radii leave room for is told so, with the figure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome_kit.h"
#include "gen/stages_ground.h"

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

#define HEAD "recipe: 1\nbiomes: {wood: {}}\nspecies:\n"
#define SPECIES(name, priority, density, radius)                                                             \
    "  " name ": {biomes: all, viability: [{value: 1}], priority: " priority ", radius_spread: 0, "          \
    "density_per_ha: " density ", viability_radius_m: " radius ", height_m: [1, 2]}\n"

static void says(const char *text, const char *expected) {
    static struct world world = {.extent = {1.0, {0, 0, 1024, 1024}}};
    kit_complains(text, &world, expected);
}

static void crowds_are_told(void **state) {
    (void)state;
    says(HEAD SPECIES("oak", "5", "2000", "3"), "");
    says(
        HEAD SPECIES("oak", "5", "500000", "50"),
        "warning 4:122: species 'oak' has about 392699 rivals around each candidate, so a bake takes long "
        "and "
        "much memory: 500000 a hectare are asked for at its priority, but its largest, of radius 50 m, leave "
        "room for 3.2. Ask for fewer, or give it a smaller radius or a priority of its own\n");
}

static void each_priority_by_itself(void **state) {
    (void)state;
    says(HEAD SPECIES("oak", "5", "20", "20") SPECIES("moss", "4", "90000", "0.3"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(crowds_are_told),
                                       cmocka_unit_test(each_priority_by_itself)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
