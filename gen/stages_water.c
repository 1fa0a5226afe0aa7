/* Stages: the ground with beds, the layers of water, its textures. */
#include "gen/stages_water.h"

#include "gen/world.h"
#include "terrain/altitude.h"
#include "terrain/hash.h"
#include "terrain/noise.h"
#include "water/bed.h"
#include "water/shore.h"

#include <string.h>

enum status water_set_here(const struct stage_run *run, const struct window *pieces, struct water_set *set,
                           struct error *err) {
    struct rect s = pieces->sections;
    const struct tile *tile = pieces->tiles[(run->section_y - s.y0) * (s.x1 - s.x0) + run->section_x - s.x0];
    return tile && water_set_view(tile->bytes, tile->size, set)
               ? STATUS_OK
               : error_set(err, STATUS_FAULT, "the section's record of water is damaged");
}

/* Samples where there is water in reach: those of `rows`. */
struct wet {
    struct water_sample *samples;
    struct water_extent *rows;
};

static enum status field_over(struct stage_run *run, const struct water_set *set, const struct grid_f32 *like,
                              bool posts, struct wet *wet, struct error *err) {
    struct water_grid grid = {.x0 = like->x0,
                              .y0 = like->y0,
                              .width = like->width,
                              .height = like->height,
                              .step = 1,
                              .shift = posts ? 0 : 0.5,
                              .cell_m = run->world->extent.cell_m};
    wet->samples =
        arena_alloc(run->scratch, (size_t)like->width * (size_t)like->height, sizeof *wet->samples);
    wet->rows = arena_alloc(run->scratch, (size_t)like->height, sizeof *wet->rows);
    if (!wet->samples || !wet->rows)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    return water_field(set, &grid, wet->samples, wet->rows, run->scratch, err);
}

/* ---- the ground with beds, and the layers of water ---- */

static enum status water_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    (void)arg;
    stage_reads(inputs, "height_in", 0);
    stage_reads(inputs, "water_pieces", 0);
    return water_needs_tool(world, err);
}

enum {
    OUT_GROUND,
    OUT_WATER,
    OUT_SHORE,
    OUT_DEPTH,
    OUT_DAMPNESS,
    OUT_FLOW_DIR,
    OUT_KIND,
    OUT_SPEED,
    OUT_BEND,
    OUT_FOAM
};

static void put_cell(struct stage_run *run, const struct water_cell *c, size_t at) {
    run->outputs[OUT_WATER]->bytes[at] = c->water;
    run->outputs[OUT_SHORE]->bytes[at] = c->shore;
    memcpy(run->outputs[OUT_DEPTH]->bytes + 2 * at, &c->depth, sizeof c->depth);
    run->outputs[OUT_DAMPNESS]->bytes[at] = c->dampness;
    run->outputs[OUT_FLOW_DIR]->bytes[at] = c->flow_dir;
    run->outputs[OUT_KIND]->bytes[at] = c->kind;
    run->outputs[OUT_SPEED]->bytes[at] = c->speed;
    run->outputs[OUT_BEND]->bytes[at] = c->bend;
    run->outputs[OUT_FOAM]->bytes[at] = c->foam;
}

/* Carves where there is water, copies elsewhere. */
static void carve(const struct window *in, const struct wet *wet, const struct grid_f32 *out) {
    for (int32_t y = 0; y < out->height; y++) {
        const float *from = grid_f32_at(&in->f32, out->x0, out->y0 + y);
        float *row = out->cells + (ptrdiff_t)y * out->stride;
        memcpy(row, from, (size_t)out->width * sizeof *row);
        if (!wet->samples)
            continue;
        const struct water_sample *samples = wet->samples + (size_t)y * (size_t)out->width;
        for (int32_t x = wet->rows[y].x0; x < wet->rows[y].x1; x++)
            row[x] = water_carved(&samples[x], from[x]);
    }
}

