/* Masks that species write, against every cell's distance to every entity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/imprint.h"
#include "biome_kit.h"
#include "gen/stages_ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {&stage_altitude, &stage_slope, &stage_latlong, NULL};

enum { SIDE = 90 };
static const char text[] =
    "recipe: 1\nbiomes: {b: {}}\nspecies:\n"
    "  oak: {biomes: all, priority: 9, density_per_ha: 150, viability_radius_m: 3, height_m: [4, 20], "
    "crown_radius_m: 4, "
    "writes: [{mask: crowns}, {mask: seeds, radius_m: 2, falloff_m: 7}], viability: [{layer: latitude}]}\n"
    "  elm: {biomes: all, priority: 9, density_per_ha: 150, viability_radius_m: 3, height_m: [4, 20], "
    "writes: [{mask: "
    "seeds, radius_m: 1, falloff_m: 3}], viability: [{layer: longitude}]}\n";

static double slowly(const struct recipe *recipe, int32_t mask, double cell_m,
                     const struct biome_candidate *c, size_t count, int32_t x, int32_t y) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct recipe_species *s = candidate_species(recipe, &c[i]);
        for (int32_t w = 0; w < s->write_count; w++) {
            if (s->writes[w].mask != mask)
                continue;
            double grown = pow((double)(biome_height_m(recipe, &c[i]) / s->height_full_m), 0.75);
            double r = (double)s->writes[w].radius_m * grown, fall = (double)s->writes[w].falloff_m;
            double d = hypot((x + 0.5) * cell_m - c[i].x_q / 1024.0, (y + 0.5) * cell_m - c[i].y_q / 1024.0);
            double v = d <= r ? 1 : fall > 0 && d < r + fall ? (r + fall - d) / fall : 0;
            most = v > most ? v : most;
        }
    }
    return most;
}

static void equals_every_distance(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, recipe, -20, -20, SIDE);
    kit_stand_make(&stand, recipe, 3, &ground);
    assert_true(stand.count[0] > 40);
    const double cells_m[] = {1.0, 0.5};
    for (int k = 0; k < 2; k++)
        for (int32_t mask = 0; mask < recipe->mask_count; mask++) {
            uint8_t cells[60 * 50] = {0};
            struct grid_u8 out = {cells, -5, -10, 60, 50, 60};
            size_t some = 0;
            biome_imprint_mask(recipe, mask, cells_m[k], stand.items[0], stand.count[0], &out);
            for (int32_t y = -10; y < 40; y++)
                for (int32_t x = -5; x < 55; x++) {
                    double slow =
                        255 * slowly(recipe, mask, cells_m[k], stand.items[0], stand.count[0], x, y);
                    uint8_t code = *grid_u8_at(&out, x, y);
                    some += code > 0 && code < 255;
                    if (fabs(slow - code) > 0.51) /* at a crown's very edge floats may differ */
                        assert_true(mask == 0 && (code == 0 || code == 255) &&
                                    slowly(recipe, mask, cells_m[k], stand.items[0], stand.count[0], x, y) >
                                        0.99);
                }
            assert_true(mask == 0 || some > 300);
        }
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

static void any_window_and_order_give_the_same(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, recipe, -20, -20, SIDE);
    kit_stand_make(&stand, recipe, 3, &ground);
    uint8_t whole[60 * 60] = {0}, part[20 * 60] = {0};
    struct grid_u8 a = {whole, 0, 0, 60, 60, 60}, b = {part, 20, 0, 20, 60, 20};
    biome_imprint_mask(recipe, 1, 1.0, stand.items[0], stand.count[0], &a);
    for (size_t i = stand.count[0]; i-- > 0;)
        biome_imprint_mask(recipe, 1, 1.0, &stand.items[0][i], 1, &b);
    for (int32_t y = 0; y < 60; y++)
        assert_memory_equal(grid_u8_at(&a, 20, y), grid_u8_at(&b, 20, y), 20);
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

