#include "gen/manifest.h"
#include "gen/budgets.h"
#include "gen/glb_count.h"
#include "gen/json_text.h"
#include "gen/os.h"
#include "gen/out_read.h"
#include "gen/stands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t MANIFEST_SIZE_MAX = (size_t)256 << 20;

static json_t *hash_json(struct hash128 hash) {
    char text[HASH_TEXT_SIZE];
    hash128_text(hash, text);
    return json_string(text);
}

/* Metres and steps that are whole are printed as integers: 0.1 + 0.2 surprises nobody here. */
static json_t *number_json(double v) {
    if (v >= -9e15 && v <= 9e15 && v == (double)(int64_t)v)
        return json_integer((int64_t)v);
    return json_real(v);
}

static json_t *world_json(const struct world *world) {
    struct rect c = world->extent.cells;
    double m = world->extent.cell_m;
    char seed[24]; /* 64 bits do not fit JSON's numbers everywhere: text */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)world->seed);
    return json_pack("{s:s, s:s, s:o, s:[o,o], s:[o,o], s:s}", "name", world->name, "seed", seed, "cell_m",
                     number_json(m), "origin_m", number_json(c.x0 * m), number_json(c.y0 * m), "size_m",
                     number_json((c.x1 - c.x0) * m), number_json((c.y1 - c.y0) * m), "samples",
                     world->height.samples == SAMPLES_POSTS ? "posts" : "cells");
}

/* Files that cover the map, or the whole world, by their content. */
static void add_source(json_t *inputs, const char *what, const struct source *source, int32_t map_x,
                       int32_t map_y) {
    json_t *list = json_array();
    for (size_t i = 0; i < source->file_count; i++) {
        const struct source_file *f = &source->files[i];
        if (f->present && (f->whole || (f->map_x == map_x && f->map_y == map_y)))
            json_array_append_new(list, hash_json(f->id));
    }
    json_object_set_new(inputs, what, list);
}

static json_t *inputs_json(const struct world *world, int32_t map_x, int32_t map_y) {
    json_t *inputs = json_object();
    add_source(inputs, "height", &world->height.source, map_x, map_y);
    for (size_t i = 0; i < world->mask_count; i++) {
        char name[PATH_TEXT_MAX];
        if (path_format(name, NULL, "mask.%s", world->masks[i].source.name) == STATUS_OK)
            add_source(inputs, name, &world->masks[i].source, map_x, map_y);
    }
    return inputs;
}

static json_t *stages_json(void) {
    json_t *stages = json_object();
    for (const struct stage *const *s = stage_table; *s; s++)
        json_object_set_new(stages, (*s)->name, json_integer((*s)->version));
    return stages;
}

json_t *manifest_new(const struct world *world, int32_t map_x, int32_t map_y) {
    return json_pack("{s:i, s:o, s:[i,i], s:o, s:o, s:{}}", "terrane", MANIFEST_FORMAT, "world",
                     world_json(world), "map", map_x, map_y, "inputs", inputs_json(world, map_x, map_y),
                     "stages", stages_json(), "outputs");
}

static const char *tool_name(int32_t tool) {
    return tool == OUTPUT_ALWAYS ? "world" : world_tool_names[tool];
}

json_t *manifest_raster(const struct output *output, int32_t x0, int32_t y0, const struct raster *image,
                        struct hash128 hash, const struct output_clamped *clamped) {
    static const char *const kinds[] = {"grey8", "grey16", "rgb8"};
    json_t *entry =
        json_pack("{s:s, s:s, s:s, s:s, s:[i,i], s:i, s:i, s:b, s:o}", "name", output->name, "layer",
                  output->layer, "tool", tool_name(output->tool), "encoding", kinds[image->kind], "origin",
                  (int)x0, (int)y0, "width", (int)image->width, "height", (int)image->height, "posts",
                  (int)output->posts, "hash", hash_json(hash));
    if (entry && image->kind != KIND_RGB8) {
        json_object_set_new(entry, "scale", number_json(output->scale));
        json_object_set_new(entry, "offset", number_json(output->offset));
        json_object_set_new(entry, "unit", json_string(output->unit));
    }
    if (entry && clamped->count > 0) {
        json_object_set_new(entry, "clamped", json_integer((json_int_t)clamped->count));
        json_object_set_new(entry, "clamped_at", json_pack("[i,i]", (int)clamped->x, (int)clamped->y));
    }
    return entry;
}

