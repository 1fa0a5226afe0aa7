/* Owns the stages of the local ground layers: adapters between windows and the kernels of terrain/. */
#ifndef GEN_STAGES_GROUND_H
#define GEN_STAGES_GROUND_H
#include "gen/stage.h"

extern const struct stage stage_altitude;    /* ground -> altitude */
extern const struct stage stage_altitude_in; /* height_in -> altitude_in */
extern const struct stage stage_latlong;     /* -> latitude, longitude */
extern const struct stage stage_slope;       /* ground -> slope, aspect */

#endif
