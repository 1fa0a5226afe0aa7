/* The stage of the surface's meshes. */
#include "gen/stages_water.h"

#include "gen/glb.h"
#include "gen/world.h"
#include "water/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUND_REACH = FALL_CELLS + 16 }; /* cells around a section that falls look at */

static enum status mesh_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                               struct error *err) {
    (void)arg;
    stage_reads(inputs, "ground_water", GROUND_REACH);
    stage_reads(inputs, "water_pieces", 0);
    return water_needs_tool(world, err);
}

/* Cells between nodes: a power of two, so that sectors hold whole quads. */
static int32_t step_of(const struct world *world) {
    int32_t step = 1;
    while (step < 16 && 2 * step * world->extent.cell_m <= world->freshwater.mesh_m * 1.001)
        step *= 2;
    return step;
}

static void mesh_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_u64(h, (uint64_t)step_of(world));
}

/* Vertices as the file wants them. */
struct arrays {
    float *positions, *normals, *flow, *along, *shore, *foam;
};

static bool take_arrays(struct arrays *a, size_t n, struct arena *arena) {
    a->positions = arena_alloc(arena, n, 3 * sizeof(float));
    a->normals = arena_alloc(arena, n, 3 * sizeof(float));
    a->flow = arena_alloc(arena, n, 2 * sizeof(float));
    a->along = arena_alloc(arena, n, sizeof(float));
    a->shore = arena_alloc(arena, n, sizeof(float));
    a->foam = arena_alloc(arena, n, sizeof(float));
    return a->positions && a->normals && a->flow && a->along && a->shore && a->foam;
}

static bool describe(const struct water_mesh *mesh, const char *name, const double origin[3],
                     int32_t material, struct glb_mesh *out, struct arena *arena) {
    struct arrays a;
    if (!take_arrays(&a, mesh->vertex_count, arena))
        return false;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const struct water_vertex *v = &mesh->vertices[i];
        a.positions[3 * i] = (float)(v->x - origin[0]);
        a.positions[3 * i + 1] = (float)(v->y - origin[1]);
        a.positions[3 * i + 2] = (float)(v->z - origin[2]);
        memcpy(a.normals + 3 * i, v->normal, sizeof v->normal);
        memcpy(a.flow + 2 * i, v->flow, sizeof v->flow);
        a.along[i] = v->along;
        a.shore[i] = v->shore;
        a.foam[i] = v->foam;
    }
    *out = (struct glb_mesh){.name = name,
                             .origin_m = {origin[0], origin[1], origin[2]},
                             .positions_m = a.positions,
                             .normals = a.normals,
                             .vertex_count = mesh->vertex_count,
                             .indices = mesh->indices,
                             .index_count = mesh->index_count,
                             .attributes = {{"_FLOW", GLB_F32, 2, a.flow},
                                            {"_ALONG", GLB_F32, 1, a.along},
                                            {"_SHORE", GLB_F32, 1, a.shore},
                                            {"_FOAM", GLB_F32, 1, a.foam}},
                             .attribute_count = 4,
                             .material = material};
    return true;
}

/* Whether a place lies in the sector; places outside the world belong to its edge. */
static bool lies_in(const struct world *world, double x_m, double y_m, struct rect sector) {
    struct rect c = world->extent.cells;
    double x = floor(x_m / world->extent.cell_m), y = floor(y_m / world->extent.cell_m);
    x = x < c.x0 ? c.x0 : x >= c.x1 ? c.x1 - 1 : x;
    y = y < c.y0 ? c.y0 : y >= c.y1 ? c.y1 - 1 : y;
    return x >= sector.x0 && x < sector.x1 && y >= sector.y0 && y < sector.y1;
}

/* The sheets of the falls that begin in the sector, as one mesh. */
static enum status sheets_of(struct stage_run *run, const struct water_set *set, struct rect sector,
                             struct water_mesh *all, struct error *err) {
    double m = run->world->extent.cell_m;
    struct water_ground_view ground = {&run->inputs[0].f32, run->inputs[0].posts, m};
    *all = (struct water_mesh){0};
    for (uint32_t f = 0, first = 0; f < set->fall_count; first = set->fall_end[f++]) {
        const struct water_lip *lip = &set->lips[first], *top = lip + lip->spare;
        if (!lies_in(run->world, top->x, top->y, sector))
            continue;
        struct water_mesh one, sum;
        enum status status = water_sheet(lip, set->fall_end[f] - first, &ground, &one, run->scratch, err);
        if (status != STATUS_OK)
            return status;
        sum.vertex_count = all->vertex_count + one.vertex_count;
        sum.index_count = all->index_count + one.index_count;
        sum.vertices = arena_alloc(run->scratch, sum.vertex_count + 1, sizeof *sum.vertices);
        sum.indices = arena_alloc(run->scratch, sum.index_count + 1, sizeof *sum.indices);
        if (!sum.vertices || !sum.indices)
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        if (all->vertex_count) {
            memcpy(sum.vertices, all->vertices, all->vertex_count * sizeof *sum.vertices);
            memcpy(sum.indices, all->indices, all->index_count * sizeof *sum.indices);
        }
        memcpy(sum.vertices + all->vertex_count, one.vertices, one.vertex_count * sizeof *sum.vertices);
        for (uint32_t i = 0; i < one.index_count; i++)
            sum.indices[all->index_count + i] = one.indices[i] + all->vertex_count;
        *all = sum;
    }
    return STATUS_OK;
}

