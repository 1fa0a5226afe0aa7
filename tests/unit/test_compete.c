/* Competition: nobody stands too near, whatever the division into sections; edits stay local; higher
 * priorities do not feel lower ones; rounds settle nearly all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/overrule.h"
#include "biome/reach.h"
#include "biome_kit.h"
#include "gen/stages_distance.h"
#include "gen/stages_ground.h"
#include "terrain/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, &stage_distance,
                                           NULL};

static const uint64_t seed = 5;

#define HEAD "recipe: 1\nbiomes: {wood: {}, field: {}}\nspecies:\n"
#define OAK                                                                                                  \
    "  oak: {biomes: all, priority: 100, density_per_ha: 1500, viability_radius_m: 4, priority_radius_m: "   \
    "2.5, "                                                                                                  \
    "height_m: [6, 30], viability: [{layer: latitude}, {layer: slope, under: 30, soft: 20}]}\n"
#define ELM                                                                                                  \
    "  elm: {biomes: wood, priority: 100, density_per_ha: 1500, viability_radius_m: 3, height_m: [6, 20], "  \
    "viability: [{layer: longitude, weight: 0.8}]}\n"
#define BUSH                                                                                                 \
    "  bush: {biomes: all, priority: 50, density_per_ha: 3000, viability_radius_m: 1.4, height_m: [1, 3], "  \
    "viability: [{layer: altitude, under: 1600, soft: 200}]}\n"
#define FERN                                                                                                 \
    "  fern: {biomes: all, priority: 10, density_per_ha: 20000, viability_radius_m: 0.6, heeds: {100: "      \
    "trunk, "                                                                                                \
    "default: 0.5}, height_m: [0.3, 1], viability: [{layer: longitude, over: 0.3, soft: 0.2}]}\n"

static const char several[] = HEAD OAK ELM BUSH FERN;

static struct arena arena_make(size_t size) {
    struct arena arena = {malloc(size), size, 0};
    assert_non_null(arena.base);
    return arena;
}

/* ---- nobody too near ---- */

static double apart_q(const struct biome_candidate *a, const struct biome_candidate *b) {
    double dx = (double)a->x_q - (double)b->x_q, dy = (double)a->y_q - (double)b->y_q;
    return sqrt(dx * dx + dy * dy);
}

/* Every pair within 8 m is looked at, by strips of x. */
static int by_x(const void *a, const void *b) {
    const struct biome_candidate *p = a, *q = b;
    return (p->x_q > q->x_q) - (p->x_q < q->x_q);
}

static void assert_apart(const struct recipe *recipe, const struct kit_stand *stand) {
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        struct biome_candidate *s = stand->items[t];
        qsort(s, stand->count[t], sizeof *s, by_x);
        size_t pairs = 0;
        for (size_t i = 0; i < stand->count[t]; i++)
            for (size_t k = i + 1; k < stand->count[t] && s[k].x_q - s[i].x_q < 8 * 1024; k++) {
                if (abs(s[k].y_q - s[i].y_q) >= 8 * 1024)
                    continue;
                int32_t a = biome_radius_q(recipe, &s[i]), b = biome_radius_q(recipe, &s[k]);
                assert_true(apart_q(&s[i], &s[k]) >= (double)(a > b ? a : b));
                pairs++;
            }
        assert_true(pairs > stand->count[t]);
        for (int32_t h = 0; h < t; h++) { /* the higher tiers are sorted already */
            const struct biome_candidate *strong = stand->items[h];
            size_t from = 0;
            for (size_t i = 0; i < stand->count[t]; i++) {
                while (from < stand->count[h] && strong[from].x_q < s[i].x_q - 5 * 1024)
                    from++;
                for (size_t k = from; k < stand->count[h] && strong[k].x_q < s[i].x_q + 5 * 1024; k++)
                    assert_true(apart_q(&strong[k], &s[i]) >=
                                (double)biome_heed_q(recipe, &strong[k], &s[i]));
            }
        }
    }
}

static void nobody_stands_too_near(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(several);
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, recipe, -64, 0, 192);
    kit_stand_make(&stand, recipe, seed, &ground);
    for (int32_t t = 0; t < recipe->tier_count; t++)
        assert_true(stand.count[t] > 300);
    assert_apart(recipe, &stand);
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

