#include "gen/recipe_include.h"

#include "gen/recipe_expand.h"
#include "gen/recipe_read.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that is being read, and the one that named it. */
struct level {
    const struct level *above;
    const char *file;
    char *name; /* the same, tidied; NULL without memory */
    int32_t depth;
};

struct including {
    const struct recipe_paths *paths;
    struct report *report;
    int32_t files;
};

static void no_memory(struct including *in, const struct yaml_node *at) {
    report_add(in->report, REPORT_ERROR, STATUS_LIMIT, at->file, at->line, at->column, "out of memory");
}

static char *folder_of(const char *file) {
    const char *slash = strrchr(file, '/');
    if (!slash)
        return strdup(".");
    size_t size = slash == file ? 1 : (size_t)(slash - file);
    char *folder = strdup(file);
    if (folder)
        folder[size] = '\0';
    return folder;
}

/* Without "x/../" and "./". A link may make it another file's: this is for comparing names only. */
static char *tidy(const char *path) {
    char *out = malloc(strlen(path) + 1);
    size_t size = 0;
    for (const char *at = path; out && *at;) {
        size_t n = strcspn(at, "/");
        bool here = n == 1 && at[0] == '.', up = n == 2 && at[0] == '.' && at[1] == '.';
        size_t last = size > 1 ? size - 1 : 0; /* where the step before begins: out ends with '/' */
        while (last > 0 && out[last - 1] != '/')
            last--;
        bool can_up = size > 1 && strncmp(out + last, "../", 3) != 0;
        if (up && can_up) {
            size = last;
        } else if (!here) {
            memcpy(out + size, at, n);
            size += n;
            if (at[n] == '/')
                out[size++] = '/';
        }
        at += n + (at[n] == '/');
    }
    if (out)
        out[size] = '\0';
    return out;
}

/* "a.yaml includes b.yaml includes a.yaml". False: no cycle. */
static bool refuse_cycle(struct including *in, const struct level *level, const struct yaml_node *at,
                         const char *path) {
    if (!path)
        return false;
    const char *chain[RECIPE_INCLUDE_DEPTH + 2];
    int32_t count = 0;
    chain[count++] = path;
    for (const struct level *l = level; l; l = l->above) {
        chain[count++] = l->name ? l->name : l->file;
        if (strcmp(chain[count - 1], path) != 0)
            continue;
        char text[ERROR_MESSAGE_MAX - 64];
        size_t used = 0;
        for (int32_t i = count; i-- > 0 && used < sizeof text;)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     i + 1 < count ? " includes " : "", chain[i]);
        yaml_complain(at, in->report, "a recipe cannot include itself: %s", text);
        return true;
    }
    return false;
}

static struct yaml_node *read_level(struct including *in, struct yaml_node *root, const struct level *level);

/* The tree of one included file, what it includes under it. NULL: reported. */
static struct yaml_node *read_file(struct including *in, const struct level *level,
                                   const struct yaml_node *at) {
    const char *written;
    if (!yaml_as_text(at, "include", &written, in->report))
        return NULL;
    char *folder = folder_of(level->file);
    char *path = folder ? in->paths->find(in->paths->context, at, folder, written) : NULL;
    char *name = path ? tidy(path) : NULL;
    struct yaml_node *tree = NULL;
    if (!folder)
        no_memory(in, at);
    if (path && !refuse_cycle(in, level, at, name)) {
        if (level->depth >= RECIPE_INCLUDE_DEPTH)
            yaml_complain(at, in->report, "recipes include recipes more than %d deep",
                          (int)RECIPE_INCLUDE_DEPTH);
        else if (++in->files > RECIPE_INCLUDE_FILES_MAX)
            yaml_complain(at, in->report, "more than %d files included in all",
                          (int)RECIPE_INCLUDE_FILES_MAX);
        else
            tree = yaml_read_named(path, at, written, in->report);
    }
    if (tree && tree->kind != YAML_MAP) {
        yaml_complain(tree, in->report, "a recipe is a map with 'biomes' and 'species'");
        yaml_tree_free(tree);
        tree = NULL;
    }
    if (tree) {
        recipe_check_version(tree, in->report);
        struct level here = {level, path, name, level->depth + 1};
        tree = read_level(in, tree, &here);
        recipe_expand(tree, in->report);
    }
    free(name);
    free(path);
    free(folder);
    return tree;
}

/* Exchanges what two roots hold, but for the files that they own. */
static void swap_roots(struct yaml_node *a, struct yaml_node *b) {
    struct yaml_node t = *a;
    *a = *b;
    *b = t;
    char *owned = a->owned_file;
    struct yaml_node *kept = a->kept;
    a->owned_file = b->owned_file;
    a->kept = b->kept;
    b->owned_file = owned;
    b->kept = kept;
}

/* What is left of the top file's `include`: its place. */
static void clear(struct yaml_node *include) {
    for (size_t i = 0; i < include->count; i++) {
        yaml_tree_free(include->items[i]);
        if (include->keys)
            yaml_tree_free(include->keys[i]);
    }
    include->count = 0;
    include->kind = YAML_LIST;
}

/* Two files of one list that define a noise differently would move each other's species. */
static void refuse_noise(struct including *in, const struct yaml_node *key, const struct yaml_node *other,
                         const struct yaml_node *root) {
    yaml_complain(key, in->report,
                  "noise '%s' is another at %s:%d:%d: give one of them another name, or define it in %s, "
                  "which includes both",
                  key->text, other->file, (int)other->line, (int)other->column, root->file);
}

static void compare_noises(struct including *in, struct yaml_node *under, struct yaml_node *tree,
                           struct yaml_node *root) {
    struct yaml_node *a = yaml_get(under, "noise"), *b = yaml_get(tree, "noise"),
                     *own = yaml_get(root, "noise");
    if (!a || !b || a->kind != YAML_MAP || b->kind != YAML_MAP)
        return;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            if (strcmp(a->keys[i]->text, b->keys[k]->text) == 0 && !yaml_equal(a->items[i], b->items[k]) &&
                !yaml_get(own, b->keys[k]->text))
                refuse_noise(in, b->keys[k], a->keys[i], root);
}

/* Lays the root over what it includes; the root stays the same pointer and keeps its place. */
static struct yaml_node *read_level(struct including *in, struct yaml_node *root, const struct level *level) {
    struct yaml_node *include = yaml_get(root, "include");
    struct yaml_node place = *root, *under = NULL;
    bool good = true;
    size_t count = !include ? 0 : include->kind == YAML_LIST ? include->count : 1;
    for (size_t i = 0; i < count && good; i++) {
        struct yaml_node *tree =
            read_file(in, level, include->kind == YAML_LIST ? include->items[i] : include);
        if (!tree)
            continue;
        if (!under) {
            under = tree;
            continue;
        }
        compare_noises(in, under, tree, root);
        good = yaml_overlay(under, tree);
        yaml_keep(under, tree);
    }
    if (level->above)
        yaml_remove(root, "include");
    else if (include)
        clear(include);
    if (!under)
        return root;
    good = good && yaml_overlay(under, root);
    swap_roots(under, root);
    root->file = place.file;
    root->line = place.line;
    root->column = place.column;
    yaml_keep(root, under);
    if (!good)
        no_memory(in, root);
    return root;
}

bool recipe_include(struct yaml_node *root, const struct recipe_paths *paths, struct report *report) {
    size_t errors = report->errors;
    struct including in = {.paths = paths, .report = report};
    struct level top = {NULL, root->file, tidy(root->file), 0};
    if (root->kind == YAML_MAP)
        read_level(&in, root, &top);
    free(top.name);
    return report->errors == errors;
}
