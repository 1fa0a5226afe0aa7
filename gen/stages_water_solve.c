/* Stages: heights near lines, and the solve of the whole network. */
#include "gen/stages_water.h"

#include "gen/water_lines.h"
#include "gen/world.h"
#include "terrain/math.h"
#include "water/note.h"
#include <math.h>
#include <string.h>

enum status water_needs_tool(const struct world *world, struct error *err) {
    return world_has_tool(world, TOOL_FRESHWATER)
               ? STATUS_OK
               : error_set(err, STATUS_INPUT, "it needs the tool 'freshwater': add it to 'tools'");
}

/* ---- water_near ---- */

static double area_radius_m(const struct world *world) {
    return 32 + 3 * world->extent.cell_m;
}

static double radius_of(const struct world *world, const struct water_params *params,
                        const struct feature *f) {
    return water_is_area(f) ? area_radius_m(world)
                            : water_corridor_m(params, water_width_of(world, f), water_is_fitted(world, f));
}

/* How far from a section its features may lie. */
static double find_reach_m(const struct world *world) {
    struct water_params params = water_params_of(world);
    double reach = area_radius_m(world);
    for (size_t i = 0; i < world->splines->count; i++)
        if (water_is_line(&world->splines->items[i]))
            reach = math_max(reach, radius_of(world, &params, &world->splines->items[i]));
    return reach + 64; /* curves bulge beyond their points */
}

static struct box find_box(const struct world *world, struct rect cells) {
    double m = world->extent.cell_m, r = find_reach_m(world);
    return (struct box){cells.x0 * m - r, cells.y0 * m - r, cells.x1 * m + r, cells.y1 * m + r};
}

static enum status near_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    (void)arg;
    stage_reads(inputs, "altitude_in", 0);
    if (world->freshwater.stream_ha > 0)
        stage_reads(inputs, "stream_lines", 0);
    return water_needs_tool(world, err);
}

static void hash_defaults(const struct world *world, struct hasher *h) {
    const struct freshwater_settings *s = &world->freshwater;
    for (int k = 0; k < 3; k++)
        hash_f64(h, s->width_m[k]);
    hash_f64(h, s->snap_m);
    hash_f64(h, s->fall_drop_m);
    hash_f64(h, s->max_cut_m);
    hash_u64(h, (uint64_t)s->carve | (uint64_t)s->fit << 1 | (uint64_t)s->automatic << 2);
}

static void near_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_defaults(world, h);
}

static void near_section_settings(const struct world *world, const char *arg, int32_t section_x,
                                  int32_t section_y, struct hasher *h) {
    (void)arg;
    struct box box = find_box(world, extent_block(&world->extent, section_x, section_y, SECTION_CELLS));
    for (size_t i = 0; features_find(world->splines, &box, &i); i++) {
        const struct feature *f = &world->splines->items[i];
        if (!water_is_line(f) && !water_is_area(f))
            continue;
        hash_u64(h, f->content.lo);
        hash_u64(h, f->content.hi);
    }
}

/* The place of the world nearest to (x, y): whose ground the solve takes beyond the edge. */
static void to_edge(const struct world *world, double x, double y, double at[2]) {
    const struct rect c = world->extent.cells;
    double m = world->extent.cell_m;
    at[0] = math_max(c.x0 * m, math_min(c.x1 * m, x));
    at[1] = math_max(c.y0 * m, math_min(c.y1 * m, y));
}

/* Whether what lies near a segment can lie in the section. */
static bool segment_is_near(const struct stage_run *run, const struct curve *curve, size_t segment,
                            double radius) {
    double m = run->world->extent.cell_m, q[8], low[2], high[2], p[2];
    terrain_curve_bezier(curve, segment, q);
    for (size_t i = 0; i < 4; i++) {
        to_edge(run->world, q[2 * i], q[2 * i + 1], p);
        for (size_t k = 0; k < 2; k++) {
            low[k] = i ? math_min(low[k], p[k]) : p[k];
            high[k] = i ? math_max(high[k], p[k]) : p[k];
        }
    }
    return low[0] - radius <= (run->section_x + 1) * (SECTION_CELLS * m) &&
           high[0] + radius >= run->section_x * (SECTION_CELLS * m) &&
           low[1] - radius <= (run->section_y + 1) * (SECTION_CELLS * m) &&
           high[1] + radius >= run->section_y * (SECTION_CELLS * m);
}

