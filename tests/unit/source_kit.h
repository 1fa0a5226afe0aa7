/* Worlds made by hand for tests of gen/source.h: one height source, one mask, files that a test writes. */
#ifndef TESTS_SOURCE_KIT_H
#define TESTS_SOURCE_KIT_H
#include "gen/image.h"
#include "gen/placement.h"
#include "gen/source.h"
#include "tests/unit/image_files.h"

enum { FILES_MAX = 12 };
struct fixture {
    struct world world;
    struct source_file heights[FILES_MAX], masks[FILES_MAX];
    char paths[2 * FILES_MAX][IMAGE_PATH_MAX];
    struct world_mask mask;
};

/* The caller frees it. */
struct fixture *make_world(int32_t x0, int32_t y0, int32_t x1, int32_t y1);
/* Adds a file; its path's content need not be there yet: call identify when it is. */
struct source_file *add_file(struct fixture *f, bool mask, const char *name, bool whole, int32_t x, int32_t y,
                             int32_t width, int32_t height);
void identify(struct fixture *f);
struct source_set *open_set(struct fixture *f);

/* Windows of heights and of codes; failures fail the test, but for try_window's. */
struct grid_f32 read_window(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                            float *cells);
struct grid_u8 read_codes(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                          uint8_t *cells);
enum status try_window(struct source_set *set, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                       struct error *err);
void assert_near(float got, double want);
void assert_error(const struct error *err, enum status status, const char *file, const char *message);

/* Codes of a world-wide field, and a world of 2 x 2 maps around (0, 0) whose tiles are cut out of it, none of
 * them whole. more: posts that a tile holds beyond its cells. */
uint16_t field(int32_t x, int32_t y);
float field_metres(int32_t x, int32_t y);
void put_tile(const char *path, int32_t x0, int32_t y1, int32_t width, int32_t height);
struct fixture *tiled_world(enum height_samples samples, int32_t more);
/* The window holds the field, held fast beyond column `east` and south of row `south`. */
void assert_field(const struct grid_f32 *g, int32_t east, int32_t south);

#endif
