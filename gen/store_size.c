#include "gen/store_size.h"

#include "gen/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct survey_file {
    char *path;
    uint64_t size;
    double used_s;
};
struct survey {
    struct survey_file *files;
    size_t count, room;
    uint64_t total;
    const char *dir;
};

static enum status survey_entry(void *context, const char *name, struct error *err) {
    struct survey *s = context;
    char path[STORE_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", s->dir, name);
    struct os_info info;
    if (os_info(path, &info, err) != STATUS_OK || info.kind != OS_FILE)
        return STATUS_OK;
    if (os_is_temporary(name)) { /* left by a killed process; a live one's are young */
        if (os_unix_s() - info.modified_s > 3600.0)
            os_remove(path, err);
        return STATUS_OK;
    }
    if (s->count == s->room) {
        size_t room = s->room ? s->room * 2 : 1024;
        struct survey_file *more = realloc(s->files, room * sizeof *more);
        if (!more)
            return STATUS_OK;
        s->files = more;
        s->room = room;
    }
    struct survey_file *f = &s->files[s->count];
    f->path = strdup(path);
    f->size = info.size;
    f->used_s = info.modified_s;
    if (f->path) {
        s->total += info.size;
        s->count++;
    }
    return STATUS_OK;
}

static int by_use(const void *a, const void *b) {
    const struct survey_file *x = a, *y = b;
    if (x->used_s != y->used_s)
        return x->used_s < y->used_s ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Removes the least recently used entries until nine tenths of the limit are left; returns what is left. */
static uint64_t evict(const char *folder, uint64_t limit) {
    struct survey survey = {0};
    struct error err;
    for (unsigned i = 0; i <= 256; i++) {
        char dir[STORE_PATH_MAX];
        if (i < 256)
            snprintf(dir, sizeof dir, "%s/%02x", folder, i);
        else
            snprintf(dir, sizeof dir, "%s/images", folder); /* decoded images: gen/source.h */
        survey.dir = dir;
        struct os_info info;
        if (os_info(dir, &info, &err) == STATUS_OK && info.kind == OS_DIR)
            os_list(dir, survey_entry, &survey, &err);
    }
    if (survey.count)
        qsort(survey.files, survey.count, sizeof *survey.files, by_use);
    uint64_t goal = survey.total > limit ? limit / 10 * 9 : survey.total;
    for (size_t i = 0; i < survey.count; i++) {
        if (survey.total > goal && os_remove(survey.files[i].path, &err) == STATUS_OK)
            survey.total -= survey.files[i].size;
        free(survey.files[i].path);
    }
    free(survey.files);
    return survey.total;
}

void store_settle_size(const char *folder, uint64_t limit, uint64_t written) {
    char path[STORE_PATH_MAX], lock_path[STORE_PATH_MAX];
    snprintf(path, sizeof path, "%s/size", folder);
    snprintf(lock_path, sizeof lock_path, "%s/lock", folder);
    struct os_lock lock;
    struct error err;
    bool taken;
    if (os_lock_take(lock_path, true, true, &lock, &taken, &err) != STATUS_OK || !taken)
        return;
    unsigned char *text = NULL;
    size_t size;
    uint64_t total = UINT64_MAX / 2; /* unknown: look at the entries */
    if (os_read_file(path, 64, &text, &size, &err) == STATUS_OK && size > 0)
        total = strtoull((const char *)text, NULL, 10);
    free(text);
    total += written;
    if (total > limit)
        total = evict(folder, limit);
    char line[32];
    int n = snprintf(line, sizeof line, "%llu\n", (unsigned long long)total);
    os_write_file(path, line, (size_t)n, &err);
    os_lock_drop(&lock);
}
