#include "gen/world_build.h"

#include "biome/recipe.h"
#include "gen/stage.h"
#include "gen/stages_biome.h"
#include "terrain/math.h"

#include <math.h>

/* Positions of what tools set are whole numbers of 1/1024 m in 32 bits: 2 097 152 m, with room for reaches.
 */
#define PLACES_MAX_M 2000000.0
/* What scratch and one sector's records can hold: cells of a tier's lattice in a sector, candidates in a
 * section. */
#define SECTOR_PLACES_MAX      (1 << 25)
#define SECTION_CANDIDATES_MAX (1 << 24)

/* The first tool that sets things at places, or NULL. */
static const char *placing_tool(const struct world *w) {
    for (size_t i = 0; i < w->tool_count; i++)
        if (w->tools[i] != TOOL_BIOMES || w->recipe)
            return world_tool_names[w->tools[i]];
    return NULL;
}

static void check_places(struct world_build *b) {
    const struct world *w = b->world;
    const struct rect c = w->extent.cells;
    const char *tool = placing_tool(w);
    double m = w->extent.cell_m, far = 0;
    const double sides[4] = {c.x0 * m, c.y0 * m, c.x1 * m, c.y1 * m};
    for (int i = 0; i < 4; i++)
        far = fabs(sides[i]) > fabs(far) ? sides[i] : far;
    if (!tool || fabs(far) <= PLACES_MAX_M)
        return;
    struct yaml_node *world = yaml_get(b->yaml, "world"), *at = yaml_get(world, "origin_m");
    at = at ? at : yaml_get(world, "size_m");
    report_add(b->report, REPORT_ERROR, STATUS_LIMIT, at->file, at->line, at->column,
               "the world reaches to %.12g m: tool '%s' needs a world within %.12g m of zero; take the same "
               "whole number of cells (of maps, so that no map is cut) from origin_m and from all lines",
               far, tool, PLACES_MAX_M);
}

/* The species that makes the tier's lattice so fine: the smallest radius, or the densest. */
static const struct recipe_species *finest(const struct recipe *recipe, const struct recipe_tier *tier,
                                           bool by_density) {
    const struct recipe_species *found = &recipe->species[tier->species[0]];
    for (int32_t i = 1; i < tier->species_count; i++) {
        const struct recipe_species *s = &recipe->species[tier->species[i]];
        if (by_density ? s->density_per_ha > found->density_per_ha
                       : s->viability_radius_m < found->viability_radius_m)
            found = s;
    }
    return found;
}

/* Distinct layers that the species of a tier may read: a stage reads them all, and some of its own. */
enum { TIER_LAYERS_MAX = 120 };

static void check_layers(struct world_build *b, const struct recipe *recipe, int32_t tier) {
    int32_t count = 0;
    for (int32_t l = 0; l < recipe->layer_count; l++)
        count += biome_tier_reads(recipe, tier, l);
    const struct recipe_species *s = &recipe->species[recipe->tiers[tier].species[0]];
    if (count > TIER_LAYERS_MAX)
        report_add(b->report, REPORT_ERROR, STATUS_LIMIT, recipe->files[s->file], s->line, 0,
                   "the species of priority %d read %d different layers: at most %d", (int)s->priority,
                   (int)count, TIER_LAYERS_MAX);
}

/* The largest cell with which a tier's sector and section can be held. */
static void check_tier(struct world_build *b, const struct recipe *recipe, const struct recipe_tier *tier) {
    double by_places = tier->cell_q / 1024.0 * sqrt((double)SECTOR_PLACES_MAX) / SECTOR_CELLS;
    double by_density = 100.0 * sqrt(SECTION_CANDIDATES_MAX / (double)tier->density_per_ha) / SECTION_CELLS;
    double most_m = math_min(by_places, by_density), cell_m = b->world->extent.cell_m;
    if (cell_m <= most_m)
        return;
    const struct recipe_species *s = finest(recipe, tier, by_density < by_places);
    report_add(b->report, REPORT_ERROR, STATUS_LIMIT, recipe->files[s->file], s->line, 0,
               "species '%s' stands too densely for cells of %.6g m: with its viability_radius_m of %.4g and "
               "density_per_ha of %.6g (times the recipe's factors) they may be %.3g m at most. Make "
               "grid.cell_m smaller, %s",
               s->name, cell_m, (double)s->viability_radius_m, (double)s->density_per_ha, most_m,
               by_density < by_places ? "or density_per_ha smaller"
                                      : "or viability_radius_m (or competition.spacing) larger");
}

void build_check_sizes(struct world_build *b) {
    const struct recipe *recipe = b->world->recipe;
    bool grows = recipe && world_has_tool(b->world, TOOL_BIOMES);
    if (!b->extent_known)
        return;
    check_places(b);
    for (int32_t t = 0; grows && t < recipe->tier_count; t++) {
        check_tier(b, recipe, &recipe->tiers[t]);
        check_layers(b, recipe, t);
    }
}