json_t *manifest_picture(const struct raster_rows *image, struct hash128 hash) {
    return json_pack("{s:s, s:s, s:i, s:i, s:o}", "name", "preview", "encoding", "rgb8", "width",
                     (int)image->width, "height", (int)image->height, "hash", hash_json(hash));
}

json_t *manifest_points(const struct output *output, struct hash128 hash, int64_t entities, json_t *counts,
                        json_t *species, const struct entity_stock *stock, json_t *clearance) {
    json_t *entry = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:I, s:I, s:o, s:o, s:I, s:I}", "name", output->name, "layer",
        output->layer, "tool", tool_name(output->tool), "encoding", "ply", "hash", hash_json(hash),
        "entities", (json_int_t)entities, "objects", (json_int_t)json_object_size(counts), "counts", counts,
        "species", species, "candidates", (json_int_t)stock->candidates, "rounds", (json_int_t)stock->rounds);
    if (entry && stock->undecided > 0)
        json_object_set_new(entry, "undecided", json_integer((json_int_t)stock->undecided));
    if (entry && clearance)
        json_object_set_new(entry, "clearance", clearance);
    else
        json_decref(clearance);
    return entry;
}

/* "0.5": an agent's radius as the key of its clearance. */
static void agent_key(const struct world *world, size_t agent, char key[32]) {
    snprintf(key, 32, "%.9g", world->output.agent_m[agent]);
}

static void set_clearance(json_t *object, const char *key, json_int_t free_places, json_int_t places) {
    json_object_set_new(object, key,
                        json_pack("{s:I, s:I, s:I}", "free", free_places, "places", places, "per_mille",
                                  places > 0 ? (1000 * free_places + places / 2) / places : 1000));
}

json_t *manifest_clearance(const struct world *world, const struct clearance *clearance) {
    json_t *object = json_object();
    for (size_t a = 0; object && a < world->output.agent_count; a++) {
        char key[32];
        agent_key(world, a, key);
        set_clearance(object, key, clearance->free_places[a], clearance->places);
    }
    return object;
}

/* Of the sectors that have points: whether another one is empty or was not baked yet is not known here. NULL:
 * there is none. */
static json_t *clearance_of_map(const struct world *world, const json_t *root) {
    json_t *outputs = json_object_get(root, "outputs"), *entry, *object = json_object();
    for (size_t a = 0; object && a < world->output.agent_count; a++) {
        char key[32];
        const char *path;
        json_int_t places = 0, free_places = 0;
        agent_key(world, a, key);
        json_object_foreach(outputs, path, entry) {
            const json_t *of = json_object_get(json_object_get(entry, "clearance"), key);
            places += json_integer_value(json_object_get(of, "places"));
            free_places += json_integer_value(json_object_get(of, "free"));
        }
        if (places > 0)
            set_clearance(object, key, free_places, places);
    }
    if (json_object_size(object) > 0)
        return object;
    json_decref(object);
    return NULL;
}

json_t *manifest_file(const struct output *output, const void *bytes, size_t size) {
    json_t *entry = json_pack("{s:s, s:s, s:s, s:s, s:o, s:I}", "name", output->name, "layer", output->layer,
                              "tool", tool_name(output->tool), "encoding", "file", "hash",
                              hash_json(bytes_hash(bytes, size)), "bytes", (json_int_t)size);
    json_t *triangles = entry ? glb_triangles(bytes, size) : NULL;
    if (triangles)
        json_object_set_new(entry, "triangles", triangles);
    return entry;
}

/* *bytes is NULL, with STATUS_OK, when there is no such file; malloc'ed. */
static enum status read_bytes(const char *path, unsigned char **bytes, size_t *size, struct error *err) {
    *bytes = NULL;
    struct os_info info;
    enum status status = os_info(path, &info, err);
    if (status != STATUS_OK || info.kind == OS_NOTHING)
        return status;
    if (info.kind != OS_FILE)
        return error_at(err, STATUS_FILE, path, 0, 0, "is not a file");
    return os_read_file(path, MANIFEST_SIZE_MAX, bytes, size, err);
}

