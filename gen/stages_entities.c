#include "gen/stages_biome.h"

#include "biome/imprint.h"
#include "biome/orient.h"
#include "gen/biome_parts.h"
#include "gen/entity.h"
#include "gen/world.h"
#include "terrain/math.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- mask_NAME ---- */

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

/* ---- entities ---- */

/* Whether some species stands on the water's surface, and there may be water. */
static bool anything_floats(const struct world *world) {
    bool floats = false;
    for (int32_t i = 0; i < world->recipe->species_count; i++)
        floats |= world->recipe->species[i].floats;
    return floats && world_has_tool(world, TOOL_FRESHWATER);
}

static enum status entities_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                   struct error *err) {
    (void)arg;
    const struct recipe *recipe;
    enum status status = need_recipe(world, &recipe, err);
    stage_reads(inputs, "height", 1);
    for (int32_t t = 0; status == STATUS_OK && t < recipe->tier_count; t++) {
        char name[STAGE_ARG_MAX];
        snprintf(name, sizeof name, "stand.%d", (int)t);
        stage_reads(inputs, name, 0);
    }
    for (int32_t t = 0; status == STATUS_OK && t < recipe->tier_count; t++) {
        char name[STAGE_ARG_MAX];
        snprintf(name, sizeof name, "stock.%d", (int)t);
        stage_reads(inputs, name, 0);
    }
    if (status == STATUS_OK && anything_floats(world))
        stage_reads(inputs, "water_depth", 0);
    if (world_has_tool(world, TOOL_CLIFFS)) {
        stage_reads(inputs, "ledges", 0);
        stage_reads(inputs, "cliff_rise", 0);
    }
    return status;
}

static void entities_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct recipe *recipe = world->recipe;
    hash_u64(h, world_has_tool(world, TOOL_CLIFFS));
    for (int32_t t = 0; recipe && t < recipe->tier_count; t++) {
        hash_u64(h, (uint64_t)recipe->tiers[t].species_count);
        for (int32_t i = 0; i < recipe->tiers[t].species_count; i++) {
            const struct recipe_species *s = &recipe->species[recipe->tiers[t].species[i]];
            hash_u64(h, s->floats);
            hash_f64(h, (double)s->yaw_deg);
            hash_f64(h, (double)s->yaw_jitter_deg);
            hash_f64(h, (double)s->align);
            hash_f64(h, (double)s->lean_deg);
            hash_u64(h, s->downslope);
            hash_bytes(h, s->color, sizeof s->color);
            hash_f64(h, (double)s->color_jitter);
            hash_u64(h, (uint64_t)s->size_count);
            for (int32_t k = 0; k < s->size_count; k++)
                hash_u64(h, s->sizes[k].object_id);
        }
    }
}

static double height_sample(const struct window *w, int32_t x, int32_t y) {
    double code = 0.0;
    if (w->layer->type == LAYER_F32)
        code = (double)*grid_f32_at(&w->f32, x, y);
    else if (w->layer->type == LAYER_I32)
        code = (double)*grid_i32_at(&w->i32, x, y);
    else if (w->layer->type == LAYER_U16)
        code = (double)*grid_u16_at(&w->u16, x, y);
    return w->layer->offset + w->layer->scale * code;
}

/* Between the four samples around a place, in metres. */
static double height_at(const struct window *w, double x_m, double y_m, double cell_m) {
    double shift = w->posts ? 0.0 : 0.5;
    double u = x_m / cell_m - shift, v = y_m / cell_m - shift;
    double fu = floor(u), fv = floor(v);
    int32_t x = (int32_t)fu, y = (int32_t)fv;
    double s = u - fu, t = v - fv;
    double south = height_sample(w, x, y) + s * (height_sample(w, x + 1, y) - height_sample(w, x, y));
    double north =
        height_sample(w, x, y + 1) + s * (height_sample(w, x + 1, y + 1) - height_sample(w, x, y + 1));
    return south + t * (north - south);
}

static uint8_t shade(uint8_t channel, float factor) {
    float v = (float)channel * factor + 0.5f;
    return v <= 0.0f ? 0 : v >= 255.0f ? 255 : (uint8_t)v;
}

/* The water's surface over the cell of a place; NaN where there is none. */
static double surface_at(const struct stage_run *run, double x_m, double y_m) {
    double m = run->world->extent.cell_m, x = floor(x_m / m), y = floor(y_m / m);
    const struct window *depth = &run->inputs[1 + 2 * run->world->recipe->tier_count];
    struct rect c = run->cells;
    if (!anything_floats(run->world) || x < c.x0 || x >= c.x1 || y < c.y0 || y >= c.y1)
        return (double)NAN;
    uint16_t code = *grid_u16_at(&depth->u16, (int32_t)x, (int32_t)y);
    if (code == 0)
        return (double)NAN;
    return height_at(&run->inputs[0], (x + 0.5) * m, (y + 0.5) * m, m) + depth->layer->scale * code;
}

