#include "gen/publish_clean.h"

#include <stdio.h>
#include <string.h>

struct walk {
    const char *dir;   /* the map's folder */
    const char *below; /* "", "sections/", "sections/c1_2/", "sectors/" */
    bool temporaries;  /* remove these, or else strays: */
    json_t *outputs, *complete;
    int64_t *count;
};

static enum status remove_one(const char *dir, const char *path, int64_t *count, struct error *err) {
    char full[PATH_TEXT_MAX];
    struct os_info info;
    enum status status = path_format(full, err, "%s/%s", dir, path);
    if (status == STATUS_OK)
        status = os_info(full, &info, err);
    if (status == STATUS_OK && info.kind == OS_FILE) {
        status = os_remove(full, err);
        if (status == STATUS_OK && count)
            ++*count;
    }
    return status;
}

static bool ends_in(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* A section's picture or a sector's points or mesh, by its name. */
static bool is_ours(const char *path, const struct path_name *name) {
    if (name->file[0] == '.')
        return false;
    if (name->level == LEVEL_SECTION)
        return ends_in(path, ".png");
    return name->level == LEVEL_SECTOR && (ends_in(path, ".ply") || ends_in(path, ".glb"));
}

static enum status walk_dir(const struct walk *walk, const char *below, struct error *err);

static enum status visit(void *context, const char *name, struct error *err) {
    const struct walk *walk = context;
    char path[PATH_TEXT_MAX], key[PATH_TEXT_MAX + 2];
    enum status status = path_format(path, err, "%s%s", walk->below, name);
    if (status != STATUS_OK)
        return status;
    bool top = walk->below[0] == '\0';
    if ((top && (strcmp(name, "sections") == 0 || strcmp(name, "sectors") == 0)) ||
        strcmp(walk->below, "sections/") == 0) {
        snprintf(key, sizeof key, "%s/", path);
        return walk_dir(walk, key, err);
    }
    if (walk->temporaries)
        return os_is_temporary(name) ? remove_one(walk->dir, path, NULL, err) : STATUS_OK;
    struct path_name parsed;
    if (path_parse(path, &parsed) && is_ours(path, &parsed) && publish_covered(walk->complete, path) &&
        !json_object_get(walk->outputs, path))
        return remove_one(walk->dir, path, walk->count, err);
    return STATUS_OK;
}

static enum status walk_dir(const struct walk *walk, const char *below, struct error *err) {
    char full[PATH_TEXT_MAX];
    struct os_info info;
    struct walk inner = *walk;
    inner.below = below;
    enum status status = path_format(full, err, "%s/%s", walk->dir, below);
    if (status == STATUS_OK)
        status = os_info(full, &info, err);
    if (status != STATUS_OK || info.kind != OS_DIR)
        return status;
    return os_list(full, visit, &inner, err);
}

enum status publish_clean(const char *dir, struct os_lock *writers, struct error *err) {
    char path[PATH_TEXT_MAX];
    bool taken;
    enum status status = path_format(path, err, "%s/.writers.lock", dir);
    if (status == STATUS_OK)
        status = os_lock_take(path, true, false, writers, &taken, err);
    if (status != STATUS_OK)
        return status;
    if (taken) { /* nobody else writes: whatever is half-written was left behind */
        struct walk walk = {.dir = dir, .temporaries = true};
        status = walk_dir(&walk, "", err);
        os_lock_drop(writers);
    }
    if (status == STATUS_OK)
        status = os_lock_take(path, false, true, writers, &taken, err);
    return status;
}

bool publish_covered(json_t *complete, const char *path) {
    struct path_name name;
    if (!path_parse(path, &name))
        return false;
    if (json_object_get(complete, "map"))
        return true;
    char key[64];
    if (name.level == LEVEL_MAP)
        return false;
    snprintf(key, sizeof key, "%c%d_%d", name.level == LEVEL_SECTION ? 'c' : 's', name.x, name.y);
    return json_object_get(complete, key) != NULL;
}

enum status publish_remove(const char *dir, json_t *outputs, json_t *complete, json_t *removed,
                           int64_t *count, struct error *err) {
    const char *path;
    json_t *value;
    json_object_foreach(removed, path, value) {
        enum status status = remove_one(dir, path, count, err);
        if (status != STATUS_OK)
            return status;
    }
    if (json_object_size(complete) == 0)
        return STATUS_OK;
    struct walk walk = {.dir = dir, .outputs = outputs, .complete = complete, .count = count};
    return walk_dir(&walk, "", err);
}
