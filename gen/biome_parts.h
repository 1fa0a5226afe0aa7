/* Owns reading and writing of the biome stages' blobs, sector by sector; for gen/stages_biome*.c alone. */
#ifndef GEN_BIOME_PARTS_H
#define GEN_BIOME_PARTS_H
#include "biome/candidates.h"
#include "gen/stage.h"
#include "gen/world.h"

struct hasher;

/* Candidates of one sector. */
struct candidate_part {
    const struct biome_candidate *items;
    size_t count;
};
struct candidate_part candidate_part(const struct tile *tile, int32_t sector);

/* All candidates of a window whose positions lie in `near`, those of the sectors in `own` (whole sectors of
 * one section) first, in the order of its parts, whatever `near` says. */
struct gathered {
    struct biome_candidate *items;
    uint8_t *state; /* NULL without states */
    size_t count, own;
};
/* states: a window of compete.T.G beside the candidates', or NULL. From scratch. */
enum status candidates_gather(const struct window *candidates, const struct window *states, struct rect own,
                              struct rect near, double cell_m, struct arena *scratch, struct gathered *out,
                              struct error *err);
/* Whether some cells, whole sectors, have sector i of a section. */
bool has_sector(struct rect cells, int32_t section_x, int32_t section_y, int32_t sector);
/* The section's own tile of a window. */
const struct tile *window_tile(const struct window *window, int32_t section_x, int32_t section_y);

/* The recipe, or STATUS_INPUT when the world has none. */
enum status need_recipe(const struct world *world, const struct recipe **recipe, struct error *err);
/* What lives where: the first inputs of a stage that asks. Nothing lives on what people set by hand: no biome
 * there. homes_of: false without scratch. */
void homes_inputs(const struct world *world, struct stage_inputs *inputs);
int32_t homes_input_count(const struct world *world);
bool homes_of(const struct stage_run *run, struct grid_u8 *homes);
/* "T" and "T.G" as arguments. STATUS_INPUT: no such tier (or stage). */
enum status tier_of(const struct world *world, const char *arg, int32_t *tier, int32_t *stage,
                    struct error *err);
int32_t reach_cells(float reach_m, double cell_m);
/* Everything of a stack of steps. */
void hash_stack(const struct recipe *recipe, int32_t first, int32_t end, struct hasher *h);
/* What an age's raster depends on besides its patch. */
void hash_age_raster(const struct recipe_age *age, struct hasher *h);
/* Everything of a tier's species that what stands depends on. */
void hash_tier(const struct recipe *recipe, int32_t tier, struct hasher *h);

#endif
