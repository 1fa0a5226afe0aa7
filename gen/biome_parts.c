#include "gen/biome_parts.h"

#include "biome/overrule.h"
#include "gen/geojson.h"
#include "gen/stages_biome.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct candidate_part candidate_part(const struct tile *tile, int32_t sector) {
    size_t from = tile->part_at[sector], to = tile->part_at[sector + 1];
    const void *at = tile->bytes + from; /* whole records from a malloc'ed start: aligned */
    return (struct candidate_part){at, (to - from) / sizeof(struct biome_candidate)};
}

const struct tile *window_tile(const struct window *window, int32_t section_x, int32_t section_y) {
    struct rect s = window->sections;
    return window->tiles[(size_t)(section_y - s.y0) * (size_t)(s.x1 - s.x0) + (size_t)(section_x - s.x0)];
}

/* Positions that lie in some cells: x0 <= x_q < x1, y0 <= y_q < y1. */
static int32_t first_q(int32_t cell, double cell_m) {
    double most = (double)INT32_MAX, at = (double)cell * cell_m * 1024.0;
    int32_t q = (int32_t)(at > most ? most : at < -most ? -most : at);
    while (q < INT32_MAX && biome_cell_of(q, cell_m) < cell)
        q++;
    while (q > INT32_MIN && biome_cell_of(q - 1, cell_m) >= cell)
        q--;
    return q;
}

static struct rect positions_of(struct rect cells, double cell_m) {
    return (struct rect){first_q(cells.x0, cell_m), first_q(cells.y0, cell_m), first_q(cells.x1, cell_m),
                         first_q(cells.y1, cell_m)};
}

static bool inside(const struct biome_candidate *c, struct rect places) {
    return (c->x_q >= places.x0) & (c->x_q < places.x1) & (c->y_q >= places.y0) & (c->y_q < places.y1);
}

/* What append takes of a sector's candidates for some cells. */
enum taking { TAKE_NONE, TAKE_SOME, TAKE_ALL };

static enum taking taking_of(int32_t section_x, int32_t section_y, int32_t sector, struct rect cells) {
    int32_t x = section_x * SECTION_CELLS + sector % SECTION_SECTORS * SECTOR_CELLS;
    int32_t y = section_y * SECTION_CELLS + sector / SECTION_SECTORS * SECTOR_CELLS;
    if (x >= cells.x1 || x + SECTOR_CELLS <= cells.x0 || y >= cells.y1 || y + SECTOR_CELLS <= cells.y0)
        return TAKE_NONE;
    return x >= cells.x0 && x + SECTOR_CELLS <= cells.x1 && y >= cells.y0 && y + SECTOR_CELLS <= cells.y1
               ? TAKE_ALL
               : TAKE_SOME;
}

bool has_sector(struct rect cells, int32_t section_x, int32_t section_y, int32_t sector) {
    return taking_of(section_x, section_y, sector, cells) != TAKE_NONE;
}

/* At most so many of a tile's candidates does append take. */
static size_t room_inside(const struct tile *tile, int32_t section_x, int32_t section_y, struct rect own,
                          struct rect near) {
    size_t count = 0;
    for (int32_t sector = 0; sector < SECTORS_PER_SECTION; sector++)
        if (has_sector(own, section_x, section_y, sector) ||
            taking_of(section_x, section_y, sector, near) != TAKE_NONE)
            count += candidate_part(tile, sector).count;
    return count;
}

static void append_some(struct gathered *out, struct candidate_part part, const uint8_t *state,
                        struct rect places) {
    for (size_t i = 0; i < part.count; i++) {
        if (!inside(&part.items[i], places))
            continue;
        if (state)
            out->state[out->count] = state[i];
        out->items[out->count++] = part.items[i];
    }
}

static void append_all(struct gathered *out, struct candidate_part part, const uint8_t *state) {
    if (part.count == 0)
        return;
    memcpy(out->items + out->count, part.items, part.count * sizeof *part.items);
    if (state)
        memcpy(out->state + out->count, state, part.count);
    out->count += part.count;
}

/* Where the candidates of a section come from. */
struct section_parts {
    const struct tile *tile, *states; /* states: NULL, or beside the tile's */
    int32_t x, y;
};

static const uint8_t *states_of(const struct section_parts *from, int32_t sector) {
    return from->states ? from->states->bytes + from->states->part_at[sector] : NULL;
}

static void append_own(struct gathered *out, const struct section_parts *from, struct rect own) {
    for (int32_t sector = 0; sector < SECTORS_PER_SECTION; sector++)
        if (has_sector(own, from->x, from->y, sector))
            append_all(out, candidate_part(from->tile, sector), states_of(from, sector));
}

