#include "gen/world_build.h"

#include "gen/hasher.h"
#include "gen/image.h"
#include "gen/stage.h"

#include <stdio.h>
#include <string.h>

/* What has been seen of the files so far. */
struct height_files {
    struct world_build *b;
    struct world_height *height;
    struct yaml_node *map;     /* `height:` */
    bool stated;               /* `samples:` is written */
    bool decided;              /* stated, or by a file */
    bool has_bits, bits_mixed; /* the first file's bits are known; another's differ (reported) */
    int32_t bits;
    bool bare; /* a tile of posts without the row and column that it shares with others (reported once) */
};

static const char *samples_name(enum height_samples samples) {
    return samples == SAMPLES_POSTS ? "posts" : "cells";
}

/* Sizes that a file may have, as cells and as posts; 0 when no image can be as large. */
static void expected(const struct height_files *f, const struct source_file *file, int32_t size[2]) {
    struct rect cells = build_file_cells(f->b->world, file);
    size[0] = build_scaled(cells.x1 - cells.x0, f->height->source.fine_log2);
    size[1] = build_scaled(cells.y1 - cells.y0, f->height->source.fine_log2);
}

/* "; it would fit spacing_m: 0.5", when there is such a spacing. */
static void other_spacing(const struct height_files *f, const struct source_file *file, char out[64]) {
    struct rect cells = build_file_cells(f->b->world, file);
    out[0] = '\0';
    for (int32_t k = -SOURCE_LOG2_MAX; k <= SOURCE_LOG2_MAX; k++) {
        int32_t w = build_scaled(cells.x1 - cells.x0, k), h = build_scaled(cells.y1 - cells.y0, k);
        int32_t more = file->width_px - w;
        if (w > 0 && h > 0 && (more == 0 || more == 1) && file->height_px - h == more)
            snprintf(out, 64, "; it would fit spacing_m: %.12g",
                     k >= 0 ? f->b->world->extent.cell_m / (double)(1 << k)
                            : f->b->world->extent.cell_m * (double)(1 << -k));
    }
}

static void report_size(struct height_files *f, const struct source_file *file, const int32_t size[2]) {
    struct rect cells = build_file_cells(f->b->world, file);
    double cell_m = f->b->world->extent.cell_m;
    char hint[64];
    if (size[0] == 0 || size[1] == 0) {
        build_file_error(
            f->b, &f->height->source, file, STATUS_LIMIT,
            "%.12g x %.12g m at %.12g m take more than %d samples a side: use a file for each map",
            (cells.x1 - cells.x0) * cell_m, (cells.y1 - cells.y0) * cell_m, f->height->spacing_m,
            IMAGE_SIDE_MAX);
        return;
    }
    other_spacing(f, file, hint);
    build_file_error(f->b, &f->height->source, file, STATUS_INPUT,
                     "is %d x %d samples, but %.12g x %.12g m at %.12g m take %d x %d (posts) or %d x %d "
                     "(cells)%s",
                     (int)file->width_px, (int)file->height_px, (cells.x1 - cells.x0) * cell_m,
                     (cells.y1 - cells.y0) * cell_m, f->height->spacing_m, (int)size[0] + 1, (int)size[1] + 1,
                     (int)size[0], (int)size[1], hint);
}

static bool power_of_two(int32_t n) {
    return n >= 16 && (n & (n - 1)) == 0;
}

/* 2^n + 1 samples are mostly meant as posts, 2^n as cells: says so where the world's size makes it another.
 */
static void warn_unusual(struct height_files *f, const struct source_file *file,
                         enum height_samples samples) {
    int32_t w = file->width_px, h = file->height_px, step = samples == SAMPLES_CELLS ? -1 : 0;
    bool unusual = samples == SAMPLES_CELLS ? power_of_two(w - 1) && power_of_two(h - 1)
                                            : power_of_two(w) && power_of_two(h);
    if (!unusual)
        return;
    double spacing_m = f->height->spacing_m;
    const struct source *s = &f->height->source;
    report_add(f->b->report, REPORT_WARNING, STATUS_INPUT, s->yaml_file, s->line, s->column,
               "%s: %d x %d samples are read as %s, as the world's size says; if they are %s, size_m is "
               "[%.12g, %.12g]; else say samples: %s",
               file->name, (int)w, (int)h, samples_name(samples),
               samples_name(samples == SAMPLES_CELLS ? SAMPLES_POSTS : SAMPLES_CELLS), (w + step) * spacing_m,
               (h + step) * spacing_m, samples_name(samples));
}

