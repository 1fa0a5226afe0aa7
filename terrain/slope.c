#include "terrain/slope.h"

#include "terrain/clones.h"
#include "terrain/math.h"

#include <math.h>

/* Differences come before sums: neighbours' heights are alike, so that their differences are exact. */

struct gradient {
    float east, north;
};

/* s, c, n point at a cell's column in the rows to its south, its own and its north. */
static inline struct gradient horn(const float *s, const float *c, const float *n, float scale) {
    float east = (n[1] - n[-1]) + 2.0f * (c[1] - c[-1]) + (s[1] - s[-1]);
    float north = (n[-1] - s[-1]) + 2.0f * (n[0] - s[0]) + (n[1] - s[1]);
    return (struct gradient){east * scale, north * scale};
}

/* s and n point at the posts of a cell's south-west and north-west corner. */
static inline struct gradient corners(const float *s, const float *n, float scale) {
    float east = (s[1] - s[0]) + (n[1] - n[0]);
    float north = (n[0] - s[0]) + (n[1] - s[1]);
    return (struct gradient){east * scale, north * scale};
}

static inline float slope_of(struct gradient g) {
    return math_atan_deg(sqrtf(g.east * g.east + g.north * g.north));
}

static inline float aspect_of(struct gradient g) {
    float a = math_atan2_deg(-g.east, -g.north);
    a = a < 0.0f ? a + 360.0f : a;
    a = a >= 360.0f ? 0.0f : a;
    return g.east == 0.0f && g.north == 0.0f ? -1.0f : a;
}

TERRAIN_CLONES static void slope_cells_row(const float *s, const float *c, const float *n, float scale,
                                           int32_t width, float *restrict slope, float *restrict aspect) {
    for (int32_t i = 0; i < width; i++) {
        struct gradient g = horn(s + i, c + i, n + i, scale);
        slope[i] = slope_of(g);
        aspect[i] = aspect_of(g);
    }
}

TERRAIN_CLONES static void slope_posts_row(const float *s, const float *n, float scale, int32_t width,
                                           float *restrict slope, float *restrict aspect) {
    for (int32_t i = 0; i < width; i++) {
        struct gradient g = corners(s + i, n + i, scale);
        slope[i] = slope_of(g);
        aspect[i] = aspect_of(g);
    }
}

TERRAIN_CLONES static void gradient_cells_row(const float *s, const float *c, const float *n, float scale,
                                              int32_t width, float *restrict east, float *restrict north) {
    for (int32_t i = 0; i < width; i++) {
        struct gradient g = horn(s + i, c + i, n + i, scale);
        east[i] = g.east;
        north[i] = g.north;
    }
}

TERRAIN_CLONES static void gradient_posts_row(const float *s, const float *n, float scale, int32_t width,
                                              float *restrict east, float *restrict north) {
    for (int32_t i = 0; i < width; i++) {
        struct gradient g = corners(s + i, n + i, scale);
        east[i] = g.east;
        north[i] = g.north;
    }
}

int32_t slope_reach(bool posts) {
    return posts ? 0 : 1;
}

void terrain_slope_rim(struct grid_f32 *g, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    int32_t left = g->x0, right = g->x0 + g->width, low = g->y0, high = g->y0 + g->height;
    ptrdiff_t in = x1 - x0 > 1, up = y1 - y0 > 1 ? g->stride : 0;
    for (int32_t y = y0 > low ? y0 : low; y < y1 && y < high; y++) {
        float *row = grid_f32_at(g, left, y);
        float *west = row + (x0 - left), *east = row + (x1 - 1 - left);
        if (x0 > left && x0 < right)
            west[-1] = 2.0f * west[0] - west[in];
        if (x1 < right && x1 > left)
            east[1] = 2.0f * east[0] - east[-in];
    }
    for (int32_t x = x0 > left ? x0 - 1 : left; x <= x1 && x < right; x++) {
        if (y0 > low && y0 < high) {
            float *south = grid_f32_at(g, x, y0);
            south[-g->stride] = 2.0f * south[0] - south[up];
        }
        if (y1 < high && y1 > low) {
            float *north = grid_f32_at(g, x, y1 - 1);
            north[g->stride] = 2.0f * north[0] - north[-up];
        }
    }
}

static float scale_of(const struct slope_params *params) {
    return 1.0f / ((params->posts ? 2.0f : 8.0f) * params->cell_m);
}

void terrain_slope(const struct slope_params *params, const struct grid_f32 *height_m,
                   struct grid_f32 *slope_deg, struct grid_f32 *aspect_deg) {
    int32_t x = slope_deg->x0, width = slope_deg->width;
    float scale = scale_of(params);
    for (int32_t y = slope_deg->y0; y < slope_deg->y0 + slope_deg->height; y++) {
        const float *c = grid_f32_at(height_m, x, y);
        float *slope = grid_f32_at(slope_deg, x, y), *aspect = grid_f32_at(aspect_deg, x, y);
        if (params->posts)
            slope_posts_row(c, c + height_m->stride, scale, width, slope, aspect);
        else
            slope_cells_row(c - height_m->stride, c, c + height_m->stride, scale, width, slope, aspect);
    }
}

void terrain_gradient(const struct slope_params *params, const struct grid_f32 *height_m,
                      struct grid_f32 *east, struct grid_f32 *north) {
    int32_t x = east->x0, width = east->width;
    float scale = scale_of(params);
    for (int32_t y = east->y0; y < east->y0 + east->height; y++) {
        const float *c = grid_f32_at(height_m, x, y);
        float *e = grid_f32_at(east, x, y), *n = grid_f32_at(north, x, y);
        if (params->posts)
            gradient_posts_row(c, c + height_m->stride, scale, width, e, n);
        else
            gradient_cells_row(c - height_m->stride, c, c + height_m->stride, scale, width, e, n);
    }
}
