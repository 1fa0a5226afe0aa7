#include "cliff/nodes.h"

#include "terrain/hash.h"
#include "terrain/math.h"
#include "terrain/noise.h"

#include <math.h>
#include <string.h>

enum { SALT_FOLD = 0x711ff001, SALT_JOINT = 0x711ff011 };
static const double smooth_m = 2.0, blur_m = 2.0, downhill_m = 2.5;
static const double joint_m = 17.0, joint_depth_m = 1.3, joint_half_m = 0.9;
/* Folds of the beds: wavelength and amplitude. */
static const double fold_m[] = {45, 11, 5}, fold_by_m[] = {1.5, 0.45, 0.16};
enum { FOLDS = 3, TAPS_MAX = 64 };

static int32_t cells_of(double metres, double cell_m) {
    double n = floor(metres / cell_m + 0.5);
    return n < 1 ? 1 : (int32_t)n;
}
static int32_t smooth_radius(const struct cliff_params *p) {
    int32_t r = (int32_t)ceil(3 * smooth_m / p->cell_m);
    return r > TAPS_MAX ? TAPS_MAX : r;
}

int32_t cliff_nodes_margin(const struct cliff_params *p) {
    return (int32_t)ceil((2 * CLIFF_SITE_M + 9) / p->step_m) + 5; /* a site, the block under it, its site */
}
int32_t cliff_nodes_reach(const struct cliff_params *p) {
    double metres = (cliff_nodes_margin(p) + 2) * p->step_m;
    int32_t mask = cells_of(blur_m, p->cell_m) + (int32_t)ceil(downhill_m / p->cell_m) + 3;
    int32_t more = smooth_radius(p) + 3;
    return (int32_t)ceil(metres / p->cell_m) + (more > mask ? more : mask);
}

/* ---- the ground ---- */

/* The window blurred by a Gaussian along both axes; samples nearer to its rim than the radius are not right.
 */
static bool smooth_ground(const struct cliff_params *p, const struct grid_f32 *in, struct arena *scratch,
                          struct grid_f32 *out) {
    size_t count = (size_t)in->width * (size_t)in->height;
    float *rows = arena_alloc(scratch, count, sizeof *rows),
          *done = arena_alloc(scratch, count, sizeof *done);
    if (!rows || !done)
        return false;
    *out = (struct grid_f32){done, in->x0, in->y0, in->width, in->height, in->width};
    int32_t r = smooth_radius(p);
    float weights[TAPS_MAX + 1], sum = 0;
    for (int32_t k = 0; k <= r; k++) {
        double t = k * p->cell_m / smooth_m;
        weights[k] = (float)math_exp(-0.5 * t * t);
        sum += k ? 2 * weights[k] : weights[k];
    }
    for (int32_t k = 0; k <= r; k++)
        weights[k] /= sum;
    int32_t w = in->width, h = in->height;
    for (int32_t y = 0; y < h; y++) {
        const float *from = in->cells + y * in->stride;
        float *to = rows + (size_t)y * (size_t)w;
        for (int32_t x = 0; x < w; x++)
            to[x] = weights[0] * from[x];
        for (int32_t k = 1; k <= r; k++)
            for (int32_t x = r; x < w - r; x++)
                to[x] += weights[k] * (from[x - k] + from[x + k]);
    }
    memcpy(done, rows, count * sizeof *done);
    for (int32_t y = r; y < h - r; y++) {
        const float *from = rows + (size_t)y * (size_t)w;
        float *to = done + (size_t)y * (size_t)w;
        for (int32_t x = 0; x < w; x++)
            to[x] = weights[0] * from[x];
        for (int32_t k = 1; k <= r; k++)
            for (int32_t x = 0; x < w; x++)
                to[x] += weights[k] * (from[x - (ptrdiff_t)k * w] + from[x + (ptrdiff_t)k * w]);
    }
    return true;
}

static int32_t clamp_i(int32_t v, int32_t lo, int32_t hi) {
    return v < lo ? lo : v > hi ? hi : v;
}