/* Marks what lies near segments [first, end) of a curve. */
static enum status mark_curve(const struct stage_run *run, const struct curve *curve, size_t first,
                              size_t end, double radius, struct water_blocks *blocks, struct error *err) {
    double spacing = 4 * math_max(1, run->world->extent.cell_m);
    size_t mark = arena_mark(run->scratch);
    double *lengths = arena_alloc(run->scratch, curve_segments(curve), sizeof *lengths);
    if (!lengths)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    terrain_curve_measure(curve, lengths);
    size_t count = terrain_curve_sample_count(curve, lengths, spacing, CURVE_THROUGH);
    struct curve_sample *s = arena_alloc(run->scratch, count, sizeof *s);
    if (!s)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    terrain_curve_sample(curve, lengths, spacing, CURVE_THROUGH, s);
    for (size_t i = 0; i + 1 < count + curve->closed; i++) {
        const struct curve_sample *a = &s[i], *b = &s[(i + 1) % count];
        double from[2], to[2];
        if (a->segment < first || a->segment >= end)
            continue;
        to_edge(run->world, a->x, a->y, from);
        to_edge(run->world, b->x, b->y, to);
        water_blocks_mark(blocks, run->section_x, run->section_y, run->world->extent.cell_m, from, to,
                          radius);
    }
    arena_release(run->scratch, mark);
    return STATUS_OK;
}

/* The same of the parts of a curve that come near the section, each with the points that give it its shape:
 * what this costs is by the length here, not by the line's. */
static enum status mark_near(const struct stage_run *run, const struct curve *curve, double radius,
                             struct water_blocks *blocks, struct error *err) {
    size_t segments = curve_segments(curve);
    enum status status = STATUS_OK;
    if (curve->closed)
        return mark_curve(run, curve, 0, segments, radius, blocks, err);
    for (size_t i = 0, end; status == STATUS_OK && i < segments; i = end + 1) {
        for (end = i; end < segments && segment_is_near(run, curve, end, radius);)
            end++;
        if (end == i)
            continue;
        size_t first = i ? i - 1 : 0, last = end + 1 < curve->count ? end + 1 : end;
        struct curve part = {curve->xy + 2 * first, last - first + 1, false, curve->smooth};
        status = mark_curve(run, &part, i - first, end - first, radius, blocks, err);
    }
    return status;
}

/* Streams that nobody drew. */
static enum status mark_streams(const struct stage_run *run, const struct window *streams,
                                struct water_blocks *blocks, struct error *err) {
    struct rect s = streams->sections;
    const struct tile *tile = streams->tiles[(run->section_y - s.y0) * (s.x1 - s.x0) + run->section_x - s.x0];
    struct stream_head head;
    const double *points;
    enum status status = STATUS_OK;
    for (size_t at = 0; status == STATUS_OK && water_next_stream(tile, &at, &head, &points);) {
        size_t mark = arena_mark(run->scratch);
        double *xy = arena_alloc(run->scratch, head.points, 2 * sizeof *xy);
        if (!xy)
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        for (uint32_t i = 0; i < head.points; i++) {
            xy[2 * i] = points[3 * i];
            xy[2 * i + 1] = points[3 * i + 1];
        }
        struct curve curve = {xy, head.points, false, true};
        double radius = water_stream_reach_m(run->world, points[3 * head.points - 1]);
        status = mark_near(run, &curve, radius, blocks, err);
        arena_release(run->scratch, mark);
    }
    return status;
}

static enum status set_blob(struct tile *tile, const void *bytes, size_t size, struct error *err) {
    const void *parts[16] = {bytes};
    size_t sizes[16] = {size};
    return tile_set_parts(tile, parts, sizes) ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

static enum status near_run(struct stage_run *run, struct error *err) {
    struct water_params params = water_params_of(run->world);
    struct water_blocks *blocks = arena_alloc(run->scratch, 1, sizeof *blocks);
    struct box box = find_box(run->world, run->cells);
    if (!blocks)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(blocks, 0, sizeof *blocks);
    for (size_t i = 0; features_find(run->world->splines, &box, &i); i++) {
        const struct feature *f = &run->world->splines->items[i];
        if (!water_is_line(f) && !water_is_area(f))
            continue;
        for (size_t r = 0; r < feature_runs(f); r++) {
            struct curve curve = feature_curve(f, r);
            enum status status = mark_near(run, &curve, radius_of(run->world, &params, f), blocks, err);
            if (status != STATUS_OK)
                return status;
        }
    }
    if (run->world->freshwater.stream_ha > 0) {
        enum status status = mark_streams(run, &run->inputs[1], blocks, err);
        if (status != STATUS_OK)
            return status;
    }
    size_t size = water_blocks_size(blocks);
    unsigned char *record = arena_alloc(run->scratch, size + 1, 1);
    if (!record)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    struct grid_f32 ground = run->inputs[0].f32;
    water_blocks_write(blocks, run->section_x, run->section_y, &ground, record);
    return set_blob(run->outputs[0], record, size, err);
}

const struct stage stage_water_near = {
    .name = "water_near",
    .version = 4,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "water_near",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "the ground's heights near drawn water, in blocks of 8 x 8 cells"}},
    .inputs = near_inputs,
    .settings = near_settings,
    .section_settings = near_section_settings,
    .run = near_run,
};

/* ---- water_world ---- */

static enum status world_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                struct error *err) {
    (void)arg;
    stage_reads(inputs, "water_near", 0);
    if (world->freshwater.stream_ha > 0)
        stage_reads(inputs, "stream_lines", 0);
    return water_needs_tool(world, err);
}

