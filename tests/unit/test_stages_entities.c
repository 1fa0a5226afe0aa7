/* Entities lie on the ground, in order, in their sector, turned and moved as asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/overrule.h"
#include "gen/entity.h"
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

static void entities_lie_in_their_sector_on_the_ground_in_order(void **state) {
    (void)state;
    struct recipe *recipe = kit_recipe(kit_text);
    struct world world = kit_world(recipe);
    struct kit_bake bake;
    size_t entities = 0, standing = 0, classed = 0, ferns = 0, bushes = 0, turned = 0;
    kit_bake_world(&world, kit_fresh_dir(), 2, -1, &bake);
    for (int32_t i = 0; i < bake.count; i++) {
        const struct kit_result *r = &bake.results[i];
        for (int32_t t = 0; t < KIT_TIERS; t++)
            standing += r->count[t];
        ferns += r->count[2];
        assert_int_equal(r->stock.stand, r->count[2]);
        assert_int_equal(r->stock.undecided, 0);
        assert_true(r->stock.candidates >= r->stock.stand);
        for (int32_t k = 0; k < 16; k++) {
            struct entity_part part;
            if (r->entity_bytes[k] == 0)
                continue;
            assert_int_equal(entity_part_open(r->entities[k], r->entity_bytes[k], &part, NULL), STATUS_OK);
            uint64_t last = 0;
            for (size_t n = 0; n < part.class_count; n++)
                classed += entity_part_class(&part, n).count;
            for (size_t e = 0; e < part.count; e++) {
                const unsigned char *record = part.records + e * ENTITY_BYTES;
                struct entity entity;
                entity_decode(&part.schema, record, &entity);
                assert_null(entity_wrong(&part.schema, record));
                double x = entity_metres(entity.x), y = entity_metres(entity.y), z = entity_metres(entity.z);
                assert_int_equal((int32_t)floor(x / 64), r->x * 4 + k % 4);
                assert_int_equal((int32_t)floor(y / 64), r->y * 4 + k / 4);
                if (x > -69 && x < 329 && y > -99 && y < 299) /* at the edge the ground goes on flat */
                    assert_true(fabs(z - (100 + 0.25 * (x - 0.5) - 0.5 * (y - 0.5))) < 1.5 / 1024);
                bool inside = x > -69 && x < 329 && y > -99 && y < 299;
                if (inside && entity.object_id == recipe_object_id("bush")) { /* square to the ground */
                    double qx = (double)entity.qx, qy = (double)entity.qy, qz = (double)entity.qz,
                           qw = (double)entity.qw, normal = sqrt(1 + 0.0625 + 0.25);
                    assert_true(fabs(2 * (qx * qz + qw * qy) + 0.25 / normal) < 1e-4);
                    assert_true(fabs(2 * (qy * qz - qw * qx) - 0.5 / normal) < 1e-4);
                    assert_true(2 * (qy * qz + qw * qx) < -0.4); /* its heading goes down */
                    bushes++;
                }
                if (entity.object_id == recipe_object_id("fern")) {
                    int32_t cx = (int32_t)floor(x), cy = (int32_t)floor(y);
                    double yaw = (20 + 180 + kit_wind_code(cx, cy) * 360.0 / 256) * acos(-1.0) / 180;
                    double qz = (double)entity.qz, qw = (double)entity.qw; /* heads with the wind */
                    assert_true(fabs(-2 * qz * qw - sin(yaw)) < 1e-5);
                    assert_true(fabs(1 - 2 * qz * qz - cos(yaw)) < 1e-5);
                    double tint = (double)kit_value("latitude", cx, cy);
                    assert_true(fabs(tint * 255 - entity.r) < 0.6 && fabs(tint * 128 - entity.g) < 0.6);
                    turned++;
                }
                assert_true(entity.id >= last && entity.tool == TOOL_BIOMES && entity.object_id != 0);
                last = entity.id;
                entities++;
            }
        }
    }
    assert_int_equal(entities, standing);
    assert_int_equal(classed, standing);
    assert_true(standing > 8000 && ferns > 2000 && turned > 2000 && bushes > 500);
    kit_bake_free(&bake);
    kit_fresh_dir();
    recipe_free(recipe);
}

/* ---- offsets ---- */

static const struct biome_candidate *standing_of(const struct kit_bake *bake, int32_t tier, uint64_t id) {
    for (int32_t i = 0; i < bake->count; i++)
        for (size_t k = 0; k < bake->results[i].count[tier]; k++)
            if (bake->results[i].stand[tier][k].id == id)
                return &bake->results[i].stand[tier][k];
    return NULL;
}

