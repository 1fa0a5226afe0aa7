/* Which stretches of lines are one water: lines joined end to end, from a fall to the next. */
#include "terrain/math.h"
#include "water/river.h"

uint32_t water_reach_at(const struct water_station *s, uint32_t reach) {
    bool below = (s[-1].flags & STATION_FALL) && !(s[0].flags & STATION_FALL);
    /* a number that stays with the fall, whatever becomes of others */
    return below ? 1 + (uint32_t)math_max(0, math_min(1e9, s[-1].s_m * 16)) : reach;
}

/* The edge that goes on as the same body. NULL: none does. */
static struct water_edge *next_of(const struct water_river *river, const struct water_edge *edge) {
    bool end_to_end = edge->through >= 0 && river->network.nodes[edge->to].degree == 2;
    int32_t next = edge->after >= 0 ? edge->after : end_to_end ? edge->through : -1;
    return next < 0 || &river->edges[next] == edge ? NULL : &river->edges[next];
}

static bool has_fall(const struct water_river *river, const struct water_edge *edge) {
    for (size_t i = 0; i < edge->count; i++)
        if (river->stations[edge->first + i].flags & STATION_FALL)
            return true;
    return false;
}

void water_find_bodies(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        struct water_edge *edge = &river->edges[e];
        edge->body = river->lines[edge->line].key;
        edge->reach = 0;
        edge->falls = has_fall(river, edge);
    }
    for (size_t k = 0; k < river->edge_count; k++) {
        const struct water_edge *edge = &river->edges[river->order[k]];
        struct water_edge *next = next_of(river, edge);
        if (!next)
            continue;
        uint32_t reach = edge->reach;
        for (size_t i = 1; i < edge->count; i++)
            reach = water_reach_at(&river->stations[edge->first + i], reach);
        next->body = edge->body;
        next->reach = reach;
        next->falls |= edge->falls;
    }
    for (size_t k = river->edge_count; k-- > 0;) { /* and upstream */
        struct water_edge *edge = &river->edges[river->order[k]];
        const struct water_edge *next = next_of(river, edge);
        edge->falls |= next && next->falls;
    }
}
