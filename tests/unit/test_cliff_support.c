#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cliff/support.h"

#include <stdlib.h>

enum { SIDE = 40, TALL = 24, GROUND = 6 /* samples of each column that are ground */ };

typedef bool (*solid_fn)(int32_t i, int32_t j, int32_t k);

static struct lattice make(solid_fn solid) {
    struct lattice l = {.x0 = -7, .y0 = 3, .width = SIDE, .height = SIDE, .sample_count = SIDE * SIDE * TALL};
    l.columns = calloc(SIDE * SIDE, sizeof *l.columns);
    l.samples = calloc(l.sample_count, sizeof *l.samples);
    assert_true(l.columns && l.samples);
    for (int32_t n = 0; n < SIDE * SIDE; n++) {
        int32_t k0 = n % 3 - 1; /* columns begin at different heights */
        l.columns[n] =
            (struct lattice_column){.k0 = k0, .count = TALL - 3, .base = GROUND - 1, .at = (size_t)n * TALL};
        for (int32_t k = 0; k < TALL - 3; k++) {
            bool rock = k + k0 < GROUND || solid(n % SIDE, n / SIDE, k + k0);
            l.samples[n * TALL + k] = (struct cliff_sample){rock ? -1.0f : 1.0f, rock ? 5 : CLIFF_BASE};
        }
    }
    return l;
}

static bool solid(const struct lattice *l, int32_t i, int32_t j, int32_t k) {
    const struct lattice_column *c = &l->columns[j * SIDE + i];
    return l->samples[c->at + (size_t)(k - c->k0)].f < 0;
}

/* Asserts that the settled samples are those of `left`, away from the rim. */
static void assert_left(solid_fn begin, solid_fn left) {
    struct lattice l = make(begin);
    struct cliff_params params = {.step_m = 1, .step_z_m = 0.5};
    size_t room = 1 << 20;
    struct arena arena = {malloc(room), room, 0};
    assert_non_null(arena.base);
    assert_true(cliff_support(&params, &l, &arena));
    assert_int_equal(arena.used, 0);
    int32_t rim = cliff_support_reach(&params);
    assert_in_range(rim, 4, SIDE / 2 - 4);
    for (int32_t j = rim; j < SIDE - rim; j++)
        for (int32_t i = rim; i < SIDE - rim; i++)
            for (int32_t k = 2; k < TALL - 4; k++)
                assert_int_equal(solid(&l, i, j, k), k < GROUND || left(i, j, k));
    free(arena.base);
    free(l.columns);
    free(l.samples);
}

static bool none(int32_t i, int32_t j, int32_t k) {
    (void)i;
    (void)j;
    (void)k;
    return false;
}
static bool fin(int32_t i, int32_t j, int32_t k) {
    return (j == 20 || j == 21) && i > 14 && i < 25 && k < 14;
}
static bool slanting_fin(int32_t i, int32_t j, int32_t k) {
    return (i - j == 0 || i - j == 1) && k < 14;
}
static bool needle(int32_t i, int32_t j, int32_t k) {
    return i / 2 == 10 && j / 2 == 10 && k < 14;
}
static bool low_fin(int32_t i, int32_t j, int32_t k) {
    return fin(i, j, k) && k < GROUND + 3;
}
static bool wall(int32_t i, int32_t j, int32_t k) {
    return j >= 18 && j < 21 && i > 14 && i < 25 && k < 14;
}
/* a quarter of space, turned by 45 degrees: its edge is thin along x, and what lies behind is not */
static bool corner(int32_t i, int32_t j, int32_t k) {
    return j - 17 >= abs(i - 20) && k < 16;
}
static bool fin_on_a_wall(int32_t i, int32_t j, int32_t k) {
    return wall(i, j, k) || (j == 19 && i > 14 && i < 25 && k < 19);
}
static bool roof(int32_t i, int32_t j, int32_t k) { /* nothing holds it */
    return i > 16 && i < 24 && j > 16 && j < 24 && k > 11 && k < 15;
}

static void fins_and_needles_become_air(void **state) {
    (void)state;
    assert_left(fin, none);
    assert_left(slanting_fin, none);
    assert_left(needle, none);
    assert_left(fin_on_a_wall, wall);
}

static void what_is_low_or_thick_stays(void **state) {
    (void)state;
    assert_left(low_fin, low_fin);
    assert_left(wall, wall);
    assert_left(corner, corner);
}

static void what_floats_becomes_air(void **state) {
    (void)state;
    assert_left(roof, none);
}

static void too_little_scratch_is_said(void **state) {
    (void)state;
    struct lattice l = make(wall);
    struct cliff_params params = {.step_m = 1, .step_z_m = 0.5};
    unsigned char few[64];
    struct arena arena = {few, sizeof few, 0};
    assert_false(cliff_support(&params, &l, &arena));
    free(l.columns);
    free(l.samples);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fins_and_needles_become_air),
        cmocka_unit_test(what_is_low_or_thick_stays),
        cmocka_unit_test(what_floats_becomes_air),
        cmocka_unit_test(too_little_scratch_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
