#include "gen/diff.h"
#include "gen/diff_own.h"
#include "gen/extent.h"
#include "gen/os.h"
#include "gen/png_read.h"
#include "terrain/math.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t FILE_SIZE_MAX = (size_t)1 << 31;

/* An output on both sides: entry NULL where a side lacks it. */
struct pair {
    const char *path; /* inside the map's folder */
    const struct out_map *map_a, *map_b;
    const json_t *entry_a, *entry_b;
    unsigned char *a, *b; /* the files' bytes, NULL where there is none */
    size_t a_size, b_size;
};

static enum status no_memory(struct error *err) {
    return error_set(err, STATUS_LIMIT, "out of memory");
}

static enum status add_path(struct diff_result *result, const char *path, const char *unit,
                            struct diff_file **out, struct error *err) {
    struct diff_file *more = realloc(result->files, (result->file_count + 1) * sizeof *more);
    if (!more)
        return no_memory(err);
    result->files = more;
    struct diff_file *file = &more[result->file_count];
    *file = (struct diff_file){.path = strdup(path), .unit = strdup(unit), .what = ""};
    result->file_count++; /* diff_free takes what there is */
    *out = file;
    return file->path && file->unit ? STATUS_OK : no_memory(err);
}

static enum status add_file(struct diff_result *result, const struct pair *pair, struct diff_file **out,
                            struct error *err) {
    const struct out_map *map = pair->map_a ? pair->map_a : pair->map_b;
    char path[PATH_TEXT_MAX];
    enum status status = path_format(path, err, "maps/x%d_y%d/%s", map->x, map->y, pair->path);
    if (status != STATUS_OK)
        return status;
    return add_path(result, path, entry_text(pair->entry_a ? pair->entry_a : pair->entry_b, "unit"), out,
                    err);
}

/* ---- rasters ---- */

static double code_difference(const struct raster *a, const struct raster *b, int32_t x, int32_t y) {
    if (a->kind != KIND_RGB8)
        return fabs((double)raster_code(a, x, y) - (double)raster_code(b, x, y));
    double most = 0;
    const unsigned char *p = raster_at(a, x, y), *q = raster_at(b, x, y);
    for (int c = 0; c < 3; c++)
        most = math_max(most, fabs((double)p[c] - q[c]));
    return most;
}

static void compare_cells(const struct raster *a, const struct raster *b, const json_t *entry,
                          struct diff_file *file) {
    const json_t *origin = json_object_get(entry, "origin");
    int32_t x0 = (int32_t)json_integer_value(json_array_get(origin, 0)); /* at most 2^30: gen/manifest.h */
    int32_t y0 = (int32_t)json_integer_value(json_array_get(origin, 1));
    double most = 0, scale = a->kind == KIND_RGB8 ? 1 : entry_number(entry, "scale");
    file->cells = (int64_t)a->width * a->height;
    file->colour = a->kind == KIND_RGB8;
    file->pixels = !origin;
    file->posts = json_is_true(json_object_get(entry, "posts"));
    file->scale = scale;
    file->offset = file->colour ? 0 : entry_number(entry, "offset");
    for (int32_t y = a->height; y-- > 0;) {
        if (memcmp(raster_at(a, 0, y), raster_at(b, 0, y), raster_row_size(a)) == 0)
            continue;
        for (int32_t x = 0; x < a->width; x++) {
            uint32_t p = raster_code(a, x, y), q = raster_code(b, x, y);
            if (p == q)
                continue;
            file->different++;
            most = math_max(most, code_difference(a, b, x, y));
            if (file->place_count < DIFF_PLACES) {
                int32_t i = file->place_count++;
                file->places[i].x = x0 + x;
                file->places[i].y = y0 + y;
                file->places[i].a = p;
                file->places[i].b = q;
            }
        }
    }
    file->max_difference = most * fabs(scale);
}

/* Fields that turn codes into values and places: cells can be compared when they agree. */
static bool same_encoding(const json_t *a, const json_t *b) {
    static const char *const keys[] = {"encoding", "scale", "offset", "unit", "origin", "posts"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *p = json_object_get(a, keys[i]), *q = json_object_get(b, keys[i]);
        if (p != q && (!p || !q || !json_equal(p, q)))
            return false;
    }
    return true;
}

/* Puts the file of one side into an error. */
static enum status blame(const struct out_map *map, const char *path, struct error *err) {
    snprintf(err->file, sizeof err->file, "%s/%s", map->folder, path);
    return err->status;
}

