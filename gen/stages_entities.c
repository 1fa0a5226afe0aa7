/* Entities: what stands, with its place on the ground, turn, asset and colour. */
#include "biome/orient.h"
#include "biome/show.h"
#include "cliff/drape.h"
#include "gen/biome_parts.h"
#include "gen/cliff_part.h"
#include "gen/entity.h"
#include "gen/stages_biome.h"
#include "gen/stands.h"
#include "gen/world.h"
#include "terrain/math.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- inputs ---- */

/* Whether some species stands on the water's surface, and there may be water. */
static bool anything_floats(const struct world *world) {
    bool floats = false;
    for (int32_t i = 0; i < world->recipe->species_count; i++)
        floats |= world->recipe->species[i].floats;
    return floats && world_has_tool(world, TOOL_FRESHWATER);
}

static bool anything_heads(const struct recipe *recipe, enum recipe_forward forward) {
    for (int32_t i = 0; i < recipe->species_count; i++)
        if (recipe->species[i].forward == forward)
            return true;
    return false;
}

static bool tints_read(const struct recipe *recipe, int32_t layer) {
    for (int32_t i = 0; i < recipe->species_count; i++) {
        const struct recipe_tint *t = &recipe->species[i].tint;
        if (recipe_stack_reads(recipe, t->step_first, t->step_end, layer))
            return true;
    }
    return false;
}

static enum status entities_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                   struct error *err) {
    (void)arg;
    const struct recipe *recipe;
    enum status status = need_recipe(world, &recipe, err);
    if (status != STATUS_OK)
        return status;
    double moved_m = (double)recipe_offset_most_m(recipe, true);
    int32_t moved = 1 + (int32_t)ceil(moved_m / world->extent.cell_m);
    stage_reads(inputs, "height", moved + 1);
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        char name[STAGE_ARG_MAX];
        snprintf(name, sizeof name, "stand.%d", (int)t);
        stage_reads(inputs, name, 0);
    }
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        char name[STAGE_ARG_MAX];
        snprintf(name, sizeof name, "stock.%d", (int)t);
        stage_reads(inputs, name, 0);
    }
    if (anything_floats(world))
        stage_reads(inputs, "water_depth", moved);
    if (world_has_tool(world, TOOL_CLIFFS)) {
        stage_reads(inputs, "ledges", 0);
        stage_reads(inputs, "cliff_surface", 0);
    }
    if (anything_heads(recipe, FORWARD_WIND))
        stage_reads(inputs, "wind_dir", 0);
    for (int32_t l = 0; l < recipe->layer_count; l++)
        if (tints_read(recipe, l))
            stage_reads(inputs, recipe->layers[l], 0);
    return STATUS_OK;
}

/* The windows that entities_inputs asked for; NULL: not asked. */
struct sources {
    const struct window *height, *stand, *stock; /* one stand and stock a tier */
    const struct window *depth, *ledges, *rock, *wind;
    struct cliff_mesh mesh; /* of the sector at hand */
    struct cliff_bins bins;
    double corner_m[2];         /* of that sector */
    struct biome_layer *layers; /* by recipe layer, for tints */
};

static bool find_sources(const struct stage_run *run, struct sources *in) {
    const struct world *world = run->world;
    const struct recipe *recipe = world->recipe;
    bool cliffs = world_has_tool(world, TOOL_CLIFFS);
    const struct window *next = run->inputs;
    in->height = next++;
    in->stand = next;
    next += recipe->tier_count;
    in->stock = next;
    next += recipe->tier_count;
    in->depth = anything_floats(world) ? next++ : NULL;
    in->ledges = cliffs ? next++ : NULL;
    in->rock = cliffs ? next++ : NULL;
    in->wind = anything_heads(recipe, FORWARD_WIND) ? next++ : NULL;
    in->layers = arena_alloc(run->scratch, (size_t)recipe->layer_count + 1, sizeof *in->layers);
    for (int32_t l = 0; in->layers && l < recipe->layer_count; l++)
        in->layers[l] = tints_read(recipe, l) ? biome_layer_of(next++) : (struct biome_layer){0};
    return in->layers != NULL;
}

