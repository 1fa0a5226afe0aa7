/* Owns what the water is at a cell: masks, depth, dampness, flow. A kernel: a sample of the field and the
 * ground there in, codes out. */
#ifndef WATER_SHORE_H
#define WATER_SHORE_H
#include "water/field.h"

enum { WATER_DEPTH_STEPS = 256, WATER_SPEED_STEPS = 32 }; /* codes a metre, codes a metre per second */

struct water_cell {
    uint8_t water;    /* 0, 255 */
    uint8_t shore;    /* 255 at the water's edge, 0 at 3 m from it on both sides */
    uint16_t depth;   /* WATER_DEPTH_STEPS a metre */
    uint8_t dampness; /* 0..255: falls off within 14 m of the edge and 3 m over the water */
    uint8_t flow_dir; /* 256 to a turn, clockwise from north; 0 where there is no water */
    uint8_t kind;     /* enum water_kind, in the water */
    uint8_t speed;    /* WATER_SPEED_STEPS a m/s, in the water */
    uint8_t foam;     /* 0..255, in the water: water_foam_of */
    uint8_t bend;     /* 128 straight, to 255 inside and 1 outside of bends, within 14 m */
};
struct water_cell water_cell_of(const struct water_sample *sample, float ground);

/* How far above the ground the surface may lie: where a bed is not carved, a surface that floats higher than
 * this is cut away. */
float water_float_max(const struct water_sample *sample);

/* How white the water is, 0..1: by its speed above 1.8 m/s up to 0.85, 0.55 at least in pools under falls, 1
 * on falls. */
float water_foam_of(const struct water_sample *sample);

/* What the ground shows. */
enum water_ground { GROUND_DRY, GROUND_BED, GROUND_GRAVEL, GROUND_BANK };
/* noise: 0..1, breaks the edges. */
/* How much of a dry cell gravel covers, 0..1: what pictures show; where it is above a half the cell is
 * GROUND_GRAVEL, about. */
float water_gravel_share(uint8_t shore, uint8_t dampness, uint8_t bend, float noise);
/* Whether a dry cell is wet ground or gravel with any noise. */
bool water_ground_may_be(uint8_t shore, uint8_t dampness);
enum water_ground water_ground_of(uint8_t kind, uint16_t depth, uint8_t shore, uint8_t dampness, uint8_t bend,
                                  float noise);

#endif
