#include "gen/layer.h"

#include "gen/hasher.h"
#include "gen/stage.h"

#include <stdlib.h>
#include <string.h>

size_t layer_sample_size(enum layer_type type) {
    switch (type) {
    case LAYER_F32:
    case LAYER_I32:
        return 4;
    case LAYER_U16:
        return 2;
    case LAYER_RGB8:
        return 3;
    case LAYER_U8:
    case LAYER_BLOB:
        break;
    }
    return 1;
}

/* The samples of `cells`: posts lie on both borders; coarse blocks that touch. */
static struct rect samples_of(struct rect cells, bool posts, uint8_t coarse_log2) {
    if (coarse_log2)
        return rect_blocks(cells, 1 << coarse_log2);
    if (posts)
        return (struct rect){cells.x0, cells.y0, cells.x1 + 1, cells.y1 + 1};
    return cells;
}

struct tile *tile_new(const struct layer_info *layer, bool posts, struct rect cells) {
    struct tile *tile = calloc(1, sizeof *tile);
    if (!tile)
        return NULL;
    atomic_init(&tile->references, 1);
    tile->type = layer->type;
    tile->posts = posts;
    tile->coarse_log2 = layer->coarse_log2;
    tile->cells = cells;
    if (layer->type != LAYER_BLOB) {
        struct rect s = samples_of(cells, posts, layer->coarse_log2);
        tile->x0 = s.x0;
        tile->y0 = s.y0;
        tile->width = s.x1 - s.x0;
        tile->height = s.y1 - s.y0;
    }
    tile->size = (size_t)tile->width * (size_t)tile->height * layer_sample_size(layer->type);
    tile->bytes = calloc(tile->size ? tile->size : 1, 1); /* never NULL: parts that are empty have a place */
    if (!tile->bytes) {
        free(tile);
        return NULL;
    }
    return tile;
}

struct tile *tile_ref(struct tile *tile) {
    atomic_fetch_add_explicit(&tile->references, 1, memory_order_relaxed);
    return tile;
}

void tile_unref(struct tile *tile) {
    if (!tile || atomic_fetch_sub_explicit(&tile->references, 1, memory_order_acq_rel) != 1)
        return;
    free(tile->bytes);
    free(tile);
}

bool tile_set_parts(struct tile *tile, const void *const parts[16], const size_t sizes[16]) {
    size_t total = 0;
    for (int i = 0; i < 16; i++) {
        tile->part_at[i] = total;
        if (sizes[i] > SIZE_MAX - total)
            return false;
        total += sizes[i];
    }
    tile->part_at[16] = total;
    unsigned char *bytes = malloc(total ? total : 1);
    if (!bytes)
        return false;
    for (int i = 0; i < 16; i++)
        if (sizes[i])
            memcpy(bytes + tile->part_at[i], parts[i], sizes[i]);
    free(tile->bytes);
    tile->bytes = bytes;
    tile->size = total;
    return true;
}

/* Hash of the samples in `s` (already inside the tile): shape and type first, then rows from south to north.
 */
static struct hash128 hash_samples(const struct tile *tile, struct rect s) {
    struct hasher h;
    hasher_reset(&h);
    size_t sample = layer_sample_size(tile->type);
    const int32_t shape[4] = {(int32_t)tile->type, tile->posts, s.x1 - s.x0, s.y1 - s.y0};
    hash_bytes(&h, shape, sizeof shape);
    size_t row = (size_t)(s.x1 - s.x0) * sample;
    for (int32_t y = s.y0; y < s.y1; y++) {
        size_t at = ((size_t)(y - tile->y0) * (size_t)tile->width + (size_t)(s.x0 - tile->x0)) * sample;
        hash_bytes(&h, tile->bytes + at, row);
    }
    return hasher_digest(&h);
}

void tile_hash(struct tile *tile) {
    int32_t section_x = floor_div(tile->cells.x0, SECTION_CELLS) * SECTION_SECTORS;
    int32_t section_y = floor_div(tile->cells.y0, SECTION_CELLS) * SECTION_SECTORS;
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        if (tile->type == LAYER_BLOB) {
            size_t at = tile->part_at[i];
            XXH128_hash_t d = XXH3_128bits(tile->bytes + at, tile->part_at[i + 1] - at);
            tile->parts[i] = (struct hash128){d.low64, d.high64};
            continue;
        }
        int32_t x = (section_x + i % 4) * SECTOR_CELLS, y = (section_y + i / 4) * SECTOR_CELLS;
        struct rect cells =
            rect_intersect((struct rect){x, y, x + SECTOR_CELLS, y + SECTOR_CELLS}, tile->cells);
        if (rect_empty(cells))
            tile->parts[i] = (struct hash128){0, 0};
        else
            tile->parts[i] = hash_samples(tile, samples_of(cells, tile->posts, tile->coarse_log2));
    }
}

#define TILE_VIEW(name, grid, type, mult)                                                                    \
    struct grid name(const struct tile *tile) {                                                              \
        return (struct grid){(type *)(void *)tile->bytes, tile->x0,     tile->y0,                            \
                             tile->width * (mult),        tile->height, (ptrdiff_t)tile->width * (mult)};    \
    }
TILE_VIEW(tile_f32, grid_f32, float, 1)
TILE_VIEW(tile_i32, grid_i32, int32_t, 1)
TILE_VIEW(tile_u16, grid_u16, uint16_t, 1)
TILE_VIEW(tile_u8, grid_u8, uint8_t, (tile->type == LAYER_RGB8 ? 3 : 1))