/* What show.c and the turn read of a species. */
static void hash_looks(const struct recipe *recipe, const struct recipe_species *s, struct hasher *h) {
    const float turn[] = {s->yaw_deg,         s->yaw_jitter_deg, s->lean_deg,
                          s->lean_jitter_deg, s->roll_deg,       s->roll_jitter_deg,
                          s->align,           s->color_jitter,   s->tint.jitter};
    hash_u64(h, s->floats);
    hash_f64(h, (double)s->buried);
    for (int i = 0; i < 3; i++) {
        hash_f64(h, (double)s->offset_m[i]);
        hash_f64(h, (double)s->offset_jitter_m[i]);
    }
    hash_u64(h, (uint64_t)s->forward);
    for (size_t i = 0; i < sizeof turn / sizeof *turn; i++)
        hash_f64(h, (double)turn[i]);
    hash_bytes(h, s->color, sizeof s->color);
    hash_u64(h, (uint64_t)s->tint.count);
    for (int32_t i = 0; i < s->tint.count; i++) {
        hash_f64(h, (double)s->tint.x[i]);
        hash_bytes(h, s->tint.rgb[i], sizeof s->tint.rgb[i]);
    }
    hash_u64(h, (uint64_t)s->tint.over);
    hash_stack(recipe, s->tint.step_first, s->tint.step_end, h);
}

static void entities_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct recipe *recipe = world->recipe;
    hash_u64(h, world_has_tool(world, TOOL_CLIFFS));
    for (int32_t t = 0; recipe && t < recipe->tier_count; t++) {
        hash_u64(h, (uint64_t)recipe->tiers[t].species_count);
        for (int32_t i = 0; i < recipe->tiers[t].species_count; i++) {
            const struct recipe_species *s = &recipe->species[recipe->tiers[t].species[i]];
            hash_looks(recipe, s, h);
            hash_u64(h, (uint64_t)s->size_count);
            for (int32_t k = 0; k < s->size_count; k++) {
                const struct recipe_size *size = &s->sizes[k];
                hash_u64(h, size->object_id);
                hash_f64(h, (double)size->height_m); /* tints over height */
                hash_u64(h, (uint64_t)size->variation_count);
                for (int32_t v = size->variation_first; v < size->variation_first + size->variation_count;
                     v++) {
                    hash_u64(h, recipe->variations[v].object_id);
                    hash_f64(h, (double)recipe->variations[v].weight);
                    hash_u64(h, recipe->variations[v].colored);
                    hash_bytes(h, recipe->variations[v].color, 3);
                }
            }
        }
    }
}

/* ---- place ---- */

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

/* The cell of a place, moved into c when it lies on its edge. */
static void cell_in(struct rect c, double m, double x_m, double y_m, int32_t *x, int32_t *y) {
    *x = (int32_t)floor(x_m / m);
    *y = (int32_t)floor(y_m / m);
    *x = *x < c.x0 ? c.x0 : *x >= c.x1 ? c.x1 - 1 : *x;
    *y = *y < c.y0 ? c.y0 : *y >= c.y1 ? c.y1 - 1 : *y;
}

/* The cell of a candidate's own place. */
static void cell_of(const struct stage_run *run, double x_m, double y_m, int32_t *x, int32_t *y) {
    cell_in(run->cells, run->world->extent.cell_m, x_m, y_m, x, y);
}

/* The water's surface over the cell of a place, which may have been moved; NaN where there is none. */
static double surface_at(const struct stage_run *run, const struct sources *in, double x_m, double y_m) {
    double m = run->world->extent.cell_m;
    int32_t x, y;
    if (!in->depth)
        return (double)NAN;
    cell_in(run->world->extent.cells, m, x_m, y_m, &x, &y);
    uint16_t code = *grid_u16_at(&in->depth->u16, x, y);
    if (code == 0)
        return (double)NAN;
    return height_at(in->height, (x + 0.5) * m, (y + 0.5) * m, m) + in->depth->layer->scale * code;
}

