#include "terrain/math.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const double not_a_number = (double)NAN;

/* ---- bits ---- */

static uint64_t to_bits(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}
static double from_bits(uint64_t b) {
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}
static bool sign_of(double x) {
    return to_bits(x) >> 63 != 0;
}
static double with_sign(double x, bool negative) {
    return from_bits((to_bits(x) & ~((uint64_t)1 << 63)) | (uint64_t)negative << 63);
}
/* 2^k for a normal exponent, -1022 <= k <= 1023. */
static double power_of_two(int32_t k) {
    return from_bits((uint64_t)(k + 1023) << 52);
}
/* x * 2^k for x near 1 and -1080 <= k <= 1024: only the second product can round. */
static double scale(double x, int32_t k) {
    int32_t half = k / 2;
    return x * power_of_two(half) * power_of_two(k - half);
}

/* ---- double-double (Dekker 1971, Knuth): value = hi + lo ---- */

struct dd {
    double hi, lo;
};
static struct dd two_sum(double a, double b) {
    double s = a + b, bb = s - a;
    return (struct dd){s, (a - (s - bb)) + (b - bb)};
}
static struct dd fast_two_sum(double a, double b) { /* |a| >= |b| */
    double s = a + b;
    return (struct dd){s, b - (s - a)};
}
static struct dd two_product(double a, double b) {
    const double split = 0x1p27 + 1.0;
    double p = a * b, ta = split * a, tb = split * b;
    double ah = ta - (ta - a), al = a - ah, bh = tb - (tb - b), bl = b - bh;
    return (struct dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
static struct dd dd_product(struct dd a, struct dd b) {
    struct dd p = two_product(a.hi, b.hi);
    return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* ---- sin, cos ---- */

/* x = n pi/2 + hi + lo with |hi| <= pi/4; returns n mod 4. pi/2 in four parts of which three have 33 bits, so
 * that n times a part is exact for n < 2^20. */
static int32_t reduce_quarter(double x, struct dd *r) {
    double n = floor(x * 0x1.45f306dc9c883p-1 + 0.5);
    struct dd a = two_sum(x, -(n * 0x1.921fb54400000p+0));
    struct dd b = two_sum(a.hi, -(n * 0x1.0b4611a600000p-34));
    struct dd c = two_sum(b.hi, -(n * 0x1.3198a2e000000p-69));
    *r = fast_two_sum(c.hi, ((a.lo + b.lo) + c.lo) - n * 0x1.b839a252049c1p-104);
    return (int32_t)n & 3;
}

static double sin_kernel(struct dd r) {
    double z = r.hi * r.hi;
    double p = 0x1.952c77030ad4ap-49; /* 1/17! */
    p = p * z - 0x1.ae7f3e733b81fp-41;
    p = p * z + 0x1.6124613a86d09p-33;
    p = p * z - 0x1.ae64567f544e4p-26;
    p = p * z + 0x1.71de3a556c734p-19;
    p = p * z - 0x1.a01a01a01a01ap-13;
    p = p * z + 0x1.1111111111111p-7;
    p = p * z - 0x1.5555555555555p-3;
    return r.hi + (r.hi * z * p + r.lo * (1.0 - 0.5 * z));
}

static double cos_kernel(struct dd r) {
    double z = r.hi * r.hi;
    double p = 0x1.ae7f3e733b81fp-45; /* 1/16! */
    p = p * z - 0x1.93974a8c07c9dp-37;
    p = p * z + 0x1.1eed8eff8d898p-29;
    p = p * z - 0x1.27e4fb7789f5cp-22;
    p = p * z + 0x1.a01a01a01a01ap-16;
    p = p * z - 0x1.6c16c16c16c17p-10;
    p = p * z + 0x1.5555555555555p-5;
    struct dd w = fast_two_sum(1.0, -0.5 * z);
    return w.hi + (w.lo + (z * z * p - r.hi * r.lo));
}

static double in_quarter(struct dd r, int32_t q) {
    double s = q & 1 ? cos_kernel(r) : sin_kernel(r);
    return q & 2 ? -s : s;
}

static bool is_angle(double x) {
    return x >= -1e6 && x <= 1e6;
}

double math_sin(double x) {
    struct dd r;
    if (x == 0.0 || !is_angle(x))
        return x == 0.0 ? x : not_a_number;
    int32_t quarter = reduce_quarter(x, &r);
    return in_quarter(r, quarter);
}

double math_cos(double x) {
    struct dd r;
    if (!is_angle(x))
        return not_a_number;
    int32_t quarter = reduce_quarter(x, &r);
    return in_quarter(r, quarter + 1);
}

void math_sin_cos(double x, double *sine, double *cosine) {
    struct dd r;
    *sine = *cosine = not_a_number;
    if (!is_angle(x))
        return;
    int32_t quarter = reduce_quarter(x, &r);
    *sine = x == 0.0 ? x : in_quarter(r, quarter);
    *cosine = in_quarter(r, quarter + 1);
}

/* ---- atan ---- */

/* atan(i / 16) as hi + lo */
static const struct dd atan_table[17] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/* atan(small / large) for 0 <= small <= large, large > 0 and finite: the nearest sixteenth c from the table,
 * the rest from the series at (small - c large) / (large + c small), which is below 1/31. */
static struct dd atan_ratio(double small, double large) {
    int32_t i = (int32_t)(small / large * 16.0 + 0.5);
    if (i == 0) {
        double t = small / large, z = t * t;
        double p = ((((-1.0 / 11.0 * z + 1.0 / 9.0) * z - 1.0 / 7.0) * z + 0.2) * z - 1.0 / 3.0) * z;
        return (struct dd){t, t * p};
    }
    double c = (double)i * 0.0625;
    struct dd cl = two_product(c, large);
    double t = ((small - cl.hi) - cl.lo) / (large + c * small), z = t * t;
    double p = ((((-1.0 / 11.0 * z + 1.0 / 9.0) * z - 1.0 / 7.0) * z + 0.2) * z - 1.0 / 3.0) * z;
    struct dd s = fast_two_sum(atan_table[i].hi, t);
    return (struct dd){s.hi, s.lo + (atan_table[i].lo + t * p)};
}

/* a hi + lo minus b, for constants of two parts */
static double constant_minus(double hi, double lo, struct dd b) {
    struct dd s = two_sum(hi, -b.hi);
    return s.hi + (s.lo + (lo - b.lo));
}

double math_atan2(double y, double x) {
    const double pi_hi = MATH_PI, pi_lo = 0x1.1a62633145c07p-53;
    if (x != x || y != y)
        return not_a_number;
    double ax = with_sign(x, false), ay = with_sign(y, false);
    struct dd a;
    bool steep = ay > ax;
    double large = steep ? ay : ax, small = steep ? ax : ay;
    if (large == 0.0)
        a = (struct dd){0.0, 0.0};
    else if (large == HUGE_VAL)
        a = small == HUGE_VAL ? atan_table[16] : (struct dd){0.0, 0.0};
    else if (large > 0x1p900) /* keep two_product's split from overflowing */
        a = atan_ratio(small * 0x1p-200, large * 0x1p-200);
    else if (large < 0x1p-700)
        a = atan_ratio(small * 0x1p200, large * 0x1p200);
    else
        a = atan_ratio(small, large);
    double angle;
    if (!steep)
        angle = sign_of(x) ? constant_minus(pi_hi, pi_lo, a) : a.hi + a.lo;
    else if (!sign_of(x))
        angle = constant_minus(0.5 * pi_hi, 0.5 * pi_lo, a);
    else
        angle = constant_minus(0.5 * pi_hi, 0.5 * pi_lo, (struct dd){-a.hi, -a.lo});
    return with_sign(angle, sign_of(y));
}

double math_atan(double x) {
    return math_atan2(x, 1.0);
}

double math_asin(double x) {
    return x >= -1.0 && x <= 1.0 ? math_atan2(x, sqrt((1.0 - x) * (1.0 + x))) : not_a_number;
}

double math_acos(double x) {
    return x >= -1.0 && x <= 1.0 ? math_atan2(sqrt((1.0 - x) * (1.0 + x)), x) : not_a_number;
}

/* ---- exp ---- */

/* e^(hi + lo) 2^k for |hi| <= 0.35: the series to r^13/13!. */
static double exp_kernel(struct dd r, int32_t k) {
    double x = r.hi;
    double p = 0x1.6124613a86d09p-33;
    p = p * x + 0x1.1eed8eff8d898p-29;
    p = p * x + 0x1.ae64567f544e4p-26;
    p = p * x + 0x1.27e4fb7789f5cp-22;
    p = p * x + 0x1.71de3a556c734p-19;
    p = p * x + 0x1.a01a01a01a01ap-16;
    p = p * x + 0x1.a01a01a01a01ap-13;
    p = p * x + 0x1.6c16c16c16c17p-10;
    p = p * x + 0x1.1111111111111p-7;
    p = p * x + 0x1.5555555555555p-5;
    p = p * x + 0x1.5555555555555p-3;
    p = p * x + 0.5;
    return scale(1.0 + (x + (r.lo + x * x * p)), k);
}

double math_exp(double x) {
    if (x != x)
        return not_a_number;
    if (x > 709.782712893384)
        return HUGE_VAL;
    if (x < -745.1332191019412)
        return 0.0;
    double k = floor(x * 0x1.71547652b82fep+0 + 0.5);
    struct dd r = two_sum(x - k * 0x1.62e42ff000000p-1, k * 0x1.718432a1b0e26p-35);
    return exp_kernel(r, (int32_t)k);
}

/* 2^(t.hi + t.lo) */
static double exp2_dd(struct dd t) {
    if (t.hi >= 1024.0)
        return HUGE_VAL;
    if (t.hi < -1076.0)
        return 0.0;
    double k = floor(t.hi + 0.5);
    double f = t.hi - k;
    struct dd r = two_product(f, 0x1.62e42fefa39efp-1);
    r.lo += f * 0x1.abc9e3b39803fp-56 + t.lo * 0x1.62e42fefa39efp-1;
    return exp_kernel(two_sum(r.hi, r.lo), (int32_t)k);
}

double math_exp2(double x) {
    return x != x ? not_a_number : exp2_dd((struct dd){x, 0.0});
}

/* ---- log ---- */

/* x = m 2^k with sqrt(1/2) <= m < sqrt(2), for finite x > 0. */
static double split_exponent(double x, int32_t *k) {
    int32_t e = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        e = -54;
    }
    uint64_t b = to_bits(x);
    e += (int32_t)(b >> 52) - 1023;
    double m = from_bits((b & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    bool halve = m > 0x1.6a09e667f3bcdp+0;
    *k = e + (halve ? 1 : 0);
    return halve ? 0.5 * m : m;
}

/* True when x needs no computing: *out is its logarithm. */
static bool log_special(double x, double *out) {
    if (x > 0.0 && x < HUGE_VAL)
        return false;
    *out = x == 0.0 ? -HUGE_VAL : x == HUGE_VAL ? HUGE_VAL : not_a_number;
    return true;
}

/* log m = 2 atanh s with s = (m - 1) / (m + 1) */
double math_log(double x) {
    double special;
    if (log_special(x, &special))
        return special;
    int32_t k;
    double f = split_exponent(x, &k) - 1.0, s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double p = 2.0 / 21.0;
    p = p * z + 2.0 / 19.0;
    p = p * z + 2.0 / 17.0;
    p = p * z + 2.0 / 15.0;
    p = p * z + 2.0 / 13.0;
    p = p * z + 2.0 / 11.0;
    p = p * z + 2.0 / 9.0;
    p = p * z + 2.0 / 7.0;
    p = p * z + 2.0 / 5.0;
    p = p * z + 2.0 / 3.0;
    p = p * z;
    double n = (double)k, low = s * (half + p) - n * 0x1.718432a1b0e26p-35;
    return n * 0x1.62e42ff000000p-1 + (f - (half - low));
}

/* log2 x for finite x > 0, with about 64 right bits: s and the first two terms of the series in
 * double-double, constants 2 / ln 2 and 2 / (3 ln 2), the rest in double. */
static struct dd log2_dd(double x) {
    int32_t k;
    double m = split_exponent(x, &k), f = m - 1.0;
    struct dd d = two_sum(m, 1.0);
    double q = f / d.hi;
    struct dd back = two_product(q, d.hi);
    struct dd s = {q, (((f - back.hi) - back.lo) - q * d.lo) / d.hi};
    struct dd z = two_product(s.hi, s.hi);
    z.lo += 2.0 * s.hi * s.lo;
    double p = 2.0 / 25.0;
    p = p * z.hi + 2.0 / 23.0;
    p = p * z.hi + 2.0 / 21.0;
    p = p * z.hi + 2.0 / 19.0;
    p = p * z.hi + 2.0 / 17.0;
    p = p * z.hi + 2.0 / 15.0;
    p = p * z.hi + 2.0 / 13.0;
    p = p * z.hi + 2.0 / 11.0;
    p = p * z.hi + 2.0 / 9.0;
    p = p * z.hi + 2.0 / 7.0;
    p = p * z.hi + 2.0 / 5.0;
    p = p * (0x1.71547652b82fep+0 * z.hi * z.hi);
    struct dd first = {0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};
    struct dd second = dd_product(z, (struct dd){0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55});
    struct dd sum = fast_two_sum(first.hi, second.hi);
    struct dd log = dd_product(s, (struct dd){sum.hi, sum.lo + (first.lo + (second.lo + p))});
    struct dd whole = two_sum((double)k, log.hi);
    return fast_two_sum(whole.hi, whole.lo + log.lo);
}

double math_log2(double x) {
    double special;
    if (log_special(x, &special))
        return special;
    struct dd l = log2_dd(x);
    return l.hi + l.lo;
}

/* ---- pow ---- */

/* 0: no integer; 1: odd; 2: even. */
static int32_t parity(double y) {
    double a = with_sign(y, false);
    if (a != floor(a))
        return 0;
    if (a >= 0x1p53)
        return 2;
    return floor(a * 0.5) * 2.0 == a ? 2 : 1;
}

double math_pow(double x, double y) {
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (x != x || y != y)
        return not_a_number;
    double ax = with_sign(x, false), ay = with_sign(y, false);
    if (ay == HUGE_VAL)
        return ax == 1.0 ? 1.0 : (ax > 1.0) == (y > 0.0) ? HUGE_VAL : 0.0;
    int32_t kind = parity(y);
    bool negative = sign_of(x) && kind == 1;
    if (ax == 0.0 || ax == HUGE_VAL)
        return with_sign((ax == 0.0) == (y > 0.0) ? 0.0 : HUGE_VAL, negative);
    if (x < 0.0 && kind == 0)
        return not_a_number;
    struct dd l = log2_dd(ax);
    double rough = l.hi * y;
    if (rough > 1100.0 || rough < -1100.0)
        return with_sign(rough > 0.0 ? HUGE_VAL : 0.0, negative);
    if (ay < 0x1p-900 || ay > 0x1p900) /* then x^y is 1 to the last bit, or was out of range above */
        return with_sign(1.0 + rough, negative);
    struct dd t = two_product(l.hi, y);
    return with_sign(exp2_dd(fast_two_sum(t.hi, t.lo + l.lo * y)), negative);
}
