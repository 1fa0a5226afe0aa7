#include "gen/explain.h"

#include "gen/biome_parts.h"
#include "gen/stages_biome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the jobs fill. States of all stages of a tier's competition, one stage after the other. */
struct tier_job {
    struct explain *e;
    int32_t tier, stages;
    struct rect cells;
    struct exec_input *inputs;
    char (*names)[STAGE_ARG_MAX];
    struct biome_candidate *items;
    uint8_t *states;
    size_t count;
};

struct place_job {
    struct explain *e;
    bool placed, rock;
    uint64_t id;
};

/* ---- values and homes ---- */

static size_t cell_index(const struct explain *e, int32_t x, int32_t y) {
    return (size_t)(y - e->cells.y0) * (size_t)(e->cells.x1 - e->cells.x0) + (size_t)(x - e->cells.x0);
}

static size_t cell_count(const struct explain *e) {
    return (size_t)(e->cells.x1 - e->cells.x0) * (size_t)(e->cells.y1 - e->cells.y0);
}

float explain_value(const struct explain *e, int32_t layer, int32_t x, int32_t y) {
    return e->values[(size_t)layer * cell_count(e) + cell_index(e, x, y)];
}

static void find_entity(struct explain *e, const struct window *entities, uint64_t id) {
    struct rect s = entities->sections;
    for (size_t t = 0; t < (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0) && !e->found; t++) {
        const struct tile *tile = entities->tiles[t];
        for (int32_t k = 0; tile && k < SECTORS_PER_SECTION && !e->found; k++) {
            struct entity_part part;
            size_t size = tile->part_at[k + 1] - tile->part_at[k];
            if (size == 0 || entity_part_open(tile->bytes + tile->part_at[k], size, &part, NULL) != STATUS_OK)
                continue;
            size_t stride = entity_stride(&part.schema);
            for (size_t i = 0; i < part.count && !e->found; i++)
                if (entity_record_id(part.records + i * stride) == id) {
                    entity_decode(&part.schema, part.records + i * stride, &e->entity);
                    e->found = true;
                }
        }
    }
}

/* Windows: homes, placed, bare rock, the recipe's layers, entities; the last three where they are. */
static enum status take_place(void *context, const struct window *w, struct hash128 inputs,
                              struct arena *scratch, struct error *err) {
    (void)inputs;
    (void)scratch;
    (void)err;
    const struct place_job *job = context;
    struct explain *e = job->e;
    const struct window *layers = w + 1 + job->placed + job->rock;
    for (int32_t y = e->cells.y0; y < e->cells.y1; y++)
        for (int32_t x = e->cells.x0; x < e->cells.x1; x++) {
            size_t at = cell_index(e, x, y);
            e->placed[at] = job->placed && *grid_u8_at(&w[1].u8, x, y) ? EXPLAIN_TAKEN_BY_HAND : 0;
            if (job->rock && *grid_u8_at(&w[1 + job->placed].u8, x, y))
                e->placed[at] = EXPLAIN_TAKEN_BY_ROCK;
            e->homes[at] = e->placed[at] ? 0 : *grid_u8_at(&w[0].u8, x, y);
        }
    for (int32_t l = 0; l < e->recipe->layer_count; l++) {
        struct biome_layer layer = biome_layer_of(&layers[l]);
        for (int32_t y = e->cells.y0; y < e->cells.y1; y++)
            for (int32_t x = e->cells.x0; x < e->cells.x1; x++)
                e->values[(size_t)l * cell_count(e) + cell_index(e, x, y)] = biome_layer_value(&layer, x, y);
    }
    if (job->id)
        find_entity(e, &layers[e->recipe->layer_count], job->id);
    return STATUS_OK;
}

/* ---- a tier's candidates and their states ---- */

static bool inside(const struct biome_candidate *c, struct rect cells, double cell_m) {
    int32_t x = biome_cell_of(c->x_q, cell_m), y = biome_cell_of(c->y_q, cell_m);
    return x >= cells.x0 && x < cells.x1 && y >= cells.y0 && y < cells.y1;
}

