/* What terrain/network*.c share; nobody else includes it. */
#ifndef TERRAIN_NETWORK_OWN_H
#define TERRAIN_NETWORK_OWN_H
#include "terrain/network.h"
#include <stdbool.h>

/* A place on a line at which it may meet others. */
struct network_member {
    double x, y, s_m; /* s_m: along the line from its first point */
    struct network_place place;
    uint32_t line;
    bool end;
};

struct network_building {
    const struct network_line *lines;
    size_t line_count, point_count;
    double snap_m;
    size_t *first;   /* of each line: number of its first point among all; line_count + 1 entries */
    double *along;   /* of each point: arc length from its line's first */
    uint32_t *owner; /* of each point: its line */
    struct network_member *members;
    uint32_t *parent; /* of members, terrain/sets.h */
    size_t member_count;
    uint32_t *index, *spare; /* room for sorting points or members */
};

/* From joined members to nodes, edges, components; results in the arena. */
enum status network_assemble(struct network_building *b, struct arena *arena, struct network *out,
                             struct error *err);

#endif
