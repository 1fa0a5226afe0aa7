/* Solving networks of water: properties over random networks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/ramp_kit.h"
#include "tests/unit/water_kit.h"
#include "water/note.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 6 };

static void each(void (*check)(struct water_kit *)) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        check(kit);
        water_kit_free(kit);
    }
}

static const struct water_station *last_of(const struct water_river *r, const struct water_edge *e) {
    return &r->stations[e->first + e->count - 1];
}

/* The level never rises downstream: along lines, over joints, into lakes and out of them. */
static void check_levels(struct water_kit *kit) {
    const struct water_river *r = &kit->river;
    for (size_t e = 0; e < r->edge_count; e++) {
        const struct water_edge *edge = &r->edges[e];
        const struct water_station *s = &r->stations[edge->first];
        for (size_t i = 1; i < edge->count; i++)
            assert_true(s[i].level <= s[i - 1].level);
        for (size_t o = 0; o < r->edge_count; o++)
            if (r->edges[o].from == edge->to && edge->mouth < 0)
                assert_true(r->stations[r->edges[o].first].level <= last_of(r, edge)->level);
        if (edge->mouth >= 0)
            assert_true(fabs(last_of(r, edge)->level - r->stations[edge->mouth_station].level) < 0.01);
    }
}
static void levels_never_rise(void **state) {
    (void)state;
    each(check_levels);
}

static void check_lakes(struct water_kit *kit) {
    const struct water_river *r = &kit->river;
    for (size_t i = 0; i < r->edge_count; i++)
        for (size_t k = 0; k < r->edges[i].count; k++) {
            const struct water_station *s = &r->stations[r->edges[i].first + k];
            if (s->lake >= 0)
                assert_true(s->level == r->lakes[s->lake].level);
        }
    assert_true(r->lakes[0].level <= r->lakes[0].shore_m - 0.1 + 1e-9);
}
static void lakes_are_level(void **state) {
    (void)state;
    each(check_lakes);
}

/* Ends that were drawn on or near another line are joined to it. */
static void check_joints(struct water_kit *kit) {
    const struct water_river *r = &kit->river;
    for (size_t e = 0; e < r->edge_count; e++) {
        const struct water_edge *edge = &r->edges[e];
        const struct water_station *end = last_of(r, edge);
        if (edge->mouth < 0)
            continue;
        const struct water_station *m = &r->stations[edge->mouth_station];
        assert_true(fabs(end->x - m->x) < 1e-9 && fabs(end->y - m->y) < 1e-9);
    }
}
static void mouths_end_on_what_they_flow_into(void **state) {
    (void)state;
    each(check_joints);
}

static void check_falls(struct water_kit *kit) {
    const struct water_river *r = &kit->river;
    for (size_t e = 0; e < r->edge_count; e++) {
        const struct water_edge *edge = &r->edges[e];
        const struct water_station *s = &r->stations[edge->first];
        for (size_t i = 0; i + 1 < edge->count; i++)
            if ((s[i].flags & STATION_FALL) && !(s[i + 1].flags & STATION_FALL))
                assert_true((s[i + 1].flags & STATION_POOL) || s[i + 1].lake >= 0);
    }
}
static void every_fall_has_a_pool(void **state) {
    (void)state;
    each(check_falls);
    /* and there are falls */
    struct water_kit *kit = water_kit_new(1, false);
    size_t falls = 0;
    for (int s = 0; s < KIT_SECTIONS * KIT_SECTIONS; s++)
        falls += kit->sets[s].fall_count;
    water_kit_free(kit);
    assert_true(falls > 0);
}

/* Sections' records do not depend on the order of lines. */
static void order_of_lines_changes_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *a = water_kit_new(seed, false), *b = water_kit_new(seed, true);
        for (int s = 0; s < KIT_SECTIONS * KIT_SECTIONS; s++) {
            size_t size = water_set_size(&a->sets[s]);
            assert_int_equal(size, water_set_size(&b->sets[s]));
            unsigned char *one = calloc(1, size + 1), *two = calloc(1, size + 1);
            water_set_write(&a->sets[s], one);
            water_set_write(&b->sets[s], two);
            assert_memory_equal(one, two, size);
            free(one);
            free(two);
        }
        water_kit_free(a);
        water_kit_free(b);
    }
}

