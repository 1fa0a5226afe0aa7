#include "gen/hasher.h"
#include "gen/image.h"
#include "gen/source.h"
#include "gen/source_set.h"
#include "gen/stage.h"
#include "terrain/extend.h"
#include "terrain/resample.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hash128 source_height_key(const struct world *world, const struct source_file *file) {
    const struct world_height *h = &world->height;
    struct hasher hasher;
    hasher_reset(&hasher);
    hash_text(&hasher, "height");
    hash_u64(&hasher, file->id.lo);
    hash_u64(&hasher, file->id.hi);
    hash_u64(&hasher, (uint64_t)h->source.format);
    hash_u64(&hasher, h->big_endian);
    hash_u64(&hasher, h->eight_bit);
    if (h->source.format == RASTER_R32) { /* which samples are refused */
        hash_u64(&hasher, h->has_nodata);
        hash_u64(&hasher, h->nodata_is_nan);
        hash_f64(&hasher, h->has_nodata && !h->nodata_is_nan ? h->nodata : 0);
        hash_f64(&hasher, HEIGHT_MAX_M);
    }
    return hasher_digest(&hasher);
}

struct make {
    const struct source_image *image;
    struct image_writer *writer;
};

static enum status check_metres(const struct world_height *h, const struct source_file *file, int32_t row,
                                const float *samples, struct error *err) {
    for (int32_t i = 0; i < file->width_px; i++) {
        double v = (double)samples[i];
        if (fabs(v) <= HEIGHT_MAX_M ||
            (h->has_nodata && !h->nodata_is_nan && samples[i] == (float)h->nodata) ||
            (isnan(v) && h->has_nodata && h->nodata_is_nan))
            continue;
        if (isnan(v))
            return error_at(
                err, STATUS_INPUT, file->path, 0, 0,
                "the sample in column %d, row %d is NaN: if that stands for no data, write `nodata: "
                "nan` under height",
                i, row);
        if (isinf(v))
            return error_at(err, STATUS_INPUT, file->path, 0, 0,
                            "the sample in column %d, row %d is infinite", i, row);
        return error_at(
            err, STATUS_INPUT, file->path, 0, 0,
            "the sample in column %d, row %d is %.6g m; heights are within %g m: is the byte order right "
            "(height.endian), or is it nodata (height.nodata)?",
            i, row, v, HEIGHT_MAX_M);
    }
    return STATUS_OK;
}

static enum status make_row(void *context, int32_t row, const void *samples, struct error *err) {
    const struct make *m = context;
    const struct source_raster *raster = m->image->raster;
    if (raster->pixel_bytes == 4) {
        enum status status = check_metres(&raster->world->height, m->image->file, row, samples, err);
        if (status != STATUS_OK)
            return status;
    }
    return image_cache_put(m->writer, samples, err);
}

enum status source_make_height(void *image, struct image_writer *writer, struct error *err) {
    struct make make = {image, writer};
    const struct source_raster *raster = make.image->raster;
    const struct source_file *file = make.image->file;
    struct image_request request = {
        .form = IMAGE_SAMPLES, .big_endian = raster->world->height.big_endian, .id = &file->id};
    enum raster_format format = raster->source->format;
    enum status status = format == RASTER_R16 || format == RASTER_R32
                             ? image_probe_raw(file->path, format == RASTER_R16 ? IMAGE_R16 : IMAGE_R32,
                                               file->width_px, file->height_px, &request.info, err)
                             : image_probe(file->path, &request.info, err);
    if (status == STATUS_OK)
        status = image_check_height(file->path, &request.info, err);
    if (status != STATUS_OK)
        return status;
    if (request.info.width_px != file->width_px || request.info.height_px != file->height_px)
        return error_at(err, STATUS_FILE, file->path, 0, 0,
                        "the file has changed since the world was read: run again");
    if (request.info.bits != 8 * raster->pixel_bytes)
        return error_at(err, STATUS_INPUT, file->path, 0, 0,
                        "has %d bits a sample where other maps have %d: save all maps alike",
                        request.info.bits, 8 * raster->pixel_bytes);
    return image_read(file->path, &request, &(struct image_rows){make_row, &make}, err);
}

