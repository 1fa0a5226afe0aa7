/* Owns streams that are drawn along the flow of the terrain where nobody drew a line: from where enough area
 * drains together down to drawn water, to another such stream, or out of the world. Each section makes a
 * record of its cells that carry enough; one pass over the records of the whole world makes lines of them.
 * Knows flow (terrain/flow_layout.h), nothing of levels: the lines are solved like drawn ones.
 *
 *     beside drawn lines   cells within a radius carry their water: a stream ends there, at the line's
 * nearest point, and what that line carries on counts for no stream downstream lakes, loose ends    a stream
 * ends in a drawn lake; below it, and below the end of a line that meets nothing, it begins anew flats filled
 * hollows and level ground up to STREAM_FLAT_M2 are crossed on the shortest way; in larger ones a stream ends
 * (`still`) and begins again at the mouth joints               of the streams that meet the one with the most
 * area goes on, of equal ones that with the least y, then x shape                the cells' centres, meaned
 * over 3 cells up and down, a point at every fourth cell and at joints; within a cell of the flow */
#ifndef WATER_STREAM_H
#define WATER_STREAM_H
#include "terrain/arena.h"
#include "terrain/flow_layout.h"
#include "terrain/grid.h"
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_FLAT_M2 = 40000 };

/* What is drawn at a cell. */
enum stream_drawn { STREAM_FREE, STREAM_BESIDE, STREAM_LAKE, STREAM_END };
struct stream_near {
    double x, y;  /* the drawn line's nearest point; in lakes the cell's centre */
    float m;      /* to it */
    uint32_t how; /* enum stream_drawn */
};

/* near: all cells of the section, free at first. Offers a piece of a line, of which cells within radius_m
 * take the nearest point. `end`: only cells that no other line offers itself to (call it after the lines). */
void water_stream_beside(struct stream_near *near, struct flow_section at, double cell_m, const double a[2],
                         const double b[2], double radius_m);
void water_stream_end(struct stream_near *near, struct flow_section at, double cell_m, const double end[2],
                      double radius_m);

/* A cell that carries enough, as records hold it. No padding. */
struct stream_cell {
    int32_t x, y;
    uint64_t area; /* cells that drain through it */
    struct stream_near near;
    uint32_t code; /* terrain/flow_receivers.h */
    uint32_t zero;
};
/* Cells x0 <= x < x1 of a flat in row y. `how`: of all of them. */
struct stream_run {
    int32_t y, x0, x1;
    uint32_t how;
    uint64_t area;
};

/* A section's record, in the arena; size 0: nothing there carries `least` cells. Cells of flats stand in it
 * as runs; those beside lines, and mouths, as cells too. */
enum status water_stream_cells(const struct grid_u8 *receivers, const uint64_t *area,
                               const struct stream_near *near, struct flow_section at, uint64_t least,
                               struct flow_record *record, struct arena *arena, struct error *err);

struct stream_line {
    double *xy, *area_m2; /* a point each; from source to mouth */
    size_t count;
    int32_t x, y; /* the cell in which it begins: no two lines share it */
    bool still;   /* ends in a flat that is too large to cross */
};

/* All lines, by y then x of the cells in which they begin. records: one a section, row by row from the
 * south-west of the layout. In the arena. STATUS_FAULT: a damaged record. */
enum status water_stream_lines(const struct flow_layout *layout, const struct flow_record *records,
                               double cell_m, uint64_t least, struct stream_line **lines, size_t *count,
                               struct arena *arena, struct error *err);

/* Width of a stream, m, from the area that drains through it: 2.2 m at 1 km2, with the 0.4th power (regional
 * curves of bankfull width, Dunne & Leopold 1978), 0.5 .. 64. */
double water_stream_width_m(double area_m2);

#endif
