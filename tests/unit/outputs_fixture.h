/* A small world whose outputs are published without running a stage: for the tests of outputs, manifests,
 * verify, diff and export. One of them includes this once: it defines stage_table. */
#ifndef TESTS_OUTPUTS_FIXTURE_H
#define TESTS_OUTPUTS_FIXTURE_H
#include "biome/recipe.h"
#include "f_shape.h"
#include "gen/entity.h"
#include "gen/os.h"
#include "gen/publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A table of stages that nobody runs: only what their layers are matters here. */
static const struct stage ground_stage = {
    .name = "ground_of_test",
    .version = 3,
    .outputs = {{.name = "height", .type = LAYER_F32, .like_heights = true, .unit = "m"},
                {.name = "height_delta", .type = LAYER_F32, .like_heights = true, .unit = "m"},
                {.name = "texture_id", .type = LAYER_U8, .scale = 1, .unit = ""},
                {.name = "tint", .type = LAYER_RGB8, .unit = ""},
                {.name = "slope", .type = LAYER_F32, .unit = "degrees", .min = 0, .max = 90},
                {.name = "flow", .type = LAYER_U16, .scale = 1.0 / 65535, .unit = ""},
                {.name = "mask_*", .type = LAYER_U8, .scale = 1.0 / 255, .unit = ""},
                {.name = "count", .type = LAYER_I32}}};
static const struct stage points_stage = {
    .name = "points_of_test", .version = 1, .outputs = {{.name = "entities", .type = LAYER_BLOB}}};
const struct stage *const stage_table[] = {&ground_stage, &points_stage, NULL};

static char *mask_names[] = {(char *)(uintptr_t) "forest"};
static struct recipe some_recipe = {.masks = mask_names, .mask_count = 1};

static inline struct world make_world(enum height_samples samples) {
    return (struct world){.name = (char *)(uintptr_t) "test",
                          .seed = UINT64_MAX,
                          .extent = {1.0, {-256, 0, 1000, 700}},
                          .height = {.samples = samples},
                          .tools = {TOOL_BIOMES},
                          .tool_count = 1,
                          .recipe = &some_recipe,
                          .output = {.height_min_m = 100, .height_max_m = 100 + 65535.0 / 64}};
}

/* A folder of its own for each test, removed at the end. */
static char folder[64];
static inline int set_up(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test_outputs.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}
static inline int tear_down(void **state) {
    (void)state;
    return os_remove_tree(folder, NULL) == STATUS_OK ? 0 : -1;
}
static inline const char *at(const char *path) {
    static char full[4][PATH_TEXT_MAX];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(full[turn], PATH_TEXT_MAX, "%s/%s", folder, path);
    return full[turn];
}
static inline bool exists(const char *path) {
    struct os_info info;
    assert_int_equal(os_info(at(path), &info, NULL), STATUS_OK);
    return info.kind != OS_NOTHING;
}
static inline char *text_of(const char *path) {
    unsigned char *bytes;
    size_t size;
    assert_int_equal(os_read_file(at(path), 1 << 24, &bytes, &size, NULL), STATUS_OK);
    return (char *)bytes;
}

