#include "tests/unit/biome_world_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/hasher.h"
#include "gen/os.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- layers to stand on ---- */

static const char *const fields[4] = {"altitude", "slope", "latitude", "longitude"};
struct rect kit_painted_over;

static enum status no_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                             struct error *err) {
    (void)world, (void)arg, (void)in, (void)err;
    return STATUS_OK;
}

uint8_t kit_wind_code(int32_t x, int32_t y) {
    return (uint8_t)(x + 3 * y);
}

static enum status fields_run(struct stage_run *run, struct error *err) {
    (void)err;
    for (int32_t o = 0; o < 4; o++) {
        struct grid_f32 out = tile_f32(run->outputs[o]);
        for (int32_t y = out.y0; y < out.y0 + out.height; y++)
            for (int32_t x = out.x0; x < out.x0 + out.width; x++)
                *grid_f32_at(&out, x, y) = kit_value(fields[o], x, y);
    }
    struct grid_u8 wind = tile_u8(run->outputs[4]);
    for (int32_t y = wind.y0; y < wind.y0 + wind.height; y++)
        for (int32_t x = wind.x0; x < wind.x0 + wind.width; x++)
            *grid_u8_at(&wind, x, y) = kit_wind_code(x, y);
    return STATUS_OK;
}

uint8_t kit_paint_code(int32_t x, int32_t y) {
    bool over = x >= kit_painted_over.x0 && x < kit_painted_over.x1 && y >= kit_painted_over.y0 &&
                y < kit_painted_over.y1;
    return (uint8_t)(20 + (over ? 0 : kit_biome(2, x, y)));
}

static void paint_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)world, (void)arg;
    hash_bytes(h, &kit_painted_over, sizeof kit_painted_over);
}

static enum status paint_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_u8_at(&out, x, y) = kit_paint_code(x, y);
    return STATUS_OK;
}

static float ground(int32_t x, int32_t y) {
    return 100.0f + 0.25f * (float)x - 0.5f * (float)y;
}

static enum status height_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_f32 out = tile_f32(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_f32_at(&out, x, y) = ground(x, y);
    return STATUS_OK;
}

const struct stage kit_stage_fields = {
    .name = "fields",
    .version = 1,
    .outputs = {{.name = "altitude", .type = LAYER_F32, .scale = 1, .min = 1200, .max = 1800},
                {.name = "slope", .type = LAYER_F32, .scale = 1, .max = 90},
                {.name = "latitude", .type = LAYER_F32, .scale = 1, .max = 1},
                {.name = "longitude", .type = LAYER_F32, .scale = 1, .max = 1},
                {.name = "wind_dir", .type = LAYER_U8, .scale = 360.0 / 256, .max = 360, .unit = "degrees"}},
    .inputs = no_inputs,
    .run = fields_run,
};
const struct stage kit_stage_paint = {
    .name = "paint",
    .version = 1,
    .outputs = {{.name = "mask.*", .type = LAYER_U8, .scale = 1, .max = 255}},
    .inputs = no_inputs,
    .settings = paint_settings,
    .run = paint_run,
};
const struct stage kit_stage_height = {
    .name = "height",
    .version = 1,
    .outputs = {{.name = "height", .type = LAYER_F32, .scale = 1, .like_heights = true}},
    .inputs = no_inputs,
    .run = height_run,
};

/* ---- a world ---- */

const char kit_text[] =
    "recipe: 1\nbiomes: {wood: {}, field: {}}\nspecies:\n"
    "  oak: {biomes: all, priority: 100, density_per_ha: 700, viability_radius_m: 4, priority_radius_m: 2.5, "
    "height_m: "
    "[6, 30], age: {max_m: 17, over: 0.2}, density_over: age, density_ramp: [[0, 1], [1, 0.7]], writes: "
    "[{mask: "
    "forest, falloff_m: 2}, {raise_m: 0.5, falloff_m: 3, where: [{layer: age_oak}]}, {textures: [[0.4, 9]], "
    "falloff_m: "
    "5}, {tint: \"#404040\", where: [{layer: slope, under: 30}]}], viability: [{layer: latitude}, {layer: "
    "slope, under: "
    "30, soft: "
    "20}]}\n"
    "  elm: {biomes: wood, priority: 100, density_per_ha: 700, viability_radius_m: 3, height_m: [6, 20], "
    "viability: "
    "[{layer: longitude, weight: 0.8}]}\n"
    "  bush: {biomes: all, priority: 50, align: 1, forward: downslope, yaw_jitter_deg: 0, density_per_ha: "
    "900, viability_radius_m: 1.4, height_m: [1, 3], "
    "viability: "
    "[{layer: altitude, under: 1600, soft: 200}, {layer: mask_forest, invert: true, floor: 0.3}, {layer: "
    "age_oak, floor: 0.8}]}\n"
    "  fern: {biomes: field, priority: 10, density_per_ha: 4000, forward: wind, yaw_deg: 20, "
    "yaw_jitter_deg: 0, color_jitter: 0, tint: {stack: [{layer: latitude}], colors: [[0, \"#000000\"], [1, "
    "\"#ff8040\"]]}, viability_radius_m: 0.6, heeds: {100: "
    "trunk, default: "
    "0.5}, height_m: [0.3, 1], viability: [{layer: longitude, over: 0.3, soft: 0.2}]}\n";

