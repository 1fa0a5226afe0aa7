#include "gen/stages_flow.h"

#include "gen/world.h"
#include "terrain/flow_fill.h"
#include "terrain/flow_fill_world.h"
#include "terrain/flow_finish.h"
#include "terrain/flow_layout.h"
#include "terrain/flow_local.h"
#include "terrain/flow_world.h"
#include "terrain/twi.h"

static struct flow_layout layout_of(const struct stage_run *run) {
    struct rect cells = run->world->extent.cells;
    return (struct flow_layout){cells.x0, cells.y0, cells.x1, cells.y1, SECTION_CELLS};
}

static struct flow_section section_of(const struct stage_run *run) {
    struct rect c = run->cells;
    return (struct flow_section){c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0};
}

static struct flow_record record_of(const struct tile *tile) {
    return (struct flow_record){tile->bytes + tile->part_at[0], tile->part_at[1] - tile->part_at[0]};
}

/* The record of the section that runs, from a window of blobs. */
static struct flow_record record_here(const struct stage_run *run, const struct window *window) {
    struct rect s = window->sections;
    int32_t i = (run->section_y - s.y0) * (s.x1 - s.x0) + run->section_x - s.x0;
    return record_of(window->tiles[i]);
}

static enum status set_record(struct tile *tile, struct flow_record record, struct error *err) {
    const void *parts[16] = {record.bytes};
    size_t sizes[16] = {record.size};
    return tile_set_parts(tile, parts, sizes) ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

/* The section's heights in units, in the arena. */
static enum status quantised(const struct stage_run *run, const struct window *window, struct grid_i32 *out,
                             struct error *err) {
    struct flow_section at = section_of(run);
    int32_t *cells = arena_alloc(run->scratch, (size_t)at.width * (size_t)at.height, sizeof *cells);
    if (!cells)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    struct grid_f32 in = window->f32;
    in.cells = grid_f32_at(&window->f32, at.x0, at.y0);
    in.x0 = at.x0, in.y0 = at.y0, in.width = at.width, in.height = at.height;
    *out = (struct grid_i32){cells, at.x0, at.y0, at.width, at.height, at.width};
    return terrain_flow_quantise(&in, out, err);
}

static enum status fill_local_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                     struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "altitude_in", 0);
    return STATUS_OK;
}

static enum status fill_local_run(struct stage_run *run, struct error *err) {
    struct grid_i32 height;
    struct flow_record summary, basins;
    enum status status = quantised(run, &run->inputs[0], &height, err);
    if (status == STATUS_OK)
        status = terrain_fill_local(&height, run->scratch, &summary, &basins, err);
    if (status == STATUS_OK)
        status = set_record(run->outputs[0], summary, err);
    return status == STATUS_OK ? set_record(run->outputs[1], basins, err) : status;
}

const struct stage stage_fill_local = {
    .name = "fill_local",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "fill_local",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "how a section's perimeter spills: heights, watersheds and the levels between them"},
                {.name = "fill_basins",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "level and watershed of each of a section's basins"}},
    .inputs = fill_local_inputs,
    .run = fill_local_run,
};

/* Runs a whole-world solve from the blobs of one layer to the blobs of another. */
static enum status solve_world(struct stage_run *run,
                               enum status (*solve)(const struct flow_layout *, const struct flow_record *,
                                                    struct flow_record *, struct arena *, struct error *),
                               struct error *err) {
    struct flow_layout layout = layout_of(run);
    size_t count = (size_t)flow_columns(&layout) * (size_t)flow_rows(&layout);
    struct flow_record *in = arena_alloc(run->scratch, count, sizeof *in);
    struct flow_record *out = arena_alloc(run->scratch, count, sizeof *out);
    if (!in || !out)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; i < count; i++) {
        if (!run->inputs[0].tiles[i])
            return error_set(err, STATUS_FAULT, "a section has no record of flow");
        in[i] = record_of(run->inputs[0].tiles[i]);
    }
    enum status status = solve(&layout, in, out, run->scratch, err);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = set_record(run->outputs[i], out[i], err);
    return status;
}

static enum status fill_world_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                     struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "fill_local", 0);
    return STATUS_OK;
}

static enum status fill_world_run(struct stage_run *run, struct error *err) {
    return solve_world(run, terrain_fill_world, err);
}

const struct stage stage_fill_world = {
    .name = "fill_world",
    .version = 1,
    .scope = SCOPE_WORLD,
    .keep = true,
    .outputs = {{.name = "fill_world",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "the level to which each of a section's watersheds is filled"}},
    .inputs = fill_world_inputs,
    .run = fill_world_run,
};

static enum status filled_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                 struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "altitude_in", 0);
    stage_reads(inputs, "fill_basins", 0);
    stage_reads(inputs, "fill_world", 0);
    return STATUS_OK;
}

