/* Owns the frame that the flow kernels share: a world of cells cut into square sections, how the cells of a
 * section's perimeter are numbered, the eight directions, and the records in which sections speak to the
 * world. Arithmetic only.
 *
 * How flow is exact over sections:
 *   terrain/flow_fill.h      per section: how water stands in it, as a summary (Barnes 2016)
 *   terrain/flow_fill_world.h  once: the level of each perimeter watershed
 *   terrain/flow_fill.h      per section: the filled surface
 *   terrain/flow_local.h     per section: a receiver for each cell, lakes, a summary of what crosses (Barnes
 * 2017) terrain/flow_world.h     once: what flows into each section, and the totals of lakes across sections
 *   terrain/flow_finish.h    per section: the contributing area of each cell
 * Heights are integers (FLOW_UNIT to the metre) and areas are counts of cells, so that no order of summation
 * shows. Nothing in a section's outputs is numbered over the world: what a change elsewhere does not reach
 * comes out byte for byte the same.
 *
 * Cells are 8-connected. Index order of cells: by y (south to north), then x (west to east), over the world.
 */
#ifndef TERRAIN_FLOW_LAYOUT_H
#define TERRAIN_FLOW_LAYOUT_H
#include <stddef.h>
#include <stdint.h>

/* Heights: 1/4096 m in int32, -57344 m .. 57344 m: more than cubic convolution makes of +-32768 m. */
enum { FLOW_UNIT = 4096, FLOW_HEIGHT_MAX = 57344 * FLOW_UNIT };
/* Stands for a height where the world has none: above every height, and differences do not overflow. */
enum { FLOW_NO_HEIGHT = 1 << 28 };

/* Cells x0 <= x < x1, y0 <= y < y1; section (sx, sy) starts at cell (sx * side, sy * side) and is cut at the
 * world's edge. side: 2 .. 32768 cells. */
struct flow_layout {
    int32_t x0, y0, x1, y1;
    int32_t side;
};

/* The cells of a section inside the world. */
struct flow_section {
    int32_t x0, y0, width, height;
};

/* Bytes of a summary or a result, native byte order, aligned to 8. */
struct flow_record {
    const void *bytes;
    size_t size;
};

static inline int32_t flow_floor_div(int32_t a, int32_t b) {
    return a / b - (a % b < 0);
}

/* Sections along x and along y. */
static inline int32_t flow_columns(const struct flow_layout *l) {
    return flow_floor_div(l->x1 - 1, l->side) - flow_floor_div(l->x0, l->side) + 1;
}
static inline int32_t flow_rows(const struct flow_layout *l) {
    return flow_floor_div(l->y1 - 1, l->side) - flow_floor_div(l->y0, l->side) + 1;
}

/* Section in column i, row j, counted from the world's south-west. */
static inline struct flow_section flow_section_of(const struct flow_layout *l, int32_t i, int32_t j) {
    int32_t x = (flow_floor_div(l->x0, l->side) + i) * l->side,
            y = (flow_floor_div(l->y0, l->side) + j) * l->side;
    int32_t x0 = x > l->x0 ? x : l->x0, y0 = y > l->y0 ? y : l->y0;
    int32_t x1 = x + l->side < l->x1 ? x + l->side : l->x1, y1 = y + l->side < l->y1 ? y + l->side : l->y1;
    return (struct flow_section){x0, y0, x1 - x0, y1 - y0};
}

/* Is world cell (x, y) on the world's edge? */
static inline int flow_on_edge(const struct flow_layout *l, int32_t x, int32_t y) {
    return x == l->x0 || y == l->y0 || x == l->x1 - 1 || y == l->y1 - 1;
}

/* The perimeter of a width x height block is numbered in index order. */
static inline int32_t flow_perimeter_count(int32_t width, int32_t height) {
    return width < 3 || height < 3 ? width * height : 2 * (width + height) - 4;
}
/* Number of perimeter cell (x, y), counted from the block's south-west; (x, y) must be on the perimeter. */
static inline int32_t flow_perimeter_index(int32_t width, int32_t height, int32_t x, int32_t y) {
    int32_t sides = width < 2 ? width : 2;
    if (y == 0)
        return x;
    if (y == height - 1)
        return width + (height - 2) * sides + x;
    return width + (y - 1) * sides + (x > 0);
}
static inline void flow_perimeter_cell(int32_t width, int32_t height, int32_t i, int32_t *x, int32_t *y) {
    int32_t sides = width < 2 ? width : 2, above = i - width, middle = (height - 2) * sides;
    if (above < 0) {
        *x = i, *y = 0;
    } else if (height < 3 || above >= middle) {
        *x = above - (height < 3 ? 0 : middle), *y = height - 1;
    } else {
        *x = above % sides ? width - 1 : 0, *y = 1 + above / sides;
    }
}

/* Directions: east, north, west, south, north-east, north-west, south-west, south-east. */
static const int8_t flow_dx[8] = {1, 0, -1, 0, 1, -1, -1, 1};
static const int8_t flow_dy[8] = {0, 1, 0, -1, 1, 1, -1, -1};

#endif
