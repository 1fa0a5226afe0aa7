#include "gen/exec_own.h"

#include <stdlib.h>

/* A row of a section's sectors lies in one piece: it is hashed at once. */
static void hash_sectors(struct hasher *h, const struct exec *exec, const struct graph_input *input,
                         struct rect cells) {
    struct rect known = rect_intersect(cells, exec->graph.world->extent.cells);
    struct rect sectors = rect_blocks(known, SECTOR_CELLS);
    struct rect sections = rect_blocks(known, SECTION_CELLS);
    for (int32_t sy = sections.y0; sy < sections.y1; sy++)
        for (int32_t sx = sections.x0; sx < sections.x1; sx++) {
            size_t tile;
            int32_t section = graph_section_index(&exec->graph, sx, sy);
            const struct graph_node *p = graph_producer(&exec->graph, input, section, &tile);
            const struct hash128 *parts = p->heads[tile].parts;
            if (input->layer->type == LAYER_BLOB && !input->layer->by_sector)
                hash_bytes(h, &parts[0], sizeof parts[0]); /* records lie in part 0 */
            int32_t x0 = sx * SECTION_SECTORS, y0 = sy * SECTION_SECTORS;
            struct rect own = {x0, y0, x0 + SECTION_SECTORS, y0 + SECTION_SECTORS};
            own = rect_intersect(own, sectors);
            for (int32_t y = own.y0; y < own.y1; y++)
                hash_bytes(h, &parts[(y - y0) * SECTION_SECTORS + own.x0 - x0],
                           (size_t)(own.x1 - own.x0) * sizeof *parts);
        }
}

/* How the bytes are to be read, where the stage's entry does not say it. */
static void hash_reading(struct hasher *h, const struct graph *graph, const struct graph_input *input) {
    const struct layer_info *usual = &graph->instances[input->instance].stage->outputs[input->output];
    if (input->layer == usual)
        return;
    hash_f64(h, input->layer->scale);
    hash_f64(h, input->layer->offset);
}

static void hash_rect(struct hasher *h, struct rect r) {
    hash_bytes(h, &r, sizeof r);
}

bool exec_start_keys(struct exec *exec) {
    const struct graph *graph = &exec->graph;
    const struct world *world = graph->world;
    size_t count = (size_t)graph->instance_count;
    exec->keys = aligned_alloc(_Alignof(struct hasher), (count + 1) * sizeof *exec->keys);
    for (size_t i = 0; exec->keys && i < count; i++) {
        const struct graph_instance *instance = &graph->instances[i];
        struct hasher *h = &exec->keys[i];
        hasher_reset(h);
        hash_text(h, instance->stage->name);
        hash_u64(h, instance->stage->version);
        hash_text(h, instance->arg);
        hash_f64(h, world->extent.cell_m);
        hash_u64(h, world->seed);
        hash_u64(h, (uint64_t)world->height.samples);
        if (instance->stage->settings)
            instance->stage->settings(world, instance->arg, h);
    }
    return exec->keys != NULL;
}

/* A key over some cells: everything that the result there can depend on. */
static struct hash128 key_of(const struct exec *exec, const struct graph_instance *instance,
                             const struct hasher *start, struct rect cells, struct rect section) {
    const struct graph *graph = &exec->graph;
    const struct world *world = graph->world;
    const struct stage *stage = instance->stage;
    bool whole = stage->scope == SCOPE_WORLD;
    struct hasher h = *start;
    hash_rect(&h, cells);
    hash_rect(
        &h, rect_intersect(rect_grow(cells, 1), world->extent.cells)); /* which sides are the world's edge */
    if (stage->section_settings && !whole)
        stage->section_settings(world, instance->arg, floor_div(section.x0, SECTION_CELLS),
                                floor_div(section.y0, SECTION_CELLS), &h);
    for (int32_t i = 0; i < instance->input_count; i++) {
        const struct graph_input *input = &instance->inputs[i];
        struct rect window = whole ? cells : rect_grow(cells, input->reach);
        hash_text(&h, input->name);
        hash_reading(&h, graph, input);
        hash_rect(&h, rect_intersect(window, world->extent.cells)); /* where the world's edge cuts it */
        hash_sectors(&h, exec, input, window);
    }
    return hasher_digest(&h);
}

struct hash128 exec_node_key(const struct exec *exec, const struct graph_node *node) {
    const struct graph *graph = &exec->graph;
    const struct graph_instance *instance = &graph->instances[node->instance];
    bool whole = instance->stage->scope == SCOPE_WORLD;
    struct rect cells = whole ? graph->world->extent.cells : graph_section_cells(graph, node->section);
    return key_of(exec, instance, &exec->keys[node->instance], cells, cells);
}

void exec_sector_keys(const struct exec *exec, const struct graph_node *node,
                      struct hash128 keys[SECTORS_PER_SECTION]) {
    const struct graph *graph = &exec->graph;
    struct rect section = graph_section_cells(graph, node->section);
    int32_t x = floor_div(section.x0, SECTION_CELLS) * SECTION_SECTORS;
    int32_t y = floor_div(section.y0, SECTION_CELLS) * SECTION_SECTORS;
    struct hasher start = exec->keys[node->instance];
    hash_rect(&start, section); /* a world that grew has other sections at its edge */
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        struct rect cells = extent_block(&graph->world->extent, x + i % SECTION_SECTORS,
                                         y + i / SECTION_SECTORS, SECTOR_CELLS);
        keys[i] = rect_empty(cells) ? (struct hash128){0, 0}
                                    : key_of(exec, &graph->instances[node->instance], &start, cells, section);
    }
}

struct hash128 exec_job_inputs(const struct exec *exec, const struct graph_job *job) {
    struct hasher h;
    hasher_reset(&h);
    hash_rect(&h, job->job->cells);
    for (int32_t i = 0; i < job->job->input_count; i++) {
        hash_text(&h, job->inputs[i].name);
        hash_reading(&h, &exec->graph, &job->inputs[i]);
        hash_sectors(&h, exec, &job->inputs[i], rect_grow(job->job->cells, job->inputs[i].reach));
    }
    return hasher_digest(&h);
}
