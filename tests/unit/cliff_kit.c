#include "cliff_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cliff/patch.h"
#include "terrain/hash.h"
#include "terrain/slope.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = CLIFF_KIT_SIDE, SCRATCH = 96 << 20 };

/* Steps, spurs and a pit between gentle ground; a function of place and of the ground's number. */
static float ground_at(int32_t x, int32_t y, uint32_t which) {
    float h = 100;
    for (uint32_t k = 0; k < 5; k++) {
        uint64_t a = hash_place(which, 77, (int32_t)k, 0, 0);
        float dx = hash_unit(a) - 0.5f, dy = hash_unit(a << 20) - 0.5f,
              length = sqrtf(dx * dx + dy * dy) + 0.01f;
        float along = (dx * (float)(x - SIDE / 2) + dy * (float)(y - SIDE / 2)) / length;
        float from = 80 * (hash_unit(a << 9) - 0.5f), width = 6 + 20 * hash_unit(a << 13);
        float t = (along - from) / width;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        h += width * 1.1f * t * t * (3 - 2 * t);
    }
    return h + 0.6f * hash_unit(hash_place(which, 78, x, y, 0));
}

static void *grid_bytes(size_t count, size_t size) {
    void *bytes = calloc(count, size);
    assert_non_null(bytes);
    return bytes;
}

struct cliff_scene cliff_scene_make(uint32_t which, double step_m, bool posts) {
    struct cliff_scene s = {
        .params = {.cell_m = 1, .posts = posts, .step_m = step_m, .step_z_m = 0.5, .seed = which}};
    for (int32_t p = 0; p < STRATA_PRESETS; p++)
        s.params.frames[p] = strata_frame_of(4 + 15 * p, 110);
    size_t count = (size_t)SIDE * SIDE;
    s.ground = (struct grid_f32){grid_bytes(count, sizeof(float)), 0, 0, SIDE, SIDE, SIDE};
    s.steep = (struct grid_u8){grid_bytes(count, 1), 0, 0, SIDE, SIDE, SIDE};
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            *grid_f32_at(&s.ground, x, y) = ground_at(x, y, which);
    struct grid_f32 slope = {grid_bytes(count, sizeof(float)), 1, 1, SIDE - 2, SIDE - 2, SIDE};
    struct grid_f32 aspect = {grid_bytes(count, sizeof(float)), 1, 1, SIDE - 2, SIDE - 2, SIDE};
    struct slope_params sp = {.cell_m = 1, .posts = posts};
    terrain_slope(&sp, &s.ground, &slope, &aspect);
    s.scratch = (struct arena){grid_bytes(SCRATCH, 1), SCRATCH, 0};
    struct grid_u8 inner = {grid_u8_at(&s.steep, 40, 40), 40, 40, SIDE - 80, SIDE - 80, SIDE};
    struct cliff_patch_params patch = {48, 20};
    assert_true(cliff_patch(&patch, &slope, NULL, NULL, &inner, &s.scratch));
    free(slope.cells);
    free(aspect.cells);
    return s;
}

void cliff_scene_vary(struct cliff_scene *s, uint32_t number) {
    static const uint8_t pixels[16] = {0, 90, 255, 10, 200, 60, 130, 250, 20, 240, 70, 160, 5, 180, 110, 220};
    if (number == 1) {
        s->closed = (struct grid_u8){grid_bytes((size_t)SIDE * SIDE, 1), 0, 0, SIDE, SIDE, SIDE};
        for (int32_t y = 0; y < SIDE; y++)
            for (int32_t x = 0; x < SIDE; x++)
                if (abs(x - y / 2 - 70) < 2 || (x > 140 && y > 130 && x < 156 && y < 150))
                    *grid_u8_at(&s->closed, x, y) = 255;
    } else if (number == 2) {
        s->params.soft_m = 6;
    } else if (number == 3) {
        s->params.image_count = 2;
        s->params.images[0] = (struct cliff_image){pixels, 4, 4, 9, 0.7f};
        s->params.images[1] = (struct cliff_image){pixels, 8, 2, 31, 0.4f};
    }
}

void cliff_scene_free(struct cliff_scene *s) {
    free(s->closed.cells);
    free(s->ground.cells);
    free(s->steep.cells);
    free(s->scratch.base);
}

void cliff_scene_rock(struct cliff_scene *s, const int32_t cells[4], struct cliff_scene_rock *out) {
    const struct cliff_params *p = &s->params;
    int32_t per = (int32_t)(1 / p->step_m), m = cliff_nodes_margin(p), r = cliff_nodes_reach(p);
    int32_t window[4] = {cells[0] * per, cells[1] * per, cells[2] * per, cells[3] * per};
    int32_t nodes_window[4] = {window[0] - m, window[1] - m, window[2] + m, window[3] + m};
    int32_t x0 = cells[0] - r, y0 = cells[1] - r, w = cells[2] - cells[0] + 2 * r,
            h = cells[3] - cells[1] + 2 * r;
    assert_true(x0 >= 0 && y0 >= 0 && x0 + w <= SIDE && y0 + h <= SIDE);
    struct grid_f32 ground = {grid_f32_at(&s->ground, x0, y0), x0, y0, w, h, SIDE};
    struct grid_u8 steep = {grid_u8_at(&s->steep, x0, y0), x0, y0, w, h, SIDE};
    struct grid_u8 closed = s->closed;
    if (closed.cells)
        closed = (struct grid_u8){grid_u8_at(&s->closed, x0, y0), x0, y0, w, h, SIDE};
    struct cliff_masks masks = {.steep = &steep, .closed = closed.cells ? &closed : NULL};
    assert_true(cliff_nodes_make(p, &ground, &masks, nodes_window, &s->scratch, &out->nodes));
    assert_true(cliff_field_make(p, &out->nodes, 50, 300, &s->scratch, &out->field));
    assert_true(cliff_surface_make(&out->field, window, &s->scratch, &out->surface));
}

struct cliff_mesh cliff_scene_part(struct cliff_scene *s, const struct cliff_scene_rock *rock,
                                   const int32_t cells[4]) {
    int32_t per = (int32_t)(1 / s->params.step_m);
    int32_t window[4] = {cells[0] * per, cells[1] * per, cells[2] * per, cells[3] * per};
    struct cliff_mesh mesh;
    assert_true(cliff_surface_sector(&rock->surface, window, window, &s->scratch, &mesh));
    return mesh;
}

struct cliff_mesh cliff_scene_mesh(struct cliff_scene *s, const int32_t cells[4]) {
    struct cliff_scene_rock rock;
    cliff_scene_rock(s, cells, &rock);
    return cliff_scene_part(s, &rock, cells);
}

double cliff_scene_height(const struct cliff_scene *s, double x, double y) {
    double shift = s->params.posts ? 0 : 0.5, u = x - shift, v = y - shift, fu = floor(u), fv = floor(v);
    const float *a = grid_f32_at(&s->ground, (int32_t)fu, (int32_t)fv), *b = a + SIDE;
    double t = u - fu, r = v - fv;
    return ((double)a[0] * (1 - t) + (double)a[1] * t) * (1 - r) +
           ((double)b[0] * (1 - t) + (double)b[1] * t) * r;
}
