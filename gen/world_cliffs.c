/* The settings of cliffs. */
#include "gen/world_build.h"

#include "gen/hex_color.h"

#include <stdio.h>
#include <string.h>

static const char *const lattices[] = {"default", "fine"};
static const struct cliff_settings defaults = {
    .min_slope_deg = 48,
    .min_patch_m2 = 40,
    .error_m = 0.12,
    .max_triangles = 20000,
    .max_kib = 1024,
    .collision_m = 0.6,
    .presets = {{"level", 3, 110}, {"gentle", 10, 110}, {"tilted", 24, 140}, {"steep", 50, 200}},
    .preset_count = CLIFF_PRESETS,
    .textures = {7, 8, 9},
};

/* They are 8 of a vertex's 32 bytes, where the triangles' three numbers come on top. */
enum { MAX_KIB_WITH_ATTRIBUTES = 1280 };

static const struct world_mask *mask_named(const struct world *w, const char *name) {
    for (size_t i = 0; i < w->mask_count; i++)
        if (strcmp(w->masks[i].source.name, name) == 0)
            return &w->masks[i];
    return NULL;
}

/* exclude: and include: name masks; without it a mask that is called `usual` counts. */
static void read_mask(struct world_build *b, struct yaml_node *map, const char *key, const char *usual,
                      char out[64]) {
    const char *name = NULL;
    if (map && yaml_get_text(map, key, &name, b->report)) {
        if (!mask_named(b->world, name)) {
            yaml_complain(yaml_get(map, key), b->report, "cliffs.%s: there is no mask '%s'", key, name);
            return;
        }
    } else if (mask_named(b->world, usual)) {
        name = usual;
    }
    snprintf(out, 64, "%s", name ? name : "");
}

static void read_presets(struct world_build *b, struct yaml_node *map) {
    struct cliff_settings *s = &b->world->cliffs;
    struct yaml_node *presets = map ? yaml_get_map(map, "strata", b->report) : NULL;
    if (!presets)
        return;
    if (presets->count == 0 || presets->count > CLIFF_PRESETS) {
        yaml_complain(presets, b->report, "cliffs.strata has 1 to %d presets, not %zu", CLIFF_PRESETS,
                      presets->count);
        return;
    }
    s->preset_count = presets->count;
    for (size_t i = 0; i < presets->count; i++) {
        const char *name = presets->keys[i]->text;
        char what[96];
        if (!build_name_good(name) || strlen(name) >= sizeof s->presets[i].name) {
            yaml_complain(presets->keys[i], b->report,
                          "preset '%s' must be named with letters, digits and _, a letter first", name);
            continue;
        }
        struct cliff_preset *p = &s->presets[i];
        *p = (struct cliff_preset){.direction_deg = 110};
        snprintf(p->name, sizeof p->name, "%s", name);
        snprintf(what, sizeof what, "cliffs.strata.%s", name);
        struct yaml_node *one = yaml_get_map(presets, name, b->report);
        yaml_get_f64(one, "dip_deg", 0, 75, "degrees", &p->dip_deg, b->report);
        yaml_get_f64(one, "direction_deg", 0, 360, "degrees", &p->direction_deg, b->report);
        yaml_unknown_keys(one, what, b->report);
    }
}

/* What is more or less there, not one of several. */
static void grey_only(struct world_build *b, const char *key, const char *name) {
    const struct world_mask *mask = name[0] ? mask_named(b->world, name) : NULL;
    if (mask && mask->legend_count > 0)
        report_add(b->report, REPORT_ERROR, STATUS_INPUT, mask->source.yaml_file, mask->source.line,
                   mask->source.column, "cliffs.%s: the mask '%s' must be grey, without a legend", key, name);
}

