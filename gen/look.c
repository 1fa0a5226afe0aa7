#include "gen/look.h"

#include "gen/bake.h"
#include "gen/source.h"
#include "gen/values.h"

#include <stdlib.h>

enum status look_jobs(const struct world *world, const struct look_options *options,
                      const struct exec_job *jobs, size_t count, struct error *err) {
    struct store *store = NULL;
    struct source_set *sources = NULL;
    enum status status = bake_open_store(world, options->store, world->dir, &store, err);
    if (status == STATUS_OK)
        status = source_open(world, store_dir(store), &sources, err);
    if (status == STATUS_OK) {
        struct exec_options exec = {.threads = options->threads, .memory_limit = options->memory_limit};
        status = exec_run(world, sources, store, &exec, jobs, count, NULL, err);
    }
    source_close(sources);
    store_close(store);
    return status;
}

struct place_job {
    int32_t x, y, count;
    float *values;
};

static enum status take_place(void *context, const struct window *w, struct hash128 inputs,
                              struct arena *scratch, struct error *err) {
    (void)inputs;
    (void)scratch;
    (void)err;
    const struct place_job *job = context;
    for (int32_t i = 0; i < job->count; i++) {
        int32_t shift = w[i].layer->coarse_log2;
        values_row(&w[i], job->x >> shift, job->y >> shift, 1, &job->values[i]);
    }
    return STATUS_OK;
}

enum status look_at(const struct world *world, const struct look_options *options, const char *const *layers,
                    size_t count, int32_t x, int32_t y, float *values, struct error *err) {
    size_t job_count = (count + EXEC_JOB_INPUTS_MAX - 1) / EXEC_JOB_INPUTS_MAX;
    struct exec_job *jobs = calloc(job_count + 1, sizeof *jobs);
    struct place_job *contexts = calloc(job_count + 1, sizeof *contexts);
    enum status status = jobs && contexts ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
    for (size_t j = 0; status == STATUS_OK && j < job_count; j++) {
        jobs[j].cells = (struct rect){x, y, x + 1, y + 1};
        jobs[j].run = take_place;
        jobs[j].context = &contexts[j];
        contexts[j] = (struct place_job){x, y, 0, values + j * EXEC_JOB_INPUTS_MAX};
        for (size_t i = j * EXEC_JOB_INPUTS_MAX; i < count && contexts[j].count < EXEC_JOB_INPUTS_MAX; i++)
            jobs[j].inputs[contexts[j].count++].layer = layers[i];
        jobs[j].input_count = contexts[j].count;
    }
    if (status == STATUS_OK)
        status = look_jobs(world, options, jobs, job_count, err);
    free(jobs);
    free(contexts);
    return status;
}
