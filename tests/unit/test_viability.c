/* Viability stacks against a slow reference, their traces and their bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/viability.h"
#include "biome_kit.h"
#include "gen/stages_ground.h"
#include "terrain/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

#define RECIPE(stack)                                                                                        \
    "recipe: 1\nbiomes: {b: {}}\nspecies:\n"                                                                 \
    "  a: {biomes: all, priority: 1, density_per_ha: 100, viability_radius_m: 1, height_m: [1, 2], "         \
    "viability: " stack "}\n"

/* One value, step by step, in double: written from the header's sentences, not from the code. */
static double slow_ramp(const struct recipe_step *s, double v) {
    if (!s->ranged)
        return v;
    double up, down;
    if (s->circular) {
        if (v < 0)
            return 0;
        double away = fabs(v - (double)s->ramp_middle);
        v = away > 180 ? 360 - away : away;
    }
    double a = (double)s->ramp[0], b = (double)s->ramp[1], c = (double)s->ramp[2], d = (double)s->ramp[3];
    up = v >= b ? 1 : v <= a ? 0 : (v - a) / (b - a);
    down = v <= c ? 1 : v >= d ? 0 : (d - v) / (d - c);
    return fmin(up, down);
}

static double slow_stack(const struct recipe *r, int32_t first, int32_t end, const float *values) {
    double below = 0;
    for (int32_t i = first; i < end; i = r->steps[i].end) {
        const struct recipe_step *s = &r->steps[i];
        double v = s->kind == STEP_VALUE   ? (double)s->value
                   : s->kind == STEP_GROUP ? slow_stack(r, i + 1, s->end, values)
                                           : (double)values[s->layer];
        double q = s->kind == STEP_VALUE ? v : slow_ramp(s, v);
        q = s->invert ? 1 - q : q;
        q = (double)s->weight * ((double)s->floor + (1 - (double)s->floor) * q);
        if (i == first || s->combine == COMBINE_REPLACE)
            below = q;
        else if (s->combine == COMBINE_MULTIPLY)
            below *= q;
        else if (s->combine == COMBINE_ADD)
            below += q;
        else if (s->combine == COMBINE_SUBTRACT)
            below -= q;
        else if (s->combine == COMBINE_MIN)
            below = fmin(below, q);
        else if (s->combine == COMBINE_MAX)
            below = fmax(below, q);
        else
            below += (double)s->amount * (q - below);
    }
    return below;
}

static const char *const stacks[] = {
    "[{layer: slope, under: 35, soft: 10}]",
    "[{layer: altitude, range: [1300, 1500], soft: [80, 20]}, {layer: slope, under: 20, soft: 15, invert: "
    "true}]",
    "[{layer: latitude}, {layer: longitude, combine: add, weight: 2}, {value: 0.5, combine: subtract}]",
    "[{group: [{layer: latitude}, {layer: slope, range: [10, 30]}]}, {group: [{layer: longitude}, {layer: "
    "altitude, over: 1500, soft: 200}], combine: add, weight: 1.5, floor: 0.1}]",
    "[{layer: latitude}, {layer: longitude, combine: min}, {layer: slope, under: 20, soft: 30, combine: max, "
    "weight: 0.4}, {value: 2, combine: mix, amount: 0.25}]",
    "[{layer: aspect, range: [300, 60], soft: 25}, {layer: latitude, combine: mix, amount: 0.7}]",
    "[{layer: aspect, range: [100, 200]}, {layer: slope, over: 30, combine: replace, floor: 0.3}]",
};
enum { STACKS = sizeof stacks / sizeof *stacks };

static struct recipe *stack_recipe(int i) {
    char text[2048];
    snprintf(text, sizeof text, RECIPE("%s"), stacks[i]);
    return kit_recipe(text);
}

struct places {
    struct kit_ground ground;
    struct biome_batch batch;
    int32_t x[VIABILITY_BATCH], y[VIABILITY_BATCH];
    struct arena arena;
};

