/* Owns the elementary functions that reach outputs: the same bits on every machine and with every compiler,
 * where libm's differ. Made of + - * / sqrt floor, comparisons and integer work only; needs
 * -ffp-contract=off. Knows nothing of rasters.
 *
 * Accuracy: within 2 ulp of the true value over the whole stated domain (tests/unit/test_math.c measures
 * about 1). Zeros keep C's signs, NaN gives NaN. Methods: Muller, Elementary Functions, 3rd ed. 2016:
 * argument reduction by Cody & Waite 1980, then Taylor polynomials; log2 and pow in double-double by Dekker
 * 1971. */
#ifndef TERRAIN_MATH_H
#define TERRAIN_MATH_H

#define MATH_PI  0x1.921fb54442d18p+1
#define MATH_DEG 0x1.ca5dc1a63c1f8p+5 /* degrees in a radian: 180 / pi */
#define MATH_RAD 0x1.1df46a2529d39p-6 /* radians in a degree: pi / 180 */

/* x in radians, |x| <= 1e6; beyond it and for infinities NaN. */
double math_sin(double x);
double math_cos(double x);
/* Both at once, bit for bit. */
void math_sin_cos(double x, double *sine, double *cosine);
/* Radians, -pi/2..pi/2. */
double math_atan(double x);
/* Angle of (x, y) in radians, -pi..pi; special cases as in C: atan2(0, 0) is 0, atan2(0, -1) is pi. */
double math_atan2(double y, double x);
/* Radians; NaN outside -1..1. */
double math_asin(double x);
double math_acos(double x);

/* e^x and 2^x: infinity above the range, subnormal and then 0 below. */
double math_exp(double x);
double math_exp2(double x);
/* Natural and binary logarithm: log(0) is -infinity, of negative numbers NaN; log2 of 2^k is k. */
double math_log(double x);
double math_log2(double x);
/* x^y. Negative x needs an integer y, else NaN; x^0 and 1^y are 1. */
double math_pow(double x, double y);

/* The larger, the smaller of two; the other one where one is NaN; the first where they are equal (libm's
 * differ in which zero, -0 or 0, they give). */
static inline double math_max(double a, double b) {
    return a < b || a != a ? b : a;
}
static inline double math_min(double a, double b) {
    return a > b || a != a ? b : a;
}
static inline float math_maxf(float a, float b) {
    return a < b || a != a ? b : a;
}
static inline float math_minf(float a, float b) {
    return a > b || a != a ? b : a;
}

/* Float kernels for whole rows: branch free, so that compilers vectorise the loop around them.
 * Within 0.00002 degrees. Inline, because a call would stop the vectoriser. */

/* atan(t) in degrees for 0 <= t <= 1. */
static inline float math_atan_unit_deg(float t) {
    float z = t * t;
    float p = -0x1.0b86edf0b8f6cp-2f;
    p = p * z + 1.36252335025f;
    p = p * z - 3.370696564894f;
    p = p * z + 5.654443393334f;
    p = p * z - 8.023294268775f;
    p = p * z + 11.440226425344f;
    p = p * z - 19.097721886882f;
    p = p * z + 57.29577275198f;
    return p * t;
}
/* atan(t) in degrees for t >= 0: 0..90. */
static inline float math_atan_deg(float t) {
    float inverse = 1.0f / t;
    float small = t < 1.0f ? t : inverse;
    float a = math_atan_unit_deg(small);
    return t < 1.0f ? a : 90.0f - a;
}
/* The angle of (x, y) in degrees, -180..180, counterclockwise from x; 0 for (0, 0). Finite x, y. */
static inline float math_atan2_deg(float y, float x) {
    float ax = x < 0.0f ? -x : x, ay = y < 0.0f ? -y : y;
    float large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
    large = large > 0.0f ? large : 1.0f;
    float a = math_atan_unit_deg(small / large);
    a = ay > ax ? 90.0f - a : a;
    a = x < 0.0f ? 180.0f - a : a;
    return y < 0.0f ? -a : a;
}

#endif
