#include "terrain/light.h"
#include "terrain/clones.h"
#include "terrain/horizon.h"
#include "terrain/relief.h"
#include "terrain/sun.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Everything of one call; rasters are width x height, row by row. */
struct work {
    const struct light_params *params;
    int32_t x0, y0, width, height;
    struct horizon horizon;
    struct sun_table sun;
    float *slope_east, *slope_north; /* rise per m */
    float *tangent;                  /* of one direction */
    float *shut, *lit;               /* sums over directions */
    struct grid_f32 nodes;           /* the window of block centres around the cells; no values */
    float *far_base, *far_per_m;     /* of one row, per block and then per cell */
    int32_t *steps;                  /* of one row */
};

static int32_t floor_block(int32_t cell) {
    return cell >= 0 ? cell / RELIEF_CELLS : -((-cell + RELIEF_CELLS - 1) / RELIEF_CELLS);
}
static struct horizon_params near_params(const struct light_params *p) {
    return (struct horizon_params){.cell_m = p->cell_m, .radius_m = p->radius_m};
}
static struct relief_far far_params(const struct light_params *p) {
    return (struct relief_far){p->cell_m * RELIEF_CELLS, p->radius_m, p->far_radius_m};
}

bool light_uses_far(const struct light_params *params) {
    return params->far_radius_m > params->radius_m;
}
int32_t light_reach(const struct light_params *params) {
    struct horizon_params near = near_params(params);
    return horizon_reach(&near);
}
/* One block more: nodes lie around the cells. */
int32_t light_far_reach(const struct light_params *params) {
    struct relief_far far = far_params(params);
    return light_uses_far(params) ? (relief_far_reach(&far) + 1) * RELIEF_CELLS : 0;
}

size_t light_scratch(const struct light_params *params, int32_t width, int32_t height) {
    struct horizon_params near = near_params(params);
    size_t cells = (size_t)width * (size_t)height;
    return horizon_scratch(&near, width, height) + sun_scratch(params->directions) +
           5 * arena_need(cells, sizeof(float)) + 2 * arena_need((size_t)width, sizeof(float)) +
           arena_need((size_t)width, sizeof(int32_t));
}

/* The block centres around the cells: from the one before the first cell to the one after the last. */
static struct grid_f32 node_window(int32_t x0, int32_t y0, int32_t width, int32_t height) {
    int32_t half = RELIEF_CELLS / 2;
    struct grid_f32 g = {.x0 = floor_block(x0 - half), .y0 = floor_block(y0 - half)};
    g.width = floor_block(x0 + width - 1 - half) + 2 - g.x0;
    g.height = floor_block(y0 + height - 1 - half) + 2 - g.y0;
    g.stride = g.width;
    return g;
}

size_t light_far_count(const struct light_params *params, int32_t x0, int32_t y0, int32_t width,
                       int32_t height) {
    struct grid_f32 g = node_window(x0, y0, width, height);
    return light_uses_far(params) ? (size_t)g.width * (size_t)g.height * 2 * (size_t)params->directions : 0;
}

void light_far(const struct light_params *params, const struct grid_f32 *blocks, int32_t x0, int32_t y0,
               int32_t width, int32_t height, float *far) {
    struct relief_far relief = far_params(params);
    struct grid_f32 base = node_window(x0, y0, width, height), per_m = base;
    size_t nodes = (size_t)base.width * (size_t)base.height;
    for (int32_t d = 0; light_uses_far(params) && d < params->directions; d++) {
        double east, north;
        horizon_direction(d, params->directions, &east, &north);
        base.cells = far + (size_t)d * 2 * nodes;
        per_m.cells = base.cells + nodes;
        relief_far_towards(&relief, blocks, east, north, &base, &per_m);
    }
}

void light_far_part(const struct light_params *params, const struct grid_f32 *whole, const float *far,
                    const struct grid_f32 *part, float *out) {
    struct grid_f32 from = node_window(whole->x0, whole->y0, whole->width, whole->height);
    struct grid_f32 to = node_window(part->x0, part->y0, part->width, part->height);
    size_t rasters = light_uses_far(params) ? 2 * (size_t)params->directions : 0, row = (size_t)to.width;
    const float *first = far + (ptrdiff_t)(to.y0 - from.y0) * from.width + (to.x0 - from.x0);
    for (size_t k = 0; k < rasters; k++)
        for (int32_t y = 0; y < to.height; y++, out += row)
            memcpy(out, first + k * (size_t)from.width * (size_t)from.height + (ptrdiff_t)y * from.width,
                   row * sizeof *out);
}

