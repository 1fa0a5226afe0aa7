#include "gen/stages_compose.h"
#include "biome/recipe.h"
#include "gen/compose.h"
#include "gen/compose_water.h"
#include "gen/names.h"
#include "gen/outputs.h"
#include "gen/stages_biome.h"
#include "gen/values.h"
#include "gen/world.h"
#include "terrain/hash.h"
#include "terrain/noise.h"
#include "water/shore.h"

#include <string.h>

/* ---- biomes ---- */

static bool has_biomes(const struct world *world) {
    return outputs_tool_on(world, TOOL_BIOMES) && gen_layer_info(world, "biome_id");
}

/* Whether entities do such a thing to the ground: then the imprint's layer is read. */
static bool has_imprint(const struct world *world, enum recipe_write_kind kind) {
    return has_biomes(world) && biome_writes(world->recipe, kind);
}

/* ---- height, height_delta ---- */

static enum status height_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                 struct error *err) {
    (void)arg, (void)err;
    stage_reads(inputs, "ground", 0);
    if (has_imprint(world, WRITE_HEIGHT))
        stage_reads(inputs, "imprint_height", 0);
    return STATUS_OK;
}

static enum status height_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_f32 out = tile_f32(run->outputs[0]);
    int32_t imprints = has_imprint(run->world, WRITE_HEIGHT) ? 1 : 0;
    compose_height(&run->inputs[0].f32, imprints ? &run->inputs[1].f32 : NULL, imprints, &out);
    return STATUS_OK;
}

const struct stage stage_height = {
    .name = "height",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "height",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .like_heights = true,
                 .scale = 1,
                 .unit = "m",
                 .what = "final heights, with what the tools and their entities did to the ground"}},
    .inputs = height_inputs,
    .run = height_run,
};

static enum status delta_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "height", 0);
    stage_reads(inputs, "height_in", 0);
    return STATUS_OK;
}

static enum status delta_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_f32 out = tile_f32(run->outputs[0]);
    compose_difference(&run->inputs[0].f32, &run->inputs[1].f32, &out);
    return STATUS_OK;
}

const struct stage stage_height_delta = {
    .name = "height_delta",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "height_delta",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .like_heights = true,
                 .scale = 1,
                 .unit = "m",
                 .min = -32,
                 .max = 32,
                 .what = "final heights less the input's"}},
    .inputs = delta_inputs,
    .run = delta_run,
};

/* ---- inputs that a world may lack ---- */

static void hash_biomes(const struct world *world, struct hasher *h, bool colors) {
    if (!has_biomes(world))
        return;
    const struct recipe *recipe = world->recipe;
    hash_u64(h, (uint64_t)recipe->biome_count);
    for (int32_t i = 0; i < recipe->biome_count; i++) {
        const struct recipe_biome *b = &recipe->biomes[i];
        hash_u64(h, b->id);
        if (colors) {
            hash_bytes(h, b->color, sizeof b->color);
            hash_u64(h, b->texture_only);
        } else {
            hash_u64(h, b->texture_id);
        }
    }
}

/* Wetness of one row, without it everything is neutral; and what drawn water reaches. */
struct water_inputs {
    const struct window *wetness, *dampness; /* NULL: not read */
};

static bool has_wetness(const struct world *world) {
    return gen_layer_info(world, "wetness") != NULL;
}

static void read_water(const struct world *world, struct stage_inputs *inputs) {
    if (has_wetness(world))
        stage_reads(inputs, "wetness", 0);
    if (world_has_tool(world, TOOL_FRESHWATER))
        stage_reads(inputs, "dampness", 0);
}

static struct water_inputs find_water(const struct world *world, const struct window **next) {
    struct water_inputs water = {NULL, NULL};
    if (has_wetness(world))
        water.wetness = (*next)++;
    if (world_has_tool(world, TOOL_FRESHWATER))
        water.dampness = (*next)++;
    return water;
}

static void wetness_row(const struct water_inputs *water, int32_t x, int32_t y, int32_t count,
                        float *wetness) {
    for (int32_t i = 0; i < count; i++)
        wetness[i] = 0;
    if (water->wetness)
        values_row(water->wetness, x, y, count, wetness);
}

/* ---- texture_id ---- */

