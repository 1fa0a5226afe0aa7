#include "gen/exec.h"

#include "gen/graph.h"
#include "gen/hasher.h"
#include "gen/os.h"
#include "gen/trace.h"
#include "gen/window.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What waits to run: nodes and jobs whose inputs are all done, the first job's needs first. */
struct task {
    int32_t priority, depth; /* depth: instance number, jobs after all instances */
    int32_t section;
    struct graph_node *node; /* NULL: job `priority` */
};

struct exec {
    struct graph graph;
    struct source_set *sources;
    struct store *store;
    const struct exec_options *options;
    pthread_mutex_t mutex;
    pthread_cond_t ready, settled; /* a task came or the end; a busy node is busy no more */
    struct task *heap;
    size_t heap_count, heap_room;
    int64_t done, total;
    int32_t running;
    enum status status;
    struct error error;
    struct graph_node *oldest, *newest; /* nodes with bytes in memory, in order of their making */
    uint64_t tile_bytes, tile_bytes_peak;
    struct exec_report report;
};

struct worker {
    struct exec *exec;
    int32_t index;
    struct arena arena;
    pthread_t thread;
    bool started;
};

/* ---- the heap ---- */

static bool before(const struct task *a, const struct task *b) {
    if (a->priority != b->priority)
        return a->priority < b->priority;
    if (a->depth != b->depth)
        return a->depth < b->depth;
    return a->section < b->section;
}

static bool push(struct exec *exec, struct task task) {
    if (exec->heap_count == exec->heap_room) {
        size_t room = exec->heap_room ? exec->heap_room * 2 : 256;
        struct task *more = realloc(exec->heap, room * sizeof *more);
        if (!more)
            return false;
        exec->heap = more;
        exec->heap_room = room;
    }
    size_t at = exec->heap_count++;
    for (; at > 0 && before(&task, &exec->heap[(at - 1) / 2]); at = (at - 1) / 2)
        exec->heap[at] = exec->heap[(at - 1) / 2];
    exec->heap[at] = task;
    pthread_cond_signal(&exec->ready);
    return true;
}

static struct task pop(struct exec *exec) {
    struct task first = exec->heap[0], last = exec->heap[--exec->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= exec->heap_count)
            break;
        if (child + 1 < exec->heap_count && before(&exec->heap[child + 1], &exec->heap[child]))
            child++;
        if (!before(&exec->heap[child], &last))
            break;
        exec->heap[at] = exec->heap[child];
        at = child;
    }
    exec->heap[at] = last;
    return first;
}

static bool push_node(struct exec *exec, struct graph_node *node) {
    node->state = NODE_READY;
    return push(exec, (struct task){node->priority, node->instance, node->section, node});
}

static bool push_job(struct exec *exec, int32_t job) {
    return push(exec, (struct task){job, INT32_MAX, 0, NULL});
}

static void fail(struct exec *exec, enum status status, const struct error *err) {
    pthread_mutex_lock(&exec->mutex);
    if (exec->status == STATUS_OK) {
        exec->status = status;
        exec->error = *err;
    }
    pthread_cond_broadcast(&exec->ready);
    pthread_mutex_unlock(&exec->mutex);
}

/* ---- bytes in memory (all under the mutex) ---- */

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

static void drop_tiles(struct exec *exec, struct graph_node *node) {
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

/* Past the limit, what can be read again goes first, oldest first. */
static void keep_within_limit(struct exec *exec) {
    struct graph_node *node = exec->oldest;
    while (node && exec->tile_bytes > exec->options->memory_limit) {
        struct graph_node *next = node->newer;
        if (node->on_disk && !node->busy &&
            exec->graph.instances[node->instance].stage->scope == SCOPE_SECTION)
            drop_tiles(exec, node);
        node = next;
    }
}

/* Puts tiles (taking the references over) into a node that still has consumers; others are let go. */
static void adopt_tiles(struct exec *exec, struct graph_node *node, struct tile **tiles, size_t count) {
    if (node->consumers == 0) {
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
    keep_within_limit(exec);
}

/* ---- keys ---- */

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
            if (input->layer->type == LAYER_BLOB)
                hash_bytes(h, &parts[0], sizeof parts[0]); /* records lie in part 0 */
            for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
                int32_t x = sx * SECTION_SECTORS + i % 4, y = sy * SECTION_SECTORS + i / 4;
                if (x >= sectors.x0 && x < sectors.x1 && y >= sectors.y0 && y < sectors.y1)
                    hash_bytes(h, &parts[i], sizeof parts[i]);
            }
        }
}

