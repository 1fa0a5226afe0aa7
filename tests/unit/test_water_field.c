/* The field, the bed, masks and meshes: properties over random networks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/water_kit.h"
#include "water/bed.h"
#include "water/mesh.h"
#include "water/shore.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 3, STEP = 2 };

static struct water_sample *field(struct water_kit *kit, int section, const struct water_grid *grid) {
    struct water_sample *s = arena_alloc(&kit->arena, (size_t)grid->width * (size_t)grid->height, sizeof *s);
    assert_non_null(s);
    assert_int_equal(water_field(&kit->sets[section], grid, s, NULL, &kit->arena, NULL), STATUS_OK);
    return s;
}

static struct water_grid cells_of(int32_t x0, int32_t y0, int32_t width, int32_t height) {
    return (struct water_grid){x0, y0, width, height, 1, 0.5, 1, 0};
}

/* Any window gives the same bits; so does the neighbour's record along the border. */
static void windows_agree(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        struct water_grid all = cells_of(0, 0, 256, 256), part = cells_of(101, 37, 155, 160);
        struct water_grid west = {256, 0, 1, 257, 1, 0, 1, 0};
        const struct water_sample *a = field(kit, 0, &all), *b = field(kit, 0, &part);
        for (int32_t y = 0; y < part.height; y++)
            assert_memory_equal(&b[y * part.width], &a[(y + 37) * 256 + 101], (size_t)part.width * sizeof *a);
        const struct water_sample *c = field(kit, 0, &west), *d = field(kit, 1, &west);
        assert_memory_equal(c, d, 257 * sizeof *c);
        water_kit_free(kit);
    }
}

/* Rows hold all samples with water in reach, and those are the same as without rows. */
static void rows_hold_all_water(void **state) {
    (void)state;
    size_t inside = 0, outside = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        struct water_grid grid = cells_of(0, 0, 256, 256);
        const struct water_sample *all = field(kit, 0, &grid);
        struct water_sample *some = arena_alloc(&kit->arena, 256 * 256, sizeof *some);
        struct water_extent rows[256];
        memset(some, 0x55, 256 * 256 * sizeof *some);
        assert_int_equal(water_field(&kit->sets[0], &grid, some, rows, &kit->arena, NULL), STATUS_OK);
        for (int32_t y = 0; y < 256; y++)
            for (int32_t x = 0; x < 256; x++) {
                bool in = x >= rows[y].x0 && x < rows[y].x1;
                size_t i = (size_t)(y * 256 + x);
                if (in)
                    assert_memory_equal(&some[i], &all[i], sizeof *all);
                else
                    assert_true(!(all[i].sd < WATER_REACH_M));
                inside += in;
                outside += !in;
            }
        water_kit_free(kit);
    }
    assert_true(inside > 1000 && outside > 1000);
}

/* Along a straight line the edge is half a width from it, the level its own, the bed deepest in the middle.
 */
static void a_straight_piece(void **state) {
    (void)state;
    struct water_piece p = {.x0 = 10, .y0 = 64, .x1 = 110, .y1 = 64, .level0 = 20, .level1 = 20};
    p.left0 = p.left1 = p.right0 = p.right1 = 5;
    p.depth0 = p.depth1 = 2;
    p.speed0 = p.speed1 = 1;
    p.kind = WATER_RIVER;
    p.flags = PIECE_CARVE;
    struct water_set set = {.pieces = &p, .piece_count = 1};
    struct arena arena = {malloc(16 << 20), 16 << 20, 0};
    struct water_grid grid = {60, 40, 1, 49, 1, 0, 1, 0};
    struct water_sample s[49];
    assert_int_equal(water_field(&set, &grid, s, NULL, &arena, NULL), STATUS_OK);
    for (int i = 0; i < 49; i++) {
        float d = fabsf((float)(i - 24));
        if (d - 5 >= WATER_REACH_M) {
            assert_true(s[i].sd > 1e20f);
            continue;
        }
        assert_true(fabsf(s[i].sd - (d - 5)) < 1e-5f && s[i].level == 20 && s[i].kind == WATER_RIVER);
        assert_true(d >= 5 || (s[i].bed < 20 && (d == 0 || s[i].bed >= s[24].bed)));
        float carved = water_carved(&s[i], 23);
        assert_true(d < 5 ? carved == s[i].bed : carved >= 20 && carved <= 23);
        assert_true(d < 15 || carved == 23);
    }
    assert_true(s[24].bed == 18 && s[24].flow_x > 0.9f && s[24].flow_y == 0);
    assert_int_equal(water_cell_of(&s[24], 18).flow_dir, 64); /* east */
    assert_int_equal(water_cell_of(&s[24], 18).depth, 2 * WATER_DEPTH_STEPS);
    free(arena.base);
}

