/* The rock's surface on made grounds: neighbours agree bit for bit, it is closed into the ground, nothing is
 * degenerate or turned over, steep cells are covered, and rock does not run away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cliff_kit.h"
#include "terrain/hash.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- */

struct edge {
    uint32_t a, b;
    int32_t turn; /* 1: a to b, -1: b to a */
};
static int edge_order(const void *left, const void *right) {
    const struct edge *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b != b->b ? (a->b < b->b ? -1 : 1) : 0;
}

/* Every edge is used as often in one direction as in the other, or both its ends are deep in the ground (or
 * at the window's rim, where the neighbour goes on). */
static void assert_closed(const struct cliff_scene *s, const struct cliff_mesh *m, const int32_t cells[4]) {
    size_t count = 6 * (size_t)m->own_count;
    struct edge *edges = malloc((count + 1) * sizeof *edges);
    assert_non_null(edges);
    for (size_t i = 0; i < count; i++) {
        uint32_t corners[3];
        cliff_triangle(m, (uint32_t)(i / 3), corners);
        uint32_t a = corners[i % 3], b = corners[(i + 1) % 3];
        assert_true(a != b && a < m->vertex_count);
        edges[i] = a < b ? (struct edge){a, b, 1} : (struct edge){b, a, -1};
    }
    qsort(edges, count, sizeof *edges, edge_order);
    size_t open = 0;
    for (size_t i = 0, end; i < count; i = end) {
        int32_t sum = 0;
        for (end = i; end < count && edge_order(&edges[i], &edges[end]) == 0; end++)
            sum += edges[end].turn;
        if (sum == 0)
            continue;
        open++;
        const uint32_t ends[2] = {edges[i].a, edges[i].b};
        bool rim = true, deep = true;
        for (int32_t k = 0; k < 2; k++) {
            const struct cliff_vertex *v = &m->vertices[ends[k]];
            double x = cells[0] + v->x / CLIFF_QUANTUM, y = cells[1] + v->y / CLIFF_QUANTUM;
            deep &= cliff_scene_height(s, x, y) - v->z / CLIFF_QUANTUM > CLIFF_BURIED_M - 0.05;
            rim &= x < cells[0] + 0.0 || y < cells[1] + 0.0 || x > cells[2] - s->params.step_m ||
                   y > cells[3] - s->params.step_m;
        }
        if (!deep && !rim)
            fail_msg("an open edge above ground at %g %g, %g of ground %g",
                     cells[0] + m->vertices[ends[0]].x / CLIFF_QUANTUM,
                     cells[1] + m->vertices[ends[0]].y / CLIFF_QUANTUM,
                     m->vertices[ends[0]].z / CLIFF_QUANTUM,
                     cliff_scene_height(s, cells[0] + m->vertices[ends[0]].x / CLIFF_QUANTUM,
                                        cells[1] + m->vertices[ends[0]].y / CLIFF_QUANTUM));
    }
    assert_true(count == 0 || open > 0);
    free(edges);
}

static void rock_is_closed_into_the_ground(void **state) {
    (void)state;
    size_t triangles = 0;
    for (uint32_t which = 0; which < 4; which++) {
        struct cliff_scene s = cliff_scene_make(which, 1, which & 1);
        cliff_scene_vary(&s, which);
        const int32_t cells[4] = {92, 92, 208, 208};
        struct cliff_mesh m = cliff_scene_mesh(&s, cells);
        assert_closed(&s, &m, cells);
        triangles += m.own_count;
        cliff_scene_free(&s);
    }
    assert_true(triangles > 10000);
}

