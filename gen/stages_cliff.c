#include "gen/stages_cliff.h"

#include "cliff/patch.h"
#include "gen/cliff_part.h"
#include "terrain/hash.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status cliffs_need(const struct world *world, struct error *err) {
    if (world_has_tool(world, TOOL_CLIFFS))
        return STATUS_OK;
    return error_set(err, STATUS_INPUT, "it needs the tool 'cliffs': add it to 'tools'");
}

int32_t cliffs_sector_steps(const struct world *world) {
    double cell_m = world->extent.cell_m, target = cell_m > 1 ? cell_m : 1.0;
    double steps = SECTOR_CELLS * cell_m / (world->cliffs.fine ? target / 2 : target);
    int32_t n = (int32_t)floor(steps + 0.5);
    return n < 16 ? 16 : n > 4096 ? 4096 : n;
}

struct cliff_params cliffs_params(const struct world *world) {
    double cell_m = world->extent.cell_m;
    struct cliff_params p = {.cell_m = cell_m,
                             .posts = world->height.samples == SAMPLES_POSTS,
                             .step_m = SECTOR_CELLS * cell_m / cliffs_sector_steps(world),
                             .step_z_m = cell_m > 1 ? cell_m < 4 ? cell_m / 2 : 2 : 0.5,
                             .soft_m = world->cliffs.softness_m,
                             .seed = hash_mix(world->seed + hash_name("cliffs"))};
    for (size_t i = 0; i < STRATA_PRESETS; i++) {
        const struct cliff_preset *preset = &world->cliffs.presets[i < world->cliffs.preset_count ? i : 0];
        p.frames[i] = strata_frame_of(preset->dip_deg, preset->direction_deg);
    }
    for (size_t i = 0; i < world->cliffs.image_count; i++) {
        const struct cliff_picture *from = &world->cliffs.images[i];
        if (from->pixels)
            p.images[p.image_count++] = (struct cliff_image){from->pixels, from->width_px, from->height_px,
                                                             from->tile_m, (float)from->depth_m};
    }
    return p;
}

void cliffs_hash_ramp(const struct world *world, struct hasher *h) {
    const struct cliff_ramp *ramp = &world->cliffs.ramp;
    for (int32_t k = 0; k < CLIFF_KINDS; k++) {
        hash_u64(h, (uint64_t)ramp->count[k]);
        hash_bytes(h, ramp->rgb[k], 3 * (size_t)ramp->count[k]);
    }
    hash_u64(h, (uint64_t)ramp->variation);
    hash_u64(h, (uint64_t)ramp->weathering);
}

/* ---- cliff_site ---- */

static enum status site_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    (void)arg;
    enum status status = cliffs_need(world, err);
    if (status != STATUS_OK)
        return status;
    stage_reads(inputs, "slope", CLIFF_PATCH_REACH);
    if (world->cliffs.exclude[0])
        stage_reads(inputs, world->cliffs.exclude, CLIFF_PATCH_REACH);
    if (world->cliffs.include[0])
        stage_reads(inputs, world->cliffs.include, 0);
    if (world_has_tool(world, TOOL_FRESHWATER))
        stage_reads(inputs, "water", CLIFF_PATCH_REACH);
    return STATUS_OK;
}

static void site_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_f64(h, world->cliffs.min_slope_deg);
    hash_f64(h, world->cliffs.min_patch_m2);
    hash_text(h, world->cliffs.exclude);
    hash_text(h, world->cliffs.include);
    hash_u64(h, world_has_tool(world, TOOL_FRESHWATER));
}

/* Where either of two masks is painted. */
static bool either(const struct grid_u8 *a, const struct grid_u8 *b, struct arena *scratch,
                   struct grid_u8 *out) {
    *out = (struct grid_u8){NULL, a->x0, a->y0, a->width, a->height, a->width};
    out->cells = arena_alloc(scratch, (size_t)a->width * (size_t)a->height, 1);
    for (int32_t y = 0; out->cells && y < a->height; y++)
        for (int32_t x = 0; x < a->width; x++)
            out->cells[y * out->stride + x] = a->cells[y * a->stride + x] | b->cells[y * b->stride + x];
    return out->cells != NULL;
}

