#include "gen/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const explain_reason_names[EXPLAIN_REASONS] = {"stands",  "outside",   "placed",   "rock",
                                                           "home",    "viability", "draw",     "density",
                                                           "cleared", "struck",    "undecided"};

/* ---- stories ---- */

static bool has_cell(const struct explain *e, int32_t x, int32_t y) {
    const struct rect *c = &e->cells;
    return x >= c->x0 && x < c->x1 && y >= c->y0 && y < c->y1;
}

static struct grid_u8 grid_of(const struct explain *e, uint8_t *cells) {
    int32_t wide = e->cells.x1 - e->cells.x0;
    return (struct grid_u8){cells, e->cells.x0, e->cells.y0, wide, e->cells.y1 - e->cells.y0, wide};
}

static int32_t home_at(const struct explain *e, int32_t x, int32_t y) {
    struct grid_u8 homes = grid_of(e, e->homes);
    return e->recipe->biome_by_id[*grid_u8_at(&homes, x, y)];
}

static uint8_t placed_at(const struct explain *e, int32_t x, int32_t y) {
    struct grid_u8 placed = grid_of(e, e->placed);
    return *grid_u8_at(&placed, x, y);
}

enum status explain_story(const struct explain *e, int32_t tier, int32_t x_q, int32_t y_q, int32_t asked,
                          struct biome_story *story, struct error *err) {
    const struct recipe *recipe = e->recipe;
    double cell_m = e->world->extent.cell_m;
    struct grid_u8 homes = grid_of(e, e->homes);
    biome_story_place(&recipe->tiers[tier], e->world->seed, cell_m, x_q, y_q, story);
    if (!has_cell(e, story->x, story->y))
        return STATUS_OK;
    struct biome_candidates_params p = {.recipe = recipe,
                                        .tier = tier,
                                        .seed = e->world->seed,
                                        .cell_m = cell_m,
                                        .x0 = e->cells.x0,
                                        .y0 = e->cells.y0,
                                        .x1 = e->cells.x1,
                                        .y1 = e->cells.y1,
                                        .biome_id = &homes,
                                        .layers = e->layers};
    size_t bytes = biome_story_scratch(recipe);
    struct arena arena = {malloc(bytes), bytes, 0};
    enum status status = arena.base ? biome_story_tell(&p, asked, story, &arena, err)
                                    : error_set(err, STATUS_LIMIT, "out of memory");
    free(arena.base);
    return status;
}

const struct explain_one *explain_find(const struct explain *e, int32_t tier, uint64_t id) {
    const struct explain_tier *t = &e->tiers[tier];
    for (size_t i = 0; i < t->count; i++)
        if (t->items[i].c.id == id)
            return &t->items[i];
    return NULL;
}

/* ---- rivals ---- */

static int64_t squared(const struct biome_candidate *a, const struct biome_candidate *b) {
    int64_t dx = (int64_t)a->x_q - b->x_q, dy = (int64_t)a->y_q - b->y_q;
    return dx * dx + dy * dy;
}

static void set_rival(const struct explain_one *one, int64_t distance2, int64_t radius_q,
                      struct explain_rival *out) {
    *out = (struct explain_rival){one, sqrt((double)distance2) / 1024.0, (double)radius_q / 1024.0};
}

static bool cleared_by(const struct explain *e, const struct explain_one *one, struct explain_rival *by) {
    for (int32_t t = 0; t < (int32_t)one->c.tier; t++) {
        const struct explain_one *first = NULL;
        for (size_t i = 0; i < e->tiers[t].count; i++) {
            const struct explain_one *strong = &e->tiers[t].items[i];
            const struct recipe_heed *heed = &candidate_species(e->recipe, &one->c)->heeds[t];
            if (strong->state != RIVAL_STANDS || heed->kind == HEED_NONE)
                continue;
            int64_t q = biome_heed_q(e->recipe, &strong->c, &one->c), d2 = squared(&strong->c, &one->c);
            if (d2 >= q * q || (first && biome_outranks(&first->c, &strong->c)))
                continue;
            first = strong;
            set_rival(strong, d2, q, by);
        }
        if (first)
            return true;
    }
    return false;
}

static int64_t radius_of_two(const struct explain *e, const struct explain_one *a,
                             const struct explain_one *b) {
    int32_t r = biome_radius_q(e->recipe, &a->c), q = biome_radius_q(e->recipe, &b->c);
    return r > q ? r : q;
}

bool explain_beaten_by(const struct explain *e, const struct explain_one *one, struct explain_rival *by) {
    const struct explain_tier *tier = &e->tiers[one->c.tier];
    const struct explain_one *first = NULL;
    if (one->state != RIVAL_STRUCK)
        return false;
    if (one->round == 0)
        return cleared_by(e, one, by);
    for (size_t i = 0; i < tier->count; i++) {
        const struct explain_one *other = &tier->items[i];
        if (other == one || other->state != RIVAL_STANDS || other->round != one->round)
            continue;
        int64_t d2 = squared(&other->c, &one->c), r = radius_of_two(e, other, one);
        if (d2 >= r * r || (first && biome_outranks(&first->c, &other->c)))
            continue;
        first = other;
        set_rival(other, d2, r, by);
    }
    return first != NULL;
}

