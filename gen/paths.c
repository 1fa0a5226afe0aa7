#include "gen/paths.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum status path_format(char out[PATH_TEXT_MAX], struct error *err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(out, PATH_TEXT_MAX, format, args);
    va_end(args);
    if (n < 0 || n >= PATH_TEXT_MAX)
        return error_set(err, STATUS_LIMIT, "a path is longer than %d bytes: %.60s...", PATH_TEXT_MAX - 1,
                         out);
    return STATUS_OK;
}

enum status path_of(const struct path_name *name, char out[PATH_TEXT_MAX], struct error *err) {
    switch (name->level) {
    case LEVEL_SECTION:
        return path_format(out, err, "sections/c%d_%d/%s", name->x, name->y, name->file);
    case LEVEL_SECTOR:
        return path_format(out, err, "sectors/s%d_%d.%s", name->x, name->y, name->file);
    case LEVEL_MAP:
        break;
    }
    return path_format(out, err, "%s", name->file);
}

/* A decimal number as we print it: no plus, no leading zeros, no "-0". Returns what follows, or NULL. */
static const char *number(const char *at, int32_t *value) {
    bool minus = *at == '-';
    at += minus;
    if (*at < '0' || *at > '9' || (*at == '0' && (minus || (at[1] >= '0' && at[1] <= '9'))))
        return NULL;
    int64_t v = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if ((v = v * 10 + (*at - '0')) > INT32_MAX)
            return NULL;
    *value = (int32_t)(minus ? -v : v);
    return at;
}

/* "<x>_<y>" and then `end`. */
static const char *pair(const char *at, char end, int32_t *x, int32_t *y) {
    at = number(at, x);
    if (!at || *at != '_')
        return NULL;
    at = number(at + 1, y);
    return at && *at == end ? at : NULL;
}

bool path_parse(const char *path, struct path_name *name) {
    *name = (struct path_name){LEVEL_MAP, 0, 0, path};
    if (strncmp(path, "sections/c", 10) == 0) {
        const char *at = pair(path + 10, '/', &name->x, &name->y);
        name->level = LEVEL_SECTION;
        name->file = at ? at + 1 : path;
        return at && at[1] != '\0' && !strchr(at + 1, '/');
    }
    if (strncmp(path, "sectors/s", 9) == 0) {
        const char *at = pair(path + 9, '.', &name->x, &name->y);
        name->level = LEVEL_SECTOR;
        name->file = at ? at + 1 : path;
        return at && at[1] != '\0' && !strchr(at + 1, '/');
    }
    return path[0] != '\0' && !strchr(path, '/');
}

bool path_parse_map(const char *folder, int32_t *x, int32_t *y) {
    int32_t a, b;
    const char *at = folder[0] == 'x' ? number(folder + 1, &a) : NULL;
    if (!at || at[0] != '_' || at[1] != 'y' || !(at = number(at + 2, &b)) || *at != '\0')
        return false;
    *x = a;
    *y = b;
    return true;
}
