/* Owns the turning of a raster window's codes into values, whatever the layer's type. */
#ifndef GEN_VALUES_H
#define GEN_VALUES_H
#include "gen/stage.h"

/* Value = offset + scale * code (f32: the sample itself; a scale of 0 counts as 1) of `count` samples from
 * (x, y) eastwards. Not for RGB8 and blobs (zeros). */
void values_row(const struct window *window, int32_t x, int32_t y, int32_t count, float *out);

#endif
