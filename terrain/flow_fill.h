/* Owns filling in a section: how water stands in it before and after the world is known. The filled height of
 * a cell is the smallest, over all ways from it to the world's edge, of the greatest height on the way; cells
 * on the world's edge drain at their own height. It is unique, so sections can agree on it.
 *
 * From a cell water runs down to a pit without rising, so filled = max(height, filled pit); from a pit the
 * best way leads over basins to one perimeter cell (its label's root), so filled pit = max(level inside the
 * section, filled root); the roots are solved over the world (Barnes 2016, Parallel Priority-Flood; basins in
 * place of a queue of cells). */
#ifndef TERRAIN_FLOW_FILL_H
#define TERRAIN_FLOW_FILL_H
#include "terrain/arena.h"
#include "terrain/flow_layout.h"
#include "terrain/grid.h"
#include "terrain/status.h"

/* The record `summary`, int32: perimeter cells p, labels n, spills m; height[p] and label[p] of the
 * perimeter's cells; m triples (label, label, level): between labels water passes inside the section at that
 * level. The record `basins`, int32: count n; level[n] and label[n] of the basins, by pit in index order. */
struct flow_fill_summary {
    int32_t perimeter, labels, spills;
    const int32_t *height, *label, *spill;
};

/* Heights in metres to units, to the nearest, halves away from zero. STATUS_INPUT: not a number or beyond
 * FLOW_HEIGHT_MAX (the place is named). Same shape. */
enum status terrain_flow_quantise(const struct grid_f32 *height_m, struct grid_i32 *height,
                                  struct error *err);

/* `height`: the section's cells, within +-FLOW_HEIGHT_MAX. Records lie in the arena. */
enum status terrain_fill_local(const struct grid_i32 *height, struct arena *arena,
                               struct flow_record *summary, struct flow_record *basins, struct error *err);

/* The section's filled surface, same shape as height. `basins` from terrain_fill_local of the same heights,
 * `levels` from terrain_fill_world. STATUS_FAULT: the records do not belong to these heights. */
enum status terrain_filled(const struct grid_i32 *height, struct flow_record basins,
                           struct flow_record levels, struct grid_i32 *filled, struct arena *arena,
                           struct error *err);

/* Reads a summary; its perimeter must have this many cells. STATUS_FAULT: not such a record. */
enum status flow_fill_summary_read(struct flow_record record, int32_t perimeter,
                                   struct flow_fill_summary *out, struct error *err);

/* What each takes from the arena at most. */
size_t terrain_fill_scratch(int32_t width, int32_t height);

#endif
