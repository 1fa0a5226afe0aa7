#include "gen/stages_wetness.h"

#include "gen/compose.h"
#include "gen/world.h"
#include "terrain/flow_finish.h"
#include "terrain/soften.h"
#include "terrain/twi.h"

#include <math.h>

enum { WETNESS_ZERO = 127 };
static const double soften_m = 5.0; /* half the tent's reach */
static const double edge_m = 24.0;  /* from the world's edge: what flows in from beyond it is not known */
enum { EDGE_CELLS_MAX = 48 };

static int32_t radius_of(const struct world *world) {
    double cells = floor(soften_m / world->extent.cell_m + 0.5);
    return cells < 1 ? 1 : cells > SOFTEN_RADIUS_MAX ? SOFTEN_RADIUS_MAX : (int32_t)cells;
}

static int32_t edge_of(const struct world *world) {
    double cells = floor(edge_m / world->extent.cell_m + 0.5);
    return cells < 1 ? 1 : cells > EDGE_CELLS_MAX ? EDGE_CELLS_MAX : (int32_t)cells;
}

static enum status wetness_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg, (void)err;
    int32_t reach = terrain_soften_reach(radius_of(world));
    stage_reads(inputs, "twi", reach + 2 * edge_of(world));
    if (world_has_tool(world, TOOL_FRESHWATER)) /* drawn water in place of what flow supposes */
        stage_reads(inputs, "dampness", 0);
    else
        stage_reads(inputs, "flow", reach);
    return STATUS_OK;
}

/* What goes by codes, worked out once. */
struct codes {
    float stream[FLOW_CODE_MAX + 1]; /* how much of a stream a code of flow is */
    uint8_t dry[256];                /* compose_wetness_code without one */
};

static struct codes code_tables(void) {
    struct codes c;
    for (int32_t k = 0; k <= FLOW_CODE_MAX; k++)
        c.stream[k] = compose_stream((float)k / FLOW_CODE_MAX);
    for (int32_t k = 0; k < 256; k++)
        c.dry[k] = compose_wetness_code((uint8_t)k, 0);
    return c;
}

static int32_t cut(int32_t v, int32_t least, int32_t most) {
    return v < least ? least : v > most ? most : v;
}

/* A coordinate's mirror image within [low, high), about the line `edge` cells from the nearer end, for those
 * nearer to it; *near: how near to the end, `edge` at it, 0 at the line and beyond. */
static int32_t mirrored(int32_t v, int32_t low, int32_t high, int32_t edge, int32_t *near) {
    int32_t below = v - low, above = high - 1 - v, d = below < above ? below : above;
    *near = d < edge ? edge - d : 0;
    if (*near == 0)
        return v;
    return cut(below < above ? low + 2 * edge - 1 - d : high - 2 * edge + d, low, high - 1);
}

/* The index at a cell. At the upper edge of a hillside it is that of a ridge, for want of the ground above:
 * the nearer to the world's edge, the more it is what lies as far on the other side of a line inside. */
static uint8_t index_code(const struct stage_run *run, const struct codes *codes, int32_t edge, int32_t x,
                          int32_t y) {
    struct rect w = run->world->extent.cells;
    const struct grid_u8 *twi = &run->inputs[0].u8;
    int32_t near_x, near_y, own = codes->dry[*grid_u8_at(twi, x, y)];
    int32_t in_x = mirrored(x, w.x0, w.x1, edge, &near_x), in_y = mirrored(y, w.y0, w.y1, edge, &near_y);
    int32_t near = near_x > near_y ? near_x : near_y;
    if (near == 0)
        return (uint8_t)own;
    int32_t inner = codes->dry[*grid_u8_at(twi, in_x, in_y)];
    return (uint8_t)((own * (edge - near) + inner * near + edge / 2) / edge);
}

/* The index with hollows and lakes cut, and streams on top (flow NULL: none): what is softened. Beyond the
 * world's edge its cells go on. */
static bool raw_codes(const struct stage_run *run, const struct window *flow, int32_t reach,
                      struct grid_u8 *raw) {
    struct rect c = rect_grow(run->cells, reach), world = run->world->extent.cells;
    struct codes codes = code_tables();
    int32_t edge = edge_of(run->world);
    *raw = (struct grid_u8){NULL, c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0, c.x1 - c.x0};
    raw->cells = arena_alloc(run->scratch, (size_t)raw->width * (size_t)raw->height, 1);
    for (int32_t y = c.y0; raw->cells && y < c.y1; y++)
        for (int32_t x = c.x0; x < c.x1; x++) {
            int32_t at_x = cut(x, world.x0, world.x1 - 1), at_y = cut(y, world.y0, world.y1 - 1);
            uint16_t flowing = flow ? *grid_u16_at(&flow->u16, at_x, at_y) : 0;
            float stream = codes.stream[flowing < FLOW_CODE_MAX ? flowing : FLOW_CODE_MAX];
            uint8_t *out = grid_u8_at(raw, x, y), wet = 0;
            *out = index_code(run, &codes, edge, at_x, at_y);
            if (stream > 0)
                wet = compose_wetness_code(*grid_u8_at(&run->inputs[0].u8, at_x, at_y), stream);
            *out = wet > *out ? wet : *out;
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
    .version = 2,
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