static void records_come_back(void **state) {
    (void)state;
    struct water_kit *kit = water_kit_new(2, false);
    const struct water_set *set = &kit->sets[0];
    size_t size = water_set_size(set);
    unsigned char *bytes = malloc(size);
    struct water_set view;
    water_set_write(set, bytes);
    assert_true(water_set_view(bytes, size, &view));
    assert_int_equal(view.piece_count, set->piece_count);
    assert_memory_equal(view.pieces, set->pieces, set->piece_count * sizeof *set->pieces);
    assert_int_equal(view.lip_count, set->lip_count);
    assert_false(water_set_view(bytes, size - 1, &view));
    assert_true(water_set_view(bytes, 0, &view) && view.piece_count == 0);
    free(bytes);
    water_kit_free(kit);
}

/* Near lines the solve sees the ground's own heights. */
static void heights_near_lines_are_the_grounds(void **state) {
    (void)state;
    struct water_kit *kit = water_kit_new(3, false);
    for (int32_t i = 0; i < 4000; i++) {
        int32_t x = (i * 37) % KIT_CELLS, y = (i * 91) % KIT_CELLS;
        double z = water_height_at(&kit->heights, x + 0.5, y + 0.5);
        assert_true(z == (double)kit->ground[y * KIT_CELLS + x]);
    }
    assert_true(water_height_at(&kit->heights, -50, 10.5) == (double)kit->ground[10 * KIT_CELLS]);
    water_kit_free(kit);
}

/* A given level over the shore stays, and is named with its height. */
static void a_lake_over_its_shore_is_named(void **state) {
    (void)state;
    struct water_kit *kit = water_kit_new(1, false);
    struct water_note notes[8];
    struct water_river river;
    struct water_params params = {1, 0, 0, KIT_CELLS, KIT_CELLS, 4, 2.5, 25};
    kit->lakes[0].level_m = floor(kit->lakes[0].shore_m) + 5;
    enum status status =
        water_solve(&params, kit->lines, 0, kit->lakes, 1, &kit->heights, &kit->arena, &river, NULL);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(water_notes(&river, notes), 1);
    assert_int_equal(notes[0].kind, NOTE_LAKE_HIGH);
    assert_true(fabs(notes[0].metres - (kit->lakes[0].level_m - kit->lakes[0].shore_m)) < 1e-9);
    assert_true(fabs(notes[0].cut - (kit->lakes[0].level_m - kit->lakes[0].shore_high_m)) < 1e-9);
    assert_true(notes[0].cut < notes[0].metres);
    water_kit_free(kit);
}

/* The notes but those of lakes on slopes, which these lie on: moved to the front. */
static size_t but_slopes(struct water_note *notes, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (notes[i].kind != NOTE_LAKE_CUT)
            notes[n++] = notes[i];
    return n;
}

/* A lake on a slope is named with the place and the height of its highest shore; one in level ground is not.
 */
static void a_lake_on_a_slope_is_named(void **state) {
    (void)state;
    for (int steep = 0; steep < 2; steep++) {
        struct ramp *r = ramp_new(steep ? 0.25 : 0.05, 0, 1);
        static const size_t ring_end[1] = {4};
        double xy[8] = {90, 100, 150, 100, 150, 150, 90, 150};
        r->lakes[0] = (struct water_lake){
            .xy = xy, .ring_end = ring_end, .ring_count = 1, .level_m = (double)NAN, .carve = true, .key = 5};
        r->lake_count = 1;
        ramp_solve(r);
        struct water_note notes[8];
        assert_int_equal(water_notes(&r->river, notes), steep);
        if (steep) {
            assert_int_equal(notes[0].kind, NOTE_LAKE_CUT);
            assert_true(fabs(notes[0].metres - 15.1) < 0.2 && notes[0].x == 150);
        }
        ramp_free(r);
    }
}

