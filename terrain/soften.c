#include "terrain/soften.h"

/* Sums of 2 radius + 1 neighbours: out[i] = in[i] + ... + in[i + 2 radius], for n outputs. */
static void box_row(const uint32_t *in, int32_t n, int32_t radius, uint32_t *out) {
    uint32_t sum = 0;
    for (int32_t i = 0; i < 2 * radius; i++)
        sum += in[i];
    for (int32_t i = 0; i < n; i++) {
        sum += in[i + 2 * radius];
        out[i] = sum;
        sum -= in[i];
    }
}

size_t terrain_soften_scratch(int32_t radius, int32_t width, int32_t height) {
    size_t wide = (size_t)(width + 4 * radius), high = (size_t)(height + 4 * radius);
    return 2 * arena_need(wide, sizeof(uint32_t)) + arena_need((size_t)width * high, sizeof(uint32_t)) +
           arena_need((size_t)width * (high - 2 * (size_t)radius), sizeof(uint32_t)) +
           arena_need((size_t)width, sizeof(uint32_t));
}

/* Sums down the columns, as box_row along rows: `rows` output rows of `wide` sums. */
static void box_columns(const uint32_t *in, int32_t wide, int32_t rows, int32_t radius, uint32_t *sum,
                        uint32_t *out) {
    for (int32_t x = 0; x < wide; x++)
        sum[x] = 0;
    for (int32_t y = 0; y < 2 * radius; y++)
        for (int32_t x = 0; x < wide; x++)
            sum[x] += in[(size_t)y * (size_t)wide + (size_t)x];
    for (int32_t y = 0; y < rows; y++) {
        const uint32_t *old = in + (size_t)y * (size_t)wide,
                       *more = old + (size_t)(2 * radius) * (size_t)wide;
        uint32_t *to = out + (size_t)y * (size_t)wide;
        for (int32_t x = 0; x < wide; x++) {
            to[x] = sum[x] + more[x];
            sum[x] = to[x] - old[x];
        }
    }
}

bool terrain_soften(int32_t radius, const struct grid_u8 *in, const struct grid_u16 *out,
                    struct arena *arena) {
    int32_t wide = out->width + 4 * radius, high = out->height + 4 * radius;
    size_t mark = arena_mark(arena), width = (size_t)out->width;
    uint32_t *row = arena_alloc(arena, (size_t)wide, sizeof *row),
             *half = arena_alloc(arena, (size_t)wide, sizeof *half);
    uint32_t *along = arena_alloc(arena, width * (size_t)high, sizeof *along);
    uint32_t *once = arena_alloc(arena, width * (size_t)(high - 2 * radius), sizeof *once);
    uint32_t *sum = arena_alloc(arena, width, sizeof *sum);
    if (!row || !half || !along || !once || !sum)
        return false;
    for (int32_t y = 0; y < high; y++) {
        const uint8_t *from = grid_u8_at(in, out->x0 - 2 * radius, out->y0 - 2 * radius + y);
        for (int32_t x = 0; x < wide; x++)
            row[x] = from[x];
        box_row(row, wide - 2 * radius, radius, half);
        box_row(half, out->width, radius, along + (size_t)y * width);
    }
    box_columns(along, out->width, high - 2 * radius, radius, sum, once);
    box_columns(once, out->width, out->height, radius, sum, along);
    uint64_t side = (uint64_t)(2 * radius + 1), total = side * side * side * side;
    for (int32_t y = 0; y < out->height; y++)
        for (int32_t x = 0; x < out->width; x++) {
            uint64_t mean =
                (SOFTEN_STEPS * (uint64_t)along[(size_t)y * width + (size_t)x] + total / 2) / total;
            *grid_u16_at(out, out->x0 + x, out->y0 + y) = (uint16_t)(mean < 65535 ? mean : 65535);
        }
    arena_release(arena, mark);
    return true;
}
