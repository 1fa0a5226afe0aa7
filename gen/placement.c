#include "gen/placement.h"

static int32_t ceil_div(int32_t a, int32_t b) {
    return floor_div(a + b - 1, b);
}

struct rect placement_samples(const struct placement *p, struct rect cells) {
    struct rect s;
    if (p->fine_log2 >= 0) {
        int32_t f = 1 << p->fine_log2;
        s = (struct rect){(cells.x0 - p->origin_x) * f, (cells.y0 - p->origin_y) * f,
                          (cells.x1 - p->origin_x) * f, (cells.y1 - p->origin_y) * f};
    } else {
        int32_t c = 1 << -p->fine_log2;
        s = (struct rect){floor_div(cells.x0 - p->origin_x, c), floor_div(cells.y0 - p->origin_y, c),
                          ceil_div(cells.x1 - p->origin_x, c), ceil_div(cells.y1 - p->origin_y, c)};
    }
    s.x1 += p->posts;
    s.y1 += p->posts;
    return s;
}

struct placement placement_of(const struct extent *extent, bool tiled, bool posts, int32_t fine_log2) {
    struct placement p = {.posts = posts, .fine_log2 = fine_log2};
    p.origin_x = floor_div(extent->cells.x0, MAP_CELLS) * MAP_CELLS;
    p.origin_y = floor_div(extent->cells.y0, MAP_CELLS) * MAP_CELLS;
    if (!tiled && fine_log2 < 0) {
        int32_t c = 1 << -fine_log2;
        p.origin_x = extent->cells.x0;
        p.origin_y = extent->cells.y1 - c * ceil_div(extent->cells.y1 - extent->cells.y0, c);
    }
    p.samples = placement_samples(&p, extent->cells);
    return p;
}

struct rect placement_file_cells(const struct extent *extent, const struct source_file *file) {
    return file->whole ? extent->cells : extent_block(extent, file->map_x, file->map_y, MAP_CELLS);
}

struct rect placement_file_samples(const struct placement *p, const struct extent *extent,
                                   const struct source_file *file) {
    struct rect s = placement_samples(p, placement_file_cells(extent, file));
    if (p->posts && file->width_px == s.x1 - s.x0 - 1)
        s.x1--;
    if (p->posts && file->height_px == s.y1 - s.y0 - 1)
        s.y0++;
    if (file->width_px != s.x1 - s.x0 || file->height_px != s.y1 - s.y0)
        return (struct rect){0, 0, 0, 0};
    return s;
}
