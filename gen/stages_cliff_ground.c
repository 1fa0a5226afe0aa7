/* What the rock leaves on the ground: projections, erosion, colour, textures. */
#include "gen/stages_cliff.h"

#include "cliff/drape.h"
#include "cliff/erosion.h"
#include "gen/cliff_part.h"
#include "gen/stages_ground.h"
#include "terrain/hash.h"
#include "terrain/noise.h"
#include <math.h>
#include <string.h>

/* ---- cliffs, cliff_bed, ledges, cliff_rise ---- */

static enum status drape_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    (void)arg;
    stage_reads(inputs, "cliff_surface", 0);
    stage_reads(inputs, "altitude", 0);
    return cliffs_need(world, err);
}

static bool drape_sector(struct stage_run *run, int32_t sector, struct rect cells, int32_t x, int32_t y) {
    double cell_m = run->world->extent.cell_m;
    struct cliff_mesh mesh;
    if (!cliff_part_read(run->inputs[0].tiles[0], sector, run->scratch, &mesh))
        return false;
    if (mesh.quad_count == 0)
        return true;
    int32_t w = cells.x1 - cells.x0, h = cells.y1 - cells.y0,
            origin[2] = {x * SECTOR_CELLS, y * SECTOR_CELLS};
    size_t count = (size_t)w * (size_t)h;
    struct cliff_drape d = {
        .top = {arena_alloc(run->scratch, count, sizeof(int32_t)), cells.x0, cells.y0, w, h, w},
        .bed = {arena_alloc(run->scratch, count, sizeof(uint16_t)), cells.x0, cells.y0, w, h, w},
        .level = {arena_alloc(run->scratch, count, 1), cells.x0, cells.y0, w, h, w}};
    struct grid_u8 ledges = {arena_alloc(run->scratch, count, 1), cells.x0, cells.y0, w, h, w};
    int32_t *stack = arena_alloc(run->scratch, count, sizeof *stack);
    if (!d.top.cells || !d.bed.cells || !d.level.cells || !ledges.cells || !stack)
        return false;
    const struct grid_f32 *altitude = &run->inputs[1].f32;
    struct grid_f32 ground = {
        grid_f32_at(altitude, cells.x0, cells.y0), cells.x0, cells.y0, w, h, altitude->stride};
    cliff_drape(&mesh, origin, cell_m, &d);
    double ledge_cells = ceil(4.0 / (cell_m * cell_m));
    cliff_ledges(&d, &ground, ledge_cells < 1 ? 1 : (int32_t)ledge_cells, &ledges, stack);
    struct grid_u8 cliffs = tile_u8(run->outputs[0]), out_ledges = tile_u8(run->outputs[2]);
    struct grid_u16 beds = tile_u16(run->outputs[1]);
    struct grid_f32 rise = tile_f32(run->outputs[3]);
    struct grid_u8 bare = tile_u8(run->outputs[4]);
    for (int32_t b = cells.y0; b < cells.y1; b++)
        for (int32_t a = cells.x0; a < cells.x1; a++) {
            int32_t top = *grid_i32_at(&d.top, a, b);
            double over = top / CLIFF_QUANTUM - (double)*grid_f32_at(&ground, a, b);
            if (top == CLIFF_NO_TOP || over < 0)
                continue;
            *grid_u8_at(&cliffs, a, b) = 255;
            *grid_u16_at(&beds, a, b) = *grid_u16_at(&d.bed, a, b);
            *grid_u8_at(&out_ledges, a, b) = *grid_u8_at(&ledges, a, b);
            *grid_f32_at(&rise, a, b) = (float)over;
            *grid_u8_at(&bare, a, b) = *grid_u8_at(&ledges, a, b) ? 0 : 255;
        }
    return true;
}

static enum status drape_run(struct stage_run *run, struct error *err) {
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        int32_t x = run->section_x * SECTION_SECTORS + i % SECTION_SECTORS;
        int32_t y = run->section_y * SECTION_SECTORS + i / SECTION_SECTORS;
        struct rect cells = extent_block(&run->world->extent, x, y, SECTOR_CELLS);
        size_t mark = arena_mark(run->scratch);
        if (!rect_empty(cells) && !drape_sector(run, i, cells, x, y))
            return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
        arena_release(run->scratch, mark);
    }
    return STATUS_OK;
}

#define CLIFF_MASK(layer, text)                                                                              \
    {                                                                                                        \
        .name = layer, .type = LAYER_U8, .edge = EDGE_ZERO, .scale = 1.0 / 255.0, .unit = "", .max = 1.0,    \
        .what = text                                                                                         \
    }

const struct stage stage_cliff_drape = {
    .name = "cliff_drape",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {CLIFF_MASK("cliffs", "where rock lies over the ground, looked at from above"),
                {.name = "cliff_bed",
                 .type = LAYER_U16,
                 .edge = EDGE_ZERO,
                 .scale = 1,
                 .unit = "",
                 .max = 65535,
                 .what = "id of the bed on top of the rock; 0: no rock"},
                CLIFF_MASK("ledges", "level rock with free sky, large enough to grow on"),
                {.name = "cliff_rise",
                 .type = LAYER_F32,
                 .edge = EDGE_ZERO,
                 .scale = 1,
                 .unit = "m",
                 .max = 64,
                 .what = "how far the rock's surface lies over the ground"},
                CLIFF_MASK("cliff_bare", "rock that is no ledge: nothing stands there")},
    .inputs = drape_inputs,
    .run = drape_run,
};

