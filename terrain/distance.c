#include "terrain/distance.h"

#include "terrain/clones.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Largest reach whose squares, and four steps more, fit 16 bits: (2 reach + 1)^2 + 4 * 8 * (reach + 3) <
 * 2^16. */
enum { REACH_16 = 123 };

/* Where the run of cells of one kind that starts at `from` ends. */
static int32_t run_end(const uint8_t *mask, int32_t from, int32_t width) {
    uint64_t kind = mask[from] & 128 ? 0x8080808080808080u : 0;
    int32_t x = from + 1;
    for (uint64_t eight; x + 8 <= width; x += 8) {
        memcpy(&eight, mask + x, 8);
        if ((eight & 0x8080808080808080u) != kind)
            break;
    }
    while (x < width && !((mask[x] ^ mask[from]) & 128))
        x++;
    return x;
}

#define DISTANCE_T       uint16_t
#define DISTANCE_NAME(x) x##_16
#include "terrain/distance_rows.h"
#undef DISTANCE_T
#undef DISTANCE_NAME
#define DISTANCE_T       uint32_t
#define DISTANCE_NAME(x) x##_32
#include "terrain/distance_rows.h"
#undef DISTANCE_T
#undef DISTANCE_NAME

int32_t terrain_distance_reach(const struct distance_params *params) {
    int32_t reach = (int32_t)(params->max_m / params->cell_m + 0.5);
    return reach > 1 ? reach : 1;
}

size_t terrain_distance_scratch(const struct distance_params *params, int32_t width, int32_t height) {
    size_t reach = (size_t)terrain_distance_reach(params), wide = (size_t)width + 2 * reach;
    return arena_need(wide * ((size_t)height + 2), sizeof(uint16_t)) +
           4 * arena_need(wide + 8, sizeof(uint32_t)) + 2 * arena_need(wide, sizeof(uint16_t));
}

/* The part of the mask that matters, as a block of rows; the output's place in it. */
struct field {
    const uint8_t *mask;
    ptrdiff_t stride;
    int32_t width, height, reach;
    int32_t left, bottom; /* the output's first cell, counted from the block's */
};

static struct field cut(const struct grid_u8 *mask, const struct grid_u16 *out, int32_t reach) {
    int32_t x0 = out->x0 - reach > mask->x0 ? out->x0 - reach : mask->x0;
    int32_t y0 = out->y0 - reach > mask->y0 ? out->y0 - reach : mask->y0;
    int32_t x1 = out->x0 + out->width + reach, y1 = out->y0 + out->height + reach;
    x1 = x1 < mask->x0 + mask->width ? x1 : mask->x0 + mask->width;
    y1 = y1 < mask->y0 + mask->height ? y1 : mask->y0 + mask->height;
    return (struct field){
        grid_u8_at(mask, x0, y0), mask->stride, x1 - x0, y1 - y0, reach, out->x0 - x0, out->y0 - y0};
}

/* Is there no edge in the block? */
static bool one_kind(const struct field *f) {
    for (int32_t y = 0; y < f->height; y++) {
        const uint8_t *row = f->mask + y * f->stride;
        if (((row[0] ^ f->mask[0]) & 128) || run_end(row, 0, f->width) < f->width)
            return false;
    }
    return true;
}

/* Rows to the nearest cell of the other kind on the side that we come from: 1 where it was the last row. */
TERRAIN_CLONES static void count_row(const uint8_t *mask, const uint8_t *last, int32_t n, uint16_t most,
                                     uint16_t *restrict k) {
    for (int32_t x = 0; x < n; x++) {
        uint16_t next = k[x] < most ? (uint16_t)(k[x] + 1) : most;
        k[x] = (mask[x] ^ last[x]) & 128 ? 1 : next;
    }
}

TERRAIN_CLONES static void smaller(const uint16_t *a, int32_t n, uint16_t *restrict b) {
    for (int32_t x = 0; x < n; x++)
        b[x] = a[x] < b[x] ? a[x] : b[x];
}

/* Codes of squared distances in half cells. far: a distance in steps that none passes. */
#define DEFINE_WRITE(name, type)                                                                             \
    TERRAIN_CLONES static void name(const type *square, const uint8_t *mask, int32_t n, float steps,         \
                                    float far, uint16_t *restrict out) {                                     \
        for (int32_t x = 0; x < n; x++) {                                                                    \
            float d = sqrtf((float)(int32_t)square[x]) * steps;                                              \
            int32_t code = (int32_t)((d < far ? d : far) + 0.5f);                                            \
            out[x] = (uint16_t)(DISTANCE_ZERO + (mask[x] & 128 ? -code : code));                             \
        }                                                                                                    \
    }
