/* Owns how the tools' results become one ground: final heights, texture ids in a stated order, tint, and the
 * ground's colour as pictures show it. Kernels: arrays in, arrays out. */
#ifndef GEN_COMPOSE_H
#define GEN_COMPOSE_H
#include "terrain/grid.h"
#include <stdbool.h>

/* out = ground + the sum of `count` imprints [m] (what trees and rocks raise or lower), in order. All cover
 * out's window. Imprints move no abiotic layer: they come after the survey. */
void compose_height(const struct grid_f32 *ground, const struct grid_f32 *imprints, int32_t count,
                    struct grid_f32 *out);

/* out = a - b. */
void compose_difference(const struct grid_f32 *a, const struct grid_f32 *b, struct grid_f32 *out);

/* Texture ids, in this order, later ones over earlier ones:
 *   1. the ground's classes by slope: TEXTURE_FLAT, TEXTURE_STEEP from steep_deg, TEXTURE_ROCK from rock_deg;
 *   2. the biome's texture, where it has one (not 0), but never over TEXTURE_ROCK;
 *   3. overlays, where they say anything (not 0): what entities set, then tools, in the world's order. */
enum { TEXTURE_FLAT = 1, TEXTURE_STEEP = 2, TEXTURE_ROCK = 3 };
struct compose_texture_params {
    float steep_deg;                /* [degrees] 0..90, 34 */
    float rock_deg;                 /* [degrees] steep_deg..90, 48 */
    uint8_t biome_textures[256];    /* by biome id; 0: none */
    const struct grid_u8 *overlays; /* overlay_count of them */
    int32_t overlay_count;
};
struct compose_texture_params compose_texture_defaults(void);
/* biome_id may be NULL. */
void compose_texture(const struct compose_texture_params *params, const struct grid_f32 *slope_deg,
                     const struct grid_u8 *biome_id, struct grid_u8 *out);

/* One row of tint, RGB: neutral grey 128 (multiply the ground's colour by tint / 128), darker and greener
 * where it is wet, lighter and warmer where it is dry. wetness: -1 dry .. 0 neutral .. 1 wet. */
void compose_tint_row(const float *wetness, int32_t count, uint8_t *rgb);

/* rgb = rgb x tint / 128, to nearest, cut at 255: a tint over another, or over a colour. */
void compose_tinted_row(const uint8_t *tint, int32_t count, uint8_t *rgb);

/* How much of a stream's bed a cell is, 0..1, from the layer flow (0..1). */
float compose_stream(float flow);
/* The topographic wetness index as wetness is softened from (terrain/twi.h's codes): cut where hollows begin,
 * so that a line of flow is no more than damp ground around it; a hollow that filling made level (all of its
 * cells carry the whole hollow's flow) hardly counts; a stream, 0..1, counts over the cells beside it. */
uint8_t compose_wetness_code(uint8_t twi_code, float stream);
/* Wetness from the softened index: -1 dry .. 0 neutral .. 1 wet. */
float compose_wetness(float twi);

/* ---- the ground's colour in pictures ---- */

enum { COMPOSE_NOISES = 3 };
/* Wavelengths of the noises that compose_colors_row takes. */
static const double compose_noise_m[COMPOSE_NOISES] = {70, 18, 5};

/* Colours of the biomes of a row of cells, sRGB, three bytes a cell, each the mean of nine cells up to
 * COMPOSE_BLEND_CELLS away: borders are no knife's cuts, but for those of ids that are sharp, which take part
 * in no mean. colors, sharp: by biome id; biome_id: known so far around. */
enum { COMPOSE_BLEND_CELLS = 2 };
void compose_biome_colors(const uint8_t colors[256][3], const bool sharp[256], const struct grid_u8 *biome_id,
                          int32_t x, int32_t y, int32_t count, uint8_t *rgb);

/* What a row of `count` cells reads: slope in degrees, wetness as above, gradient noises 0..1
 * (terrain/noise.h) of three wavelengths, for the patches that keep it from looking painted by numbers. */
struct compose_colors_row {
    const float *slope_deg, *wetness;
    const float *noise[COMPOSE_NOISES];
};
/* rgb: the biomes' colours in, the ground's out; sRGB, three bytes a cell. */
void compose_colors(const struct compose_colors_row *row, int32_t count, uint8_t *rgb);

#endif