static void places_make(struct places *p, const struct recipe *recipe) {
    kit_ground_make(&p->ground, recipe, -20, -20, 64);
    for (int32_t l = 0; l < recipe->layer_count; l++)
        if (strcmp(recipe->layers[l], "aspect") == 0)
            for (int32_t i = 0; i < 64 * 64; i++)
                p->ground.fields[l][i] = i % 50 == 0 ? -1.0f : (float)((i * 37) % 360);
    p->arena = (struct arena){malloc(biome_batch_scratch(recipe)), biome_batch_scratch(recipe), 0};
    assert_int_equal(biome_batch_init(&p->batch, recipe, p->ground.layers, &p->arena, NULL), STATUS_OK);
    p->batch.count = VIABILITY_BATCH - 3;
    p->batch.x = p->x;
    p->batch.y = p->y;
    for (int32_t i = 0; i < p->batch.count; i++) {
        uint64_t h = hash_place(3, 3, i, 0, 0);
        p->x[i] = -20 + (int32_t)(h % 64);
        p->y[i] = -20 + (int32_t)(h / 64 % 64);
    }
}

static void places_free(struct places *p) {
    kit_ground_free(&p->ground);
    free(p->arena.base);
}

static void values_at(const struct places *p, const struct recipe *recipe, int32_t i, float *values) {
    for (int32_t l = 0; l < recipe->layer_count; l++)
        values[l] = p->ground.fields[l][(p->y[i] + 20) * 64 + p->x[i] + 20];
}

/* Runs a check for each stack: `out` is what it gives at the places. */
static void each_stack(void (*check)(const struct recipe *recipe, struct places *p, float *out)) {
    for (int k = 0; k < STACKS; k++) {
        struct recipe *recipe = stack_recipe(k);
        const struct recipe_species *s = &recipe->species[0];
        struct places p;
        float out[VIABILITY_BATCH];
        places_make(&p, recipe);
        biome_viability(recipe, s->step_first, s->step_end, &p.batch, out);
        check(recipe, &p, out);
        places_free(&p);
        recipe_free(recipe);
    }
}

static void slowly(const struct recipe *recipe, struct places *p, float *out) {
    const struct recipe_species *s = &recipe->species[0];
    float values[RECIPE_LAYERS_MAX];
    bool some = false;
    for (int32_t i = 0; i < p->batch.count; i++) {
        values_at(p, recipe, i, values);
        double slow = fmax(0, slow_stack(recipe, s->step_first, s->step_end, values));
        if (fabs(slow - (double)out[i]) > 1e-4)
            fail_msg("place %d: %g, slowly %g", (int)i, (double)out[i], slow);
        some |= out[i] != out[0];
    }
    assert_true(some); /* a constant would prove nothing */
}
static void equals_a_slow_reference(void **state) {
    (void)state;
    each_stack(slowly);
}

static void traced(const struct recipe *recipe, struct places *p, float *out) {
    const struct recipe_species *s = &recipe->species[0];
    float values[RECIPE_LAYERS_MAX];
    struct biome_trace trace[32];
    for (int32_t i = 0; i < p->batch.count; i++) {
        values_at(p, recipe, i, values);
        float v = biome_viability_trace(recipe, s->step_first, s->step_end, values, trace);
        assert_memory_equal(&v, &out[i], sizeof v);
    }
}
static void a_trace_gives_the_same_bits(void **state) {
    (void)state;
    each_stack(traced);
}

static void bounded(const struct recipe *recipe, struct places *p, float *out) {
    const struct recipe_species *s = &recipe->species[0];
    float low, high, most = 0;
    biome_viability_bounds(recipe, s->step_first, s->step_end, NULL, &low, &high);
    assert_true(high == s->viability_max);
    for (int32_t i = 0; i < p->batch.count; i++) {
        assert_true(out[i] >= low && out[i] <= high);
        most = out[i] > most ? out[i] : most;
    }
    assert_true(most >= 0.3f * high);
}
static void bounds_hold_and_are_reached_nearly(void **state) {
    (void)state;
    each_stack(bounded);
}

