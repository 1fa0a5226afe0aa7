/* Owns the stage of distance fields: the adapter to terrain/distance.h. */
#ifndef GEN_STAGES_DISTANCE_H
#define GEN_STAGES_DISTANCE_H
#include "gen/stage.h"

extern const struct stage stage_distance; /* a mask's layer -> distance.<mask> */

#endif
