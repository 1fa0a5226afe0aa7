/* Owns the reading of an out folder: which maps it has, and their manifests. For verify, diff and export. */
#ifndef GEN_OUT_READ_H
#define GEN_OUT_READ_H
#include "gen/paths.h"
#include "gen/raster.h"
#include "gen/report.h"
#include "terrain/status.h"

#include <jansson.h>

struct out_map {
    int32_t x, y;
    char *folder;    /* "OUT/maps/x3_y2" */
    json_t *root;    /* its manifest; NULL: it cannot be read */
    json_t *outputs; /* path -> entry, sound ones; borrowed from root, NULL likewise */
};
struct out_dir {
    struct out_map *maps; /* by y, then x */
    size_t count;
};

/* Maps without a manifest (nothing published yet) are left out. Manifests that cannot be read, and entries of
 * theirs that are not sound (gen/manifest.h; they are left out), are reported as errors of STATUS_INPUT or
 * STATUS_FILE; with troubles NULL the first of them is the result. STATUS_FILE: no such folder, or not an out
 * folder. */
enum status out_open(const char *out, struct out_dir *dir, struct report *troubles, struct error *err);
/* A JSON file that lies in the out folder itself ("objects.json"); NULL: absent, unreadable or damaged. */
json_t *out_json(const char *out, const char *name);
void out_close(struct out_dir *dir);
const struct out_map *out_find(const struct out_dir *dir, int32_t x, int32_t y); /* NULL: none */

/* An object's keys in byte order; malloc'ed array, the texts stay the object's. NULL: out of memory. */
const char **json_keys(json_t *object, size_t *count);

/* Fields of an entry; "" and 0 when absent. */
const char *entry_text(const json_t *entry, const char *key);
int64_t entry_int(const json_t *entry, const char *key);
double entry_number(const json_t *entry, const char *key);

#endif
