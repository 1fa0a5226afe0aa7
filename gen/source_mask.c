#include "gen/hasher.h"
#include "gen/image.h"
#include "gen/source.h"
#include "gen/source_set.h"
#include "gen/stage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hash128 source_mask_key(const struct world_mask *mask, const struct source_file *file) {
    struct hasher hasher;
    hasher_reset(&hasher);
    hash_text(&hasher, "mask");
    hash_u64(&hasher, file->id.lo);
    hash_u64(&hasher, file->id.hi);
    hash_u64(&hasher, (uint64_t)mask->unpainted);
    hash_u64(&hasher, mask->legend_count);
    for (size_t i = 0; i < mask->legend_count; i++) {
        const struct legend_entry *e = &mask->legend[i];
        hash_u64(&hasher, (uint64_t)e->r << 16 | (uint64_t)e->g << 8 | e->b);
        hash_u64(&hasher, (uint64_t)e->code);
    }
    return hasher_digest(&hasher);
}

enum { MISFITS_MAX = 1024 }; /* colours that are told apart; a power of two */

/* Turns RGBA rows into codes, and remembers what does not fit. */
struct coder {
    const struct source_image *image;
    struct image_writer *writer;
    uint8_t *codes;        /* one row */
    uint8_t rgba[4], code; /* of the last pixel that fitted: paint comes in patches */
    bool any;
    uint64_t misfits;
    int32_t column, row; /* of the first misfit */
    uint8_t misfit[4];
    uint32_t seen[MISFITS_MAX]; /* open addressing, by colour + 1; 0: free */
    int32_t colours;            /* different misfits, at most MISFITS_MAX / 2 */
};

