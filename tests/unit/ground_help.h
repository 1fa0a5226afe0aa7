/* Grids and grounds for the tests of the ground kernels. */
#ifndef TESTS_GROUND_HELP_H
#define TESTS_GROUND_HELP_H
#include "terrain/grid.h"

/* A zeroed grid on the heap; freed with grid_free. */
struct grid_f32 grid_make(int32_t x0, int32_t y0, int32_t width, int32_t height);
void grid_free(struct grid_f32 *grid);
/* Hills of several sizes and steps, between about 900 and 1100 m, a function of world coordinates. */
float rough_ground(int32_t x, int32_t y);
void grid_fill(struct grid_f32 *grid, float (*ground)(int32_t x, int32_t y));
/* Fails the test at the first cell of `part` whose bits are not those of `whole`. */
void assert_same_bits(const struct grid_f32 *part, const struct grid_f32 *whole);
/* Hash of all samples, row by row. */
uint64_t grid_hash(const struct grid_f32 *grid);

#endif
