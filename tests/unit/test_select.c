#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/select.h"
#include "terrain/hash.h"
#include "terrain/math.h"

#include <math.h>
#include <string.h>

/* Sectors -5..3 x -4..4, maps -1..0 x -1..0: partial on every side. */
static const struct extent four = {.cell_m = 1, .cells = {-300, -200, 212, 312}};
/* A wide one with cells of half a metre: maps 0..4 x 0..2. */
static const struct extent wide = {.cell_m = 0.5, .cells = {0, 0, 5000, 2100}};

static struct selection start(const struct extent *extent) {
    struct selection s;
    struct error err;
    assert_int_equal(select_init(extent, &s, &err), STATUS_OK);
    assert_int_equal(s.count, 0);
    return s;
}

static size_t counted(const struct selection *s) {
    size_t n = 0;
    for (int32_t y = s->sectors.y0; y < s->sectors.y1; y++)
        for (int32_t x = s->sectors.x0; x < s->sectors.x1; x++)
            n += select_has(s, x, y);
    return n;
}

static void assert_refused(enum status got, const struct error *err, const char *message) {
    assert_int_equal(got, STATUS_USAGE);
    assert_string_equal(err->message, message);
}

static void a_block_is_the_sectors_that_the_world_has_of_it(void **state) {
    (void)state;
    struct error err;
    for (int32_t my = -1; my <= 0; my++)
        for (int32_t mx = -1; mx <= 0; mx++) {
            struct selection s = start(&four);
            assert_int_equal(select_block(&s, "map", MAP_CELLS, mx, my, &err), STATUS_OK);
            for (int32_t y = -6; y < 6; y++)
                for (int32_t x = -6; x < 6; x++) {
                    bool has = x >= -5 && x <= 3 && y >= -4 && y <= 4;
                    bool in = floor_div(x, MAP_SECTORS) == mx && floor_div(y, MAP_SECTORS) == my;
                    assert_int_equal(select_has(&s, x, y), has && in);
                }
            assert_int_equal(counted(&s), s.count);
            assert_true(
                select_has_all(&s, (struct rect){mx * 1024, my * 1024, (mx + 1) * 1024, my * 1024 + 9}));
            assert_false(select_has_all(&s, four.cells));
            select_free(&s);
        }
    struct selection s = start(&four);
    assert_refused(select_block(&s, "map", MAP_CELLS, 1, 0, &err), &err,
                   "map 1,0 is outside the world, which has -1,-1 to 0,0");
    assert_refused(select_block(&s, "sector", SECTOR_CELLS, 4, 0, &err), &err,
                   "sector 4,0 is outside the world, which has -5,-4 to 3,4");
    assert_refused(select_block(&s, "section", SECTION_CELLS, INT32_MIN / 64, INT32_MAX / 64, &err), &err,
                   "section -33554432,33554431 is outside the world, which has -2,-1 to 0,1");
    assert_int_equal(s.count, 0);
    select_free(&s);
}

static void a_range_takes_both_ends_in_any_order(void **state) {
    (void)state;
    struct error err;
    const int32_t ends[][4] = {{-1, -2, 2, 0}, {2, 0, -1, -2}, {2, -2, -1, 0}, {-1, 0, 2, -2}};
    for (size_t i = 0; i < 4; i++) {
        struct selection s = start(&four);
        assert_int_equal(select_range(&s, ends[i][0], ends[i][1], ends[i][2], ends[i][3], &err), STATUS_OK);
        assert_int_equal(s.count, 12);
        assert_true(select_has(&s, -1, -2) && select_has(&s, 2, 0) && !select_has(&s, 3, 0));
        assert_false(s.cut);
        assert_int_equal(select_range(&s, ends[i][0], ends[i][1], ends[i][2], ends[i][3], &err), STATUS_OK);
        assert_int_equal(s.count, 12);
        select_free(&s);
    }
}

static void a_range_beyond_the_world_is_cut_and_says_so(void **state) {
    (void)state;
    struct error err;
    struct selection s = start(&four);
    assert_int_equal(select_range(&s, 3, 4, INT32_MAX, INT32_MAX, &err), STATUS_OK);
    assert_int_equal(s.count, 1);
    assert_true(s.cut);
    assert_int_equal(select_range(&s, INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX, &err), STATUS_OK);
    assert_int_equal(s.count, 81);
    assert_refused(select_range(&s, 4, 0, 9, 0, &err), &err,
                   "sector 4,0 is outside the world, which has -5,-4 to 3,4");
    select_free(&s);
}

