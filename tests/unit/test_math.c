#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include "terrain/math.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int64_t ordered(double x) { /* neighbours differ by one */
    int64_t b;
    memcpy(&b, &x, sizeof b);
    return b < 0 ? INT64_MIN - b : b;
}
static uint64_t ulps(double a, double b) {
    if (a != a || b != b)
        return a != a && b != b ? 0 : UINT64_MAX;
    int64_t x = ordered(a), y = ordered(b);
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}
/* the i-th input between a and b */
static double pick(uint64_t i, uint64_t salt, double a, double b) {
    return a + (b - a) * ((double)(hash_place(1, salt, (int32_t)i, 0, 0) >> 11) * 0x1p-53);
}

struct one_case {
    const char *name;
    double (*ours)(double), (*libm)(double);
    double low, high;
    bool of_logarithm; /* inputs are e^pick */
};

static void functions_of_one_argument_are_within_2_ulp(void **state) {
    (void)state;
    static const struct one_case cases[] = {
        {"sin", math_sin, sin, -10, 10, false},
        {"sin, large", math_sin, sin, -1e6, 1e6, false},
        {"sin, small", math_sin, sin, -40, 0, true},
        {"cos", math_cos, cos, -10, 10, false},
        {"cos, large", math_cos, cos, -1e6, 1e6, false},
        {"atan", math_atan, atan, -3, 3, false},
        {"atan, all", math_atan, atan, -100, 100, true},
        {"asin", math_asin, asin, -1, 1, false},
        {"acos", math_acos, acos, -1, 1, false},
        {"exp", math_exp, exp, -2, 2, false},
        {"exp, all", math_exp, exp, -746, 710, false},
        {"exp2", math_exp2, exp2, -2, 2, false},
        {"exp2, all", math_exp2, exp2, -1076, 1025, false},
        {"log", math_log, log, 0.5, 2, false},
        {"log, all", math_log, log, -744, 709, true},
        {"log2", math_log2, log2, 0.5, 2, false},
        {"log2, all", math_log2, log2, -744, 709, true},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (uint64_t i = 0; i < 60000; i++) {
            double x = pick(i, c, cases[c].low, cases[c].high);
            if (cases[c].of_logarithm)
                x = exp(x);
            uint64_t d = ulps(cases[c].ours(x), cases[c].libm(x));
            if (d > 2)
                fail_msg("%s(%a): %a, libm %a", cases[c].name, x, cases[c].ours(x), cases[c].libm(x));
        }
}

static void functions_of_two_arguments_are_within_2_ulp(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 60000; i++) {
        double y = pick(i, 1, -3, 3), x = pick(i, 2, -3, 3);
        assert_in_range(ulps(math_atan2(y, x), atan2(y, x)), 0, 2);
        y = exp(pick(i, 3, -700, 700)), x = -exp(pick(i, 4, -700, 700));
        assert_in_range(ulps(math_atan2(y, x), atan2(y, x)), 0, 2);
        x = exp(pick(i, 5, -20, 20)), y = pick(i, 6, -35, 35);
        assert_in_range(ulps(math_pow(x, y), pow(x, y)), 0, 2);
        x = pick(i, 7, 0.7, 1.42), y = pick(i, 8, -2100, 2100);
        assert_in_range(ulps(math_pow(x, y), pow(x, y)), 0, 2);
        x = pick(i, 9, 0, 1), y = pick(i, 10, 0, 4);
        assert_in_range(ulps(math_pow(x, y), pow(x, y)), 0, 2);
    }
}

static void multiples_of_a_quarter_turn_keep_their_accuracy(void **state) {
    (void)state;
    for (int32_t i = 0; i < 600000; i += 7) {
        double x = (double)i * (MATH_PI / 4);
        assert_in_range(ulps(math_sin(x), sin(x)), 0, 2);
        assert_in_range(ulps(math_cos(x), cos(x)), 0, 2);
    }
}

