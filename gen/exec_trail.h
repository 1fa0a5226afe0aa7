/* Owns the trail of each section: of its pairs, which entry of the store they were last made as, and from
 * what each of their sectors was. It lies in the store as an entry of its own, and only says where to look
 * for parts of results that can be used again: a trail that is lost, old, or another bake's costs time and
 * nothing else. Thread-safe. */
#ifndef GEN_EXEC_TRAIL_H
#define GEN_EXEC_TRAIL_H
#include "gen/store.h"
#include "gen/world.h"

struct trail_step {
    uint64_t pair;        /* hash of stage and argument */
    struct hash128 entry; /* key in the store */
    struct hash128 sectors[SECTORS_PER_SECTION];
};

struct trails;
/* NULL: no memory. world and store outlive it. */
struct trails *trails_open(const struct world *world, struct store *store);
/* False: the pair was never made in this section, or nobody knows. */
bool trails_find(struct trails *trails, int32_t section_x, int32_t section_y, uint64_t pair,
                 struct trail_step *step);
/* In place of what the trail said of the pair. Without memory nothing is noted. */
void trails_note(struct trails *trails, int32_t section_x, int32_t section_y, const struct trail_step *step);
/* Keeps what was noted, and frees. NULL allowed. */
void trails_close(struct trails *trails);

#endif
