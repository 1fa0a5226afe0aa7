/* The stages of cliffs over random grounds with a river: what the rock leaves on the ground, talus and plants
 * on ledges; nothing without a slope. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cliff/drape.h"
#include "gen/cliff_part.h"
#include "gen/entity.h"
#include "gen/look.h"
#include "image_files.h"
#include "terrain/hash.h"
#include "world_help.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 256 };

/* Steps and spurs, from 0 to 65535 for 0 to 200 m. */
static uint16_t height_code(int32_t x, int32_t y, uint32_t which) {
    double h = 20;
    for (int32_t k = 0; k < 4; k++) {
        uint64_t a = hash_place(which, 91, k, 0, 0);
        double dx = (double)hash_unit(a) - 0.5, dy = (double)hash_unit(a << 20) - 0.5;
        double along = (dx * (x - SIDE / 2) + dy * (y - SIDE / 2)) / (sqrt(dx * dx + dy * dy) + 0.01);
        double width = 8 + 18 * (double)hash_unit(a << 13),
               t = (along - 90 * ((double)hash_unit(a << 9) - 0.5)) / width;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        h += width * 1.2 * t * t * (3 - 2 * t) + 0.02 * along;
    }
    h += 0.4 * (double)hash_unit(hash_place(which, 92, x, y, 0));
    h = h < 0 ? 0 : h > 199 ? 199 : h;
    return (uint16_t)(h / 200 * 65535);
}

static void put_ground(uint32_t which) {
    uint16_t *codes = malloc(sizeof *codes * SIDE * SIDE);
    assert_non_null(codes);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            codes[y * SIDE + x] = which ? height_code(x, y, which) : 1000;
    put_png16(image_path("h.png"), SIDE, SIDE, codes);
    free(codes);
    put_text(
        "river.geojson",
        "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": {\"kind\": "
        "\"river\", \"width_m\": 9}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[-5, 90], "
        "[70, "
        "140], [140, 110], [261, 150]]}}]}");
    put_text("r.yaml",
             "recipe: 1\n"
             "biomes:\n  rock: {id: 1, texture_id: 1, color: \"#808080\"}\n"
             "species:\n"
             "  talus:\n    kind: rock\n    biomes: [rock]\n    density_per_ha: 4000\n    priority: 50\n    "
             "buried: 0.25\n"
             "    viability:\n      - {layer: erosion, over: 0.1, soft: 0.3}\n"
             "      - {layer: distance.cliffs, range: [1, 40], soft: 4}\n"
             "      - {layer: distance.water, over: 1}\n"
             "    viability_radius_m: 0.5\n    priority_radius_m: 0.4\n    height_m: [0.3, 2]\n"
             "  pine:\n    kind: tree\n    biomes: [rock]\n    density_per_ha: 3000\n    priority: 60\n"
             "    viability:\n      - {layer: ledges, over: 0.5}\n"
             "    viability_radius_m: 0.6\n    priority_radius_m: 0.5\n    height_m: [1, 1]\n");
}

static struct world *world_of(uint32_t which, const char *tools) {
    put_ground(which);
    char text[1024];
    snprintf(text, sizeof text,
             "terrane: 1\nworld: {name: w, size_m: [%d, %d]}\n"
             "height: {files: h.png, samples: cells, z_min_m: 0, z_max_m: 200}\n"
             "splines: [river.geojson]\ntools: [%s]\nbiomes: r.yaml\ncliffs: {min_patch_m2: 20}\n",
             SIDE, SIDE, tools);
    return load_text(text, NULL, "");
}

/* Keeps copies of the windows that a test looks at. */
struct seen {
    uint8_t cliffs[SIDE * SIDE], ledges[SIDE * SIDE], bare[SIDE * SIDE], water[SIDE * SIDE],
        erosion[SIDE * SIDE];
    uint8_t closed[SIDE * SIDE];
    uint16_t bed[SIDE * SIDE];
    float ground[SIDE * SIDE], rise[SIDE * SIDE];
    size_t entities, talus, pines, rock_bytes;
    void (*at)(const struct seen *, const struct entity *, const struct cliff_bins *, double, double);
};
static void copy8(const struct window *w, uint8_t *out) {
    for (int32_t y = 0; y < SIDE; y++)
        memcpy(out + y * SIDE, grid_u8_at(&w->u8, 0, y), SIDE);
}
static enum status take(void *context, const struct window *w, struct hash128 inputs, struct arena *scratch,
                        struct error *err) {
    (void)inputs, (void)err;
    struct seen *s = context;
    copy8(&w[0], s->cliffs);
    copy8(&w[1], s->ledges);
    copy8(&w[2], s->bare);
    copy8(&w[3], s->water);
    copy8(&w[4], s->erosion);
    copy8(&w[5], s->closed);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            s->bed[y * SIDE + x] = *grid_u16_at(&w[6].u16, x, y);
            s->ground[y * SIDE + x] = *grid_f32_at(&w[7].f32, x, y);
            s->rise[y * SIDE + x] = *grid_f32_at(&w[8].f32, x, y);
        }
    s->rock_bytes = w[9].tiles[0]->size;
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        const struct tile *tile = w[10].tiles[0];
        struct entity_part part;
        size_t size = tile->part_at[i + 1] - tile->part_at[i];
        if (size == 0)
            continue;
        assert_int_equal(entity_part_open(tile->bytes + tile->part_at[i], size, &part, err), STATUS_OK);
        struct cliff_mesh mesh;
        struct cliff_bins bins = {0};
        assert_true(cliff_part_read(w[9].tiles[0], i, scratch, &mesh));
        if (mesh.quad_count)
            assert_true(cliff_bins_make(&mesh, 1, SECTOR_CELLS, scratch, &bins));
        for (size_t k = 0; k < part.count; k++) {
            struct entity e;
            entity_decode(&part.schema, part.records + k * entity_stride(&part.schema), &e);
            s->entities++;
            if (s->at)
                s->at(s, &e, mesh.quad_count ? &bins : NULL, i % 4 * SECTOR_CELLS,
                      (int32_t)(i / 4) * SECTOR_CELLS);
        }
    }
    return STATUS_OK;
}
static void look(const struct world *world, struct seen *s) {
    struct exec_input inputs[] = {{"cliffs", 0},     {"ledges", 0},        {"cliff_bare", 0}, {"water", 0},
                                  {"erosion", 0},    {"cliff_closed", 0},  {"cliff_bed", 0},  {"altitude", 0},
                                  {"cliff_rise", 0}, {"cliff_surface", 0}, {"entities", 0}};
    struct exec_job job = {.cells = world->extent.cells,
                           .input_count = sizeof inputs / sizeof *inputs,
                           .inputs = inputs,
                           .run = take,
                           .context = s};
    struct look_options options = {.threads = 1, .memory_limit = (uint64_t)1 << 30};
    struct error err = {0};
    if (look_jobs(world, &options, &job, 1, &err) != STATUS_OK)
        fail_msg("%s", err.message);
}