static void sine_and_cosine_at_once_are_the_same(void **state) {
    (void)state;
    static const double odd[] = {0.0, -0.0, 1e6, -1e6, 2e6, HUGE_VAL, (double)NAN, 5e-324};
    double s, c;
    for (uint32_t i = 0; i < 20000; i++) {
        double x = i < 8 ? odd[i] : pick(i, 20, -60, 60), sine = math_sin(x), cosine = math_cos(x);
        math_sin_cos(x, &s, &c);
        assert_memory_equal(&s, &sine, sizeof s);
        assert_memory_equal(&c, &cosine, sizeof c);
    }
}

static void special_values_are_as_in_C(void **state) {
    (void)state;
    static const double s[] = {0.0, -0.0, 1,    -1,    HUGE_VAL, -HUGE_VAL, (double)NAN, 2,      -2,    3,
                               -3,  0.5,  -0.5, 1e300, -1e300,   1e-310,    5e-324,      1e-300, 0x1p53};
    double (*const ours[])(double) = {math_exp,  math_exp2, math_log, math_log2,
                                      math_atan, math_asin, math_acos};
    double (*const libm[])(double) = {exp, exp2, log, log2, atan, asin, acos};
    const size_t n = sizeof s / sizeof *s;
    for (size_t i = 0; i < n; i++) {
        for (size_t f = 0; f < sizeof ours / sizeof *ours; f++) {
            double a = ours[f](s[i]), b = libm[f](s[i]);
            assert_in_range(ulps(a, b), 0, 1);
            assert_true(b != b || !signbit(a) == !signbit(b));
        }
        for (size_t j = 0; j < n; j++) {
            double a = math_pow(s[i], s[j]), b = pow(s[i], s[j]);
            if (ulps(a, b) > 1 || (b == b && !signbit(a) != !signbit(b)))
                fail_msg("pow(%g, %g): %g, libm %g", s[i], s[j], a, b);
            a = math_atan2(s[i], s[j]), b = atan2(s[i], s[j]);
            if (ulps(a, b) > 1 || (b == b && !signbit(a) != !signbit(b)))
                fail_msg("atan2(%g, %g): %g, libm %g", s[i], s[j], a, b);
        }
    }
    assert_true(signbit(math_sin(-0.0)));
    assert_true(math_sin(2e6) != math_sin(2e6));
    assert_true(math_cos(HUGE_VAL) != math_cos(HUGE_VAL));
}

static void powers_of_two_are_exact(void **state) {
    (void)state;
    for (int32_t k = -1074; k <= 1023; k++) {
        assert_true(math_exp2(k) == ldexp(1.0, k));
        assert_true(math_log2(ldexp(1.0, k)) == (double)k);
        assert_true(math_pow(2.0, k) == ldexp(1.0, k));
    }
}

static void row_kernels_are_within_2e_5_degrees(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        float y = (float)pick(i, 1, -2, 2), x = (float)pick(i, 2, -2, 2), t = (float)exp(pick(i, 3, -30, 30));
        assert_true(fabs((double)math_atan2_deg(y, x) - atan2((double)y, (double)x) * MATH_DEG) < 2e-5);
        assert_true(fabs((double)math_atan_deg(t) - atan((double)t) * MATH_DEG) < 2e-5);
    }
    assert_true(math_atan_deg(0.0f) == 0.0f);
    assert_true(math_atan2_deg(0.0f, 0.0f) == 0.0f);
    assert_true(math_atan2_deg(0.0f, -1.0f) == 180.0f);
    assert_true(math_atan2_deg(1.0f, 0.0f) == 90.0f);
    assert_true(math_atan2_deg(-1.0f, 0.0f) == -90.0f);
}

