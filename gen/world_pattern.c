#include "gen/world_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "{x}", "{y}", "{x:02}": how long it is, which coordinate, how wide. 0: none of these. */
static size_t placeholder(const char *at, char *axis, int *width) {
    if (at[0] != '{' || (at[1] != 'x' && at[1] != 'y'))
        return 0;
    *axis = at[1];
    *width = 0;
    if (at[2] == '}')
        return 3;
    if (at[2] == ':' && at[3] == '0' && at[4] >= '1' && at[4] <= '9' && at[5] == '}') {
        *width = at[4] - '0';
        return 6;
    }
    return 0;
}

int build_pattern_check(const char *pattern, const char **why) {
    bool has_x = false, has_y = false, braces = false;
    for (const char *at = pattern; *at;) {
        char axis;
        int width;
        size_t n = placeholder(at, &axis, &width);
        if (n == 0 && (*at == '{' || *at == '}')) {
            *why = "braces hold a map's number: {x} and {y}, or {x:02} and {y:02} with zeros in front";
            return -1;
        }
        if (n > 0) {
            braces = true;
            has_x = has_x || axis == 'x';
            has_y = has_y || axis == 'y';
        }
        at += n ? n : 1;
    }
    if (braces && !(has_x && has_y)) {
        *why = "a file for each map needs {x} and {y}";
        return -1;
    }
    return braces ? 1 : 0;
}

char *build_tile_name(const char *pattern, int32_t x, int32_t y) {
    size_t room = strlen(pattern) + 1;
    for (const char *at = pattern; *at; at++)
        room += *at == '{' ? 12u : 0u;
    char *name = malloc(room);
    if (!name)
        return NULL;
    size_t used = 0;
    for (const char *at = pattern; *at;) {
        char axis;
        int width;
        size_t n = placeholder(at, &axis, &width);
        if (n == 0) {
            name[used++] = *at++;
            continue;
        }
        used +=
            (size_t)snprintf(name + used, room - used, "%0*d", width ? width : 1, (int)(axis == 'x' ? x : y));
        at += n;
    }
    name[used] = '\0';
    return name;
}

/* A whole number with any zeros in front; how long it is, 0: none. */
static size_t number_at(const char *at, int32_t *out) {
    bool negative = at[0] == '-';
    size_t n = negative, first = n;
    int64_t value = 0;
    while (at[n] >= '0' && at[n] <= '9' && value < INT32_MAX / 10)
        value = value * 10 + (at[n++] - '0');
    if (n == first)
        return 0;
    *out = (int32_t)(negative ? -value : value);
    return n;
}

bool build_pattern_match(const char *pattern, const char *name, int32_t *x, int32_t *y) {
    bool has_x = false, has_y = false;
    while (*pattern) {
        char axis;
        int width;
        size_t n = placeholder(pattern, &axis, &width);
        if (n == 0) {
            if (*pattern++ != *name++)
                return false;
            continue;
        }
        int32_t value;
        size_t digits = number_at(name, &value);
        bool *seen = axis == 'x' ? &has_x : &has_y;
        int32_t *out = axis == 'x' ? x : y;
        if (digits == 0 || (*seen && *out != value))
            return false;
        *seen = true;
        *out = value;
        name += digits;
        pattern += n;
    }
    return *name == '\0' && has_x && has_y;
}