/* ---- surfaces ---- */

struct scene {
    struct water_grid grid;
    struct water_sample *samples;
    float *ground; /* carved, at the nodes */
    struct grid_f32 cells;
    struct water_ground_view view;
    struct water_lattice lattice;
};

static void make_scene(struct water_kit *kit, int section, struct scene *s) {
    enum { MORE = 4 };
    int32_t x0 = section % KIT_SECTIONS * 256, y0 = section / KIT_SECTIONS * 256;
    struct water_grid around = cells_of(x0 - MORE, y0 - MORE, 256 + 2 * MORE, 256 + 2 * MORE);
    const struct water_sample *wet = field(kit, section, &around);
    s->cells = (struct grid_f32){arena_alloc(&kit->arena, (256 + 2 * MORE) * (256 + 2 * MORE), sizeof(float)),
                                 around.x0,
                                 around.y0,
                                 around.width,
                                 around.height,
                                 around.width};
    for (int32_t i = 0; i < around.width * around.height; i++)
        s->cells.cells[i] =
            water_carved(&wet[i], water_kit_ground(kit->seed, around.x0 + i % around.width + 0.5,
                                                   around.y0 + i / around.width + 0.5));
    s->view = (struct water_ground_view){&s->cells, false, 1};
    s->grid = (struct water_grid){
        x0 - STEP, y0 - STEP, 256 / STEP + 3, 256 / STEP + 3, STEP, 0, 1, water_lattice_near_m(STEP)};
    s->samples = field(kit, section, &s->grid);
    size_t count = (size_t)s->grid.width * (size_t)s->grid.height;
    s->ground = arena_alloc(&kit->arena, count, sizeof *s->ground);
    for (size_t i = 0; i < count; i++)
        s->ground[i] =
            (float)water_ground_at(&s->view, s->grid.x0 + (int32_t)(i % (size_t)s->grid.width) * STEP,
                                   s->grid.y0 + (int32_t)(i / (size_t)s->grid.width) * STEP);
    s->lattice = (struct water_lattice){&s->grid, s->samples, s->ground, &s->view, &kit->sets[section]};
}

static struct water_mesh surface(struct water_kit *kit, const struct scene *s, int32_t x0, int32_t y0) {
    struct water_mesh mesh;
    assert_int_equal(water_surface(&s->lattice, x0, y0, x0 + 64, y0 + 64, &mesh, &kit->arena, NULL),
                     STATUS_OK);
    for (uint32_t i = 0; i < mesh.index_count; i++)
        assert_true(mesh.indices[i] < mesh.vertex_count);
    return mesh;
}

static int compare_places(const void *a, const void *b) {
    return memcmp(a, b, 3 * sizeof(double));
}

/* The places of the vertices on x = at (or y = at), sorted. */
static size_t on_border(const struct water_mesh *mesh, bool along_y, double at, double (*out)[3]) {
    size_t n = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const struct water_vertex *v = &mesh->vertices[i];
        if ((along_y ? v->x : v->y) != at)
            continue;
        out[n][0] = v->x;
        out[n][1] = v->y;
        out[n++][2] = v->z;
    }
    qsort(out, n, sizeof *out, compare_places);
    return n;
}

