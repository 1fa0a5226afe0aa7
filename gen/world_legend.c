#include "gen/hex_color.h"
#include "gen/world_build.h"

#include "gen/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEGEND_MAX = 256 };

static bool read_color(struct world_build *b, const struct yaml_node *at, const char *name,
                       struct legend_entry *entry) {
    uint8_t rgb[3];
    if (!hex_color(at->kind == YAML_SCALAR ? at->text : "", rgb)) {
        yaml_complain(at, b->report,
                      "'%s' must be a colour like \"#30a040\" (in quotes: # begins a comment)%s", name,
                      at->kind == YAML_LIST ? ", not a list" : "");
        return false;
    }
    entry->r = rgb[0];
    entry->g = rgb[1];
    entry->b = rgb[2];
    return true;
}

static bool read_entry(struct world_build *b, struct yaml_node *value, const char *name,
                       struct legend_entry *entry) {
    if (value->kind != YAML_MAP)
        return read_color(b, value, name, entry);
    const struct yaml_node *color = yaml_get(value, "color");
    int64_t id = entry->code;
    yaml_get_i64(value, "id", 0, 255, &id, b->report);
    entry->code = (int32_t)id;
    yaml_get_bool(value, "unpainted", &entry->unpainted, b->report);
    if (entry->unpainted && yaml_get(value, "id"))
        yaml_complain(yaml_get(value, "id"), b->report, "'%s' is unpainted: it has no id of its own", name);
    yaml_unknown_keys(value, name, b->report);
    if (!color)
        yaml_complain(value, b->report, "'color' is missing in %s", name);
    return color && read_color(b, color, "color", entry);
}

static void check_unlike(struct world_build *b, const struct yaml_node *key, const struct world_mask *mask,
                         const struct legend_entry *entry) {
    for (size_t i = 0; i < mask->legend_count; i++) {
        const struct legend_entry *other = mask->legend + i;
        if (other->code == entry->code && !other->unpainted && !entry->unpainted)
            yaml_complain(key, b->report, "'%s' has the id %d, as '%s' has", entry->name, (int)entry->code,
                          other->name);
        if (other->r == entry->r && other->g == entry->g && other->b == entry->b)
            yaml_complain(key, b->report, "'%s' has the colour #%02x%02x%02x, as '%s' has", entry->name,
                          entry->r, entry->g, entry->b, other->name);
    }
}

static void read_map(struct world_build *b, const struct yaml_node *map, struct world_mask *mask) {
    if (map->count == 0 || map->count > LEGEND_MAX) {
        yaml_complain(map, b->report, "a legend names 1 to %d colours, not %zu", LEGEND_MAX, map->count);
        return;
    }
    if (!(mask->legend = build_alloc(b, map->count, sizeof *mask->legend)) ||
        !(mask->legend_file = build_copy(b, map->file)))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const struct yaml_node *key = map->keys[i];
        struct legend_entry entry = {.code = (int32_t)i + 1, .line = key->line, .column = key->column};
        if (!read_entry(b, map->items[i], key->text, &entry))
            continue;
        if (entry.code > 255) {
            yaml_complain(key, b->report, "'%s' is colour %d of the legend: give it an id, 0 to 255",
                          key->text, (int)entry.code);
            continue;
        }
        if (!(entry.name = build_copy(b, key->text)))
            return;
        check_unlike(b, key, mask, &entry);
        mask->legend[mask->legend_count++] = entry;
    }
}

static void read_file(struct world_build *b, const struct yaml_node *at, const char *written,
                      const char *path, struct world_mask *mask) {
    struct os_info info;
    if (os_info(path, &info, NULL) == STATUS_OK && info.kind == OS_NOTHING) {
        char hint[600];
        build_file_hint(b, written, path, false, hint);
        report_add(b->report, REPORT_ERROR, STATUS_FILE, at->file, at->line, at->column,
                   "%s: there is no such file%s", written, hint);
        return;
    }
    struct yaml_node *root = yaml_read_named(path, at, written, b->report);
    if (root && root->kind != YAML_MAP)
        yaml_complain(root, b->report, "a legend is a map from names to colours, not %s",
                      yaml_kind_name(root));
    else if (root)
        read_map(b, root, mask);
    yaml_tree_free(root);
}

void build_legend(struct world_build *b, const struct yaml_node *legend, struct world_mask *mask) {
    const char *written;
    if (legend->kind == YAML_MAP) {
        read_map(b, legend, mask);
    } else if (yaml_as_text(legend, "legend", &written, b->report)) {
        char *path = build_path(b, legend, written);
        if (path)
            read_file(b, legend, written, path, mask);
        free(path);
    }
}
