/* Owns the shape of a raster in memory. A grid is a window of the world: cell (x, y) in world numbering
 * (x east, y north) lies at cells[(y - y0) * stride + (x - x0)]: row 0 is the SOUTH edge in memory (files
 * have north first; readers and writers turn them, nobody else does). Grids do not own their cells.
 *
 * A kernel's input window is larger than its output window by the kernel's reach; both carry their place, so
 * a kernel walks the output window and reads the input at the same (x, y).
 *
 * Layers of posts (samples on cell corners) use the same shapes: post (x, y) is the south-west corner of cell
 * (x, y), and a window of w x h cells has (w + 1) x (h + 1) posts. */
#ifndef TERRAIN_GRID_H
#define TERRAIN_GRID_H
#include <stddef.h>
#include <stdint.h>

struct grid_f32 {
    float *cells;
    int32_t x0, y0, width, height;
    ptrdiff_t stride; /* in cells */
};
struct grid_i32 {
    int32_t *cells;
    int32_t x0, y0, width, height;
    ptrdiff_t stride;
};
struct grid_u16 {
    uint16_t *cells;
    int32_t x0, y0, width, height;
    ptrdiff_t stride;
};
struct grid_u8 {
    uint8_t *cells;
    int32_t x0, y0, width, height;
    ptrdiff_t stride;
};

/* Pointer to world cell (x, y); the caller keeps inside the window. */
static inline float *grid_f32_at(const struct grid_f32 *g, int32_t x, int32_t y) {
    return g->cells + (ptrdiff_t)(y - g->y0) * g->stride + (x - g->x0);
}
static inline int32_t *grid_i32_at(const struct grid_i32 *g, int32_t x, int32_t y) {
    return g->cells + (ptrdiff_t)(y - g->y0) * g->stride + (x - g->x0);
}
static inline uint16_t *grid_u16_at(const struct grid_u16 *g, int32_t x, int32_t y) {
    return g->cells + (ptrdiff_t)(y - g->y0) * g->stride + (x - g->x0);
}
static inline uint8_t *grid_u8_at(const struct grid_u8 *g, int32_t x, int32_t y) {
    return g->cells + (ptrdiff_t)(y - g->y0) * g->stride + (x - g->x0);
}

#endif
