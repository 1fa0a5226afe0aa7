/* Owns looking at layers outside a bake, through the executor and the store: what `terrane layer` and
 * `terrane explain` stand on. */
#ifndef GEN_LOOK_H
#define GEN_LOOK_H
#include "gen/exec.h"
#include "gen/world.h"

struct look_options {
    const char *store; /* as struct bake_options has it; a temporary one lies in the world's folder */
    int32_t threads;
    uint64_t memory_limit;
};

/* Runs jobs of the caller's own. */
enum status look_jobs(const struct world *world, const struct look_options *options,
                      const struct exec_job *jobs, size_t count, struct error *err);

/* The values (offset + scale * code) of `count` layers at the one cell (x, y), in one run; values gets count
 * floats. RGB layers and blobs give 0. */
enum status look_at(const struct world *world, const struct look_options *options, const char *const *layers,
                    size_t count, int32_t x, int32_t y, float *values, struct error *err);

#endif
