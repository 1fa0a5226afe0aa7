/* Owns the stages of the local ground layers: adapters between windows and the kernels of terrain/. What
 * `ground` and `height_in` are is decided in gen/names.h. */
#ifndef GEN_STAGES_GROUND_H
#define GEN_STAGES_GROUND_H
#include "gen/stage.h"
#include "gen/world.h"
#include "terrain/noise.h"

extern const struct stage stage_altitude;    /* ground -> altitude */
extern const struct stage stage_altitude_in; /* height_in -> altitude_in */
extern const struct stage stage_latlong;     /* -> latitude, longitude */
extern const struct stage stage_slope;       /* ground -> slope, aspect */
extern const struct stage stage_curvature;   /* altitude -> curvature, curvature_profile, curvature_plan */
extern const struct stage stage_noise;       /* (ground, when it warps) -> noise.NAME */

/* Prepares a world's noise, as the layer noise.NAME has it: metres become cells, and the seed is
 * hash_mix(world's seed + the noise's own) + hash_name(its name), so that two noises with the same settings
 * differ. False: a setting is out of terrain/noise.h's ranges. */
bool gen_noise_prepare(const struct world *world, const struct noise_def *def, struct noise *noise);

#endif
