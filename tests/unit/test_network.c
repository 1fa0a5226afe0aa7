#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terrain/hash.h"
#include "terrain/network.h"
#include "terrain/sort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 64, POINTS_MAX = 6 };

static unsigned char block[4 << 20], other_block[4 << 20];

static struct network build_in(unsigned char *memory, const struct network_line *lines, size_t count,
                               double snap_m) {
    size_t points = 0;
    for (size_t i = 0; i < count; i++)
        points += lines[i].count;
    struct arena arena = {memory, terrain_network_scratch(count, points), 0};
    struct network n;
    struct error err = {0};
    assert_true(arena.size <= sizeof block);
    assert_int_equal(terrain_network_build(lines, count, snap_m, &arena, &n, &err), STATUS_OK);
    return n;
}
static struct network build(const struct network_line *lines, size_t count, double snap_m) {
    return build_in(block, lines, count, snap_m);
}

#define LINE(...)                                                                                            \
    { (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / (2 * sizeof(double)) }

static void assert_node(const struct network *n, size_t i, double x, double y, uint32_t degree) {
    assert_true(i < n->node_count);
    assert_true(n->nodes[i].x == x && n->nodes[i].y == y);
    assert_int_equal(n->nodes[i].degree, degree);
}

static void ends_within_reach_are_one_node(void **state) {
    (void)state;
    const struct network_line lines[] = {LINE(0, 0, 10, 0), LINE(10.5, 0, 20, 5), LINE(10, 0.9, 10, 20),
                                         LINE(40, 0, 50, 0)};
    struct network n = build(lines, 4, 1);
    assert_int_equal(n.node_count, 6);
    assert_node(&n, 0, 0, 0, 1);
    assert_node(&n, 1, 10, 0, 3); /* the least of (10, 0), (10.5, 0), (10, 0.9) */
    assert_node(&n, 2, 10, 20, 1);
    assert_node(&n, 3, 20, 5, 1);
    assert_int_equal(n.edge_count, 4);
    assert_int_equal(n.component_count, 2);
    assert_int_equal(n.components[0].nodes, 4);
    assert_int_equal(n.components[0].edges, 3);
    assert_int_equal(n.components[0].cycles, 0);
    assert_int_equal(n.nodes[4].component, 1);
    /* out of reach, nothing meets */
    n = build(lines, 4, 0.4);
    assert_int_equal(n.node_count, 8);
    assert_int_equal(n.component_count, 4);
}

static void an_end_cuts_the_line_that_it_reaches(void **state) {
    (void)state;
    const struct network_line lines[] = {LINE(0, 0, 10, 0, 20, 0), LINE(7, 0.5, 7, 9)};
    struct network n = build(lines, 2, 1);
    assert_int_equal(n.node_count, 4);
    assert_node(&n, 1, 7, 0, 3);
    assert_int_equal(n.edge_count, 3);
    /* edges by their nodes: (0, 0)-(7, 0), then (7, 0)-(7, 9), (7, 0)-(20, 0) through (10, 0) */
    const struct network_edge *e = &n.edges[2];
    assert_int_equal(e->line, 0);
    assert_int_equal(e->from.point, 0);
    assert_true(fabs(e->from.share - 0.7) < 1e-12);
    assert_int_equal(e->to.point, 2);
    assert_int_equal(terrain_network_points(&n, e), 3);
    double xy[2];
    terrain_network_point(&n, lines, e, 1, xy);
    assert_true(xy[0] == 10 && xy[1] == 0);
    terrain_network_point(&n, lines, e, 0, xy);
    assert_true(xy[0] == 7 && xy[1] == 0);
    assert_int_equal(terrain_network_points(&n, &n.edges[0]), 2);
}

static void an_end_near_a_lines_end_meets_that(void **state) {
    (void)state;
    /* 1.2 m from the end, but only 0.9 m from the inside, 0.8 m before the end */
    const struct network_line lines[] = {LINE(0, 0, 10, 0), LINE(9.2, 0.9, 9.2, 9)};
    struct network n = build(lines, 2, 1);
    assert_int_equal(n.node_count, 3);
    assert_int_equal(n.edge_count, 2);
    assert_node(&n, 1, 9.2, 0.9, 2); /* both are ends: the least */
}

static void ends_on_both_sides_cut_a_line_once(void **state) {
    (void)state;
    const struct network_line lines[] = {LINE(0, 0, 20, 0), LINE(7, 0.9, 7, 9), LINE(7.5, -0.9, 7, -9)};
    struct network n = build(lines, 3, 1);
    assert_int_equal(n.node_count, 5);
    assert_node(&n, 2, 7, 0, 4);
    assert_int_equal(n.vanished, 1);
}

static void shared_points_meet_and_crossings_do_not(void **state) {
    (void)state;
    const struct network_line shared[] = {LINE(0, 0, 5, 5, 10, 10), LINE(0, 10, 5, 5, 10, 0)};
    struct network n = build(shared, 2, 0);
    assert_int_equal(n.node_count, 5);
    assert_node(&n, 2, 5, 5, 4);
    const struct network_line bridge[] = {LINE(0, 0, 10, 10), LINE(0, 10, 10, 0)};
    n = build(bridge, 2, 0.5);
    assert_int_equal(n.node_count, 4);
    assert_int_equal(n.component_count, 2);
}

static void loops_are_cycles(void **state) {
    (void)state;
    /* a closed line; a line that comes back onto itself; two ways between two nodes */
    const struct network_line ring[] = {LINE(0, 0, 10, 0, 10, 10, 0, 0)};
    struct network n = build(ring, 1, 1);
    assert_int_equal(n.node_count, 1);
    assert_node(&n, 0, 0, 0, 2);
    assert_int_equal(n.components[0].cycles, 1);
    const struct network_line lasso[] = {LINE(0, 0, 20, 0, 20, 10, 10, 10, 10, 0.5)};
    n = build(lasso, 1, 1);
    assert_int_equal(n.node_count, 2);
    assert_node(&n, 1, 10, 0, 3);
    assert_int_equal(n.components[0].cycles, 1);
    const struct network_line twin[] = {LINE(0, 0, 5, 5, 10, 0), LINE(10, 0, 5, -5, 0, 0)};
    n = build(twin, 2, 1);
    assert_int_equal(n.node_count, 2);
    assert_int_equal(n.components[0].cycles, 1);
    assert_int_equal(n.edges[0].line, 1); /* by its points: (5, -5) before (5, 5) */
}

static void short_pieces_vanish(void **state) {
    (void)state;
    const struct network_line lines[] = {LINE(0, 0, 10, 0), LINE(10, 0, 10.5, 0), LINE(10.5, 0, 20, 0)};
    struct network n = build(lines, 3, 1);
    assert_int_equal(n.node_count, 3);
    assert_int_equal(n.edge_count, 2);
    assert_int_equal(n.vanished, 1);
}

static void rivers_are_ordered_downstream(void **state) {
    (void)state;
    static unsigned char memory[4096];
    struct arena arena = {memory, sizeof memory, 0};
    uint32_t order[8];
    size_t count;
    const struct network_line river[] = {LINE(0, 9, 5, 5), LINE(9, 9, 5, 5), LINE(5, 5, 4, 0),
                                         LINE(4, 0, 1, -5)};
    struct network n = build(river, 4, 1);
    assert_int_equal(terrain_network_order(&n, order, &count, &arena, NULL), STATUS_OK);
    assert_int_equal(count, 5);
    uint32_t place[8];
    for (uint32_t i = 0; i < count; i++)
        place[order[i]] = i;
    for (size_t i = 0; i < n.edge_count; i++)
        assert_true(place[n.edges[i].from_node] < place[n.edges[i].to_node]);
    const uint32_t expected[] = {0, 4, 3, 2, 1}; /* sources by number, then down */
    assert_memory_equal(order, expected, sizeof expected);
    /* a river that flows in a circle, and what lies behind it */
    const struct network_line round[] = {LINE(0, 0, 5, 5), LINE(5, 5, 9, 0), LINE(9, 0, 0, 0),
                                         LINE(9, 0, 20, 0), LINE(-9, 3, 0, 0)};
    n = build(round, 5, 1);
    assert_int_equal(terrain_network_order(&n, order, &count, &arena, NULL), STATUS_OK);
    assert_int_equal(count, 1);
    arena.size = 8;
    struct error err = {0};
    assert_int_equal(terrain_network_order(&n, order, &count, &arena, &err), STATUS_LIMIT);
    assert_string_equal(err.message, "too little scratch to order a network of 5 nodes");
}

static void too_little_scratch_is_said(void **state) {
    (void)state;
    const struct network_line lines[] = {LINE(0, 0, 10, 0)};
    struct network n;
    struct error err = {0};
    size_t enough = terrain_network_scratch(1, 2);
    for (size_t size = 0; size < enough; size += 64) {
        struct arena arena = {block, size, 0};
        enum status status = terrain_network_build(lines, 1, 1, &arena, &n, &err);
        assert_true(status == STATUS_OK || status == STATUS_LIMIT);
    }
    struct arena arena = {block, 64, 0};
    assert_int_equal(terrain_network_build(lines, 1, 1, &arena, &n, &err), STATUS_LIMIT);
    assert_string_equal(err.message, "too little scratch for a network of 1 lines");
    n = build(NULL, 0, 1);
    assert_int_equal(n.node_count + n.edge_count + n.component_count, 0);
}

/* ---- random networks ---- */

struct drawing {
    double xy[LINES_MAX][2 * POINTS_MAX];
    struct network_line lines[LINES_MAX];
    size_t count;
};

/* Lines on a coarse lattice with small shifts, so that much meets, ties included. */
static void draw(uint64_t seed, struct drawing *d) {
    d->count = 4 + hash_place(seed, 1, 0, 0, 0) % (LINES_MAX - 4);
    for (int32_t i = 0; i < (int32_t)d->count; i++) {
        size_t n = 2 + hash_place(seed, 2, i, 0, 0) % (POINTS_MAX - 1);
        for (int32_t k = 0; k < 2 * (int32_t)n; k++) {
            uint64_t h = hash_place(seed, 3, i, k, 0);
            d->xy[i][k] = (double)(h % 12) * 8 + (double)((h >> 32) % 3) * 0.25 +
                          ((h >> 40) % 7 ? 0 : (double)hash_unit(h));
        }
        d->lines[i] = (struct network_line){d->xy[i], n};
    }
}

static void shuffle_and_turn(uint64_t seed, const struct drawing *from, struct drawing *to) {
    to->count = from->count;
    bool used[LINES_MAX] = {false};
    for (size_t i = 0; i < from->count; i++) {
        size_t at = hash_place(seed, 4, (int32_t)i, 0, 0) % from->count;
        while (used[at])
            at = (at + 1) % from->count;
        used[at] = true;
        size_t n = from->lines[i].count;
        bool turn = hash_place(seed, 5, (int32_t)i, 0, 0) & 1;
        for (size_t k = 0; k < n; k++) {
            size_t k_to = turn ? n - 1 - k : k;
            to->xy[at][2 * k_to] = from->xy[i][2 * k];
            to->xy[at][2 * k_to + 1] = from->xy[i][2 * k + 1];
        }
        to->lines[at] = (struct network_line){to->xy[at], n};
    }
}

/* An edge's points from its lesser node; loops from their lesser side. */
static size_t points_of(const struct network *n, const struct network_line *lines, size_t i, double *xy) {
    const struct network_edge *e = &n->edges[i];
    size_t count = terrain_network_points(n, e);
    double there[2 * POINTS_MAX + 4], back[2 * POINTS_MAX + 4];
    for (size_t k = 0; k < count; k++) {
        terrain_network_point(n, lines, e, k, there + 2 * k);
        terrain_network_point(n, lines, e, count - 1 - k, back + 2 * k);
    }
    bool turned = e->to_node < e->from_node;
    for (size_t k = 0; e->to_node == e->from_node && k < 2 * count; k++)
        if (there[k] != back[k]) {
            turned = back[k] < there[k];
            break;
        }
    memcpy(xy, turned ? back : there, 2 * count * sizeof *xy);
    return count;
}

static void neither_order_nor_direction_matters(void **state) {
    (void)state;
    static struct drawing a, b;
    size_t cuts = 0, cycles = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        draw(seed, &a);
        shuffle_and_turn(seed, &a, &b);
        double snap_m = seed % 4 ? 0.6 : seed % 8 ? 0 : 3;
        struct network n = build(a.lines, a.count, snap_m);
        struct network m = build_in(other_block, b.lines, b.count, snap_m);
        assert_int_equal(n.node_count, m.node_count);
        assert_int_equal(n.edge_count, m.edge_count);
        assert_int_equal(n.component_count, m.component_count);
        assert_int_equal(n.vanished, m.vanished);
        for (size_t i = 0; i < n.node_count; i++) {
            assert_true(n.nodes[i].x == m.nodes[i].x && n.nodes[i].y == m.nodes[i].y);
            assert_int_equal(n.nodes[i].degree, m.nodes[i].degree);
            assert_int_equal(n.nodes[i].component, m.nodes[i].component);
        }
        for (size_t i = 0; i < n.edge_count; i++) {
            double p[2 * POINTS_MAX + 4], q[2 * POINTS_MAX + 4];
            size_t count = points_of(&n, a.lines, i, p);
            assert_int_equal(points_of(&m, b.lines, i, q), count);
            assert_memory_equal(p, q, 2 * count * sizeof *p);
            cuts += n.edges[i].from.share > 0;
        }
        for (size_t i = 0; i < n.component_count; i++) {
            assert_memory_equal(&n.components[i], &m.components[i], sizeof n.components[i]);
            cycles += n.components[i].cycles;
        }
    }
    assert_true(cuts > 100 && cycles > 100);
}

