#include "gen/preview.h"
#include "gen/preview_canvas.h"
#include "gen/values.h"
#include "terrain/clones.h"
#include "terrain/hash.h"

#include <math.h>

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

size_t preview_scratch(struct rect cells) {
    struct rect r = canvas_rect(cells);
    size_t count = (size_t)(r.x1 - r.x0) * (size_t)(r.y1 - r.y0);
    return 3 * arena_need(count, sizeof(int32_t)) + 4 * arena_need(count, 1) +
           arena_need((size_t)(cells.x1 - cells.x0), sizeof(float));
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

/* A pixel's middle lies at a quarter or three quarters of a cell: two samples and fixed shares. posts:
 * samples at whole cells, else at halves. */
static int32_t tap(int32_t px, bool posts, float *share) {
    int32_t at = 2 * px + 1 - (posts ? 0 : 2); /* quarter cells from the first sample line */
    int32_t i = floor_div(at, 2 * PREVIEW_FINE);
    *share = (float)(at - i * 2 * PREVIEW_FINE) / (2 * PREVIEW_FINE);
    return i;
}

static void draw_ground(const struct preview_input *in, struct canvas *c) {
    const struct grid_f32 *g = in->height_m;
    for (int32_t y = 0; y < c->height; y++) {
        float ty, tx;
        int32_t gy = tap(c->y0 + y, in->posts, &ty);
        const float *south = g->cells + (ptrdiff_t)(gy - g->y0) * g->stride, *north = south + g->stride;
        int32_t *z = c->z + (size_t)y * (size_t)c->width;
        uint32_t *color = c->color + (size_t)y * (size_t)c->width;
        for (int32_t x = 0; x < c->width; x++) {
            int32_t gx = tap(c->x0 + x, in->posts, &tx) - g->x0;
            float a = south[gx] + (south[gx + 1] - south[gx]) * tx;
            float b = north[gx] + (north[gx + 1] - north[gx]) * tx;
            z[x] = (int32_t)floorf((a + (b - a) * ty) * Z_UNITS);
            color[x] = 0;
        }
    }
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

static float clamp01(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* How dark each pixel is by its shadow, 0..255, softened by a binomial of five taps along x, then along y.
 * dark and spare are as large as the canvas. */
static void soften_shadows(const struct canvas *c, const int32_t *shade, uint8_t *spare, uint8_t *dark) {
    const float bias = 0.35f * Z_UNITS, soft = 255 / (5.0f * Z_UNITS);
    size_t w = (size_t)c->width, h = (size_t)c->height;
    for (size_t i = 0; i < w * h; i++) {
        float v = ((float)(shade[i] - c->z[i]) - bias) * soft;
        dark[i] = (uint8_t)(v <= 0 ? 0 : v >= 255 ? 255 : v + 0.5f);
    }
    for (size_t y = 0; y < h; y++)
        for (size_t x = 2; x + 2 < w; x++) {
            const uint8_t *p = dark + y * w + x;
            spare[y * w + x] = (uint8_t)((p[-2] + 4 * p[-1] + 6 * p[0] + 4 * p[1] + p[2] + 8) >> 4);
        }
    for (size_t y = 2; y + 2 < h; y++)
        for (size_t x = 2; x + 2 < w; x++) {
            const uint8_t *p = spare + y * w + x;
            dark[y * w + x] =
                (uint8_t)((*(p - 2 * w) + 4 * *(p - w) + 6 * p[0] + 4 * p[w] + p[2 * w] + 8) >> 4);
        }
}

/* Ground: colour between four cells, cosine to the sun from the heights around, share of the sky. */
struct lit {
    float rgb[3], sun, sky;
};

static void ground_rgb(const struct preview_input *in, int32_t px, int32_t py, float rgb[3]) {
    float tx, ty;
    const struct grid_u8 *g = in->ground_color;
    int32_t gx = tap(px, false, &tx) - g->x0, gy = tap(py, false, &ty) - g->y0;
    const uint8_t *a = g->cells + (ptrdiff_t)gy * g->stride + 3 * gx, *b = a + g->stride;
    float grain =
        0.955f +
        0.09f * hash_unit(hash_mix(((uint64_t)(uint32_t)py << 32 | (uint32_t)px) * 0x9e3779b97f4a7c15u));
    for (int c = 0; c < 3; c++) {
        float south = (float)a[c] + (float)(a[c + 3] - a[c]) * tx;
        float north = (float)b[c] + (float)(b[c + 3] - b[c]) * tx;
        rgb[c] = (south + (north - south) * ty) * grain;
    }
}

static struct lit light_ground(const struct preview_input *in, int32_t px, int32_t py) {
    struct lit lit = {.sky = 1};
    ground_rgb(in, px, py, lit.rgb);
    double x = (px + 0.5) / PREVIEW_FINE, y = (py + 0.5) / PREVIEW_FINE;
    float per_m = (float)(0.5 / in->cell_m); /* over two cells */
    float east = (height_at(in, x + 1, y) - height_at(in, x - 1, y)) * per_m;
    float north = (height_at(in, x, y + 1) - height_at(in, x, y - 1)) * per_m;
    lit.sun = clamp01((SUN_Z - east * SUN_X - north * SUN_Y) / sqrtf(1 + east * east + north * north));
    return lit;
}

/* Sun and sky on a colour, in linear light (squares stand for sRGB's curve). Level open ground keeps its
 * colour within a tenth. */
static void expose(const struct lit *lit, float shadow, uint8_t *out) {
    static const float sun[3] = {0.98f, 0.93f, 0.83f}, sky[3] = {0.28f, 0.31f, 0.34f};
    for (int c = 0; c < 3; c++) {
        float albedo = lit->rgb[c] * (1.0f / 255);
        float light = sun[c] * lit->sun * (1 - shadow) + sky[c] * lit->sky;
        float v = sqrtf(albedo * albedo * light) * 255;
        out[c] = (uint8_t)(v >= 255 ? 255 : v + 0.5f);
    }
}

/* What stands at the canvas's pixel i, over the ground as far as it covers it. */
static void cover(const struct canvas *c, size_t i, struct lit *lit) {
    uint32_t color = c->color[i];
    const float own[5] = {(float)(color >> 16 & 255), (float)(color >> 8 & 255), (float)(color & 255),
                          (float)c->sun[i] * (1.0f / 255), (float)c->sky[i] * (1.0f / 255)};
    float share = (float)canvas_cover(color) * (1.0f / COVER_WHOLE);
    for (int k = 0; k < 3; k++)
        lit->rgb[k] += (own[k] - lit->rgb[k]) * share;
    lit->sun += (own[3] - lit->sun) * share;
    lit->sky += (own[4] - lit->sky) * share;
}

static void develop(const struct preview_input *in, const struct canvas *c, const uint8_t *dark,
                    struct rect px, float *shut, uint8_t *rgb) {
    int32_t cells = (px.x1 - px.x0) / PREVIEW_FINE;
    for (int32_t y = px.y0; y < px.y1; y++) {
        if (in->occlusion)
            values_row(in->occlusion, px.x0 / PREVIEW_FINE, floor_div(y, PREVIEW_FINE), cells, shut);
        for (int32_t x = px.x0; x < px.x1; x++, rgb += 3) {
            size_t i = (size_t)(y - c->y0) * (size_t)c->width + (size_t)(x - c->x0);
            /* what comes through leaves and from around: no shadow is whole */
            float shadow = 0.82f / 255 * dark[i];
            struct lit lit = {{0}, 0, 0};
            if (canvas_cover(c->color[i]) < COVER_WHOLE) {
                lit = light_ground(in, x, y);
                lit.sky -= in->occlusion ? 0.8f * clamp01(shut[(x - px.x0) / PREVIEW_FINE]) : 0;
            }
            if (c->color[i])
                cover(c, i, &lit);
            expose(&lit, shadow, rgb);
        }
    }
}

enum status preview_draw(const struct preview_input *in, struct rect cells, uint8_t *rgb,
                         struct arena *scratch, struct error *err) {
    size_t mark = arena_mark(scratch);
    struct rect r = canvas_rect(cells);
    struct canvas c = {.x0 = r.x0, .y0 = r.y0, .width = r.x1 - r.x0, .height = r.y1 - r.y0};
    size_t count = (size_t)c.width * (size_t)c.height;
    c.px_m = (float)(in->cell_m / PREVIEW_FINE);
    c.z = arena_alloc(scratch, count, sizeof *c.z);
    c.color = arena_alloc(scratch, count, sizeof *c.color);
    c.sun = arena_alloc(scratch, count, 1);
    c.sky = arena_alloc(scratch, count, 1);
    int32_t *shade = arena_alloc(scratch, count, sizeof *shade);
    uint8_t *dark = arena_alloc(scratch, count, 1), *spare = arena_alloc(scratch, count, 1);
    float *shut = arena_alloc(scratch, (size_t)(cells.x1 - cells.x0), sizeof *shut);
    if (!c.z || !c.color || !c.sun || !c.sky || !shade || !dark || !spare || !shut)
        return error_set(err, STATUS_LIMIT, "the preview needs more scratch memory");
    draw_ground(in, &c);
    for (size_t i = 0; i < in->crown_count; i++) {
        const struct preview_crown *crown = &in->crowns[i];
        canvas_crown(&c, crown, (int32_t)floorf(height_at(in, crown->x, crown->y) * Z_UNITS));
    }
    cast_shadows(&c, shade);
    soften_shadows(&c, shade, spare, dark);
    struct rect px = {cells.x0 * PREVIEW_FINE, cells.y0 * PREVIEW_FINE, cells.x1 * PREVIEW_FINE,
                      cells.y1 * PREVIEW_FINE};
    develop(in, &c, dark, px, shut, rgb);
    arena_release(scratch, mark);
    return STATUS_OK;
}
