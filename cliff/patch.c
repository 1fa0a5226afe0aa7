#include "cliff/patch.h"

#include <string.h>

enum { SIDE = CLIFF_PATCH_CELLS, HALF = SIDE / 2, CELLS = SIDE * SIDE };

static int32_t floor_to(int32_t v, int32_t step) {
    int32_t q = v / step - (v % step != 0 && v < 0);
    return q * step;
}

struct windows {
    const struct cliff_patch_params *params;
    const struct grid_f32 *slope;
    const struct grid_u8 *exclude;
    struct grid_u8 *out;
    int16_t *label, *stack; /* CELLS each */
};

static bool steep(const struct windows *w, int32_t x, int32_t y) {
    const struct grid_f32 *s = w->slope;
    if (x < s->x0 || y < s->y0 || x >= s->x0 + s->width || y >= s->y0 + s->height)
        return false;
    return *grid_f32_at(s, x, y) >= w->params->min_slope_deg &&
           !(w->exclude && *grid_u8_at(w->exclude, x, y));
}

/* Takes the patch that cell `start` of a window belongs to; its size, its cells on the stack. */
static int32_t take_patch(const struct windows *w, int32_t start) {
    int32_t count = 0, done = 0;
    w->stack[count++] = (int16_t)start;
    w->label[start] = 0;
    while (done < count) {
        int32_t at = w->stack[done++], x = at % SIDE, y = at / SIDE;
        for (int32_t b = y > 0 ? y - 1 : 0; b <= y + 1 && b < SIDE; b++)
            for (int32_t a = x > 0 ? x - 1 : 0; a <= x + 1 && a < SIDE; a++)
                if (w->label[b * SIDE + a]) {
                    w->label[b * SIDE + a] = 0;
                    w->stack[count++] = (int16_t)(b * SIDE + a);
                }
    }
    return count;
}

static void judge_window(const struct windows *w, int32_t x0, int32_t y0) {
    bool any = false;
    for (int32_t i = 0; i < CELLS; i++) {
        w->label[i] = steep(w, x0 + i % SIDE, y0 + i / SIDE);
        any |= w->label[i] != 0;
    }
    struct grid_u8 *out = w->out;
    for (int32_t i = 0; any && i < CELLS; i++) {
        int32_t count = w->label[i] ? take_patch(w, i) : 0;
        for (int32_t k = 0; count >= w->params->min_cells && k < count; k++) {
            int32_t x = x0 + w->stack[k] % SIDE, y = y0 + w->stack[k] / SIDE;
            if (x >= out->x0 && y >= out->y0 && x < out->x0 + out->width && y < out->y0 + out->height)
                *grid_u8_at(out, x, y) = 255;
        }
    }
}

bool cliff_patch(const struct cliff_patch_params *params, const struct grid_f32 *slope_deg,
                 const struct grid_u8 *exclude, const struct grid_u8 *include, struct grid_u8 *out,
                 struct arena *scratch) {
    size_t mark = arena_mark(scratch);
    struct windows w = {.params = params, .slope = slope_deg, .exclude = exclude, .out = out};
    w.label = arena_alloc(scratch, CELLS, sizeof *w.label);
    w.stack = arena_alloc(scratch, CELLS, sizeof *w.stack);
    if (!w.label || !w.stack)
        return false;
    for (int32_t y = 0; y < out->height; y++)
        memset(out->cells + y * out->stride, 0, (size_t)out->width);
    for (int32_t y = floor_to(out->y0, HALF) - HALF; y < out->y0 + out->height; y += HALF)
        for (int32_t x = floor_to(out->x0, HALF) - HALF; x < out->x0 + out->width; x += HALF)
            judge_window(&w, x, y);
    for (int32_t y = out->y0; include && y < out->y0 + out->height; y++)
        for (int32_t x = out->x0; x < out->x0 + out->width; x++)
            if (*grid_u8_at(include, x, y) && !(exclude && *grid_u8_at(exclude, x, y)))
                *grid_u8_at(out, x, y) = 255;
    arena_release(scratch, mark);
    return true;
}