static void networks_hold_together(void **state) {
    (void)state;
    static struct drawing d;
    for (uint64_t seed = 1000; seed < 1200; seed++) {
        draw(seed, &d);
        struct network n = build(d.lines, d.count, 0.6);
        uint32_t degrees = 0;
        for (size_t i = 0; i < n.node_count; i++) {
            degrees += n.nodes[i].degree;
            assert_true(i == 0 || n.nodes[i - 1].x < n.nodes[i].x ||
                        (n.nodes[i - 1].x == n.nodes[i].x && n.nodes[i - 1].y < n.nodes[i].y));
        }
        assert_int_equal(degrees, 2 * n.edge_count);
        for (size_t i = 0; i < n.edge_count; i++) {
            const struct network_edge *e = &n.edges[i];
            assert_int_equal(n.nodes[e->from_node].component, e->component);
            assert_int_equal(n.nodes[e->to_node].component, e->component);
            assert_true(e->from.point < e->to.point ||
                        (e->from.point == e->to.point && e->from.share < e->to.share));
        }
        /* every end is at a node, not far off */
        for (size_t i = 0; i < d.count; i++)
            for (int end = 0; end < 2; end++) {
                const double *p = d.lines[i].xy + (end ? 2 * (d.lines[i].count - 1) : 0);
                double least = 1e9;
                for (size_t k = 0; k < n.node_count; k++)
                    least = fmin(least, hypot(n.nodes[k].x - p[0], n.nodes[k].y - p[1]));
                assert_true(least < 4);
            }
    }
}

