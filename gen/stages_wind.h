/* Owns the stage of the wind: the adapter between windows and terrain/wind.h. */
#ifndef GEN_STAGES_WIND_H
#define GEN_STAGES_WIND_H
#include "gen/stage.h"

extern const struct stage stage_wind; /* altitude -> wind, wind_dir */

#endif
