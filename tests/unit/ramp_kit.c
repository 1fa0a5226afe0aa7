#include "tests/unit/ramp_kit.h"

#include "terrain/hash.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA = 96 << 20 };

double ramp_unit(uint64_t seed, int32_t k) {
    return (double)hash_unit(hash_place(seed, 31, k, 0, 0));
}

struct ramp *ramp_on(const float *ground) {
    struct ramp *r = calloc(1, sizeof *r);
    r->arena = (struct arena){malloc(ARENA), ARENA, 0};
    r->ground = malloc(RAMP_SIDE * RAMP_SIDE * sizeof *r->ground);
    memcpy(r->ground, ground, RAMP_SIDE * RAMP_SIDE * sizeof *r->ground);
    r->record = malloc(1 << 20);
    struct water_blocks blocks = {.count = 0};
    for (int k = 0; k <= 8; k++)
        water_blocks_mark(&blocks, 0, 0, 1, (double[2]){0, 32.0 * k}, (double[2]){RAMP_SIDE, 32.0 * k}, 30);
    struct grid_f32 grid = {r->ground, 0, 0, RAMP_SIDE, RAMP_SIDE, RAMP_SIDE};
    water_blocks_write(&blocks, 0, 0, &grid, r->record);
    r->records[0] = r->record;
    r->heights = (struct water_heights){r->records, 0, 0, 1, 1, 0, 0, RAMP_SIDE, RAMP_SIDE, 1};
    for (int i = 0; i < RAMP_POINTS; i++)
        r->none[i] = (double)NAN;
    return r;
}

struct ramp *ramp_new(double slope, double rough, uint64_t seed) {
    static float ground[RAMP_SIDE * RAMP_SIDE];
    for (int i = 0; i < RAMP_SIDE * RAMP_SIDE; i++) {
        double x = i % RAMP_SIDE + 0.5, y = i / RAMP_SIDE + 0.5;
        double wave = sin(x * 0.09 + (double)seed) * cos(y * 0.07 + 2 * (double)seed);
        ground[i] = (float)(100 + slope * x + rough * wave);
    }
    return ramp_on(ground);
}

void ramp_free(struct ramp *r) {
    free(r->arena.base);
    free(r->ground);
    free(r->record);
    free(r);
}

struct water_line *ramp_line(struct ramp *r, size_t points, double width) {
    size_t l = r->line_count++;
    for (size_t i = 0; i < points; i++)
        r->width[l][i] = width;
    r->lines[l] = (struct water_line){.curve = {r->xy[l], points, false, true},
                                      .width_m = r->width[l],
                                      .depth_m = r->zero,
                                      .speed = r->zero,
                                      .bank_m = r->zero,
                                      .level_m = r->none,
                                      .kind = WATER_RIVER,
                                      .carve = true,
                                      .key = (uint32_t)(l + 7)};
    return &r->lines[l];
}

void ramp_river(struct ramp *r, uint64_t seed, double width, double swing, size_t parts) {
    double xy[2 * RAMP_POINTS];
    for (int i = 0; i < RAMP_POINTS; i++) {
        xy[2 * i] = RAMP_SIDE + 12 - (RAMP_SIDE + 24.0) * i / (RAMP_POINTS - 1) +
                    (i % (RAMP_POINTS - 1) ? 14 * (ramp_unit(seed, i) - 0.5) : 0);
        xy[2 * i + 1] = RAMP_SIDE / 2 + swing * 2 * (ramp_unit(seed, 50 + i) - 0.5);
    }
    for (size_t p = 0; p < parts; p++) {
        size_t from = p * (RAMP_POINTS / 2), count = parts == 1 ? RAMP_POINTS : RAMP_POINTS / 2 + 1;
        struct water_line *line = ramp_line(r, count, width);
        memcpy(r->xy[line - r->lines], xy + 2 * from, 2 * count * sizeof *xy);
    }
}

void ramp_solve(struct ramp *r) {
    struct water_params params = {1, 0, 0, RAMP_SIDE, RAMP_SIDE, 4, 2.5, 25};
    assert_int_equal(water_solve(&params, r->lines, r->line_count, r->lakes, r->lake_count, &r->heights,
                                 &r->arena, &r->river, NULL),
                     STATUS_OK);
    assert_int_equal(water_cut(&r->river, 0, 0, 1, 1, &r->set, &r->arena, NULL), STATUS_OK);
}

double ramp_steepest(const struct ramp *r) {
    double most = 0;
    for (size_t e = 0; e < r->river.edge_count; e++) {
        const struct water_station *s = r->river.stations + r->river.edges[e].first;
        for (size_t i = 1; i < r->river.edges[e].count; i++) {
            double ds = fabs(s[i].s_m - s[i - 1].s_m);
            if (ds > 0.1)
                most = fmax(most, (s[i - 1].level - s[i].level) / ds);
        }
    }
    return most;
}
