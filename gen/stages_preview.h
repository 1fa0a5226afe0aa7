/* Owns the stage that draws a section's part of the aerial picture. */
#ifndef GEN_STAGES_PREVIEW_H
#define GEN_STAGES_PREVIEW_H
#include "gen/stage.h"

/* height, ground_color, occlusion, entities -> aerial: a blob whose part 0 is the pixels of the section's
 * cells, PREVIEW_FINE x PREVIEW_FINE a cell, RGB, the south row first. */
extern const struct stage stage_preview;

#endif
