#include "terrain/relief.h"
#include "terrain/clones.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static float block_height(const struct grid_f32 *z, int32_t bx, int32_t by) {
    int32_t x0 = bx * RELIEF_CELLS, y0 = by * RELIEF_CELLS, x1 = x0 + RELIEF_CELLS, y1 = y0 + RELIEF_CELLS;
    x0 = x0 > z->x0 ? x0 : z->x0;
    y0 = y0 > z->y0 ? y0 : z->y0;
    x1 = x1 < z->x0 + z->width ? x1 : z->x0 + z->width;
    y1 = y1 < z->y0 + z->height ? y1 : z->y0 + z->height;
    assert(x0 < x1 && y0 < y1);
    double sum = 0;
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            sum += (double)*grid_f32_at(z, x, y);
    double mean = sum / ((double)(x1 - x0) * (y1 - y0));
    return (float)(floor(mean * RELIEF_STEPS + 0.5) / RELIEF_STEPS);
}

void relief_blocks(const struct grid_f32 *altitude, const struct grid_f32 *blocks) {
    for (int32_t y = blocks->y0; y < blocks->y0 + blocks->height; y++)
        for (int32_t x = blocks->x0; x < blocks->x0 + blocks->width; x++)
            *grid_f32_at(blocks, x, y) = block_height(altitude, x, y);
}

int32_t relief_far_reach(const struct relief_far *params) {
    return (int32_t)floor(params->far_m / params->block_m) + 2;
}

/* One step of the rays of a row of nodes: seen from `own`, the heights from + w (next - from). */
static inline void look(const float *restrict own, const float *restrict from, const float *restrict next,
                        float w, float reciprocal, int32_t n, float *restrict best, float *restrict per_m) {
    for (int32_t i = 0; i < n; i++) {
        float t = (from[i] + w * (next[i] - from[i]) - own[i]) * reciprocal;
        per_m[i] = t > best[i] ? reciprocal : per_m[i];
        best[i] = t > best[i] ? t : best[i];
    }
}

TERRAIN_CLONES static void far_rows(const struct relief_far *params, const struct grid_f32 *blocks,
                                    double east, double north, const struct grid_f32 *base,
                                    const struct grid_f32 *per_m) {
    bool rows = fabs(north) >= fabs(east);
    double along = rows ? north : east, slant = (rows ? east : north) / fabs(along);
    double step_m = params->block_m / fabs(along);
    int32_t n = base->width, forward = along > 0 ? 1 : -1;
    int32_t first = (int32_t)ceil(params->near_m / step_m), last = (int32_t)floor(params->far_m / step_m);
    for (int32_t y = base->y0; y < base->y0 + base->height; y++) {
        float *best = grid_f32_at(base, base->x0, y), *per = grid_f32_at(per_m, base->x0, y);
        const float *own = grid_f32_at(blocks, base->x0, y);
        memset(best, 0, (size_t)n * sizeof *best);
        memset(per, 0, (size_t)n * sizeof *per);
        for (int32_t t = first > 1 ? first : 1; t <= last; t++) {
            int32_t aside = (int32_t)floor(t * slant), ahead = forward * t;
            const float *from =
                grid_f32_at(blocks, base->x0 + (rows ? aside : ahead), y + (rows ? ahead : aside));
            const float *next = rows ? from + 1 : from + blocks->stride;
            look(own, from, next, (float)(t * slant - aside), (float)(1 / (t * step_m)), n, best, per);
        }
        for (int32_t i = 0; i < n; i++)
            best[i] = best[i] + own[i] * per[i];
    }
}

void relief_far_towards(const struct relief_far *params, const struct grid_f32 *blocks, double east,
                        double north, const struct grid_f32 *base, const struct grid_f32 *per_m) {
    far_rows(params, blocks, east, north, base, per_m);
}
