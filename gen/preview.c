#include "gen/preview.h"
#include "gen/preview_canvas.h"
#include "terrain/clones.h"

#include <math.h>
#include <string.h>

/* The pixels whose shadows count: the rectangle, and around it what softens their edges. */
static struct rect soft_rect(struct rect cells) {
    return (struct rect){cells.x0 * PREVIEW_FINE - PREVIEW_SOFT_PX, cells.y0 * PREVIEW_FINE - PREVIEW_SOFT_PX,
                         cells.x1 * PREVIEW_FINE + PREVIEW_SOFT_PX,
                         cells.y1 * PREVIEW_FINE + PREVIEW_SOFT_PX};
}

/* What is drawn: those, and to the north and west what can throw a shadow there. */
static struct rect canvas_rect(struct rect cells) {
    struct rect soft = soft_rect(cells);
    return (struct rect){soft.x0 - PREVIEW_SHADOW_PX, soft.y0, soft.x1, soft.y1 + PREVIEW_SHADOW_PX};
}

struct rect preview_ground(struct rect cells) {
    struct rect r = canvas_rect(cells);
    int32_t x1 = r.x1 + PREVIEW_FINE - 1, y1 = r.y1 + PREVIEW_FINE - 1;
    return rect_grow((struct rect){floor_div(r.x0, PREVIEW_FINE), floor_div(r.y0, PREVIEW_FINE),
                                   floor_div(x1, PREVIEW_FINE), floor_div(y1, PREVIEW_FINE)},
                     PREVIEW_CROWN_CELLS);
}

bool preview_shows(const struct preview_crown *crown, double cell_m, struct rect cells) {
    struct rect r = canvas_rect(cells);
    double x = crown->x * PREVIEW_FINE, y = crown->y * PREVIEW_FINE;
    double far = (double)crown->radius_m / cell_m * PREVIEW_FINE + 2; /* the speck of a small one too */
    return x + far >= r.x0 && x - far < r.x1 && y + far >= r.y0 && y - far < r.y1;
}

size_t preview_scratch(struct rect cells) {
    struct rect r = canvas_rect(cells);
    size_t count = (size_t)(r.x1 - r.x0) * (size_t)(r.y1 - r.y0);
    size_t columns = (size_t)(r.x1 - r.x0);
    return 4 * arena_need(count, sizeof(int32_t)) + 4 * arena_need(count, 1) +
           arena_need(columns * CANVAS_LIGHT_ROOM, sizeof(float)) + arena_need(columns, sizeof(int32_t));
}

static int32_t clamp_index(double at, int32_t from, int32_t count) {
    double i = at - from;
    return i < 0 ? 0 : i > count - 2 ? count - 2 : (int32_t)i;
}

/* Height at a place in cells, bilinear between samples. Shares are taken in world coordinates: they must not
 * depend on where the grid begins. */
static float height_at(const struct preview_input *in, double x, double y) {
    const struct grid_f32 *g = in->height_m;
    double gx = in->posts ? x : x - 0.5, gy = in->posts ? y : y - 0.5;
    double fx = floor(gx), fy = floor(gy);
    float tx = (float)(gx - fx), ty = (float)(gy - fy);
    const float *a = g->cells + (ptrdiff_t)clamp_index(fy, g->y0, g->height) * g->stride +
                     clamp_index(fx, g->x0, g->width);
    const float *b = a + g->stride;
    float south = a[0] + (a[1] - a[0]) * tx, north = b[0] + (b[1] - b[0]) * tx;
    return south + (north - south) * ty;
}

/* Heights between four samples, of a row of pixels; at: each pixel's sample to the west, share: the way to
 * the next one. */
TERRAIN_CLONES
static void ground_row(const float *south, const float *north, const int32_t *at, const float *share,
                       float ty, int32_t count, float *ground, int32_t *z) {
    for (int32_t x = 0; x < count; x++) {
        const float *s = south + at[x], *n = north + at[x];
        float a = s[0] + (s[1] - s[0]) * share[x], b = n[0] + (n[1] - n[0]) * share[x];
        ground[x] = a + (b - a) * ty;
        z[x] = (int32_t)floorf(ground[x] * Z_UNITS);
    }
}

static void draw_ground(const struct preview_input *in, struct canvas *c, int32_t *at, float *share) {
    const struct grid_f32 *g = in->height_m;
    for (int32_t x = 0; x < c->width; x++)
        at[x] = preview_tap(c->x0 + x, in->posts, &share[x]) - g->x0;
    for (int32_t y = 0; y < c->height; y++) {
        float ty;
        int32_t gy = preview_tap(c->y0 + y, in->posts, &ty);
        const float *south = g->cells + (ptrdiff_t)(gy - g->y0) * g->stride;
        size_t row = (size_t)y * (size_t)c->width;
        ground_row(south, south + g->stride, at, share, ty, c->width, c->ground + row, c->z + row);
    }
    memset(c->color, 0, (size_t)c->width * (size_t)c->height * sizeof *c->color);
}