static enum status filled_run(struct stage_run *run, struct error *err) {
    struct grid_i32 height, out = tile_i32(run->outputs[0]);
    enum status status = quantised(run, &run->inputs[0], &height, err);
    if (status != STATUS_OK)
        return status;
    return terrain_filled(&height, record_here(run, &run->inputs[1]), record_here(run, &run->inputs[2]), &out,
                          run->scratch, err);
}

const struct stage stage_filled = {
    .name = "filled",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = false,
    .outputs = {{.name = "filled",
                 .type = LAYER_I32,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0 / FLOW_UNIT,
                 .unit = "m",
                 .what = "input ground with its hollows filled to where they spill"}},
    .inputs = filled_inputs,
    .run = filled_run,
};

static enum status flow_local_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                     struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "filled", 2);
    return STATUS_OK;
}

static enum status flow_local_run(struct stage_run *run, struct error *err) {
    struct flow_layout layout = layout_of(run);
    struct grid_u8 receivers = tile_u8(run->outputs[0]);
    struct flow_record summary;
    enum status status = terrain_flow_local(&layout, section_of(run), run->world->seed, &run->inputs[0].i32,
                                            &receivers, &summary, run->scratch, err);
    return status == STATUS_OK ? set_record(run->outputs[1], summary, err) : status;
}

const struct stage stage_flow_local = {
    .name = "flow_local",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "flow_receivers",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1,
                 .unit = "",
                 .min = 0,
                 .max = 255,
                 .what =
                     "where a cell's water goes: 0-7 E N W S NE NW SW SE, 8 lake, 9 out of the world, 16 + "
                     "direction a lake's mouth"},
                {.name = "flow_local",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "what water crosses a section's borders, and lakes that its borders cut"}},
    .inputs = flow_local_inputs,
    .run = flow_local_run,
};

static enum status flow_world_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                     struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "flow_local", 0);
    return STATUS_OK;
}

static enum status flow_world_run(struct stage_run *run, struct error *err) {
    return solve_world(run, terrain_flow_world, err);
}

const struct stage stage_flow_world = {
    .name = "flow_world",
    .version = 1,
    .scope = SCOPE_WORLD,
    .keep = true,
    .outputs = {{.name = "flow_world",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "what flows into a section from the rest of the world"}},
    .inputs = flow_world_inputs,
    .run = flow_world_run,
};

static enum status flow_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "flow_receivers", 0);
    stage_reads(inputs, "flow_world", 0);
    return STATUS_OK;
}

static enum status flow_run(struct stage_run *run, struct error *err) {
    struct flow_section at = section_of(run);
    struct grid_u8 receivers = run->inputs[0].u8;
    struct grid_u16 out = tile_u16(run->outputs[0]);
    receivers.cells = grid_u8_at(&run->inputs[0].u8, at.x0, at.y0);
    receivers.x0 = at.x0, receivers.y0 = at.y0, receivers.width = at.width, receivers.height = at.height;
    uint64_t *area = arena_alloc(run->scratch, (size_t)at.width * (size_t)at.height, sizeof *area);
    if (!area)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    enum status status =
        terrain_flow_finish(&receivers, record_here(run, &run->inputs[1]), area, run->scratch, err);
    if (status == STATUS_OK)
        terrain_flow_codes(area, run->world->extent.cell_m, &out);
    return status;
}

const struct stage stage_flow = {
    .name = "flow",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "flow",
                 .type = LAYER_U16,
                 .edge = EDGE_ZERO,
                 .scale = 1.0 / FLOW_CODE_MAX,
                 .unit = "",
                 .min = 0,
                 .max = 1,
                 .what = "log2 of the contributing area, 0 at 1 m2, 1 at 2^32 m2, in steps of 1/16 octave"}},
    .inputs = flow_inputs,
    .run = flow_run,
};

static enum status twi_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                              struct error *err) {
    (void)world, (void)arg, (void)err;
    stage_reads(inputs, "flow", 0);
    stage_reads(inputs, "slope", 0);
    return STATUS_OK;
}

static enum status twi_run(struct stage_run *run, struct error *err) {
    (void)err;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    terrain_twi(run->world->extent.cell_m, &run->inputs[0].u16, &run->inputs[1].f32, &out);
    return STATUS_OK;
}

const struct stage stage_twi = {
    .name = "twi",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = false,
    .outputs = {{.name = "twi",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1.0 / TWI_STEPS,
                 .offset = TWI_MIN,
                 .unit = "",
                 .min = TWI_MIN,
                 .max = TWI_MIN + 255.0 / TWI_STEPS,
                 .what = "topographic wetness index ln(a / tan b), slopes of at least 0.1 degrees"}},
    .inputs = twi_inputs,
    .run = twi_run,
};
