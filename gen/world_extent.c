#include "gen/world_build.h"

#include <math.h>
#include <string.h>

/* How far a length may be from a whole number of cells: decimals in files are rounded. */
static const double whole_within = 1e-4;

/* metres / cell as a whole number. 1: fine, 0: not whole, -1: beyond the limit. */
static int whole_cells(double metres, double cell_m, int32_t *out) {
    double cells = metres / cell_m, nearest = floor(cells + 0.5);
    if (!(fabs(nearest) <= EXTENT_CELLS_MAX))
        return -1;
    if (fabs(cells - nearest) > whole_within)
        return 0;
    *out = (int32_t)nearest;
    return 1;
}

/* origin_m or size_m in cells; reports what is wrong with it. */
static bool in_cells(struct world_build *b, const struct yaml_node *at, const char *name,
                     const double metres[2], double cell_m, int32_t out[2]) {
    for (int i = 0; i < 2; i++) {
        int kind = whole_cells(metres[i], cell_m, out + i);
        if (kind < 0)
            report_add(b->report, REPORT_ERROR, STATUS_LIMIT, at->file, at->line, at->column,
                       "'%s' is %.12g m: more than %d cells of %.12g m", name, metres[i], EXTENT_CELLS_MAX,
                       cell_m);
        else if (kind == 0)
            yaml_complain(at, b->report, "'%s' is [%.12g, %.12g] m: must be a multiple of the cell, %.12g m",
                          name, metres[0], metres[1], cell_m);
        if (kind != 1)
            return false;
    }
    return true;
}

static bool within_limits(struct world_build *b, const struct yaml_node *at, struct rect cells) {
    bool good = cells.x1 <= EXTENT_CELLS_MAX && cells.y1 <= EXTENT_CELLS_MAX;
    if (!good)
        report_add(b->report, REPORT_ERROR, STATUS_LIMIT, at->file, at->line, at->column,
                   "the world ends at cell %d,%d: at most %d", (int)cells.x1, (int)cells.y1,
                   EXTENT_CELLS_MAX);
    struct rect sections = rect_blocks(cells, SECTION_CELLS);
    int64_t count = ((int64_t)sections.x1 - sections.x0) * ((int64_t)sections.y1 - sections.y0);
    if (good && count > EXTENT_SECTIONS_MAX)
        report_add(b->report, REPORT_ERROR, STATUS_LIMIT, at->file, at->line, at->column,
                   "the world has %lld sections of 256 x 256 cells: at most %d", (long long)count,
                   EXTENT_SECTIONS_MAX);
    return good && count <= EXTENT_SECTIONS_MAX;
}

/* False: there is no size, or no good one. */
static bool read_size(struct world_build *b, struct yaml_node *world, double size_m[2]) {
    if (!yaml_get(world, "size_m")) {
        yaml_complain(world, b->report, "'size_m' is missing in world: [width, height] in metres");
        return false;
    }
    if (!yaml_get_f64_list(world, "size_m", 2, -1e12, 1e12, "m", size_m, b->report))
        return false;
    if (size_m[0] > 0 && size_m[1] > 0)
        return true;
    yaml_complain(yaml_get(world, "size_m"), b->report, "'size_m' is [%.12g, %.12g] m: must be above 0",
                  size_m[0], size_m[1]);
    return false;
}

static void read_cells(struct world_build *b, struct yaml_node *world, bool cell_good) {
    struct extent *e = &b->world->extent;
    double origin_m[2] = {0, 0}, size_m[2];
    struct yaml_node *origin = yaml_get(world, "origin_m");
    bool good = yaml_get_f64_list(world, "origin_m", 2, -1e12, 1e12, "m", origin_m, b->report) || !origin;
    good = read_size(b, world, size_m) && good && cell_good;
    if (!good)
        return;
    int32_t first[2] = {0, 0}, count[2] = {0, 0};
    good = !origin || in_cells(b, origin, "origin_m", origin_m, e->cell_m, first);
    const struct yaml_node *size = yaml_get(world, "size_m");
    if (!in_cells(b, size, "size_m", size_m, e->cell_m, count) || !good)
        return;
    if (count[0] < 1 || count[1] < 1) {
        yaml_complain(size, b->report, "'size_m' is [%.12g, %.12g] m: smaller than a cell, %.12g m",
                      size_m[0], size_m[1], e->cell_m);
        return;
    }
    e->cells = (struct rect){first[0], first[1], first[0] + count[0], first[1] + count[1]};
    b->extent_known = within_limits(b, size, e->cells);
}

static void read_name(struct world_build *b, struct yaml_node *world) {
    const char *name;
    if (!yaml_get(world, "name"))
        yaml_complain(world, b->report, "'name' is missing in world");
    else if (yaml_get_text(world, "name", &name, b->report))
        b->world->name = build_copy(b, name);
}

void build_extent(struct world_build *b) {
    struct world *w = b->world;
    struct yaml_node *grid = yaml_get_map(b->yaml, "grid", b->report);
    w->extent.cell_m = 1;
    bool cell_good = yaml_get_f64(grid, "cell_m", 0.1, 1024, "m", &w->extent.cell_m, b->report) ||
                     (grid ? !yaml_get(grid, "cell_m") : !yaml_get(b->yaml, "grid"));
    yaml_unknown_keys(grid, "grid", b->report);
    if (!yaml_get(b->yaml, "world")) {
        yaml_complain(b->yaml, b->report, "'world' is missing: {name: ..., size_m: [width, height]}");
        return;
    }
    struct yaml_node *world = yaml_get_map(b->yaml, "world", b->report);
    if (!world)
        return;
    read_name(b, world);
    read_cells(b, world, cell_good);
    w->latitude_deg = 45;
    yaml_get_f64(world, "latitude_deg", -90, 90, "degrees", &w->latitude_deg, b->report);
    int64_t seed = 0;
    yaml_get_i64(world, "seed", 0, INT64_MAX, &seed, b->report);
    w->seed = (uint64_t)seed;
    yaml_get(world, "wind"); /* build_settings reads it */
    yaml_unknown_keys(world, "world", b->report);
}