/* Sectors on both sides of a border have the same vertices there, within a section and between two. */
static void borders_have_no_cracks(void **state) {
    (void)state;
    static double a[512][3], b[512][3];
    size_t seen = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        struct scene scenes[4];
        for (int s = 0; s < 4; s++)
            make_scene(kit, s, &scenes[s]);
        for (int32_t y = 0; y < 512; y += 64)
            for (int32_t x = 0; x < 448; x += 64) {
                struct water_mesh west = surface(kit, &scenes[y / 256 * 2 + x / 256], x, y);
                struct water_mesh east = surface(kit, &scenes[y / 256 * 2 + (x + 64) / 256], x + 64, y);
                size_t n = on_border(&west, true, x + 64, a);
                assert_int_equal(n, on_border(&east, true, x + 64, b));
                assert_memory_equal(a, b, n * sizeof *a);
                seen += n;
            }
        water_kit_free(kit);
    }
    assert_true(seen > 40);
}

/* Twice the area of a triangle, seen from above. */
static double cross(const struct water_vertex *a, const struct water_vertex *b,
                    const struct water_vertex *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Whether a node or one within two of it falls, or lies in water of another level: the ground there is a
 * cliff. */
static bool near_a_fall(const struct scene *s, size_t i) {
    ptrdiff_t w = s->grid.width, count = w * s->grid.height;
    for (int k = 0; k < 25; k++) {
        ptrdiff_t n = (ptrdiff_t)i + (k / 5 - 2) * w + k % 5 - 2;
        const struct water_sample *o = n >= 0 && n < count ? &s->samples[n] : NULL;
        if (o && o->sd < WATER_REACH_M &&
            ((o->flags & PIECE_FALL) || o->kind == WATER_FALL ||
             fabsf(o->level - s->samples[i].level) > 0.5f))
            return true;
    }
    return false;
}

/* Triangles look up; nothing floats or sinks by more than is stated; away from the edge mask and mesh agree.
 */
static void surfaces_lie_on_water(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        struct scene scene;
        make_scene(kit, 0, &scene);
        struct water_grid grid = cells_of(0, 0, 256, 256);
        const struct water_sample *cells = field(kit, 0, &grid);
        double area = 0, mask = 0;
        for (int32_t y = 0; y < 256; y += 64)
            for (int32_t x = 0; x < 256; x += 64) {
                struct water_mesh mesh = surface(kit, &scene, x, y);
                for (uint32_t t = 0; t < mesh.index_count; t += 3) {
                    const struct water_vertex *v[3];
                    for (int k = 0; k < 3; k++)
                        v[k] = &mesh.vertices[mesh.indices[t + (uint32_t)k]];
                    double twice = cross(v[0], v[1], v[2]);
                    assert_true(twice >= 0);
                    area += 0.5 * twice;
                    for (int k = 0; k < 3; k++)
                        assert_true(v[k]->normal[2] > 0.3f && isfinite(v[k]->z) && v[k]->foam >= 0);
                }
            }
        size_t nodes = (size_t)scene.grid.width * (size_t)scene.grid.height;
        for (size_t i = 0; i < nodes; i++) { /* a node in the water's middle lies under its surface */
            const struct water_sample *s = &scene.samples[i];
            bool alone = !near_a_fall(&scene, i);
            if (s->sd < -1 && (s->flags & PIECE_CARVE) && alone && s->bend < 0.3f)
                assert_true(scene.ground[i] <= s->level);
        }
        for (size_t i = 0; i < 256 * 256; i++) {
            float ground = kit->ground[i / 256 * KIT_CELLS + i % 256];
            struct water_cell c = water_cell_of(&cells[i], water_carved(&cells[i], ground));
            mask += c.water && c.kind != WATER_FALL;
            assert_true((c.water > 0) == (c.kind != WATER_NONE));
            assert_true(!c.water || c.dampness == 255);
        }
        assert_true(mask > 500 && area > 0.85 * mask && area < 1.35 * mask + 50);
        water_kit_free(kit);
    }
}

