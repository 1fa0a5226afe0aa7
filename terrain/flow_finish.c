#include "terrain/flow_finish.h"

#include "terrain/flow_net.h"

#include <string.h>

static size_t padded_cells(int32_t width, int32_t height) {
    return ((size_t)width + 2) * ((size_t)height + 2);
}

size_t terrain_flow_finish_scratch(int32_t width, int32_t height) {
    size_t cells = padded_cells(width, height);
    return flow_net_scratch(width, height) + arena_need(cells, 1) + arena_need(cells, sizeof(uint64_t));
}

static void pad(const struct grid_u8 *receivers, uint8_t *code, uint64_t *area) {
    size_t width = (size_t)receivers->width, stride = width + 2;
    memset(code, FLOW_VOID, padded_cells(receivers->width, receivers->height));
    memset(area, 0, padded_cells(receivers->width, receivers->height) * sizeof *area);
    for (int32_t y = 0; y < receivers->height; y++) {
        memcpy(code + (size_t)(y + 1) * stride + 1, receivers->cells + y * receivers->stride, width);
        for (size_t x = 0; x < width; x++)
            area[(size_t)(y + 1) * stride + 1 + x] = 1;
    }
}

/* Is lake k one that goes on beyond the section? */
static int is_open(const struct flow_net *net, int32_t k) {
    return net->code[net->root[k]] == FLOW_LAKE;
}

/* Adds what comes from other sections to the cells that it enters. */
static enum status add_inflows(const struct flow_net *net, struct flow_record record, uint64_t *area,
                               struct error *err) {
    const uint64_t *in = record.bytes;
    size_t words = record.size / sizeof *in;
    uint64_t perimeter = (uint64_t)flow_perimeter_count(net->width, net->height), open = 0;
    for (int32_t k = 0; k < net->lakes; k++)
        open += (uint64_t)is_open(net, k);
    int ok = words >= 2 && in[0] <= perimeter && in[1] == open && words == 2 + 2 * in[0] + 2 * in[1];
    for (uint64_t i = 0; ok && i < in[0]; i++) {
        int32_t x, y;
        ok = in[2 + 2 * i] < perimeter;
        if (!ok)
            break;
        flow_perimeter_cell(net->width, net->height, (int32_t)in[2 + 2 * i], &x, &y);
        area[(y + 1) * net->stride + x + 1] += in[3 + 2 * i];
    }
    const uint64_t *lake = in + 2 + (ok ? 2 * in[0] : 0);
    for (uint64_t k = 0; ok && k < open; k++) {
        uint64_t cell = lake[2 * k + 1], width = (uint64_t)net->width;
        ok = cell <= width * (uint64_t)net->height;
        if (ok && cell > 0)
            area[(int32_t)((cell - 1) / width + 1) * net->stride + (int32_t)((cell - 1) % width + 1)] +=
                lake[2 * k];
    }
    return ok ? STATUS_OK : error_set(err, STATUS_FAULT, "a section's record of inflows is malformed");
}

/* Open lakes carry the total that the world found. */
static void set_open_lakes(const struct flow_net *net, struct flow_record record, uint64_t *area,
                           int32_t *scratch) {
    const uint64_t *in = record.bytes, *lake = in + 2 + 2 * in[0];
    int32_t open = 0;
    for (int32_t k = 0; k < net->lakes; k++)
        scratch[k] = is_open(net, k) ? open++ : -1;
    for (int32_t n = 0; open && n < net->cells; n++) {
        int32_t i = net->cell[n], number = scratch[net->lake[i]];
        area[i] = number >= 0 ? lake[2 * number] : area[i];
    }
}

enum status terrain_flow_finish(const struct grid_u8 *receivers, struct flow_record inflows, uint64_t *area,
                                struct arena *arena, struct error *err) {
    size_t mark = arena_mark(arena), cells = padded_cells(receivers->width, receivers->height);
    uint8_t *code = arena_alloc(arena, cells, 1);
    uint64_t *padded = arena_alloc(arena, cells, sizeof *padded);
    if (!code || !padded)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for flow");
    pad(receivers, code, padded);
    struct flow_net net;
    enum status status = flow_net_lakes(&net, receivers->width, receivers->height, code, arena, err);
    if (status != STATUS_OK)
        return status;
    flow_net_link(&net);
    status = add_inflows(&net, inflows, padded, err);
    if (status == STATUS_OK)
        status = flow_net_accumulate(&net, padded, arena, err);
    if (status != STATUS_OK)
        return status;
    set_open_lakes(&net, inflows, padded, net.chain); /* chains are of no more use */
    for (int32_t y = 0; y < net.height; y++)
        memcpy(area + (size_t)y * (size_t)net.width, padded + (ptrdiff_t)(y + 1) * net.stride + 1,
               (size_t)net.width * sizeof *area);
    arena_release(arena, mark);
    return STATUS_OK;
}

/* 2^31 * 2^((2 k + 1) / 32), rounded down: where 16 * log2 passes from k to k + 1 within an octave. */
static const uint32_t half_steps[17] = {0x82cd8698, 0x88980e80, 0x8ea4398b, 0x94f4efa8, 0x9b8d39b9,
                                        0xa2704303, 0xa9a15ab4, 0xb123f581, 0xb8fbaf47, 0xc12c4cca,
                                        0xc9b9bd86, 0xd2a81d91, 0xdbfbb797, 0xe5b906e7, 0xefe4b99b,
                                        0xfa83b2db, UINT32_MAX};
/* How many of them lie below 2^31 * (1 + i / 32); between two such there is one at most. */
static const uint8_t steps_below[32] = {0, 1,  1,  2,  3,  3,  4,  5,  5,  6,  6,  7,  7,  8,  8,  9,
                                        9, 10, 10, 11, 11, 12, 12, 13, 13, 13, 14, 14, 15, 15, 15, 16};

int32_t flow_log2_16(uint64_t n) {
    int32_t zeros = __builtin_clzll(n);
    uint32_t mantissa = (uint32_t)((n << zeros) >> 32);
    uint32_t below = steps_below[mantissa >> 26 & 31];
    return 16 * (63 - zeros) + (int32_t)below + (mantissa > half_steps[below]);
}

static uint16_t code_of(uint64_t area, uint64_t unit) {
    uint64_t most = UINT64_MAX / unit;
    int32_t code = flow_log2_16((area < most ? area : most) * unit) - 16 * FLOW_CODES_PER_OCTAVE;
    code = code < 0 ? 0 : code;
    return (uint16_t)(code < FLOW_CODE_MAX ? code : FLOW_CODE_MAX);
}

void terrain_flow_codes(const uint64_t *area, double cell_m, struct grid_u16 *flow) {
    enum { SMALL = 512 }; /* nearly all cells */
    uint64_t unit = (uint64_t)(cell_m * cell_m * 65536.0 + 0.5);
    uint16_t small[SMALL];
    for (uint64_t i = 0; i < SMALL; i++)
        small[i] = code_of(i ? i : 1, unit);
    for (int32_t y = 0; y < flow->height; y++) {
        uint16_t *out = flow->cells + y * flow->stride;
        const uint64_t *in = area + (ptrdiff_t)y * flow->width;
        for (int32_t x = 0; x < flow->width; x++)
            out[x] = in[x] < SMALL ? small[in[x]] : code_of(in[x], unit);
    }
}