static enum status texture_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg, (void)err;
    stage_reads(inputs, "slope", 0);
    if (has_biomes(world))
        stage_reads(inputs, biome_home_layer(world->recipe), 0);
    if (world_has_tool(world, TOOL_FRESHWATER))
        stage_reads(inputs, "water_texture", 0);
    if (world_has_tool(world, TOOL_CLIFFS))
        stage_reads(inputs, "cliff_texture", 0);
    if (has_imprint(world, WRITE_TEXTURE))
        stage_reads(inputs, "imprint_texture", 0);
    return STATUS_OK;
}

/* What entities set, then fresh water and cliffs over it, the tool that comes later on top. */
static int32_t texture_overlays(const struct world *world, const struct window *next, struct grid_u8 out[3]) {
    bool water = world_has_tool(world, TOOL_FRESHWATER), cliffs = world_has_tool(world, TOOL_CLIFFS);
    int32_t count = 0;
    if (has_imprint(world, WRITE_TEXTURE))
        out[count++] = next[water + cliffs].u8;
    for (size_t i = 0; i < world->tool_count; i++) {
        if (world->tools[i] == TOOL_FRESHWATER)
            out[count++] = next[0].u8;
        else if (world->tools[i] == TOOL_CLIFFS)
            out[count++] = next[water ? 1 : 0].u8;
    }
    return count;
}

static void texture_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_biomes(world, h, false);
    for (size_t i = 0; i < world->tool_count; i++)
        if (world->tools[i] == TOOL_FRESHWATER || world->tools[i] == TOOL_CLIFFS)
            hash_u64(h, world->tools[i]); /* their order */
}

static enum status texture_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct compose_texture_params params = compose_texture_defaults();
    bool biomes = has_biomes(run->world);
    for (int32_t i = 0; biomes && i < run->world->recipe->biome_count; i++)
        params.biome_textures[run->world->recipe->biomes[i].id] = run->world->recipe->biomes[i].texture_id;
    struct grid_u8 overlays[3];
    params.overlays = overlays;
    params.overlay_count = texture_overlays(run->world, &run->inputs[biomes ? 2 : 1], overlays);
    struct grid_u8 out = tile_u8(run->outputs[0]);
    compose_texture(&params, &run->inputs[0].f32, biomes ? &run->inputs[1].u8 : NULL, &out);
    return STATUS_OK;
}

const struct stage stage_texture = {
    .name = "texture",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "texture_id",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1,
                 .unit = "",
                 .min = 0,
                 .max = 255,
                 .what = "which ground texture an engine shows"}},
    .inputs = texture_inputs,
    .settings = texture_settings,
    .run = texture_run,
};

/* ---- tint ---- */

static enum status tint_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    (void)arg, (void)err;
    if (has_wetness(world))
        stage_reads(inputs, "wetness", 0);
    if (has_imprint(world, WRITE_TINT))
        stage_reads(inputs, "imprint_tint", 0);
    return STATUS_OK;
}

/* One row of what entities do to the tint, or to a colour. */
static void imprint_row(const struct window *imprint, int32_t x, int32_t y, int32_t width, uint8_t *rgb) {
    const struct grid_u8 *g = &imprint->u8;
    compose_tinted_row(g->cells + (ptrdiff_t)(y - g->y0) * g->stride + 3 * (ptrdiff_t)(x - g->x0), width,
                       rgb);
}

static enum status tint_run(struct stage_run *run, struct error *err) {
    (void)err;
    const struct window *next = run->inputs;
    struct water_inputs water = {has_wetness(run->world) ? next++ : NULL, NULL};
    struct grid_u8 out = tile_u8(run->outputs[0]);
    int32_t width = run->cells.x1 - run->cells.x0;
    for (int32_t y = run->cells.y0; y < run->cells.y1; y++) {
        float wetness[SECTION_CELLS];
        wetness_row(&water, run->cells.x0, y, width, wetness);
        uint8_t *rgb = out.cells + (ptrdiff_t)(y - run->cells.y0) * out.stride;
        compose_tint_row(wetness, width, rgb);
        if (has_imprint(run->world, WRITE_TINT))
            imprint_row(next, run->cells.x0, y, width, rgb);
    }
    return STATUS_OK;
}

const struct stage stage_tint = {
    .name = "tint",
    .version = 3,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "tint",
                 .type = LAYER_RGB8,
                 .edge = EDGE_CLAMP,
                 .unit = "",
                 .what = "multiplies the ground's colour, 128 is neutral: wet is darker, dry is lighter"}},
    .inputs = tint_inputs,
    .run = tint_run,
};