DEFINE_WRITE(write_16, uint16_t)
DEFINE_WRITE(write_32, uint32_t)

static void write_far(const uint8_t *mask, int32_t n, float far, uint16_t *out) {
    int32_t code = (int32_t)(far + 0.5f);
    for (int32_t x = 0; x < n; x++)
        out[x] = (uint16_t)(DISTANCE_ZERO + (mask[x] & 128 ? -code : code));
}

/* k[y]: rows down to the nearest cell of the other kind, for the output's rows; `state` is a row of scratch.
 */
static void count_down(const struct field *f, int32_t rows, uint16_t *state, uint16_t *k) {
    size_t width = (size_t)f->width;
    uint16_t most = (uint16_t)(f->reach + 1);
    for (size_t x = 0; x < width; x++)
        state[x] = most;
    for (int32_t y = 0; y < f->bottom + rows; y++) {
        const uint8_t *row = f->mask + y * f->stride;
        if (y > 0)
            count_row(row, row - f->stride, f->width, most, state);
        if (y >= f->bottom)
            memcpy(k + (size_t)(y - f->bottom) * width, state, width * sizeof *k);
    }
}

struct scratch {
    uint16_t *k, *state;
    struct rows_16 rows16;
    struct rows_32 rows32;
};

static void finish_row(const struct distance_params *params, const struct field *f, struct scratch *s,
                       int32_t y, struct grid_u16 *out) {
    const uint8_t *mask = f->mask + (y + f->bottom) * f->stride;
    const uint16_t *k = s->k + (size_t)y * (size_t)f->width;
    uint16_t *to = out->cells + y * out->stride;
    float steps = (float)(params->cell_m * (0.5 * DISTANCE_STEPS)),
          far = (float)(params->max_m * DISTANCE_STEPS);
    const uint16_t *d16 = f->reach <= REACH_16 ? solve_16(&s->rows16, mask, k, f->left, out->width) : NULL;
    const uint32_t *d32 = f->reach <= REACH_16 ? NULL : solve_32(&s->rows32, mask, k, f->left, out->width);
    if (d16)
        write_16(d16, mask + f->left, out->width, steps, far, to);
    else if (d32)
        write_32(d32, mask + f->left, out->width, steps, far, to);
    else
        write_far(mask + f->left, out->width, far, to);
}

/* From above: completes k of each row, and finishes it. */
static void count_up(const struct distance_params *params, const struct field *f, struct scratch *s,
                     struct grid_u16 *out) {
    uint16_t most = (uint16_t)(f->reach + 1);
    for (int32_t x = 0; x < f->width; x++)
        s->state[x] = most;
    for (int32_t y = f->height - 1; y >= f->bottom; y--) {
        const uint8_t *row = f->mask + y * f->stride;
        if (y < f->height - 1)
            count_row(row, row + f->stride, f->width, most, s->state);
        if (y >= f->bottom + out->height)
            continue;
        smaller(s->state, f->width, s->k + (size_t)(y - f->bottom) * (size_t)f->width);
        finish_row(params, f, s, y - f->bottom, out);
    }
}

enum status terrain_distance(const struct distance_params *params, const struct grid_u8 *mask,
                             struct grid_u16 *out, struct arena *arena, struct error *err) {
    struct field f = cut(mask, out, terrain_distance_reach(params));
    if (one_kind(&f)) {
        for (int32_t y = 0; y < out->height; y++)
            write_far(f.mask + (y + f.bottom) * f.stride + f.left, out->width,
                      (float)(params->max_m * DISTANCE_STEPS), out->cells + y * out->stride);
        return STATUS_OK;
    }
    size_t mark = arena_mark(arena);
    struct scratch s = {0};
    s.k = arena_alloc(arena, (size_t)f.width * (size_t)out->height, sizeof *s.k);
    s.state = arena_alloc(arena, (size_t)f.width, sizeof *s.state);
    bool ok = s.k && s.state;
    ok = ok && (f.reach <= REACH_16 ? take_16(&s.rows16, f.width, f.reach, arena)
                                    : take_32(&s.rows32, f.width, f.reach, arena));
    if (!ok)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for distances");
    count_down(&f, out->height, s.state, s.k);
    count_up(params, &f, &s, out);
    arena_release(arena, mark);
    return STATUS_OK;
}
