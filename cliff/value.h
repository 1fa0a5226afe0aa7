/* Owns noise in three dimensions: random values on a lattice of whole places, smoothly in between. */
#ifndef CLIFF_VALUE_H
#define CLIFF_VALUE_H
#include <stdint.h>

/* -1..1; |x|, |y|, |z| < 2^30. */
float cliff_value(uint64_t seed, uint64_t salt, double x, double y, double z);

#endif
