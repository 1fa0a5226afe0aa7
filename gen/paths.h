/* Owns the names of files and folders in an out folder (docs/formats.md), both ways. */
#ifndef GEN_PATHS_H
#define GEN_PATHS_H
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATH_TEXT_MAX = 1024 };

/* printf into out. STATUS_LIMIT: longer than PATH_TEXT_MAX - 1. */
enum status path_format(char out[PATH_TEXT_MAX], struct error *err, const char *format, ...)
    PRINTF_LIKE(3, 4);

enum path_level { LEVEL_MAP, LEVEL_SECTION, LEVEL_SECTOR };

/* A file of a map: "preview.png", "sections/c13_11/height.png", "sectors/s53_43.points.ply". */
struct path_name {
    enum path_level level;
    int32_t x, y;     /* of the section or sector, world numbering; 0 at LEVEL_MAP */
    const char *file; /* "height.png", "points.ply", "preview.png": points into the path */
};

/* The path inside the map's folder. */
enum status path_of(const struct path_name *name, char out[PATH_TEXT_MAX], struct error *err);
/* False: no such name. */
bool path_parse(const char *path, struct path_name *name);
/* "x3_y2" of a map's folder; false: another name. */
bool path_parse_map(const char *folder, int32_t *x, int32_t *y);

#endif