/* Tiles that are said to be posts may leave out the last row and column: gen/placement.h. */
static bool bare_allowed(const struct height_files *f, const struct source_file *file) {
    return f->stated && f->height->samples == SAMPLES_POSTS && !file->whole;
}

static void note_bare(struct height_files *f, const struct source_file *file) {
    const struct source *s = &f->height->source;
    if (!f->bare)
        report_add(
            f->b->report, REPORT_NOTE, STATUS_INPUT, s->yaml_file, s->line, s->column,
            "%s: %d x %d posts: the row in the south and the column in the east that it lacks come from "
            "the maps there; without such a map the nearest row and column are repeated",
            file->name, (int)file->width_px, (int)file->height_px);
    f->bare = true;
}

/* Posts or cells: by the first file unless stated, the same for all. */
static void check_size(struct height_files *f, const struct source_file *file) {
    int32_t size[2];
    expected(f, file, size);
    bool cells = file->width_px == size[0] && file->height_px == size[1];
    bool posts =
        size[0] > 0 && size[1] > 0 && file->width_px == size[0] + 1 && file->height_px == size[1] + 1;
    if (!cells && !posts) {
        report_size(f, file, size);
        return;
    }
    enum height_samples found = posts ? SAMPLES_POSTS : SAMPLES_CELLS;
    if (!f->decided) {
        f->decided = true;
        f->height->samples = found;
        if (file->whole)
            warn_unusual(f, file, found);
    } else if (cells && bare_allowed(f, file)) {
        note_bare(f, file);
    } else if (found != f->height->samples) {
        int32_t more = f->height->samples == SAMPLES_POSTS;
        build_file_error(f->b, &f->height->source, file, STATUS_INPUT,
                         "is %d x %d samples (%s), but %s %s: %d x %d", (int)file->width_px,
                         (int)file->height_px, samples_name(found),
                         f->stated ? "the world says samples:" : "the files before hold",
                         samples_name(f->height->samples), (int)size[0] + more, (int)size[1] + more);
    }
}

static void check_bits(struct height_files *f, const struct source_file *file, int32_t bits) {
    if (!f->has_bits) {
        f->has_bits = true;
        f->bits = bits;
    } else if (f->bits != bits && !f->bits_mixed) {
        f->bits_mixed = true;
        build_file_error(f->b, &f->height->source, file, STATUS_INPUT,
                         "has %d bits a sample, the files before have %d", (int)bits, (int)f->bits);
    }
}

/* The size of a raw file: as size_px says, or cells or posts by its bytes. */
static enum status probe_raw(struct height_files *f, const struct source_file *file, struct image_info *info,
                             struct error *err) {
    enum image_kind kind = f->height->source.format == RASTER_R16 ? IMAGE_R16 : IMAGE_R32;
    double px[2];
    if (yaml_get(f->map, "size_px")) {
        if (!yaml_get_f64_list(f->map, "size_px", 2, 1, IMAGE_SIDE_MAX, "px", px, f->b->report) ||
            px[0] != (int32_t)px[0] || px[1] != (int32_t)px[1])
            return error_set(err, STATUS_INPUT, "'size_px' must be two whole numbers");
        return image_probe_raw(file->path, kind, (int32_t)px[0], (int32_t)px[1], info, err);
    }
    int32_t size[2];
    if (!f->b->spacing_known)
        return error_set(err, STATUS_INPUT, "its size is not known");
    expected(f, file, size);
    bool posts = f->decided ? f->height->samples == SAMPLES_POSTS : false;
    enum status status = image_probe_raw(file->path, kind, size[0] + posts, size[1] + posts, info, err);
    if (status != STATUS_OK && bare_allowed(f, file))
        return image_probe_raw(file->path, kind, size[0], size[1], info, NULL) == STATUS_OK ? STATUS_OK
                                                                                            : status;
    if (status == STATUS_OK || f->decided)
        return status;
    return image_probe_raw(file->path, kind, size[0] + 1, size[1] + 1, info, NULL) == STATUS_OK ? STATUS_OK
                                                                                                : status;
}

