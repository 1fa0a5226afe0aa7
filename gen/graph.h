/* Owns what a bake has to make: the (stage, section) pairs that the asked windows need, transitively, and who
 * waits for whom. Edges are not stored: they follow from the stages' inputs and reaches. Single-threaded; the
 * executor (gen/exec.c) runs what stands here. */
#ifndef GEN_GRAPH_H
#define GEN_GRAPH_H
#include "gen/exec.h"
#include "gen/stage.h"
#include "gen/store.h"
#include "gen/world.h"

/* An input of an instance or a job: which output of which instance, how far around. */
struct graph_input {
    int32_t instance, output, reach;
    bool posts;
    const struct layer_info *layer;
    char name[STAGE_ARG_MAX]; /* resolved */
};

/* A consumer of an instance: input number `input` of instance `instance`. */
struct graph_consumer {
    int32_t instance, input;
};

/* A stage with its argument. */
struct graph_instance {
    const struct stage *stage;
    char arg[STAGE_ARG_MAX];
    int32_t output_count;
    struct graph_input *inputs;
    int32_t input_count;
    struct graph_consumer *consumers;
    int32_t consumer_count;
    struct graph_node **nodes; /* by section index; SCOPE_WORLD: one, at 0 */
};

struct graph_job_edge {
    int32_t job;
    struct graph_job_edge *next;
};

enum node_state { NODE_WAITING, NODE_READY, NODE_DONE };

struct graph_node {
    int32_t instance, section; /* section index; 0 for SCOPE_WORLD */
    int32_t priority;          /* the first job that needs it */
    int32_t pending;           /* inputs not done */
    int32_t consumers;         /* pairs and jobs that may still ask for its bytes */
    enum node_state state;
    bool busy;    /* a thread is loading or making its tiles again */
    bool on_disk; /* the store holds its bytes */
    struct hash128 key;
    struct store_head *heads; /* one a tile, while there are consumers */
    struct tile **tiles;      /* one a tile, entries NULL when not in memory */
    struct graph_job_edge *jobs;
    struct graph_node *older, *newer; /* list of nodes with bytes in memory */
};

/* A list of inputs that jobs share, resolved. */
struct graph_job_inputs {
    const struct exec_input *from;
    int32_t count;
    struct graph_input *inputs;
};

struct graph_job {
    const struct exec_job *job;
    const struct graph_input *inputs; /* one of the graph's job_inputs */
    int32_t pending;
};

struct graph {
    const struct world *world;
    struct rect sections; /* all of the world's */
    int32_t section_count;
    struct graph_instance *instances;
    int32_t instance_count, instance_room;
    struct graph_job *jobs;
    int32_t job_count;
    struct graph_job_inputs *job_inputs;
    int32_t job_inputs_count;
    int64_t node_count;
};

/* Expands the jobs. STATUS_INPUT: a name that nobody makes, or a cycle; STATUS_LIMIT: no memory. */
enum status graph_build(const struct world *world, const struct exec_job *jobs, size_t job_count,
                        struct graph *graph, struct error *err);
void graph_free(struct graph *graph);
/* Whether all that a layer is made from, by name, is there and comes before it: what graph_build would say.
 * The graph keeps what it has found for the next layer: zeroed and of this world before the first, freed by
 * graph_free. */
enum status graph_check(struct graph *graph, const char *layer, struct error *err);

/* The world's cells of a section, by index; and the sections that a rectangle of cells touches. */
struct rect graph_section_cells(const struct graph *graph, int32_t section);
struct rect graph_sections_of(const struct graph *graph, struct rect cells);
static inline int32_t graph_section_index(const struct graph *graph, int32_t x, int32_t y) {
    return (y - graph->sections.y0) * (graph->sections.x1 - graph->sections.x0) + x - graph->sections.x0;
}
/* The sections whose tiles of `input` a node needs: all for SCOPE_WORLD, else those in reach. */
struct rect graph_input_sections(const struct graph *graph, const struct graph_node *node,
                                 const struct graph_input *input);
/* The producer's node for one section, and the tile's number in it. */
struct graph_node *graph_producer(const struct graph *graph, const struct graph_input *input, int32_t section,
                                  size_t *tile);
/* How many tiles a node has: its outputs, times all sections for SCOPE_WORLD. */
size_t graph_tile_count(const struct graph *graph, const struct graph_node *node);

#endif
