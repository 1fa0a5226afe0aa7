#include "gen/stages_cliff.h"

#include "gen/cliff_glb.h"
#include "gen/cliff_part.h"
#include "gen/cliff_simplify.h"
#include "terrain/hash.h"
#include <stdlib.h>

static enum status glb_inputs(const struct world *world, const char *arg, struct stage_inputs *inputs,
                              struct error *err) {
    (void)arg;
    stage_reads(inputs, "cliff_surface", 0);
    return cliffs_need(world, err);
}

static void glb_settings(const struct world *world, const char *arg, struct hasher *h) {
    (void)arg;
    hash_f64(h, world->cliffs.error_m);
    hash_f64(h, world->cliffs.collision_m);
    hash_u64(h, (uint64_t)world->cliffs.max_triangles);
    hash_u64(h, world->cliffs.attributes);
    hash_u64(h, cliff_simplifier());
    if (world->cliffs.attributes)
        cliffs_hash_ramp(world, h);
}

static enum status glb_of_sector(struct stage_run *run, int32_t sector, void **bytes, size_t *size,
                                 struct error *err) {
    const struct cliff_settings *s = &run->world->cliffs;
    double side_m = SECTOR_CELLS * run->world->extent.cell_m;
    int32_t x = run->section_x * SECTION_SECTORS + sector % SECTION_SECTORS;
    int32_t y = run->section_y * SECTION_SECTORS + sector / SECTION_SECTORS;
    struct cliff_mesh mesh;
    if (!cliff_part_read(run->inputs[0].tiles[0], sector, run->scratch, &mesh))
        return error_set(err, STATUS_LIMIT, "cliffs: too little scratch memory");
    if (mesh.own_count == 0)
        return STATUS_OK;
    struct cliff_glb_params params = {.origin_m = {x * side_m, y * side_m},
                                      .error_m = s->error_m,
                                      .collision_m = s->collision_m,
                                      .max_triangles = (uint32_t)s->max_triangles,
                                      .attributes = s->attributes,
                                      .ramp = &s->ramp,
                                      .seed = hash_mix(run->world->seed + hash_name("cliffs"))};
    unsigned char *file = NULL;
    enum status status = cliff_glb_make(&params, &mesh, run->scratch, &file, size, err);
    *bytes = file;
    return status;
}

static enum status glb_run(struct stage_run *run, struct error *err) {
    void *parts[16] = {NULL};
    size_t sizes[16] = {0};
    enum status status = STATUS_OK;
    for (int32_t i = 0; status == STATUS_OK && i < SECTORS_PER_SECTION; i++) {
        size_t mark = arena_mark(run->scratch);
        status = glb_of_sector(run, i, &parts[i], &sizes[i], err);
        arena_release(run->scratch, mark);
    }
    if (status == STATUS_OK && !tile_set_parts(run->outputs[0], (const void *const *)parts, sizes))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++)
        free(parts[i]);
    return status;
}

const struct stage stage_cliff_glb = {
    .name = "cliff_glb",
    .version = 7,
    .scope = SCOPE_SECTION,
    .keep = true,
    .outputs = {{.name = "cliff_glb", .type = LAYER_BLOB, .what = "the .cliff.glb of each sector"}},
    .inputs = glb_inputs,
    .settings = glb_settings,
    .run = glb_run,
};