/* The mask `strata`: its legend's names are presets, and code k stands for the preset of that name. */
void build_check_cliffs(struct world_build *b) {
    struct cliff_settings *s = &b->world->cliffs;
    if (world_has_tool(b->world, TOOL_CLIFFS)) {
        grey_only(b, "exclude", s->exclude);
        grey_only(b, "include", s->include);
    }
    const struct world_mask *mask = mask_named(b->world, "strata");
    if (!mask || !world_has_tool(b->world, TOOL_CLIFFS))
        return;
    if (mask->legend_count == 0)
        report_add(b->report, REPORT_ERROR, STATUS_INPUT, mask->source.yaml_file, mask->source.line,
                   mask->source.column,
                   "the mask 'strata' needs a legend that names presets of cliffs.strata");
    const char *names[CLIFF_PRESETS];
    for (size_t p = 0; p < s->preset_count; p++)
        names[p] = s->presets[p].name;
    for (size_t i = 0; i < mask->legend_count; i++) {
        const char *name = mask->legend[i].name;
        bool known = false;
        for (size_t p = 0; p < s->preset_count; p++)
            known |= mask->legend[i].unpainted || strcmp(name, names[p]) == 0;
        if (known)
            continue;
        const char *near = report_suggest(name, names, s->preset_count);
        report_add(b->report, REPORT_ERROR, STATUS_INPUT, mask->source.yaml_file, mask->source.line,
                   mask->source.column,
                   "the mask 'strata' paints '%s', which is no preset of cliffs.strata%s%s%s", name,
                   near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
}

static void read_ramp(struct world_build *b, struct yaml_node *map) {
    static const char *const kinds[CLIFF_KINDS] = {"massive", "bedded", "shaly"};
    struct cliff_ramp *ramp = &b->world->cliffs.ramp;
    struct yaml_node *all = map ? yaml_get_map(map, "ramp", b->report) : NULL;
    for (int32_t k = 0; all && k < CLIFF_KINDS; k++) {
        struct yaml_node *list = yaml_get_list(all, kinds[k], b->report);
        if (list && (list->count == 0 || list->count > CLIFF_RAMP_MAX))
            yaml_complain(list, b->report, "cliffs.ramp.%s has 1 to %d colours, not %zu", kinds[k],
                          CLIFF_RAMP_MAX, list->count);
        else if (list)
            ramp->count[k] = (int32_t)list->count;
        for (size_t i = 0; list && i < list->count && i < CLIFF_RAMP_MAX; i++)
            if (!hex_color(list->items[i]->kind == YAML_SCALAR ? list->items[i]->text : "", ramp->rgb[k][i]))
                yaml_complain(list->items[i], b->report,
                              "cliffs.ramp.%s[%zu] must be a colour like \"#a8a296\" (in quotes: # begins a "
                              "comment)",
                              kinds[k], i);
    }
    int64_t variation = ramp->variation;
    if (all && yaml_get_i64(all, "variation", 0, 64, &variation, b->report))
        ramp->variation = (int32_t)variation;
    int64_t weathering = ramp->weathering;
    if (all && yaml_get_i64(all, "weathering", 0, 64, &weathering, b->report))
        ramp->weathering = (int32_t)weathering;
    yaml_unknown_keys(all, "cliffs.ramp", b->report);
}

void build_cliffs(struct world_build *b) {
    struct cliff_settings *s = &b->world->cliffs;
    struct yaml_node *map = yaml_get_map(b->yaml, "cliffs", b->report);
    bool on = world_has_tool(b->world, TOOL_CLIFFS);
    double cell_m = b->world->extent.cell_m;
    int32_t lattice = 0;
    *s = defaults;
    s->ramp = cliff_ramp_default;
    if (map && !on)
        yaml_warn(map, b->report, "'cliffs' is not among the tools: its settings are not used");
    yaml_get_f64(map, "min_slope_deg", 20, 85, "degrees", &s->min_slope_deg, b->report);
    yaml_get_f64(map, "min_patch_m2", 0, 256 * cell_m * cell_m, "m2", &s->min_patch_m2, b->report);
    if (yaml_get_enum(map, "lattice", lattices, 2, &lattice, b->report))
        s->fine = lattice == 1;
    yaml_get_f64(map, "error_m", 0, 4, "m", &s->error_m, b->report);
    yaml_get_f64(map, "collision_m", 0.05, 4, "m", &s->collision_m, b->report);
    yaml_get_i64(map, "max_triangles", 100, 10000000, &s->max_triangles, b->report);
    yaml_get_f64(map, "softness_m", 0, 16, "m", &s->softness_m, b->report);
    yaml_get_bool(map, "attributes", &s->attributes, b->report);
    s->max_kib = s->attributes ? MAX_KIB_WITH_ATTRIBUTES : defaults.max_kib;
    yaml_get_i64(map, "max_kib", 1, 1000000, &s->max_kib, b->report);
    build_cliff_images(b, map);
    read_ramp(b, map);
    read_mask(b, map, "exclude", "no_cliffs", s->exclude);
    read_mask(b, map, "include", "make_cliffs", s->include);
    read_presets(b, map);
    struct yaml_node *textures = yaml_get_map(map, "textures", b->report);
    yaml_get_i64(textures, "rock", 0, 255, &s->textures[0], b->report);
    yaml_get_i64(textures, "rock_other", 0, 255, &s->textures[1], b->report);
    yaml_get_i64(textures, "eroded", 0, 255, &s->textures[2], b->report);
    yaml_unknown_keys(textures, "cliffs.textures", b->report);
    s->has_strata = mask_named(b->world, "strata") != NULL;
    if (on && cell_m > 4) {
        struct yaml_node *grid = yaml_get(b->yaml, "grid"), *cell = grid ? yaml_get(grid, "cell_m") : NULL;
        yaml_complain(cell ? cell : b->yaml, b->report, "tool 'cliffs' needs cells of 4 m or less, not %g m",
                      cell_m);
    }
    yaml_unknown_keys(map, "cliffs", b->report);
}
