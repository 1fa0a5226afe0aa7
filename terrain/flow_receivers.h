/* Owns where each cell of a filled surface sends its water: a receiver's direction, a lake, or out of the
 * world.
 *
 * A cell with a strictly lower neighbour has one receiver, by rho8 (Fairfield & Leymarie 1991): the steepest
 * cardinal drop Dc against the steepest diagonal drop Dd; the diagonal wins when Dd > Dc * (2 - r), with r
 * the lowest 16 bits of hash_place(seed, hash_name("flow_rho8"), x, y, 0) as a fraction. Among equal
 * cardinals the one with the largest (direction xor bits 16..17 of the hash) wins, among equal diagonals
 * bits 18..19. A cell on the world's edge without a lower neighbour leaves the world. The others are lake
 * cells: no cell of a lower level touches them, so lake cells that touch have one level. */
#ifndef TERRAIN_FLOW_RECEIVERS_H
#define TERRAIN_FLOW_RECEIVERS_H
#include "terrain/arena.h"
#include "terrain/flow_layout.h"
#include "terrain/grid.h"
#include "terrain/status.h"

/* Codes 0..7: direction of the receiver (flow_dx, flow_dy). A mouth is the lake cell of a lake within one
 * section whose direction leads to the lake's outlet: code FLOW_MOUTH + direction. */
enum { FLOW_LAKE = 8, FLOW_LEAVES = 9, FLOW_MOUTH = 16, FLOW_VOID = 255 };

static inline int flow_is_lake(uint8_t code) {
    return code == FLOW_LAKE || (code >= FLOW_MOUTH && code != FLOW_VOID);
}

/* Codes of a section's cells and of the ring of cells around it. `filled` holds the section and 2 cells
 * around it; what it holds beyond the world's edge is not read. z: the same (width + 4) x (height + 4) cells,
 * FLOW_NO_HEIGHT beyond the world. code: (width + 2) x (height + 2) cells, FLOW_VOID beyond the world, no
 * mouths yet. Both are allocated by the caller. Scratch: 4 bytes for each cell of a row. */
enum status flow_receivers(const struct flow_layout *layout, struct flow_section at, uint64_t seed,
                           const struct grid_i32 *filled, int32_t *z, uint8_t *code, struct arena *arena,
                           struct error *err);

#endif
