#include "gen/exec_own.h"
#include "gen/os.h"
#include "gen/trace.h"
#include "gen/window.h"

#include <stdlib.h>
#include <string.h>

static enum status get_tile(struct worker *worker, struct graph_node *node, size_t index, struct tile **out,
                            struct error *err);

/* Takes references to all tiles of one input and makes its window. */
enum status exec_open_window(struct worker *worker, const struct graph_input *input, struct rect cells,
                             struct rect sections, struct window *window, struct error *err) {
    const struct graph *graph = &worker->exec->graph;
    size_t count = (size_t)(sections.x1 - sections.x0) * (size_t)(sections.y1 - sections.y0);
    struct tile **tiles = arena_alloc(&worker->arena, count, sizeof(struct tile *));
    if (!tiles)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(tiles, 0, count * sizeof *tiles);
    memset(window, 0, sizeof *window);
    window->sections = sections;
    window->tiles = (const struct tile *const *)tiles;
    size_t i = 0;
    for (int32_t y = sections.y0; y < sections.y1; y++)
        for (int32_t x = sections.x0; x < sections.x1; x++, i++) {
            size_t tile;
            struct graph_node *p = graph_producer(graph, input, graph_section_index(graph, x, y), &tile);
            enum status status = get_tile(worker, p, tile, &tiles[i], err);
            if (status != STATUS_OK)
                return status;
        }
    const struct tile *const *seen = window->tiles;
    if (!window_make(input->layer, input->posts, cells, &graph->world->extent, sections, seen, &worker->arena,
                     window))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    return STATUS_OK;
}

void exec_close_window(const struct window *window) {
    size_t count = (size_t)(window->sections.x1 - window->sections.x0) *
                   (size_t)(window->sections.y1 - window->sections.y0);
    for (size_t i = 0; window->tiles && i < count; i++) {
        union { /* the window shows its tiles const; the references are ours */
            const struct tile *seen;
            struct tile *owned;
        } t = {.seen = window->tiles[i]};
        tile_unref(t.owned);
    }
}

static enum status open_windows(struct worker *worker, const struct graph_node *node, struct rect over,
                                struct window *windows, struct error *err) {
    const struct graph *graph = &worker->exec->graph;
    const struct graph_instance *instance = &graph->instances[node->instance];
    bool whole = instance->stage->scope == SCOPE_WORLD;
    enum status status = STATUS_OK;
    for (int32_t i = 0; i < instance->input_count && status == STATUS_OK; i++) {
        const struct graph_input *input = &instance->inputs[i];
        struct rect cells = whole ? graph->world->extent.cells : rect_grow(over, input->reach);
        struct rect sections = graph_sections_of(graph, cells);
        if (whole && input->layer->type != LAYER_BLOB) {
            struct layer_info blob = *input->layer; /* no window over the whole world: tiles only */
            blob.type = LAYER_BLOB;
            struct graph_input bare = *input;
            bare.layer = &blob;
            status = exec_open_window(worker, &bare, cells, sections, &windows[i], err);
            windows[i].layer = input->layer;
        } else {
            status = exec_open_window(worker, input, cells, sections, &windows[i], err);
        }
    }
    return status;
}

static bool new_outputs(const struct graph *graph, const struct graph_node *node, struct rect over,
                        struct tile **tiles) {
    const struct graph_instance *instance = &graph->instances[node->instance];
    bool whole = instance->stage->scope == SCOPE_WORLD;
    size_t sections = whole ? (size_t)graph->section_count : 1;
    for (int32_t o = 0; o < instance->output_count; o++)
        for (size_t s = 0; s < sections; s++) {
            const struct layer_info *layer = &instance->stage->outputs[o];
            bool posts = layer->like_heights && graph->world->height.samples == SAMPLES_POSTS;
            struct rect cells = whole ? graph_section_cells(graph, (int32_t)s) : over;
            struct tile *tile = tile_new(layer, posts, cells);
            if (!tile)
                return false;
            tiles[(size_t)o * sections + s] = tile;
        }
    return true;
}

static struct exec_count *count_of(struct exec *exec, const struct graph_node *node) {
    const struct stage *stage = exec->graph.instances[node->instance].stage;
    for (int32_t i = 0; i < exec->report.stage_count; i++)
        if (exec->report.stages[i].stage == stage)
            return &exec->report.stages[i];
    return NULL;
}

static void count_run(struct exec *exec, const struct graph_node *node, double cpu_s) {
    struct exec_count *count = count_of(exec, node);
    if (!count)
        return;
    count->runs++;
    count->cpu_s += cpu_s;
}

/* A stage ran out of a scratch that the system's limits had made small: what to do about it. */
static void advise_limit(const struct worker *worker, struct error *err) {
    size_t used = err ? strlen(err->message) : 0;
    if (err && err->status == STATUS_LIMIT && worker->arena.size < EXEC_SCRATCH_MOST)
        snprintf(err->message + used, sizeof err->message - used,
                 " (each thread has %zu MiB of address space for it: run with fewer --threads, or raise the "
                 "limit, ulimit -v)",
                 worker->arena.size >> 20);
}