static enum status site_run(struct stage_run *run, struct error *err) {
    const struct cliff_settings *s = &run->world->cliffs;
    const struct window *next = run->inputs + 1;
    const struct grid_u8 *exclude = s->exclude[0] ? &(next++)->u8 : NULL;
    const struct grid_u8 *include = s->include[0] ? &(next++)->u8 : NULL;
    const struct grid_u8 *water = world_has_tool(run->world, TOOL_FRESHWATER) ? &next->u8 : NULL;
    struct grid_u8 both, out = tile_u8(run->outputs[0]);
    if (exclude && water) {
        if (!either(exclude, water, run->scratch, &both))
            return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
        exclude = &both;
    } else if (water) {
        exclude = water;
    }
    struct grid_u8 closed = tile_u8(run->outputs[1]);
    for (int32_t y = closed.y0; exclude && y < closed.y0 + closed.height; y++)
        for (int32_t x = closed.x0; x < closed.x0 + closed.width; x++)
            *grid_u8_at(&closed, x, y) = *grid_u8_at(exclude, x, y) ? 255 : 0;
    double cell_m = run->world->extent.cell_m, cells = ceil(s->min_patch_m2 / (cell_m * cell_m));
    struct cliff_patch_params params = {(float)s->min_slope_deg, cells < 1 ? 1 : (int32_t)cells};
    if (!cliff_patch(&params, &run->inputs[0].f32, exclude, include, &out, run->scratch))
        return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
    return STATUS_OK;
}

const struct stage stage_cliff_site = {
    .name = "cliff_site",
    .version = 2,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "cliff_site",
                 .type = LAYER_U8,
                 .edge = EDGE_ZERO,
                 .scale = 1.0 / 255.0,
                 .unit = "",
                 .max = 1.0,
                 .what = "where rock shall be: steep patches, less what is excluded"},
                {.name = "cliff_closed",
                 .type = LAYER_U8,
                 .edge = EDGE_CLAMP,
                 .scale = 1.0 / 255.0,
                 .unit = "",
                 .max = 1.0,
                 .what = "where no rock may be: what is excluded, and water"}},
    .inputs = site_inputs,
    .settings = site_settings,
    .run = site_run,
};

/* ---- cliff_surface ---- */

/* Rock at the world's edge goes on so far beyond it that its blocks end. */
static int32_t edge_steps(const struct cliff_params *p) {
    return (int32_t)ceil(cliff_run_over(p) / p->step_m);
}
static int32_t surface_reach(const struct cliff_params *p) {
    return cliff_nodes_reach(p) + (int32_t)ceil(cliff_run_over(p) / p->cell_m) + 1;
}

static bool has_closed(const struct world *world) {
    return world->cliffs.exclude[0] || world_has_tool(world, TOOL_FRESHWATER);
}

static enum status surface_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                                  struct error *err) {
    (void)arg;
    enum status status = cliffs_need(world, err);
    if (status != STATUS_OK)
        return status;
    struct cliff_params params = cliffs_params(world);
    int32_t reach = surface_reach(&params);
    stage_reads(inputs, "ground", reach);
    stage_reads(inputs, "cliff_site", reach);
    if (has_closed(world))
        stage_reads(inputs, "cliff_closed", reach);
    if (world->cliffs.has_strata)
        stage_reads(inputs, "mask.strata", reach);
    return STATUS_OK;
}

static void surface_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    const struct cliff_settings *s = &world->cliffs;
    hash_u64(h, s->fine);
    hash_u64(h, has_closed(world));
    hash_f64(h, s->softness_m);
    for (size_t i = 0; i < s->image_count; i++) {
        hash_bytes(h, &s->images[i].id, sizeof s->images[i].id);
        hash_f64(h, s->images[i].tile_m);
        hash_f64(h, s->images[i].depth_m);
    }
    hash_u64(h, s->has_strata);
    for (size_t i = 0; i < s->preset_count; i++) {
        hash_text(h, s->presets[i].name);
        hash_f64(h, s->presets[i].dip_deg);
        hash_f64(h, s->presets[i].direction_deg);
    }
    const struct world_mask *mask = s->has_strata ? world_find_mask(world, "strata") : NULL;
    for (size_t i = 0; mask && i < mask->legend_count; i++) {
        hash_text(h, mask->legend[i].name);
        hash_u64(h, (uint64_t)mask->legend[i].code | (uint64_t)mask->legend[i].unpainted << 32);
    }
}

/* The mask's codes as presets. */
static bool read_presets(struct stage_run *run, const struct grid_u8 *codes, struct grid_u8 *out) {
    const struct cliff_settings *s = &run->world->cliffs;
    const struct world_mask *mask = world_find_mask(run->world, "strata");
    uint8_t preset[256] = {0};
    for (size_t i = 0; mask && i < mask->legend_count; i++)
        for (size_t p = 0; p < s->preset_count; p++)
            if (!mask->legend[i].unpainted && strcmp(mask->legend[i].name, s->presets[p].name) == 0)
                preset[mask->legend[i].code & 255] = (uint8_t)p;
    *out = (struct grid_u8){NULL, codes->x0, codes->y0, codes->width, codes->height, codes->width};
    out->cells = arena_alloc(run->scratch, (size_t)codes->width * (size_t)codes->height, 1);
    for (int32_t y = 0; out->cells && y < codes->height; y++)
        for (int32_t x = 0; x < codes->width; x++)
            out->cells[y * out->stride + x] = preset[codes->cells[y * codes->stride + x]];
    return out->cells != NULL;
}

