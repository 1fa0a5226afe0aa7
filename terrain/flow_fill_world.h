/* Owns the world's part of filling: the joined graph of all sections' perimeter watersheds. */
#ifndef TERRAIN_FLOW_FILL_WORLD_H
#define TERRAIN_FLOW_FILL_WORLD_H
#include "terrain/arena.h"
#include "terrain/flow_layout.h"
#include "terrain/status.h"

/* `summaries` and `levels`: one for each section, row by row from the south-west. A levels record is int32
 * level[labels]: the filled height of each label's root. Records lie in the arena. Time and memory grow with
 * the number of labels and of perimeter cells. STATUS_FAULT: a summary is malformed. */
enum status terrain_fill_world(const struct flow_layout *layout, const struct flow_record *summaries,
                               struct flow_record *levels, struct arena *arena, struct error *err);

#endif
