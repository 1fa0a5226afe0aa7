/* Owns how drawn features become the lines and lakes that water/ solves. */
#ifndef GEN_WATER_LINES_H
#define GEN_WATER_LINES_H
#include "gen/geojson.h"
#include "gen/stage.h"
#include "gen/world.h"
#include "terrain/arena.h"
#include "water/river.h"

struct water_drawing {
    struct water_line *lines;
    struct water_lake *lakes;
    size_t line_count, lake_count;
};

bool water_is_line(const struct feature *feature);
bool water_is_area(const struct feature *feature); /* lake, river_area */
/* The widest of a line, m. */
double water_width_of(const struct world *world, const struct feature *feature);
bool water_is_automatic(const struct world *world, const struct feature *feature); /* its direction */
bool water_is_fitted(const struct world *world, const struct feature *feature);
struct water_params water_params_of(const struct world *world);

/* A polygon's rings as straight pieces: its own points, or those of its curve where it has curve:
 * catmull-rom, 2 m or a cell apart. ring_end: ring_count entries. False: the arena is too small. */
bool water_rings(const struct feature *feature, double cell_m, struct arena *arena, const double **xy,
                 const size_t **ring_end);
/* Bytes that water_draw takes for a feature at most. */
size_t water_draw_need(const struct feature *feature, double cell_m);

/* All water of the world in canonical order; `source` is the feature's index in world->splines. Arrays lie in
 * the arena. STATUS_LIMIT: too little. */
enum status water_draw(const struct world *world, struct arena *arena, struct water_drawing *out,
                       struct error *err);

/* Streams that nobody drew (gen/stages_water_streams.c), as records hold them: one after the other, a head
 * and three doubles a point (x, y, area in m2). A record holds the lines in reach of its section. */
struct stream_head {
    uint32_t points, still;
    int32_t x, y; /* the cell in which it begins */
};
/* The line at *at of a record; moves *at on. False: there is none, or the record is damaged. */
bool water_next_stream(const struct tile *tile, size_t *at, struct stream_head *head, const double **points);
/* Adds the streams of all records behind the drawn lines, each once: that of the section in which it begins.
 * `source` is SOURCE_NONE. */
#define SOURCE_NONE UINT32_MAX
enum status water_add_streams(const struct world *world, const struct window *streams, struct arena *arena,
                              struct water_drawing *drawing, struct error *err);
/* Area of the least stream, in cells. */
uint64_t water_least_cells(const struct world *world);
/* How far from a stream that nobody drew the solve looks at heights, at most. */
double water_stream_reach_m(const struct world *world, double area_m2);

#endif
