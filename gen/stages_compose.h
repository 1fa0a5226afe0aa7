/* Owns the stages that put the tools' results together: final heights, texture ids, tint, the ground's
 * colour. */
#ifndef GEN_STAGES_COMPOSE_H
#define GEN_STAGES_COMPOSE_H
#include "gen/stage.h"

extern const struct stage stage_height;       /* ground -> height */
extern const struct stage stage_height_delta; /* height, height_in -> height_delta */
extern const struct stage stage_texture;      /* slope, biome_id -> texture_id */
extern const struct stage stage_tint;         /* wetness, imprint_tint -> tint */
extern const struct stage stage_ground_color; /* slope, wetness, biome_id, what tools did -> ground_color */

#endif
