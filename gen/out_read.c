#include "gen/out_read.h"
#include "gen/manifest.h"
#include "gen/os.h"

#include <stdlib.h>
#include <string.h>

static const size_t OUT_JSON_MAX = (size_t)256 << 20;

struct listing {
    const char *out;
    struct out_dir *dir;
    struct report *troubles; /* NULL: the first one ends it */
};

/* Goes on behind what was reported. */
static enum status tell(struct listing *listing, const struct error *err) {
    if (!listing->troubles || (err->status != STATUS_INPUT && err->status != STATUS_FILE))
        return err->status;
    report_error(listing->troubles, err);
    return STATUS_OK;
}

/* Leaves out entries that no bake writes. */
static enum status sift(struct listing *listing, const char *path, json_t *outputs, struct error *err) {
    const char *name;
    json_t *entry;
    void *next;
    enum status status = STATUS_OK;
    json_object_foreach_safe(outputs, next, name, entry) {
        char why[MANIFEST_WHY_MAX];
        if (status != STATUS_OK || manifest_sound(name, entry, why))
            continue;
        error_at(err, STATUS_INPUT, path, 0, 0, "%s: bake the map again", why);
        json_object_del(outputs, name);
        status = tell(listing, err);
    }
    return status;
}

static enum status add_map(void *context, const char *name, struct error *err) {
    struct listing *listing = context;
    struct out_dir *dir = listing->dir;
    char path[PATH_TEXT_MAX];
    struct out_map map = {0};
    if (!path_parse_map(name, &map.x, &map.y))
        return STATUS_OK;
    enum status status = path_format(path, err, "%s/maps/%s/manifest.json", listing->out, name);
    if (status != STATUS_OK)
        return status;
    bool broken = manifest_read(path, &map.root, NULL, err) != STATUS_OK;
    if (broken)
        status = tell(listing, err);
    if (status != STATUS_OK || (!broken && !map.root))
        return status;
    map.outputs = json_object_get(map.root, "outputs");
    status = sift(listing, path, map.outputs, err);
    if (status != STATUS_OK) {
        json_decref(map.root);
        return status;
    }
    *strrchr(path, '/') = '\0';
    map.folder = strdup(path);
    struct out_map *more = realloc(dir->maps, (dir->count + 1) * sizeof *more);
    if (more)
        dir->maps = more;
    if (!more || !map.folder) {
        free(map.folder);
        json_decref(map.root);
        return error_set(err, STATUS_LIMIT, "out of memory");
    }
    dir->maps[dir->count++] = map;
    return STATUS_OK;
}

static int by_place(const void *a, const void *b) {
    const struct out_map *m = a, *n = b;
    if (m->y != n->y)
        return m->y < n->y ? -1 : 1;
    return (m->x > n->x) - (m->x < n->x);
}

enum status out_open(const char *out, struct out_dir *dir, struct report *troubles, struct error *err) {
    *dir = (struct out_dir){NULL, 0};
    char path[PATH_TEXT_MAX];
    struct os_info info;
    struct error own; /* what is wrong with a map is looked at here */
    err = err ? err : &own;
    enum status status = path_format(path, err, "%s/maps", out);
    if (status == STATUS_OK)
        status = os_info(path, &info, err);
    if (status == STATUS_OK && info.kind != OS_DIR) {
        bool nothing = os_info(out, &info, err) == STATUS_OK && info.kind == OS_NOTHING;
        return error_at(err, STATUS_FILE, out, 0, 0, "%s",
                        nothing ? "there is no such folder"
                                : "is not the folder of a bake: it has no folder 'maps'");
    }
    struct listing listing = {out, dir, troubles};
    if (status == STATUS_OK)
        status = os_list(path, add_map, &listing, err);
    if (status != STATUS_OK) {
        out_close(dir);
        return status;
    }
    if (dir->count > 1)
        qsort(dir->maps, dir->count, sizeof *dir->maps, by_place);
    return STATUS_OK;
}

json_t *out_json(const char *out, const char *name) {
    char path[PATH_TEXT_MAX];
    unsigned char *bytes;
    size_t size;
    if (path_format(path, NULL, "%s/%s", out, name) != STATUS_OK ||
        os_read_file(path, OUT_JSON_MAX, &bytes, &size, NULL) != STATUS_OK)
        return NULL;
    json_t *root = json_loadb((const char *)bytes, size, 0, NULL);
    free(bytes);
    return root;
}

void out_close(struct out_dir *dir) {
    for (size_t i = 0; i < dir->count; i++) {
        free(dir->maps[i].folder);
        json_decref(dir->maps[i].root);
    }
    free(dir->maps);
    *dir = (struct out_dir){NULL, 0};
}

const struct out_map *out_find(const struct out_dir *dir, int32_t x, int32_t y) {
    for (size_t i = 0; i < dir->count; i++)
        if (dir->maps[i].x == x && dir->maps[i].y == y)
            return &dir->maps[i];
    return NULL;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **json_keys(json_t *object, size_t *count) {
    *count = 0;
    const char **keys = malloc((json_object_size(object) + 1) * sizeof *keys);
    for (void *at = json_object_iter(object); keys && at; at = json_object_iter_next(object, at))
        keys[(*count)++] = json_object_iter_key(at);
    if (keys)
        qsort(keys, *count, sizeof *keys, by_text);
    return keys;
}

const char *entry_text(const json_t *entry, const char *key) {
    const char *text = json_string_value(json_object_get(entry, key));
    return text ? text : "";
}

int64_t entry_int(const json_t *entry, const char *key) {
    return json_integer_value(json_object_get(entry, key));
}

double entry_number(const json_t *entry, const char *key) {
    return json_number_value(json_object_get(entry, key));
}
