#include "gen/recipe_factors.h"

#include <stdlib.h>
#include <string.h>

struct factors {
    float density, size;
};

static struct factors read_pair(struct recipe_reading *r, struct yaml_node *map) {
    double density = 1, size = 1;
    yaml_get_f64(map, "density", 0.0, 10.0, "", &density, r->report);
    yaml_get_f64(map, "size", 0.1, 10.0, "", &size, r->report);
    return (struct factors){(float)density, (float)size};
}

static void put(const struct factors *f, float *density, float *size) {
    *density *= f->density;
    *size *= f->size;
}

enum group { OF_BIOMES, OF_KINDS, OF_SPECIES, GROUPS };
static const char *const group_names[GROUPS] = {"biomes", "kinds", "species"};
static const char *const one_of[GROUPS] = {"biome", "kind", "species"};

/* A main biome's factors are its zones' too. Returns whether anything has that name. */
static bool apply(struct recipe *recipe, enum group group, const char *name, const struct factors *f) {
    bool found = false;
    for (int32_t b = 0; group == OF_BIOMES && b < recipe->biome_count; b++) {
        struct recipe_biome *biome = &recipe->biomes[b];
        if (strcmp(biome->name, name) != 0 &&
            (biome->parent < 0 || strcmp(recipe->biomes[biome->parent].name, name) != 0))
            continue;
        put(f, &biome->density_factor, &biome->size_factor);
        found = true;
    }
    for (int32_t i = 0; group != OF_BIOMES && i < recipe->species_count; i++) {
        struct recipe_species *s = &recipe->species[i];
        if (strcmp(group == OF_KINDS ? s->kind : s->name, name) != 0)
            continue;
        put(f, &s->density_factor, &s->size_factor);
        found = true;
    }
    return found;
}

static void complain(struct recipe_reading *r, const struct yaml_node *key, enum group group) {
    const struct recipe *recipe = r->recipe;
    size_t count = (size_t)(group == OF_BIOMES ? recipe->biome_count : recipe->species_count);
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = group == OF_BIOMES  ? recipe->biomes[i].name
                   : group == OF_KINDS ? recipe->species[i].kind
                                       : recipe->species[i].name;
    const char *near = names ? report_suggest(key->text, names, count) : NULL;
    yaml_complain(key, r->report, "'factors': there is no %s '%s'%s%s%s", one_of[group], key->text,
                  near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    free(names);
}

void recipe_read_factors(struct recipe_reading *r, struct yaml_node *root) {
    struct yaml_node *map = yaml_get_map(root, "factors", r->report);
    struct factors all = read_pair(r, map);
    for (int32_t i = 0; i < r->recipe->species_count; i++)
        put(&all, &r->recipe->species[i].density_factor, &r->recipe->species[i].size_factor);
    for (int g = 0; g < GROUPS; g++) {
        struct yaml_node *group = yaml_get_map(map, group_names[g], r->report);
        for (size_t i = 0; group && i < group->count; i++) {
            struct yaml_node *key = group->keys[i], *pair = group->items[i];
            yaml_get(group, key->text);
            if (pair->kind != YAML_MAP) {
                yaml_complain(pair, r->report, "factors of '%s' are a map, as in {density: 0.8, size: 1.1}",
                              key->text);
                continue;
            }
            struct factors f = read_pair(r, pair);
            yaml_unknown_keys(pair, "factors", r->report);
            if (!apply(r->recipe, (enum group)g, key->text, &f))
                complain(r, key, (enum group)g);
        }
    }
    yaml_unknown_keys(map, "'factors'", r->report);
}
