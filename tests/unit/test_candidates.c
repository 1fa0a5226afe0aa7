/* Candidates: densities, independence of the window, draws between species, sizes, no lattice to be seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/candidates.h"
#include "biome_kit.h"
#include "gen/stages_ground.h"
#include "terrain/math.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

enum { SIDE = 512 };
static const uint64_t seed = 11;

#define HEAD "recipe: 1\nbiomes: {wood: {}, field: {}}\nspecies:\n"

/* Everything over the whole field. */
static struct biome_candidate *all(const struct recipe *recipe, int32_t tier, struct kit_ground *ground,
                                   size_t *count) {
    kit_ground_make(ground, recipe, -100, -100, SIDE);
    return kit_candidates(recipe, tier, seed, ground, -100, -100, SIDE - 100, SIDE - 100, count);
}

static void densities_are_what_the_recipe_asks(void **state) {
    (void)state;
    const double asked[] = {60, 900, 8000};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD
                 "  a: {biomes: all, priority: 1, density_per_ha: %g, viability_radius_m: 0.8, height_m: [1, "
                 "2], viability: [{value: 1}]}\n",
                 asked[i]);
        struct recipe *recipe = kit_recipe(text);
        struct kit_ground ground;
        size_t count;
        free(all(recipe, 0, &ground, &count));
        double got = (double)count / (SIDE * SIDE / 10000.0);
        if (fabs(got / asked[i] - 1) > 0.05)
            fail_msg("asked %g per ha, got %g", asked[i], got);
        kit_ground_free(&ground);
        recipe_free(recipe);
    }
}

static void density_follows_viability(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(
        HEAD
        "  a: {biomes: all, priority: 1, density_per_ha: 8000, density_ramp: [0.2, 0.8], viability_radius_m: "
        "0.8, height_m: [1, 2], viability: [{layer: latitude}]}\n");
    struct kit_ground ground;
    size_t count, by_band[10] = {0};
    double expected[10] = {0};
    struct biome_candidate *c = all(recipe, 0, &ground, &count);
    for (size_t i = 0; i < count; i++)
        by_band[(int)(c[i].viability * 10)]++;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        double v = (double)ground.fields[0][i];
        expected[(int)(v * 10)] += 8000.0 / 10000.0 * fmin(1, fmax(0, (v - 0.2) / 0.6));
    }
    int bands = 0;
    for (int k = 0; k < 10; k++)
        if (expected[k] > 4000) {
            bands++;
            assert_true(fabs((double)by_band[k] / expected[k] - 1) < 0.05);
        }
    assert_true(bands >= 4 && by_band[0] == 0 && by_band[1] == 0);
    free(c);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

/* Trees that are small where they are young stand close, large ones apart; and a stack thins both. */
static void density_follows_age_height_and_a_stack(void **state) {
    (void)state;
    static const char *const keys[3] = {
        "density_over: age, density_ramp: [[0, 1], [0.5, 0.3], [1, 0.3]]",
        "density_over: height, density_ramp: [[2, 1], [6, 0.2]], scale_random: [0.8, 1.2]",
        "density_ramp: [0.1, 0.1], density_stack: [{layer: longitude}, {layer: age_a, floor: 0.5}]"};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD
                 "  a: {biomes: all, priority: 1, density_per_ha: 7000, viability_radius_m: 0.8, height_m: "
                 "[1, 8], age: {max_m: 20, size: add, amount: 0.5}, %s, viability: [{layer: latitude}]}\n",
                 keys[k]);
        struct recipe *recipe = kit_recipe(text);
        const struct recipe_species *s = &recipe->species[0];
        struct kit_ground ground;
        size_t count, by_band[10] = {0};
        double expected[10] = {0}, sum = 0;
        struct biome_candidate *c = all(recipe, 0, &ground, &count);
        for (size_t i = 0; i < count; i++) {
            int32_t x = biome_cell_of(c[i].x_q, 1.0), y = biome_cell_of(c[i].y_q, 1.0);
            by_band[(int)(kit_value("age_a", x, y) * 10)]++;
        }
        for (int32_t y = -100; y < SIDE - 100; y++)
            for (int32_t x = -100; x < SIDE - 100; x++) {
                float age = kit_value("age_a", x, y), v = kit_value("latitude", x, y), share;
                if (k == 0) {
                    share = age < 0.5f ? 1 - 1.4f * age : 0.3f;
                } else if (k == 1) {
                    struct biome_size size = biome_size(s, v, age, hash_place(1, 1, x, y, 0));
                    float height = s->sizes[0].height_m * size.scale;
                    share = fminf(1, fmaxf(0.2f, 1 - 0.2f * (height - 2)));
                } else {
                    share = (v >= 0.1f ? 1.0f : 0.0f) * kit_value("longitude", x, y) * (0.5f + 0.5f * age);
                }
                expected[(int)(age * 10)] += 0.7 * (double)share;
                sum += 0.7 * (double)share;
            }
        assert_true(fabs((double)count / sum - 1) < 0.02);
        int bands = 0;
        for (int b = 0; b < 10; b++)
            if (expected[b] > 4000) {
                bands++;
                assert_true(fabs((double)by_band[b] / expected[b] - 1) < 0.05);
            }
        assert_true(bands >= 3);
        free(c);
        kit_ground_free(&ground);
        recipe_free(recipe);
    }
}