static void cover(const struct water_mesh *mesh, uint8_t *covered, int32_t x0, int32_t y0) {
    for (uint32_t t = 0; t < mesh->index_count; t += 3) {
        const struct water_vertex *v[3];
        for (int k = 0; k < 3; k++)
            v[k] = &mesh->vertices[mesh->indices[t + (uint32_t)k]];
        double west = fmin(v[0]->x, fmin(v[1]->x, v[2]->x)), south = fmin(v[0]->y, fmin(v[1]->y, v[2]->y));
        for (int32_t y = (int32_t)floor(south); y <= (int32_t)south + STEP; y++)
            for (int32_t x = (int32_t)floor(west); x <= (int32_t)west + STEP; x++) {
                struct water_vertex at = {.x = x + 0.5, .y = y + 0.5};
                bool in =
                    cross(v[0], v[1], &at) >= 0 && cross(v[1], v[2], &at) >= 0 && cross(v[2], v[0], &at) >= 0;
                if (in && x >= x0 && y >= y0 && x < x0 + 256 && y < y0 + 256)
                    covered[(y - y0) * 256 + x - x0] = 1;
            }
    }
}

/* Masks and meshes agree, cell by cell: water a cell and a half inside its edge lies under a triangle, and no
 * triangle lies farther than 2 m from water. */
static void masks_and_meshes_agree(void **state) {
    (void)state;
    size_t wet = 0, dry = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        struct scene scene;
        make_scene(kit, 0, &scene);
        struct water_grid grid = cells_of(0, 0, 256, 256);
        const struct water_sample *cells = field(kit, 0, &grid);
        uint8_t *covered = arena_alloc(&kit->arena, 256 * 256, 1);
        memset(covered, 0, 256 * 256);
        for (int32_t k = 0; k < 16; k++) {
            struct water_mesh mesh = surface(kit, &scene, k % 4 * 64, k / 4 * 64);
            cover(&mesh, covered, 0, 0);
        }
        for (int32_t i = 0; i < 256 * 256; i++) {
            const struct water_sample *s = &cells[i];
            size_t node =
                (size_t)(i / 256 / STEP + 1) * (size_t)scene.grid.width + (size_t)(i % 256 / STEP + 1);
            struct water_cell c = water_cell_of(s, *grid_f32_at(&scene.cells, i % 256, i / 256));
            bool deep = c.water && s->sd < -1.5f;
            if (deep && c.kind != WATER_FALL && !near_a_fall(&scene, node)) {
                assert_true(covered[i]);
                wet++;
            }
            if (covered[i]) {
                assert_true(s->sd < 3);
                dry++;
            }
        }
        water_kit_free(kit);
    }
    assert_true(wet > 500 && dry > wet);
}

/* Sheets lie between the lip's level and the pool's, hug the ground and never climb by more than it
 * undulates. */
static void sheets_fall(void **state) {
    (void)state;
    size_t seen = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        for (int s = 0; s < 4; s++) {
            struct scene scene;
            make_scene(kit, s, &scene);
            for (uint32_t f = 0, first = 0; f < kit->sets[s].fall_count; first = kit->sets[s].fall_end[f++]) {
                const struct water_lip *lips = kit->sets[s].lips + first;
                uint32_t count = kit->sets[s].fall_end[f] - first;
                struct water_mesh mesh;
                assert_int_equal(water_sheet(lips, count, &scene.view, &mesh, &kit->arena, NULL), STATUS_OK);
                assert_int_equal(lips[0].spare + lips[count - 1].spare, 0); /* short ones are whole */
                assert_int_equal(mesh.vertex_count, 11 * ((count - 1) * 2 + 1));
                for (uint32_t i = 0; i < mesh.vertex_count; i++) {
                    double z = mesh.vertices[i].z, top = lips[i / 11 / 2].part == LIP_ABOVE ? 3 : 0.03;
                    assert_true(z <= lips->top + top && z >= lips->bottom - 0.3);
                    assert_true(i < 11 || z <= mesh.vertices[i - 11].z);
                }
                seen++;
            }
        }
        water_kit_free(kit);
    }
    assert_true(seen > 0);
}

