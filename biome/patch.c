#include "biome/patch.h"

#include "terrain/distance.h"

static bool lives_in(const struct recipe *recipe, const struct recipe_species *s, uint8_t id) {
    int32_t b = recipe->biome_by_id[id];
    return b >= 0 && (s->biomes[b >> 6] >> (b & 63) & 1);
}

size_t biome_patch_scratch(const struct recipe *recipe) {
    return biome_batch_scratch(recipe) + 2 * arena_need(VIABILITY_BATCH, sizeof(int32_t)) +
           arena_need(VIABILITY_BATCH, sizeof(uint8_t *)) + arena_need(VIABILITY_BATCH, sizeof(float));
}

/* Blocks that wait for their viability. */
struct asked {
    const struct recipe *recipe;
    const struct recipe_species *species;
    struct biome_batch batch;
    int32_t *x, *y;
    uint8_t **to;
    float *viability;
};

static void flush(struct asked *a) {
    a->batch.x = a->x;
    a->batch.y = a->y;
    biome_batch_reset(&a->batch, a->recipe);
    biome_viability(a->recipe, a->species->step_first, a->species->step_end, &a->batch, a->viability);
    for (int32_t i = 0; i < a->batch.count; i++)
        *a->to[i] = a->viability[i] > a->species->age.over ? 255 : 0;
    a->batch.count = 0;
}

enum status biome_patch(const struct recipe *recipe, const struct recipe_species *species,
                        const struct grid_u8 *biome_id, const struct biome_layer *layers,
                        const struct grid_u8 *out, struct arena *arena, struct error *err) {
    size_t mark = arena_mark(arena);
    struct asked a = {.recipe = recipe, .species = species};
    enum status status = biome_batch_init(&a.batch, recipe, layers, arena, err);
    a.x = arena_alloc(arena, VIABILITY_BATCH, sizeof *a.x);
    a.y = arena_alloc(arena, VIABILITY_BATCH, sizeof *a.y);
    a.to = arena_alloc(arena, VIABILITY_BATCH, sizeof *a.to);
    a.viability = arena_alloc(arena, VIABILITY_BATCH, sizeof *a.viability);
    if (status == STATUS_OK && !a.viability)
        status = error_set(err, STATUS_FAULT, "scratch too small for a patch");
    for (int32_t by = out->y0; status == STATUS_OK && by < out->y0 + out->height; by++)
        for (int32_t bx = out->x0; bx < out->x0 + out->width; bx++) {
            /* a block that begins beyond the world's edge is known by its first cell inside */
            int32_t x = bx * (1 << PATCH_LOG2), y = by * (1 << PATCH_LOG2);
            x = x < biome_id->x0 ? biome_id->x0 : x;
            y = y < biome_id->y0 ? biome_id->y0 : y;
            *grid_u8_at(out, bx, by) = 0;
            if (!lives_in(recipe, species, *grid_u8_at(biome_id, x, y)))
                continue;
            int32_t n = a.batch.count++;
            a.x[n] = x;
            a.y[n] = y;
            a.to[n] = grid_u8_at(out, bx, by);
            if (a.batch.count == VIABILITY_BATCH)
                flush(&a);
        }
    if (status == STATUS_OK && a.batch.count > 0)
        flush(&a);
    arena_release(arena, mark);
    return status;
}

/* ---- age ---- */

static struct distance_params params_of(const struct recipe_species *s, double cell_m) {
    double block_m = cell_m * (1 << PATCH_LOG2), max_m = (double)s->age.max_m;
    return (struct distance_params){block_m, max_m > block_m ? max_m : block_m};
}

int32_t biome_age_reach(const struct recipe_species *species, double cell_m) {
    struct distance_params params = params_of(species, cell_m);
    return terrain_distance_reach(&params);
}

enum status biome_age(const struct recipe_species *s, double cell_m, const struct grid_u8 *patch,
                      const struct grid_u8 *out, struct arena *arena, struct error *err) {
    struct distance_params params = params_of(s, cell_m);
    size_t mark = arena_mark(arena);
    struct grid_u16 depth = {NULL, out->x0, out->y0, out->width, out->height, out->width};
    depth.cells = arena_alloc(arena, (size_t)out->width * (size_t)out->height, sizeof *depth.cells);
    enum status status = depth.cells ? terrain_distance(&params, patch, &depth, arena, err)
                                     : error_set(err, STATUS_LIMIT, "out of scratch memory for ages");
    float per_code = 1.0f / (DISTANCE_STEPS * s->age.max_m);
    for (int32_t y = out->y0; status == STATUS_OK && y < out->y0 + out->height; y++)
        for (int32_t x = out->x0; x < out->x0 + out->width; x++) {
            int32_t inside = DISTANCE_ZERO - (int32_t)*grid_u16_at(&depth, x, y);
            float share = (float)inside * per_code;
            float age = inside > 0 ? biome_ramp_at(&s->age.ramp, share < 1.0f ? share : 1.0f) : 0.0f;
            *grid_u8_at(out, x, y) = (uint8_t)(255.0f * age + 0.5f);
        }
    arena_release(arena, mark);
    return status;
}
