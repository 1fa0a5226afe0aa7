#include "gen/yaml.h"

#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* An empty node of the same kind and place, with room for as many children. */
static struct yaml_node *like(const struct yaml_node *node) {
    struct yaml_node *to = calloc(1, sizeof *to);
    size_t room = node->count ? node->count : 1;
    if (!to)
        return NULL;
    to->kind = node->kind;
    to->file = node->file;
    to->line = node->line;
    to->column = node->column;
    to->quoted = node->quoted;
    to->text = node->text ? copy_text(node->text) : NULL;
    to->items = calloc(room, sizeof *to->items);
    to->keys = node->keys ? calloc(room, sizeof *to->keys) : NULL;
    to->used = node->keys ? calloc(room, sizeof *to->used) : NULL;
    if (!to->items || (node->text && !to->text) || (node->keys && (!to->keys || !to->used))) {
        yaml_tree_free(to);
        return NULL;
    }
    return to;
}

struct yaml_node *yaml_copy(const struct yaml_node *node, size_t *left) {
    if (*left == 0)
        return NULL;
    --*left;
    struct yaml_node *to = like(node);
    for (size_t i = 0; to && i < node->count; i++) {
        struct yaml_node *key = node->keys ? yaml_copy(node->keys[i], left) : NULL;
        struct yaml_node *item = !node->keys || key ? yaml_copy(node->items[i], left) : NULL;
        if (!item) {
            yaml_tree_free(key);
            yaml_tree_free(to);
            return NULL;
        }
        if (key)
            to->keys[i] = key;
        to->items[i] = item;
        to->count++;
    }
    return to;
}

/* Each array may have grown alone: count says how many are valid. */
static bool grow(struct yaml_node *map) {
    struct yaml_node **items = realloc(map->items, (map->count + 1) * sizeof *items);
    if (items)
        map->items = items;
    struct yaml_node **keys = realloc(map->keys, (map->count + 1) * sizeof *keys);
    if (keys)
        map->keys = keys;
    bool *used = realloc(map->used, (map->count + 1) * sizeof *used);
    if (used)
        map->used = used;
    return items && keys && used;
}

bool yaml_add(struct yaml_node *map, struct yaml_node *key, struct yaml_node *item) {
    if (!key || !item || !grow(map)) {
        yaml_tree_free(key);
        yaml_tree_free(item);
        return false;
    }
    map->keys[map->count] = key;
    map->items[map->count] = item;
    map->used[map->count++] = false;
    return true;
}

/* The index of a key, or count. */
static size_t find(const struct yaml_node *map, const char *key) {
    size_t i = 0;
    while (i < map->count && strcmp(map->keys[i]->text, key) != 0)
        i++;
    return i;
}

void yaml_remove(struct yaml_node *map, const char *key) {
    size_t at = find(map, key);
    if (at == map->count)
        return;
    yaml_tree_free(map->keys[at]);
    yaml_tree_free(map->items[at]);
    for (map->count--; at < map->count; at++) {
        map->keys[at] = map->keys[at + 1];
        map->items[at] = map->items[at + 1];
        map->used[at] = map->used[at + 1];
    }
}

/* One key of `over`, moved. */
static bool lay(struct yaml_node *under, struct yaml_node *key, struct yaml_node *item) {
    size_t at = find(under, key->text);
    if (at == under->count)
        return yaml_add(under, key, item);
    if (yaml_null(item))
        yaml_remove(under, key->text);
    bool good = true;
    if (!yaml_null(item) && under->items[at]->kind == YAML_MAP && item->kind == YAML_MAP) {
        good = yaml_overlay(under->items[at], item);
    } else if (!yaml_null(item)) {
        struct yaml_node *old_key = under->keys[at], *old = under->items[at];
        under->keys[at] = key;
        under->items[at] = item;
        key = old_key;
        item = old;
    }
    yaml_tree_free(key);
    yaml_tree_free(item);
    return good;
}

bool yaml_overlay(struct yaml_node *under, struct yaml_node *over) {
    bool good = true;
    for (size_t i = 0; i < over->count; i++) {
        if (good) {
            good = lay(under, over->keys[i], over->items[i]);
        } else {
            yaml_tree_free(over->keys[i]);
            yaml_tree_free(over->items[i]);
        }
    }
    over->count = 0;
    return good;
}

static bool equal_scalars(const struct yaml_node *a, const struct yaml_node *b) {
    double x, y;
    if (yaml_number(a, &x) && yaml_number(b, &y))
        return x == y;
    return yaml_null(a) == yaml_null(b) && (yaml_null(a) || strcmp(a->text, b->text) == 0);
}

bool yaml_equal(const struct yaml_node *a, const struct yaml_node *b) {
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == YAML_SCALAR)
        return equal_scalars(a, b);
    for (size_t i = 0; i < a->count; i++) {
        size_t at = a->keys ? find(b, a->keys[i]->text) : i;
        if (at == b->count || !yaml_equal(a->items[i], b->items[at]))
            return false;
    }
    return true;
}

void yaml_keep(struct yaml_node *root, struct yaml_node *other) {
    struct yaml_node *last = other;
    while (last->kept)
        last = last->kept;
    last->kept = root->kept;
    root->kept = other;
}