static void triangles_are_sound(void **state) {
    (void)state;
    struct cliff_scene s = cliff_scene_make(1, 1, false);
    const int32_t cells[4] = {86, 86, 214, 214};
    struct cliff_mesh m = cliff_scene_mesh(&s, cells);
    double longest = 0, shortest = 1e9, most = sqrt(4 + 4 + 1.0);
    for (uint32_t t = 0; t < 2 * m.quad_count; t++) {
        const struct cliff_vertex *v[3];
        uint32_t corners[3];
        cliff_triangle(&m, t, corners);
        for (int32_t k = 0; k < 3; k++)
            v[k] = &m.vertices[corners[k]];
        double u[3] = {v[1]->x - v[0]->x, v[1]->y - v[0]->y, v[1]->z - v[0]->z};
        double w[3] = {v[2]->x - v[0]->x, v[2]->y - v[0]->y, v[2]->z - v[0]->z};
        double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
        assert_true(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0);
    }
    size_t edges = 6 * (size_t)m.quad_count, short_ones = 0, long_ones = 0;
    for (uint32_t t = 0; t < 2 * m.quad_count; t++) {
        uint32_t c[3];
        cliff_triangle(&m, t, c);
        for (int32_t k = 0; k < 3; k++) {
            const struct cliff_vertex *a = &m.vertices[c[k]], *b = &m.vertices[c[(k + 1) % 3]];
            double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z,
                   length = sqrt(x * x + y * y + z * z) / CLIFF_QUANTUM;
            longest = length > longest ? length : longest;
            shortest = length < shortest ? length : shortest;
            short_ones += length < 0.15;
            long_ones += length > 1.75;
        }
    }
    print_message("edges: %.3f .. %.3f m, %.2f %% under 0.15 m, %.2f %% over 1.75 m\n", shortest, longest,
                  100.0 * (double)short_ones / (double)edges, 100.0 * (double)long_ones / (double)edges);
    assert_true(longest < most);                          /* two cubes' diagonal at most */
    assert_true(shortest > 1.0 / 32 - 2 / CLIFF_QUANTUM); /* vertices keep away from their cubes' faces */
    assert_true(short_ones < edges / 40 && long_ones < edges / 100); /* as docs/cliffs.md says */
    cliff_scene_free(&s);
}

/* Each quad of a part is one of the whole with the same four places and the same bed. */
struct place_quad {
    int32_t v[12];
    uint32_t bed;
};
static int quad_order(const void *a, const void *b) {
    return memcmp(a, b, sizeof(struct place_quad));
}
static struct place_quad *places(const struct cliff_mesh *m, int32_t x, int32_t y) {
    struct place_quad *t = calloc(m->own_count + 1, sizeof *t);
    assert_non_null(t);
    for (uint32_t i = 0; i < m->own_count; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            const struct cliff_vertex *v = &m->vertices[m->quads[i].v[k]];
            t[i].v[3 * k] = v->x + x * 1024;
            t[i].v[3 * k + 1] = v->y + y * 1024;
            t[i].v[3 * k + 2] = v->z;
        }
        t[i].bed = m->quads[i].bed;
    }
    qsort(t, m->own_count, sizeof *t, quad_order);
    return t;
}

static void sectors_alone_equal_the_whole(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 4; which++) {
        struct cliff_scene s = cliff_scene_make(which, 1, which == 1);
        cliff_scene_vary(&s, which);
        const int32_t cells[4] = {96, 96, 192, 192};
        struct cliff_scene_rock rock;
        cliff_scene_rock(&s, cells, &rock);
        struct cliff_mesh all = cliff_scene_part(&s, &rock, cells);
        struct place_quad *whole = places(&all, 96, 96);
        size_t total = 0;
        for (int32_t k = 0; k < 4; k++) {
            const int32_t part[4] = {96 + 48 * (k & 1), 96 + 48 * (k >> 1), 144 + 48 * (k & 1),
                                     144 + 48 * (k >> 1)};
            size_t mark = arena_mark(&s.scratch);
            struct cliff_mesh cut = cliff_scene_part(&s, &rock, part), m = cliff_scene_mesh(&s, part);
            assert_true(m.vertex_count == cut.vertex_count && m.quad_count == cut.quad_count);
            assert_memory_equal(m.vertices, cut.vertices, m.vertex_count * sizeof *m.vertices);
            assert_memory_equal(m.quads, cut.quads, m.quad_count * sizeof *m.quads);
            struct place_quad *own = places(&m, part[0], part[1]);
            for (uint32_t i = 0; i < m.own_count; i++)
                assert_non_null(bsearch(&own[i], whole, all.own_count, sizeof *own, quad_order));
            total += m.own_count;
            free(own);
            arena_release(&s.scratch, mark);
        }
        assert_int_equal(total, all.own_count);
        free(whole);
        cliff_scene_free(&s);
    }
}

