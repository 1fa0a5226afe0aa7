#include "gen/stages_biome.h"

#include "biome/overrule.h"
#include "gen/biome_parts.h"
#include "gen/world.h"
#include <stdio.h>
#include <string.h>

int32_t biome_compete_stages(const struct recipe_tier *tier) {
    return (RECIPE_ROUNDS + tier->rounds_per_stage - 1) / tier->rounds_per_stage;
}

static int32_t rounds_of(const struct recipe_tier *tier, int32_t stage) {
    int32_t before = (stage - 1) * tier->rounds_per_stage, left = RECIPE_ROUNDS - before;
    return left < tier->rounds_per_stage ? left : tier->rounds_per_stage;
}

/* ---- compete.T.G ---- */

/* compete.T.0 reads its candidates, then what stands of each higher tier; compete.T.G its candidates and
 * compete.T.(G-1). */
static enum status compete_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    int32_t tier, stage;
    char name[STAGE_ARG_MAX];
    enum status status = tier_of(world, arg, &tier, &stage, err);
    if (status != STATUS_OK)
        return status;
    const struct recipe *recipe = world->recipe;
    const struct recipe_tier *t = &recipe->tiers[tier];
    if (stage > biome_compete_stages(t))
        return error_set(err, STATUS_INPUT, "compete.%s: the tier has only %d stages of competition", arg,
                         (int)biome_compete_stages(t));
    double cell_m = world->extent.cell_m;
    int32_t reach = stage ? reach_cells(biome_compete_reach_m(t, rounds_of(t, stage)), cell_m) : 0;
    snprintf(name, sizeof name, "candidates.%d", (int)tier);
    stage_reads(inputs, name, reach);
    for (int32_t strong = 0; stage == 0 && strong < tier; strong++) {
        snprintf(name, sizeof name, "stand.%d", (int)strong);
        stage_reads(inputs, name, reach_cells(biome_overrule_reach_m(recipe, strong, tier), cell_m));
    }
    if (stage > 0) {
        snprintf(name, sizeof name, "compete.%d.%d", (int)tier, (int)stage - 1);
        stage_reads(inputs, name, reach);
        snprintf(name, sizeof name, "played.%d.%d", (int)tier, (int)stage - 1);
        stage_reads(inputs, name, 0);
    }
    return STATUS_OK;
}

static void compete_settings(const struct world *world, const char *arg, struct hasher *h) {
    int32_t tier, stage;
    if (tier_of(world, arg, &tier, &stage, NULL) != STATUS_OK)
        return;
    hash_tier(world->recipe, tier, h);
    for (int32_t strong = 0; stage == 0 && strong < tier; strong++)
        hash_tier(world->recipe, strong, h);
}

/* Publishes the states of the section's own candidates, which come first, part by part, and how many rounds
 * were needed so far. */
static enum status publish_states(struct stage_run *run, const uint8_t *state, uint8_t played,
                                  struct error *err) {
    const struct tile *own = window_tile(&run->inputs[0], run->section_x, run->section_y);
    const void *parts[16], *played_parts[16];
    size_t sizes[16], played_sizes[16], at = 0;
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        sizes[i] = candidate_part(own, i).count;
        parts[i] = state + at;
        at += sizes[i];
        played_parts[i] = &played;
        played_sizes[i] = 1;
    }
    bool good = tile_set_parts(run->outputs[0], parts, sizes) &&
                tile_set_parts(run->outputs[1], played_parts, played_sizes);
    return good ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

static enum status open_run(struct stage_run *run, int32_t tier, struct error *err) {
    const struct recipe *recipe = run->world->recipe;
    const struct tile *own = window_tile(&run->inputs[0], run->section_x, run->section_y);
    size_t count = own->size / sizeof(struct biome_candidate);
    uint8_t *state = arena_alloc(run->scratch, count + 1, 1);
    if (!state)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(state, RIVAL_UNDECIDED, count + 1);
    struct biome_weak weak;
    enum status status =
        biome_weak_make(&weak, recipe, candidate_part(own, 0).items, count, run->scratch, err);
    for (int32_t strong = 0; strong < tier && status == STATUS_OK && count > 0; strong++) {
        size_t mark = arena_mark(run->scratch);
        float reach_m = biome_overrule_reach_m(recipe, strong, tier);
        struct rect near = rect_grow(run->cells, reach_cells(reach_m, run->world->extent.cell_m));
        struct gathered standing;
        status = candidates_gather(&run->inputs[1 + strong], NULL, run->section_x, run->section_y, near,
                                   run->world->extent.cell_m, run->scratch, &standing, err);
        if (status == STATUS_OK)
            biome_overrule(&weak, standing.items, standing.count, state);
        arena_release(run->scratch, mark);
    }
    if (status != STATUS_OK)
        return status;
    return publish_states(run, state, 0, err);
}

