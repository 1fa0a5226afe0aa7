#include "cliff/nodes.h"

#include "cliff/support.h"
#include "terrain/hash.h"
#include "terrain/math.h"
#include "terrain/noise.h"

#include <math.h>
#include <string.h>

enum { SALT_FOLD = 0x711ff001, SALT_JOINT = 0x711ff011 };
static const double smooth_m = 2.0, blur_m = 2.0, wide_m = 7.0, downhill_m = 2.5;
static const double joint_m = 17.0, throw_m = 0.8;
/* Folds of the beds: wavelength and amplitude. */
static const double fold_m[] = {45, 11, 5}, fold_by_m[] = {1.5, 0.45, 0.2};
/* Flutes of the faces: the same. */
static const double flute_m[] = {9, 3.5}, flute_by_m[] = {0.4, 0.12};
/* How fractured the rock is, and how worn. */
static const double broken_m[] = {60, 19}, worn_m[] = {24, 7};
enum { FOLDS = 3, FLUTES = 2, BROKEN = 2, WORN = 2, NOISES = FOLDS + FLUTES + BROKEN + WORN, TAPS_MAX = 64 };

static int32_t cells_of(double metres, double cell_m) {
    double n = floor(metres / cell_m + 0.5);
    return n < 1 ? 1 : (int32_t)n;
}
static int32_t smooth_radius(const struct cliff_params *p) {
    int32_t r = (int32_t)ceil(3 * smooth_m / p->cell_m);
    return r > TAPS_MAX ? TAPS_MAX : r;
}

