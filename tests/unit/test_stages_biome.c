/* The biome stages through the executor: sections, threads and subsets make no difference; what stands equals
 * competition on the undivided field; entities lie on the ground, in order, in their sector. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/overrule.h"
#include "biome/patch.h"
#include "biome/zones.h"
#include "biome_kit.h"
#include "gen/entity.h"
#include "gen/exec.h"
#include "gen/hasher.h"
#include "gen/os.h"
#include "gen/stages_biome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- layers to stand on ---- */

static const char *const fields[4] = {"altitude", "slope", "latitude", "longitude"};
static struct rect painted_over; /* cells that somebody painted as biome 0 */

static enum status no_inputs(const struct world *world, const char *arg, struct stage_inputs *in,
                             struct error *err) {
    (void)world, (void)arg, (void)in, (void)err;
    return STATUS_OK;
}

static uint8_t wind_code(int32_t x, int32_t y) {
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
            *grid_u8_at(&wind, x, y) = wind_code(x, y);
    return STATUS_OK;
}

static uint8_t paint_code(int32_t x, int32_t y) {
    bool over = x >= painted_over.x0 && x < painted_over.x1 && y >= painted_over.y0 && y < painted_over.y1;
    return (uint8_t)(20 + (over ? 0 : kit_biome(2, x, y)));
}

static void paint_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)world, (void)arg;
    hash_bytes(h, &painted_over, sizeof painted_over);
}

static enum status paint_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++)
            *grid_u8_at(&out, x, y) = paint_code(x, y);
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

