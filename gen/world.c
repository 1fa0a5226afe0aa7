#include "gen/world_build.h"

#include "biome/recipe.h"
#include "gen/geojson.h"

#include <stdlib.h>
#include <string.h>

void build_no_memory(struct world_build *b) {
    if (!b->no_memory)
        report_add(b->report, REPORT_ERROR, STATUS_LIMIT, NULL, 0, 0, "out of memory");
    b->no_memory = true;
}

char *build_copy(struct world_build *b, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        build_no_memory(b);
    return copy;
}

void *build_alloc(struct world_build *b, size_t count, size_t size) {
    void *at = calloc(count ? count : 1, size);
    if (!at)
        build_no_memory(b);
    return at;
}

static char *folder_of(struct world_build *b, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return build_copy(b, ".");
    size_t size = slash == path ? 1 : (size_t)(slash - path);
    char *dir = build_alloc(b, size + 1, 1);
    if (dir)
        memcpy(dir, path, size);
    return dir;
}

static const struct survey_settings survey_defaults = {
    .curvature_scale_m = 8,
    .horizon_radius_m = 96,
    .horizon_directions = 16,
    .far_radius_m = 2048,
    .distance_max_m = 64,
    .wind_from_deg = 270,
    .wind_scale_m = 64,
    .wind_slope_weight = 0.58,
    .wind_curvature_weight = 0.42,
    .wind_shelter_m = 100,
};

static const struct freshwater_settings freshwater_defaults = {
    .width_m = {8, 2, 1},
    .snap_m = 4,
    .mesh_m = 2,
    .fall_drop_m = 2.5,
    .max_cut_m = 25,
    .carve = true,
    .textures = {4, 5, 6},
};

/* Reads no further when the file is for another version of the format. */
static bool check_version(struct world_build *b) {
    int64_t version = 1;
    struct yaml_node *at = yaml_get(b->yaml, "terrane");
    if (!at) {
        yaml_complain(b->yaml, b->report, "'terrane: 1' is missing: the version of the format");
        return true;
    }
    if (!yaml_get_i64(b->yaml, "terrane", INT64_MIN, INT64_MAX, &version, b->report))
        return true;
    if (version != 1)
        yaml_complain(at, b->report, "this program reads version 1 of the format, not %lld",
                      (long long)version);
    return version == 1;
}

static void build_from_yaml(struct world_build *b) {
    build_roots(b);
    build_extent(b);
    build_height(b);
    build_masks(b);
    build_features(b);
    build_settings(b);
    yaml_unknown_keys(b->yaml, "", b->report);
}

bool build_apply_set(struct world_build *b, struct yaml_node *root, const char *path, const char *set) {
    struct error err;
    const char *equals = strchr(set, '=');
    char *key = build_copy(b, path);
    if (!key)
        return false;
    enum status status;
    if (equals && equals > path) {
        key[equals - path] = '\0';
        status = yaml_set(root, key, equals + 1, &err);
    } else {
        status = error_at(&err, STATUS_USAGE, "--set", 0, 0, "'%s' is not KEY=VALUE", set);
    }
    free(key);
    if (status != STATUS_OK)
        report_error(b->report, &err);
    return status == STATUS_OK;
}

const char *build_recipe_path(const struct world_build *b, const char *set) {
    const struct yaml_node *biomes = yaml_get(b->yaml, "biomes");
    bool in_file = biomes && biomes->kind == YAML_SCALAR;
    return in_file && strncmp(set, "biomes.", 7) == 0 ? set + 7 : NULL;
}

/* A recipe's key without its head: "factors.density=0.5" for "biomes.factors.density=0.5". */
static bool lacks_biomes(struct world_build *b, const char *set) {
    static const char *const keys[] = {"factors", "species", "competition",
                                       "stacks",  "tiers",   "default_biome"};
    size_t size = strcspn(set, ".[=");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i]) == size && strncmp(keys[i], set, size) == 0) {
            report_add(b->report, REPORT_ERROR, STATUS_USAGE, "--set", 0, 0,
                       "'%.*s' is a key of the recipe: did you mean 'biomes.%.80s'?", (int)size, set, set);
            return true;
        }
    return false;
}

