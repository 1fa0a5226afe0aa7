#include "gen/verify.h"
#include "gen/manifest.h"
#include "gen/os.h"
#include "gen/out_read.h"
#include "gen/ply.h"
#include "gen/png_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verify_kind_names[VERIFY_KIND_COUNT] = {"missing", "damaged", "altered", "extra"};

static const size_t FILE_SIZE_MAX = (size_t)1 << 31;

static enum status complain(struct verify_result *result, enum verify_kind kind, const char *path,
                            const char *detail, struct error *err) {
    struct verify_problem *more = realloc(result->problems, (result->count + 1) * sizeof *more);
    if (!more)
        return error_set(err, STATUS_LIMIT, "out of memory");
    result->problems = more;
    struct verify_problem *p = &more[result->count];
    *p = (struct verify_problem){kind, strdup(path), strdup(detail)};
    if (!p->path || !p->detail) {
        free(p->path);
        free(p->detail);
        return error_set(err, STATUS_LIMIT, "out of memory");
    }
    result->count++;
    return STATUS_OK;
}

void verify_free(struct verify_result *result) {
    for (size_t i = 0; i < result->count; i++) {
        free(result->problems[i].path);
        free(result->problems[i].detail);
    }
    free(result->problems);
    *result = (struct verify_result){NULL, 0, 0};
}

static bool same_hash(struct hash128 hash, const json_t *entry) {
    char text[HASH_TEXT_SIZE];
    hash128_text(hash, text);
    return strcmp(text, entry_text(entry, "hash")) == 0;
}

/* What is wrong with a picture: VERIFY_KIND_COUNT when nothing is. */
static enum verify_kind check_png(const unsigned char *bytes, size_t size, const json_t *entry,
                                  struct error *why) {
    static const char *const kinds[] = {"grey8", "grey16", "rgb8"};
    struct raster image;
    if (png_decode(bytes, size, &image, why) != STATUS_OK)
        return VERIFY_DAMAGED;
    bool same = strcmp(kinds[image.kind], entry_text(entry, "encoding")) == 0 &&
                image.width == entry_int(entry, "width") && image.height == entry_int(entry, "height") &&
                same_hash(raster_hash(&image), entry);
    raster_free(&image);
    return same ? VERIFY_KIND_COUNT : VERIFY_ALTERED;
}

static enum verify_kind check_ply(const char *path, const unsigned char *bytes, size_t size,
                                  const json_t *entry, struct error *why) {
    struct ply ply;
    if (ply_read(path, bytes, size, &ply, why) != STATUS_OK || ply_check(path, &ply, why) != STATUS_OK)
        return VERIFY_DAMAGED;
    bool same =
        (int64_t)ply.count == entry_int(entry, "entities") && same_hash(bytes_hash(bytes, size), entry);
    return same ? VERIFY_KIND_COUNT : VERIFY_ALTERED;
}

/* shown: the path inside the out folder. */
static enum status check_file(const char *full, const char *shown, const json_t *entry,
                              struct verify_result *result, struct error *err) {
    struct os_info info;
    struct error why = {.status = STATUS_OK};
    unsigned char *bytes = NULL;
    size_t size = 0;
    result->files++;
    enum status status = os_info(full, &info, err);
    if (status != STATUS_OK)
        return status;
    if (info.kind == OS_NOTHING)
        return complain(result, VERIFY_MISSING, shown, "", err);
    if (info.kind != OS_FILE) /* a pipe would be waited for */
        return complain(result, VERIFY_DAMAGED, shown, "is not a file", err);
    if (os_read_file(full, FILE_SIZE_MAX, &bytes, &size, &why) != STATUS_OK)
        return complain(result, VERIFY_DAMAGED, shown, why.message, err);
    const char *encoding = entry_text(entry, "encoding");
    enum verify_kind kind;
    if (strcmp(encoding, "ply") == 0)
        kind = check_ply(shown, bytes, size, entry, &why);
    else if (strcmp(encoding, "file") == 0)
        kind = same_hash(bytes_hash(bytes, size), entry) ? VERIFY_KIND_COUNT : VERIFY_ALTERED;
    else
        kind = check_png(bytes, size, entry, &why);
    free(bytes);
    return kind == VERIFY_KIND_COUNT ? STATUS_OK : complain(result, kind, shown, why.message, err);
}

/* ---- what is there and in no manifest ---- */

struct walk {
    struct verify_result *result;
    const char *out;
    const char *map;   /* "maps/x3_y2/" */
    const char *below; /* inside the map: "", "sections/" ... */
    json_t *outputs;
};

static enum status look_for_extras(const struct walk *walk, struct error *err);

