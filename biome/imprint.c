#include "biome/imprint.h"

#include "terrain/clones.h"
#include <math.h>
#include <string.h>

/* ---- reach ---- */

float biome_write_reach_m(const struct recipe_species *s, const struct recipe_write *w) {
    return w->radius_m * recipe_growth(s, s->height_max_m) + w->falloff_m;
}

float biome_imprint_reach_m(const struct recipe *recipe, int32_t tier, enum recipe_write_kind kind,
                            int32_t mask) {
    const struct recipe_tier *t = &recipe->tiers[tier];
    float reach = -1.0f;
    for (int32_t i = 0; i < t->species_count; i++) {
        const struct recipe_species *s = &recipe->species[t->species[i]];
        for (int32_t k = 0; k < s->write_count; k++) {
            const struct recipe_write *w = &s->writes[k];
            if (w->kind != kind || (kind == WRITE_MASK && w->mask != mask))
                continue;
            float r = biome_write_reach_m(s, w);
            reach = r > reach ? r : reach;
        }
    }
    return reach;
}

/* ---- codes ---- */

/* Samples of one axis that lie within reach of a place, one to spare, cut to [low, high). */
static void span(double at_m, double reach_m, double cell_m, int32_t low, int32_t high, int32_t *from,
                 int32_t *to) {
    double a = floor((at_m - reach_m) / cell_m - 0.5), b = floor((at_m + reach_m) / cell_m + 0.5);
    *from = a > (double)low ? (int32_t)a : low;
    *to = b < (double)(high - 1) ? (int32_t)b + 1 : high;
}

/* One entity's disc, measured from the sample of column `column`, near its middle, at offset_m east of it.
 * top: the code within the radius. */
struct disc {
    double x_m, y_m;
    int32_t column;
    float offset_m, cell_m, radius_m, falloff_m, top;
};

enum { IMPRINT_RUN = 64, IMPRINT_NARROW = 16 };

/* Raises n codes of a row from sample x on; dy2_m2: of the row. Without a branch: codes are cut, and beyond
 * the reach they come to 0. A sample's code does not depend on where the run begins. */
TERRAIN_CLONES
static void imprint_row(const struct disc *d, float dy2_m2, int32_t x, int32_t n, uint8_t *row) {
    float reach_m = d->radius_m + d->falloff_m, top = d->top, slope = top / d->falloff_m;
    float cell_m = d->cell_m, offset_m = d->offset_m;
    int32_t code[IMPRINT_RUN], from = x - d->column;
    for (int32_t at = 0; at < n; at += IMPRINT_RUN) {
        int32_t count = n - at < IMPRINT_RUN ? n - at : IMPRINT_RUN;
        for (int32_t i = 0; i < count; i++) {
            float dx = (float)(from + at + i) * cell_m + offset_m;
            float v = slope * (reach_m - sqrtf(dx * dx + dy2_m2));
            v = v < top ? v : top;
            v = v > 0.0f ? v : 0.0f;
            code[i] = (int32_t)(v + 0.5f);
        }
        for (int32_t i = 0; i < count; i++)
            row[at + i] = (uint8_t)(code[i] > row[at + i] ? code[i] : row[at + i]);
    }
}

/* Without a falloff: the disc alone. */
TERRAIN_CLONES
static void fill_row(const struct disc *d, float dy2_m2, int32_t x, int32_t n, uint8_t *row) {
    float radius2 = d->radius_m * d->radius_m, cell_m = d->cell_m, offset_m = d->offset_m;
    int32_t top = (int32_t)(d->top + 0.5f), from = x - d->column, code[IMPRINT_RUN];
    for (int32_t at = 0; at < n; at += IMPRINT_RUN) {
        int32_t count = n - at < IMPRINT_RUN ? n - at : IMPRINT_RUN;
        for (int32_t i = 0; i < count; i++) {
            float dx = (float)(from + at + i) * cell_m + offset_m;
            code[i] = dx * dx + dy2_m2 < radius2 ? top : 0;
        }
        for (int32_t i = 0; i < count; i++)
            row[at + i] = (uint8_t)(code[i] > row[at + i] ? code[i] : row[at + i]);
    }
}

