/* Owns what is removed from a map's folder: temporaries of killed bakes, and outputs that nothing makes any
 * more. Only names that Terrane itself gives are ever touched. A part of gen/publish.c. */
#ifndef GEN_PUBLISH_CLEAN_H
#define GEN_PUBLISH_CLEAN_H
#include "gen/os.h"
#include "gen/paths.h"

#include <jansson.h>

/* Removes temporaries below dir when no other bake writes there, and takes the writers' lock (shared). */
enum status publish_clean(const char *dir, struct os_lock *writers, struct error *err);

/* Whether path lies in a section, sector or map that `complete` names ("c13_11", "s53_43", "map"). */
bool publish_covered(json_t *complete, const char *path);

/* Removes the files of `removed`, and files of complete places that `outputs` (all that the map has) does
 * not list. */
enum status publish_remove(const char *dir, json_t *outputs, json_t *complete, json_t *removed,
                           int64_t *count, struct error *err);

#endif
