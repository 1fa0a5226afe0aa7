#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/source_kit.h"

#include "terrain/hash.h"
#include "tests/unit/image_files.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct fixture *make_world(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->world.extent = (struct extent){1.0, {x0, y0, x1, y1}};
    f->world.height.source.files = f->heights;
    f->world.height.z_min_m = 100;
    f->world.height.z_max_m = 100 + 655.35;
    f->world.masks = &f->mask;
    f->mask.source.files = f->masks;
    f->world.mask_count = 1;
    return f;
}

/* Adds a file; its path's content need not be there yet: call identify when it is. */
struct source_file *add_file(struct fixture *f, bool mask, const char *name, bool whole, int32_t x, int32_t y,
                             int32_t width, int32_t height) {
    struct source *s = mask ? &f->mask.source : &f->world.height.source;
    char *path = f->paths[s->file_count + (mask ? FILES_MAX : 0)];
    assert_true(s->file_count < FILES_MAX);
    snprintf(path, IMAGE_PATH_MAX, "%s", image_path(name));
    struct source_file *file = &s->files[s->file_count++];
    *file = (struct source_file){.path = path,
                                 .whole = whole,
                                 .map_x = x,
                                 .map_y = y,
                                 .present = true,
                                 .width_px = width,
                                 .height_px = height};
    return file;
}

void identify(struct fixture *f) {
    for (size_t i = 0; i < f->world.height.source.file_count; i++)
        if (f->heights[i].present)
            assert_int_equal(image_file_id(f->heights[i].path, &f->heights[i].id, NULL), STATUS_OK);
    for (size_t i = 0; i < f->mask.source.file_count; i++)
        if (f->masks[i].present)
            assert_int_equal(image_file_id(f->masks[i].path, &f->masks[i].id, NULL), STATUS_OK);
}

struct source_set *open_set(struct fixture *f) {
    struct source_set *set;
    struct error err = {0};
    identify(f);
    if (source_open(&f->world, image_path("cache"), &set, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    return set;
}

struct grid_f32 read_window(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                            float *cells) {
    struct grid_f32 out = {cells, x0, y0, x1 - x0, y1 - y0, x1 - x0};
    struct error err = {0};
    if (source_read_height(set, &out, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    return out;
}

struct grid_u8 read_codes(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                          uint8_t *cells) {
    struct grid_u8 out = {cells, x0, y0, x1 - x0, y1 - y0, x1 - x0};
    struct error err = {0};
    if (source_read_mask(set, 0, &out, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    return out;
}

void assert_near(float got, double want) {
    if (!(fabs((double)got - want) <= 1e-4))
        fail_msg("%.9g, not %.9g", (double)got, want);
}

enum status try_window(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                       struct error *err) {
    float *cells = malloc((size_t)(x1 - x0) * (size_t)(y1 - y0) * sizeof *cells);
    struct grid_f32 out = {cells, x0, y0, x1 - x0, y1 - y0, x1 - x0};
    enum status status = source_read_height(set, &out, err);
    free(cells);
    return status;
}

void assert_error(const struct error *err, enum status status, const char *file, const char *message) {
    assert_string_equal(err->message, message);
    assert_string_equal(err->file, file);
    assert_int_equal(err->status, status);
}

/* Codes of a world-wide field, for tiles cut out of it. */
uint16_t field(int32_t x, int32_t y) {
    return (uint16_t)(hash_place(3, 5, x, y, 0) & 0x7fff);
}

float field_metres(int32_t x, int32_t y) {
    return (float)(100 + (655.35 / 65535) * field(x, y));
}

/* A tile with its first sample in the north-west at (x0, y1). */
void put_tile(const char *path, int32_t x0, int32_t y1, int32_t width, int32_t height) {
    uint16_t *codes = malloc((size_t)width * (size_t)height * sizeof *codes);
    for (int32_t i = 0; i < width * height; i++)
        codes[i] = field(x0 + i % width, y1 - i / width);
    put_png16(path, width, height, codes);
    free(codes);
}

/* A world of 2 x 2 maps around (0, 0), none of them whole. more: posts that a tile holds beyond its cells. */
struct fixture *tiled_world(enum height_samples samples, int32_t more) {
    struct fixture *f = make_world(-70, -50, 90, 40);
    f->world.height.samples = samples;
    for (int32_t y = -1; y < 1; y++)
        for (int32_t x = -1; x < 1; x++) {
            struct rect c = extent_block(&f->world.extent, x, y, MAP_CELLS);
            char name[32];
            snprintf(name, sizeof name, "tile_x%d_y%d.png", x, y);
            int32_t w = c.x1 - c.x0 + more, h = c.y1 - c.y0 + more;
            put_tile(add_file(f, false, name, false, x, y, w, h)->path, c.x0,
                     samples == SAMPLES_POSTS ? c.y1 : c.y1 - 1, w, h);
        }
    return f;
}

void assert_field(const struct grid_f32 *g, int32_t east, int32_t south) {
    for (int32_t y = g->y0; y < g->y0 + g->height; y++)
        for (int32_t x = g->x0; x < g->x0 + g->width; x++) {
            float want = field_metres(x < east ? x : east, y > south ? y : south);
            if (*grid_f32_at(g, x, y) != want)
                fail_msg("at %d,%d: %.9g, not %.9g", x, y, (double)*grid_f32_at(g, x, y), (double)want);
        }
}