size_t explain_rivals(const struct explain *e, const struct explain_one *one, bool stronger,
                      struct explain_rival *out, size_t room) {
    const struct explain_tier *tier = &e->tiers[one->c.tier];
    size_t count = 0;
    for (size_t i = 0; i < tier->count; i++) {
        const struct explain_one *other = &tier->items[i];
        int64_t d2 = squared(&other->c, &one->c), r = radius_of_two(e, other, one);
        bool mine = other->state == RIVAL_STRUCK && other->round == one->round;
        if (other == one || d2 >= r * r || other->state == RIVAL_STANDS ||
            (stronger ? mine || !biome_outranks(&other->c, &one->c) : !mine))
            continue;
        struct explain_rival rival;
        set_rival(other, d2, r, &rival);
        size_t at = count < room ? count : room;
        while (at > 0 && out[at - 1].distance_m > rival.distance_m) {
            if (at < room)
                out[at] = out[at - 1];
            at--;
        }
        if (at < room)
            out[at] = rival;
        count++;
    }
    return count;
}

/* ---- why not ---- */

/* The step among trace[from..to) of this depth after which a stack stays at 0; of a group that is 0 itself
 * the step inside. */
static int32_t fall(const struct recipe *recipe, const struct biome_trace *trace, int32_t from, int32_t to,
                    int32_t depth) {
    int32_t found = -1;
    float before = 1.0f;
    for (int32_t k = from; k < to; k++) {
        if (trace[k].depth != depth)
            continue;
        if (before > 0.0f && !(trace[k].result > 0.0f))
            found = k;
        before = trace[k].result;
    }
    if (found < 0)
        return -1;
    const struct recipe_step *step = &recipe->steps[trace[found].step];
    int32_t end = found + (step->end - trace[found].step);
    if (step->kind == STEP_GROUP && !(trace[found].read > 0.0f) && end > found + 1) {
        int32_t inner = fall(recipe, trace, found + 1, end, depth + 1);
        return inner >= 0 ? inner : found;
    }
    return found;
}

float explain_viability(const struct explain *e, const struct recipe_species *s, int32_t x, int32_t y,
                        struct biome_trace *trace) {
    float *values = calloc((size_t)e->recipe->layer_count + 1, sizeof *values);
    for (int32_t l = 0; values && l < e->recipe->layer_count; l++)
        values[l] = explain_value(e, l, x, y);
    float v = values ? biome_viability_trace(e->recipe, s->step_first, s->step_end, values, trace) : -1.0f;
    free(values);
    return v;
}

/* The step that brings a species' stack to 0; -1: it is above. */
static int32_t step_of_zero(const struct explain *e, const struct recipe_species *s, int32_t x, int32_t y,
                            struct error *err, enum status *status) {
    int32_t count = s->step_end - s->step_first, step = -1;
    struct biome_trace *trace = calloc((size_t)count + 1, sizeof *trace);
    float v = trace ? explain_viability(e, s, x, y, trace) : -1.0f;
    if (v < 0.0f)
        *status = error_set(err, STATUS_LIMIT, "out of memory");
    else if (!(v > 0.0f))
        step = trace[fall(e->recipe, trace, 0, count, 0)].step;
    free(trace);
    return step;
}

static bool lives_in(const struct recipe_species *s, int32_t biome) {
    return biome >= 0 && (s->biomes[biome >> 6] >> (biome & 63) & 1) != 0;
}

/* What a cell says by itself; EXPLAIN_STANDS: nothing against it. */
static enum status ask_cell(const struct explain *e, const struct recipe_species *s, int32_t x, int32_t y,
                            struct explain_why *why, struct error *err) {
    enum status status = STATUS_OK;
    why->biome = home_at(e, x, y);
    why->reason = EXPLAIN_STANDS;
    if (placed_at(e, x, y)) {
        why->reason = placed_at(e, x, y) == EXPLAIN_TAKEN_BY_ROCK ? EXPLAIN_ROCK : EXPLAIN_PLACED;
    } else if (!lives_in(s, why->biome)) {
        why->reason = EXPLAIN_HOME;
    } else {
        why->step = step_of_zero(e, s, x, y, err, &status);
        if (why->step >= 0)
            why->reason = EXPLAIN_VIABILITY;
    }
    return status;
}

/* What became of the lattice cell's candidate. */
static void ask_contest(const struct explain *e, struct explain_why *why) {
    why->one = explain_find(e, (int32_t)why->story.candidate.tier, why->story.candidate.id);
    if (!why->one || why->one->state == RIVAL_UNDECIDED)
        why->reason = EXPLAIN_UNDECIDED;
    else if (why->one->state == RIVAL_STANDS)
        why->reason = EXPLAIN_STANDS;
    else
        why->reason = why->one->round == 0 ? EXPLAIN_CLEARED : EXPLAIN_STRUCK;
    if (why->reason == EXPLAIN_CLEARED || why->reason == EXPLAIN_STRUCK)
        explain_beaten_by(e, why->one, &why->by);
}

