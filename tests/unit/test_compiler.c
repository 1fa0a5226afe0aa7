/* What the compiler must not get wrong with the flags of the Makefile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* gcc 12.2 -O3 -fno-math-errno sets `along` to zero behind the sums when it distributes the loop, unless the
 * arrays lie close together. */
static void measure(const double *xy, double *along, uint32_t *owner, size_t count, size_t p, uint32_t line) {
    for (size_t i = 0; i < count; i++, p++) {
        owner[p] = line;
        along[p] = 0;
        if (i > 0)
            along[p] = along[p - 1] + sqrt(xy[2 * i] - xy[2 * i - 2]);
    }
}

/* so that no copy of it is made for the numbers below */
static void (*volatile measuring)(const double *, double *, uint32_t *, size_t, size_t, uint32_t) = measure;

static void a_running_sum_with_a_first_case_is_a_sum(void **state) {
    (void)state;
    const double xy[] = {0, 0, 4, 0, 13, 0};
    double along[64] = {9};
    uint32_t owner[64] = {0};
    measuring(xy, along, owner, 3, 1, 7);
    assert_true(along[0] == 9 && along[1] == 0 && along[2] == 2 && along[3] == 5);
    assert_int_equal(owner[3], 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_running_sum_with_a_first_case_is_a_sum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
