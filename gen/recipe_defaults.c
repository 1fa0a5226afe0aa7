#include "gen/recipe_defaults.h"

#include "gen/recipe_species.h"

#include <stdlib.h>
#include <string.h>

/* How much of the recipe there was: what is read for its mistakes alone goes again. */
struct mark {
    int32_t steps, layers, variations, masks;
};

static struct mark mark_of(const struct recipe *recipe) {
    return (struct mark){recipe->step_count, recipe->layer_count, recipe->variation_count,
                         recipe->mask_count};
}

static void go_back(struct recipe *recipe, const struct mark *mark, struct recipe_species *s) {
    while (recipe->layer_count > mark->layers)
        free(recipe->layers[--recipe->layer_count]);
    while (recipe->variation_count > mark->variations)
        free(recipe->variations[--recipe->variation_count].asset);
    while (recipe->mask_count > mark->masks)
        free(recipe->masks[--recipe->mask_count]);
    recipe->step_count = mark->steps;
    for (int32_t k = 0; k < s->size_count; k++)
        free(s->sizes[k].asset);
    free(s->name);
    free(s->kind);
}

static bool is_told(const struct report *report, const struct report_item *item) {
    for (size_t i = 0; i < report->count; i++) {
        const struct report_item *k = &report->items[i];
        if (k->line == item->line && k->column == item->column && k->file && item->file &&
            strcmp(k->file, item->file) == 0)
            return true;
    }
    return false;
}

static void check_set(struct recipe_reading *r, struct yaml_node *key, struct yaml_node *map) {
    struct report quiet = {0}, *report = r->report;
    struct recipe_species *s = calloc(1, sizeof *s);
    struct mark mark = mark_of(r->recipe);
    if (!s) {
        recipe_stop(r, map, "out of memory");
        return;
    }
    r->report = &quiet;
    r->partial = true;
    recipe_read_species(r, key, map, 0.2, s);
    recipe_read_stack(r, map, s);
    yaml_get(map, "heeds");
    yaml_unknown_keys(map, "a species", &quiet);
    r->partial = false;
    r->report = report;
    for (size_t i = 0; i < quiet.count; i++)
        if (quiet.items[i].level == REPORT_ERROR && !is_told(report, &quiet.items[i]))
            report_add(report, REPORT_ERROR, quiet.items[i].status, quiet.items[i].file, quiet.items[i].line,
                       quiet.items[i].column, "%s", quiet.items[i].message ? quiet.items[i].message : "");
    report_free(&quiet);
    go_back(r->recipe, &mark, s);
    free(s);
}

void recipe_check_defaults(struct recipe_reading *r, struct yaml_node *root) {
    struct yaml_node *sets = yaml_get(root, "defaults");
    for (size_t i = 0; sets && sets->kind == YAML_MAP && i < sets->count && !r->stopped; i++)
        if (sets->items[i]->kind == YAML_MAP)
            check_set(r, sets->keys[i], sets->items[i]);
}