/* Windows: candidates, then the states of each stage. */
static enum status take_tier(void *context, const struct window *w, struct hash128 inputs,
                             struct arena *scratch, struct error *err) {
    (void)inputs;
    (void)scratch;
    struct tier_job *job = context;
    struct rect s = w[0].sections;
    size_t tiles = (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0), room = 0;
    for (size_t t = 0; t < tiles; t++)
        room += w[0].tiles[t] ? w[0].tiles[t]->size / sizeof *job->items : 0;
    job->items = malloc((room + 1) * sizeof *job->items);
    job->states = malloc((room + 1) * (size_t)(job->stages + 1));
    if (!job->items || !job->states)
        return error_set(err, STATUS_LIMIT, "out of memory");
    for (size_t t = 0; t < tiles; t++)
        for (int32_t k = 0; w[0].tiles[t] && k < SECTORS_PER_SECTION; k++) {
            struct candidate_part part = candidate_part(w[0].tiles[t], k);
            for (size_t i = 0; i < part.count; i++) {
                if (!inside(&part.items[i], job->cells, job->e->world->extent.cell_m))
                    continue;
                for (int32_t g = 0; g <= job->stages; g++) {
                    const struct tile *states = w[1 + g].tiles[t];
                    job->states[job->count * (size_t)(job->stages + 1) + (size_t)g] =
                        states->bytes[states->part_at[k] + i];
                }
                job->items[job->count++] = part.items[i];
            }
        }
    return STATUS_OK;
}

/* ---- rounds ---- */

static uint8_t state_after(const struct tier_job *job, size_t i, int32_t stage) {
    return job->states[i * (size_t)(job->stages + 1) + (size_t)stage];
}

/* Plays a stage of competition again, round by round, from the states before it, and notes who was decided
 * when. What lies near the loaded area's edge may be decided in another round than it seems: the stage's own
 * states say in which stage. */
static enum status play_stage(const struct tier_job *job, int32_t stage, struct explain_one *ones,
                              uint8_t *state, struct arena *arena, struct error *err) {
    const struct recipe *recipe = job->e->recipe;
    int32_t each = recipe->tiers[job->tier].rounds_per_stage, first = (stage - 1) * each;
    int32_t rounds = RECIPE_ROUNDS - first < each ? RECIPE_ROUNDS - first : each;
    for (size_t i = 0; i < job->count; i++)
        state[i] = state_after(job, i, stage - 1);
    for (int32_t k = 1; k <= rounds; k++) {
        enum status status = biome_compete(recipe, job->items, job->count, 1, state, NULL, arena, err);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; i < job->count; i++)
            if (ones[i].round < 0 && state[i] != RIVAL_UNDECIDED)
                ones[i].round = (int8_t)(first + k);
    }
    for (size_t i = 0; i < job->count; i++) {
        bool before = state_after(job, i, stage - 1) != RIVAL_UNDECIDED;
        bool after = state_after(job, i, stage) != RIVAL_UNDECIDED;
        if (!after)
            ones[i].round = -1;
        else if (!before && ones[i].round < 0)
            ones[i].round = (int8_t)(first + rounds);
    }
    return STATUS_OK;
}

struct by_distance {
    double squared;
    size_t index;
    uint64_t id;
};

