/* Owns what water does to the ground: its bed, and banks that meet its surface. A kernel: the field's samples
 * and the ground in, the ground out, sample by sample.
 *
 *     in the water   the carved bed; under falls the cliff stays, grooved by 0.45 m (and cut where it stands
 * over the water) beside it      the ground is clamped between a berm (never lower than the water for 1 m,
 * then falling) and a cut that rises from the water's edge ever steeper, faded to nothing at 10 m: gentle
 * inside bends, steep outside. Beside falls nothing is filled carve: none    the ground as it is */
#ifndef WATER_BED_H
#define WATER_BED_H
#include "water/field.h"

/* One sample's ground, m. */
float water_carved(const struct water_sample *sample, float ground);

#endif