/* What the lattice cell of why->story says, its candidate's cell first. */
static enum status ask_spot(const struct explain *e, int32_t species, struct explain_why *why,
                            struct error *err) {
    const struct recipe_species *s = &e->recipe->species[species];
    why->at_place = false;
    if (!has_cell(e, why->story.x, why->story.y)) {
        why->reason = EXPLAIN_OUTSIDE;
        return STATUS_OK;
    }
    enum status status = ask_cell(e, s, why->story.x, why->story.y, why, err);
    if (status != STATUS_OK || why->reason != EXPLAIN_STANDS)
        return status;
    if (e->recipe->tiers[s->tier].species[why->story.winner] != species)
        why->reason = EXPLAIN_DRAW;
    else if (!why->story.kept)
        why->reason = EXPLAIN_DENSITY;
    else
        ask_contest(e, why);
    return STATUS_OK;
}

enum status explain_why_not(const struct explain *e, int32_t species, struct explain_why *why,
                            struct error *err) {
    const struct recipe_species *s = &e->recipe->species[species];
    *why = (struct explain_why){.at_place = true, .biome = -1, .step = -1};
    enum status status = explain_story(e, s->tier, (int32_t)floor(e->x_m * 1024.0),
                                       (int32_t)floor(e->y_m * 1024.0), species, &why->story, err);
    if (status == STATUS_OK)
        status = ask_cell(e, s, e->x, e->y, why, err);
    if (status != STATUS_OK || why->reason != EXPLAIN_STANDS)
        return status;
    return ask_spot(e, species, why, err);
}

enum status explain_around(const struct explain *e, int32_t species, size_t counts[EXPLAIN_REASONS],
                           struct error *err) {
    const struct recipe_species *s = &e->recipe->species[species];
    const int32_t cell_q = e->recipe->tiers[s->tier].cell_q, near_q = EXPLAIN_AROUND_M * 1024;
    int32_t x_q = (int32_t)floor(e->x_m * 1024.0), y_q = (int32_t)floor(e->y_m * 1024.0);
    enum status status = STATUS_OK;
    memset(counts, 0, EXPLAIN_REASONS * sizeof *counts);
    for (int32_t dy = -near_q - cell_q; dy <= near_q + cell_q && status == STATUS_OK; dy += cell_q)
        for (int32_t dx = -near_q - cell_q; dx <= near_q + cell_q && status == STATUS_OK; dx += cell_q) {
            struct explain_why why = {.biome = -1, .step = -1};
            status = explain_story(e, s->tier, x_q + dx, y_q + dy, species, &why.story, err);
            double east = why.story.x_q / 1024.0 - e->x_m, north = why.story.y_q / 1024.0 - e->y_m;
            if (status != STATUS_OK ||
                east * east + north * north >= (double)EXPLAIN_AROUND_M * EXPLAIN_AROUND_M)
                continue;
            status = ask_spot(e, species, &why, err);
            counts[why.reason] += status == STATUS_OK;
        }
    return status;
}

/* ---- rules ---- */

static bool holds(const struct explain *e, const struct recipe_rule *rule, struct biome_trace *trace,
                  float *values) {
    if (rule->criteria == 0)
        return true;
    for (int32_t l = 0; l < e->recipe->layer_count; l++)
        values[l] = explain_value(e, l, e->x, e->y);
    return biome_viability_trace(e->recipe, rule->step_first, rule->step_end, values, trace) > 0.0f;
}

static bool outranks(const struct recipe_rule *a, const struct recipe_rule *b) {
    return a->weight != b->weight ? a->weight > b->weight : a->criteria > b->criteria;
}

size_t explain_rules(const struct explain *e, int32_t main_biome, int32_t home, struct explain_rule *out,
                     size_t room, bool *painted) {
    const struct recipe *recipe = e->recipe;
    const struct recipe_biome *biome = &recipe->biomes[main_biome];
    struct biome_trace *trace = calloc((size_t)recipe->step_count + 1, sizeof *trace);
    float *values = calloc((size_t)recipe->layer_count + 1, sizeof *values);
    size_t count = 0, all = (size_t)(biome->rule_end - biome->rule_first);
    *painted = home != main_biome;
    for (int32_t k = biome->rule_first; trace && values && k < biome->rule_end && count < room; k++)
        out[count++] = (struct explain_rule){.rule = &recipe->rules[k],
                                             .holds = holds(e, &recipe->rules[k], trace, values)};
    for (size_t i = 0; i < count; i++) {
        out[i].best = out[i].holds;
        for (size_t k = 0; k < count; k++)
            out[i].best &= !out[k].holds || !outranks(out[k].rule, out[i].rule);
        out[i].wins = out[i].best && out[i].rule->zone == home;
        *painted &= !out[i].wins;
    }
    free(trace);
    free(values);
    return all;
}
