#include "terrain/curvature.h"

#include "terrain/clones.h"

#include <math.h>
#include <string.h>

enum { STRIP = 16 }; /* columns that are smoothed along y together: they stay in the first caches */

int32_t curvature_box(const struct curvature_params *params) {
    return 2 * (int32_t)floor(params->scale_m / (2.0 * params->cell_m)) + 1;
}

int32_t curvature_reach(const struct curvature_params *params) {
    return 3 * (curvature_box(params) / 2) + 1;
}

TERRAIN_CLONES static void twice(const double *in, size_t ahead, size_t count, double *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = in[i] + in[i + ahead];
}
TERRAIN_CLONES static void twice_and_one(const double *in, size_t ahead, const double *one, size_t count,
                                         double *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = (in[i] + in[i + ahead]) + one[i];
}

/* Three buffers of one size; the first holds the numbers. */
struct buffers {
    double *of[3];
};

/* Replaces each of `count` items by the sum of itself and the box - 1 items after it, where there are as
 * many; returns how many there are. An item is `lanes` numbers side by side. Reads the bits of `box` from the
 * top: sums of m items become sums of 2 m, and of 2 m + 1 where the bit is set. */
static size_t box_sums(struct buffers *b, size_t count, size_t lanes, int32_t box) {
    const double *from = b->of[0];
    int32_t bit = 1, to = 1;
    size_t m = 1;
    while (bit <= box / 2)
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
        count -= m;
        if (box & bit) {
            count -= 1;
            twice_and_one(from, m * lanes, b->of[0] + 2 * m * lanes, count * lanes, b->of[to]);
            m = 2 * m + 1;
        } else {
            twice(from, m * lanes, count * lanes, b->of[to]);
            m = 2 * m;
        }
        from = b->of[to];
        to = 3 - to;
    }
    if (from != b->of[0]) {
        double *result = b->of[3 - to];
        b->of[3 - to] = b->of[0];
        b->of[0] = result;
    }
    return count;
}

/* The smoothed surface times box^6, one cell around the output. */
struct field {
    double *at;
    size_t width, height;
};

static void smooth_rows(const struct grid_f32 *in, int32_t x0, int32_t y0, int32_t box, struct field *f,
                        struct buffers *b) {
    size_t margin = (size_t)(3 * (box / 2));
    for (size_t j = 0; j < f->height + 2 * margin; j++) {
        const float *from = grid_f32_at(in, x0 - (int32_t)margin, y0 - (int32_t)margin + (int32_t)j);
        size_t count = f->width + 2 * margin;
        for (size_t i = 0; i < count; i++)
            b->of[0][i] = (double)from[i];
        for (int32_t pass = 0; pass < 3; pass++)
            count = box_sums(b, count, 1, box);
        memcpy(f->at + j * f->width, b->of[0], f->width * sizeof(double));
    }
}

static void smooth_columns(int32_t box, struct field *f, struct buffers *b) {
    size_t rows = f->height + 2 * (size_t)(3 * (box / 2));
    for (size_t x = 0; x < f->width; x += STRIP) {
        size_t lanes = f->width - x < STRIP ? f->width - x : STRIP, count = rows;
        for (size_t j = 0; j < rows; j++)
            memcpy(b->of[0] + j * lanes, f->at + j * f->width + x, lanes * sizeof(double));
        for (int32_t pass = 0; pass < 3; pass++)
            count = box_sums(b, count, lanes, box);
        for (size_t j = 0; j < f->height; j++)
            memcpy(f->at + j * f->width + x, b->of[0] + j * lanes, lanes * sizeof(double));
    }
}

/* s, c, n: rows of the field to the south, at and to the north of the cells, from the column west of them.
 * second: 1 / L^2, first: 1 / 2 L, both over box^6. */
TERRAIN_CLONES static void curve_row(const double *s, const double *c, const double *n, double second,
                                     double first, int32_t width, float *restrict curvature,
                                     float *restrict profile, float *restrict plan) {
    for (int32_t i = 0; i < width; i++) {
        float d = (float)((c[i + 1] - 0.5 * (c[i] + c[i + 2])) * second); /* -D */
        float e = (float)((c[i + 1] - 0.5 * (n[i + 1] + s[i + 1])) * second);
        float f = (float)(0.25 * ((n[i + 2] - n[i]) - (s[i + 2] - s[i])) * second);
        float g = (float)((c[i + 2] - c[i]) * first), h = (float)((n[i + 1] - s[i + 1]) * first);
        float steep = g * g + h * h, all = 2.0f * (d + e);
        float along = 2.0f * (d * g * g + e * h * h - f * g * h) / (steep < 1e-12f ? 1.0f : steep);
        along = steep < 1e-12f ? 0.5f * all : along;
        curvature[i] = all;
        profile[i] = along;
        plan[i] = all - along;
    }
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Numbers in a row or strip buffer, and in the field. */
static size_t buffer_size(int32_t box, int32_t width, int32_t height) {
    size_t margin = 2 * (size_t)(3 * (box / 2)) + 2;
    return larger((size_t)width + margin, ((size_t)height + margin) * STRIP);
}
static size_t field_size(int32_t box, int32_t width, int32_t height) {
    size_t margin = 2 * (size_t)(3 * (box / 2)) + 2;
    return ((size_t)width + 2) * ((size_t)height + margin);
}

size_t curvature_scratch(const struct curvature_params *params, int32_t width, int32_t height) {
    int32_t box = curvature_box(params);
    return arena_need(field_size(box, width, height), sizeof(double)) +
           3 * arena_need(buffer_size(box, width, height), sizeof(double));
}

bool terrain_curvature(const struct curvature_params *params, const struct grid_f32 *altitude_m,
                       struct grid_f32 *curvature, struct grid_f32 *profile, struct grid_f32 *plan,
                       struct arena *scratch) {
    int32_t box = curvature_box(params), width = curvature->width, height = curvature->height;
    int32_t x0 = curvature->x0, y0 = curvature->y0;
    size_t mark = arena_mark(scratch);
    double *at = arena_alloc(scratch, field_size(box, width, height), sizeof *at);
    struct buffers b;
    for (int32_t i = 0; i < 3; i++)
        b.of[i] = arena_alloc(scratch, buffer_size(box, width, height), sizeof(double));
    bool fits = at && b.of[0] && b.of[1] && b.of[2];
    if (fits) {
        struct field f = {at, (size_t)width + 2, (size_t)height + 2};
        double w = (double)box, weight = 1.0 / (w * w * w * w * w * w);
        smooth_rows(altitude_m, x0 - 1, y0 - 1, box, &f, &b);
        smooth_columns(box, &f, &b);
        for (int32_t y = 0; y < height; y++) {
            const double *s = f.at + (size_t)y * f.width;
            curve_row(s, s + f.width, s + 2 * f.width, weight / (params->cell_m * params->cell_m),
                      weight / (2.0 * params->cell_m), width, grid_f32_at(curvature, x0, y0 + y),
                      grid_f32_at(profile, x0, y0 + y), grid_f32_at(plan, x0, y0 + y));
        }
    }
    arena_release(scratch, mark);
    return fits;
}