static bool begin(struct work *w, const struct grid_f32 *altitude, struct arena *arena) {
    struct horizon_params near = near_params(w->params);
    struct grid_f32 cells = {.x0 = w->x0, .y0 = w->y0, .width = w->width, .height = w->height};
    w->nodes = node_window(w->x0, w->y0, w->width, w->height);
    size_t count = (size_t)w->width * (size_t)w->height, row = (size_t)w->width;
    float **rasters[] = {&w->slope_east, &w->slope_north, &w->tangent, &w->shut, &w->lit};
    for (size_t i = 0; i < sizeof rasters / sizeof *rasters; i++) {
        *rasters[i] = arena_alloc(arena, count, sizeof(float));
        if (!*rasters[i])
            return false;
    }
    memset(w->shut, 0, count * sizeof(float));
    memset(w->lit, 0, count * sizeof(float));
    w->far_base = arena_alloc(arena, row, sizeof(float));
    w->far_per_m = arena_alloc(arena, row, sizeof(float));
    w->steps = arena_alloc(arena, row, sizeof(int32_t));
    return w->far_base && w->far_per_m && w->steps &&
           sun_prepare(&w->sun, w->params->latitude_rad, w->params->directions, arena) &&
           horizon_begin(&w->horizon, &near, altitude, &cells, arena);
}

TERRAIN_CLONES static void slopes(const struct work *w, const struct grid_f32 *z) {
    float scale = (float)(1 / (8 * w->params->cell_m));
    for (int32_t y = 0; y < w->height; y++) {
        const float *restrict s = grid_f32_at(z, w->x0, w->y0 + y - 1);
        const float *restrict c = s + z->stride, *restrict n = c + z->stride;
        float *restrict east = w->slope_east + (ptrdiff_t)y * w->width;
        float *restrict north = w->slope_north + (ptrdiff_t)y * w->width;
        for (int32_t x = 0; x < w->width; x++) {
            float right = n[x + 1] + 2 * c[x + 1] + s[x + 1], left = n[x - 1] + 2 * c[x - 1] + s[x - 1];
            float above = n[x - 1] + 2 * n[x] + n[x + 1], below = s[x - 1] + 2 * s[x] + s[x + 1];
            east[x] = (right - left) * scale;
            north[x] = (above - below) * scale;
        }
    }
}

TERRAIN_CLONES static void add_shut(const float *restrict tangent, float *restrict shut, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        float squared = tangent[i] * tangent[i];
        shut[i] += squared / (1 + squared);
    }
}

/* A row of cells from two rows of nodes, bilinear between block centres. */
static inline void spread(const struct grid_f32 *nodes, int32_t x0, int32_t width, int32_t y,
                          float *restrict out) {
    int32_t half = RELIEF_CELLS / 2, by = floor_block(y - half);
    float v = ((float)(y - half - by * RELIEF_CELLS) + 0.5f) / RELIEF_CELLS;
    for (int32_t x = x0; x < x0 + width;) {
        int32_t bx = floor_block(x - half), start = bx * RELIEF_CELLS + half, end = start + RELIEF_CELLS;
        const float *south = grid_f32_at(nodes, bx, by), *north = south + nodes->stride;
        float west = south[0] + v * (north[0] - south[0]), east = south[1] + v * (north[1] - south[1]);
        float slope = (east - west) / RELIEF_CELLS;
        end = end < x0 + width ? end : x0 + width;
        for (; x < end; x++)
            out[x - x0] = west + slope * ((float)(x - start) + 0.5f);
    }
}
/* record: base, then per_m at the nodes, of one direction. */
TERRAIN_CLONES static void raise_far(const struct work *w, float *record, const struct grid_f32 *altitude,
                                     int32_t y, float *restrict tangent) {
    struct grid_f32 nodes = w->nodes;
    nodes.cells = record;
    spread(&nodes, w->x0, w->width, w->y0 + y, w->far_base);
    nodes.cells = record + (size_t)nodes.width * (size_t)nodes.height;
    spread(&nodes, w->x0, w->width, w->y0 + y, w->far_per_m);
    const float *restrict z = grid_f32_at(altitude, w->x0, w->y0 + y);
    const float *restrict base = w->far_base, *restrict per_m = w->far_per_m;
    for (int32_t x = 0; x < w->width; x++) {
        float far = base[x] - z[x] * per_m[x];
        tangent[x] = far > tangent[x] ? far : tangent[x];
    }
}

