/* What species do to their surroundings: mask_NAME, imprint_height, imprint_texture, imprint_tint. */
#include "biome/imprint.h"
#include "gen/biome_parts.h"
#include "gen/stages_biome.h"
#include "gen/world.h"
#include <stdio.h>
#include <string.h>

/* The writes that a layer is made of. */
struct made_of {
    const struct recipe *recipe;
    enum recipe_write_kind kind;
    int32_t mask; /* WRITE_MASK */
};

static bool takes(const struct made_of *m, const struct recipe_write *w) {
    return w->kind == m->kind && (w->kind != WRITE_MASK || w->mask == m->mask);
}

bool biome_writes(const struct recipe *recipe, enum recipe_write_kind kind) {
    for (int32_t t = 0; t < recipe->tier_count; t++)
        if (biome_imprint_reach_m(recipe, t, kind, -1) >= 0.0f)
            return true;
    return false;
}

static bool stacks_read(const struct made_of *m, int32_t layer) {
    for (int32_t i = 0; i < m->recipe->species_count; i++)
        for (int32_t k = 0; k < m->recipe->species[i].write_count; k++) {
            const struct recipe_write *w = &m->recipe->species[i].writes[k];
            if (takes(m, w) && recipe_stack_reads(m->recipe, w->step_first, w->step_end, layer))
                return true;
        }
    return false;
}

/* ---- inputs and settings ---- */

static float reach_m(const struct made_of *m, int32_t tier) {
    return biome_imprint_reach_m(m->recipe, tier, m->kind, m->mask);
}

/* What stands of the tiers that write, then the layers of the stacks: posts at the section's far edge look at
 * the cell beyond it. */
static void made_inputs(const struct world *world, const struct made_of *m, struct stage_inputs *inputs) {
    for (int32_t t = 0; t < m->recipe->tier_count; t++) {
        char name[STAGE_ARG_MAX];
        snprintf(name, sizeof name, "stand.%d", (int)t);
        if (reach_m(m, t) >= 0.0f)
            stage_reads(inputs, name, reach_cells(reach_m(m, t), world->extent.cell_m));
    }
    for (int32_t l = 0; l < m->recipe->layer_count; l++)
        if (stacks_read(m, l))
            stage_reads(inputs, m->recipe->layers[l], m->kind == WRITE_HEIGHT ? 1 : 0);
}

static void hash_write(const struct made_of *m, const struct recipe_write *w, struct hasher *h) {
    hash_f64(h, (double)w->radius_m);
    hash_f64(h, (double)w->falloff_m);
    hash_stack(m->recipe, w->step_first, w->step_end, h);
    hash_f64(h, (double)w->raise_m);
    hash_u64(h, (uint64_t)w->texture_count);
    for (int32_t k = 0; k < w->texture_count; k++) {
        hash_f64(h, (double)w->texture_from[k]);
        hash_u64(h, w->texture_id[k]);
    }
    hash_bytes(h, w->color, sizeof w->color);
}

static void made_settings(const struct made_of *m, struct hasher *h) {
    for (int32_t t = 0; t < m->recipe->tier_count; t++)
        for (int32_t i = 0; i < m->recipe->tiers[t].species_count; i++) {
            const struct recipe_species *s = &m->recipe->species[m->recipe->tiers[t].species[i]];
            for (int32_t k = 0; k < s->write_count; k++)
                if (takes(m, &s->writes[k])) {
                    hash_tier(m->recipe, t, h);
                    hash_u64(h, (uint64_t)i);
                    hash_write(m, &s->writes[k], h);
                }
        }
}

/* ---- running ---- */

/* What a layer is made into. */
struct making {
    struct made_of of;
    struct biome_imprint_grid grid;
    struct biome_layer *layers;
    struct grid_u8 codes, best; /* of one write at a time, then 0 again; best: WRITE_TEXTURE */
    struct grid_u8 out_u8;      /* masks, textures, tints */
    struct grid_f32 out_f32;    /* heights */
};

static void raise_mask(const struct grid_u8 *codes, const struct grid_u8 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        const uint8_t *from = grid_u8_at(codes, out->x0, y);
        uint8_t *to = grid_u8_at(out, out->x0, y);
        for (int32_t i = 0; i < out->width; i++)
            to[i] = from[i] > to[i] ? from[i] : to[i];
    }
}

