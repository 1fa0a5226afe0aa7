#include "gen/world_build.h"

#include "gen/geojson.h"
#include "gen/os.h"
#include "gen/recipe_include.h"
#include "gen/recipe_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether an earlier item of the list is the same text. */
static bool named_before(const struct yaml_node *list, size_t index) {
    const struct yaml_node *item = list->items[index];
    for (size_t i = 0; i < index && item->kind == YAML_SCALAR; i++)
        if (list->items[i]->kind == YAML_SCALAR && strcmp(list->items[i]->text, item->text) == 0)
            return true;
    return false;
}

static const char *const outside_words[] = {[FEATURES_REFUSE] = "error", [FEATURES_CLIP] = "clip"};

/* The path, or the list of paths, of a key that may be a map of `files` and `outside`; NULL: none. */
static struct yaml_node *files_of(struct world_build *b, const char *key) {
    struct yaml_node *node = yaml_get(b->yaml, key);
    return node && node->kind == YAML_MAP ? yaml_get(node, "files") : node;
}

/* A map of what would else be the path or paths. */
static void check_map(struct world_build *b, const char *key) {
    struct yaml_node *map = yaml_get(b->yaml, key);
    int32_t word;
    if (!map || map->kind != YAML_MAP)
        return;
    yaml_get_enum(map, "outside", outside_words, 2, &word, b->report);
    const struct yaml_node *files = yaml_get(map, "files");
    if (!files || files->kind == YAML_MAP)
        yaml_complain(files ? files : map, b->report, "'%s' needs files: a path or a list of paths", key);
    yaml_unknown_keys(map, key, b->report);
}

static enum features_outside outside_of(struct world_build *b, const char *key) {
    struct yaml_node *map = yaml_get(b->yaml, key);
    const struct yaml_node *word = map && map->kind == YAML_MAP ? yaml_get(map, "outside") : NULL;
    bool clip = word && word->kind == YAML_SCALAR && strcmp(word->text, outside_words[FEATURES_CLIP]) == 0;
    return clip ? FEATURES_CLIP : FEATURES_REFUSE;
}

/* One path, or a list of them. */
static void check_paths(struct world_build *b, const char *key) {
    check_map(b, key);
    const struct yaml_node *node = files_of(b, key);
    const char *path;
    if (!node || node->kind == YAML_MAP)
        return;
    if (node->kind != YAML_LIST) {
        yaml_as_text(node, key, &path, b->report);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s[%zu]", key, i);
        if (yaml_as_text(node->items[i], name, &path, b->report) && named_before(node, i))
            yaml_complain(node->items[i], b->report, "'%s' is named twice", path);
    }
}

void build_features(struct world_build *b) {
    check_paths(b, "splines");
    check_paths(b, "placed");
    const struct yaml_node *recipe = yaml_get(b->yaml, "biomes");
    const char *path;
    if (recipe && recipe->kind != YAML_MAP)
        yaml_as_text(recipe, "biomes", &path, b->report);
}

/* The path if it is that of a file that is there; else reported and freed. NULL is passed on. */
static char *if_there(struct world_build *b, const struct yaml_node *at, char *path) {
    struct os_info info = {.kind = OS_NOTHING};
    struct error err;
    if (!path)
        return NULL;
    if (os_info(path, &info, &err) != STATUS_OK)
        report_add(b->report, REPORT_ERROR, err.status, at->file, at->line, at->column, "%s: %s", at->text,
                   err.message);
    else if (info.kind != OS_NOTHING)
        return path;
    else {
        char hint[600];
        build_file_hint(b, at->text, path, false, hint);
        report_add(b->report, REPORT_ERROR, STATUS_FILE, at->file, at->line, at->column,
                   "%s: there is no such file%s", at->text, hint);
    }
    free(path);
    return NULL;
}

/* The path of a file that is there, freed by the caller. NULL: reported. */
static char *existing(struct world_build *b, const struct yaml_node *at) {
    if (at->kind != YAML_SCALAR || yaml_null(at) || !at->text[0])
        return NULL; /* reported by the first pass */
    return if_there(b, at, build_path(b, at, at->text));
}

static void read_one(struct world_build *b, const struct yaml_node *at, struct features *into) {
    char *path = existing(b, at);
    if (path && b->extent_known)
        features_read(path, &b->world->extent, into, b->report);
    free(path);
}