/* The same over parts of the ground: what is skipped by these bounds must be nothing. */
static void bounded_by_parts(const struct recipe *recipe, struct places *p, float *out) {
    const struct recipe_species *s = &recipe->species[0];
    float low, high;
    for (int32_t part = 0; part < 64; part++) {
        int32_t x0 = -20 + part % 8 * 8, y0 = -20 + part / 8 * 8;
        struct biome_interval layers[RECIPE_LAYERS_MAX];
        for (int32_t l = 0; l < recipe->layer_count; l++)
            layers[l] = biome_layer_interval(&p->ground.layers[l], x0, y0, x0 + 8, y0 + 8);
        biome_viability_bounds(recipe, s->step_first, s->step_end, layers, &low, &high);
        for (int32_t i = 0; i < 64; i++) {
            p->x[i] = x0 + i % 8;
            p->y[i] = y0 + i / 8;
        }
        p->batch.count = 64;
        biome_batch_reset(&p->batch, recipe);
        biome_viability(recipe, s->step_first, s->step_end, &p->batch, out);
        for (int32_t i = 0; i < 64; i++)
            assert_true(out[i] >= low && out[i] <= high);
    }
}
static void bounds_over_a_part_hold_to_the_bit(void **state) {
    (void)state;
    each_stack(bounded_by_parts);
}

static void hard_edges_belong_to_the_range_and_north_wraps(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(RECIPE("[{layer: slope, range: [10, 20]}]"));
    struct biome_trace trace[4];
    const float edges[][2] = {{9.99f, 0}, {10, 1}, {20, 1}, {20.01f, 0}};
    for (int i = 0; i < 4; i++)
        assert_true(biome_viability_trace(recipe, 0, 1, edges[i], trace) == edges[i][1]);
    recipe_free(recipe);
    recipe = kit_recipe(RECIPE("[{layer: aspect, range: [315, 45], soft: 10}]"));
    const float turns[][2] = {{0, 1},   {44, 1},     {50, 0.5f}, {56, 0}, {180, 0},
                              {304, 0}, {310, 0.5f}, {316, 1},   {-1, 0}};
    for (int i = 0; i < 9; i++)
        assert_true(fabsf(biome_viability_trace(recipe, 0, 1, turns[i], trace) - turns[i][1]) < 1e-5f);
    recipe_free(recipe);
}

static void codes_of_every_type_become_values(void **state) {
    (void)state;
    const uint8_t a[4] = {0, 10, 20, 255};
    const uint16_t b[4] = {0, 10, 20, 65535};
    const int32_t c[4] = {-5, 10, 20, 70000};
    const struct biome_layer layers[3] = {{CELL_U8, a, 0, 0, 4, 0, 0.5f, 1.0f},
                                          {CELL_U16, b, 0, 0, 4, 0, 0.5f, 1.0f},
                                          {CELL_I32, c, 0, 0, 4, 1, 0.5f, 1.0f}};
    struct recipe recipe = {.layer_count = 3};
    struct recipe_step steps[1] = {{.kind = STEP_LAYER, .end = 1, .weight = 1}};
    recipe.steps = steps;
    struct arena arena = {malloc(biome_batch_scratch(&recipe)), biome_batch_scratch(&recipe), 0};
    struct biome_batch batch;
    float out[VIABILITY_BATCH];
    assert_int_equal(biome_batch_init(&batch, &recipe, layers, &arena, NULL), STATUS_OK);
    const int32_t x[4] = {0, 1, 2, 3}, y[4] = {0};
    batch.count = 4;
    batch.x = x;
    batch.y = y;
    const float expected[3][4] = {
        {1, 6, 11, 128.5f}, {1, 6, 11, 32768.5f}, {0, 0, 6, 6}}; /* the last: coarse */
    for (int32_t l = 0; l < 3; l++) {
        steps[0].layer = l;
        biome_viability(&recipe, 0, 1, &batch, out);
        for (int32_t i = 0; i < 4; i++)
            assert_true(out[i] == expected[l][i]);
    }
    free(arena.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_a_slow_reference),
        cmocka_unit_test(a_trace_gives_the_same_bits),
        cmocka_unit_test(bounds_hold_and_are_reached_nearly),
        cmocka_unit_test(bounds_over_a_part_hold_to_the_bit),
        cmocka_unit_test(hard_edges_belong_to_the_range_and_north_wraps),
        cmocka_unit_test(codes_of_every_type_become_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