static void hash_rect(struct hasher *h, struct rect r) {
    hash_bytes(h, &r, sizeof r);
}

/* The key of a pair: everything that its result can depend on. All inputs are done. */
static struct hash128 node_key(const struct exec *exec, const struct graph_node *node) {
    const struct graph *graph = &exec->graph;
    const struct world *world = graph->world;
    const struct graph_instance *instance = &graph->instances[node->instance];
    const struct stage *stage = instance->stage;
    bool whole = stage->scope == SCOPE_WORLD;
    struct hasher h;
    hasher_reset(&h);
    hash_text(&h, stage->name);
    hash_u64(&h, stage->version);
    hash_text(&h, instance->arg);
    hash_f64(&h, world->extent.cell_m);
    hash_u64(&h, world->seed);
    hash_u64(&h, (uint64_t)world->height.samples);
    struct rect cells = whole ? world->extent.cells : graph_section_cells(graph, node->section);
    hash_rect(&h, cells);
    hash_rect(
        &h, rect_intersect(rect_grow(cells, 1), world->extent.cells)); /* which sides are the world's edge */
    if (stage->settings)
        stage->settings(world, instance->arg, &h);
    if (stage->section_settings && !whole)
        stage->section_settings(world, instance->arg, floor_div(cells.x0, SECTION_CELLS),
                                floor_div(cells.y0, SECTION_CELLS), &h);
    for (int32_t i = 0; i < instance->input_count; i++) {
        const struct graph_input *input = &instance->inputs[i];
        struct rect window = whole ? cells : rect_grow(cells, input->reach);
        hash_text(&h, input->name);
        hash_rect(&h, rect_intersect(window, world->extent.cells)); /* where the world's edge cuts it */
        hash_sectors(&h, exec, input, window);
    }
    return hasher_digest(&h);
}

/* ---- making ---- */

static enum status get_tile(struct worker *worker, struct graph_node *node, size_t index, struct tile **out,
                            struct error *err);