/* A window of samples as they are in the files: codes, or metres (r32); NaN: void. */
struct codes {
    const struct source_raster *raster;
    struct grid_f32 grid;
    int32_t *owner; /* posts: 1 + index of the image that a sample is from, 0: none; stride is grid.width */
    float *row;     /* posts: room for one row */
};

static void decode(const struct source_raster *raster, const void *pixels, int32_t count, float *out) {
    const struct world_height *h = &raster->world->height;
    if (raster->pixel_bytes == 1)
        for (int32_t i = 0; i < count; i++)
            out[i] = (float)((const uint8_t *)pixels)[i];
    else if (raster->pixel_bytes == 2)
        for (int32_t i = 0; i < count; i++)
            out[i] = (float)((const uint16_t *)pixels)[i];
    else
        memcpy(out, pixels, (size_t)count * sizeof *out);
    if (!h->has_nodata || h->nodata_is_nan)
        return;
    float nodata = (float)h->nodata;
    for (int32_t i = 0; i < count; i++)
        out[i] = out[i] == nodata ? NAN : out[i];
}

/* Metres of a code: offset + step * code. */
static void scale_of(const struct source_raster *raster, double *offset, double *step) {
    const struct world_height *h = &raster->world->height;
    *offset = raster->pixel_bytes == 4 ? 0 : h->z_min_m;
    *step =
        raster->pixel_bytes == 4 ? 1 : (h->z_max_m - h->z_min_m) / (raster->pixel_bytes == 1 ? 255 : 65535);
}

static void describe(const struct source_raster *raster, float code, char text[32]) {
    double offset, step;
    scale_of(raster, &offset, &step);
    if (isnan(code))
        snprintf(text, 32, "void");
    else
        snprintf(text, 32, "%.9g m", offset + step * (double)code);
}

static enum status disagree(const struct codes *c, const struct source_image *image, int32_t x, int32_t y,
                            float here, struct error *err) {
    const struct placement *p = &c->raster->placement;
    int32_t owner = c->owner[(size_t)(y - c->grid.y0) * (size_t)c->grid.width + (size_t)(x - c->grid.x0)];
    double cell_m = c->raster->world->extent.cell_m;
    double scale = p->fine_log2 >= 0 ? cell_m / (1 << p->fine_log2) : cell_m * (1 << -p->fine_log2);
    char mine[32], other[32];
    describe(c->raster, here, mine);
    describe(c->raster, *grid_f32_at(&c->grid, x, y), other);
    return error_at(
        err, STATUS_INPUT, image->file->path, 0, 0,
        "the post at world %.10g,%.10g m is %s here and %s in %s: maps that share border posts must agree "
        "there",
        scale * x + p->origin_x * cell_m, scale * y + p->origin_y * cell_m, mine, other,
        c->raster->images[owner - 1].file->path);
}

static enum status take_row(void *context, const struct source_image *image, int32_t x, int32_t y,
                            int32_t count, const void *pixels, struct error *err) {
    const struct codes *c = context;
    float *to = grid_f32_at(&c->grid, x, y);
    if (!c->owner) {
        decode(c->raster, pixels, count, to);
        return STATUS_OK;
    }
    int32_t *owner = c->owner + (size_t)(y - c->grid.y0) * (size_t)c->grid.width + (x - c->grid.x0);
    int32_t number = 1 + (int32_t)(image - c->raster->images);
    decode(c->raster, pixels, count, c->row);
    for (int32_t i = 0; i < count; i++) {
        float v = c->row[i];
        if (owner[i] && v != to[i] && !(isnan(v) && isnan(to[i])))
            return disagree(c, image, x + i, y, v, err);
        to[i] = v;
        owner[i] = number;
    }
    return STATUS_OK;
}

