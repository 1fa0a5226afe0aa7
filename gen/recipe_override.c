#include "gen/recipe_override.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The keys that it lacks, "'biomes', 'priority'"; returns how many. */
static int list_missing(const struct yaml_node *map, char out[160]) {
    static const char *const needed[] = {"biomes",         "priority",           "viability",
                                         "density_per_ha", "viability_radius_m", "height_m"};
    int count = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!yaml_has(map, needed[i]) && (strcmp(needed[i], "height_m") != 0 || !yaml_has(map, "sizes"))) {
            size_t used = strlen(out);
            snprintf(out + used, 160 - used, "%s'%s'", count++ ? ", " : "", needed[i]);
        }
    return count;
}

/* A species that is whole and has a name much like it; NULL: none. */
static const char *suggest(const struct yaml_node *species, const char *name) {
    const char **names = calloc(species->count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; names && i < species->count; i++)
        if (yaml_has(species->items[i], "viability"))
            names[count++] = species->keys[i]->text;
    const char *near = names ? report_suggest(name, names, count) : NULL;
    free(names);
    return near;
}

enum { MISSING_MANY = 3 };

bool recipe_misspelt_override(struct recipe_reading *r, const struct yaml_node *species, size_t index) {
    const struct yaml_node *key = species->keys[index];
    char missing[160];
    bool by_set = strcmp(key->file, "--set") == 0;
    if ((!r->include && !by_set) || yaml_has(species->items[index], "viability") ||
        list_missing(species->items[index], missing) < MISSING_MANY)
        return false;
    const char *near = suggest(species, key->text), *what = by_set ? "" : "included ";
    if (near)
        yaml_complain(key, r->report, "no %sspecies '%s': did you mean '%s'?", what, key->text, near);
    else
        yaml_complain(key, r->report, "no %sspecies '%s'; to be a new one it needs %s", what, key->text,
                      missing);
    return true;
}

/* Whether another species has a key of that name: the line is indented too little. */
static bool is_key(const struct yaml_node *species, size_t index) {
    for (size_t i = 0; i < species->count; i++)
        if (i != index && yaml_has(species->items[i], species->keys[index]->text))
            return true;
    return false;
}

void recipe_refuse_species(struct recipe_reading *r, const struct yaml_node *species, size_t index) {
    const struct yaml_node *key = species->keys[index], *item = species->items[index];
    const char *near = suggest(species, key->text);
    if (!yaml_null(item) && is_key(species, index))
        yaml_complain(key, r->report, "'%s' is a key of species: indent it as the others of its species",
                      key->text);
    else if (!yaml_null(item))
        yaml_complain(item, r->report, "species '%s' must be a map of its keys, not %s", key->text,
                      yaml_kind_name(item));
    else if (near)
        yaml_complain(key, r->report, "species '%s' has no value: did you mean '%s'?", key->text, near);
    else
        yaml_complain(key, r->report,
                      "species '%s' has no value: it is a map of its keys, and ~ takes away what an included "
                      "recipe has, which this is not; for none of it: "
                      "`--set biomes.factors.species.%s.density=0`",
                      key->text, key->text);
}
