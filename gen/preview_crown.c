#include "gen/preview_canvas.h"
#include "terrain/clones.h"
#include "terrain/hash.h"

#include <math.h>

enum {
    RADIUS_MAX_PX = PREVIEW_CROWN_CELLS * PREVIEW_FINE - 1,
    ROW_STEP = 8, /* pixels are done by so many */
    ROW_MAX = (2 * RADIUS_MAX_PX + 3 + ROW_STEP - 1) / ROW_STEP * ROW_STEP
};

static inline float clamp01(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* The surface of a kind of crown at (u, v) from its middle, in radii; d: that distance, bulge: sqrt(1 - d^2).
 * Height above the foot as a share of the whole: rise + rise_d d + rise_b bulge. Normal: u and v by
 * lean / (lean_d d + lean_0), up + up_d (1 - d) + up_b bulge. Share of the sky: sky + sky_d d + sky_b bulge.
 */
struct surface {
    float rise, rise_d, rise_b, lean, lean_d, lean_0, up, up_d, up_b, sky, sky_d, sky_b;
    float ragged, gaps; /* how rough its rim is, how deep the gaps between boughs reach */
};
static const struct surface surfaces[] = {
    /* sides as steep as they read from above, rounded at the tip */
    [SHAPE_CONE] = {1, -0.78f, 0, 0.80f, 1, 0.18f, 0.62f, 0.3f, 0, 1, -0.60f, 0, 0.26f, 0.26f},
    [SHAPE_BLOB] = {0.52f, 0, 0.48f, 0.95f, 0, 1, 0.25f, 0, 0.75f, 0.50f, 0, 0.50f, 0.26f, 0.16f},
    [SHAPE_FLAT] = {0.8f, 0, 0, 0.3f, 0, 1, 1, 0, 0, 0.85f, 0, 0, 0.26f, 0.06f},
    [SHAPE_ROCK] = {0, 0, 1, 1, 0, 1, 0.3f, 0, 0.6f, 0.7f, 0, 0.3f, 0.08f, 0.06f},
};

/* One crown while it is drawn. Offsets are from its own pixel: they must not depend on where the canvas
 * begins. */
struct drawn {
    struct surface surface;
    int32_t x0, y0; /* its middle's pixel, and the middle within that */
    float fx, fy;
    float r, per_r;      /* radius [pixels] */
    float boughs, first; /* their number, and where the first one is */
    float height;        /* 1/64 m */
    float rgb[3], turn[3], light;
    int32_t ground_z;
    uint64_t id;
};

/* A row of its pixels: by how much each lies within the rim, 1 and more: wholly; 0 and less: not at all. */
struct row {
    float leaf[ROW_MAX], inward[ROW_MAX], sun[ROW_MAX], sky[ROW_MAX];
    int32_t z[ROW_MAX];
    uint32_t color[ROW_MAX];
};

/* 0..1 by pixel: leaves and needles. */
TERRAIN_CLONES
static void leaf_row(uint64_t id, int32_t x0, int32_t y, int32_t count, float *leaf) {
    for (int32_t i = 0; i < count; i++) {
        uint64_t place = (uint64_t)(uint32_t)y << 32 | (uint32_t)(x0 + i);
        leaf[i] =
            (float)(int32_t)(hash_mix(place * 0x9e3779b97f4a7c15u ^ id) >> 40) * 0x1p-24f; /* hash_unit */
    }
}

/* How far the crown reaches in a direction, as a share of its radius, 1 - gaps .. 1: boughs and gaps. */
static inline float bough_reach(const struct drawn *d, float u, float v) {
    float span = fabsf(u) + fabsf(v);
    float around = span > 0 ? v / span : 0; /* a turn in four steps */
    around = u >= 0 ? 1 + around : 3 - around;
    float at = around * 0.25f * d->boughs + d->first;
    at -= (float)(int32_t)at;
    return 1 - d->surface.gaps * fabsf(2 * at - 1);
}

/* The leaves' colour under more or less light, turned yellow or blue. */
static inline uint32_t leaf_color(const float rgb[3], const float turn[3], float light) {
    uint32_t out = 0;
    for (int32_t c = 0; c < 3; c++) {
        float v = rgb[c] * light * turn[c];
        out = out << 8 | (uint32_t)(int32_t)(v >= 255 ? 255 : v + 0.5f);
    }
    return out;
}

TERRAIN_CLONES
static void crown_row(const struct drawn *d, int32_t x0, int32_t y, int32_t count, struct row *row) {
    const struct surface *s = &d->surface;
    float v = ((float)(y - d->y0) + 0.5f - d->fy) * d->per_r;
    for (int32_t i = 0; i < count; i++) {
        float u = ((float)(x0 + i - d->x0) + 0.5f - d->fx) * d->per_r, d2 = u * u + v * v;
        float leaf = row->leaf[i], far = sqrtf(d2), bulge = sqrtf(d2 < 1 ? 1 - d2 : 0);
        float inward = (bough_reach(d, u, v) - sqrtf(d2 * (1 + s->ragged * leaf))) * d->r + 0.5f;
        row->inward[i] =
            inward - (d2 < 1 ? 0 : 1e6f); /* no select of inward itself: gcc makes a branch of it */
        float tall = s->rise + s->rise_d * far + s->rise_b * bulge + 0.10f * (leaf - 0.5f);
        row->z[i] = d->ground_z + (int32_t)(d->height * tall);
        float lean = s->lean_d * far + s->lean_0, nx = u / lean * s->lean, ny = v / lean * s->lean;
        float nz = s->up + s->up_d * (1 - far) + s->up_b * bulge;
        float sun = clamp01((nx * SUN_X + ny * SUN_Y + nz * SUN_Z) / sqrtf(nx * nx + ny * ny + nz * nz));
        row->sun[i] = sun + 0.18f * (leaf - 0.5f);
        row->sky[i] = s->sky + s->sky_d * far + s->sky_b * bulge;
        row->color[i] = leaf_color(d->rgb, d->turn, d->light * (0.84f + 0.30f * leaf));
    }
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

/* Covers pixel i whole, but for what is higher; z: its surface. */
static void put(struct canvas *canvas, size_t i, int32_t z, uint32_t color, float sun, float sky) {
    if (z <= canvas->z[i])
        return;
    canvas->z[i] = z;
    canvas->color[i] = (uint32_t)COVER_WHOLE << 24 | color;
    canvas->sun[i] = (uint8_t)(clamp01(sun) * 255);
    canvas->sky[i] = (uint8_t)(clamp01(sky) * 255);
}

/* n / d of whole numbers, for n < 2^17, by the least 2^28 / d or more. */
static inline uint32_t times(uint32_t n, uint64_t per_d) {
    return (uint32_t)(n * per_d >> 28);
}

/* Covers a share of the pixel, beside what covers it in part already. */
static void put_part(struct canvas *canvas, size_t i, float share, uint32_t color, float sun, float sky) {
    uint32_t below = canvas->color[i], left = (uint32_t)canvas_cover(below);
    int32_t part = (int32_t)(share * (COVER_WHOLE - 1));
    if (left == COVER_WHOLE || part <= 0)
        return;
    uint32_t more = (uint32_t)part, all = left + more; /* < 512 */
    uint64_t per_all = ((1u << 28) + all - 1) / all;
    uint32_t mixed = all < COVER_WHOLE ? all : COVER_WHOLE - 1;
    for (int32_t shift = 16; shift >= 0; shift -= 8)
        mixed = mixed << 8 | times((below >> shift & 255) * left + (color >> shift & 255) * more, per_all);
    canvas->color[i] = mixed;
    canvas->sun[i] =
        (uint8_t)times(canvas->sun[i] * left + (uint32_t)(int32_t)(clamp01(sun) * 255) * more, per_all);
    canvas->sky[i] =
        (uint8_t)times(canvas->sky[i] * left + (uint32_t)(int32_t)(clamp01(sky) * 255) * more, per_all);
}

static bool inside(const struct canvas *c, int32_t x, int32_t y) {
    return x >= c->x0 && y >= c->y0 && x < c->x0 + c->width && y < c->y0 + c->height;
}

/* A thing of about a pixel covers its share of the four around it. */
static void draw_speck(struct canvas *canvas, const struct preview_crown *crown, float r, uint32_t color) {
    double wx = crown->x * PREVIEW_FINE - 0.5, wy = crown->y * PREVIEW_FINE - 0.5;
    int32_t x = (int32_t)floor(wx), y = (int32_t)floor(wy);
    float fx = (float)(wx - x), fy = (float)(wy - y), area = 3.1416f * r * r;
    for (int32_t k = 0; k < 4; k++) {
        float share = area * (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy);
        if (inside(canvas, x + (k & 1), y + (k >> 1)))
            put_part(canvas, index_of(canvas, x + (k & 1), y + (k >> 1)), share < 0.92f ? share : 0.92f,
                     color, SUN_Z, 0.85f);
    }
}

static int32_t at_least(int32_t v, int32_t least) {
    return v < least ? least : v;
}
static int32_t at_most(int32_t v, int32_t most) {
    return v > most ? most : v;
}

static void draw_rows(struct canvas *canvas, const struct drawn *d) {
    int32_t far = (int32_t)d->r + 1;
    int32_t left = at_least(d->x0 - far, canvas->x0),
            end = at_most(d->x0 + far + 1, canvas->x0 + canvas->width);
    int32_t low = at_least(d->y0 - far, canvas->y0),
            high = at_most(d->y0 + far + 1, canvas->y0 + canvas->height);
    int32_t count = (end - left + ROW_STEP - 1) / ROW_STEP * ROW_STEP;
    struct row row;
    for (int32_t y = low; y < high && left < end; y++) {
        leaf_row(d->id, left, y, count, row.leaf);
        crown_row(d, left, y, count, &row);
        size_t at = index_of(canvas, left, y);
        for (int32_t i = 0; i < end - left; i++, at++) {
            if (row.inward[i] >= 1)
                put(canvas, at, row.z[i], row.color[i], row.sun[i], row.sky[i]);
            else if (row.inward[i] > 0)
                put_part(canvas, at, row.inward[i], row.color[i], row.sun[i], row.sky[i]);
        }
    }
}

void canvas_crown(struct canvas *canvas, const struct preview_crown *crown, int32_t ground_z) {
    double wx = crown->x * PREVIEW_FINE, wy = crown->y * PREVIEW_FINE;
    float light = 0.86f + 0.28f * hash_unit(hash_mix(crown->id + 7));
    float warm = vivid(crown->rgb) * (2 * hash_unit(hash_mix(crown->id + 11)) - 1); /* how much yellower */
    float turn = hash_unit(hash_mix(crown->id + 13));
    struct drawn d = {.surface = surfaces[crown->shape],
                      .x0 = (int32_t)floor(wx),
                      .y0 = (int32_t)floor(wy),
                      .r = crown->radius_m / canvas->px_m,
                      .boughs = floorf(7 + 5 * turn),
                      .first = turn * 7,
                      .height = crown->height_m * Z_UNITS,
                      .rgb = {crown->rgb[0], crown->rgb[1], crown->rgb[2]},
                      .turn = {1 + 0.16f * warm, 1 + 0.04f * warm, 1 - 0.10f * warm},
                      .light = light,
                      .ground_z = ground_z,
                      .id = crown->id};
    if (d.r < 0.95f) {
        draw_speck(canvas, crown, d.r, leaf_color(d.rgb, d.turn, light));
        return;
    }
    d.r = d.r > RADIUS_MAX_PX ? RADIUS_MAX_PX : d.r;
    d.per_r = 1 / d.r;
    d.fx = (float)(wx - d.x0);
    d.fy = (float)(wy - d.y0);
    draw_rows(canvas, &d);
}
