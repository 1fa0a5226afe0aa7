#include "gen/graph.h"

#include "gen/names.h"

#include <stdlib.h>
#include <string.h>

struct rect graph_section_cells(const struct graph *graph, int32_t section) {
    int32_t width = graph->sections.x1 - graph->sections.x0;
    return extent_block(&graph->world->extent, graph->sections.x0 + section % width,
                        graph->sections.y0 + section / width, SECTION_CELLS);
}

struct rect graph_sections_of(const struct graph *graph, struct rect cells) {
    return rect_blocks(rect_intersect(cells, graph->world->extent.cells), SECTION_CELLS);
}

static bool is_world(const struct graph *graph, int32_t instance) {
    return graph->instances[instance].stage->scope == SCOPE_WORLD;
}

struct rect graph_input_sections(const struct graph *graph, const struct graph_node *node,
                                 const struct graph_input *input) {
    if (is_world(graph, node->instance))
        return graph->sections;
    struct rect cells = graph_section_cells(graph, node->section);
    return graph_sections_of(graph, rect_grow(cells, input->reach));
}

struct graph_node *graph_producer(const struct graph *graph, const struct graph_input *input, int32_t section,
                                  size_t *tile) {
    const struct graph_instance *p = &graph->instances[input->instance];
    if (p->stage->scope == SCOPE_WORLD) {
        *tile = (size_t)input->output * (size_t)graph->section_count + (size_t)section;
        return p->nodes[0];
    }
    *tile = (size_t)input->output;
    return p->nodes[section];
}

size_t graph_tile_count(const struct graph *graph, const struct graph_node *node) {
    const struct graph_instance *p = &graph->instances[node->instance];
    size_t sections = p->stage->scope == SCOPE_WORLD ? (size_t)graph->section_count : 1;
    return (size_t)p->output_count * sections;
}

/* ---- instances ---- */

static enum status no_memory(struct error *err) {
    return error_set(err, STATUS_LIMIT, "out of memory while planning the bake");
}

static enum status add_instance(struct graph *graph, const struct stage *stage, const char *arg, int depth,
                                int32_t *index, struct error *err);

/* Deep chains are real (tiers x rounds of competition); deeper ones are cycles. */
enum { DEPTH_MAX = 500 };

/* Finds (or makes) the instance that writes `name`. */
static enum status resolve(struct graph *graph, const char *name, int32_t reach, int depth,
                           struct graph_input *input, struct error *err) {
    char arg[STAGE_ARG_MAX];
    memset(input, 0, sizeof *input);
    if (!gen_layer_resolve(graph->world, name, input->name))
        return error_set(err, STATUS_INPUT, "there is no layer '%s'", name);
    if (depth > DEPTH_MAX)
        return error_set(err, STATUS_INPUT, "layer '%s' depends on itself", input->name);
    const struct stage *stage = stage_find(input->name, &input->output, arg);
    input->reach = reach;
    input->layer = gen_stage_layer(graph->world, stage, arg, input->output);
    input->posts = input->layer->like_heights && graph->world->height.samples == SAMPLES_POSTS;
    return add_instance(graph, stage, arg, depth, &input->instance, err);
}

/* What the stage reads: names, as written, and reaches. */
static enum status read_inputs(const struct graph *graph, const struct stage *stage, const char *arg,
                               struct graph_input **inputs, int32_t *count, struct error *err) {
    *count = 0;
    *inputs = NULL;
    struct stage_inputs *declared = calloc(1, sizeof *declared); /* too large for a deep stack */
    if (!declared)
        return no_memory(err);
    enum status status = stage->inputs ? stage->inputs(graph->world, arg, declared, err) : STATUS_OK;
    if (status == STATUS_OK && declared->overflow)
        status = error_set(err, STATUS_LIMIT, "stage '%s' reads more than %d layers", stage->name,
                           STAGE_INPUTS_MAX);
    if (status == STATUS_OK && !(*inputs = calloc((size_t)declared->count + 1, sizeof **inputs)))
        status = no_memory(err);
    for (int32_t i = 0; status == STATUS_OK && i < declared->count; i++) {
        memcpy((*inputs)[i].name, declared->input[i].layer, sizeof(*inputs)[i].name);
        (*inputs)[i].reach = declared->input[i].reach;
        *count = i + 1;
    }
    free(declared);
    return status;
}

