/* terrane diff: what changed between two bakes. */
#include "cmd/cmd.h"
#include "cmd/print.h"
#include "gen/diff.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option options[] = {
    {"--most", "N", false, "how many entities to name one by one (default 20)"},
    {"--all", NULL, false, "every file and sector by itself, with the first cells that differ"},
    {NULL, NULL, false, NULL},
};

/* One sample's values, in the unit of the line above. */
static void print_place(const struct diff_file *f, int32_t i) {
    print_out("  %s %" PRId32 ",%" PRId32 ": ",
              f->pixels  ? "pixel"
              : f->posts ? "post"
                         : "cell",
              f->places[i].x, f->places[i].y);
    if (f->colour)
        print_out("#%06" PRIx32 " -> #%06" PRIx32 "\n", f->places[i].a, f->places[i].b);
    else
        print_out("%.6g -> %.6g%s%s\n", f->offset + f->scale * f->places[i].a,
                  f->offset + f->scale * f->places[i].b, f->unit[0] ? " " : "", f->unit);
}

static void print_file(const struct diff_file *f) {
    char a[32], b[32];
    if (f->side != DIFF_BOTH) {
        print_out("only in %s: %s\n", f->side == DIFF_ONLY_A ? "A" : "B", f->path);
        return;
    }
    if (f->what[0]) {
        print_out("%s: %s differs\n", f->path, f->what);
        return;
    }
    print_out("%s: %s of %s cells differ, by at most %g%s%s\n", f->path, print_count(f->different, a),
              print_count(f->cells, b), f->max_difference, f->unit[0] ? " " : "", f->unit);
    for (int32_t i = 0; i < f->place_count; i++)
        print_place(f, i);
}

/* What a file is of its kind: "height.png" of every section, "water.glb" of every sector. */
static const char *kind_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strchr(name, '.');
    return strstr(path, "/sectors/") && dot ? dot + 1 : name;
}

/* Files of one kind and one side, which differ in one way. */
static bool are_alike(const struct diff_file *a, const struct diff_file *b) {
    return a->side == b->side && strcmp(a->what, b->what) == 0 && strcmp(a->unit, b->unit) == 0 &&
           strcmp(kind_of(a->path), kind_of(b->path)) == 0;
}

/* Files that are alike, together. */
struct kind {
    const struct diff_file *first;
    size_t files;
    int64_t different, cells;
    double most;
};
enum { KINDS_MAX = 256 };

/* The kind of a file, a new one if need be; NULL: there are too many. */
static struct kind *kind_for(struct kind *kinds, size_t *count, const struct diff_file *f) {
    for (size_t k = 0; k < *count; k++)
        if (are_alike(kinds[k].first, f))
            return &kinds[k];
    if (*count == KINDS_MAX)
        return NULL;
    kinds[*count] = (struct kind){.first = f};
    return &kinds[(*count)++];
}

static void print_many_files(const struct kind *k) {
    char n[32], a[32], b[32];
    const struct diff_file *f = k->first;
    print_many((int64_t)k->files, "file", n);
    if (f->side != DIFF_BOTH)
        print_out("only in %s: %s of %s\n", f->side == DIFF_ONLY_A ? "A" : "B", n, kind_of(f->path));
    else if (f->what[0])
        print_out("%s: %s of %s differs\n", kind_of(f->path), f->what, n);
    else
        print_out("%s: %s of %s cells in %s differ, by at most %g%s%s\n", kind_of(f->path),
                  print_count(k->different, a), print_count(k->cells, b), n, k->most, f->unit[0] ? " " : "",
                  f->unit);
}

/* One line for all files of a kind, where there are several. */
static void print_kinds(const struct diff_result *result) {
    struct kind kinds[KINDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < result->file_count; i++) {
        const struct diff_file *f = &result->files[i];
        struct kind *k = kind_for(kinds, &count, f);
        if (!k) {
            print_file(f);
            continue;
        }
        k->files++;
        k->different += f->different;
        k->cells += f->cells;
        k->most = f->max_difference > k->most ? f->max_difference : k->most;
    }
    for (size_t i = 0; i < count; i++)
        if (kinds[i].files == 1)
            print_file(kinds[i].first);
        else
            print_many_files(&kinds[i]);
}

