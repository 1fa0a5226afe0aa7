/* Owns the raster that a preview is drawn into: for each pixel of the rectangle and of what can throw a
 * shadow into it, a height, a colour, how much of the ground that covers, and how the surface meets the sun.
 * A part of gen/preview.c.
 *
 * What covers a pixel whole hides what lies lower. What covers it in part (rims of crowns, plants smaller
 * than a pixel) shows only where nothing covers it whole, has the ground's height, and casts no shadow. */
#ifndef GEN_PREVIEW_CANVAS_H
#define GEN_PREVIEW_CANVAS_H
#include "gen/preview.h"

enum { Z_UNITS = 64 }; /* of height in a metre */

struct canvas {
    int32_t x0, y0, width, height; /* pixels, world numbering: pixel (0, 0) begins at cell (0, 0) */
    float *ground;                 /* m, without crowns */
    int32_t *z;                    /* 1/64 m, ground and crowns */
    uint32_t *color;               /* 0xccrrggbb: what stands here, and its share cc of the pixel */
    uint8_t *sun;                  /* crowns: cosine to the sun, 255 is 1 */
    uint8_t *sky;                  /* crowns: share of the sky, 255 is all */
    float px_m;
};
enum { COVER_WHOLE = 255 };

static inline int32_t canvas_cover(uint32_t color) {
    return (int32_t)(color >> 24);
}

/* Towards the sun: unit vector; and the rise of its rays, tan 64 degrees. */
static const float SUN_X = -0.30998f, SUN_Y = 0.30998f, SUN_Z = 0.89879f, SUN_RISE = 2.05030f;

/* A pixel's middle lies at a quarter or three quarters of a cell: between the sample that is returned and the
 * next one, *share of the way. posts: samples at whole cells, else at halves. */
static inline int32_t preview_tap(int32_t px, bool posts, float *share) {
    int32_t at = 2 * px + 1 - (posts ? 0 : 2); /* quarter cells from the first sample line */
    int32_t i = floor_div(at, 2 * PREVIEW_FINE);
    *share = (float)(at - i * 2 * PREVIEW_FINE) / (2 * PREVIEW_FINE);
    return i;
}

/* Draws one crown whose foot stands at ground_z. */
void canvas_crown(struct canvas *canvas, const struct preview_crown *crown, int32_t ground_z);

/* The pixels of `cells` under sun and sky; dark: how deep each pixel of the canvas lies in shadow, 0..255.
 * The canvas reaches PREVIEW_SOFT_PX or more beyond. room: CANVAS_LIGHT_ROOM floats for each pixel of a row.
 */
enum { CANVAS_LIGHT_ROOM = 6 };
void canvas_light(const struct canvas *canvas, const struct preview_input *in, const uint8_t *dark,
                  struct rect cells, float *room, uint8_t *rgb);

#endif