/* So is one far under it. */
static void a_lake_under_its_shore_is_named(void **state) {
    (void)state;
    struct water_kit *kit = water_kit_new(1, false);
    struct water_note notes[8];
    struct water_river river;
    struct water_params params = {1, 0, 0, KIT_CELLS, KIT_CELLS, 4, 2.5, 25};
    for (int i = 0; i < 2; i++) {
        struct arena arena = kit->arena;
        kit->lakes[0].level_m = kit->lakes[0].shore_m - (i ? 5.3 : 1.7);
        assert_int_equal(
            water_solve(&params, kit->lines, 0, kit->lakes, 1, &kit->heights, &arena, &river, NULL),
            STATUS_OK);
        assert_int_equal(but_slopes(notes, water_notes(&river, notes)), i);
    }
    assert_int_equal(notes[0].kind, NOTE_LAKE_DEEP);
    assert_true(fabs(notes[0].metres - 5.3) < 0.002);
    water_kit_free(kit);
}

/* A lake that digs no bed and lies under all of its ground makes no water. */
static void a_lake_under_its_ground_is_dry(void **state) {
    (void)state;
    struct water_kit *kit = water_kit_new(1, false);
    struct water_note notes[8];
    struct water_river river;
    struct water_params params = {1, 0, 0, KIT_CELLS, KIT_CELLS, 4, 2.5, 25};
    double shore = kit->lakes[0].shore_m;
    for (int i = 0; i < 3; i++) {
        struct arena arena = kit->arena;
        kit->lakes[0].carve = i == 2;
        kit->lakes[0].level_m = shore + (i == 1 ? 0.49 : -60);
        assert_int_equal(
            water_solve(&params, kit->lines, 0, kit->lakes, 1, &kit->heights, &arena, &river, NULL),
            STATUS_OK);
        size_t count = but_slopes(notes, water_notes(&river, notes));
        assert_int_equal(count, i != 1);
        assert_int_equal(i == 1 ? NOTE_LAKE_DRY : notes[0].kind, i == 2 ? NOTE_LAKE_DEEP : NOTE_LAKE_DRY);
    }
    water_kit_free(kit);
}

/* A lake that reaches over the world's edge has its shore within the world; one that covers it, none. */
static void shores_beyond_the_edge_do_not_count(void **state) {
    (void)state;
    struct water_kit *kit = water_kit_new(1, false);
    struct water_params params = {1, 0, 0, KIT_CELLS, KIT_CELLS, 4, 2.5, 25};
    const double xy[] = {-30, 90, 40, 90, 40, 150, -30, 150}, m = 40;
    const double all[] = {-m, -m, KIT_CELLS + m, -m, KIT_CELLS + m, KIT_CELLS + m, -m, KIT_CELLS + m};
    const size_t end = 4;
    struct water_lake lake = {.xy = xy, .ring_end = &end, .ring_count = 1, .level_m = (double)NAN};
    struct water_river river = {.params = params, .lakes = &lake, .lake_count = 1, .heights = &kit->heights};
    for (int32_t y = 0; y < KIT_CELLS; y++) /* the bottom lies open at the edge */
        kit->ground[y * KIT_CELLS] -= 20;
    water_measure_lakes(&river);
    double low = (double)INFINITY;
    for (int32_t k = 0; k <= 4000; k++) {
        double t = k / 4000.0;
        low = fmin(low, water_height_at(&kit->heights, 40 * t, 90));
        low = fmin(low, water_height_at(&kit->heights, 40 * t, 150));
        low = fmin(low, water_height_at(&kit->heights, 40, 90 + 60 * t));
    }
    assert_true(lake.shore_m >= low && lake.shore_m < low + 0.5);
    assert_true(lake.shore_high_m > lake.shore_m);
    assert_true(lake.depth == 0.05 * sqrt(70 * 60));
    lake.whole_m2 = 10000;
    water_measure_lakes(&river);
    assert_true(lake.depth == 5);
    lake.xy = all;
    water_measure_lakes(&river);
    assert_true(lake.shore_m < 1e8);
    water_kit_free(kit);
}

