#include "biome/zones.h"

#include "terrain/hash.h"
#include "terrain/noise.h"
#include <math.h>
#include <string.h>

/* ---- what is painted ---- */

int32_t biome_painted_reach(const struct recipe *recipe, double cell_m) {
    return (int32_t)ceil((double)recipe->border_jitter_m / cell_m);
}

static struct noise zone_noise(uint64_t seed, double scale_m, double cell_m) {
    double cells = scale_m / cell_m;
    struct noise_params params = {
        .scale_cells = cells < 2 ? 2 : cells, .octaves = 2, .gain = 0.5, .lacunarity = 2, .seed = seed};
    struct noise noise;
    noise_prepare(&params, &noise);
    return noise;
}

/* -reach..reach, whole cells. */
static int32_t moved(float noise, float reach) {
    return (int32_t)floorf((2.0f * noise - 1.0f) * reach + 0.5f);
}

static int32_t kept(int32_t v, int32_t from, int32_t to) {
    return v < from ? from : v >= to ? to - 1 : v;
}

/* A row of at most VIABILITY_BATCH cells. */
static void painted_row(const struct biome_zones_params *p, const struct noise noise[2],
                        const bool crisp[256], const struct grid_u8 *paint, int32_t x0, int32_t y,
                        int32_t count, uint8_t *out) {
    int64_t px[VIABILITY_BATCH] = {0}, py[VIABILITY_BATCH] = {0};
    float east[VIABILITY_BATCH], north[VIABILITY_BATCH];
    float reach = (float)((double)p->recipe->border_jitter_m / p->cell_m);
    for (int32_t i = 0; i < count; i++) {
        px[i] = (int64_t)(x0 + i) * NOISE_CELL + NOISE_CELL / 2;
        py[i] = (int64_t)y * NOISE_CELL + NOISE_CELL / 2;
    }
    noise_points(&noise[0], px, py, count, east);
    noise_points(&noise[1], px, py, count, north);
    for (int32_t i = 0; i < count; i++) {
        int32_t x = kept(x0 + i + moved(east[i], reach), p->x0, p->x1);
        uint8_t there = p->codes[*grid_u8_at(paint, x, kept(y + moved(north[i], reach), p->y0, p->y1))];
        uint8_t here = p->codes[*grid_u8_at(paint, x0 + i, y)];
        out[i] = crisp[here] || crisp[there] ? here : there;
    }
}

enum { PAINT_BLOCK = 32 };

/* Whether all of the paint over cells [x0, x1) x [y0, y1) inside the world is one code. */
static bool one_code(const struct biome_zones_params *p, const struct grid_u8 *paint, int32_t x0, int32_t y0,
                     int32_t x1, int32_t y1) {
    int32_t left = kept(x0, p->x0, p->x1), right = kept(x1 - 1, p->x0, p->x1);
    int32_t low = kept(y0, p->y0, p->y1), high = kept(y1 - 1, p->y0, p->y1);
    uint8_t first = *grid_u8_at(paint, left, low), unlike = 0;
    for (int32_t y = low; y <= high && !unlike; y++) {
        const uint8_t *row = grid_u8_at(paint, left, y);
        for (int32_t i = 0; i <= right - left; i++)
            unlike |= (uint8_t)(row[i] ^ first);
    }
    return unlike == 0;
}

/* A block of at most PAINT_BLOCK cells square. Where one code lies within reach nothing can be moved. noise:
 * NULL where borders are not. */
static void painted_block(const struct biome_zones_params *p, const struct noise *noise,
                          const bool crisp[256], const struct grid_u8 *paint, int32_t x0, int32_t y0,
                          const struct grid_u8 *out) {
    int32_t x1 = x0 + PAINT_BLOCK, y1 = y0 + PAINT_BLOCK, reach = biome_painted_reach(p->recipe, p->cell_m);
    x1 = x1 < out->x0 + out->width ? x1 : out->x0 + out->width;
    y1 = y1 < out->y0 + out->height ? y1 : out->y0 + out->height;
    bool moves = noise && !one_code(p, paint, x0 - reach, y0 - reach, x1 + reach, y1 + reach);
    for (int32_t y = y0; y < y1; y++) {
        uint8_t *to = grid_u8_at(out, x0, y);
        if (moves)
            painted_row(p, noise, crisp, paint, x0, y, x1 - x0, to);
        else
            for (int32_t i = 0; i < x1 - x0; i++)
                to[i] = p->codes[paint ? *grid_u8_at(paint, x0 + i, y) : 0];
    }
}

void biome_painted(const struct biome_zones_params *p, const struct grid_u8 *paint,
                   const struct grid_u8 *out) {
    const struct recipe *recipe = p->recipe;
    bool soft = paint && recipe->border_jitter_m > 0.0f, crisp[256] = {false};
    struct noise noise[2];
    for (int k = 0; k < 2 && soft; k++)
        noise[k] = zone_noise(p->seed + hash_name("border") + (uint64_t)k, (double)recipe->border_scale_m,
                              p->cell_m);
    for (int32_t b = 0; b < recipe->biome_count; b++)
        crisp[recipe->biomes[b].id] = recipe->biomes[b].texture_only;
    for (int32_t y = out->y0; y < out->y0 + out->height; y += PAINT_BLOCK)
        for (int32_t x = out->x0; x < out->x0 + out->width; x += PAINT_BLOCK)
            painted_block(p, soft ? noise : NULL, crisp, paint, x, y, out);
}