/* The rock's ledge over the ground, if there is one at a place: it may move it within its cell. */
static bool stand_on_ledge(const struct stage_run *run, const struct sources *in, double at_m[3]) {
    int32_t x, y;
    if (!in->ledges || !in->mesh.quad_count)
        return false;
    cell_of(run, at_m[0], at_m[1], &x, &y);
    double u = at_m[0] - in->corner_m[0], v = at_m[1] - in->corner_m[1];
    if (!*grid_u8_at(&in->ledges->u8, x, y) || !cliff_stand(&in->bins, &u, &v, &at_m[2]))
        return false;
    at_m[0] = in->corner_m[0] + u;
    at_m[1] = in->corner_m[1] + v;
    return true;
}

/* The rock of a sector, where something stands on its ledges (if not, no rock). */
static bool take_rock(const struct stage_run *run, struct sources *in, int32_t sector, bool needed) {
    double cell_m = run->world->extent.cell_m;
    in->mesh = (struct cliff_mesh){0};
    in->corner_m[0] = (run->section_x * SECTION_SECTORS + sector % SECTION_SECTORS) * SECTOR_CELLS * cell_m;
    in->corner_m[1] = (run->section_y * SECTION_SECTORS + sector / SECTION_SECTORS) * SECTOR_CELLS * cell_m;
    return !needed || (cliff_part_read(in->rock->tiles[0], sector, run->scratch, &in->mesh) &&
                       (in->mesh.quad_count == 0 ||
                        cliff_bins_make(&in->mesh, cell_m, SECTOR_CELLS, run->scratch, &in->bins)));
}

/* ---- turn ---- */

/* Offset +- jitter by one draw, in degrees. */
static double drawn(float offset, float jitter, uint64_t id, enum candidate_draw draw) {
    double u = 2.0 * (double)hash_unit(candidate_hash(id, draw)) - 1.0;
    return (double)offset + u * (double)jitter;
}

static double heading_deg(const struct stage_run *run, const struct sources *in,
                          const struct recipe_species *s, uint64_t id, double x_m, double y_m) {
    int32_t x, y;
    if (s->forward == FORWARD_RANDOM)
        return drawn(s->yaw_deg, 180.0f, id, DRAW_YAW);
    double yaw = drawn(s->yaw_deg, s->yaw_jitter_deg, id, DRAW_YAW);
    if (s->forward != FORWARD_WIND)
        return yaw;
    cell_of(run, x_m, y_m, &x, &y); /* the layer says where the wind comes from */
    const struct layer_info *layer = in->wind->layer;
    return yaw + layer->offset + layer->scale * (double)*grid_u8_at(&in->wind->u8, x, y) + 180.0;
}

/* at_m: its place; o: what it is turned by. */
static void set_turn(const struct stage_run *run, const struct sources *in, const struct recipe_species *s,
                     uint64_t id, const double at_m[3], struct orient *o, struct entity *e) {
    double x_m = at_m[0], y_m = at_m[1];
    *o = (struct orient){.yaw_deg = heading_deg(run, in, s, id, x_m, y_m),
                         .lean_deg = drawn(s->lean_deg, s->lean_jitter_deg, id, DRAW_LEAN),
                         .roll_deg = drawn(s->roll_deg, s->roll_jitter_deg, id, DRAW_ROLL),
                         .align = (double)s->align,
                         .downslope = s->forward == FORWARD_DOWNSLOPE};
    if (s->align > 0.0f || o->downslope) { /* over one cell, the place in its middle */
        double m = run->world->extent.cell_m, h = 0.5 * m;
        o->east = (height_at(in->height, x_m + h, y_m, m) - height_at(in->height, x_m - h, y_m, m)) / m;
        o->north = (height_at(in->height, x_m, y_m + h, m) - height_at(in->height, x_m, y_m - h, m)) / m;
    }
    float q[4];
    biome_orient(o, q);
    e->qx = q[0];
    e->qy = q[1];
    e->qz = q[2];
    e->qw = q[3];
}

/* How far the species' offset moves it, east, north and up; over the ground alone when level. */
static void offset_of(const struct recipe_species *s, const struct biome_candidate *c, float height_m,
                      const struct orient *o, const struct entity *e, bool level, double move_m[3]) {
    const float q[4] = {e->qx, e->qy, e->qz, e->qw};
    double growth = (double)recipe_growth(s, height_m), offset[3];
    for (int i = 0; i < 3; i++)
        offset[i] = growth * drawn(s->offset_m[i], s->offset_jitter_m[i], c->id,
                                   (enum candidate_draw)(DRAW_OFFSET_X + i));
    if (level)
        offset[2] = 0.0;
    else
        offset[0] = offset[1] = 0.0;
    biome_offset(o, q, offset, move_m);
}