static void count_colour(struct coder *c, const uint8_t *p) {
    uint32_t colour = ((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) + 1u;
    uint32_t at = (colour * 2654435761u) >> 22;
    while (c->seen[at] != 0 && c->seen[at] != colour)
        at = (at + 1) % MISFITS_MAX;
    if (c->seen[at] == colour || c->colours == MISFITS_MAX / 2)
        return;
    c->seen[at] = colour;
    c->colours++;
}

static bool code_of(const struct world_mask *mask, const uint8_t *p, uint8_t *code) {
    if (p[3] == 0) {
        *code = (uint8_t)mask->unpainted;
        return true;
    }
    if (p[3] != 255)
        return false;
    if (!mask->legend) {
        *code = p[0];
        return p[0] == p[1] && p[1] == p[2];
    }
    for (size_t i = 0; i < mask->legend_count; i++) {
        const struct legend_entry *e = &mask->legend[i];
        if (e->r == p[0] && e->g == p[1] && e->b == p[2]) {
            *code = (uint8_t)e->code;
            return true;
        }
    }
    return false;
}

static enum status code_row(void *context, int32_t row, const void *samples, struct error *err) {
    struct coder *c = context;
    const uint8_t *p = samples;
    for (int32_t x = 0; x < c->image->file->width_px; x++, p += 4) {
        if (c->any && memcmp(p, c->rgba, 4) == 0) {
            c->codes[x] = c->code;
        } else if (code_of(c->image->raster->mask, p, &c->codes[x])) {
            c->any = true;
            c->code = c->codes[x];
            memcpy(c->rgba, p, 4);
        } else {
            count_colour(c, p);
            if (c->misfits++ > 0)
                continue;
            c->column = x;
            c->row = row;
            memcpy(c->misfit, p, 4);
        }
    }
    return image_cache_put(c->writer, c->codes, err);
}

static const struct legend_entry *nearest(const struct world_mask *mask, const uint8_t *p) {
    const struct legend_entry *best = NULL;
    int32_t least = INT32_MAX;
    for (size_t i = 0; i < mask->legend_count; i++) {
        const struct legend_entry *e = &mask->legend[i];
        int32_t r = e->r - p[0], g = e->g - p[1], b = e->b - p[2];
        if (r * r + g * g + b * b < least) {
            least = r * r + g * g + b * b;
            best = e;
        }
    }
    return best;
}

/* A brush's soft edges make many colours; one or two are meant, and the legend lacks them. */
static const char *advise(const struct coder *c, enum image_kind kind, bool opaque) {
    if (kind == IMAGE_JPEG)
        return "JPEG alters colours, use PNG";
    if (c->colours > 2)
        return "a brush with soft edges makes many such, paint with a hard one";
    if (!opaque)
        return "paint must cover wholly or not at all";
    return c->colours == 1 ? "the legend lacks this colour: name it there, or paint it over"
                           : "the legend lacks these colours: name them there, or paint them over";
}

static enum status misfit(const struct coder *c, enum image_kind kind, struct error *err) {
    const struct world_mask *mask = c->image->raster->mask;
    const struct legend_entry *near = nearest(mask, c->misfit);
    const uint8_t *p = c->misfit;
    bool opaque = p[3] == 255;
    char colour[40], advice[240], of[48] = "";
    if (opaque)
        snprintf(colour, sizeof colour, "#%02x%02x%02x", p[0], p[1], p[2]);
    else
        snprintf(colour, sizeof colour, "#%02x%02x%02x with alpha %d", p[0], p[1], p[2], p[3]);
    if (c->colours > 1)
        snprintf(of, sizeof of, " (%s%d colours)", c->colours == MISFITS_MAX / 2 ? "at least " : "",
                 c->colours);
    if (near)
        snprintf(advice, sizeof advice, "the nearest is `%s` #%02x%02x%02x: %s", near->name, near->r, near->g,
                 near->b, advise(c, kind, opaque));
    else
        snprintf(advice, sizeof advice, "%s",
                 opaque ? "a mask of colours needs a legend" : "paint must cover wholly or not at all");
    return error_at(err, STATUS_INPUT, c->image->file->path, 0, 0,
                    "%llu pixel%s %s%s; the first, in column %d, row %d, is %s; %s",
                    (unsigned long long)c->misfits, c->misfits == 1 ? "" : "s",
                    near     ? "without a legend colour"
                    : opaque ? "not grey"
                             : "half transparent",
                    of, c->column, c->row, colour, advice);
}

enum status source_make_mask(void *image, struct image_writer *writer, struct error *err) {
    struct coder coder = {.image = image, .writer = writer};
    const struct source_file *file = coder.image->file;
    struct image_request request = {.form = IMAGE_RGBA8, .id = &file->id};
    enum status status = image_probe(file->path, &request.info, err);
    if (status == STATUS_OK)
        status = image_check_mask(file->path, &request.info, err);
    if (status != STATUS_OK)
        return status;
    if (request.info.width_px != file->width_px || request.info.height_px != file->height_px)
        return error_at(err, STATUS_FILE, file->path, 0, 0,
                        "the file has changed since the world was read: run again");
    coder.codes = calloc((size_t)file->width_px, 1);
    if (!coder.codes)
        return error_at(err, STATUS_LIMIT, file->path, 0, 0, "out of memory");
    status = image_read(file->path, &request, &(struct image_rows){code_row, &coder}, err);
    if (status == STATUS_OK && coder.misfits)
        status = misfit(&coder, request.info.kind, err);
    free(coder.codes);
    return status;
}

struct rect source_mask_window(const struct placement *p, struct rect out) {
    return placement_samples(p, out);
}

static enum status take_row(void *context, const struct source_image *image, int32_t x, int32_t y,
                            int32_t count, const void *pixels, struct error *err) {
    const struct grid_u8 *in = context;
    (void)image;
    (void)err;
    memcpy(grid_u8_at(in, x, y), pixels, (size_t)count);
    return STATUS_OK;
}

static uint8_t block_mean(const struct grid_u8 *in, int32_t f, int32_t x, int32_t y) {
    uint32_t sum = 0, n = (uint32_t)f * (uint32_t)f;
    for (int32_t j = 0; j < f; j++)
        for (int32_t i = 0; i < f; i++)
            sum += *grid_u8_at(in, x + i, y + j);
    return (uint8_t)((2 * sum + n) / (2 * n));
}

static uint8_t block_majority(const struct grid_u8 *in, int32_t f, int32_t x, int32_t y) {
    uint16_t counts[256] = {0};
    int32_t best = *grid_u8_at(in, x, y);
    for (int32_t j = 0; j < f; j++)
        for (int32_t i = 0; i < f; i++) {
            int32_t code = *grid_u8_at(in, x + i, y + j);
            counts[code]++;
            if (counts[code] > counts[best] || (counts[code] == counts[best] && code < best))
                best = code;
        }
    return (uint8_t)best;
}

static void reduce(const struct source_raster *raster, const struct grid_u8 *in, struct grid_u8 *out) {
    const struct placement *p = &raster->placement;
    int32_t f = p->fine_log2 > 0 ? 1 << p->fine_log2 : 1;
    int32_t c = p->fine_log2 < 0 ? 1 << -p->fine_log2 : 1;
    for (int32_t y = out->y0; y < out->y0 + out->height; y++)
        for (int32_t x = out->x0; x < out->x0 + out->width; x++) {
            uint8_t *to = grid_u8_at(out, x, y);
            if (f == 1)
                *to = *grid_u8_at(in, floor_div(x - p->origin_x, c), floor_div(y - p->origin_y, c));
            else if (raster->mask->legend)
                *to = block_majority(in, f, (x - p->origin_x) * f, (y - p->origin_y) * f);
            else
                *to = block_mean(in, f, (x - p->origin_x) * f, (y - p->origin_y) * f);
        }
}

static enum status read_band(const struct source_raster *raster, struct grid_u8 *out, struct error *err) {
    struct rect w = source_mask_window(
        &raster->placement, (struct rect){out->x0, out->y0, out->x0 + out->width, out->y0 + out->height});
    struct grid_u8 in = {NULL, w.x0, w.y0, w.x1 - w.x0, w.y1 - w.y0, w.x1 - w.x0};
    size_t count = (size_t)in.width * (size_t)in.height;
    in.cells = malloc(count);
    if (!in.cells)
        return error_set(err, STATUS_LIMIT, "out of memory");
    memset(in.cells, raster->mask->unpainted, count);
    enum status status = source_gather(raster, w, &(struct source_rows){take_row, &in}, err);
    if (status == STATUS_OK)
        reduce(raster, &in, out);
    free(in.cells);
    return status;
}

enum status source_read_mask(struct source_set *set, size_t mask, struct grid_u8 *out, struct error *err) {
    const struct source_raster *raster = &set->masks[mask];
    int32_t log2 = raster->placement.fine_log2;
    int32_t band = log2 > 4 ? 16 : 256 >> (log2 > 0 ? log2 : 0);
    for (int32_t row = 0; row < out->height; row += band) {
        struct grid_u8 part = *out;
        part.cells += row * out->stride;
        part.y0 += row;
        part.height = out->height - row < band ? out->height - row : band;
        enum status status = read_band(raster, &part, err);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
