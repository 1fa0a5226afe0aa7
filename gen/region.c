#include "gen/region.h"

#include "gen/bake.h"
#include "gen/exec.h"
#include "gen/names.h"
#include "gen/os.h"
#include "gen/source.h"
#include "gen/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status run_jobs(const struct world *world, const struct region_options *options,
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

static struct rect samples_of(const struct layer_info *layer, bool posts, struct rect cells) {
    if (layer->coarse_log2)
        return rect_blocks(cells, 1 << layer->coarse_log2);
    if (posts)
        return (struct rect){cells.x0, cells.y0, cells.x1 + 1, cells.y1 + 1};
    return cells;
}

struct region_job {
    struct region *region;
    struct rect samples;
};

/* Copies one section's samples; sections share posts and blocks on their borders, which are equal. Different
 * jobs write different rows or columns, but for those. */
static enum status take(void *context, const struct window *w, struct hash128 inputs, struct arena *scratch,
                        struct error *err) {
    (void)inputs;
    (void)scratch;
    (void)err;
    const struct region_job *job = context;
    struct region *r = job->region;
    int32_t count = job->samples.x1 - job->samples.x0;
    for (int32_t y = job->samples.y0; y < job->samples.y1; y++) {
        size_t at = (size_t)(y - r->y0) * (size_t)r->width + (size_t)(job->samples.x0 - r->x0);
        if (r->rgb)
            memcpy(r->rgb + at * 3,
                   w->u8.cells + (y - w->u8.y0) * w->u8.stride + (job->samples.x0 - w->u8.x0) * 3,
                   (size_t)count * 3);
        else
            values_row(w, job->samples.x0, y, count, r->values + at);
    }
    return STATUS_OK;
}

static enum status region_new(const struct world *world, const char *layer, struct rect cells,
                              struct region *r, struct error *err) {
    memset(r, 0, sizeof *r);
    r->layer = gen_layer_info(world, layer);
    if (!r->layer)
        return error_set(err, STATUS_INPUT, "there is no layer '%s'", layer);
    if (r->layer->type == LAYER_BLOB)
        return error_set(err, STATUS_INPUT, "layer '%s' is no raster", layer);
    r->posts = r->layer->like_heights && world->height.samples == SAMPLES_POSTS;
    struct rect s = samples_of(r->layer, r->posts, cells);
    r->x0 = s.x0;
    r->y0 = s.y0;
    r->width = s.x1 - s.x0;
    r->height = s.y1 - s.y0;
    size_t count = (size_t)r->width * (size_t)r->height;
    if (count > (size_t)1 << 31)
        return error_set(err, STATUS_LIMIT, "a picture of %d x %d samples is too large: choose a map",
                         r->width, r->height);
    if (r->layer->type == LAYER_RGB8)
        r->rgb = calloc(count, 3);
    else
        r->values = calloc(count, sizeof *r->values);
    return r->rgb || r->values ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

enum status region_read(const struct world *world, const struct region_options *options, const char *layer,
                        struct rect cells, struct region *region, struct error *err) {
    enum status status = region_new(world, layer, cells, region, err);
    struct rect s = rect_blocks(cells, SECTION_CELLS);
    size_t count = (size_t)(s.x1 - s.x0) * (size_t)(s.y1 - s.y0), i = 0;
    struct exec_job *jobs = calloc(count, sizeof *jobs);
    struct region_job *contexts = calloc(count, sizeof *contexts);
    if (status == STATUS_OK && (!jobs || !contexts))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    for (int32_t y = s.y0; status == STATUS_OK && y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++, i++) {
            jobs[i].cells = rect_intersect(extent_block(&world->extent, x, y, SECTION_CELLS), cells);
            jobs[i].input_count = 1;
            jobs[i].inputs[0].layer = layer;
            jobs[i].run = take;
            jobs[i].context = &contexts[i];
            contexts[i].region = region;
            struct rect own = samples_of(region->layer, region->posts, jobs[i].cells);
            if (region->posts) { /* a shared border is the eastern or northern neighbour's to write */
                own.x1 -= own.x1 < region->x0 + region->width;
                own.y1 -= own.y1 < region->y0 + region->height;
            }
            contexts[i].samples = own;
        }
    if (status == STATUS_OK)
        status = run_jobs(world, options, jobs, count, err);
    free(jobs);
    free(contexts);
    if (status != STATUS_OK)
        region_free(region);
    return status;
}

void region_free(struct region *region) {
    free(region->values);
    free(region->rgb);
    region->values = NULL;
    region->rgb = NULL;
}

/* ---- one place ---- */

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

enum status region_at(const struct world *world, const struct region_options *options,
                      const char *const *layers, size_t count, int32_t x, int32_t y, float *values,
                      struct error *err) {
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
        status = run_jobs(world, options, jobs, job_count, err);
    free(jobs);
    free(contexts);
    return status;
}
