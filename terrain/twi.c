#include "terrain/twi.h"

#include "terrain/clones.h"
#include "terrain/flow_finish.h"
#include "terrain/math.h"

#include <string.h>

/* tan of 0 .. pi / 4 by the continued fraction (Lambert 1768), cut where it is exact to a float. */
static inline float tan_small(float x) {
    float z = x * x;
    return x * (945.0f - z * (105.0f - z)) / (945.0f - z * (420.0f - 15.0f * z));
}

/* ln of a positive normal float: 2 atanh((m - 1) / (m + 1)) for a mantissa within sqrt(1/2) .. sqrt(2). */
static inline float log_float(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    int32_t above = (int32_t)bits - 0x3f3504f3; /* sqrt(1/2) */
    uint32_t mantissa = ((uint32_t)above & 0x7fffff) + 0x3f3504f3;
    float m;
    memcpy(&m, &mantissa, sizeof m);
    float s = (m - 1.0f) / (m + 1.0f), z = s * s;
    float series = s * (2.0f + z * (0.66666667f + z * (0.4f + z * 0.28571429f)));
    return (float)(above >> 23) * 0.69314718f + series;
}

/* ln tan of slopes in degrees. */
static inline float log_tan(float deg) {
    deg = deg > TWI_SLOPE_MIN_DEG ? deg : TWI_SLOPE_MIN_DEG;
    deg = deg < TWI_SLOPE_MAX_DEG ? deg : TWI_SLOPE_MAX_DEG;
    float from_end = 90.0f - deg, small = deg < from_end ? deg : from_end;
    float l = log_float(tan_small(small * (float)MATH_RAD));
    return deg < from_end ? l : -l;
}

/* zero: what a code of flow 0 at 45 degrees gives, in steps. */
TERRAIN_CLONES static void twi_row(const uint16_t *flow, const float *slope, int32_t n, float zero,
                                   uint8_t *restrict out) {
    const float per_code = (float)TWI_STEPS * 0.69314718f / (float)FLOW_CODES_PER_OCTAVE;
    for (int32_t x = 0; x < n; x++) {
        float code = zero + per_code * (float)(int32_t)flow[x] - (float)TWI_STEPS * log_tan(slope[x]) + 0.5f;
        code = code > 0.0f ? code : 0.0f;
        code = code < 255.0f ? code : 255.0f;
        out[x] = (uint8_t)(int32_t)code;
    }
}

void terrain_twi(double cell_m, const struct grid_u16 *flow, const struct grid_f32 *slope,
                 struct grid_u8 *out) {
    /* area / contour in metres: a code of 0 is 1 m2 */
    float zero = (float)(-TWI_STEPS * (math_log(cell_m) + TWI_MIN));
    for (int32_t y = out->y0; y < out->y0 + out->height; y++)
        twi_row(grid_u16_at(flow, out->x0, y), grid_f32_at(slope, out->x0, y), out->width, zero,
                grid_u8_at(out, out->x0, y));
}
