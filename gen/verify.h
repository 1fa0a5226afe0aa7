/* Owns the checking of an out folder against its manifests: every output there, with the content that the
 * manifest says, and nothing else. */
#ifndef GEN_VERIFY_H
#define GEN_VERIFY_H
#include "terrain/status.h"
#include <stddef.h>
#include <stdint.h>

enum verify_kind {
    VERIFY_MISSING, /* in a manifest, not in the folder */
    VERIFY_DAMAGED, /* cannot be read as what it should be */
    VERIFY_ALTERED, /* its content is not the manifest's */
    VERIFY_EXTRA,   /* in the folder, in no manifest */
    VERIFY_KIND_COUNT
};
extern const char *const verify_kind_names[VERIFY_KIND_COUNT]; /* "missing", "damaged", ... */

struct verify_problem {
    enum verify_kind kind;
    char *path;   /* inside the out folder */
    char *detail; /* "" or what is wrong with it */
};
struct verify_result {
    struct verify_problem *problems; /* map by map, by path */
    size_t count;
    int64_t files; /* looked at */
};

/* STATUS_OK: all is right; STATUS_DIFFERENT: there are problems; STATUS_FILE: no out folder, or something
 * cannot be read at all. The caller frees the result in each case. */
enum status verify_out(const char *out, struct verify_result *result, struct error *err);
void verify_free(struct verify_result *result);

#endif
