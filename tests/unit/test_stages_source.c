#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/exec.h"
#include "gen/os.h"
#include "gen/source.h"
#include "gen/store.h"
#include "terrain/hash.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two tiles of posts, 296 and 376 cells wide, that meet at x = 0; a hole across the seam and one map's
 * corner. */
#define TILES                                                                                                \
    "terrane: 1\nworld: {name: w, origin_m: [-296, 40], size_m: [672, 301]}\n"                               \
    "height: {files: 'h_{x}_{y}.png', z_min_m: 0, z_max_m: 655.35, nodata: 0}\n"                             \
    "masks: {paint: {files: 'm_{x}_{y}.png'}}\n"
enum { X0 = -296, Y0 = 40, X1 = 376, Y1 = 341, W = X1 - X0, H = Y1 - Y0 };

static bool hole(int32_t x, int32_t y) {
    int32_t dx = x - 20, dy = y - 200;
    return dx * dx + dy * dy < 90 * 90 || (x > 350 && y < 60);
}

static uint16_t code(int32_t x, int32_t y) {
    return hole(x, y)
               ? 0
               : (uint16_t)(20000 + 9 * x + 5 * y + (int32_t)(hash_place(6, 6, x >> 3, y >> 3, 0) & 63));
}

static uint8_t paint(int32_t x, int32_t y) {
    return (uint8_t)hash_place(7, 7, x >> 4, y >> 4, 0);
}

static void put_tiles(int32_t changed_x, int32_t changed_y) {
    for (int32_t map = -1; map < 1; map++) {
        int32_t x0 = map < 0 ? X0 : 0, x1 = map < 0 ? 0 : X1, w = x1 - x0 + 1;
        uint16_t *codes = malloc((size_t)w * (H + 1) * sizeof *codes);
        uint8_t *grey = malloc((size_t)w * H);
        char name[32];
        for (int32_t i = 0; i < w * (H + 1); i++) {
            int32_t x = x0 + i % w, y = Y1 - i / w;
            codes[i] = (uint16_t)(code(x, y) + (x == changed_x && y == changed_y ? 1000 : 0));
        }
        for (int32_t i = 0; i < (w - 1) * H; i++)
            grey[i] = paint(x0 + i % (w - 1), Y1 - 1 - i / (w - 1));
        snprintf(name, sizeof name, "h_%d_0.png", map);
        put_png16(image_path(name), w, H + 1, codes);
        snprintf(name, sizeof name, "m_%d_0.png", map);
        put_png8(image_path(name), w - 1, H, grey);
        free(codes);
        free(grey);
    }
}

/* The layers of the whole world. */
struct result {
    float heights[(W + 1) * (H + 1)];
    uint8_t voids[W * H], paint[W * H];
};

static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER; /* pieces share posts */

struct copy {
    struct result *result;
    bool masks;
    struct rect cells;
};

static enum status copy_out(void *context, const struct window *windows, struct hash128 inputs,
                            struct arena *scratch, struct error *err) {
    const struct copy *c = context;
    (void)inputs, (void)scratch, (void)err;
    assert_true(windows[0].posts);
    pthread_mutex_lock(&copying);
    for (int32_t y = c->cells.y0; y <= c->cells.y1; y++)
        memcpy(c->result->heights + (y - Y0) * (W + 1) + (c->cells.x0 - X0),
               grid_f32_at(&windows[0].f32, c->cells.x0, y),
               (size_t)(c->cells.x1 - c->cells.x0 + 1) * sizeof(float));
    for (int32_t y = c->cells.y0; c->masks && y < c->cells.y1; y++) {
        size_t at = (size_t)((y - Y0) * W + c->cells.x0 - X0), n = (size_t)(c->cells.x1 - c->cells.x0);
        memcpy(c->result->voids + at, grid_u8_at(&windows[1].u8, c->cells.x0, y), n);
        memcpy(c->result->paint + at, grid_u8_at(&windows[2].u8, c->cells.x0, y), n);
    }
    pthread_mutex_unlock(&copying);
    return STATUS_OK;
}

struct counts {
    int64_t raw, filled, solved;
};

/* masks: the layers `void` and `mask.paint` too; they are not kept, so that asking for them makes them again.
 */
static enum status bake(const struct world *world, const struct rect *rects, size_t count, int32_t threads,
                        bool masks, struct result *result, struct counts *counts, struct error *err) {
    struct source_set *sources;
    struct store *store;
    static struct copy copies[64];
    static struct exec_job jobs[64];
    static const struct exec_input inputs[] = {{"height_in", 0}, {"void", 0}, {"mask.paint", 0}};
    struct exec_report report = {0};
    assert_true(count <= 64);
    assert_int_equal(source_open(world, image_path("store"), &sources, NULL), STATUS_OK);
    assert_int_equal(store_open(image_path("store"), (uint64_t)1 << 30, false, &store, NULL), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        copies[i] = (struct copy){result, masks, rects[i]};
        jobs[i] = (struct exec_job){
            .cells = rects[i],
            .input_count = masks ? 3 : 1,
            .inputs = inputs,
            .run = copy_out,
            .context = &copies[i],
        };
    }
    struct exec_options options = {.threads = threads, .memory_limit = (uint64_t)1 << 30};
    enum status status = exec_run(world, sources, store, &options, jobs, count, &report, err);
    *counts = (struct counts){0};
    for (int32_t i = 0; i < report.stage_count; i++) {
        const struct exec_count *c = &report.stages[i];
        int64_t *to = !strcmp(c->stage->name, "height_raw")   ? &counts->raw
                      : !strcmp(c->stage->name, "height_in")  ? &counts->filled
                      : !strcmp(c->stage->name, "void_world") ? &counts->solved
                                                              : NULL;
        if (to)
            *to = c->runs;
    }
    store_close(store);
    source_close(sources);
    return status;
}