/* A column on an edge of the lattice has all that one found from its place has. */
static void columns_on_edges_are_those_of_their_places(void **state) {
    (void)state;
    struct cliff_scene s = cliff_scene_make(0, 1, false);
    const int32_t cells[4] = {100, 100, 150, 150};
    struct cliff_scene_rock rock;
    cliff_scene_rock(&s, cells, &rock);
    size_t high = 0;
    for (int32_t n = 0; n < 20000; n++) {
        uint64_t h = hash_place(0, 6, n, 0, 0);
        int32_t i = 100 + (int32_t)(h % 50), j = 100 + (int32_t)(h / 64 % 50), axis = (int32_t)(h >> 63);
        double t = (double)hash_unit(hash_mix(h));
        struct cliff_column edge, place;
        memset(&edge, 0x7f, sizeof edge); /* what it leaves as it was would show */
        cliff_column_edge(&rock.field, i, j, axis, t, &edge);
        cliff_column_at(&rock.field, edge.x, edge.y, &place);
        const float *a = (const float *)&edge.node, *b = (const float *)&place.node;
        for (size_t k = 0; k < sizeof edge.node / sizeof *a; k++)
            assert_true(fabsf(a[k] - b[k]) <= 1e-4f * (1 + fabsf(b[k])));
        assert_true(fabs(edge.base - place.base) < 1e-3);
        high += place.node.over > 2;
    }
    assert_true(high > 1000);
    cliff_scene_free(&s);
}

/* Samples above cliff_highest are not asked for. */
static void no_rock_is_higher_than_can_be(void **state) {
    (void)state;
    size_t rock_below = 0;
    for (uint32_t which = 0; which < 3; which++) {
        struct cliff_scene s = cliff_scene_make(which, 1, false);
        const int32_t cells[4] = {90, 90, 170, 170};
        struct cliff_scene_rock rock;
        cliff_scene_rock(&s, cells, &rock);
        for (int32_t j = cells[1]; j < cells[3]; j++)
            for (int32_t i = cells[0]; i < cells[2]; i++) {
                struct cliff_column at;
                cliff_column_node(&rock.field, i, j, &at);
                double high = cliff_highest(&at.node);
                for (int32_t k = 1; k < 16; k++)
                    assert_true(cliff_field_at(&rock.field, &at, high + 0.25 * k).f >= 0);
                rock_below += cliff_field_at(&rock.field, &at, high - 4).f < 0;
            }
        cliff_scene_free(&s);
    }
    assert_true(rock_below > 100);
}

/* The slow way: the bed coordinate written out, the sequence of beds walked without a table. */
static void beds_equal_the_slow_way(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 1; which++) {
        struct cliff_scene s = cliff_scene_make(which, 1, false);
        const int32_t cells[4] = {100, 100, 150, 150};
        struct cliff_scene_rock rock;
        cliff_scene_rock(&s, cells, &rock);
        const struct strata_frame *frame = &s.params.frames[0];
        size_t groups[STRATA_GROUPS] = {0};
        for (int32_t n = 0; n < 20000; n++) {
            uint64_t h = hash_place(which, 5, n, 0, 0);
            double x = 100 + 50 * (double)hash_unit(h), y = 100 + 50 * (double)hash_unit(h << 20);
            double z = 60 + 200 * (double)hash_unit(hash_mix(h));
            struct cliff_column column;
            cliff_column_at(&rock.field, x, y, &column);
            int32_t bed = cliff_bed_at(&rock.field, &column, z);
            double at = frame->x * x + frame->y * y + frame->z * z + (double)column.node.fold;
            struct strata_bed slow = strata_bed_at(s.params.seed, rock.field.beds[bed].bed.group, at);
            assert_int_equal(slow.id, rock.field.beds[bed].bed.id);
            groups[slow.group]++;
        }
        assert_true(groups[0] > 1000 && groups[1] > 1000);
        /* a face's bed is one that the slow way finds within a lattice step of its corners */
        struct cliff_mesh m = cliff_scene_part(&s, &rock, cells);
        size_t wrong = 0;
        for (uint32_t q = 0; q < m.own_count; q++) {
            double lo = 1e9, hi = -1e9;
            for (int32_t k = 0; k < 4; k++) {
                const struct cliff_vertex *v = &m.vertices[m.quads[q].v[k]];
                double x = cells[0] + v->x / CLIFF_QUANTUM, y = cells[1] + v->y / CLIFF_QUANTUM;
                struct cliff_column column;
                cliff_column_at(&rock.field, x, y, &column);
                double at = frame->x * x + frame->y * y + frame->z * (v->z / CLIFF_QUANTUM) +
                            (double)column.node.fold;
                lo = at < lo ? at : lo;
                hi = at > hi ? at : hi;
            }
            bool found = false;
            for (double at = lo - 0.75; at < hi + 0.95 && !found; at += 0.2)
                for (int32_t g = 0; g < STRATA_GROUPS && !found; g++)
                    found = strata_bed_at(s.params.seed, g, at).id == m.quads[q].bed;
            wrong += !found;
        }
        assert_int_equal(wrong, 0);
        cliff_scene_free(&s);
    }
}

