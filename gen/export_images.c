#include "gen/export_images.h"
#include "gen/extent.h"
#include "gen/manifest.h"
#include "gen/os.h"
#include "gen/out_read.h"
#include "gen/png_read.h"
#include "gen/png_stream.h"
#include "gen/report.h"

#include <stdlib.h>
#include <string.h>

/* One section's raster. */
struct piece {
    const struct out_map *map;
    const char *path;
    const json_t *entry;
    struct rect at; /* samples, world numbering */
};

struct image {
    const char *name;
    struct piece *pieces; /* north to south, then west to east */
    size_t count;
    struct rect at; /* all pieces */
    enum raster_kind kind;
    double cell_m;
};

static enum status no_memory(struct error *err) {
    return error_set(err, STATUS_LIMIT, "out of memory");
}

static bool kind_of(const json_t *entry, enum raster_kind *kind) {
    static const char *const kinds[] = {"grey8", "grey16", "rgb8"};
    for (int k = 0; k < 3; k++)
        if (strcmp(entry_text(entry, "encoding"), kinds[k]) == 0) {
            *kind = (enum raster_kind)k;
            return true;
        }
    return false;
}

static int north_first(const void *a, const void *b) {
    const struct piece *p = a, *q = b;
    if (p->at.y0 != q->at.y0)
        return p->at.y0 > q->at.y0 ? -1 : 1;
    return (p->at.x0 > q->at.x0) - (p->at.x0 < q->at.x0);
}

static enum status add_piece(struct image *image, const struct out_map *map, const char *path,
                             const json_t *entry, struct error *err) {
    const json_t *origin = json_object_get(entry, "origin");
    int64_t x = json_integer_value(json_array_get(origin, 0)),
            y = json_integer_value(json_array_get(origin, 1));
    int64_t w = entry_int(entry, "width"), h = entry_int(entry, "height");
    const int64_t far = 1 << 30;
    if (w < 1 || h < 1 || w > 4096 || h > 4096 || x < -far || x > far || y < -far || y > far)
        return error_at(err, STATUS_INPUT, map->folder, 0, 0, "the manifest gives %s no sensible place",
                        path);
    struct piece *more = realloc(image->pieces, (image->count + 1) * sizeof *more);
    if (!more)
        return no_memory(err);
    image->pieces = more;
    struct rect at = {(int32_t)x, (int32_t)y, (int32_t)(x + w), (int32_t)(y + h)};
    more[image->count++] = (struct piece){map, path, entry, at};
    if (image->count == 1)
        image->at = at;
    image->at.x0 = at.x0 < image->at.x0 ? at.x0 : image->at.x0;
    image->at.y0 = at.y0 < image->at.y0 ? at.y0 : image->at.y0;
    image->at.x1 = at.x1 > image->at.x1 ? at.x1 : image->at.x1;
    image->at.y1 = at.y1 > image->at.y1 ? at.y1 : image->at.y1;
    return STATUS_OK;
}

/* The pieces of an output in count maps. */
static enum status collect(const struct out_map *maps, size_t count, const char *name, struct image *image,
                           struct error *err) {
    *image = (struct image){.name = name};
    enum status status = STATUS_OK;
    for (size_t m = 0; m < count && status == STATUS_OK; m++) {
        size_t n;
        const char **paths = json_keys(maps[m].outputs, &n);
        if (!paths)
            return no_memory(err);
        for (size_t i = 0; i < n && status == STATUS_OK; i++) {
            const json_t *entry = json_object_get(maps[m].outputs, paths[i]);
            struct path_name place;
            if (path_parse(paths[i], &place) && place.level == LEVEL_SECTION &&
                strcmp(entry_text(entry, "name"), name) == 0)
                status = add_piece(image, &maps[m], paths[i], entry, err);
        }
        free(paths);
    }
    if (image->count > 1)
        qsort(image->pieces, image->count, sizeof *image->pieces, north_first);
    image->cell_m = count ? entry_number(json_object_get(maps[0].root, "world"), "cell_m") : 0;
    return status;
}

static enum status check_alike(struct image *image, struct error *err) {
    static const char *const keys[] = {"encoding", "scale", "offset", "unit", "posts"};
    const json_t *first = image->pieces[0].entry;
    if (!kind_of(first, &image->kind))
        return error_at(err, STATUS_INPUT, image->pieces[0].path, 0, 0, "is no raster");
    for (size_t i = 1; i < image->count; i++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            json_t *a = json_object_get(first, keys[k]),
                   *b = json_object_get(image->pieces[i].entry, keys[k]);
            if (a != b && (!a || !b || !json_equal(a, b)))
                return error_at(err, STATUS_INPUT, image->pieces[i].path, 0, 0,
                                "has another %s than %s; bake both again", keys[k], image->pieces[0].path);
        }
    return STATUS_OK;
}

/* ---- writing ---- */

