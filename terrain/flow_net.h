/* Owns the network of receivers inside one section: which cells form one lake, the order downstream, and the
 * accumulation of areas along it. Knows nothing of heights or of other sections. */
#ifndef TERRAIN_FLOW_NET_H
#define TERRAIN_FLOW_NET_H
#include "terrain/arena.h"
#include "terrain/flow_receivers.h"
#include "terrain/status.h"

/* Cell (x, y) is at (y + 1) * stride + x + 1, with a ring of one cell around the section. */
struct flow_net {
    int32_t width, height, stride;
    int32_t step[8]; /* from a cell's index to its neighbour's */
    uint8_t *code;   /* terrain/flow_receivers.h; FLOW_VOID in the ring (once it is to accumulate) */
    int32_t cells;   /* that are lake cells */
    int32_t *cell;   /* [cells] their indices, rising */
    int32_t lakes;   /* numbered by their first cells in index order */
    int32_t *lake;   /* the lake of each cell; -1: none, also in the ring */
    int32_t *root;   /* [lakes] the mouth, else the lake's first cell: then water leaves it by no direction */
    int32_t *chain;  /* of lake cells: the next cell on the way to the root; -1 at the root */
};

/* Sets up net for codes of (width + 2) x (height + 2) cells (kept, not copied) and finds the lakes: lake,
 * lakes and room for root and chain. Lies in the arena. */
enum status flow_net_lakes(struct flow_net *net, int32_t width, int32_t height, uint8_t *code,
                           struct arena *arena, struct error *err);

/* Finds roots and chains, once mouths are in the codes. */
void flow_net_link(struct flow_net *net);

/* area[i]: what each cell brings itself, laid out as code, 0 in the ring; on return what passes it, for lakes
 * what passes their root, in all their cells. Scratch: 5 bytes for each cell of the padded block. */
enum status flow_net_accumulate(const struct flow_net *net, uint64_t *area, struct arena *arena,
                                struct error *err);

/* The cell that water goes to from cell i; -1: a lake's root without a mouth, or it leaves the world; may be
 * a cell of the ring. */
static inline int32_t flow_net_next(const struct flow_net *net, int32_t i) {
    uint8_t direction = net->code[i] & 15;
    if (direction < 8)
        return i + net->step[direction];
    return direction == FLOW_LAKE ? net->chain[i] : -1;
}

/* What lakes and accumulation take from the arena at most. */
size_t flow_net_scratch(int32_t width, int32_t height);

#endif