double cliff_run_over(const struct cliff_params *p) {
    return CLIFF_SITE_M + 3 + p->soft_m;
}
int32_t cliff_nodes_margin(const struct cliff_params *p) {
    /* from the surface's rim, and what holds its columns, a site, then the one that gives the face; the
     * column that a place is in and the one beside it */
    return CLIFF_RIM + cliff_support_reach(p) + (int32_t)ceil((CLIFF_SITE_M + CLIFF_PANEL_M) / p->step_m) + 2;
}
int32_t cliff_nodes_reach(const struct cliff_params *p) {
    double metres = (cliff_nodes_margin(p) + 2) * p->step_m, far = p->soft_m > wide_m ? p->soft_m : wide_m;
    int32_t mask = cells_of(far, p->cell_m) + (int32_t)ceil(downhill_m / p->cell_m) + 3;
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

/* Rock stands high over steep ground, hardly over gentle, and little at a patch's rim: a face's plane must
 * not run out over a brink or a ridge into the air, nor a block's edge stand there alone. */
static float most_over(const struct cliff_node *n, float mask) {
    float slope2 = n->east * n->east + n->north * n->north, t = (slope2 - 0.3f) * (1 / 0.9f);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    float inside = (mask - 0.1f) * (1 / 0.4f);
    inside = inside < 0 ? 0 : inside > 1 ? 1 : inside;
    return 1.1f + (0.2f + 0.8f * inside) * (9.0f * t + 4.0f * (slope2 > 1.2f ? slope2 - 1.2f : 0));
}

static void heights(const struct cliff_params *p, const struct grid_f32 *ground,
                    const struct grid_f32 *smooth, struct cliff_nodes *out) {
    double d = p->step_m;
    float per = (float)(1.0 / (2.0 * d));
    for (int32_t j = 0; j < out->height; j++)
        for (int32_t i = 0; i < out->width; i++) {
            size_t at = (size_t)j * (size_t)out->width + (size_t)i;
            struct cliff_node *n = &out->nodes[at];
            if (!out->near[at])
                continue;
            double x = (out->x0 + i) * d, y = (out->y0 + j) * d;
            n->ground = height_at(p, ground, x, y);
            n->rough = 0;
            n->smooth = height_at(p, smooth, x, y);
            n->east = per * (height_at(p, smooth, x + d, y) - height_at(p, smooth, x - d, y));
            n->north = per * (height_at(p, smooth, x, y + d) - height_at(p, smooth, x, y - d));
            n->over = most_over(n, out->sites[at].mask);
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
            size_t at = (size_t)j * (size_t)out->width + (size_t)i;
            struct cliff_node *a = out->nodes + at, *b = a + out->width;
            if (!(out->near[at] && out->near[at + 1] && out->near[at + (size_t)out->width] &&
                  out->near[at + (size_t)out->width + 1]))
                continue; /* no one reads these */
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

struct sums {
    const int32_t *table;
    int32_t width, height;
};
static int32_t sum_around(const struct sums *s, int32_t x, int32_t y, int32_t cells) {
    return sum_box(s->table, s->width, s->height, x - cells, y - cells, x + cells + 1, y + cells + 1);
}

/* Steep cells, and those that have one within 2.5 m straight uphill: grounds the rock's foot. */
static void grow_downhill(const struct cliff_params *p, const struct grid_f32 *smooth,
                          const struct grid_u8 *steep, const struct sums *sums, uint8_t *out) {
    double cell = p->cell_m, half = 0.5 * cell;
    int32_t around = (int32_t)ceil(downhill_m / cell) + 1;
    for (int32_t y = 0; y < steep->height; y++)
        for (int32_t x = 0; x < steep->width; x++) {
            int32_t cx = steep->x0 + x, cy = steep->y0 + y;
            bool rock = steep_at(steep, cx, cy);
            uint8_t *to = &out[(size_t)y * (size_t)steep->width + (size_t)x];
            *to = rock;
            if (rock || sum_around(sums, x, y, around) == 0)
                continue;
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
            *to = rock;
        }
}

/* Share of the cells within `cells` of a corner of cells. */
static float share(const struct sums *s, int32_t x, int32_t y, int32_t cells) {
    int32_t sum = sum_box(s->table, s->width, s->height, x - cells, y - cells, x + cells, y + cells);
    return (float)sum / (float)(4 * cells * cells);
}

/* Whether a node touches a cell of a mask. */
static bool touches(const struct cliff_params *p, const struct grid_u8 *mask, double cx, double cy) {
    double touch = 0.49 * (p->step_m > p->cell_m ? p->step_m / p->cell_m : 1.0);
    for (int32_t b = (int32_t)floor(cy - touch); b <= (int32_t)floor(cy + touch); b++)
        for (int32_t a = (int32_t)floor(cx - touch); a <= (int32_t)floor(cx + touch); a++)
            if (steep_at(mask, a, b))
                return true;
    return false;
}

/* What nodes.near says of the corner of cells x, y. */
static uint8_t nearness(const struct sums *s, double cell_m, int32_t x, int32_t y, int32_t site,
                        int32_t known) {
    int32_t step = cells_of(3.0, cell_m);
    if (sum_box(s->table, s->width, s->height, x - known, y - known, x + known, y + known) == 0)
        return 0;
    for (int32_t r = step, within = 0; within < site; within = r, r += step) {
        r = r > site ? site : r;
        if (sum_box(s->table, s->width, s->height, x - r, y - r, x + r, y + r) > 0) {
            double metres = floor(within * cell_m);
            return (uint8_t)(NODE_NEAR + (metres > 200 ? 200 : (int32_t)metres));
        }
    }
    return NODE_KNOWN;
}

static bool set_masks(const struct cliff_params *p, const struct grid_f32 *smooth,
                      const struct cliff_masks *masks, struct arena *scratch, struct cliff_nodes *out) {
    const struct grid_u8 *steep = masks->steep;
    int32_t w = steep->width, h = steep->height;
    uint8_t *grown = arena_alloc(scratch, (size_t)w * (size_t)h, 1);
    int32_t *table = arena_alloc(scratch, (size_t)(w + 1) * (size_t)(h + 1), sizeof *table);
    if (!grown || !table)
        return false;
    struct sums sums = {table, w, h};
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++)
            grown[(size_t)y * (size_t)w + (size_t)x] = steep->cells[y * steep->stride + x] != 0;
    sum_table(grown, w, h, table);
    grow_downhill(p, smooth, steep, &sums, grown);
    sum_table(grown, w, h, table);
    int32_t blur = cells_of(blur_m, p->cell_m), wide = cells_of(wide_m, p->cell_m);
    int32_t soft = cells_of(p->soft_m, p->cell_m), site = cells_of(cliff_run_over(p), p->cell_m);
    int32_t known = site + (int32_t)ceil(3 * p->step_m / p->cell_m);
    for (int32_t j = 0; j < out->height; j++)
        for (int32_t i = 0; i < out->width; i++) {
            size_t at = (size_t)j * (size_t)out->width + (size_t)i;
            struct cliff_node *n = &out->nodes[at];
            double cx = (out->x0 + i) * p->step_m / p->cell_m, cy = (out->y0 + j) * p->step_m / p->cell_m;
            int32_t x = (int32_t)floor(cx) - steep->x0, y = (int32_t)floor(cy) - steep->y0;
            out->near[at] = nearness(&sums, p->cell_m, x, y, site, known);
            n->cover = n->closed = 0;
            out->sites[at] = (struct cliff_site){0, 0, 0, 0};
            if (out->near[at] < NODE_NEAR)
                continue;
            out->sites[at] = (struct cliff_site){share(&sums, x, y, blur), share(&sums, x, y, wide),
                                                 p->soft_m > 0 ? share(&sums, x, y, soft) : 0, 0};
            n->cover = touches(p, steep, cx, cy);
            n->closed = masks->closed && touches(p, masks->closed, cx, cy);
        }
    return true;
}

/* ---- noises and master joints ---- */

struct line {
    int64_t *xs, *ys;
    float *values;
};

/* The noise 0..1 at a row's nodes from .. until. */
static void noise_row(const struct cliff_params *p, const struct noise *noise, const struct cliff_nodes *out,
                      int32_t j, size_t from, size_t until, const struct line *line) {
    for (size_t i = from; i < until; i++) {
        line->xs[i] = (int64_t)floor((out->x0 + (int32_t)i) * p->step_m * NOISE_CELL + 0.5);
        line->ys[i] = (int64_t)floor((out->y0 + j) * p->step_m * NOISE_CELL + 0.5);
    }
    noise_points(noise, line->xs + from, line->ys + from, (int32_t)(until - from), line->values + from);
}

/* What a noise -1..1 of a kind adds to a node. */
static void add_noise(int32_t kind, float v, struct cliff_node *n, struct cliff_site *site) {
    if (kind < FOLDS) {
        n->fold += (float)fold_by_m[kind] * v;
        return;
    }
    kind -= FOLDS;
    if (kind < FLUTES) { /* ribs are sharp */
        n->cleft += (float)flute_by_m[kind] * (2 * fabsf(v) - 0.5f);
        return;
    }
    kind -= FLUTES;
    if (kind < BROKEN)
        site->broken += kind == 0 ? 0.5f + 0.75f * v : 0.45f * v;
    else
        n->worn += kind == BROKEN ? 0.4f + 1.0f * v : 0.6f * v;
}

static float clamp_unit(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* Folds move the beds, flutes the faces: upright ribs and runnels through all of a wall. */
static bool noises(const struct cliff_params *p, struct arena *scratch, struct cliff_nodes *out) {
    static const double *scales[] = {fold_m, flute_m, broken_m, worn_m};
    static const int32_t firsts[] = {0, FOLDS, FOLDS + FLUTES, FOLDS + FLUTES + BROKEN, NOISES};
    size_t width = (size_t)out->width;
    struct line line = {arena_alloc(scratch, width, sizeof *line.xs),
                        arena_alloc(scratch, width, sizeof *line.ys),
                        arena_alloc(scratch, width, sizeof *line.values)};
    if (!line.xs || !line.ys || !line.values)
        return false;
    for (int32_t k = 0, set = 0; k < NOISES; k++) {
        set += k == firsts[set + 1];
        struct noise_params params = {.scale_cells = scales[set][k - firsts[set]],
                                      .octaves = 1,
                                      .gain = 0.5,
                                      .lacunarity = 2,
                                      .seed = hash_mix(p->seed + SALT_FOLD + (uint64_t)k)};
        struct noise noise;
        if (!noise_prepare(&params, &noise))
            return false;
        for (int32_t j = 0; j < out->height; j++) {
            struct cliff_node *row = out->nodes + (size_t)j * width;
            struct cliff_site *sites = out->sites + (size_t)j * width;
            const uint8_t *near = out->near + (size_t)j * width;
            size_t from = 0, until = width;
            while (from < until && !near[from])
                from++;
            while (until > from && !near[until - 1])
                until--;
            noise_row(p, &noise, out, j, from, until, &line);
            for (size_t i = from; i < until; i++)
                add_noise(k, 2 * line.values[i] - 1, &row[i], &sites[i]);
        }
    }
    for (size_t i = 0; i < width * (size_t)out->height; i++) {
        out->nodes[i].worn = clamp_unit(out->nodes[i].worn);
        out->sites[i].broken = clamp_unit(out->sites[i].broken);
    }
    return true;
}

struct cliff_pillar cliff_pillar_at(uint64_t seed, double x, double y) {
    double u = x / joint_m, v = y / joint_m, fu = floor(u), fv = floor(v);
    double best = 1e9, next = 1e9, bx = 0, by = 0, nx = 0, ny = 0;
    struct cliff_pillar out = {0};
    uint64_t other = 0;
    for (int32_t j = -1; j <= 1; j++)
        for (int32_t i = -1; i <= 1; i++) {
            uint64_t h = hash_place(seed, SALT_JOINT, (int32_t)fu + i, (int32_t)fv + j, 0);
            double sx = i + 0.15 + 0.7 * (double)hash_unit(h) - (u - fu);
            double sy = j + 0.15 + 0.7 * (double)hash_unit(h << 24) - (v - fv), d = sx * sx + sy * sy;
            if (d < best) {
                next = best, nx = bx, ny = by, other = out.hash;
                best = d, bx = sx, by = sy, out.hash = h;
            } else if (d < next) {
                next = d, nx = sx, ny = sy, other = h;
            }
        }
    double dx = nx - bx, dy = ny - by, apart = sqrt(dx * dx + dy * dy);
    out.joint_m = apart > 0 ? joint_m * (next - best) / (2 * apart) : 0;
    out.x = x + joint_m * bx;
    out.y = y + joint_m * by;
    out.joint = hash_mix(out.hash + other);
    return out;
}

/* Most master joints are tight, some open, a few are gullies; across them beds are a little higher or lower.
 */
static void joints(const struct cliff_params *p, struct cliff_nodes *out) {
    for (int32_t j = 0; j < out->height; j++)
        for (int32_t i = 0; i < out->width; i++) {
            size_t at = (size_t)j * (size_t)out->width + (size_t)i;
            if (!out->near[at])
                continue;
            struct cliff_pillar pillar =
                cliff_pillar_at(p->seed, (out->x0 + i) * p->step_m, (out->y0 + j) * p->step_m);
            float open = hash_unit(pillar.joint), turn = hash_unit(pillar.hash << 12);
            double depth_m = open < 0.45f ? 0 : open < 0.8f ? 1.2 : 2.6, half_m = open < 0.8f ? 0.9 : 2.2;
            double inside = 1 - pillar.joint_m / half_m;
            out->nodes[at].cleft += inside > 0 ? (float)(depth_m * inside) : 0;
            out->nodes[at].fold += (float)throw_m * (turn + hash_unit(pillar.hash << 36) - 1);
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
                      const struct cliff_masks *masks, const int32_t window[4], struct arena *scratch,
                      struct cliff_nodes *out) {
    *out = (struct cliff_nodes){
        .x0 = window[0], .y0 = window[1], .width = window[2] - window[0], .height = window[3] - window[1]};
    size_t count = (size_t)out->width * (size_t)out->height;
    out->nodes = arena_alloc(scratch, count, sizeof *out->nodes);
    out->sites = arena_alloc(scratch, count, sizeof *out->sites);
    out->preset = arena_alloc(scratch, count, 1);
    out->near = arena_alloc(scratch, count, 1);
    if (!out->nodes || !out->sites || !out->preset || !out->near)
        return false;
    size_t mark = arena_mark(scratch);
    struct grid_f32 smooth;
    if (!smooth_ground(p, ground, scratch, &smooth))
        return false;
    memset(out->nodes, 0, count * sizeof *out->nodes);
    if (!set_masks(p, &smooth, masks, scratch, out))
        return false;
    heights(p, ground, &smooth, out);
    roughness(p, ground, out);
    if (!noises(p, scratch, out))
        return false;
    joints(p, out);
    presets(p, masks->strata, out);
    arena_release(scratch, mark);
    return true;
}