/* A window of one layer with some halo around `cells`, a value for each sample. */
struct filled {
    struct window window;
    void *samples;
};
static inline struct filled fill(const struct world *world, int32_t output, struct rect cells,
                                 double (*value)(int32_t x, int32_t y)) {
    const struct layer_info *layer = &ground_stage.outputs[output];
    struct filled f = {.window = {.layer = layer}};
    f.window.posts = layer->like_heights && world->height.samples == SAMPLES_POSTS;
    int32_t halo = 3, x0 = cells.x0 - halo, y0 = cells.y0 - halo;
    int32_t w = cells.x1 - cells.x0 + 2 * halo + f.window.posts,
            h = cells.y1 - cells.y0 + 2 * halo + f.window.posts;
    f.samples = calloc((size_t)w * (size_t)h, 4);
    assert_non_null(f.samples);
    f.window.f32 = (struct grid_f32){f.samples, x0, y0, w, h, w};
    f.window.u16 = (struct grid_u16){f.samples, x0, y0, w, h, w};
    f.window.u8 = (struct grid_u8){f.samples, x0, y0, w, h, w};
    if (layer->type == LAYER_RGB8)
        f.window.u8.stride = f.window.u8.width = w * 3;
    for (int32_t y = y0; y < y0 + h; y++)
        for (int32_t x = x0; x < x0 + w; x++) {
            double v = value(x, y);
            if (layer->type == LAYER_F32)
                *grid_f32_at(&f.window.f32, x, y) = (float)v;
            else if (layer->type == LAYER_U16)
                *grid_u16_at(&f.window.u16, x, y) = (uint16_t)v;
            else if (layer->type == LAYER_U8)
                *grid_u8_at(&f.window.u8, x, y) = (uint8_t)v;
            else
                for (int32_t c = 0; c < 3; c++)
                    f.window.u8.cells[(y - y0) * f.window.u8.stride + (x - x0) * 3 + c] = (uint8_t)(v + c);
        }
    return f;
}

/* The F stands at world cell -250, 3: altitudes, and differences from them. */
static inline double f_altitude(int32_t x, int32_t y) {
    return f_shape_ink(x + 250, y - 3) ? 200 : 110;
}
static inline double f_small(int32_t x, int32_t y) {
    return f_shape_ink(x + 250, y - 3) ? 7 : 2;
}

static const struct rect first_section = {-256, 0, 0, 256};

static const struct hash128 made_from = {5, 6};

static inline void publish_section(struct publish *p, const struct world *world, int32_t sx, int32_t sy,
                                   double (*altitude)(int32_t, int32_t)) {
    struct output_list list;
    char job[32];
    snprintf(job, sizeof job, "c%d_%d", sx, sy);
    assert_int_equal(outputs_list(world, &list, NULL), STATUS_OK);
    struct rect cells = extent_block(&world->extent, sx, sy, SECTION_CELLS);
    for (int32_t o = 0; o < 4; o++) {
        struct filled f = fill(world, o, cells, o == 0 ? altitude : f_small);
        assert_int_equal(publish_raster(p, job, outputs_find(&list, ground_stage.outputs[o].name), sx, sy,
                                        &f.window, cells, NULL),
                         STATUS_OK);
        free(f.samples);
    }
    assert_int_equal(publish_job_done(p, job, made_from, NULL), STATUS_OK);
    outputs_free(&list);
}

static inline void publish_points(struct publish *p, const struct world *world, int32_t sx, int32_t sy,
                                  size_t count) {
    static const struct entity_schema schema = {0};
    struct output_list list;
    char job[32];
    snprintf(job, sizeof job, "s%d_%d", sx, sy);
    assert_int_equal(outputs_list(world, &list, NULL), STATUS_OK);
    size_t size = count ? entity_part_size(&schema, count) : 0;
    unsigned char *part = malloc(size + 1);
    assert_non_null(part);
    unsigned char *record = count ? entity_part_head(&schema, count, part) : part;
    for (size_t i = 0; i < count; i++, record += ENTITY_BYTES) {
        struct entity e = {.x = sx * 65536 + (int64_t)i,
                           .y = sy * 65536,
                           .qw = 1,
                           .scale = 1,
                           .object_id = (uint32_t)(i % 3),
                           .id = i + 1};
        entity_encode(&schema, &e, record);
    }
    assert_int_equal(publish_part(p, job, outputs_find(&list, "points"), sx, sy, part, size, NULL, NULL),
                     STATUS_OK);
    assert_int_equal(publish_job_done(p, job, made_from, NULL), STATUS_OK);
    free(part);
    outputs_free(&list);
}

static inline struct publish *open_map(const struct world *world, int32_t x, int32_t y) {
    struct publish *p;
    struct error err;
    if (publish_open(world, folder, x, y, &p, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    return p;
}

static inline struct publish_counts commit(struct publish *p) {
    struct publish_counts counts;
    struct error err;
    if (publish_commit(p, &counts, NULL, &err) != STATUS_OK)
        fail_msg("%s: %s", err.file, err.message);
    return counts;
}

#endif
