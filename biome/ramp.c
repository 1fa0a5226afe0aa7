#include "biome/ramp.h"

float biome_ramp_at(const struct biome_ramp *ramp, float x) {
    int32_t last = ramp->count - 1, i = 0;
    if (last < 0)
        return x;
    if (x < ramp->x[0])
        return ramp->y[0];
    while (i < last && ramp->x[i + 1] <= x)
        i++;
    if (i == last)
        return ramp->y[last];
    float from = ramp->y[i], to = ramp->y[i + 1];
    float y = from + (to - from) * ((x - ramp->x[i]) / (ramp->x[i + 1] - ramp->x[i]));
    /* rounding stays between the ends */
    float low = from < to ? from : to, high = from < to ? to : from;
    return y < low ? low : y > high ? high : y;
}

float biome_ramp_most(const struct biome_ramp *ramp, float low, float high) {
    float a = biome_ramp_at(ramp, low), b = biome_ramp_at(ramp, high);
    float most = a > b ? a : b;
    for (int32_t i = 0; i < ramp->count; i++)
        if (ramp->x[i] >= low && ramp->x[i] <= high && ramp->y[i] > most)
            most = ramp->y[i];
    return most;
}