static uint32_t root_of(uint32_t *parent, uint32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* Every piece of the surface has a vertex in the ground, or goes on beyond the window: no rock floats, and no
 * hollow is meshed that cannot be seen. */
static void no_rock_floats(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 4; which++) {
        struct cliff_scene s = cliff_scene_make(which + 20, 1, false);
        const int32_t cells[4] = {86, 86, 214, 214};
        struct cliff_mesh m = cliff_scene_mesh(&s, cells);
        uint32_t *parent = calloc((size_t)m.vertex_count + 1, sizeof *parent);
        assert_non_null(parent);
        bool *rooted = calloc((size_t)m.vertex_count + 1, sizeof *rooted);
        assert_non_null(rooted);
        for (uint32_t v = 0; v < m.vertex_count; v++)
            parent[v] = v;
        for (uint32_t q = 0; q < m.quad_count; q++)
            for (int32_t k = 1; k < 4; k++)
                parent[root_of(parent, m.quads[q].v[k])] = root_of(parent, m.quads[q].v[0]);
        for (uint32_t v = 0; v < m.vertex_count; v++) {
            double x = cells[0] + m.vertices[v].x / CLIFF_QUANTUM,
                   y = cells[1] + m.vertices[v].y / CLIFF_QUANTUM;
            if (m.vertices[v].z / CLIFF_QUANTUM < cliff_scene_height(&s, x, y) || x < cells[0] ||
                y < cells[1] || x > cells[2] - 1 || y > cells[3] - 1)
                rooted[root_of(parent, v)] = true;
        }
        for (uint32_t v = 0; v < m.vertex_count; v++)
            if (!rooted[root_of(parent, v)])
                fail_msg("a piece floats at %g %g %g", cells[0] + m.vertices[v].x / CLIFF_QUANTUM,
                         cells[1] + m.vertices[v].y / CLIFF_QUANTUM, m.vertices[v].z / CLIFF_QUANTUM);
        free(parent);
        free(rooted);
        cliff_scene_free(&s);
    }
}

static void tables_of_beds_equal_the_slow_way(void **state) {
    (void)state;
    static unsigned char bytes[4 << 20];
    struct arena scratch = {bytes, sizeof bytes, 0};
    for (int32_t group = 0; group < STRATA_GROUPS; group++) {
        struct strata_table table;
        assert_true(strata_table_make(11, group, -500, 700, &scratch, &table));
        for (int32_t n = 0; n < 20000; n++) {
            double at = -500 + 1200 * (double)hash_unit(hash_place(5, 6, n, group, 0));
            struct strata_bed slow = strata_bed_at(11, group, at);
            const struct strata_bed *quick = &table.beds[strata_find(&table, at)];
            assert_true(at >= slow.s0 && at < slow.s1);
            assert_int_equal(quick->id, slow.id);
            assert_true(quick->s0 == slow.s0 && quick->s1 == slow.s1);
            assert_int_equal((slow.id - 1) & 3, slow.kind);
        }
        for (int32_t i = 1; i < table.count; i++)
            assert_true(table.beds[i].s0 == table.beds[i - 1].s1 && table.beds[i].s1 > table.beds[i].s0);
    }
}

