/* One or a few lines of water on a made ground of 256 m, solved: for tests of water/. */
#ifndef TESTS_RAMP_KIT_H
#define TESTS_RAMP_KIT_H
#include "terrain/arena.h"
#include "water/field.h"
#include "water/river.h"

enum { RAMP_SIDE = 256, RAMP_POINTS = 9 };

struct ramp {
    struct arena arena;
    float *ground;
    unsigned char *record;
    const unsigned char *records[1];
    struct water_heights heights;
    struct water_line lines[3];
    double xy[3][2 * RAMP_POINTS], width[3][RAMP_POINTS], none[RAMP_POINTS], zero[RAMP_POINTS];
    size_t line_count;
    struct water_lake lakes[2];
    size_t lake_count;
    struct water_river river;
    struct water_set set;
};

/* Of a seed and a number, 0 .. 1. */
double ramp_unit(uint64_t seed, int32_t k);
/* Falls to the west by `slope`; across it undulates by `rough` m. Freed by ramp_free. */
struct ramp *ramp_new(double slope, double rough, uint64_t seed);
/* The same on other ground: west to east, south row first. */
struct ramp *ramp_on(const float *ground);
void ramp_free(struct ramp *r);
/* A carved river; its points go to r->xy[line - r->lines]. */
struct water_line *ramp_line(struct ramp *r, size_t points, double width);
/* From the east to the west, swinging by up to `swing` m; in two lines end to end where `parts` is 2. */
void ramp_river(struct ramp *r, uint64_t seed, double width, double swing, size_t parts);
void ramp_solve(struct ramp *r);
/* The steepest that the stations' levels fall. */
double ramp_steepest(const struct ramp *r);

#endif
