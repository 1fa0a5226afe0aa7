#include "gen/window.h"

#include <string.h>

/* Samples (cells, posts or blocks) of a rectangle of cells. */
static struct rect samples_of(const struct layer_info *layer, bool posts, struct rect cells) {
    if (layer->coarse_log2)
        return rect_blocks(cells, 1 << layer->coarse_log2);
    if (posts)
        return (struct rect){cells.x0, cells.y0, cells.x1 + 1, cells.y1 + 1};
    return cells;
}

static void set_view(struct window *window, unsigned char *bytes, struct rect s, ptrdiff_t stride) {
    int32_t w = s.x1 - s.x0, h = s.y1 - s.y0;
    void *at = bytes;
    switch (window->layer->type) {
    case LAYER_F32:
        window->f32 = (struct grid_f32){at, s.x0, s.y0, w, h, stride};
        break;
    case LAYER_I32:
        window->i32 = (struct grid_i32){at, s.x0, s.y0, w, h, stride};
        break;
    case LAYER_U16:
        window->u16 = (struct grid_u16){at, s.x0, s.y0, w, h, stride};
        break;
    case LAYER_U8:
        window->u8 = (struct grid_u8){at, s.x0, s.y0, w, h, stride};
        break;
    case LAYER_RGB8:
        window->u8 = (struct grid_u8){at, s.x0, s.y0, w * 3, h, stride * 3};
        break;
    case LAYER_BLOB:
        break;
    }
}

static void copy_tile(unsigned char *to, struct rect s, const struct tile *tile, size_t sample) {
    struct rect t = {tile->x0, tile->y0, tile->x0 + tile->width, tile->y0 + tile->height};
    struct rect r = rect_intersect(s, t);
    if (rect_empty(r))
        return;
    size_t row = (size_t)(r.x1 - r.x0) * sample, to_width = (size_t)(s.x1 - s.x0);
    for (int32_t y = r.y0; y < r.y1; y++)
        memcpy(to + ((size_t)(y - s.y0) * to_width + (size_t)(r.x0 - s.x0)) * sample,
               tile->bytes +
                   ((size_t)(y - tile->y0) * (size_t)tile->width + (size_t)(r.x0 - tile->x0)) * sample,
               row);
}

/* Continues the samples in `known` (inside s) over the rest of s: the edge sample again, or zero. */
static void continue_edge(unsigned char *to, struct rect s, struct rect known, size_t sample,
                          enum layer_edge edge) {
    size_t width = (size_t)(s.x1 - s.x0), row = width * sample;
    for (int32_t y = known.y0; y < known.y1; y++) {
        unsigned char *line = to + (size_t)(y - s.y0) * row;
        size_t first = (size_t)(known.x0 - s.x0), last = (size_t)(known.x1 - s.x0) - 1;
        if (edge == EDGE_ZERO) {
            memset(line, 0, first * sample);
            memset(line + (last + 1) * sample, 0, (width - last - 1) * sample);
            continue;
        }
        for (size_t x = 0; x < first; x++)
            memcpy(line + x * sample, line + first * sample, sample);
        for (size_t x = last + 1; x < width; x++)
            memcpy(line + x * sample, line + last * sample, sample);
    }
    for (int32_t y = s.y0; y < s.y1; y++) {
        unsigned char *line = to + (size_t)(y - s.y0) * row;
        if (y >= known.y0 && y < known.y1)
            continue;
        if (edge == EDGE_ZERO)
            memset(line, 0, row);
        else
            memcpy(line, to + (size_t)((y < known.y0 ? known.y0 : known.y1 - 1) - s.y0) * row, row);
    }
}

bool window_make(const struct layer_info *layer, bool posts, struct rect cells, const struct extent *extent,
                 struct rect sections, const struct tile *const *tiles, struct arena *scratch,
                 struct window *window) {
    memset(window, 0, sizeof *window);
    window->layer = layer;
    window->posts = posts;
    window->sections = sections;
    window->tiles = tiles;
    if (layer->type == LAYER_BLOB)
        return true;
    struct rect s = samples_of(layer, posts, cells);
    struct rect world = samples_of(layer, posts, extent->cells);
    struct rect known = rect_intersect(s, world);
    size_t sample = layer_sample_size(layer->type);
    size_t count = (size_t)(sections.x1 - sections.x0) * (size_t)(sections.y1 - sections.y0);
    if (count == 1) {
        const struct tile *t = tiles[0];
        if (s.x0 >= t->x0 && s.y0 >= t->y0 && s.x1 <= t->x0 + t->width && s.y1 <= t->y0 + t->height) {
            size_t at = ((size_t)(s.y0 - t->y0) * (size_t)t->width + (size_t)(s.x0 - t->x0)) * sample;
            set_view(window, t->bytes + at, s, t->width);
            return true;
        }
    }
    unsigned char *bytes = arena_alloc(scratch, (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0), sample);
    if (!bytes)
        return false;
    for (size_t i = 0; i < count; i++)
        copy_tile(bytes, s, tiles[i], sample);
    if (known.x0 != s.x0 || known.y0 != s.y0 || known.x1 != s.x1 || known.y1 != s.y1)
        continue_edge(bytes, s, known, sample, layer->edge);
    set_view(window, bytes, s, s.x1 - s.x0);
    return true;
}