/* ---- ground_color ---- */

static enum status color_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    (void)arg, (void)err;
    stage_reads(inputs, "slope", 0);
    read_water(world, inputs);
    if (has_biomes(world))
        stage_reads(inputs, biome_home_layer(world->recipe), COMPOSE_BLEND_CELLS);
    if (world_has_tool(world, TOOL_FRESHWATER)) {
        stage_reads(inputs, "water_kind", 0);
        stage_reads(inputs, "water_depth", 0);
        stage_reads(inputs, "water_foam", 0);
        stage_reads(inputs, "water_texture", 0);
        stage_reads(inputs, "flow_dir", 0);
        stage_reads(inputs, "watershore", 0);
        stage_reads(inputs, "water_bend", 0);
    }
    if (world_has_tool(world, TOOL_CLIFFS)) {
        stage_reads(inputs, "cliffs_color", 0);
        stage_reads(inputs, "erosion", 0);
    }
    if (has_imprint(world, WRITE_TINT))
        stage_reads(inputs, "imprint_tint", 0);
    return STATUS_OK;
}

static void color_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_biomes(world, h, true);
    for (int k = 0; world_has_tool(world, TOOL_FRESHWATER) && k < 3; k++)
        hash_u64(h, (uint64_t)world->freshwater.textures[k]);
}

static uint8_t ground_of_texture(const struct world *world, uint8_t texture) {
    for (int k = 0; texture && k < 3; k++)
        if (world->freshwater.textures[k] == texture)
            return (uint8_t)(GROUND_BED + k);
    return GROUND_DRY;
}

/* in: kind, depth, foam, texture, flow_dir, watershore, bend. */
static void color_water(const struct world *world, const struct window *in, const struct window *dampness,
                        int32_t x, int32_t y, int32_t count, const float *noise, uint8_t *rgb) {
    for (int32_t i = 0; i < count; i++) {
        if (!*grid_u8_at(&dampness->u8, x + i, y))
            continue;
        struct compose_water_cell cell = {.x = x + i,
                                          .y = y,
                                          .seed = world->seed + hash_name("water_streaks"),
                                          .kind = *grid_u8_at(&in[0].u8, x + i, y),
                                          .ground =
                                              ground_of_texture(world, *grid_u8_at(&in[3].u8, x + i, y)),
                                          .dampness = *grid_u8_at(&dampness->u8, x + i, y),
                                          .foam = *grid_u8_at(&in[2].u8, x + i, y),
                                          .flow_dir = *grid_u8_at(&in[4].u8, x + i, y),
                                          .shore = *grid_u8_at(&in[5].u8, x + i, y),
                                          .bend = *grid_u8_at(&in[6].u8, x + i, y),
                                          .gravel = world->freshwater.textures[1] > 0,
                                          .depth = *grid_u16_at(&in[1].u16, x + i, y),
                                          .noise = noise[i] * 2 - 1};
        compose_water(&cell, rgb + 3 * i);
    }
}

/* Waves of a noise, in cells: what is shorter is sampled at few places of its lattice, and weaves rows and
 * columns. The first octave is never shorter than COARSEST_CELLS, the last never than FINEST_CELLS. */
static const double COARSEST_CELLS = 5, FINEST_CELLS = 2.5;

static enum status color_noises(struct stage_run *run, struct grid_f32 noises[COMPOSE_NOISES],
                                struct error *err) {
    struct rect c = run->cells;
    int32_t width = c.x1 - c.x0, height = c.y1 - c.y0;
    for (int32_t k = 0; k < COMPOSE_NOISES; k++) {
        double scale = compose_noise_m[k] / run->world->extent.cell_m;
        scale = scale < COARSEST_CELLS ? COARSEST_CELLS : scale;
        int32_t octaves = k == 0 ? 3 : 2;
        while (octaves > 1 && scale < FINEST_CELLS * (1 << (octaves - 1)))
            octaves--;
        struct noise_params params = {.scale_cells = scale,
                                      .octaves = octaves,
                                      .gain = 0.5,
                                      .lacunarity = 2,
                                      .seed = run->world->seed + hash_name("ground_color") + (uint64_t)k};
        struct noise noise;
        float *cells = arena_alloc(run->scratch, (size_t)width * (size_t)height, sizeof *cells);
        noises[k] = (struct grid_f32){cells, c.x0, c.y0, width, height, width};
        if (!noise_prepare(&params, &noise))
            return error_set(err, STATUS_FAULT, "the ground's colour has no such noise");
        if (!cells || !noise_grid(&noise, &noises[k], run->scratch))
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
    }
    return STATUS_OK;
}