/* Posts that no tile holds, beside a tile that leaves them out: its nearest row, then its nearest column; of
 * posts further apart than the cell, in a straight line. */
static void repeat_lines(const struct codes *c, bool columns) {
    const struct extent *extent = &c->raster->world->extent;
    const struct placement *p = &c->raster->placement;
    for (size_t i = 0; i < c->raster->source->file_count; i++) {
        const struct source_image *image = &c->raster->images[i];
        if (!image->cache)
            continue;
        struct rect all = placement_samples(p, placement_file_cells(extent, image->file));
        struct rect line =
            columns ? (struct rect){image->samples.x1, all.y0, all.x1, all.y1}
                    : (struct rect){image->samples.x0, all.y0, image->samples.x1, image->samples.y0};
        struct rect g = {c->grid.x0, c->grid.y0, c->grid.x0 + c->grid.width, c->grid.y0 + c->grid.height};
        line = rect_intersect(line, g);
        for (int32_t y = line.y0; y < line.y1; y++)
            for (int32_t x = line.x0; x < line.x1; x++) {
                size_t at = (size_t)(y - g.y0) * (size_t)c->grid.width + (size_t)(x - g.x0);
                ptrdiff_t from = columns ? -1 : c->grid.width;
                if (c->owner[at] || (columns ? x == g.x0 : y == g.y1 - 1))
                    continue;
                const float *edge = c->grid.cells + (ptrdiff_t)at + from;
                bool straight = p->fine_log2 < 0 && (columns ? x - 2 >= g.x0 : y + 2 < g.y1);
                c->grid.cells[at] = straight ? terrain_straight_on(edge[0], edge[from], 1) : edge[0];
                c->owner[at] = c->owner[(ptrdiff_t)at + from];
            }
    }
}

/* Reads `area`, which lies within the lattice. Freed by the caller, also after a failure. */
static enum status read_codes(const struct source_raster *raster, struct rect area, struct codes *c,
                              struct error *err) {
    int32_t width = area.x1 - area.x0, height = area.y1 - area.y0;
    size_t count = (size_t)width * (size_t)height;
    *c = (struct codes){.raster = raster};
    c->grid = (struct grid_f32){malloc(count * sizeof(float)), area.x0, area.y0, width, height, width};
    if (raster->placement.posts) {
        c->owner = calloc(count, sizeof *c->owner);
        c->row = malloc((size_t)width * sizeof *c->row);
    }
    if (!c->grid.cells || (raster->placement.posts && (!c->owner || !c->row)))
        return error_set(err, STATUS_LIMIT, "out of memory");
    for (size_t i = 0; i < count; i++)
        c->grid.cells[i] = NAN;
    enum status status = source_gather(raster, area, &(struct source_rows){take_row, c}, err);
    if (status == STATUS_OK && c->owner) {
        repeat_lines(c, false);
        repeat_lines(c, true);
    }
    return status;
}

static void free_codes(struct codes *c) {
    free(c->grid.cells);
    free(c->owner);
    free(c->row);
}

/* The window from `in`, continued in straight lines beyond in's borders (the lattice's): docs/decisions/0024.
 * A window that reaches over a border has two samples on this side of it, so all windows agree. */
static void extend(const struct grid_f32 *in, struct grid_f32 *window) {
    int32_t x = in->x0 - window->x0, y = in->y0 - window->y0;
    for (int32_t row = 0; row < in->height; row++) {
        float *to = window->cells + (ptrdiff_t)(y + row) * window->stride;
        memcpy(to + x, in->cells + (ptrdiff_t)row * in->stride, (size_t)in->width * sizeof *to);
        terrain_extend_line(to, 1, x, x + in->width - 1, window->width, INT32_MAX);
    }
    for (int32_t i = 0; i < window->width; i++)
        terrain_extend_line(window->cells + i, window->stride, y, y + in->height - 1, window->height,
                            INT32_MAX);
}

static struct resample_lattice coarse_lattice(const struct placement *p) {
    return (struct resample_lattice){-p->fine_log2, p->origin_x, p->origin_y, p->posts};
}

