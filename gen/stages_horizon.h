/* Owns the stages of sky and sun: adapters between windows and terrain/light.h, terrain/relief.h. */
#ifndef GEN_STAGES_HORIZON_H
#define GEN_STAGES_HORIZON_H
#include "gen/stage.h"

extern const struct stage stage_relief_coarse; /* altitude -> relief_coarse, one a 16 x 16 block */
extern const struct stage stage_far_horizon;   /* relief_coarse -> far_horizon, so that far edits that hide
                                                  behind nearer ridges stop here */
extern const struct stage stage_horizon;       /* altitude, far_horizon -> occlusion, illumination */

#endif
