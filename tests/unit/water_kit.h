/* Random networks of water over made ground, solved: for tests of water/. All from a stateless hash. */
#ifndef TESTS_WATER_KIT_H
#define TESTS_WATER_KIT_H
#include "terrain/arena.h"
#include "water/field.h"
#include "water/river.h"

enum { KIT_LINES = 9, KIT_POINTS = 7, KIT_SECTIONS = 2, KIT_CELLS = KIT_SECTIONS * WATER_SECTION };

struct water_kit {
    uint64_t seed;
    double cell_m;
    struct arena arena;
    float *ground; /* KIT_CELLS square */
    struct water_heights heights;
    struct water_line lines[KIT_LINES];
    struct water_lake lakes[1];
    size_t line_count, lake_count;
    struct water_river river;
    struct water_set sets[KIT_SECTIONS * KIT_SECTIONS];
};

/* Hills that fall to the east, with a step of 12 m across; a main river, tributaries that end on it or near
 * it, lines of no aim, and a lake. `turned`: the lines in the opposite order. Freed by water_kit_free. */
struct water_kit *water_kit_new(uint64_t seed, bool turned);
void water_kit_free(struct water_kit *kit);
/* The ground at a place, m. */
float water_kit_ground(uint64_t seed, double x, double y);

#endif
