#include "gen/stages_source.h"

#include "gen/bytes.h"
#include "gen/source.h"
#include "gen/world.h"
#include "terrain/voids.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct rect section_cells(const struct world *world, int32_t x, int32_t y) {
    return extent_block(&world->extent, x, y, SECTION_CELLS);
}

static enum status no_scratch(struct error *err) {
    return error_set(err, STATUS_LIMIT, "out of scratch memory");
}

static enum status reads_nothing(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                 struct error *err) {
    (void)world, (void)arg, (void)inputs, (void)err;
    return STATUS_OK;
}

/* ---- height_raw ---- */

static void height_raw_settings(const struct world *world, const char *arg, struct hasher *hasher) {
    const struct world_height *h = &world->height;
    (void)arg;
    hash_u64(hasher, (uint64_t)h->source.format);
    hash_u64(hasher, (uint32_t)h->source.fine_log2);
    hash_u64(hasher, (uint64_t)h->samples);
    hash_f64(hasher, h->z_min_m);
    hash_f64(hasher, h->z_max_m);
    hash_u64(hasher, h->eight_bit);
    hash_u64(hasher, h->big_endian);
    hash_u64(hasher, h->has_nodata);
    hash_u64(hasher, h->nodata_is_nan);
    hash_f64(hasher, h->has_nodata && !h->nodata_is_nan ? h->nodata : 0);
}

static void height_raw_section(const struct world *world, const char *arg, int32_t x, int32_t y,
                               struct hasher *hasher) {
    (void)arg;
    source_hash_height_files(world, section_cells(world, x, y), hasher);
}

static enum status height_raw_run(struct stage_run *run, struct error *err) {
    struct grid_f32 out = tile_f32(run->outputs[0]);
    return source_read_height(run->sources, &out, err);
}

const struct stage stage_height_raw = {
    .name = "height_raw",
    .version = 2,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "height_raw",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .like_heights = true,
                 .scale = 1.0,
                 .unit = "m",
                 .what = "input heights as the files have them; NaN where there are none"}},
    .inputs = reads_nothing,
    .settings = height_raw_settings,
    .section_settings = height_raw_section,
    .run = height_raw_run,
};

/* ---- void_summary: one part: u32 whether the section has voids, then its blocks' heights ---- */

static struct terrain_voids_world voids_world(const struct world *world) {
    struct rect c = world->extent.cells;
    return (struct terrain_voids_world){c.x0, c.y0, c.x1, c.y1, world->height.samples == SAMPLES_POSTS};
}

static bool has_nan(const struct grid_f32 *g) {
    for (int32_t row = 0; row < g->height; row++)
        for (int32_t i = 0; i < g->width; i++)
            if (isnan(g->cells[row * g->stride + i]))
                return true;
    return false;
}

static void section_blocks(const struct world *world, struct rect cells, struct grid_f32 *blocks) {
    struct terrain_voids_world w = voids_world(world);
    terrain_voids_blocks(&w, TERRAIN_VOIDS_SPLIT, cells.x0, cells.y0, cells.x1, cells.y1, blocks);
}

static bool take_grid(struct grid_f32 *g, struct arena *arena) {
    g->cells = arena_alloc(arena, (size_t)g->width * (size_t)g->height, sizeof(float));
    return g->cells != NULL;
}

static bool set_single_part(struct tile *tile, const void *bytes, size_t size) {
    const void *parts[16] = {bytes};
    size_t sizes[16] = {size};
    return tile_set_parts(tile, parts, sizes);
}

static enum status void_summary_inputs(const struct world *world, const char *arg,
                                       struct stage_inputs *inputs, struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "height_raw", 0);
    return STATUS_OK;
}

static enum status void_summary_run(struct stage_run *run, struct error *err) {
    const struct grid_f32 *in = &run->inputs[0].f32;
    struct terrain_voids_world w = voids_world(run->world);
    struct grid_f32 blocks;
    section_blocks(run->world, run->cells, &blocks);
    size_t count = (size_t)blocks.width * (size_t)blocks.height, size = 4 + 4 * count;
    unsigned char *bytes = arena_alloc(run->scratch, size, 1), *at = bytes;
    if (!bytes || !take_grid(&blocks, run->scratch) || !terrain_voids_summary(&w, in, &blocks, run->scratch))
        return no_scratch(err);
    at = put_u32(at, has_nan(in));
    for (size_t i = 0; i < count; i++)
        at = put_f32(at, blocks.cells[i]);
    return set_single_part(run->outputs[0], bytes, size) ? STATUS_OK : no_scratch(err);
}

