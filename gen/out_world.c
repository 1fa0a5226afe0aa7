#include "gen/out_world.h"

#include "gen/os.h"
#include "gen/out_read.h"
#include "gen/paths.h"
#include "gen/publish_clean.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *there, const char *key) {
    const char *text = json_string_value(json_object_get(there, key));
    return text ? text : "";
}

static double number_of(const json_t *there, const char *key, size_t index) {
    const json_t *value = json_object_get(there, key);
    return json_number_value(json_is_array(value) ? json_array_get(value, index) : value);
}

static bool overlaps(const json_t *there, const struct world *world) {
    const struct rect c = world->extent.cells;
    const double m = world->extent.cell_m;
    const double low[2] = {c.x0 * m, c.y0 * m}, high[2] = {c.x1 * m, c.y1 * m};
    for (size_t i = 0; i < 2; i++) {
        double from = number_of(there, "origin_m", i), to = from + number_of(there, "size_m", i);
        if (!(from < high[i] && to > low[i]))
            return false;
    }
    return true;
}

static enum status another(const char *path, struct error *err, const char *key, const char *was,
                           const char *is) {
    return error_at(err, STATUS_INPUT, path, 0, 0,
                    "this folder is another world's (%s is '%s' there and '%s' here): bake into another one, "
                    "with --out, or remove it",
                    key, was, is);
}

enum status out_world_fits(const json_t *there, const struct world *world, const char *path,
                           struct error *err) {
    const char *samples = world->height.samples == SAMPLES_POSTS ? "posts" : "cells";
    char seed[24], was[32], is[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)world->seed);
    snprintf(was, sizeof was, "%.12g", number_of(there, "cell_m", 0));
    snprintf(is, sizeof is, "%.12g", world->extent.cell_m);
    if (strcmp(text_of(there, "name"), world->name) != 0)
        return another(path, err, "world.name", text_of(there, "name"), world->name);
    if (strcmp(text_of(there, "seed"), seed) != 0)
        return another(path, err, "world.seed", text_of(there, "seed"), seed);
    if (strcmp(was, is) != 0)
        return another(path, err, "grid.cell_m", was, is);
    if (strcmp(text_of(there, "samples"), samples) != 0)
        return another(path, err, "height.samples", text_of(there, "samples"), samples);
    if (overlaps(there, world))
        return STATUS_OK;
    return error_at(
        err, STATUS_INPUT, path, 0, 0,
        "this folder is another world's (it lies at %.12g,%.12g m, all outside this one): bake into "
        "another one, with --out, or remove it",
        number_of(there, "origin_m", 0), number_of(there, "origin_m", 1));
}

/* A file manifest.json that is none of ours is somebody's; a damaged one beside a folder of maps is ours. */
static bool is_foreign(const char *out, const json_t *root) {
    char path[PATH_TEXT_MAX];
    struct os_info info;
    if (root)
        return !json_is_integer(json_object_get(root, "terrane"));
    return path_format(path, NULL, "%s/maps", out) != STATUS_OK || os_info(path, &info, NULL) != STATUS_OK ||
           info.kind != OS_DIR;
}

enum status out_world_check(const char *out, const struct world *world, struct error *err) {
    char path[PATH_TEXT_MAX];
    struct os_info info;
    enum status status = path_format(path, err, "%s/manifest.json", out);
    if (status != STATUS_OK || os_info(path, &info, NULL) != STATUS_OK || info.kind != OS_FILE)
        return status;
    json_t *root = out_json(out, "manifest.json");
    const json_t *there = json_object_get(root, "world");
    if (is_foreign(out, root))
        status =
            error_at(err, STATUS_INPUT, path, 0, 0,
                     "is no manifest of a bake, and would be replaced: bake into another folder, with --out");
    else if (json_is_object(there))
        status = out_world_fits(there, world, path, err);
    json_decref(root);
    return status;
}

/* ---- maps that the world no longer has ---- */

struct sweep {
    const char *out;
    const struct world *world;
    bool remove;
    struct report *notes;
    int64_t *removed;
};

