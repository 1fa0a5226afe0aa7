#include "gen/exec_own.h"

#include <stdlib.h>

static uint64_t node_bytes(const struct exec *exec, const struct graph_node *node) {
    uint64_t bytes = 0;
    size_t tiles = graph_tile_count(&exec->graph, node);
    for (size_t i = 0; node->tiles && i < tiles; i++)
        if (node->tiles[i])
            bytes += node->tiles[i]->size + sizeof(struct tile);
    return bytes;
}

static void unlink_node(struct exec *exec, struct graph_node *node) {
    if (node->older)
        node->older->newer = node->newer;
    else if (exec->oldest == node)
        exec->oldest = node->newer;
    else
        return; /* not in the list */
    if (node->newer)
        node->newer->older = node->older;
    else
        exec->newest = node->older;
    node->older = node->newer = NULL;
}

void exec_drop_tiles(struct exec *exec, struct graph_node *node) {
    if (!node->tiles)
        return;
    unlink_node(exec, node);
    exec->tile_bytes -= node_bytes(exec, node);
    size_t tiles = graph_tile_count(&exec->graph, node);
    for (size_t i = 0; i < tiles; i++)
        tile_unref(node->tiles[i]);
    free(node->tiles);
    node->tiles = NULL;
}

/* Past the limit, what can be read again, or is cheap to make again, goes first, oldest first. `fresh` stays:
 * it was made because somebody needs it now. */
static void keep_within_limit(struct exec *exec, const struct graph_node *fresh) {
    struct graph_node *node = exec->oldest;
    while (node && exec->tile_bytes > exec->options->memory_limit) {
        struct graph_node *next = node->newer;
        const struct stage *stage = exec->graph.instances[node->instance].stage;
        if (node != fresh && !node->busy && (node->on_disk || !stage->keep) && stage->scope == SCOPE_SECTION)
            exec_drop_tiles(exec, node);
        node = next;
    }
}

void exec_adopt_tiles(struct exec *exec, struct graph_node *node, struct tile **tiles, size_t count) {
    if (node->consumers == 0 && node->on_disk) {
        for (size_t i = 0; i < count; i++)
            tile_unref(tiles[i]);
        return;
    }
    if (!node->tiles && !(node->tiles = calloc(count, sizeof *node->tiles))) {
        for (size_t i = 0; i < count; i++)
            tile_unref(tiles[i]);
        return; /* made again when asked for */
    }
    if (!node->older && !node->newer && exec->oldest != node) {
        node->older = exec->newest;
        if (exec->newest)
            exec->newest->newer = node;
        else
            exec->oldest = node;
        exec->newest = node;
    }
    for (size_t i = 0; i < count; i++) {
        if (!tiles[i])
            continue;
        if (node->tiles[i]) {
            tile_unref(tiles[i]);
            continue;
        }
        node->tiles[i] = tiles[i];
        exec->tile_bytes += tiles[i]->size + sizeof(struct tile);
    }
    if (exec->tile_bytes > exec->tile_bytes_peak)
        exec->tile_bytes_peak = exec->tile_bytes;
    keep_within_limit(exec, node);
}
