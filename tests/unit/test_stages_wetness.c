/* Wetness, section by section, against a slow reference on the undivided world; and no dry rim where the
 * ground above lies beyond the world's edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/compose.h"
#include "gen/stages_wetness.h"
#include "gen/window.h"
#include "gen/world.h"
#include "terrain/flow_finish.h"
#include "terrain/hash.h"
#include "terrain/twi.h"

#include <stdlib.h>
#include <string.h>

const struct stage *const stage_table[] = {NULL};

enum { SCRATCH = 8 << 20, RADIUS = 5, EDGE = 24 };
static const struct rect world_cells = {-40, 230, 60, 300}; /* 2 x 2 sections, all partial */
static const struct layer_info twi_layer = {.name = "twi", .type = LAYER_U8, .edge = EDGE_CLAMP, .scale = 1};
static const struct layer_info flow_layer = {
    .name = "flow", .type = LAYER_U16, .edge = EDGE_CLAMP, .scale = 1};

/* ---- the layers below ---- */

static bool planar; /* a plane that falls from the north edge: the index grows with the way from there */

static uint8_t twi_code(int32_t x, int32_t y) {
    if (planar)
        return (uint8_t)(y >= world_cells.y1 - 12 ? 35 + 2 * (world_cells.y1 - 1 - y) : 59);
    return (uint8_t)(40 + (hash_place(1, 2, x / 3, y / 4, 0) & 63));
}

static uint16_t flow_code(int32_t x, int32_t y) {
    return !planar && hash_place(1, 3, x, y / 8, 0) % 11 == 0 ? FLOW_CODE_MAX * 6 / 10 : 0;
}

/* ---- slow ---- */

static int32_t clamp(int32_t v, int32_t low, int32_t high) {
    return v < low ? low : v > high ? high : v;
}

/* What stands at a cell before it is softened. */
static int32_t slow_raw(int32_t x, int32_t y) {
    struct rect w = world_cells;
    x = clamp(x, w.x0, w.x1 - 1);
    y = clamp(y, w.y0, w.y1 - 1);
    int32_t west = x - w.x0, east = w.x1 - 1 - x, south = y - w.y0, north = w.y1 - 1 - y;
    int32_t in_x = x, in_y = y, nearest = EDGE;
    if ((west < east ? west : east) < EDGE)
        in_x = west < east ? w.x0 + 2 * EDGE - 1 - west : w.x1 - 2 * EDGE + east;
    if ((south < north ? south : north) < EDGE)
        in_y = south < north ? w.y0 + 2 * EDGE - 1 - south : w.y1 - 2 * EDGE + north;
    const int32_t ways[4] = {west, east, south, north};
    for (int i = 0; i < 4; i++)
        nearest = ways[i] < nearest ? ways[i] : nearest;
    int32_t own = compose_wetness_code(twi_code(x, y), 0);
    int32_t inner =
        compose_wetness_code(twi_code(clamp(in_x, w.x0, w.x1 - 1), clamp(in_y, w.y0, w.y1 - 1)), 0);
    int32_t code = (own * nearest + inner * (EDGE - nearest) + EDGE / 2) / EDGE;
    float stream = compose_stream((float)flow_code(x, y) / FLOW_CODE_MAX);
    int32_t wet = compose_wetness_code(twi_code(x, y), stream);
    return stream > 0 && wet > code ? wet : code;
}

static uint8_t slow_wetness(int32_t x, int32_t y) {
    int64_t sum = 0, weights = 0;
    for (int32_t v = -2 * RADIUS; v <= 2 * RADIUS; v++)
        for (int32_t u = -2 * RADIUS; u <= 2 * RADIUS; u++) {
            int64_t weight = (int64_t)(2 * RADIUS + 1 - abs(u)) * (2 * RADIUS + 1 - abs(v));
            sum += weight * slow_raw(x + u, y + v);
            weights += weight;
        }
    int64_t soft = (2 * 256 * sum + weights) / (2 * weights);
    float twi = (float)soft / (256.0f * TWI_STEPS) + (float)TWI_MIN;
    return (uint8_t)(127 * (1.0f + compose_wetness(twi)) + 0.5f);
}

/* ---- the stage ---- */

