/* Owns where the sun stands over a year, summed so that a place's share of direct sun is one lookup a
 * direction. Knows nothing of rasters.
 *
 * Model: a circular orbit and apparent solar time, no refraction: declination = asin(sin 23.4393 deg x sin of
 * the sun's longitude), elevation and azimuth from declination, hour angle and latitude (Iqbal, An
 * Introduction to Solar Radiation, 1983, ch. 1). Clear air lets 0.7 ^ (1 / sin elevation) through (Bouguer's
 * law, a transmittance of 0.7 straight down; Gates 1980), so that low suns count for little. 24 days a year
 * at equal steps of longitude, none repeating another's declination; a sun every 5 minutes, symmetric about
 * noon. Each sun's beam (the vector to it, as long as it is strong) is shared by the two compass directions
 * beside its azimuth, in proportion. */
#ifndef TERRAIN_SUN_H
#define TERRAIN_SUN_H
#include "terrain/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SUN_STEPS = 1024, SUN_DAYS = 24, SUN_HALF_DAY = 144 };

struct sun_beam {
    float east, north, up, spare;
};
/* beams[d * SUN_STEPS + s]: the sum of the beams of direction d whose elevation stands above step s, half of
 * those in it; step = floor(SUN_STEPS t / (1 + t)) for a tangent t >= 0. Scaled so that the best orientation
 * of an open plane at this latitude gets 1. */
struct sun_table {
    int32_t directions;
    struct sun_beam *beams;
};

size_t sun_scratch(int32_t directions);
/* latitude_rad -pi/2..pi/2, north positive; directions 16 or 32. False: the arena is too small. */
bool sun_prepare(struct sun_table *table, double latitude_rad, int32_t directions, struct arena *arena);

/* The step of a horizon with tangent t >= 0, finite. */
static inline int32_t sun_step(float tangent) {
    return (int32_t)((float)SUN_STEPS * (tangent / (1.0f + tangent)));
}

/* The beam of one sample: the unit vector to the sun times what the air lets through; zero below the horizon.
 * day 0..SUN_DAYS - 1; hour 0..SUN_HALF_DAY - 1 counts 5-minute steps
 * from noon into the afternoon (west: east is negative); the morning mirrors it. */
struct sun_beam sun_at(double latitude_rad, int32_t day, int32_t hour);

#endif