static enum status add_instance(struct graph *graph, const struct stage *stage, const char *arg, int depth,
                                int32_t *index, struct error *err) {
    for (int32_t i = 0; i < graph->instance_count; i++)
        if (graph->instances[i].stage == stage && strcmp(graph->instances[i].arg, arg) == 0) {
            *index = i;
            return STATUS_OK;
        }
    struct graph_input *inputs;
    int32_t count;
    enum status status = read_inputs(graph, stage, arg, &inputs, &count, err);
    /* inputs first: instances stand in an order in which each comes after what it reads */
    for (int32_t i = 0; i < count && status == STATUS_OK; i++) {
        char name[STAGE_ARG_MAX];
        memcpy(name, inputs[i].name, sizeof name);
        status = resolve(graph, name, inputs[i].reach, depth + 1, &inputs[i], err);
    }
    if (status != STATUS_OK) {
        free(inputs);
        return status;
    }
    if (graph->instance_count == graph->instance_room) {
        int32_t room = graph->instance_room ? graph->instance_room * 2 : 64;
        struct graph_instance *more = realloc(graph->instances, (size_t)room * sizeof *more);
        if (!more) {
            free(inputs);
            return no_memory(err);
        }
        graph->instances = more;
        graph->instance_room = room;
    }
    *index = graph->instance_count++;
    struct graph_instance *instance = &graph->instances[*index];
    memset(instance, 0, sizeof *instance);
    instance->stage = stage;
    memcpy(instance->arg, arg, strlen(arg) + 1);
    instance->inputs = inputs;
    instance->input_count = count;
    while (instance->output_count < STAGE_OUTPUTS_MAX && stage->outputs[instance->output_count].name)
        instance->output_count++;
    size_t nodes = stage->scope == SCOPE_WORLD ? 1 : (size_t)graph->section_count;
    instance->nodes = calloc(nodes, sizeof(struct graph_node *));
    return instance->nodes ? STATUS_OK : no_memory(err);
}

static enum status add_consumer(struct graph_instance *producer, int32_t instance, int32_t input,
                                struct error *err) {
    int32_t n = producer->consumer_count;
    if ((n & (n - 1)) == 0) { /* room is the next power of two */
        size_t room = n ? (size_t)n * 2 : 1;
        struct graph_consumer *more = realloc(producer->consumers, room * sizeof *more);
        if (!more)
            return no_memory(err);
        producer->consumers = more;
    }
    producer->consumers[n] = (struct graph_consumer){instance, input};
    producer->consumer_count++;
    return STATUS_OK;
}

/* ---- nodes ---- */

struct stack {
    struct graph_node **at;
    size_t count, room;
};

static enum status need(struct graph *graph, const struct graph_input *input, int32_t section,
                        int32_t priority, struct stack *stack, struct graph_node **out, struct error *err) {
    struct graph_instance *p = &graph->instances[input->instance];
    int32_t at = p->stage->scope == SCOPE_WORLD ? 0 : section;
    if (!p->nodes[at]) {
        struct graph_node *node = calloc(1, sizeof *node);
        if (!node)
            return no_memory(err);
        node->instance = input->instance;
        node->section = at;
        node->priority = priority;
        p->nodes[at] = node;
        graph->node_count++;
        if (stack->count == stack->room) {
            size_t room = stack->room ? stack->room * 2 : 256;
            struct graph_node **more = realloc(stack->at, room * sizeof *more);
            if (!more)
                return no_memory(err);
            stack->at = more;
            stack->room = room;
        }
        stack->at[stack->count++] = node;
    }
    p->nodes[at]->consumers++;
    *out = p->nodes[at];
    return STATUS_OK;
}

static enum status expand(struct graph *graph, struct stack *stack, struct error *err) {
    while (stack->count) {
        struct graph_node *node = stack->at[--stack->count];
        const struct graph_instance *instance = &graph->instances[node->instance];
        for (int32_t i = 0; i < instance->input_count; i++) {
            const struct graph_input *input = &instance->inputs[i];
            struct rect s = graph_input_sections(graph, node, input);
            for (int32_t y = s.y0; y < s.y1; y++)
                for (int32_t x = s.x0; x < s.x1; x++) {
                    struct graph_node *producer = NULL;
                    enum status status = need(graph, input, graph_section_index(graph, x, y), node->priority,
                                              stack, &producer, err);
                    if (status != STATUS_OK)
                        return status;
                    node->pending++;
                }
        }
    }
    return STATUS_OK;
}

