#include "gen/recipe_reading.h"

#include <stdlib.h>
#include <string.h>

void recipe_stop(struct recipe_reading *r, const struct yaml_node *at, const char *why) {
    if (!r->stopped)
        report_add(r->loud, REPORT_ERROR, STATUS_LIMIT, at->file, at->line, at->column, "%s", why);
    r->stopped = true;
}

bool recipe_grow(struct recipe_reading *r, void **items, size_t *room, size_t count, size_t size) {
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 16;
    void *grown = realloc(*items, more * size);
    if (!grown) {
        if (!r->stopped)
            report_add(r->loud, REPORT_ERROR, STATUS_LIMIT, r->recipe->files[0], 0, 0, "out of memory");
        r->stopped = true;
        return false;
    }
    *items = grown;
    *room = more;
    return true;
}

int32_t recipe_file(struct recipe_reading *r, const struct yaml_node *node) {
    struct recipe *recipe = r->recipe;
    for (int32_t f = recipe->file_count; f-- > 0;)
        if (strcmp(recipe->files[f], node->file) == 0)
            return f;
    if (!recipe_grow(r, (void **)&recipe->files, &r->file_room, (size_t)recipe->file_count, sizeof(char *)))
        return 0;
    char *copy = strdup(node->file);
    if (!copy) {
        recipe_stop(r, node, "out of memory");
        return 0;
    }
    recipe->files[recipe->file_count] = copy;
    return recipe->file_count++;
}

void recipe_miss_named(struct recipe_reading *r, const struct yaml_node *at, const char *what,
                       const struct yaml_node *named, const char *name) {
    const char *near = yaml_near_key(named, name);
    if (near)
        yaml_complain(at, r->report, "unknown %s '%s': did you mean '%s'?", what, name, near);
    else
        yaml_complain(at, r->report, "unknown %s '%s': '%ss' has none of that name", what, name, what);
}
