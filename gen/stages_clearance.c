#include "gen/stages_clearance.h"

#include "biome/clearance.h"
#include "gen/biome_parts.h"
#include "gen/stages_biome.h"
#include "gen/world.h"
#include <stdio.h>
#include <string.h>

static float largest_agent_m(const struct world *world) {
    double most = 0;
    for (size_t a = 0; a < world->output.agent_count; a++)
        most = world->output.agent_m[a] > most ? world->output.agent_m[a] : most;
    return (float)most;
}

static enum status clearance_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                    struct error *err) {
    (void)arg;
    const struct recipe *recipe;
    enum status status = need_recipe(world, &recipe, err);
    for (int32_t t = 0; status == STATUS_OK && t < recipe->tier_count; t++) {
        float reach_m = biome_clearance_reach_m(recipe, t, largest_agent_m(world));
        char name[STAGE_ARG_MAX];
        snprintf(name, sizeof name, "stand.%d", (int)t);
        if (reach_m >= 0.0f)
            stage_reads(inputs, name, reach_cells(reach_m, world->extent.cell_m));
    }
    return status;
}

static void clearance_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct recipe *recipe = world->recipe;
    hash_u64(h, world->output.agent_count);
    for (size_t a = 0; a < world->output.agent_count; a++)
        hash_f64(h, world->output.agent_m[a]);
    for (int32_t t = 0; recipe && t < recipe->tier_count; t++) {
        if (biome_clearance_reach_m(recipe, t, 0.0f) < 0.0f)
            continue;
        hash_tier(recipe, t, h);
        for (int32_t i = 0; i < recipe->tiers[t].species_count; i++)
            hash_f64(h, (double)recipe->species[recipe->tiers[t].species[i]].trunk_radius_m);
    }
}

/* What stands within the largest reach of the section, tier by tier, in one run of candidates. */
static enum status gather_trunks(struct stage_run *run, struct biome_candidate **out, size_t *count,
                                 struct error *err) {
    const struct recipe *recipe = run->world->recipe;
    double cell_m = run->world->extent.cell_m;
    int32_t input = 0;
    *out = NULL;
    *count = 0;
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        float reach_m = biome_clearance_reach_m(recipe, t, largest_agent_m(run->world));
        struct gathered standing;
        if (reach_m < 0.0f)
            continue;
        enum status status = candidates_gather(&run->inputs[input++], NULL, run->cells,
                                               rect_grow(run->cells, reach_cells(reach_m, cell_m)), cell_m,
                                               run->scratch, &standing, err);
        struct biome_candidate *joined =
            status == STATUS_OK ? arena_alloc(run->scratch, *count + standing.count + 1, sizeof *joined)
                                : NULL;
        if (!joined)
            return status == STATUS_OK ? error_set(err, STATUS_LIMIT, "out of scratch memory") : status;
        if (*count > 0)
            memcpy(joined, *out, *count * sizeof *joined);
        for (size_t i = 0; i < standing.count; i++)
            if (biome_trunk_m(recipe, &standing.items[i]) > 0.0f)
                joined[(*count)++] = standing.items[i];
        *out = joined;
    }
    return STATUS_OK;
}

static enum status clearance_run(struct stage_run *run, struct error *err) {
    struct clearance records[SECTORS_PER_SECTION];
    struct biome_candidate *trunks;
    const void *parts[SECTORS_PER_SECTION];
    size_t sizes[SECTORS_PER_SECTION], count;
    struct biome_clearance_params p = {.recipe = run->world->recipe,
                                       .cell_m = run->world->extent.cell_m,
                                       .agents = (int32_t)run->world->output.agent_count};
    for (int32_t a = 0; a < p.agents; a++)
        p.agent_m[a] = (float)run->world->output.agent_m[a];
    enum status status = gather_trunks(run, &trunks, &count, err);
    memset(records, 0, sizeof records);
    for (int32_t i = 0; i < SECTORS_PER_SECTION && status == STATUS_OK; i++) {
        struct rect c =
            extent_block(&run->world->extent, run->section_x * SECTION_SECTORS + i % SECTION_SECTORS,
                         run->section_y * SECTION_SECTORS + i / SECTION_SECTORS, SECTOR_CELLS);
        p.x0 = c.x0;
        p.y0 = c.y0;
        p.x1 = c.x1;
        p.y1 = c.y1;
        parts[i] = &records[i];
        c = rect_intersect(c, run->cells);
        sizes[i] = rect_empty(c) ? 0 : sizeof records[i];
        if (rect_empty(c))
            continue;
        size_t mark = arena_mark(run->scratch), places = biome_clearance_places(&p);
        uint8_t *blocked = arena_alloc(run->scratch, places, 1);
        if (!blocked)
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        memset(blocked, 0, places);
        biome_clearance_mark(&p, trunks, count, blocked);
        records[i].places = (uint32_t)places;
        biome_clearance_count(&p, blocked, records[i].free_places);
        arena_release(run->scratch, mark);
    }
    if (status == STATUS_OK && !tile_set_parts(run->outputs[0], parts, sizes))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    return status;
}

const struct stage stage_clearance = {
    .name = "clearance",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "clearance",
                 .type = LAYER_BLOB,
                 .by_sector = true,
                 .what = "on how much of a sector agents can walk between the trunks"}},
    .inputs = clearance_inputs,
    .settings = clearance_settings,
    .run = clearance_run,
};
