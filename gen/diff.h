/* Owns the comparing of two out folders: rasters cell by cell, entities by id, other files by content. */
#ifndef GEN_DIFF_H
#define GEN_DIFF_H
#include "gen/out_read.h"
#include "gen/report.h"
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIFF_PLACES = 8 };
enum diff_side { DIFF_BOTH, DIFF_ONLY_A, DIFF_ONLY_B };

/* A raster or another file that is not the same in both. */
struct diff_file {
    char *path; /* inside the out folder */
    enum diff_side side;
    bool raster;
    const char *what; /* of files and rasters that cannot be compared cell by cell: "size", "encoding",
                         "content"; else "" */
    int64_t cells, different;
    double max_difference; /* in the output's unit; RGB: the largest of the channels, 0..255 */
    const char *unit;      /* the result's own copy */
    bool colour;           /* codes are 0xrrggbb */
    bool posts;            /* places are cell corners */
    bool pixels;           /* a picture that is not of cells: places are its own */
    double scale, offset;  /* value = offset + scale * code, in the unit */
    int32_t place_count;   /* the first, from the north-west as the picture reads */
    struct {
        int32_t x, y;  /* sample coordinates, world numbering */
        uint32_t a, b; /* codes; 0xrrggbb */
    } places[DIFF_PLACES];
};

enum diff_change { DIFF_ADDED, DIFF_REMOVED, DIFF_MOVED, DIFF_CHANGED, DIFF_CHANGES };
extern const char *const diff_change_names[DIFF_CHANGES];

/* Entities that are not the same; a moved one may be changed as well. */
struct diff_entity {
    enum diff_change change;
    uint64_t id;
    uint32_t object_id;
    double x_m, y_m;            /* in A; of an added one, in B */
    double distance_m;          /* moved */
    int32_t sector_x, sector_y; /* whose file has it: A's; of an added one, B's */
};
struct diff_sector {
    int32_t x, y;
    int64_t counts[DIFF_CHANGES];
};

struct diff_result {
    struct diff_file *files; /* objects.json, then by map and path */
    size_t file_count;
    struct diff_entity *entities; /* by sector (y, x), then id */
    size_t entity_count;
    struct diff_sector *sectors; /* that have any, by y, then x */
    size_t sector_count;
    int64_t rasters_compared, entities_compared, files_compared;
    struct report
        troubles;          /* files that could not be read, each with its side's path; the rest is compared */
    json_t *species;       /* name -> [in A, in B], of those whose numbers differ; by name; NULL: no memory */
    json_t *objects[2];    /* of A's and B's objects.json, by id; NULL: there is none */
    bool manifests_differ; /* worlds, inputs or versions are not the same; not a difference by itself */
};

/* STATUS_OK: the same; STATUS_DIFFERENT: not; STATUS_FILE, STATUS_INPUT: something cannot be read: an out
 * folder (then there is no result), or files (`troubles`; all others are compared). The caller frees the
 * result in each case. */
enum status diff_out(const char *a, const char *b, struct diff_result *result, struct error *err);
void diff_free(struct diff_result *result);

/* The asset that an entity shows, by the side that it is of; NULL: objects.json does not say. */
const char *diff_asset(const struct diff_result *result, const struct diff_entity *entity);

/* The whole result for --json; NULL: out of memory. */
json_t *diff_json(const struct diff_result *result);

#endif
