/* Stages: streams along the flow where nobody drew a line. */
#include "gen/stages_water.h"

#include "gen/water_lines.h"
#include "gen/world.h"
#include "terrain/flow_finish.h"
#include "terrain/math.h"
#include "terrain/polygon.h"
#include "water/stream.h"

#include <math.h>
#include <string.h>

static struct flow_section section_of(const struct stage_run *run) {
    struct rect c = run->cells;
    return (struct flow_section){c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0};
}

static struct flow_record record_of(const struct tile *tile) {
    return (struct flow_record){tile->bytes + tile->part_at[0], tile->part_at[1] - tile->part_at[0]};
}

static enum status set_record(struct tile *tile, const void *bytes, size_t size, struct error *err) {
    const void *parts[16] = {bytes};
    size_t sizes[16] = {size};
    return tile_set_parts(tile, parts, sizes) ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

/* ---- stream_cells ---- */

/* What a drawn line carries: its own width, and ground beside it as wide as lines lie beside their valley. */
static double radius_of(const struct world *world, const struct feature *f) {
    return 0.5 * water_width_of(world, f) + 16 + 4 * world->extent.cell_m;
}

static struct box find_box(const struct world *world, struct rect cells) {
    double m = world->extent.cell_m, reach = 0;
    for (size_t i = 0; i < world->splines->count; i++)
        if (water_is_line(&world->splines->items[i]))
            reach = math_max(reach, radius_of(world, &world->splines->items[i]));
    reach += 64; /* curves bulge beyond their points */
    return (struct box){cells.x0 * m - reach, cells.y0 * m - reach, cells.x1 * m + reach,
                        cells.y1 * m + reach};
}

static enum status cells_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    (void)arg;
    stage_reads(inputs, "flow_receivers", 0);
    stage_reads(inputs, "flow_world", 0);
    return water_needs_tool(world, err);
}

static void cells_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_u64(h, water_least_cells(world));
    for (int k = 0; k < 3; k++)
        hash_f64(h, world->freshwater.width_m[k]);
    hash_f64(h, world->freshwater.snap_m);
}

static void cells_section_settings(const struct world *world, const char *arg, int32_t section_x,
                                   int32_t section_y, struct hasher *h) {
    (void)arg;
    struct box box = find_box(world, extent_block(&world->extent, section_x, section_y, SECTION_CELLS));
    for (size_t i = 0; features_find(world->splines, &box, &i); i++) {
        const struct feature *f = &world->splines->items[i];
        if (!water_is_line(f) && f->kind != FEATURE_LAKE)
            continue;
        hash_u64(h, f->content.lo);
        hash_u64(h, f->content.hi);
    }
}

/* A line's points, evenly spaced; NULL: out of memory. */
static const struct curve_sample *sampled(const struct world *world, const struct feature *f, size_t *count,
                                          struct arena *arena) {
    struct curve curve = feature_curve(f, 0);
    double spacing = water_spacing_m(world->extent.cell_m);
    double *lengths = arena_alloc(arena, curve_segments(&curve), sizeof *lengths);
    if (!lengths)
        return NULL;
    terrain_curve_measure(&curve, lengths);
    *count = terrain_curve_sample_count(&curve, lengths, spacing, CURVE_THROUGH);
    struct curve_sample *s = arena_alloc(arena, *count, sizeof *s);
    if (s)
        terrain_curve_sample(&curve, lengths, spacing, CURVE_THROUGH, s);
    return s;
}

/* Whether the line's end touches no other line. */
static bool is_loose(const struct world *world, const struct feature *f, const double end[2]) {
    double r = world->freshwater.snap_m + 1;
    struct box box = {end[0] - r - 64, end[1] - r - 64, end[0] + r + 64, end[1] + r + 64};
    for (size_t i = 0; features_find(world->splines, &box, &i); i++) {
        const struct feature *o = &world->splines->items[i];
        if (o != f && water_is_line(o) &&
            terrain_chain_nearest(o->xy, o->count, false, end[0], end[1]).distance_m <= r)
            return false;
    }
    return true;
}

