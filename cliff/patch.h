/* Owns where rock belongs: steep ground in patches that are large enough, less what is excluded, and what is
 * asked for. */
#ifndef CLIFF_PATCH_H
#define CLIFF_PATCH_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include <stdbool.h>

/* Patches are judged in world-aligned windows of 32 x 32 cells, one every 16: a cell counts when in one of
 * the windows around it the steep cells that hang together with it (also by corners) are many enough. */
enum { CLIFF_PATCH_CELLS = 32, CLIFF_PATCH_REACH = 32 };

struct cliff_patch_params {
    float min_slope_deg; /* [degrees] 20..85, 48 */
    int32_t min_cells;   /* 1..256: smallest patch */
};

/* out: 255 rock, 0 none. slope_deg covers out grown by CLIFF_PATCH_REACH, exclude (NULL: nowhere) too;
 * include (NULL: nowhere) covers out: rock whatever slope and size, but never where it is excluded. False:
 * too little scratch. */
bool cliff_patch(const struct cliff_patch_params *params, const struct grid_f32 *slope_deg,
                 const struct grid_u8 *exclude, const struct grid_u8 *include, struct grid_u8 *out,
                 struct arena *scratch);

#endif
