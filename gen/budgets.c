#include "gen/budgets.h"

#include <stdio.h>
#include <string.h>

int32_t budgets_broken(const struct world *world, const char *path, const json_t *entry,
                       char text[BUDGET_TEXT_MAX], json_t *warnings) {
    const char *name = json_string_value(json_object_get(entry, "name"));
    if (!name || strcmp(name, "cliff_glb") != 0)
        return 0;
    const struct cliff_settings *s = &world->cliffs;
    json_int_t bytes = json_integer_value(json_object_get(entry, "bytes"));
    const struct {
        const char *what, *budget;
        json_int_t is, most;
    } budgets[] = {{"triangles", "cliffs.max_triangles",
                    json_integer_value(json_object_get(json_object_get(entry, "triangles"), "cliff")),
                    s->max_triangles},
                   {"KiB", "cliffs.max_kib", (bytes + 1023) / 1024, s->max_kib}};
    int32_t broken = 0;
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        if (budgets[i].is <= budgets[i].most)
            continue;
        char line[BUDGET_TEXT_MAX];
        snprintf(
            line, sizeof line, "%s: %lld %s are more than %s (%lld)%s", path, (long long)budgets[i].is,
            budgets[i].what, budgets[i].budget, (long long)budgets[i].most,
            i == 0
                ? "; borders between sectors, which must join, and places that would tear are not simplified"
                : "");
        if (broken++ == 0 && text)
            memcpy(text, line, sizeof line);
        if (warnings)
            json_array_append_new(warnings, json_string(line));
    }
    return broken;
}
