#include "gen/world_build.h"

#include "gen/image.h"
#include "gen/os.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void build_source_free(struct source *source) {
    for (size_t i = 0; i < source->file_count; i++) {
        free(source->files[i].name);
        free(source->files[i].path);
    }
    free(source->files);
    free(source->name);
    free(source->pattern);
    *source = (struct source){0};
}

void build_file_error(struct world_build *b, const struct source *source, const struct source_file *file,
                      enum status status, const char *format, ...) {
    char text[ERROR_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    report_add(b->report, REPORT_ERROR, status, source->yaml_file, source->line, source->column, "%s: %s",
               file->name, text);
}

struct rect build_file_cells(const struct world *world, const struct source_file *file) {
    return file->whole ? world->extent.cells
                       : extent_block(&world->extent, file->map_x, file->map_y, MAP_CELLS);
}

int32_t build_scaled(int32_t cells, int32_t log2) {
    int64_t n = cells;
    if (log2 >= 0)
        n <<= log2;
    else if (n % ((int64_t)1 << -log2) == 0)
        n >>= -log2;
    else
        return 0;
    return n <= IMAGE_SIDE_MAX ? (int32_t)n : 0;
}

static bool add_file(struct world_build *b, const struct yaml_node *at, struct source *source, char *name,
                     bool whole, int32_t x, int32_t y) {
    char *path = name ? build_path(b, at, name) : NULL;
    if (!path) {
        free(name);
        return false;
    }
    source->files[source->file_count++] = (struct source_file){
        .name = name, .path = path, .whole = whole, .map_x = x, .map_y = y, .present = true};
    return true;
}

static int by_path(const void *a, const void *b) {
    const struct source_file *p = *(const struct source_file *const *)a;
    const struct source_file *q = *(const struct source_file *const *)b;
    int order = strcmp(p->path, q->path);
    return order ? order : p < q ? -1 : 1;
}

/* "a{x}{y}.png" names one file for the maps 1,11 and 11,1. */
static void refuse_shared(struct world_build *b, const struct source *source) {
    const struct source_file **order = build_alloc(b, source->file_count, sizeof *order);
    if (!order)
        return;
    for (size_t i = 0; i < source->file_count; i++)
        order[i] = source->files + i;
    qsort(order, source->file_count, sizeof *order, by_path);
    for (size_t i = 1; i < source->file_count; i++)
        if (strcmp(order[i - 1]->path, order[i]->path) == 0) {
            build_file_error(b, source, order[i], STATUS_INPUT, "is the file of map %d,%d and of map %d,%d",
                             (int)order[i - 1]->map_x, (int)order[i - 1]->map_y, (int)order[i]->map_x,
                             (int)order[i]->map_y);
            break;
        }
    free(order);
}

static bool name_tiles(struct world_build *b, const struct yaml_node *at, struct source *source) {
    if (!b->extent_known)
        return true;
    struct rect maps = rect_blocks(b->world->extent.cells, MAP_CELLS);
    size_t count = (size_t)(maps.x1 - maps.x0) * (size_t)(maps.y1 - maps.y0);
    source->files = build_alloc(b, count, sizeof *source->files);
    for (int32_t y = maps.y0; source->files && y < maps.y1; y++)
        for (int32_t x = maps.x0; x < maps.x1; x++) {
            char *name = build_tile_name(source->pattern, x, y);
            if (!name)
                build_no_memory(b);
            if (!add_file(b, at, source, name, false, x, y))
                return false;
        }
    return source->files != NULL;
}

/* Row by row from the south-west, as struct source says. */
static int by_map(const void *a, const void *b) {
    const struct source_file *p = a, *q = b;
    if (p->map_y != q->map_y)
        return p->map_y < q->map_y ? -1 : 1;
    return p->map_x < q->map_x ? -1 : p->map_x > q->map_x;
}

/* One {map: [x, y], file: PATH}. */
static void add_entry(struct world_build *b, struct yaml_node *entry, struct source *source) {
    double map[2];
    const char *path;
    if (entry->kind != YAML_MAP) {
        yaml_complain(entry, b->report, "a list of files holds {map: [x, y], file: PATH}");
        return;
    }
    bool has_map = yaml_get_f64_list(entry, "map", 2, -1e6, 1e6, "", map, b->report);
    bool has_file = yaml_get_text(entry, "file", &path, b->report);
    if (!yaml_get(entry, "map") || !yaml_get(entry, "file"))
        yaml_complain(entry, b->report, "a list of files holds {map: [x, y], file: PATH}");
    yaml_unknown_keys(entry, "files", b->report);
    if (!has_map || !has_file)
        return;
    int32_t x = (int32_t)map[0], y = (int32_t)map[1];
    if (x != map[0] || y != map[1]) {
        yaml_complain(yaml_get(entry, "map"), b->report, "'map' must be two whole numbers");
        return;
    }
    for (size_t i = 0; i < source->file_count; i++)
        if (source->files[i].map_x == x && source->files[i].map_y == y) {
            yaml_complain(entry, b->report, "two files for map %d,%d: '%s' and '%s'", (int)x, (int)y,
                          source->files[i].name, path);
            return;
        }
    if (b->extent_known && rect_empty(extent_block(&b->world->extent, x, y, MAP_CELLS))) {
        yaml_warn(entry, b->report, "'%s' is for map %d,%d, which is outside the world: not read", path,
                  (int)x, (int)y);
        return;
    }
    add_file(b, entry, source, build_copy(b, path), false, x, y);
}

/* Maps of the world that the list does not name are missing files. */
static bool complete_list(struct world_build *b, struct source *source) {
    if (!b->extent_known)
        return true;
    struct rect maps = rect_blocks(b->world->extent.cells, MAP_CELLS);
    size_t listed = source->file_count;
    size_t count = (size_t)(maps.x1 - maps.x0) * (size_t)(maps.y1 - maps.y0);
    struct source_file *all = build_alloc(b, count, sizeof *all);
    if (!all)
        return false;
    qsort(source->files, listed, sizeof *source->files, by_map);
    size_t at = 0, i = 0;
    for (int32_t y = maps.y0; y < maps.y1; y++)
        for (int32_t x = maps.x0; x < maps.x1; x++, at++) {
            if (i < listed && source->files[i].map_x == x && source->files[i].map_y == y)
                all[at] = source->files[i++];
            else
                all[at] = (struct source_file){.map_x = x, .map_y = y}; /* no name: nobody has listed it */
        }
    free(source->files);
    source->files = all;
    source->file_count = count;
    return true;
}

static bool read_list(struct world_build *b, const struct yaml_node *list, struct source *source) {
    source->pattern = build_copy(b, "(a list)");
    source->files = build_alloc(b, list->count, sizeof *source->files);
    if (!source->pattern || !source->files)
        return false;
    for (size_t i = 0; i < list->count; i++)
        add_entry(b, list->items[i], source);
    return complete_list(b, source);
}

static bool read_pattern(struct world_build *b, const struct yaml_node *at, const char *name,
                         struct source *source) {
    const char *text, *why;
    if (!yaml_as_text(at, name, &text, b->report) || !(source->pattern = build_copy(b, text)))
        return false;
    int kind = build_pattern_check(text, &why);
    if (kind < 0) {
        yaml_complain(at, b->report, "'%s' is '%s': %s", name, text, why);
        return false;
    }
    if (kind > 0) {
        bool good = name_tiles(b, at, source);
        if (good)
            refuse_shared(b, source);
        return good;
    }
    source->files = build_alloc(b, 1, sizeof *source->files);
    return source->files && add_file(b, at, source, build_copy(b, text), true, 0, 0);
}

bool build_source(struct world_build *b, const char *name, struct yaml_node *map, struct source *source) {
    struct yaml_node *files = yaml_get(map, "files");
    if (!(source->name = build_copy(b, name)))
        return false;
    if (!files) {
        yaml_complain(map, b->report, "'files' is missing in %s", name);
        return false;
    }
    source->yaml_file = strcmp(files->file, "--set") == 0 ? "--set" : b->world->path;
    source->line = files->line;
    source->column = files->column;
    return files->kind == YAML_LIST ? read_list(b, files, source) : read_pattern(b, files, "files", source);
}
