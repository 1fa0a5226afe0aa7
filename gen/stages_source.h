/* Owns the stages that turn input files into layers: the heights as they are, voids filled, and masks. */
#ifndef GEN_STAGES_SOURCE_H
#define GEN_STAGES_SOURCE_H
#include "gen/stage.h"

extern const struct stage stage_height_raw;   /* height_raw: metres at the world's samples, NaN where void */
extern const struct stage stage_void_summary; /* void_summary: blocks of the pyramid in a section */
extern const struct stage stage_void_world;   /* void_world: filled blocks around a section with voids */
extern const struct stage stage_height_in;    /* height_in: heights without voids */
extern const struct stage stage_void;         /* void: 255 in cells whose height was filled */
extern const struct stage stage_mask;         /* mask.*: codes of a mask */
/* What stage_mask makes of a mask with a legend: the same bytes, but ids. */
extern const struct layer_info layer_mask_ids;

#endif
