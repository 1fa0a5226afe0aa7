/* Owns the running of stages: walks the graph of (stage, section) pairs that the asked windows need, finds
 * their results in the store or makes them, several pairs at once, and hands the windows to the jobs. All of
 * Terrane's parallelism is here. Nothing that a job sees depends on the number of threads, on what the store
 * holds, or on the order of anything. */
#ifndef GEN_EXEC_H
#define GEN_EXEC_H
#include "gen/stage.h"
#include "gen/store.h"
#include "gen/world.h"

struct source_set;
struct trace;

struct exec_input {
    const char *layer;
    int32_t reach;
};

/* What somebody wants: some layers over a rectangle of cells. Jobs run in parallel; jobs earlier in the list
 * are made first. Jobs that want the same layers point to one list of inputs: its names are resolved once. */
struct exec_job {
    struct rect cells; /* inside the world */
    int32_t input_count;
    const struct exec_input *inputs;
    /* Asked before run: whether what was made from inputs with this hash is still there. NULL: never. */
    bool (*fresh)(void *context, struct hash128 inputs);
    enum status (*run)(void *context, const struct window *windows, struct hash128 inputs,
                       struct arena *scratch, struct error *err);
    /* Asked last, whether it ran or was fresh. NULL: nothing. */
    enum status (*done)(void *context, struct error *err);
    void *context;
};

struct exec_options {
    int32_t threads;       /* 1 or more */
    uint64_t memory_limit; /* bytes of results kept in memory; beyond it those on disk are dropped */
    bool dry_run;          /* run nothing: only say what would run */
    /* dry run: called for each pair that would run; SCOPE_WORLD has no section (INT32_MIN). May be NULL. */
    void (*would_run)(void *context, const struct stage *stage, const char *arg, int32_t section_x,
                      int32_t section_y);
    void *would_run_context;
    struct trace *trace;                                          /* may be NULL */
    void (*progress)(void *context, int64_t done, int64_t total); /* called from one thread at a time */
    void *progress_context;
};

/* What was done, by stage, in the table's order. */
struct exec_count {
    const struct stage *stage;
    int64_t pairs; /* asked for */
    int64_t runs;  /* made (dry run: would be made, or would at least be looked at again) */
    int64_t hits;  /* found in the store */
    int64_t again; /* of the runs: results that had left memory, or the store, before they were read */
    double cpu_s;  /* core-seconds in run() */
};
enum { EXEC_COUNTS_MAX = 128 };
struct exec_report {
    struct exec_count stages[EXEC_COUNTS_MAX];
    int32_t stage_count;
    int64_t jobs_run, jobs_fresh;
    double jobs_cpu_s;
    uint64_t tile_bytes_peak; /* results held in memory at once (dry run: an estimate) */
};

/* report may be NULL. Errors come with the stage and section put before the message. STATUS_INTERRUPTED after
 * Ctrl-C. */
enum status exec_run(const struct world *world, struct source_set *sources, struct store *store,
                     const struct exec_options *options, const struct exec_job *jobs, size_t job_count,
                     struct exec_report *report, struct error *err);

#endif
