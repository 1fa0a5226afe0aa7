/* Any bytes as a recipe: read whole or refused with a message; what is read can be evaluated and set. */
#include "biome/candidates.h"
#include "biome/compete.h"
#include "gen/recipe_read.h"
#include "gen/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIDE = 3 }; /* metres of ground */

static void must(bool good) {
    if (!good)
        abort();
}

static void explain_species(const struct recipe *recipe, const struct recipe_species *s) {
    size_t steps = (size_t)(s->step_end - s->step_first);
    struct biome_trace *trace = calloc(steps + 1, sizeof *trace);
    float *values = calloc((size_t)recipe->layer_count + 1, sizeof *values);
    must(trace && values);
    for (int32_t l = 0; l < recipe->layer_count; l++)
        values[l] = (float)l * 17.0f;
    float v = biome_viability_trace(recipe, s->step_first, s->step_end, values, trace);
    must(v >= 0.0f && s->viability_max > 0.0f && s->height_full_m > 0.0f);
    free(trace);
    free(values);
}

static void set_tier(const struct recipe *recipe, int32_t tier) {
    struct biome_layer layers[RECIPE_LAYERS_MAX * RECIPE_TIERS_MAX];
    float *field = calloc(SIDE * SIDE, sizeof *field);
    uint8_t biome[SIDE * SIDE];
    struct grid_u8 biome_id = {biome, 0, 0, SIDE, SIDE, SIDE};
    if (recipe->layer_count > RECIPE_LAYERS_MAX * RECIPE_TIERS_MAX) {
        free(field);
        return;
    }
    memset(biome, recipe->biomes[recipe->biome_count - 1].id, sizeof biome);
    for (int32_t l = 0; l < recipe->layer_count; l++)
        layers[l] = (struct biome_layer){CELL_F32, field, 0, 0, SIDE, 0, 1.0f, 0.0f};
    struct biome_candidates_params p = {recipe, tier, 1, 1.0, 0, 0, SIDE, SIDE, &biome_id, layers};
    size_t room = biome_candidates_room(&p), count = 0;
    size_t bytes = biome_candidates_scratch(&p), compete = biome_compete_scratch(room);
    struct biome_candidate *c = calloc(room, sizeof *c);
    uint8_t *state = calloc(room, 1);
    struct arena arena = {malloc(bytes > compete ? bytes : compete), bytes > compete ? bytes : compete, 0};
    must(field && c && state && arena.base);
    must(biome_candidates(&p, c, &count, &arena, NULL) == STATUS_OK && count <= room);
    must(biome_compete(recipe, c, count, RECIPE_ROUNDS, state, NULL, &arena, NULL) == STATUS_OK);
    for (size_t i = 0; i < count; i++)
        must(c[i].viability > 0.0f && isfinite(c[i].rank) && c[i].scale > 0.0f);
    free(field);
    free(c);
    free(state);
    free(arena.base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct world world = {.extent = {1.0, {0, 0, 1024, 1024}},
                                       .survey = {8, 96, 16, 2048, 64, 270, 100, 0.58, 0.42, 100}};
    struct report report = {0};
    struct yaml_node *root = yaml_parse("fuzz.yaml", (const char *)data, size, &report);
    size_t before = report.errors;
    struct recipe *recipe = root ? recipe_read_tree(root, &world, &report) : NULL;
    must(!root || (recipe != NULL) == (report.errors == before));
    for (int32_t i = 0; recipe && i < recipe->species_count; i++)
        explain_species(recipe, &recipe->species[i]);
    for (int32_t t = 0; recipe && t < recipe->tier_count && t < 4; t++)
        set_tier(recipe, t);
    recipe_free(recipe);
    yaml_tree_free(root);
    report_free(&report);
    return 0;
}