/* The lattice columns of some cells, with those beyond the world's edge. */
static void columns_of(const struct world *world, const struct cliff_params *p, struct rect cells,
                       int32_t columns[4]) {
    int32_t n = cliffs_sector_steps(world), more = edge_steps(p);
    const struct rect *all = &world->extent.cells;
    columns[0] = floor_div(cells.x0 * n, SECTOR_CELLS) - (cells.x0 == all->x0 ? more : 0);
    columns[1] = floor_div(cells.y0 * n, SECTOR_CELLS) - (cells.y0 == all->y0 ? more : 0);
    columns[2] = -floor_div(-cells.x1 * n, SECTOR_CELLS) + (cells.x1 == all->x1 ? more : 0);
    columns[3] = -floor_div(-cells.y1 * n, SECTOR_CELLS) + (cells.y1 == all->y1 ? more : 0);
}

static bool any_rock(const struct grid_u8 *site) {
    for (int32_t y = 0; y < site->height; y++)
        for (int32_t x = 0; x < site->width; x++)
            if (site->cells[y * site->stride + x])
                return true;
    return false;
}

static void height_range(const struct cliff_nodes *nodes, double *lo, double *hi) {
    *lo = 1e18, *hi = -1e18;
    for (size_t i = 0; i < (size_t)nodes->width * (size_t)nodes->height; i++) {
        if (nodes->near[i] < NODE_NEAR)
            continue;
        double low = cliff_lowest(&nodes->nodes[i]), high = cliff_highest(&nodes->nodes[i]);
        *lo = low < *lo ? low : *lo;
        *hi = high > *hi ? high : *hi;
    }
    *lo -= 4;
    *hi += 4;
}

static double within(double v, int32_t from, int32_t until, double cell_m) {
    return v < from * cell_m ? from * cell_m : v > until * cell_m ? until * cell_m : v;
}

/* What the rock of a section is made from. */
struct making {
    struct stage_run *run;
    struct cliff_params params;
    struct cliff_nodes nodes;
    double z_lo, z_hi;
    void *parts[16];
    size_t sizes[16];
};

static enum status too_little(struct error *err) {
    return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
}

static enum status too_much(const struct making *m, const struct rect *sectors, const struct cliff_surface *s,
                            struct error *err) {
    const struct world *world = m->run->world;
    const struct rect *c = &world->extent.cells;
    double cell_m = world->extent.cell_m;
    bool faces = s->limit.quads > CLIFF_QUADS_MAX;
    int32_t per = MAP_CELLS / SECTOR_CELLS;
    return error_set(err, STATUS_LIMIT,
                     "cliffs: the rock of sector %d,%d (map %d,%d) would take %.1f million %s, more than "
                     "%.1f million: near "
                     "%.0f,%.0f the ground rises by %.0f m within a few cells. Keep rock away there with a "
                     "mask no_cliffs, "
                     "or mend the heights%s",
                     sectors->x0, sectors->y0, floor_div(sectors->x0, per), floor_div(sectors->y0, per),
                     (double)(faces ? s->limit.quads : s->limit.samples) / 1e6, faces ? "faces" : "samples",
                     (faces ? CLIFF_QUADS_MAX : CLIFF_SAMPLES_MAX) / 1e6,
                     within(s->limit.x_m, c->x0, c->x1, cell_m), within(s->limit.y_m, c->y0, c->y1, cell_m),
                     s->limit.tall_m, world->cliffs.fine ? ", or leave cliffs.lattice: fine" : "");
}

static enum status make_nodes(struct making *m, struct error *err) {
    struct stage_run *run = m->run;
    const struct window *next = run->inputs + 2;
    struct grid_u8 presets;
    struct cliff_masks masks = {.steep = &run->inputs[1].u8};
    if (has_closed(run->world))
        masks.closed = &(next++)->u8;
    if (run->world->cliffs.has_strata) {
        if (!read_presets(run, &next->u8, &presets))
            return too_little(err);
        masks.strata = &presets;
    }
    int32_t window[4], margin = cliff_nodes_margin(&m->params);
    columns_of(run->world, &m->params, run->cells, window);
    int32_t wide[4] = {window[0] - margin, window[1] - margin, window[2] + margin, window[3] + margin};
    if (!cliff_nodes_make(&m->params, &run->inputs[0].f32, &masks, wide, run->scratch, &m->nodes))
        return too_little(err);
    height_range(&m->nodes, &m->z_lo, &m->z_hi);
    if (!(m->z_lo < m->z_hi))
        m->z_lo = 0, m->z_hi = 1;
    return STATUS_OK;
}

