#include "terrain/altitude.h"

#include <string.h>

void terrain_altitude(bool posts, const struct grid_f32 *height_m, struct grid_f32 *altitude_m) {
    int32_t x = altitude_m->x0, width = altitude_m->width;
    for (int32_t y = altitude_m->y0; y < altitude_m->y0 + altitude_m->height; y++) {
        const float *south = grid_f32_at(height_m, x, y);
        float *restrict out = grid_f32_at(altitude_m, x, y);
        if (!posts) {
            memcpy(out, south, (size_t)width * sizeof *out);
            continue;
        }
        const float *north = south + height_m->stride;
        for (int32_t i = 0; i < width; i++)
            out[i] = ((south[i] + south[i + 1]) + (north[i] + north[i + 1])) * 0.25f;
    }
}

static float share(int32_t at, int32_t first, int32_t count) {
    return (float)(((double)at - (double)first + 0.5) / (double)count);
}

void terrain_longitude(int32_t first, int32_t count, struct grid_f32 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++)
        for (int32_t x = out->x0; x < out->x0 + out->width; x++)
            *grid_f32_at(out, x, y) = share(x, first, count);
}

void terrain_latitude(int32_t first, int32_t count, struct grid_f32 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        float v = share(y, first, count);
        for (int32_t x = out->x0; x < out->x0 + out->width; x++)
            *grid_f32_at(out, x, y) = v;
    }
}