static void age_and_viability_choose_the_size(void **state) {
    (void)state;
    static const char *const keys[4] = {"size: add", "size: multiply, amount: 0.6", "size: mix",
                                        "size: none"};
    for (int k = 0; k < 4; k++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            HEAD
            "  a: {biomes: all, priority: 1, density_per_ha: 700, viability_radius_m: 1, height_m: "
            "[1, 11], age: {max_m: 20, %s}, size_full: 2, size_jitter: 0, viability: [{layer: latitude}]}\n",
            keys[k]);
        struct recipe *recipe = kit_recipe(text);
        for (int i = 0; i < 1000; i++) {
            float v = 1.5f * hash_unit(hash_place(3, 1, i, 0, 0)), age = hash_unit(hash_place(3, 1, i, 0, 1));
            const float by[4] = {v + age, v * (0.4f + 0.6f * age), 0.5f * v + 0.5f * age, v};
            struct biome_size size = biome_size(&recipe->species[0], v, age, (uint64_t)i);
            float height = 1 + 10 * fminf(1, by[k] / 2);
            assert_true(fabsf(11 * size.scale - height) < 1e-4f);
        }
        recipe_free(recipe);
    }
}

static const char two_species[] = HEAD
    "  oak: {biomes: all, priority: 5, density_per_ha: 3000, viability_radius_m: 1, height_m: [4, 9], "
    "viability: "
    "[{layer: latitude}]}\n"
    "  elm: {biomes: wood, priority: 5, density_per_ha: 3000, viability_radius_m: 1.5, height_m: [4, 9], "
    "viability: [{layer: longitude}]}\n"
    "  moss: {biomes: all, priority: 1, density_per_ha: 20000, viability_radius_m: 0.5, height_m: [0.1, "
    "0.2], "
    "viability: [{layer: slope, under: 30, soft: 20}]}\n";

