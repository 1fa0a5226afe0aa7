#include "gen/exec_own.h"
#include "gen/os.h"
#include "gen/trace.h"

#include <stdlib.h>
#include <string.h>

static void fail(struct exec *exec, enum status status, const struct error *err) {
    pthread_mutex_lock(&exec->mutex);
    if (exec->status == STATUS_OK) {
        exec->status = status;
        exec->error = *err;
    }
    pthread_cond_broadcast(&exec->ready);
    pthread_mutex_unlock(&exec->mutex);
}

/* ---- getting on ---- */

/* A consumer is done with this input: who has no consumer left lets its bytes and hashes go. Under the mutex.
 */
static void release(struct exec *exec, struct graph_node *producer) {
    if (--producer->consumers == 0) {
        exec_drop_tiles(exec, producer);
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
        return n->pending > 0 || exec_push_node(exec, n);
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
            if (n->pending == 0 && !exec_push_node(exec, n))
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
            good = exec_push_job(exec, e->job);
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

/* A temporary store is there for what memory is too small for: until half of it is full nothing is written.
 * What was made so far and is not on disk stays in memory while it is needed, the other half is for the rest.
 */
static bool worth_keeping(struct exec *exec, const struct stage *stage) {
    if (!store_is_temporary(exec->store))
        return true;
    pthread_mutex_lock(&exec->mutex);
    bool full = exec->tile_bytes > exec->options->memory_limit / 2;
    pthread_mutex_unlock(&exec->mutex);
    return full && stage->keep;
}

static enum status do_node(struct worker *worker, struct graph_node *node, struct error *err) {
    struct exec *exec = worker->exec;
    const struct stage *stage = exec->graph.instances[node->instance].stage;
    size_t count = graph_tile_count(&exec->graph, node);
    node->key = exec_node_key(exec, node);
    node->heads = calloc(count, sizeof *node->heads);
    struct tile **tiles = calloc(count, sizeof(struct tile *));
    enum status status = STATUS_OK;
    if (!node->heads || !tiles) {
        status = error_set(err, STATUS_LIMIT, "out of memory");
    } else if (!store_is_temporary(exec->store) && store_find(exec->store, node->key, count, node->heads)) {
        pthread_mutex_lock(&exec->mutex);
        for (int32_t i = 0; i < exec->report.stage_count; i++)
            if (exec->report.stages[i].stage == stage)
                exec->report.stages[i].hits++;
        pthread_mutex_unlock(&exec->mutex);
    } else {
        status = exec_make_changed(worker, node, tiles, err);
        if (status == STATUS_OK) {
            copy_heads(node, tiles, count);
            bool kept =
                worth_keeping(exec, stage) && store_put(exec->store, node->key, count, tiles, stage->keep);
            pthread_mutex_lock(&exec->mutex);
            node->on_disk = kept && stage->keep;
            exec_adopt_tiles(exec, node, tiles, count);
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
        status = exec_open_window(worker, &job->inputs[i], cells, graph_sections_of(&exec->graph, cells),
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
        exec_close_window(&windows[i]);
    pthread_mutex_lock(&exec->mutex);
    exec->report.jobs_run++;
    exec->report.jobs_cpu_s += cpu_s;
    pthread_mutex_unlock(&exec->mutex);
    return status;
}

static enum status do_job(struct worker *worker, int32_t index, struct error *err) {
    struct exec *exec = worker->exec;
    const struct graph_job *job = &exec->graph.jobs[index];
    struct hash128 inputs = exec_job_inputs(exec, job);
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
        struct task task = exec_pop(exec);
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
            if (node && node->pending == 0 && !exec_push_node(exec, node))
                return false;
        }
    }
    for (int32_t j = 0; j < exec->graph.job_count; j++)
        if (exec->graph.jobs[j].pending == 0 && !exec_push_job(exec, j))
            return false;
    return true;
}

static bool reserve_scratch(struct arena *arena, uint64_t most) {
    for (size_t size = EXEC_SCRATCH_MOST; size >= EXEC_SCRATCH_LEAST; size /= 2) {
        if (size > most)
            continue;
        arena->base = os_reserve(size);
        arena->size = size;
        if (arena->base)
            return true;
    }
    return false;
}

/* Under a limit of address space, scratch takes half of it at most: what each of the threads gets. Fewer
 * threads than asked for are only slower. */
static uint64_t share_scratch(int32_t *threads) {
    uint64_t half = os_address_limit() / 2;
    if (half / EXEC_SCRATCH_LEAST < (uint64_t)*threads)
        *threads = half < 2 * EXEC_SCRATCH_LEAST ? 1 : (int32_t)(half / EXEC_SCRATCH_LEAST);
    uint64_t share = half / (uint64_t)*threads;
    return share > EXEC_SCRATCH_LEAST ? share : EXEC_SCRATCH_LEAST;
}

static void run_workers(struct exec *exec) {
    int32_t threads = exec->options->threads;
    uint64_t share = share_scratch(&threads);
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
    }
    if (!reserve_scratch(&workers[0].arena, share)) {
        error_set(&err, STATUS_LIMIT, "out of memory for scratch");
        fail(exec, STATUS_LIMIT, &err);
    }
    for (int32_t i = 1; i < threads; i++)
        workers[i].started = reserve_scratch(&workers[i].arena, share) &&
                             pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    work(&workers[0]); /* the caller is the first worker; one that could not be started is not missed */
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
    if (!options->dry_run && !store_is_temporary(store))
        exec->trails =
            trails_open(world, store); /* without memory for them every change is a whole section */
    exec->status = graph_build(world, jobs, job_count, &exec->graph, &exec->error);
    if (exec->status == STATUS_OK) {
        exec->total = exec->graph.node_count + (int64_t)job_count;
        start_report(exec);
        bool started = exec_start_keys(exec);
        if (options->progress && !options->dry_run)
            options->progress(options->progress_context, 0, exec->total);
        if (started && options->dry_run)
            exec_dry_run(exec);
        else if (!started || !push_sources(exec))
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
    trails_close(exec->trails);
    graph_free(&exec->graph);
    free(exec->heap);
    free(exec->keys);
    pthread_cond_destroy(&exec->settled);
    pthread_cond_destroy(&exec->ready);
    pthread_mutex_destroy(&exec->mutex);
    free(exec);
    return status;
}
