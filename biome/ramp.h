/* Owns ramps by points: how one number follows from another. Pure. */
#ifndef BIOME_RAMP_H
#define BIOME_RAMP_H
#include <stdint.h>

enum { RAMP_POINTS_MAX = 12 };

/* Linear between points, the end values beyond them. x never falls; where two points share an x the value
 * jumps there to the later one's. No points: the number itself. */
struct biome_ramp {
    int32_t count;
    float x[RAMP_POINTS_MAX], y[RAMP_POINTS_MAX];
};

float biome_ramp_at(const struct biome_ramp *ramp, float x);
/* The largest value over low..high, to the bit: no x between them gives more. */
float biome_ramp_most(const struct biome_ramp *ramp, float low, float high);

#endif
