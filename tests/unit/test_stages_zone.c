/* Species stand in the zones that they name, as on the undivided field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/overrule.h"
#include "biome/zones.h"
#include "tests/unit/biome_world_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {
    &kit_stage_fields,   &kit_stage_paint,    &kit_stage_height,     &stage_biome_id,
    &stage_patch,        &stage_age,          &stage_candidates,     &stage_compete,
    &stage_stand,        &stage_mask_written, &stage_imprint_height, &stage_imprint_texture,
    &stage_imprint_tint, &stage_entities,     &stage_zone,           NULL};

/* wood splits into dell (its own species) and the rest; the fern names the dell alone, and the elm, which
 * names the wood, stays out of it. */
static void species_stand_in_their_zones(void **state) {
    (void)state;
    char zoned[KIT_TEXT_MAX + 512];
    const char *rest = strstr(kit_text, "species:"), *fern = strstr(kit_text, "biomes: field");
    snprintf(
        zoned, sizeof zoned,
        "recipe: 1\nborder: {jitter_m: 6}\nbiomes: {wood: {zones: {dell: {alone: true, rules: [{latitude: "
        "\">0.5\"}]}}}, field: {}}\n%.*sbiomes: dell%s",
        (int)(fern - rest), rest, fern + strlen("biomes: field"));
    struct recipe *recipe = kit_recipe(zoned);
    struct world world = kit_world(recipe);
    struct kit_bake bake, other;
    kit_bake_world(&world, kit_fresh_dir(), 1, -1, &bake);
    kit_bake_world(&world, kit_fresh_dir(), 3, -1, &other);
    kit_assert_same(&bake, &other);
    /* the same on the undivided field */
    struct kit_ground layers;
    struct grid_u8 paint_grid = {malloc(400 * 400), -70, -100, 400, 400, 400}, ids = paint_grid;
    ids.cells = malloc(400 * 400);
    for (int32_t y = -100; y < 300; y++)
        for (int32_t x = -70; x < 330; x++)
            *grid_u8_at(&paint_grid, x, y) = kit_paint_code(x, y);
    struct biome_zones_params p = {.recipe = recipe, .seed = world.seed, .cell_m = 1};
    p.x0 = -70;
    p.y0 = -100;
    p.x1 = 330;
    p.y1 = 300;
    p.codes[20] = recipe->biomes[0].id;
    p.codes[21] = recipe->biomes[1].id;
    size_t need = biome_zones_scratch(recipe), ferns = 0, elms = 0;
    struct arena arena = {malloc(need), need, 0};
    kit_ground_make(&layers, recipe, -70, -100, 400);
    biome_painted(&p, &paint_grid, &ids);
    assert_int_equal(biome_zones(&p, layers.layers, &ids, &arena, NULL), STATUS_OK);
    for (int32_t i = 0; i < bake.count; i++)
        for (int32_t t = 0; t < KIT_TIERS; t++)
            for (size_t k = 0; k < bake.results[i].count[t]; k++) {
                const struct biome_candidate *c = &bake.results[i].stand[t][k];
                const char *name = candidate_species(recipe, c)->name;
                uint8_t id = *grid_u8_at(&ids, biome_cell_of(c->x_q, 1), biome_cell_of(c->y_q, 1));
                if (strcmp(name, "fern") == 0)
                    assert_int_equal(id, recipe->biomes[2].id);
                if (strcmp(name, "elm") == 0)
                    assert_int_equal(id, recipe->biomes[0].id);
                ferns += strcmp(name, "fern") == 0;
                elms += strcmp(name, "elm") == 0;
            }
    assert_true(ferns > 500 && elms > 50);
    free(arena.base);
    free(paint_grid.cells);
    free(ids.cells);
    kit_ground_free(&layers);
    kit_bake_free(&bake);
    kit_bake_free(&other);
    kit_fresh_dir();
    recipe_free(recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(species_stand_in_their_zones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