static enum status put_cells(struct stage_run *run, const struct water_set *set,
                             const struct grid_f32 *carved, struct wet *wet, struct error *err) {
    bool posts = run->inputs[0].posts;
    int32_t width = run->cells.x1 - run->cells.x0, height = run->cells.y1 - run->cells.y0;
    size_t count = (size_t)width * (size_t)height;
    struct grid_f32 ground = {NULL, run->cells.x0, run->cells.y0, width, height, width};
    if (!(ground.cells = arena_alloc(run->scratch, count, sizeof *ground.cells)))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    terrain_altitude(posts, carved, &ground);
    enum status status = posts ? field_over(run, set, &ground, false, wet, err) : STATUS_OK;
    for (int32_t y = 0; status == STATUS_OK && y < height; y++)
        for (int32_t x = wet->rows[y].x0; x < wet->rows[y].x1; x++) {
            size_t i = (size_t)y * (size_t)width + (size_t)x;
            struct water_cell cell = water_cell_of(&wet->samples[i], ground.cells[i]);
            put_cell(run, &cell, i);
        }
    return status;
}

static enum status water_run(struct stage_run *run, struct error *err) {
    struct grid_f32 out = tile_f32(run->outputs[OUT_GROUND]);
    struct water_set set;
    struct wet wet = {NULL, NULL};
    enum status status = water_set_here(run, &run->inputs[1], &set, err);
    bool any = status == STATUS_OK && (set.piece_count || set.lake_count);
    if (any)
        status = field_over(run, &set, &out, run->inputs[0].posts, &wet, err);
    if (status != STATUS_OK)
        return status;
    memset(run->outputs[OUT_BEND]->bytes, 128, run->outputs[OUT_BEND]->size);
    carve(&run->inputs[0], &wet, &out);
    return any ? put_cells(run, &set, &out, &wet, err) : STATUS_OK;
}

const struct stage stage_water = {
    .name = "water",
    .version = 10,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {[OUT_GROUND] = {.name = "ground_water",
                                .type = LAYER_F32,
                                .edge = EDGE_CLAMP,
                                .like_heights = true,
                                .scale = 1,
                                .unit = "m",
                                .what = "the input ground with the beds and banks of rivers and lakes"},
                [OUT_WATER] = {.name = "water",
                               .type = LAYER_U8,
                               .edge = EDGE_ZERO,
                               .scale = 1.0 / 255.0,
                               .unit = "",
                               .max = 1.0,
                               .what = "1 where there is fresh water"},
                [OUT_SHORE] = {.name = "watershore",
                               .type = LAYER_U8,
                               .edge = EDGE_ZERO,
                               .scale = 1.0 / 255.0,
                               .unit = "",
                               .max = 1.0,
                               .what = "1 at the water's edge, 0 from 3 m away, on both sides"},
                [OUT_DEPTH] = {.name = "water_depth",
                               .type = LAYER_U16,
                               .edge = EDGE_ZERO,
                               .scale = 1.0 / WATER_DEPTH_STEPS,
                               .unit = "m",
                               .max = 65535.0 / WATER_DEPTH_STEPS,
                               .what = "depth of fresh water, 0 on dry ground"},
                [OUT_DAMPNESS] = {.name = "dampness",
                                  .type = LAYER_U8,
                                  .edge = EDGE_ZERO,
                                  .scale = 1.0 / 255.0,
                                  .unit = "",
                                  .max = 1.0,
                                  .what = "falls off within 14 m of water and 3 m over it"},
                [OUT_FLOW_DIR] = {.name = "flow_dir",
                                  .type = LAYER_U8,
                                  .edge = EDGE_ZERO,
                                  .scale = 360.0 / 256.0,
                                  .unit = "degrees",
                                  .max = 360,
                                  .what = "where water flows to, clockwise from north; 0 where it does not"},
                [OUT_KIND] = {.name = "water_kind",
                              .type = LAYER_U8,
                              .edge = EDGE_ZERO,
                              .scale = 1,
                              .unit = "",
                              .max = WATER_KINDS - 1,
                              .what = "0 dry, 1 river, 2 stream, 3 ditch, 4 lake, 5 fall, 6 rapids"},
                [OUT_SPEED] = {.name = "water_speed",
                               .type = LAYER_U8,
                               .edge = EDGE_ZERO,
                               .scale = 1.0 / WATER_SPEED_STEPS,
                               .unit = "m/s",
                               .max = 255.0 / WATER_SPEED_STEPS,
                               .what = "speed of the water"},
                [OUT_BEND] = {.name = "water_bend",
                              .type = LAYER_U8,
                              .edge = EDGE_CLAMP,
                              .scale = 1.0 / 127.0,
                              .offset = -128.0 / 127.0,
                              .unit = "",
                              .min = -128.0 / 127.0,
                              .max = 1.0,
                              .what = "sides of a river's bends: 1 inside, -1 outside, 0 straight"},
                [OUT_FOAM] = {.name = "water_foam",
                              .type = LAYER_U8,
                              .edge = EDGE_ZERO,
                              .scale = 1.0 / 255.0,
                              .unit = "",
                              .max = 1.0,
                              .what = "how white the water is: fast water, pools under falls 0.55, falls 1"}},
    .inputs = water_inputs,
    .run = water_run,
};