static enum status add_job(struct graph *graph, int32_t index, struct stack *stack, struct error *err) {
    struct graph_job *job = &graph->jobs[index];
    for (int32_t i = 0; i < job->job->input_count; i++) {
        struct rect s = graph_sections_of(graph, rect_grow(job->job->cells, job->inputs[i].reach));
        for (int32_t y = s.y0; y < s.y1; y++)
            for (int32_t x = s.x0; x < s.x1; x++) {
                struct graph_node *producer = NULL;
                int32_t section = graph_section_index(graph, x, y);
                enum status status = need(graph, &job->inputs[i], section, index, stack, &producer, err);
                struct graph_job_edge *edge = status == STATUS_OK ? malloc(sizeof *edge) : NULL;
                if (!edge)
                    return status == STATUS_OK ? no_memory(err) : status;
                *edge = (struct graph_job_edge){index, producer->jobs};
                producer->jobs = edge;
                job->pending++;
            }
    }
    return expand(graph, stack, err);
}

/* The job's inputs, resolved: those of an earlier job with the same list, or new. */
static enum status resolve_job(struct graph *graph, struct graph_job *job, struct error *err) {
    const struct exec_job *from = job->job;
    for (int32_t i = 0; i < graph->job_inputs_count; i++)
        if (graph->job_inputs[i].from == from->inputs && graph->job_inputs[i].count == from->input_count) {
            job->inputs = graph->job_inputs[i].inputs;
            return STATUS_OK;
        }
    int32_t n = graph->job_inputs_count;
    if ((n & (n - 1)) == 0) { /* room is the next power of two */
        size_t room = n ? (size_t)n * 2 : 1;
        struct graph_job_inputs *more = realloc(graph->job_inputs, room * sizeof *more);
        if (!more)
            return no_memory(err);
        graph->job_inputs = more;
    }
    struct graph_input *inputs = calloc((size_t)from->input_count + 1, sizeof *inputs);
    if (!inputs)
        return no_memory(err);
    graph->job_inputs[graph->job_inputs_count++] =
        (struct graph_job_inputs){from->inputs, from->input_count, inputs};
    job->inputs = inputs;
    enum status status = STATUS_OK;
    for (int32_t i = 0; i < from->input_count && status == STATUS_OK; i++)
        status = resolve(graph, from->inputs[i].layer, from->inputs[i].reach, 0, &inputs[i], err);
    return status;
}

enum status graph_build(const struct world *world, const struct exec_job *jobs, size_t job_count,
                        struct graph *graph, struct error *err) {
    memset(graph, 0, sizeof *graph);
    graph->world = world;
    graph->sections = rect_blocks(world->extent.cells, SECTION_CELLS);
    graph->section_count =
        (graph->sections.x1 - graph->sections.x0) * (graph->sections.y1 - graph->sections.y0);
    graph->jobs = calloc(job_count + 1, sizeof *graph->jobs);
    if (!graph->jobs)
        return no_memory(err);
    graph->job_count = (int32_t)job_count;
    enum status status = STATUS_OK;
    for (size_t j = 0; j < job_count && status == STATUS_OK; j++) {
        graph->jobs[j].job = &jobs[j];
        status = resolve_job(graph, &graph->jobs[j], err);
    }
    for (int32_t c = 0; c < graph->instance_count && status == STATUS_OK; c++)
        for (int32_t i = 0; i < graph->instances[c].input_count && status == STATUS_OK; i++)
            status = add_consumer(&graph->instances[graph->instances[c].inputs[i].instance], c, i, err);
    struct stack stack = {0};
    for (int32_t j = 0; j < graph->job_count && status == STATUS_OK; j++)
        status = add_job(graph, j, &stack, err);
    free(stack.at);
    return status;
}

enum status graph_check(struct graph *graph, const char *layer, struct error *err) {
    struct graph_input input;
    graph->section_count = 1;
    return resolve(graph, layer, 0, 0, &input, err);
}

static void free_node(const struct graph *graph, struct graph_node *node) {
    size_t tiles = graph_tile_count(graph, node);
    for (size_t i = 0; node->tiles && i < tiles; i++)
        tile_unref(node->tiles[i]);
    while (node->jobs) {
        struct graph_job_edge *next = node->jobs->next;
        free(node->jobs);
        node->jobs = next;
    }
    free(node->tiles);
    free(node->heads);
    free(node);
}

void graph_free(struct graph *graph) {
    for (int32_t i = 0; i < graph->instance_count; i++) {
        struct graph_instance *instance = &graph->instances[i];
        int32_t nodes = instance->stage->scope == SCOPE_WORLD ? 1 : graph->section_count;
        for (int32_t n = 0; instance->nodes && n < nodes; n++)
            if (instance->nodes[n])
                free_node(graph, instance->nodes[n]);
        free(instance->nodes);
        free(instance->inputs);
        free(instance->consumers);
    }
    for (int32_t j = 0; j < graph->job_inputs_count; j++)
        free(graph->job_inputs[j].inputs);
    free(graph->job_inputs);
    free(graph->instances);
    free(graph->jobs);
    memset(graph, 0, sizeof *graph);
}