static inline void find_steps(const float *restrict tangent, const float *restrict east,
                              const float *restrict north, float to_east, float to_north, int32_t n,
                              int32_t *restrict steps) {
    for (int32_t x = 0; x < n; x++) {
        float own = east[x] * to_east + north[x] * to_north;
        steps[x] = sun_step(own > tangent[x] ? own : tangent[x]);
    }
}
TERRAIN_CLONES static void add_lit(const struct work *w, int32_t direction, double to_east, double to_north,
                                   int32_t y) {
    ptrdiff_t row = (ptrdiff_t)y * w->width;
    const float *restrict east = w->slope_east + row, *restrict north = w->slope_north + row;
    const struct sun_beam *beams = w->sun.beams + (ptrdiff_t)direction * SUN_STEPS;
    float *restrict lit = w->lit + row;
    find_steps(w->tangent + row, east, north, (float)to_east, (float)to_north, w->width, w->steps);
    for (int32_t x = 0; x < w->width; x++) {
        const struct sun_beam *b = beams + w->steps[x];
        float light = b->up - east[x] * b->east - north[x] * b->north;
        lit[x] += light > 0 ? light : 0;
    }
}

static uint8_t code_of(float share) {
    float code = share * 255.0f + 0.5f;
    return code >= 255.0f ? 255 : (uint8_t)(int32_t)code;
}
/* The sums as codes; lit is still per unit of the plane's level area: times the normal's upward part. */
static void put_codes(const struct work *w, const struct grid_u8 *occlusion,
                      const struct grid_u8 *illumination) {
    float share = 1.0f / (float)w->params->directions;
    for (int32_t y = 0; y < w->height; y++) {
        uint8_t *restrict shut = grid_u8_at(occlusion, w->x0, w->y0 + y);
        uint8_t *restrict lit = grid_u8_at(illumination, w->x0, w->y0 + y);
        ptrdiff_t row = (ptrdiff_t)y * w->width;
        for (int32_t x = 0; x < w->width; x++) {
            float east = w->slope_east[row + x], north = w->slope_north[row + x];
            shut[x] = code_of(w->shut[row + x] * share);
            lit[x] = code_of(w->lit[row + x] / sqrtf(1 + east * east + north * north));
        }
    }
}

bool light_make(const struct light_params *params, const struct grid_f32 *altitude, float *far,
                const struct grid_u8 *occlusion, const struct grid_u8 *illumination, struct arena *arena) {
    struct work w = {.params = params,
                     .x0 = occlusion->x0,
                     .y0 = occlusion->y0,
                     .width = occlusion->width,
                     .height = occlusion->height};
    size_t mark = arena_mark(arena);
    if (!begin(&w, altitude, arena)) {
        arena_release(arena, mark);
        return false;
    }
    size_t nodes = (size_t)w.nodes.width * (size_t)w.nodes.height;
    slopes(&w, altitude);
    for (int32_t d = 0; d < params->directions; d++) {
        double east, north;
        horizon_direction(d, params->directions, &east, &north);
        horizon_towards(&w.horizon, east, north, w.tangent);
        add_shut(w.tangent, w.shut, w.width * w.height);
        for (int32_t y = 0; y < w.height; y++) {
            if (light_uses_far(params))
                raise_far(&w, far + (size_t)d * 2 * nodes, altitude, y, w.tangent + (ptrdiff_t)y * w.width);
            add_lit(&w, d, east, north, y);
        }
    }
    put_codes(&w, occlusion, illumination);
    arena_release(arena, mark);
    return true;
}
