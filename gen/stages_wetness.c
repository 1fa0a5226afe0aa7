#include "gen/stages_wetness.h"

#include "gen/compose.h"
#include "gen/world.h"
#include "terrain/flow_finish.h"
#include "terrain/soften.h"
#include "terrain/twi.h"

#include <math.h>

enum { WETNESS_ZERO = 127 };
static const double soften_m = 5.0; /* half the tent's reach */

static int32_t radius_of(const struct world *world) {
    double cells = floor(soften_m / world->extent.cell_m + 0.5);
    return cells < 1 ? 1 : cells > SOFTEN_RADIUS_MAX ? SOFTEN_RADIUS_MAX : (int32_t)cells;
}

static enum status wetness_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg, (void)err;
    int32_t reach = terrain_soften_reach(radius_of(world));
    stage_reads(inputs, "twi", reach);
    if (world_has_tool(world, TOOL_FRESHWATER)) /* drawn water in place of what flow supposes */
        stage_reads(inputs, "dampness", 0);
    else
        stage_reads(inputs, "flow", reach);
    return STATUS_OK;
}

/* How much of a stream a code of flow is. */
static void stream_shares(float share[FLOW_CODE_MAX + 1]) {
    for (int32_t k = 0; k <= FLOW_CODE_MAX; k++)
        share[k] = compose_stream((float)k / FLOW_CODE_MAX);
}

/* The index with hollows and lakes cut, and streams on top (flow NULL: none): what is softened. Beyond the
 * world's edge its cells go on. */
static bool raw_codes(const struct stage_run *run, const struct window *flow, int32_t reach,
                      struct grid_u8 *raw) {
    struct rect c = rect_grow(run->cells, reach), world = run->world->extent.cells;
    float share[FLOW_CODE_MAX + 1];
    *raw = (struct grid_u8){NULL, c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0, c.x1 - c.x0};
    raw->cells = arena_alloc(run->scratch, (size_t)raw->width * (size_t)raw->height, 1);
    stream_shares(share);
    for (int32_t y = c.y0; raw->cells && y < c.y1; y++)
        for (int32_t x = c.x0; x < c.x1; x++) {
            int32_t at_x = x < world.x0 ? world.x0 : x >= world.x1 ? world.x1 - 1 : x;
            int32_t at_y = y < world.y0 ? world.y0 : y >= world.y1 ? world.y1 - 1 : y;
            uint16_t code = flow ? *grid_u16_at(&flow->u16, at_x, at_y) : 0;
            *grid_u8_at(raw, x, y) = compose_wetness_code(*grid_u8_at(&run->inputs[0].u8, at_x, at_y),
                                                          share[code < FLOW_CODE_MAX ? code : FLOW_CODE_MAX]);
        }
    return raw->cells != NULL;
}

static enum status wetness_run(struct stage_run *run, struct error *err) {
    int32_t radius = radius_of(run->world);
    struct grid_u8 raw, out = tile_u8(run->outputs[0]);
    struct grid_u16 soft = {NULL, out.x0, out.y0, out.width, out.height, out.width};
    bool damp = world_has_tool(run->world, TOOL_FRESHWATER);
    soft.cells = arena_alloc(run->scratch, (size_t)out.width * (size_t)out.height, sizeof *soft.cells);
    if (!soft.cells || !raw_codes(run, damp ? NULL : &run->inputs[1], terrain_soften_reach(radius), &raw) ||
        !terrain_soften(radius, &raw, &soft, run->scratch))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (int32_t y = out.y0; y < out.y0 + out.height; y++)
        for (int32_t x = out.x0; x < out.x0 + out.width; x++) {
            float twi = (float)*grid_u16_at(&soft, x, y) / (float)(SOFTEN_STEPS * TWI_STEPS) + (float)TWI_MIN;
            float wet = compose_wetness(twi);
            if (damp) {
                float shore = (float)*grid_u8_at(&run->inputs[1].u8, x, y) / 255.0f;
                wet += shore * (1.0f - wet);
            }
            *grid_u8_at(&out, x, y) = (uint8_t)(WETNESS_ZERO * (1.0f + wet) + 0.5f);
        }
    return STATUS_OK;
}

const struct stage stage_wetness = {
    .name = "wetness",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "wetness",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0 / WETNESS_ZERO,
                 .offset = -1.0,
                 .unit = "",
                 .min = -1.0,
                 .max = 1.0,
                 .what = "-1 dry ridges .. 1 hollows, streams and shores, over some metres"}},
    .inputs = wetness_inputs,
    .run = wetness_run,
};
