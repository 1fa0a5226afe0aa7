#include "gen/world_build.h"

#include "gen/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MISSING_SHOWN = 5 };

/* What a pattern's folder holds beside the files that the pattern names. */
struct folder {
    struct world_build *b;
    struct source *source;
    const char *pattern; /* of the name within the folder */
    char **other;        /* for each file: another name for the same map, or NULL */
};

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum status see_name(void *context, const char *name, struct error *err) {
    (void)err;
    struct folder *f = context;
    int32_t x, y;
    if (!build_pattern_match(f->pattern, name, &x, &y))
        return STATUS_OK;
    struct rect maps = rect_blocks(f->b->world->extent.cells, MAP_CELLS);
    if (x < maps.x0 || x >= maps.x1 || y < maps.y0 || y >= maps.y1)
        return STATUS_OK; /* a neighbour's */
    size_t i = (size_t)(y - maps.y0) * (size_t)(maps.x1 - maps.x0) + (size_t)(x - maps.x0);
    if (strcmp(base_name(f->source->files[i].path), name) != 0 && !f->other[i])
        f->other[i] = build_copy(f->b, name);
    return STATUS_OK;
}

/* Looks for x01 where the pattern says x1. A folder that cannot be listed tells nothing. */
static void see_folder(struct folder *f) {
    const char *pattern = base_name(f->source->pattern);
    const char *root = strchr(pattern, ':');
    const char *brace = strchr(pattern, '{');
    f->pattern = root && brace && root < brace ? root + 1 : pattern;
    const char *first = f->source->files[0].path;
    if (strchr(f->source->pattern, '{') != strchr(f->pattern, '{'))
        return; /* map numbers in folders */
    size_t size = (size_t)(base_name(first) - first);
    char *dir = build_alloc(f->b, size + 2, 1);
    if (!dir)
        return;
    memcpy(dir, first, size);
    if (size == 0)
        memcpy(dir, ".", 2);
    os_list(dir, see_name, f, NULL);
    free(dir);
}

static bool look(struct world_build *b, const struct source *source, struct source_file *file) {
    struct os_info info = {.kind = OS_NOTHING};
    struct error err;
    if (file->path && os_info(file->path, &info, &err) != STATUS_OK)
        build_file_error(b, source, file, err.status, "%s", err.message);
    else if (info.kind == OS_DIR)
        build_file_error(b, source, file, STATUS_FILE, "is a folder, not a file");
    else if (info.kind != OS_FILE && info.kind != OS_NOTHING)
        build_file_error(b, source, file, STATUS_FILE, "is not a file");
    else if (info.kind == OS_NOTHING && info.link) /* whoever made the link did not mean a void */
        build_file_error(b, source, file, STATUS_FILE, "is a link to a file that is not there");
    else if (info.kind == OS_NOTHING)
        return false;
    file->present = info.kind == OS_FILE;
    return true;
}

static void report_missing(struct world_build *b, const struct source *source, const struct source_file *file,
                           const char *other) {
    char hint[600] = "";
    if (file->path && !other)
        build_file_hint(b, file->name, file->path, !file->whole, hint);
    if (file->whole)
        build_file_error(b, source, file, STATUS_FILE, "there is no such file%s", hint);
    else if (!file->name)
        report_add(b->report, REPORT_ERROR, STATUS_FILE, source->yaml_file, source->line, source->column,
                   "no file is listed for map %d,%d", (int)file->map_x, (int)file->map_y);
    else if (other)
        build_file_error(b, source, file, STATUS_FILE,
                         "there is no such file for map %d,%d, but '%s': {x:02} puts zeros in front",
                         (int)file->map_x, (int)file->map_y, other);
    else
        build_file_error(b, source, file, STATUS_FILE, "there is no such file for map %d,%d%s",
                         (int)file->map_x, (int)file->map_y, hint);
}

static void look_at_all(struct folder *f, enum missing_policy policy) {
    struct source *s = f->source;
    size_t missing = 0;
    for (size_t i = 0; i < s->file_count; i++) {
        struct source_file *file = s->files + i;
        if (look(f->b, s, file)) {
            if (file->present && f->other[i])
                report_add(f->b->report, REPORT_ERROR, STATUS_INPUT, s->yaml_file, s->line, s->column,
                           "two files for map %d,%d: '%s' and '%s'", (int)file->map_x, (int)file->map_y,
                           base_name(file->path), f->other[i]);
            continue;
        }
        file->present = false;
        missing++;
        if ((policy == MISSING_ERROR || file->whole) && missing <= MISSING_SHOWN)
            report_missing(f->b, s, file, f->other[i]);
    }
    if (policy == MISSING_ERROR && missing > MISSING_SHOWN)
        report_add(f->b->report, REPORT_ERROR, STATUS_FILE, s->yaml_file, s->line, s->column,
                   "%zu more maps have no file", missing - MISSING_SHOWN);
    if (policy == MISSING_VOID && missing == s->file_count && missing > 0 && !s->files[0].whole)
        report_add(f->b->report, REPORT_ERROR, STATUS_FILE, s->yaml_file, s->line, s->column,
                   "none of the files is there: '%s'", s->pattern);
}

void build_source_presence(struct world_build *b, struct source *source, enum missing_policy missing) {
    if (source->file_count == 0)
        return;
    struct folder f = {.b = b, .source = source};
    f.other = build_alloc(b, source->file_count, sizeof *f.other);
    if (!f.other)
        return;
    if (strchr(source->pattern, '{') && b->extent_known)
        see_folder(&f);
    look_at_all(&f, missing);
    for (size_t i = 0; i < source->file_count; i++)
        free(f.other[i]);
    free(f.other);
}
