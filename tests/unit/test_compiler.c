/* What the compiler must not get wrong with the flags of the Makefile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* gcc 12.2 -O3 -fno-math-errno sets `along` to zero behind the sums when it distributes the loop. */
__attribute__((noinline)) static void measure(const double *xy, double *along, uint32_t *owner, size_t count,
                                              size_t first, uint32_t line) {
    for (size_t i = 0, p = first; i < count; i++, p++) {
        owner[p] = line;
        along[p] = 0;
        if (i > 0)
            along[p] = along[p - 1] + sqrt(xy[2 * i] - xy[2 * i - 2]);
    }
}

static void a_running_sum_with_a_first_case_is_a_sum(void **state) {
    (void)state;
    const double xy[] = {0, 0, 4, 0, 13, 0};
    double along[4] = {9, 9, 9, 9};
    uint32_t owner[4] = {0};
    measure(xy, along, owner, 3, 1, 7);
    assert_true(along[0] == 9 && along[1] == 0 && along[2] == 2 && along[3] == 5);
    assert_int_equal(owner[3], 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_running_sum_with_a_first_case_is_a_sum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