/* False: all of it lies outside. Rows of wide discs are cut to the circle, of narrow ones to its square:
 * finding where they begin costs more than samples that come to 0. */
static bool imprint(const struct disc *d, const struct biome_imprint_grid *grid, const struct grid_u8 *out) {
    int32_t west, east, x0, x1, y0, y1;
    double shift = grid->posts ? 0.0 : 0.5, cell_m = grid->cell_m;
    double reach_m = (double)(d->radius_m + d->falloff_m), reach2 = reach_m * reach_m;
    span(d->y_m, reach_m, cell_m, out->y0, out->y0 + out->height, &y0, &y1);
    span(d->x_m, reach_m, cell_m, out->x0, out->x0 + out->width, &west, &east);
    if (west >= east || y0 >= y1)
        return false;
    for (int32_t y = y0; y < y1; y++) {
        double dy = ((double)y + shift) * cell_m - d->y_m, half2 = reach2 - dy * dy;
        if (half2 <= 0.0)
            continue;
        x0 = west;
        x1 = east;
        if (east - west > IMPRINT_NARROW)
            span(d->x_m, sqrt(half2), cell_m, out->x0, out->x0 + out->width, &x0, &x1);
        if (x0 >= x1)
            continue;
        if (d->falloff_m > 0.0f)
            imprint_row(d, (float)(dy * dy), x0, x1 - x0, grid_u8_at(out, x0, y));
        else
            fill_row(d, (float)(dy * dy), x0, x1 - x0, grid_u8_at(out, x0, y));
    }
    return true;
}

static struct disc disc_of(const struct recipe *recipe, const struct recipe_write *w,
                           const struct biome_imprint_grid *grid, const struct biome_candidate *c) {
    float growth = recipe_growth(candidate_species(recipe, c), biome_height_m(recipe, c));
    bool less = w->kind == WRITE_HEIGHT && growth < 1.0f;
    double x_m = (double)c->x_q / 1024.0, column = floor(x_m / grid->cell_m);
    return (struct disc){.x_m = x_m,
                         .y_m = (double)c->y_q / 1024.0,
                         .column = (int32_t)column,
                         .offset_m = (float)((column + (grid->posts ? 0.0 : 0.5)) * grid->cell_m - x_m),
                         .cell_m = (float)grid->cell_m,
                         .radius_m = w->radius_m * growth,
                         .falloff_m = w->falloff_m,
                         .top = less ? 255.0f * growth : 255.0f};
}

bool biome_imprint_codes(const struct recipe *recipe, const struct recipe_write *write, uint32_t species,
                         const struct biome_imprint_grid *grid, const struct biome_candidate *standing,
                         size_t count, const struct grid_u8 *out) {
    bool reaches = false;
    for (size_t i = 0; i < count; i++)
        if (standing[i].species == species) {
            struct disc d = disc_of(recipe, write, grid, &standing[i]);
            reaches |= imprint(&d, grid, out);
        }
    return reaches;
}

void biome_imprint_mask(const struct recipe *recipe, int32_t mask, double cell_m,
                        const struct biome_candidate *standing, size_t count, const struct grid_u8 *out) {
    const struct biome_imprint_grid grid = {cell_m, false};
    for (size_t i = 0; i < count; i++) {
        const struct recipe_species *s = candidate_species(recipe, &standing[i]);
        for (int32_t k = 0; k < s->write_count; k++) {
            const struct recipe_write *w = &s->writes[k];
            if (w->kind != WRITE_MASK || w->mask != mask || w->step_first < w->step_end)
                continue;
            struct disc d = disc_of(recipe, w, &grid, &standing[i]);
            imprint(&d, &grid, out);
        }
    }
}

/* The first of code[i..n) that is not 0; n: none. Most of the ground is nobody's: 8 at a time. */
static inline int32_t next_code(const uint8_t *code, int32_t i, int32_t n) {
    for (; i + 8 <= n; i += 8) {
        uint64_t eight;
        memcpy(&eight, code + i, sizeof eight);
        if (eight)
            break;
    }
    while (i < n && !code[i])
        i++;
    return i;
}

/* ---- stacks ---- */