static const struct rect all = {X0, Y0, X1, Y1};

static void forget(const char *name) {
    assert_int_equal(os_remove_tree(image_path(name), NULL), STATUS_OK);
}

static void bake_all(bool masks, struct result *result, struct counts *counts) {
    struct error err = {0};
    struct world *world = load_text(TILES, NULL, "");
    if (bake(world, &all, 1, 2, masks, result, counts, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    world_free(world);
}

static void layers_hold_the_inputs(void **state) {
    (void)state;
    struct result *r = calloc(1, sizeof *r);
    struct counts counts;
    put_tiles(0, -1);
    bake_all(true, r, &counts);
    for (int32_t y = Y0; y <= Y1; y++)
        for (int32_t x = X0; x <= X1; x++) {
            float v = r->heights[(y - Y0) * (W + 1) + x - X0];
            if (hole(x, y))
                assert_true(v > 150 && v < 260);
            else
                assert_true(v == (float)((655.35 / 65535) * code(x, y)));
        }
    for (int32_t y = Y0; y < Y1; y++)
        for (int32_t x = X0; x < X1; x++) {
            bool any = hole(x, y) || hole(x + 1, y) || hole(x, y + 1) || hole(x + 1, y + 1);
            assert_int_equal(r->voids[(y - Y0) * W + x - X0], any ? 255 : 0);
            assert_int_equal(r->paint[(y - Y0) * W + x - X0], paint(x, y));
        }
    free(r);
}

/* 24 pieces in an order by hash, on 1, 2 and 3 threads, cold: the bits of the whole. */
static void any_subset_gives_the_same_bits(void **state) {
    (void)state;
    struct result *whole = calloc(1, sizeof *whole), *parts = calloc(1, sizeof *parts);
    struct counts counts;
    struct rect rects[24];
    put_tiles(0, -1);
    bake_all(true, whole, &counts);
    for (int32_t i = 0; i < 24; i++) {
        int32_t place = i * 7 % 24, x = place % 6, y = place / 6;
        rects[i] =
            (struct rect){X0 + 112 * x, Y0 + 80 * y, X0 + 112 * (x + 1), y == 3 ? Y1 : Y0 + 80 * (y + 1)};
    }
    for (int32_t threads = 1; threads <= 3; threads++) {
        struct world *world = load_text(TILES, NULL, "");
        struct error err = {0};
        forget("store");
        memset(parts, 0xee, sizeof *parts);
        if (bake(world, rects, 24, threads, true, parts, &counts, &err) != STATUS_OK)
            fail_msg("%s: %s", err.file, err.message);
        assert_memory_equal(parts, whole, sizeof *whole);
        world_free(world);
    }
    free(whole);
    free(parts);
}

/* An edit of one map's file looks again at that map's sections and at those that share its border posts. */
static void an_edit_stays_in_its_map(void **state) {
    (void)state;
    struct result *r = calloc(1, sizeof *r);
    struct counts counts;
    forget("store");
    put_tiles(0, -1);
    bake_all(false, r, &counts);
    assert_int_equal(counts.raw, 8); /* sections -2 .. 1 by 0 .. 1 */
    assert_int_equal(counts.solved, 1);
    bake_all(false, r, &counts);
    assert_int_equal(counts.raw + counts.filled + counts.solved, 0);
    put_tiles(-290, 330); /* far from the border, in map -1 */
    bake_all(false, r, &counts);
    assert_int_equal(counts.raw, 6);    /* section columns -2 and -1, and 0 for the posts at x = 0 */
    assert_int_equal(counts.filled, 4); /* what lies within the reach of voids of section -2,1's sectors */
    free(r);
}

static void a_world_of_nothing_is_refused(void **state) {
    (void)state;
    struct result *r = calloc(1, sizeof *r);
    struct counts counts;
    struct error err = {0};
    forget("store");
    put_zero16("h_-1_0.png", 297, H + 1);
    put_zero16("h_0_0.png", 377, H + 1);
    struct world *world = load_text(TILES, NULL, "");
    assert_int_equal(bake(world, &all, 1, 2, true, r, &counts, &err), STATUS_INPUT);
    assert_non_null(strstr(
        err.message, "the heights have no data anywhere: every sample is nodata or its map is missing"));
    world_free(world);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_hold_the_inputs),
        cmocka_unit_test(any_subset_gives_the_same_bits),
        cmocka_unit_test(an_edit_stays_in_its_map),
        cmocka_unit_test(a_world_of_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
