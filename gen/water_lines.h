/* Owns how drawn features become the lines and lakes that water/ solves. */
#ifndef GEN_WATER_LINES_H
#define GEN_WATER_LINES_H
#include "gen/geojson.h"
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
bool water_is_fitted(const struct world *world, const struct feature *feature);
struct water_params water_params_of(const struct world *world);

/* All water of the world in canonical order; `source` is the feature's index in world->splines. Arrays lie in
 * the arena. STATUS_LIMIT: too little. */
enum status water_draw(const struct world *world, struct arena *arena, struct water_drawing *out,
                       struct error *err);

#endif
