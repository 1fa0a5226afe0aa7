#include "gen/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void remember_asked(struct yaml_node *map, const char *key) {
    for (size_t i = 0; i < map->asked_count; i++)
        if (strcmp(map->asked[i], key) == 0)
            return;
    char **more = realloc(map->asked, (map->asked_count + 1) * sizeof *more);
    if (!more)
        return;
    map->asked = more;
    if ((more[map->asked_count] = strdup(key)))
        map->asked_count++;
}

struct yaml_node *yaml_get(struct yaml_node *map, const char *key) {
    if (!map || map->kind != YAML_MAP)
        return NULL;
    remember_asked(map, key);
    struct yaml_node *found = NULL;
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->keys[i]->text, key) == 0) { /* a duplicate is used too: it has its own message */
            map->used[i] = true;
            found = found ? found : map->items[i];
        }
    return found;
}

bool yaml_has(const struct yaml_node *map, const char *key) {
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++)
        if (strcmp(map->keys[i]->text, key) == 0)
            return true;
    return false;
}

const char *yaml_near_key(const struct yaml_node *map, const char *name) {
    size_t count = map && map->kind == YAML_MAP ? map->count : 0;
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = map->keys[i]->text;
    const char *near = names ? report_suggest(name, names, count) : NULL;
    free(names);
    return near;
}

static void list_asked(const struct yaml_node *map, char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < map->asked_count && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%s", i ? ", " : "", map->asked[i]);
}

/* Whether `name` stands in `key` as one or more of its words: "radius" in "viability_radius_m". */
static bool has_word(const char *key, const char *name) {
    size_t n = strlen(name);
    for (const char *at = strstr(key, name); n >= 3 && at; at = strstr(at + 1, name))
        if ((at == key || at[-1] == '_') && (at[n] == '\0' || at[n] == '_'))
            return true;
    return false;
}

/* "'a', 'b' or 'c'": the keys of which the name is a part, at most six. Returns how many there are. */
static size_t list_longer(const struct yaml_node *map, const char *name, char out[256]) {
    size_t all = 0, done = 0, used = 0;
    for (size_t i = 0; i < map->asked_count; i++)
        all += has_word(map->asked[i], name);
    out[0] = '\0';
    for (size_t i = 0; i < map->asked_count && done < 6 && used < 200; i++)
        if (has_word(map->asked[i], name)) {
            used += (size_t)snprintf(out + used, 256 - used, "%s'%s'",
                                     done == 0         ? ""
                                     : done + 1 == all ? " or "
                                                       : ", ",
                                     map->asked[i]);
            done++;
        }
    return all;
}

void yaml_unknown_keys(struct yaml_node *map, const char *what, struct report *report) {
    if (!map || map->kind != YAML_MAP)
        return;
    for (size_t i = 0; i < map->count; i++) {
        if (map->used[i])
            continue;
        const char *name = map->keys[i]->text;
        const char *in = what[0] ? " in " : "";
        const char *near = report_suggest(name, (const char *const *)map->asked, map->asked_count);
        char known[512], longer[256];
        if (list_longer(map, name, longer) > 1) {
            yaml_complain(map->keys[i], report, "unknown key '%s'%s%s: did you mean %s?", name, in, what,
                          longer);
        } else if (near || longer[0]) {
            char quoted[80];
            snprintf(quoted, sizeof quoted, "'%s'", near ? near : "");
            yaml_complain(map->keys[i], report, "unknown key '%s'%s%s: did you mean %s?", name, in, what,
                          near ? quoted : longer);
        } else {
            list_asked(map, known, sizeof known);
            yaml_complain(map->keys[i], report, "unknown key '%s'%s%s (known: %s)", name, in, what, known);
        }
    }
}
