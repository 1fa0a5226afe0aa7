#include "gen/exec_own.h"

#include <stdlib.h>

/* In order of the instances: a pair whose inputs are all in the store has a key and may be there itself; a
 * pair behind one that would run counts as run, though early cut-off may save it. */
static void dry_node(struct exec *exec, struct graph_node *node) {
    const struct graph_instance *instance = &exec->graph.instances[node->instance];
    bool known = true;
    for (int32_t i = 0; i < instance->input_count && known; i++) {
        struct rect s = graph_input_sections(&exec->graph, node, &instance->inputs[i]);
        for (int32_t y = s.y0; y < s.y1 && known; y++)
            for (int32_t x = s.x0; x < s.x1 && known; x++) {
                size_t tile;
                known = graph_producer(&exec->graph, &instance->inputs[i],
                                       graph_section_index(&exec->graph, x, y), &tile)
                            ->heads != NULL;
            }
    }
    size_t count = graph_tile_count(&exec->graph, node);
    if (known) {
        node->key = exec_node_key(exec, node);
        node->heads = calloc(count, sizeof *node->heads);
        if (node->heads && !store_find(exec->store, node->key, count, node->heads)) {
            free(node->heads);
            node->heads = NULL;
        }
    }
    if (!node->heads && exec->options->would_run) {
        bool whole = instance->stage->scope == SCOPE_WORLD;
        struct rect cells = graph_section_cells(&exec->graph, node->section);
        exec->options->would_run(exec->options->would_run_context, instance->stage, instance->arg,
                                 whole ? INT32_MIN : floor_div(cells.x0, SECTION_CELLS),
                                 whole ? INT32_MIN : floor_div(cells.y0, SECTION_CELLS));
    }
    for (int32_t i = 0; i < exec->report.stage_count; i++)
        if (exec->report.stages[i].stage == instance->stage) {
            exec->report.stages[i].hits += node->heads != NULL;
            exec->report.stages[i].runs += node->heads == NULL;
        }
}

/* The largest sum of results alive at once, when pairs are made job by job and let go behind their last
 * consumer; blobs are taken for 64 KiB. */
static uint64_t estimate_bytes(const struct exec *exec) {
    uint64_t bytes = 0;
    for (int32_t i = 0; i < exec->graph.instance_count; i++) {
        const struct graph_instance *instance = &exec->graph.instances[i];
        int32_t nodes = instance->stage->scope == SCOPE_WORLD ? 1 : exec->graph.section_count;
        int64_t used = 0;
        for (int32_t n = 0; n < nodes; n++)
            used += instance->nodes[n] != NULL && !instance->nodes[n]->heads;
        uint64_t pair = 0;
        for (int32_t o = 0; o < instance->output_count; o++) {
            const struct layer_info *layer = &instance->stage->outputs[o];
            uint64_t cells = (uint64_t)SECTION_CELLS * SECTION_CELLS >> (2 * layer->coarse_log2);
            pair += layer->type == LAYER_BLOB ? 65536 : cells * layer_sample_size(layer->type);
        }
        bytes += pair * (uint64_t)used;
    }
    return bytes < exec->options->memory_limit ? bytes : exec->options->memory_limit;
}

void exec_dry_run(struct exec *exec) {
    for (int32_t i = 0; i < exec->graph.instance_count; i++) {
        const struct graph_instance *instance = &exec->graph.instances[i];
        int32_t nodes = instance->stage->scope == SCOPE_WORLD ? 1 : exec->graph.section_count;
        for (int32_t n = 0; n < nodes; n++)
            if (instance->nodes[n])
                dry_node(exec, instance->nodes[n]);
    }
    exec->tile_bytes_peak = estimate_bytes(exec);
}
