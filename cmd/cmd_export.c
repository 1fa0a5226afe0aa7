/* terrane export: a bake's outputs in the form that another program wants. */
#include "cmd/cmd.h"
#include "cmd/print.h"
#include "gen/export_images.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option options[] = {
    {"--for", "images", false, "what for: images puts the sections' rasters together"},
    {"--to", "DIR", false, "where they go"},
    {"--whole", NULL, false, "one image for the whole world instead of one a map"},
    {"--only", "NAME", true, "this output only, e.g. height"},
    {NULL, NULL, false, NULL},
};

static enum status run(const struct cmd_args *args) {
    const char *what = cmd_value(args, "--for"), *to = cmd_value(args, "--to");
    struct error err;
    if (!what || !to) {
        error_set(&err, STATUS_USAGE, "terrane export needs %s; usage: terrane export %s",
                  what ? "--to DIR" : "--for", args->command->usage);
        print_failure(&err);
        return STATUS_USAGE;
    }
    if (strcmp(what, "images") != 0) {
        static const char *const forms[] = {"images"};
        char hint[128];
        error_set(&err, STATUS_USAGE, "--for '%s': this version exports for images%s", what,
                  cmd_suggest(what, forms, 1, hint));
        print_failure(&err);
        return STATUS_USAGE;
    }
    const char **names;
    struct export_options export = {.whole_world = cmd_flag(args, "--whole")};
    export.name_count = cmd_values(args, "--only", &names);
    export.names = export.name_count ? names : NULL;
    struct export_report report = {0};
    enum status status = export_images(args->words[0], to, &export, &report, &err);
    free(names);
    if (status != STATUS_OK) {
        print_failure(&err);
        return status;
    }
    char text[32];
    if (cmd_flag(args, "--json"))
        printf("{\"images\": %" PRId64 ", \"missing_maps\": %" PRId64 ", \"missing_sections\": %" PRId64
               "}\n",
               report.images, report.missing_maps, report.missing_sections);
    else
        print_note("%s in %s", print_many(report.images, "image", text), to);
    if (report.missing_maps)
        print_note(
            "warning: left out: %s that %s/manifest.json lists, without a manifest of %s own; bake again",
            print_many(report.missing_maps, "map", text), args->words[0],
            report.missing_maps == 1 ? "its" : "their");
    if (report.missing_sections)
        print_note("warning: not baked: %s, code 0 there; the .json files list them",
                   print_many(report.missing_sections, "section", text));
    return STATUS_OK;
}

const struct cmd_command cmd_export = {
    .name = "export",
    .usage = "OUT --for images --to DIR [--whole] [--only NAME]",
    .summary = "put a bake's outputs into the form that another program wants",
    .details = "images: one image a map (or for the whole world) of each raster, codes as they are, with a\n"
               ".json that says where it lies and how codes become values.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run,
};