static size_t cell_of(const struct entity *e) {
    return (size_t)floor(entity_metres(e->y)) * SIDE + (size_t)floor(entity_metres(e->x));
}

/* Talus: on the ground, a quarter in it, outside rock and water. Pines: on the mesh, with nothing over them.
 */
static size_t talus_count, pine_count;
static void judge(const struct seen *s, const struct entity *e, const struct cliff_bins *bins, double x0,
                  double y0) {
    size_t cell = cell_of(e);
    double x = entity_metres(e->x), y = entity_metres(e->y), z = entity_metres(e->z), top;
    assert_false(s->bare[cell]);
    bool hit = bins && cliff_ray_down(bins, x - x0, y - y0, &top);
    if (s->ledges[cell]) { /* a ray from above ends at its foot: free sky */
        assert_true(hit);
        assert_true(fabs(top - z) < 0.01 || z < top); /* talus on a ledge is buried in it */
        assert_true(top - z < 0.25 * 2.1);
        pine_count++;
        return;
    }
    assert_false(s->water[cell]);
    assert_false(s->cliffs[cell]);
    talus_count++;
    assert_true(z < (double)s->ground[cell] + 2 && z > (double)s->ground[cell] - 3);
}

static void talus_and_plants_stand_where_they_should(void **state) {
    (void)state;
    static struct seen s;
    static const char *const orders[] = {"freshwater, cliffs, biomes", "cliffs, freshwater, biomes"};
    for (uint32_t which = 1; which < 4; which++) {
        struct world *world = world_of(which, orders[which & 1]);
        memset(&s, 0, sizeof s);
        s.at = judge;
        talus_count = pine_count = 0;
        look(world, &s);
        assert_true(talus_count > 50);
        assert_true(pine_count > 5);
        world_free(world);
    }
}

static void masks_agree(void **state) {
    (void)state;
    static struct seen s, other;
    struct world *world = world_of(2, "freshwater, cliffs, biomes");
    memset(&s, 0, sizeof s);
    look(world, &s);
    size_t rock = 0, ledges = 0, streaks = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        assert_int_equal(s.cliffs[i] != 0, s.bed[i] != 0);
        assert_int_equal(s.bare[i] != 0, s.cliffs[i] && !s.ledges[i]);
        assert_true(!s.ledges[i] || (s.cliffs[i] && s.rise[i] >= 0.3f));
        assert_true(s.rise[i] >= 0 && (s.rise[i] > 0 || !s.ledges[i]));
        assert_false(s.cliffs[i] && s.water[i]); /* the rock keeps out of the water */
        assert_int_equal(s.closed[i] != 0, s.water[i] != 0);
        assert_false(s.erosion[i] && s.cliffs[i]);
        rock += s.cliffs[i] != 0, ledges += s.ledges[i] != 0, streaks += s.erosion[i] != 0;
    }
    assert_true(rock > 500 && ledges > 20 && streaks > 200);
    world_free(world);
    /* the order of the two tools does not matter */
    world = world_of(2, "cliffs, freshwater, biomes");
    memset(&other, 0, sizeof other);
    look(world, &other);
    assert_memory_equal(s.cliffs, other.cliffs, sizeof s.cliffs);
    assert_memory_equal(s.bed, other.bed, sizeof s.bed);
    assert_int_equal(s.entities, other.entities);
    world_free(world);
}

static void level_ground_has_no_rock(void **state) {
    (void)state;
    static struct seen s;
    struct world *world = world_of(0, "freshwater, cliffs, biomes");
    memset(&s, 0, sizeof s);
    look(world, &s);
    assert_int_equal(s.rock_bytes, 0);
    assert_int_equal(s.entities, 0);
    world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(talus_and_plants_stand_where_they_should),
                                       cmocka_unit_test(masks_agree),
                                       cmocka_unit_test(level_ground_has_no_rock)};
    return cmocka_run_group_tests(tests, image_folder_make, image_folder_remove);
}