/* The cells of a sector that the world has. */
static struct rect sector_cells(const struct making *m, int32_t x, int32_t y) {
    return extent_block(&m->run->world->extent, x, y, SECTOR_CELLS);
}

static enum status write_sector(struct making *m, const struct cliff_surface *surface, int32_t x, int32_t y,
                                struct error *err) {
    int32_t columns[4], n = cliffs_sector_steps(m->run->world), origin[2] = {x * n, y * n};
    size_t i = (size_t)((y - m->run->section_y * SECTION_SECTORS) * SECTION_SECTORS + x -
                        m->run->section_x * SECTION_SECTORS);
    struct cliff_mesh mesh;
    const void *part;
    columns_of(m->run->world, &m->params, sector_cells(m, x, y), columns);
    if (!cliff_surface_sector(surface, columns, origin, m->run->scratch, &mesh) ||
        !cliff_part_write(&mesh, m->run->scratch, &part, &m->sizes[i]))
        return too_little(err);
    if (m->sizes[i] == 0)
        return STATUS_OK;
    m->parts[i] = malloc(m->sizes[i]);
    if (!m->parts[i])
        return error_set(err, STATUS_LIMIT, "out of memory");
    memcpy(m->parts[i], part, m->sizes[i]);
    return STATUS_OK;
}

/* The surface over some sectors of the section, and from it their parts. *over: it would take more than one
 * surface may, and there are several sectors; then nothing was done. */
static enum status make_sectors(struct making *m, const struct rect *sectors, bool *over, struct error *err) {
    struct cliff_field field;
    struct cliff_surface surface;
    struct rect first = sector_cells(m, sectors->x0, sectors->y0),
                last = sector_cells(m, sectors->x1 - 1, sectors->y1 - 1);
    struct rect cells = {first.x0, first.y0, last.x1, last.y1};
    int32_t window[4];
    columns_of(m->run->world, &m->params, cells, window);
    surface.limit.over = false;
    if (!cliff_field_make(&m->params, &m->nodes, m->z_lo, m->z_hi, m->run->scratch, &field) ||
        !cliff_surface_make(&field, window, m->run->scratch, &surface)) {
        bool one = sectors->x1 - sectors->x0 == 1 && sectors->y1 - sectors->y0 == 1;
        *over = surface.limit.over && !one;
        return *over ? STATUS_OK : surface.limit.over ? too_much(m, sectors, &surface, err) : too_little(err);
    }
    enum status status = STATUS_OK;
    for (int32_t y = sectors->y0; y < sectors->y1; y++)
        for (int32_t x = sectors->x0; status == STATUS_OK && x < sectors->x1; x++) {
            size_t mark = arena_mark(m->run->scratch);
            status = write_sector(m, &surface, x, y, err);
            arena_release(m->run->scratch, mark);
        }
    return status;
}

/* Where the whole takes too much at once, halves of it, and their halves: the same bytes, since surfaces do
 * not depend on their window. */
static enum status make_in_pieces(struct making *m, struct rect sectors, struct error *err) {
    size_t mark = arena_mark(m->run->scratch);
    bool over = false;
    enum status status = make_sectors(m, &sectors, &over, err);
    arena_release(m->run->scratch, mark);
    if (!over)
        return status;
    struct rect a = sectors, b = sectors;
    if (sectors.x1 - sectors.x0 > sectors.y1 - sectors.y0)
        a.x1 = b.x0 = (sectors.x0 + sectors.x1 + 1) / 2;
    else
        a.y1 = b.y0 = (sectors.y0 + sectors.y1 + 1) / 2;
    status = make_in_pieces(m, a, err);
    return status == STATUS_OK ? make_in_pieces(m, b, err) : status;
}

static enum status surface_run(struct stage_run *run, struct error *err) {
    struct making m = {.run = run, .params = cliffs_params(run->world)};
    enum status status = STATUS_OK;
    if (any_rock(&run->inputs[1].u8)) {
        struct rect sectors = rect_blocks(run->cells, SECTOR_CELLS);
        status = make_nodes(&m, err);
        if (status == STATUS_OK)
            status = make_in_pieces(&m, sectors, err);
    }
    if (status == STATUS_OK && !tile_set_parts(run->outputs[0], (const void *const *)m.parts, m.sizes))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++)
        free(m.parts[i]);
    return status;
}

const struct stage stage_cliff_surface = {
    .name = "cliff_surface",
    .version = 9,
    .scope = SCOPE_SECTION,
    .keep = true,
    .any_sectors = true,
    .outputs = {{.name = "cliff_surface", .type = LAYER_BLOB, .what = "the rock's unsimplified surface"}},
    .inputs = surface_inputs,
    .settings = surface_settings,
    .run = surface_run,
};