const struct stage stage_void_summary = {
    .name = "void_summary",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "void_summary", .type = LAYER_BLOB, .what = "means of blocks of 32 x 32 heights"}},
    .inputs = void_summary_inputs,
    .run = void_summary_run,
};

/* ---- void_world: nothing, or one part: the filled blocks that terrain_voids_fill needs in the section ----
 */

static enum status void_world_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                     struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "void_summary", 0);
    return STATUS_OK;
}

/* Tile of section (x, y) among those of a window. */
static const struct tile *tile_at(const struct window *in, int32_t x, int32_t y) {
    return in->tiles[(size_t)(y - in->sections.y0) * (size_t)(in->sections.x1 - in->sections.x0) +
                     (size_t)(x - in->sections.x0)];
}

/* Puts the summaries' blocks together; *voids: whether any section has one. */
static void collect_blocks(const struct stage_run *run, struct grid_f32 *all, bool *voids) {
    struct rect s = run->sections;
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++) {
            struct grid_f32 part;
            const unsigned char *at = tile_at(&run->inputs[0], x, y)->bytes;
            section_blocks(run->world, section_cells(run->world, x, y), &part);
            *voids = *voids || get_u32(at) != 0;
            at += 4;
            for (int32_t j = part.y0; j < part.y0 + part.height; j++)
                for (int32_t i = part.x0; i < part.x0 + part.width; i++, at += 4)
                    *grid_f32_at(all, i, j) = get_f32(at);
        }
}

static bool write_blocks(const struct stage_run *run, const struct grid_f32 *all, int32_t x, int32_t y,
                         struct tile *tile) {
    struct terrain_voids_world w = voids_world(run->world);
    struct rect c = section_cells(run->world, x, y);
    struct grid_f32 out = {NULL, c.x0, c.y0, c.x1 - c.x0 + w.posts, c.y1 - c.y0 + w.posts, 0}, part;
    terrain_voids_fill_blocks(&w, &out, &part);
    size_t mark = arena_mark(run->scratch), size = 4 * (size_t)part.width * (size_t)part.height;
    unsigned char *bytes = arena_alloc(run->scratch, size, 1), *at = bytes;
    if (!bytes)
        return false;
    for (int32_t j = part.y0; j < part.y0 + part.height; j++)
        for (int32_t i = part.x0; i < part.x0 + part.width; i++)
            at = put_f32(at, *grid_f32_at(all, i, j));
    bool done = set_single_part(tile, bytes, size);
    arena_release(run->scratch, mark);
    return done;
}

static enum status void_world_run(struct stage_run *run, struct error *err) {
    struct terrain_voids_world w = voids_world(run->world);
    struct rect s = run->sections;
    struct grid_f32 all;
    bool voids = false;
    section_blocks(run->world, run->cells, &all);
    if (!take_grid(&all, run->scratch))
        return no_scratch(err);
    collect_blocks(run, &all, &voids);
    if (voids)
        switch (terrain_voids_solve(&w, &all, run->scratch)) {
        case VOIDS_FILLED:
            break;
        case VOIDS_ALL_VOID:
            return error_set(
                err, STATUS_INPUT,
                "the heights have no data anywhere: every sample is nodata or its map is missing");
        case VOIDS_NO_SCRATCH:
            return no_scratch(err);
        }
    size_t index = 0;
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++, index++) {
            struct tile *tile = run->outputs[index];
            bool filled = get_u32(tile_at(&run->inputs[0], x, y)->bytes) != 0;
            if (filled ? !write_blocks(run, &all, x, y, tile) : !set_single_part(tile, "", 0))
                return no_scratch(err);
        }
    return STATUS_OK;
}

const struct stage stage_void_world = {
    .name = "void_world",
    .version = 1,
    .scope = SCOPE_WORLD,
    .keep = true,
    .outputs = {{.name = "void_world",
                 .type = LAYER_BLOB,
                 .what = "filled heights of blocks of 32 x 32 samples around sections with voids"}},
    .inputs = void_world_inputs,
    .run = void_world_run,
};

/* ---- height_in ---- */

static enum status height_in_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                    struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "height_raw", TERRAIN_VOIDS_REACH);
    stage_reads(inputs, "void_world", 0);
    return STATUS_OK;
}