/* Between the four samples around a place [m]. */
static float height_at(const struct cliff_params *p, const struct grid_f32 *g, double x_m, double y_m) {
    double shift = p->posts ? 0.0 : 0.5, u = x_m / p->cell_m - shift, v = y_m / p->cell_m - shift;
    double fu = floor(u), fv = floor(v);
    int32_t x = clamp_i((int32_t)fu, g->x0, g->x0 + g->width - 2);
    int32_t y = clamp_i((int32_t)fv, g->y0, g->y0 + g->height - 2);
    float s = (float)(u - fu), t = (float)(v - fv);
    const float *a = grid_f32_at(g, x, y), *b = a + g->stride;
    float south = a[0] + s * (a[1] - a[0]), north = b[0] + s * (b[1] - b[0]);
    return south + t * (north - south);
}

static void heights(const struct cliff_params *p, const struct grid_f32 *ground,
                    const struct grid_f32 *smooth, struct cliff_nodes *out) {
    double d = p->step_m;
    float per = (float)(1.0 / (2.0 * d));
    for (int32_t j = 0; j < out->height; j++)
        for (int32_t i = 0; i < out->width; i++) {
            struct cliff_node *n = &out->nodes[(size_t)j * (size_t)out->width + (size_t)i];
            double x = (out->x0 + i) * d, y = (out->y0 + j) * d;
            n->ground = height_at(p, ground, x, y);
            n->rough = 0;
            n->smooth = height_at(p, smooth, x, y);
            n->east = per * (height_at(p, smooth, x + d, y) - height_at(p, smooth, x - d, y));
            n->north = per * (height_at(p, smooth, x, y + d) - height_at(p, smooth, x, y - d));
        }
}

/* The ground's samples against what lies between the nodes. */
static void roughness(const struct cliff_params *p, const struct grid_f32 *ground, struct cliff_nodes *out) {
    double shift = p->posts ? 0.0 : 0.5, per = p->cell_m / p->step_m;
    for (int32_t y = 0; y < ground->height; y++)
        for (int32_t x = 0; x < ground->width; x++) {
            double u = (ground->x0 + x + shift) * per, v = (ground->y0 + y + shift) * per;
            double fu = floor(u), fv = floor(v);
            int32_t i = (int32_t)fu - out->x0, j = (int32_t)fv - out->y0;
            if (i < 0 || j < 0 || i >= out->width - 1 || j >= out->height - 1)
                continue;
            struct cliff_node *a = out->nodes + (size_t)j * (size_t)out->width + (size_t)i,
                              *b = a + out->width;
            float s = (float)(u - fu), t = (float)(v - fv);
            float south = a[0].ground + s * (a[1].ground - a[0].ground);
            float north = b[0].ground + s * (b[1].ground - b[0].ground);
            float off = fabsf(south + t * (north - south) - ground->cells[y * ground->stride + x]);
            a[0].rough = off > a[0].rough ? off : a[0].rough;
            a[1].rough = off > a[1].rough ? off : a[1].rough;
            b[0].rough = off > b[0].rough ? off : b[0].rough;
            b[1].rough = off > b[1].rough ? off : b[1].rough;
        }
}

/* ---- the masks ---- */

static bool steep_at(const struct grid_u8 *steep, int32_t x, int32_t y) {
    x = clamp_i(x, steep->x0, steep->x0 + steep->width - 1);
    y = clamp_i(y, steep->y0, steep->y0 + steep->height - 1);
    return *grid_u8_at(steep, x, y) != 0;
}

/* Steep cells, and those that have one within 2.5 m straight uphill: grounds the rock's foot. */
static void grow_downhill(const struct cliff_params *p, const struct grid_f32 *smooth,
                          const struct grid_u8 *steep, uint8_t *out) {
    double cell = p->cell_m, half = 0.5 * cell;
    for (int32_t y = 0; y < steep->height; y++)
        for (int32_t x = 0; x < steep->width; x++) {
            int32_t cx = steep->x0 + x, cy = steep->y0 + y;
            bool rock = steep_at(steep, cx, cy);
            double mx = (cx + 0.5) * cell, my = (cy + 0.5) * cell;
            double gx =
                (double)height_at(p, smooth, mx + half, my) - (double)height_at(p, smooth, mx - half, my);
            double gy =
                (double)height_at(p, smooth, mx, my + half) - (double)height_at(p, smooth, mx, my - half);
            double length = sqrt(gx * gx + gy * gy);
            for (int32_t k = 1; !rock && k <= 2 && length > 0; k++) {
                double by = downhill_m * k / (2 * length);
                rock = steep_at(steep, (int32_t)floor((mx + gx * by) / cell),
                                (int32_t)floor((my + gy * by) / cell));
            }
            out[(size_t)y * (size_t)steep->width + (size_t)x] = rock;
        }
}

