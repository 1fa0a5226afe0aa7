/* Owns how a map's outputs reach its folder: written beside their place and renamed, one sync, the map's
 * manifest last, merged under a lock with what other writers have published. A bake killed at any moment
 * leaves each file old or new. Files that are right already are left alone.
 *
 * One struct publish a map and bake; its functions may be called from several threads. */
#ifndef GEN_PUBLISH_H
#define GEN_PUBLISH_H
#include "gen/budgets.h"
#include "gen/manifest.h"
#include "gen/outputs.h"
#include "gen/stages_clearance.h"
#include "gen/world.h"

struct publish;

struct publish_counts {
    int64_t written, kept, removed; /* files */
    int64_t bytes;                  /* written */
    int64_t clamped;                /* values beyond an output's range, kept files included */
    int64_t entities;               /* in the sectors that were baked, kept files included */
    int64_t anew;                   /* 1: the map's manifest was damaged; it lists what was baked now */
    int64_t over;                   /* broken budgets, likewise */
    char over_first[BUDGET_TEXT_MAX];
};

/* Whether OUT/maps/xX_yY is there. */
bool publish_has_folder(const char *out, int32_t map_x, int32_t map_y);
/* Makes OUT/maps/xX_yY when absent, reads its manifest, and cleans up after killed bakes when nobody else
 * writes there. STATUS_FILE: cannot be written; STATUS_INPUT: holds another world. */
enum status publish_open(const struct world *world, const char *out, int32_t map_x, int32_t map_y,
                         struct publish **publish, struct error *err);

/* A job is what one section, one sector or the preview writes; it is named by the caller ("c13_11",
 * "s53_43", "preview"). `inputs` stands for everything that its files are made from. publish_fresh: whether
 * all files that the job wrote then are still as they were written; if so they count as written now. */
bool publish_fresh(struct publish *publish, const char *job, struct hash128 inputs);
/* Writes a job's files, in any order, each of them when it differs from what is there. */
enum status publish_raster(struct publish *publish, const char *job, const struct output *output,
                           int32_t section_x, int32_t section_y, const struct window *window,
                           struct rect cells, struct error *err);
/* Row by row: the picture is large, and does not lie in memory as a whole. */
enum status publish_preview(struct publish *publish, const char *job, const struct raster_rows *image,
                            struct error *err);
/* A sector's part of a blob; nothing (size 0): no file, and one that is there goes at the commit. clearance:
 * of points, for the manifest; NULL: not known. */
enum status publish_part(struct publish *publish, const char *job, const struct output *output,
                         int32_t sector_x, int32_t sector_y, const void *part, size_t size,
                         const struct clearance *clearance, struct error *err);
/* The job has written all its files. */
enum status publish_job_done(struct publish *publish, const char *job, struct hash128 inputs,
                             struct error *err);

/* All outputs of a section, a sector or the whole map were made (no --tools): what stood there before and was
 * not written now is removed at the commit. x, y are ignored for LEVEL_MAP. */
enum status publish_complete(struct publish *publish, enum path_level level, int32_t x, int32_t y,
                             struct error *err);

/* Syncs, merges and writes the manifest, removes what is gone, and frees, whatever it returns. totals: what
 * the manifest then says of the whole map, the caller's (NULL: not asked; *totals NULL after a failure). */
enum status publish_commit(struct publish *publish, struct publish_counts *counts, json_t **totals,
                           struct error *err);
/* Frees without a manifest: what was written stays, the old manifest too. NULL allowed. */
void publish_abandon(struct publish *publish);

#endif
