#include "terrain/flow_net.h"

#include "terrain/clones.h"
#include "terrain/flow_graph.h"

#include <string.h>

static size_t padded_cells(int32_t width, int32_t height) {
    return ((size_t)width + 2) * ((size_t)height + 2);
}

size_t flow_net_scratch(int32_t width, int32_t height) {
    size_t cells = padded_cells(width, height);
    return 6 * arena_need(cells, sizeof(int32_t)) + arena_need(cells, 1);
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

/* Lists the lake cells, in index order. */
static void list_cells(struct flow_net *net) {
    int32_t count = 0;
    for (int32_t y = 1; y <= net->height; y++)
        for (int32_t i = y * net->stride + 1; i <= y * net->stride + net->width; i++) {
            net->cell[count] = i;
            count += flow_is_lake(net->code[i]);
        }
    net->cells = count;
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
    net->cell = arena_alloc(arena, cells, sizeof *net->cell);
    size_t mark = arena_mark(arena);
    int32_t *parent = arena_alloc(arena, cells / 2, sizeof *parent);
    if (!net->lake || !net->root || !net->chain || !net->cell || !parent)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for lakes");
    memset(net->lake, -1, cells * sizeof *net->lake);
    list_cells(net);
    for (int32_t n = 0; n < net->cells; n++)
        net->lake[net->cell[n]] = set_of(net->lake, net->cell[n], stride, parent, &sets);
    /* A set's root is its lowest number, and numbers rise in index order. */
    for (int32_t s = 0; s < sets; s++)
        parent[s] = parent[s] == s ? ~net->lakes++ : parent[s];
    for (int32_t s = 0; s < sets; s++)
        parent[s] = parent[s] < 0 ? parent[s] : parent[parent[s]];
    for (int32_t n = 0; n < net->cells; n++)
        net->lake[net->cell[n]] = ~parent[net->lake[net->cell[n]]];
    arena_release(arena, mark);
    return STATUS_OK;
}

void flow_net_link(struct flow_net *net) {
    memset(net->root, -1, (size_t)net->lakes * sizeof *net->root);
    for (int32_t n = 0; n < net->cells; n++)
        if (net->code[net->cell[n]] != FLOW_LAKE)
            net->root[net->lake[net->cell[n]]] = net->cell[n];
    for (int32_t n = 0; n < net->cells; n++) {
        int32_t *root = &net->root[net->lake[net->cell[n]]];
        *root = *root < 0 ? net->cell[n] : *root;
    }
    /* A chain from each cell to the one before it; its end waits at the root until all are in it. */
    for (int32_t lake = 0; lake < net->lakes; lake++)
        net->chain[net->root[lake]] = net->root[lake];
    for (int32_t n = 0; n < net->cells; n++) {
        int32_t i = net->cell[n], root = net->root[net->lake[i]];
        if (i == root)
            continue;
        net->chain[i] = net->chain[root];
        net->chain[root] = i;
    }
    for (int32_t lake = 0; lake < net->lakes; lake++)
        net->chain[net->root[lake]] = -1;
}

/* How many cells of the rows around it send their water to each cell of a row: donor at -step[d] has code d.
 */
TERRAIN_CLONES static void donors_of_row(const uint8_t *code, ptrdiff_t stride, int32_t width,
                                         uint8_t *restrict donors) {
    const uint8_t *south = code - stride, *north = code + stride;
    for (int32_t x = 0; x < width; x++) {
#define FROM(row, offset, direction) (uint8_t)((uint8_t)((row)[x + (offset)] & 15) == (direction) ? 1 : 0)
        uint8_t n = FROM(code, -1, 0);
        n = (uint8_t)(n + FROM(south, 0, 1));
        n = (uint8_t)(n + FROM(code, 1, 2));
        n = (uint8_t)(n + FROM(north, 0, 3));
        n = (uint8_t)(n + FROM(south, -1, 4));
        n = (uint8_t)(n + FROM(south, 1, 5));
        n = (uint8_t)(n + FROM(north, 1, 6));
        n = (uint8_t)(n + FROM(north, -1, 7));
#undef FROM
        donors[x] = n;
    }
}

/* 255 in the ring, where water is let go. */
static void count_donors(const struct flow_net *net, uint8_t *donors) {
    memset(donors, 255, padded_cells(net->width, net->height));
    for (int32_t y = 1; y <= net->height; y++) {
        ptrdiff_t first = (ptrdiff_t)y * net->stride + 1;
        donors_of_row(net->code + first, net->stride, net->width, donors + first);
    }
}

static void count_lake_donors(const struct flow_net *net, uint8_t *donors) {
    for (int32_t n = 0; n < net->cells; n++)
        if (net->chain[net->cell[n]] >= 0)
            donors[net->chain[net->cell[n]]]++;
}

/* Cells that nothing flows into, into the queue; returns their number. */
static int32_t queue_heads(const struct flow_net *net, const uint8_t *donors, int32_t *queue) {
    int32_t count = 0;
    for (int32_t y = 1; y <= net->height; y++)
        for (int32_t i = y * net->stride + 1; i <= y * net->stride + net->width; i++) {
            queue[count] = i;
            count += donors[i] == 0;
        }
    return count;
}

/* A queue in order of readiness, without a branch on what joins it, keeps neighbouring steps independent. */
enum status flow_net_accumulate(const struct flow_net *net, uint64_t *area, struct arena *arena,
                                struct error *err) {
    size_t mark = arena_mark(arena), cells = padded_cells(net->width, net->height);
    uint8_t *donors = arena_alloc(arena, cells, 1);
    int32_t *queue = arena_alloc(arena, cells, sizeof *queue);
    if (!donors || !queue)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for accumulation");
    count_donors(net, donors);
    count_lake_donors(net, donors);
    int32_t count = queue_heads(net, donors, queue);
    for (int32_t n = 0; n < count; n++) {
        int32_t i = queue[n], to = flow_net_next(net, i);
        if (to < 0)
            continue;
        area[to] += area[i];
        queue[count] = to; /* there is room: a cell of the section has not come yet */
        count += --donors[to] == 0;
    }
    for (int32_t n = 0; n < net->cells; n++)
        area[net->cell[n]] = area[net->root[net->lake[net->cell[n]]]];
    arena_release(arena, mark);
    return STATUS_OK;
}