static enum status visit(void *context, const char *name, struct error *err) {
    const struct walk *walk = context;
    char path[PATH_TEXT_MAX], full[PATH_TEXT_MAX], deeper[PATH_TEXT_MAX];
    struct os_info info;
    bool top = walk->below[0] == '\0';
    if (name[0] == '.' || (top && strcmp(name, "manifest.json") == 0))
        return STATUS_OK;
    enum status status = path_format(path, err, "%s%s", walk->below, name);
    if (status == STATUS_OK)
        status = path_format(full, err, "%s/%s%s", walk->out, walk->map, path);
    if (status == STATUS_OK)
        status = os_info(full, &info, err);
    if (status != STATUS_OK)
        return status;
    if (info.kind == OS_DIR && !info.link) { /* links may lead round in circles */
        struct walk inner = *walk;
        inner.below = deeper;
        status = path_format(deeper, err, "%s/", path);
        return status == STATUS_OK ? look_for_extras(&inner, err) : status;
    }
    if (json_object_get(walk->outputs, path))
        return STATUS_OK;
    return complain(walk->result, VERIFY_EXTRA, full + strlen(walk->out) + 1, "", err);
}

static enum status look_for_extras(const struct walk *walk, struct error *err) {
    char full[PATH_TEXT_MAX];
    struct walk inner = *walk;
    enum status status = path_format(full, err, "%s/%s%s", walk->out, walk->map, walk->below);
    return status == STATUS_OK ? os_list(full, visit, &inner, err) : status;
}

static enum status check_map(const char *out, const struct out_map *map, struct verify_result *result,
                             struct error *err) {
    size_t count;
    const char **paths = json_keys(map->outputs, &count);
    if (!paths)
        return error_set(err, STATUS_LIMIT, "out of memory");
    const char *shown_map = map->folder + strlen(out) + 1;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        char full[PATH_TEXT_MAX];
        status = path_format(full, err, "%s/%s", map->folder, paths[i]);
        if (status == STATUS_OK)
            status = check_file(full, full + strlen(out) + 1, json_object_get(map->outputs, paths[i]), result,
                                err);
    }
    free(paths);
    char below[PATH_TEXT_MAX];
    struct walk walk = {result, out, below, "", map->outputs};
    if (status == STATUS_OK)
        status = path_format(below, err, "%s/", shown_map);
    return status == STATUS_OK ? look_for_extras(&walk, err) : status;
}

/* ---- OUT/manifest.json ---- */

/* A file whose whole bytes have the hash that `hashes` gives under key. */
static enum status check_hashed(const char *out, const char *path, const json_t *hash,
                                struct verify_result *result, struct error *err) {
    char full[PATH_TEXT_MAX];
    enum status status = path_format(full, err, "%s/%s", out, path);
    json_t *entry = json_pack("{s:s, s:O}", "encoding", "file", "hash", hash);
    if (status == STATUS_OK && !entry)
        status = error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK)
        status = check_file(full, path, entry, result, err);
    json_decref(entry);
    return status;
}

/* "hash" stands for the rest of the file. */
static enum status check_own_hash(json_t *root, struct verify_result *result, struct error *err) {
    json_t *hash = json_incref(json_object_get(root, "hash"));
    json_object_del(root, "hash");
    char *text = manifest_text(root), is[HASH_TEXT_SIZE] = "";
    if (text)
        hash128_text(bytes_hash(text, strlen(text)), is);
    bool same = json_is_string(hash) && strcmp(json_string_value(hash), is) == 0;
    json_decref(hash);
    free(text);
    if (!text)
        return error_set(err, STATUS_LIMIT, "out of memory");
    return same ? STATUS_OK : complain(result, VERIFY_ALTERED, "manifest.json", "", err);
}

/* A map's manifest by its hash; one that cannot be read has been told. */
static enum status check_listed(const char *out, const struct out_dir *dir, const char *name,
                                const json_t *hash, struct verify_result *result, struct error *err) {
    char path[PATH_TEXT_MAX], why[160];
    int32_t x, y;
    if (!path_parse_map(name, &x, &y)) {
        snprintf(why, sizeof why, "names a map '%.80s', which is none", name);
        return complain(result, VERIFY_DAMAGED, "manifest.json", why, err);
    }
    const struct out_map *map = out_find(dir, x, y);
    if (map && !map->root) {
        result->files++;
        return STATUS_OK;
    }
    enum status status = path_format(path, err, "maps/%s/manifest.json", name);
    return status == STATUS_OK ? check_hashed(out, path, hash, result, err) : status;
}

