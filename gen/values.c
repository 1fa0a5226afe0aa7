#include "gen/values.h"

void values_row(const struct window *window, int32_t x, int32_t y, int32_t count, float *out) {
    const struct layer_info *layer = window->layer;
    double scale = layer->scale == 0.0 ? 1.0 : layer->scale, offset = layer->offset;
    switch (layer->type) {
    case LAYER_F32: {
        const float *in = grid_f32_at(&window->f32, x, y);
        for (int32_t i = 0; i < count; i++)
            out[i] = in[i];
        return;
    }
    case LAYER_I32: {
        const int32_t *in = grid_i32_at(&window->i32, x, y);
        for (int32_t i = 0; i < count; i++)
            out[i] = (float)(offset + scale * in[i]);
        return;
    }
    case LAYER_U16: {
        const uint16_t *in = grid_u16_at(&window->u16, x, y);
        for (int32_t i = 0; i < count; i++)
            out[i] = (float)(offset + scale * in[i]);
        return;
    }
    case LAYER_U8: {
        const uint8_t *in = grid_u8_at(&window->u8, x, y);
        for (int32_t i = 0; i < count; i++)
            out[i] = (float)(offset + scale * in[i]);
        return;
    }
    case LAYER_RGB8:
    case LAYER_BLOB:
        break;
    }
    for (int32_t i = 0; i < count; i++)
        out[i] = 0;
}
