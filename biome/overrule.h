/* Owns what stands of a higher tier against candidates of lower ones: it clears them by its priority radius,
 * as the weaker heeds it. */
#ifndef BIOME_OVERRULE_H
#define BIOME_OVERRULE_H
#include "biome/compete.h"

/* How far what stands of tier `strong` can clear candidates of tier `weak`, in metres; 0: nobody heeds it. */
float biome_overrule_reach_m(const struct recipe *recipe, int32_t strong, int32_t weak);

/* Candidates of one tier, laid out to be struck out by one higher tier after the other. */
struct biome_weak {
    const struct recipe *recipe;
    int32_t tier;
    size_t count;
    struct biome_weak_place *places;
    struct buckets *buckets;
    struct heeding *heedings; /* by the tier's species, of the stronger tier at hand */
};
size_t biome_weak_scratch(const struct recipe *recipe, int32_t tier, size_t count); /* bytes, at most */
/* STATUS_LIMIT: scratch too small. Lives as long as the arena's memory and the candidates. */
enum status biome_weak_make(struct biome_weak *weak, const struct recipe *recipe,
                            const struct biome_candidate *candidates, size_t count, struct arena *arena,
                            struct error *err);
/* Strikes out candidates that stand too near to what stands of one higher tier; state: by candidate. */
void biome_overrule(struct biome_weak *weak, const struct biome_candidate *standing, size_t standing_count,
                    uint8_t *state);
/* The distance under which `strong` clears `weak`, in 1/1024 m: the weaker's heed of the stronger's tier, by
 * chance x 0.7 .. 1.3 for each weaker one. */
int32_t biome_heed_q(const struct recipe *recipe, const struct biome_candidate *strong,
                     const struct biome_candidate *weak);

#endif
