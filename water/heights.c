#include "water/heights.h"

#include "terrain/math.h"

#include <math.h>
#include <string.h>

enum { INDEX_BYTES = WATER_BLOCKS * WATER_BLOCKS * 2, BLOCK_CELLS = WATER_BLOCK * WATER_BLOCK };

static int32_t clamp_block(double v) {
    return v < 0 ? 0 : v > WATER_BLOCKS - 1 ? WATER_BLOCKS - 1 : (int32_t)v;
}

/* Square of the distance from (x, y) to the segment. */
static double distance2(const double a[2], const double b[2], double x, double y) {
    double dx = b[0] - a[0], dy = b[1] - a[1], l = dx * dx + dy * dy;
    double t = l > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / l : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double ex = a[0] + t * dx - x, ey = a[1] + t * dy - y;
    return ex * ex + ey * ey;
}

void water_blocks_mark(struct water_blocks *blocks, int32_t sx, int32_t sy, double cell_m, const double a[2],
                       const double b[2], double radius_m) {
    double block_m = WATER_BLOCK * cell_m, x0 = sx * (WATER_SECTION * cell_m),
           y0 = sy * (WATER_SECTION * cell_m), size = WATER_SECTION * cell_m;
    double west = math_min(a[0], b[0]) - radius_m - x0, east = math_max(a[0], b[0]) + radius_m - x0;
    double south = math_min(a[1], b[1]) - radius_m - y0, north = math_max(a[1], b[1]) + radius_m - y0;
    if (east < 0 || north < 0 || west > size || south > size)
        return;
    double reach = radius_m + 0.75 * block_m; /* above half a block's diagonal */
    for (int32_t by = clamp_block(floor(south / block_m)); by <= clamp_block(floor(north / block_m)); by++)
        for (int32_t bx = clamp_block(floor(west / block_m)); bx <= clamp_block(floor(east / block_m));
             bx++) {
            uint8_t *mark = &blocks->marked[by * WATER_BLOCKS + bx];
            if (!*mark &&
                distance2(a, b, x0 + (bx + 0.5) * block_m, y0 + (by + 0.5) * block_m) <= reach * reach) {
                *mark = 1;
                blocks->count++;
            }
        }
}

size_t water_blocks_size(const struct water_blocks *blocks) {
    return blocks->count ? INDEX_BYTES + (size_t)blocks->count * BLOCK_CELLS * sizeof(float) : 0;
}

static int32_t clamp_to(int32_t v, int32_t first, int32_t count) {
    return v < first ? first : v >= first + count ? first + count - 1 : v;
}

void water_blocks_write(const struct water_blocks *blocks, int32_t sx, int32_t sy,
                        const struct grid_f32 *ground, unsigned char *record) {
    int16_t next = 0;
    for (int32_t i = 0; blocks->count && i < WATER_BLOCKS * WATER_BLOCKS; i++) {
        int16_t at = -1;
        if (blocks->marked[i]) {
            float cells[BLOCK_CELLS];
            int32_t x0 = sx * WATER_SECTION + i % WATER_BLOCKS * WATER_BLOCK;
            int32_t y0 = sy * WATER_SECTION + i / WATER_BLOCKS * WATER_BLOCK;
            for (int32_t k = 0; k < BLOCK_CELLS; k++)
                cells[k] = *grid_f32_at(ground, clamp_to(x0 + k % WATER_BLOCK, ground->x0, ground->width),
                                        clamp_to(y0 + k / WATER_BLOCK, ground->y0, ground->height));
            at = next++;
            memcpy(record + INDEX_BYTES + (size_t)at * sizeof cells, cells, sizeof cells);
        }
        memcpy(record + 2 * (size_t)i, &at, sizeof at);
    }
}

static int32_t divide(int32_t a, int32_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static double cell_at(const struct water_heights *h, int32_t x, int32_t y) {
    x = x < h->cell_x0 ? h->cell_x0 : x >= h->cell_x1 ? h->cell_x1 - 1 : x;
    y = y < h->cell_y0 ? h->cell_y0 : y >= h->cell_y1 ? h->cell_y1 - 1 : y;
    int32_t sx = divide(x, WATER_SECTION), sy = divide(y, WATER_SECTION);
    const unsigned char *record =
        h->records[(ptrdiff_t)(sy - h->section_y0) * h->columns + (sx - h->section_x0)];
    if (!record)
        return (double)NAN;
    x -= sx * WATER_SECTION;
    y -= sy * WATER_SECTION;
    int16_t at;
    float z;
    memcpy(&at, record + 2 * (size_t)(y / WATER_BLOCK * WATER_BLOCKS + x / WATER_BLOCK), sizeof at);
    if (at < 0)
        return (double)NAN;
    memcpy(&z,
           record + INDEX_BYTES +
               ((size_t)at * BLOCK_CELLS + (size_t)(y % WATER_BLOCK * WATER_BLOCK + x % WATER_BLOCK)) *
                   sizeof z,
           sizeof z);
    return (double)z;
}

double water_height_at(const struct water_heights *h, double x, double y) {
    double u = x / h->cell_m - 0.5, v = y / h->cell_m - 0.5;
    double fu = floor(u), fv = floor(v);
    if (!(fu > -1e9 && fu < 1e9 && fv > -1e9 && fv < 1e9))
        return (double)NAN;
    int32_t cx = (int32_t)fu, cy = (int32_t)fv;
    double s = u - fu, t = v - fv;
    double z00 = cell_at(h, cx, cy), z10 = cell_at(h, cx + 1, cy);
    double z01 = cell_at(h, cx, cy + 1), z11 = cell_at(h, cx + 1, cy + 1);
    double south = z00 + s * (z10 - z00), north = z01 + s * (z11 - z01);
    return south + t * (north - south);
}