static void read_file(struct height_files *f, struct source_file *file) {
    struct image_info info;
    struct error err;
    bool png = f->height->source.format == RASTER_PNG;
    enum status status = png ? image_probe(file->path, &info, &err) : probe_raw(f, file, &info, &err);
    if (status == STATUS_OK)
        status = image_check_height(file->path, &info, &err);
    if (status == STATUS_OK)
        status = image_file_id(file->path, &file->id, &err);
    if (status != STATUS_OK) {
        bool other = status == STATUS_INPUT && strncmp(err.message, "is not a PNG", 12) == 0;
        build_file_error(f->b, &f->height->source, file, status, "%s%s", err.message,
                         other ? "; heights are 16-bit grey PNG, or raw (format: r16, r32)" : "");
        return;
    }
    file->width_px = info.width_px;
    file->height_px = info.height_px;
    if (png)
        check_bits(f, file, info.bits);
    if (f->b->spacing_known)
        check_size(f, file);
}

static void check_codes(struct height_files *f) {
    struct world_height *h = f->height;
    const struct source *s = &h->source;
    if (h->source.format != RASTER_PNG || !f->has_bits)
        return;
    h->eight_bit = f->bits == 8;
    if (h->eight_bit)
        report_add(f->b->report, REPORT_WARNING, STATUS_INPUT, s->yaml_file, s->line, s->column,
                   "8-bit heights: the ground has steps of %.4g m; 16-bit files have finer ones",
                   (h->z_max_m - h->z_min_m) / 255);
    if (h->eight_bit && h->has_nodata && h->nodata > 255)
        yaml_complain(yaml_get(f->map, "nodata"), f->b->report,
                      "'nodata' is %.12g: 8-bit heights have the codes 0 to 255", h->nodata);
}

/* All that a whole-world stage on the heights depends on. */
static struct hash128 all_id(const struct world_height *h) {
    struct hasher hash;
    hasher_reset(&hash);
    for (size_t i = 0; i < h->source.file_count; i++) {
        const struct source_file *file = h->source.files + i;
        hash_u64(&hash, file->whole);
        hash_u64(&hash, (uint64_t)file->map_x);
        hash_u64(&hash, (uint64_t)file->map_y);
        hash_u64(&hash, file->present);
        hash_u64(&hash, file->id.lo);
        hash_u64(&hash, file->id.hi);
    }
    hash_u64(&hash, h->source.format);
    hash_u64(&hash, (uint64_t)h->source.fine_log2);
    hash_u64(&hash, h->samples);
    hash_f64(&hash, h->z_min_m);
    hash_f64(&hash, h->z_max_m);
    hash_u64(&hash, (uint64_t)h->eight_bit | (uint64_t)h->big_endian << 1 | (uint64_t)h->has_nodata << 2 |
                        (uint64_t)h->nodata_is_nan << 3);
    hash_f64(&hash, h->nodata);
    hash_u64(&hash, h->upsample);
    return hasher_digest(&hash);
}

/* What becomes of samples finer than the cell: nothing is resampled without a word. */
static void note_averaged(struct height_files *f) {
    const struct source *s = &f->height->source;
    int n = s->fine_log2 > 0 ? 1 << s->fine_log2 : 1;
    if (n == 1 || !f->b->spacing_known)
        return;
    report_add(f->b->report, REPORT_NOTE, STATUS_INPUT, s->yaml_file, s->line, s->column,
               "heights every %.12g m are averaged to cells of %.12g m: %s; to keep them as they are say "
               "grid: {cell_m: %.12g}",
               f->height->spacing_m, f->b->world->extent.cell_m,
               f->height->samples == SAMPLES_POSTS ? "each post takes a tent that reaches the next post"
                                                   : "each cell takes the mean of the samples in it",
               f->height->spacing_m);
}

void build_height_files(struct world_build *b) {
    struct height_files f = {.b = b, .height = &b->world->height};
    f.map = yaml_get(b->yaml, "height");
    f.stated = f.decided = yaml_get(f.map, "samples") != NULL;
    build_source_presence(b, &f.height->source, f.height->missing);
    for (size_t i = 0; i < f.height->source.file_count; i++)
        if (f.height->source.files[i].present)
            read_file(&f, f.height->source.files + i);
    check_codes(&f);
    note_averaged(&f);
    b->world->height_id = all_id(f.height);
}
