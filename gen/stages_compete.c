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

/* What becomes of the candidates that a run is asked for, sector by sector: their states, and how many rounds
 * they took so far. */
struct outcome {
    const uint8_t *states[16];
    size_t counts[16];
    uint8_t played[16];
};

static bool is_asked(const struct stage_run *run, int32_t sector) {
    return has_sector(run->cells, run->section_x, run->section_y, sector);
}

/* Of `own` states in one run, in the order of the sectors. */
static void spread(const struct stage_run *run, const uint8_t *state, struct outcome *out) {
    const struct tile *own = window_tile(&run->inputs[0], run->section_x, run->section_y);
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        out->states[i] = state;
        out->counts[i] = is_asked(run, i) ? candidate_part(own, i).count : 0;
        state += out->counts[i];
    }
}

static enum status publish(struct stage_run *run, const struct outcome *out, struct error *err) {
    const void *states[16], *played[16];
    size_t ones[16];
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        states[i] = out->states[i];
        played[i] = &out->played[i];
        ones[i] = 1;
    }
    bool good =
        tile_set_parts(run->outputs[0], states, out->counts) && tile_set_parts(run->outputs[1], played, ones);
    return good ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

static enum status open_run(struct stage_run *run, int32_t tier, struct error *err) {
    const struct recipe *recipe = run->world->recipe;
    double cell_m = run->world->extent.cell_m;
    struct gathered own;
    enum status status =
        candidates_gather(&run->inputs[0], NULL, run->cells, run->cells, cell_m, run->scratch, &own, err);
    if (status != STATUS_OK)
        return status;
    uint8_t *state = arena_alloc(run->scratch, own.own + 1, 1);
    if (!state)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(state, RIVAL_UNDECIDED, own.own + 1);
    struct biome_weak weak;
    status = biome_weak_make(&weak, recipe, own.items, own.own, run->scratch, err);
    for (int32_t strong = 0; strong < tier && status == STATUS_OK && own.own > 0; strong++) {
        size_t mark = arena_mark(run->scratch);
        float reach_m = biome_overrule_reach_m(recipe, strong, tier);
        struct rect near = rect_grow(run->cells, reach_cells(reach_m, cell_m));
        struct gathered standing;
        status = candidates_gather(&run->inputs[1 + strong], NULL, run->cells, near, cell_m, run->scratch,
                                   &standing, err);
        if (status == STATUS_OK)
            biome_overrule(&weak, standing.items, standing.count, state);
        arena_release(run->scratch, mark);
    }
    if (status != STATUS_OK)
        return status;
    struct outcome out = {.played = {0}};
    spread(run, state, &out);
    return publish(run, &out, err);
}

/* What the stage before left; false: it left nobody undecided, and this is the end of it. */
static bool take_before(const struct stage_run *run, struct outcome *out) {
    const struct tile *before = window_tile(&run->inputs[1], run->section_x, run->section_y);
    const struct tile *played = window_tile(&run->inputs[2], run->section_x, run->section_y);
    bool undecided = false;
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        out->states[i] = before->bytes + before->part_at[i];
        out->counts[i] = is_asked(run, i) ? before->part_at[i + 1] - before->part_at[i] : 0;
        out->played[i] = played->bytes[played->part_at[i]];
        undecided = undecided || (out->counts[i] && memchr(out->states[i], RIVAL_UNDECIDED, out->counts[i]));
    }
    return undecided;
}

static enum status compete_run(struct stage_run *run, struct error *err) {
    int32_t tier, stage;
    enum status status = tier_of(run->world, run->arg, &tier, &stage, err);
    if (status != STATUS_OK)
        return status;
    if (stage == 0)
        return open_run(run, tier, err);
    struct outcome out;
    if (!take_before(run, &out))
        return publish(run, &out, err);
    const struct recipe *recipe = run->world->recipe;
    int32_t rounds = rounds_of(&recipe->tiers[tier], stage);
    double cell_m = run->world->extent.cell_m;
    float reach_m = biome_compete_reach_m(&recipe->tiers[tier], rounds);
    struct gathered all;
    struct biome_rounds counted = {.parts = SECTORS_PER_SECTION};
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++)
        counted.end[i] = (i > 0 ? counted.end[i - 1] : 0) + out.counts[i];
    status = candidates_gather(&run->inputs[0], &run->inputs[1], run->cells,
                               rect_grow(run->cells, reach_cells(reach_m, cell_m)), cell_m, run->scratch,
                               &all, err);
    if (status == STATUS_OK)
        status = biome_compete(recipe, all.items, all.count, rounds, all.state, &counted, run->scratch, err);
    if (status != STATUS_OK)
        return status;
    spread(run, all.state, &out);
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++)
        if (counted.played[i] > 0)
            out.played[i] = (uint8_t)((stage - 1) * recipe->tiers[tier].rounds_per_stage + counted.played[i]);
    return publish(run, &out, err);
}

const struct stage stage_compete = {
    .name = "compete",
    .version = 3,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "compete.*",
                 .type = LAYER_BLOB,
                 .by_sector = true,
                 .what = "who of a tier's candidates is decided by now"},
                {.name = "played.*",
                 .type = LAYER_BLOB,
                 .by_sector = true,
                 .what = "how many rounds of competition a sector's candidates took by now"}},
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

/* Rounds are counted by section. */
static uint8_t most_of(const struct tile *played) {
    uint8_t most = 0;
    for (size_t i = 0; i < played->size; i++)
        most = played->bytes[i] > most ? played->bytes[i] : most;
    return most;
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
    uint8_t rounds = most_of(window_tile(&run->inputs[2], run->section_x, run->section_y));
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
