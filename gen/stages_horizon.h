/* Owns the stages of sky and sun: adapters between windows and terrain/light.h, terrain/relief.h. */
#ifndef GEN_STAGES_HORIZON_H
#define GEN_STAGES_HORIZON_H
#include "gen/stage.h"

extern const struct stage stage_relief_coarse; /* altitude -> relief_coarse, one a 16 x 16 block */
extern const struct stage stage_horizon;       /* altitude, relief_coarse -> occlusion, illumination */

#endif