static void a_place_is_in_one_sector_and_the_border_belongs_to_the_last(void **state) {
    (void)state;
    const struct {
        double x_m, y_m;
        int32_t x, y;
    } places[] = {{0, 0, 0, 0},         {-0.25, 0, -1, 0},  {63.99, 64, 0, 1},
                  {-300, -200, -5, -4}, {212, 312, 3, 4},   {212, -200, 3, -4},
                  {-300, 312, -5, 4},   {191.9, 192, 2, 3}, {-256, -192, -4, -3}};
    struct error err;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct selection s = start(&four);
        assert_int_equal(select_at(&s, places[i].x_m, places[i].y_m, &err), STATUS_OK);
        assert_int_equal(s.count, 1);
        assert_true(select_has(&s, places[i].x, places[i].y));
        select_free(&s);
    }
    struct selection s = start(&four);
    const char *message = "212.5,0 m is outside the world, which spans -300,-200 to 212,312 m";
    assert_refused(select_at(&s, 212.5, 0, &err), &err, message);
    assert_int_equal(select_at(&s, (double)NAN, 0, &err), STATUS_USAGE);
    assert_int_equal(select_at(&s, 0, -HUGE_VAL, &err), STATUS_USAGE);
    assert_int_equal(s.count, 0);
    select_free(&s);
}

/* A number in min..max from a hash of (k, i). */
static double pick(uint32_t k, int32_t i, double min, double max) {
    return min + (max - min) * (double)hash_unit(hash_place(99, 7, i, 0, k));
}

/* The world's part of a sector: cells, which are metres here. */
static struct rect part_of(const struct extent *e, int32_t x, int32_t y) {
    return extent_block(e, x, y, SECTOR_CELLS);
}