/* A candidate that did not stand has somebody near who does, and outranks it (or a higher tier's). */
static void whoever_falls_falls_to_somebody(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(HEAD OAK ELM);
    struct kit_ground ground;
    kit_ground_make(&ground, recipe, 0, 0, 140);
    size_t count;
    struct biome_candidate *c = kit_candidates(recipe, 0, seed, &ground, 0, 0, 140, 140, &count);
    uint8_t *decided = calloc(count, 1);
    struct arena arena = arena_make(biome_compete_scratch(count));
    assert_int_equal(biome_compete(recipe, c, count, RECIPE_ROUNDS, decided, NULL, &arena, NULL), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        bool beaten = false;
        for (size_t k = 0; k < count && !beaten; k++) {
            int32_t a = biome_radius_q(recipe, &c[i]), b = biome_radius_q(recipe, &c[k]);
            beaten = decided[k] == RIVAL_STANDS && biome_outranks(&c[k], &c[i]) &&
                     apart_q(&c[i], &c[k]) < (double)(a > b ? a : b);
        }
        assert_true(decided[i] != RIVAL_UNDECIDED);
        assert_true(beaten == (decided[i] == RIVAL_STRUCK));
    }
    free(c);
    free(decided);
    free(arena.base);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

/* ---- sections ---- */

/* Competition of the cells [x0, x1) x [y0, y1) alone, from candidates of the surroundings within its reach,
 * in groups of rounds as the stages play them: states of everybody are made by sections of `side` cells,
 * their own candidates first. Returns the rounds that the slowest section took. */
static int32_t by_sections(const struct recipe *recipe, const struct biome_candidate *c, size_t count,
                           int32_t side, uint8_t *state) {
    const struct recipe_tier *tier = &recipe->tiers[0];
    struct arena arena = arena_make(biome_compete_scratch(count));
    struct biome_candidate *near = malloc(count * sizeof *near);
    uint8_t *before = malloc(count), *part = malloc(count);
    size_t *index = malloc(count * sizeof *index);
    int32_t slowest = 0;
    for (int32_t done = 0; done < RECIPE_ROUNDS; done += tier->rounds_per_stage) {
        int32_t left = RECIPE_ROUNDS - done;
        int32_t rounds = left < tier->rounds_per_stage ? left : tier->rounds_per_stage;
        int32_t reach = (int32_t)ceilf(biome_compete_reach_m(tier, rounds) * 1024.0f);
        memcpy(before, state, count);
        for (int32_t y = 0; y < 256; y += side)
            for (int32_t x = 0; x < 256; x += side) {
                size_t n = 0;
                struct biome_rounds counted = {.parts = 1};
                for (int others = 0; others < 2; others++) {
                    for (size_t i = 0; i < count; i++) {
                        bool own = c[i].x_q >= x * 1024 && c[i].x_q < (x + side) * 1024 &&
                                   c[i].y_q >= y * 1024 && c[i].y_q < (y + side) * 1024;
                        if (own != (others != 0) && c[i].x_q >= x * 1024 - reach &&
                            c[i].x_q < (x + side) * 1024 + reach && c[i].y_q >= y * 1024 - reach &&
                            c[i].y_q < (y + side) * 1024 + reach) {
                            near[n] = c[i];
                            part[n] = before[i];
                            index[n++] = i;
                        }
                    }
                    counted.end[0] = others ? counted.end[0] : n;
                }
                assert_int_equal(biome_compete(recipe, near, n, rounds, part, &counted, &arena, NULL),
                                 STATUS_OK);
                for (size_t k = 0; k < counted.end[0]; k++)
                    state[index[k]] = part[k];
                if (counted.played[0] > 0 && done + counted.played[0] > slowest)
                    slowest = done + counted.played[0];
            }
    }
    free(near);
    free(before);
    free(part);
    free(index);
    free(arena.base);
    return slowest;
}

static void sections_equal_the_undivided_field(void **state) {
    (void)state;
    const char *const texts[] = {HEAD OAK ELM, HEAD BUSH, HEAD FERN};
    for (int i = 0; i < 3; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s", texts[i]);
        char *heed = strstr(text, "heeds: {100: trunk, default: 0.5}, ");
        if (heed) /* alone, nobody has priority 100 */
            memmove(heed, heed + strlen("heeds: {100: trunk, default: 0.5}, "),
                    strlen(heed + strlen("heeds: {100: trunk, default: 0.5}, ")) + 1);
        struct recipe *recipe = kit_recipe(text);
        struct kit_ground ground;
        kit_ground_make(&ground, recipe, 0, 0, 256);
        size_t count;
        struct biome_candidate *c = kit_candidates(recipe, 0, seed, &ground, 0, 0, 256, 256, &count);
        uint8_t *whole = calloc(count, 1), *parts = calloc(count, 1);
        struct arena arena = arena_make(biome_compete_scratch(count));
        struct biome_rounds counted = {.parts = 1, .end = {count}};
        assert_int_equal(biome_compete(recipe, c, count, RECIPE_ROUNDS, whole, &counted, &arena, NULL),
                         STATUS_OK);
        assert_int_equal(by_sections(recipe, c, count, 64, parts), counted.played[0]);
        assert_memory_equal(whole, parts, count);
        free(c);
        free(whole);
        free(parts);
        free(arena.base);
        kit_ground_free(&ground);
        recipe_free(recipe);
    }
}

/* ---- locality ---- */

static void an_added_candidate_changes_nothing_far_away(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(HEAD OAK ELM);
    struct kit_ground ground;
    kit_ground_make(&ground, recipe, 0, 0, 256);
    size_t count;
    struct biome_candidate *c = kit_candidates(recipe, 0, seed, &ground, 0, 0, 256, 256, &count);
    c = realloc(c, (count + 1) * sizeof *c);
    struct arena arena = arena_make(biome_compete_scratch(count + 1));
    uint8_t *before = calloc(count + 1, 1), *after = calloc(count + 1, 1);
    int32_t far_q = 0, changed = 0;
    assert_int_equal(biome_compete(recipe, c, count, RECIPE_ROUNDS, before, NULL, &arena, NULL), STATUS_OK);
    for (int i = 0; i < 15; i++) {
        c[count] = c[(size_t)i * count / 15];
        c[count].x_q = 128 * 1024 + i;
        c[count].y_q = 100 * 1024;
        c[count].id = hash_mix((uint64_t)i + 1);
        c[count].rank = 9.0f;
        memset(after, 0, count + 1);
        assert_int_equal(biome_compete(recipe, c, count + 1, RECIPE_ROUNDS, after, NULL, &arena, NULL),
                         STATUS_OK);
        for (size_t k = 0; k < count; k++)
            if (before[k] != after[k]) {
                int32_t apart = (int32_t)apart_q(&c[k], &c[count]);
                changed++;
                far_q = apart > far_q ? apart : far_q;
            }
    }
    assert_true(changed > 0 && far_q < 40 * 1024); /* 21 m at most in the trial, of radius 4 m */
    free(c);
    free(before);
    free(after);
    free(arena.base);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

static void higher_priorities_do_not_feel_lower_ones(void **state) {
    (void)state;
    struct recipe *with = kit_recipe(several), *without = kit_recipe(HEAD OAK ELM);
    struct kit_ground g1, g2;
    struct kit_stand s1, s2;
    kit_ground_make(&g1, with, 0, 0, 200);
    kit_ground_make(&g2, without, 0, 0, 200);
    kit_stand_make(&s1, with, seed, &g1);
    kit_stand_make(&s2, without, seed, &g2);
    assert_int_equal(s1.count[0], s2.count[0]);
    assert_memory_equal(s1.items[0], s2.items[0], s1.count[0] * sizeof *s1.items[0]);
    kit_stand_free(&s1, with);
    kit_stand_free(&s2, without);
    kit_ground_free(&g1);
    kit_ground_free(&g2);
    recipe_free(with);
    recipe_free(without);
}

/* ---- statistics ---- */

static void all_is_decided_at_radii_from_half_a_metre_to_twenty(void **state) {
    (void)state;
    const double radii[] = {0.5, 1.3, 4, 9, 20};
    size_t candidates = 0, undecided = 0;
    for (int i = 0; i < 5; i++) {
        char text[1024];
        double r = radii[i];
        snprintf(
            text, sizeof text,
            HEAD
            "  a: {biomes: all, priority: 1, density_per_ha: %g, viability_radius_m: %g, height_m: [4, 9], "
            "density_ramp: [0, 0.1], viability: [{layer: latitude}]}\n"
            "  b: {biomes: wood, priority: 1, density_per_ha: %g, viability_radius_m: %g, height_m: [2, 9], "
            "density_ramp: [0, 0.1], viability: [{layer: longitude}]}\n",
            20000 / (r * r), r, 15000 / (r * r), 1.5 * r);
        struct recipe *recipe = kit_recipe(text);
        struct kit_ground ground;
        struct kit_stand stand;
        kit_ground_make(&ground, recipe, 0, 0, r < 1 ? 128 : 400);
        kit_stand_make(&stand, recipe, seed, &ground);
        candidates += stand.candidates[0];
        undecided += stand.undecided[0];
        assert_true(stand.rounds[0] >= 3 && stand.rounds[0] <= 20);
        kit_stand_free(&stand, recipe);
        kit_ground_free(&ground);
        recipe_free(recipe);
    }
    assert_true(candidates > 50000);
    assert_true(undecided * 10000 <= candidates);
}

static void density_holds_where_competition_does_not_bind(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(
        HEAD "  a: {biomes: all, priority: 1, density_per_ha: 150, viability_radius_m: 0.5, height_m: [1, "
             "2], viability: [{value: 1}]}\n");
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, recipe, 0, 0, 800);
    kit_stand_make(&stand, recipe, seed, &ground);
    assert_true(fabs((double)stand.count[0] / (150 * 64.0) - 1) < 0.05);
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

/* Clark & Evans 1954: mean distance to the nearest over that of a random field. An orchard gives 1.5 and
 * more; natural stands lie near 0.9 to 1.2. */
static void stands_are_no_orchard(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(
        HEAD "  a: {biomes: all, priority: 1, density_per_ha: 900, viability_radius_m: 2, height_m: [10, "
             "30], viability: [{layer: latitude}]}\n");
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, recipe, 0, 0, 256);
    kit_stand_make(&stand, recipe, seed, &ground);
    double sum = 0;
    size_t n = stand.count[0];
    for (size_t i = 0; i < n; i++) {
        double nearest = 1e9;
        for (size_t k = 0; k < n; k++)
            if (k != i) {
                double d = apart_q(&stand.items[0][i], &stand.items[0][k]);
                nearest = d < nearest ? d : nearest;
            }
        sum += nearest / 1024;
    }
    double index = sum / (double)n * 2 * sqrt((double)n / (256.0 * 256.0));
    assert_true(index > 0.9 && index < 1.3);
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

/* Rounds of each tier, and on top of the tier above what it clears or paints. */
static void reach_adds_up_over_tiers(void **state) {
    (void)state;
#define TIER(name, priority, radius, keys, stack)                                                            \
    "  " name ": {biomes: all, priority: " priority ", density_per_ha: 10, viability_radius_m: " radius      \
    ", radius_spread: 0, height_m: [2, 2], " keys "viability: " stack "}\n"
    struct recipe *recipe = kit_recipe(
        HEAD TIER("tree", "9", "5", "priority_radius_m: 4, writes: [{mask: m, radius_m: 6, falloff_m: 1}], ",
                  "[{value: 1}]") TIER("bush", "6", "1", "heeds: none, ", "[{value: 1}]")
            TIER("herb", "3", "0.5", "heeds: {9: crown, default: none}, ", "[{value: 1}]")
                TIER("moss", "1", "0.5", "heeds: none, ", "[{layer: mask_m}]")
                    TIER("ant", "0", "0.5", "heeds: none, ", "[{layer: distance.mask_m, over: 1}]"));
    const float expected[] = {240.0f, 48.0f, 240.0f + 5.2f + 24.0f, 240.0f + 7.0f + 24.0f,
                              240.0f + 7.0f + 64.0f + 24.0f};
    for (int32_t t = 0; t < 5; t++)
        assert_true(fabsf(biome_reach_m(recipe, t) - expected[t]) < 0.01f);
    assert_true(biome_reach_max_m(recipe) == biome_reach_m(recipe, 4));
    recipe_free(recipe);
}

static void too_little_scratch_is_said(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(HEAD OAK);
    struct kit_ground ground;
    kit_ground_make(&ground, recipe, 0, 0, 64);
    size_t count;
    struct biome_candidate *c = kit_candidates(recipe, 0, seed, &ground, 0, 0, 64, 64, &count);
    uint8_t *decided = calloc(count, 1);
    struct arena arena = arena_make(biome_compete_scratch(count));
    struct error err = {0};
    for (size_t size = 0; size < arena.size / 2; size += arena.size / 16) {
        struct arena small = {arena.base, size, 0};
        assert_int_equal(biome_compete(recipe, c, count, 1, decided, NULL, &small, &err), STATUS_LIMIT);
    }
    assert_int_equal(biome_compete(recipe, c, count, 1, decided, NULL, &arena, &err), STATUS_OK);
    free(c);
    free(decided);
    free(arena.base);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

static void golden(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(several);
    struct kit_ground ground;
    struct kit_stand stand;
    const uint64_t expected[] = {0x9859a8b6ecef143f, 0x7483f84f2037556c, 0x2144d5680424a13};
    kit_ground_make(&ground, recipe, -64, 0, 256);
    kit_stand_make(&stand, recipe, seed, &ground);
    for (int32_t t = 0; t < 3; t++) {
        uint64_t hash = kit_hash(stand.items[t], stand.count[t] * sizeof *stand.items[t]);
        if (hash != expected[t])
            fail_msg("tier %d: 0x%llx", (int)t, (unsigned long long)hash);
    }
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_stands_too_near),
        cmocka_unit_test(whoever_falls_falls_to_somebody),
        cmocka_unit_test(sections_equal_the_undivided_field),
        cmocka_unit_test(an_added_candidate_changes_nothing_far_away),
        cmocka_unit_test(higher_priorities_do_not_feel_lower_ones),
        cmocka_unit_test(all_is_decided_at_radii_from_half_a_metre_to_twenty),
        cmocka_unit_test(density_holds_where_competition_does_not_bind),
        cmocka_unit_test(stands_are_no_orchard),
        cmocka_unit_test(reach_adds_up_over_tiers),
        cmocka_unit_test(too_little_scratch_is_said),
        cmocka_unit_test(golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
