#include "terrain/resample.h"

#include <math.h>

void terrain_resample_box(int32_t log2, const struct grid_f32 *in, struct grid_f32 *out) {
    int32_t f = 1 << log2, n = f * f;
    for (int32_t y = out->y0; y < out->y0 + out->height; y++)
        for (int32_t x = out->x0; x < out->x0 + out->width; x++) {
            double sum = 0;
            int32_t known = 0;
            for (int32_t j = 0; j < f; j++) {
                const float *row = grid_f32_at(in, x * f, y * f + j);
                for (int32_t i = 0; i < f; i++)
                    if (!isnan(row[i])) {
                        sum += (double)row[i];
                        known++;
                    }
            }
            *grid_f32_at(out, x, y) = 2 * known >= n ? (float)(sum / known) : NAN;
        }
}

/* The weights are whole numbers and their sum a power of 4: products and sums of float heights of the same
 * magnitude are exact in double. */
static float tent_at(const struct grid_f32 *in, int32_t f, int32_t x, int32_t y) {
    if (isnan(*grid_f32_at(in, x, y)))
        return NAN;
    double sum = 0;
    int32_t weights = 0;
    for (int32_t j = 1 - f; j < f; j++) {
        const float *row = grid_f32_at(in, x, y + j);
        for (int32_t i = 1 - f; i < f; i++) {
            int32_t w = (f - (i < 0 ? -i : i)) * (f - (j < 0 ? -j : j));
            if (!isnan(row[i])) {
                sum += (double)row[i] * w;
                weights += w;
            }
        }
    }
    return (float)(sum / weights);
}

void terrain_resample_tent(int32_t log2, const struct grid_f32 *in, struct grid_f32 *out) {
    int32_t f = 1 << log2;
    for (int32_t y = out->y0; y < out->y0 + out->height; y++)
        for (int32_t x = out->x0; x < out->x0 + out->width; x++)
            *grid_f32_at(out, x, y) = tent_at(in, f, x * f, y * f);
}

/* Where out sample i lies between in's samples: after in sample *floor, *t of the way (0 <= *t < 1, a
 * multiple of 2^-(log2 + 1): exact) to the next. */
static void locate(const struct resample_lattice *l, int32_t origin, int32_t i, int32_t *floor, double *t) {
    int32_t c2 = 2 << l->log2;
    int32_t twice = l->posts ? 2 * (i - origin) : 2 * (i - origin) + 1 - (1 << l->log2);
    int32_t q = twice / c2;
    if (twice % c2 < 0)
        q--;
    *floor = q;
    *t = (double)(twice - q * c2) / c2;
}

void terrain_resample_bicubic_reach(const struct resample_lattice *lattice, int32_t origin, int32_t x0,
                                    int32_t x1, int32_t *in0, int32_t *in1) {
    int32_t first, last;
    double t;
    locate(lattice, origin, x0, &first, &t);
    locate(lattice, origin, x1 - 1, &last, &t);
    *in0 = first - 2; /* the stencil's -1, and a neighbour to stand in for it */
    *in1 = last + 4;
}

static void keys(double t, double w[4]) {
    w[0] = ((-0.5 * t + 1.0) * t - 0.5) * t;
    w[1] = (1.5 * t - 2.5) * t * t + 1.0;
    w[2] = ((-1.5 * t + 2.0) * t + 0.5) * t;
    w[3] = (0.5 * t - 0.5) * t * t;
}

/* A sample of the outer ring; the four inner ones are known, so a neighbour always is. */
static double known_or_mean(const struct grid_f32 *in, int32_t x, int32_t y) {
    float v = *grid_f32_at(in, x, y);
    if (!isnan(v))
        return (double)v;
    double sum = 0;
    int32_t known = 0;
    for (int32_t j = -1; j <= 1; j++)
        for (int32_t i = -1; i <= 1; i++) {
            float n = *grid_f32_at(in, x + i, y + j);
            if (!isnan(n)) {
                sum += (double)n;
                known++;
            }
        }
    return sum / known;
}

static bool surrounded(const struct grid_f32 *in, int32_t x, int32_t y, bool right, bool up) {
    const float *row = grid_f32_at(in, x, y);
    bool known = !isnan(row[0]) && !(right && isnan(row[1]));
    if (up)
        known = known && !isnan(row[in->stride]) && !(right && isnan(row[in->stride + 1]));
    return known;
}

/* A direction in which the place lies on a sample takes no part: its outer samples may not be there. */
static float bicubic_at(const struct grid_f32 *in, int32_t x, int32_t y, double tx, double ty) {
    if (!surrounded(in, x, y, tx > 0, ty > 0))
        return NAN;
    double wx[4], wy[4], sum = 0;
    keys(tx, wx);
    keys(ty, wy);
    for (int32_t j = 0; j < 4; j++) {
        if (ty <= 0 && j != 1)
            continue;
        double line = 0;
        for (int32_t i = 0; i < 4; i++)
            if (tx > 0 || i == 1)
                line += wx[i] * known_or_mean(in, x + i - 1, y + j - 1);
        sum += wy[j] * line;
    }
    return (float)sum;
}

void terrain_resample_bicubic(const struct resample_lattice *lattice, const struct grid_f32 *in,
                              struct grid_f32 *out) {
    for (int32_t y = out->y0; y < out->y0 + out->height; y++) {
        int32_t in_y;
        double ty;
        locate(lattice, lattice->origin_y, y, &in_y, &ty);
        for (int32_t x = out->x0; x < out->x0 + out->width; x++) {
            int32_t in_x;
            double tx;
            locate(lattice, lattice->origin_x, x, &in_x, &tx);
            *grid_f32_at(out, x, y) = bicubic_at(in, in_x, in_y, tx, ty);
        }
    }
}