static struct features *read_all(struct world_build *b, const char *key, enum features_purpose purpose,
                                 const struct features *other) {
    struct features *features = features_new(purpose);
    const struct yaml_node *node = files_of(b, key);
    if (!features) {
        build_no_memory(b);
        return NULL;
    }
    features->outside = outside_of(b, key);
    if (node && node->kind != YAML_LIST)
        read_one(b, node, features);
    for (size_t i = 0; node && node->kind == YAML_LIST && i < node->count; i++)
        if (!named_before(node, i))
            read_one(b, node->items[i], features);
    if (b->extent_known)
        features_finish(features, &b->world->extent, other, b->report);
    return features;
}

/* A file that a recipe includes: at a root, or beside the file that names it. */
static char *find_included(void *context, const struct yaml_node *at, const char *folder,
                           const char *written) {
    struct world_build *b = context;
    if (!written[0]) {
        yaml_complain(at, b->report, "'include' names no file");
        return NULL;
    }
    return if_there(b, at, build_path_beside(b, at, folder, written));
}

static void read_tree(struct world_build *b, struct yaml_node *root) {
    if (root->kind == YAML_MAP)
        build_recipe_noises(b, root);
    b->world->recipe = recipe_read_tree(root, b->world, b->report);
}

/* The recipe stands in a file of its own, or in the world's. */
static void read_recipe(struct world_build *b) {
    const struct recipe_paths paths = {find_included, b};
    struct yaml_node *at = yaml_get(b->yaml, "biomes");
    if (at && at->kind == YAML_MAP && recipe_include(at, &paths, b->report))
        read_tree(b, at);
    char *path = at ? existing(b, at) : NULL;
    struct yaml_node *root = path ? yaml_read_named(path, at, at->text, b->report) : NULL;
    free(path);
    if (!root)
        return;
    bool whole = recipe_include(root, &paths, b->report);
    for (size_t i = 0; b->options && i < b->options->set_count; i++) {
        const char *key = build_recipe_path(b, b->options->sets[i]);
        if (key)
            build_apply_set(b, root, key, b->options->sets[i]);
    }
    if (whole)
        read_tree(b, root);
    yaml_tree_free(root);
}

/* Which tool uses a kind; TOOL_COUNT: none, or whatever there is. */
static enum world_tool tool_of(enum feature_kind kind) {
    switch (kind) {
    case FEATURE_RIVER:
    case FEATURE_STREAM:
    case FEATURE_DITCH:
    case FEATURE_LAKE:
    case FEATURE_RIVER_AREA:
        return TOOL_FRESHWATER;
    case FEATURE_ROAD:
    case FEATURE_TRACK:
    case FEATURE_PATH:
        return TOOL_ROADS;
    case FEATURE_FENCE:
    case FEATURE_WALL:
        return TOOL_FENCES;
    case FEATURE_POWER_LINE:
    case FEATURE_POWER_TOWER:
        return TOOL_POWERLINES;
    case FEATURE_FOOTPRINT:
    case FEATURE_OTHER:
        break;
    }
    return TOOL_COUNT;
}

/* Whether `tools:` has the name, be it of a tool that this version lacks (which has its own warning). */
static bool tool_named(const struct world_build *b, int tool) {
    const struct yaml_node *list = yaml_get(b->yaml, "tools");
    bool named = world_has_tool(b->world, (enum world_tool)tool);
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++)
        named |=
            list->items[i]->kind == YAML_SCALAR && strcmp(list->items[i]->text, world_tool_names[tool]) == 0;
    return named;
}

/* Lines of tools that the world does not name: one note a tool, at the first. */
static void note_unused(struct world_build *b) {
    const struct features *f = b->world->splines;
    for (int t = 0; f && t < TOOL_COUNT; t++) {
        const struct feature *first = NULL;
        size_t count = 0;
        for (size_t i = 0; i < f->count; i++)
            if ((int)tool_of(f->items[i].kind) == t) {
                first = first ? first : &f->items[i];
                count++;
            }
        if (first && !tool_named(b, t))
            report_add(b->report, REPORT_NOTE, STATUS_INPUT, first->file, first->line, first->column,
                       "%zu drawn thing%s (the first: %s) change%s nothing: %s '%s'%s", count,
                       count == 1 ? "" : "s", first->kind_text, count == 1 ? "s" : "",
                       world_tool_built[t] ? "'tools' does not name" : "the tool", world_tool_names[t],
                       world_tool_built[t] ? "" : " is not in this version");
    }
}

void build_feature_files(struct world_build *b) {
    b->world->splines = read_all(b, "splines", FEATURES_SPLINES, NULL);
    b->world->placed = read_all(b, "placed", FEATURES_PLACED, b->world->splines);
    note_unused(b);
    read_recipe(b);
}
