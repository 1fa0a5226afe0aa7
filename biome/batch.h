/* Owns the values of layers at a batch of places: gathered from windows when a step first asks for a layer,
 * for the whole batch at once. Knows nothing of what the values are for, or of how layers are made. */
#ifndef BIOME_BATCH_H
#define BIOME_BATCH_H
#include "biome/recipe.h"
#include "terrain/arena.h"

enum { VIABILITY_BATCH = 512, BATCH_FRAMES = 3 };

enum biome_cell_type { CELL_F32, CELL_I32, CELL_U16, CELL_U8 };

/* A window of a layer whose cells hold codes: value = offset + scale * code. Cell (x, y) of the world is the
 * sample (x >> coarse_log2, y >> coarse_log2); x0, y0 in samples. */
struct biome_layer {
    enum biome_cell_type type;
    const void *cells;
    int32_t x0, y0;
    ptrdiff_t stride; /* in samples */
    int32_t coarse_log2;
    float scale, offset;
};

/* Where the batch's places lie in windows of one shape. Nearly all layers of a stage share one or two. */
struct biome_frame {
    int32_t x0, y0, coarse_log2;
    ptrdiff_t stride;
    int32_t at[VIABILITY_BATCH]; /* samples from the window's first */
};

/* The values of the recipe's layers at `count` places. */
struct biome_batch {
    const struct biome_layer *layers; /* by recipe layer index; cells NULL: not given */
    int32_t count;                    /* 0..VIABILITY_BATCH */
    const int32_t *x, *y;             /* world cells, inside the windows, which hold less than 2^31 samples */
    float (*values)[VIABILITY_BATCH]; /* one row a recipe layer, caller's */
    bool *gathered;                   /* one a recipe layer, caller's; false at first */
    struct biome_frame *frames;       /* BATCH_FRAMES, caller's */
    int32_t frame_count;              /* of those made; the last one gives way when all are */
};

/* Rows for a batch from the arena: recipe.layer_count of them. STATUS_LIMIT when it is too small; takes
 * biome_batch_scratch bytes at most. */
enum status biome_batch_init(struct biome_batch *batch, const struct recipe *recipe,
                             const struct biome_layer *layers, struct arena *arena, struct error *err);
size_t biome_batch_scratch(const struct recipe *recipe);
/* Forgets the gathered values: call after changing count, x or y. */
void biome_batch_reset(struct biome_batch *batch, const struct recipe *recipe);

/* The batch's values of one layer, gathered if need be. */
const float *biome_batch_row(struct biome_batch *batch, int32_t layer);

/* The value of a layer at one cell inside its window. */
float biome_layer_value(const struct biome_layer *layer, int32_t x, int32_t y);

#endif
