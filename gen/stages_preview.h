/* Owns the stage of the aerial picture, section by section, and its putting together for a map. */
#ifndef GEN_STAGES_PREVIEW_H
#define GEN_STAGES_PREVIEW_H
#include "gen/raster.h"
#include "gen/stage.h"

/* height, ground_color, occlusion, entities -> preview: a blob whose part 0 is the section's pixels, RGB8,
 * PREVIEW_FINE a cell along each side, packed, the south row first. */
extern const struct stage stage_preview;

/* The picture of `cells` (whole sections, or what the world has of them) from the sections' previews; the
 * caller frees *image. STATUS_FAULT: a tile is missing or of another size. */
enum status preview_assemble(const struct window *window, struct rect cells, struct raster *image,
                             struct error *err);

#endif
