#include "cliff/drape.h"

#include <math.h>
#include <string.h>

static const double level_cosine = 0.906; /* of 25 degrees */
static const double rise_m = 0.3, step_m = 0.4;

struct place {
    int64_t x, y, z;
};

/* Doubled area of a b c, counterclockwise above 0. */
static int64_t turn(const struct place *a, const struct place *b, int64_t x, int64_t y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static void put(const struct cliff_drape *d, int32_t x, int32_t y, int32_t z, uint32_t bed, bool level) {
    int32_t *top = grid_i32_at(&d->top, x, y);
    uint16_t *id = grid_u16_at(&d->bed, x, y);
    if (z < *top || (z == *top && bed <= *id))
        return;
    *top = z;
    *id = (uint16_t)bed;
    *grid_u8_at(&d->level, x, y) = level;
}

static int32_t first_cell(int64_t lowest, double cell_m, int32_t origin) {
    return origin + (int32_t)floor((double)lowest / CLIFF_QUANTUM / cell_m - 0.5);
}

/* The centres that one triangle covers, rims included: neighbours may both write one, the higher stays. */
static void put_triangle(const struct place v[3], uint32_t bed, const int32_t origin[2], double cell_m,
                         const struct cliff_drape *d) {
    int64_t area = turn(&v[0], &v[1], v[2].x, v[2].y);
    if (area <= 0)
        return; /* looks down or sideways */
    int64_t lo_x = v[0].x, hi_x = lo_x, lo_y = v[0].y, hi_y = lo_y;
    for (int32_t k = 1; k < 3; k++) {
        lo_x = v[k].x < lo_x ? v[k].x : lo_x;
        hi_x = v[k].x > hi_x ? v[k].x : hi_x;
        lo_y = v[k].y < lo_y ? v[k].y : lo_y;
        hi_y = v[k].y > hi_y ? v[k].y : hi_y;
    }
    double ux = (double)(v[1].x - v[0].x), uy = (double)(v[1].y - v[0].y), uz = (double)(v[1].z - v[0].z);
    double wx = (double)(v[2].x - v[0].x), wy = (double)(v[2].y - v[0].y), wz = (double)(v[2].z - v[0].z);
    double nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
    bool level = nz > level_cosine * sqrt(nx * nx + ny * ny + nz * nz);
    const struct grid_i32 *t = &d->top;
    for (int32_t y = first_cell(lo_y, cell_m, origin[1]); y < t->y0 + t->height; y++) {
        int64_t py = cliff_quanta((y - origin[1] + 0.5) * cell_m);
        if (py > hi_y)
            break;
        for (int32_t x = first_cell(lo_x, cell_m, origin[0]); x < t->x0 + t->width; x++) {
            int64_t px = cliff_quanta((x - origin[0] + 0.5) * cell_m);
            if (px > hi_x)
                break;
            int64_t a = turn(&v[1], &v[2], px, py), b = turn(&v[2], &v[0], px, py),
                    c = turn(&v[0], &v[1], px, py);
            if (a < 0 || b < 0 || c < 0 || x < t->x0 || y < t->y0)
                continue;
            double z =
                ((double)a * (double)v[0].z + (double)b * (double)v[1].z + (double)c * (double)v[2].z) /
                (double)area;
            put(d, x, y, (int32_t)floor(z + 0.5), bed, level);
        }
    }
}

void cliff_drape(const struct cliff_mesh *mesh, const int32_t origin[2], double cell_m,
                 const struct cliff_drape *d) {
    for (int32_t y = 0; y < d->top.height; y++) {
        for (int32_t x = 0; x < d->top.width; x++)
            d->top.cells[y * d->top.stride + x] = CLIFF_NO_TOP;
        memset(d->bed.cells + y * d->bed.stride, 0, (size_t)d->bed.width * sizeof *d->bed.cells);
        memset(d->level.cells + y * d->level.stride, 0, (size_t)d->level.width);
    }
    for (uint32_t t = 0; t < 2 * mesh->quad_count; t++) {
        uint32_t corners[3];
        struct place v[3];
        cliff_triangle(mesh, t, corners);
        for (int32_t k = 0; k < 3; k++) {
            const struct cliff_vertex *from = &mesh->vertices[corners[k]];
            v[k] = (struct place){from->x, from->y, from->z};
        }
        put_triangle(v, mesh->quads[t / 2].bed, origin, cell_m, d);
    }
}

/* ---- ledges ---- */

static bool ledge(const struct cliff_drape *d, const struct grid_f32 *ground, int32_t x, int32_t y) {
    int32_t top = *grid_i32_at(&d->top, x, y);
    return top != CLIFF_NO_TOP && *grid_u8_at(&d->level, x, y) &&
           top / CLIFF_QUANTUM >= (double)*grid_f32_at(ground, x, y) + rise_m;
}

void cliff_ledges(const struct cliff_drape *d, const struct grid_f32 *ground, int32_t min_cells,
                  struct grid_u8 *out, int32_t *stack) {
    enum { NONE = 0, OPEN = 1, YES = 255 };
    static const int8_t sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int32_t w = out->width, h = out->height;
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++)
            out->cells[y * out->stride + x] = ledge(d, ground, out->x0 + x, out->y0 + y) ? OPEN : NONE;
    for (int32_t start = 0; start < w * h; start++) {
        if (out->cells[start / w * out->stride + start % w] != OPEN)
            continue;
        int32_t count = 0, done = 0;
        stack[count++] = start;
        out->cells[start / w * out->stride + start % w] = YES;
        while (done < count) {
            int32_t x = stack[done] % w, y = stack[done] / w;
            double z = *grid_i32_at(&d->top, out->x0 + x, out->y0 + y);
            done++;
            for (int32_t k = 0; k < 4; k++) {
                int32_t a = x + sides[k][0], b = y + sides[k][1];
                if (a < 0 || b < 0 || a >= w || b >= h || out->cells[b * out->stride + a] != OPEN ||
                    fabs(*grid_i32_at(&d->top, out->x0 + a, out->y0 + b) - z) > step_m * CLIFF_QUANTUM)
                    continue;
                out->cells[b * out->stride + a] = YES;
                stack[count++] = b * w + a;
            }
        }
        for (int32_t k = 0; count < min_cells && k < count; k++)
            out->cells[stack[k] / w * out->stride + stack[k] % w] = NONE;
    }
}

