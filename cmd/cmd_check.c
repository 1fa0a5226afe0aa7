/* terrane check: reads everything, reports every mistake, says what the world is. */
#include "cmd/cmd.h"
#include "cmd/print.h"
#include "cmd/world_args.h"
#include "gen/geojson.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

static const struct cmd_option options[] = {CMD_SET_OPTION, {NULL, NULL, false, NULL}};

static const char *samples_name(const struct world *world) {
    return world->height.samples == SAMPLES_POSTS ? "posts" : "cells";
}

static void print_text(const struct world *world) {
    const struct rect *c = &world->extent.cells;
    double m = world->extent.cell_m;
    struct rect maps = rect_blocks(*c, MAP_CELLS), sectors = rect_blocks(*c, SECTOR_CELLS);
    printf("%s: %g x %g m from %g,%g, cells of %g m, seed %" PRIu64 "\n", world->name, (c->x1 - c->x0) * m,
           (c->y1 - c->y0) * m, c->x0 * m, c->y0 * m, m, world->seed);
    printf("  maps %d,%d to %d,%d; sectors %d,%d to %d,%d\n", maps.x0, maps.y0, maps.x1 - 1, maps.y1 - 1,
           sectors.x0, sectors.y0, sectors.x1 - 1, sectors.y1 - 1);
    printf("  heights: %s every %g m, %zu file%s, %g to %g m%s\n", samples_name(world),
           world->height.spacing_m, world->height.source.file_count,
           world->height.source.file_count == 1 ? "" : "s", world->height.z_min_m, world->height.z_max_m,
           world->height.has_nodata ? ", with voids" : "");
    for (size_t i = 0; i < world->mask_count; i++)
        printf("  mask %s: %zu file%s%s\n", world->masks[i].source.name, world->masks[i].source.file_count,
               world->masks[i].source.file_count == 1 ? "" : "s", world->masks[i].legend ? ", legend" : "");
    printf("  splines: %zu, placed things: %zu, noises: %zu\n", world->splines ? world->splines->count : 0,
           world->placed ? world->placed->count : 0, world->noise_count);
    printf("  tools:");
    for (size_t i = 0; i < world->tool_count; i++)
        printf(" %s", world_tool_names[world->tools[i]]);
    printf("%s\n", world->tool_count ? "" : " none");
}

static void print_as_json(const struct world *world) {
    const struct rect *c = &world->extent.cells;
    double m = world->extent.cell_m;
    json_t *root =
        json_pack("{s:b, s:s, s:[f,f], s:[f,f], s:f, s:s, s:f}", "ok", 1, "name", world->name, "origin_m",
                  c->x0 * m, c->y0 * m, "size_m", (c->x1 - c->x0) * m, (c->y1 - c->y0) * m, "cell_m", m,
                  "height_samples", samples_name(world), "height_spacing_m", world->height.spacing_m);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    putchar('\n');
    json_decref(root);
}

static enum status run(const struct cmd_args *args) {
    enum status status;
    struct world *world = cmd_load_world(args, &status);
    if (!world) {
        if (cmd_flag(args, "--json"))
            printf("{\n  \"ok\": false\n}\n");
        return status;
    }
    if (cmd_flag(args, "--json"))
        print_as_json(world);
    else
        print_text(world);
    world_free(world);
    return STATUS_OK;
}

const struct cmd_command cmd_check = {
    .name = "check",
    .usage = "WORLD",
    .summary = "read everything and report every mistake with its place",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run,
};
