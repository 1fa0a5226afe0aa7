/* Owns how fresh water looks in pictures of the ground: water by depth, foam in streaks along the flow,
 * gravel bars and wet banks. */
#ifndef GEN_COMPOSE_WATER_H
#define GEN_COMPOSE_WATER_H
#include <stdbool.h>
#include <stdint.h>

/* What a cell shows; codes as the layers hold them (gen/stages_water.h). noise: -1..1, fine. */
struct compose_water_cell {
    int32_t x, y; /* the cell */
    uint64_t seed;
    uint8_t kind, dampness, foam, flow_dir, shore, bend;
    bool gravel;    /* bars are shown */
    uint8_t ground; /* enum water_ground, of the texture overlay */
    uint16_t depth;
    float noise;
};
void compose_water(const struct compose_water_cell *cell, uint8_t rgb[3]);

#endif
