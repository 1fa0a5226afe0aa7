/* terrane layer: any layer of a world as a picture or as numbers. */
#include "cmd/cmd.h"
#include "cmd/print.h"
#include "cmd/world_args.h"
#include "gen/look.h"
#include "gen/names.h"
#include "gen/os.h"
#include "gen/picture.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option options[] = {
    {"--out", "FILE", false,
     "where it goes: .png is a picture, .r32 (float, north row first) and .asc numbers"},
    {"--map", "X,Y", false, "this map only"},
    {"--section", "X,Y", false, "this section only"},
    {"--list", NULL, false, "list the world's layers instead"},
    CMD_SET_OPTION,
    {"--store", "DIR", false, "where results are kept (default: what world.yaml says)"},
    {"--no-store", NULL, false, "keep nothing for the next bake"},
    {"--threads", "N", false, "default: one a core"},
    {NULL, NULL, false, NULL},
};

struct layer_job {
    const struct world *world;
    struct rect cells;
    enum picture_format format;
    unsigned char *bytes;
    size_t size;
};

static enum status make_file(void *context, const struct window *windows, struct hash128 inputs,
                             struct arena *scratch, struct error *err) {
    (void)inputs;
    (void)scratch;
    struct layer_job *job = context;
    return picture_file(job->world, windows, job->cells, job->format, &job->bytes, &job->size, err);
}

/* What --map or --section leaves of the world. */
static enum status choose_cells(const struct cmd_args *args, const struct world *world, struct rect *cells,
                                struct error *err) {
    const char *map = cmd_value(args, "--map"), *section = cmd_value(args, "--section");
    int32_t block = map ? MAP_CELLS : SECTION_CELLS, x, y;
    *cells = world->extent.cells;
    if (!map && !section)
        return STATUS_OK;
    if (map && section)
        return error_set(err, STATUS_USAGE, "--map and --section: choose one");
    if (!select_parse_pair(map ? map : section, &x, &y))
        return error_set(err, STATUS_USAGE, "%s: '%s': write X,Y", map ? "--map" : "--section",
                         map ? map : section);
    struct selection selection; /* says what is wrong with one outside the world */
    enum status status = select_init(&world->extent, &selection, err);
    if (status == STATUS_OK)
        status = select_block(&selection, map ? "map" : "section", block, x, y, err);
    if (status != STATUS_OK)
        error_context(err, "%s", map ? "--map" : "--section");
    select_free(&selection);
    if (status == STATUS_OK)
        *cells = extent_block(&world->extent, x, y, block);
    return status;
}

static enum status unknown_layer(const struct world *world, const char *name, struct error *err) {
    const char *const *names;
    size_t count = gen_layer_names(world, &names);
    char hint[128];
    error_set(err, STATUS_USAGE, "there is no layer '%s'%s ('terrane layer WORLD --list' lists them)", name,
              cmd_suggest(name, names, count, hint));
    gen_layer_names_free(names);
    return STATUS_USAGE;
}

/* A raw file's reader has nothing but this: the samples are those that the file holds (posts: one more). */
static void print_result(const struct cmd_args *args, const struct world *world, const char *out,
                         const struct layer_info *layer, const char *name, const struct rect *cells) {
    const char *unit = layer->unit ? layer->unit : "";
    struct picture_area area = picture_area_of(world, layer, *cells);
    int32_t width = area.samples.x1 - area.samples.x0, height = area.samples.y1 - area.samples.y0;
    if (cmd_flag(args, "--json"))
        print_json(json_pack("{s:s, s:s, s:s, s:[i,i], s:[i,i]}", "layer", name, "unit", unit, "file", out,
                             "south_west_cell", cells->x0, cells->y0, "size_samples", width, height));
    else
        print_note("%s: %s, %" PRId32 " x %" PRId32 " %s%s%s", out, name, width, height,
                   area.posts ? "posts" : "cells", unit[0] ? ", in " : "", unit);
}

static enum status make_layer(const struct cmd_args *args, const struct world *world, struct error *err) {
    const char *out = cmd_value(args, "--out"), *name = args->words[1];
    struct layer_job context = {.world = world};
    long threads;
    if (args->word_count < 2 || !out)
        return error_set(err, STATUS_USAGE, "terrane layer needs %s; usage: terrane layer %s",
                         args->word_count < 2 ? "the NAME of a layer" : "--out FILE", args->command->usage);
    if (!cmd_int(args, "--threads", 1, 1024, os_cpu_count(), &threads))
        return STATUS_USAGE;
    const struct layer_info *layer = gen_layer_info(world, name);
    if (!layer)
        return unknown_layer(world, name, err);
    enum status status = picture_format_of(out, &context.format, err);
    if (status == STATUS_OK)
        status = choose_cells(args, world, &context.cells, err);
    struct picture_style style;
    if (status == STATUS_OK && context.format == PICTURE_PNG)
        status = picture_style_of(world, layer, &style, err); /* refused before anything is made */
    const struct exec_input input = {name, 0};
    struct exec_job job = {
        .cells = context.cells, .input_count = 1, .inputs = &input, .run = make_file, .context = &context};
    struct look_options look = {cmd_flag(args, "--no-store") ? "" : cmd_value(args, "--store"),
                                (int32_t)threads, (uint64_t)512 << 20};
    if (status == STATUS_OK)
        status = look_jobs(world, &look, &job, 1, err);
    if (status == STATUS_OK)
        status = os_write_file(out, context.bytes, context.size, err);
    free(context.bytes);
    if (status == STATUS_OK)
        print_result(args, world, out, layer, name, &context.cells);
    return status;
}

static enum status list_layers(const struct cmd_args *args, const struct world *world, struct error *err) {
    const char *const *names;
    size_t count = gen_layer_names(world, &names);
    if (!count)
        return error_set(err, STATUS_LIMIT, "out of memory");
    json_t *list = cmd_flag(args, "--json") ? json_array() : NULL;
    for (size_t i = 0; i < count; i++) {
        const struct layer_info *layer = gen_layer_info(world, names[i]);
        if (!layer)
            continue;
        const char *unit = layer->unit ? layer->unit : "", *what = layer->what ? layer->what : "";
        if (strcmp(names[i], "ground") == 0)
            what = "the ground that layers and tools stand on: the input's, and what fresh water carves";
        else if (strcmp(names[i], "height_in") == 0)
            what = "input heights, voids filled";
        if (list)
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:s}", "layer", names[i], "unit", unit, "what", what));
        else
            print_out("%-24s %-10s %s\n", names[i], unit, what);
    }
    if (list)
        print_json(list);
    gen_layer_names_free(names);
    return STATUS_OK;
}

static enum status run(const struct cmd_args *args) {
    enum status status;
    struct world *world = cmd_load_world(args, false, &status);
    if (!world)
        return status;
    struct error err = {0};
    status = cmd_flag(args, "--list") ? list_layers(args, world, &err) : make_layer(args, world, &err);
    if (status != STATUS_OK && err.message[0])
        print_failure(&err);
    world_free(world);
    return status;
}

const struct cmd_command cmd_layer = {
    .name = "layer",
    .usage = "WORLD NAME --out FILE.(png|r32|asc) [--map X,Y]",
    .summary = "write any layer as a picture or as numbers",
    .details = "The picture is for eyes: a fixed colour ramp for each layer. .r32 and .asc are for tools.",
    .min_words = 1,
    .max_words = 2,
    .options = options,
    .run = run,
};
