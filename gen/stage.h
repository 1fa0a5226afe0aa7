/* Owns what a stage is: layers in, layers out, a pure kernel. The table of all stages is gen/stage_table.c;
 * to add one, write its kernel (terrain/, biome/, cliff/, water/), an adapter that unpacks windows for it
 * (gen/stages_*.c) and one entry in the table. docs/architecture.md walks through `slope`. */
#ifndef GEN_STAGE_H
#define GEN_STAGE_H
#include "gen/layer.h"
#include "terrain/arena.h"
#include "terrain/grid.h"
#include "terrain/status.h"
#include <stddef.h>
#include <stdint.h>

struct world;
struct hasher;
struct source_set; /* gen/source.h */

enum stage_scope {
    SCOPE_SECTION, /* runs once a section */
    SCOPE_WORLD /* runs once; reads its inputs (blobs) in every section, writes one tile for every section */
};
enum { STAGE_OUTPUTS_MAX = 12, STAGE_INPUTS_MAX = 128, STAGE_ARG_MAX = 96 };

/* What a stage reads, filled in by its inputs() in a fixed order; run() finds the windows in the same order.
 */
struct stage_inputs {
    int32_t count;
    struct {
        char layer[STAGE_ARG_MAX]; /* "altitude", "noise.clump" */
        int32_t reach;             /* cells read beyond the section on every side */
    } input[STAGE_INPUTS_MAX];
    bool overflow;
};
void stage_reads(struct stage_inputs *inputs, const char *layer, int32_t reach_cells);

/* One input, ready for a kernel. Rasters: the samples of the section grown by the reach, in the view of the
 * layer's type (the others are empty); cells beyond the world's edge are filled as the layer's edge says.
 * Blobs (and rasters too): the tiles of all sections in reach, NULL outside the world; tile (sx, sy) is
 * tiles[(sy - sections.y0) * (sections.x1 - sections.x0) + sx - sections.x0]. */
struct window {
    const struct layer_info *layer;
    bool posts; /* samples on cell corners: one more column and row than cells */
    struct grid_f32 f32;
    struct grid_i32 i32;
    struct grid_u16 u16;
    struct grid_u8 u8;
    struct rect sections;
    const struct tile *const *tiles;
};

struct stage_run {
    const struct world *world;
    const char *arg; /* what '*' stands for in the outputs' names; "" without */
    int32_t section_x, section_y;
    struct rect cells; /* the section's cells inside the world, or some of its sectors' (any_sectors);
                        * the world's, for SCOPE_WORLD */
    const struct window *inputs; /* as inputs() declared them */
    /* SCOPE_SECTION: one tile an output, rasters allocated and zeroed, blobs to be set with tile_set_parts.
     * SCOPE_WORLD: output o of the section with index i (row by row from sections.x0, y0) is
     * outputs[o * section_count + i]. */
    struct tile **outputs;
    struct rect sections;       /* all the world's sections */
    struct source_set *sources; /* pixels of the input files; only gen/stages_source.c reads it */
    struct arena *scratch;
};

struct stage {
    const char *name;
    uint32_t version; /* raised whenever the output changes for the same input */
    enum stage_scope scope;
    bool keep; /* results go to disk: false for what is cheaper to make than to read */
    /* SCOPE_SECTION: run() can be asked for any rectangle of whole sectors of a section (in cells; the
     * windows then lie around it, and the outputs cover it), and what it makes in a sector hangs on what its
     * inputs hold within their reach of that sector alone. Blobs: part i speaks of sector i; others than
     * asked for may be empty. Then an edit re-makes the sectors that it reaches, not their sections; for
     * stages that `keep`. */
    bool any_sectors;
    struct layer_info outputs[STAGE_OUTPUTS_MAX]; /* ends with a NULL name */
    /* Declares the inputs. err: the argument names nothing (unknown noise, mask ...). */
    enum status (*inputs)(const struct world *, const char *arg, struct stage_inputs *, struct error *);
    /* Adds to the key every setting that run() reads from the world; NULL: none but grid, edge and seed. */
    void (*settings)(const struct world *, const char *arg, struct hasher *);
    /* SCOPE_SECTION: adds to the key what run() reads from the world for this one section (ids of the input
     * files that it touches), after settings; NULL: nothing. */
    void (*section_settings)(const struct world *, const char *arg, int32_t section_x, int32_t section_y,
                             struct hasher *);
    enum status (*run)(struct stage_run *, struct error *);
};

extern const struct stage *const stage_table[]; /* ends with NULL */

/* The stage and output that write `layer` ("noise.clump"), and the argument ("clump"). NULL: nobody. */
const struct stage *stage_find(const char *layer, int32_t *output, char arg[STAGE_ARG_MAX]);

/* For settings(): whatever goes through here is part of the key. */
void hash_bytes(struct hasher *h, const void *bytes, size_t size);
void hash_u64(struct hasher *h, uint64_t v);
void hash_f64(struct hasher *h, double v);
void hash_text(struct hasher *h, const char *text); /* length included */

#endif
