/* Any bytes as YAML: a tree or an error, never both gone wrong; what is set by path can be read again. */
#include "gen/report_text.h"
#include "gen/yaml.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(struct yaml_node *map, struct report *report) {
    static const char *const words[] = {"one", "two"};
    int64_t whole;
    int32_t index;
    double number, pair[2];
    bool flag;
    const char *text;
    for (size_t i = 0; i < map->count && i < 64; i++) {
        const char *key = map->keys[i]->text;
        yaml_get_f64(map, key, -DBL_MAX, 10, "m", &number, report);
        yaml_get_i64(map, key, INT64_MIN, INT64_MAX, &whole, report);
        yaml_get_bool(map, key, &flag, report);
        yaml_get_text(map, key, &text, report);
        yaml_get_enum(map, key, words, 2, &index, report);
        yaml_get_f64_list(map, key, 2, 0, 1, "", pair, report);
        struct yaml_node *child = yaml_get_map(map, key, report);
        if (child)
            yaml_unknown_keys(child, key, report);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct report report = {0};
    struct yaml_node *root = yaml_parse("fuzz.yaml", (const char *)data, size, &report);
    if (!root && report.errors == 0)
        abort();
    if (root && root->kind == YAML_MAP) {
        char *copy = malloc(size + 1);
        if (copy) {
            memcpy(copy, data, size);
            copy[size] = '\0';
            char *equals = strchr(copy, '=');
            if (equals)
                *equals = '\0';
            if (equals && yaml_set(root, copy, equals + 1, NULL) == STATUS_OK && root->count == 0)
                abort();
        }
        free(copy);
        read_all(root, &report);
    }
    char *text = report_render(&report, true);
    if (!text)
        abort();
    free(text);
    yaml_tree_free(root);
    report_free(&report);
    return 0;
}
