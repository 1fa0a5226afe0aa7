/* Owns what a network of fresh water is while it is solved: drawn lines and lakes in, stations with widths,
 * banks and levels out, all over the world at once. Nothing in it depends on the order of lines. The steps,
 * in the order in which water_solve takes them, each in a file of its own:
 *
 *     line.c      drawn curves become points, evenly spaced
 *     thalweg.c   a line moves within a corridor to the valley's lowest path, where it asks for that
 *     near.c      ends in another line's water run on to the middle of it
 *     join.c      lines are cut and joined (terrain/network.h); confluences, mouths in lakes
 *     bank.c      what the ground's banks allow; width.c: how wide it is; beyond.c: beyond the world's edge
 *     level.c     levels: monotone downstream
 *     fall.c      falls and their pools
 *     step.c      small pools and drops of steep streams
 *     body.c      what of it is one surface
 *
 * Knows nothing of files and sections. */
#ifndef WATER_RIVER_H
#define WATER_RIVER_H
#include "terrain/arena.h"
#include "terrain/curve.h"
#include "terrain/network.h"
#include "terrain/status.h"
#include "water/heights.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum water_kind {
    WATER_NONE,
    WATER_RIVER,
    WATER_STREAM,
    WATER_DITCH,
    WATER_LAKE,
    WATER_FALL,
    WATER_RAPIDS,
    WATER_KINDS
};

struct water_params {
    double cell_m;                 /* [m] */
    double x0_m, y0_m, x1_m, y1_m; /* [m] the world's edge */
    double snap_m;                 /* [m] [0..64] 4: ends nearer than this are joined */
    double fall_drop_m;            /* [m] [0.5..64] 2.5: least drop of a fall within 4.5 m */
    double max_cut_m;              /* [m] [1..1000] 25: water farther under its banks runs under the ground */
};

/* A line as drawn. NaN in level_m: not given. */
struct water_line {
    struct curve curve;
    const double *width_m, *depth_m, *speed, *bank_m, *level_m; /* one a point; 0 in depth, speed: by width */
    enum water_kind kind;
    bool carve, fit, automatic; /* automatic: the direction is found by height */
    bool found;                 /* nobody drew it: it runs along the terrain's flow */
    uint32_t key;               /* stays with what is drawn; tells lines apart where they meet */
    uint32_t source;            /* whatever the caller wants to know it by */
};

/* A lake (level is found, or given), or the area of a wide river (gives the lines in it their widths). */
struct water_lake {
    const double *xy;
    const size_t *ring_end;
    size_t ring_count;
    double level_m;  /* NaN: 0.1 m below the lowest shore */
    double depth_m;  /* 0: by area */
    double whole_m2; /* area of the lake that this is cut from; 0: its own */
    bool carve, river_area;
    uint32_t key, source;
    /* solved */
    double level, depth, shore_m, shore_high_m, x0, y0, x1, y1;
    double high_x, high_y; /* where its shore is highest */
};

enum {
    STATION_FALL = 1,
    STATION_POOL = 2,
    STATION_CARVE = 4,
    STATION_MOUTH = 8,
    STATION_BURIED = 16,
    STATION_RAPIDS = 32,
    STATION_BESIDE = 64,  /* its middle lies outside its lake */
    STATION_JOINED = 128, /* other water flows in */
    STATION_ADDED = 256,  /* beyond the drawn line, in other water */
    STATION_LED = 512     /* comes down to the water that it flows into */
};

struct water_station {
    double x, y; /* where the water runs */
    double drawn_x, drawn_y;
    double tx, ty;                  /* unit, downstream */
    double s_m;                     /* along the drawn line */
    double left, right;             /* half widths, m */
    double depth, speed, bank, pin; /* pin: a level that was given, or NaN */
    double bend;                    /* -0.9..0.9, positive where the inside of the bend is on the left */
    double raw_cap, cap; /* level that the lower bank allows: as measured; mouths and ditches closed */
    double lowest;       /* of the section's ground */
    double level;
    int32_t lake; /* in which it lies, or whose shore its water touches at about that level; -1: none */
    uint32_t flags;
};

/* A piece of a line between two nodes: stations [first, first + count). */
struct water_edge {
    size_t first, count;
    uint32_t line, from, to;
    int32_t through;       /* the edge that goes on at `to`: of the same line, or the widest; -1: none */
    int32_t before, after; /* the edges of the same line that end and begin here; -1: none */
    int32_t mouth;         /* the edge into which it flows from the side, -1: none */
    bool circle;           /* runs in a circle, or comes from one */
    uint32_t body, reach;  /* of the water at its first station, see water_find_bodies */
    bool falls;            /* its body does, somewhere */
    size_t mouth_station;
};