static enum status mark_line(const struct stage_run *run, const struct feature *f, bool ends,
                             struct stream_near *near, struct error *err) {
    const struct world *world = run->world;
    size_t count = 0, mark = arena_mark(run->scratch);
    double m = world->extent.cell_m, radius = radius_of(world, f);
    const struct curve_sample *s = sampled(world, f, &count, run->scratch);
    if (!s)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; !ends && i + 1 < count; i++)
        water_stream_beside(near, section_of(run), m, (double[2]){s[i].x, s[i].y},
                            (double[2]){s[i + 1].x, s[i + 1].y}, radius);
    for (int k = 0; ends && k < 2; k++) {
        double end[2] = {s[k ? count - 1 : 0].x, s[k ? count - 1 : 0].y};
        if ((k || water_is_automatic(world, f)) && is_loose(world, f, end))
            water_stream_end(near, section_of(run), m, end, radius);
    }
    arena_release(run->scratch, mark);
    return STATUS_OK;
}

static enum status mark_lake(const struct stage_run *run, const struct feature *f, struct stream_near *near,
                             struct error *err) {
    struct flow_section at = section_of(run);
    double m = run->world->extent.cell_m;
    size_t mark = arena_mark(run->scratch), count = (size_t)at.width * (size_t)at.height;
    struct grid_u8 in = {arena_alloc(run->scratch, count, 1), at.x0, at.y0, at.width, at.height, at.width};
    if (!in.cells)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(in.cells, 0, count);
    struct polygon polygon = {.ring_count = f->ring_count};
    if (!water_rings(f, m, run->scratch, &polygon.xy, &polygon.ring_end))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    enum status status = terrain_polygon_fill(&polygon, m, 1, &in, run->scratch, err);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        if (in.cells[i])
            near[i] =
                (struct stream_near){(at.x0 + (int32_t)(i % (size_t)at.width) + 0.5) * m,
                                     (at.y0 + (int32_t)(i / (size_t)at.width) + 0.5) * m, 0, STREAM_LAKE};
    arena_release(run->scratch, mark);
    return status;
}

/* Lines first, then their loose ends, then lakes. */
static enum status mark_drawn(const struct stage_run *run, struct stream_near *near, struct error *err) {
    struct box box = find_box(run->world, run->cells);
    enum status status = STATUS_OK;
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; status == STATUS_OK && features_find(run->world->splines, &box, &i); i++) {
            const struct feature *f = &run->world->splines->items[i];
            if (pass < 2 && water_is_line(f))
                status = mark_line(run, f, pass == 1, near, err);
            else if (pass == 2 && f->shape == FEATURE_POLYGON && f->kind == FEATURE_LAKE)
                status = mark_lake(run, f, near, err);
        }
    return status;
}

static enum status cells_run(struct stage_run *run, struct error *err) {
    struct flow_section at = section_of(run);
    size_t count = (size_t)at.width * (size_t)at.height;
    struct grid_u8 receivers = run->inputs[0].u8;
    receivers.cells = grid_u8_at(&run->inputs[0].u8, at.x0, at.y0);
    receivers.x0 = at.x0, receivers.y0 = at.y0, receivers.width = at.width, receivers.height = at.height;
    struct rect s = run->inputs[1].sections;
    const struct tile *inflows =
        run->inputs[1].tiles[(run->section_y - s.y0) * (s.x1 - s.x0) + run->section_x - s.x0];
    uint64_t *area = arena_alloc(run->scratch, count, sizeof *area);
    struct stream_near *near = arena_alloc(run->scratch, count, sizeof *near);
    struct flow_record record;
    if (!area || !near || !inflows)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(near, 0, count * sizeof *near);
    enum status status = terrain_flow_finish(&receivers, record_of(inflows), area, run->scratch, err);
    if (status == STATUS_OK)
        status = mark_drawn(run, near, err);
    if (status == STATUS_OK)
        status = water_stream_cells(&receivers, area, near, at, water_least_cells(run->world), &record,
                                    run->scratch, err);
    return status == STATUS_OK ? set_record(run->outputs[0], record.bytes, record.size, err) : status;
}

