/* patch_SPECIES and age_SPECIES. */
#include "biome/patch.h"
#include "gen/biome_parts.h"
#include "gen/stages_biome.h"
#include "gen/world.h"
#include <stdio.h>
#include <string.h>

/* The species of that name that has an age; NULL: err says why not. */
static const struct recipe_species *find_aged(const struct world *world, const char *name,
                                              struct error *err) {
    const struct recipe *recipe;
    if (need_recipe(world, &recipe, err) != STATUS_OK)
        return NULL;
    for (int32_t i = 0; i < recipe->species_count; i++)
        if (strcmp(recipe->species[i].name, name) == 0 && recipe->species[i].age.max_m > 0.0f)
            return &recipe->species[i];
    error_set(err, STATUS_INPUT, "no species '%s' has an 'age'", name);
    return NULL;
}

/* ---- patch_SPECIES ---- */

static bool reads(const struct recipe *recipe, const struct recipe_species *s, int32_t layer) {
    return recipe_stack_reads(recipe, s->step_first, s->step_end, layer);
}

static enum status patch_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    const struct recipe_species *s = find_aged(world, arg, err);
    if (!s)
        return STATUS_INPUT;
    homes_inputs(world, inputs);
    for (int32_t l = 0; l < world->recipe->layer_count; l++)
        if (reads(world->recipe, s, l))
            stage_reads(inputs, world->recipe->layers[l], 0);
    return STATUS_OK;
}

static void patch_settings(const struct world *world, const char *arg, struct hasher *h) {
    const struct recipe_species *s = find_aged(world, arg, NULL);
    if (!s)
        return;
    for (int32_t b = 0; b < world->recipe->biome_count; b++)
        hash_u64(h, s->biomes[b >> 6] >> (b & 63) & 1 ? world->recipe->biomes[b].id : 0);
    hash_stack(world->recipe, s->step_first, s->step_end, h);
    hash_f64(h, (double)s->age.over);
}

static enum status patch_run(struct stage_run *run, struct error *err) {
    const struct recipe *recipe = run->world->recipe;
    const struct recipe_species *s = find_aged(run->world, run->arg, err);
    struct grid_u8 homes, out = tile_u8(run->outputs[0]);
    if (!s)
        return STATUS_INPUT;
    struct biome_layer *layers = arena_alloc(run->scratch, (size_t)recipe->layer_count + 1, sizeof *layers);
    if (!layers || !homes_of(run, &homes))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    int32_t input = homes_input_count(run->world);
    for (int32_t l = 0; l < recipe->layer_count; l++)
        layers[l] = reads(recipe, s, l) ? biome_layer_of(&run->inputs[input++]) : (struct biome_layer){0};
    return biome_patch(recipe, s, &homes, layers, &out, run->scratch, err);
}

const struct stage stage_patch = {
    .name = "patch",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "patch_*",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .coarse_log2 = PATCH_LOG2,
                 .scale = 1.0 / 255.0,
                 .unit = "",
                 .max = 1.0,
                 .what = "where a species' viability is above the threshold of its age"}},
    .inputs = patch_inputs,
    .settings = patch_settings,
    .run = patch_run,
};

/* ---- age_SPECIES ---- */

static enum status age_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                              struct error *err) {
    const struct recipe_species *s = find_aged(world, arg, err);
    char name[STAGE_ARG_MAX];
    if (!s)
        return STATUS_INPUT;
    snprintf(name, sizeof name, "patch_%s", s->name);
    stage_reads(inputs, name, biome_age_reach(s, world->extent.cell_m) * (1 << PATCH_LOG2));
    return STATUS_OK;
}

static void age_settings(const struct world *world, const char *arg, struct hasher *h) {
    const struct recipe_species *s = find_aged(world, arg, NULL);
    if (s)
        hash_age_raster(&s->age, h);
}

/* The window's samples inside the world: nobody says what a patch is beyond it. */
static struct grid_u8 inside_world(const struct world *world, const struct grid_u8 *window) {
    struct rect r = {window->x0, window->y0, window->x0 + window->width, window->y0 + window->height};
    r = rect_intersect(r, rect_blocks(world->extent.cells, 1 << PATCH_LOG2));
    return (struct grid_u8){
        grid_u8_at(window, r.x0, r.y0), r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0, window->stride};
}

static enum status age_run(struct stage_run *run, struct error *err) {
    const struct recipe_species *s = find_aged(run->world, run->arg, err);
    struct grid_u8 patch = inside_world(run->world, &run->inputs[0].u8), out = tile_u8(run->outputs[0]);
    if (!s)
        return STATUS_INPUT;
    return biome_age(s, run->world->extent.cell_m, &patch, &out, run->scratch, err);
}

const struct stage stage_age = {
    .name = "age",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "age_*",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .coarse_log2 = PATCH_LOG2,
                 .scale = 1.0 / 255.0,
                 .unit = "",
                 .max = 1.0,
                 .what = "how deep in a species' own patch a place lies: 0 at its edge, 1 within"}},
    .inputs = age_inputs,
    .settings = age_settings,
    .run = age_run,
};