static int nearest_first(const void *a, const void *b) {
    const struct by_distance *p = a, *q = b;
    if (p->squared != q->squared)
        return p->squared < q->squared ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

static bool sort_ones(const struct explain *e, struct explain_one *ones, size_t count,
                      struct explain_tier *tier) {
    struct by_distance *order = malloc((count + 1) * sizeof *order);
    tier->items = malloc((count + 1) * sizeof *tier->items);
    tier->count = count;
    bool good = order && tier->items;
    for (size_t i = 0; good && i < count; i++) {
        double dx = ones[i].c.x_q / 1024.0 - e->x_m, dy = ones[i].c.y_q / 1024.0 - e->y_m;
        order[i] = (struct by_distance){dx * dx + dy * dy, i, ones[i].c.id};
    }
    if (good && count > 1)
        qsort(order, count, sizeof *order, nearest_first);
    for (size_t i = 0; good && i < count; i++)
        tier->items[i] = ones[order[i].index];
    free(order);
    return good;
}

static enum status finish_tier(const struct tier_job *job, struct error *err) {
    size_t bytes = biome_compete_scratch(job->count);
    struct arena arena = {malloc(bytes), bytes, 0};
    struct explain_one *ones = malloc((job->count + 1) * sizeof *ones);
    uint8_t *state = malloc(job->count + 1);
    enum status status = arena.base && ones && state ? STATUS_OK : STATUS_LIMIT;
    for (size_t i = 0; status == STATUS_OK && i < job->count; i++)
        ones[i] = (struct explain_one){.c = job->items[i],
                                       .state = state_after(job, i, job->stages),
                                       .round = state_after(job, i, 0) == RIVAL_STRUCK ? 0 : -1};
    for (int32_t g = 1; status == STATUS_OK && g <= job->stages; g++)
        status = play_stage(job, g, ones, state, &arena, err);
    if (status == STATUS_OK && !sort_ones(job->e, ones, job->count, &job->e->tiers[job->tier]))
        status = STATUS_LIMIT;
    if (status == STATUS_LIMIT)
        error_set(err, STATUS_LIMIT, "out of memory");
    free(arena.base);
    free(ones);
    free(state);
    return status;
}

/* ---- making ---- */

static struct rect clipped(const struct explain *e, int32_t reach) {
    struct rect c = rect_grow((struct rect){e->x, e->y, e->x + 1, e->y + 1}, reach);
    const struct rect *w = &e->world->extent.cells;
    c.x0 = c.x0 < w->x0 ? w->x0 : c.x0;
    c.y0 = c.y0 < w->y0 ? w->y0 : c.y0;
    c.x1 = c.x1 > w->x1 ? w->x1 : c.x1;
    c.y1 = c.y1 > w->y1 ? w->y1 : c.y1;
    return c;
}

static float lattice_m(const struct recipe *recipe) {
    int32_t most_q = 0;
    for (int32_t t = 0; t < recipe->tier_count; t++)
        most_q = recipe->tiers[t].cell_q > most_q ? recipe->tiers[t].cell_q : most_q;
    return (float)most_q / 1024.0f;
}

/* Cells around the place whose values are told: those of all candidates near, and of its lattice cells. */
static int32_t place_reach(const struct explain *e) {
    return reach_cells((float)EXPLAIN_AROUND_M + lattice_m(e->recipe), e->world->extent.cell_m);
}

/* A candidate of the place's lattice cells, its rivals and theirs, exactly; what clears it. */
static float tier_reach_m(const struct recipe *recipe, int32_t tier) {
    const struct recipe_tier *t = &recipe->tiers[tier];
    float most = biome_compete_reach_m(t, t->rounds_per_stage) + 4.0f * t->radius_max_m;
    for (int32_t weak = tier + 1; weak < recipe->tier_count; weak++) {
        float clears = biome_overrule_reach_m(recipe, tier, weak) + 2.0f * recipe->tiers[weak].radius_max_m;
        most = clears > most ? clears : most;
    }
    return most + (float)EXPLAIN_AROUND_M + lattice_m(recipe);
}

static enum status start_tier(struct explain *e, int32_t tier, struct tier_job *job, struct error *err) {
    int32_t stages = biome_compete_stages(&e->recipe->tiers[tier]);
    int32_t reach = reach_cells(tier_reach_m(e->recipe, tier), e->world->extent.cell_m);
    *job = (struct tier_job){.e = e, .tier = tier, .stages = stages, .cells = clipped(e, reach)};
    job->inputs = calloc((size_t)stages + 2, sizeof *job->inputs);
    job->names = calloc((size_t)stages + 2, sizeof *job->names);
    if (!job->inputs || !job->names)
        return error_set(err, STATUS_LIMIT, "out of memory");
    snprintf(job->names[0], STAGE_ARG_MAX, "candidates.%d", (int)tier);
    for (int32_t g = 0; g <= stages; g++)
        snprintf(job->names[1 + g], STAGE_ARG_MAX, "compete.%d.%d", (int)tier, (int)g);
    for (int32_t i = 0; i < stages + 2; i++)
        job->inputs[i] = (struct exec_input){job->names[i], reach};
    return STATUS_OK;
}

static enum status allocate(struct explain *e, struct error *err) {
    const struct recipe *recipe = e->recipe;
    e->cells = clipped(e, place_reach(e));
    size_t cells = cell_count(e), layers = (size_t)recipe->layer_count;
    e->homes = calloc(cells + 1, 1);
    e->placed = calloc(cells + 1, 1);
    e->values = calloc(cells * layers + 1, sizeof *e->values);
    e->layers = calloc(layers + 1, sizeof *e->layers);
    e->tiers = calloc((size_t)recipe->tier_count + 1, sizeof *e->tiers);
    if (!e->homes || !e->placed || !e->values || !e->layers || !e->tiers)
        return error_set(err, STATUS_LIMIT, "out of memory");
    for (size_t l = 0; l < layers; l++)
        e->layers[l] = (struct biome_layer){.type = CELL_F32,
                                            .cells = e->values + l * cells,
                                            .x0 = e->cells.x0,
                                            .y0 = e->cells.y0,
                                            .stride = e->cells.x1 - e->cells.x0,
                                            .scale = 1.0f};
    return STATUS_OK;
}

/* The place's inputs, in the order of take_place. */
static int32_t list_place(const struct explain *e, const struct place_job *job, int32_t reach,
                          struct exec_input *inputs) {
    int32_t n = 0;
    inputs[n++] = (struct exec_input){biome_home_layer(e->recipe), reach};
    if (job->placed)
        inputs[n++] = (struct exec_input){"placed", reach};
    if (job->rock)
        inputs[n++] = (struct exec_input){"cliff_bare", reach};
    for (int32_t l = 0; l < e->recipe->layer_count; l++)
        inputs[n++] = (struct exec_input){e->recipe->layers[l], reach};
    if (job->id)
        inputs[n++] = (struct exec_input){"entities", reach};
    return n;
}

static enum status gather(struct explain *e, const struct look_options *look, uint64_t id,
                          struct tier_job *tiers, struct exec_job *jobs, struct exec_input *inputs,
                          struct error *err) {
    const struct recipe *recipe = e->recipe;
    bool rock = world_has_tool(e->world, TOOL_CLIFFS), placed = homes_input_count(e->world) > 1 + rock;
    struct place_job place = {.e = e, .placed = placed, .rock = rock, .id = id};
    int32_t reach = place_reach(e), count = recipe->tier_count;
    struct rect at = {e->x, e->y, e->x + 1, e->y + 1};
    enum status status = STATUS_OK;
    for (int32_t t = 0; t < count && status == STATUS_OK; t++) {
        status = start_tier(e, t, &tiers[t], err);
        jobs[t] = (struct exec_job){.cells = at,
                                    .input_count = tiers[t].stages + 2,
                                    .inputs = tiers[t].inputs,
                                    .run = take_tier,
                                    .context = &tiers[t]};
    }
    jobs[count] = (struct exec_job){.cells = at, .inputs = inputs, .run = take_place, .context = &place};
    jobs[count].input_count = list_place(e, &place, reach, inputs);
    if (status == STATUS_OK)
        status = look_jobs(e->world, look, jobs, (size_t)count + 1, err);
    for (int32_t t = 0; t < count && status == STATUS_OK; t++)
        status = finish_tier(&tiers[t], err);
    return status;
}

enum status explain_make(const struct world *world, const struct look_options *look,
                         const struct explain_request *request, struct explain **out, struct error *err) {
    const struct recipe *recipe;
    *out = NULL;
    enum status status = need_recipe(world, &recipe, err);
    if (status != STATUS_OK)
        return status;
    struct explain *e = calloc(1, sizeof *e);
    size_t tiers = (size_t)recipe->tier_count;
    struct tier_job *tier_jobs = calloc(tiers + 1, sizeof *tier_jobs);
    struct exec_job *jobs = calloc(tiers + 1, sizeof *jobs);
    struct exec_input *inputs = calloc((size_t)recipe->layer_count + 3, sizeof *inputs);
    if (e && tier_jobs && jobs && inputs) {
        const struct rect *c = &world->extent.cells;
        *e = (struct explain){.world = world, .recipe = recipe, .x_m = request->x_m, .y_m = request->y_m};
        e->x = (int32_t)floor(request->x_m / world->extent.cell_m);
        e->y = (int32_t)floor(request->y_m / world->extent.cell_m);
        e->x -= e->x == c->x1; /* on the world's border: the last cell */
        e->y -= e->y == c->y1;
        status = allocate(e, err);
        if (status == STATUS_OK)
            status = gather(e, look, request->id, tier_jobs, jobs, inputs, err);
    } else {
        status = error_set(err, STATUS_LIMIT, "out of memory");
    }
    for (size_t t = 0; tier_jobs && t < tiers; t++) {
        free(tier_jobs[t].inputs);
        free(tier_jobs[t].names);
        free(tier_jobs[t].items);
        free(tier_jobs[t].states);
    }
    free(tier_jobs);
    free(jobs);
    free(inputs);
    if (status == STATUS_OK)
        *out = e;
    else
        explain_free(e);
    return status;
}

void explain_free(struct explain *e) {
    if (!e)
        return;
    for (int32_t t = 0; e->tiers && t < e->recipe->tier_count; t++)
        free(e->tiers[t].items);
    free(e->tiers);
    free(e->homes);
    free(e->placed);
    free(e->values);
    free(e->layers);
    free(e);
}

/* ---- ids ---- */

bool explain_find_id(const struct world *world, uint64_t id, struct explain_origin *out) {
    const struct recipe *recipe = world->recipe;
    struct rect c = world->extent.cells;
    for (int32_t s = 0; recipe && s < recipe->species_count; s++) {
        const struct recipe_species *species = &recipe->species[s];
        const struct recipe_tier *tier = &recipe->tiers[species->tier];
        double cells = world->extent.cell_m * 1024.0 / (double)tier->cell_q;
        int32_t i0 = (int32_t)floor(c.x0 * cells) - 1, i1 = (int32_t)ceil(c.x1 * cells) + 1;
        int32_t j0 = (int32_t)floor(c.y0 * cells) - 1, j1 = (int32_t)ceil(c.y1 * cells) + 1;
        for (int32_t j = j0; j < j1; j++)
            for (int32_t i = i0; i < i1; i++)
                if (hash_place(world->seed, species->salt, i, j, 2) == id) {
                    out->species = s;
                    biome_story_cell(tier, world->seed, world->extent.cell_m, i, j, &out->story);
                    return true;
                }
    }
    return false;
}
