/* Owns which main biome and which zone (sub-biome) a cell belongs to: what is painted, with borders moved by
 * noise, and the rules by which a main biome splits itself. Pure functions of place. Knows nothing of legends
 * and of how layers are made. */
#ifndef BIOME_ZONES_H
#define BIOME_ZONES_H
#include "biome/recipe.h"
#include "biome/viability.h"
#include "terrain/arena.h"
#include "terrain/grid.h"

struct biome_zones_params {
    const struct recipe *recipe;
    uint64_t seed;
    double cell_m;          /* of the world's grid; > 0 */
    int32_t x0, y0, x1, y1; /* the world's cells */
    uint8_t codes[256];     /* ids of the biomes or zones that the paint's codes stand for */
};

/* Cells that biome_painted reads beyond `out`: how far borders are moved. */
int32_t biome_painted_reach(const struct recipe *recipe, double cell_m);
/* out = ids of what is painted: at the cell moved by noise, kept within the world, unless something
 * texture-only lies at either of both places: its borders stay. paint covers out's window and the reach
 * around; NULL: code 0 everywhere. */
void biome_painted(const struct biome_zones_params *p, const struct grid_u8 *paint,
                   const struct grid_u8 *out);
/* ids: zones become their main biomes. */
void biome_main_ids(const struct recipe *recipe, const struct grid_u8 *ids);

/* ids: every main biome's id becomes that of the zone whose rule wins there (struct recipe_rule), where any
 * holds; zones that were painted stay. layers: by recipe layer, those given that rules read. Equal rules: the
 * zone whose own patch noise (recipe_biome.patch_m; seeded by the zone's name) is larger, so that k zones
 * have equal shares and another one takes from all alike. STATUS_LIMIT: too little scratch. */
enum status biome_zones(const struct biome_zones_params *p, const struct biome_layer *layers,
                        const struct grid_u8 *ids, struct arena *arena, struct error *err);
size_t biome_zones_scratch(const struct recipe *recipe); /* bytes, at most */

#endif