static enum status compare_rasters(struct diff_result *result, const struct pair *pair, struct error *err) {
    struct raster a = {.samples = NULL}, b = {.samples = NULL};
    struct diff_file *file = NULL;
    result->rasters_compared++;
    bool coded_alike = same_encoding(pair->entry_a, pair->entry_b);
    if (coded_alike && pair->a_size == pair->b_size && memcmp(pair->a, pair->b, pair->a_size) == 0)
        return STATUS_OK;
    enum status status = png_decode(pair->a, pair->a_size, &a, err);
    if (status != STATUS_OK)
        return blame(pair->map_a, pair->path, err);
    status = png_decode(pair->b, pair->b_size, &b, err);
    if (status != STATUS_OK) {
        raster_free(&a);
        return blame(pair->map_b, pair->path, err);
    }
    bool same_size = a.width == b.width && a.height == b.height;
    bool same = coded_alike && same_size && a.kind == b.kind &&
                memcmp(a.samples, b.samples, raster_row_size(&a) * (size_t)a.height) == 0;
    if (!same)
        status = add_file(result, pair, &file, err);
    if (file && status == STATUS_OK) {
        file->raster = true;
        file->what = !same_size ? "size" : !coded_alike || a.kind != b.kind ? "encoding" : "";
        if (file->what[0] == '\0')
            compare_cells(&a, &b, pair->entry_a, file);
    }
    raster_free(&a);
    raster_free(&b);
    return status;
}

/* ---- one output ---- */

static enum status read_side(const struct out_map *map, const json_t *entry, const char *path,
                             unsigned char **bytes, size_t *size, struct error *err) {
    char full[PATH_TEXT_MAX];
    if (!entry)
        return STATUS_OK;
    enum status status = path_format(full, err, "%s/%s", map->folder, path);
    return status == STATUS_OK ? os_read_file(full, FILE_SIZE_MAX, bytes, size, err) : status;
}

static enum status compare_pair(struct diff_result *result, struct diff_points *points,
                                const struct pair *pair, struct error *err) {
    const char *encoding = entry_text(pair->entry_a ? pair->entry_a : pair->entry_b, "encoding");
    bool both = pair->entry_a && pair->entry_b;
    struct path_name name;
    if (strcmp(encoding, "ply") == 0 && path_parse(pair->path, &name)) {
        char shown[2][PATH_TEXT_MAX] = {"", ""};
        if (pair->map_a)
            snprintf(shown[0], PATH_TEXT_MAX, "%s/%s", pair->map_a->folder, pair->path);
        if (pair->map_b)
            snprintf(shown[1], PATH_TEXT_MAX, "%s/%s", pair->map_b->folder, pair->path);
        return diff_points_sector(result, points, name.x, name.y, shown, pair->a, pair->a_size, pair->b,
                                  pair->b_size, err);
    }
    bool raster = strcmp(encoding, "file") != 0;
    if (both && raster)
        return compare_rasters(result, pair, err);
    result->files_compared++;
    if (both && pair->a_size == pair->b_size && memcmp(pair->a, pair->b, pair->a_size) == 0)
        return STATUS_OK;
    struct diff_file *file;
    enum status status = add_file(result, pair, &file, err);
    if (status != STATUS_OK)
        return status;
    file->raster = raster;
    file->side = both ? DIFF_BOTH : pair->entry_a ? DIFF_ONLY_A : DIFF_ONLY_B;
    file->what = both ? "content" : "";
    return STATUS_OK;
}

static enum status diff_path(struct diff_result *result, struct diff_points *points,
                             const struct out_map *map_a, const struct out_map *map_b, const char *path,
                             struct error *err) {
    struct pair pair = {.path = path, .map_a = map_a, .map_b = map_b};
    pair.entry_a = map_a ? json_object_get(map_a->outputs, path) : NULL;
    pair.entry_b = map_b ? json_object_get(map_b->outputs, path) : NULL;
    enum status status = read_side(map_a, pair.entry_a, path, &pair.a, &pair.a_size, err);
    if (status == STATUS_OK)
        status = read_side(map_b, pair.entry_b, path, &pair.b, &pair.b_size, err);
    if (status == STATUS_OK)
        status = compare_pair(result, points, &pair, err);
    free(pair.a);
    free(pair.b);
    if (status != STATUS_INPUT && status != STATUS_FILE)
        return status;
    report_error(&result->troubles, err);
    return STATUS_OK;
}

/* ---- maps ---- */

static bool heads_differ(const struct out_map *a, const struct out_map *b) {
    static const char *const keys[] = {"world", "inputs", "stages"};
    for (size_t i = 0; i < 3; i++)
        if (!json_equal(json_object_get(a->root, keys[i]), json_object_get(b->root, keys[i])))
            return true;
    return false;
}