/* The highest of the mesh over a place, -1e9 for none. */
static double top_over(const struct cliff_mesh *m, const int32_t cells[4], double x, double y) {
    double best = -1e9, px = (x - cells[0]) * CLIFF_QUANTUM, py = (y - cells[1]) * CLIFF_QUANTUM;
    for (uint32_t t = 0; t < 2 * m->quad_count; t++) {
        uint32_t corners[3];
        cliff_triangle(m, t, corners);
        const struct cliff_vertex *a = &m->vertices[corners[0]], *b = &m->vertices[corners[1]];
        const struct cliff_vertex *c = &m->vertices[corners[2]];
        if (fabs(a->x - px) > 2100 || fabs(a->y - py) > 2100)
            continue;
        double u = (b->x - px) * (c->y - py) - (b->y - py) * (c->x - px);
        double v = (c->x - px) * (a->y - py) - (c->y - py) * (a->x - px);
        double w = (a->x - px) * (b->y - py) - (a->y - py) * (b->x - px), sum = u + v + w;
        if (sum <= 0 || u < 0 || v < 0 || w < 0)
            continue;
        double z = (u * a->z + v * b->z + w * c->z) / sum / CLIFF_QUANTUM;
        best = z > best ? z : best;
    }
    return best;
}

/* Steep cells are under rock; what is not steep is only within a block (its site and half its width, and 2.5
 * m downhill) or the chosen softness; nothing lies on what is closed. */
static void assert_cover(uint32_t which, double soft_m, bool close) {
    struct cliff_scene s = cliff_scene_make(which, 1, which & 1);
    s.params.soft_m = soft_m;
    cliff_scene_vary(&s, close ? 1 : 0);
    const int32_t cells[4] = {100, 100, 160, 160};
    struct cliff_mesh m = cliff_scene_mesh(&s, cells);
    int32_t steep = 0, far_off = 0, bare = 0, on_closed = 0, reach = (int32_t)ceil(cliff_run_over(&s.params));
    for (int32_t y = cells[1]; y < cells[3]; y++)
        for (int32_t x = cells[0]; x < cells[2]; x++) {
            bool rock = top_over(&m, cells, x + 0.5, y + 0.5) >= cliff_scene_height(&s, x + 0.5, y + 0.5);
            bool closed = false, beside = false;
            for (int32_t k = 0; close && k < 9; k++)
                beside |= *grid_u8_at(&s.closed, x - 1 + k % 3, y - 1 + k / 3) != 0;
            closed = close && *grid_u8_at(&s.closed, x, y);
            on_closed += closed && rock;
            if (*grid_u8_at(&s.steep, x, y) && !beside) {
                bare += !rock;
                steep++;
            }
            bool near = false;
            for (int32_t b = -reach; b <= reach && rock && !near; b++)
                for (int32_t a = -reach; a <= reach && !near; a++)
                    near = *grid_u8_at(&s.steep, x + a, y + b) && a * a + b * b < reach * reach;
            far_off += rock && !near;
        }
    if (bare || far_off || on_closed || steep < 100)
        fail_msg("ground %u: %d of %d steep cells bare, %d far off, %d on closed ground", which, bare, steep,
                 far_off, on_closed);
    cliff_scene_free(&s);
}
static void steep_cells_are_covered_and_no_others_far_off(void **state) {
    (void)state;
    for (uint32_t which = 2; which < 4; which++)
        assert_cover(which, 0, false);
}
static void nothing_lies_on_closed_ground(void **state) {
    (void)state;
    for (uint32_t which = 4; which < 5; which++)
        assert_cover(which, 0, true);
}
static uint32_t area_of(uint32_t which, double soft_m) {
    struct cliff_scene s = cliff_scene_make(which, 1, false);
    s.params.soft_m = soft_m;
    const int32_t cells[4] = {100, 100, 180, 180};
    uint32_t quads = cliff_scene_mesh(&s, cells).own_count;
    cliff_scene_free(&s);
    return quads;
}
static void a_soft_border_has_single_blocks_farther_off(void **state) {
    (void)state;
    assert_cover(3, 8, false);
    assert_true(area_of(3, 8) > area_of(3, 0) + area_of(3, 0) / 50);
}

