#include "gen/yaml.h"

#include <stdio.h>
#include <string.h>

bool yaml_get_f64(struct yaml_node *map, const char *key, double min, double max, const char *unit,
                  double *out, struct report *report) {
    const struct yaml_node *node = yaml_get(map, key);
    return node && yaml_as_f64(node, key, min, max, unit, out, report);
}

bool yaml_get_i64(struct yaml_node *map, const char *key, int64_t min, int64_t max, int64_t *out,
                  struct report *report) {
    const struct yaml_node *node = yaml_get(map, key);
    return node && yaml_as_i64(node, key, min, max, out, report);
}

bool yaml_get_text(struct yaml_node *map, const char *key, const char **out, struct report *report) {
    const struct yaml_node *node = yaml_get(map, key);
    return node && yaml_as_text(node, key, out, report);
}

bool yaml_get_enum(struct yaml_node *map, const char *key, const char *const *words, size_t count,
                   int32_t *out, struct report *report) {
    const struct yaml_node *node = yaml_get(map, key);
    return node && yaml_as_enum(node, key, words, count, out, report);
}

bool yaml_get_bool(struct yaml_node *map, const char *key, bool *out, struct report *report) {
    const struct yaml_node *node = yaml_get(map, key);
    return node && yaml_as_bool(node, key, out, report);
}

static struct yaml_node *get_kind(struct yaml_node *map, const char *key, enum yaml_kind kind,
                                  const char *what, struct report *report) {
    char quote[YAML_SHOWN_MAX];
    struct yaml_node *node = yaml_get(map, key);
    if (!node || !yaml_has_value(node, key, report))
        return NULL;
    if (node->kind == kind)
        return node;
    yaml_complain(node, report, "'%s' must be %s, not %s%s", key, what, yaml_shown(node, quote),
                  kind == YAML_LIST && node->kind == YAML_SCALAR && strchr(node->text, ',')
                      ? ": lists stand in brackets, [a, b]"
                      : "");
    return NULL;
}

struct yaml_node *yaml_get_map(struct yaml_node *map, const char *key, struct report *report) {
    return get_kind(map, key, YAML_MAP, "a map of keys", report);
}

struct yaml_node *yaml_get_list(struct yaml_node *map, const char *key, struct report *report) {
    return get_kind(map, key, YAML_LIST, "a list", report);
}

bool yaml_get_f64_list(struct yaml_node *map, const char *key, size_t n, double min, double max,
                       const char *unit, double *out, struct report *report) {
    char what[64];
    snprintf(what, sizeof what, "a list of %zu numbers", n);
    const struct yaml_node *list = get_kind(map, key, YAML_LIST, what, report);
    if (!list)
        return false;
    if (list->count != n) {
        yaml_complain(list, report, "'%s' must be a list of %zu numbers, not of %zu", key, n, list->count);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s[%zu]", key, i);
        good = yaml_as_f64(list->items[i], name, min, max, unit, out + i, report) && good;
    }
    return good;
}
