#include "gen/yaml.h"

#include <stdlib.h>
#include <string.h>

static const char set_file[] = "--set";

enum { STEP_MAX = 256 };

/* One step of a path: a key, or an index in brackets. */
struct step {
    char key[STEP_MAX];
    bool is_index;
    size_t index;
};

/* Takes the next step off *path. False: the path is malformed. */
static bool next_step(const char **path, bool first, struct step *step) {
    const char *at = *path;
    step->is_index = *at == '[';
    if (step->is_index) {
        size_t index = 0, digits = 0;
        for (at++; *at >= '0' && *at <= '9' && digits < 8; at++, digits++)
            index = index * 10 + (size_t)(*at - '0');
        if (first || digits == 0 || *at++ != ']')
            return false;
        step->index = index;
    } else {
        if (!first && *at++ != '.')
            return false;
        size_t size = strcspn(at, ".[");
        if (size == 0 || size >= STEP_MAX)
            return false;
        memcpy(step->key, at, size);
        step->key[size] = '\0';
        at += size;
    }
    *path = at;
    return true;
}

static void mark_set(struct yaml_node *node) {
    node->file = set_file;
    node->line = node->column = 0;
    for (size_t i = 0; i < node->count; i++) {
        mark_set(node->items[i]);
        if (node->keys)
            mark_set(node->keys[i]);
    }
}

static struct yaml_node *new_node(enum yaml_kind kind, const char *text) {
    struct yaml_node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->kind = kind;
    node->file = set_file;
    if (text && !(node->text = strdup(text))) {
        free(node);
        return NULL;
    }
    return node;
}

/* Room for one more item (and key). */
static bool grow(struct yaml_node *node) {
    struct yaml_node **items = realloc(node->items, (node->count + 1) * sizeof *items);
    if (!items)
        return false;
    node->items = items;
    if (node->kind != YAML_MAP)
        return true;
    struct yaml_node **keys = realloc(node->keys, (node->count + 1) * sizeof *keys);
    if (!keys)
        return false;
    node->keys = keys;
    bool *used = realloc(node->used, (node->count + 1) * sizeof *used);
    if (!used)
        return false;
    used[node->count] = false;
    node->used = used;
    return true;
}

/* The place of a map's key, made when absent (then *slot is NULL inside). */
static enum status map_slot(struct yaml_node *map, const char *key, struct yaml_node ***slot,
                            struct error *err) {
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->keys[i]->text, key) == 0) {
            mark_set(map->keys[i]);
            *slot = map->items + i;
            return STATUS_OK;
        }
    struct yaml_node *name = new_node(YAML_SCALAR, key);
    struct yaml_node *value = new_node(YAML_MAP, NULL);
    if (!name || !value || !grow(map)) {
        yaml_tree_free(name);
        yaml_tree_free(value);
        return error_at(err, STATUS_LIMIT, set_file, 0, 0, "out of memory");
    }
    map->keys[map->count] = name;
    map->items[map->count] = value;
    *slot = map->items + map->count++;
    return STATUS_OK;
}

static enum status list_slot(struct yaml_node *list, size_t index, struct yaml_node ***slot,
                             struct error *err) {
    if (index > list->count)
        return error_at(err, STATUS_INPUT, set_file, 0, 0, "index %zu is beyond the list's %zu items", index,
                        list->count);
    if (index == list->count) {
        struct yaml_node *value = new_node(YAML_MAP, NULL);
        if (!value || !grow(list)) {
            yaml_tree_free(value);
            return error_at(err, STATUS_LIMIT, set_file, 0, 0, "out of memory");
        }
        list->items[list->count++] = value;
    }
    *slot = list->items + index;
    return STATUS_OK;
}

static enum status walk(struct yaml_node *root, const char *path, struct yaml_node ***slot,
                        struct error *err) {
    struct yaml_node *node = root;
    const char *at = path;
    *slot = NULL;
    while (*at) {
        struct step step;
        int walked = (int)(at - path);
        if (!next_step(&at, at == path, &step))
            return error_at(err, STATUS_USAGE, set_file, 0, 0,
                            "'%s' is no path of keys such as output.height.min_m or splines[0]", path);
        if (yaml_null(node)) { /* `output:` with nothing behind it */
            free(node->text);
            node->text = NULL;
            node->kind = step.is_index ? YAML_LIST : YAML_MAP;
        } else if (step.is_index && node->kind == YAML_MAP && node->count == 0 && node->file == set_file) {
            node->kind = YAML_LIST; /* made by the step before */
        }
        if (step.is_index && node->kind != YAML_LIST)
            return error_at(err, STATUS_INPUT, set_file, 0, 0, "'%.*s' is %s, not a list", walked, path,
                            yaml_kind_name(node));
        if (!step.is_index && node->kind != YAML_MAP)
            return error_at(err, STATUS_INPUT, set_file, 0, 0, "'%.*s' is %s, not a map of keys", walked,
                            path, yaml_kind_name(node));
        enum status status =
            step.is_index ? list_slot(node, step.index, slot, err) : map_slot(node, step.key, slot, err);
        if (status != STATUS_OK)
            return status;
        node = **slot;
    }
    return *slot ? STATUS_OK : error_at(err, STATUS_USAGE, set_file, 0, 0, "the key is missing");
}

enum status yaml_set(struct yaml_node *root, const char *path, const char *value, struct error *err) {
    struct report report = {0};
    struct yaml_node *parsed;
    if (value[0])
        parsed = yaml_parse(set_file, value, strlen(value), &report);
    else
        parsed = new_node(YAML_SCALAR, "");
    enum status status = STATUS_OK;
    if (report.errors > 0)
        status = error_at(err, report_status(&report), set_file, 0, 0, "the value in '%s=%.80s': %s", path,
                          value, report.count ? report.items[0].message : "cannot be read");
    else if (!parsed)
        status = error_at(err, STATUS_LIMIT, set_file, 0, 0, "out of memory");
    report_free(&report);
    struct yaml_node **slot = NULL;
    if (status == STATUS_OK)
        status = walk(root, path, &slot, err);
    if (status != STATUS_OK) {
        yaml_tree_free(parsed);
        return status;
    }
    mark_set(parsed);
    free(parsed->owned_file);
    parsed->owned_file = NULL;
    yaml_tree_free(*slot);
    *slot = parsed;
    return STATUS_OK;
}
