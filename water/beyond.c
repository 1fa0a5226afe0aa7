/* Banks beyond the world's edge: the ground there is not known, and that of the edge tells nothing of a line
 * that runs beside it. A line goes on between the banks that it has in the world. */
#include "water/river.h"

#include <math.h>

static bool outside(const struct water_params *p, const struct water_station *s) {
    return s->x < p->x0_m || s->x > p->x1_m || s->y < p->y0_m || s->y > p->y1_m;
}

/* Takes the banks of the last station in the world that the walk has passed, where that is nearer than what
 * was taken before: `cap` holds how near, and is measured later. */
static void take(const struct water_params *p, struct water_station *s, const struct water_station **last) {
    if (!outside(p, s)) {
        *last = s;
        return;
    }
    double way = *last ? fabs(s->s_m - (*last)->s_m) : (double)INFINITY;
    if (!(way < s->cap))
        return;
    s->cap = way;
    s->raw_cap = (*last)->raw_cap;
    s->lowest = (*last)->lowest;
}

/* Along a line, from edge to edge. */
static void walk(struct water_river *river, size_t e, bool down) {
    const struct water_station *last = NULL;
    for (size_t n = 0; n < river->edge_count; n++) {
        const struct water_edge *edge = &river->edges[e];
        for (size_t i = 0; i < edge->count; i++)
            take(&river->params, &river->stations[edge->first + (down ? i : edge->count - 1 - i)], &last);
        int32_t next = down ? edge->after : edge->before;
        if (next < 0)
            return;
        e = (size_t)next;
    }
}

void water_banks_beyond(struct water_river *river) {
    for (size_t i = 0; i < river->station_count; i++)
        river->stations[i].cap = (double)INFINITY;
    for (size_t e = 0; e < river->edge_count; e++)
        if (river->edges[e].before < 0)
            walk(river, e, true);
    for (size_t e = 0; e < river->edge_count; e++)
        if (river->edges[e].after < 0)
            walk(river, e, false);
}
