/* Levels: monotone downstream along the whole network.
 *
 *     lo     the running minimum of the caps from upstream: the highest level that no bank forbids
 *     hi     the running maximum of the caps from downstream: the lowest level that never cuts
 *     level  0.8 lo + 0.2 hi with a carved bed (least cut and fill), lo without
 *
 * Both are exact whatever the order, on circles too: passes over the edges, upstream ones first, are repeated
 * until nothing changes. Then a mean that looks downstream only, which keeps under what lies upstream and is
 * continuous where waters meet, and one more running minimum. A lake is level: what flows in is backed up by
 * it, what flows out begins at it, and it is lowered where a lake upstream lies lower. */
#include "terrain/math.h"
#include "water/foot.h"
#include "water/river.h"

#include <math.h>

static const double STEP_M = 1.0 / 1024; /* levels are multiples of it */
static const double TOUCH_M = 1;         /* waters so near each other touch */

struct passes {
    struct water_river *river;
    double *node;  /* a value a node */
    double *floor; /* a station: the highest lake downstream */
    double *lo, *hi;
};

static const struct water_edge *edge_at(const struct passes *p, size_t i, bool down) {
    const struct water_river *r = p->river;
    return &r->edges[r->order[down ? i : r->edge_count - 1 - i]];
}

/* Lakes upstream cap the lakes below them. */
static bool lower_lakes(struct passes *p) {
    struct water_river *r = p->river;
    bool changed = false;
    for (size_t i = 0; i < r->edge_count; i++) {
        const struct water_edge *e = edge_at(p, i, true);
        double v = p->node[e->from];
        for (size_t k = 0; k < e->count; k++) {
            int32_t l = r->stations[e->first + k].lake;
            if (l < 0)
                continue;
            if (v < r->lakes[l].level) {
                r->lakes[l].level = v;
                changed = true;
            }
            v = r->lakes[l].level;
        }
        if (v < p->node[e->to]) {
            p->node[e->to] = v;
            changed = true;
        }
    }
    return changed;
}

/* The highest lake downstream of each station. */
static bool raise_floor(struct passes *p) {
    struct water_river *r = p->river;
    bool changed = false;
    for (size_t i = 0; i < r->edge_count; i++) {
        const struct water_edge *e = edge_at(p, i, false);
        double v = p->node[e->to];
        for (size_t k = e->count; k-- > 0;) {
            int32_t l = r->stations[e->first + k].lake;
            v = l >= 0 ? r->lakes[l].level : v;
            p->floor[e->first + k] = v;
        }
        if (v > p->node[e->from]) {
            p->node[e->from] = v;
            changed = true;
        }
    }
    return changed;
}

static double cap_of(const struct passes *p, size_t s) {
    const struct water_station *station = &p->river->stations[s];
    return station->lake >= 0 ? p->river->lakes[station->lake].level : math_max(station->cap, p->floor[s]);
}

static bool run_down(struct passes *p) {
    const struct water_river *r = p->river;
    bool changed = false;
    for (size_t i = 0; i < r->edge_count; i++) {
        const struct water_edge *e = edge_at(p, i, true);
        double v = p->node[e->from];
        for (size_t s = e->first; s < e->first + e->count; s++)
            p->lo[s] = v = math_min(v, cap_of(p, s));
        if (v < p->node[e->to]) {
            p->node[e->to] = v;
            changed = true;
        }
    }
    return changed;
}

static bool run_up(struct passes *p) {
    const struct water_river *r = p->river;
    bool changed = false;
    for (size_t i = 0; i < r->edge_count; i++) {
        const struct water_edge *e = edge_at(p, i, false);
        double v = p->node[e->to];
        for (size_t s = e->first + e->count; s-- > e->first;) {
            double cap = cap_of(p, s);
            p->hi[s] = v = r->stations[s].lake >= 0 ? cap : math_max(v, cap);
        }
        if (v > p->node[e->from]) {
            p->node[e->from] = v;
            changed = true;
        }
    }
    return changed;
}

/* The last running minimum, over levels. */
static bool settle(struct passes *p) {
    const struct water_river *r = p->river;
    bool changed = false;
    for (size_t i = 0; i < r->edge_count; i++) {
        const struct water_edge *e = edge_at(p, i, true);
        double v = p->node[e->from];
        for (size_t s = e->first; s < e->first + e->count; s++)
            r->stations[s].level = v = math_min(v, r->stations[s].level);
        if (v < p->node[e->to]) {
            p->node[e->to] = v;
            changed = true;
        }
    }
    return changed;
}

/* Each pass settles at least one more edge: at most edge_count + 1 of them. */
static void repeat(struct passes *p, bool (*pass)(struct passes *), double from) {
    for (size_t n = 0; n < p->river->network.node_count; n++)
        p->node[n] = from;
    for (size_t i = 0; i <= p->river->edge_count + 1 && pass(p); i++) {
    }
}

