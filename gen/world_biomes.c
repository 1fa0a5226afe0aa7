/* Whether each main biome can be somewhere. Zones without rules and paint are the recipe reader's matter. */
#include "gen/world_build.h"

#include "biome/recipe.h"

#include <string.h>

static bool is_painted(const struct world_mask *paint, const char *name) {
    for (size_t i = 0; paint && i < paint->legend_count; i++)
        if (strcmp(paint->legend[i].name, name) == 0)
            return true;
    return false;
}

/* It, or a zone of it, is painted or the default. */
static bool is_reached(const struct recipe *recipe, const struct world_mask *paint, int32_t biome) {
    for (int32_t b = 0; b < recipe->biome_count; b++)
        if ((b == biome || recipe->biomes[b].parent == biome) &&
            (b == recipe->default_biome || is_painted(paint, recipe->biomes[b].name)))
            return true;
    return false;
}

void build_check_biomes(struct world_build *b) {
    const struct recipe *recipe = b->world->recipe;
    const struct world_mask *paint = world_find_mask(b->world, "biome_paint");
    if (!recipe || !world_has_tool(b->world, TOOL_BIOMES) || recipe->default_biome < 0)
        return;
    for (int32_t i = 0; i < recipe->main_count; i++) {
        const struct recipe_biome *biome = &recipe->biomes[i];
        if (!is_reached(recipe, paint, i))
            report_add(b->report, REPORT_WARNING, STATUS_INPUT, recipe->files[biome->file], biome->line,
                       biome->column, "biome '%s' is nowhere: it is not the default_biome ('%s'), and %s",
                       biome->name, recipe->biomes[recipe->default_biome].name,
                       paint ? "the legend of biome_paint does not name it"
                             : "the world has no mask biome_paint");
    }
}