static bool less(const void *context, uint32_t a, uint32_t b) {
    const uint32_t *key = context;
    return key[a] != key[b] ? key[a] < key[b] : a < b;
}

static void sorting_sorts(void **state) {
    (void)state;
    for (int32_t n = 0; n < 200; n++) {
        uint32_t key[200], index[200], spare[200];
        for (int32_t i = 0; i < n; i++) {
            key[i] = (uint32_t)(hash_place(1, 1, i, n, 0) % 50);
            index[i] = (uint32_t)(n - 1 - i);
        }
        sort_indices(index, spare, (size_t)n, less, key);
        for (int32_t i = 1; i < n; i++)
            assert_true(less(key, index[i - 1], index[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_within_reach_are_one_node),
        cmocka_unit_test(an_end_cuts_the_line_that_it_reaches),
        cmocka_unit_test(an_end_near_a_lines_end_meets_that),
        cmocka_unit_test(ends_on_both_sides_cut_a_line_once),
        cmocka_unit_test(shared_points_meet_and_crossings_do_not),
        cmocka_unit_test(loops_are_cycles),
        cmocka_unit_test(short_pieces_vanish),
        cmocka_unit_test(rivers_are_ordered_downstream),
        cmocka_unit_test(too_little_scratch_is_said),
        cmocka_unit_test(neither_order_nor_direction_matters),
        cmocka_unit_test(networks_hold_together),
        cmocka_unit_test(sorting_sorts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