/* Nothing lies beyond the reach that the stage reads. */
static void reach_is_enough(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(text);
    const struct recipe_species *oak = &recipe->species[0];
    assert_true(fabsf(biome_imprint_reach_m(recipe, 0, WRITE_MASK, 1) - 9.0f) < 1e-5f);
    assert_true(fabsf(biome_imprint_reach_m(recipe, 0, WRITE_MASK, 0) - 4.0f) < 1e-5f);
    struct biome_candidate c = {.x_q = 30 * 1024, .y_q = 30 * 1024, .size = 0, .scale = 1.0f};
    assert_true(biome_height_m(recipe, &c) == oak->height_full_m);
    uint8_t cells[60 * 60] = {0};
    struct grid_u8 out = {cells, 0, 0, 60, 60, 60};
    biome_imprint_mask(recipe, 1, 1.0, &c, 1, &out);
    for (int32_t y = 0; y < 60; y++)
        for (int32_t x = 0; x < 60; x++)
            assert_true((*grid_u8_at(&out, x, y) == 0) ==
                        (hypot(x + 0.5 - 30, y + 0.5 - 30) > 9 - 7 * 0.5 / 255));
    recipe_free(recipe);
}

/* ---- heights, textures, tints ---- */

static const char ground_text[] =
    "recipe: 1\nbiomes: {b: {}}\nspecies:\n"
    "  oak: {biomes: all, priority: 9, density_per_ha: 200, viability_radius_m: 3, height_m: [4, 20], "
    "writes: ["
    "{raise_m: 0.4, radius_m: 2, falloff_m: 5, where: [{layer: latitude, over: 0.45, soft: 0.2}]}, "
    "{textures: [[0.2, 31], [0.7, 32]], radius_m: 1, falloff_m: 6}, "
    "{tint: \"#40a010\", radius_m: 2, falloff_m: 4, where: [{value: 0.5}]}, "
    "{mask: litter, radius_m: 1, falloff_m: 4, where: [{layer: longitude}]}], viability: [{layer: "
    "latitude}]}\n"
    "  elm: {biomes: all, priority: 9, density_per_ha: 200, viability_radius_m: 3, height_m: [4, 20], "
    "writes: ["
    "{raise_m: -0.3, radius_m: 1, falloff_m: 3}, {textures: [[0.5, 41]], radius_m: 2, falloff_m: 3}, "
    "{tint: \"#f0f0f0\", radius_m: 1, falloff_m: 3}, {mask: litter, radius_m: 1, falloff_m: 2}], "
    "viability: [{layer: longitude}]}\n";

/* v of one write of one species at a sample of a grid of metres, without its stack. */
static double slow_value(const struct recipe *recipe, const struct recipe_write *w, int32_t species,
                         const struct kit_stand *stand, double x_m, double y_m) {
    double most = 0;
    for (size_t i = 0; i < stand->count[0]; i++) {
        const struct biome_candidate *c = &stand->items[0][i];
        if (c->species != (uint32_t)species)
            continue;
        double grown =
            pow((double)(biome_height_m(recipe, c) / recipe->species[species].height_full_m), 0.75);
        double r = (double)w->radius_m * grown, fall = (double)w->falloff_m;
        double d = hypot(x_m - c->x_q / 1024.0, y_m - c->y_q / 1024.0);
        double v = d <= r ? 1 : d < r + fall ? (r + fall - d) / fall : 0;
        if (w->kind == WRITE_HEIGHT)
            v *= fmin(1, grown);
        most = v > most ? v : most;
    }
    return most;
}

static double slow_share(int32_t write, int32_t species, int32_t x, int32_t y) {
    if (species == 1)
        return 1;
    const double by[4] = {fmin(1, fmax(0, ((double)kit_value("latitude", x, y) - 0.25) / 0.2)), 1, 0.5,
                          (double)kit_value("longitude", x, y)};
    return by[write];
}

struct made {
    float height[50 * 40];
    uint8_t texture[50 * 40], tint[50 * 40 * 3], litter[50 * 40];
};