/* Exact results, the same with every compiler and on every machine. */
struct golden {
    double x;
    uint64_t bits[9]; /* sin cos atan exp exp2 log log2 pow(x, 1.7) atan2(x, -0.3) */
};
static void golden_row(double x, uint64_t bits[9]) {
    const double v[9] = {math_sin(x), math_cos(x),  math_atan(x),     math_exp(x),        math_exp2(x),
                         math_log(x), math_log2(x), math_pow(x, 1.7), math_atan2(x, -0.3)};
    memcpy(bits, v, sizeof v);
}
static const struct golden golden[] = {
    {0x1p-30,
     {0x3e10000000000000, 0x3ff0000000000000, 0x3e10000000000000, 0x3ff0000000400000, 0x3ff00000002c5c86,
      0xc034cb5ecf0a9650, 0xc03e000000000000, 0x3cc0000000000004, 0x400921fb53d9826e}},
    {0x1.47ae147ae147bp-7,
     {0x3f847acae915e807, 0x3fefff9724ad97aa, 0x3f847ab48b1efb5d, 0x3ff0292a5d2f2226, 0x3ff01c7d6c404f0c,
      0xc0126bb1bbb55516, 0xc01a934f0979a371, 0x3f3a1721471fe40d, 0x4008ddbd87e7a36c}},
    {0x1.999999999999ap-4,
     {0x3fb98eaecb8bcb2c, 0x3fefd712f9a817c1, 0x3fb983e282e2cc4d, 0x3ff1aec7b35a00d4, 0x3ff125fbee250664,
      0xc0026bb1bbb55515, 0xc00a934f0979a371, 0x3f946e75df96dc9a, 0x40068f095fdf593c}},
    {0x1.4p-2,
     {0x3fd3ad129769d3d8, 0x3fee733ea0193d40, 0x3fd362773707ebcc, 0x3ff5de9176045ff5, 0x3ff3dea64c123422,
      0xbff29c440606e6ab, 0xbffad961ed0cb91d, 0x3fc1b83aa08361c8, 0x4002afb23a136e1e}},
    {0x1.921fb54442d18p-1,
     {0x3fe6a09e667f3bcd, 0x3fe6a09e667f3bcd, 0x3fe54e04c05d06a0, 0x40018bd669471caa, 0x3ffb93bbf8582e12,
      0xbfceeb95b094c193, 0xbfd64de32d9c8824, 0x3fe53909b9d552a6, 0x3ffef87c2341dc55}},
    {0x1p+0,
     {0x3feaed548f090cee, 0x3fe14a280fb5068c, 0x3fe921fb54442d18, 0x4005bf0a8b14576a, 0x4000000000000000,
      0x0000000000000000, 0x0000000000000000, 0x3ff0000000000000, 0x3ffdcbc9edcbd8da}},
    {0x1.6a09e667f3bcdp+0,
     {0x3fef9bc75444858b, 0x3fc3f5f6868470b3, 0x3fee91f42805715d, 0x401073f7e8448776, 0x40055237179fd804,
      0x3fd62e42fefa39f0, 0x3fe0000000000001, 0x3ffcd70b35cd636d, 0x3ffc7a2ea1363a6a}},
    {0x1.921fb54442d18p+0,
     {0x3ff0000000000000, 0x3c91a62633145c07, 0x3ff00fe987ed02ff, 0x40133dedc855935f, 0x4007c3f73e5e9df4,
      0x3fdce6bb25aa1315, 0x3fe4d90e6931bbee, 0x40013cff855736e4, 0x3ffc26f39f78f9e8}},
    {0x1.5bf0a8b145769p+1,
     {0x3fda4a3d9c2131df, 0xbfed2cec9a554007, 0x3ff37e1637253389, 0x402e4efb75e4527a, 0x401a52d3c6f8818e,
      0x3ff0000000000000, 0x3ff71547652b82fe, 0x4015e552770df8a6, 0x3ffae435bfdaa133}},
    {0x1.cp+1,
     {0xbfd6733b7eba621f, 0xbfedf77403c11a5f, 0x3ff4ae10fc6589a5, 0x40408ec721396bdb, 0x4026a09e667f3bcc,
      0x3ff40b512eb53d60, 0x3ffceaecfea8085a, 0x4020d31b54644bc9, 0x3ffa803620c3e680}},
    {0x1.4p+3,
     {0xbfe1689ef5f34f52, 0xbfead9ac890c6b1f, 0x3ff789bd2c160054, 0x40d5829dcf950560, 0x4090000000000000,
      0x40026bb1bbb55516, 0x400a934f0979a371, 0x40490f3253c017a0, 0x3ff99cd32d54ba46}},
    {0x1.83126e978d4fep+5,
     {0xbfee77ccd35c2e08, 0xbfd390c90593c956, 0x3ff8cd5674dff488, 0x444bec29c7b5fe44, 0x42f4e11870713d4c,
      0x400f0889d9f1265a, 0x401662c5ec2b5afb, 0x4086d904bc8384bb, 0x3ff93b60d5496463}},
    {0x1.f44p+8,
     {0xbfe5802fa6f5d32b, 0xbfe7b35aed4c3a61, 0x3ff919cb3a5ed0b2, 0x6d0a23df509d4747, 0x5f3306fe0a31b715,
      0x4018dc4543bc8b4e, 0x4021eed9cd76ae85, 0x40e2ef9d51c2f9c0, 0x3ff924702907bcb4}},
};

