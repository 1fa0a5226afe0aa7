/* Owns the stage of wetness: the ground's humid and dry places, without the lines that flow is drawn in. */
#ifndef GEN_STAGES_WETNESS_H
#define GEN_STAGES_WETNESS_H
#include "gen/stage.h"

extern const struct stage stage_wetness; /* twi, flow, dampness -> wetness */

#endif
