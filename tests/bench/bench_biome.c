/* Candidates, viability and competition: million standing a second on one core, by density of the lattice,
 * then a recipe of several tiers. Scratch is made once, as the executor does. */
#include "biome/candidates.h"
#include "biome/overrule.h"
#include "gen/os.h"
#include "gen/recipe_read.h"
#include "gen/stages_ground.h"
#include "terrain/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

static const char head[] = "recipe: 1\nbiomes: {b: {}}\n";
static const char stack[] =
    "viability: [{layer: altitude, range: [1260, 1480], soft: 120}, {layer: slope, under: "
    "38, soft: 12}, {layer: latitude, floor: 0.4}]";

enum { SIDE = 512 };

static struct recipe *read_recipe(const char *text) {
    static const struct world world;
    struct report report = {0};
    struct yaml_node *root = yaml_parse("bench", text, strlen(text), &report);
    struct recipe *recipe = root ? recipe_read_tree(root, &world, &report) : NULL;
    for (size_t i = 0; i < report.count; i++)
        if (report.items[i].level == REPORT_ERROR)
            fprintf(stderr, "%d: %s\n", (int)report.items[i].line, report.items[i].message);
    if (!recipe)
        exit(6);
    yaml_tree_free(root);
    report_free(&report);
    return recipe;
}

static float *field(const char *name) {
    float *out = malloc((size_t)SIDE * SIDE * sizeof *out);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        float v =
            0.5f + 0.5f * sinf((float)(i % SIDE) * 0.021f + (float)(i / SIDE) * 0.013f + (float)name[0]);
        out[i] = name[0] == 'a' ? 1200.0f + 400.0f * v : name[0] == 's' ? 45.0f * v : v;
    }
    return out;
}

struct result {
    size_t lattice, candidates, standing, undecided;
    double candidates_s, compete_s;
    int32_t rounds;
};

static void run_tier(const struct recipe *recipe, int32_t tier, const struct biome_layer *layers,
                     const struct grid_u8 *biome_id, struct biome_candidate **stand, size_t *counts,
                     struct arena *arena, struct result *r) {
    struct biome_candidates_params p = {recipe, tier, 7, 1.0, 0, 0, SIDE, SIDE, biome_id, layers};
    struct error err;
    size_t count;
    double start = os_thread_cpu_s();
    struct biome_candidate *c = malloc(biome_candidates_room(&p) * sizeof *c);
    if (biome_candidates(&p, c, &count, arena, &err) != STATUS_OK)
        exit(6);
    double middle = os_thread_cpu_s();
    uint8_t *state = calloc(count + 1, 1);
    struct biome_weak weak;
    if (biome_weak_make(&weak, recipe, c, count, arena, &err) != STATUS_OK)
        exit(6);
    for (int32_t t = 0; t < tier; t++)
        biome_overrule(&weak, stand[t], counts[t], state);
    struct biome_rounds counted = {.parts = 1, .end = {count}};
    if (biome_compete(recipe, c, count, RECIPE_ROUNDS, state, &counted, arena, &err) != STATUS_OK)
        exit(6);
    r->rounds = counted.played[0];
    r->lattice = biome_candidates_room(&p);
    r->candidates = count;
    r->standing = r->undecided = 0;
    for (size_t i = 0; i < count; i++) {
        r->undecided += state[i] == RIVAL_UNDECIDED;
        if (state[i] == RIVAL_STANDS)
            c[r->standing++] = c[i];
    }
    r->candidates_s = middle - start;
    r->compete_s = os_thread_cpu_s() - middle;
    stand[tier] = c;
    counts[tier] = r->standing;
    free(state);
}