/* One sector's file, malloc'ed; none: size 0. */
static enum status sector_file(struct stage_run *run, const struct water_set *set,
                               const struct water_lattice *lattice, struct rect sector, unsigned char **bytes,
                               size_t *size, struct error *err) {
    static const struct glb_material looks[2] = {
        {.name = "water", .base_color = {0.05f, 0.16f, 0.19f, 0.8f}, .roughness = 0.08f, .blend = true},
        {.name = "fall",
         .base_color = {0.75f, 0.82f, 0.85f, 0.85f},
         .roughness = 0.5f,
         .double_sided = true,
         .blend = true}};
    struct water_mesh surface, sheets;
    double m = run->world->extent.cell_m;
    enum status status =
        water_surface(lattice, sector.x0, sector.y0, sector.x1, sector.y1, &surface, run->scratch, err);
    if (status == STATUS_OK)
        status = sheets_of(run, set, sector, &sheets, err);
    if (status != STATUS_OK || (!surface.index_count && !sheets.index_count))
        return status;
    const struct water_mesh *first = surface.index_count ? &surface : &sheets;
    double origin[3] = {sector.x0 * m, sector.y0 * m, floor(first->vertices[0].z)};
    struct glb_mesh meshes[2];
    struct glb_material materials[2];
    size_t count = 0;
    const struct water_mesh *both[2] = {&surface, &sheets};
    for (int k = 0; k < 2; k++) {
        if (!both[k]->index_count)
            continue;
        if (!describe(both[k], k ? "falls" : "water", origin, (int32_t)count, &meshes[count], run->scratch))
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        materials[count++] = looks[k];
    }
    struct glb_scene scene = {meshes, count, materials, count};
    return glb_encode(&scene, bytes, size, err);
}

/* The lattice over the section, one step wider on every side; and the ground at its nodes. */
static enum status lattice_over(struct stage_run *run, const struct water_set *set, struct water_grid *grid,
                                struct water_lattice *lattice, struct error *err) {
    int32_t step = step_of(run->world);
    struct rect c = run->cells;
    *grid = (struct water_grid){.x0 = floor_div(c.x0, step) * step - step,
                                .y0 = floor_div(c.y0, step) * step - step,
                                .step = step,
                                .cell_m = run->world->extent.cell_m,
                                .near_m = water_lattice_near_m(step * run->world->extent.cell_m)};
    grid->width = (c.x1 - grid->x0 + step - 1) / step + 2;
    grid->height = (c.y1 - grid->y0 + step - 1) / step + 2;
    size_t count = (size_t)grid->width * (size_t)grid->height;
    struct water_sample *samples = arena_alloc(run->scratch, count, sizeof *samples);
    float *ground = arena_alloc(run->scratch, count, sizeof *ground);
    if (!samples || !ground)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    enum status status = water_field(set, grid, samples, NULL, run->scratch, err);
    struct water_ground_view *view = arena_alloc(run->scratch, 1, sizeof *view);
    if (!view)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    *view = (struct water_ground_view){&run->inputs[0].f32, run->inputs[0].posts, grid->cell_m};
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        int32_t x = grid->x0 + (int32_t)(i % (size_t)grid->width) * step;
        int32_t y = grid->y0 + (int32_t)(i / (size_t)grid->width) * step;
        ground[i] = samples[i].sd < WATER_REACH_M
                        ? (float)water_ground_at(view, x * grid->cell_m, y * grid->cell_m)
                        : 0;
    }
    *lattice = (struct water_lattice){grid, samples, ground, view, set};
    return status;
}

static enum status mesh_run(struct stage_run *run, struct error *err) {
    struct water_set set;
    struct water_grid grid;
    struct water_lattice lattice;
    unsigned char *files[SECTORS_PER_SECTION] = {NULL};
    size_t sizes[SECTORS_PER_SECTION] = {0};
    enum status status = water_set_here(run, &run->inputs[1], &set, err);
    if (status != STATUS_OK || (!set.piece_count && !set.lake_count))
        return status;
    status = lattice_over(run, &set, &grid, &lattice, err);
    for (int32_t i = 0; status == STATUS_OK && i < SECTORS_PER_SECTION; i++) {
        int32_t x = run->section_x * SECTION_SECTORS + i % SECTION_SECTORS;
        int32_t y = run->section_y * SECTION_SECTORS + i / SECTION_SECTORS;
        struct rect sector = extent_block(&run->world->extent, x, y, SECTOR_CELLS);
        size_t mark = arena_mark(run->scratch);
        if (!rect_empty(sector))
            status = sector_file(run, &set, &lattice, sector, &files[i], &sizes[i], err);
        arena_release(run->scratch, mark);
    }
    if (status == STATUS_OK && !tile_set_parts(run->outputs[0], (const void *const *)files, sizes))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++)
        free(files[i]);
    return status;
}

const struct stage stage_water_mesh = {
    .name = "water_mesh",
    .version = 12,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "water_glb",
                 .type = LAYER_BLOB,
                 .scale = 1,
                 .unit = "",
                 .what = "surfaces of rivers, lakes and falls, for the sectors' .water.glb"}},
    .inputs = mesh_inputs,
    .settings = mesh_settings,
    .run = mesh_run,
};
