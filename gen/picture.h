/* Owns layers as files for people and other tools: pictures with a fixed colour ramp for each layer, r32
 * numbers, ESRI ASCII grids. For `terrane layer`. */
#ifndef GEN_PICTURE_H
#define GEN_PICTURE_H
#include "gen/raster.h"
#include "gen/stage.h"
#include "gen/world.h"

enum picture_ramp {
    RAMP_GREY,      /* black .. white over the layer's range */
    RAMP_ALTITUDE,  /* hypsometric: green valleys, brown slopes, white tops; over output.height */
    RAMP_CIRCLE,    /* angles: the colours go round; below 0 (flat): grey */
    RAMP_DIVERGING, /* blue below 0, white, red above, symmetric */
    RAMP_HEAT,      /* black, red, yellow, white: slope, occlusion, illumination */
    RAMP_WATER,     /* pale sand to deep blue: flow, twi */
    RAMP_DISTANCE,  /* inside blue, darker inwards; the edge white; outside yellow, red, dark; steeper near it
                     */
    RAMP_DEPTH,     /* dry sand, then light to deep blue */
    RAMP_IDS,       /* a colour for each code, from a hash; 0 is black */
    RAMP_RGB        /* the layer is a picture */
};

/* How a layer is shown. low, high: values of the ramp's ends. */
struct picture_style {
    enum picture_ramp ramp;
    double low, high;
};
/* Fixed by the layer and, for altitudes, by the world's output.height: never by what is in the picture.
 * STATUS_INPUT: a blob, or a layer whose range nobody knows. */
enum status picture_style_of(const struct world *world, const struct layer_info *layer,
                             struct picture_style *style, struct error *err);

/* count values (raw codes for RAMP_IDS) to RGB8. NaN: magenta. */
void picture_row(const struct picture_style *style, const float *values, int32_t count, uint8_t *rgb);

/* A layer's samples over `cells` (posts: one more column and row; coarse layers: their blocks), with the
 * world's place of the first. */
struct picture_area {
    struct rect samples;
    double x_m, y_m, step_m; /* the south-west sample's cell or post: its corner (cells) or itself (posts) */
    bool posts;
};
struct picture_area picture_area_of(const struct world *world, const struct layer_info *layer,
                                    struct rect cells);

/* The whole file in memory, malloc'ed; window must cover the area.
 * png: RGB8 in the style's ramp. r32: float, little-endian, the north row first, no header. asc: ESRI ASCII
 * grid (ncols, nrows, xllcorner or xllcenter, cellsize, NODATA_value -9999), the north row first, nine
 * significant digits, so that floats come back bit for bit. RGB layers: png only (STATUS_INPUT). */
enum picture_format { PICTURE_PNG, PICTURE_R32, PICTURE_ASC };
enum status picture_file(const struct world *world, const struct window *window, struct rect cells,
                         enum picture_format format, unsigned char **bytes, size_t *size, struct error *err);

/* By the ending of a file's name. STATUS_USAGE: another one. */
enum status picture_format_of(const char *path, enum picture_format *format, struct error *err);

#endif
