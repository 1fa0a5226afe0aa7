/* Owns the ground's heights near lines, for solves that need them all over the world at once: each section
 * keeps the blocks of 8 x 8 cells that lie in the corridors of its lines, and nothing else, so that memory
 * grows with the water's length. Knows nothing of rivers. */
#ifndef WATER_HEIGHTS_H
#define WATER_HEIGHTS_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WATER_BLOCK = 8, WATER_SECTION = 256, WATER_BLOCKS = WATER_SECTION / WATER_BLOCK };

/* Which blocks of a section are wanted. */
struct water_blocks {
    uint8_t marked[WATER_BLOCKS * WATER_BLOCKS];
    int32_t count;
};

/* Marks the blocks of section (sx, sy) within radius_m of the segment from a to b, world metres. */
void water_blocks_mark(struct water_blocks *blocks, int32_t sx, int32_t sy, double cell_m, const double a[2],
                       const double b[2], double radius_m);

/* A section's record: int16 number of each block's place (-1: none), then 64 floats a block, south row first.
 * No blocks: no bytes. ground: heights at cell centres, covering the section as far as the world goes; cells
 * that it lacks take the nearest cell's height. */
size_t water_blocks_size(const struct water_blocks *blocks);
void water_blocks_write(const struct water_blocks *blocks, int32_t sx, int32_t sy,
                        const struct grid_f32 *ground, unsigned char *record);

/* All sections' records, row by row from (section_x0, section_y0). */
struct water_heights {
    const unsigned char *const *records; /* NULL: empty */
    int32_t section_x0, section_y0, columns, rows;
    int32_t cell_x0, cell_y0, cell_x1, cell_y1; /* the world's cells */
    double cell_m;
};
/* The height at a place, bilinear between cell centres; beyond the world's edge that of the edge. NaN where a
 * block is missing. */
double water_height_at(const struct water_heights *heights, double x, double y);

#endif