/* The colours of the biomes of a row; home: the layer of their ids, NULL without biomes. */
static void color_biomes(const struct world *world, const struct window *home, int32_t x, int32_t y,
                         int32_t count, uint8_t *rgb) {
    static const uint8_t meadow[3] = {122, 134, 68};
    uint8_t colors[256][3];
    bool sharp[256] = {false};
    for (int32_t i = 0; i < 256; i++)
        memcpy(colors[i], meadow, sizeof meadow);
    for (int32_t i = 0; home && i < world->recipe->biome_count; i++) {
        memcpy(colors[world->recipe->biomes[i].id], world->recipe->biomes[i].color, 3);
        sharp[world->recipe->biomes[i].id] = world->recipe->biomes[i].texture_only;
    }
    if (home)
        compose_biome_colors((const uint8_t(*)[3])colors, sharp, &home->u8, x, y, count, rgb);
    for (int32_t i = 0; !home && i < count; i++)
        memcpy(rgb + 3 * (size_t)i, meadow, sizeof meadow);
}

/* Rock and its debris over the ground's colour. in: cliffs_color, erosion. */
static void color_rock(const struct window *in, int32_t x, int32_t y, int32_t count, uint8_t *rgb) {
    const struct grid_u8 *c = &in[0].u8;
    const uint8_t *rock = c->cells + (ptrdiff_t)(y - c->y0) * c->stride + 3 * (ptrdiff_t)(x - c->x0);
    const uint8_t *debris = grid_u8_at(&in[1].u8, x, y);
    for (int32_t i = 0; i < count; i++, rock += 3, rgb += 3) {
        if (!(rock[0] | rock[1] | rock[2]))
            continue;
        int32_t share = debris[i] ? debris[i] * 7 / 10 : 235;
        for (int32_t k = 0; k < 3; k++)
            rgb[k] = (uint8_t)((rock[k] * share + rgb[k] * (255 - share)) / 255);
    }
}

static enum status color_run(struct stage_run *run, struct error *err) {
    struct grid_f32 noises[COMPOSE_NOISES];
    enum status status = color_noises(run, noises, err);
    if (status != STATUS_OK)
        return status;
    const struct window *next = run->inputs + 1;
    struct water_inputs water = find_water(run->world, &next);
    bool biomes = has_biomes(run->world);
    const struct window *rock = next + biomes + (world_has_tool(run->world, TOOL_FRESHWATER) ? 7 : 0);
    bool rocks = world_has_tool(run->world, TOOL_CLIFFS), tinted = has_imprint(run->world, WRITE_TINT);
    struct grid_u8 out = tile_u8(run->outputs[0]);
    int32_t x = run->cells.x0, width = run->cells.x1 - x;
    for (int32_t y = run->cells.y0; y < run->cells.y1; y++) {
        float slope[SECTION_CELLS], wetness[SECTION_CELLS];
        struct compose_colors_row row = {slope, wetness, {NULL}};
        for (int32_t k = 0; k < COMPOSE_NOISES; k++)
            row.noise[k] = grid_f32_at(&noises[k], x, y);
        values_row(&run->inputs[0], x, y, width, slope);
        wetness_row(&water, x, y, width, wetness);
        uint8_t *rgb = out.cells + (ptrdiff_t)(y - run->cells.y0) * out.stride;
        color_biomes(run->world, biomes ? next : NULL, x, y, width, rgb);
        compose_colors(&row, width, rgb);
        if (tinted)
            imprint_row(rock + (rocks ? 2 : 0), x, y, width, rgb);
        if (rocks)
            color_rock(rock, x, y, width, rgb);
        if (water.dampness)
            color_water(run->world, next + biomes, water.dampness, x, y, width, row.noise[2], rgb);
    }
    return STATUS_OK;
}

const struct stage stage_ground_color = {
    .name = "ground_color",
    .version = 9,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "ground_color",
                 .type = LAYER_RGB8,
                 .edge = EDGE_CLAMP,
                 .unit = "",
                 .what = "the ground's colour in pictures: the biomes', dry and wet patches, soil and rock"}},
    .inputs = color_inputs,
    .settings = color_settings,
    .run = color_run,
};