void biome_main_ids(const struct recipe *recipe, const struct grid_u8 *ids) {
    uint8_t main_id[256];
    for (int32_t i = 0; i < 256; i++)
        main_id[i] = (uint8_t)i;
    for (int32_t b = recipe->main_count; b < recipe->biome_count; b++)
        main_id[recipe->biomes[b].id] = recipe->biomes[recipe->biomes[b].parent].id;
    for (int32_t y = ids->y0; y < ids->y0 + ids->height; y++)
        for (int32_t x = ids->x0; x < ids->x0 + ids->width; x++)
            *grid_u8_at(ids, x, y) = main_id[*grid_u8_at(ids, x, y)];
}

/* ---- rules ---- */

/* One main biome's cells in a stretch of a row, and the best rule of each so far. */
struct zone_batch {
    struct biome_batch cells;
    int32_t x[VIABILITY_BATCH], y[VIABILITY_BATCH];
    int64_t px[VIABILITY_BATCH], py[VIABILITY_BATCH]; /* for noises */
    const struct recipe_rule *best[VIABILITY_BATCH];  /* NULL: none holds */
    float holds[VIABILITY_BATCH];
    float (*patch)[VIABILITY_BATCH]; /* by zone, from main_count */
    bool *patched;
};

static float patch_of(const struct biome_zones_params *p, struct zone_batch *b, int32_t zone, int32_t i) {
    const struct recipe *recipe = p->recipe;
    int32_t row = zone - recipe->main_count;
    if (!b->patched[row]) {
        const struct recipe_biome *z = &recipe->biomes[zone];
        struct noise noise = zone_noise(p->seed + hash_name("patch") + hash_name(z->name),
                                        (double)recipe->biomes[z->parent].patch_m, p->cell_m);
        noise_points(&noise, b->px, b->py, b->cells.count, b->patch[row]);
        b->patched[row] = true;
    }
    return b->patch[row][i];
}

static bool beats(const struct biome_zones_params *p, struct zone_batch *b, const struct recipe_rule *rule,
                  int32_t i) {
    const struct recipe_rule *best = b->best[i];
    if (!best)
        return true;
    if (rule->weight != best->weight)
        return rule->weight > best->weight;
    if (rule->criteria != best->criteria)
        return rule->criteria > best->criteria;
    return rule->zone != best->zone && patch_of(p, b, rule->zone, i) > patch_of(p, b, best->zone, i);
}

/* The cells [x0, x0 + count) of row y that belong to main biome m. */
static void split_row(const struct biome_zones_params *p, const uint8_t *row, struct zone_batch *b, int32_t m,
                      int32_t x0, int32_t y, int32_t count, uint8_t *out) {
    const struct recipe *recipe = p->recipe;
    const struct recipe_biome *biome = &recipe->biomes[m];
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++) {
        if (row[i] != biome->id)
            continue;
        b->x[n] = x0 + i;
        b->y[n] = y;
        b->px[n] = (int64_t)(x0 + i) * NOISE_CELL + NOISE_CELL / 2;
        b->py[n] = (int64_t)y * NOISE_CELL + NOISE_CELL / 2;
        b->best[n++] = NULL;
    }
    if (n == 0)
        return;
    b->cells.count = n;
    b->cells.x = b->x;
    b->cells.y = b->y;
    biome_batch_reset(&b->cells, recipe);
    memset(b->patched, 0, (size_t)(recipe->biome_count - recipe->main_count) * sizeof *b->patched);
    for (int32_t k = biome->rule_first; k < biome->rule_end; k++) {
        const struct recipe_rule *rule = &recipe->rules[k];
        if (rule->criteria)
            biome_viability(recipe, rule->step_first, rule->step_end, &b->cells, b->holds);
        for (int32_t i = 0; i < n; i++)
            if ((!rule->criteria || b->holds[i] > 0.0f) && beats(p, b, rule, i))
                b->best[i] = rule;
    }
    for (int32_t i = 0; i < n; i++)
        if (b->best[i])
            out[b->x[i] - x0] = recipe->biomes[b->best[i]->zone].id;
}

size_t biome_zones_scratch(const struct recipe *recipe) {
    size_t zones = (size_t)(recipe->biome_count - recipe->main_count) + 1;
    return biome_batch_scratch(recipe) + arena_need(zones, sizeof(float[VIABILITY_BATCH])) +
           arena_need(zones, sizeof(bool)) + arena_need(1, sizeof(struct zone_batch));
}

enum status biome_zones(const struct biome_zones_params *p, const struct biome_layer *layers,
                        const struct grid_u8 *ids, struct arena *arena, struct error *err) {
    const struct recipe *recipe = p->recipe;
    size_t mark = arena_mark(arena), zones = (size_t)(recipe->biome_count - recipe->main_count) + 1;
    struct zone_batch *b = arena_alloc(arena, 1, sizeof *b);
    if (!b)
        return error_set(err, STATUS_LIMIT, "scratch too small for zones");
    b->patch = arena_alloc(arena, zones, sizeof *b->patch);
    b->patched = arena_alloc(arena, zones, sizeof *b->patched);
    if (!b->patch || !b->patched)
        return error_set(err, STATUS_LIMIT, "scratch too small for zones");
    enum status status = biome_batch_init(&b->cells, recipe, layers, arena, err);
    for (int32_t y = ids->y0; status == STATUS_OK && y < ids->y0 + ids->height; y++)
        for (int32_t x = ids->x0; x < ids->x0 + ids->width; x += VIABILITY_BATCH) {
            int32_t left = ids->x0 + ids->width - x, count = left < VIABILITY_BATCH ? left : VIABILITY_BATCH;
            uint8_t row[VIABILITY_BATCH], *out = grid_u8_at(ids, x, y);
            memcpy(row, out, (size_t)count);
            for (int32_t m = 0; m < recipe->main_count; m++)
                if (recipe->biomes[m].rule_end > recipe->biomes[m].rule_first)
                    split_row(p, row, b, m, x, y, count, out);
        }
    arena_release(arena, mark);
    return status;
}