/* ---- rays ---- */

static void bin_range(const struct cliff_bins *b, const struct cliff_quad *quad, int32_t out[4]) {
    int32_t lo[2] = {INT32_MAX, INT32_MAX}, hi[2] = {INT32_MIN, INT32_MIN};
    for (int32_t q = 0; q < 4; q++) {
        const struct cliff_vertex *v = &b->mesh->vertices[quad->v[q]];
        const int32_t at[2] = {v->x, v->y};
        for (int32_t k = 0; k < 2; k++) {
            lo[k] = at[k] < lo[k] ? at[k] : lo[k];
            hi[k] = at[k] > hi[k] ? at[k] : hi[k];
        }
    }
    for (int32_t k = 0; k < 2; k++) {
        double from = floor(lo[k] / CLIFF_QUANTUM / b->cell_m), to = floor(hi[k] / CLIFF_QUANTUM / b->cell_m);
        out[k] = from < 0 ? 0 : from > b->side ? b->side : (int32_t)from;
        out[2 + k] = to < -1 ? -1 : to >= b->side ? b->side - 1 : (int32_t)to;
    }
}

bool cliff_bins_make(const struct cliff_mesh *mesh, double cell_m, int32_t side, struct arena *scratch,
                     struct cliff_bins *out) {
    size_t cells = (size_t)side * (size_t)side;
    *out = (struct cliff_bins){.mesh = mesh, .cell_m = cell_m, .side = side};
    out->first = arena_alloc(scratch, cells + 2, sizeof *out->first);
    if (!out->first)
        return false;
    memset(out->first, 0, (cells + 2) * sizeof *out->first);
    for (int32_t pass = 0; pass < 2; pass++) {
        for (uint32_t q = 0; q < mesh->quad_count; q++) {
            int32_t r[4];
            bin_range(out, &mesh->quads[q], r);
            for (int32_t y = r[1]; y <= r[3]; y++)
                for (int32_t x = r[0]; x <= r[2]; x++) {
                    uint32_t *count = &out->first[(size_t)y * (size_t)side + (size_t)x + (pass ? 1 : 2)];
                    if (pass)
                        out->list[*count] = q;
                    ++*count;
                }
        }
        for (size_t i = 1; pass == 0 && i < cells + 2; i++)
            out->first[i] += out->first[i - 1];
        if (pass == 0 &&
            !(out->list = arena_alloc(scratch, (size_t)out->first[cells + 1] + 1, sizeof *out->list)))
            return false;
    }
    return true;
}

bool cliff_ray_down(const struct cliff_bins *b, double x_m, double y_m, double *z_m) {
    double cx = floor(x_m / b->cell_m), cy = floor(y_m / b->cell_m), best = -1e18;
    if (!(cx >= 0 && cy >= 0 && cx < b->side && cy < b->side))
        return false;
    int64_t px = cliff_quanta(x_m), py = cliff_quanta(y_m);
    size_t cell = (size_t)cy * (size_t)b->side + (size_t)cx;
    for (uint32_t i = b->first[cell]; i < b->first[cell + 1]; i++)
        for (uint32_t half = 0; half < 2; half++) {
            uint32_t c[3];
            struct place v[3];
            cliff_triangle(b->mesh, 2 * b->list[i] + half, c);
            for (int32_t k = 0; k < 3; k++)
                v[k] = (struct place){b->mesh->vertices[c[k]].x, b->mesh->vertices[c[k]].y,
                                      b->mesh->vertices[c[k]].z};
            int64_t all = turn(&v[0], &v[1], v[2].x, v[2].y), a = turn(&v[1], &v[2], px, py),
                    d = turn(&v[2], &v[0], px, py), e = turn(&v[0], &v[1], px, py);
            if (all <= 0 || a < 0 || d < 0 || e < 0)
                continue;
            double z =
                ((double)a * (double)v[0].z + (double)d * (double)v[1].z + (double)e * (double)v[2].z) /
                (double)all / CLIFF_QUANTUM;
            best = z > best ? z : best;
        }
    *z_m = best;
    return best > -1e17;
}

bool cliff_stand(const struct cliff_bins *b, double *x_m, double *y_m, double *z_m) {
    double centre_x = (floor(*x_m / b->cell_m) + 0.5) * b->cell_m,
           centre_y = (floor(*y_m / b->cell_m) + 0.5) * b->cell_m, level;
    if (!cliff_ray_down(b, centre_x, centre_y, &level))
        return false;
    for (int32_t k = 0; k < 4; k++) {
        double x = *x_m + 0.25 * k * (centre_x - *x_m), y = *y_m + 0.25 * k * (centre_y - *y_m), z;
        if (cliff_ray_down(b, x, y, &z) && fabs(z - level) <= 0.3) {
            *x_m = x, *y_m = y, *z_m = z;
            return true;
        }
    }
    *x_m = centre_x, *y_m = centre_y, *z_m = level;
    return true;
}
