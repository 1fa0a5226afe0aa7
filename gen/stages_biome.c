#include "gen/stages_biome.h"

#include "gen/biome_parts.h"
#include "gen/world.h"
#include <stdio.h>
#include <string.h>

/* ---- candidates ---- */

bool biome_tier_reads(const struct recipe *recipe, int32_t tier, int32_t layer) {
    const struct recipe_tier *t = &recipe->tiers[tier];
    for (int32_t i = 0; i < t->species_count; i++) {
        const struct recipe_species *s = &recipe->species[t->species[i]];
        if (recipe_stack_reads(recipe, s->step_first, s->step_end, layer) ||
            recipe_stack_reads(recipe, s->density_step_first, s->density_step_end, layer) ||
            (s->age.max_m > 0.0f && s->age.layer == layer))
            return true;
    }
    return false;
}

static enum status candidates_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                     struct error *err) {
    int32_t tier;
    enum status status = tier_of(world, arg, &tier, NULL, err);
    if (status != STATUS_OK)
        return status;
    homes_inputs(world, inputs);
    for (int32_t l = 0; l < world->recipe->layer_count; l++)
        if (biome_tier_reads(world->recipe, tier, l))
            stage_reads(inputs, world->recipe->layers[l], 0);
    return STATUS_OK;
}

static void candidates_settings(const struct world *world, const char *arg, struct hasher *h) {
    int32_t tier;
    if (tier_of(world, arg, &tier, NULL, NULL) == STATUS_OK)
        hash_tier(world->recipe, tier, h);
}

struct biome_layer biome_layer_of(const struct window *window) {
    const struct layer_info *info = window->layer;
    struct biome_layer out = {
        .coarse_log2 = info->coarse_log2, .scale = (float)info->scale, .offset = (float)info->offset};
    switch (info->type) {
    case LAYER_F32:
        out.type = CELL_F32;
        out.cells = window->f32.cells;
        out.x0 = window->f32.x0;
        out.y0 = window->f32.y0;
        out.stride = window->f32.stride;
        break;
    case LAYER_I32:
        out.type = CELL_I32;
        out.cells = window->i32.cells;
        out.x0 = window->i32.x0;
        out.y0 = window->i32.y0;
        out.stride = window->i32.stride;
        break;
    case LAYER_U16:
        out.type = CELL_U16;
        out.cells = window->u16.cells;
        out.x0 = window->u16.x0;
        out.y0 = window->u16.y0;
        out.stride = window->u16.stride;
        break;
    case LAYER_U8:
        out.type = CELL_U8;
        out.cells = window->u8.cells;
        out.x0 = window->u8.x0;
        out.y0 = window->u8.y0;
        out.stride = window->u8.stride;
        break;
    case LAYER_RGB8:
    case LAYER_BLOB:
        break;
    }
    return out;
}

/* One sector after the other into one run of scratch; the room that a sector did not need is given back. */
static enum status all_sectors(struct stage_run *run, struct biome_candidates_params *p,
                               const void *parts[16], size_t sizes[16], struct error *err) {
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        struct rect c =
            extent_block(&run->world->extent, run->section_x * SECTION_SECTORS + i % SECTION_SECTORS,
                         run->section_y * SECTION_SECTORS + i / SECTION_SECTORS, SECTOR_CELLS);
        if (rect_empty(rect_intersect(c, run->cells)))
            continue;
        p->x0 = c.x0;
        p->y0 = c.y0;
        p->x1 = c.x1;
        p->y1 = c.y1;
        struct biome_candidate *out = arena_alloc(run->scratch, biome_candidates_room(p), sizeof *out);
        if (!out)
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        size_t count;
        enum status status = biome_candidates(p, out, &count, run->scratch, err);
        if (status != STATUS_OK)
            return status;
        arena_release(run->scratch, (size_t)((unsigned char *)(out + count) - run->scratch->base));
        parts[i] = out;
        sizes[i] = count * sizeof *out;
    }
    return STATUS_OK;
}

static enum status candidates_run(struct stage_run *run, struct error *err) {
    const struct recipe *recipe = run->world->recipe;
    struct grid_u8 biomes;
    int32_t tier, input = homes_input_count(run->world);
    enum status status = tier_of(run->world, run->arg, &tier, NULL, err);
    if (status != STATUS_OK)
        return status;
    struct biome_layer *layers = arena_alloc(run->scratch, (size_t)recipe->layer_count + 1, sizeof *layers);
    if (!layers || !homes_of(run, &biomes))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (int32_t l = 0; l < recipe->layer_count; l++)
        layers[l] = biome_tier_reads(recipe, tier, l) ? biome_layer_of(&run->inputs[input++])
                                                      : (struct biome_layer){0};
    struct biome_candidates_params params = {.recipe = recipe,
                                             .tier = tier,
                                             .seed = run->world->seed,
                                             .cell_m = run->world->extent.cell_m,
                                             .biome_id = &biomes,
                                             .layers = layers};
    const void *parts[16] = {0};
    size_t sizes[16] = {0};
    status = all_sectors(run, &params, parts, sizes, err);
    if (status == STATUS_OK && !tile_set_parts(run->outputs[0], parts, sizes))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    return status;
}

const struct stage stage_candidates = {
    .name = "candidates",
    .version = 5,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "candidates.*",
                 .type = LAYER_BLOB,
                 .by_sector = true,
                 .what = "where something of a tier might stand"}},
    .inputs = candidates_inputs,
    .settings = candidates_settings,
    .run = candidates_run,
};