static enum status parse(const char *path, const unsigned char *bytes, size_t size, json_t **root,
                         bool *damaged, struct error *err) {
    json_error_t at;
    json_t *json = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &at);
    *damaged = !json;
    if (!json)
        return error_at(err, STATUS_INPUT, path, at.line > 0 ? at.line : 0, at.column > 0 ? at.column : 0,
                        "is damaged (%s): bake the map again", at.text);
    if (json_integer_value(json_object_get(json, "terrane")) != MANIFEST_FORMAT ||
        !json_is_object(json_object_get(json, "outputs"))) {
        json_decref(json);
        return error_at(err, STATUS_INPUT, path, 0, 0,
                        "is no manifest of format %d; bake into another folder, or remove this one",
                        MANIFEST_FORMAT);
    }
    *root = json;
    return STATUS_OK;
}

enum status manifest_read_new(const char *path, struct hash128 *bytes, json_t **root, bool *damaged,
                              struct error *err) {
    unsigned char *text;
    size_t size;
    *root = NULL;
    *damaged = false;
    enum status status = read_bytes(path, &text, &size, err);
    if (status != STATUS_OK)
        return status;
    struct hash128 was = *bytes, is = text ? bytes_hash(text, size) : (struct hash128){0, 0};
    *bytes = is;
    if (text && (is.lo != was.lo || is.hi != was.hi))
        status = parse(path, text, size, root, damaged, err);
    free(text);
    return status;
}

enum status manifest_read(const char *path, json_t **root, bool *damaged, struct error *err) {
    struct hash128 bytes = {0, 0};
    bool ignored;
    return manifest_read_new(path, &bytes, root, damaged ? damaged : &ignored, err);
}

char *manifest_text(const json_t *root) {
    return json_text(root, 1, true);
}

enum { UNDECIDED_SHARE = 10000 }; /* one in so many is no reason to worry */

/* "totals" and "warnings": both follow from the outputs, so that merged bakes agree with one bake. */
static enum status summarise(json_t *root, const struct world *world, struct error *err) {
    json_t *outputs = json_object_get(root, "outputs"), *warnings = json_array(),
           *sum = stands_none(world->recipe);
    bool counted = true;
    size_t count;
    const char **paths = json_keys(outputs, &count);
    if (!paths || !warnings || !sum) {
        free(paths);
        json_decref(sum);
        json_decref(warnings);
        return error_set(err, STATUS_LIMIT, "out of memory");
    }
    json_int_t entities = 0, clamped = 0, candidates = 0, undecided = 0, rounds = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_object_get(outputs, paths[i]), *at = json_object_get(entry, "clamped_at");
        entities += json_integer_value(json_object_get(entry, "entities"));
        counted = stands_add(sum, entry) && counted;
        candidates += json_integer_value(json_object_get(entry, "candidates"));
        undecided += json_integer_value(json_object_get(entry, "undecided"));
        json_int_t took = json_integer_value(json_object_get(entry, "rounds"));
        rounds = took > rounds ? took : rounds;
        budgets_broken(world, paths[i], entry, NULL, warnings);
        json_int_t n = json_integer_value(json_object_get(entry, "clamped"));
        clamped += n;
        if (n == 0)
            continue;
        char text[PATH_TEXT_MAX + 160];
        snprintf(text, sizeof text,
                 "%s: %lld values are beyond the range and were clamped, first at %lld,%lld", paths[i],
                 (long long)n, (long long)json_integer_value(json_array_get(at, 0)),
                 (long long)json_integer_value(json_array_get(at, 1)));
        json_array_append_new(warnings, json_string(text));
    }
    if (undecided * UNDECIDED_SHARE > entities) {
        char text[160];
        snprintf(text, sizeof text,
                 "%lld candidates were undecided after the last round of competition and were dropped: raise "
                 "`jitter`",
                 (long long)undecided);
        json_array_append_new(warnings, json_string(text));
    }
    json_object_set_new(root, "totals",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "outputs", (json_int_t)count, "entities",
                                  entities, "clamped", clamped, "candidates", candidates, "undecided",
                                  undecided, "rounds", rounds));
    if (counted && outputs_tool_on(world, TOOL_BIOMES))
        json_object_set(json_object_get(root, "totals"), "species", sum);
    json_t *clearance = outputs_tool_on(world, TOOL_BIOMES) ? clearance_of_map(world, root) : NULL;
    if (clearance)
        json_object_set_new(json_object_get(root, "totals"), "clearance", clearance);
    json_object_set_new(root, "warnings", warnings);
    json_decref(sum);
    free(paths);
    return STATUS_OK;
}