/* Takes references to all tiles of one input and makes its window. */
static enum status open_window(struct worker *worker, const struct graph_input *input, struct rect cells,
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

static void close_window(const struct window *window) {
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

static enum status open_windows(struct worker *worker, const struct graph_node *node, struct window *windows,
                                struct error *err) {
    const struct graph *graph = &worker->exec->graph;
    const struct graph_instance *instance = &graph->instances[node->instance];
    bool whole = instance->stage->scope == SCOPE_WORLD;
    enum status status = STATUS_OK;
    for (int32_t i = 0; i < instance->input_count && status == STATUS_OK; i++) {
        const struct graph_input *input = &instance->inputs[i];
        struct rect cells = whole ? graph->world->extent.cells
                                  : rect_grow(graph_section_cells(graph, node->section), input->reach);
        struct rect sections = graph_input_sections(graph, node, input);
        if (whole && input->layer->type != LAYER_BLOB) {
            struct layer_info blob = *input->layer; /* no window over the whole world: tiles only */
            blob.type = LAYER_BLOB;
            struct graph_input bare = *input;
            bare.layer = &blob;
            status = open_window(worker, &bare, cells, sections, &windows[i], err);
            windows[i].layer = input->layer;
        } else {
            status = open_window(worker, input, cells, sections, &windows[i], err);
        }
    }
    return status;
}

static bool new_outputs(const struct graph *graph, const struct graph_node *node, struct tile **tiles) {
    const struct graph_instance *instance = &graph->instances[node->instance];
    bool whole = instance->stage->scope == SCOPE_WORLD;
    size_t sections = whole ? (size_t)graph->section_count : 1;
    for (int32_t o = 0; o < instance->output_count; o++)
        for (size_t s = 0; s < sections; s++) {
            const struct layer_info *layer = &instance->stage->outputs[o];
            bool posts = layer->like_heights && graph->world->height.samples == SAMPLES_POSTS;
            struct rect cells = graph_section_cells(graph, whole ? (int32_t)s : node->section);
            struct tile *tile = tile_new(layer, posts, cells);
            if (!tile)
                return false;
            tiles[(size_t)o * sections + s] = tile;
        }
    return true;
}

static void count_run(struct exec *exec, const struct graph_node *node, double cpu_s) {
    const struct stage *stage = exec->graph.instances[node->instance].stage;
    for (int32_t i = 0; i < exec->report.stage_count; i++)
        if (exec->report.stages[i].stage == stage) {
            exec->report.stages[i].runs++;
            exec->report.stages[i].cpu_s += cpu_s;
        }
}

/* Runs a pair's kernel; tiles[] gets its results, hashed. */
static enum status make(struct worker *worker, struct graph_node *node, struct tile **tiles,
                        struct error *err) {
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
    enum status status = open_windows(worker, node, windows, err);
    bool whole = stage->scope == SCOPE_WORLD;
    struct rect cells = whole ? graph->world->extent.cells : graph_section_cells(graph, node->section);
    int32_t sx = floor_div(cells.x0, SECTION_CELLS), sy = floor_div(cells.y0, SECTION_CELLS);
    if (status == STATUS_OK && !new_outputs(graph, node, tiles))
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
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        tile_hash(tiles[i]);
    cpu_s = os_thread_cpu_s() - cpu_s;
    trace_span(exec->options->trace, worker->index, stage->name, instance->arg, sx, sy, start_s, os_wall_s());
    for (int32_t i = 0; i < instance->input_count; i++)
        close_window(&windows[i]);
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
        status = make(worker, node, tiles, err);
    }
    bool kept = false;
    const struct stage *stage = exec->graph.instances[node->instance].stage;
    if (status == STATUS_OK && again)
        kept = store_put(exec->store, node->key, count, tiles, stage->keep) && stage->keep;
    if (status == STATUS_OK)
        *out = tile_ref(tiles[index]);
    pthread_mutex_lock(&exec->mutex);
    node->on_disk = again ? kept : true;
    node->busy = false;
    if (status == STATUS_OK)
        adopt_tiles(exec, node, tiles, count);
    pthread_cond_broadcast(&exec->settled);
    pthread_mutex_unlock(&exec->mutex);
    free(tiles);
    return status;
}

/* ---- getting on ---- */

/* A consumer is done with this input: who has no consumer left lets its bytes and hashes go. Under the mutex.
 */
static void release(struct exec *exec, struct graph_node *producer) {
    if (--producer->consumers == 0) {
        drop_tiles(exec, producer);
        free(producer->heads);
        producer->heads = NULL;
    }
}

static void release_sections(struct exec *exec, const struct graph_input *input, struct rect s) {
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++) {
            size_t tile;
            release(exec,
                    graph_producer(&exec->graph, input, graph_section_index(&exec->graph, x, y), &tile));
        }
}

/* Tells the consumers in one instance that a node is done. Under the mutex. */
static bool tell(struct exec *exec, const struct graph_node *node, struct graph_consumer consumer) {
    const struct graph *graph = &exec->graph;
    const struct graph_instance *c = &graph->instances[consumer.instance];
    bool from_whole = graph->instances[node->instance].stage->scope == SCOPE_WORLD;
    if (c->stage->scope == SCOPE_WORLD) {
        struct graph_node *n = c->nodes[0];
        if (!n)
            return true;
        n->pending -= from_whole ? graph->section_count : 1;
        return n->pending > 0 || push_node(exec, n);
    }
    struct rect s = graph->sections;
    if (!from_whole)
        s = graph_sections_of(
            graph, rect_grow(graph_section_cells(graph, node->section), c->inputs[consumer.input].reach));
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++) {
            int32_t section = graph_section_index(graph, x, y);
            struct graph_node *n = c->nodes[section];
            if (!n)
                continue;
            /* a whole-world producer counts once for each section that the consumer's window touches */
            int32_t times = 1;
            if (from_whole) {
                struct rect w = graph_input_sections(graph, n, &c->inputs[consumer.input]);
                times = (w.x1 - w.x0) * (w.y1 - w.y0);
            }
            n->pending -= times;
            if (n->pending == 0 && !push_node(exec, n))
                return false;
        }
    return true;
}

