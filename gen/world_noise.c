/* Noises: what `noise:` of world.yaml and of the recipe define. The world's fields lie over the recipe's, so
 * that a recipe brings what it reads and a world changes what it wants. */
#include "gen/world_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* terrain/noise.h */
static const double noise_cells_max = 1 << 20;

static void read_noise(struct world_build *b, struct yaml_node *map, struct noise_def *n) {
    char what[96];
    int64_t octaves = n->octaves, seed = 0;
    double cell_m = b->world->extent.cell_m, most_m = noise_cells_max * cell_m;
    snprintf(what, sizeof what, "noise.%s", n->name);
    yaml_get_f64(map, "scale_m", 0.5 * cell_m, most_m, "m", &n->scale_m, b->report);
    yaml_get_i64(map, "octaves", 1, 12, &octaves, b->report);
    yaml_get_f64(map, "gain", 0, 1, "", &n->gain, b->report);
    yaml_get_f64(map, "lacunarity", 1, 8, "", &n->lacunarity, b->report);
    yaml_get_f64_list(map, "offset_m", 2, -most_m, most_m, "m", n->offset_m, b->report);
    yaml_get_i64(map, "seed", 0, INT64_MAX, &seed, b->report);
    yaml_get_f64(map, "normal_influence", 0, 1000, "m", &n->normal_influence, b->report);
    n->octaves = (int32_t)octaves;
    n->seed = (uint64_t)seed;
    yaml_unknown_keys(map, what, b->report);
}

/* The noise of that name, a new one with the defaults where there was none. NULL: no memory. */
static struct noise_def *noise_named(struct world_build *b, const char *name) {
    struct world *w = b->world;
    for (size_t i = 0; i < w->noise_count; i++)
        if (strcmp(w->noises[i].name, name) == 0)
            return &w->noises[i];
    char *copy = build_copy(b, name);
    if (!copy)
        return NULL;
    struct noise_def *n = &w->noises[w->noise_count++];
    *n = (struct noise_def){.name = copy, .scale_m = 32, .octaves = 4, .gain = 0.5, .lacunarity = 2};
    return n;
}

/* `noise:` of a world or a recipe. The list has room for it. */
static void read_map(struct world_build *b, struct yaml_node *map) {
    for (size_t i = 0; map && i < map->count; i++) {
        const char *name = map->keys[i]->text;
        if (!build_name_good(name)) {
            yaml_complain(map->keys[i], b->report,
                          "noise '%s' must be named with letters, digits and _, a letter first", name);
            continue;
        }
        struct yaml_node *def = yaml_null(map->items[i]) ? NULL : yaml_get_map(map, name, b->report);
        struct noise_def *n = noise_named(b, name);
        if (!n)
            return;
        if (def)
            read_noise(b, def, n);
    }
}

void build_noises(struct world_build *b) {
    struct yaml_node *map = yaml_get_map(b->yaml, "noise", b->report);
    if (map && (b->world->noises = build_alloc(b, map->count, sizeof *b->world->noises)))
        read_map(b, map);
}

void build_recipe_noises(struct world_build *b, struct yaml_node *recipe) {
    struct world *w = b->world;
    struct yaml_node *own = yaml_get(b->yaml, "noise"), *map = yaml_get_map(recipe, "noise", b->report);
    struct report *loud = b->report, said = {0};
    size_t room = (map ? map->count : 0) + (own && own->kind == YAML_MAP ? own->count : 0);
    if (!map)
        return;
    for (size_t i = 0; i < w->noise_count; i++)
        free(w->noises[i].name);
    free(w->noises);
    w->noise_count = 0;
    w->noises = build_alloc(b, room, sizeof *w->noises);
    if (!w->noises)
        return;
    read_map(b, map);
    b->report = &said; /* what is wrong with the world's was told when it was read */
    if (own && own->kind == YAML_MAP)
        read_map(b, own);
    b->report = loud;
    report_free(&said);
}
