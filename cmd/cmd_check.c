/* terrane check: reads everything, reports every mistake, says what the world is. */
#include "biome/reach.h"
#include "cmd/cmd.h"
#include "cmd/print.h"
#include "cmd/world_args.h"
#include "gen/bake.h"
#include "gen/geojson.h"
#include "gen/mask_use.h"
#include "gen/source.h"
#include "gen/water_use.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option options[] = {
    CMD_SET_OPTION,
    {"--store", "DIR", false, "where decoded images are kept (default: what world.yaml says)"},
    {"--no-store", NULL, false, "keep nothing"},
    {NULL, NULL, false, NULL},
};

static const char *samples_name(const struct world *world) {
    return world->height.samples == SAMPLES_POSTS ? "posts" : "cells";
}

static void print_text(const struct world *world) {
    const struct rect *c = &world->extent.cells;
    double m = world->extent.cell_m;
    struct rect maps = rect_blocks(*c, MAP_CELLS), sectors = rect_blocks(*c, SECTOR_CELLS);
    print_out("%s: %g x %g m from %g,%g, cells of %g m, seed %" PRIu64 "\n", world->name, (c->x1 - c->x0) * m,
              (c->y1 - c->y0) * m, c->x0 * m, c->y0 * m, m, world->seed);
    print_out("  maps %d,%d to %d,%d; sectors %d,%d to %d,%d\n", maps.x0, maps.y0, maps.x1 - 1, maps.y1 - 1,
              sectors.x0, sectors.y0, sectors.x1 - 1, sectors.y1 - 1);
    char n[32];
    print_out("  heights: %s every %g m, %s, %g to %g m%s\n", samples_name(world), world->height.spacing_m,
              print_many((int64_t)world->height.source.file_count, "file", n), world->height.z_min_m,
              world->height.z_max_m, world->height.has_nodata ? ", with voids" : "");
    for (size_t i = 0; i < world->mask_count; i++)
        print_out("  mask %s: %s%s\n", world->masks[i].source.name,
                  print_many((int64_t)world->masks[i].source.file_count, "file", n),
                  world->masks[i].legend ? ", legend" : "");
    print_out("  splines: %zu, placed things: %zu, noises: %zu\n", world->splines ? world->splines->count : 0,
              world->placed ? world->placed->count : 0, world->noise_count);
    print_out("  tools:");
    for (size_t i = 0; i < world->tool_count; i++)
        print_out(" %s", world_tool_names[world->tools[i]]);
    print_out("%s\n", world->tool_count ? "" : " none");
    if (world->recipe)
        print_out("  recipe: %s of %d species, reach at most %.0f m\n",
                  print_many((int64_t)world->recipe->tier_count, "tier", n),
                  (int)world->recipe->species_count, (double)biome_reach_max_m(world->recipe));
}

static json_t *world_json(const struct world *world) {
    const struct rect *c = &world->extent.cells;
    double m = world->extent.cell_m;
    json_t *tools = json_array();
    for (size_t i = 0; i < world->tool_count; i++)
        json_array_append_new(tools, json_string(world_tool_names[world->tools[i]]));
    return json_pack("{s:s, s:[f,f], s:[f,f], s:f, s:s, s:f, s:o}", "name", world->name, "origin_m",
                     c->x0 * m, c->y0 * m, "size_m", (c->x1 - c->x0) * m, (c->y1 - c->y0) * m, "cell_m", m,
                     "height_samples", samples_name(world), "height_spacing_m", world->height.spacing_m,
                     "tools", tools);
}

/* NULL: null. A path need not be UTF-8, as JSON must: its bytes beyond ASCII become '?' then. */
static json_t *text_json(const char *text) {
    json_t *json = text ? json_string(text) : json_null();
    char *copy = json ? NULL : strdup(text);
    for (char *c = copy; c && *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    if (copy)
        json = json_string(copy);
    free(copy);
    return json ? json : json_null();
}

static json_t *messages_json(const struct report *report) {
    static const char *const levels[] = {"error", "warning", "note"};
    json_t *list = json_array();
    for (size_t i = 0; i < report->count; i++) {
        const struct report_item *item = &report->items[i];
        json_array_append_new(list, json_pack("{s:s, s:o, s:i, s:i, s:o}", "level", levels[item->level],
                                              "file", text_json(item->file), "line", item->line, "column",
                                              item->column, "message", text_json(item->message)));
    }
    return list;
}

/* world NULL: it has errors. */
static void print_as_json(const struct world *world, const struct report *report) {
    json_t *root = json_pack("{s:b, s:o}", "ok", world != NULL, "messages", messages_json(report));
    if (world)
        json_object_set_new(root, "world", world_json(world));
    print_json(root);
}

/* Decodes every image: what headers cannot tell. A bake finds them decoded. */
static void check_pixels(const struct cmd_args *args, const struct world *world, struct report *report) {
    struct store *store = NULL;
    struct source_set *sources = NULL;
    struct error err;
    const char *dir = cmd_flag(args, "--no-store") ? "" : cmd_value(args, "--store");
    enum status status = bake_open_store(world, dir, world->dir, &store, &err);
    if (status == STATUS_OK)
        status = source_open(world, store_dir(store), &sources, &err);
    if (status == STATUS_OK)
        source_check(sources, report);
    if (status == STATUS_OK && report_status(report) == STATUS_OK)
        source_check_paint(sources, report);
    if (status != STATUS_OK)
        report_error(report, &err);
    source_close(sources);
    store_close(store);
}

static enum status run(const struct cmd_args *args) {
    struct report report = {0};
    struct world *world = cmd_read_world(args, &report);
    if (world)
        check_pixels(args, world, &report);
    if (world && report_status(&report) == STATUS_OK) {
        mask_use_check(world, &report);
        water_use_check(world, &report);
    }
    enum status status = report_status(&report);
    if (status != STATUS_OK) {
        world_free(world);
        world = NULL;
    }
    print_report(&report);
    if (cmd_flag(args, "--json"))
        print_as_json(world, &report);
    else if (world)
        print_text(world);
    report_free(&report);
    world_free(world);
    return status;
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
