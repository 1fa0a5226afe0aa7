#include "biome/batch.h"

#include "terrain/clones.h"
#include <string.h>

size_t biome_batch_scratch(const struct recipe *recipe) {
    size_t rows = (size_t)recipe->layer_count + 1;
    return arena_need(rows, sizeof(float[VIABILITY_BATCH])) + arena_need(rows, sizeof(bool)) +
           arena_need(BATCH_FRAMES, sizeof(struct biome_frame));
}

enum status biome_batch_init(struct biome_batch *batch, const struct recipe *recipe,
                             const struct biome_layer *layers, struct arena *arena, struct error *err) {
    size_t rows = (size_t)recipe->layer_count + 1;
    batch->layers = layers;
    batch->count = 0;
    batch->values = arena_alloc(arena, rows, sizeof *batch->values);
    batch->gathered = arena_alloc(arena, rows, sizeof *batch->gathered);
    batch->frames = arena_alloc(arena, BATCH_FRAMES, sizeof *batch->frames);
    if (!batch->values || !batch->gathered || !batch->frames)
        return error_set(err, STATUS_LIMIT, "scratch too small for a batch of viability");
    biome_batch_reset(batch, recipe);
    return STATUS_OK;
}

void biome_batch_reset(struct biome_batch *batch, const struct recipe *recipe) {
    memset(batch->gathered, 0, (size_t)recipe->layer_count * sizeof *batch->gathered);
    batch->frame_count = 0;
}

static inline ptrdiff_t sample_at(const struct biome_layer *layer, int32_t x, int32_t y) {
    int32_t sx = x >> layer->coarse_log2, sy = y >> layer->coarse_log2;
    return (ptrdiff_t)(sy - layer->y0) * layer->stride + (sx - layer->x0);
}

TERRAIN_CLONES
static void make_frame(struct biome_frame *f, const int32_t *x, const int32_t *y, int32_t n) {
    int32_t stride = (int32_t)f->stride, k = f->coarse_log2, x0 = f->x0, y0 = f->y0;
    for (int32_t i = 0; i < n; i++)
        f->at[i] = ((y[i] >> k) - y0) * stride + ((x[i] >> k) - x0);
}

/* Where the batch's places lie in a layer's window. */
static const int32_t *frame_of(struct biome_batch *batch, const struct biome_layer *layer) {
    for (int32_t i = 0; i < batch->frame_count; i++) {
        const struct biome_frame *f = &batch->frames[i];
        if (f->x0 == layer->x0 && f->y0 == layer->y0 && f->stride == layer->stride &&
            f->coarse_log2 == layer->coarse_log2)
            return f->at;
    }
    int32_t free_frame = batch->frame_count < BATCH_FRAMES ? batch->frame_count++ : BATCH_FRAMES - 1;
    struct biome_frame *f = &batch->frames[free_frame];
    f->x0 = layer->x0;
    f->y0 = layer->y0;
    f->stride = layer->stride;
    f->coarse_log2 = layer->coarse_log2;
    make_frame(f, batch->x, batch->y, batch->count);
    return f->at;
}

#define GATHER(name, type)                                                                                   \
    TERRAIN_CLONES static void name(const type *cells, const int32_t *at, int32_t n, float scale,            \
                                    float offset, float *row) {                                              \
        for (int32_t i = 0; i < n; i++)                                                                      \
            row[i] = offset + scale * (float)cells[at[i]];                                                   \
    }
GATHER(gather_f32, float)
GATHER(gather_i32, int32_t)
GATHER(gather_u16, uint16_t)
GATHER(gather_u8, uint8_t)

static void gather(const struct biome_layer *layer, const int32_t *at, int32_t n, float *row) {
    switch (layer->type) {
    case CELL_F32:
        gather_f32(layer->cells, at, n, layer->scale, layer->offset, row);
        break;
    case CELL_I32:
        gather_i32(layer->cells, at, n, layer->scale, layer->offset, row);
        break;
    case CELL_U16:
        gather_u16(layer->cells, at, n, layer->scale, layer->offset, row);
        break;
    case CELL_U8:
        gather_u8(layer->cells, at, n, layer->scale, layer->offset, row);
        break;
    }
}

const float *biome_batch_row(struct biome_batch *batch, int32_t layer) {
    const struct biome_layer *from = &batch->layers[layer];
    float *row = batch->values[layer];
    if (!batch->gathered[layer]) {
        gather(from, frame_of(batch, from), batch->count, row);
        batch->gathered[layer] = true;
    }
    return row;
}

float biome_layer_value(const struct biome_layer *layer, int32_t x, int32_t y) {
    ptrdiff_t at = sample_at(layer, x, y);
    float code = 0.0f;
    switch (layer->type) {
    case CELL_F32:
        code = ((const float *)layer->cells)[at];
        break;
    case CELL_I32:
        code = (float)((const int32_t *)layer->cells)[at];
        break;
    case CELL_U16:
        code = (float)((const uint16_t *)layer->cells)[at];
        break;
    case CELL_U8:
        code = (float)((const uint8_t *)layer->cells)[at];
        break;
    }
    return layer->offset + layer->scale * code;
}
