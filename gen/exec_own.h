/* Owns what the parts of the executor share. For gen/exec*.c alone:
 *     exec.c         workers, what becomes ready, a whole run
 *     exec_heap.c    what waits to run, in order
 *     exec_key.c     keys and hashes of inputs
 *     exec_make.c    windows, kernels, tiles from memory or disk or made again
 *     exec_part.c    of a section made before, the sectors that changed
 *     exec_memory.c  results in memory and their limit
 *     exec_dry.c     what would run */
#ifndef GEN_EXEC_OWN_H
#define GEN_EXEC_OWN_H
#include "gen/exec.h"
#include "gen/exec_trail.h"
#include "gen/graph.h"
#include "gen/hasher.h"

#include <pthread.h>

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
    struct trails *trails; /* NULL: none is kept */
    struct hasher *keys;   /* of each instance: exec_start_keys */
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

/* Scratch of a worker: address space, which becomes memory where it is touched. */
#define EXEC_SCRATCH_MOST  ((size_t)4 << 30)
#define EXEC_SCRATCH_LEAST ((size_t)256 << 20)

struct worker {
    struct exec *exec;
    int32_t index;
    struct arena arena;
    pthread_t thread;
    bool started;
};

/* exec_heap.c, under the mutex. False: no memory. */
bool exec_push_node(struct exec *exec, struct graph_node *node);
bool exec_push_job(struct exec *exec, int32_t job);
struct task exec_pop(struct exec *exec); /* heap_count > 0 */

/* exec_memory.c, under the mutex. */
void exec_drop_tiles(struct exec *exec, struct graph_node *node);
/* Puts tiles (taking the references over) into a node. They are let go when it has no more consumers and they
 * can be read again. */
void exec_adopt_tiles(struct exec *exec, struct graph_node *node, struct tile **tiles, size_t count);

/* exec_key.c. What the keys of an instance's pairs begin with, alike in all sections: false: no memory. */
bool exec_start_keys(struct exec *exec);
/* All inputs are done. */
struct hash128 exec_node_key(const struct exec *exec, const struct graph_node *node);
/* The same for each sector of the section alone, from what its stage reads within reach of it; of one that
 * the world does not have: zero. */
void exec_sector_keys(const struct exec *exec, const struct graph_node *node,
                      struct hash128 keys[SECTORS_PER_SECTION]);
struct hash128 exec_job_inputs(const struct exec *exec, const struct graph_job *job);

/* exec_make.c */
/* Takes references to all tiles of one input and makes its window, in the worker's arena. */
enum status exec_open_window(struct worker *worker, const struct graph_input *input, struct rect cells,
                             struct rect sections, struct window *window, struct error *err);
void exec_close_window(const struct window *window);
/* Runs a pair's kernel; tiles[] gets its results, hashed. */
enum status exec_make(struct worker *worker, const struct graph_node *node, struct tile **tiles,
                      struct error *err);
/* The same over some cells of the pair's section, whole sectors, for stages that can; not hashed. */
enum status exec_make_cells(struct worker *worker, const struct graph_node *node, struct rect cells,
                            struct tile **tiles, struct error *err);

/* exec_part.c. What exec_make gives; where the store has what the section was before, only from sectors on
 * that changed. node->key is set. */
enum status exec_make_changed(struct worker *worker, struct graph_node *node, struct tile **tiles,
                              struct error *err);

/* exec_dry.c */
void exec_dry_run(struct exec *exec);

#endif