/* ---- water_texture ---- */

static enum status texture_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg;
    stage_reads(inputs, "water_kind", 0);
    stage_reads(inputs, "water_depth", 0);
    stage_reads(inputs, "watershore", 0);
    stage_reads(inputs, "dampness", 0);
    stage_reads(inputs, "water_bend", 0);
    return water_needs_tool(world, err);
}

static void texture_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    for (int k = 0; k < 3; k++)
        hash_u64(h, (uint64_t)world->freshwater.textures[k]);
}

/* Whether 8 cells from here on are dry: most are. */
static bool dry_ahead(const uint8_t *damp, int32_t left) {
    uint64_t eight = 1;
    if (left >= 8)
        memcpy(&eight, damp, sizeof eight);
    return eight == 0;
}

static enum status texture_run(struct stage_run *run, struct error *err) {
    const int64_t *ids = run->world->freshwater.textures;
    const uint8_t texture[] = {0, (uint8_t)ids[0], (uint8_t)ids[1], (uint8_t)ids[2]};
    double scale = 9 / run->world->extent.cell_m;
    struct noise_params params = {.scale_cells = scale < 2 ? 2 : scale,
                                  .octaves = 2,
                                  .gain = 0.5,
                                  .lacunarity = 2,
                                  .seed = run->world->seed + hash_name("water_texture")};
    struct noise noise;
    if (!noise_prepare(&params, &noise))
        return error_set(err, STATUS_FAULT, "the banks have no such noise");
    struct grid_u8 out = tile_u8(run->outputs[0]);
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++) {
            if (dry_ahead(grid_u8_at(&run->inputs[3].u8, x, y), out.x0 + out.width - x)) {
                x += 7;
                continue;
            }
            uint8_t damp = *grid_u8_at(&run->inputs[3].u8, x, y);
            if (!damp)
                continue;
            uint8_t shore = *grid_u8_at(&run->inputs[2].u8, x, y);
            uint8_t kind = *grid_u8_at(&run->inputs[0].u8, x, y),
                    bend = *grid_u8_at(&run->inputs[4].u8, x, y);
            if (kind == WATER_NONE && !water_ground_may_be(shore, damp))
                continue;
            float n = noise_at(&noise, (int64_t)x * NOISE_CELL + NOISE_CELL / 2,
                               (int64_t)y * NOISE_CELL + NOISE_CELL / 2);
            enum water_ground g =
                water_ground_of(kind, *grid_u16_at(&run->inputs[1].u16, x, y), shore, damp, bend, n);
            *grid_u8_at(&out, x, y) = texture[g];
        }
    return STATUS_OK;
}

const struct stage stage_water_texture = {
    .name = "water_texture",
    .version = 2,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "water_texture",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1,
                 .unit = "",
                 .max = 255,
                 .what = "textures of beds, gravel bars and banks; 0: none"}},
    .inputs = texture_inputs,
    .settings = texture_settings,
    .run = texture_run,
};
