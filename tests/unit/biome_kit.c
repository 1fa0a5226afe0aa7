#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome_kit.h"

#include "biome/overrule.h"
#include "gen/hasher.h"
#include "gen/recipe_read.h"
#include "gen/stage.h"
#include "terrain/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *why) {
    fprintf(stderr, "%s\n", why);
    abort();
}

static void *must(void *memory) {
    if (!memory)
        give_up("out of memory");
    return memory;
}

/* ---- recipes ---- */

static struct recipe *read_text(const char *text, const struct world *world, struct report *report) {
    static const struct world empty = {.extent = {1.0, {0, 0, 1024, 1024}},
                                       .survey = {8, 96, 16, 2048, 64, 270, 100, 0.58, 0.42, 100}};
    struct yaml_node *root = yaml_parse("recipe.yaml", text, strlen(text), report);
    struct recipe *recipe = root ? recipe_read_tree(root, world ? world : &empty, report) : NULL;
    yaml_tree_free(root);
    return recipe;
}

struct recipe *kit_recipe(const char *text) {
    struct report report = {0};
    struct recipe *recipe = read_text(text, NULL, &report);
    if (!recipe)
        give_up(report.count ? report.items[0].message : "no recipe and no message");
    report_free(&report);
    return recipe;
}

/* All messages, malloc'ed. */
static char *complaints(const char *text, const struct world *world) {
    struct report report = {0};
    recipe_free(read_text(text, world, &report));
    size_t room = 1, used = 0;
    for (size_t i = 0; i < report.count; i++)
        room += strlen(report.items[i].message) + 64;
    char *out = must(calloc(room, 1));
    for (size_t i = 0; i < report.count; i++)
        used +=
            (size_t)snprintf(out + used, room - used, "%s%d:%d: %s\n",
                             report.items[i].level == REPORT_WARNING ? "warning "
                             : report.items[i].level == REPORT_NOTE  ? "note "
                                                                     : "",
                             (int)report.items[i].line, (int)report.items[i].column, report.items[i].message);
    report_free(&report);
    return out;
}

void kit_complains(const char *text, const struct world *world, const char *expected) {
    char *got = complaints(text, world);
    if (strcmp(got, expected) != 0)
        fail_msg("for\n%s\ngot\n%s\ninstead of\n%s", text, got, expected);
    free(got);
}

/* ---- ground ---- */

/* Value noise between hashes on a lattice of `period` cells: 0..1. */
static float smooth_noise(uint64_t salt, int32_t period, int32_t x, int32_t y) {
    float fx = (float)x / (float)period, fy = (float)y / (float)period;
    int32_t ix = (int32_t)floorf(fx), iy = (int32_t)floorf(fy);
    float u = fx - (float)ix, v = fy - (float)iy;
    float a = hash_unit(hash_place(1, salt, ix, iy, 0)), b = hash_unit(hash_place(1, salt, ix + 1, iy, 0));
    float c = hash_unit(hash_place(1, salt, ix, iy + 1, 0)),
          d = hash_unit(hash_place(1, salt, ix + 1, iy + 1, 0));
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    return (a + (b - a) * u) + ((c + (d - c) * u) - (a + (b - a) * u)) * v;
}

float kit_value(const char *layer, int32_t x, int32_t y) {
    float n =
        0.7f * smooth_noise(hash_name(layer), 40, x, y) + 0.3f * smooth_noise(hash_name(layer) + 1, 9, x, y);
    if (strcmp(layer, "altitude") == 0)
        return 1200.0f + 600.0f * n;
    if (strcmp(layer, "slope") == 0)
        return 60.0f * n;
    return n;
}

int32_t kit_biome(int32_t biome_count, int32_t x, int32_t y) {
    int32_t b = (int32_t)(smooth_noise(77, 60, x, y) * (float)biome_count);
    return b < biome_count ? b : 0;
}