/* ---- erosion, cliffs_color ---- */

static enum status erosion_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg;
    stage_reads(inputs, "cliff_bed", CLIFF_EROSION_REACH);
    stage_reads(inputs, "altitude", CLIFF_EROSION_REACH + 1);
    return cliffs_need(world, err);
}

static void erosion_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    cliffs_hash_ramp(world, h);
}

static bool any_bed(const struct grid_u16 *beds) {
    for (int32_t y = 0; y < beds->height; y++)
        for (int32_t x = 0; x < beds->width; x++)
            if (beds->cells[y * beds->stride + x])
                return true;
    return false;
}

static enum status erosion_run(struct stage_run *run, struct error *err) {
    const struct grid_u16 *beds = &run->inputs[0].u16;
    struct grid_u8 out = tile_u8(run->outputs[0]), color = tile_u8(run->outputs[1]);
    if (!any_bed(beds))
        return STATUS_OK;
    size_t count = (size_t)out.width * (size_t)out.height;
    struct cliff_deposit *deposits = arena_alloc(run->scratch, count, sizeof *deposits);
    if (!deposits)
        return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
    memset(deposits, 0, count * sizeof *deposits);
    struct cliff_erosion_params params = {run->world->extent.cell_m, 16,
                                          hash_mix(run->world->seed + hash_name("cliffs")),
                                          &run->world->cliffs.ramp};
    cliff_erosion(&params, &run->inputs[1].f32, beds, &out, deposits);
    for (int32_t y = 0; y < out.height; y++)
        for (int32_t x = 0; x < out.width; x++) {
            const struct cliff_deposit *d = &deposits[(size_t)y * (size_t)out.width + (size_t)x];
            uint16_t bed = *grid_u16_at(beds, out.x0 + x, out.y0 + y);
            uint8_t *rgb = color.cells + y * color.stride + 3 * x;
            out.cells[y * out.stride + x] = bed ? 0 : (uint8_t)(d->amount > 255 ? 255 : d->amount);
            if (bed) {
                cliff_bed_color(params.ramp, params.seed, bed, rgb);
                double at[3] = {(out.x0 + x + 0.5) * params.cell_m, (out.y0 + y + 0.5) * params.cell_m,
                                (double)*grid_f32_at(&run->inputs[1].f32, out.x0 + x, out.y0 + y)};
                cliff_weather(params.ramp, params.seed, at, 0.5f, rgb);
            } else if (d->amount) {
                rgb[0] = (uint8_t)(d->red / d->amount);
                rgb[1] = (uint8_t)(d->green / d->amount);
                rgb[2] = (uint8_t)(d->blue / d->amount);
            }
        }
    return STATUS_OK;
}

const struct stage stage_erosion = {
    .name = "erosion",
    .version = 3,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {CLIFF_MASK("erosion", "debris that ran down from the rock"),
                {.name = "cliffs_color",
                 .type = LAYER_RGB8,
                 .edge = EDGE_ZERO,
                 .unit = "",
                 .what = "colour of the rock's beds and of the debris that they left; black: none"}},
    .inputs = erosion_inputs,
    .settings = erosion_settings,
    .run = erosion_run,
};

/* ---- cliff_texture ---- */

static enum status texture_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg;
    stage_reads(inputs, "cliffs", 0);
    stage_reads(inputs, "erosion", 0);
    return cliffs_need(world, err);
}

static void texture_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    for (int32_t k = 0; k < 3; k++)
        hash_u64(h, (uint64_t)world->cliffs.textures[k]);
}

static enum status texture_run(struct stage_run *run, struct error *err) {
    const int64_t *ids = run->world->cliffs.textures;
    const struct grid_u8 *cliffs = &run->inputs[0].u8, *erosion = &run->inputs[1].u8;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    double scale = 14 / run->world->extent.cell_m;
    struct noise_params params = {.scale_cells = scale < 2 ? 2 : scale,
                                  .octaves = 3,
                                  .gain = 0.5,
                                  .lacunarity = 2,
                                  .seed = hash_mix(run->world->seed + hash_name("cliff_texture"))};
    struct noise noise;
    float *values = arena_alloc(run->scratch, (size_t)out.width * (size_t)out.height, sizeof *values);
    struct grid_f32 mix = {values, out.x0, out.y0, out.width, out.height, out.width};
    if (!noise_prepare(&params, &noise) || !values || !noise_grid(&noise, &mix, run->scratch))
        return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++) {
            float n = *grid_f32_at(&mix, x, y);
            int64_t id = 0;
            if (*grid_u8_at(cliffs, x, y))
                id = ids[n > 0.6f];
            else if ((float)*grid_u8_at(erosion, x, y) > 40 + 80 * n)
                id = ids[2];
            *grid_u8_at(&out, x, y) = (uint8_t)id;
        }
    return STATUS_OK;
}

const struct stage stage_cliff_texture = {
    .name = "cliff_texture",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "cliff_texture",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1,
                 .unit = "",
                 .max = 255,
                 .what = "texture ids of rock and eroded ground; 0: neither"}},
    .inputs = texture_inputs,
    .settings = texture_settings,
    .run = texture_run,
};