enum status exec_make_cells(struct worker *worker, const struct graph_node *node, struct rect cells,
                            struct tile **tiles, struct error *err) {
    struct exec *exec = worker->exec;
    const struct graph *graph = &exec->graph;
    const struct graph_instance *instance = &graph->instances[node->instance];
    const struct stage *stage = instance->stage;
    size_t mark = arena_mark(&worker->arena);
    size_t count = graph_tile_count(graph, node);
    struct window *windows = arena_alloc(&worker->arena, (size_t)instance->input_count + 1, sizeof *windows);
    if (!windows)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(windows, 0, ((size_t)instance->input_count + 1) * sizeof *windows);
    memset(tiles, 0, count * sizeof(struct tile *));
    enum status status = open_windows(worker, node, cells, windows, err);
    bool whole = stage->scope == SCOPE_WORLD;
    int32_t sx = floor_div(cells.x0, SECTION_CELLS), sy = floor_div(cells.y0, SECTION_CELLS);
    if (status == STATUS_OK && !new_outputs(graph, node, cells, tiles))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    double start_s = os_wall_s(), cpu_s = os_thread_cpu_s();
    if (status == STATUS_OK) {
        struct stage_run run = {.world = graph->world,
                                .arg = instance->arg,
                                .section_x = sx,
                                .section_y = sy,
                                .cells = cells,
                                .inputs = windows,
                                .outputs = tiles,
                                .sections = graph->sections,
                                .scratch = &worker->arena,
                                .sources = exec->sources};
        status = stage->run(&run, err);
        if (status != STATUS_OK && whole)
            error_context(err, "%s", stage->name);
        else if (status != STATUS_OK)
            error_context(err, "%s, section %d,%d", stage->name, sx, sy);
        if (status != STATUS_OK)
            advise_limit(worker, err);
    }
    cpu_s = os_thread_cpu_s() - cpu_s;
    trace_span(exec->options->trace, worker->index, stage->name, instance->arg, sx, sy, start_s, os_wall_s());
    for (int32_t i = 0; i < instance->input_count; i++)
        exec_close_window(&windows[i]);
    if (status != STATUS_OK)
        for (size_t i = 0; i < count; i++) {
            tile_unref(tiles[i]);
            tiles[i] = NULL;
        }
    arena_release(&worker->arena, mark);
    pthread_mutex_lock(&exec->mutex);
    count_run(exec, node, cpu_s);
    pthread_mutex_unlock(&exec->mutex);
    return status;
}

enum status exec_make(struct worker *worker, const struct graph_node *node, struct tile **tiles,
                      struct error *err) {
    const struct graph *graph = &worker->exec->graph;
    bool whole = graph->instances[node->instance].stage->scope == SCOPE_WORLD;
    struct rect cells = whole ? graph->world->extent.cells : graph_section_cells(graph, node->section);
    enum status status = exec_make_cells(worker, node, cells, tiles, err);
    size_t count = graph_tile_count(graph, node);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        tile_hash(tiles[i]);
    return status;
}

/* One tile of a done node, from memory, from disk, or made again. *out gets a reference. */
static enum status get_tile(struct worker *worker, struct graph_node *node, size_t index, struct tile **out,
                            struct error *err) {
    struct exec *exec = worker->exec;
    pthread_mutex_lock(&exec->mutex);
    while (node->busy)
        pthread_cond_wait(&exec->settled, &exec->mutex);
    if (node->tiles && node->tiles[index]) {
        *out = tile_ref(node->tiles[index]);
        pthread_mutex_unlock(&exec->mutex);
        return STATUS_OK;
    }
    node->busy = true;
    pthread_mutex_unlock(&exec->mutex);

    size_t count = graph_tile_count(&exec->graph, node);
    struct tile **tiles = calloc(count, sizeof(struct tile *));
    enum status status = tiles ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
    bool again = false;
    if (status == STATUS_OK && !(tiles[index] = store_load(exec->store, node->key, index))) {
        again = true;
        status = exec_make(worker, node, tiles, err);
    }
    /* Kept with its bytes even where the stage does not ask for it: the consumers that would hold it in
     * memory may all have been found in the store already, and each of a chain's rounds would be made again
     * for each of its neighbours' neighbours. */
    bool kept = status == STATUS_OK && again && store_put(exec->store, node->key, count, tiles, true);
    if (status == STATUS_OK)
        *out = tile_ref(tiles[index]);
    pthread_mutex_lock(&exec->mutex);
    struct exec_count *counted = again ? count_of(exec, node) : NULL;
    if (counted)
        counted->again++;
    node->on_disk = again ? kept : true;
    node->busy = false;
    if (status == STATUS_OK)
        exec_adopt_tiles(exec, node, tiles, count);
    pthread_cond_broadcast(&exec->settled);
    pthread_mutex_unlock(&exec->mutex);
    free(tiles);
    return status;
}
