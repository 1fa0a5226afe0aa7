/* Owns the water of one neighbourhood as a field: at any sample of a world-aligned grid, how far the water's
 * edge is, how high its surface, which way it flows, how deep its bed. Pieces of lines and lakes in, samples
 * out; what a sample gets depends on the water within WATER_REACH_M of it and on nothing else, so that any
 * window gives the same bits.
 *
 *     edge    the least of the distances to all pieces' edges; where two lines meet a smooth minimum rounds
 *             the crotch (3 m)
 *     level   the mean over pieces weighted by (1 - (sd - least sd) / B)^3, B = 0.2 width + 0.6 m (more
 *             outside, and in wide water): continuous over bends and confluences within one surface (body and
 *             reach); falls blend with falls only, other surfaces not where they lie at another height
 *     bed     under the level by depth (1 - e^2 (0.4 + 0.6 e)) (1 - 0.75 bend u), e from 0 in the middle to 1
 *             at the edge, u across; gravel bars on the inside of bends, 0.3 m over the water */
#ifndef WATER_FIELD_H
#define WATER_FIELD_H
#include "terrain/arena.h"
#include "terrain/status.h"
#include "water/river.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WATER_REACH_M = 14, WATER_MARGIN_CELLS = 5 };
enum { PIECE_FALL = 1, PIECE_CARVE = 2, PIECE_POOL = 4, PIECE_OF_FALLS = 8 }; /* its line falls somewhere */

/* From one station to the next. No padding: records of it are hashed. */
struct water_piece {
    double x0, y0, x1, y1;
    double level0, level1;
    double along0; /* m along the drawn line */
    double along1;
    float left0, left1, right0, right1, depth0, depth1, bend0, bend1, speed0, speed1;
    uint32_t line;  /* key of the water: lines that are joined end to end have one */
    uint32_t reach; /* tells stretches between falls apart */
    uint32_t kind, flags;
};

/* A lake's rings: ring r holds points ring_first + ... of the set's arrays. */
struct water_pool {
    double level, depth;
    uint32_t first_ring, ring_count;
    uint32_t line, flags;
};

/* A fall's stations: two above the lip where there are, those from lip to foot, one behind the foot. Long
 * falls are several, of FALL_CELLS at most, which share a station; there they have one more of the next, a
 * spare, which the sheet's normals need. */
enum { LIP_ABOVE, LIP_FALL, LIP_BELOW };
enum { FALL_CELLS = 96 };
struct water_lip {
    double x, y, nx, ny; /* to the left, unit; turning evenly from lip to foot: rows of a bend would cross */
    double level, along; /* m; m along the drawn line */
    double top, bottom, away; /* levels of the lip and the foot; m from the lip */
    float left, right;        /* half widths */
    uint32_t part, spare;     /* LIP_*; 1: of the next part */
};

/* The water in reach of one section, as records hold it. */
struct water_set {
    const struct water_piece *pieces;
    const struct water_pool *lakes;
    const uint32_t *ring_end; /* points, of all rings one after the other */
    const double *xy;
    const struct water_lip *lips;
    const uint32_t *fall_end; /* fall f: lips [fall_end[f - 1], fall_end[f]) */
    uint32_t piece_count, lake_count, ring_count, point_count, lip_count, fall_count;
};

/* A set as bytes and back. out: water_set_size bytes; an empty set has none. The view points into the bytes
 * (aligned to 8). False: no such record. */
size_t water_set_size(const struct water_set *set);
void water_set_write(const struct water_set *set, unsigned char *out);
bool water_set_view(const unsigned char *bytes, size_t size, struct water_set *set);

/* The sets of all sections, row by row from (section_x0, section_y0): what lies within WATER_REACH_M and
 * WATER_MARGIN_CELLS of each, by the boxes of pieces, falls' sheets and lakes with their widths. sets:
 * columns * rows, filled; their arrays lie in the arena. */
enum status water_cut(const struct water_river *river, int32_t section_x0, int32_t section_y0,
                      int32_t columns, int32_t rows, struct water_set *sets, struct arena *arena,
                      struct error *err);

/* Sample (i, j) lies at ((x0 + i * step + shift) * cell_m, ...). */
struct water_grid {
    int32_t x0, y0, width, height, step;
    double shift, cell_m; /* shift 0.5: cells' centres */
    double near_m;        /* water farther away is as if there were none; 0: WATER_REACH_M */
};

struct water_sample {
    float sd;             /* m to the water's edge, negative inside; INFINITY: nothing in reach */
    float level;          /* m, of the surface */
    float bed;            /* m, of the carved bed; inside only */
    float bank;           /* m; ground that other water in reach needs not to run out; -1e30: none */
    float depth;          /* m, nominal, in the middle */
    float flow_x, flow_y; /* m/s */
    float bend;           /* -0.9 outside .. 0.9 inside of a bend */
    float along;          /* m along the drawn line */
    uint8_t kind, flags;  /* enum water_kind; PIECE_* of the nearest */
    uint16_t width_cm;    /* of the nearest, at most 65535; lakes 65535 */
};

/* Samples x0 <= i < x1 of a row; none: x0 >= x1. */
struct water_extent {
    int32_t x0, x1;
};

/* samples: width * height, south row first. rows: height; what lies outside them has no water in reach and is
 * not written. NULL: all samples are. STATUS_LIMIT: too little scratch. */
enum status water_field(const struct water_set *set, const struct water_grid *grid,
                        struct water_sample *samples, struct water_extent *rows, struct arena *scratch,
                        struct error *err);

#endif
