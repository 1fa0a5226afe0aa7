/* biome_id and zone_id. */
#include "biome/zones.h"
#include "gen/biome_parts.h"
#include "gen/stages_biome.h"
#include "gen/world.h"
#include <string.h>

static const char paint_name[] = "biome_paint";

const char *biome_home_layer(const struct recipe *recipe) {
    return recipe->biome_count > recipe->main_count ? "zone_id" : "biome_id";
}

/* What each code of the painted mask becomes: the biome or zone of the legend entry's name, else the default.
 */
static void biome_codes(const struct world *world, uint8_t codes[256]) {
    const struct recipe *recipe = world->recipe;
    const struct world_mask *mask = world_find_mask(world, paint_name);
    memset(codes, recipe->biomes[recipe->default_biome].id, 256);
    for (size_t i = 0; mask && i < mask->legend_count; i++)
        for (int32_t b = 0; b < recipe->biome_count; b++)
            if (!mask->legend[i].unpainted && strcmp(recipe->biomes[b].name, mask->legend[i].name) == 0)
                codes[mask->legend[i].code & 255] = recipe->biomes[b].id;
}

static struct biome_zones_params zone_params(const struct world *world) {
    struct rect cells = world->extent.cells;
    struct biome_zones_params p = {.recipe = world->recipe,
                                   .seed = world->seed,
                                   .cell_m = world->extent.cell_m,
                                   .x0 = cells.x0,
                                   .y0 = cells.y0,
                                   .x1 = cells.x1,
                                   .y1 = cells.y1};
    biome_codes(world, p.codes);
    return p;
}

static enum status biome_id_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                   struct error *err) {
    (void)arg;
    const struct recipe *recipe;
    enum status status = need_recipe(world, &recipe, err);
    if (status == STATUS_OK && world_find_mask(world, paint_name))
        stage_reads(inputs, paint_name, biome_painted_reach(recipe, world->extent.cell_m));
    return status;
}

/* Paint, and what else biome_painted reads. */
static void biome_id_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct recipe *recipe = world->recipe;
    struct biome_zones_params p = zone_params(world);
    hash_bytes(h, p.codes, sizeof p.codes);
    for (int32_t b = recipe->main_count; b < recipe->biome_count; b++) {
        hash_u64(h, recipe->biomes[b].id);
        hash_u64(h, recipe->biomes[recipe->biomes[b].parent].id);
    }
    if (recipe->border_jitter_m <= 0.0f)
        return;
    hash_f64(h, (double)recipe->border_jitter_m);
    hash_f64(h, (double)recipe->border_scale_m);
    hash_bytes(h, &world->extent.cells, sizeof world->extent.cells);
    for (int32_t b = 0; b < recipe->biome_count; b++)
        hash_u64(h, recipe->biomes[b].texture_only ? recipe->biomes[b].id : 0);
}

static enum status biome_id_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct biome_zones_params p = zone_params(run->world);
    struct grid_u8 ids = tile_u8(run->outputs[0]), out = tile_u8(run->outputs[1]);
    bool painted = world_find_mask(run->world, paint_name) != NULL;
    biome_painted(&p, painted ? &run->inputs[0].u8 : NULL, &out);
    memcpy(ids.cells, out.cells, run->outputs[0]->size);
    biome_main_ids(p.recipe, &ids);
    return STATUS_OK;
}

const struct stage stage_biome_id = {
    .name = "biome_id",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "biome_id",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "",
                 .max = 255.0,
                 .what = "the recipe's biome at the cell, by its id: painted, else the default"},
                {.name = "biome_painted",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "",
                 .max = 255.0,
                 .what = "the same, or the painted zone (sub-biome), before rules"}},
    .inputs = biome_id_inputs,
    .settings = biome_id_settings,
    .run = biome_id_run,
};

/* ---- zone_id ---- */

static bool rules_read(const struct recipe *recipe, int32_t layer) {
    for (int32_t k = 0; k < recipe->rule_count; k++)
        if (recipe_stack_reads(recipe, recipe->rules[k].step_first, recipe->rules[k].step_end, layer))
            return true;
    return false;
}

static enum status zone_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    (void)arg;
    const struct recipe *recipe;
    enum status status = need_recipe(world, &recipe, err);
    if (status != STATUS_OK)
        return status;
    if (recipe->biome_count == recipe->main_count)
        return error_set(err, STATUS_INPUT, "the recipe has no zones");
    stage_reads(inputs, "biome_painted", 0);
    for (int32_t l = 0; l < recipe->layer_count; l++)
        if (rules_read(recipe, l))
            stage_reads(inputs, recipe->layers[l], 0);
    return STATUS_OK;
}

static void zone_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct recipe *recipe = world->recipe;
    for (int32_t b = 0; b < recipe->main_count; b++) {
        const struct recipe_biome *biome = &recipe->biomes[b];
        hash_u64(h, (uint64_t)(biome->rule_end - biome->rule_first));
        hash_f64(h, (double)biome->patch_m);
        hash_u64(h, biome->id);
        for (int32_t k = biome->rule_first; k < biome->rule_end; k++) {
            const struct recipe_rule *rule = &recipe->rules[k];
            hash_u64(h, recipe->biomes[rule->zone].id);
            hash_text(h, recipe->biomes[rule->zone].name);
            hash_f64(h, (double)rule->weight);
            hash_u64(h, (uint64_t)rule->criteria);
            hash_stack(recipe, rule->step_first, rule->step_end, h);
        }
    }
}

static enum status zone_run(struct stage_run *run, struct error *err) {
    const struct recipe *recipe = run->world->recipe;
    struct biome_zones_params p = zone_params(run->world);
    struct grid_u8 out = tile_u8(run->outputs[0]);
    int32_t input = 1;
    struct biome_layer *layers = arena_alloc(run->scratch, (size_t)recipe->layer_count + 1, sizeof *layers);
    if (!layers)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (int32_t l = 0; l < recipe->layer_count; l++)
        layers[l] = rules_read(recipe, l) ? biome_layer_of(&run->inputs[input++]) : (struct biome_layer){0};
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        memcpy(grid_u8_at(&out, out.x0, y), grid_u8_at(&run->inputs[0].u8, out.x0, y), (size_t)out.width);
    return biome_zones(&p, layers, &out, run->scratch, err);
}

const struct stage stage_zone = {
    .name = "zone",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "zone_id",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "",
                 .max = 255.0,
                 .what = "the zone (sub-biome) at the cell, by its id: painted, else by rules, else the "
                         "main biome"}},
    .inputs = zone_inputs,
    .settings = zone_settings,
    .run = zone_run,
};