/* Cells that wait for the stack's value. */
struct asked {
    struct biome_batch batch;
    int32_t x[VIABILITY_BATCH], y[VIABILITY_BATCH];
    uint8_t *code[VIABILITY_BATCH];
    float share[VIABILITY_BATCH];
};

size_t biome_imprint_where_scratch(const struct recipe *recipe) {
    return biome_batch_scratch(recipe) + arena_need(1, sizeof(struct asked));
}

static void flush(const struct recipe *recipe, const struct recipe_write *w, struct asked *a) {
    a->batch.x = a->x;
    a->batch.y = a->y;
    biome_batch_reset(&a->batch, recipe);
    biome_viability(recipe, w->step_first, w->step_end, &a->batch, a->share);
    for (int32_t i = 0; i < a->batch.count; i++) {
        float share = a->share[i] < 1.0f ? a->share[i] : 1.0f;
        *a->code[i] = (uint8_t)((float)*a->code[i] * share + 0.5f);
    }
    a->batch.count = 0;
}

enum status biome_imprint_where(const struct recipe *recipe, const struct recipe_write *write,
                                const struct biome_layer *layers, const struct grid_u8 *codes,
                                struct arena *arena, struct error *err) {
    if (write->step_first == write->step_end)
        return STATUS_OK;
    size_t mark = arena_mark(arena);
    struct asked *a = arena_alloc(arena, 1, sizeof *a);
    enum status status = a ? biome_batch_init(&a->batch, recipe, layers, arena, err)
                           : error_set(err, STATUS_FAULT, "scratch too small for an imprint");
    for (int32_t y = codes->y0; status == STATUS_OK && y < codes->y0 + codes->height; y++) {
        uint8_t *code = grid_u8_at(codes, codes->x0, y);
        int32_t width = codes->width;
        for (int32_t i = next_code(code, 0, width); i < width; i = next_code(code, i + 1, width)) {
            int32_t n = a->batch.count++;
            a->x[n] = codes->x0 + i;
            a->y[n] = y;
            a->code[n] = code + i;
            if (a->batch.count == VIABILITY_BATCH)
                flush(recipe, write, a);
        }
    }
    if (status == STATUS_OK && a->batch.count > 0)
        flush(recipe, write, a);
    arena_release(arena, mark);
    return status;
}

/* ---- what codes do ---- */

void biome_imprint_height(const struct recipe_write *write, const struct grid_u8 *codes,
                          const struct grid_f32 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        const uint8_t *code = grid_u8_at(codes, out->x0, y);
        float *to = grid_f32_at(out, out->x0, y);
        for (int32_t i = 0; i < out->width; i++) {
            float v = (float)code[i] / 255.0f;
            to[i] += write->raise_m * (v * v * (3.0f - 2.0f * v));
        }
    }
}

void biome_imprint_texture(const struct recipe_write *write, const struct grid_u8 *codes,
                           const struct grid_u8 *best, const struct grid_u8 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        const uint8_t *code = grid_u8_at(codes, out->x0, y);
        uint8_t *most = grid_u8_at(best, out->x0, y), *to = grid_u8_at(out, out->x0, y);
        for (int32_t i = next_code(code, 0, out->width); i < out->width;
             i = next_code(code, i + 1, out->width)) {
            int32_t id = -1;
            for (int32_t k = 0; code[i] > most[i] && k < write->texture_count; k++)
                if ((float)code[i] >= 255.0f * write->texture_from[k])
                    id = write->texture_id[k];
            if (id < 0)
                continue;
            most[i] = code[i];
            to[i] = (uint8_t)id;
        }
    }
}

void biome_imprint_tint(const struct recipe_write *write, const struct grid_u8 *codes,
                        const struct grid_u8 *out) {
    int32_t width = out->width / 3;
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        const uint8_t *code = grid_u8_at(codes, out->x0, y);
        uint8_t *rgb = out->cells + (ptrdiff_t)(y - out->y0) * out->stride;
        for (int32_t i = next_code(code, 0, width); i < width; i = next_code(code, i + 1, width))
            for (int k = 0; k < 3; k++) {
                int32_t from = rgb[3 * i + k], move = ((int32_t)write->color[k] - from) * code[i];
                rgb[3 * i + k] = (uint8_t)(from + (move + (move < 0 ? -127 : 127)) / 255);
            }
    }
}
