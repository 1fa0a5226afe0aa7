/* Owns competition: which candidates stand. Within a tier the higher rank wins inside the larger of the two
 * radii; higher tiers went before (biome/overrule.h). A fixed number of rounds, each "who outranks every
 * undecided rival within the radius stands; then its rivals are struck out", so that the result has a bounded
 * reach: one round reads two of the tier's largest radii. Knows nothing of sections: arrays in, states out.
 */
#ifndef BIOME_COMPETE_H
#define BIOME_COMPETE_H
#include "biome/candidates.h"
#include "biome/recipe.h"
#include "terrain/arena.h"

enum rival_state { RIVAL_UNDECIDED = 0, RIVAL_STANDS = 1, RIVAL_STRUCK = 2 };

/* Distance that `rounds` rounds of a tier read beyond a candidate, in metres. */
float biome_compete_reach_m(const struct recipe_tier *tier, int32_t rounds);

/* Bytes for count candidates, at most. */
size_t biome_compete_scratch(size_t count);
/* How many rounds it took until the first candidates, in some parts one behind the other, were decided: those
 * behind them are only there to decide them. At most the rounds that were played. */
enum { BIOME_PARTS_MAX = 16 };
struct biome_rounds {
    int32_t parts;
    size_t end[BIOME_PARTS_MAX];     /* of part k: where the next one begins */
    int32_t played[BIOME_PARTS_MAX]; /* set by biome_compete */
};
/* Plays rounds among candidates of one tier (any order); state[i] is read and updated. States are right for
 * candidates whose surroundings within the reach are all given. Returns STATUS_LIMIT when scratch is too
 * small. counted: NULL, or what is counted. */
enum status biome_compete(const struct recipe *recipe, const struct biome_candidate *candidates, size_t count,
                          int32_t rounds, uint8_t *state, struct biome_rounds *counted, struct arena *arena,
                          struct error *err);

#endif