static enum status check_top(const char *out, const struct out_dir *dir, struct verify_result *result,
                             struct error *err) {
    char path[PATH_TEXT_MAX];
    unsigned char *bytes;
    size_t size, count = 0;
    struct error why;
    enum status status = path_format(path, err, "%s/manifest.json", out);
    if (status != STATUS_OK)
        return status;
    result->files++;
    if (os_read_file(path, FILE_SIZE_MAX, &bytes, &size, &why) != STATUS_OK) {
        struct os_info info;
        bool there = os_info(path, &info, NULL) != STATUS_OK || info.kind != OS_NOTHING;
        return complain(result, there ? VERIFY_DAMAGED : VERIFY_MISSING, "manifest.json",
                        there ? why.message : "", err);
    }
    json_t *root = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, NULL);
    free(bytes);
    json_t *maps = json_object_get(root, "maps");
    if (!json_is_object(maps)) {
        json_decref(root);
        return complain(result, VERIFY_DAMAGED, "manifest.json", "is no manifest", err);
    }
    const char **names = json_keys(maps, &count);
    if (!names)
        status = error_set(err, STATUS_LIMIT, "out of memory");
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = check_listed(out, dir, names[i], json_object_get(maps, names[i]), result, err);
    }
    for (size_t i = 0; i < dir->count && status == STATUS_OK; i++) {
        const char *folder = dir->maps[i].folder + strlen(out) + 1;
        if (!json_object_get(maps, folder + strlen("maps/")))
            status = complain(result, VERIFY_EXTRA, folder, "", err);
    }
    if (status == STATUS_OK && json_object_get(root, "objects"))
        status = check_hashed(out, "objects.json", json_object_get(root, "objects"), result, err);
    if (status == STATUS_OK)
        status = check_own_hash(root, result, err);
    free(names);
    json_decref(root);
    return status;
}

/* ---- what lies beside the maps that manifests know ---- */

struct beside {
    struct verify_result *result;
    const struct out_dir *dir;
    const char *out;
};

static enum status see_top(void *context, const char *name, struct error *err) {
    static const char *const ours[] = {"manifest.json", "objects.json", "timings.json", "maps"};
    const struct beside *b = context;
    bool known = name[0] == '.';
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        known |= strcmp(name, ours[i]) == 0;
    return known ? STATUS_OK : complain(b->result, VERIFY_EXTRA, name, "", err);
}

/* Folders of no manifest: their files one by one, as those of a map. */
static enum status see_maps(void *context, const char *name, struct error *err) {
    const struct beside *b = context;
    char path[PATH_TEXT_MAX], below[PATH_TEXT_MAX];
    struct os_info info;
    int32_t x, y;
    if (name[0] == '.' || (path_parse_map(name, &x, &y) && out_find(b->dir, x, y)))
        return STATUS_OK;
    enum status status = path_format(path, err, "%s/maps/%s", b->out, name);
    if (status == STATUS_OK)
        status = os_info(path, &info, err);
    if (status == STATUS_OK)
        status = path_format(below, err, "maps/%s/", name);
    if (status != STATUS_OK)
        return status;
    if (info.kind != OS_DIR || info.link) {
        below[strlen(below) - 1] = '\0';
        return complain(b->result, VERIFY_EXTRA, below, "", err);
    }
    struct walk walk = {b->result, b->out, below, "", NULL};
    return look_for_extras(&walk, err);
}

static enum status check_beside(const char *out, const struct out_dir *dir, struct verify_result *result,
                                struct error *err) {
    struct beside beside = {result, dir, out};
    char path[PATH_TEXT_MAX];
    enum status status = os_list(out, see_top, &beside, err);
    if (status == STATUS_OK)
        status = path_format(path, err, "%s/maps", out);
    return status == STATUS_OK ? os_list(path, see_maps, &beside, err) : status;
}

/* What is wrong with the maps' manifests themselves. */
static enum status tell_troubles(const char *out, const struct report *troubles, struct verify_result *result,
                                 struct error *err) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < troubles->count && status == STATUS_OK; i++) {
        const struct report_item *item = &troubles->items[i];
        const char *file = item->file ? item->file : "", *why = item->message ? item->message : "";
        size_t skip = strncmp(file, out, strlen(out)) == 0 ? strlen(out) + 1 : 0;
        status = complain(result, VERIFY_DAMAGED, file + skip, why, err);
    }
    return status;
}

enum status verify_out(const char *out, struct verify_result *result, struct error *err) {
    *result = (struct verify_result){NULL, 0, 0};
    struct out_dir dir;
    struct report troubles = {0};
    enum status status = out_open(out, &dir, &troubles, err);
    if (status == STATUS_OK)
        status = tell_troubles(out, &troubles, result, err);
    report_free(&troubles);
    if (status == STATUS_OK)
        status = check_top(out, &dir, result, err);
    for (size_t i = 0; i < dir.count && status == STATUS_OK; i++)
        status = !dir.maps[i].root ? STATUS_OK : check_map(out, &dir.maps[i], result, err);
    if (status == STATUS_OK)
        status = check_beside(out, &dir, result, err);
    out_close(&dir);
    return status == STATUS_OK && result->count > 0 ? STATUS_DIFFERENT : status;
}
