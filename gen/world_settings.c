#include "gen/world_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const world_tool_names[TOOL_COUNT] = {"cliffs",     "freshwater", "roads", "fences",
                                                  "powerlines", "biomes",     "fog",   "worldmap"};

/* How far a stage may reach, in cells: terrain/horizon.h, terrain/relief.h hold more. */
enum { NEAR_CELLS_MAX = 1024, FAR_CELLS_MAX = 32768 };
const bool world_tool_built[TOOL_COUNT] = {
    [TOOL_BIOMES] = true, [TOOL_FRESHWATER] = true, [TOOL_CLIFFS] = true};

/* A radius that stages reach over: as many metres as allowed, and as many cells. */
static void read_radius(struct world_build *b, struct yaml_node *map, const char *key, double min_m,
                        double max_m, int32_t max_cells, double *out) {
    double most_m = max_cells * b->world->extent.cell_m;
    yaml_get_f64(map, key, min_m < most_m ? min_m : most_m, max_m < most_m ? max_m : most_m, "m", out,
                 b->report);
}

static void read_survey(struct world_build *b) {
    struct yaml_node *map = yaml_get_map(b->yaml, "survey", b->report);
    struct survey_settings *s = &b->world->survey;
    int64_t directions = s->horizon_directions;
    read_radius(b, map, "curvature_scale_m", 1, 64, NEAR_CELLS_MAX, &s->curvature_scale_m);
    read_radius(b, map, "horizon_radius_m", 8, 512, NEAR_CELLS_MAX, &s->horizon_radius_m);
    if (yaml_get_i64(map, "horizon_directions", 16, 32, &directions, b->report) && directions != 16 &&
        directions != 32)
        yaml_complain(yaml_get(map, "horizon_directions"), b->report,
                      "'horizon_directions' must be 16 or 32, not %d", (int)directions);
    s->horizon_directions = (int32_t)directions;
    read_radius(b, map, "far_radius_m", 0, 8192, FAR_CELLS_MAX, &s->far_radius_m);
    read_radius(b, map, "distance_max_m", 1, 512, NEAR_CELLS_MAX, &s->distance_max_m);
    yaml_unknown_keys(map, "survey", b->report);
}

static void read_wind(struct world_build *b) {
    struct yaml_node *wind = yaml_get_map(yaml_get(b->yaml, "world"), "wind", b->report);
    struct survey_settings *s = &b->world->survey;
    yaml_get_f64(wind, "from_deg", 0, 360, "degrees", &s->wind_from_deg, b->report);
    read_radius(b, wind, "scale_m", 8, 512, NEAR_CELLS_MAX, &s->wind_scale_m);
    yaml_get_f64(wind, "slope_weight", 0, 1, "", &s->wind_slope_weight, b->report);
    yaml_get_f64(wind, "curvature_weight", 0, 1, "", &s->wind_curvature_weight, b->report);
    read_radius(b, wind, "shelter_m", 0, 512, NEAR_CELLS_MAX, &s->wind_shelter_m);
    yaml_unknown_keys(wind, "world.wind", b->report);
}

static void read_store(struct world_build *b) {
    struct world *w = b->world;
    struct yaml_node *map = yaml_get_map(b->yaml, "store", b->report);
    const char *dir = ".terrane";
    w->store.limit_mib = 8192;
    yaml_get_f64(map, "limit_mib", 16, 1e9, "MiB", &w->store.limit_mib, b->report);
    yaml_get_text(map, "dir", &dir, b->report);
    w->store.dir = build_path(b, map ? map : b->yaml, dir);
    yaml_unknown_keys(map, "store", b->report);
}

static bool tool_on(const struct world *w, enum world_tool tool) {
    for (size_t i = 0; i < w->tool_count; i++)
        if (w->tools[i] == tool)
            return true;
    return false;
}

/* A tool by its name. What is none is told of those that this version has. */
static bool read_tool(struct world_build *b, const struct yaml_node *at, const char *name, int32_t *tool) {
    const char *built[TOOL_COUNT];
    int32_t tools[TOOL_COUNT], at_built;
    size_t count = 0;
    for (int32_t t = 0; t < TOOL_COUNT; t++) {
        *tool = t;
        if (!world_tool_built[t] && at->kind == YAML_SCALAR && strcmp(at->text, world_tool_names[t]) == 0)
            return true;
        if (world_tool_built[t]) {
            tools[count] = t;
            built[count++] = world_tool_names[t];
        }
    }
    if (!yaml_as_enum(at, name, built, count, &at_built, b->report))
        return false;
    *tool = tools[at_built];
    return true;
}

static void read_tool_list(struct world_build *b, const struct yaml_node *list) {
    struct world *w = b->world;
    bool seen[TOOL_COUNT] = {false};
    for (size_t i = 0; i < list->count; i++) {
        char name[32];
        int32_t tool;
        snprintf(name, sizeof name, "tools[%zu]", i);
        if (!read_tool(b, list->items[i], name, &tool))
            continue;
        if (seen[tool])
            yaml_complain(list->items[i], b->report, "tool '%s' is named twice", world_tool_names[tool]);
        else if (!world_tool_built[tool])
            yaml_warn(list->items[i], b->report, "tool '%s' is not in this version: skipped",
                      world_tool_names[tool]);
        else
            w->tools[w->tool_count++] = (enum world_tool)tool;
        seen[tool] = true;
    }
}

static void read_tools(struct world_build *b) {
    struct world *w = b->world;
    bool written = yaml_get(b->yaml, "tools") != NULL;
    const struct yaml_node *recipe = yaml_get(b->yaml, "biomes");
    const struct yaml_node *list = yaml_get_list(b->yaml, "tools", b->report);
    if (list)
        read_tool_list(b, list);
    else if (!written && recipe)
        w->tools[w->tool_count++] = TOOL_BIOMES;
    if (tool_on(w, TOOL_BIOMES) && !recipe)
        yaml_complain(list, b->report, "tool 'biomes' needs a recipe: biomes: FILE");
    if (!tool_on(w, TOOL_BIOMES) && recipe && list)
        yaml_warn(recipe, b->report, "the recipe is not used: 'biomes' is not among the tools");
    for (int t = 0; t < TOOL_COUNT; t++) {
        const struct yaml_node *settings =
            world_tool_built[t] ? NULL : yaml_get(b->yaml, world_tool_names[t]);
        if (settings)
            yaml_complain(settings, b->report, "tool '%s' is not in this version: it takes no settings",
                          world_tool_names[t]);
    }
}

void build_settings(struct world_build *b) {
    read_survey(b);
    read_wind(b);
    build_noises(b);
    read_store(b);
    read_tools(b);
    build_freshwater(b);
    build_cliffs(b);
}
