/* Lakes in the field: distances to their shores. */
#include "water/field_own.h"

#include "terrain/math.h"
#include <string.h>

static double lake_reach(const struct water_pool *lake) {
    return math_max(WATER_REACH_M, 4 * lake->depth + 1);
}

/* Squares of the distances to the shore. */
static void shore_distance(const struct water_set *set, const struct water_pool *lake,
                           const struct water_grid *g, struct lake_field *f) {
    double reach = lake_reach(lake);
    int32_t width = f->span.x1 - f->span.x0;
    for (uint32_t r = 0; r < lake->ring_count; r++) {
        uint32_t ring = lake->first_ring + r;
        uint32_t first = ring ? set->ring_end[ring - 1] : 0, end = set->ring_end[ring];
        for (uint32_t i = first, j = end - 1; i < end; j = i++) {
            const double *a = set->xy + 2 * (size_t)j, *b = set->xy + 2 * (size_t)i;
            double dx = b[0] - a[0], dy = b[1] - a[1], l2 = dx * dx + dy * dy, per = l2 > 0 ? 1 / l2 : 0;
            struct span s = span_of(g, math_min(a[0], b[0]) - reach, math_min(a[1], b[1]) - reach,
                                    math_max(a[0], b[0]) + reach, math_max(a[1], b[1]) + reach);
            for (int32_t y = s.y0; y < s.y1; y++)
                for (int32_t x = s.x0; x < s.x1; x++) {
                    double ex = sample_m(g, g->x0, x) - a[0], ey = sample_m(g, g->y0, y) - a[1];
                    double t = (ex * dx + ey * dy) * per;
                    t = t < 0 ? 0 : t > 1 ? 1 : t;
                    double fx = ex - t * dx, fy = ey - t * dy;
                    float d2 = (float)(fx * fx + fy * fy);
                    float *at = &f->sd[(size_t)(y - f->span.y0) * (size_t)width + (size_t)(x - f->span.x0)];
                    *at = d2 < *at ? d2 : *at;
                }
        }
    }
}

/* Even-odd along a row: a crossing turns every sample west of it. turn: width + 1 zeros. */
static void row_inside(const struct water_set *set, const struct water_pool *lake, const struct water_grid *g,
                       const struct span *span, int32_t row, uint8_t *turn) {
    int32_t width = span->x1 - span->x0;
    double y = sample_m(g, g->y0, row);
    memset(turn, 0, (size_t)width + 1);
    for (uint32_t r = 0; r < lake->ring_count; r++) {
        uint32_t ring = lake->first_ring + r;
        uint32_t first = ring ? set->ring_end[ring - 1] : 0, end = set->ring_end[ring];
        for (uint32_t i = first, j = end - 1; i < end; j = i++) {
            const double *a = set->xy + 2 * (size_t)i, *b = set->xy + 2 * (size_t)j;
            if ((a[1] > y) == (b[1] > y))
                continue;
            double x = (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0];
            int32_t k = first_sample(x, g->x0, g, g->width); /* about the first not west of it */
            while (k > span->x0 && sample_m(g, g->x0, k - 1) >= x)
                k--;
            while (k < span->x1 && sample_m(g, g->x0, k) < x)
                k++;
            k = k < span->x0 ? span->x0 : k > span->x1 ? span->x1 : k;
            turn[k - span->x0] ^= 1; /* samples below k */
        }
    }
    for (int32_t k = width - 1; k >= 0; k--)
        turn[k] ^= turn[k + 1];
    memmove(turn, turn + 1, (size_t)width); /* sample k is turned by crossings above k */
}

struct span field_lake_span(const struct water_set *set, uint32_t l, const struct water_grid *g) {
    const struct water_pool *lake = &set->lakes[l];
    uint32_t first = lake->first_ring ? set->ring_end[lake->first_ring - 1] : 0;
    uint32_t end = set->ring_end[lake->first_ring + lake->ring_count - 1];
    double x0 = set->xy[2 * (size_t)first], x1 = x0, y0 = set->xy[2 * (size_t)first + 1], y1 = y0;
    for (size_t i = first; i < end; i++) {
        x0 = math_min(x0, set->xy[2 * i]), x1 = math_max(x1, set->xy[2 * i]);
        y0 = math_min(y0, set->xy[2 * i + 1]), y1 = math_max(y1, set->xy[2 * i + 1]);
    }
    double reach = lake_reach(lake);
    return span_of(g, x0 - reach, y0 - reach, x1 + reach, y1 + reach);
}

enum status field_find_lake(const struct water_set *set, uint32_t l, const struct water_grid *g,
                            struct lake_field *f, struct arena *scratch, struct error *err) {
    const struct water_pool *lake = &set->lakes[l];
    double reach = lake_reach(lake);
    int32_t width = f->span.x1 - f->span.x0, height = f->span.y1 - f->span.y0;
    size_t count = width > 0 && height > 0 ? (size_t)width * (size_t)height : 0;
    f->sd = arena_alloc(scratch, count + 1, sizeof *f->sd);
    uint8_t *turn = arena_alloc(scratch, (size_t)(width > 0 ? width : 0) + 2, 1);
    if (!f->sd || !turn)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; i < count; i++)
        f->sd[i] = (float)(reach * reach);
    if (count)
        shore_distance(set, lake, g, f);
    for (int32_t y = f->span.y0; count && y < f->span.y1; y++) {
        row_inside(set, lake, g, &f->span, y, turn);
        for (int32_t x = f->span.x0; x < f->span.x1; x++) {
            float *sd = &f->sd[(size_t)(y - f->span.y0) * (size_t)width + (size_t)(x - f->span.x0)];
            *sd = turn[x - f->span.x0] ? -sqrtf(*sd) : sqrtf(*sd);
        }
    }
    return STATUS_OK;
}