static void results_are_the_golden_bits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        uint64_t bits[9];
        golden_row(golden[i].x, bits);
        for (int32_t f = 0; f < 9; f++)
            if (bits[f] != golden[i].bits[f])
                fail_msg("x = %a, function %d: %016llx, golden %016llx", golden[i].x, f,
                         (unsigned long long)bits[f], (unsigned long long)golden[i].bits[f]);
    }
}

static void a_hundred_thousand_results_hash_to_the_golden_value(void **state) {
    (void)state;
    uint64_t h = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t bits[9];
        golden_row(pick(i, 77, 0.001, 20), bits);
        for (int32_t f = 0; f < 9; f++)
            h = hash_mix(h ^ bits[f]);
    }
    assert_int_equal(h, 0x02ba276b7ba27fb5);
}

static void test_larger_and_smaller(void **state) {
    (void)state;
    double nan = (double)NAN;
    assert_true(math_max(1, 2) == 2 && math_max(2, 1) == 2 && math_min(1, 2) == 1 && math_min(2, 1) == 1);
    assert_true(math_max(nan, 1) == 1 && math_max(1, nan) == 1 && math_min(nan, 1) == 1 &&
                math_min(1, nan) == 1);
    assert_true(isnan(math_max(nan, nan)) && isnan(math_min(nan, nan)));
    assert_true(math_maxf(NAN, 1) == 1 && math_minf(NAN, 1) == 1 && math_maxf(1, 2) == 2 &&
                math_minf(1, 2) == 1);
    /* the first of equals, whatever the C library does */
    assert_true(signbit(math_max(-0.0, 0.0)) && !signbit(math_max(0.0, -0.0)));
    assert_true(signbit(math_min(-0.0, 0.0)) && !signbit(math_min(0.0, -0.0)));
    assert_true(signbit(math_maxf(-0.0f, 0.0f)) && !signbit(math_minf(0.0f, -0.0f)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_larger_and_smaller),
        cmocka_unit_test(functions_of_one_argument_are_within_2_ulp),
        cmocka_unit_test(functions_of_two_arguments_are_within_2_ulp),
        cmocka_unit_test(multiples_of_a_quarter_turn_keep_their_accuracy),
        cmocka_unit_test(sine_and_cosine_at_once_are_the_same),
        cmocka_unit_test(special_values_are_as_in_C),
        cmocka_unit_test(powers_of_two_are_exact),
        cmocka_unit_test(row_kernels_are_within_2e_5_degrees),
        cmocka_unit_test(results_are_the_golden_bits),
        cmocka_unit_test(a_hundred_thousand_results_hash_to_the_golden_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
