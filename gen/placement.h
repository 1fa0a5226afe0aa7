/* Owns where the samples of a raster input stand in the world. Arithmetic only.
 *
 * The samples of one input (all of its files) lie on one lattice, numbered in whole numbers, x east, y north,
 * from an origin in cells. With f = 2^fine_log2 samples a cell, sample (x, y) of a cells lattice covers the
 * f-th part of a cell from origin + (x, y) / f on; post (x, y) stands at origin + (x, y) / f. With one sample
 * for c = 2^-fine_log2 cells it covers the block of c x c cells from origin + c * (x, y) on, or stands there.
 * The origin is a corner of a map, so that numbers stay small; of one coarse file for the whole world it is
 * such that the file's first sample is at the world's north-west corner.
 *
 * A file that covers the cells r has every sample whose place touches r: f * w (or w / c, rounded up) samples
 * along x, posts one more. Post tiles may leave out the row and column that the neighbours have as well: then
 * the file's last (south) row and last (east) column are missing: the neighbour has them; beside a missing
 * map and at the world's edge the last row and column that are there stand for them; where posts stand
 * further apart than the cell, the last two go on straight. */
#ifndef GEN_PLACEMENT_H
#define GEN_PLACEMENT_H
#include "gen/extent.h"
#include "gen/world.h"
#include <stdbool.h>
#include <stdint.h>

struct placement {
    bool posts;
    int32_t fine_log2;
    int32_t origin_x, origin_y; /* [cells] where sample 0 is */
    struct rect samples;        /* all of the world's, in lattice numbers */
};

/* tiled: one file a map ("{x}" in its name). fine_log2: -10..6. */
struct placement placement_of(const struct extent *extent, bool tiled, bool posts, int32_t fine_log2);
/* The samples that touch the cells r (posts: those on its border too). */
struct rect placement_samples(const struct placement *p, struct rect cells);
/* The cells that a file covers. */
struct rect placement_file_cells(const struct extent *extent, const struct source_file *file);
/* The samples that a file of width x height px holds; its row 0 is y1 - 1. Empty: such a file does not fit:
 * the size is neither that of placement_samples nor, for posts, one row or column less. */
struct rect placement_file_samples(const struct placement *p, const struct extent *extent,
                                   const struct source_file *file);

#endif
