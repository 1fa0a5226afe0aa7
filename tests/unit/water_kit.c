#include "tests/unit/water_kit.h"

#include "terrain/hash.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 192 << 20 };

static double unit(uint64_t seed, int32_t a, int32_t b) {
    return (double)hash_unit(hash_place(seed, 77, a, b, 0));
}

float water_kit_ground(uint64_t seed, double x, double y) {
    double z = 300 - 0.08 * x + (x > 300 ? 0 : 12);
    for (int k = 0; k < 3; k++) {
        double wave = 160.0 / (1 << k), u = x / wave, v = y / wave, fu = floor(u), fv = floor(v);
        double s = u - fu, t = v - fv;
        s = s * s * (3 - 2 * s);
        t = t * t * (3 - 2 * t);
        int32_t i = (int32_t)fu, j = (int32_t)fv;
        uint64_t h = seed + 1000 + (uint64_t)k;
        double south = unit(h, i, j) + s * (unit(h, i + 1, j) - unit(h, i, j));
        double north = unit(h, i, j + 1) + s * (unit(h, i + 1, j + 1) - unit(h, i, j + 1));
        z += 18.0 / (1 << k) * (south + t * (north - south));
    }
    return (float)z;
}

static void draw_line(struct water_kit *kit, size_t l, double x0, double y0, double x1, double y1) {
    double *xy = arena_alloc(&kit->arena, 2 * KIT_POINTS, sizeof *xy);
    double *v = arena_alloc(&kit->arena, 5 * KIT_POINTS, sizeof *v);
    uint64_t h = kit->seed + l;
    for (int i = 0; i < KIT_POINTS; i++) {
        double t = (double)i / (KIT_POINTS - 1), off = i == 0 || i == KIT_POINTS - 1 ? 0 : 40;
        xy[2 * i] = x0 + t * (x1 - x0) + off * (unit(h, i, 1) - 0.5);
        xy[2 * i + 1] = y0 + t * (y1 - y0) + off * (unit(h, i, 2) - 0.5);
        v[i] = 1 + 9 * unit(h, i, 3);
        v[KIT_POINTS + i] = v[2 * KIT_POINTS + i] = v[3 * KIT_POINTS + i] = 0;
        v[4 * KIT_POINTS + i] = (double)NAN;
    }
    kit->lines[l] = (struct water_line){.curve = {xy, KIT_POINTS, false, true},
                                        .width_m = v,
                                        .depth_m = v + KIT_POINTS,
                                        .speed = v + 2 * KIT_POINTS,
                                        .bank_m = v + 3 * KIT_POINTS,
                                        .level_m = v + 4 * KIT_POINTS,
                                        .kind = l == 0 ? WATER_RIVER : WATER_STREAM,
                                        .carve = l != 5,
                                        .fit = l % 3 == 1,
                                        .automatic = l % 4 == 2,
                                        .key = (uint32_t)hash_mix(h)};
}

static void draw(struct water_kit *kit) {
    draw_line(kit, 0, -20, 180 + 60 * unit(kit->seed, 1, 9), 530, 240 + 60 * unit(kit->seed, 2, 9));
    for (size_t l = 1; l < KIT_LINES; l++) {
        const double *on = kit->lines[l < 6 ? 0 : 1].curve.xy + 2 * (1 + l % 4);
        double miss = l % 2 ? 0 : 2.5;
        if (l < 7)
            draw_line(kit, l, on[0] - 90 + 180 * unit(kit->seed, (int32_t)l, 10), l % 2 ? 470 : 20,
                      on[0] + miss, on[1]);
        else
            draw_line(kit, l, 512 * unit(kit->seed, (int32_t)l, 11), 512 * unit(kit->seed, (int32_t)l, 12),
                      512 * unit(kit->seed, (int32_t)l, 13), 512 * unit(kit->seed, (int32_t)l, 14));
    }
    const double *near = kit->lines[1].curve.xy + 4;
    double *xy = arena_alloc(&kit->arena, 12, sizeof *xy);
    static const size_t ring_end[1] = {6};
    for (int i = 0; i < 6; i++) {
        static const double at[6][2] = {{1, 0},  {0.5, 0.87},   {-0.5, 0.87},
                                        {-1, 0}, {-0.5, -0.87}, {0.5, -0.87}};
        double r = 16 + 12 * unit(kit->seed, i, 15);
        xy[2 * i] = near[0] + r * at[i][0];
        xy[2 * i + 1] = near[1] + r * at[i][1];
    }
    kit->lakes[0] = (struct water_lake){
        .xy = xy, .ring_end = ring_end, .ring_count = 1, .level_m = (double)NAN, .carve = true, .key = 99};
    kit->line_count = KIT_LINES;
    kit->lake_count = 1;
}

static void take_heights(struct water_kit *kit) {
    const unsigned char **records = arena_alloc(&kit->arena, KIT_SECTIONS * KIT_SECTIONS, sizeof *records);
    struct grid_f32 ground = {kit->ground, 0, 0, KIT_CELLS, KIT_CELLS, KIT_CELLS};
    for (int s = 0; s < KIT_SECTIONS * KIT_SECTIONS; s++) {
        struct water_blocks blocks = {.count = 0};
        for (int i = 0; i < 10; i++) /* all of it */
            water_blocks_mark(&blocks, s % KIT_SECTIONS, s / KIT_SECTIONS, 1, (double[2]){0, 60.0 * i},
                              (double[2]){600, 60.0 * i}, 40);
        unsigned char *record = arena_alloc(&kit->arena, water_blocks_size(&blocks), 1);
        water_blocks_write(&blocks, s % KIT_SECTIONS, s / KIT_SECTIONS, &ground, record);
        records[s] = record;
    }
    kit->heights =
        (struct water_heights){records, 0, 0, KIT_SECTIONS, KIT_SECTIONS, 0, 0, KIT_CELLS, KIT_CELLS, 1};
}

struct water_kit *water_kit_new(uint64_t seed, bool turned) {
    struct water_kit *kit = calloc(1, sizeof *kit);
    assert(kit);
    kit->seed = seed;
    kit->cell_m = 1;
    kit->arena = (struct arena){malloc(ARENA_BYTES), ARENA_BYTES, 0};
    kit->ground = arena_alloc(&kit->arena, KIT_CELLS * KIT_CELLS, sizeof *kit->ground);
    for (int i = 0; i < KIT_CELLS * KIT_CELLS; i++)
        kit->ground[i] = water_kit_ground(seed, i % KIT_CELLS + 0.5, i / KIT_CELLS + 0.5);
    take_heights(kit);
    draw(kit);
    for (size_t l = 0; turned && l < kit->line_count / 2; l++) {
        struct water_line swap = kit->lines[l];
        kit->lines[l] = kit->lines[kit->line_count - 1 - l];
        kit->lines[kit->line_count - 1 - l] = swap;
    }
    struct water_params params = {1, 0, 0, KIT_CELLS, KIT_CELLS, 4, 2.5, 25};
    struct error err;
    enum status status = water_solve(&params, kit->lines, kit->line_count, kit->lakes, kit->lake_count,
                                     &kit->heights, &kit->arena, &kit->river, &err);
    assert(status == STATUS_OK);
    status = water_cut(&kit->river, 0, 0, KIT_SECTIONS, KIT_SECTIONS, kit->sets, &kit->arena, &err);
    assert(status == STATUS_OK);
    (void)status;
    return kit;
}

void water_kit_free(struct water_kit *kit) {
    free(kit->arena.base);
    free(kit);
}