struct rect source_height_window(const struct placement *p, struct rect out) {
    struct rect w;
    if (p->fine_log2 < 0) {
        struct resample_lattice lattice = coarse_lattice(p);
        terrain_resample_bicubic_reach(&lattice, p->origin_x, out.x0, out.x1, &w.x0, &w.x1);
        terrain_resample_bicubic_reach(&lattice, p->origin_y, out.y0, out.y1, &w.y0, &w.y1);
    } else {
        int32_t f = 1 << p->fine_log2, more = p->posts ? f - 1 : 0; /* the tent's reach */
        w = (struct rect){(out.x0 - p->origin_x) * f - more, (out.y0 - p->origin_y) * f - more,
                          (out.x1 - p->origin_x) * f, (out.y1 - p->origin_y) * f};
    }
    if (p->posts) { /* a post that a tile leaves out comes from the one or two to its west or north */
        w.x0 -= p->fine_log2 < 0 ? 2 : 1;
        w.y1 += p->fine_log2 < 0 ? 2 : 1;
    }
    return w;
}

static void copy(const struct grid_f32 *in, struct grid_f32 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++)
        memcpy(grid_f32_at(out, out->x0, y), grid_f32_at(in, out->x0, y), (size_t)out->width * sizeof(float));
}

static void resample(const struct placement *p, const struct grid_f32 *in, struct grid_f32 *out) {
    struct grid_f32 from_origin = *out;
    from_origin.x0 -= p->origin_x;
    from_origin.y0 -= p->origin_y;
    if (p->fine_log2 < 0) {
        struct resample_lattice lattice = coarse_lattice(p);
        terrain_resample_bicubic(&lattice, in, out);
    } else if (p->fine_log2 == 0) {
        copy(in, &from_origin);
    } else if (p->posts) {
        terrain_resample_tent(p->fine_log2, in, &from_origin);
    } else {
        terrain_resample_box(p->fine_log2, in, &from_origin);
    }
}

static void to_metres(const struct source_raster *raster, struct grid_f32 *out) {
    double offset, step;
    scale_of(raster, &offset, &step);
    if (raster->pixel_bytes == 4)
        return;
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        float *row = grid_f32_at(out, out->x0, y);
        for (int32_t i = 0; i < out->width; i++)
            row[i] = (float)(offset + step * (double)row[i]);
    }
}

static enum status read_band(const struct source_raster *raster, struct grid_f32 *out, struct error *err) {
    const struct placement *p = &raster->placement;
    struct rect rect = {out->x0, out->y0, out->x0 + out->width, out->y0 + out->height};
    struct rect w = source_height_window(p, rect);
    struct codes codes;
    float *cells = NULL;
    enum status status = read_codes(raster, rect_intersect(w, p->samples), &codes, err);
    if (status != STATUS_OK)
        goto done;
    struct grid_f32 in = {NULL, w.x0, w.y0, w.x1 - w.x0, w.y1 - w.y0, w.x1 - w.x0};
    in.cells = cells = malloc((size_t)in.width * (size_t)in.height * sizeof *cells);
    if (!cells) {
        status = error_set(err, STATUS_LIMIT, "out of memory");
        goto done;
    }
    extend(&codes.grid, &in);
    resample(p, &in, out);
    to_metres(raster, out);
done:
    free(cells);
    free_codes(&codes);
    return status;
}

enum status source_read_height(struct source_set *set, struct grid_f32 *out, struct error *err) {
    int32_t log2 = set->height.placement.fine_log2;
    int32_t band = log2 > 4 ? 16 : 256 >> (log2 > 0 ? log2 : 0); /* rows: a few MiB of samples */
    for (int32_t row = 0; row < out->height; row += band) {
        struct grid_f32 part = *out;
        part.cells += row * out->stride;
        part.y0 += row;
        part.height = out->height - row < band ? out->height - row : band;
        enum status status = read_band(&set->height, &part, err);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
