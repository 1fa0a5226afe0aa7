#include "gen/world_build.h"

#include "biome/recipe.h"
#include "gen/graph.h"
#include "gen/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `output.layers` names: can it be written, can it be made? */
static void check_named(struct world_build *b, struct graph *graph) {
    const struct output_settings *o = &b->world->output;
    const struct yaml_node *list = yaml_get(yaml_get(b->yaml, "output"), "layers");
    for (size_t i = 0; list && i < list->count && i < o->layer_count; i++) {
        struct error err;
        if (outputs_check_named(b->world, o->layers[i], &err) != STATUS_OK)
            yaml_complain(list->items[i], b->report, "%s", err.message);
        else if (graph_check(graph, o->layers[i], &err) != STATUS_OK)
            yaml_complain(list->items[i], b->report, "output.layers: '%s' cannot be made: %s", o->layers[i],
                          err.message);
    }
}

/* Layers that cannot be made for one reason, and the steps that read them. */
struct unmade {
    char why[512];
    size_t item, places; /* of the report */
};
enum { UNMADE_MAX = 64 };

static bool same_place(const struct recipe_step *a, const struct recipe_step *b) {
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

/* How many places of the recipe read the layer; *first: the first of them. */
static size_t count_readers(const struct recipe *recipe, int32_t layer, const struct recipe_step **first) {
    size_t count = 0;
    for (int32_t s = 0; s < recipe->step_count; s++) {
        const struct recipe_step *step = &recipe->steps[s];
        bool again = step->kind != STEP_LAYER || step->layer != layer;
        for (int32_t i = 0; i < s && !again; i++) /* a named stack's steps are there for each use */
            again = recipe->steps[i].layer == layer && same_place(&recipe->steps[i], step);
        if (again)
            continue;
        *first = count++ ? *first : step;
    }
    return count;
}

static struct unmade *find_unmade(struct unmade *all, size_t count, const char *why) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].why, why) == 0)
            return &all[i];
    return NULL;
}

/* Layers that cannot be made, one message for each reason: where species read what depends on one, all of
 * them cannot. */
static void check_recipe(struct world_build *b, struct graph *graph) {
    static const struct recipe_step nowhere = {.layer = -1};
    const struct recipe *recipe = b->world->recipe;
    struct unmade *all = build_alloc(b, UNMADE_MAX, sizeof *all);
    size_t count = 0;
    for (int32_t l = 0; all && recipe && l < recipe->layer_count && count < UNMADE_MAX; l++) {
        struct error err;
        const struct recipe_step *at = &nowhere;
        if (graph_check(graph, recipe->layers[l], &err) == STATUS_OK)
            continue;
        size_t places = count_readers(recipe, l, &at);
        struct unmade *u = find_unmade(all, count, err.message);
        if (!u) {
            u = &all[count++];
            snprintf(u->why, sizeof u->why, "%s", err.message);
            u->item = b->report->count;
            report_add(b->report, REPORT_ERROR, STATUS_INPUT, recipe->files[at->file], at->line, at->column,
                       "layer '%s' cannot be made: %s", recipe->layers[l], err.message);
        }
        u->places += places;
    }
    for (size_t i = 0; i < count; i++)
        if (all[i].places > 1)
            report_extend(b->report, all[i].item, " (%zu places read what it makes)", all[i].places);
    free(all);
}

static void check_outputs(struct world_build *b, struct graph *graph) {
    struct output_list list;
    struct error err;
    enum status status = outputs_list(b->world, &list, &err);
    for (size_t i = 0; status == STATUS_OK && i < list.count; i++)
        status = graph_check(graph, list.items[i].layer, &err);
    if (status != STATUS_OK)
        report_error(b->report, &err);
    outputs_free(&list);
}

void build_check_layers(struct world_build *b) {
    struct graph graph = {.world = b->world};
    size_t errors = b->report->errors;
    check_named(b, &graph);
    check_recipe(b, &graph);
    if (b->report->errors == errors)
        check_outputs(b, &graph);
    graph_free(&graph);
}