void kit_ground_make(struct kit_ground *g, const struct recipe *recipe, int32_t x0, int32_t y0,
                     int32_t size) {
    size_t cells = (size_t)size * (size_t)size;
    memset(g, 0, sizeof *g);
    g->x0 = x0;
    g->y0 = y0;
    g->size = size;
    for (int32_t l = 0; l < recipe->layer_count; l++) {
        g->fields[l] = must(malloc(cells * sizeof(float)));
        for (int32_t y = 0; y < size; y++)
            for (int32_t x = 0; x < size; x++)
                g->fields[l][(size_t)y * (size_t)size + (size_t)x] =
                    kit_value(recipe->layers[l], x0 + x, y0 + y);
        g->layers[l] = (struct biome_layer){CELL_F32, g->fields[l], x0, y0, size, 0, 1.0f, 0.0f};
    }
    g->biome_id = (struct grid_u8){must(malloc(cells)), x0, y0, size, size, size};
    for (int32_t y = y0; y < y0 + size; y++)
        for (int32_t x = x0; x < x0 + size; x++) {
            *grid_u8_at(&g->biome_id, x, y) = recipe->biomes[kit_biome(recipe->biome_count, x, y)].id;
        }
}

void kit_ground_free(struct kit_ground *g) {
    for (int32_t l = 0; l < RECIPE_LAYERS_MAX; l++)
        free(g->fields[l]);
    free(g->biome_id.cells);
}

/* ---- candidates and what stands ---- */

struct biome_candidate *kit_candidates(const struct recipe *recipe, int32_t tier, uint64_t seed,
                                       const struct kit_ground *g, int32_t x0, int32_t y0, int32_t x1,
                                       int32_t y1, size_t *count) {
    struct biome_candidates_params p = {recipe, tier, seed, 1.0, x0, y0, x1, y1, &g->biome_id, g->layers};
    struct biome_candidate *out = must(malloc((biome_candidates_room(&p) + 1) * sizeof *out));
    struct arena arena = {0};
    arena.size = biome_candidates_scratch(&p);
    arena.base = must(malloc(arena.size));
    struct error err = {0};
    if (biome_candidates(&p, out, count, &arena, &err) != STATUS_OK)
        give_up(err.message);
    free(arena.base);
    return out;
}

static void stand_tier(struct kit_stand *stand, const struct recipe *recipe, int32_t tier, uint64_t seed,
                       const struct kit_ground *g) {
    size_t count, kept = 0;
    struct biome_candidate *c =
        kit_candidates(recipe, tier, seed, g, g->x0, g->y0, g->x0 + g->size, g->y0 + g->size, &count);
    uint8_t *state = must(calloc(count + 1, 1));
    struct arena arena = {0};
    struct error err = {0};
    struct biome_weak weak;
    arena.size = biome_compete_scratch(count) + biome_weak_scratch(recipe, tier, count);
    arena.base = must(malloc(arena.size));
    if (biome_weak_make(&weak, recipe, c, count, &arena, &err) != STATUS_OK)
        give_up(err.message);
    for (int32_t t = 0; t < tier; t++)
        biome_overrule(&weak, stand->items[t], stand->count[t], state);
    struct biome_rounds counted = {.parts = 1, .end = {count}};
    if (biome_compete(recipe, c, count, RECIPE_ROUNDS, state, &counted, &arena, &err) != STATUS_OK)
        give_up(err.message);
    stand->rounds[tier] = counted.played[0];
    for (size_t i = 0; i < count; i++) {
        stand->undecided[tier] += state[i] == RIVAL_UNDECIDED;
        if (state[i] == RIVAL_STANDS)
            c[kept++] = c[i];
    }
    stand->items[tier] = c;
    stand->count[tier] = kept;
    stand->candidates[tier] = count;
    free(state);
    free(arena.base);
}

void kit_stand_make(struct kit_stand *stand, const struct recipe *recipe, uint64_t seed,
                    const struct kit_ground *ground) {
    memset(stand, 0, sizeof *stand);
    for (int32_t t = 0; t < recipe->tier_count; t++)
        stand_tier(stand, recipe, t, seed, ground);
}

void kit_stand_free(struct kit_stand *stand, const struct recipe *recipe) {
    for (int32_t t = 0; t < recipe->tier_count; t++)
        free(stand->items[t]);
}

uint64_t kit_hash(const void *bytes, size_t size) {
    struct hasher h;
    hasher_reset(&h);
    hash_bytes(&h, bytes, size);
    return hasher_digest(&h).lo;
}