/* ---- tints by a stack ---- */

/* stack[i] = what the tint's stack of candidate i's species gives at its cell, for those whose tint goes by
 * one. */
static enum status tint_stacks(const struct stage_run *run, const struct sources *in,
                               const struct candidate_part *part, int32_t tier, float *stack,
                               struct error *err) {
    const struct recipe *recipe = run->world->recipe;
    struct biome_batch batch;
    int32_t x[VIABILITY_BATCH], y[VIABILITY_BATCH];
    size_t at[VIABILITY_BATCH], mark = arena_mark(run->scratch);
    float out[VIABILITY_BATCH];
    enum status status = biome_batch_init(&batch, recipe, in->layers, run->scratch, err);
    for (int32_t k = 0; status == STATUS_OK && k < recipe->tiers[tier].species_count; k++) {
        const struct recipe_tint *tint = &recipe->species[recipe->tiers[tier].species[k]].tint;
        for (size_t i = 0; tint->over == TINT_STACK && i < part->count;) {
            int32_t n = 0;
            for (; i < part->count && n < VIABILITY_BATCH; i++)
                if (part->items[i].species == (uint32_t)k) {
                    x[n] = biome_cell_of(part->items[i].x_q, run->world->extent.cell_m);
                    y[n] = biome_cell_of(part->items[i].y_q, run->world->extent.cell_m);
                    at[n++] = i;
                }
            batch.count = n;
            batch.x = x;
            batch.y = y;
            biome_batch_reset(&batch, recipe);
            biome_viability(recipe, tint->step_first, tint->step_end, &batch, out);
            for (int32_t j = 0; j < n; j++)
                stack[at[j]] = out[j];
        }
    }
    arena_release(run->scratch, mark);
    return status;
}

/* ---- entities ---- */

/* Its turn, and its place: moved over the ground, set down there, then moved along its upright. */
static void set_place(const struct stage_run *run, const struct sources *in, const struct recipe_species *s,
                      const struct biome_candidate *c, struct entity *e) {
    float height_m = biome_height_m(run->world->recipe, c);
    bool moved = recipe_offset_m(s, height_m, false) > 0.0f;
    double at_m[3] = {entity_metres(e->x), entity_metres(e->y), 0.0}, move_m[3];
    struct orient o;
    bool ledge = stand_on_ledge(run, in, at_m);
    set_turn(run, in, s, c->id, at_m, &o, e);
    if (moved && !ledge) {
        offset_of(s, c, height_m, &o, e, true, move_m);
        at_m[0] += move_m[0];
        at_m[1] += move_m[1];
    }
    if (!ledge)
        at_m[2] = height_at(in->height, at_m[0], at_m[1], run->world->extent.cell_m);
    if (s->buried > 0.0f)
        at_m[2] -= (double)(s->buried * height_m);
    double surface = s->floats ? surface_at(run, in, at_m[0], at_m[1]) : (double)NAN;
    at_m[2] = surface > at_m[2] ? surface : at_m[2];
    if (moved) {
        offset_of(s, c, height_m, &o, e, false, move_m);
        for (int i = 0; i < 3; i++)
            at_m[i] += move_m[i];
    }
    e->x = entity_lattice(at_m[0]);
    e->y = entity_lattice(at_m[1]);
    e->z = entity_lattice(at_m[2]);
}

static void make_entity(const struct stage_run *run, const struct sources *in,
                        const struct biome_candidate *c, float stack, struct entity *e) {
    const struct recipe_species *s = candidate_species(run->world->recipe, c);
    struct biome_shown shown = biome_show(run->world->recipe, c, stack);
    *e = (struct entity){.x = c->x_q,
                         .y = c->y_q,
                         .id = c->id,
                         .tool = TOOL_BIOMES,
                         .scale = c->scale,
                         .object_id = shown.object_id,
                         .viability = c->viability,
                         .age = (float)c->age / 255.0f,
                         .r = shown.rgb[0],
                         .g = shown.rgb[1],
                         .b = shown.rgb[2]};
    set_place(run, in, s, c, e);
}