/* Sums of the cells south-west of (x, y): (width + 1) x (height + 1). */
static void sum_table(const uint8_t *cells, int32_t width, int32_t height, int32_t *sums) {
    memset(sums, 0, sizeof *sums * (size_t)(width + 1));
    for (int32_t y = 0; y < height; y++) {
        int32_t *row = sums + (size_t)(y + 1) * (size_t)(width + 1), run = 0;
        const int32_t *below = row - (width + 1);
        row[0] = 0;
        for (int32_t x = 0; x < width; x++) {
            run += cells[(size_t)y * (size_t)width + (size_t)x];
            row[x + 1] = below[x + 1] + run;
        }
    }
}
/* Cells x0 <= x < x1, y0 <= y < y1, in the table's own coordinates, cut to it. */
static int32_t sum_box(const int32_t *sums, int32_t width, int32_t height, int32_t x0, int32_t y0, int32_t x1,
                       int32_t y1) {
    x0 = clamp_i(x0, 0, width), x1 = clamp_i(x1, 0, width);
    y0 = clamp_i(y0, 0, height), y1 = clamp_i(y1, 0, height);
    size_t w = (size_t)(width + 1), a = (size_t)y0 * w, b = (size_t)y1 * w;
    return sums[b + (size_t)x1] - sums[b + (size_t)x0] - sums[a + (size_t)x1] + sums[a + (size_t)x0];
}

static bool masks(const struct cliff_params *p, const struct grid_f32 *smooth, const struct grid_u8 *steep,
                  struct arena *scratch, struct cliff_nodes *out) {
    int32_t w = steep->width, h = steep->height;
    uint8_t *grown = arena_alloc(scratch, (size_t)w * (size_t)h, 1);
    int32_t *sums = arena_alloc(scratch, (size_t)(w + 1) * (size_t)(h + 1), sizeof *sums);
    if (!grown || !sums)
        return false;
    grow_downhill(p, smooth, steep, grown);
    sum_table(grown, w, h, sums);
    int32_t blur = cells_of(blur_m, p->cell_m), site = cells_of(CLIFF_SITE_M + 3, p->cell_m);
    double touch = 0.49 * (p->step_m > p->cell_m ? p->step_m / p->cell_m : 1.0);
    for (int32_t j = 0; j < out->height; j++)
        for (int32_t i = 0; i < out->width; i++) {
            size_t at = (size_t)j * (size_t)out->width + (size_t)i;
            struct cliff_node *n = &out->nodes[at];
            double cx = (out->x0 + i) * p->step_m / p->cell_m, cy = (out->y0 + j) * p->step_m / p->cell_m;
            int32_t x = (int32_t)floor(cx) - steep->x0, y = (int32_t)floor(cy) - steep->y0;
            out->near[at] = sum_box(sums, w, h, x - site, y - site, x + site, y + site) > 0;
            n->mask = n->cover = 0;
            if (!out->near[at])
                continue;
            n->mask =
                (float)sum_box(sums, w, h, x - blur, y - blur, x + blur, y + blur) / (float)(4 * blur * blur);
            for (int32_t b = (int32_t)floor(cy - touch); b <= (int32_t)floor(cy + touch); b++)
                for (int32_t a = (int32_t)floor(cx - touch); a <= (int32_t)floor(cx + touch); a++)
                    if (steep_at(steep, a, b))
                        n->cover = 1;
        }
    return true;
}

/* ---- folds and master joints ---- */

static bool folds(const struct cliff_params *p, struct arena *scratch, struct cliff_nodes *out) {
    size_t width = (size_t)out->width;
    int64_t *xs = arena_alloc(scratch, width, sizeof *xs), *ys = arena_alloc(scratch, width, sizeof *ys);
    float *values = arena_alloc(scratch, width, sizeof *values);
    if (!xs || !ys || !values)
        return false;
    for (int32_t k = 0; k < FOLDS; k++) {
        struct noise_params params = {.scale_cells = fold_m[k],
                                      .octaves = 1,
                                      .gain = 0.5,
                                      .lacunarity = 2,
                                      .seed = hash_mix(p->seed + SALT_FOLD + (uint64_t)k)};
        struct noise noise;
        if (!noise_prepare(&params, &noise))
            return false;
        for (int32_t j = 0; j < out->height; j++) {
            struct cliff_node *row = out->nodes + (size_t)j * width;
            for (size_t i = 0; i < width; i++) {
                xs[i] = (int64_t)floor((out->x0 + (int32_t)i) * p->step_m * NOISE_CELL + 0.5);
                ys[i] = (int64_t)floor((out->y0 + j) * p->step_m * NOISE_CELL + 0.5);
            }
            noise_points(&noise, xs, ys, out->width, values);
            for (size_t i = 0; i < width; i++)
                row[i].fold = (k ? row[i].fold : 0) + (float)(2 * fold_by_m[k]) * (values[i] - 0.5f);
        }
    }
    return true;
}