static bool is_node(const struct water_vertex *v) {
    return fmod(v->x, 0.5 * STEP) == 0 && fmod(v->y, 0.5 * STEP) == 0;
}

static bool vertex_near_a_fall(const struct scene *s, const struct water_vertex *v) {
    int32_t i = (int32_t)floor((v->x - s->grid.x0) / STEP + 0.5);
    int32_t j = (int32_t)floor((v->y - s->grid.y0) / STEP + 0.5);
    return near_a_fall(s, (size_t)j * (size_t)s->grid.width + (size_t)i);
}

/* Where water ends, but at falls, its surface stays within what mesh.h states of the ground, and is no vertex
 * of that edge forgotten: every edge that belongs to one triangle only, inside the section, ends in two such
 * vertices. */
static void edges_lie_on_the_ground(void **state) {
    (void)state;
    size_t seen = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        for (int s = 0; s < 4; s++) {
            struct scene scene;
            make_scene(kit, s, &scene);
            for (int32_t k = 0; k < 16; k++) {
                int32_t x = s % 2 * 256 + k % 4 * 64, y = s / 2 * 256 + k / 4 * 64;
                struct water_mesh mesh = surface(kit, &scene, x, y);
                for (uint32_t i = 0; i < mesh.vertex_count; i++) {
                    const struct water_vertex *v = &mesh.vertices[i];
                    double over = v->z - water_ground_at(&scene.view, v->x, v->y);
                    if (is_node(v) || vertex_near_a_fall(&scene, v))
                        continue;
                    assert_true(over <= WATER_EDGE_FLOAT_M + 0.002 && over >= -WATER_EDGE_SINK_M - 0.002);
                    seen++;
                }
            }
        }
        water_kit_free(kit);
    }
    assert_true(seen > 1000);
}

static int compare_edges(const void *a, const void *b) {
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

struct tally {
    size_t all, sunk, floating;
};

/* The middles of edges that belong to one triangle only. */
static void look_at_shores(const struct scene *s, const struct water_mesh *mesh, struct tally *t) {
    uint32_t(*e)[2] = malloc((mesh->index_count + 1) * sizeof *e);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        uint32_t a = mesh->indices[i], b = mesh->indices[i % 3 == 2 ? i - 2 : i + 1];
        e[i][0] = a < b ? a : b;
        e[i][1] = a < b ? b : a;
    }
    qsort(e, mesh->index_count, sizeof *e, compare_edges);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        bool twice = (i && !compare_edges(e[i], e[i - 1])) ||
                     (i + 1 < mesh->index_count && !compare_edges(e[i], e[i + 1]));
        const struct water_vertex *a = &mesh->vertices[e[i][0]], *b = &mesh->vertices[e[i][1]];
        bool border = (a->x == b->x && fmod(a->x, 64) == 0) || (a->y == b->y && fmod(a->y, 64) == 0);
        if (twice || border || vertex_near_a_fall(s, a) || vertex_near_a_fall(s, b))
            continue;
        assert_true(!is_node(a) || !is_node(b)); /* no crack inside */
        double over =
            0.5 * (a->z + b->z) - water_ground_at(&s->view, 0.5 * (a->x + b->x), 0.5 * (a->y + b->y));
        assert_true(over > -0.6 && over < 0.8);
        t->all++;
        t->sunk += over < -0.3;
        t->floating += over > 0.3;
    }
    free(e);
}

/* Between the vertices of an edge, which lie near the ground, the surface does as well, for narrow streams
 * too: the lattice is finer there. */
static void shores_lie_on_the_ground(void **state) {
    (void)state;
    struct tally t = {0, 0, 0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        for (int s = 0; s < 4; s++) {
            struct scene scene;
            make_scene(kit, s, &scene);
            for (int32_t k = 0; k < 16; k++) {
                struct water_mesh mesh =
                    surface(kit, &scene, s % 2 * 256 + k % 4 * 64, s / 2 * 256 + k / 4 * 64);
                look_at_shores(&scene, &mesh, &t);
            }
        }
        water_kit_free(kit);
    }
    assert_true(t.all > 10000 && t.sunk < t.all / 500 && t.floating < t.all / 500);
}