static void apply_sets(struct world_build *b) {
    for (size_t i = 0; b->options && i < b->options->set_count; i++)
        if (!lacks_biomes(b, b->options->sets[i]) &&
            !build_recipe_path(b, b->options->sets[i])) /* those wait for the recipe to be read */
            build_apply_set(b, b->yaml, b->options->sets[i], b->options->sets[i]);
}

static struct world *new_world(struct world_build *b, const char *path, struct yaml_node *yaml,
                               struct report *report) {
    *b = (struct world_build){.yaml = yaml, .report = report};
    if (yaml->kind != YAML_MAP) {
        yaml_complain(yaml, report, "a world is a map of keys, not %s", yaml_kind_name(yaml));
        return NULL;
    }
    struct world *w = build_alloc(b, 1, sizeof *w);
    if (!w)
        return NULL;
    b->world = w;
    w->survey = survey_defaults;
    w->freshwater = freshwater_defaults;
    w->path = build_copy(b, path);
    w->dir = folder_of(b, path);
    if (!w->path || !w->dir) {
        world_free(w);
        return NULL;
    }
    return w;
}

void build_check_text(const char *text, size_t size, struct report *report) {
    struct yaml_node *yaml = yaml_parse("world.yaml", text, size, report);
    struct world_build b;
    struct world *w = yaml ? new_world(&b, "world.yaml", yaml, report) : NULL;
    if (w) {
        if (check_version(&b))
            build_from_yaml(&b);
        build_roots_free(&b);
    }
    world_free(w);
    yaml_tree_free(yaml);
}

struct world *world_load(const char *path, const struct world_options *options, struct report *report) {
    size_t errors = report->errors;
    struct yaml_node *yaml = yaml_read(path, report);
    if (!yaml)
        return NULL;
    struct world_build b;
    struct world *w = new_world(&b, path, yaml, report);
    if (w) {
        b.options = options;
        apply_sets(&b);
        bool version_good = check_version(&b);
        if (version_good)
            build_from_yaml(&b);
        if (version_good && !b.no_memory) {
            build_height_files(&b);
            build_mask_files(&b);
            build_feature_files(&b);
            build_check_water(&b);
            build_cliff_image_files(&b);
            build_check_cliffs(&b);
            build_check_sizes(&b);
        }
        if (report->errors == errors)
            build_check_layers(&b);
        build_roots_free(&b);
    }
    yaml_tree_free(yaml);
    if (report->errors == errors)
        return w;
    world_free(w);
    return NULL;
}

bool world_has_tool(const struct world *world, enum world_tool tool) {
    for (size_t i = 0; i < world->tool_count; i++)
        if (world->tools[i] == tool)
            return true;
    return false;
}

void world_free(struct world *world) {
    if (!world)
        return;
    build_source_free(&world->height.source);
    for (size_t i = 0; i < world->mask_count; i++) {
        for (size_t j = 0; j < world->masks[i].legend_count; j++)
            free(world->masks[i].legend[j].name);
        free(world->masks[i].legend);
        free(world->masks[i].legend_file);
        build_source_free(&world->masks[i].source);
    }
    for (size_t i = 0; i < world->noise_count; i++)
        free(world->noises[i].name);
    for (size_t i = 0; i < world->output.layer_count; i++)
        free(world->output.layers[i]);
    free(world->output.layers);
    build_cliff_images_free(&world->cliffs);
    features_free(world->splines);
    features_free(world->placed);
    recipe_free(world->recipe);
    free(world->masks);
    free(world->noises);
    free(world->store.dir);
    free(world->name);
    free(world->dir);
    free(world->path);
    free(world);
}