static bool is_there(const char *path, const char *text) {
    unsigned char *bytes;
    size_t size;
    if (os_read_file(path, MANIFEST_SIZE_MAX, &bytes, &size, NULL) != STATUS_OK)
        return false;
    bool same = size == strlen(text) && memcmp(bytes, text, size) == 0;
    free(bytes);
    return same;
}

static enum status save(const json_t *root, const char *path, struct error *err) {
    char *text = manifest_text(root);
    if (!text)
        return error_set(err, STATUS_LIMIT, "out of memory");
    enum status status = is_there(path, text) ? STATUS_OK : os_write_file(path, text, strlen(text), err);
    free(text);
    return status;
}

enum status manifest_save(json_t *root, const struct world *world, const char *dir, bool files_written,
                          struct error *err) {
    char path[PATH_TEXT_MAX];
    enum status status = summarise(root, world, err);
    if (status == STATUS_OK)
        status = path_format(path, err, "%s/manifest.json", dir);
    char *text = status == STATUS_OK ? manifest_text(root) : NULL;
    if (status == STATUS_OK && !text)
        status = error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK && (files_written || !is_there(path, text))) {
        status = os_sync(dir, err);
        if (status == STATUS_OK)
            status = os_write_file(path, text, strlen(text), err);
    }
    free(text);
    return status;
}

struct maps {
    const char *out;
    json_t *hashes;
};

static enum status add_map(void *context, const char *name, struct error *err) {
    struct maps *maps = context;
    int32_t x, y;
    if (!path_parse_map(name, &x, &y))
        return STATUS_OK;
    char path[PATH_TEXT_MAX];
    struct os_info info;
    enum status status = path_format(path, err, "%s/maps/%s/manifest.json", maps->out, name);
    if (status == STATUS_OK)
        status = os_info(path, &info, err);
    if (status != STATUS_OK || info.kind != OS_FILE)
        return status;
    unsigned char *bytes;
    size_t size;
    status = os_read_file(path, MANIFEST_SIZE_MAX, &bytes, &size, err);
    if (status != STATUS_OK)
        return status;
    json_object_set_new(maps->hashes, name, hash_json(bytes_hash(bytes, size)));
    free(bytes);
    return STATUS_OK;
}

/* objects.json when there is one to write, and its hash, or that of the one there. */
static enum status put_objects(const char *out, const json_t *objects, json_t *root, struct error *err) {
    char path[PATH_TEXT_MAX];
    struct os_info info = {.kind = OS_NOTHING};
    unsigned char *bytes = NULL;
    size_t size;
    enum status status = path_format(path, err, "%s/objects.json", out);
    if (status == STATUS_OK && objects)
        status = save(objects, path, err);
    if (status == STATUS_OK)
        status = os_info(path, &info, err);
    if (status == STATUS_OK && info.kind == OS_FILE)
        status = os_read_file(path, MANIFEST_SIZE_MAX, &bytes, &size, err);
    if (bytes)
        json_object_set_new(root, "objects", hash_json(bytes_hash(bytes, size)));
    free(bytes);
    return status;
}

/* "hash" stands for all the rest. */
static enum status save_hashed(json_t *root, const char *path, struct error *err) {
    char *text = manifest_text(root);
    if (!text)
        return error_set(err, STATUS_LIMIT, "out of memory");
    json_object_set_new(root, "hash", hash_json(bytes_hash(text, strlen(text))));
    free(text);
    return save(root, path, err);
}

enum status manifest_world(const char *out, const struct world *world, const json_t *objects,
                           struct error *err) {
    char path[PATH_TEXT_MAX];
    struct os_lock lock;
    bool taken;
    enum status status = path_format(path, err, "%s/.manifest.lock", out);
    if (status == STATUS_OK)
        status = os_lock_take(path, true, true, &lock, &taken, err);
    if (status != STATUS_OK)
        return status;
    struct maps maps = {out, json_object()};
    json_t *root = json_pack("{s:i, s:o, s:O}", "terrane", MANIFEST_FORMAT, "world", world_json(world),
                             "maps", maps.hashes);
    status = root ? path_format(path, err, "%s/maps", out) : error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK)
        status = os_list(path, add_map, &maps, err);
    if (status == STATUS_OK)
        status = put_objects(out, objects, root, err);
    if (status == STATUS_OK)
        status = path_format(path, err, "%s/manifest.json", out);
    if (status == STATUS_OK)
        status = save_hashed(root, path, err);
    json_decref(root);
    json_decref(maps.hashes);
    os_lock_drop(&lock);
    return status;
}