static void world_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_defaults(world, h);
    for (size_t i = 0; i < world->splines->count; i++) {
        const struct feature *f = &world->splines->items[i];
        if (!water_is_line(f) && !water_is_area(f))
            continue;
        hash_u64(h, f->content.lo);
        hash_u64(h, f->content.hi);
    }
}

static enum status take_heights(const struct stage_run *run, struct water_heights *heights,
                                struct error *err) {
    struct rect s = run->sections, c = run->world->extent.cells;
    size_t count = (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0);
    const unsigned char **records = arena_alloc(run->scratch, count, sizeof *records);
    if (!records)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; i < count; i++) {
        const struct tile *tile = run->inputs[0].tiles[i];
        if (!tile)
            return error_set(err, STATUS_FAULT, "a section has no record of heights");
        records[i] = tile->size ? tile->bytes : NULL;
    }
    *heights = (struct water_heights){.records = records,
                                      .section_x0 = s.x0,
                                      .section_y0 = s.y0,
                                      .columns = s.x1 - s.x0,
                                      .rows = s.y1 - s.y0,
                                      .cell_x0 = c.x0,
                                      .cell_y0 = c.y0,
                                      .cell_x1 = c.x1,
                                      .cell_y1 = c.y1,
                                      .cell_m = run->world->extent.cell_m};
    return STATUS_OK;
}

static enum status write_sets(struct stage_run *run, const struct water_set *sets, struct error *err) {
    struct rect s = run->sections;
    size_t count = (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0);
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        size_t mark = arena_mark(run->scratch), size = water_set_size(&sets[i]);
        unsigned char *bytes = arena_alloc(run->scratch, size + 1, 1);
        if (!bytes)
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        water_set_write(&sets[i], bytes);
        status = set_blob(run->outputs[i], bytes, size, err);
        arena_release(run->scratch, mark);
    }
    return status;
}

/* Each note goes to the section that holds its place, or the nearest. */
static enum status write_notes(struct stage_run *run, const struct water_river *river, struct error *err) {
    struct rect s = run->sections;
    int32_t columns = s.x1 - s.x0, rows = s.y1 - s.y0;
    size_t sections = (size_t)columns * (size_t)rows, room = water_notes_most(river) + 1;
    struct water_note *notes = arena_alloc(run->scratch, room, sizeof *notes);
    struct water_note *mine = arena_alloc(run->scratch, room, sizeof *mine);
    if (!notes || !mine)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    size_t count = water_notes(river, notes);
    double section_m = SECTION_CELLS * river->params.cell_m;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sections; i++) {
        size_t n = 0;
        for (size_t k = 0; k < count; k++) {
            double x = floor(notes[k].x / section_m) - s.x0, y = floor(notes[k].y / section_m) - s.y0;
            int32_t cx = x < 0 ? 0 : x >= columns ? columns - 1 : (int32_t)x;
            int32_t cy = y < 0 ? 0 : y >= rows ? rows - 1 : (int32_t)y;
            if ((size_t)cy * (size_t)columns + (size_t)cx == i)
                mine[n++] = notes[k];
        }
        status = set_blob(run->outputs[sections + i], mine, n * sizeof *mine, err);
    }
    return status;
}

static enum status world_run(struct stage_run *run, struct error *err) {
    struct water_params params = water_params_of(run->world);
    struct water_drawing drawing;
    struct water_heights heights;
    struct water_river river;
    struct rect s = run->sections;
    enum status status = take_heights(run, &heights, err);
    if (status == STATUS_OK)
        status = water_draw(run->world, run->scratch, &drawing, err);
    if (status == STATUS_OK && run->world->freshwater.stream_ha > 0)
        status = water_add_streams(run->world, &run->inputs[1], run->scratch, &drawing, err);
    if (status == STATUS_OK)
        status = water_solve(&params, drawing.lines, drawing.line_count, drawing.lakes, drawing.lake_count,
                             &heights, run->scratch, &river, err);
    if (status != STATUS_OK)
        return status;
    size_t count = (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0);
    struct water_set *sets = arena_alloc(run->scratch, count, sizeof *sets);
    if (!sets)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    status = water_cut(&river, s.x0, s.y0, s.x1 - s.x0, s.y1 - s.y0, sets, run->scratch, err);
    if (status == STATUS_OK)
        status = write_sets(run, sets, err);
    return status == STATUS_OK ? write_notes(run, &river, err) : status;
}

const struct stage stage_water_world = {
    .name = "water_world",
    .version = 17,
    .scope = SCOPE_WORLD,
    .keep = true,
    .outputs = {{.name = "water_pieces",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "rivers, lakes and falls in reach of a section, with their levels"},
                {.name = "water_notes",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "where drawn water climbs or leaves its banks"}},
    .inputs = world_inputs,
    .settings = world_settings,
    .run = world_run,
};
