#include "gen/world_build.h"

#include "biome/recipe.h"
#include "gen/graph.h"
#include "gen/outputs.h"

#include <string.h>

/* What `output.layers` names: can it be written, can it be made? */
static void check_named(struct world_build *b) {
    const struct output_settings *o = &b->world->output;
    const struct yaml_node *list = yaml_get(yaml_get(b->yaml, "output"), "layers");
    for (size_t i = 0; list && i < list->count && i < o->layer_count; i++) {
        struct error err;
        if (outputs_check_named(b->world, o->layers[i], &err) != STATUS_OK)
            yaml_complain(list->items[i], b->report, "%s", err.message);
        else if (graph_check(b->world, o->layers[i], &err) != STATUS_OK)
            yaml_complain(list->items[i], b->report, "output.layers: '%s' cannot be made: %s", o->layers[i],
                          err.message);
    }
}

/* The first step that reads a layer. */
static const struct recipe_step *reader_of(const struct recipe *recipe, int32_t layer) {
    static const struct recipe_step nowhere = {.layer = -1};
    for (int32_t s = 0; s < recipe->step_count; s++)
        if (recipe->steps[s].kind == STEP_LAYER && recipe->steps[s].layer == layer)
            return &recipe->steps[s];
    return &nowhere;
}

static bool is_said(const struct report *report, size_t from, const char *why) {
    for (size_t i = from; i < report->count; i++) {
        const char *said = strstr(report->items[i].message, ": ");
        if (said && strcmp(said + 2, why) == 0)
            return true;
    }
    return false;
}

/* Layers that cannot be made, one for each reason: where species read what depends on one, all of them
 * cannot. */
static void check_recipe(struct world_build *b) {
    const struct recipe *recipe = b->world->recipe;
    struct error err;
    size_t from = b->report->count;
    for (int32_t l = 0; recipe && l < recipe->layer_count; l++)
        if (graph_check(b->world, recipe->layers[l], &err) != STATUS_OK &&
            !is_said(b->report, from, err.message)) {
            const struct recipe_step *at = reader_of(recipe, l);
            report_add(b->report, REPORT_ERROR, STATUS_INPUT, recipe->files[at->file], at->line, at->column,
                       "layer '%s' cannot be made: %s", recipe->layers[l], err.message);
        }
}

static void check_outputs(struct world_build *b) {
    struct output_list list;
    struct error err;
    enum status status = outputs_list(b->world, &list, &err);
    for (size_t i = 0; status == STATUS_OK && i < list.count; i++)
        status = graph_check(b->world, list.items[i].layer, &err);
    if (status != STATUS_OK)
        report_error(b->report, &err);
    outputs_free(&list);
}

void build_check_layers(struct world_build *b) {
    size_t errors = b->report->errors;
    check_named(b);
    check_recipe(b);
    if (b->report->errors == errors)
        check_outputs(b);
}
