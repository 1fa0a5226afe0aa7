/* Owns the colours of beds. */
#ifndef CLIFF_COLOR_H
#define CLIFF_COLOR_H
#include "cliff/strata.h"

enum { CLIFF_RAMP_MAX = 8, CLIFF_KINDS = 3 };
struct cliff_ramp {
    uint8_t rgb[CLIFF_KINDS][CLIFF_RAMP_MAX][3]; /* by enum strata_kind; sRGB */
    int32_t count[CLIFF_KINDS];                  /* 1..CLIFF_RAMP_MAX */
    int32_t variation; /* 0..64: a bed is lighter or darker by up to so many levels */
    int32_t
        weathering; /* 0..64: streaks and recesses are darker, rusty or bleached by up to so many levels */
};
/* Limestone in greys, marly beds in ochre, shale in dark warm greys. */
extern const struct cliff_ramp cliff_ramp_default;

/* A bed's colour, sRGB: one of its kind's, a little lighter or darker; of its id and the seed alone. */
void cliff_bed_color(const struct cliff_ramp *ramp, uint64_t seed, uint16_t bed, uint8_t rgb[3]);

/* What weather does to a colour at a place of the rock: streaks that run down, dark under overhangs. up: the
 * surface's unit normal upwards, -1..1. The place is in metres of the world. */
void cliff_weather(const struct cliff_ramp *ramp, uint64_t seed, const double place_m[3], float up,
                   uint8_t rgb[3]);

#endif
