/* Owns which sectors a bake makes: selections by map, section, sector, place or view, added up. Knows the
 * grid, not the bake. */
#ifndef GEN_SELECT_H
#define GEN_SELECT_H
#include "gen/extent.h"
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct selection {
    struct extent extent;
    struct rect sectors; /* all that the world has */
    bool *chosen;        /* row by row from the south-west */
    size_t count;
    bool cut; /* a range of sectors reached beyond the world */
};

/* Nothing chosen. STATUS_LIMIT: no memory. */
enum status select_init(const struct extent *extent, struct selection *selection, struct error *err);
void select_free(struct selection *selection);
bool select_has(const struct selection *selection, int32_t sector_x, int32_t sector_y);
/* Whether every sector that the world has in `cells` (a section, a map) is chosen. */
bool select_has_all(const struct selection *selection, struct rect cells);

void select_all(struct selection *selection);
/* By number: the block (x, y) of `block` cells (SECTOR_CELLS, SECTION_CELLS, MAP_CELLS); `what` names it in
 * messages. STATUS_USAGE: outside the world. */
enum status select_block(struct selection *selection, const char *what, int32_t block, int32_t x, int32_t y,
                         struct error *err);
/* Sectors x0,y0 .. x1,y1, both ends included, in any order; those outside the world are left out (and
 * selection->cut set), all outside is STATUS_USAGE. */
enum status select_range(struct selection *selection, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                         struct error *err);
/* The sector of a place (metres), and all sectors that a circle touches. STATUS_USAGE: outside the world. */
enum status select_at(struct selection *selection, double x_m, double y_m, struct error *err);
enum status select_around(struct selection *selection, double x_m, double y_m, double radius_m,
                          struct error *err);
/* All sectors that a view could show, at any height: those that the plan of the frustum touches. eye and
 * direction in metres (x, y, z), fov_deg vertical, aspect width / height. */
enum status select_frustum(struct selection *selection, const double eye[3], const double direction[3],
                           double fov_deg, double far_m, double aspect, struct error *err);

/* Leaves the maps whose number among the chosen ones (row by row) is index modulo count: for build machines
 * that share the work. 0 <= index < count. */
void select_shard(struct selection *selection, int32_t index, int32_t count);

/* What an option or a line of a file says: "X,Y" or "X,Y..X,Y" (sectors; ends included). */
enum status select_parse_sectors(struct selection *selection, const char *text, struct error *err);
/* Lines of the same, empty lines and what follows '#' left out. `file` is for messages. */
enum status select_parse_lines(struct selection *selection, const char *file, const char *text,
                               struct error *err);
/* `count` numbers with commas between them, nothing else. False: not that. */
bool select_parse_numbers(const char *text, double *numbers, size_t count);
bool select_parse_pair(const char *text, int32_t *x, int32_t *y);

#endif