/* Where something stands: on the ground, or on the rock's ledge over it. */
static double stand_height(const struct stage_run *run, double x_m, double y_m) {
    double cell_m = run->world->extent.cell_m;
    if (world_has_tool(run->world, TOOL_CLIFFS)) {
        const struct window *ledges =
            &run->inputs[1 + 2 * run->world->recipe->tier_count + (anything_floats(run->world) ? 1 : 0)];
        int32_t x = (int32_t)floor(x_m / cell_m), y = (int32_t)floor(y_m / cell_m);
        const struct grid_u8 *g = &ledges->u8;
        x = x < g->x0 ? g->x0 : x >= g->x0 + g->width ? g->x0 + g->width - 1 : x;
        y = y < g->y0 ? g->y0 : y >= g->y0 + g->height ? g->y0 + g->height - 1 : y;
        if (*grid_u8_at(g, x, y)) /* level: its height at the cell's centre */
            return height_at(&run->inputs[0], (x + 0.5) * cell_m, (y + 0.5) * cell_m, cell_m) +
                   (double)*grid_f32_at(&ledges[1].f32, x, y);
    }
    return height_at(&run->inputs[0], x_m, y_m, cell_m);
}

static void set_turn(const struct stage_run *run, const struct recipe_species *s, uint64_t id, double x_m,
                     double y_m, struct entity *e) {
    double turn = 2.0 * (double)hash_unit(candidate_hash(id, DRAW_YAW)) - 1.0;
    struct orient o = {.yaw_deg = (double)s->yaw_deg + turn * (double)s->yaw_jitter_deg,
                       .lean_deg = (double)s->lean_deg,
                       .align = (double)s->align,
                       .downslope = s->downslope};
    if (s->align > 0.0f || s->downslope) { /* over one cell, the place in its middle */
        const struct window *w = &run->inputs[0];
        double m = run->world->extent.cell_m, h = 0.5 * m;
        o.east = (height_at(w, x_m + h, y_m, m) - height_at(w, x_m - h, y_m, m)) / m;
        o.north = (height_at(w, x_m, y_m + h, m) - height_at(w, x_m, y_m - h, m)) / m;
    }
    float q[4];
    biome_orient(&o, q);
    e->qx = q[0];
    e->qy = q[1];
    e->qz = q[2];
    e->qw = q[3];
}

static void make_entity(const struct stage_run *run, const struct biome_candidate *c, struct entity *e) {
    const struct recipe_species *s = candidate_species(run->world->recipe, c);
    *e = (struct entity){.x = c->x_q, .y = c->y_q, .id = c->id, .tool = TOOL_BIOMES};
    double x_m = entity_metres(e->x), y_m = entity_metres(e->y);
    double z = stand_height(run, x_m, y_m);
    double surface = s->floats ? surface_at(run, x_m, y_m) : (double)NAN;
    e->z = entity_lattice(surface > z ? surface : z);
    set_turn(run, s, c->id, x_m, y_m, e);
    e->scale = c->scale;
    e->object_id = s->sizes[c->size].object_id;
    e->viability = c->viability;
    e->age = (float)c->age / 255.0f;
    float factor = 1.0f + s->color_jitter * (2.0f * hash_unit(candidate_hash(c->id, DRAW_COLOR)) - 1.0f);
    e->r = shade(s->color[0], factor);
    e->g = shade(s->color[1], factor);
    e->b = shade(s->color[2], factor);
}

/* Of all tiers, in one sector. */
static uint32_t undecided_of(const struct stage_run *run, int32_t sector) {
    int32_t tiers = run->world->recipe->tier_count;
    uint32_t sum = 0;
    for (int32_t t = 0; t < tiers; t++) {
        const struct tile *tile = window_tile(&run->inputs[1 + tiers + t], run->section_x, run->section_y);
        struct biome_stock stock;
        for (size_t at = tile->part_at[sector]; at < tile->part_at[sector + 1]; at += sizeof stock) {
            memcpy(&stock, tile->bytes + at, sizeof stock);
            sum += stock.undecided;
        }
    }
    return sum;
}

static enum status entities_of_sector(const struct stage_run *run, int32_t sector, const void **part,
                                      size_t *size, struct error *err) {
    const struct entity_schema schema = {0};
    int32_t tiers = run->world->recipe->tier_count;
    size_t count = 0;
    for (int32_t t = 0; t < tiers; t++)
        count +=
            candidate_part(window_tile(&run->inputs[1 + t], run->section_x, run->section_y), sector).count;
    *size = entity_part_size(&schema, count);
    unsigned char *bytes = arena_alloc(run->scratch, *size + 1, 1);
    if (!bytes)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    *part = bytes;
    if (count == 0)
        return STATUS_OK;
    unsigned char *records = entity_part_head(&schema, count, bytes), *at = records;
    for (int32_t t = 0; t < tiers; t++) {
        struct candidate_part stand =
            candidate_part(window_tile(&run->inputs[1 + t], run->section_x, run->section_y), sector);
        for (size_t i = 0; i < stand.count; i++, at += entity_stride(&schema)) {
            struct entity e;
            make_entity(run, &stand.items[i], &e);
            entity_encode(&schema, &e, at);
        }
    }
    entity_sort(&schema, records, count);
    entity_part_set_undecided(bytes, undecided_of(run, sector));
    return STATUS_OK;
}

static enum status entities_run(struct stage_run *run, struct error *err) {
    const void *parts[16];
    size_t sizes[16];
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        enum status status = entities_of_sector(run, i, &parts[i], &sizes[i], err);
        if (status != STATUS_OK)
            return status;
    }
    return tile_set_parts(run->outputs[0], parts, sizes) ? STATUS_OK
                                                         : error_set(err, STATUS_LIMIT, "out of memory");
}

const struct stage stage_entities = {
    .name = "entities",
    .version = 3,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "entities",
                 .type = LAYER_BLOB,
                 .what = "everything that was placed, for the points files"}},
    .inputs = entities_inputs,
    .settings = entities_settings,
    .run = entities_run,
};