const struct stage stage_stream_cells = {
    .name = "stream_cells",
    .version = 1,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "stream_cells",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "cells that carry enough for a stream, and what is drawn there"}},
    .inputs = cells_inputs,
    .settings = cells_settings,
    .section_settings = cells_section_settings,
    .run = cells_run,
};

/* ---- stream_lines ---- */

static enum status lines_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    (void)arg;
    stage_reads(inputs, "stream_cells", 0);
    return water_needs_tool(world, err);
}

static void lines_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_u64(h, water_least_cells(world));
    hash_f64(h, world->freshwater.snap_m);
}

/* Whether the line, or the section in which it begins, lies in reach of the section. */
static bool reaches(const struct world *world, const struct stream_line *line, int32_t x, int32_t y) {
    double m = world->extent.cell_m, side = SECTION_CELLS * m;
    double r = water_stream_reach_m(world, line->area_m2[line->count - 1]) + 8 * m;
    if (floor_div(line->x, SECTION_CELLS) == x && floor_div(line->y, SECTION_CELLS) == y)
        return true;
    for (size_t i = 0; i < line->count; i++)
        if (line->xy[2 * i] > x * side - r && line->xy[2 * i] < (x + 1) * side + r &&
            line->xy[2 * i + 1] > y * side - r && line->xy[2 * i + 1] < (y + 1) * side + r)
            return true;
    return false;
}

static unsigned char *put_line(unsigned char *at, const struct stream_line *line) {
    struct stream_head head = {(uint32_t)line->count, line->still, line->x, line->y};
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    for (size_t i = 0; i < line->count; i++, at += 3 * sizeof(double)) {
        double point[3] = {line->xy[2 * i], line->xy[2 * i + 1], line->area_m2[i]};
        memcpy(at, point, sizeof point);
    }
    return at;
}

static enum status write_lines(struct stage_run *run, const struct stream_line *lines, size_t count,
                               struct error *err) {
    struct rect s = run->sections;
    enum status status = STATUS_OK;
    size_t i = 0;
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; status == STATUS_OK && x < s.x1; x++, i++) {
            size_t size = 0, mark = arena_mark(run->scratch);
            for (size_t l = 0; l < count; l++)
                if (reaches(run->world, &lines[l], x, y))
                    size += sizeof(struct stream_head) + lines[l].count * 3 * sizeof(double);
            unsigned char *bytes = arena_alloc(run->scratch, size + 1, 1), *at = bytes;
            if (!bytes)
                return error_set(err, STATUS_LIMIT, "out of scratch memory");
            for (size_t l = 0; size && l < count; l++)
                if (reaches(run->world, &lines[l], x, y))
                    at = put_line(at, &lines[l]);
            status = set_record(run->outputs[i], bytes, size, err);
            arena_release(run->scratch, mark);
        }
    return status;
}

static enum status lines_run(struct stage_run *run, struct error *err) {
    struct rect s = run->sections, c = run->world->extent.cells;
    struct flow_layout layout = {c.x0, c.y0, c.x1, c.y1, SECTION_CELLS};
    size_t sections = (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0), count = 0;
    struct flow_record *records = arena_alloc(run->scratch, sections, sizeof *records);
    struct stream_line *lines = NULL;
    if (!records)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; i < sections; i++) {
        if (!run->inputs[0].tiles[i])
            return error_set(err, STATUS_FAULT, "a section has no record of streams");
        records[i] = record_of(run->inputs[0].tiles[i]);
    }
    enum status status = water_stream_lines(&layout, records, run->world->extent.cell_m,
                                            water_least_cells(run->world), &lines, &count, run->scratch, err);
    return status == STATUS_OK ? write_lines(run, lines, count, err) : status;
}

const struct stage stage_stream_lines = {
    .name = "stream_lines",
    .version = 1,
    .scope = SCOPE_WORLD,
    .keep = true,
    .outputs = {{.name = "stream_lines",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "streams in reach of a section that nobody drew, from source to mouth"}},
    .inputs = lines_inputs,
    .settings = lines_settings,
    .run = lines_run,
};
