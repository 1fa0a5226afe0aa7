/* Owns how fresh water looks in pictures of the ground: water by depth, foam on falls and rapids, gravel bars
 * and wet banks. */
#ifndef GEN_COMPOSE_WATER_H
#define GEN_COMPOSE_WATER_H
#include <stdint.h>

/* What a cell shows; codes as the layers hold them (gen/stages_water.h). noise: -1..1, fine. */
struct compose_water_cell {
    uint8_t kind, ground, dampness, speed; /* ground: enum water_ground, of the texture overlay */
    uint16_t depth;
    float noise;
};
void compose_water(const struct compose_water_cell *cell, uint8_t rgb[3]);

#endif
