/* Owns the making of windows: a layer's samples over a rectangle of cells, put together from the tiles of the
 * sections that it touches, with the world's edge continued as the layer says. */
#ifndef GEN_WINDOW_H
#define GEN_WINDOW_H
#include "gen/stage.h"

/* Fills *window for `cells` (may reach past the world). tiles: those of `sections` (all that touch the part
 * of cells inside the world), row by row from the south-west; NULL entries only for layers of blobs. One tile
 * is viewed in place; several are copied into scratch. False: scratch is too small. */
bool window_make(const struct layer_info *layer, bool posts, struct rect cells, const struct extent *extent,
                 struct rect sections, const struct tile *const *tiles, struct arena *scratch,
                 struct window *window);

#endif