static int by_id(const void *a, const void *b) {
    const struct biome_candidate *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* What a section gets is what the whole field has there, whatever the window. */
static void any_window_gives_the_same(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(two_species);
    for (int32_t tier = 0; tier < recipe->tier_count; tier++) {
        struct kit_ground ground;
        size_t count, joined = 0;
        struct biome_candidate *whole = all(recipe, tier, &ground, &count);
        struct biome_candidate *parts = malloc(count * sizeof *parts);
        const int32_t cuts[] = {-100, -64, 0, 57, 64, 200, 333, SIDE - 100};
        for (int a = 0; a < 7; a++)
            for (int b = 0; b < 7; b++) {
                size_t n;
                struct biome_candidate *c = kit_candidates(recipe, tier, seed, &ground, cuts[a], cuts[b],
                                                           cuts[a + 1], cuts[b + 1], &n);
                assert_true(joined + n <= count);
                memcpy(parts + joined, c, n * sizeof *c);
                joined += n;
                free(c);
            }
        assert_int_equal(joined, count);
        qsort(whole, count, sizeof *whole, by_id);
        qsort(parts, count, sizeof *parts, by_id);
        assert_memory_equal(whole, parts, count * sizeof *whole);
        for (size_t i = 1; i < count; i++)
            assert_true(whole[i].id != whole[i - 1].id);
        free(whole);
        free(parts);
        kit_ground_free(&ground);
    }
    recipe_free(recipe);
}

/* Who wins at a lattice cell does not depend on losers: without elm, every oak that was there still is, with
 * its id, its place and its size. */
static void removing_a_species_leaves_the_draws_of_others(void **state) {
    (void)state;
    struct recipe *both = kit_recipe(two_species);
    char text[2048];
    snprintf(text, sizeof text, "%s", two_species);
    memmove(strstr(text, "  elm"), strstr(text, "  moss"), strlen(strstr(text, "  moss")) + 1);
    struct recipe *alone = kit_recipe(text);
    assert_int_equal(both->tiers[0].cell_q, alone->tiers[0].cell_q);
    struct kit_ground g1, g2;
    size_t n1, n2, oaks = 0, elms = 0;
    struct biome_candidate *c1 = all(both, 0, &g1, &n1), *c2 = all(alone, 0, &g2, &n2);
    qsort(c2, n2, sizeof *c2, by_id);
    for (size_t i = 0; i < n1; i++) {
        if (c1[i].species != 0) {
            elms++;
            continue;
        }
        const struct biome_candidate *same = bsearch(&c1[i], c2, n2, sizeof *c2, by_id);
        assert_non_null(same);
        assert_memory_equal(same, &c1[i], sizeof *same);
        oaks++;
    }
    assert_true(oaks > 1000 && elms > 1000 && n2 > oaks);
    free(c1);
    free(c2);
    kit_ground_free(&g1);
    kit_ground_free(&g2);
    recipe_free(both);
    recipe_free(alone);
}

/* v^purity shares: at viabilities 0.6 and 0.3 and purity 2 the first takes 4 of 5; `best` takes all. */
static void draws_follow_viability_to_the_purity(void **state) {
    (void)state;
    const char *const purities[] = {"1", "2", "4", "best"};
    const double expected[] = {2.0 / 3, 4.0 / 5, 16.0 / 17, 1};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "recipe: 1\ncompetition: {purity: %s}\nbiomes: {b: {}}\nspecies:\n"
                 "  a: {biomes: all, priority: 1, density_per_ha: 2000, density_ramp: [0, 0], "
                 "viability_radius_m: 1, "
                 "height_m: [1, 2], viability: [{value: 0.6}]}\n"
                 "  b: {biomes: all, priority: 1, density_per_ha: 2000, density_ramp: [0, 0], "
                 "viability_radius_m: 1, "
                 "height_m: [1, 2], viability: [{value: 0.3}]}\n",
                 purities[i]);
        struct recipe *recipe = kit_recipe(text);
        struct kit_ground ground;
        size_t count, a = 0;
        struct biome_candidate *c = all(recipe, 0, &ground, &count);
        for (size_t k = 0; k < count; k++)
            a += c[k].species == 0;
        double share = (double)a / (double)count;
        if (fabs(share - expected[i]) > 0.01)
            fail_msg("purity %s: %g instead of %g", purities[i], share, expected[i]);
        free(c);
        kit_ground_free(&ground);
        recipe_free(recipe);
    }
}

/* Size classes close: the scale at a class's end is the next class's height, so heights have no steps. */
static void sizes_rise_with_viability_without_steps(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(
        HEAD
        "  a: {biomes: all, priority: 1, density_per_ha: 100, viability_radius_m: 1, size_jitter: 0, sizes: "
        "[{from: 0, height_m: 10}, {from: 0.3, height_m: 20}, {from: 0.7, height_m: 40, scale: [1, 1.25]}], "
        "size_full: 1, viability: [{layer: latitude}]}\n");
    const struct recipe_species *s = &recipe->species[0];
    assert_true(s->height_full_m == 50.0f);
    float last = 0;
    int32_t class = 0;
    for (int i = 0; i <= 1000; i++) {
        struct biome_size size = biome_size(s, (float)i / 1000.0f, 0.0f, 5);
        float height = s->sizes[size.index].height_m * size.scale;
        assert_true(size.index >= class && height >= last - 1e-4f && height - last < (i ? 0.1f : 11));
        class = size.index;
        last = height;
    }
    assert_int_equal(class, 2);
    assert_true(fabsf(last - 50) < 1e-3f);
    recipe_free(recipe);
}

/* |sum of e^(ikx)|^2 / n: about 1 for scattered points, n for a lattice at its own frequency. */
static double power(const struct biome_candidate *c, size_t n, double period_q, bool north) {
    double re = 0, im = 0;
    for (size_t i = 0; i < n; i++) {
        double turn = 2 * MATH_PI * (double)(north ? c[i].y_q : c[i].x_q) / period_q;
        re += cos(turn);
        im += sin(turn);
    }
    return (re * re + im * im) / (double)n;
}

