#include "gen/mask_use.h"

#include "biome/recipe.h"
#include "gen/graph.h"
#include "gen/outputs.h"
#include "gen/stages_source.h"

#include <string.h>

/* Masks that the program looks for by name, and whose tool does. */
static const struct usual_mask {
    const char *name;
    enum world_tool tool;
} usual_masks[] = {{"biome_paint", TOOL_BIOMES},
                   {"no_cliffs", TOOL_CLIFFS},
                   {"make_cliffs", TOOL_CLIFFS},
                   {"strata", TOOL_CLIFFS}};
enum { USUAL_MASKS = sizeof usual_masks / sizeof *usual_masks };

static bool is_read(const struct graph *graph, const char *mask) {
    for (int32_t i = 0; i < graph->instance_count; i++)
        if (graph->instances[i].stage == &stage_mask && strcmp(graph->instances[i].arg, mask) == 0)
            return true;
    return false;
}

static void tell(const struct world *world, const struct source *mask, struct report *report) {
    const char *names[USUAL_MASKS];
    size_t count = 0;
    for (size_t i = 0; i < USUAL_MASKS; i++) {
        const struct usual_mask *usual = &usual_masks[i];
        if (strcmp(usual->name, mask->name) == 0 && !world_has_tool(world, usual->tool)) {
            report_add(report, REPORT_NOTE, STATUS_INPUT, mask->yaml_file, mask->line, mask->column,
                       "mask '%s' changes nothing: '%s' is not among the tools", mask->name,
                       world_tool_names[usual->tool]);
            return;
        }
        if (!world_find_mask(world, usual->name))
            names[count++] = usual->name;
    }
    const char *near = report_suggest(mask->name, names, count);
    report_add(report, REPORT_WARNING, STATUS_INPUT, mask->yaml_file, mask->line, mask->column,
               "mask '%s' changes nothing: %s%s%s", mask->name,
               near ? "did you mean '" : "no tool, recipe or output reads it", near ? near : "",
               near ? "'?" : "");
}

/* All that a bake makes, by the layers that it is made from. */
static enum status see_all(const struct world *world, struct graph *graph, struct error *err) {
    struct output_list list;
    enum status status = outputs_list(world, &list, err);
    for (size_t i = 0; status == STATUS_OK && i < list.count; i++)
        status = graph_check(graph, list.items[i].layer, err);
    for (int32_t l = 0; world->recipe && l < world->recipe->layer_count && status == STATUS_OK; l++)
        status = graph_check(graph, world->recipe->layers[l], err);
    outputs_free(&list);
    return status;
}

void mask_use_check(const struct world *world, struct report *report) {
    struct graph graph = {.world = world};
    struct error err;
    bool seen = see_all(world, &graph, &err) == STATUS_OK;
    for (size_t i = 0; seen && i < world->mask_count; i++)
        if (!is_read(&graph, world->masks[i].source.name))
            tell(world, &world->masks[i].source, report);
    graph_free(&graph);
}
