#include "gen/preview_canvas.h"
#include "gen/values.h"
#include "terrain/clones.h"
#include "terrain/hash.h"

#include <math.h>

static inline float clamp01(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* Cosine to the sun of a row of ground: from the heights one cell around, of the rows at, south and north. */
TERRAIN_CLONES
static void sun_row(const float *at, const float *south, const float *north, float per_m, int32_t count,
                    float *sun) {
    for (int32_t x = 0; x < count; x++) {
        float e = (at[x + PREVIEW_FINE] - at[x - PREVIEW_FINE]) * per_m, n = (north[x] - south[x]) * per_m;
        sun[x] = clamp01((SUN_Z - e * SUN_X - n * SUN_Y) / sqrtf(1 + e * e + n * n));
    }
}

/* Colour of a row of ground between four cells; south, north: rows of RGB. */
static void color_row(const struct preview_input *in, int32_t px, int32_t py, int32_t count,
                      float *const rgb[3]) {
    const struct grid_u8 *g = in->ground_color;
    float tx, ty;
    const uint8_t *row = g->cells + (ptrdiff_t)(preview_tap(py, false, &ty) - g->y0) * g->stride;
    for (int32_t x = 0; x < count; x++) {
        const uint8_t *a = row + 3 * (preview_tap(px + x, false, &tx) - g->x0), *b = a + g->stride;
        uint64_t place = (uint64_t)(uint32_t)py << 32 | (uint32_t)(px + x);
        float grain = 0.955f + 0.09f * hash_unit(hash_mix(place * 0x9e3779b97f4a7c15u));
        for (int32_t c = 0; c < 3; c++) {
            float low = (float)a[c] + (float)(a[c + 3] - a[c]) * tx;
            float high = (float)b[c] + (float)(b[c + 3] - b[c]) * tx;
            rgb[c][x] = (low + (high - low) * ty) * grain;
        }
    }
}

/* Rock, from the heights next to each pixel: faces are the darker (they see less sky, and are stained) the
 * steeper they are, crevices too; brinks and ledges are light. So walls read as walls from above, whichever
 * way they face. rock_m: a row of cells. */
static void rock_row(const float *ground, size_t width, const float *rock_m, float px_m, int32_t count,
                     float *const rgb[3], float *sun, float *sky) {
    for (int32_t x = 0; x < count; x++) {
        if (!(rock_m[x / PREVIEW_FINE] > 0))
            continue;
        const float *at = ground + x;
        float per_m = 0.5f / px_m, e = (at[1] - at[-1]) * per_m, n = (at[width] - *(at - width)) * per_m;
        float up = 1 / sqrtf(1 + e * e + n * n);
        float around = at[2] + at[-2] + at[2 * width] + *(at - 2 * width);
        float deep = (0.25f * around - *at) / (2 * px_m); /* below what lies a cell around */
        float light = (0.66f + 0.42f * up) * (1 - 0.22f * (deep > 1 ? 1 : deep < -0.6f ? -0.6f : deep));
        sun[x] = clamp01((SUN_Z - e * SUN_X - n * SUN_Y) * up);
        sky[x] *= 0.4f + 0.6f * up;
        for (int32_t c = 0; c < 3; c++)
            rgb[c][x] *= light;
    }
}

/* What stands on the ground, over it as far as it covers it. */
static inline float over(float ground, float own, int32_t cover) {
    float mixed = ground + (own - ground) * ((float)cover * (1.0f / COVER_WHOLE));
    return cover == COVER_WHOLE ? own : mixed;
}

TERRAIN_CLONES
static void cover_row(const uint32_t *color, const uint8_t *own_sun, const uint8_t *own_sky, int32_t count,
                      float *const rgb[3], float *sun, float *sky) {
    float *red = rgb[0], *green = rgb[1], *blue = rgb[2];
    for (int32_t x = 0; x < count; x++) {
        int32_t cover = canvas_cover(color[x]);
        red[x] = over(red[x], (float)(int32_t)(color[x] >> 16 & 255), cover);
        green[x] = over(green[x], (float)(int32_t)(color[x] >> 8 & 255), cover);
        blue[x] = over(blue[x], (float)(int32_t)(color[x] & 255), cover);
        sun[x] = over(sun[x], (float)own_sun[x] * (1.0f / 255), cover);
        sky[x] = over(sky[x], (float)own_sky[x] * (1.0f / 255), cover);
    }
}

/* Sun and sky on one channel of a row, in linear light (squares stand for sRGB's curve), 0..255. What comes
 * through leaves and from around: no shadow is whole. */
TERRAIN_CLONES
static void expose_row(const float *color, const float *sun, const float *sky, const uint8_t *dark,
                       float sun_color, float sky_color, int32_t count, uint8_t *out) {
    for (int32_t x = 0; x < count; x++) {
        float shadow = 0.82f / 255 * dark[x], albedo = color[x] * (1.0f / 255);
        float light = sun_color * sun[x] * (1 - shadow) + sky_color * sky[x];
        float v = sqrtf(albedo * albedo * light) * 255;
        out[3 * x] = (uint8_t)(int32_t)(v >= 255 ? 255 : v + 0.5f);
    }
}

void canvas_light(const struct canvas *c, const struct preview_input *in, const uint8_t *dark,
                  struct rect cells, float *room, uint8_t *rgb) {
    /* level open ground keeps its colour within a tenth */
    static const float sun_color[3] = {0.98f, 0.93f, 0.83f}, sky_color[3] = {0.28f, 0.31f, 0.34f};
    struct rect px = {cells.x0 * PREVIEW_FINE, cells.y0 * PREVIEW_FINE, cells.x1 * PREVIEW_FINE,
                      cells.y1 * PREVIEW_FINE};
    int32_t count = px.x1 - px.x0;
    size_t n = (size_t)count, width = (size_t)c->width;
    float *const color[3] = {room, room + n, room + 2 * n}, *sun = room + 3 * n, *sky = room + 4 * n;
    float *shut = room + 5 * n, per_m = (float)(0.5 / in->cell_m); /* over two cells */
    for (int32_t y = px.y0; y < px.y1; y++, rgb += 3 * n) {
        size_t i = (size_t)(y - c->y0) * width + (size_t)(px.x0 - c->x0);
        const float *ground = c->ground + i;
        sun_row(ground, ground - PREVIEW_FINE * width, ground + PREVIEW_FINE * width, per_m, count, sun);
        color_row(in, px.x0, y, count, color);
        if (in->occlusion)
            values_row(in->occlusion, cells.x0, floor_div(y, PREVIEW_FINE), cells.x1 - cells.x0, shut);
        for (int32_t x = 0; x < count; x++)
            sky[x] = in->occlusion ? 1 - 0.8f * clamp01(shut[x / PREVIEW_FINE]) : 1;
        if (in->rock_m)
            rock_row(ground, width, grid_f32_at(in->rock_m, cells.x0, floor_div(y, PREVIEW_FINE)), c->px_m,
                     count, color, sun, sky);
        cover_row(c->color + i, c->sun + i, c->sky + i, count, color, sun, sky);
        for (int32_t k = 0; k < 3; k++)
            expose_row(color[k], sun, sky, dark + i, sun_color[k], sky_color[k], count, rgb + k);
    }
}
