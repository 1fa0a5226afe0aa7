/* Owns the stage of what people set by hand: the features of world.placed as the layer `placed`. */
#ifndef GEN_STAGES_PLACED_H
#define GEN_STAGES_PLACED_H
#include "gen/stage.h"

/* -> placed: 255 where a cell's centre lies in a footprint, at most radius_m from a point, or at most half of
 * width_m from a line; else 0. */
extern const struct stage stage_placed;

#endif
