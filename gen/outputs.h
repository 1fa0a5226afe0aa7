/* Owns the table of outputs: which files a world's sections and sectors have, which layer each comes from,
 * how values become codes, which tool they belong to. Knows nothing of folders and manifests. */
#ifndef GEN_OUTPUTS_H
#define GEN_OUTPUTS_H
#include "gen/paths.h"
#include "gen/raster.h"
#include "gen/stage.h"
#include "gen/world.h"

enum output_form {
    OUTPUT_RASTER, /* a PNG of each section */
    OUTPUT_POINTS, /* a PLY of each sector that has entities */
    OUTPUT_FILE    /* the bytes of a blob's part as they are (.glb), of each sector that has any */
};
enum { OUTPUT_ALWAYS = -1, OUTPUT_NAME_MAX = 112 };

struct output {
    enum output_form form;
    char name[OUTPUT_NAME_MAX]; /* "height": what --tools, manifests and exports call it */
    char file[OUTPUT_NAME_MAX]; /* "height.png", "points.ply" */
    char layer[STAGE_ARG_MAX];  /* as gen/names.h resolves it */
    int32_t tool;               /* enum world_tool, or OUTPUT_ALWAYS */
    /* rasters */
    enum raster_kind kind;
    bool posts;           /* samples on cell corners: one more column and row than cells */
    double scale, offset; /* value = offset + scale * code, in unit */
    const char *unit;
};

struct output_list {
    struct output *items;
    size_t count;
};

/* Every output of the world, in a fixed order: heights, delta, texture ids, tint, biomes, masks, what
 * `output.layers` names, then the sectors' files. An output whose layer nobody makes is left out, but one
 * that the user names is an error (STATUS_INPUT: unknown, not a raster of cells, no known range). */
enum status outputs_list(const struct world *world, struct output_list *list, struct error *err);
void outputs_free(struct output_list *list);
/* Whether `output.layers` may name this layer: what outputs_list would say of it. */
enum status outputs_check_named(const struct world *world, const char *name, struct error *err);
const struct output *outputs_find(const struct output_list *list, const char *name); /* NULL: none */

/* Whether the world's list of tools has this one (and what it needs); OUTPUT_ALWAYS: true. */
bool outputs_tool_on(const struct world *world, int32_t tool);

/* What the encoding could not hold: beyond the codes, or not a number. */
struct output_clamped {
    uint64_t count;
    int32_t x, y; /* the first: southmost, then westmost; sample coordinates */
};

/* The samples of `window` that lie in `cells` (posts: and on its north and east border) as codes; the caller
 * frees *image. Codes are rounded half up and clamped. STATUS_FAULT: the window is of another type. */
enum status output_encode(const struct output *output, const struct window *window, struct rect cells,
                          struct raster *image, struct output_clamped *clamped, struct error *err);

#endif
