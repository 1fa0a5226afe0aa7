#include "gen/world_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool build_name_good(const char *name) {
    if (!is_letter(name[0]))
        return false;
    size_t n = 1;
    while (is_letter(name[n]) || is_digit(name[n]) || name[n] == '_')
        n++;
    return name[n] == '\0' && n <= 60;
}

static const char *environment_root(const char *name) {
    char variable[96];
    size_t used = (size_t)snprintf(variable, sizeof variable, "TERRANE_ROOT_%s", name);
    for (char *at = variable; used < sizeof variable && *at; at++)
        if (*at >= 'a' && *at <= 'z')
            *at = (char)(*at - 'a' + 'A');
    const char *value = used < sizeof variable ? getenv(variable) : NULL;
    return value && value[0] ? value : NULL;
}

static char *in_folder(struct world_build *b, const char *folder, const char *rest) {
    size_t size = strlen(folder) + strlen(rest) + 2;
    char *path = build_alloc(b, size, 1);
    if (path)
        snprintf(path, size, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", rest);
    return path;
}

/* Relative paths start at the world's folder. */
static char *from_world(struct world_build *b, const char *path) {
    return path[0] == '/' || strcmp(b->world->dir, ".") == 0 ? build_copy(b, path)
                                                             : in_folder(b, b->world->dir, path);
}

static bool add_root(struct world_build *b, const char *name, char *path) {
    struct named_root *more = path ? realloc(b->roots, (b->root_count + 1) * sizeof *more) : NULL;
    char *copy = more ? build_copy(b, name) : NULL;
    if (more)
        b->roots = more;
    if (!copy) {
        if (path && !more)
            build_no_memory(b);
        free(path);
        return false;
    }
    b->roots[b->root_count++] = (struct named_root){copy, path};
    return true;
}

void build_roots(struct world_build *b) {
    struct yaml_node *roots = yaml_get_map(b->yaml, "roots", b->report);
    for (size_t i = 0; roots && i < roots->count; i++) {
        const struct yaml_node *key = roots->keys[i];
        const char *path;
        if (!build_name_good(key->text) || !key->text[1]) {
            yaml_complain(key, b->report,
                          "root '%s' must be two or more letters, digits and _, a letter first", key->text);
            continue;
        }
        if (!yaml_as_text(roots->items[i], key->text, &path, b->report))
            continue;
        const char *set = environment_root(key->text);
        bool by_option = strcmp(roots->items[i]->file, "--set") == 0;
        add_root(b, key->text, from_world(b, set && !by_option ? set : path));
    }
}

void build_roots_free(struct world_build *b) {
    for (size_t i = 0; i < b->root_count; i++) {
        free(b->roots[i].name);
        free(b->roots[i].path);
    }
    free(b->roots);
    b->roots = NULL;
    b->root_count = 0;
}

/* The length of "art" in "art:heights/a.png"; 0 when the path has no root. One letter is a drive. */
static size_t root_length(const char *path) {
    size_t n = 0;
    while (is_letter(path[n]) || is_digit(path[n]) || path[n] == '_')
        n++;
    return n >= 2 && n <= 60 && path[n] == ':' ? n : 0;
}

static const char *find_root(struct world_build *b, const char *name) {
    for (size_t i = 0; i < b->root_count; i++)
        if (strcmp(b->roots[i].name, name) == 0)
            return b->roots[i].path;
    const char *set = environment_root(name);
    if (!set || !add_root(b, name, from_world(b, set)))
        return NULL;
    return b->roots[b->root_count - 1].path;
}

static void unknown_root(struct world_build *b, const struct yaml_node *at, const char *name) {
    const char **names = build_alloc(b, b->root_count, sizeof *names);
    if (!names)
        return;
    for (size_t i = 0; i < b->root_count; i++)
        names[i] = b->roots[i].name;
    const char *near = report_suggest(name, names, b->root_count);
    if (near)
        yaml_complain(at, b->report, "no root is named '%s': did you mean '%s'?", name, near);
    else
        yaml_complain(at, b->report, "no root is named '%s': add it under 'roots'", name);
    free(names);
}

char *build_path_beside(struct world_build *b, const struct yaml_node *at, const char *folder,
                        const char *written) {
    bool relative = root_length(written) == 0 && written[0] != '/' && strcmp(folder, ".") != 0;
    return relative ? in_folder(b, folder, written) : build_path(b, at, written);
}

char *build_path(struct world_build *b, const struct yaml_node *at, const char *written) {
    size_t n = root_length(written);
    if (n == 0)
        return from_world(b, written);
    char name[64];
    memcpy(name, written, n);
    name[n] = '\0';
    const char *folder = find_root(b, name);
    if (!folder) {
        if (!b->no_memory)
            unknown_root(b, at, name);
        return NULL;
    }
    return in_folder(b, folder, written + n + 1);
}
