/* Owns the aerial picture: lit ground, every entity a shaded crown with its shadow. A kernel: it draws the
 * pixels of one rectangle of cells, two by two a cell, as a pure function of the world's content; pictures of
 * neighbouring rectangles fit without a seam.
 *
 * Everything stands in one raster of heights (ground, and crowns on it, the highest wins), so that crowns
 * shade crowns and ground alike. The sun stands in the north-west, 64 degrees high: a shadow is the largest
 * of the heights along the diagonal less the ray's, found by doubling (a window of 64 pixels), its edges
 * softened over two pixels. */
#ifndef GEN_PREVIEW_H
#define GEN_PREVIEW_H
#include "gen/extent.h"
#include "gen/stage.h"
#include "terrain/arena.h"
#include "terrain/grid.h"
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PREVIEW_FINE = 2,         /* pixels along a cell */
    PREVIEW_SHADOW_PX = 64,   /* a shadow's reach along x and y */
    PREVIEW_SOFT_PX = 2,      /* by which its edges are softened */
    PREVIEW_CROWN_CELLS = 16, /* no crown is drawn wider than this radius */
    PREVIEW_REACH =
        (PREVIEW_SHADOW_PX + PREVIEW_SOFT_PX) / PREVIEW_FINE + PREVIEW_CROWN_CELLS /* cells read around */
};

enum preview_shape { SHAPE_CONE, SHAPE_BLOB, SHAPE_FLAT, SHAPE_ROCK };

struct preview_crown {
    double x, y; /* in cells, world coordinates */
    float height_m, radius_m;
    enum preview_shape shape;
    uint8_t rgb[3];
    uint64_t id;
};

struct preview_input {
    double cell_m;
    bool posts;                         /* how the heights are sampled */
    const struct grid_f32 *height_m;    /* the rectangle grown by PREVIEW_REACH + 1 cells */
    const struct grid_u8 *ground_color; /* RGB8, the rectangle grown by 1 */
    const struct window *occlusion;     /* 0 open .. 1 shut, grown by 1; NULL: open everywhere */
    const struct grid_f32 *rock_m;      /* how far rock lies over the ground, a value a cell, the rectangle;
                                           height_m has it already. NULL: none */
    const struct preview_crown *crowns; /* all that show (preview_shows), in one order all over the world: of
                                           two at one height the first shows */
    size_t crown_count;
};

/* Where a crown can stand and show, or throw its shadow, in the rectangle; within that, whether this one
 * does. */
struct rect preview_ground(struct rect cells);
bool preview_shows(const struct preview_crown *crown, double cell_m, struct rect cells);

/* Arena bytes that preview_draw takes. */
size_t preview_scratch(struct rect cells);
/* rgb: PREVIEW_FINE * w x PREVIEW_FINE * h pixels, three bytes each, packed, the south row first.
 * STATUS_LIMIT: scratch is too small. */
enum status preview_draw(const struct preview_input *input, struct rect cells, uint8_t *rgb,
                         struct arena *scratch, struct error *err);

#endif