static enum status remove_file(const char *dir, const char *name, int64_t *count, struct error *err) {
    char path[PATH_TEXT_MAX];
    struct os_info info;
    enum status status = path_format(path, err, "%s/%s", dir, name);
    if (status == STATUS_OK)
        status = os_info(path, &info, err);
    if (status != STATUS_OK || info.kind != OS_FILE)
        return status;
    ++*count;
    return os_remove(path, err);
}

static enum status drop_empty(void *context, const char *name, struct error *err) {
    char path[PATH_TEXT_MAX];
    enum status status = path_format(path, err, "%s/%s", (const char *)context, name);
    if (status == STATUS_OK)
        os_remove_empty(path);
    return status;
}

/* Folders that hold nothing any more. */
static enum status drop_folders(char *dir, struct error *err) {
    static const char *const locks[] = {".fresh.json", ".manifest.lock", ".writers.lock"};
    char path[PATH_TEXT_MAX];
    struct os_info info;
    int64_t uncounted = 0;
    enum status status = path_format(path, err, "%s/sections", dir);
    if (status == STATUS_OK && os_info(path, &info, NULL) == STATUS_OK && info.kind == OS_DIR) {
        status = os_list(path, drop_empty, path, err);
        os_remove_empty(path);
    }
    if (status == STATUS_OK)
        status = path_format(path, err, "%s/sectors", dir);
    if (status == STATUS_OK)
        os_remove_empty(path);
    for (size_t i = 0; i < sizeof locks / sizeof *locks && status == STATUS_OK; i++)
        status = remove_file(dir, locks[i], &uncounted, err);
    os_remove_empty(dir);
    return status;
}

/* The manifest first: whatever ends this early leaves none that names files which are gone. */
static enum status remove_map(char *dir, int64_t *count, struct error *err) {
    struct os_lock writers;
    enum status status = publish_clean(dir, &writers, err);
    if (status != STATUS_OK)
        return status;
    json_t *all = json_pack("{s:b}", "map", 1), *none = json_object();
    status = all && none ? remove_file(dir, "manifest.json", count, err)
                         : error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK)
        status = publish_remove(dir, none, all, none, count, err);
    if (status == STATUS_OK)
        status = remove_file(dir, "preview.png", count, err);
    json_decref(all);
    json_decref(none);
    os_lock_drop(&writers);
    return status == STATUS_OK ? drop_folders(dir, err) : status;
}

static enum status see_map(void *context, const char *name, struct error *err) {
    const struct sweep *s = context;
    int32_t x, y;
    char dir[PATH_TEXT_MAX];
    struct os_info info;
    if (!path_parse_map(name, &x, &y) || !rect_empty(extent_block(&s->world->extent, x, y, MAP_CELLS)))
        return STATUS_OK;
    enum status status = path_format(dir, err, "%s/maps/%s/manifest.json", s->out, name);
    if (status == STATUS_OK)
        status = os_info(dir, &info, err);
    if (status != STATUS_OK || (info.kind == OS_NOTHING && !s->remove))
        return status;
    *strrchr(dir, '/') = '\0';
    if (s->remove)
        status = remove_map(dir, s->removed, err);
    if (status == STATUS_OK && s->notes)
        report_add(s->notes, s->remove ? REPORT_NOTE : REPORT_WARNING, STATUS_INPUT, dir, 0, 0,
                   s->remove ? "removed: the world has no map %d,%d any more"
                             : "the world has no map %d,%d any more: a bake of the whole world removes it",
                   (int)x, (int)y);
    return status;
}

enum status out_world_sweep(const char *out, const struct world *world, bool remove, struct report *notes,
                            int64_t *removed, struct error *err) {
    char path[PATH_TEXT_MAX];
    struct sweep sweep = {out, world, remove, notes, removed};
    struct os_lock lock; /* shards may sweep at once */
    bool taken;
    enum status status = path_format(path, err, "%s/.manifest.lock", out);
    if (status == STATUS_OK)
        status = os_lock_take(path, true, true, &lock, &taken, err);
    if (status != STATUS_OK)
        return status;
    status = path_format(path, err, "%s/maps", out);
    if (status == STATUS_OK)
        status = os_list(path, see_map, &sweep, err);
    os_lock_drop(&lock);
    return status;
}