/* Appends the others inside `near`, whose positions are `places`. */
static void append_near(struct gathered *out, const struct section_parts *from, struct rect own,
                        struct rect near, struct rect places) {
    for (int32_t sector = 0; sector < SECTORS_PER_SECTION; sector++) {
        enum taking taking = taking_of(from->x, from->y, sector, near);
        if (taking == TAKE_NONE || has_sector(own, from->x, from->y, sector))
            continue;
        struct candidate_part part = candidate_part(from->tile, sector);
        if (taking == TAKE_ALL)
            append_all(out, part, states_of(from, sector));
        else
            append_some(out, part, states_of(from, sector), places);
    }
}

enum status candidates_gather(const struct window *candidates, const struct window *states, struct rect own,
                              struct rect near, double cell_m, struct arena *scratch, struct gathered *out,
                              struct error *err) {
    struct rect s = candidates->sections, places = positions_of(near, cell_m);
    size_t room = 0;
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++) {
            const struct tile *tile = window_tile(candidates, x, y);
            if (tile)
                room += room_inside(tile, x, y, own, near);
        }
    *out = (struct gathered){0};
    out->items = arena_alloc(scratch, room, sizeof *out->items);
    out->state = states ? arena_alloc(scratch, room, 1) : NULL;
    if (!out->items || (states && !out->state))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t y = s.y0; y < s.y1; y++)
            for (int32_t x = s.x0; x < s.x1; x++) {
                struct section_parts from = {window_tile(candidates, x, y),
                                             states ? window_tile(states, x, y) : NULL, x, y};
                if (from.tile && pass == 0)
                    append_own(out, &from, own);
                else if (from.tile)
                    append_near(out, &from, own, near, places);
            }
        if (pass == 0)
            out->own = out->count;
    }
    return STATUS_OK;
}

enum status need_recipe(const struct world *world, const struct recipe **recipe, struct error *err) {
    *recipe = world->recipe;
    return world->recipe ? STATUS_OK : error_set(err, STATUS_INPUT, "the world has no recipe ('biomes:')");
}

static bool has_placed(const struct world *world) {
    return world->placed && world->placed->count > 0;
}

int32_t homes_input_count(const struct world *world) {
    return 1 + has_placed(world) + world_has_tool(world, TOOL_CLIFFS);
}

void homes_inputs(const struct world *world, struct stage_inputs *inputs) {
    stage_reads(inputs, biome_home_layer(world->recipe), 0);
    if (has_placed(world))
        stage_reads(inputs, "placed", 0);
    if (world_has_tool(world, TOOL_CLIFFS))
        stage_reads(inputs, "cliff_bare", 0);
}

/* No home where a mask is set. */
static void take_homes(const uint8_t *mask, int32_t n, uint8_t *homes) {
    for (int32_t i = 0; i < n; i++)
        homes[i] = mask[i] ? 0 : homes[i];
}

bool homes_of(const struct stage_run *run, struct grid_u8 *homes) {
    const struct grid_u8 *from = &run->inputs[0].u8;
    int32_t masks = homes_input_count(run->world) - 1;
    *homes = *from;
    if (masks == 0)
        return true;
    homes->stride = from->width;
    homes->cells = arena_alloc(run->scratch, (size_t)from->width * (size_t)from->height, 1);
    for (int32_t y = from->y0; homes->cells && y < from->y0 + from->height; y++) {
        uint8_t *row = grid_u8_at(homes, from->x0, y);
        memcpy(row, grid_u8_at(from, from->x0, y), (size_t)from->width);
        for (int32_t m = 1; m <= masks; m++)
            take_homes(grid_u8_at(&run->inputs[m].u8, from->x0, y), from->width, row);
    }
    return homes->cells != NULL;
}

/* A decimal number of at most four digits, up to `end`. */
static bool small_number(const char *text, const char *end, int32_t *out) {
    *out = 0;
    if (text == end || end - text > 4 || (text[0] == '0' && end - text > 1))
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return false;
        *out = *out * 10 + (*text - '0');
    }
    return true;
}

enum status tier_of(const struct world *world, const char *arg, int32_t *tier, int32_t *stage,
                    struct error *err) {
    const struct recipe *recipe;
    enum status status = need_recipe(world, &recipe, err);
    if (status != STATUS_OK)
        return status;
    const char *end = arg + strlen(arg), *dot = stage ? strchr(arg, '.') : end;
    bool good = dot && small_number(arg, dot, tier) && (!stage || small_number(dot + 1, end, stage));
    if (!good || *tier >= recipe->tier_count)
        return error_set(err, STATUS_INPUT, "the recipe has no tier '%s' (it has %d)", arg,
                         (int)recipe->tier_count);
    return STATUS_OK;
}

