#include "gen/water_use.h"

#include "biome/recipe.h"

#include <stdio.h>
#include <string.h>

static bool of_water(const char *layer) {
    static const char *const heads[] = {"water", "watershore", "dampness",
                                        "ledges"}; /* rock keeps off water itself */
    static const char distance[] = "distance.";
    if (strncmp(layer, distance, sizeof distance - 1) == 0)
        layer += sizeof distance - 1;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t length = strlen(heads[i]);
        if (strncmp(layer, heads[i], length) == 0 && (layer[length] == '\0' || layer[length] == '_'))
            return true;
    }
    return false;
}

static bool reads_water(const struct recipe *recipe, int32_t first, int32_t end) {
    for (int32_t k = first; k < end; k++)
        if (recipe->steps[k].kind == STEP_LAYER && of_water(recipe->layers[recipe->steps[k].layer]))
            return true;
    return false;
}

static bool knows_water(const struct recipe *recipe, const struct recipe_species *s) {
    return s->floats || reads_water(recipe, s->step_first, s->step_end) ||
           reads_water(recipe, s->density_step_first, s->density_step_end);
}

enum { NAMED = 5 };

void water_use_check(const struct world *world, struct report *report) {
    const struct recipe *recipe = world->recipe;
    if (!recipe || !world_has_tool(world, TOOL_FRESHWATER) || !world_has_tool(world, TOOL_BIOMES))
        return;
    char names[512] = "";
    size_t used = 0;
    int32_t count = 0;
    const struct recipe_species *first = NULL;
    for (int32_t i = 0; i < recipe->species_count; i++) {
        const struct recipe_species *s = &recipe->species[i];
        if (knows_water(recipe, s))
            continue;
        first = first ? first : s;
        if (count++ < NAMED)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.75s", used ? ", " : "", s->name);
    }
    if (count > NAMED)
        snprintf(names + used, sizeof names - used, " and %d more", (int)(count - NAMED));
    if (count)
        report_add(report, REPORT_NOTE, STATUS_INPUT, recipe->files[first->file], first->line, 0,
                   "the tool freshwater is on, and %d species read%s nothing of water, so %s in it: %s; "
                   "`- {layer: water, under: 0.5}` in a viability, or in a stack of several, keeps them out",
                   (int)count, count == 1 ? "s" : "", count == 1 ? "it stands" : "they stand", names);
}