/* Ground farther than 10 m from water, and ground beside water that carves nothing, stays as it is. */
static void ground_away_from_water_stays(void **state) {
    (void)state;
    struct water_sample s = {.sd = 10, .level = 5, .flags = PIECE_CARVE};
    assert_true(water_carved(&s, 50) == 50);
    s.sd = 2;
    s.flags = 0;
    assert_true(water_carved(&s, 50) == 50);
    s.flags = PIECE_CARVE | PIECE_FALL;
    assert_true(water_carved(&s, 1) == 1); /* nothing is filled beside falls */
    s.flags = PIECE_CARVE;
    assert_true(water_carved(&s, 1) > 3 && water_carved(&s, 50) < 50);
}

/* What water_ground_may_be leaves out is dry whatever the noise. */
static void dry_ground_needs_no_noise(void **state) {
    (void)state;
    int seen = 0;
    for (int i = 0; i < 256 * 256; i++)
        for (int k = 0; k < 5; k++) {
            uint8_t shore = (uint8_t)(i % 256), damp = (uint8_t)(i / 256), bend = (uint8_t)(k * 63);
            for (int n = 0; n <= 2; n++) {
                bool dry = water_ground_of(WATER_NONE, 0, shore, damp, bend, 0.5f * (float)n) == GROUND_DRY;
                assert_true(dry || water_ground_may_be(shore, damp));
                seen += !dry;
            }
        }
    assert_true(seen > 0 && !water_ground_may_be(0, 0));
}

/* Sectors that the world's edge cuts between nodes are covered whole, on either side. */
static void cut_sectors_are_covered(void **state) {
    (void)state;
    static struct water_sample samples[80 * 80];
    static float ground[80 * 80];
    struct grid_f32 flat = {ground, -4, -4, 80, 80, 80};
    struct water_ground_view view = {&flat, false, 1};
    struct arena arena = {malloc(16 << 20), 16 << 20, 0};
    for (int i = 0; i < 80 * 80; i++)
        samples[i] = (struct water_sample){.sd = -9, .level = 2, .depth = 3, .kind = WATER_LAKE};
    for (int32_t step = 1; step <= 8; step *= 2)
        for (int32_t x0 = 1; x0 <= 9; x0 += 4) {
            int32_t x1 = 43, first = x0 / step * step;
            struct water_grid grid = {first - step, first - step, 0, 0, step, 0, 1, 0};
            grid.width = grid.height = (x1 - grid.x0 + step - 1) / step + 2;
            struct water_lattice lattice = {&grid, samples, ground, &view, NULL};
            struct water_mesh mesh;
            assert_int_equal(water_surface(&lattice, x0, x0, x1, x1, &mesh, &arena, NULL), STATUS_OK);
            double low = 1e9, east = -1e9, north = -1e9;
            for (uint32_t i = 0; i < mesh.vertex_count; i++) {
                low = fmin(low, mesh.vertices[i].x);
                east = fmax(east, mesh.vertices[i].x);
                north = fmax(north, mesh.vertices[i].y);
            }
            assert_true(low <= x0 && low > x0 - step && east >= x1 && east < x1 + step && north == east);
        }
    free(arena.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_agree),
        cmocka_unit_test(rows_hold_all_water),
        cmocka_unit_test(a_straight_piece),
        cmocka_unit_test(borders_have_no_cracks),
        cmocka_unit_test(surfaces_lie_on_water),
        cmocka_unit_test(masks_and_meshes_agree),
        cmocka_unit_test(cut_sectors_are_covered),
        cmocka_unit_test(sheets_fall),
        cmocka_unit_test(edges_lie_on_the_ground),
        cmocka_unit_test(shores_lie_on_the_ground),
        cmocka_unit_test(dry_ground_needs_no_noise),
        cmocka_unit_test(ground_away_from_water_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
