/* Owns what the tests of flow share: made worlds, flow over their sections, and slow references. */
#ifndef TESTS_FLOW_KIT_H
#define TESTS_FLOW_KIT_H
#include "terrain/arena.h"
#include "terrain/flow_layout.h"
#include <stdbool.h>
#include <stdint.h>

enum flow_ground {
    GROUND_NOISE,   /* every cell for itself */
    GROUND_SMOOTH,  /* octaves of value noise, fine steps */
    GROUND_STEPS,   /* the same in few levels: flats, lakes across sections */
    GROUND_FLAT,    /* one level */
    GROUND_PITS,    /* pits within pits */
    GROUND_SPIRAL,  /* one winding channel between walls */
    GROUND_PLATEAU, /* a high flat with a rim, cut once */
    GROUND_TWO,     /* two levels at random: ragged lakes */
    GROUND_COUNT
};

/* A world's results, cell by cell from its south-west, and by section. All malloc'ed. */
struct flow_kit {
    struct flow_layout layout;
    int32_t width, height, sections;
    uint64_t seed;
    int32_t *z, *filled;
    uint8_t *receivers;
    uint64_t *area;
    /* by section; copies */
    struct flow_record *fill_local, *basins, *fill_world, *flow_local, *flow_world;
};

void flow_kit_make(struct flow_kit *kit, struct flow_layout layout, enum flow_ground ground, uint64_t seed);
/* The same ground in sections of another size. */
void flow_kit_copy(struct flow_kit *kit, const struct flow_kit *from, int32_t side);
void flow_kit_run(struct flow_kit *kit); /* all stages; fails the test on any error */
void flow_kit_free(struct flow_kit *kit);

/* Filled by a priority queue over the whole raster; area by the definition in the headers. */
void flow_reference(const struct flow_kit *kit, int32_t *filled, uint64_t *area);

struct arena test_arena(size_t size); /* malloc'ed; free(arena.base) */
uint64_t test_hash(uint64_t hash, const void *bytes, size_t size);

#endif
