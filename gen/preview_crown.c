#include "gen/preview_canvas.h"
#include "terrain/hash.h"

#include <math.h>

static float clamp01(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* 0..1 by pixel: leaves and needles. */
static float grain(int32_t x, int32_t y, uint64_t salt) {
    return hash_unit(hash_mix(((uint64_t)(uint32_t)y << 32 | (uint32_t)x) * 0x9e3779b97f4a7c15u ^ salt));
}

/* The surface of a crown at the offset (u, v) from its middle, in radii, with u^2 + v^2 = d2 < 1: height
 * above the foot as a share of the whole, cosine to the sun, and how much of the sky it sees. */
struct surface {
    float rise, sun, sky;
};
static struct surface crown_surface(enum preview_shape shape, float u, float v, float d2) {
    float d = sqrtf(d2), bulge = sqrtf(1 - d2);
    float nx, ny, nz;
    struct surface s = {1, 0, 1};
    switch (shape) {
    case SHAPE_CONE: /* sides as steep as they read from above, rounded at the tip */
        s.rise = 1 - 0.78f * d;
        nx = u / (d + 0.18f) * 0.80f;
        ny = v / (d + 0.18f) * 0.80f;
        nz = 0.62f + 0.3f * (1 - d);
        s.sky = 1 - 0.60f * d;
        break;
    case SHAPE_BLOB:
        s.rise = 0.52f + 0.48f * bulge;
        nx = u * 0.95f;
        ny = v * 0.95f;
        nz = 0.25f + 0.75f * bulge;
        s.sky = 0.50f + 0.50f * bulge;
        break;
    case SHAPE_ROCK:
        s.rise = bulge;
        nx = u;
        ny = v;
        nz = 0.3f + 0.6f * bulge;
        s.sky = 0.7f + 0.3f * bulge;
        break;
    case SHAPE_FLAT:
    default:
        nx = u * 0.3f;
        ny = v * 0.3f;
        nz = 1;
        s.rise = 0.8f;
        s.sky = 0.85f;
        break;
    }
    s.sun = clamp01((nx * SUN_X + ny * SUN_Y + nz * SUN_Z) / sqrtf(nx * nx + ny * ny + nz * nz));
    return s;
}

/* warm: how much yellower, -1..1 */
static uint32_t shade_color(const uint8_t rgb[3], float light, float warm) {
    const float turn[3] = {1 + 0.16f * warm, 1 + 0.04f * warm, 1 - 0.10f * warm};
    uint32_t out = 0;
    for (int c = 0; c < 3; c++) {
        float v = (float)rgb[c] * light * turn[c];
        out = out << 8 | (uint32_t)(v >= 255 ? 255 : v + 0.5f);
    }
    return out;
}

static void put(struct canvas *canvas, int32_t x, int32_t y, int32_t z, uint32_t color, float sun,
                float sky) {
    size_t i = (size_t)(y - canvas->y0) * (size_t)canvas->width + (size_t)(x - canvas->x0);
    if (z <= canvas->z[i])
        return;
    canvas->z[i] = z;
    canvas->color[i] = color;
    canvas->sun[i] = (uint8_t)(clamp01(sun) * 255);
    canvas->sky[i] = (uint8_t)(clamp01(sky) * 255);
}

static bool inside(const struct canvas *c, int32_t x, int32_t y) {
    return x >= c->x0 && y >= c->y0 && x < c->x0 + c->width && y < c->y0 + c->height;
}

/* A thing smaller than a pixel shows with the chance of the share that it covers. */
static void draw_speck(struct canvas *canvas, const struct preview_crown *crown, int32_t x, int32_t y,
                       float r, int32_t ground_z, float light, float warm) {
    if (!inside(canvas, x, y) || hash_unit(hash_mix(crown->id)) >= 3.1416f * r * r)
        return;
    int32_t z = ground_z + (int32_t)(crown->height_m * 0.5f * Z_UNITS);
    put(canvas, x, y, z, shade_color(crown->rgb, light, warm), SUN_Z, 0.8f);
}

static int32_t at_least(int32_t v, int32_t least) {
    return v < least ? least : v;
}
static int32_t at_most(int32_t v, int32_t most) {
    return v > most ? most : v;
}

void canvas_crown(struct canvas *canvas, const struct preview_crown *crown, int32_t ground_z) {
    /* offsets are from the crown's own pixel: they must not depend on where the canvas begins */
    double wx = crown->x * PREVIEW_FINE, wy = crown->y * PREVIEW_FINE;
    int32_t x0 = (int32_t)floor(wx), y0 = (int32_t)floor(wy);
    float fx = (float)(wx - x0), fy = (float)(wy - y0);
    float r = crown->radius_m / canvas->px_m;
    if (r > PREVIEW_CROWN_CELLS * PREVIEW_FINE - 1)
        r = PREVIEW_CROWN_CELLS * PREVIEW_FINE - 1;
    float light = 0.86f + 0.28f * hash_unit(hash_mix(crown->id + 7));
    float warm = crown->shape == SHAPE_ROCK ? 0 : 2 * hash_unit(hash_mix(crown->id + 11)) - 1;
    if (r < 0.56f) {
        draw_speck(canvas, crown, x0, y0, r, ground_z, light, warm);
        return;
    }
    float ragged = crown->shape == SHAPE_ROCK ? 0.10f : 0.30f;
    float per_r = 1 / r;
    int32_t far = (int32_t)r + 1;
    int32_t left = at_least(x0 - far, canvas->x0), right = at_most(x0 + far, canvas->x0 + canvas->width - 1);
    int32_t low = at_least(y0 - far, canvas->y0), high = at_most(y0 + far, canvas->y0 + canvas->height - 1);
    for (int32_t y = low; y <= high; y++)
        for (int32_t x = left; x <= right; x++) {
            float u = ((float)(x - x0) + 0.5f - fx) * per_r, v = ((float)(y - y0) + 0.5f - fy) * per_r;
            float d2 = u * u + v * v;
            if (d2 >= 1)
                continue;
            float leaf = grain(x, y, crown->id);
            if (d2 * (1 + ragged * leaf) >= 1)
                continue;
            struct surface s = crown_surface(crown->shape, u, v, d2);
            float tall = crown->height_m * (s.rise + 0.10f * (leaf - 0.5f));
            put(canvas, x, y, ground_z + (int32_t)(tall * Z_UNITS),
                shade_color(crown->rgb, light * (0.86f + 0.28f * leaf), warm), s.sun + 0.18f * (leaf - 0.5f),
                s.sky);
        }
}