/* One doubling: shade(p) = max(shade(p), shade(p + k towards the sun) - k steps). Rows are done from the
 * south, so that the row read is as the pass before left it. */
TERRAIN_CLONES
static void double_reach(int32_t *shade, int32_t width, int32_t height, int32_t k, int32_t drop) {
    for (int32_t y = 0; y + k < height; y++) {
        int32_t *to = shade + (size_t)y * (size_t)width + k;
        const int32_t *from = shade + (size_t)(y + k) * (size_t)width;
        for (int32_t x = 0; x < width - k; x++) {
            int32_t other = from[x] - drop;
            to[x] = to[x] > other ? to[x] : other;
        }
    }
}

/* shade: the height under which a pixel gets no sun, from the 64 pixels towards it. */
static void cast_shadows(const struct canvas *c, int32_t *shade) {
    /* a ray's rise over a pixel's diagonal */
    int32_t drop = (int32_t)(c->px_m * 1.41421356f * SUN_RISE * Z_UNITS + 0.5f);
    int32_t w = c->width, h = c->height;
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++) {
            bool known = y + 1 < h && x > 0;
            shade[(size_t)y * (size_t)w + (size_t)x] =
                known ? c->z[(size_t)(y + 1) * (size_t)w + (size_t)(x - 1)] - drop : INT32_MIN / 2;
        }
    for (int32_t k = 1; k < PREVIEW_SHADOW_PX; k *= 2)
        double_reach(shade, w, h, k, drop * k);
}

/* How dark each pixel is by its shadow, 0..255. */
TERRAIN_CLONES
static void darken(const int32_t *shade, const int32_t *z, size_t count, uint8_t *dark) {
    const float bias = 0.35f * Z_UNITS, soft = 255 / (5.0f * Z_UNITS);
    for (size_t i = 0; i < count; i++) {
        float v = ((float)(shade[i] - z[i]) - bias) * soft;
        v = v <= 0 ? 0 : v + 0.5f;
        dark[i] = (uint8_t)(int32_t)(v >= 255 ? 255 : v);
    }
}

/* A binomial of five taps, `step` apart. */
TERRAIN_CLONES
static void soften(const uint8_t *in, ptrdiff_t step, size_t count, uint8_t *out) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = in + i;
        out[i] = (uint8_t)((p[-2 * step] + 4 * p[-step] + 6 * p[0] + 4 * p[step] + p[2 * step] + 8) >> 4);
    }
}

/* Shadows with soft edges, but for two pixels along the canvas's own. dark and spare are as large as it. */
static void soften_shadows(const struct canvas *c, const int32_t *shade, uint8_t *spare, uint8_t *dark) {
    size_t w = (size_t)c->width, h = (size_t)c->height;
    darken(shade, c->z, w * h, dark);
    for (size_t y = 0; y < h; y++)
        soften(dark + y * w + 2, 1, w - 4, spare + y * w + 2);
    for (size_t y = 2; y + 2 < h; y++)
        soften(spare + y * w + 2, (ptrdiff_t)w, w - 4, dark + y * w + 2);
}

enum status preview_draw(const struct preview_input *in, struct rect cells, uint8_t *rgb,
                         struct arena *scratch, struct error *err) {
    size_t mark = arena_mark(scratch);
    struct rect r = canvas_rect(cells);
    struct canvas c = {.x0 = r.x0, .y0 = r.y0, .width = r.x1 - r.x0, .height = r.y1 - r.y0};
    size_t count = (size_t)c.width * (size_t)c.height;
    c.px_m = (float)(in->cell_m / PREVIEW_FINE);
    c.ground = arena_alloc(scratch, count, sizeof *c.ground);
    c.z = arena_alloc(scratch, count, sizeof *c.z);
    c.color = arena_alloc(scratch, count, sizeof *c.color);
    c.sun = arena_alloc(scratch, count, 1);
    c.sky = arena_alloc(scratch, count, 1);
    int32_t *shade = arena_alloc(scratch, count, sizeof *shade);
    uint8_t *dark = arena_alloc(scratch, count, 1), *spare = arena_alloc(scratch, count, 1);
    float *room = arena_alloc(scratch, (size_t)c.width * CANVAS_LIGHT_ROOM, sizeof *room);
    int32_t *at = arena_alloc(scratch, (size_t)c.width, sizeof *at);
    if (!c.ground || !c.z || !c.color || !c.sun || !c.sky || !shade || !dark || !spare || !room || !at)
        return error_set(err, STATUS_LIMIT, "the preview needs more scratch memory");
    draw_ground(in, &c, at, room);
    for (size_t i = 0; i < in->crown_count; i++) {
        const struct preview_crown *crown = &in->crowns[i];
        canvas_crown(&c, crown, (int32_t)floorf(height_at(in, crown->x, crown->y) * Z_UNITS));
    }
    cast_shadows(&c, shade);
    soften_shadows(&c, shade, spare, dark);
    canvas_light(&c, in, dark, cells, room, rgb);
    arena_release(scratch, mark);
    return STATUS_OK;
}