static void print_species(const struct diff_result *result) {
    size_t count;
    const char **names = result->species ? json_keys(result->species, &count) : NULL;
    for (size_t i = 0; names && i < count; i++) {
        const json_t *pair = json_object_get(result->species, names[i]);
        json_int_t a = json_integer_value(json_array_get(pair, 0)),
                   b = json_integer_value(json_array_get(pair, 1));
        char was[32], is[32];
        print_out("species %s: %s -> %s (%+" PRId64 ")\n", names[i], print_count(a, was), print_count(b, is),
                  (int64_t)(b - a));
    }
    free(names);
}

enum { SECTORS_SHOWN = 20 };

static void print_entities(const struct diff_result *result, size_t most, bool all_sectors) {
    int64_t all[DIFF_CHANGES] = {0};
    for (size_t i = 0; i < result->sector_count; i++) {
        const struct diff_sector *s = &result->sectors[i];
        for (int c = 0; c < DIFF_CHANGES; c++)
            all[c] += s->counts[c];
        if (i >= SECTORS_SHOWN && !all_sectors)
            continue;
        print_out("sector %" PRId32 ",%" PRId32 ":", s->x, s->y);
        for (int c = 0; c < DIFF_CHANGES; c++) {
            if (s->counts[c])
                print_out(" %" PRId64 " %s", s->counts[c], diff_change_names[c]);
        }
        print_out("\n");
    }
    if (result->sector_count > SECTORS_SHOWN && !all_sectors)
        print_out("... and %zu more sectors; --all names them\n", result->sector_count - SECTORS_SHOWN);
    for (size_t i = 0; i < result->entity_count && i < most; i++) {
        const struct diff_entity *e = &result->entities[i];
        const char *asset = diff_asset(result, e);
        print_out("  %s %016" PRIx64, diff_change_names[e->change], e->id);
        if (asset)
            print_out(" %s", asset);
        else
            print_out(" object %" PRIu32, e->object_id);
        print_out(" at %.3f,%.3f m", e->x_m, e->y_m);
        if (e->change == DIFF_MOVED)
            print_out(" by %.3f m", e->distance_m);
        print_out("\n");
    }
    if (result->entity_count > most)
        print_out("  ... and %zu more; --most N names more\n", result->entity_count - most);
    if (result->entity_count)
        print_out("entities: %" PRId64 " added, %" PRId64 " removed, %" PRId64 " moved, %" PRId64
                  " changed\n",
                  all[DIFF_ADDED], all[DIFF_REMOVED], all[DIFF_MOVED], all[DIFF_CHANGED]);
}

static void print_text(const struct diff_result *result, size_t most, bool all) {
    for (size_t i = 0; all && i < result->file_count; i++)
        print_file(&result->files[i]);
    if (!all)
        print_kinds(result);
    print_species(result);
    print_entities(result, most, all);
    if (result->manifests_differ)
        print_note("note: the manifests name other inputs or versions");
    char a[32], b[32];
    if (result->file_count == 0 && result->entity_count == 0 && !result->troubles.errors)
        print_note("the same: %s rasters, %s entities", print_count(result->rasters_compared, a),
                   print_count(result->entities_compared, b));
}

static enum status run(const struct cmd_args *args) {
    long most;
    if (!cmd_int(args, "--most", 0, 1000000000, 20, &most))
        return STATUS_USAGE;
    struct diff_result result = {0};
    struct error err;
    enum status status = diff_out(args->words[0], args->words[1], &result, &err);
    print_report(&result.troubles);
    if (status != STATUS_OK && status != STATUS_DIFFERENT && !result.troubles.errors) {
        print_failure(&err);
    } else if (cmd_flag(args, "--json")) {
        json_t *root = diff_json(&result);
        print_json(root);
    } else {
        print_text(&result, (size_t)most, cmd_flag(args, "--all"));
    }
    diff_free(&result);
    return status;
}

const struct cmd_command cmd_diff = {
    .name = "diff",
    .usage = "OUT_A OUT_B",
    .summary = "say what changed between two bakes: rasters, entities, meshes",
    .details = "Rasters are compared cell by cell, entities by id, other files by content; files of a kind "
               "are told\n"
               "of together. Exit code 1 on any difference.",
    .min_words = 2,
    .max_words = 2,
    .options = options,
    .run = run,
};