static enum status height_in_run(struct stage_run *run, struct error *err) {
    struct terrain_voids_world w = voids_world(run->world);
    const struct grid_f32 *in = &run->inputs[0].f32;
    const struct tile *solved = tile_at(&run->inputs[1], run->section_x, run->section_y);
    struct grid_f32 out = tile_f32(run->outputs[0]), blocks;
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        memcpy(grid_f32_at(&out, out.x0, y), grid_f32_at(in, out.x0, y), (size_t)out.width * sizeof(float));
    if (solved->size == 0)
        return STATUS_OK;
    terrain_voids_fill_blocks(&w, &out, &blocks);
    size_t count = (size_t)blocks.width * (size_t)blocks.height;
    if (solved->size != 4 * count)
        return error_set(err, STATUS_FAULT, "void_world has %zu bytes for %zu blocks", solved->size, count);
    if (!take_grid(&blocks, run->scratch))
        return no_scratch(err);
    for (size_t i = 0; i < count; i++)
        blocks.cells[i] = get_f32(solved->bytes + 4 * i);
    return terrain_voids_fill(&w, in, &blocks, &out, run->scratch) ? STATUS_OK : no_scratch(err);
}

const struct stage stage_height_in = {
    .name = "height_in",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "height_in",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .like_heights = true,
                 .scale = 1.0,
                 .unit = "m",
                 .what = "input heights, voids filled"}},
    .inputs = height_in_inputs,
    .run = height_in_run,
};

/* ---- void ---- */

static enum status void_run(struct stage_run *run, struct error *err) {
    const struct grid_f32 *in = &run->inputs[0].f32;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    int32_t corners = run->inputs[0].posts ? 2 : 1;
    (void)err;
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++) {
            bool any = false;
            for (int32_t j = 0; j < corners; j++)
                for (int32_t i = 0; i < corners; i++)
                    any = any || isnan(*grid_f32_at(in, x + i, y + j));
            *grid_u8_at(&out, x, y) = any ? 255 : 0;
        }
    return STATUS_OK;
}

const struct stage stage_void = {
    .name = "void",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "void",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1.0 / 255,
                 .unit = "",
                 .max = 1,
                 .what = "1 where the input has no height (at any corner of the cell) and it was filled"}},
    .inputs = void_summary_inputs,
    .run = void_run,
};

/* ---- mask.* ---- */

static enum status mask_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    (void)inputs;
    if (world_find_mask(world, arg))
        return STATUS_OK;
    return error_set(err, STATUS_INPUT, "the world has no mask `%s`", arg);
}

static void mask_settings(const struct world *world, const char *arg, struct hasher *hasher) {
    const struct world_mask *mask = world_find_mask(world, arg);
    if (!mask)
        return;
    hash_u64(hasher, (uint32_t)mask->source.fine_log2);
    hash_u64(hasher, (uint32_t)mask->unpainted);
    hash_u64(hasher, mask->legend_count);
    for (size_t i = 0; i < mask->legend_count; i++) {
        const struct legend_entry *e = &mask->legend[i];
        hash_u64(hasher, (uint64_t)e->r << 16 | (uint64_t)e->g << 8 | e->b);
        hash_u64(hasher, (uint32_t)e->code);
    }
}

static void mask_section(const struct world *world, const char *arg, int32_t x, int32_t y,
                         struct hasher *hasher) {
    const struct world_mask *mask = world_find_mask(world, arg);
    if (mask)
        source_hash_mask_files(world, mask, section_cells(world, x, y), hasher);
}

static enum status mask_run(struct stage_run *run, struct error *err) {
    const struct world_mask *mask = world_find_mask(run->world, run->arg);
    struct grid_u8 out = tile_u8(run->outputs[0]);
    if (!mask)
        return error_set(err, STATUS_FAULT, "the world has no mask `%s`", run->arg);
    return source_read_mask(run->sources, (size_t)(mask - run->world->masks), &out, err);
}

const struct stage stage_mask = {
    .name = "mask",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "mask.*",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1.0 / 255,
                 .unit = "",
                 .max = 1,
                 .what = "a painted mask: grey 0..1; one with a legend holds the ids of its entries"}},
    .inputs = mask_inputs,
    .settings = mask_settings,
    .section_settings = mask_section,
    .run = mask_run,
};

const struct layer_info layer_mask_ids = {.name = "mask.*",
                                          .type = LAYER_U8,
                                          .edge = EDGE_ZERO,
                                          .scale = 1,
                                          .unit = "",
                                          .max = 255,
                                          .what = "a painted mask with a legend: the ids of its entries"};
