/* Owns where things are: cells, sectors (64), sections (256), maps (1024) in one world numbering that starts
 * at world (0,0), negative numbers allowed; and which of them a world has. Arithmetic only. */
#ifndef GEN_EXTENT_H
#define GEN_EXTENT_H
#include <stdbool.h>
#include <stdint.h>

enum { SECTOR_CELLS = 64, SECTION_CELLS = 256, MAP_CELLS = 1024 };
enum { SECTION_SECTORS = 4, SECTORS_PER_SECTION = 16, MAP_SECTIONS = 4, MAP_SECTORS = 16 };

/* Half-open rectangle of cells, sectors, sections or maps: x0 <= x < x1. */
struct rect {
    int32_t x0, y0, x1, y1;
};

struct extent {
    double cell_m;
    struct rect cells; /* of the world; origin_m = cells.x0 * cell_m, cells.y0 * cell_m */
};

static inline int32_t floor_div(int32_t a, int32_t b) {
    int32_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}
static inline struct rect rect_intersect(struct rect a, struct rect b) {
    struct rect r = {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                     a.y1 < b.y1 ? a.y1 : b.y1};
    return r;
}
static inline bool rect_empty(struct rect r) {
    return r.x0 >= r.x1 || r.y0 >= r.y1;
}
static inline struct rect rect_grow(struct rect r, int32_t by) {
    return (struct rect){r.x0 - by, r.y0 - by, r.x1 + by, r.y1 + by};
}
/* The blocks (of `block` cells: sectors, sections, maps) that touch r. */
static inline struct rect rect_blocks(struct rect r, int32_t block) {
    return (struct rect){floor_div(r.x0, block), floor_div(r.y0, block), floor_div(r.x1 - 1, block) + 1,
                         floor_div(r.y1 - 1, block) + 1};
}
/* The cells of block (x, y) that the world has; empty outside. */
static inline struct rect extent_block(const struct extent *e, int32_t x, int32_t y, int32_t block) {
    struct rect r = {x * block, y * block, (x + 1) * block, (y + 1) * block};
    return rect_intersect(r, e->cells);
}

#endif