/* The mean of lo (hi) over what lies downstream within `window_m`, up to a fall or a lake. */
static double mean_below(const struct passes *p, size_t edge, size_t station, double window_m) {
    const struct water_river *r = p->river;
    double sum = 0, along = 0;
    size_t s = station, count = 0;
    for (;;) {
        const struct water_edge *e = &r->edges[edge];
        sum += r->stations[s].level;
        count++;
        if (s + 1 < e->first + e->count) {
            along += fabs(r->stations[s + 1].s_m - r->stations[s].s_m);
            s++;
        } else if (e->through >= 0 && count < 512) {
            edge = (size_t)e->through;
            s = r->edges[edge].first;
        } else {
            break;
        }
        double drop = r->stations[station].level - r->stations[s].level;
        if (along > window_m || r->stations[s].lake >= 0 || drop > 2.5 || count >= 512)
            break;
    }
    return sum / (double)count;
}

static double slope_at(const struct water_station *s, size_t i, size_t n) {
    size_t a = i > 3 ? i - 4 : 0, b = i + 4 < n ? i + 4 : n - 1;
    double ds = fabs(s[b].s_m - s[a].s_m);
    return ds > 0 ? math_max(0, (s[a].level - s[b].level) / ds) : 0;
}

static void smooth(struct passes *p) {
    struct water_river *r = p->river;
    for (size_t e = 0; e < r->edge_count; e++) {
        const struct water_edge *edge = &r->edges[e];
        for (size_t i = 0; i < edge->count; i++) {
            struct water_station *s = &r->stations[edge->first + i];
            double width = s->left + s->right, slope = slope_at(&r->stations[edge->first], i, edge->count);
            double window = math_max(3, math_min(3 * width + 6, 0.6 / math_max(slope, 1e-3)));
            p->lo[edge->first + i] = s->lake >= 0 ? s->level : mean_below(p, e, edge->first + i, window);
        }
    }
    for (size_t e = 0; e < r->edge_count; e++)
        for (size_t i = 0; i < r->edges[e].count; i++) {
            size_t s = r->edges[e].first + i;
            /* never under the lake that it flows into */
            r->stations[s].level = math_max(p->lo[s], p->floor[s]);
        }
}

/* Where an edge's water ends above what it flows on into (a lake, or its own line below a confluence that
 * lies lower): it comes down within 12 m, or, by a fall's drop and more, over a spacing, so that it falls.
 * `end`: its last station above; `foot`: stations before it that lie low already, of a fall. */
static void come_down(struct water_river *r, const struct water_edge *e, size_t end, double level,
                      size_t foot) {
    struct water_station *s = &r->stations[e->first];
    double below = s[end].level - level;
    if (!(below > 0))
        return;
    if (below >= r->params.fall_drop_m) {
        for (size_t k = 0; k <= foot && k < end && s[end - k].lake < 0; k++)
            s[end - k].level = math_min(s[end - k].level, level);
        return;
    }
    double rate = math_max(0.1, below / 12), at = s[end].s_m;
    for (size_t i = end + 1; i-- > 0 && s[i].lake < 0;) {
        double less = below - rate * fabs(at - s[i].s_m);
        if (less <= 0)
            break;
        s[i].level -= less;
    }
}

/* Downstream first: an edge comes down to the highest of those that begin at its end. */
static void lower_ends(struct passes *p) {
    enum { POOL = 3 }; /* stations between a fall's foot and the confluence */
    struct water_river *r = p->river;
    for (size_t n = 0; n < r->network.node_count; n++)
        p->node[n] = -(double)INFINITY;
    for (size_t k = 0; k < r->edge_count; k++) {
        const struct water_edge *e = edge_at(p, k, false);
        const struct water_station *s = &r->stations[e->first];
        for (size_t i = 0; i + 1 < e->count; i++)
            if (s[i].lake < 0 && s[i + 1].lake >= 0)
                come_down(r, e, i, r->lakes[s[i + 1].lake].level, 0);
        if (e->mouth < 0 && !e->circle && p->node[e->to] > -1e8 && s[e->count - 1].lake < 0)
            come_down(r, e, e->count - 1, p->node[e->to], POOL);
        p->node[e->from] = math_max(p->node[e->from], s[0].level);
    }
}

/* The piece of an edge nearest to a place: how far it is, half its water's width there, and its level. */
struct beside {
    double away, half, level;
};

static void look_beside(const struct water_river *r, const struct water_edge *e, size_t from, size_t end,
                        const struct water_station *at, struct beside *best) {
    for (size_t i = from; i + 1 < end && i + 1 < e->count; i++) {
        const struct water_station *p = &r->stations[e->first + i], *q = p + 1;
        struct water_foot foot = water_foot_of(p->x, p->y, q->x, q->y, at->x, at->y);
        if (foot.away >= best->away)
            continue;
        double half =
            foot.left ? water_foot_mix(&foot, p->left, q->left) : water_foot_mix(&foot, p->right, q->right);
        *best = (struct beside){foot.away, half, water_foot_mix(&foot, p->level, q->level)};
    }
}