/* All paths of both sides, in byte order. */
static enum status diff_map(struct diff_result *result, struct diff_points *points, const struct out_map *a,
                            const struct out_map *b, struct error *err) {
    if ((a && !a->root) || (b && !b->root)) /* said before */
        return STATUS_OK;
    json_t *all = json_object();
    if (!all || (a && json_object_update(all, a->outputs) != 0) ||
        (b && json_object_update(all, b->outputs) != 0)) {
        json_decref(all);
        return no_memory(err);
    }
    size_t count;
    const char **paths = json_keys(all, &count);
    enum status status = paths ? STATUS_OK : no_memory(err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = diff_path(result, points, a, b, paths[i], err);
    free(paths);
    json_decref(all);
    if (a && b && heads_differ(a, b))
        result->manifests_differ = true;
    return status;
}

/* What an out folder's object ids show. A folder without such a file is compared all the same. */
static json_t *read_objects(const char *out) {
    json_t *root = out_json(out, "objects.json");
    json_t *objects = json_incref(json_object_get(root, "objects"));
    json_decref(root);
    return objects;
}

const char *diff_asset(const struct diff_result *result, const struct diff_entity *entity) {
    char id[16];
    int side = entity->change == DIFF_ADDED;
    snprintf(id, sizeof id, "%" PRIu32, entity->object_id);
    const json_t *object = json_object_get(result->objects[side], id);
    return json_string_value(
        json_object_get(object ? object : json_object_get(result->objects[!side], id), "asset"));
}

/* Adds a side's entities by species. */
static void count_species(json_t *species, const struct out_dir *dir, const json_t *objects, size_t side) {
    const char *path, *id;
    json_t *entry, *count;
    for (size_t i = 0; i < dir->count; i++)
        json_object_foreach(dir->maps[i].outputs, path, entry) {
            json_object_foreach(json_object_get(entry, "counts"), id, count) {
                const char *name =
                    json_string_value(json_object_get(json_object_get(objects, id), "species"));
                if (!name)
                    continue;
                json_t *pair = json_object_get(species, name);
                if (!pair && json_object_set_new(species, name, pair = json_pack("[i,i]", 0, 0)) != 0)
                    continue;
                json_int_t so_far = json_integer_value(json_array_get(pair, side));
                json_array_set_new(pair, side, json_integer(so_far + json_integer_value(count)));
            }
        }
}

static void compare_species(struct diff_result *result, const struct out_dir *a, const struct out_dir *b) {
    const char *name;
    json_t *pair;
    void *next;
    result->species = json_object();
    json_t *const *objects = result->objects;
    count_species(result->species, a, objects[0] ? objects[0] : objects[1], 0);
    count_species(result->species, b, objects[1] ? objects[1] : objects[0], 1);
    json_object_foreach_safe(result->species, next, name, pair) {
        if (json_equal(json_array_get(pair, 0), json_array_get(pair, 1)))
            json_object_del(result->species, name);
    }
}

/* What the object ids stand for: an engine loads it as well. */
static enum status compare_objects(struct diff_result *result, struct error *err) {
    const json_t *a = result->objects[0], *b = result->objects[1];
    struct diff_file *file;
    result->files_compared += a && b;
    if ((!a && !b) || (a && b && json_equal(a, b)))
        return STATUS_OK;
    enum status status = add_path(result, "objects.json", "", &file, err);
    if (status != STATUS_OK)
        return status;
    file->side = a && b ? DIFF_BOTH : a ? DIFF_ONLY_A : DIFF_ONLY_B;
    file->what = a && b ? "content" : "";
    return STATUS_OK;
}

enum status diff_out(const char *a, const char *b, struct diff_result *result, struct error *err) {
    *result = (struct diff_result){.files = NULL};
    struct out_dir da, db = {NULL, 0};
    struct diff_points points = {NULL, 0, 0};
    enum status status = out_open(a, &da, &result->troubles, err);
    if (status == STATUS_OK)
        status = out_open(b, &db, &result->troubles, err);
    if (status == STATUS_OK) {
        result->objects[0] = read_objects(a);
        result->objects[1] = read_objects(b);
        compare_species(result, &da, &db);
        status = compare_objects(result, err);
    }
    for (size_t i = 0; i < da.count && status == STATUS_OK; i++)
        status = diff_map(result, &points, &da.maps[i], out_find(&db, da.maps[i].x, da.maps[i].y), err);
    for (size_t i = 0; i < db.count && status == STATUS_OK; i++)
        if (!out_find(&da, db.maps[i].x, db.maps[i].y))
            status = diff_map(result, &points, NULL, &db.maps[i], err);
    enum status finished = diff_points_finish(result, &points, status == STATUS_OK ? err : NULL);
    status = status == STATUS_OK ? finished : status;
    out_close(&da);
    out_close(&db);
    if (status == STATUS_OK && result->troubles.errors)
        return report_status(&result->troubles);
    return status == STATUS_OK && (result->file_count || result->entity_count) ? STATUS_DIFFERENT : status;
}

void diff_free(struct diff_result *result) {
    for (size_t i = 0; i < result->file_count; i++) {
        free(result->files[i].path);
        free((void *)(uintptr_t)result->files[i].unit);
    }
    report_free(&result->troubles);
    json_decref(result->species);
    json_decref(result->objects[0]);
    json_decref(result->objects[1]);
    free(result->files);
    free(result->entities);
    free(result->sectors);
    *result = (struct diff_result){.files = NULL};
}