/* Where an offset [m] at full height takes what stands at c on the test's plane; by libm. */
static void moved_by(const struct recipe *recipe, const struct biome_candidate *c, const double offset[3],
                     const double jitter[3], double yaw, const struct entity *e, double to[3]) {
    const struct recipe_species *s = candidate_species(recipe, c);
    double growth = pow((double)(biome_height_m(recipe, c) / s->height_full_m), 0.75), d[3];
    for (int i = 0; i < 3; i++) {
        double u = (double)hash_unit(candidate_hash(c->id, (enum candidate_draw)(DRAW_OFFSET_X + i)));
        d[i] = growth * (offset[i] + jitter[i] * (2 * u - 1));
    }
    double x = c->x_q / 1024.0 + d[0] * cos(yaw) + d[1] * sin(yaw);
    double y = c->y_q / 1024.0 - d[0] * sin(yaw) + d[1] * cos(yaw);
    double qx = (double)e->qx, qy = (double)e->qy, qz = (double)e->qz, qw = (double)e->qw;
    to[0] = x + d[2] * 2 * (qx * qz + qw * qy);
    to[1] = y + d[2] * 2 * (qy * qz - qw * qx);
    to[2] = 100 + 0.25 * (x - 0.5) - 0.5 * (y - 0.5) + d[2] * (1 - 2 * (qx * qx + qy * qy));
}

/* Same entities with the same turn, each at the place that a slow reference gives. */
static void offsets_move_entities_and_nothing_else(void **state) {
    (void)state;
    static const double bush[3] = {0.05, -0.1, -0.5}, bush_jitter[3] = {0.03, 0.02, 0.3};
    static const double fern[3] = {0, 0.08, 0.2}, none[3] = {0, 0, 0};
    char moving[KIT_TEXT_MAX + 256];
    const char *at_bush = strstr(kit_text, "bush: {"), *at_fern = strstr(kit_text, "fern: {");
    snprintf(moving, sizeof moving,
             "%.*sbush: {offset_m: [0.05, -0.1, -0.5], offset_jitter_m: [0.03, 0.02, 0.3], %.*s"
             "fern: {offset_m: [0, 0.08, 0.2], %s",
             (int)(at_bush - kit_text), kit_text, (int)(at_fern - at_bush - 7), at_bush + 7, at_fern + 7);
    struct recipe *recipe = kit_recipe(moving), *plain = kit_recipe(kit_text);
    struct world world = kit_world(recipe), other = kit_world(plain);
    struct kit_bake bake, before;
    size_t bushes = 0, ferns = 0;
    kit_bake_world(&world, kit_fresh_dir(), 2, 3, &bake);
    kit_bake_world(&other, kit_fresh_dir(), 2, 3, &before);
    for (int32_t i = 0; i < bake.count; i++)
        for (int32_t k = 0; k < 16; k++) {
            struct entity_part part, was;
            const struct kit_result *r = &bake.results[i], *b = &before.results[i];
            assert_int_equal(entity_part_open(r->entities[k], r->entity_bytes[k], &part, NULL), STATUS_OK);
            assert_int_equal(entity_part_open(b->entities[k], b->entity_bytes[k], &was, NULL), STATUS_OK);
            assert_int_equal(part.count, was.count);
            for (size_t n = 0; n < part.count; n++) {
                struct entity e, old;
                double to[3];
                entity_decode(&part.schema, part.records + n * ENTITY_BYTES, &e);
                entity_decode(&was.schema, was.records + n * ENTITY_BYTES, &old);
                bool is_bush = e.object_id == recipe_object_id("bush");
                bool is_fern = e.object_id == recipe_object_id("fern");
                assert_memory_equal(part.records + n * ENTITY_BYTES + 24, was.records + n * ENTITY_BYTES + 24,
                                    ENTITY_BYTES - 24);
                double x = entity_metres(old.x), y = entity_metres(old.y);
                if (!is_bush && !is_fern)
                    assert_true(e.x == old.x && e.y == old.y && e.z == old.z);
                if (x < -68 || x > 328 || y < -98 || y > 298) /* at the edge the ground goes on flat */
                    continue;
                const struct biome_candidate *c = standing_of(&bake, is_bush ? 1 : 2, e.id);
                if (is_bush)
                    moved_by(recipe, c, bush, bush_jitter, atan2(-0.25, 0.5), &e, to);
                else if (is_fern)
                    moved_by(recipe, c, fern, none, 2 * atan2(-(double)e.qz, (double)e.qw), &e, to);
                else
                    continue;
                assert_true(fabs(entity_metres(e.x) - to[0]) < 1.0 / 1024);
                assert_true(fabs(entity_metres(e.y) - to[1]) < 1.0 / 1024);
                assert_true(fabs(entity_metres(e.z) - to[2]) < 1.5 / 1024);
                bushes += is_bush;
                ferns += is_fern;
            }
        }
    assert_true(bushes > 80 && ferns > 300);
    kit_bake_free(&bake);
    kit_bake_free(&before);
    kit_fresh_dir();
    recipe_free(recipe);
    recipe_free(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entities_lie_in_their_sector_on_the_ground_in_order),
        cmocka_unit_test(offsets_move_entities_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