/* Distance [m] to the border between the two nearest sites of jittered cells. */
static double joint_distance(uint64_t seed, double x, double y) {
    double u = x / joint_m, v = y / joint_m, fu = floor(u), fv = floor(v);
    double best = 1e9, next = 1e9, bx = 0, by = 0, nx = 0, ny = 0;
    for (int32_t j = -1; j <= 1; j++)
        for (int32_t i = -1; i <= 1; i++) {
            uint64_t h = hash_place(seed, SALT_JOINT, (int32_t)fu + i, (int32_t)fv + j, 0);
            double sx = fu + i + 0.15 + 0.7 * (double)hash_unit(h) - u;
            double sy = fv + j + 0.15 + 0.7 * (double)hash_unit(h << 24) - v, d = sx * sx + sy * sy;
            if (d < best) {
                next = best, nx = bx, ny = by;
                best = d, bx = sx, by = sy;
            } else if (d < next) {
                next = d, nx = sx, ny = sy;
            }
        }
    double dx = nx - bx, dy = ny - by, apart = sqrt(dx * dx + dy * dy);
    return apart > 0 ? joint_m * (next - best) / (2 * apart) : 0;
}

static void joints(const struct cliff_params *p, struct cliff_nodes *out) {
    for (int32_t j = 0; j < out->height; j++)
        for (int32_t i = 0; i < out->width; i++) {
            size_t at = (size_t)j * (size_t)out->width + (size_t)i;
            out->nodes[at].cleft = 0;
            if (!out->near[at])
                continue;
            double d = joint_distance(p->seed, (out->x0 + i) * p->step_m, (out->y0 + j) * p->step_m);
            double open = 1 - d / joint_half_m;
            out->nodes[at].cleft = open > 0 ? (float)(joint_depth_m * open) : 0;
        }
}

static void presets(const struct cliff_params *p, const struct grid_u8 *strata, struct cliff_nodes *out) {
    for (int32_t j = 0; j < out->height; j++)
        for (int32_t i = 0; i < out->width; i++) {
            uint8_t preset = 0;
            if (strata) {
                int32_t x = (int32_t)floor((out->x0 + i) * p->step_m / p->cell_m);
                int32_t y = (int32_t)floor((out->y0 + j) * p->step_m / p->cell_m);
                x = clamp_i(x, strata->x0, strata->x0 + strata->width - 1);
                y = clamp_i(y, strata->y0, strata->y0 + strata->height - 1);
                preset = *grid_u8_at(strata, x, y);
            }
            out->preset[(size_t)j * (size_t)out->width + (size_t)i] = preset < STRATA_PRESETS ? preset : 0;
        }
}

bool cliff_nodes_make(const struct cliff_params *p, const struct grid_f32 *ground,
                      const struct grid_u8 *steep, const struct grid_u8 *strata, const int32_t window[4],
                      struct arena *scratch, struct cliff_nodes *out) {
    *out = (struct cliff_nodes){
        .x0 = window[0], .y0 = window[1], .width = window[2] - window[0], .height = window[3] - window[1]};
    size_t count = (size_t)out->width * (size_t)out->height;
    out->nodes = arena_alloc(scratch, count, sizeof *out->nodes);
    out->preset = arena_alloc(scratch, count, 1);
    out->near = arena_alloc(scratch, count, 1);
    if (!out->nodes || !out->preset || !out->near)
        return false;
    size_t mark = arena_mark(scratch);
    struct grid_f32 smooth;
    if (!smooth_ground(p, ground, scratch, &smooth))
        return false;
    heights(p, ground, &smooth, out);
    roughness(p, ground, out);
    if (!masks(p, &smooth, steep, scratch, out) || !folds(p, scratch, out))
        return false;
    joints(p, out);
    presets(p, strata, out);
    arena_release(scratch, mark);
    return true;
}
