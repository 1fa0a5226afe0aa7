/* Owns the last part of flow in a section: the contributing area of each cell, and the codes in which it is
 * published. */
#ifndef TERRAIN_FLOW_FINISH_H
#define TERRAIN_FLOW_FINISH_H
#include "terrain/arena.h"
#include "terrain/flow_layout.h"
#include "terrain/grid.h"
#include "terrain/status.h"

/* Area in m2 that drains through a cell, its own included, as code = 16 * log2(area) to the nearest, so in
 * steps of 1/16 octave: 0 is 1 m2 and less, FLOW_CODE_MAX is 2^32 m2 (4295 km2) and more; value = code /
 * FLOW_CODE_MAX, 0 .. 1. */
enum { FLOW_CODE_MAX = 512, FLOW_CODES_PER_OCTAVE = 16 };

/* area: [height * width] cells that drain through each cell of the section, its own included; all cells of a
 * lake carry the lake's total. `receivers` from terrain_flow_local, `inflows` from terrain_flow_world.
 * STATUS_FAULT: the record does not belong to these receivers. */
enum status terrain_flow_finish(const struct grid_u8 *receivers, struct flow_record inflows, uint64_t *area,
                                struct arena *arena, struct error *err);
size_t terrain_flow_finish_scratch(int32_t width, int32_t height);

/* cell_m: 1/64 .. 64. */
void terrain_flow_codes(const uint64_t *area, double cell_m, struct grid_u16 *flow);

/* 16 * log2(n), to the nearest; n >= 1. */
int32_t flow_log2_16(uint64_t n);

#endif
