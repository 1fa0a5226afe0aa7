/* Owns gradient noise in two dimensions: a pure function of place, seed and settings.
 *
 * Perlin's gradient noise (Perlin 2002, "Improving noise": quintic fade) with unit gradients whose angle is a
 * hash of the lattice point, summed over octaves (fractional Brownian motion). The sum is divided by its
 * standard deviation and passed through the normal distribution function, so that values are spread evenly
 * over 0..1: a threshold t keeps close to a share 1 - t of the area, whatever octaves and gain are (within
 * 0.04; tests/unit/test_noise.c measures it).
 *
 * Places are integers, in 1/1024 of a cell: the centre of cell x is 1024 x + 512. The lattice coordinate of
 * an octave is place * step + start in fixed point (24 bits before the point, 40 after), modulo 2^64: exact,
 * so that a row of cells, a single point and every window give the same bits. The lattice repeats after 2^24
 * wavelengths. */
#ifndef TERRAIN_NOISE_H
#define TERRAIN_NOISE_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NOISE_OCTAVES_MAX = 12, NOISE_CELL = 1024 };

struct noise_params {
    /* [cells] 2^-12..2^27: wavelength of the first octave, kept to 1 part in 2^30 / scale */
    double scale_cells;
    int32_t octaves;        /* 1..12 */
    double gain;            /* 0..1: an octave's amplitude to the one before */
    double lacunarity;      /* 1..8: an octave's frequency to the one before */
    double offset_cells[2]; /* [cells] within 2^27: added to the place, east and north */
    uint64_t seed;
};

/* Prepared by noise_prepare; read only. */
struct noise {
    int32_t octaves;
    float per_deviation; /* 1 / standard deviation of the sum */
    struct noise_octave {
        uint64_t step;             /* lattice, 24.40, per 1/1024 cell */
        uint64_t start_x, start_y; /* lattice, 24.40 */
        uint32_t key;
        float amplitude;
    } octave[NOISE_OCTAVES_MAX];
};

/* False when a parameter is out of its range. */
bool noise_prepare(const struct noise_params *params, struct noise *noise);

/* The value at a place, 0..1. */
float noise_at(const struct noise *noise, int64_t x, int64_t y);
/* The same for `count` places, five times as fast. out must not alias the places. */
void noise_points(const struct noise *noise, const int64_t *x, const int64_t *y, int32_t count, float *out);

/* The values at the centres of out's cells. False: scratch is too small. */
bool noise_grid(const struct noise *noise, struct grid_f32 *out, struct arena *scratch);
size_t noise_grid_scratch(int32_t width); /* bytes */

/* The same with each place moved along the ground's normal: by influence_cells times the horizontal part of
 * the unit normal, rounded to 1/1024 cell. On steep ground noise so stretches less. east and north: rise per
 * metre (terrain_gradient) over out's window. |influence_cells| <= 2^20. */
bool noise_grid_warped(const struct noise *noise, float influence_cells, const struct grid_f32 *east,
                       const struct grid_f32 *north, struct grid_f32 *out, struct arena *scratch);
size_t noise_grid_warped_scratch(int32_t width); /* bytes */

#endif