static void around_takes_what_the_circle_touches(void **state) {
    (void)state;
    struct error err;
    for (int32_t i = 0; i < 40; i++) {
        double x_m = pick(0, i, -400, 300), y_m = pick(1, i, -300, 400), r_m = pick(2, i, 0, 250);
        struct selection s = start(&four);
        enum status status = select_around(&s, x_m, y_m, r_m, &err);
        size_t inside = 0;
        for (int32_t y = s.sectors.y0; y < s.sectors.y1; y++)
            for (int32_t x = s.sectors.x0; x < s.sectors.x1; x++) {
                struct rect c = part_of(&four, x, y);
                double nearest = HUGE_VAL; /* distance to the sector's points, half a metre apart */
                for (double py = c.y0; py <= c.y1; py += 0.5)
                    for (double px = c.x0; px <= c.x1; px += 0.5)
                        nearest = fmin(nearest, (px - x_m) * (px - x_m) + (py - y_m) * (py - y_m));
                nearest = sqrt(nearest);
                if (nearest <= r_m)
                    assert_true(select_has(&s, x, y));
                if (nearest > r_m + 0.5)
                    assert_false(select_has(&s, x, y));
                inside += nearest <= r_m;
            }
        assert_int_equal(status, s.count ? STATUS_OK : STATUS_USAGE);
        assert_true(inside <= s.count);
        select_free(&s);
    }
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct view {
    double eye[3], d[3], right[3], up[3], tall, wide, far_m; /* tall, wide: half sizes at a distance of 1 */
};

static struct view make_view(int32_t i) {
    double heading = pick(3, i, 0, 2 * MATH_PI), tilt = pick(4, i, -1.5, 1.2);
    struct view v = {.eye = {pick(5, i, -400, 300), pick(6, i, -300, 400), pick(7, i, 0, 2000)},
                     .far_m = pick(8, i, 50, 500)};
    double c = math_cos(tilt);
    memcpy(v.d, (double[3]){c * math_sin(heading), c * math_cos(heading), math_sin(tilt)}, sizeof v.d);
    memcpy(v.right, (double[3]){math_cos(heading), -math_sin(heading), 0}, sizeof v.right);
    v.up[0] = v.right[1] * v.d[2] - v.right[2] * v.d[1];
    v.up[1] = v.right[2] * v.d[0] - v.right[0] * v.d[2];
    v.up[2] = v.right[0] * v.d[1] - v.right[1] * v.d[0];
    return v;
}

/* Narrows z to where n * (p - eye) <= most, for p = (x, y, z). */
static void cut(const double n[3], double most, const double flat[3], double *low, double *high) {
    double rest = most - (n[0] * flat[0] + n[1] * flat[1]); /* n[2] * z <= rest */
    if (n[2] > 1e-12)
        *high = fmin(*high, rest / n[2]);
    else if (n[2] < -1e-12)
        *low = fmax(*low, rest / n[2]);
    else if (rest < 0)
        *high = -HUGE_VAL;
}

/* Whether some height over (x, y) lies in the pyramid: five half-spaces, each linear in z. */
static bool seen(const struct view *v, double x_m, double y_m) {
    double flat[3] = {x_m - v->eye[0], y_m - v->eye[1], 0}, low = -1e9, high = 1e9;
    cut(v->d, v->far_m, flat, &low, &high);
    for (int side = -1; side <= 1; side += 2) {
        double across[3], over[3];
        for (int i = 0; i < 3; i++) {
            across[i] = side * v->right[i] - v->wide * v->d[i];
            over[i] = side * v->up[i] - v->tall * v->d[i];
        }
        cut(across, 0, flat, &low, &high);
        cut(over, 0, flat, &low, &high);
    }
    return low <= high;
}

static bool any_seen(const struct view *v, struct rect c, double grow, double step) {
    for (double y = c.y0 - grow; y <= c.y1 + grow; y += step)
        for (double x = c.x0 - grow; x <= c.x1 + grow; x += step)
            if (seen(v, x, y))
                return true;
    return false;
}

static void a_view_takes_what_its_pyramid_covers(void **state) {
    (void)state;
    struct error err;
    int some = 0;
    for (int32_t i = 0; i < 40; i++) {
        struct view v = make_view(i);
        double fov_deg = pick(9, i, 25, 100), aspect = pick(10, i, 0.7, 2.2);
        double half = fov_deg / 360 * MATH_PI;
        v.tall = math_sin(half) / math_cos(half);
        v.wide = v.tall * aspect;
        assert_true(fabs(dot(v.d, v.up)) < 1e-9 && fabs(dot(v.up, v.up) - 1) < 1e-9);
        double length = pick(11, i, 0.1, 50),
               direction[3] = {v.d[0] * length, v.d[1] * length, v.d[2] * length};
        struct selection s = start(&four);
        enum status status = select_frustum(&s, v.eye, direction, fov_deg, v.far_m, aspect, &err);
        assert_int_equal(status, s.count ? STATUS_OK : STATUS_USAGE);
        for (int32_t y = s.sectors.y0; y < s.sectors.y1; y++)
            for (int32_t x = s.sectors.x0; x < s.sectors.x1; x++) {
                struct rect c = part_of(&four, x, y);
                if (!select_has(&s, x, y))
                    assert_false(any_seen(&v, c, 0, 2));
                else
                    assert_true(any_seen(&v, c, 4, 1));
            }
        some += s.count > 0 && s.count < 81;
        select_free(&s);
    }
    assert_true(some > 15); /* most views show a part */
}

static void views_without_sense_are_refused(void **state) {
    (void)state;
    const double eye[3] = {0, 0, 100}, far_eye[3] = {0, -2e7, 100}, down[3] = {0, 0, -1}, none[3] = {0, 0, 0};
    const char *limits = "a view needs FOV 0.1..179 degrees, FAR up to 1e7 m and ASPECT 0.001..1000";
    struct error err;
    struct selection s = start(&four);
    assert_refused(select_frustum(&s, eye, none, 60, 100, 1, &err), &err,
                   "the view's direction has no length");
    assert_refused(select_frustum(&s, eye, down, 0, 100, 1, &err), &err, limits);
    assert_refused(select_frustum(&s, eye, down, 180, 100, 1, &err), &err, limits);
    assert_refused(select_frustum(&s, eye, down, 60, 1e8, 1, &err), &err, limits);
    assert_refused(select_frustum(&s, eye, down, 60, 100, 0, &err), &err, limits);
    assert_refused(select_frustum(&s, eye, down, 60, 100, (double)NAN, &err), &err, limits);
    assert_refused(select_frustum(&s, far_eye, down, 60, 100, 1, &err), &err,
                   "the view's eye is more than 1e7 m from the origin");
    assert_int_equal(s.count, 0);
    assert_int_equal(select_frustum(&s, eye, down, 60, 100, 1, &err), STATUS_OK); /* straight down is fine */
    assert_int_equal(s.count, 4);
    select_free(&s);
}

static void shards_share_the_chosen_maps_without_a_rest(void **state) {
    (void)state;
    struct error err;
    for (int32_t count = 1; count <= 17; count++)
        for (int32_t part = 0; part < 2; part++) { /* the whole world, and what a few places touch */
            struct selection all = start(&wide);
            select_all(&all);
            if (part) {
                select_free(&all);
                all = start(&wide);
                assert_int_equal(select_around(&all, 600, 500, 300, &err), STATUS_OK);
                assert_int_equal(select_at(&all, 2499, 1, &err), STATUS_OK);
            }
            struct rect maps = rect_blocks(wide.cells, MAP_CELLS);
            size_t total = 0, most = 0, least = SIZE_MAX;
            int32_t owner[3][5] = {0};
            for (int32_t i = 0; i < count; i++) {
                struct selection s = start(&wide);
                memcpy(s.chosen, all.chosen,
                       (size_t)((s.sectors.x1 - s.sectors.x0) * (s.sectors.y1 - s.sectors.y0)));
                s.count = all.count;
                select_shard(&s, i, count);
                assert_int_equal(s.count, counted(&s));
                total += s.count;
                size_t mine = 0;
                for (int32_t y = s.sectors.y0; y < s.sectors.y1; y++)
                    for (int32_t x = s.sectors.x0; x < s.sectors.x1; x++)
                        if (select_has(&s, x, y)) {
                            int32_t *o = &owner[floor_div(y, MAP_SECTORS)][floor_div(x, MAP_SECTORS)];
                            mine += *o == 0;
                            assert_true(*o == 0 || *o == i + 1); /* a map is one shard's */
                            *o = i + 1;
                            assert_true(select_has(&all, x, y));
                        }
                most = mine > most ? mine : most;
                least = mine < least ? mine : least;
                select_free(&s);
            }
            assert_int_equal(total, all.count); /* and with the above: each sector once */
            assert_true(most - least <= 1);
            assert_true(maps.x1 == 5 && maps.y1 == 3);
            select_free(&all);
        }
}

static void texts_are_numbers_and_nothing_else(void **state) {
    (void)state;
    double n[3];
    int32_t x, y;
    assert_true(select_parse_numbers("1.5,-2e3,.25", n, 3));
    assert_true(n[0] == 1.5 && n[1] == -2000 && n[2] == 0.25);
    const char *const bad[] = {"",        "1",       "1,2",       "1,2,3,4", "1,2,3,",
                               ",1,2",    "1,,2",    "1, 2,3",    " 1,2,3",  "1,2,3 ",
                               "1,2,nan", "1,inf,3", "1,2,1e999", "a,b,c",   "1;2;3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(select_parse_numbers(bad[i], n, 3));
    assert_true(select_parse_pair("-12,7", &x, &y));
    assert_true(x == -12 && y == 7);
    const char *const no_pair[] = {"",          "1",    "1,",   ",1",    "1,2,3", "1.0,2", "+1,2",
                                   " 1,2",      "1, 2", "1,2 ", "0x1,2", "--1,2", "1,-",   "99999999999,0",
                                   "33554432,0"};
    for (size_t i = 0; i < sizeof no_pair / sizeof *no_pair; i++)
        assert_false(select_parse_pair(no_pair[i], &x, &y));
}

static void lines_name_their_mistakes(void **state) {
    (void)state;
    struct error err;
    struct selection s = start(&four);
    const char *good = "# all of them\n\n0,0\n  1,1..2,2 # four\r\n\t3,-4";
    assert_int_equal(select_parse_lines(&s, "list", good, &err), STATUS_OK);
    assert_int_equal(s.count, 6);
    const struct {
        const char *text, *message;
        int32_t line, column;
    } bad[] = {{"0,0\n  1;1\n", "'1;1' is no sector: write X,Y or X,Y..X,Y", 2, 3},
               {"9,9", "sector 9,9 is outside the world, which has -5,-4 to 3,4", 1, 1},
               {"\n\n0,0 1,1", "'0,0 1,1' is no sector: write X,Y or X,Y..X,Y", 3, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(select_parse_lines(&s, "list", bad[i].text, &err), STATUS_INPUT);
        assert_string_equal(err.message, bad[i].message);
        assert_string_equal(err.file, "list");
        assert_int_equal(err.line, bad[i].line);
        assert_int_equal(err.column, bad[i].column);
    }
    select_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_the_sectors_that_the_world_has_of_it),
        cmocka_unit_test(a_range_takes_both_ends_in_any_order),
        cmocka_unit_test(a_range_beyond_the_world_is_cut_and_says_so),
        cmocka_unit_test(a_place_is_in_one_sector_and_the_border_belongs_to_the_last),
        cmocka_unit_test(around_takes_what_the_circle_touches),
        cmocka_unit_test(a_view_takes_what_its_pyramid_covers),
        cmocka_unit_test(views_without_sense_are_refused),
        cmocka_unit_test(shards_share_the_chosen_maps_without_a_rest),
        cmocka_unit_test(texts_are_numbers_and_nothing_else),
        cmocka_unit_test(lines_name_their_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