static const struct stage stage_fields = {
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
static const struct stage stage_paint = {
    .name = "paint",
    .version = 1,
    .outputs = {{.name = "mask.*", .type = LAYER_U8, .scale = 1, .max = 255}},
    .inputs = no_inputs,
    .settings = paint_settings,
    .run = paint_run,
};
static const struct stage stage_test_height = {
    .name = "height",
    .version = 1,
    .outputs = {{.name = "height", .type = LAYER_F32, .scale = 1, .like_heights = true}},
    .inputs = no_inputs,
    .run = height_run,
};

const struct stage *const stage_table[] = {
    &stage_fields,       &stage_paint,        &stage_test_height,    &stage_biome_id,
    &stage_patch,        &stage_age,          &stage_candidates,     &stage_compete,
    &stage_stand,        &stage_mask_written, &stage_imprint_height, &stage_imprint_texture,
    &stage_imprint_tint, &stage_entities,     &stage_zone,           NULL};

/* ---- a world ---- */

static const char text[] =
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

static struct legend_entry legend[2];
static struct world_mask paint;
static char wood[] = "wood", field[] = "field", biome_paint[] = "biome_paint";

static struct world make_world(struct recipe *recipe) {
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

enum { SECTIONS_MAX = 16, LAYERS = 9, TIERS = 3 };
static const char *const asked[LAYERS] = {"stand.0",        "stand.1",         "stand.2",
                                          "stock.2",        "entities",        "mask_forest",
                                          "imprint_height", "imprint_texture", "imprint_tint"};

struct result {
    int32_t x, y;
    struct hash128 hash[LAYERS];
    struct biome_candidate *stand[TIERS];
    size_t count[TIERS];
    unsigned char *entities[16];
    size_t entity_bytes[16];
    struct biome_stock stock; /* of the fern */
};

static void keep_bytes(struct result *r, const struct tile *tile, int32_t layer) {
    if (layer < TIERS) {
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
    struct result *r = context;
    for (int32_t l = 0; l < LAYERS; l++) {
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

struct bake {
    struct result results[SECTIONS_MAX];
    int32_t count;
    struct exec_report report;
};

static char *fresh_dir(void) {
    static char dir[256];
    struct error err;
    snprintf(dir, sizeof dir, "/tmp/terrane-test-biome-%ld", (long)getpid());
    os_remove_tree(dir, &err);
    return dir;
}

static void bake_world(const struct world *world, const char *dir, int32_t threads, int32_t only,
                       struct bake *bake) {
    struct rect s = rect_blocks(world->extent.cells, SECTION_CELLS);
    struct exec_input inputs[LAYERS] = {{0}};
    for (int32_t l = 0; l < LAYERS; l++)
        inputs[l].layer = asked[l];
    struct exec_job jobs[SECTIONS_MAX];
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
            job->input_count = LAYERS;
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

static void bake_free(struct bake *bake) {
    for (int32_t i = 0; i < bake->count; i++) {
        for (int32_t t = 0; t < TIERS; t++)
            free(bake->results[i].stand[t]);
        for (int32_t k = 0; k < 16; k++)
            free(bake->results[i].entities[k]);
    }
}

static void assert_same(const struct bake *a, const struct bake *b) {
    int32_t met = 0;
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t k = 0; k < b->count; k++)
            if (a->results[i].x == b->results[k].x && a->results[i].y == b->results[k].y) {
                assert_memory_equal(a->results[i].hash, b->results[k].hash, sizeof a->results[i].hash);
                met++;
            }
    assert_int_equal(met, a->count < b->count ? a->count : b->count);
}

/* ---- tests ---- */

static void threads_and_subsets_make_no_difference(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct world world = make_world(recipe);
    struct bake whole, other;
    bake_world(&world, fresh_dir(), 1, -1, &whole);
    bake_world(&world, fresh_dir(), 3, -1, &other);
    assert_same(&whole, &other);
    bake_free(&other);
    for (int32_t i = 0; i < whole.count; i++) {
        bake_world(&world, fresh_dir(), 2, i, &other);
        assert_int_equal(other.count, 1);
        assert_same(&whole, &other);
        bake_free(&other);
    }
    fresh_dir();
    bake_free(&whole);
    recipe_free(recipe);
}

static int by_id(const void *a, const void *b) {
    const struct biome_candidate *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* In place of a field of the kit: the age of the oak over the whole world at once. */
static void set_age(const struct recipe *recipe, struct kit_ground *g) {
    enum { BLOCKS = 200, ROOM = 1 << 23 };
    static uint8_t patch_cells[BLOCKS * BLOCKS], age_cells[BLOCKS * BLOCKS];
    struct grid_u8 patch = {patch_cells, -35, -50, BLOCKS, BLOCKS, BLOCKS}, age = patch;
    struct arena arena = {malloc(ROOM), ROOM, 0};
    const struct recipe_species *oak = &recipe->species[0];
    age.cells = age_cells;
    assert_int_equal(biome_patch(recipe, oak, &g->biome_id, g->layers, &patch, &arena, NULL), STATUS_OK);
    assert_int_equal(biome_age(oak, 1.0, &patch, &age, &arena, NULL), STATUS_OK);
    g->layers[oak->age.layer] = (struct biome_layer){
        CELL_U8, age_cells, age.x0, age.y0, BLOCKS, PATCH_LOG2, (float)(1.0 / 255.0), 0.0f};
    free(arena.base);
}

/* The tier that reads no mask, by kernels over the whole world at once. */
static void what_stands_equals_the_undivided_field(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct world world = make_world(recipe);
    struct kit_ground ground_layers;
    struct bake bake;
    bake_world(&world, fresh_dir(), 2, -1, &bake);
    kit_ground_make(&ground_layers, recipe, -70, -100, 400);
    set_age(recipe, &ground_layers);
    size_t count, sum = 0, at = 0;
    struct biome_candidate *c =
        kit_candidates(recipe, 0, world.seed, &ground_layers, -70, -100, 330, 300, &count);
    uint8_t *decided = calloc(count, 1);
    struct arena arena = {malloc(biome_compete_scratch(count)), biome_compete_scratch(count), 0};
    assert_int_equal(biome_compete(recipe, c, count, RECIPE_ROUNDS, decided, NULL, &arena, NULL), STATUS_OK);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (decided[i] == RIVAL_STANDS)
            c[kept++] = c[i];
    for (int32_t i = 0; i < bake.count; i++)
        sum += bake.results[i].count[0];
    assert_int_equal(sum, kept);
    struct biome_candidate *all = malloc((sum + 1) * sizeof *all);
    for (int32_t i = 0; i < bake.count; i++)
        for (size_t k = 0; k < bake.results[i].count[0]; k++)
            all[at++] = bake.results[i].stand[0][k];
    qsort(all, sum, sizeof *all, by_id);
    qsort(c, kept, sizeof *c, by_id);
    assert_memory_equal(all, c, kept * sizeof *c);
    free(all);
    free(c);
    free(decided);
    free(arena.base);
    kit_ground_free(&ground_layers);
    bake_free(&bake);
    fresh_dir();
    recipe_free(recipe);
}

static void entities_lie_in_their_sector_on_the_ground_in_order(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct world world = make_world(recipe);
    struct bake bake;
    size_t entities = 0, standing = 0, classed = 0, ferns = 0, bushes = 0, turned = 0;
    bake_world(&world, fresh_dir(), 2, -1, &bake);
    for (int32_t i = 0; i < bake.count; i++) {
        const struct result *r = &bake.results[i];
        for (int32_t t = 0; t < TIERS; t++)
            standing += r->count[t];
        ferns += r->count[2];
        assert_int_equal(r->stock.stand, r->count[2]);
        assert_int_equal(r->stock.undecided, 0);
        assert_true(r->stock.candidates >= r->stock.stand);
        for (int32_t k = 0; k < 16; k++) {
            struct entity_part part;
            if (r->entity_bytes[k] == 0)
                continue;
            assert_int_equal(entity_part_open(r->entities[k], r->entity_bytes[k], &part, NULL), STATUS_OK);
            uint64_t last = 0;
            for (size_t n = 0; n < part.class_count; n++)
                classed += entity_part_class(&part, n).count;
            for (size_t e = 0; e < part.count; e++) {
                const unsigned char *record = part.records + e * ENTITY_BYTES;
                struct entity entity;
                entity_decode(&part.schema, record, &entity);
                assert_null(entity_wrong(&part.schema, record));
                double x = entity_metres(entity.x), y = entity_metres(entity.y), z = entity_metres(entity.z);
                assert_int_equal((int32_t)floor(x / 64), r->x * 4 + k % 4);
                assert_int_equal((int32_t)floor(y / 64), r->y * 4 + k / 4);
                if (x > -69 && x < 329 && y > -99 && y < 299) /* at the edge the ground goes on flat */
                    assert_true(fabs(z - (100 + 0.25 * (x - 0.5) - 0.5 * (y - 0.5))) < 1.5 / 1024);
                bool inside = x > -69 && x < 329 && y > -99 && y < 299;
                if (inside && entity.object_id == recipe_object_id("bush")) { /* square to the ground */
                    double qx = (double)entity.qx, qy = (double)entity.qy, qz = (double)entity.qz,
                           qw = (double)entity.qw, normal = sqrt(1 + 0.0625 + 0.25);
                    assert_true(fabs(2 * (qx * qz + qw * qy) + 0.25 / normal) < 1e-4);
                    assert_true(fabs(2 * (qy * qz - qw * qx) - 0.5 / normal) < 1e-4);
                    assert_true(2 * (qy * qz + qw * qx) < -0.4); /* its heading goes down */
                    bushes++;
                }
                if (entity.object_id == recipe_object_id("fern")) {
                    int32_t cx = (int32_t)floor(x), cy = (int32_t)floor(y);
                    double yaw = (20 + 180 + wind_code(cx, cy) * 360.0 / 256) * acos(-1.0) / 180;
                    double qz = (double)entity.qz, qw = (double)entity.qw; /* heads with the wind */
                    assert_true(fabs(-2 * qz * qw - sin(yaw)) < 1e-5);
                    assert_true(fabs(1 - 2 * qz * qz - cos(yaw)) < 1e-5);
                    double tint = (double)kit_value("latitude", cx, cy);
                    assert_true(fabs(tint * 255 - entity.r) < 0.6 && fabs(tint * 128 - entity.g) < 0.6);
                    turned++;
                }
                assert_true(entity.id >= last && entity.tool == TOOL_BIOMES && entity.object_id != 0);
                last = entity.id;
                entities++;
            }
        }
    }
    assert_int_equal(entities, standing);
    assert_int_equal(classed, standing);
    assert_true(standing > 8000 && ferns > 2000 && turned > 2000 && bushes > 500);
    bake_free(&bake);
    fresh_dir();
    recipe_free(recipe);
}

/* ---- offsets ---- */

static const struct biome_candidate *standing_of(const struct bake *bake, int32_t tier, uint64_t id) {
    for (int32_t i = 0; i < bake->count; i++)
        for (size_t k = 0; k < bake->results[i].count[tier]; k++)
            if (bake->results[i].stand[tier][k].id == id)
                return &bake->results[i].stand[tier][k];
    return NULL;
}

/* Where an offset [m] at full height takes what stands at c on the test's plane; by libm. */
static void moved_by(const struct recipe *recipe, const struct biome_candidate *c, const double offset[3],
                     const double jitter[3], double yaw, const struct entity *e, double to[3]) {
    const struct recipe_species *s = candidate_species(recipe, c);
    double growth = pow((double)(biome_height_m(recipe, c) / s->height_full_m), 0.75), d[3];
    for (int i = 0; i < 3; i++) {
        double u = (double)hash_unit(candidate_hash(c->id, (enum candidate_draw)(DRAW_OFFSET_X + i)));
        d[i] = growth * (offset[i] + jitter[i] * (2 * u - 1));
    }
    double x = c->x_q / 1024.0 + d[0] * cos(yaw) + d[1] * sin(yaw);
    double y = c->y_q / 1024.0 - d[0] * sin(yaw) + d[1] * cos(yaw);
    double qx = (double)e->qx, qy = (double)e->qy, qz = (double)e->qz, qw = (double)e->qw;
    to[0] = x + d[2] * 2 * (qx * qz + qw * qy);
    to[1] = y + d[2] * 2 * (qy * qz - qw * qx);
    to[2] = 100 + 0.25 * (x - 0.5) - 0.5 * (y - 0.5) + d[2] * (1 - 2 * (qx * qx + qy * qy));
}

/* Same entities with the same turn, each at the place that a slow reference gives. */
static void offsets_move_entities_and_nothing_else(void **state) {
    (void)state;
    static const double bush[3] = {0.05, -0.1, -0.5}, bush_jitter[3] = {0.03, 0.02, 0.3};
    static const double fern[3] = {0, 0.08, 0.2}, none[3] = {0, 0, 0};
    char moving[sizeof text + 256];
    const char *at_bush = strstr(text, "bush: {"), *at_fern = strstr(text, "fern: {");
    snprintf(moving, sizeof moving,
             "%.*sbush: {offset_m: [0.05, -0.1, -0.5], offset_jitter_m: [0.03, 0.02, 0.3], %.*s"
             "fern: {offset_m: [0, 0.08, 0.2], %s",
             (int)(at_bush - text), text, (int)(at_fern - at_bush - 7), at_bush + 7, at_fern + 7);
    struct recipe *recipe = kit_recipe(moving), *plain = kit_recipe(text);
    struct world world = make_world(recipe), other = make_world(plain);
    struct bake bake, before;
    size_t bushes = 0, ferns = 0;
    bake_world(&world, fresh_dir(), 2, 3, &bake);
    bake_world(&other, fresh_dir(), 2, 3, &before);
    for (int32_t i = 0; i < bake.count; i++)
        for (int32_t k = 0; k < 16; k++) {
            struct entity_part part, was;
            const struct result *r = &bake.results[i], *b = &before.results[i];
            assert_int_equal(entity_part_open(r->entities[k], r->entity_bytes[k], &part, NULL), STATUS_OK);
            assert_int_equal(entity_part_open(b->entities[k], b->entity_bytes[k], &was, NULL), STATUS_OK);
            assert_int_equal(part.count, was.count);
            for (size_t n = 0; n < part.count; n++) {
                struct entity e, old;
                double to[3];
                entity_decode(&part.schema, part.records + n * ENTITY_BYTES, &e);
                entity_decode(&was.schema, was.records + n * ENTITY_BYTES, &old);
                bool is_bush = e.object_id == recipe_object_id("bush");
                bool is_fern = e.object_id == recipe_object_id("fern");
                assert_memory_equal(part.records + n * ENTITY_BYTES + 24, was.records + n * ENTITY_BYTES + 24,
                                    ENTITY_BYTES - 24);
                double x = entity_metres(old.x), y = entity_metres(old.y);
                if (!is_bush && !is_fern)
                    assert_true(e.x == old.x && e.y == old.y && e.z == old.z);
                if (x < -68 || x > 328 || y < -98 || y > 298) /* at the edge the ground goes on flat */
                    continue;
                const struct biome_candidate *c = standing_of(&bake, is_bush ? 1 : 2, e.id);
                if (is_bush)
                    moved_by(recipe, c, bush, bush_jitter, atan2(-0.25, 0.5), &e, to);
                else if (is_fern)
                    moved_by(recipe, c, fern, none, 2 * atan2(-(double)e.qz, (double)e.qw), &e, to);
                else
                    continue;
                assert_true(fabs(entity_metres(e.x) - to[0]) < 1.0 / 1024);
                assert_true(fabs(entity_metres(e.y) - to[1]) < 1.0 / 1024);
                assert_true(fabs(entity_metres(e.z) - to[2]) < 1.5 / 1024);
                bushes += is_bush;
                ferns += is_fern;
            }
        }
    assert_true(bushes > 80 && ferns > 300);
    bake_free(&bake);
    bake_free(&before);
    fresh_dir();
    recipe_free(recipe);
    recipe_free(plain);
}

/* ---- radii, whatever the borders ---- */

static int by_x(const void *a, const void *b) {
    const struct biome_candidate *x = a, *y = b;
    return (x->x_q > y->x_q) - (x->x_q < y->x_q);
}

/* The distance that must lie between two that stand, in 1/1024 m. */
static int64_t asked_q(const struct recipe *recipe, const struct biome_candidate *a,
                       const struct biome_candidate *b) {
    int32_t p = biome_radius_q(recipe, a), q = biome_radius_q(recipe, b);
    if (a->tier == b->tier)
        return p > q ? p : q;
    return a->tier < b->tier ? biome_heed_q(recipe, a, b) : biome_heed_q(recipe, b, a);
}

/* What stands of all tiers in all sections, by x. */
static struct biome_candidate *all_standing(const struct bake *bake, size_t *count) {
    size_t n = 0;
    for (int32_t i = 0; i < bake->count; i++)
        for (int32_t t = 0; t < TIERS; t++)
            n += bake->results[i].count[t];
    struct biome_candidate *all = malloc((n + 1) * sizeof *all);
    *count = 0;
    for (int32_t i = 0; i < bake->count; i++)
        for (int32_t t = 0; t < TIERS; t++)
            for (size_t k = 0; k < bake->results[i].count[t]; k++)
                all[(*count)++] = bake->results[i].stand[t][k];
    qsort(all, n, sizeof *all, by_x);
    return all;
}

/* On another world, all pairs nearer than 9 m; the borders of maps (0), sections and sectors lie
 * between many of them. */
static void nobody_stands_too_near_across_borders(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    for (uint64_t seed = 6; seed < 7; seed++) { /* each takes seconds with sanitizers */
        struct world world = make_world(recipe);
        struct bake bake;
        size_t count, over_sectors = 0, over_maps = 0;
        world.seed = seed;
        bake_world(&world, fresh_dir(), 2, -1, &bake);
        struct biome_candidate *all = all_standing(&bake, &count);
        for (size_t i = 0; i < count; i++)
            for (size_t k = i + 1; k < count && all[k].x_q - all[i].x_q < 9 * 1024; k++) {
                int64_t dx = all[k].x_q - all[i].x_q, dy = all[k].y_q - all[i].y_q;
                int64_t apart = asked_q(recipe, &all[i], &all[k]);
                assert_true(dx * dx + dy * dy >= apart * apart);
                if (dx * dx + dy * dy > 4 * 1024 * 1024)
                    continue;
                int32_t ax = all[i].x_q >> 10, bx = all[k].x_q >> 10, ay = all[i].y_q >> 10,
                        by = all[k].y_q >> 10;
                over_sectors += ax >> 6 != bx >> 6 || ay >> 6 != by >> 6;
                over_maps += ax >> 10 != bx >> 10 || ay >> 10 != by >> 10;
            }
        assert_true(count > 8000 && over_sectors > 300 && over_maps > 30);
        free(all);
        bake_free(&bake);
    }
    fresh_dir();
    recipe_free(recipe);
}

/* Repainting a square of 10 m: nobody farther than the reach of the tiers is moved, added or removed, and the
 * store gives most sections. */
static void painting_changes_nothing_far_away(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct world world = make_world(recipe);
    struct bake before, after;
    char *dir = fresh_dir();
    bake_world(&world, dir, 2, -1, &before);
    painted_over = (struct rect){40, 120, 50, 130};
    bake_world(&world, dir, 2, -1, &after);
    size_t changed = 0;
    for (int32_t i = 0; i < before.count; i++)
        for (int32_t t = 0; t < TIERS; t++) {
            const struct result *a = &before.results[i], *b = &after.results[i];
            qsort(a->stand[t], a->count[t], sizeof *a->stand[t], by_id);
            qsort(b->stand[t], b->count[t], sizeof *b->stand[t], by_id);
            for (size_t k = 0; k < a->count[t]; k++) {
                const struct biome_candidate *c = &a->stand[t][k];
                if (bsearch(c, b->stand[t], b->count[t], sizeof *c, by_id))
                    continue;
                double dx = (double)c->x_q / 1024 - 45, dy = (double)c->y_q / 1024 - 125;
                assert_true(sqrt(dx * dx + dy * dy) < 60);
                changed++;
            }
        }
    assert_true(changed > 0 && changed < 100);
    for (int32_t i = 0; i < after.report.stage_count; i++)
        if (strcmp(after.report.stages[i].stage->name, "candidates") == 0)
            assert_true(after.report.stages[i].runs <= 2 * TIERS);
    painted_over = (struct rect){0, 0, 0, 0};
    bake_free(&before);
    bake_free(&after);
    fresh_dir();
    recipe_free(recipe);
}

/* Everything that a tier's species says is in the keys of its stages. */
static void a_changed_radius_is_not_taken_from_the_store(void **state) {
    (void)state;
    struct recipe *one = kit_recipe(text);
    char changed[sizeof text];
    memcpy(changed, text, sizeof text);
    memcpy(strstr(changed, "viability_radius_m: 1.4"), "viability_radius_m: 1.3", 23);
    struct recipe *two = kit_recipe(changed);
    struct world world = make_world(one);
    struct bake a, b, cold;
    char *dir = fresh_dir();
    bake_world(&world, dir, 2, -1, &a);
    world.recipe = two;
    bake_world(&world, dir, 2, -1, &b);
    bake_world(&world, fresh_dir(), 2, -1, &cold);
    assert_same(&b, &cold);
    assert_true(memcmp(a.results[0].hash, b.results[0].hash, sizeof a.results[0].hash) != 0);
    assert_memory_equal(&a.results[0].hash[0], &b.results[0].hash[0], sizeof a.results[0].hash[0]);
    bake_free(&a);
    bake_free(&b);
    bake_free(&cold);
    fresh_dir();
    recipe_free(one);
    recipe_free(two);
}

/* Without jitter chains of rivals outlast the rounds on a smooth field; whoever is left is dropped, and every
 * part of entities says how many. */
static void the_undecided_are_counted(void **state) {
    (void)state;
    char chained[sizeof text + 256];
    snprintf(
        chained, sizeof chained,
        "%.*s  fern: {biomes: all, priority: 10, density_per_ha: 60000, density_ramp: [0, 0.01], jitter: 0, "
        "viability_radius_m: 1.5, height_m: [1, 1], heeds: none, viability: [{layer: longitude}]}\n",
        (int)(strstr(text, "  fern:") - text), text);
    struct recipe *recipe = kit_recipe(chained);
    struct world world = make_world(recipe);
    struct bake bake;
    size_t told = 0, counted = 0;
    bake_world(&world, fresh_dir(), 2, 3, &bake);
    counted = bake.results[0].stock.undecided;
    for (int32_t k = 0; k < 16; k++) {
        struct entity_part part;
        assert_int_equal(
            entity_part_open(bake.results[0].entities[k], bake.results[0].entity_bytes[k], &part, NULL),
            STATUS_OK);
        told += part.stock.undecided;
        if (part.count > 0)
            assert_int_equal(part.stock.rounds, RECIPE_ROUNDS); /* not all were settled */
    }
    assert_true(told > 0);
    assert_int_equal(told, counted); /* the other tiers have jitter, and nobody undecided */
    bake_free(&bake);
    fresh_dir();
    recipe_free(recipe);
}

/* wood splits into dell (its own species) and the rest; the fern names the dell alone, and the elm, which
 * names the wood, stays out of it. */
static void species_stand_in_their_zones(void **state) {
    (void)state;
    char zoned[sizeof text + 512];
    const char *rest = strstr(text, "species:"), *fern = strstr(text, "biomes: field");
    snprintf(
        zoned, sizeof zoned,
        "recipe: 1\nborder: {jitter_m: 6}\nbiomes: {wood: {zones: {dell: {alone: true, rules: [{latitude: "
        "\">0.5\"}]}}}, field: {}}\n%.*sbiomes: dell%s",
        (int)(fern - rest), rest, fern + strlen("biomes: field"));
    struct recipe *recipe = kit_recipe(zoned);
    struct world world = make_world(recipe);
    struct bake bake, other;
    bake_world(&world, fresh_dir(), 1, -1, &bake);
    bake_world(&world, fresh_dir(), 3, -1, &other);
    assert_same(&bake, &other);
    /* the same on the undivided field */
    struct kit_ground layers;
    struct grid_u8 paint_grid = {malloc(400 * 400), -70, -100, 400, 400, 400}, ids = paint_grid;
    ids.cells = malloc(400 * 400);
    for (int32_t y = -100; y < 300; y++)
        for (int32_t x = -70; x < 330; x++)
            *grid_u8_at(&paint_grid, x, y) = paint_code(x, y);
    struct biome_zones_params p = {.recipe = recipe, .seed = world.seed, .cell_m = 1};
    p.x0 = -70;
    p.y0 = -100;
    p.x1 = 330;
    p.y1 = 300;
    p.codes[20] = recipe->biomes[0].id;
    p.codes[21] = recipe->biomes[1].id;
    size_t need = biome_zones_scratch(recipe), ferns = 0, elms = 0;
    struct arena arena = {malloc(need), need, 0};
    kit_ground_make(&layers, recipe, -70, -100, 400);
    biome_painted(&p, &paint_grid, &ids);
    assert_int_equal(biome_zones(&p, layers.layers, &ids, &arena, NULL), STATUS_OK);
    for (int32_t i = 0; i < bake.count; i++)
        for (int32_t t = 0; t < TIERS; t++)
            for (size_t k = 0; k < bake.results[i].count[t]; k++) {
                const struct biome_candidate *c = &bake.results[i].stand[t][k];
                const char *name = candidate_species(recipe, c)->name;
                uint8_t id = *grid_u8_at(&ids, biome_cell_of(c->x_q, 1), biome_cell_of(c->y_q, 1));
                if (strcmp(name, "fern") == 0)
                    assert_int_equal(id, recipe->biomes[2].id);
                if (strcmp(name, "elm") == 0)
                    assert_int_equal(id, recipe->biomes[0].id);
                ferns += strcmp(name, "fern") == 0;
                elms += strcmp(name, "elm") == 0;
            }
    assert_true(ferns > 500 && elms > 50);
    free(arena.base);
    free(paint_grid.cells);
    free(ids.cells);
    kit_ground_free(&layers);
    bake_free(&bake);
    bake_free(&other);
    fresh_dir();
    recipe_free(recipe);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct world world = make_world(recipe);
    struct stage_inputs in = {0};
    struct error err = {0};
    const char *const tiers[] = {"3", "x", "", "01", "-1", "99999"};
    for (int i = 0; i < 6; i++)
        assert_int_equal(stage_candidates.inputs(&world, tiers[i], &in, &err), STATUS_INPUT);
    assert_string_equal(err.message, "the recipe has no tier '99999' (it has 3)");
    assert_int_equal(stage_compete.inputs(&world, "0.99", &in, &err), STATUS_INPUT);
    assert_int_equal(stage_compete.inputs(&world, "0", &in, &err), STATUS_INPUT);
    assert_int_equal(stage_mask_written.inputs(&world, "rest", &in, &err), STATUS_INPUT);
    assert_string_equal(err.message, "no species writes a mask 'rest'");
    assert_int_equal(stage_zone.inputs(&world, "", &in, &err), STATUS_INPUT);
    assert_string_equal(err.message, "the recipe has no zones");
    world.recipe = NULL;
    assert_int_equal(stage_entities.inputs(&world, "", &in, &err), STATUS_INPUT);
    assert_string_equal(err.message, "the world has no recipe ('biomes:')");
    recipe_free(recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_subsets_make_no_difference),
        cmocka_unit_test(what_stands_equals_the_undivided_field),
        cmocka_unit_test(entities_lie_in_their_sector_on_the_ground_in_order),
        cmocka_unit_test(offsets_move_entities_and_nothing_else),
        cmocka_unit_test(nobody_stands_too_near_across_borders),
        cmocka_unit_test(painting_changes_nothing_far_away),
        cmocka_unit_test(a_changed_radius_is_not_taken_from_the_store),
        cmocka_unit_test(the_undecided_are_counted),
        cmocka_unit_test(species_stand_in_their_zones),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