int32_t reach_cells(float reach_m, double cell_m) {
    return (int32_t)ceil((double)reach_m / cell_m) + 1;
}

static void hash_f32(struct hasher *h, float v) {
    hash_f64(h, (double)v);
}

void hash_stack(const struct recipe *recipe, int32_t first, int32_t end, struct hasher *h) {
    hash_u64(h, (uint64_t)(end - first));
    for (int32_t i = first; i < end; i++) {
        const struct recipe_step *step = &recipe->steps[i];
        hash_u64(h, (uint64_t)step->kind);
        hash_u64(h, (uint64_t)step->combine);
        hash_text(h, step->kind == STEP_LAYER ? recipe->layers[step->layer] : "");
        hash_u64(h, (uint64_t)(step->end - i));
        hash_f32(h, step->value);
        hash_u64(h, (uint64_t)(4 * step->ranged + 2 * step->invert + step->circular));
        for (int32_t k = 0; k < 4; k++)
            hash_f32(h, step->ramp[k]);
        hash_f32(h, step->ramp_middle);
        hash_f32(h, step->floor);
        hash_f32(h, step->weight);
        hash_f32(h, step->amount);
    }
}

static void hash_ramp(const struct biome_ramp *ramp, struct hasher *h) {
    hash_u64(h, (uint64_t)ramp->count);
    for (int32_t i = 0; i < ramp->count; i++) {
        hash_f32(h, ramp->x[i]);
        hash_f32(h, ramp->y[i]);
    }
}

void hash_age_raster(const struct recipe_age *age, struct hasher *h) {
    hash_f32(h, age->max_m);
    hash_ramp(&age->ramp, h);
}

static void hash_age(const struct recipe_age *age, struct hasher *h) {
    hash_u64(h, age->max_m > 0.0f ? (uint64_t)age->combine : AGE_NONE);
    hash_f32(h, age->amount);
    hash_u64(h, age->max_m > 0.0f);
}

static void hash_species(const struct recipe *recipe, const struct recipe_species *s, struct hasher *h) {
    hash_u64(h, s->salt);
    for (int32_t b = 0; b < recipe->biome_count; b++)
        if (s->biomes[b >> 6] >> (b & 63) & 1) {
            hash_u64(h, recipe->biomes[b].id);
            hash_f32(h, recipe->biomes[b].density_factor);
            hash_f32(h, recipe->biomes[b].size_factor);
        } else {
            hash_u64(h, 0);
        }
    hash_stack(recipe, s->step_first, s->step_end, h);
    hash_stack(recipe, s->density_step_first, s->density_step_end, h);
    hash_u64(h, s->density_over);
    hash_ramp(&s->density_ramp, h);
    hash_age(&s->age, h);
    const float numbers[] = {
        s->density_per_ha, s->viability_radius_m, s->priority_radius_m, s->radius_spread,   s->jitter,
        s->size_full,      s->size_jitter,        s->scale_random[0],   s->scale_random[1], s->viability_max,
        s->height_full_m,  s->density_factor,     s->size_factor};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash_f32(h, numbers[i]);
    for (int32_t t = 0; t < s->tier; t++) {
        hash_u64(h, (uint64_t)s->heeds[t].kind);
        hash_f32(h, s->heeds[t].factor);
    }
    hash_u64(h, (uint64_t)s->size_count);
    for (int32_t k = 0; k < s->size_count; k++) {
        hash_f32(h, s->sizes[k].from);
        hash_f32(h, s->sizes[k].height_m);
        hash_f32(h, s->sizes[k].scale[0]);
        hash_f32(h, s->sizes[k].scale[1]);
    }
}

void hash_tier(const struct recipe *recipe, int32_t tier, struct hasher *h) {
    const struct recipe_tier *t = &recipe->tiers[tier];
    hash_u64(h, (uint64_t)(int64_t)t->priority);
    hash_u64(h, (uint64_t)t->cell_q);
    hash_f32(h, t->density_per_ha);
    hash_f32(h, t->purity > 1e6f ? -1.0f : t->purity);
    hash_u64(h, (uint64_t)t->rounds_per_stage);
    hash_u64(h, (uint64_t)t->species_count);
    for (int32_t i = 0; i < t->species_count; i++)
        hash_species(recipe, &recipe->species[t->species[i]], h);
}