static void apply(struct making *m, const struct recipe_write *w) {
    switch (w->kind) {
    case WRITE_MASK:
        raise_mask(&m->codes, &m->out_u8);
        break;
    case WRITE_HEIGHT:
        biome_imprint_height(w, &m->codes, &m->out_f32);
        break;
    case WRITE_TEXTURE:
        biome_imprint_texture(w, &m->codes, &m->best, &m->out_u8);
        break;
    case WRITE_TINT:
        biome_imprint_tint(w, &m->codes, &m->out_u8);
        break;
    }
}

/* One write after the other, in the order of the tier's species. Masks without a stack went ahead. */
static enum status run_writes(struct stage_run *run, struct making *m, int32_t tier,
                              const struct gathered *stand, struct error *err) {
    const struct recipe *recipe = m->of.recipe;
    for (int32_t i = 0; i < recipe->tiers[tier].species_count; i++) {
        const struct recipe_species *s = &recipe->species[recipe->tiers[tier].species[i]];
        for (int32_t k = 0; k < s->write_count; k++) {
            const struct recipe_write *w = &s->writes[k];
            if (!takes(&m->of, w) || (w->kind == WRITE_MASK && w->step_first == w->step_end))
                continue;
            if (!biome_imprint_codes(recipe, w, (uint32_t)i, &m->grid, stand->items, stand->count, &m->codes))
                continue;
            enum status status = biome_imprint_where(recipe, w, m->layers, &m->codes, run->scratch, err);
            if (status != STATUS_OK)
                return status;
            apply(m, w);
            memset(m->codes.cells, 0, (size_t)m->codes.stride * (size_t)m->codes.height);
        }
    }
    return STATUS_OK;
}

/* Over the samples of the output: cells, or posts. */
static bool make_grids(struct stage_run *run, struct making *m) {
    const struct tile *tile = run->outputs[0];
    size_t samples = (size_t)tile->width * (size_t)tile->height;
    struct grid_u8 grid = {NULL, tile->x0, tile->y0, tile->width, tile->height, tile->width};
    m->codes = m->best = grid;
    m->codes.cells = arena_alloc(run->scratch, samples, 1);
    m->best.cells = arena_alloc(run->scratch, samples, 1);
    m->layers = arena_alloc(run->scratch, (size_t)m->of.recipe->layer_count + 1, sizeof *m->layers);
    if (!m->codes.cells || !m->best.cells || !m->layers)
        return false;
    memset(m->codes.cells, 0, samples);
    memset(m->best.cells, 0, samples);
    m->grid = (struct biome_imprint_grid){run->world->extent.cell_m, tile->posts};
    if (m->of.kind == WRITE_HEIGHT)
        m->out_f32 = tile_f32(run->outputs[0]);
    else
        m->out_u8 = tile_u8(run->outputs[0]);
    return true;
}

static enum status made_run(struct stage_run *run, const struct made_of *of, struct error *err) {
    const struct recipe *recipe = of->recipe;
    double cell_m = run->world->extent.cell_m;
    struct making m = {.of = *of};
    int32_t input = 0;
    if (!make_grids(run, &m))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (int32_t t = 0; t < recipe->tier_count; t++)
        input += reach_m(of, t) >= 0.0f;
    for (int32_t l = 0; l < recipe->layer_count; l++)
        m.layers[l] = stacks_read(of, l) ? biome_layer_of(&run->inputs[input++]) : (struct biome_layer){0};
    input = 0;
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        float reach = reach_m(of, t);
        if (reach < 0.0f)
            continue;
        size_t mark = arena_mark(run->scratch);
        struct gathered stand;
        enum status status = candidates_gather(&run->inputs[input++], NULL, run->cells,
                                               rect_grow(run->cells, reach_cells(reach, cell_m)), cell_m,
                                               run->scratch, &stand, err);
        if (status == STATUS_OK && of->kind == WRITE_MASK)
            biome_imprint_mask(recipe, of->mask, cell_m, stand.items, stand.count, &m.out_u8);
        if (status == STATUS_OK)
            status = run_writes(run, &m, t, &stand, err);
        if (status != STATUS_OK)
            return status;
        arena_release(run->scratch, mark);
    }
    return STATUS_OK;
}

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
    struct made_of of = {recipe, WRITE_MASK, find_mask(recipe, arg)};
    if (of.mask < 0)
        return error_set(err, STATUS_INPUT, "no species writes a mask '%s'", arg);
    made_inputs(world, &of, inputs);
    return STATUS_OK;
}