/* A grey image of one level pushes the whole rock by as much. */
static void images_push_the_rock(void **state) {
    (void)state;
    static const uint8_t levels[2] = {255, 0};
    double rise[3];
    for (int32_t k = 0; k < 3; k++) {
        struct cliff_scene s = cliff_scene_make(4, 1, false);
        s.params.image_count = k ? 1 : 0;
        s.params.images[0] = (struct cliff_image){levels + (k == 2), 1, 1, 8, 0.5f};
        const int32_t cells[4] = {100, 100, 160, 160};
        struct cliff_mesh m = cliff_scene_mesh(&s, cells);
        double sum = 0;
        int32_t count = 0;
        for (int32_t y = cells[1]; y < cells[3]; y += 3)
            for (int32_t x = cells[0]; x < cells[2]; x += 3) {
                double over =
                    top_over(&m, cells, x + 0.5, y + 0.5) - cliff_scene_height(&s, x + 0.5, y + 0.5);
                sum += over > 0 ? over : 0;
                count += over > 0;
            }
        rise[k] = sum / count;
        cliff_scene_free(&s);
    }
    assert_true(rise[1] > rise[0] + 0.2 && rise[2] < rise[0] - 0.05);
}
static void images_tile_the_world(void **state) {
    (void)state;
    static const uint8_t pixels[12] = {0, 50, 100, 150, 200, 250, 10, 60, 110, 160, 210, 255};
    const struct cliff_image image = {pixels, 4, 3, 6, 0.8f};
    for (int32_t n = 0; n < 500; n++) {
        double x = 100 * (double)hash_unit(hash_place(1, 2, n, 0, 0)) - 50,
               z = 90 * (double)hash_unit(hash_place(1, 2, n, 1, 0)) - 45;
        float here = cliff_displace(&image, 1, x, 7, z, 0, 1);
        assert_true(fabsf(here) <= 0.8f);
        assert_true(fabsf(here - cliff_displace(&image, 1, x + 12, 99, z - 4.5, 0, -3)) < 1e-3f);
        assert_true(fabsf(here - cliff_displace(&image, 1, 99, x, z, 2, 0)) < 1e-6f);
    }
    /* pixel (1, 0) is in the middle of its place: 1.5 of 4 pixels along, half a pixel under the top */
    float at = cliff_displace(&image, 1, 2.25, 0, 4.5 - 0.75, 0, 1);
    assert_true(fabsf(at - 0.8f * (2 * 50 / 255.0f - 1)) < 1e-4f);
}

static void level_ground_has_none(void **state) {
    (void)state;
    struct cliff_scene s = cliff_scene_make(3, 1, false);
    memset(s.steep.cells, 0, (size_t)CLIFF_KIT_SIDE * CLIFF_KIT_SIDE);
    const int32_t cells[4] = {86, 86, 214, 214};
    struct cliff_mesh m = cliff_scene_mesh(&s, cells);
    assert_int_equal(m.quad_count, 0);
    cliff_scene_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rock_is_closed_into_the_ground),
                                       cmocka_unit_test(triangles_are_sound),
                                       cmocka_unit_test(sectors_alone_equal_the_whole),
                                       cmocka_unit_test(steep_cells_are_covered_and_no_others_far_off),
                                       cmocka_unit_test(nothing_lies_on_closed_ground),
                                       cmocka_unit_test(a_soft_border_has_single_blocks_farther_off),
                                       cmocka_unit_test(images_push_the_rock),
                                       cmocka_unit_test(images_tile_the_world),
                                       cmocka_unit_test(no_rock_floats),
                                       cmocka_unit_test(tables_of_beds_equal_the_slow_way),
                                       cmocka_unit_test(columns_on_edges_are_those_of_their_places),
                                       cmocka_unit_test(no_rock_is_higher_than_can_be),
                                       cmocka_unit_test(beds_equal_the_slow_way),
                                       cmocka_unit_test(level_ground_has_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
