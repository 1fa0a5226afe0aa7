#include "terrain/flow_net.h"

#include "terrain/flow_graph.h"

#include <string.h>

static size_t padded_cells(int32_t width, int32_t height) {
    return ((size_t)width + 2) * ((size_t)height + 2);
}

size_t flow_net_scratch(int32_t width, int32_t height) {
    size_t cells = padded_cells(width, height);
    return 5 * arena_need(cells, sizeof(int32_t)) + arena_need(cells, 1);
}

/* Provisional sets of a cell from its neighbours that come before it; a new one when there is none. */
static int32_t set_of(const int32_t *set, int32_t i, int32_t stride, int32_t *parent, int32_t *sets) {
    int32_t west = set[i - 1], sw = set[i - stride - 1], south = set[i - stride], se = set[i - stride + 1];
    int32_t first = south >= 0 ? south : west >= 0 ? west : sw;
    if (first < 0 && se < 0) {
        parent[*sets] = *sets;
        return (*sets)++;
    }
    if (south < 0 && se >= 0) { /* south joins all the others already */
        if (first >= 0)
            flow_union(parent, first, se);
        else
            first = se;
    }
    return first;
}

enum status flow_net_lakes(struct flow_net *net, int32_t width, int32_t height, uint8_t *code,
                           struct arena *arena, struct error *err) {
    size_t cells = padded_cells(width, height);
    int32_t stride = width + 2, sets = 0;
    *net = (struct flow_net){.width = width, .height = height, .stride = stride, .code = code};
    for (int d = 0; d < 8; d++)
        net->step[d] = flow_dy[d] * stride + flow_dx[d];
    net->lake = arena_alloc(arena, cells, sizeof *net->lake);
    net->root = arena_alloc(arena, cells / 2, sizeof *net->root);
    net->chain = arena_alloc(arena, cells, sizeof *net->chain);
    size_t mark = arena_mark(arena);
    int32_t *parent = arena_alloc(arena, cells / 2, sizeof *parent);
    if (!net->lake || !net->root || !net->chain || !parent)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for lakes");
    memset(net->lake, -1, cells * sizeof *net->lake);
    for (int32_t y = 1; y <= height; y++)
        for (int32_t i = y * stride + 1; i <= y * stride + width; i++)
            if (flow_is_lake(code[i]))
                net->lake[i] = set_of(net->lake, i, stride, parent, &sets);
    /* A set's root is its lowest number, and numbers rise in index order. */
    for (int32_t s = 0; s < sets; s++)
        parent[s] = parent[s] == s ? ~net->lakes++ : parent[s];
    for (int32_t s = 0; s < sets; s++)
        parent[s] = parent[s] < 0 ? parent[s] : parent[parent[s]];
    for (int32_t y = 1; sets && y <= height; y++)
        for (int32_t i = y * stride + 1; i <= y * stride + width; i++)
            net->lake[i] = net->lake[i] < 0 ? -1 : ~parent[net->lake[i]];
    arena_release(arena, mark);
    return STATUS_OK;
}

void flow_net_link(struct flow_net *net) {
    if (!net->lakes)
        return;
    memset(net->root, -1, (size_t)net->lakes * sizeof *net->root);
    for (int pass = 0; pass < 2;
         pass++) /* mouths; then first cells, and the chains: each to the one before */
        for (int32_t y = 1; y <= net->height; y++)
            for (int32_t i = y * net->stride + 1; i <= y * net->stride + net->width; i++) {
                int32_t lake = net->lake[i];
                if (lake < 0)
                    continue;
                if (pass == 0 && net->code[i] != FLOW_LAKE)
                    net->root[lake] = net->chain[i] = i;
                else if (pass == 1 && net->root[lake] < 0)
                    net->root[lake] = net->chain[i] = i;
            }
    for (int32_t y = 1; y <= net->height; y++)
        for (int32_t i = y * net->stride + 1; i <= y * net->stride + net->width; i++) {
            int32_t lake = net->lake[i];
            if (lake < 0 || net->root[lake] == i)
                continue;
            int32_t root = net->root[lake];
            net->chain[i] = net->chain[root]; /* the root holds the chain's end until all are in it */
            net->chain[root] = i;
        }
    for (int32_t lake = 0; lake < net->lakes; lake++)
        net->chain[net->root[lake]] = -1;
}

/* How many cells send their water to each. 255 in the ring, where water is let go. */
static void count_donors(const struct flow_net *net, uint8_t *restrict donors) {
    memset(donors, 255, padded_cells(net->width, net->height));
    for (int32_t y = 1; y <= net->height; y++) {
        int32_t first = y * net->stride + 1;
        uint8_t *restrict out = donors + first;
        memset(out, 0, (size_t)net->width);
        for (int d = 0; d < 8; d++) {
            const uint8_t *code = net->code + first - net->step[d];
            for (int32_t x = 0; x < net->width; x++)
                out[x] = (uint8_t)(out[x] + ((code[x] & 15) == d));
        }
    }
}

static void count_lake_donors(const struct flow_net *net, uint8_t *donors) {
    for (int32_t y = 1; net->lakes && y <= net->height; y++)
        for (int32_t i = y * net->stride + 1; i <= y * net->stride + net->width; i++)
            if (net->lake[i] >= 0 && net->chain[i] >= 0)
                donors[net->chain[i]]++;
}

enum status flow_net_accumulate(const struct flow_net *net, uint64_t *area, struct arena *arena,
                                struct error *err) {
    size_t mark = arena_mark(arena);
    uint8_t *donors = arena_alloc(arena, padded_cells(net->width, net->height), 1);
    if (!donors)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for accumulation");
    count_donors(net, donors);
    count_lake_donors(net, donors);
    for (int32_t y = 1; y <= net->height; y++)
        for (int32_t i = y * net->stride + 1; i <= y * net->stride + net->width; i++) {
            if (donors[i])
                continue;
            for (int32_t at = i, to;; at = to) {
                donors[at] = 255; /* done */
                to = flow_net_next(net, at);
                if (to < 0)
                    break;
                area[to] += area[at];
                if (--donors[to])
                    break;
            }
        }
    for (int32_t y = 1; net->lakes && y <= net->height; y++)
        for (int32_t i = y * net->stride + 1; i <= y * net->stride + net->width; i++)
            if (net->lake[i] >= 0)
                area[i] = area[net->root[net->lake[i]]];
    arena_release(arena, mark);
    return STATUS_OK;
}
