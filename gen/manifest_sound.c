/* What a manifest may say of an output: a damaged or made-up one must lead nobody out of its folder, nor
 * beyond the range of sums. */
#include "gen/manifest.h"

#include "gen/paths.h"
#include <stdio.h>
#include <string.h>

static const json_int_t NUMBER_MAX = (json_int_t)1 << 40, PLACE_MAX = 1 << 30;

/* Every whole number in a value is at most `most`, either sign. */
static bool numbers_within(json_t *value, json_int_t most) {
    if (json_is_integer(value))
        return json_integer_value(value) <= most && json_integer_value(value) >= -most;
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!numbers_within(json_array_get(value, i), most))
            return false;
    const char *key;
    json_t *inner;
    json_object_foreach(value, key, inner) {
        bool place = strcmp(key, "origin") == 0 || strcmp(key, "clamped_at") == 0;
        if (!numbers_within(inner, place ? PLACE_MAX : most))
            return false;
    }
    return true;
}

bool manifest_sound(const char *path, json_t *entry, char why[MANIFEST_WHY_MAX]) {
    struct path_name name;
    if (!path_parse(path, &name) || name.file[0] == '.' || strchr(path, '\\')) {
        snprintf(why, MANIFEST_WHY_MAX, "names an output '%.80s', which is none of a map's", path);
        return false;
    }
    if (!json_is_object(entry)) {
        snprintf(why, MANIFEST_WHY_MAX, "says nothing of the output '%.80s'", path);
        return false;
    }
    if (!numbers_within(entry, NUMBER_MAX)) {
        snprintf(why, MANIFEST_WHY_MAX, "gives the output '%.80s' a number out of any range", path);
        return false;
    }
    return true;
}