static void bench(const char *what, const char *text) {
    struct recipe *recipe = read_recipe(text);
    struct biome_layer layers[RECIPE_LAYERS_MAX] = {0};
    struct biome_candidate *stand[RECIPE_TIERS_MAX] = {0};
    size_t counts[RECIPE_TIERS_MAX] = {0}, standing = 0;
    struct grid_u8 biome_id = {malloc((size_t)SIDE * SIDE), 0, 0, SIDE, SIDE, SIDE};
    memset(biome_id.cells, recipe->biomes[0].id, (size_t)SIDE * SIDE);
    for (int32_t l = 0; l < recipe->layer_count; l++)
        layers[l] = (struct biome_layer){CELL_F32, field(recipe->layers[l]), 0, 0, SIDE, 0, 1.0f, 0.0f};
    struct arena arena = {os_reserve((size_t)1 << 32), (size_t)1 << 32, 0};
    double total = 0.0;
    for (int32_t t = 0; t < recipe->tier_count; t++) {
        struct result r = {0};
        run_tier(recipe, t, layers, &biome_id, stand, counts, &arena, &r);
        double seconds = r.candidates_s + r.compete_s;
        printf("%-28s tier %d: %8zu cells %8zu candidates %8zu stand, %2d rounds, %zu undecided; candidates "
               "%.1f "
               "ns/cell, competition %.0f ns/candidate; %.2f M/s\n",
               what, (int)t, r.lattice, r.candidates, r.standing, (int)r.rounds, r.undecided,
               r.candidates_s * 1e9 / (double)r.lattice, r.compete_s * 1e9 / (double)(r.candidates + 1),
               (double)r.standing * 1e-6 / seconds);
        total += seconds;
        standing += r.standing;
    }
    printf("%-28s all: %.2f million standing a second and core\n", what, (double)standing * 1e-6 / total);
    for (int32_t t = 0; t < recipe->tier_count; t++)
        free(stand[t]);
    for (int32_t l = 0; l < recipe->layer_count; l++)
        free((void *)(uintptr_t)layers[l].cells);
    free(biome_id.cells);
    os_unreserve(arena.base, arena.size);
    recipe_free(recipe);
}

int main(void) {
    static const double spacings[] = {1.0, 0.7, 0.5};
    char text[4096];
    for (size_t i = 0; i < sizeof spacings / sizeof *spacings; i++) {
        snprintf(text, sizeof text,
                 "%scompetition: {spacing: %g}\nspecies:\n"
                 "  grass: {biomes: all, priority: 1, density_per_ha: %g, density_ramp: [0, 0.01], "
                 "viability_radius_m: 0.5, radius_spread: 0, size_jitter: 0, height_m: [0.5, 0.5], %s}\n",
                 head, spacings[i], 40000.0 / (spacings[i] * spacings[i]), stack);
        char what[40];
        snprintf(what, sizeof what, "saturated, spacing %g", spacings[i]);
        bench(what, text);
    }
    snprintf(text, sizeof text,
             "%sspecies:\n"
             "  spruce: {biomes: all, priority: 100, density_per_ha: 900, viability_radius_m: 4.2, height_m: "
             "[16, 46], %s}\n"
             "  larch: {biomes: all, priority: 100, density_per_ha: 520, viability_radius_m: 4.0, height_m: "
             "[14, 36], %s}\n"
             "  young: {biomes: all, priority: 60, density_per_ha: 900, viability_radius_m: 1.3, height_m: "
             "[1, 9], %s}\n"
             "  fern: {biomes: all, priority: 20, heeds: trunk, density_per_ha: 7000, viability_radius_m: "
             "0.65, height_m: [0.2, 1.1], %s}\n"
             "  grass: {biomes: all, priority: 1, heeds: trunk, density_per_ha: 24000, viability_radius_m: "
             "0.5, height_m: [0.2, 1.2], %s}\n"
             "  flower: {biomes: all, priority: 1, heeds: trunk, density_per_ha: 7000, viability_radius_m: "
             "0.5, height_m: [0.2, 1.3], %s}\n",
             head, stack, stack, stack, stack, stack, stack);
    bench("six species, four tiers", text);
    return 0;
}
