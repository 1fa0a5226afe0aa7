/* Loads worlds that a test writes into its folder (tests/unit/image_files.h), and compares what is said. */
#ifndef TESTS_WORLD_HELP_H
#define TESTS_WORLD_HELP_H
#include "gen/world.h"

/* A world of 64 x 64 cells whose heights, h.png, are 16-bit cells: put_h64 makes the file. */
#define WORLD64  "terrane: 1\nworld: {name: w, size_m: [64, 64]}\n"
#define HEIGHT64 "height: {files: h.png, z_min_m: 0, z_max_m: 100}\n"

void put_h64(void);
/* Grey images of this size, all zero; 16-bit and 8-bit. */
void put_zero16(const char *name, int32_t width, int32_t height);
void put_zero8(const char *name, int32_t width, int32_t height);
void put_text(const char *name, const char *text);

/* Writes world.yaml, loads it, compares the report's text (the folder's path left out), and that there is a
 * world exactly when there is no error. The world is the caller's. `sets` ends with NULL; NULL for none. */
struct world *load_text(const char *yaml, const char *const *sets, const char *expected);
/* The same for a world that must be refused, with this status. */
void refuse_text(const char *yaml, enum status status, const char *expected);
/* The same with what --set sets. */
void refuse_sets(const char *yaml, const char *const *sets, enum status status, const char *expected);

#endif
