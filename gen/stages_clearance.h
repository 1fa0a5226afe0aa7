/* Owns the layer `clearance`: a blob with a struct clearance for each sector. Manifests hold it as shares. */
#ifndef GEN_STAGES_CLEARANCE_H
#define GEN_STAGES_CLEARANCE_H
#include "biome/clearance.h"
#include "gen/stage.h"

/* Of a sector: how many places were asked, and how many are free for each of output.clearance_m. */
struct clearance {
    uint32_t places;
    uint32_t free_places[CLEARANCE_AGENTS_MAX];
};

extern const struct stage stage_clearance;

#endif