static void no_lattice_shows(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(
        HEAD
        "  a: {biomes: all, priority: 1, density_per_ha: 100000, viability_radius_m: 1, height_m: [1, 2], "
        "viability: [{value: 1}]}\n");
    struct kit_ground ground;
    size_t n;
    struct biome_candidate *c = all(recipe, 0, &ground, &n);
    double cell_q = (double)recipe->tiers[0].cell_q;
    for (int k = 1; k <= 4; k++)
        for (int axis = 0; axis < 2; axis++)
            assert_true(power(c, n, cell_q / k, axis == 1) < 12);
    for (size_t i = 0; i < n; i++) /* the same points put back to their cells' corners would be seen */
        c[i].x_q -= (int32_t)fmod((double)c[i].x_q + 1e6 * cell_q, cell_q);
    assert_true(power(c, n, cell_q, false) > 0.9 * (double)n);
    free(c);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

static void golden(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(two_species);
    const uint64_t expected[] = {0xda28f7ca6470ec6d, 0xff798c41fe4906da};
    for (int32_t tier = 0; tier < 2; tier++) {
        struct kit_ground ground;
        size_t count;
        struct biome_candidate *c = all(recipe, tier, &ground, &count);
        uint64_t hash = kit_hash(c, count * sizeof *c);
        if (hash != expected[tier])
            fail_msg("tier %d: 0x%llx", (int)tier, (unsigned long long)hash);
        free(c);
        kit_ground_free(&ground);
    }
    recipe_free(recipe);
}

/* Thinned by half: each that is left was there, at its place and half as tall; the share of the biome's own
 * factor goes on top; those over 1 give more. */
static void factors_thin_and_shrink(void **state) {
    (void)state;
    static const char base[] =
        "recipe: 1\nbiomes: {wood: {}, field: {}}\nspecies:\n"
        "  a: {biomes: all, priority: 1, density_per_ha: 6000, viability_radius_m: 0.8, height_m: [1, 2], "
        "viability: [{layer: latitude, floor: 0.3}]}\n";
    char less[1024], more[1024];
    snprintf(less, sizeof less, "%sfactors: {density: 0.5, size: 0.5, biomes: {field: {density: 0.5}}}\n",
             base);
    snprintf(more, sizeof more, "%sfactors: {density: 2}\n", base);
    struct recipe *r[3] = {kit_recipe(base), kit_recipe(less), kit_recipe(more)};
    struct kit_ground ground;
    kit_ground_make(&ground, r[0], 0, 0, 256);
    struct biome_candidate *c[3];
    size_t count[3], by_biome[2][2] = {{0}}, at = 0;
    for (int k = 0; k < 3; k++)
        c[k] = kit_candidates(r[k], 0, 9, &ground, 0, 0, 256, 256, &count[k]);
    for (size_t i = 0; i < count[0]; i++) {
        int32_t b = *grid_u8_at(&ground.biome_id, biome_cell_of(c[0][i].x_q, 1),
                                biome_cell_of(c[0][i].y_q, 1)) == r[0]->biomes[1].id;
        by_biome[0][b]++;
        for (at = 0; at < count[1] && c[1][at].id != c[0][i].id; at++) {
        }
        if (at == count[1])
            continue;
        by_biome[1][b]++;
        assert_true(c[1][at].x_q == c[0][i].x_q && c[1][at].y_q == c[0][i].y_q);
        assert_true(c[1][at].scale == c[0][i].scale * 0.5f && c[1][at].rank == c[0][i].rank);
    }
    assert_int_equal(by_biome[1][0] + by_biome[1][1], count[1]);
    for (int b = 0; b < 2; b++)
        assert_true(fabs((double)by_biome[1][b] / (double)by_biome[0][b] - (b ? 0.25 : 0.5)) < 0.03);
    assert_true(fabs((double)count[2] / (double)count[0] - 2) < 0.06);
    for (int k = 0; k < 3; k++) {
        free(c[k]);
        recipe_free(r[k]);
    }
    kit_ground_free(&ground);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_are_what_the_recipe_asks),
        cmocka_unit_test(density_follows_viability),
        cmocka_unit_test(density_follows_age_height_and_a_stack),
        cmocka_unit_test(age_and_viability_choose_the_size),
        cmocka_unit_test(any_window_gives_the_same),
        cmocka_unit_test(removing_a_species_leaves_the_draws_of_others),
        cmocka_unit_test(draws_follow_viability_to_the_purity),
        cmocka_unit_test(sizes_rise_with_viability_without_steps),
        cmocka_unit_test(no_lattice_shows),
        cmocka_unit_test(golden),
        cmocka_unit_test(factors_thin_and_shrink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