/* Marks a node done: its consumers may start, its inputs may go. */
static enum status settle(struct exec *exec, struct graph_node *node, struct error *err) {
    const struct graph_instance *instance = &exec->graph.instances[node->instance];
    bool good = true;
    pthread_mutex_lock(&exec->mutex);
    node->state = NODE_DONE;
    for (int32_t i = 0; i < instance->consumer_count && good; i++)
        good = tell(exec, node, instance->consumers[i]);
    for (struct graph_job_edge *e = node->jobs; e && good; e = e->next)
        if (--exec->graph.jobs[e->job].pending == 0)
            good = push_job(exec, e->job);
    for (int32_t i = 0; i < instance->input_count; i++)
        release_sections(exec, &instance->inputs[i],
                         graph_input_sections(&exec->graph, node, &instance->inputs[i]));
    exec->done++;
    if (exec->options->progress)
        exec->options->progress(exec->options->progress_context, exec->done, exec->total);
    pthread_mutex_unlock(&exec->mutex);
    return good ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

static void copy_heads(struct graph_node *node, struct tile *const *tiles, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(node->heads[i].parts, tiles[i]->parts, sizeof tiles[i]->parts);
}

static enum status do_node(struct worker *worker, struct graph_node *node, struct error *err) {
    struct exec *exec = worker->exec;
    const struct stage *stage = exec->graph.instances[node->instance].stage;
    size_t count = graph_tile_count(&exec->graph, node);
    node->key = node_key(exec, node);
    node->heads = calloc(count, sizeof *node->heads);
    struct tile **tiles = calloc(count, sizeof(struct tile *));
    enum status status = STATUS_OK;
    if (!node->heads || !tiles) {
        status = error_set(err, STATUS_LIMIT, "out of memory");
    } else if (store_find(exec->store, node->key, count, node->heads)) {
        pthread_mutex_lock(&exec->mutex);
        for (int32_t i = 0; i < exec->report.stage_count; i++)
            if (exec->report.stages[i].stage == stage)
                exec->report.stages[i].hits++;
        pthread_mutex_unlock(&exec->mutex);
    } else {
        status = make(worker, node, tiles, err);
        if (status == STATUS_OK) {
            copy_heads(node, tiles, count);
            bool kept = store_put(exec->store, node->key, count, tiles, stage->keep);
            pthread_mutex_lock(&exec->mutex);
            node->on_disk = kept && stage->keep;
            adopt_tiles(exec, node, tiles, count);
            pthread_mutex_unlock(&exec->mutex);
        }
    }
    free(tiles);
    return status == STATUS_OK ? settle(exec, node, err) : status;
}

static enum status run_job(struct worker *worker, const struct graph_job *job, struct hash128 inputs,
                           struct error *err) {
    struct exec *exec = worker->exec;
    int32_t count = job->job->input_count;
    struct window *windows = arena_alloc(&worker->arena, (size_t)count + 1, sizeof *windows);
    if (!windows)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memset(windows, 0, ((size_t)count + 1) * sizeof *windows);
    enum status status = STATUS_OK;
    for (int32_t i = 0; i < count && status == STATUS_OK; i++) {
        struct rect cells = rect_grow(job->job->cells, job->inputs[i].reach);
        status = open_window(worker, &job->inputs[i], cells, graph_sections_of(&exec->graph, cells),
                             &windows[i], err);
    }
    double start_s = os_wall_s(), cpu_s = os_thread_cpu_s();
    if (status == STATUS_OK)
        status = job->job->run(job->job->context, windows, inputs, &worker->arena, err);
    cpu_s = os_thread_cpu_s() - cpu_s;
    trace_span(exec->options->trace, worker->index, "output", "",
               floor_div(job->job->cells.x0, SECTION_CELLS), floor_div(job->job->cells.y0, SECTION_CELLS),
               start_s, os_wall_s());
    for (int32_t i = 0; i < count; i++)
        close_window(&windows[i]);
    pthread_mutex_lock(&exec->mutex);
    exec->report.jobs_run++;
    exec->report.jobs_cpu_s += cpu_s;
    pthread_mutex_unlock(&exec->mutex);
    return status;
}

static enum status do_job(struct worker *worker, int32_t index, struct error *err) {
    struct exec *exec = worker->exec;
    const struct graph_job *job = &exec->graph.jobs[index];
    struct hasher h;
    hasher_reset(&h);
    hash_rect(&h, job->job->cells);
    for (int32_t i = 0; i < job->job->input_count; i++) {
        hash_text(&h, job->inputs[i].name);
        hash_sectors(&h, exec, &job->inputs[i], rect_grow(job->job->cells, job->inputs[i].reach));
    }
    struct hash128 inputs = hasher_digest(&h);
    enum status status = STATUS_OK;
    if (job->job->fresh && job->job->fresh(job->job->context, inputs)) {
        pthread_mutex_lock(&exec->mutex);
        exec->report.jobs_fresh++;
        pthread_mutex_unlock(&exec->mutex);
    } else {
        status = run_job(worker, job, inputs, err);
    }
    if (status == STATUS_OK && job->job->done)
        status = job->job->done(job->job->context, err);
    pthread_mutex_lock(&exec->mutex);
    for (int32_t i = 0; i < job->job->input_count; i++)
        release_sections(exec, &job->inputs[i],
                         graph_sections_of(&exec->graph, rect_grow(job->job->cells, job->inputs[i].reach)));
    exec->done++;
    if (exec->options->progress)
        exec->options->progress(exec->options->progress_context, exec->done, exec->total);
    pthread_mutex_unlock(&exec->mutex);
    return status;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct exec *exec = worker->exec;
    struct error err;
    for (;;) {
        pthread_mutex_lock(&exec->mutex);
        while (exec->status == STATUS_OK && exec->heap_count == 0 && exec->running > 0)
            pthread_cond_wait(&exec->ready, &exec->mutex); /* a running task may make others ready */
        if (exec->status != STATUS_OK || exec->heap_count == 0) {
            pthread_mutex_unlock(&exec->mutex);
            return NULL;
        }
        struct task task = pop(exec);
        exec->running++;
        pthread_mutex_unlock(&exec->mutex);
        enum status status = os_interrupted() ? error_set(&err, STATUS_INTERRUPTED, "interrupted")
                             : task.node      ? do_node(worker, task.node, &err)
                                              : do_job(worker, task.priority, &err);
        worker->arena.used = 0;
        if (status != STATUS_OK)
            fail(exec, status, &err);
        pthread_mutex_lock(&exec->mutex);
        exec->running--;
        pthread_cond_broadcast(&exec->ready);
        pthread_mutex_unlock(&exec->mutex);
    }
}

/* ---- dry run ---- */

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
        node->key = node_key(exec, node);
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

static void dry_run(struct exec *exec) {
    for (int32_t i = 0; i < exec->graph.instance_count; i++) {
        const struct graph_instance *instance = &exec->graph.instances[i];
        int32_t nodes = instance->stage->scope == SCOPE_WORLD ? 1 : exec->graph.section_count;
        for (int32_t n = 0; n < nodes; n++)
            if (instance->nodes[n])
                dry_node(exec, instance->nodes[n]);
    }
    exec->tile_bytes_peak = estimate_bytes(exec);
}

/* ---- a run ---- */

static void start_report(struct exec *exec) {
    struct exec_report *report = &exec->report;
    for (const struct stage *const *s = stage_table; *s && report->stage_count < EXEC_COUNTS_MAX; s++)
        report->stages[report->stage_count++].stage = *s;
    for (int32_t i = 0; i < exec->graph.instance_count; i++) {
        const struct graph_instance *instance = &exec->graph.instances[i];
        int32_t nodes = instance->stage->scope == SCOPE_WORLD ? 1 : exec->graph.section_count;
        for (int32_t c = 0; c < report->stage_count; c++)
            if (report->stages[c].stage == instance->stage)
                for (int32_t n = 0; n < nodes; n++)
                    report->stages[c].pairs += instance->nodes[n] != NULL;
    }
}

static bool push_sources(struct exec *exec) {
    for (int32_t i = 0; i < exec->graph.instance_count; i++) {
        const struct graph_instance *instance = &exec->graph.instances[i];
        int32_t nodes = instance->stage->scope == SCOPE_WORLD ? 1 : exec->graph.section_count;
        for (int32_t n = 0; n < nodes; n++) {
            struct graph_node *node = instance->nodes[n];
            if (node && node->pending == 0 && !push_node(exec, node))
                return false;
        }
    }
    for (int32_t j = 0; j < exec->graph.job_count; j++)
        if (exec->graph.jobs[j].pending == 0 && !push_job(exec, j))
            return false;
    return true;
}

/* Scratch of a worker: address space, which becomes memory where it is touched. */
static bool reserve_scratch(struct arena *arena) {
    for (size_t size = (size_t)4 << 30; size >= (size_t)256 << 20; size /= 2) {
        arena->base = os_reserve(size);
        arena->size = size;
        if (arena->base)
            return true;
    }
    return false;
}

static void run_workers(struct exec *exec) {
    int32_t threads = exec->options->threads;
    struct worker *workers = calloc((size_t)threads, sizeof *workers);
    struct error err;
    if (!workers) {
        error_set(&err, STATUS_LIMIT, "out of memory");
        fail(exec, STATUS_LIMIT, &err);
        return;
    }
    for (int32_t i = 0; i < threads; i++) {
        workers[i].exec = exec;
        workers[i].index = i;
        if (!reserve_scratch(&workers[i].arena)) {
            error_set(&err, STATUS_LIMIT, "out of memory for the scratch of thread %d", i + 1);
            fail(exec, STATUS_LIMIT, &err);
        }
    }
    for (int32_t i = 1; i < threads; i++)
        workers[i].started = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    work(&workers[0]); /* the caller is the first worker: one that could not be started is only slower */
    for (int32_t i = 1; i < threads; i++)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    for (int32_t i = 0; i < threads; i++)
        os_unreserve(workers[i].arena.base, workers[i].arena.size);
    free(workers);
}

enum status exec_run(const struct world *world, struct source_set *sources, struct store *store,
                     const struct exec_options *options, const struct exec_job *jobs, size_t job_count,
                     struct exec_report *report, struct error *err) {
    struct exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return error_set(err, STATUS_LIMIT, "out of memory");
    exec->sources = sources;
    exec->store = store;
    exec->options = options;
    pthread_mutex_init(&exec->mutex, NULL);
    pthread_cond_init(&exec->ready, NULL);
    pthread_cond_init(&exec->settled, NULL);
    exec->status = graph_build(world, jobs, job_count, &exec->graph, &exec->error);
    if (exec->status == STATUS_OK) {
        exec->total = exec->graph.node_count + (int64_t)job_count;
        start_report(exec);
        if (options->dry_run)
            dry_run(exec);
        else if (!push_sources(exec))
            exec->status = error_set(&exec->error, STATUS_LIMIT, "out of memory");
        else
            run_workers(exec);
    }
    exec->report.tile_bytes_peak = exec->tile_bytes_peak;
    if (report)
        *report = exec->report;
    enum status status = exec->status;
    if (status != STATUS_OK && err)
        *err = exec->error;
    graph_free(&exec->graph);
    free(exec->heap);
    pthread_cond_destroy(&exec->settled);
    pthread_cond_destroy(&exec->ready);
    pthread_mutex_destroy(&exec->mutex);
    free(exec);
    return status;
}
