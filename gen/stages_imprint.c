/* mask_NAME: what species write around themselves. */
#include "biome/imprint.h"
#include "gen/biome_parts.h"
#include "gen/stages_biome.h"
#include "gen/world.h"
#include <stdio.h>
#include <string.h>

static int32_t find_mask(const struct recipe *recipe, const char *name) {
    for (int32_t m = 0; m < recipe->mask_count; m++)
        if (strcmp(recipe->masks[m], name) == 0)
            return m;
    return -1;
}

static enum status mask_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    const struct recipe *recipe;
    enum status status = need_recipe(world, &recipe, err);
    if (status != STATUS_OK)
        return status;
    int32_t mask = find_mask(recipe, arg);
    if (mask < 0)
        return error_set(err, STATUS_INPUT, "no species writes a mask '%s'", arg);
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        float reach_m = biome_imprint_reach_m(recipe, t, mask);
        char name[STAGE_ARG_MAX];
        snprintf(name, sizeof name, "stand.%d", (int)t);
        if (reach_m >= 0.0f)
            stage_reads(inputs, name, reach_cells(reach_m, world->extent.cell_m));
    }
    return STATUS_OK;
}

static void mask_settings(const struct world *world, const char *arg, struct hasher *h) {
    const struct recipe *recipe = world->recipe;
    int32_t mask = recipe ? find_mask(recipe, arg) : -1;
    for (int32_t t = 0; mask >= 0 && t < recipe->tier_count; t++)
        for (int32_t i = 0; i < recipe->tiers[t].species_count; i++) {
            const struct recipe_species *s = &recipe->species[recipe->tiers[t].species[i]];
            for (int32_t w = 0; w < s->write_count; w++)
                if (s->writes[w].mask == mask) {
                    hash_tier(recipe, t, h);
                    hash_u64(h, (uint64_t)i);
                    hash_f64(h, (double)s->writes[w].radius_m);
                    hash_f64(h, (double)s->writes[w].falloff_m);
                }
        }
}

static enum status mask_run(struct stage_run *run, struct error *err) {
    const struct recipe *recipe = run->world->recipe;
    double cell_m = run->world->extent.cell_m;
    int32_t mask = find_mask(recipe, run->arg), input = 0;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        float reach_m = biome_imprint_reach_m(recipe, t, mask);
        if (reach_m < 0.0f)
            continue;
        size_t mark = arena_mark(run->scratch);
        struct gathered standing;
        enum status status = candidates_gather(&run->inputs[input++], NULL, run->section_x, run->section_y,
                                               rect_grow(run->cells, reach_cells(reach_m, cell_m)), cell_m,
                                               run->scratch, &standing, err);
        if (status != STATUS_OK)
            return status;
        biome_imprint_mask(recipe, mask, cell_m, standing.items, standing.count, &out);
        arena_release(run->scratch, mark);
    }
    return STATUS_OK;
}

const struct stage stage_mask_written = {
    .name = "mask_written",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "mask_*",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1.0 / 255.0,
                 .unit = "",
                 .max = 1.0,
                 .what = "what a recipe's species write around themselves"}},
    .inputs = mask_inputs,
    .settings = mask_settings,
    .run = mask_run,
};
