/* What may have been meant where a file is not there. */
#include "gen/world_build.h"

#include "gen/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MAX = 4096 };

/* Names of a folder's entries. */
struct entries {
    char *names[ENTRIES_MAX];
    size_t count;
};

static enum status add(void *context, const char *name, struct error *err) {
    struct entries *e = context;
    (void)err;
    if (e->count < ENTRIES_MAX && (e->names[e->count] = strdup(name)))
        e->count++;
    return STATUS_OK;
}

static bool same_but_case(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char p = (unsigned char)a[i], q = (unsigned char)b[i];
        p |= p >= 'A' && p <= 'Z' ? 0x20 : 0;
        q |= q >= 'A' && q <= 'Z' ? 0x20 : 0;
        if (p != q)
            return false;
    }
    return true;
}

/* The length of a name without its ending. */
static size_t stem(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

/* Which endings may stand for each other: pictures, text; -1: neither. */
static int family(const char *ending) {
    static const char *const endings[][8] = {{".png", ".tga", ".bmp", ".jpg", ".jpeg", ".r16", ".r32", ""},
                                             {".yaml", ".yml", ""},
                                             {".geojson", ".json", ""}};
    for (int f = 0; f < 3; f++)
        for (int k = 0; endings[f][k][0]; k++)
            if (strlen(ending) == strlen(endings[f][k]) &&
                same_but_case(ending, endings[f][k], strlen(ending)))
                return f;
    return -1;
}

/* The same in other letters, the same with another ending, or much like it with the same ending; not so
 * tiles, which are all alike. */
static const char *nearest(const struct entries *e, const char *name, bool tile) {
    size_t size = strlen(name), n = stem(name), count = 0;
    for (size_t i = 0; i < e->count; i++)
        if (strlen(e->names[i]) == size && same_but_case(e->names[i], name, size))
            return e->names[i];
    for (size_t i = 0; i < e->count; i++)
        if (stem(e->names[i]) == n && same_but_case(e->names[i], name, n) &&
            family(e->names[i] + n) == family(name + n) && family(name + n) >= 0)
            return e->names[i];
    if (tile)
        return NULL;
    const char *alike[64];
    char wanted[256], stems[64][64];
    size_t at[64];
    snprintf(wanted, sizeof wanted, "%.*s", (int)(n < 255 ? n : 255), name);
    for (size_t i = 0; i < e->count && count < 64; i++)
        if (strcmp(e->names[i] + stem(e->names[i]), name + n) == 0 && stem(e->names[i]) < sizeof stems[0]) {
            snprintf(stems[count], sizeof stems[0], "%.*s", (int)stem(e->names[i]), e->names[i]);
            alike[count] = stems[count];
            at[count++] = i;
        }
    const char *near = report_suggest(wanted, alike, count);
    for (size_t i = 0; near && i < count; i++)
        if (alike[i] == near)
            return e->names[at[i]];
    return NULL;
}

static bool is_file(const char *path) {
    struct os_info info;
    return os_info(path, &info, NULL) == STATUS_OK && info.kind == OS_FILE;
}

/* "recipes:trees.yaml" where "trees.yaml" lies at a root. */
static bool at_root(const struct world_build *b, const char *written, char out[512]) {
    for (size_t i = 0; i < b->root_count && !strchr(written, ':'); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", b->roots[i].path, written);
        if (is_file(path)) {
            snprintf(out, 512, "%s:%s", b->roots[i].name, written);
            return true;
        }
    }
    return false;
}

void build_file_hint(const struct world_build *b, const char *written, const char *path, bool tile,
                     char out[600]) {
    const char *slash = strrchr(path, '/'), *last = strrchr(written, '/'), *colon = strchr(written, ':');
    char folder[1024] = ".", root[512];
    struct os_info info;
    out[0] = '\0';
    if (strchr(written, '\\')) {
        snprintf(out, 600, "; paths have /, not \\");
        return;
    }
    if (at_root(b, written, root)) {
        snprintf(out, 600, ": did you mean '%s'?", root);
        return;
    }
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    if (os_info(folder, &info, NULL) != STATUS_OK || info.kind != OS_DIR) {
        snprintf(out, 600, ", nor is there a folder '%.*s'", last ? (int)(last - written) : 1,
                 last ? written : ".");
        return;
    }
    struct entries *e = calloc(1, sizeof *e);
    if (!e)
        return;
    os_list(folder, add, e, NULL);
    const char *near = nearest(e, slash ? slash + 1 : path, tile);
    const char *base = last ? last + 1 : colon ? colon + 1 : written;
    if (near)
        snprintf(out, 600, ": did you mean '%.*s%s'?", (int)(base - written), written, near);
    for (size_t i = 0; i < e->count; i++)
        free(e->names[i]);
    free(e);
}