static size_t stations_beyond;

static bool beyond(const struct water_station *s) {
    return s->x < 0 || s->y < 0 || s->x > KIT_CELLS || s->y > KIT_CELLS;
}

/* Beyond the world's edge a line has the banks that it has at its nearest place within. */
static void check_beyond(struct water_kit *kit) {
    const struct water_river *r = &kit->river;
    for (size_t e = 0; e < r->edge_count; e++)
        for (size_t i = 0; i < r->edges[e].count; i++) {
            const struct water_station *s = &r->stations[r->edges[e].first + i], *near = NULL;
            for (size_t o = 0; beyond(s) && o < r->edge_count; o++)
                for (size_t k = 0; r->edges[o].line == r->edges[e].line && k < r->edges[o].count; k++) {
                    const struct water_station *t = &r->stations[r->edges[o].first + k];
                    if (!beyond(t) && (!near || fabs(t->s_m - s->s_m) < fabs(near->s_m - s->s_m)))
                        near = t;
                }
            assert_true(!near || (s->raw_cap == near->raw_cap && s->lowest == near->lowest));
            stations_beyond += near != NULL;
        }
}
static void lines_go_on_beyond_the_edge(void **state) {
    (void)state;
    stations_beyond = 0;
    each(check_beyond);
    assert_true(stations_beyond > 50);
}

/* Lines in a circle: the solve ends, and the water is level there. */
static void circles_are_level(void **state) {
    (void)state;
    struct water_kit *kit = water_kit_new(4, false);
    static double a[6] = {100, 100, 180, 120, 180, 180}, b[6] = {180, 180, 110, 190, 100, 100};
    kit->lines[0].curve = (struct curve){a, 3, false, true};
    kit->lines[1].curve = (struct curve){b, 3, false, true};
    kit->lines[0].automatic = kit->lines[1].automatic = false;
    struct water_river river;
    struct water_params params = {1, 0, 0, KIT_CELLS, KIT_CELLS, 4, 2.5, 25};
    enum status status =
        water_solve(&params, kit->lines, 2, NULL, 0, &kit->heights, &kit->arena, &river, NULL);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(river.edge_count, 2);
    double level = river.stations[river.edges[0].first].level;
    for (size_t e = 0; e < 2; e++)
        for (size_t i = 0; i < river.edges[e].count; i++)
            assert_true(fabs(river.stations[river.edges[e].first + i].level - level) < 0.01);
    water_kit_free(kit);
}

/* A line up a plane is cut level, and named as running uphill; turned by `automatic` it follows the plane. */
static void lines_uphill_are_cut_and_named(void **state) {
    (void)state;
    for (int automatic = 0; automatic < 2; automatic++) {
        struct water_kit *kit = water_kit_new(1, false);
        for (int i = 0; i < KIT_CELLS * KIT_CELLS; i++)
            kit->ground[i] = 100 - 0.05f * (float)(i % KIT_CELLS);
        unsigned char *record = malloc(1 << 20);
        const unsigned char *records[1] = {record};
        struct water_blocks blocks = {.count = 0};
        struct grid_f32 ground = {kit->ground, 0, 0, KIT_CELLS, KIT_CELLS, KIT_CELLS};
        water_blocks_mark(&blocks, 0, 0, 1, (double[2]){0, 128}, (double[2]){256, 128}, 60);
        water_blocks_write(&blocks, 0, 0, &ground, record);
        struct water_heights heights = {records, 0, 0, 1, 1, 0, 0, 256, 256, 1};
        struct water_params params = {1, 0, 0, 256, 256, 4, 2.5, 25};
        double xy[4] = {200, 128, 50, 128}, width[2] = {3, 3}, zero[2] = {0, 0},
               none[2] = {(double)NAN, (double)NAN};
        struct water_line line = {.curve = {xy, 2, false, true},
                                  .width_m = width,
                                  .depth_m = zero,
                                  .speed = zero,
                                  .bank_m = zero,
                                  .level_m = none,
                                  .kind = WATER_STREAM,
                                  .carve = true,
                                  .automatic = automatic};
        struct water_river river;
        struct water_note notes[8];
        assert_int_equal(water_solve(&params, &line, 1, NULL, 0, &heights, &kit->arena, &river, NULL),
                         STATUS_OK);
        size_t count = water_notes(&river, notes);
        const struct water_edge *e = &river.edges[0];
        const struct water_station *s = &river.stations[e->first];
        if (automatic) {
            /* it ends within the world, which no check without heights can know */
            assert_true(count == 1 && notes[0].kind == NOTE_END && fabs(notes[0].x - 200) < 1e-9);
            assert_true(fabs(s[0].x - 50) < 1e-9 && fabs(s[0].level - s[e->count - 1].level - 7.5) < 0.6);
        } else {
            assert_true(count >= 1 && notes[0].kind == NOTE_UPHILL && fabs(notes[0].metres - 7.5) < 0.01);
            assert_true(notes[0].cut > 6 && notes[0].cut < 7.5);
            assert_true(s[0].level - s[e->count - 1].level < 0.1);
        }
        free(record);
        water_kit_free(kit);
    }
}

