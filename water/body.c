/* Which stretches of lines are one water: lines joined end to end, from a fall to the next. */
#include "terrain/math.h"
#include "water/river.h"

uint32_t water_reach_at(const struct water_station *s, uint32_t reach) {
    bool below = (s[-1].flags & STATION_FALL) && !(s[0].flags & STATION_FALL);
    /* a number that stays with the fall, whatever becomes of others */
    return below ? 1 + (uint32_t)math_max(0, math_min(1e9, s[-1].s_m * 16)) : reach;
}

void water_find_bodies(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        river->edges[e].body = river->lines[river->edges[e].line].key;
        river->edges[e].reach = 0;
    }
    for (size_t k = 0; k < river->edge_count; k++) {
        const struct water_edge *edge = &river->edges[river->order[k]];
        bool end_to_end = edge->through >= 0 && river->network.nodes[edge->to].degree == 2;
        int32_t next = edge->after >= 0 ? edge->after : end_to_end ? edge->through : -1;
        if (next < 0 || (uint32_t)next == river->order[k])
            continue;
        uint32_t reach = edge->reach;
        for (size_t i = 1; i < edge->count; i++)
            reach = water_reach_at(&river->stations[edge->first + i], reach);
        river->edges[next].body = edge->body;
        river->edges[next].reach = reach;
    }
}
