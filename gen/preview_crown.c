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

/* 0..1: what is grey (stone, dead wood) turns neither yellow nor blue. */
static float vivid(const uint8_t rgb[3]) {
    int32_t low = rgb[0] < rgb[1] ? rgb[0] : rgb[1], high = rgb[0] > rgb[1] ? rgb[0] : rgb[1];
    low = rgb[2] < low ? rgb[2] : low;
    high = rgb[2] > high ? rgb[2] : high;
    return high == 0 ? 0 : clamp01(3 * (float)(high - low) / (float)high - 0.4f);
}

static size_t index_of(const struct canvas *c, int32_t x, int32_t y) {
    return (size_t)(y - c->y0) * (size_t)c->width + (size_t)(x - c->x0);
}

/* Covers the pixel whole; z: its surface. */
static void put(struct canvas *canvas, int32_t x, int32_t y, int32_t z, uint32_t color, float sun,
                float sky) {
    size_t i = index_of(canvas, x, y);
    if (z <= canvas->z[i])
        return;
    canvas->z[i] = z;
    canvas->color[i] = (uint32_t)COVER_WHOLE << 24 | color;
    canvas->sun[i] = (uint8_t)(clamp01(sun) * 255);
    canvas->sky[i] = (uint8_t)(clamp01(sky) * 255);
}

/* Covers a share of the pixel, beside what covers it in part already. */
static void put_part(struct canvas *canvas, int32_t x, int32_t y, float share, uint32_t color, float sun,
                     float sky) {
    size_t i = index_of(canvas, x, y);
    uint32_t below = canvas->color[i];
    int32_t more = (int32_t)(share * (COVER_WHOLE - 1));
    if (canvas_cover(below) == COVER_WHOLE || more <= 0)
        return;
    int32_t left = canvas_cover(below), all = left + more;
    uint32_t mixed = (uint32_t)(all < COVER_WHOLE ? all : COVER_WHOLE - 1);
    for (int shift = 16; shift >= 0; shift -= 8) {
        int32_t old = (int32_t)(below >> shift & 255), new = (int32_t)(color >> shift & 255);
        mixed = mixed << 8 | (uint32_t)((old * left + new *more) / all);
    }
    canvas->color[i] = mixed;
    canvas->sun[i] = (uint8_t)((canvas->sun[i] * left + (int32_t)(clamp01(sun) * 255) * more) / all);
    canvas->sky[i] = (uint8_t)((canvas->sky[i] * left + (int32_t)(clamp01(sky) * 255) * more) / all);
}

static bool inside(const struct canvas *c, int32_t x, int32_t y) {
    return x >= c->x0 && y >= c->y0 && x < c->x0 + c->width && y < c->y0 + c->height;
}

/* A thing of about a pixel covers its share of the four around it. */
static void draw_speck(struct canvas *canvas, const struct preview_crown *crown, float r, float light,
                       float warm) {
    double wx = crown->x * PREVIEW_FINE - 0.5, wy = crown->y * PREVIEW_FINE - 0.5;
    int32_t x = (int32_t)floor(wx), y = (int32_t)floor(wy);
    float fx = (float)(wx - x), fy = (float)(wy - y), area = 3.1416f * r * r;
    uint32_t color = shade_color(crown->rgb, light, warm);
    for (int32_t k = 0; k < 4; k++) {
        float share = area * (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy);
        if (inside(canvas, x + (k & 1), y + (k >> 1)))
            put_part(canvas, x + (k & 1), y + (k >> 1), share < 0.92f ? share : 0.92f, color, SUN_Z, 0.85f);
    }
}

/* How far the crown reaches in a direction, as a share of its radius, 1 - depth .. 1: boughs and gaps. */
static float bough(float u, float v, float count, float turn) {
    float span = fabsf(u) + fabsf(v);
    float around = span > 0 ? v / span : 0; /* a turn in four steps */
    around = u >= 0 ? 1 + around : 3 - around;
    float at = around * 0.25f * count + turn;
    at -= floorf(at);
    return fabsf(2 * at - 1);
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
    float warm = vivid(crown->rgb) * (2 * hash_unit(hash_mix(crown->id + 11)) - 1);
    if (r < 0.95f) {
        draw_speck(canvas, crown, r, light, warm);
        return;
    }
    float ragged = crown->shape == SHAPE_ROCK ? 0.08f : 0.26f;
    float per_r = 1 / r, turn = hash_unit(hash_mix(crown->id + 13)), boughs = floorf(7 + 5 * turn);
    float gaps = crown->shape == SHAPE_CONE ? 0.26f : crown->shape == SHAPE_BLOB ? 0.16f : 0.06f;
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
            float reach = 1 - gaps * bough(u, v, boughs, turn * 7), rim = d2 * (1 + ragged * leaf);
            float inward = (reach - sqrtf(rim)) * r + 0.5f; /* [pixels] */
            if (inward <= 0)
                continue;
            struct surface s = crown_surface(crown->shape, u, v, d2);
            uint32_t color = shade_color(crown->rgb, light * (0.84f + 0.30f * leaf), warm);
            float sun = s.sun + 0.18f * (leaf - 0.5f), tall = s.rise + 0.10f * (leaf - 0.5f);
            if (inward >= 1)
                put(canvas, x, y, ground_z + (int32_t)(crown->height_m * tall * Z_UNITS), color, sun, s.sky);
            else
                put_part(canvas, x, y, inward, color, sun, s.sky);
        }
}
