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
    struct exec_input *inputs = calloc(count + 1, sizeof *inputs);
    if (!inputs)
        return error_set(err, STATUS_LIMIT, "out of memory");
    for (size_t i = 0; i < count; i++)
        inputs[i].layer = layers[i];
    struct place_job context = {x, y, (int32_t)count, values};
    struct exec_job job = {.cells = {x, y, x + 1, y + 1},
                           .input_count = (int32_t)count,
                           .inputs = inputs,
                           .run = take_place,
                           .context = &context};
    enum status status = look_jobs(world, options, &job, 1, err);
    free(inputs);
    return status;
}