/* Boxes around the water of lines, and around parts of them: near.c knows which. West, south, east, north. */
struct water_boxes {
    size_t *first; /* line l: parts first[l] .. first[l + 1] - 1 */
    double (*box)[4], (*whole)[4], (*group)[4];
    uint32_t *order; /* of lines, by place; group g: order[32 g] .. [32 g + 31] */
};

struct water_river {
    struct water_params params;
    struct water_line *lines;
    struct water_lake *lakes;
    size_t line_count, lake_count;
    const struct water_heights *heights;
    struct water_station *points; /* of all lines */
    size_t *point_first;          /* line l: points[point_first[l]] .. [point_first[l + 1]] */
    struct water_boxes boxes;     /* of the points; known after water_reach_waters */
    struct network network;
    struct water_edge *edges;
    uint32_t *order; /* edges, upstream first where there is no circle */
    size_t edge_count;
    struct water_station *stations;
    size_t station_count;
};

/* Metres between stations. */
double water_spacing_m(double cell_m);
/* How far from a drawn line of this width the solve looks at heights. */
double water_corridor_m(const struct water_params *params, double width_m, bool fit);
/* The largest offset that fitting takes: min(12, 2 width + 8) m, or 3 cells of a coarse ground. */
double water_fit_m(double width_m, double cell_m);

/* Bytes that solving takes, at most. */
size_t water_solve_scratch(const struct water_line *lines, size_t line_count, double cell_m);
/* Everything. The result lies in the arena. STATUS_LIMIT: too little of it. */
enum status water_solve(const struct water_params *params, struct water_line *lines, size_t line_count,
                        struct water_lake *lakes, size_t lake_count, const struct water_heights *heights,
                        struct arena *arena, struct water_river *river, struct error *err);

/* What is nearest to (x, y) as drawn among all lines but number `except`: the place on its middle, how far
 * that is, and how far the edge of its water is (below 0: in it). line: UINT32_MAX where there is none. After
 * water_reach_waters. */
struct water_nearest {
    uint32_t line;
    double x, y, away_m, gap_m;
};
struct water_nearest water_nearest_to(const struct water_river *river, double x, double y, uint32_t except);

/* The steps. */
enum status water_sample_lines(struct water_river *river, struct arena *arena, struct error *err);
enum status water_fit_line(struct water_river *river, size_t line, struct arena *arena, struct error *err);
enum status water_reach_waters(struct water_river *river, struct arena *arena, struct error *err);
enum status water_join(struct water_river *river, struct arena *arena, struct error *err);
void water_bound_lakes(struct water_river *river); /* their boxes alone */
void water_measure_lakes(struct water_river *river);
void water_measure_banks(struct water_river *river);
/* The station's half widths, from those drawn; its depth where none is given. */
void water_set_widths(const struct water_river *river, const struct water_line *line,
                      struct water_station *s);
void water_banks_beyond(struct water_river *river); /* its last part */
enum status water_find_levels(struct water_river *river, struct arena *arena, struct error *err);
void water_find_falls(struct water_river *river);
void water_make_steps(struct water_river *river);
void water_find_rapids(struct water_river *river);
/* What lines joined end to end share: the key of the first (body), and a number for each stretch between
 * falls (reach). Stretches of one body and reach are one surface, without steps. */
void water_find_bodies(struct water_river *river);
/* The reach at station s[0], where that at s[-1] is given. */
uint32_t water_reach_at(const struct water_station *s, uint32_t reach);

/* The water's mean slope around station i of n, half_m up and down the line. */
double water_slope_over(const struct water_station *stations, size_t i, size_t n, double half_m);
/* Tangents, from neighbours. */
void water_tangents(struct water_station *stations, size_t count);
/* Which lake (-1: none) holds the place. */
int32_t water_lake_at(const struct water_river *river, double x, double y, bool river_area);
/* Whether the lake's area holds the place (even-odd). */
bool water_lake_holds(const struct water_lake *lake, double x, double y);
/* The shore's point nearest to (x, y), its distance in metres. */
double water_lake_nearest(const struct water_lake *lake, double x, double y, double at[2]);

#endif
