#include "gen/compose.h"

#include "terrain/twi.h"

void compose_height(const struct grid_f32 *ground, const struct grid_f32 *imprints, int32_t count,
                    struct grid_f32 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        float *to = grid_f32_at(out, out->x0, y);
        const float *from = grid_f32_at(ground, out->x0, y);
        for (int32_t i = 0; i < out->width; i++)
            to[i] = from[i];
        for (int32_t k = 0; k < count; k++) {
            const float *more = grid_f32_at(&imprints[k], out->x0, y);
            for (int32_t i = 0; i < out->width; i++)
                to[i] += more[i];
        }
    }
}

void compose_difference(const struct grid_f32 *a, const struct grid_f32 *b, struct grid_f32 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        float *to = grid_f32_at(out, out->x0, y);
        const float *from = grid_f32_at(a, out->x0, y), *less = grid_f32_at(b, out->x0, y);
        for (int32_t i = 0; i < out->width; i++)
            to[i] = from[i] - less[i];
    }
}

struct compose_texture_params compose_texture_defaults(void) {
    return (struct compose_texture_params){.steep_deg = 34, .rock_deg = 48};
}

void compose_texture(const struct compose_texture_params *params, const struct grid_f32 *slope_deg,
                     const struct grid_u8 *biome_id, struct grid_u8 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        const float *slope = grid_f32_at(slope_deg, out->x0, y);
        const uint8_t *biome = biome_id ? grid_u8_at(biome_id, out->x0, y) : NULL;
        uint8_t *to = grid_u8_at(out, out->x0, y);
        for (int32_t i = 0; i < out->width; i++) {
            uint8_t id = slope[i] >= params->rock_deg    ? TEXTURE_ROCK
                         : slope[i] >= params->steep_deg ? TEXTURE_STEEP
                                                         : TEXTURE_FLAT;
            uint8_t own = biome ? params->biome_textures[biome[i]] : 0;
            to[i] = own && id != TEXTURE_ROCK ? own : id;
        }
        for (int32_t k = 0; k < params->overlay_count; k++) {
            const uint8_t *over = grid_u8_at(&params->overlays[k], out->x0, y);
            for (int32_t i = 0; i < out->width; i++)
                to[i] = over[i] ? over[i] : to[i];
        }
    }
}

static float clamp01(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static float smooth(float from, float to, float v) {
    float t = clamp01((v - from) / (to - from));
    return t * t * (3 - 2 * t);
}

static uint8_t byte_of(float v) {
    return (uint8_t)(v <= 0 ? 0 : v >= 255 ? 255 : v + 0.5f);
}

uint8_t compose_wetness_code(uint8_t twi_code, float stream) {
    float twi = (float)twi_code / TWI_STEPS + TWI_MIN, level = smooth(11.5f, 13, twi);
    float v = (twi < 8 ? twi : 8) - 3 * level + 14 * stream * (1 - level);
    return byte_of((v - TWI_MIN) * TWI_STEPS);
}

/* The softened index is near 2 on ridges and steep slopes, 3 on hillsides, over 5 in hollows. */
float compose_wetness(float twi) {
    return smooth(4.2f, 7.5f, twi) - (1 - smooth(1.6f, 3.0f, twi));
}

float compose_stream(float flow) {
    return smooth(0.42f, 0.55f, flow);
}

void compose_tint_row(const float *wetness, int32_t count, uint8_t *rgb) {
    for (int32_t i = 0; i < count; i++) {
        float wet = clamp01(wetness[i]), dry = clamp01(-wetness[i]);
        rgb[3 * i] = byte_of(128 - 40 * wet + 22 * dry);
        rgb[3 * i + 1] = byte_of(128 - 22 * wet + 14 * dry);
        rgb[3 * i + 2] = byte_of(128 - 36 * wet - 4 * dry);
    }
}

void compose_tinted_row(const uint8_t *tint, int32_t count, uint8_t *rgb) {
    for (int32_t i = 0; i < 3 * count; i++) {
        int32_t v = (rgb[i] * tint[i] + 64) / 128;
        rgb[i] = (uint8_t)(v < 255 ? v : 255);
    }
}

static void mix(float rgb[3], const float other[3], float share) {
    for (int c = 0; c < 3; c++)
        rgb[c] += (other[c] - rgb[c]) * share;
}

/* What one cell looks like. n: noises of falling wavelength, -1..1. */
static void color_cell(float slope, float wet, const float n[3], uint8_t out[3]) {
    static const float soil[3] = {134, 110, 74}, rock[3] = {139, 133, 123};
    float rgb[3] = {out[0], out[1], out[2]};
    /* dry and lush patches of meadow */
    float dry = smooth(0.0f, 0.9f, n[0] * 0.6f + n[1] * 0.5f + n[2] * 0.3f - wet * 0.6f);
    float lush = smooth(0.1f, 0.9f, wet * 0.8f - n[0] * 0.5f + n[1] * 0.3f - n[2] * 0.2f);
    const float straw[3] = {rgb[0] * 1.14f + 12, rgb[1] * 1.03f + 4, rgb[2] + 8};
    const float moss[3] = {rgb[0] * 0.70f, rgb[1] * 0.86f, rgb[2] * 0.66f};
    mix(rgb, straw, dry * 0.65f);
    mix(rgb, moss, lush * 0.8f);
    mix(rgb, soil, smooth(34, 47, slope + 7 * n[1] + 4 * n[2]) * 0.5f);
    mix(rgb, rock, smooth(43, 51, slope + 3 * n[1] + 4 * n[2]));
    float light = 1 + 0.05f * n[0] + 0.06f * n[1] + 0.07f * n[2];
    for (int c = 0; c < 3; c++)
        out[c] = byte_of(rgb[c] * light);
}

void compose_biome_colors(const uint8_t colors[256][3], const bool sharp[256], const struct grid_u8 *biome_id,
                          int32_t x, int32_t y, int32_t count, uint8_t *rgb) {
    static const int8_t at[8][2] = {{-2, -1}, {-1, 2}, {2, 1}, {1, -2}, {-2, 1}, {1, 2}, {2, -1}, {-1, -2}};
    for (int32_t i = 0; i < count; i++, rgb += 3) {
        const uint8_t *own = grid_u8_at(biome_id, x + i, y);
        const uint8_t *c = colors[*own];
        uint32_t sum[3] = {c[0], c[1], c[2]}, others = 0;
        for (int k = 0; k < 8; k++) {
            uint8_t id = own[at[k][1] * (ptrdiff_t)biome_id->stride + at[k][0]];
            id = sharp[id] || sharp[*own] ? *own : id;
            others |= (uint32_t)(id ^ *own);
            for (int n = 0; n < 3; n++)
                sum[n] += colors[id][n];
        }
        for (int n = 0; n < 3; n++)
            rgb[n] = others ? (uint8_t)((sum[n] + 4) / 9) : c[n];
    }
}

void compose_colors(const struct compose_colors_row *row, int32_t count, uint8_t *rgb) {
    for (int32_t i = 0; i < count; i++) {
        float noise[COMPOSE_NOISES];
        for (int32_t k = 0; k < COMPOSE_NOISES; k++)
            noise[k] = (row->noise[k][i] * 2 - 1) * 0.8f;
        color_cell(row->slope_deg[i], row->wetness[i], noise, rgb + 3 * i);
    }
}
