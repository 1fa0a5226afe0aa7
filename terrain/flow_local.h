/* Owns flow in a section before the world is known: receivers, lakes, and what crosses its borders (Barnes
 * 2017, Parallel non-divergent flow accumulation).
 *
 * A lake is one connected set of lake cells (terrain/flow_receivers.h), joined across sections. Its outlet
 * is, among the neighbours of its cells that have its level and are no lake cells, the first in index order;
 * its mouth is the first of its cells that touches the outlet. A lake that no section border cuts is settled
 * here; the others are open.
 *
 * The record, int32: perimeter cells p, open lakes k, exits x; link[p]: where water in each perimeter cell
 * ends up in this section: FLOW_OUT, or the open lake 0 .. k - 1 (| FLOW_MEMBER when the cell is the lake's
 * own), or exit k .. k + x - 1; for each exit, in perimeter order: perimeter cell, direction, area in cells;
 * for each open lake, by first cell: area of the section's cells that drain to it, its outlet as seen here
 * (x, y from the section's south-west, -1 .. width or height: also one cell beyond; FLOW_NONE without), and
 * the outlet's link if it lies in the section (else FLOW_NONE). */
#ifndef TERRAIN_FLOW_LOCAL_H
#define TERRAIN_FLOW_LOCAL_H
#include "terrain/arena.h"
#include "terrain/flow_layout.h"
#include "terrain/grid.h"
#include "terrain/status.h"

enum { FLOW_OUT = -1, FLOW_MEMBER = 1 << 30, FLOW_NONE = INT32_MIN };

struct flow_exit {
    int32_t perimeter, direction, area;
};
struct flow_open_lake {
    int32_t area, outlet_x, outlet_y, link;
};
struct flow_summary {
    int32_t perimeter, lakes, exits;
    const int32_t *link;
    const struct flow_exit *exit;
    const struct flow_open_lake *lake;
};

/* `filled`: the section and 2 cells around it, of a filled surface; beyond the world's edge not read.
 * receivers: the section's codes (terrain/flow_receivers.h). The record lies in the arena. STATUS_FAULT: a
 * lake has no outlet: the surface is not filled. */
enum status terrain_flow_local(const struct flow_layout *layout, struct flow_section at, uint64_t seed,
                               const struct grid_i32 *filled, struct grid_u8 *receivers,
                               struct flow_record *summary, struct arena *arena, struct error *err);

/* Reads a summary; its perimeter must have this many cells. STATUS_FAULT: not such a record. */
enum status flow_summary_read(struct flow_record record, int32_t perimeter, struct flow_summary *out,
                              struct error *err);

/* What it takes from the arena at most. */
size_t terrain_flow_local_scratch(int32_t width, int32_t height);

#endif
