/* A recipe's world through the executor: synthetic layers, six sections, what stands and the entities of
 * each. For the tests of the biome stages; each has its own stage_table with these layers in it. */
#ifndef TESTS_BIOME_WORLD_KIT_H
#define TESTS_BIOME_WORLD_KIT_H
#include "biome/candidates.h"
#include "biome_kit.h"
#include "gen/exec.h"
#include "gen/stages_biome.h"

/* Layers to stand on: kit_value's fields and wind_dir, the painted mask, the heights. */
extern const struct stage kit_stage_fields, kit_stage_paint, kit_stage_height;
extern struct rect kit_painted_over; /* cells that somebody painted as biome 0 */
uint8_t kit_wind_code(int32_t x, int32_t y);
uint8_t kit_paint_code(int32_t x, int32_t y);

enum { KIT_TEXT_MAX = 2560 };
extern const char kit_text[]; /* a recipe of three tiers; at most KIT_TEXT_MAX bytes with its end */
struct world kit_world(struct recipe *recipe);

enum { KIT_SECTIONS_MAX = 16, KIT_LAYERS = 9, KIT_TIERS = 3 };
struct kit_result {
    int32_t x, y;
    struct hash128 hash[KIT_LAYERS];
    struct biome_candidate *stand[KIT_TIERS];
    size_t count[KIT_TIERS];
    unsigned char *entities[16];
    size_t entity_bytes[16];
    struct biome_stock stock; /* of the fern */
};

struct kit_bake {
    struct kit_result results[KIT_SECTIONS_MAX];
    int32_t count;
    struct exec_report report;
};

/* An empty folder for a store; the same each time. */
char *kit_fresh_dir(void);
/* Bakes all sections, or `only` one by its number. */
void kit_bake_world(const struct world *world, const char *dir, int32_t threads, int32_t only,
                    struct kit_bake *bake);
void kit_bake_free(struct kit_bake *bake);
/* That sections which both have came out the same. */
void kit_assert_same(const struct kit_bake *a, const struct kit_bake *b);
int kit_by_id(const void *a, const void *b); /* of candidates, for qsort */

#endif