static struct candidate_part stand_of(const struct stage_run *run, const struct sources *in, int32_t tier,
                                      int32_t sector) {
    return candidate_part(window_tile(&in->stand[tier], run->section_x, run->section_y), sector);
}

/* Of all tiers, in one sector. */
static struct entity_stock stock_of(const struct stage_run *run, const struct sources *in, int32_t sector) {
    struct entity_stock all = {0, 0, 0};
    for (int32_t t = 0; t < run->world->recipe->tier_count; t++) {
        const struct tile *tile = window_tile(&in->stock[t], run->section_x, run->section_y);
        struct biome_stock stock;
        for (size_t at = tile->part_at[sector]; at < tile->part_at[sector + 1]; at += sizeof stock) {
            memcpy(&stock, tile->bytes + at, sizeof stock);
            all.candidates += stock.candidates;
            all.undecided += stock.undecided;
            all.rounds = stock.rounds > all.rounds ? stock.rounds : all.rounds;
        }
    }
    return all;
}

/* What stands in a sector, to be put in order. */
struct standing {
    uint64_t id;
    const struct biome_candidate *candidate;
    float stack; /* of its tint */
};

static enum status list_tier(const struct stage_run *run, const struct sources *in, int32_t tier,
                             int32_t sector, struct standing *out, struct error *err) {
    struct candidate_part stand = stand_of(run, in, tier, sector);
    size_t mark = arena_mark(run->scratch);
    float *stack = arena_alloc(run->scratch, stand.count + 1, sizeof *stack);
    if (!stack)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(stack, 0, (stand.count + 1) * sizeof *stack);
    enum status status = tint_stacks(run, in, &stand, tier, stack, err);
    for (size_t i = 0; status == STATUS_OK && i < stand.count; i++)
        out[i] = (struct standing){stand.items[i].id, &stand.items[i], stack[i]};
    arena_release(run->scratch, mark);
    return status;
}

/* By id. Ids are hashes: their upper bits put them nearly in order, a few steps of insertion do the rest.
 * next: room for 2^bits + 1. */
static void order(const struct standing *from, size_t count, int32_t bits, uint32_t *next,
                  struct standing *to) {
    memset(next, 0, (((size_t)1 << bits) + 1) * sizeof *next);
    for (size_t i = 0; i < count; i++)
        next[(from[i].id >> (64 - bits)) + 1]++;
    for (size_t b = 1; b <= (size_t)1 << bits; b++)
        next[b] += next[b - 1];
    for (size_t i = 0; i < count; i++)
        to[next[from[i].id >> (64 - bits)]++] = from[i];
    for (size_t i = 1; i < count; i++) {
        struct standing item = to[i];
        size_t k = i;
        for (; k > 0 && to[k - 1].id > item.id; k--)
            to[k] = to[k - 1];
        to[k] = item;
    }
}

/* What stands of all tiers in one sector, in order; count of them. */
static enum status list_sector(const struct stage_run *run, const struct sources *in, int32_t sector,
                               const struct standing **out, size_t *count, struct error *err) {
    int32_t tiers = run->world->recipe->tier_count, bits = 1;
    size_t all = 0;
    for (int32_t t = 0; t < tiers; t++)
        all += stand_of(run, in, t, sector).count;
    while (bits < 20 && (size_t)1 << bits < all)
        bits++;
    struct standing *list = arena_alloc(run->scratch, all + 1, sizeof *list);
    struct standing *sorted = arena_alloc(run->scratch, all + 1, sizeof *sorted);
    uint32_t *next = arena_alloc(run->scratch, ((size_t)1 << bits) + 1, sizeof *next);
    if (!list || !sorted || !next)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    *count = 0;
    for (int32_t t = 0; t < tiers; t++) {
        enum status status = list_tier(run, in, t, sector, list + *count, err);
        if (status != STATUS_OK)
            return status;
        *count += stand_of(run, in, t, sector).count;
    }
    order(list, all, bits, next, sorted);
    *out = sorted;
    return STATUS_OK;
}

