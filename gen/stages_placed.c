#include "gen/stages_placed.h"

#include "gen/geojson.h"
#include "gen/world.h"
#include "terrain/polygon.h"

enum { TAKEN = 255 };

static enum status placed_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                 struct error *err) {
    (void)world, (void)arg, (void)inputs, (void)err;
    return STATUS_OK;
}

static struct box box_of(struct rect cells, double cell_m) {
    return (struct box){cells.x0 * cell_m, cells.y0 * cell_m, cells.x1 * cell_m, cells.y1 * cell_m};
}

static void placed_section_settings(const struct world *world, const char *arg, int32_t section_x,
                                    int32_t section_y, struct hasher *h) {
    (void)arg;
    struct rect cells = extent_block(&world->extent, section_x, section_y, SECTION_CELLS);
    struct box box = box_of(cells, world->extent.cell_m);
    for (size_t i = 0; features_find(world->placed, &box, &i); i++) {
        hash_u64(h, world->placed->items[i].content.lo);
        hash_u64(h, world->placed->items[i].content.hi);
    }
}

/* One run of a feature as a chain of straight pieces, and half its width at each point. */
struct chain {
    double *xy, *radius_m;
    size_t count;
};

static bool chain_of(const struct feature *f, size_t run, double spacing_m, struct arena *scratch,
                     struct chain *out) {
    struct curve curve = feature_curve(f, run);
    double *lengths = arena_alloc(scratch, curve_segments(&curve), sizeof *lengths);
    if (!lengths)
        return false;
    double sum = terrain_curve_measure(&curve, lengths);
    if (!f->smooth)
        spacing_m = sum + 1; /* the points alone */
    size_t n = terrain_curve_sample_count(&curve, lengths, spacing_m, CURVE_THROUGH);
    struct curve_sample *samples = arena_alloc(scratch, n, sizeof *samples);
    *out = (struct chain){arena_alloc(scratch, n, 2 * sizeof(double)),
                          arena_alloc(scratch, n, sizeof(double)), n};
    if (!samples || !out->xy || !out->radius_m)
        return false;
    terrain_curve_sample(&curve, lengths, spacing_m, CURVE_THROUGH, samples);
    for (size_t i = 0; i < n; i++) {
        const struct curve_sample *s = &samples[i];
        size_t k = s->segment + 1 < curve.count ? s->segment + 1 : 0;
        double a = feature_number(f, "width_m", s->segment, 0), b = feature_number(f, "width_m", k, 0);
        out->xy[2 * i] = s->x;
        out->xy[2 * i + 1] = s->y;
        out->radius_m[i] = f->shape == FEATURE_LINE ? (a + s->share * (b - a)) / 2 : 0;
    }
    return true;
}

static enum status fill_polygon(const struct feature *f, double cell_m, struct grid_u8 *out,
                                struct arena *scratch, struct error *err) {
    size_t runs = feature_runs(f), points = 0;
    size_t *ring_end = arena_alloc(scratch, runs, sizeof *ring_end);
    struct chain *rings = arena_alloc(scratch, runs, sizeof *rings);
    if (!ring_end || !rings)
        goto too_little;
    for (size_t r = 0; r < runs; r++) {
        if (!chain_of(f, r, cell_m / 2, scratch, &rings[r]))
            goto too_little;
        points += rings[r].count;
        ring_end[r] = points;
    }
    double *xy = arena_alloc(scratch, points, 2 * sizeof *xy);
    if (!xy)
        goto too_little;
    for (size_t r = 0, at = 0; r < runs; r++)
        for (size_t i = 0; i < 2 * rings[r].count; i++)
            xy[at++] = rings[r].xy[i];
    struct polygon polygon = {xy, ring_end, runs};
    return terrain_polygon_fill(&polygon, cell_m, TAKEN, out, scratch, err);
too_little:
    return error_set(err, STATUS_LIMIT, "too little scratch for a footprint of %zu points", f->count);
}

static enum status fill_feature(const struct feature *f, double cell_m, struct grid_u8 *out,
                                struct arena *scratch, struct error *err) {
    if (f->shape == FEATURE_POINT) {
        terrain_disk_fill(f->xy[0], f->xy[1], feature_reach_m(f), cell_m, TAKEN, out);
        return STATUS_OK;
    }
    if (f->shape == FEATURE_POLYGON)
        return fill_polygon(f, cell_m, out, scratch, err);
    struct chain chain;
    if (!chain_of(f, 0, cell_m / 2, scratch, &chain))
        return error_set(err, STATUS_LIMIT, "too little scratch for a placed line of %zu points", f->count);
    terrain_line_fill(chain.xy, chain.radius_m, chain.count, false, cell_m, TAKEN, out);
    return STATUS_OK;
}

static enum status placed_run(struct stage_run *run, struct error *err) {
    const struct world *world = run->world;
    struct grid_u8 out = tile_u8(run->outputs[0]);
    struct box box = box_of(run->cells, world->extent.cell_m);
    for (size_t i = 0; features_find(world->placed, &box, &i); i++) {
        const struct feature *f = &world->placed->items[i];
        size_t mark = arena_mark(run->scratch);
        enum status status = fill_feature(f, world->extent.cell_m, &out, run->scratch, err);
        arena_release(run->scratch, mark);
        if (status)
            return error_context(err, "%s: features[%u]", f->file, (unsigned)f->index);
    }
    return STATUS_OK;
}

const struct stage stage_placed = {
    .name = "placed",
    .version = 1,
    .scope = SCOPE_SECTION,
    .outputs = {{.name = "placed",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1.0 / 255.0,
                 .unit = "",
                 .min = 0.0,
                 .max = 1.0,
                 .what = "1 where something was set by hand: footprints, points and their radius"}},
    .inputs = placed_inputs,
    .section_settings = placed_section_settings,
    .run = placed_run,
};