/* As the stages do it: all writes of a kind, species after species. posts: samples at cells' corners. */
static void make(const struct recipe *recipe, const struct kit_ground *ground, const struct kit_stand *stand,
                 bool posts, struct made *made) {
    enum { ROOM = 1 << 20 };
    struct arena arena = {malloc(ROOM), ROOM, 0};
    uint8_t codes_cells[50 * 40], best_cells[50 * 40] = {0};
    struct grid_u8 codes = {codes_cells, 3, 7, 50, 40, 50}, best = codes, texture = codes, tint = codes;
    struct grid_f32 height = {made->height, 3, 7, 50, 40, 50};
    const struct biome_imprint_grid grid = {1.0, posts};
    memset(made, 0, sizeof *made);
    memset(made->tint, 128, sizeof made->tint);
    best.cells = best_cells;
    texture.cells = made->texture;
    tint = (struct grid_u8){made->tint, 3, 7, 150, 40, 150};
    for (int32_t s = 0; s < 2; s++)
        for (int32_t k = 0; k < 4; k++) {
            const struct recipe_write *w = &recipe->species[s].writes[k];
            memset(codes_cells, 0, sizeof codes_cells);
            biome_imprint_codes(recipe, w, (uint32_t)s, &grid, stand->items[0], stand->count[0], &codes);
            assert_int_equal(biome_imprint_where(recipe, w, ground->layers, &codes, &arena, NULL), STATUS_OK);
            if (w->kind == WRITE_HEIGHT)
                biome_imprint_height(w, &codes, &height);
            else if (w->kind == WRITE_TEXTURE)
                biome_imprint_texture(w, &codes, &best, &texture);
            else if (w->kind == WRITE_TINT)
                biome_imprint_tint(w, &codes, &tint);
            else
                for (int i = 0; i < 50 * 40; i++)
                    made->litter[i] = codes_cells[i] > made->litter[i] ? codes_cells[i] : made->litter[i];
        }
    free(arena.base);
}

static void grounds_equal_a_slow_reference(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(ground_text);
    struct kit_ground ground;
    struct kit_stand stand;
    kit_ground_make(&ground, recipe, -20, -20, SIDE);
    kit_stand_make(&stand, recipe, 3, &ground);
    for (int posts = 0; posts < 2; posts++) {
        static struct made made;
        int32_t raised = 0, lowered = 0, textures[3] = {0}, tinted = 0;
        make(recipe, &ground, &stand, posts, &made);
        for (int32_t i = 0; i < 50 * 40; i++) {
            int32_t x = 3 + i % 50, y = 7 + i / 50, id = 0;
            double at = posts ? 0 : 0.5, v[2][4], height = 0, best = 0, near = 1, rgb[3] = {128, 128, 128};
            for (int32_t s = 0; s < 2; s++)
                for (int32_t k = 0; k < 4; k++)
                    v[s][k] = slow_value(recipe, &recipe->species[s].writes[k], s, &stand, x + at, y + at) *
                              slow_share(k, s, x, y);
            for (int32_t s = 0; s < 2; s++) {
                const struct recipe_write *w = recipe->species[s].writes;
                height += (double)w[0].raise_m * v[s][0] * v[s][0] * (3 - 2 * v[s][0]);
                for (int32_t t = 0; t < w[1].texture_count; t++) {
                    near = fmin(near, fabs(v[s][1] - (double)w[1].texture_from[t]));
                    if (v[s][1] > best && v[s][1] >= (double)w[1].texture_from[t])
                        id = w[1].texture_id[t];
                }
                near = s ? fmin(near, fabs(v[1][1] - v[0][1])) : near;
                best = v[s][1] >= (double)w[1].texture_from[0] ? fmax(best, v[s][1]) : best;
                for (int k = 0; k < 3; k++)
                    rgb[k] += (w[2].color[k] - rgb[k]) * v[s][2];
            }
            assert_true(fabs(height - (double)made.height[i]) < 0.004);
            assert_true(fabs(255 * fmax(v[0][3], v[1][3]) - made.litter[i]) < 1.1);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(rgb[k] - made.tint[3 * i + k]) < 2);
            if (near > 0.005)
                assert_int_equal(made.texture[i], id);
            raised += made.height[i] > 0.1f;
            lowered += made.height[i] < -0.1f;
            textures[id ? id / 10 - 3 + (id == 32) : 0] += id > 0;
            tinted += made.tint[3 * i] != 128;
        }
        assert_true(raised > 20 && lowered > 20 && textures[0] > 20 && textures[1] > 20 && tinted > 100);
    }
    kit_stand_free(&stand, recipe);
    kit_ground_free(&ground);
    recipe_free(recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_every_distance),
        cmocka_unit_test(any_window_and_order_give_the_same),
        cmocka_unit_test(reach_is_enough),
        cmocka_unit_test(grounds_equal_a_slow_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