static enum status read_piece(const struct image *image, const struct piece *piece, struct raster *raster,
                              struct error *err) {
    char path[PATH_TEXT_MAX];
    enum status status = path_format(path, err, "%s/%s", piece->map->folder, piece->path);
    if (status == STATUS_OK)
        status = png_read_file(path, raster, err);
    if (status == STATUS_OK && (raster->kind != image->kind || raster->width != piece->at.x1 - piece->at.x0 ||
                                raster->height != piece->at.y1 - piece->at.y0))
        status = error_at(err, STATUS_INPUT, path, 0, 0, "is not what its manifest says");
    return status;
}

/* The rows of one band of sections, from y1 - 1 down to the band's south edge. */
static enum status write_band(const struct image *image, const struct piece *pieces, size_t count, int32_t y1,
                              unsigned char *row, struct png_stream *stream, struct error *err) {
    size_t pixel = raster_pixel_size(image->kind), row_size = (size_t)(image->at.x1 - image->at.x0) * pixel;
    struct raster *rasters = calloc(count, sizeof *rasters);
    enum status status = rasters ? STATUS_OK : no_memory(err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = read_piece(image, &pieces[i], &rasters[i], err);
    for (int32_t y = y1; y-- > pieces[0].at.y0 && status == STATUS_OK;) {
        memset(row, 0, row_size);
        for (size_t i = 0; i < count; i++)
            if (y < pieces[i].at.y1)
                memcpy(row + (size_t)(pieces[i].at.x0 - image->at.x0) * pixel,
                       raster_at(&rasters[i], 0, y - pieces[i].at.y0), raster_row_size(&rasters[i]));
        status = png_stream_row(stream, row, err);
    }
    for (size_t i = 0; rasters && i < count; i++)
        raster_free(&rasters[i]);
    free(rasters);
    return status;
}

/* Rows that no section has. */
static enum status write_void(const struct image *image, int32_t rows, unsigned char *row,
                              struct png_stream *stream, struct error *err) {
    memset(row, 0, (size_t)(image->at.x1 - image->at.x0) * raster_pixel_size(image->kind));
    enum status status = STATUS_OK;
    for (int32_t i = 0; i < rows && status == STATUS_OK; i++)
        status = png_stream_row(stream, row, err);
    return status;
}

static enum status write_rows(const struct image *image, struct png_stream *stream, struct error *err) {
    unsigned char *row = malloc((size_t)(image->at.x1 - image->at.x0) * raster_pixel_size(image->kind));
    enum status status = row ? STATUS_OK : no_memory(err);
    int32_t next = image->at.y1; /* rows from here northwards are written */
    for (size_t i = 0, end; i < image->count && status == STATUS_OK; i = end) {
        const struct piece *band = &image->pieces[i];
        int32_t top = band->at.y1;
        for (end = i; end < image->count && image->pieces[end].at.y0 == band->at.y0; end++)
            top = image->pieces[end].at.y1 > top ? image->pieces[end].at.y1 : top;
        if (top < next)
            status = write_void(image, next - top, row, stream, err);
        next = top < next ? top : next; /* posts on a shared border were written with the band north of it */
        if (status == STATUS_OK)
            status = write_band(image, band, end - i, next, row, stream, err);
        next = band->at.y0;
    }
    free(row);
    return status;
}

static enum status write_png(const struct image *image, const char *path, struct error *err) {
    struct os_new_file file;
    struct png_stream *stream;
    enum status status = os_create(path, &file, err);
    if (status != STATUS_OK)
        return status;
    status = png_stream_open(file.stream, image->kind, image->at.x1 - image->at.x0,
                             image->at.y1 - image->at.y0, &stream, err);
    if (status == STATUS_OK) {
        status = write_rows(image, stream, err);
        if (status == STATUS_OK)
            status = png_stream_close(stream, err);
        else
            png_stream_abandon(stream);
    }
    if (status == STATUS_OK)
        return os_commit(&file, err);
    if (ferror(file.stream))
        return os_fail(&file, err);
    os_discard(&file);
    return status;
}

/* Sections of the image's rectangle without a raster: [[x, y], ...]. */
static json_t *missing_sections(const struct image *image) {
    int32_t posts = json_is_true(json_object_get(image->pieces[0].entry, "posts"));
    struct rect cells = image->at;
    cells.x1 -= posts;
    cells.y1 -= posts;
    struct rect s = rect_blocks(cells, SECTION_CELLS);
    size_t width = (size_t)(s.x1 - s.x0);
    unsigned char *has = calloc(width, (size_t)(s.y1 - s.y0));
    json_t *list = json_array();
    for (size_t i = 0; has && i < image->count; i++) {
        struct rect at = image->pieces[i].at;
        int32_t x = floor_div(at.x0, SECTION_CELLS) - s.x0, y = floor_div(at.y0, SECTION_CELLS) - s.y0;
        has[(size_t)y * width + (size_t)x] = 1;
    }
    for (int32_t y = s.y0; has && y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++)
            if (!has[(size_t)(y - s.y0) * width + (size_t)(x - s.x0)])
                json_array_append_new(list, json_pack("[i,i]", (int)x, (int)y));
    free(has);
    return list;
}

static enum status write_json(const struct image *image, const char *path, int64_t *missing,
                              struct error *err) {
    static const char *const keys[] = {"encoding", "scale", "offset", "unit", "posts", "layer", "tool"};
    json_t *root = json_pack("{s:s, s:i, s:i, s:[i,i], s:f, s:o}", "name", image->name, "width",
                             (int)(image->at.x1 - image->at.x0), "height", (int)(image->at.y1 - image->at.y0),
                             "origin", (int)image->at.x0, (int)image->at.y0, "cell_m", image->cell_m,
                             "missing_sections", missing_sections(image));
    for (size_t k = 0; root && k < sizeof keys / sizeof *keys; k++) {
        json_t *value = json_object_get(image->pieces[0].entry, keys[k]);
        if (value)
            json_object_set(root, keys[k], value);
    }
    *missing = (int64_t)json_array_size(json_object_get(root, "missing_sections"));
    char *text = root ? manifest_text(root) : NULL;
    enum status status = text ? os_write_file(path, text, strlen(text), err) : no_memory(err);
    free(text);
    json_decref(root);
    return status;
}

static enum status write_image(struct image *image, const char *stem, struct export_report *report,
                               struct error *err) {
    char path[PATH_TEXT_MAX];
    int64_t missing = 0;
    enum status status = check_alike(image, err);
    if (status == STATUS_OK)
        status = path_format(path, err, "%s.png", stem);
    if (status == STATUS_OK)
        status = write_png(image, path, err);
    if (status == STATUS_OK)
        status = path_format(path, err, "%s.json", stem);
    if (status == STATUS_OK)
        status = write_json(image, path, &missing, err);
    report->images += status == STATUS_OK;
    report->missing_sections += missing;
    return status;
}

/* ---- which images ---- */

/* Names of all section rasters, as an object's keys. */
static json_t *all_names(const struct out_dir *dir) {
    json_t *names = json_object();
    for (size_t m = 0; m < dir->count; m++) {
        const char *path;
        json_t *entry;
        json_object_foreach(dir->maps[m].outputs, path, entry) {
            struct path_name place;
            if (path_parse(path, &place) && place.level == LEVEL_SECTION)
                json_object_set_new(names, entry_text(entry, "name"), json_true());
        }
    }
    return names;
}

static enum status export_name(const struct out_dir *dir, const char *to, const char *name, bool whole,
                               struct export_report *report, struct error *err) {
    enum status status = STATUS_OK;
    for (size_t m = 0; m < (whole ? 1 : dir->count) && status == STATUS_OK; m++) {
        char stem[PATH_TEXT_MAX];
        struct image image;
        const struct out_map *map = &dir->maps[m];
        status = whole ? path_format(stem, err, "%s/%s", to, name)
                       : path_format(stem, err, "%s/x%d_y%d_%s", to, map->x, map->y, name);
        if (status != STATUS_OK)
            return status;
        status = collect(map, whole ? dir->count : 1, name, &image, err);
        if (status == STATUS_OK && image.count > 0)
            status = write_image(&image, stem, report, err);
        free(image.pieces);
    }
    return status;
}

/* Whoever asks for a name that no raster has is told which there are. */
static enum status unknown_name(const char *out, const char *name, const char *const *names, size_t count,
                                struct error *err) {
    const char *near = report_suggest(name, names, count);
    char list[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof list - 80; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s", i ? ", " : "", names[i]);
    if (near)
        return error_set(err, STATUS_USAGE, "%s has no rasters named '%s': did you mean '%s'?", out, name,
                         near);
    return error_set(err, STATUS_USAGE, "%s has no rasters named '%s' (it has %s)", out, name,
                     count ? list : "none");
}

/* A folder without OUT/manifest.json lists no map. */
static int64_t missing_maps(const char *out, const struct out_dir *dir) {
    json_t *root = out_json(out, "manifest.json"), *hash;
    const char *name;
    int64_t missing = 0;
    int32_t x, y;
    json_object_foreach(json_object_get(root, "maps"), name, hash) missing +=
        path_parse_map(name, &x, &y) && !out_find(dir, x, y);
    json_decref(root);
    return missing;
}

enum status export_images(const char *out, const char *to, const struct export_options *options,
                          struct export_report *report, struct error *err) {
    struct out_dir dir;
    *report = (struct export_report){.images = 0};
    enum status status = out_open(out, &dir, NULL, err);
    if (status != STATUS_OK)
        return status;
    report->missing_maps = missing_maps(out, &dir);
    json_t *known = all_names(&dir);
    size_t count;
    const char **names = json_keys(known, &count);
    if (!names)
        status = no_memory(err);
    for (size_t i = 0; i < options->name_count && status == STATUS_OK; i++)
        if (!json_object_get(known, options->names[i]))
            status = unknown_name(out, options->names[i], names, count, err);
    if (status == STATUS_OK)
        status = os_make_dirs(to, err);
    for (size_t i = 0; i < count && dir.count > 0 && status == STATUS_OK; i++) {
        bool asked = !options->names;
        for (size_t k = 0; k < options->name_count; k++)
            asked |= strcmp(options->names[k], names[i]) == 0;
        if (asked)
            status = export_name(&dir, to, names[i], options->whole_world, report, err);
    }
    free(names);
    json_decref(known);
    out_close(&dir);
    return status;
}