/* Water that lies deeper under its banks than max_cut_m runs under the ground: no section gets a piece of it,
 * and all of the rest. */
static void no_gorge_is_deeper_than_max_cut(void **state) {
    (void)state;
    size_t buried = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        struct water_river river;
        struct water_params params = {1, 0, 0, KIT_CELLS, KIT_CELLS, 4, 2.5, 4};
        assert_int_equal(water_solve(&params, kit->lines, kit->line_count, kit->lakes, kit->lake_count,
                                     &kit->heights, &kit->arena, &river, NULL),
                         STATUS_OK);
        for (size_t e = 0; e < river.edge_count; e++)
            for (size_t i = 0; i < river.edges[e].count; i++) {
                const struct water_station *s = &river.stations[river.edges[e].first + i];
                bool deep = s->lake < 0 && s->raw_cap - s->level > 4;
                assert_int_equal(deep, (s->flags & STATION_BURIED) != 0);
                buried += deep;
            }
        struct water_set sets[KIT_SECTIONS * KIT_SECTIONS];
        assert_int_equal(water_cut(&river, 0, 0, KIT_SECTIONS, KIT_SECTIONS, sets, &kit->arena, NULL),
                         STATUS_OK);
        for (int s = 0; s < KIT_SECTIONS * KIT_SECTIONS; s++)
            for (uint32_t p = 0; p < sets[s].piece_count; p++)
                for (size_t e = 0; e < river.edge_count; e++)
                    for (size_t i = 1; i + 1 < river.edges[e].count; i++) {
                        const struct water_station *at = &river.stations[river.edges[e].first + i];
                        const struct water_piece *piece = &sets[s].pieces[p];
                        bool here = at->x == piece->x0 && at->y == piece->y0 && at->level == piece->level0;
                        assert_false(here && (at->flags & STATION_BURIED));
                    }
        water_kit_free(kit);
    }
    assert_true(buried > 0);
}

/* Every line's water reaches a lake, another line or the world's edge, or a note names it and where. */
static void water_goes_somewhere_or_is_named(void **state) {
    (void)state;
    size_t named = 0, reached = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        const struct water_river *r = &kit->river;
        struct water_note *notes = arena_alloc(&kit->arena, water_notes_most(r) + 1, sizeof *notes);
        size_t count = water_notes(r, notes);
        for (size_t e = 0; e < r->edge_count; e++) {
            const struct water_station *s = last_of(r, &r->edges[e]);
            double edge = 12.5;
            bool border = s->x < edge || s->y < edge || s->x > KIT_CELLS - edge || s->y > KIT_CELLS - edge;
            bool on = false, said = false;
            for (size_t o = 0; o < r->edge_count; o++)
                for (size_t i = 0; o != e && i < r->edges[o].count; i++) {
                    const struct water_station *p = &r->stations[r->edges[o].first + i];
                    on |= (p->x - s->x) * (p->x - s->x) + (p->y - s->y) * (p->y - s->y) < 1;
                }
            for (size_t n = 0; n < count; n++)
                said |= notes[n].kind == NOTE_END && notes[n].item == r->edges[e].line;
            assert_true(border || on || s->lake >= 0 || said);
            named += said && !on && !border;
            reached += on;
        }
        water_kit_free(kit);
    }
    assert_true(named > 0 && reached > 10);
}

