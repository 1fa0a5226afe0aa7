/* Any bytes as a mask's legend: what is read has names and ids, no two alike; what is not has a message. */
#include "gen/world_build.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good) {
    if (!good)
        abort();
}

static void use(const struct world_mask *mask) {
    for (size_t i = 0; i < mask->legend_count; i++) {
        const struct legend_entry *a = &mask->legend[i];
        must(a->name && a->code >= 0 && a->code <= 255);
        for (size_t k = 0; k < i; k++)
            must(strcmp(a->name, mask->legend[k].name) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct report report = {0};
    struct world_mask mask = {0};
    struct world_build b = {.report = &report};
    struct yaml_node *root = yaml_parse("legend.yaml", (const char *)data, size, &report);
    if (root && root->kind == YAML_MAP) {
        build_legend(&b, root, &mask);
        if (report.errors == 0)
            use(&mask);
        must(report.count > 0 || mask.legend_count > 0);
    }
    for (size_t i = 0; i < mask.legend_count; i++)
        free(mask.legend[i].name);
    free(mask.legend);
    free(mask.legend_file);
    yaml_tree_free(root);
    report_free(&report);
    return 0;
}