static void make_window(const struct world *world, const struct layer_info *layer, struct rect cells,
                        int32_t reach, struct arena *scratch, struct tile **tiles, struct window *window) {
    struct rect reads = rect_grow(cells, reach), all = rect_blocks(world_cells, SECTION_CELLS);
    struct rect near = rect_intersect(rect_blocks(rect_intersect(reads, world_cells), SECTION_CELLS), all);
    size_t count = 0;
    for (int32_t sy = near.y0; sy < near.y1; sy++)
        for (int32_t sx = near.x0; sx < near.x1; sx++) {
            struct rect part = extent_block(&world->extent, sx, sy, SECTION_CELLS);
            struct tile *t = tile_new(layer, false, part);
            for (int32_t y = part.y0; y < part.y1; y++)
                for (int32_t x = part.x0; x < part.x1; x++) {
                    if (layer->type == LAYER_U8) {
                        struct grid_u8 g = tile_u8(t);
                        *grid_u8_at(&g, x, y) = twi_code(x, y);
                    } else {
                        struct grid_u16 g = tile_u16(t);
                        *grid_u16_at(&g, x, y) = flow_code(x, y);
                    }
                }
            tiles[count++] = t;
        }
    assert_true(window_make(layer, false, reads, &world->extent, near, (const struct tile *const *)tiles,
                            scratch, window));
}

/* One section's wetness; freed by the caller. */
static struct tile *run_section(const struct world *world, int32_t sx, int32_t sy) {
    struct stage_inputs inputs = {0};
    struct error err = {0};
    struct window windows[2];
    struct tile *tiles[2][4] = {{0}}, *output;
    struct arena scratch = {.base = malloc(SCRATCH), .size = SCRATCH};
    struct rect cells = extent_block(&world->extent, sx, sy, SECTION_CELLS);
    assert_int_equal(stage_wetness.inputs(world, "", &inputs, &err), STATUS_OK);
    assert_int_equal(inputs.count, 2);
    assert_string_equal(inputs.input[0].layer, "twi");
    assert_string_equal(inputs.input[1].layer, "flow");
    make_window(world, &twi_layer, cells, inputs.input[0].reach, &scratch, tiles[0], &windows[0]);
    make_window(world, &flow_layer, cells, inputs.input[1].reach, &scratch, tiles[1], &windows[1]);
    output = tile_new(&stage_wetness.outputs[0], false, cells);
    struct stage_run run = {.world = world,
                            .arg = "",
                            .section_x = sx,
                            .section_y = sy,
                            .cells = cells,
                            .inputs = windows,
                            .outputs = &output,
                            .scratch = &scratch};
    if (stage_wetness.run(&run, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < 8; i++)
        if (tiles[i / 4][i % 4])
            tile_unref(tiles[i / 4][i % 4]);
    free(scratch.base);
    return output;
}

static void sections_equal_a_slow_reference(void **state) {
    (void)state;
    struct world world = {.extent = {.cell_m = 1, .cells = world_cells}};
    struct rect all = rect_blocks(world_cells, SECTION_CELLS);
    size_t cells = 0;
    planar = false;
    for (int32_t sy = all.y0; sy < all.y1; sy++)
        for (int32_t sx = all.x0; sx < all.x1; sx++) {
            struct tile *tile = run_section(&world, sx, sy);
            struct grid_u8 out = tile_u8(tile);
            for (int32_t y = out.y0; y < out.y0 + out.height; y++)
                for (int32_t x = out.x0; x < out.x0 + out.width; x++, cells++)
                    if (*grid_u8_at(&out, x, y) != slow_wetness(x, y))
                        fail_msg("%d at %d,%d, not %d", *grid_u8_at(&out, x, y), (int)x, (int)y,
                                 slow_wetness(x, y));
            tile_unref(tile);
        }
    assert_int_equal(cells, 100 * 70);
}

static void the_upper_edge_of_a_slope_is_no_dry_rim(void **state) {
    (void)state;
    struct world world = {.extent = {.cell_m = 1, .cells = world_cells}};
    planar = true;
    struct tile *tile = run_section(&world, 0, 1);
    struct grid_u8 out = tile_u8(tile);
    int32_t inside = *grid_u8_at(&out, 20, 257), rim = *grid_u8_at(&out, 20, 299);
    assert_true(abs(compose_wetness_code(35, 0) - compose_wetness_code(59, 0)) > 20);
    assert_true(abs(inside - rim) < 8);
    tile_unref(tile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_equal_a_slow_reference),
        cmocka_unit_test(the_upper_edge_of_a_slope_is_no_dry_rim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
