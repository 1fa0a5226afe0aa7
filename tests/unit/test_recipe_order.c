/* Tiers, and the order in which species read and write masks: every mistake with its exact message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recipe_kit.h"
#include <stdio.h>
#include <string.h>

const struct stage *const stage_table[] = {RECIPE_STAGES, NULL};

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiers_are_checked),
        cmocka_unit_test(priorities_are_limited),
        cmocka_unit_test(readers_come_after_writers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
