/* Owns shapes on a grid of cells: polygons with holes, disks, lines with a width; and whether a polygon
 * crosses itself.
 *
 * A cell is set when its centre lies inside (centre rule: a cell belongs to a shape or does not). World cell
 * (x, y) has its centre at ((x + 0.5) cell_m, (y + 0.5) cell_m). What a cell gets depends on the shape and on
 * that cell alone: never on the window, nor on which way a ring or line runs. Cells outside a shape keep
 * their value. All coordinates are finite world metres, below 2^30 cells. */
#ifndef TERRAIN_POLYGON_H
#define TERRAIN_POLYGON_H
#include "terrain/arena.h"
#include "terrain/grid.h"
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct polygon {
    const double *xy;       /* x0 y0 x1 y1 ... */
    const size_t *ring_end; /* ring r: points ring_end[r - 1] (or 0) .. ring_end[r] - 1, closed by itself */
    size_t ring_count;      /* rings after the first are holes: a point inside an even number is outside */
};

/* Inside, by the even-odd rule. A centre on an edge belongs to the side east of it (north of a level one), so
 * polygons that share an edge share no cell and leave none out.
 * Scratch: one byte for each cell of `out`. STATUS_LIMIT: too little. */
enum status terrain_polygon_fill(const struct polygon *polygon, double cell_m, uint8_t value,
                                 struct grid_u8 *out, struct arena *scratch, struct error *err);

/* Centres at most radius_m (0 or more) from (x, y). */
void terrain_disk_fill(double x, double y, double radius_m, double cell_m, uint8_t value,
                       struct grid_u8 *out);

/* Centres whose nearest point on some segment of the line is at most the radius there away; the radius runs
 * linearly along each segment. radius_m: one for each of `count` points (1 or more), 0 or more. `closed`: the
 * last point joins the first. */
void terrain_line_fill(const double *xy, const double *radius_m, size_t count, bool closed, double cell_m,
                       uint8_t value, struct grid_u8 *out);

struct polygon_crossing {
    size_t edge_a, edge_b; /* numbers of the points at which the edges start; edge_a < edge_b */
    double x, y;           /* where */
};
size_t terrain_polygon_crossing_scratch(size_t points);
/* Whether two edges of the polygon's rings cross: at a point inside both, or because a corner of one ring
 * runs through the inside of another edge. Touching is no crossing. Rings may meet at corners. Near-linear
 * where edges are short beside the polygon (buckets). Scratch as above; STATUS_LIMIT: too little. */
enum status terrain_polygon_crosses(const struct polygon *polygon, struct arena *scratch, bool *crosses,
                                    struct polygon_crossing *where, struct error *err);

#endif
