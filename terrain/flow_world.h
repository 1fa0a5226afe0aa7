/* Owns the world's part of flow: what crosses between sections, and lakes across sections. */
#ifndef TERRAIN_FLOW_WORLD_H
#define TERRAIN_FLOW_WORLD_H
#include "terrain/arena.h"
#include "terrain/flow_layout.h"
#include "terrain/status.h"

/* `summaries` and `inflows`: one for each section, row by row from the south-west. An inflows record is
 * uint64: entries n, open lakes k; n pairs (perimeter cell, cells that drain into it from other sections), by
 * perimeter cell; k pairs (all cells that drain to the lake, 1 + the cell y * width + x of the section into
 * which all of it pours, or 0), in the order of the section's open lakes. Records lie in the arena. Time and
 * memory grow with the number of perimeter cells. STATUS_FAULT: a summary is malformed, or a lake has no
 * outlet. */
enum status terrain_flow_world(const struct flow_layout *layout, const struct flow_record *summaries,
                               struct flow_record *inflows, struct arena *arena, struct error *err);

#endif