/* Of each species and size class that stands in a sector, how many; NULL: no memory. */
static struct entity_class *list_classes(const struct stage_run *run, const struct sources *in,
                                         int32_t sector, size_t *count) {
    const struct recipe *recipe = run->world->recipe;
    size_t room = (size_t)recipe->species_count * RECIPE_CLASSES_MAX;
    struct entity_class *classes = arena_alloc(run->scratch, room, sizeof *classes);
    uint32_t *tally = arena_alloc(run->scratch, room, sizeof *tally);
    *count = 0;
    for (int32_t t = 0; classes && tally && t < recipe->tier_count; t++) {
        struct candidate_part stand = stand_of(run, in, t, sector);
        size_t cells = (size_t)recipe->tiers[t].species_count * RECIPE_CLASSES_MAX;
        memset(tally, 0, cells * sizeof *tally);
        for (size_t i = 0; i < stand.count; i++)
            tally[stand.items[i].species * RECIPE_CLASSES_MAX + stand.items[i].size]++;
        for (uint32_t k = 0; k < cells; k++)
            if (tally[k] > 0)
                classes[(*count)++] = (struct entity_class){
                    stands_code((uint32_t)t, k / RECIPE_CLASSES_MAX, k % RECIPE_CLASSES_MAX), tally[k]};
    }
    return tally ? classes : NULL;
}

static bool any_on_ledges(const struct stage_run *run, const struct sources *in,
                          const struct standing *standing, size_t count) {
    for (size_t i = 0; in->ledges && i < count; i++) {
        const struct biome_candidate *c = standing[i].candidate;
        int32_t x, y;
        cell_of(run, entity_metres(c->x_q), entity_metres(c->y_q), &x, &y);
        if (*grid_u8_at(&in->ledges->u8, x, y))
            return true;
    }
    return false;
}

static enum status entities_of_sector(const struct stage_run *run, struct sources *in, int32_t sector,
                                      const void **part, size_t *size, struct error *err) {
    const struct entity_schema schema = {0};
    const struct standing *standing = NULL;
    size_t count = 0, stride = entity_stride(&schema);
    uint32_t twins = 0;
    enum status status = list_sector(run, in, sector, &standing, &count, err);
    if (status != STATUS_OK)
        return status;
    size_t class_count = 0;
    struct entity_class *classes = list_classes(run, in, sector, &class_count);
    *size = entity_part_size(&schema, count) + class_count * ENTITY_CLASS_BYTES;
    unsigned char *bytes = arena_alloc(run->scratch, *size + 1, 1);
    if (!bytes || !classes)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    *part = bytes;
    if (count == 0)
        return STATUS_OK;
    if (!take_rock(run, in, sector, any_on_ledges(run, in, standing, count)))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    unsigned char *records = entity_part_head(&schema, count, bytes);
    for (size_t i = 0; i < count; i++) {
        struct entity e;
        make_entity(run, in, standing[i].candidate, standing[i].stack, &e);
        entity_encode(&schema, &e, records + i * stride);
        twins += i > 0 && standing[i].id == standing[i - 1].id;
    }
    if (twins > 0) /* one hash in 2^64: their bytes decide */
        entity_sort(&schema, records, count);
    entity_part_set_classes(bytes, classes, class_count);
    struct entity_stock stock = stock_of(run, in, sector);
    entity_part_set_stock(bytes, &stock);
    return STATUS_OK;
}

static enum status entities_run(struct stage_run *run, struct error *err) {
    const void *parts[16] = {NULL};
    size_t sizes[16] = {0};
    struct sources in;
    if (!find_sources(run, &in))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        if (!has_sector(run->cells, run->section_x, run->section_y, i))
            continue;
        enum status status = entities_of_sector(run, &in, i, &parts[i], &sizes[i], err);
        if (status != STATUS_OK)
            return status;
    }
    return tile_set_parts(run->outputs[0], parts, sizes) ? STATUS_OK
                                                         : error_set(err, STATUS_LIMIT, "out of memory");
}

const struct stage stage_entities = {
    .name = "entities",
    .version = 8,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "entities",
                 .type = LAYER_BLOB,
                 .by_sector = true,
                 .what = "everything that was placed, for the points files"}},
    .inputs = entities_inputs,
    .settings = entities_settings,
    .run = entities_run,
};