/* Water rests in the pools under falls: their level is flat. */
static void pools_are_calm(void **state) {
    (void)state;
    size_t pools = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        const struct water_river *r = &kit->river;
        for (size_t e = 0; e < r->edge_count; e++)
            for (size_t i = 1; i + 6 < r->edges[e].count; i++) {
                const struct water_station *s = &r->stations[r->edges[e].first + i];
                bool flat = s[-1].level == s[6].level && !(s[-1].flags & STATION_FALL);
                if ((s->flags & STATION_POOL) && flat) {
                    assert_true(s->speed <= 1.5);
                    pools++;
                }
            }
        water_kit_free(kit);
    }
    assert_true(pools > 0);
}

/* A steep stretch is rapids, a flat one is not; falls, pools and lakes are none. */
static void rapids_are_steep(void **state) {
    (void)state;
    size_t rapids = 0, calm = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        const struct water_river *r = &kit->river;
        for (size_t e = 0; e < r->edge_count; e++)
            for (size_t i = 8; i + 8 < r->edges[e].count; i++) {
                const struct water_station *s = &r->stations[r->edges[e].first + i];
                double run = fabs(s[8].s_m - s[-8].s_m), slope = (s[-8].level - s[8].level) / run;
                if (s->flags & STATION_RAPIDS) {
                    assert_true(s->lake < 0 && !(s->flags & (STATION_FALL | STATION_POOL)));
                    rapids++;
                }
                calm += !(s->flags & STATION_RAPIDS);
                if (slope <= 0 && s[-8].level == s[8].level)
                    assert_false(s->flags & STATION_RAPIDS);
            }
        water_kit_free(kit);
    }
    assert_true(rapids > 50 && calm > 50);
}

/* A stream begins a quarter as wide as it is drawn, where nothing flows in and the world does not end. */
static void sources_are_narrow(void **state) {
    (void)state;
    size_t seen = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct water_kit *kit = water_kit_new(seed, false);
        const struct water_river *r = &kit->river;
        for (size_t e = 0; e < r->edge_count; e++) {
            const struct water_station *s = &r->stations[r->edges[e].first];
            bool inside = s->x > 14 && s->y > 14 && s->x < KIT_CELLS - 14 && s->y < KIT_CELLS - 14;
            if (r->network.nodes[r->edges[e].from].degree > 1 || !inside || s->lake >= 0)
                continue;
            assert_true(s->left + s->right < 0.4 * 10);
            seen++;
        }
        water_kit_free(kit);
    }
    assert_true(seen > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_never_rise),
        cmocka_unit_test(lakes_are_level),
        cmocka_unit_test(mouths_end_on_what_they_flow_into),
        cmocka_unit_test(every_fall_has_a_pool),
        cmocka_unit_test(order_of_lines_changes_nothing),
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(heights_near_lines_are_the_grounds),
        cmocka_unit_test(lines_uphill_are_cut_and_named),
        cmocka_unit_test(a_lake_over_its_shore_is_named),
        cmocka_unit_test(a_lake_on_a_slope_is_named),
        cmocka_unit_test(a_lake_under_its_shore_is_named),
        cmocka_unit_test(a_lake_under_its_ground_is_dry),
        cmocka_unit_test(shores_beyond_the_edge_do_not_count),
        cmocka_unit_test(lines_go_on_beyond_the_edge),
        cmocka_unit_test(circles_are_level),
        cmocka_unit_test(no_gorge_is_deeper_than_max_cut),
        cmocka_unit_test(water_goes_somewhere_or_is_named),
        cmocka_unit_test(pools_are_calm),
        cmocka_unit_test(rapids_are_steep),
        cmocka_unit_test(sources_are_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