static enum status compete_run(struct stage_run *run, struct error *err) {
    int32_t tier, stage;
    enum status status = tier_of(run->world, run->arg, &tier, &stage, err);
    if (status != STATUS_OK)
        return status;
    if (stage == 0)
        return open_run(run, tier, err);
    const struct tile *before = window_tile(&run->inputs[1], run->section_x, run->section_y);
    uint8_t played = *window_tile(&run->inputs[2], run->section_x, run->section_y)->bytes;
    if (before->size == 0 || !memchr(before->bytes, RIVAL_UNDECIDED, before->size))
        return publish_states(run, before->bytes, played, err);
    const struct recipe *recipe = run->world->recipe;
    int32_t rounds = rounds_of(&recipe->tiers[tier], stage);
    double cell_m = run->world->extent.cell_m;
    float reach_m = biome_compete_reach_m(&recipe->tiers[tier], rounds);
    struct gathered all;
    struct biome_rounds counted = {.own = before->size};
    status = candidates_gather(&run->inputs[0], &run->inputs[1], run->section_x, run->section_y,
                               rect_grow(run->cells, reach_cells(reach_m, cell_m)), cell_m, run->scratch,
                               &all, err);
    if (status == STATUS_OK)
        status = biome_compete(recipe, all.items, all.count, rounds, all.state, &counted, run->scratch, err);
    if (counted.played > 0)
        played = (uint8_t)((stage - 1) * recipe->tiers[tier].rounds_per_stage + counted.played);
    return status == STATUS_OK ? publish_states(run, all.state, played, err) : status;
}

const struct stage stage_compete = {
    .name = "compete",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "compete.*",
                 .type = LAYER_BLOB,
                 .by_sector = true,
                 .what = "who of a tier's candidates is decided by now"},
                {.name = "played.*",
                 .type = LAYER_BLOB,
                 .what = "how many rounds of competition a section's candidates took by now"}},
    .inputs = compete_inputs,
    .settings = compete_settings,
    .run = compete_run,
};

/* ---- stand.T, stock.T ---- */

static enum status stand_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    int32_t tier;
    char name[STAGE_ARG_MAX];
    enum status status = tier_of(world, arg, &tier, NULL, err);
    if (status != STATUS_OK)
        return status;
    snprintf(name, sizeof name, "candidates.%d", (int)tier);
    stage_reads(inputs, name, 0);
    snprintf(name, sizeof name, "compete.%d.%d", (int)tier,
             (int)biome_compete_stages(&world->recipe->tiers[tier]));
    stage_reads(inputs, name, 0);
    snprintf(name, sizeof name, "played.%d.%d", (int)tier,
             (int)biome_compete_stages(&world->recipe->tiers[tier]));
    stage_reads(inputs, name, 0);
    return STATUS_OK;
}

static enum status stand_run(struct stage_run *run, struct error *err) {
    int32_t tier;
    enum status status = tier_of(run->world, run->arg, &tier, NULL, err);
    if (status != STATUS_OK)
        return status;
    size_t species_count = (size_t)run->world->recipe->tiers[tier].species_count;
    const struct tile *candidates = window_tile(&run->inputs[0], run->section_x, run->section_y);
    const struct tile *states = window_tile(&run->inputs[1], run->section_x, run->section_y);
    struct biome_candidate *stand = arena_alloc(run->scratch, candidates->size + 1, 1);
    struct biome_stock *stock = arena_alloc(run->scratch, 16 * species_count, sizeof *stock);
    if (!stand || !stock)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(stock, 0, 16 * species_count * sizeof *stock);
    uint8_t rounds = *window_tile(&run->inputs[2], run->section_x, run->section_y)->bytes;
    const void *parts[16], *stock_parts[16];
    size_t sizes[16], stock_sizes[16], count = 0;
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        struct candidate_part part = candidate_part(candidates, i);
        const uint8_t *state = states->bytes + states->part_at[i];
        size_t first = count;
        for (size_t k = 0; k < part.count; k++) {
            struct biome_stock *s = &stock[(size_t)i * species_count + part.items[k].species];
            s->candidates++;
            s->undecided += state[k] == RIVAL_UNDECIDED;
            s->stand += state[k] == RIVAL_STANDS;
            if (state[k] == RIVAL_STANDS)
                stand[count++] = part.items[k];
        }
        for (size_t k = 0; k < species_count; k++)
            stock[(size_t)i * species_count + k].rounds = rounds;
        parts[i] = stand + first;
        sizes[i] = (count - first) * sizeof *stand;
        stock_parts[i] = stock + (size_t)i * species_count;
        stock_sizes[i] = species_count * sizeof *stock;
    }
    bool good = tile_set_parts(run->outputs[0], parts, sizes) &&
                tile_set_parts(run->outputs[1], stock_parts, stock_sizes);
    return good ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

static void stand_settings(const struct world *world, const char *arg, struct hasher *h) {
    int32_t tier;
    if (tier_of(world, arg, &tier, NULL, NULL) == STATUS_OK)
        hash_u64(h, (uint64_t)world->recipe->tiers[tier].species_count);
}

const struct stage stage_stand = {
    .name = "stand",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "stand.*", .type = LAYER_BLOB, .by_sector = true, .what = "what stands of a tier"},
                {.name = "stock.*",
                 .type = LAYER_BLOB,
                 .by_sector = true,
                 .what = "a tier's candidates, standing and undecided, counted"}},
    .inputs = stand_inputs,
    .settings = stand_settings,
    .run = stand_run,
};