/* What flows past a mouth, upstream and downstream of it. */
static struct beside find_beside(const struct water_river *r, const struct water_edge *e,
                                 const struct water_station *at) {
    enum { LOOK = 96 };
    const struct water_edge *main = &r->edges[e->mouth];
    struct beside best = {(double)INFINITY, 0, 0};
    look_beside(r, main, 0, e->mouth_station - main->first + LOOK, at, &best);
    if (main->before >= 0) {
        const struct water_edge *up = &r->edges[main->before];
        look_beside(r, up, up->count > LOOK ? up->count - LOOK : 0, up->count, at, &best);
    }
    return best;
}

/* As far as an edge's water touches the water that it flows into, it has its level. Returns the last such
 * station, counted from the mouth; *below: how far its own level there was above. */
static size_t level_mouth(struct water_river *r, const struct water_edge *e, double *below) {
    struct water_station *s = &r->stations[e->first];
    size_t i = e->count - 1;
    double level = r->stations[e->mouth_station].level;
    *below = s[i].level - level;
    s[i].level = math_min(s[i].level, level);
    while (i > 0 && s[i - 1].lake < 0) {
        struct beside main = find_beside(r, e, &s[i - 1]);
        if (main.away >= main.half + math_max(s[i - 1].left, s[i - 1].right) + TOUCH_M)
            break;
        level = math_max(level, main.level);
        *below = s[--i].level - level;
        s[i].level = math_min(s[i].level, level);
        s[i].flags |= STATION_LED;
    }
    return i;
}

/* Water from the side comes down to the water that it flows into within 12 m, or at 0.1 a metre beside its
 * own fall. Lines farther down come first. */
static void lower_mouths(struct water_river *r) {
    for (size_t k = r->edge_count; k-- > 0;) {
        const struct water_edge *e = &r->edges[r->order[k]];
        double below, along = 0;
        if (e->mouth < 0)
            continue;
        size_t i = level_mouth(r, e, &below);
        double rate = math_max(0.1, below / 12);
        while (below > 0) {
            if (i == 0 && e->before < 0)
                break;
            double at = r->stations[e->first + i].s_m;
            if (i == 0) {
                e = &r->edges[e->before];
                i = e->count;
            }
            struct water_station *s = &r->stations[e->first + --i];
            along += fabs(at - s->s_m);
            double less = below - rate * along;
            if (less <= 0 || s->lake >= 0)
                break;
            s->level -= less;
            s->flags |= STATION_LED;
        }
    }
}

enum status water_find_levels(struct water_river *river, struct arena *arena, struct error *err) {
    struct passes p = {.river = river};
    p.node = arena_alloc(arena, river->network.node_count + 1, sizeof *p.node);
    p.floor = arena_alloc(arena, river->station_count + 1, sizeof *p.floor);
    p.lo = arena_alloc(arena, river->station_count + 1, sizeof *p.lo);
    p.hi = arena_alloc(arena, river->station_count + 1, sizeof *p.hi);
    if (!p.node || !p.floor || !p.lo || !p.hi)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    repeat(&p, lower_lakes, (double)INFINITY);
    repeat(&p, raise_floor, -(double)INFINITY);
    repeat(&p, run_down, (double)INFINITY);
    repeat(&p, run_up, -(double)INFINITY);
    for (size_t e = 0; e < river->edge_count; e++)
        for (size_t i = 0; i < river->edges[e].count; i++) {
            size_t k = river->edges[e].first + i;
            struct water_station *s = &river->stations[k];
            bool between = (s->flags & STATION_CARVE) && s->lake < 0;
            s->level =
                between ? 0.8 * p.lo[k] + 0.2 * math_max(p.lo[k], math_min(p.hi[k], p.lo[k] + 3)) : p.lo[k];
        }
    repeat(&p, settle, (double)INFINITY);
    smooth(&p);
    repeat(&p, settle, (double)INFINITY);
    lower_ends(&p);
    lower_mouths(river);
    for (size_t l = 0; l < river->lake_count; l++)
        river->lakes[l].level = floor(river->lakes[l].level / STEP_M) * STEP_M;
    for (size_t e = 0; e < river->edge_count; e++)
        for (size_t i = 0; i < river->edges[e].count; i++) {
            struct water_station *s = &river->stations[river->edges[e].first + i];
            s->level = s->lake >= 0 ? river->lakes[s->lake].level : floor(s->level / STEP_M) * STEP_M;
        }
    return STATUS_OK;
}