static void mask_settings(const struct world *world, const char *arg, struct hasher *h) {
    struct made_of of = {world->recipe, WRITE_MASK, world->recipe ? find_mask(world->recipe, arg) : -1};
    if (of.mask >= 0)
        made_settings(&of, h);
}

static enum status mask_run(struct stage_run *run, struct error *err) {
    struct made_of of = {run->world->recipe, WRITE_MASK, find_mask(run->world->recipe, run->arg)};
    return made_run(run, &of, err);
}

const struct stage stage_mask_written = {
    .name = "mask_written",
    .version = 3,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
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

/* ---- imprint_height, imprint_texture, imprint_tint ---- */

static enum status ground_inputs(const struct world *world, enum recipe_write_kind kind,
                                 struct stage_inputs *inputs, struct error *err) {
    struct made_of of = {.kind = kind};
    enum status status = need_recipe(world, &of.recipe, err);
    if (status == STATUS_OK)
        made_inputs(world, &of, inputs);
    return status;
}

static void ground_settings(const struct world *world, enum recipe_write_kind kind, struct hasher *h) {
    struct made_of of = {world->recipe, kind, 0};
    if (world->recipe)
        made_settings(&of, h);
}

#define GROUND_STAGE(name, kind)                                                                             \
    static enum status name##_inputs(const struct world *world, const char *arg,                             \
                                     struct stage_inputs *inputs, struct error *err) {                       \
        (void)arg;                                                                                           \
        return ground_inputs(world, kind, inputs, err);                                                      \
    }                                                                                                        \
    static void name##_settings(const struct world *world, const char *arg, struct hasher *h) {              \
        (void)arg;                                                                                           \
        ground_settings(world, kind, h);                                                                     \
    }
GROUND_STAGE(raise, WRITE_HEIGHT)
GROUND_STAGE(paint, WRITE_TEXTURE)
GROUND_STAGE(tint, WRITE_TINT)

static enum status raise_run(struct stage_run *run, struct error *err) {
    struct made_of of = {run->world->recipe, WRITE_HEIGHT, 0};
    return made_run(run, &of, err);
}

static enum status paint_run(struct stage_run *run, struct error *err) {
    struct made_of of = {run->world->recipe, WRITE_TEXTURE, 0};
    return made_run(run, &of, err);
}

static enum status tint_run(struct stage_run *run, struct error *err) {
    struct made_of of = {run->world->recipe, WRITE_TINT, 0};
    struct tile *out = run->outputs[0];
    memset(out->bytes, 128, out->size);
    return made_run(run, &of, err);
}

const struct stage stage_imprint_height = {
    .name = "imprint_height",
    .version = 3,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "imprint_height",
                 .type = LAYER_F32,
                 .edge = EDGE_CLAMP,
                 .like_heights = true,
                 .scale = 1.0,
                 .unit = "m",
                 .min = -10.0,
                 .max = 10.0,
                 .what = "how far entities raise or lower the ground"}},
    .inputs = raise_inputs,
    .settings = raise_settings,
    .run = raise_run,
};

const struct stage stage_imprint_texture = {
    .name = "imprint_texture",
    .version = 3,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "imprint_texture",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0,
                 .unit = "",
                 .max = 255.0,
                 .what = "ground textures that entities set; 0: none"}},
    .inputs = paint_inputs,
    .settings = paint_settings,
    .run = paint_run,
};

const struct stage stage_imprint_tint = {
    .name = "imprint_tint",
    .version = 3,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "imprint_tint",
                 .type = LAYER_RGB8,
                 .edge = EDGE_CLAMP,
                 .unit = "",
                 .what = "how entities tint the ground: 128 is neutral"}},
    .inputs = tint_inputs,
    .settings = tint_settings,
    .run = tint_run,
};