_Static_assert(sizeof kit_text <= KIT_TEXT_MAX, "the copies that tests change have no more room");

static struct legend_entry legend[2];
static struct world_mask paint;
static char wood[] = "wood", field[] = "field", biome_paint[] = "biome_paint";

struct world kit_world(struct recipe *recipe) {
    struct world world;
    memset(&world, 0, sizeof world);
    legend[0] = (struct legend_entry){.name = wood, .code = 20};
    legend[1] = (struct legend_entry){.name = field, .code = 21};
    memset(&paint, 0, sizeof paint);
    paint.source.name = biome_paint;
    paint.legend = legend;
    paint.legend_count = 2;
    world.masks = &paint;
    world.mask_count = 1;
    world.seed = 5;
    world.extent.cell_m = 1.0;
    world.extent.cells = (struct rect){-70, -100, 330, 300}; /* six sections, partial, negative */
    world.recipe = recipe;
    return world;
}

static const char *const asked[KIT_LAYERS] = {"stand.0",        "stand.1",         "stand.2",
                                              "stock.2",        "entities",        "mask_forest",
                                              "imprint_height", "imprint_texture", "imprint_tint"};

static void keep_bytes(struct kit_result *r, const struct tile *tile, int32_t layer) {
    if (layer < KIT_TIERS) {
        r->count[layer] = tile->size / sizeof(struct biome_candidate);
        r->stand[layer] = malloc(tile->size + 1);
        memcpy(r->stand[layer], tile->bytes, tile->size);
    }
    for (int32_t i = 0; i < 16; i++) {
        size_t size = tile->size ? tile->part_at[i + 1] - tile->part_at[i] : 0;
        if (layer == 3 && size) {
            struct biome_stock s;
            memcpy(&s, tile->bytes + tile->part_at[i], sizeof s);
            r->stock.candidates += s.candidates;
            r->stock.stand += s.stand;
            r->stock.undecided += s.undecided;
        } else if (layer == 4) {
            r->entity_bytes[i] = size;
            r->entities[i] = malloc(size + 1);
            memcpy(r->entities[i], tile->bytes + tile->part_at[i], size);
        }
    }
}

static enum status look(void *context, const struct window *w, struct hash128 inputs, struct arena *scratch,
                        struct error *err) {
    (void)inputs, (void)scratch, (void)err;
    struct kit_result *r = context;
    for (int32_t l = 0; l < KIT_LAYERS; l++) {
        const struct tile *tile = w[l].tiles[0];
        struct hasher h;
        hasher_reset(&h);
        hash_bytes(&h, tile->bytes, tile->size);
        r->hash[l] = hasher_digest(&h);
        if (l < 5)
            keep_bytes(r, tile, l);
    }
    return STATUS_OK;
}

char *kit_fresh_dir(void) {
    static char dir[256];
    struct error err;
    snprintf(dir, sizeof dir, "/tmp/terrane-test-biome-%ld", (long)getpid());
    os_remove_tree(dir, &err);
    return dir;
}

void kit_bake_world(const struct world *world, const char *dir, int32_t threads, int32_t only,
                    struct kit_bake *bake) {
    struct rect s = rect_blocks(world->extent.cells, SECTION_CELLS);
    struct exec_input inputs[KIT_LAYERS] = {{0}};
    for (int32_t l = 0; l < KIT_LAYERS; l++)
        inputs[l].layer = asked[l];
    struct exec_job jobs[KIT_SECTIONS_MAX];
    struct store *store;
    struct error err = {0};
    assert_int_equal(store_open(dir, (uint64_t)1 << 30, false, &store, &err), STATUS_OK);
    memset(jobs, 0, sizeof jobs);
    memset(bake, 0, sizeof *bake);
    int32_t n = 0;
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++, n++) {
            if (only >= 0 && n != only)
                continue;
            struct exec_job *job = &jobs[bake->count];
            bake->results[bake->count].x = x;
            bake->results[bake->count].y = y;
            job->cells = extent_block(&world->extent, x, y, SECTION_CELLS);
            job->input_count = KIT_LAYERS;
            job->inputs = inputs;
            job->run = look;
            job->context = &bake->results[bake->count++];
        }
    struct exec_options options = {.threads = threads, .memory_limit = (uint64_t)1 << 30};
    enum status status =
        exec_run(world, NULL, store, &options, jobs, (size_t)bake->count, &bake->report, &err);
    store_close(store);
    if (status != STATUS_OK)
        fail_msg("%s", err.message);
}

void kit_bake_free(struct kit_bake *bake) {
    for (int32_t i = 0; i < bake->count; i++) {
        for (int32_t t = 0; t < KIT_TIERS; t++)
            free(bake->results[i].stand[t]);
        for (int32_t k = 0; k < 16; k++)
            free(bake->results[i].entities[k]);
    }
}

void kit_assert_same(const struct kit_bake *a, const struct kit_bake *b) {
    int32_t met = 0;
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t k = 0; k < b->count; k++)
            if (a->results[i].x == b->results[k].x && a->results[i].y == b->results[k].y) {
                assert_memory_equal(a->results[i].hash, b->results[k].hash, sizeof a->results[i].hash);
                met++;
            }
    assert_int_equal(met, a->count < b->count ? a->count : b->count);
}

int kit_by_id(const void *a, const void *b) {
    const struct biome_candidate *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}
