/* Owns the stages of the biomes tool: adapters between layers and the kernels of biome/. Layers, with T a
 * tier of the recipe (0 is the highest priority):
 *
 *     biome_id      u8, ids of the recipe's main biomes: painted, else the default
 *     zone_id       u8, ids of zones, and of main biomes where none is; only when the recipe has zones
 *     patch_SPECIES u8 of 2 x 2 cells, 255 where its viability is above its age's threshold
 *     age_SPECIES   u8 of 2 x 2 cells, its age
 *     candidates.T  blob, struct biome_candidate by sector
 *     compete.T.G   blob, one enum rival_state a candidate: G = 0 after higher tiers, then after G x
 *                   recipe_tier.rounds_per_stage rounds
 *     played.T.G    blob, one byte a sector: rounds that the section's candidates took so far
 *     stand.T       blob, the candidates that stand after the last round
 *     stock.T       blob, struct biome_stock for each species of the tier, by sector
 *     mask_NAME     u8, what species write
 *     imprint_height, imprint_texture, imprint_tint   what species do to the ground; no abiotic layer reads
 *                   them
 *     entities      blob, entity parts (gen/entity.h) of all tiers, by sector, sorted by id */
#ifndef GEN_STAGES_BIOME_H
#define GEN_STAGES_BIOME_H
#include "biome/candidates.h"
#include "gen/stage.h"

/* How many of a species there were in a sector; undecided ones are dropped. rounds: of competition, until all
 * of the tier in the section were decided. */
struct biome_stock {
    uint32_t candidates, stand, undecided, rounds;
};

extern const struct stage stage_biome_id, stage_zone, stage_patch, stage_age, stage_candidates, stage_compete,
    stage_stand, stage_mask_written, stage_imprint_height, stage_imprint_texture, stage_imprint_tint,
    stage_entities;

/* Stages of competition of a tier after compete.T.0: the last is compete.T.<this>. */
int32_t biome_compete_stages(const struct recipe_tier *tier);
/* Whether a tier's stacks read the recipe's layer. */
bool biome_tier_reads(const struct recipe *recipe, int32_t tier, int32_t layer);
/* Whether some species does such a thing to its surroundings: then the imprint's layer is not all neutral. */
bool biome_writes(const struct recipe *recipe, enum recipe_write_kind kind);
/* The layer that says by its ids what lives at a cell and how its ground looks: zone_id, or biome_id when the
 * recipe has no zones. */
const char *biome_home_layer(const struct recipe *recipe);
/* A window as viability reads it. */
struct biome_layer biome_layer_of(const struct window *window);

#endif
